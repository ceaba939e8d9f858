/**
 * Reads files that clients attach to products. A file is accepted if the operator has listed the extension of its name, and
 * its content has that type. Its bytes are stored unchanged, and only ever served as that type.
 */
import { type AttachmentReader, attachmentName, type FileRejection, type ReadAttachment } from '../../engine/ports.ts';
import type { Lookup } from '../web/bounded-lookup.ts';
import { createDownloads } from '../web/download.ts';
import { extensionOf, FILE_TYPES } from './types.ts';

interface AttachmentReaderOptions {
  /** Accepted extensions: keys of `FILE_TYPES`. */
  readonly extensions: readonly string[];
  /** 0: no limit. */
  readonly bytesMax: number;
  readonly downloadSecondsMax: number;
  /** Ranges in CIDR notation that downloads may reach in addition to the public internet. */
  readonly allow: readonly string[];
  readonly lookup?: Lookup;
}

export function createAttachmentReader({
  extensions,
  bytesMax,
  downloadSecondsMax,
  allow,
  lookup,
}: AttachmentReaderOptions): AttachmentReader {
  const downloads = createDownloads({
    ...{ bytesMax, secondsMax: downloadSecondsMax, allow, noun: 'file' as const },
    ...(lookup && { lookup }),
  });

  return {
    rejectName: (filename) => (extensions.includes(extensionOf(filename)) ? undefined : notListed(extensions)),
    fromBytes,
    async fromAddress(address, filename) {
      const result = await downloads.fetch(address);
      return result instanceof Uint8Array ? fromBytes(result, filename) : result;
    },
    close: () => downloads.close(),
  };

  async function fromBytes(bytes: Uint8Array, filename: string): Promise<ReadAttachment | FileRejection> {
    if (bytes.byteLength === 0) return { refused: 'file', message: 'The file is empty.' };
    if (bytesMax > 0 && bytes.byteLength > bytesMax) {
      const message = `The file has ${grouped(bytes.byteLength)} bytes; at most ${grouped(bytesMax)} are accepted.`;
      return { refused: 'too_large', message };
    }
    const extension = extensionOf(filename);
    const { mime, isText, detected = [extension] } = FILE_TYPES[extension]!;
    const message = isText ? textFault(bytes, extension) : await typeFault(bytes, extension, detected);
    if (message !== undefined) return { refused: 'file', message };
    const hash = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>);
    return { name: attachmentName(Buffer.from(hash).toString('hex')), bytes, mediaType: mime };
  }
}

function notListed(extensions: readonly string[]): string {
  return `The file name must end with one of these extensions: ${extensions.join(', ')}.`;
}

/** `file-type` reads signatures and the directories of archives. Loaded with the first file. */
async function typeFault(
  bytes: Uint8Array,
  extension: string,
  detected: readonly string[],
): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  if (found && detected.includes(found.ext)) return undefined;
  const what = found ? `a ${found.ext} file` : 'of an unknown type';
  return `The name ends with .${extension}, but the content is ${what}.`;
}

/** White space and byte order marks before the first character that counts. */
const BEGINNING = /^[\p{White_Space}\ufeff]*/u;

/** A text that begins like a document with markup could be opened as one. */
function textFault(bytes: Uint8Array, extension: string): string | undefined {
  const expected = `A .${extension} file must be UTF-8 text`;
  if (bytes.includes(0)) return `${expected} without NUL characters.`;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return `${expected}; this file is not.`;
  }
  const start = BEGINNING.exec(text)![0].length;
  return text[start] === '<' ? `${expected} that does not begin with “<”, like HTML and XML.` : undefined;
}

function grouped(count: number): string {
  return count.toLocaleString('en');
}
