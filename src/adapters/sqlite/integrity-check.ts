/**
 * Tracks whether the disk and the files of a store can be trusted. After a failure there are no more writes: only a new
 * process can determine what was stored.
 */
import { DatabaseUnavailable } from '../../engine/ports.ts';
import { isFatal, unavailableOr } from './errors.ts';
import { StoreFiles } from './files.ts';

/** Maximum time for which reads continue from a replaced file. Writes check before they are acknowledged. */
const WATCH_MILLISECONDS = 5_000;

export class StoreIntegrity {
  readonly #files: StoreFiles;
  readonly #watch: NodeJS.Timeout;
  readonly #failure = Promise.withResolvers<Error>();
  /** Resolves with the reason of the failure. */
  readonly broken = this.#failure.promise;
  #isBroken = false;

  /** @param path of the database file; connections must be open */
  constructor(path: string) {
    this.#files = new StoreFiles(path);
    this.#watch = setInterval(() => this.checkReplaced(), WATCH_MILLISECONDS).unref();
  }

  get isBroken(): boolean {
    return this.#isBroken;
  }

  assertWritable(): void {
    if (this.#isBroken)
      throw new DatabaseUnavailable('The database accepts no more writes because its disk or its file has failed.');
  }

  checkReplaced(): void {
    const replaced = this.#files.replaced();
    if (replaced !== undefined) this.#break(new Error(replaced));
  }

  /** Translates SQLite's error. If it leaves the content of the disk unknown, no further writes are accepted. */
  failed(error: unknown): unknown {
    if (isFatal(error)) this.#break(error as Error);
    return unavailableOr(error);
  }

  stopWatching(): void {
    clearInterval(this.#watch);
  }

  #break(reason: Error): void {
    this.#isBroken = true;
    this.stopWatching();
    this.#failure.resolve(reason);
  }
}
