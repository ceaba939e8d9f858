/**
 * Entity tags (RFC 9110 §8.8.3, http.md §10): what they are made of, and what clients send back. Proxies weaken them, and each
 * encoding of an answer has its own.
 */
import { hash } from 'node:crypto';
import { type Condition, type Problem, problem, type Versioned } from '../../engine/index.ts';

/** The end of an encoded answer's tag, inside its quotes. */
export const ENCODING_MARKS = { zstd: 'zst', gzip: 'gz', br: 'br' } as const;

const WEAK = /^W\//;
const ENCODED = /;(?:zst|gz|br)"$/;

/** The tags of `If-Match` or `If-None-Match`, each as the plain answer has it; `*` stays. No tag of ours holds a comma. */
function readTags(sent: string): string[] {
  return sent.split(',').map((tag) => tag.trim().replace(WEAK, '').replace(ENCODED, '"'));
}

/** Whether `If-None-Match` says that the client has this, or anything at all. */
export function namesTag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = readTags(ifNoneMatch);
  return tags.includes('*') || tags.includes(etag);
}

const DIGEST_LENGTH = 22;

/**
 * `"<version>-<digest>"`: the digest is of the body, so another language or format has another tag. With some of
 * the fields it is `"<version>-f.<digest>"`: in `If-Match` only the version of such a tag counts (`isOfSomeFields`).
 */
export function recordTag(version: number, body: string, isPartial: boolean): string {
  return `"${version}-${isPartial ? 'f.' : ''}${digest(body)}"`;
}

/** A collection's tag is of its bytes and the number of all its records. */
export function collectionTag(total: number, body: string): string {
  return `"${digest(`${total} ${body}`)}"`;
}

function digest(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, DIGEST_LENGTH);
}

/** A tag of some fields says nothing of the others but the version. */
function isOfSomeFields(tag: string, version: number): boolean {
  return /^"(\d+)-f\.[^"]*"$/.exec(tag)?.[1] === String(version);
}

/** The headers with which a client asks that a write happens only if the record is, or is not, as it knows it. */
export interface Conditions {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

/**
 * Checks the client's conditions on the record as a GET would show it now: If-Match asks that its tag is one of these,
 * then If-None-Match that it is none of them (http.md §10, RFC 9110 §13.2.2). Undefined where it asks for nothing.
 * @param tagOf the tag that a GET of this request's form answers for the record
 */
export function conditionOf(conditions: Conditions, tagOf: (now: Versioned) => string): Condition | undefined {
  if (conditions.ifMatch === undefined && conditions.ifNoneMatch === undefined) return undefined;
  return (now) => preconditionProblem(conditions, tagOf(now), now.version);
}

export function preconditionProblem(
  { ifMatch, ifNoneMatch }: Conditions,
  etag: string,
  version: number,
): Problem | undefined {
  const isThis = (tag: string): boolean => tag === etag || isOfSomeFields(tag, version);
  const matches = ifMatch === undefined || ifMatch.trim() === '*' || readTags(ifMatch).some(isThis);
  if (!matches)
    return failed(etag, `The record is now ${etag}; read it again and repeat the change on what it is now.`);
  if (namesTag(ifNoneMatch, etag))
    return failed(etag, `The record is there, as ${etag}, and If-None-Match asks that it is not.`);
  return undefined;
}

function failed(etag: string, detail: string): Problem {
  return problem('precondition-failed', detail, { etag });
}
