/** Collects the chunks of a stream into one buffer. */

/** Each chunk costs some 400 bytes of memory in addition to its content, and a body may arrive byte by byte. */
const CHUNKS_MAX = 1000;

export class ChunkBuffer {
  readonly #joined: Buffer[] = [];
  #chunks: Buffer[] = [];

  add(chunk: Buffer): void {
    if (this.#chunks.push(chunk) < CHUNKS_MAX) return;
    this.#joined.push(Buffer.concat(this.#chunks));
    this.#chunks = [];
  }

  /** Returns all bytes. A single chunk is not copied. */
  join(): Buffer {
    const all = [...this.#joined, ...this.#chunks];
    return all.length === 1 ? all[0]! : Buffer.concat(all);
  }
}
