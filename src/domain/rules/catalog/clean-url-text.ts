/** Converts a name to the text of a clean URL. Uniqueness and length are checked by the caller. */
import anyAscii from 'any-ascii';

/** Converts `Größe XL / Rot` to `grosse-xl-rot`. Returns an empty text if the name has no usable characters. */
export function cleanUrlText(text: string): string {
  return anyAscii(text)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
