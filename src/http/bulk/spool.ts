/**
 * A stream for clients that read late. Unread bytes are buffered in memory, then on disk, so that a client that sends its
 * whole body before it reads the response does not block the server.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';

const MEMORY_BYTES_MAX = 1_048_576;
const CHUNK_BYTES = 65_536;

class TooMuchUnread extends Error {
  override readonly name = 'TooMuchUnread';
}

export class Spool extends Readable {
  readonly #bytesMax: number;
  #memory: Buffer[] = [];
  #memoryBytes = 0;
  #file: FileHandle | undefined;
  /** Positions in the file up to which it is written and read. Its bytes follow those in memory. */
  #written = 0;
  #read = 0;
  #isReading = false;
  #isWanted = false;
  #isEnded = false;

  /** @param bytesMax on disk */
  constructor(bytesMax: number) {
    super({ highWaterMark: CHUNK_BYTES });
    this.#bytesMax = bytesMax;
  }

  /** Call it sequentially. @throws {TooMuchUnread} if the limit is exceeded */
  async write(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    if (this.#read === this.#written && !this.#isReading) this.#read = this.#written = 0;
    if (this.#written === 0 && this.#memoryBytes + bytes.length <= MEMORY_BYTES_MAX) {
      this.#memory.push(bytes);
      this.#memoryBytes += bytes.length;
    } else {
      if (this.#written + bytes.length > this.#bytesMax)
        throw new TooMuchUnread('The client does not read the response.');
      this.#file ??= await openUnlinked();
      await this.#file.write(bytes, 0, bytes.length, this.#written);
      this.#written += bytes.length;
    }
    void this.#serve();
  }

  finish(): void {
    this.#isEnded = true;
    void this.#serve();
  }

  override _read(): void {
    this.#isWanted = true;
    void this.#serve();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const closed = this.#file?.close() ?? Promise.resolve();
    this.#memory = [];
    closed.catch(() => {}).finally(() => done(error));
  }

  async #serve(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#isWanted && !this.destroyed) {
        const isInFile = this.#memory.length === 0 && this.#read < this.#written;
        const chunk = isInFile ? await this.#chunkOfFile() : this.#memory.shift();
        if (chunk === undefined) break;
        this.#isWanted = this.push(chunk);
      }
      if (this.#memory.length === 0) this.#memoryBytes = 0;
      const isEmpty = this.#memory.length === 0 && this.#read === this.#written;
      if (this.#isEnded && isEmpty && !this.destroyed) this.push(null);
    } catch {
      // Aborts the response.
      this.destroy();
    } finally {
      this.#isReading = false;
    }
  }

  async #chunkOfFile(): Promise<Buffer> {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, this.#written - this.#read));
    const { bytesRead } = await this.#file!.read(chunk, 0, chunk.length, this.#read);
    if (bytesRead === 0) throw new Error('The file of unread results is shorter than it was written.');
    this.#read += bytesRead;
    return chunk.subarray(0, bytesRead);
  }
}

/** Opens an unlinked file, which disappears with the process. */
async function openUnlinked(): Promise<FileHandle> {
  const path = join(tmpdir(), `purveyor-response-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}
