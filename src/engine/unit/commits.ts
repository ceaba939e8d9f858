/** Tells what units of this process have committed, to whoever listens: after the commit, and outside of it. */
import type { Change } from './journal.ts';

export interface Commit {
  readonly changes: readonly Change[];
  /** Files that rows named are named by them no more. */
  readonly releasesFiles: boolean;
}

type Listener = (commit: Commit) => void;

export class Commits {
  readonly #listeners = new Set<Listener>();

  /** @returns what ends the listening. The listener does not wait, and does not fail. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(commit: Commit): void {
    for (const listener of this.#listeners) listener(commit);
  }
}
