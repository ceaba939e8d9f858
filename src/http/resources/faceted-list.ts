/** Handler of a search with facets (finding.md §2). */
import type { FastifyRequest } from 'fastify';
import { redacted } from '../../access/redaction.ts';
import { facetedOf, memberOf } from '../../describe/hydra.ts';
import {
  type FacetedPage,
  isProblem,
  listFaceted,
  type ModelRoute,
  onlyFields,
  type Problem,
  type ShownRecord,
  type Target,
  withListField,
} from '../../engine/index.ts';
import { readConsistently } from '../cache/consistent-read.ts';
import { routeTag } from '../cache/dependencies.ts';
import type { CacheableResponse } from '../cache/pages.ts';
import { LD_TYPE } from '../responses/accept.ts';
import { facetedBody } from '../responses/faceted-body.ts';
import { renderPage } from '../responses/response.ts';
import type { HttpOptions } from '../server/context.ts';
import { requestOptionsOf, targetOf } from './address.ts';
import { pageExtent } from './cursors.ts';
import { cached, type Handle, type ReadCaches, uncached } from './reads.ts';

export function handleFacetedList(route: ModelRoute, options: HttpOptions, caches: ReadCaches): Handle {
  const { cacheValidator } = options;
  const dependencies = { all: [routeTag(route, cacheValidator)] };
  const make = async (request: FastifyRequest): Promise<CacheableResponse | Problem> => {
    const { service } = request;
    const { listField } = request.address.listQuery!;
    const target = targetOf(request, route);
    const requestOptions = requestOptionsOf(request, options);
    const read = (from: typeof service) => listFaceted(from, requestOptions, target, request.address.facetsQuery!);
    // The values of a list field depend on more than the records of the route.
    const decisive = listField ? undefined : dependencies;
    const { found, after } = await readConsistently(service, cacheValidator, decisive, read);
    return isProblem(found) ? found : render(request, target, found, after);
  };
  const render = (
    request: FastifyRequest,
    target: Target,
    { page, facets }: FacetedPage,
    after: number,
  ): CacheableResponse => {
    const { address, service, requestContext, responseType, url } = request;
    const { listField, fields } = address.listQuery!;
    const { language, rights } = requestContext;
    const isLinked = responseType === LD_TYPE;
    const records = page.records.map((record, index) => {
      const value = 'values' in page ? page.values.get(page.ids[index]!) : undefined;
      const valued = listField ? withListField(record, listField, value) : record;
      return shown(isLinked ? memberOf(target, valued) : valued);
    });
    const body = facetedBody(route, address.listQuery!, records, facets);
    const text = JSON.stringify(isLinked ? facetedOf(route, body) : body);
    const extent = pageExtent(request, route, address.listQuery!, page, options);
    const rendered = renderPage(extent, address.listQuery!, url, language, service.environment.baseUrl, text);
    return { rendered, dependencies, after };

    function shown(record: ShownRecord): ShownRecord {
      const visible = rights.hidden ? redacted(record, route.resource, rights.hidden) : record;
      return fields ? onlyFields(visible, fields) : visible;
    }
  };
  const [asCached, asUncached] = [cached(route, options, caches, make), uncached(make)];
  return (request, reply) => (request.address.listQuery!.listField ? asUncached : asCached)(request, reply);
}
