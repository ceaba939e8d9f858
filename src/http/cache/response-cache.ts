/**
 * A cache of rendered responses or of their parts. A value is returned only while it is what the store contains
 * (`cache-validator.ts`). `README.md` explains the layers.
 */
import type { FastifyRequest } from 'fastify';
import type { HttpOptions } from '../server/context.ts';
import type { CacheDependencies, CacheValidator, ReadInterval } from './cache-validator.ts';
import { SegmentedLru } from './segmented-lru.ts';

/** A complete response to a read, ready to send. */
export interface Rendered {
  /** Node sends a string together with the headers; a buffer would be a second write. */
  readonly body: string;
  /** Empty if the response has none. */
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A response that may change although no record changes. */
export interface ExpiringResponse extends Rendered {
  /** Seconds since 1970; undefined: never. */
  readonly endsAt: number | undefined;
}

/** The size of an entry without its texts. */
const ENTRY_BYTES = 1024;

interface Entry {
  readonly value: unknown;
  readonly interval: ReadInterval;
  readonly dependencies: CacheDependencies;
}

/** @param bytesMax of all entries; 0 disables caching */
export function createLru(bytesMax: number): SegmentedLru | undefined {
  return bytesMax > 0 ? new SegmentedLru(bytesMax) : undefined;
}

/** Values of one kind. Several caches can share the memory of one LRU. */
export class ResponseCache<T> {
  readonly #cacheValidator: CacheValidator;
  readonly #lru: SegmentedLru | undefined;
  readonly #prefix: string;
  readonly #textsOf: (value: T) => Iterable<string>;

  /**
   * @param lru undefined disables the cache
   * @param prefix of the keys of this cache in the LRU
   * @param textsOf returns the texts that make up the size of a value
   */
  constructor(
    cacheValidator: CacheValidator,
    lru: SegmentedLru | undefined,
    prefix: string,
    textsOf: (value: T) => Iterable<string>,
  ) {
    this.#cacheValidator = cacheValidator;
    this.#lru = lru;
    this.#prefix = prefix;
    this.#textsOf = textsOf;
  }

  get isDisabled(): boolean {
    return this.#lru === undefined;
  }

  /** Returns the value if it is valid at the last check. */
  get(key: string): T | undefined {
    const entry = this.#lru?.get(this.#prefix + key) as Entry | undefined;
    return entry && this.#cacheValidator.isValid(entry.interval, entry.dependencies) ? (entry.value as T) : undefined;
  }

  /** Whether there is an entry for this key, valid or not. */
  has(key: string): boolean {
    return this.#lru?.has(this.#prefix + key) ?? false;
  }

  /**
   * Caches a value that was just read.
   * @param after the last check that was complete when the read started
   */
  set(key: string, value: T, dependencies: CacheDependencies, after: number): void {
    // If a dependency has changed since, the entry would never be valid.
    if (!this.#lru || !this.#cacheValidator.isUnchangedSince(after, dependencies)) return;
    let size = ENTRY_BYTES + bytesOf(key);
    for (const text of this.#textsOf(value)) size += bytesOf(text);
    for (const record of dependencies.records ?? []) size += bytesOf(record);
    const entry: Entry = { value, dependencies, interval: { after, until: this.#cacheValidator.lastStarted } };
    this.#lru.set(this.#prefix + key, entry, size);
  }
}

/**
 * Returns the first part of cache keys: the base URL, the language and the default language of the response, and what the
 * key of the request cannot see. The default language matters because its texts replace missing ones, and the owner can
 * change it. Keys with the same rights share responses.
 */
export function cacheVariant({ service, requestContext }: FastifyRequest, { followsHost }: HttpOptions): string {
  const { language, defaultLanguage, rights } = requestContext;
  const hidden = rights.hidden ? ` -${rights.hidden.id}` : '';
  return `${followsHost ? service.environment.baseUrl : ''} ${language} ${defaultLanguage}${hidden}`;
}

/**
 * The memory of a text: V8 stores one byte per character, or two if any character needs them. The factor of 1.5 includes
 * the compressed forms of a response, which take less than half of it.
 */
function bytesOf(text: string): number {
  const isNarrow = Buffer.byteLength(text) === text.length;
  return Math.ceil(text.length * (isNarrow ? 1 : 2) * 1.5);
}
