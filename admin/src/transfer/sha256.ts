/** SHA-256 without `crypto.subtle`, which pages loaded over plain HTTP do not have. */
import { sha256 as digest } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

export function sha256(text: string): string {
  return bytesToHex(digest(utf8ToBytes(text)));
}
