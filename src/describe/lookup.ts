/** The operation that finds records of several resources by a text (access.md §5). */
import { LOOKUP_PATH, type Model, type ModelRoute, type Tag } from '../engine/index.ts';
import type { DocumentContext } from './openapi/components.ts';
import { notModified } from './openapi/headers.ts';
import { exampled } from './openapi/linked.ts';
import type { Paths } from './openapi/operations.ts';
import type { Parameter } from './openapi/parameter.ts';
import { headerParameters } from './openapi/parameters.ts';
import { problemResponses } from './openapi/problems.ts';

export const LOOKUP_TAG: Tag = {
  name: 'Lookup',
  description: 'Finds products, categories, orders and customers by one text.',
};

/** Maximum number of records of each resource. */
export const LOOKUP_LIMIT = 5;

/** The collections that a lookup reads, in the order of its result. */
export function lookupRoutes({ resources }: Model): ModelRoute[] {
  return [...resources.values()]
    .filter(({ declaration }) => declaration.lookup !== undefined)
    .sort((one, other) => one.declaration.lookup!.rank - other.declaration.lookup!.rank)
    .map(({ routes }) => routes[0]!);
}

export function lookupPaths(context: DocumentContext): Paths {
  const routes = lookupRoutes(context.model);
  if (routes.length === 0) return {};
  const q: Parameter = {
    ...{ name: 'q', in: 'query', required: true, description: 'The text to find.' },
    schema: { type: 'string', minLength: 2, maxLength: 100 },
    example: 'shirt',
  };
  const properties = {
    resource: { type: 'string', enum: routes.map(({ resource }) => resource.name) },
    id: { type: 'integer', format: 'int64' },
    path: { type: 'string', description: 'Address of the record, without the host.' },
    title: { type: 'string', description: 'Name, order number or e-mail address.' },
  };
  const schema = context.components.refer('schemas', 'LookupEntry', () => ({
    ...{ type: 'object', description: 'A record that a lookup found.', properties },
    required: Object.keys(properties),
  }));
  const example = [{ resource: 'Product', id: 1, path: '/api/products/1', title: 'T-shirt' }];
  return {
    [LOOKUP_PATH]: {
      get: {
        tags: [LOOKUP_TAG.name],
        operationId: 'lookUp',
        summary: 'Find records by a text',
        description: `Finds up to ${LOOKUP_LIMIT} records of each resource that the key may read.`,
        parameters: [q, headerParameters.ifNoneMatch, headerParameters.acceptLanguage, headerParameters.prefer],
        responses: {
          200: {
            description: 'The records.',
            content: { 'application/json': exampled({ type: 'array', items: schema }, example) },
          },
          304: notModified(context),
          ...problemResponses(context),
        },
      },
    },
  };
}
