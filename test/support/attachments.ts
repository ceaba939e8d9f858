/** Small valid files of each type that a store accepts by default, and hostile ones. */
import { deflateRawSync } from 'node:zlib';
import sharp from 'sharp';

interface Entry {
  readonly name: string;
  readonly content: string;
  readonly isStored?: boolean;
}

/** A ZIP archive without a directory at its end, which readers of the first entries do not need. */
export function zip(...entries: readonly Entry[]): Buffer {
  return Buffer.concat(
    entries.map(({ name, content, isStored = false }) => {
      const plain = Buffer.from(content);
      const data = isStored ? plain : deflateRawSync(plain);
      const header = Buffer.alloc(30);
      header.writeUInt32LE(0x04034b50, 0);
      header.writeUInt16LE(20, 4);
      header.writeUInt16LE(isStored ? 0 : 8, 8);
      header.writeUInt32LE(data.length, 18);
      header.writeUInt32LE(plain.length, 22);
      header.writeUInt16LE(name.length, 26);
      return Buffer.concat([header, Buffer.from(name), data]);
    }),
  );
}

const office = (type: string): Buffer =>
  zip({
    name: '[Content_Types].xml',
    content: `<Types><Override ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`,
  });

const open = (type: string): Buffer => zip({ name: 'mimetype', content: `application/${type}`, isStored: true });

const image = sharp({ create: { width: 2, height: 2, channels: 3, background: 'red' } });

export const MP4 = Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isomiso2\0\0\0\x08free', 'latin1');

/** By extension. */
export const FILES: Readonly<Record<string, Buffer>> = {
  txt: Buffer.from('Read the manual. Grüße'),
  csv: Buffer.from('a,b\n1,2\n'),
  pdf: Buffer.from('%PDF-1.4\n%%EOF\n'),
  zip: zip({ name: 'a.txt', content: 'A' }),
  epub: open('epub+zip'),
  docx: office('wordprocessingml.document'),
  xlsx: office('spreadsheetml.sheet'),
  pptx: office('presentationml.presentation'),
  odt: open('vnd.oasis.opendocument.text'),
  ods: open('vnd.oasis.opendocument.spreadsheet'),
  jpg: await image.clone().jpeg().toBuffer(),
  png: await image.clone().png().toBuffer(),
  gif: await image.clone().gif().toBuffer(),
  webp: await image.clone().webp().toBuffer(),
  avif: await image.clone().avif().toBuffer(),
  mp3: Buffer.concat([Buffer.from('fffb9064', 'hex'), Buffer.alloc(1000)]),
  mp4: MP4,
};

const SCRIPT = '<script>document.title = "run"; fetch("/run")</script>';

/** Files whose content runs a script if a browser takes them for another type, with a name that claims to be harmless. */
export const MISLABELED: Readonly<Record<string, Buffer>> = {
  'page.txt': Buffer.from(`<!doctype html>${SCRIPT}`),
  'spaced.txt': Buffer.from(`\ufeff \n\u00a0\u2003<html>${SCRIPT}`),
  'table.csv': Buffer.from(`\n\n<table>${SCRIPT}</table>`),
  'drawing.txt': Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`),
  'page.pdf': Buffer.from(`<!doctype html>${SCRIPT}`),
  'page.jpg': Buffer.from(`<!doctype html>${SCRIPT}`),
  'drawing.png': Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`),
  'program.pdf': Buffer.concat([Buffer.from('MZ'), Buffer.alloc(100)]),
  'program.zip': Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01', 'latin1'), Buffer.alloc(100)]),
  'archive.docx': zip({ name: 'a.txt', content: 'A' }),
  'java.zip': zip({ name: 'META-INF/MANIFEST.MF', content: 'Main-Class: A\n' }),
  'document.zip': office('wordprocessingml.document'),
  'photo.png': FILES.jpg!,
  'binary.txt': Buffer.from([0x41, 0xff, 0xfe]),
  'null.txt': Buffer.from('a\0b'),
  'unknown.mp4': Buffer.alloc(100, 7),
};

/** Valid files of their type that are also another document. */
export const POLYGLOTS: Readonly<Record<string, Buffer>> = {
  'polyglot.gif': Buffer.concat([FILES.gif!, Buffer.from(`<html>${SCRIPT}</html>`)]),
  'polyglot.pdf': Buffer.concat([FILES.pdf!, Buffer.from(`<html>${SCRIPT}</html>`)]),
  'polyglot.txt': Buffer.from(`Hello <html>${SCRIPT}</html>`),
  'polyglot.jpg': Buffer.concat([FILES.jpg!, Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`)]),
  'polyglot.zip': Buffer.concat([FILES.zip!, Buffer.from(`<html>${SCRIPT}</html>`)]),
};

/** The input of an attachment. */
export const attachedFile = (filename: string, bytes: Uint8Array | undefined, fields: object = {}) => ({
  ...{ title: filename, attachment: Buffer.from(bytes!).toString('base64'), filename },
  ...fields,
});
