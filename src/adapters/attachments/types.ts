/**
 * The types of files that a store can accept, by extension, in the names of `file-type`. None of them runs scripts when a
 * browser opens it: HTML, SVG, other XML and programs are missing on purpose (catalog.md §15).
 */

interface FileType {
  readonly mime: string;
  /** Extensions that `file-type` reports for such files, if others than this one. */
  readonly detected?: readonly string[];
  /** Plain text, which has no signature. */
  readonly isText?: true;
}

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const OPEN = 'application/vnd.oasis.opendocument';

export const FILE_TYPES: Readonly<Record<string, FileType>> = {
  txt: { mime: 'text/plain', isText: true },
  csv: { mime: 'text/csv', isText: true },
  pdf: { mime: 'application/pdf' },
  epub: { mime: 'application/epub+zip' },
  mobi: { mime: 'application/x-mobipocket-ebook' },
  docx: { mime: `${OFFICE}.wordprocessingml.document` },
  xlsx: { mime: `${OFFICE}.spreadsheetml.sheet` },
  pptx: { mime: `${OFFICE}.presentationml.presentation` },
  odt: { mime: `${OPEN}.text` },
  ods: { mime: `${OPEN}.spreadsheet` },
  odp: { mime: `${OPEN}.presentation` },
  odg: { mime: `${OPEN}.graphics` },
  jpg: { mime: 'image/jpeg' },
  png: { mime: 'image/png', detected: ['png', 'apng'] },
  gif: { mime: 'image/gif' },
  webp: { mime: 'image/webp' },
  avif: { mime: 'image/avif' },
  heic: { mime: 'image/heic' },
  tif: { mime: 'image/tiff' },
  psd: { mime: 'image/vnd.adobe.photoshop' },
  dwg: { mime: 'image/vnd.dwg' },
  stl: { mime: 'model/stl' },
  glb: { mime: 'model/gltf-binary' },
  '3mf': { mime: 'model/3mf' },
  mp3: { mime: 'audio/mpeg' },
  m4a: { mime: 'audio/x-m4a' },
  ogg: { mime: 'audio/ogg' },
  flac: { mime: 'audio/flac' },
  wav: { mime: 'audio/wav' },
  mp4: { mime: 'video/mp4' },
  m4v: { mime: 'video/x-m4v' },
  mov: { mime: 'video/quicktime' },
  webm: { mime: 'video/webm' },
  mkv: { mime: 'video/matroska' },
  otf: { mime: 'font/otf' },
  ttf: { mime: 'font/ttf' },
  woff: { mime: 'font/woff' },
  woff2: { mime: 'font/woff2' },
  zip: { mime: 'application/zip' },
  '7z': { mime: 'application/x-7z-compressed' },
  rar: { mime: 'application/x-rar-compressed' },
  gz: { mime: 'application/gzip', detected: ['gz', 'tar.gz'] },
};

/** Other spellings of extensions. */
const SAME: Readonly<Record<string, string>> = { jpeg: 'jpg', tiff: 'tif' };

/** Returns the extension of a file name in lower case; empty if it has none. */
export function extensionOf(filename: string): string {
  const [, extension = ''] = /\.([a-z0-9]+)$/i.exec(filename) ?? [];
  const lower = extension.toLowerCase();
  return SAME[lower] ?? lower;
}
