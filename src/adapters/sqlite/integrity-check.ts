/**
 * Whether the disk and the files of a store can still be trusted. Once they cannot, nothing is written any more: only a new
 * process finds out what was kept.
 */
import { DatabaseUnavailable } from '../../engine/ports.ts';
import { isBreakage, unavailableOr } from './errors.ts';
import { StoreFiles } from './files.ts';

/** How long reads may go on from a file that was exchanged; a write notices before it is acknowledged. */
const WATCH_MILLISECONDS = 5_000;

export class Soundness {
  readonly #files: StoreFiles;
  readonly #watch: NodeJS.Timeout;
  readonly #breakage = Promise.withResolvers<Error>();
  /** Resolves with the reason. */
  readonly broken = this.#breakage.promise;
  #isBroken = false;

  /** @param path of the database file, with connections open */
  constructor(path: string) {
    this.#files = new StoreFiles(path);
    this.#watch = setInterval(() => this.noticeExchange(), WATCH_MILLISECONDS).unref();
  }

  get isBroken(): boolean {
    return this.#isBroken;
  }

  refuseBroken(): void {
    if (this.#isBroken)
      throw new DatabaseUnavailable('The database is not written any more, because its disk or its file has failed.');
  }

  noticeExchange(): void {
    const exchange = this.#files.exchange();
    if (exchange !== undefined) this.#break(new Error(exchange));
  }

  /** The error to raise for one of SQLite's; one that leaves the disk in doubt ends the writing. */
  failed(error: unknown): unknown {
    if (isBreakage(error)) this.#break(error as Error);
    return unavailableOr(error);
  }

  stopWatching(): void {
    clearInterval(this.#watch);
  }

  #break(reason: Error): void {
    this.#isBroken = true;
    this.stopWatching();
    this.#breakage.resolve(reason);
  }
}
