/** A document on disk, compressed. Documents of large shops do not fit into memory. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { Transform } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

export interface DocumentFile {
  readonly path: string;
  /** SHA-256 of its content, in hex. */
  readonly hash: string;
}

/** @param write writes the content; it must respect backpressure (`writeTo`) */
export async function writeDocument(path: string, write: (to: Writable) => Promise<void>): Promise<DocumentFile> {
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const file = createWriteStream(path, { mode: 0o600 });
  const zipped = hashing.pipe(createGzip({ level: 5 }));
  zipped.on('error', (error) => file.destroy(error));
  zipped.pipe(file);
  const isWritten = finished(file);
  // A failure is reported by the wait below.
  isWritten.catch(() => {});
  try {
    await write(hashing);
    hashing.end();
    await isWritten;
  } catch (error) {
    for (const stream of [hashing, zipped, file]) stream.destroy();
    await rm(path, { force: true });
    throw error;
  }
  return { path, hash: hash.digest('hex') };
}

export async function writeTo(stream: Writable, chunk: unknown): Promise<void> {
  if (!stream.write(chunk)) await once(stream, 'drain');
}

/** Opens the document for a client. It remains readable even if it is replaced meanwhile. */
export async function openDocument({ path }: DocumentFile, isCompressed: boolean): Promise<Readable> {
  const stream = (await open(path, 'r')).createReadStream();
  return isCompressed ? stream : stream.pipe(createGunzip());
}
