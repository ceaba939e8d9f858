/** What the client holds between requests: the token of the customer’s session, and that of a guest’s cart. */

/** Storage of tokens, such as `localStorage`. */
export interface TokenStorage {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

export type TokenName = 'session' | 'cart';

/** Tokens of one store. They survive the page if the storage does. */
export class Tokens {
  readonly #storage: TokenStorage;
  readonly #prefix: string;

  /** @param root URL of the store’s storefront, so that several stores can share a storage */
  constructor(root: string, storage: TokenStorage | undefined) {
    this.#storage = storage ?? inMemory();
    this.#prefix = `purveyor ${root} `;
  }

  get(name: TokenName): string | undefined {
    return this.#storage.getItem(this.#prefix + name) ?? undefined;
  }

  /** Stores a token; undefined or null deletes it. */
  set(name: TokenName, token: string | null | undefined): void {
    if (token) this.#storage.setItem(this.#prefix + name, token);
    else this.#storage.removeItem(this.#prefix + name);
  }
}

function inMemory(): TokenStorage {
  const values = new Map<string, string>();
  return {
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => void values.set(name, value),
    removeItem: (name) => void values.delete(name),
  };
}
