/** Operations about the pages of the shop: former addresses, the page of a path, product feeds (catalog.md §§16 and 17). */
import { type JsonSchema, type ModelRoute, type Tag, words } from '../../engine/index.ts';
import type { DocumentContext, Reference } from './components.ts';
import { notModified } from './headers.ts';
import { exampled, JSON_TYPE } from './linked.ts';
import type { Parameter } from './parameter.ts';
import { headerParameters, pathParameters } from './parameters.ts';
import { problemResponses } from './problems.ts';

export const RESOLVE_PATH = '/urls/resolve';
export const FEEDS_PATH = '/feeds';

export const SHOP_PAGES_TAG: Tag = {
  name: 'ShopPages',
  description: 'The pages of the shop: which page an address means, and the product feeds.',
};

type Paths = Record<string, Record<string, object>>;

export function shopPagePaths(context: DocumentContext): Paths {
  const routes = ['Product', 'Category'].flatMap((name) => context.model.resources.get(name)?.routes[0] ?? []);
  if (routes.length === 0) return {};
  return {
    ...Object.assign({}, ...routes.map((route) => historyPaths(context, route))),
    [RESOLVE_PATH]: { get: describeResolve(context) },
    [FEEDS_PATH]: { get: describeFeeds(context) },
  };
}

const READ_PARAMETERS = [headerParameters.ifNoneMatch, headerParameters.acceptLanguage, headerParameters.prefer];

function historyPaths(context: DocumentContext, route: ModelRoute): Paths {
  const { resource } = route;
  const noun = words(resource.name);
  const path = `${route.path}/old_urls`;
  const { clean_url } = Object.fromEntries(resource.fields);
  const parameter: Parameter = {
    ...{ name: 'clean_url', in: 'path', required: true, description: 'The former `clean_url`.' },
    schema: { type: 'string' },
    example: clean_url!.field.example,
  };
  const example = [{ clean_url: clean_url!.field.example, until: '2026-01-31T09:30:00+00:00' }];
  return {
    [path]: {
      get: {
        tags: [resource.name],
        operationId: `list${resource.name}OldUrls`,
        summary: `List the former clean URLs of a ${noun}`,
        description: 'The last 50, newest first, without pages. The shop redirects from them.',
        parameters: [...pathParameters(route, 'item'), ...READ_PARAMETERS],
        responses: readResponses(context, 'The former clean URLs.', listOf(oldUrlSchema(context)), example),
      },
    },
    [`${path}/{clean_url}`]: {
      delete: {
        tags: [resource.name],
        operationId: `delete${resource.name}OldUrl`,
        summary: `Remove a former clean URL of a ${noun}`,
        description: 'The shop no longer redirects from it. Does not change the version of the record.',
        parameters: [...pathParameters(route, 'item'), parameter, headerParameters.prefer],
        responses: {
          204: { description: 'It was removed.' },
          ...problemResponses(context),
        },
      },
    },
  };
}

function describeResolve(context: DocumentContext): object {
  const parameter: Parameter = {
    ...{ name: 'path', in: 'query', required: true, description: 'Path of the shop, percent-encoded.' },
    schema: { type: 'string', pattern: '^[/]', maxLength: 2048 },
    example: '/t-shirt',
  };
  const schema = context.components.refer('schemas', 'ResolvedUrl', () =>
    object('The page of a path.', {
      status: { type: 'integer', enum: [200, 301], description: '301 if the shop redirects to `location`.' },
      location: { type: 'string', description: 'Address of the page; its path if the store has no `shop_url`.' },
      resource: { type: 'string', enum: ['Product', 'Category'] },
      id: { type: 'integer', format: 'int64' },
    }),
  );
  const example = { status: 200, location: '/t-shirt', resource: 'Product', id: 1 };
  return {
    tags: [SHOP_PAGES_TAG.name],
    operationId: 'resolveUrl',
    summary: 'Find the page of a path',
    description:
      'Finds the enabled product or category with this address in the shop, also by a former address. Always returns 200; the shop redirects if `status` is 301.',
    parameters: [parameter, ...READ_PARAMETERS],
    responses: readResponses(context, 'The page.', schema, example),
  };
}

function describeFeeds(context: DocumentContext): object {
  const schema = context.components.refer('schemas', 'ProductFeed', () =>
    object('The last document of a product feed.', {
      feed: { type: 'string', enum: ['google', 'facebook'] },
      generated_at: { type: 'string', format: 'date-time' },
      items: { type: 'integer', description: 'Number of items in the document.' },
      skipped: { type: 'integer', description: 'Number of products that it should contain but cannot.' },
      reasons: {
        type: 'array',
        description: 'The first 100 of these products.',
        items: {
          type: 'object',
          properties: {
            product_id: { type: 'integer', format: 'int64' },
            reason: { type: 'string', enum: ['price', 'image'], description: 'What the product lacks.' },
          },
          required: ['product_id', 'reason'],
        },
      },
    }),
  );
  const example = [
    {
      feed: 'google',
      generated_at: '2026-01-31T09:30:00+00:00',
      items: 1,
      skipped: 1,
      reasons: [{ product_id: 2, reason: 'image' }],
    },
  ];
  return {
    tags: [SHOP_PAGES_TAG.name],
    operationId: 'listProductFeeds',
    summary: 'List the product feeds',
    description:
      'The feeds of the setting `FEEDS`; empty if the store has no `shop_url`. The documents themselves are public, at `/feeds/google.xml` and `/feeds/facebook.xml`.',
    parameters: READ_PARAMETERS,
    responses: readResponses(context, 'The feeds.', listOf(schema), example),
  };
}

function oldUrlSchema({ components }: DocumentContext): Reference {
  return components.refer('schemas', 'OldUrl', () =>
    object('A former clean URL.', {
      clean_url: { type: 'string' },
      until: { type: 'string', format: 'date-time', description: 'When the record got another one.' },
    }),
  );
}

function listOf(items: Reference): JsonSchema {
  return { type: 'array', items };
}

function object(description: string, properties: Readonly<Record<string, JsonSchema>>) {
  return { type: 'object', description, properties, required: Object.keys(properties) };
}

function readResponses(
  context: DocumentContext,
  description: string,
  schema: JsonSchema | Reference,
  example: unknown,
): object {
  return {
    200: { description, content: { [JSON_TYPE]: exampled(schema, example) } },
    304: notModified(context),
    ...problemResponses(context),
  };
}
