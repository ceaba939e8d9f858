/** `/sitemap.xml`, `/sitemaps/{n}.xml`, `/feeds/{name}.xml`, and `/api/feeds` about the latter (catalog.md §17). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FEEDS_PATH } from '../../describe/openapi/shop-pages.ts';
import {
  API_PATH,
  formatTimestamp,
  isProblem,
  type Languages,
  parseQueryString,
  problem,
  rejectParameters,
  shortened,
} from '../../engine/index.ts';
import { type DocumentFile, openDocument } from '../../shop/document-file.ts';
import type { FeedName } from '../../shop/feed-settings.ts';
import { withShopUrl } from '../../store/shop-url.ts';
import { queryOf } from '../resources/address.ts';
import { JSON_TYPE } from '../responses/accept.ts';
import { namesTag, recordTag } from '../responses/entity-tags.ts';
import { renderView, sendProblem, sendRendered } from '../responses/response.ts';
import type { Addressing } from '../server/base-address.ts';
import type { HttpOptions } from '../server/context.ts';

const PUBLIC = { isPublic: true, negotiates: false, work: 'none' } as const;

export function registerShopDocuments(app: FastifyInstance, options: HttpOptions, addresses: Addressing): void {
  const { shopDocuments: documents, cacheValidator } = options;
  app.addHook('onClose', () => documents.close());
  // A client could otherwise make the server build documents for any number of addresses.
  const served = async (request: FastifyRequest, feed?: string) => {
    if (!addresses.isKnown(request)) return undefined;
    const state = await cacheValidator.check();
    const service = await withShopUrl(request.service, inDefaultLanguage(state));
    return documents.has(service, feed) ? { service, state } : undefined;
  };

  for (const path of ['/sitemaps/*', '/feeds/*'])
    app.get(path, { config: PUBLIC }, (_request, reply) => sendMissing(reply));
  app.get('/sitemap.xml', { config: PUBLIC }, async (request, reply) => {
    const found = await served(request);
    if (!found) return sendMissing(reply);
    const { content } = await documents.sitemap(found.service, found.state);
    return sendDocument(request, reply, content.index);
  });

  app.get<{ Params: { name: string } }>('/sitemaps/:name', { config: PUBLIC }, async (request, reply) => {
    const [, number] = /^([1-9]\d{0,5})\.xml$/.exec(request.params.name) ?? [];
    const found = number === undefined ? undefined : await served(request as FastifyRequest);
    if (!found) return sendMissing(reply);
    const { content } = await documents.sitemap(found.service, found.state);
    const file = content.files[Number(number) - 1];
    return file ? sendDocument(request as FastifyRequest, reply, file) : sendMissing(reply);
  });

  app.get<{ Params: { name: string } }>('/feeds/:name', { config: PUBLIC }, async (request, reply) => {
    const [, name] = /^(\w+)\.xml$/.exec(request.params.name) ?? [];
    const found = name === undefined ? undefined : await served(request as FastifyRequest, name);
    if (!found) return sendMissing(reply);
    const { service, state } = found;
    const language = languageIn(request as FastifyRequest) ?? state.defaultLanguage;
    if (!state.languages.includes(language))
      return sendProblem(
        reply,
        problem(
          'invalid-argument',
          `"language" must be one of ${state.languages.join(', ')}; it is "${shortened(language)}".`,
        ),
      );
    const { content } = await documents.feed(service, name as FeedName, language, state);
    return sendDocument(request as FastifyRequest, reply, content.document);
  });

  const readNothing = (request: FastifyRequest) => rejectParameters(queryOf(request), request.requestContext.lenient);
  const config = { offers: [JSON_TYPE], work: 'none', readAddress: readNothing } as const;
  app.get(`${API_PATH}${FEEDS_PATH}`, { config }, async (request, reply) => {
    const { language, state } = request.requestContext;
    const service = await withShopUrl(request.service, inDefaultLanguage(state));
    const shown: object[] = [];
    for (const name of documents.has(service) ? documents.feeds : []) {
      const { content, builtAt } = await documents.feed(service, name, language, state);
      const { items, skipped, reasons } = content;
      const generated_at = formatTimestamp(builtAt, service.environment.timeZone);
      shown.push({ feed: name, generated_at, items, skipped, reasons });
    }
    const body = JSON.stringify(shown);
    return sendRendered(request, reply, renderView({ body, etag: recordTag(1, body, false) }, language));
  });
}

function inDefaultLanguage({ defaultLanguage }: { readonly defaultLanguage: string }): Languages {
  return { language: defaultLanguage, defaultLanguage };
}

/** Other parameters are ignored, because crawlers add some. */
function languageIn(request: FastifyRequest): string | undefined {
  const parameters = parseQueryString(queryOf(request));
  return isProblem(parameters) ? '' : parameters.findLast(({ written }) => written === 'language')?.value;
}

/** Sends a document, compressed as it is stored if the client accepts that. */
async function sendDocument(request: FastifyRequest, reply: FastifyReply, file: DocumentFile): Promise<FastifyReply> {
  const isCompressed = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(
    String(request.headers['accept-encoding'] ?? ''),
  );
  const [plain, compressed] = [`"${file.hash}"`, `"${file.hash};gz"`];
  const ifNoneMatch = request.headers['if-none-match'];
  reply.headers({
    etag: isCompressed ? compressed : plain,
    vary: 'Accept-Encoding',
    'cache-control': 'public, no-cache',
    'x-content-type-options': 'nosniff',
  });
  if (namesTag(ifNoneMatch, plain) || namesTag(ifNoneMatch, compressed)) return reply.code(304).send();
  reply.header('content-type', 'application/xml');
  if (isCompressed) reply.header('content-encoding', 'gzip');
  return reply.send(await openDocument(file, isCompressed));
}

function sendMissing(reply: FastifyReply): FastifyReply {
  reply.header('cache-control', 'no-store');
  return sendProblem(
    reply,
    problem(
      'not-found',
      'There is no such document. Every document needs the address of the shop (shop_url of /api/store), and a feed needs the setting FEEDS.',
    ),
  );
}
