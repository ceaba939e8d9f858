/** Strong validators: what a tag is made of (http.md §10, RFC 9110 §8.8.3). */
import { hash } from 'node:crypto';

const DIGEST_LENGTH = 22;

/**
 * `"<version>-<digest>"`: the digest is of the body, so another language or format has another tag. With some of
 * the fields it is `"<version>-f.<digest>"`: in `If-Match` only the version of such a tag counts.
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
