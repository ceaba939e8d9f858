/** Which of the offered formats an `Accept` header asks for (http.md §1, RFC 9110 §12.5.1). */
import Negotiator from 'negotiator';

export const JSON_TYPE = 'application/json';
/** JSON-LD, with Hydra. */
export const LD_TYPE = 'application/ld+json';
/** A partial update (RFC 7396). */
export const MERGE_PATCH_TYPE = 'application/merge-patch+json';
/** The media type in which every refusal may be answered (RFC 9457). */
export const PROBLEM_TYPE = 'application/problem+json';
/** A stream of server-sent events. */
export const EVENT_STREAM_TYPE = 'text/event-stream';
/** One JSON value a line, by both of its names. */
export const LINE_TYPES: readonly string[] = ['application/x-ndjson', 'application/jsonl'];
/** The media types of answers with data of the store. */
export const DATA_TYPES: readonly string[] = [JSON_TYPE, LD_TYPE];

/**
 * The media type of an answer. A client that takes only problems as JSON, as some that are generated from the reference ask,
 * reads JSON: it gets that wherever it is offered.
 */
export function chooseType(accept: string | undefined, offered: readonly string[]): string | undefined {
  const chosen = negotiate(accept, offered);
  if (chosen !== undefined || !offered.includes(JSON_TYPE)) return chosen;
  return negotiate(accept, [PROBLEM_TYPE]) && JSON_TYPE;
}

/** @returns the first of the offered media types that is accepted best, or undefined for none */
export function negotiate(accept: string | undefined, offered: readonly string[]): string | undefined {
  if (accept === undefined || accept === '*/*' || accept === offered[0]) return offered[0];
  if (offered.includes(accept)) return accept;
  // Our types have no parameters: `application/json; charset=utf-8` asks for what `application/json` names.
  const withoutParameters = accept.replace(/;\s*(?!q\s*=)[^;,]*/gi, '');
  return new Negotiator({ headers: { accept: withoutParameters } }).mediaType(offered as string[]);
}
