/** SHA-256 of texts and bytes in other encodings, one after the other. */
import { hash } from 'node:crypto';
import type { HashedPart } from '../../engine/ports.ts';

const BUFFER_BYTES = 65_536;
const buffer = Buffer.alloc(BUFFER_BYTES);

/** UTF-8 has at most three bytes for each code unit of UTF-16. */
const BYTES_PER_UNIT_MAX = 3;

/** @returns the hash in hexadecimal digits */
export function sha256(parts: readonly HashedPart[]): string {
  let units = 0;
  for (const [text] of parts) units += text.length;
  const length = units * BYTES_PER_UNIT_MAX;
  const bytes = length <= BUFFER_BYTES ? buffer : Buffer.allocUnsafe(length);
  let at = 0;
  for (const [text, encoding] of parts) at += bytes.write(text, at, encoding);
  // One call is faster than an object with several updates.
  return hash('sha256', bytes.subarray(0, at), 'hex');
}
