/** What the paths of customers have in common: bodies, the context of operations, responses. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type Field,
  isProblem,
  type Model,
  type Problem,
  problem,
  type RequestOptions,
  readInput,
  unknownParameter,
  type Value,
  withoutSynonyms,
} from '../../../engine/index.ts';
import { readJsonObject } from '../../resources/request-body.ts';
import { JSON_TYPE } from '../../responses/accept.ts';
import { type PageQuery, pageLinks } from '../../responses/headers.ts';
import { sendRendered } from '../../responses/response.ts';
import { actorOf } from '../../server/actor.ts';
import type { HttpOptions } from '../../server/context.ts';
import { readLanguage } from '../language.ts';

/** Options of a route of customers. Its paths take no parameters, unless `readAddress` reads them. */
export const CUSTOMER_ROUTE = { isOfShoppers: true, offers: [JSON_TYPE], readAddress: readNoParameters } as const;

/** Options of a route that writes without a body. */
export const CUSTOMER_WRITE = { ...CUSTOMER_ROUTE, work: 'write' } as const;

/** Options of a route whose requests have a body. */
export function customerBody<Config extends object>({ jsonBodyBytesMax }: HttpOptions, config: Config) {
  const bodyLimit = jsonBodyBytesMax === 0 ? Number.MAX_SAFE_INTEGER : jsonBodyBytesMax;
  return { bodyLimit, config: { ...CUSTOMER_WRITE, takesBody: true, ...config } } as const;
}

/** Rejects all parameters except for the language. */
export function readNoParameters(request: FastifyRequest): Problem | undefined {
  const sent = readLanguage(request);
  if (isProblem(sent)) return sent;
  const [first] = sent;
  return first && problem('invalid-argument', unknownParameter(first.written, withoutSynonyms(['language'])));
}

/** Operations of shoppers are strict, and the scopes of keys do not apply. */
export function shopperOptions(request: FastifyRequest): RequestOptions {
  const { language, defaultLanguage } = request.requestContext;
  return { language, defaultLanguage, actor: actorOf(request), lenient: false, preservesOmitted: false };
}

/** Reads a body with declared members. */
export function readMembers(
  request: FastifyRequest,
  input: (model: Model) => Readonly<Record<string, Field>>,
): Readonly<Record<string, Value>> | Problem {
  const sent = readJsonObject(request.body as Buffer | undefined);
  const { service } = request;
  return isProblem(sent) ? sent : readInput(service, shopperOptions(request), input(service.model), sent);
}

export function sendJson(request: FastifyRequest, reply: FastifyReply, body: unknown): FastifyReply {
  const headers = { 'content-language': request.requestContext.language };
  return sendRendered(request, reply, { body: JSON.stringify(body), etag: '', headers });
}

/** Sends a page of a list, with its total and the links to other pages. */
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { records, total }: { readonly records: readonly object[]; readonly total: number },
  listQuery: PageQuery,
): FastifyReply {
  const links = pageLinks(request.service.environment.baseUrl, request.url, listQuery, { total });
  const headers = {
    ...{ 'content-language': request.requestContext.language, 'x-total-count': String(total) },
    ...(links === '' ? {} : { link: links }),
  };
  return sendRendered(request, reply, { body: JSON.stringify(records), etag: '', headers });
}
