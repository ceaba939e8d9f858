/** Addresses of the shop's pages: the history of products and categories, and `/urls/resolve` (catalog.md §16). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RESOLVE_PATH } from '../../describe/openapi/shop-pages.ts';
import { API_PATH, isProblem, type ModelRoute, type Problem, problem } from '../../engine/index.ts';
import { oldUrlsOf, removeOldUrl } from '../../shop/old-urls.ts';
import { resolvePath } from '../../shop/resolve.ts';
import { withShopUrl } from '../../store/shop-url.ts';
import { addressReader, requestOptionsOf, targetOf } from '../resources/address.ts';
import { JSON_TYPE } from '../responses/accept.ts';
import { recordTag } from '../responses/entity-tags.ts';
import { applyPreference, renderView, sendProblem, sendRendered } from '../responses/response.ts';
import type { HttpOptions } from '../server/context.ts';
import { readOnlyParameter } from './only-parameter.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The path to resolve. */
    shopPath: string;
  }
}

const PATH_LENGTH_MAX = 2048;
const PARAMETER = 'path';

export function registerUrlRoutes(app: FastifyInstance, options: HttpOptions): void {
  app.decorateRequest('shopPath', '');
  const { resources } = options.service.model;
  for (const name of ['Product', 'Category']) {
    const [route] = resources.get(name)?.routes ?? [];
    if (route) registerHistory(app, options, route);
  }
  const config = { offers: [JSON_TYPE], work: 'read', readAddress: readPath } as const;
  app.get(`${API_PATH}${RESOLVE_PATH}`, { config }, async (request, reply) => {
    const { language, defaultLanguage, state } = request.requestContext;
    const languages = { language, defaultLanguage, languages: state.languages };
    const service = await withShopUrl(request.service, languages);
    const resolved = await resolvePath(service, languages, request.shopPath);
    if (!resolved) return sendProblem(reply, problem('not-found', 'No enabled product or category has this address.'));
    return sendData(request, reply, resolved);
  });
}

function registerHistory(app: FastifyInstance, options: HttpOptions, route: ModelRoute): void {
  const url = `${API_PATH}${route.path.replace(/\{(\w+)\}/g, ':$1')}/old_urls`;
  const readAddress = addressReader(route, 'more');
  app.get(url, { config: { offers: [JSON_TYPE], work: 'read', readAddress } }, async (request, reply) => {
    const found = await oldUrlsOf(request.service, requestOptionsOf(request, options), targetOf(request, route));
    return isProblem(found) ? sendProblem(reply, found) : sendData(request, reply, found);
  });
  app.delete<{ Params: { clean_url: string } }>(
    `${url}/:clean_url`,
    { config: { offers: [JSON_TYPE], work: 'write', readAddress } },
    async (request, reply) => {
      const target = targetOf(request as FastifyRequest, route);
      const requestOptions = requestOptionsOf(request as FastifyRequest, options);
      const rejection = await removeOldUrl(request.service, requestOptions, target, request.params.clean_url);
      if (rejection) return sendProblem(reply, rejection);
      applyPreference(request as FastifyRequest, reply);
      return reply.code(204).send();
    },
  );
}

/** These responses have no version; the digest distinguishes their states. */
const VERSION = 1;

function sendData(request: FastifyRequest, reply: FastifyReply, data: unknown): FastifyReply {
  const body = JSON.stringify(data);
  const { language } = request.requestContext;
  return sendRendered(request, reply, renderView({ body, etag: recordTag(VERSION, body, false) }, language));
}

function readPath(request: FastifyRequest): Problem | undefined {
  const given = readOnlyParameter(request, PARAMETER);
  if (isProblem(given)) return given;
  if (!given.startsWith('/') || [...given].length > PATH_LENGTH_MAX)
    return problem(
      'invalid-argument',
      `"${PARAMETER}" must be a path of the shop that begins with "/", with at most ${PATH_LENGTH_MAX} characters.`,
    );
  request.shopPath = given;
  return undefined;
}
