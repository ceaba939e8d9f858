/**
 * The id of a request, which the client may set (`X-Request-Id`), and its span in a trace (W3C Trace Context, `traceparent`).
 * Both are in the response and in the log.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const ID = /^[\w.:-]{1,128}$/;

/** Prefix of keys, session ids and tokens of the store. They must not get into the log. */
const KEY = /^pv_[a-z]{2}_/;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the client's id if it is valid, otherwise a new one. A key sent in the wrong header is not an id. */
export function requestId(given: unknown, key: unknown): string {
  return typeof given === 'string' && ID.test(given) && given !== key && !KEY.test(given) ? given : randomUUID();
}

export function requestIdOf({ 'x-request-id': given, 'x-auth-token': key }: IncomingHttpHeaders): string {
  return requestId(given, key);
}

/** Returns the id as a URI, for `instance` of a problem (RFC 9457). */
export function instanceOf(id: string): string {
  return UUID.test(id) ? `urn:uuid:${id}` : `urn:request:${id}`;
}

/** The span of a request. The ids are hexadecimal. */
export interface Trace {
  readonly traceId: string;
  /** The span of the client. */
  readonly parentId: string;
  /** The span of the server. */
  readonly ownId: string;
  readonly flags: string;
}

/** https://www.w3.org/TR/trace-context/#traceparent-header-field-values */
const TRACE_PARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

const OWN_ID_BYTES = 8;

/** @returns undefined if the header is missing or invalid */
export function traceOf(header: unknown): Trace | undefined {
  const [, traceId, parentId, flags] = (typeof header === 'string' && TRACE_PARENT.exec(header)) || [];
  if (traceId === undefined) return undefined;
  return { traceId, parentId: parentId!, ownId: randomBytes(OWN_ID_BYTES).toString('hex'), flags: flags! };
}

/** https://w3c.github.io/trace-context/#trace-context-http-response-header-format */
export function traceResponse({ traceId, ownId, flags }: Trace): string {
  return `00-${traceId}-${ownId}-${flags}`;
}
