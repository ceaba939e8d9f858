/** What all reads of the catalog have in common: request headers, and the headers of responses that caches may store. */
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

/** The parameters of every read. */
export const READ_PARAMETERS: readonly Parameter[] = [
  LANGUAGE,
  headerParameters.acceptLanguage,
  headerParameters.ifNoneMatch,
];

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

function responses(
  description: string,
  content: Content,
  headers: readonly HeaderName[],
  component: string,
): ShopOperation['responses'] {
  const unchanged = 'Not modified since the response with this `ETag`.';
  return { 200: { description, headers, content }, 304: { component, description: unchanged, headers } };
}
