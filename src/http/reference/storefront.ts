/** The reference of `/storefront`: its OpenAPI document and page. Both are public (storefront.md §1). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { storefrontDocument } from '../../describe/storefront.ts';
import { OWN_ORDERS } from '../../shop/customers/orders.ts';
import { VIEWS } from '../../shop/storefront/views.ts';
import { STOREFRONT_PATH } from '../responses/headers.ts';
import type { HttpOptions } from '../server/context.ts';
import { AddressedDocuments } from './addressed-documents.ts';
import type { DocumentChoice } from './documents.ts';
import { type PublicFile, sendPublicFile } from './public-files.ts';
import { ReferencePages } from './reference-pages.ts';
import {
  addPublic,
  DOCUMENT_TYPES,
  PAGE_POLICY,
  problemOrNothing,
  readDocumentChoice,
  securityHeaders,
  WHOLE_DOCUMENT,
} from './routes.ts';

export function registerStorefrontReference(app: FastifyInstance, { service, storefront, version }: HttpOptions): void {
  if (!storefront) return;
  const { model } = service;
  const documents = new AddressedDocuments();
  const documentOf = ({ specVersion }: DocumentChoice, request: FastifyRequest): PublicFile =>
    documents.get(specVersion, request.service.environment.baseUrl, 'application/json; charset=utf-8', (baseUrl) =>
      storefrontDocument(
        model,
        { catalog: VIEWS, orders: OWN_ORDERS },
        { baseUrl, programVersion: version, specVersion },
      ),
    )!;
  const send = (request: FastifyRequest, reply: FastifyReply, choice: DocumentChoice): FastifyReply => {
    const type = `${request.responseType}; charset=utf-8`;
    return sendPublicFile(request, reply.header('vary', VARY), { ...documentOf(choice, request), type });
  };
  const pages = new ReferencePages(false);
  addPublic(app, STOREFRONT_PATH, [...DOCUMENT_TYPES, 'text/html'], (request, reply) => {
    if (request.responseType !== 'text/html') return send(request, reply, WHOLE_DOCUMENT);
    const page = pages.at(STOREFRONT_PATH, () => documentOf(WHOLE_DOCUMENT, request));
    return sendPublicFile(request, reply.headers({ ...securityHeaders(PAGE_POLICY), vary: VARY }), page);
  });
  const read = (request: FastifyRequest, lenient: boolean) => readDocumentChoice(request, undefined, lenient);
  addPublic(
    app,
    `${STOREFRONT_PATH}/openapi.json`,
    DOCUMENT_TYPES,
    (request, reply) => send(request, reply, read(request, true) as DocumentChoice),
    (request, lenient) => problemOrNothing(read(request, lenient)),
  );
}

const VARY = 'Accept, Accept-Encoding';
