/** Documents that name the store's address, as bytes: each is written once, when first asked for, and given every address. */
import { LRUCache } from 'lru-cache';
import { type PublicFile, publicFile } from './public-files.ts';

/** Stands in a written document for the store's address. No host can have it (RFC 6761). */
const ADDRESS = 'http://store.invalid';

/** Clients may ask by as many hosts as they like. */
const CACHE_BYTES_MAX = 33_554_432;

export class AddressedDocuments {
  readonly #texts = new Map<string, string>();
  readonly #files = new LRUCache<string, PublicFile>({
    maxSize: CACHE_BYTES_MAX,
    sizeCalculation: ({ bytes }) => bytes.length,
  });

  /** @returns undefined for what `write` does not know: it is not remembered, as there are as many names as clients think of */
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
