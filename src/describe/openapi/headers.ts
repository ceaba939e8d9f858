/** Response headers that mean something to a client. Those that every answer carries for caches and browsers are left out. */
import type { Reference, Writing } from './components.ts';

const HEADERS = {
  ETag: 'The state of what is in the body, for `If-Match` and `If-None-Match`.',
  Location: 'Address of the record that was made.',
  Link: 'Other pages (`first`, `prev`, `next`, `last`; RFC 8288), and the interface’s documentation.',
  'Changes-Cursor': 'The place behind what is told here, for `after`. It goes forward where a filter leaves nothing.',
  'X-Total-Count': 'Number of all items that the filters leave, on every page together.',
  'Content-Language': 'The language of the texts in the body.',
  'Accept-Patch': 'The media types that PATCH takes here.',
  'Preference-Applied': '`handling=lenient`, when the request preferred it.',
  'Idempotency-Replayed': '`true` when this is the first answer to a request with the same `Idempotency-Key`.',
  'WWW-Authenticate': 'How to send a key.',
  'Retry-After': 'Seconds to wait before trying again.',
  RateLimit:
    'Where the store limits how often a key asks: requests that are left (`r`), and the seconds (`t`) until there are more.',
  'RateLimit-Policy': 'Where the store limits it: how many requests (`q`) are taken in how many seconds (`w`).',
} as const;

type HeaderName = keyof typeof HEADERS;

const WHOLE_NUMBERS: ReadonlySet<HeaderName> = new Set(['X-Total-Count', 'Retry-After']);

/** Of any answer that comes after the requests of its key were counted. */
const COUNTED = ['RateLimit', 'RateLimit-Policy'] as const;

/** The named headers of an answer, and those that every counted one may have. */
export function headersNamed({ components }: Writing, names: readonly HeaderName[]): Record<string, Reference> {
  const headers = [...new Set([...names, ...COUNTED])].map((name): [string, Reference] => [
    name,
    components.refer('headers', name, () => ({
      description: HEADERS[name],
      schema: { type: WHOLE_NUMBERS.has(name) ? 'integer' : 'string' },
    })),
  ]);
  return Object.fromEntries(headers);
}
