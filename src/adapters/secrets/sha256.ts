/** SHA-256 of texts and bytes in other encodings, one after the other. */
import { hash } from 'node:crypto';
import type { HashedPart } from '../../engine/ports.ts';

/** @returns the hash in hexadecimal digits */
export function sha256(parts: readonly HashedPart[]): string {
  let length = 0;
  for (const [text, encoding] of parts) length += Buffer.byteLength(text, encoding);
  const bytes = Buffer.allocUnsafe(length);
  let at = 0;
  for (const [text, encoding] of parts) at += bytes.write(text, at, encoding);
  // One call is faster than an object with several updates.
  return hash('sha256', bytes, 'hex');
}
