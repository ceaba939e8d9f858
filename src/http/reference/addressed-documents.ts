/** Documents that contain the base URL. Each is generated at its first request, and then filled with the base URL of each request. */
import { LRUCache } from 'lru-cache';
import { type PublicFile, publicFile } from './public-files.ts';

/** The placeholder of the base URL. No host can have this name (RFC 6761). */
const ADDRESS = 'http://store.invalid';

/** Clients can send any number of host names. */
const CACHE_BYTES_MAX = 33_554_432;

export class AddressedDocuments {
  readonly #texts = new Map<string, string>();
  readonly #files = new LRUCache<string, PublicFile>({
    maxSize: CACHE_BYTES_MAX,
    sizeCalculation: ({ bytes }) => bytes.length,
  });

  /** @returns undefined for unknown names, which are not cached because clients can send any number of them */
  get(
    name: string,
    baseUrl: string,
    type: string,
    write: (baseUrl: string) => object | undefined,
  ): PublicFile | undefined {
    const key = `${name} ${baseUrl}`;
    const known = this.#files.get(key);
    if (known) return known;
    const text = this.#text(name, write);
    if (text === undefined) return undefined;
    const file = publicFile(text.replaceAll(ADDRESS, baseUrl), type);
    this.#files.set(key, file);
    return file;
  }

  #text(name: string, write: (baseUrl: string) => object | undefined): string | undefined {
    const known = this.#texts.get(name);
    if (known !== undefined) return known;
    const document = write(ADDRESS);
    if (!document) return undefined;
    const text = JSON.stringify(document);
    this.#texts.set(name, text);
    return text;
  }
}
