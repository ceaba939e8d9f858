/** `GET /api/scopes`: the scopes and masks that a key can have (access.md §1). It depends on the model only, so it is built once. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { maskRecords } from '../../access/masks.ts';
import { scopesOf } from '../../describe/openapi.ts';
import { API_PATH, rejectParameters, SCOPES_PATH } from '../../engine/index.ts';
import { queryOf } from '../resources/address.ts';
import { JSON_TYPE } from '../responses/accept.ts';
import { recordTag } from '../responses/entity-tags.ts';
import { renderView, sendRendered } from '../responses/response.ts';

const VERSION = 1;

export function registerScopesRoute(app: FastifyInstance): void {
  let built: { readonly body: string; readonly etag: string } | undefined;
  const readAddress = (request: FastifyRequest) => rejectParameters(queryOf(request), request.requestContext.lenient);
  app.get(`${API_PATH}${SCOPES_PATH}`, { config: { offers: [JSON_TYPE], readAddress } }, async (request, reply) => {
    if (!built) {
      const body = JSON.stringify({
        scopes: scopesOf(request.service.model),
        masks: maskRecords(request.service.model),
      });
      built = { body, etag: recordTag(VERSION, body, false) };
    }
    return sendRendered(request, reply, renderView(built, request.requestContext.language));
  });
}
