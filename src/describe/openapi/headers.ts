/**
 * Response headers of single operations. The introduction describes those of all operations, such as `Preference-Applied`
 * and `RateLimit`, and headers for caches and browsers are not described.
 */
import type { DocumentContext, Reference } from './components.ts';

const HEADERS = {
  ETag: 'Version of the record, for `If-Match`.',
  Location: 'URL of the new record.',
  'Cache-Control': 'For how long browsers and shared caches may store the response.',
  'Content-Language': 'Language of the texts.',
  Vary: 'Request headers on which the response depends.',
  Link: 'Other pages (`first`, `prev`, `next`, `last`; RFC 8288) and the API documentation.',
  'Changes-Cursor': 'Cursor after this response, for `after`. It advances even if a filter excludes all entries.',
  'X-Total-Count': 'Number of all items that match the filters, on all pages.',
  'Idempotency-Replayed':
    '`true` if this is the stored response to an earlier request with the same `Idempotency-Key`.',
  'Accept-Ranges': '`bytes`: `Range` is supported.',
  'Content-Range': 'The part that the body contains, and the size of the file.',
  'Content-Disposition': '`attachment`, and the name of the file.',
  'Set-Cookie': 'Sets or deletes the cookie of the session. Only of sessions with a cookie.',
  'WWW-Authenticate': 'Authentication scheme.',
  'Retry-After': 'Number of seconds to wait before the next attempt.',
} as const;

export type HeaderName = keyof typeof HEADERS;

const WHOLE_NUMBERS: ReadonlySet<HeaderName> = new Set(['X-Total-Count', 'Retry-After']);

/** Describes the named headers of a response. */
export function headersNamed({ components }: DocumentContext, names: readonly HeaderName[]): Record<string, Reference> {
  const headers = [...new Set(names)].map((name): [string, Reference] => [
    name,
    components.refer('headers', name, () => ({
      description: HEADERS[name],
      schema: { type: WHOLE_NUMBERS.has(name) ? 'integer' : 'string' },
    })),
  ]);
  return Object.fromEntries(headers);
}

/** Returns the 304 response. @param isPage - whether it is that of a collection */
export function notModified(context: DocumentContext, isPage = false): Reference {
  return context.components.refer('responses', isPage ? 'PageNotModified' : 'NotModified', () => ({
    description: 'Not modified since the response with this `ETag`.',
    headers: headersNamed(context, isPage ? ['ETag', 'Link', 'X-Total-Count'] : ['ETag']),
  }));
}
