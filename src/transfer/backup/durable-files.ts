/** Writes files that survive a power failure, and hashes them. A file's name is durable once its folder is synced too. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';

export interface FileMark {
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

/** Shorter texts are buffered. */
const CHUNK_CHARACTERS = 65_536;

/** Creates a file from consecutive parts and syncs it. @throws if the file exists */
export async function writeFileDurably(path: string, parts: AsyncIterable<string> | [Uint8Array]): Promise<FileMark> {
  const hash = createHash('sha256');
  const file = await open(path, 'wx', 0o600);
  let bytes = 0;
  const write = async (part: Uint8Array): Promise<void> => {
    hash.update(part);
    bytes += part.byteLength;
    await file.writeFile(part);
  };
  try {
    let text = '';
    for await (const part of parts) {
      if (typeof part !== 'string') await write(part);
      else text += part;
      if (text.length < CHUNK_CHARACTERS) continue;
      await write(Buffer.from(text));
      text = '';
    }
    await write(Buffer.from(text));
    await file.sync();
  } finally {
    await file.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}

export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

const NEWLINE = 0x0a;

export const DAMAGED = 'The backup is damaged. Restore another one.';

/**
 * Yields the lines of a file and verifies its size and hash at the end.
 * Does not use `readline`, which also splits at U+2028; JSON does not escape that character.
 * @throws {Error} if the file differs from what was written
 */
export async function* linesOf(path: string, expected: FileMark): AsyncGenerator<string> {
  const hash = createHash('sha256');
  let bytes = 0;
  let partial: Buffer[] = [];
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      yield Buffer.concat([...partial, chunk.subarray(start, end)]).toString();
      partial = [];
      start = end + 1;
    }
    partial.push(chunk.subarray(start));
  }
  if (bytes !== expected.bytes)
    throw new Error(`${path} has ${bytes} bytes, but ${expected.bytes} were written. ${DAMAGED}`);
  if (hash.digest('hex') !== expected.sha256) throw new Error(`${path} is not the file that was written. ${DAMAGED}`);
}
