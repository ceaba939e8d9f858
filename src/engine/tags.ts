/** Entity tags as clients send them back (RFC 9110 §8.8.3): proxies weaken them, and each encoding of an answer has its own. */

/** What stands at the end of an encoded answer's tag, inside its quotes. */
export const ENCODING_MARKS = { zstd: 'zst', gzip: 'gz', br: 'br' } as const;

const WEAK = /^W\//;
const ENCODED = /;(?:zst|gz|br)"$/;

/** The tags of `If-Match` or `If-None-Match`, each as the plain answer has it; `*` stays. No tag of ours holds a comma. */
export function readTags(sent: string): string[] {
  return sent.split(',').map((tag) => tag.trim().replace(WEAK, '').replace(ENCODED, '"'));
}

/** Whether `If-None-Match` says that the client has this, or anything at all. */
export function namesTag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = readTags(ifNoneMatch);
  return tags.includes('*') || tags.includes(etag);
}
