/** Which of the offered formats an `Accept` header asks for (http.md §1, RFC 9110 §12.5.1). */
import Negotiator from 'negotiator';

export const JSON_TYPE = 'application/json';
/** JSON-LD, with Hydra. */
export const LD_TYPE = 'application/ld+json';
/** A partial update (RFC 7396). */
export const MERGE_PATCH_TYPE = 'application/merge-patch+json';
/** The media type of problems (RFC 9457). */
export const PROBLEM_TYPE = 'application/problem+json';
/** A stream of server-sent events. */
export const EVENT_STREAM_TYPE = 'text/event-stream';
/** JSON Lines, by both names. */
export const LINE_TYPES: readonly string[] = ['application/x-ndjson', 'application/jsonl'];
/** The media types of responses with data of the store. */
export const DATA_TYPES: readonly string[] = [JSON_TYPE, LD_TYPE];

/**
 * Chooses the media type of a response. A client that accepts only `application/problem+json`, as some generated clients do, gets
 * JSON if that is offered.
 */
export function chooseType(accept: string | undefined, offered: readonly string[]): string | undefined {
  const chosen = negotiate(accept, offered);
  if (chosen !== undefined || !offered.includes(JSON_TYPE)) return chosen;
  return negotiate(accept, [PROBLEM_TYPE]) && JSON_TYPE;
}

/** @returns the offered media type that the client prefers; undefined if it accepts none */
export function negotiate(accept: string | undefined, offered: readonly string[]): string | undefined {
  if (accept === undefined || accept === '*/*' || accept === offered[0]) return offered[0];
  if (offered.includes(accept)) return accept;
  // Parameters are ignored: `application/json; charset=utf-8` means `application/json`.
  const withoutParameters = accept.replace(/;\s*(?!q\s*=)[^;,]*/gi, '');
  return new Negotiator({ headers: { accept: withoutParameters } }).mediaType(offered as string[]);
}
