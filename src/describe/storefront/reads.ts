/** What all reads have in common: parameters, and the headers of responses, which caches may store only of the catalog. */
import type { JsonSchema } from '../../engine/index.ts';
import type { HeaderName } from '../openapi/headers.ts';
import { type Parameter, query } from '../openapi/parameter.ts';
import { headerParameters } from '../openapi/parameters.ts';
import type { ShopOperation } from './operation.ts';

const LANGUAGE = query(
  'language',
  'Language of the texts, instead of `Accept-Language`. It must be one of the store’s languages.',
  { type: 'string' },
  'en',
);

const FOR_ME = query(
  'for',
  '`me`: what the customer of the session sees, with their prices. Needs a session, and the response is not cached.',
  { type: 'string', enum: ['me'] },
  'me',
);

/** The parameters of operations whose responses have texts. */
export const LANGUAGE_PARAMETERS: readonly Parameter[] = [LANGUAGE, headerParameters.acceptLanguage];

/** The parameters of every read of the catalog. */
export const READ_PARAMETERS: readonly Parameter[] = [FOR_ME, ...LANGUAGE_PARAMETERS, headerParameters.ifNoneMatch];

const OF_ALL = ['ETag', 'Cache-Control', 'Vary', 'Content-Language'] as const satisfies HeaderName[];
const OF_LISTS = [...OF_ALL, 'Link', 'X-Total-Count'] as const satisfies HeaderName[];

interface Content {
  readonly schema: JsonSchema;
  readonly example: unknown;
}

/** The responses of a read: 200 and 304. */
export function readResponses(description: string, content: Content): ShopOperation['responses'] {
  return responses(description, content, OF_ALL, 'NotModified');
}

/** The responses of a read of a list. */
export function listResponses(description: string, items: JsonSchema, example: unknown): ShopOperation['responses'] {
  const content = { schema: { type: 'array', items }, example: [example] };
  return responses(description, content, OF_LISTS, 'PageNotModified');
}

/** The responses of a search with facets. */
export function searchResponses(description: string, content: Content): ShopOperation['responses'] {
  return responses(description, content, OF_LISTS, 'PageNotModified');
}

/** The response of an operation for one customer, which is never cached. */
export function ownResponse(
  description: string,
  content: Content,
  headers: readonly HeaderName[] = [],
): ShopOperation['responses'] {
  return { 200: { description, headers: ['Content-Language', ...headers], content } };
}

/** The response of a list of one customer. */
export function ownListResponse(description: string, items: JsonSchema, example: unknown): ShopOperation['responses'] {
  const content = { schema: { type: 'array', items }, example: [example] };
  return ownResponse(description, content, ['Link', 'X-Total-Count']);
}

function responses(
  description: string,
  content: Content,
  headers: readonly HeaderName[],
  component: string,
): ShopOperation['responses'] {
  const unchanged = 'Not modified since the response with this `ETag`.';
  return { 200: { description, headers, content }, 304: { component, description: unchanged, headers } };
}
