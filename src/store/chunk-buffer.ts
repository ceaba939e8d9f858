/** Bytes that come in pieces and are wanted as a whole. */

/** A piece holds some 400 bytes of memory beside its own, and a body may come byte by byte. */
const PIECES_MAX = 1000;

export class Pieces {
  readonly #joined: Buffer[] = [];
  #pieces: Buffer[] = [];

  add(piece: Buffer): void {
    if (this.#pieces.push(piece) < PIECES_MAX) return;
    this.#joined.push(Buffer.concat(this.#pieces));
    this.#pieces = [];
  }

  /** One piece alone is not copied. */
  join(): Buffer {
    const all = [...this.#joined, ...this.#pieces];
    return all.length === 1 ? all[0]! : Buffer.concat(all);
  }
}
