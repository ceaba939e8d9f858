/** Digests of texts. The browser's own are missing where the page came over plain HTTP from another machine. */
import { sha256 as digest } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

export function sha256(text: string): string {
  return bytesToHex(digest(utf8ToBytes(text)));
}
