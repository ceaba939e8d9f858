/**
 * Answers, and what they are made of, kept as they were rendered. Each is used only while it is what the store holds
 * (`http/cache/cache-validator.ts`), and what was used longest ago gives way.
 */
import type { FastifyRequest } from 'fastify';
import type { HttpOptions } from '../server/context.ts';
import type { CacheDependencies, CacheValidator, Reading } from './cache-validator.ts';
import { SegmentedLru } from './segmented-lru.ts';

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
  readonly dependencies: CacheDependencies;
}

/** @param bytesMax of everything that is kept; 0 keeps nothing */
export function createLru(bytesMax: number): SegmentedLru | undefined {
  return bytesMax > 0 ? new SegmentedLru(bytesMax) : undefined;
}

/** The values of one kind. */
export class ResponseCache<T> {
  readonly #cacheValidator: CacheValidator;
  readonly #lru: SegmentedLru | undefined;
  readonly #kind: string;
  readonly #textsOf: (value: T) => Iterable<string>;

  /**
   * @param kind begins the keys of these values and of no others
   * @param textsOf the texts of a value, which take its memory
   */
  constructor(
    cacheValidator: CacheValidator,
    memory: SegmentedLru | undefined,
    kind: string,
    textsOf: (value: T) => Iterable<string>,
  ) {
    this.#cacheValidator = cacheValidator;
    this.#lru = memory;
    this.#kind = kind;
    this.#textsOf = textsOf;
  }

  get keepsNothing(): boolean {
    return this.#lru === undefined;
  }

  /** A value that holds at the newest look at the store. */
  get(key: string): T | undefined {
    const entry = this.#lru?.get(this.#kind + key) as Entry | undefined;
    return entry && this.#cacheValidator.holds(entry.reading, entry.dependencies) ? (entry.value as T) : undefined;
  }

  /** Whether something was kept under this key, which may hold no more. */
  knows(key: string): boolean {
    return this.#lru?.has(this.#kind + key) ?? false;
  }

  /**
   * Keeps what was just read.
   * @param after the look that was taken before the reading began
   */
  set(key: string, value: T, dependencies: CacheDependencies, after: number): void {
    // A change since then would make it useless from the start.
    if (!this.#lru || !this.#cacheValidator.isUnchangedSince(after, dependencies)) return;
    let size = ENTRY_BYTES + bytesOf(key);
    for (const text of this.#textsOf(value)) size += bytesOf(text);
    for (const record of dependencies.records ?? []) size += bytesOf(record);
    const entry: Entry = { value, dependencies, reading: { after, until: this.#cacheValidator.begun } };
    this.#lru.set(this.#kind + key, entry, size);
  }
}

/**
 * Tells apart the wordings of one record: the address that it names, its language, and the language that stands in where a text
 * is missing, which may be another by now. Begins the keys of what is kept.
 */
export function cacheVariant({ service, requestContext }: FastifyRequest, { followsHost }: HttpOptions): string {
  return `${followsHost ? service.environment.baseUrl : ''} ${requestContext.language} ${requestContext.defaultLanguage}`;
}

/** V8 keeps a character in one byte, or in two where one of the text needs it. The encodings of a text take less than half of it. */
function bytesOf(text: string): number {
  const isNarrow = Buffer.byteLength(text) === text.length;
  return Math.ceil(text.length * (isNarrow ? 1 : 2) * 1.5);
}
