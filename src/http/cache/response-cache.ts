/**
 * Answers, and what they are made of, kept as they were rendered. Each is used only while it is what the store holds
 * (`http/cache/cache-validator.ts`), and what was used longest ago gives way.
 */
import type { FastifyRequest } from 'fastify';
import type { HttpOptions } from '../server/context.ts';
import type { Freshness, Reading, Sources } from './cache-validator.ts';
import { Memory } from './segmented-lru.ts';

/** A whole answer to a read, ready to send. */
export interface Rendered {
  /** A string goes out with the headers in one piece, which a buffer does not. */
  readonly body: string;
  /** Empty where it has none. */
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The size of an entry beside its texts. */
const ENTRY_BYTES = 1024;

interface Entry {
  readonly value: unknown;
  readonly reading: Reading;
  readonly sources: Sources;
}

/** @param bytesMax of everything that is kept; 0 keeps nothing */
export function memoryOf(bytesMax: number): Memory | undefined {
  return bytesMax > 0 ? new Memory(bytesMax) : undefined;
}

/** The values of one kind. */
export class Kept<T> {
  readonly #freshness: Freshness;
  readonly #memory: Memory | undefined;
  readonly #kind: string;
  readonly #textsOf: (value: T) => Iterable<string>;

  /**
   * @param kind begins the keys of these values and of no others
   * @param textsOf the texts of a value, which take its memory
   */
  constructor(freshness: Freshness, memory: Memory | undefined, kind: string, textsOf: (value: T) => Iterable<string>) {
    this.#freshness = freshness;
    this.#memory = memory;
    this.#kind = kind;
    this.#textsOf = textsOf;
  }

  get keepsNothing(): boolean {
    return this.#memory === undefined;
  }

  /** A value that holds at the newest look at the store. */
  get(key: string): T | undefined {
    const entry = this.#memory?.get(this.#kind + key) as Entry | undefined;
    return entry && this.#freshness.holds(entry.reading, entry.sources) ? (entry.value as T) : undefined;
  }

  /** Whether something was kept under this key, which may hold no more. */
  knows(key: string): boolean {
    return this.#memory?.has(this.#kind + key) ?? false;
  }

  /**
   * Keeps what was just read.
   * @param after the look that was taken before the reading began
   */
  set(key: string, value: T, sources: Sources, after: number): void {
    // A change since then would make it useless from the start.
    if (!this.#memory || !this.#freshness.isUnchangedSince(after, sources)) return;
    let size = ENTRY_BYTES + bytesOf(key);
    for (const text of this.#textsOf(value)) size += bytesOf(text);
    for (const record of sources.records ?? []) size += bytesOf(record);
    const entry: Entry = { value, sources, reading: { after, until: this.#freshness.begun } };
    this.#memory.set(this.#kind + key, entry, size);
  }
}

/**
 * Tells apart the wordings of one record: the address that it names, its language, and the language that stands in where a text
 * is missing, which may be another by now. Begins the keys of what is kept.
 */
export function wordingOf({ service, visit }: FastifyRequest, { followsHost }: HttpOptions): string {
  return `${followsHost ? service.world.baseUrl : ''} ${visit.language} ${visit.defaultLanguage}`;
}

/** V8 keeps a character in one byte, or in two where one of the text needs it. The encodings of a text take less than half of it. */
function bytesOf(text: string): number {
  const isNarrow = Buffer.byteLength(text) === text.length;
  return Math.ceil(text.length * (isNarrow ? 1 : 2) * 1.5);
}
