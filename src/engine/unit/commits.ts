/** Tells what units of this process have committed, to whoever listens: after the commit, and outside of it. */
import type { Value } from '../ports.ts';

export type ChangeKind = 'created' | 'updated' | 'deleted';

/** One record's change in one unit. */
export interface Change {
  readonly resource: string;
  readonly id: Value;
  /** Its address without the host; empty where it is read nowhere. */
  readonly path: string;
  readonly kind: ChangeKind;
  /** The record's, after the change; of a deleted record the last one and one more. */
  readonly version: number;
  /** Names of the fields that an update changed. */
  readonly fields: readonly string[];
}

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

  /** Of a commit that changed something. */
  emit(commit: Commit): void {
    if (commit.changes.length === 0 && !commit.releasesFiles) return;
    for (const listener of this.#listeners) listener(commit);
  }
}
