/** Bytes that come in pieces and are wanted as a whole. */

/** A piece holds some 400 bytes of memory beside its own, and a body may come byte by byte. */
const CHUNKS_MAX = 1000;

export class ChunkBuffer {
  readonly #joined: Buffer[] = [];
  #chunks: Buffer[] = [];

  add(chunk: Buffer): void {
    if (this.#chunks.push(chunk) < CHUNKS_MAX) return;
    this.#joined.push(Buffer.concat(this.#chunks));
    this.#chunks = [];
  }

  /** One piece alone is not copied. */
  join(): Buffer {
    const all = [...this.#joined, ...this.#chunks];
    return all.length === 1 ? all[0]! : Buffer.concat(all);
  }
}
