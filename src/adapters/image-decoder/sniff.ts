/**
 * Recognizes the type of a file by its first bytes and names it for messages. The decoder checks whether an image is
 * intact.
 */

interface Finding {
  /** With an article: `a JPEG image`. */
  readonly found: string;
  /** Whether the store accepts this type. */
  readonly accepted: boolean;
}

export const ACCEPTED = 'JPEG, PNG, GIF, WebP and AVIF are accepted';

export function sniff(bytes: Uint8Array): Finding {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, HEAD_BYTES)).toString('latin1');
  for (const [beginning, found] of SIGNATURES) if (beginning.test(head)) return { found, accepted: true };
  for (const [beginning, found] of OTHERS) if (beginning.test(head)) return { found, accepted: false };
  return { found: 'a file of an unknown kind', accepted: false };
}

const HEAD_BYTES = 1024;

/** In these expressions one character is one byte; `.` is any byte. */
const SIGNATURES: readonly (readonly [RegExp, string])[] = [
  [/^\xff\xd8\xff/, 'a JPEG image'],
  [/^\x89PNG\r\n\x1a\n/, 'a PNG image'],
  [/^GIF8[79]a/, 'a GIF image'],
  [/^RIFF.{4}WEBP/s, 'a WebP image'],
  [/^.{4}ftyp(?:.{4}){0,30}?avi[fs]/s, 'an AVIF image'],
];

const OTHERS: readonly (readonly [RegExp, string])[] = [
  [/^$/, 'an empty file'],
  [/^BM.{4}\0{4}/s, 'a BMP image'],
  [/^(?:II[*+]\0|MM\0[*+])/, 'a TIFF image'],
  [/^.{4}ftyp(?:.{4}){0,30}?(?:hei[cxms]|hev[cxms]|mif1|msf1)/s, 'a HEIC image'],
  [/^(?:\xff\x0a|\0\0\0\x0cJXL )/, 'a JPEG XL image'],
  [/^(?:\0\0\0\x0cjP {2}|\xff\x4f\xff\x51)/, 'a JPEG 2000 image'],
  [/^\0\0[\x01\x02]\0/, 'an icon or cursor file'],
  [/^8BPS/, 'a Photoshop file'],
  [/^%PDF-/, 'a PDF document'],
  [/^PK(?:\x03\x04|\x05\x06)/, 'a ZIP archive'],
  [/^(?:\x1f\x8b|Rar!\x1a\x07|7z\xbc\xaf\x27\x1c)/, 'a compressed archive'],
  [/^(?:.{4}ftyp|\x1a\x45\xdf\xa3|RIFF.{4}AVI )/s, 'a video'],
  [/^(?:\x7fELF|MZ)/, 'a program'],
  [/^(?:\xef\xbb\xbf)?\s*(?:<\?xml.*|<!--.*|<!doctype svg.*)?<svg[\s>]/is, 'an SVG image'],
  [/^(?:\xef\xbb\xbf)?\s*(?:<!--.*)?<(?:!doctype html|html|head|body|script)/is, 'an HTML page'],
  [/^(?:\xef\xbb\xbf)?\s*<\?xml/, 'an XML document'],
  [/^(?:\xef\xbb\xbf)?[\t\n\r\x20-\x7e\x80-\xff]+$/, 'plain text'],
];
