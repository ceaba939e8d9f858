/**
 * The text of a clean URL made from a name. Whether that text is free, and how long it may be, is not decided here.
 */
import anyAscii from 'any-ascii';

/** `Größe XL / Rot` → `grosse-xl-rot`; the empty text when nothing is left. */
export function cleanUrlText(text: string): string {
  return anyAscii(text)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
