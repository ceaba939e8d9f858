/**
 * The names of a request: its id, which the client may give it (`X-Request-Id`), and its place in a trace (W3C Trace Context,
 * `traceparent`). Both come back in the answer and stand in the log.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const ID = /^[\w.:-]{1,128}$/;

/** Keys, sessions and tokens that the store makes begin so. In the log they would be read by many. */
const KEY = /^pv_(?:r[wo]|s[ei])_/;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The id that the client gave the request, where it may; else a new one. A key in the wrong place is no id. */
export function requestId(given: unknown, key: unknown): string {
  return typeof given === 'string' && ID.test(given) && given !== key && !KEY.test(given) ? given : randomUUID();
}

export function requestIdOf({ 'x-request-id': given, 'x-auth-token': key }: IncomingHttpHeaders): string {
  return requestId(given, key);
}

/** As the member `instance` of a problem (RFC 9457), which is a URI. */
export function instanceOf(id: string): string {
  return UUID.test(id) ? `urn:uuid:${id}` : `urn:request:${id}`;
}

/** This request's part of a trace. The ids are hexadecimal. */
export interface Trace {
  readonly traceId: string;
  /** Of the part that the client did. */
  readonly parentId: string;
  /** Of the part that is done here. */
  readonly ownId: string;
  readonly flags: string;
}

/** https://www.w3.org/TR/trace-context/#traceparent-header-field-values */
const TRACE_PARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

const OWN_ID_BYTES = 8;

/** @returns undefined for what is no such header */
export function traceOf(header: unknown): Trace | undefined {
  const [, traceId, parentId, flags] = (typeof header === 'string' && TRACE_PARENT.exec(header)) || [];
  if (traceId === undefined) return undefined;
  return { traceId, parentId: parentId!, ownId: randomBytes(OWN_ID_BYTES).toString('hex'), flags: flags! };
}

/** https://w3c.github.io/trace-context/#trace-context-http-response-header-format */
export function traceResponse({ traceId, ownId, flags }: Trace): string {
  return `00-${traceId}-${ownId}-${flags}`;
}
