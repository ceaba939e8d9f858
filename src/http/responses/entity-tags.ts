/**
 * Entity tags (RFC 9110 §8.8.3, http.md §10): creates them, and compares those that clients send. Proxies weaken tags, and each
 * encoding of a response has its own.
 */
import { hash } from 'node:crypto';
import { type Condition, type Problem, problem, type Versioned } from '../../engine/index.ts';

/** The suffix of an encoded response's tag, inside the quotes. */
export const ENCODING_MARKS = { zstd: 'zst', gzip: 'gz', br: 'br' } as const;

const WEAK = /^W\//;
const ENCODED = /;(?:zst|gz|br)"$/;

/** Parses `If-Match` or `If-None-Match` into tags of unencoded responses, or `*`. The store's tags contain no comma. */
function readTags(sent: string): string[] {
  return sent.split(',').map((tag) => tag.trim().replace(WEAK, '').replace(ENCODED, '"'));
}

/** Whether `If-None-Match` contains this tag or `*`. */
export function namesTag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = readTags(ifNoneMatch);
  return tags.includes('*') || tags.includes(etag);
}

const DIGEST_LENGTH = 22;

/**
 * Returns `"<version>-<digest>"`. The digest is of the body, so each language and format has its own tag. With selected fields it
 * is `"<version>-f.<digest>"`: in `If-Match` only the version of such a tag counts (`isPartialTag`).
 */
export function recordTag(version: number, body: string, isPartial: boolean): string {
  return `"${version}-${isPartial ? 'f.' : ''}${digest(body)}"`;
}

/** Returns the tag of a page: a digest of its bytes and the total. */
export function collectionTag(total: number | string, body: string): string {
  return `"${digest(`${total} ${body}`)}"`;
}

function digest(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, DIGEST_LENGTH);
}

/** A tag of selected fields identifies only the record's version. */
function isPartialTag(tag: string, version: number): boolean {
  return /^"(\d+)-f\.[^"]*"$/.exec(tag)?.[1] === String(version);
}

/** The conditions of a write. */
export interface Conditions {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

/**
 * Creates a check of the client's conditions on the record as a GET would show it: first `If-Match`, then `If-None-Match`
 * (http.md §10, RFC 9110 §13.2.2).
 * @param tagOf the tag that a GET with the same `Accept` would return
 * @returns undefined if there is no condition
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
  const isThis = (tag: string): boolean => tag === etag || isPartialTag(tag, version);
  const matches = ifMatch === undefined || ifMatch.trim() === '*' || readTags(ifMatch).some(isThis);
  if (!matches)
    return failed(etag, `The record has changed: its tag is now ${etag}. Read it again and repeat the change.`);
  if (namesTag(ifNoneMatch, etag))
    return failed(etag, `If-None-Match requires that the record does not exist or match, but its tag is ${etag}.`);
  return undefined;
}

function failed(etag: string, detail: string): Problem {
  return problem('precondition-failed', detail, { etag });
}
