/** Response headers for clients. Headers for caches and browsers, which every response has, are not described. */
import type { DocumentContext, Reference } from './components.ts';

const HEADERS = {
  ETag: 'Version of the response content, for `If-Match` and `If-None-Match`.',
  Location: 'URL of the new record.',
  Link: 'Other pages (`first`, `prev`, `next`, `last`; RFC 8288) and the API documentation.',
  'Changes-Cursor': 'Cursor after this response, for `after`. It advances even if a filter excludes all entries.',
  'X-Total-Count': 'Number of all items that match the filters, on all pages.',
  'Content-Language': 'Language of the texts in the body.',
  'Accept-Patch': 'Media types that PATCH accepts.',
  'Preference-Applied': '`handling=lenient` if the request preferred it.',
  'Idempotency-Replayed':
    '`true` if this is the stored response to an earlier request with the same `Idempotency-Key`.',
  'Accept-Ranges': '`bytes`: `Range` is supported.',
  'Content-Range': 'The part that the body contains, and the size of the file.',
  'Content-Disposition': '`attachment`, and the name of the file.',
  'WWW-Authenticate': 'Authentication scheme.',
  'Retry-After': 'Number of seconds to wait before the next attempt.',
  RateLimit: 'If the key has a rate limit: remaining requests (`r`) and seconds until the quota resets (`t`).',
  'RateLimit-Policy': 'If the key has a rate limit: requests (`q`) per number of seconds (`w`).',
} as const;

/** Description of 304 responses. */
export const NOT_MODIFIED = 'Not modified since the response with this `ETag`.';

type HeaderName = keyof typeof HEADERS;

const WHOLE_NUMBERS: ReadonlySet<HeaderName> = new Set(['X-Total-Count', 'Retry-After']);

/** Headers of all responses to requests that count towards the key's rate limit. */
const COUNTED = ['RateLimit', 'RateLimit-Policy'] as const;

/** Describes the named headers of a response, together with the rate limit headers. */
export function headersNamed({ components }: DocumentContext, names: readonly HeaderName[]): Record<string, Reference> {
  const headers = [...new Set([...names, ...COUNTED])].map((name): [string, Reference] => [
    name,
    components.refer('headers', name, () => ({
      description: HEADERS[name],
      schema: { type: WHOLE_NUMBERS.has(name) ? 'integer' : 'string' },
    })),
  ]);
  return Object.fromEntries(headers);
}
