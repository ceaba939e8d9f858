/** Publishes commits of this process to listeners, after the transaction. */
import type { Value } from '../ports.ts';

export type ChangeKind = 'created' | 'updated' | 'deleted';

/** One record's change in one unit. */
export interface Change {
  readonly resource: string;
  readonly id: Value;
  /** Its address without the host; empty if no route reads it. */
  readonly path: string;
  readonly kind: ChangeKind;
  /** Version after the change; of a deleted record its last version plus one. */
  readonly version: number;
  /** Fields that an update changed. */
  readonly fields: readonly string[];
}

export interface Commit {
  readonly changes: readonly Change[];
  /** Some rows no longer name files that they named before. */
  readonly releasesFiles: boolean;
}

type Listener = (commit: Commit) => void;

export class Commits {
  readonly #listeners = new Set<Listener>();

  /** Adds a listener, which must be synchronous and must not throw. @returns a function that removes it */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Publishes a commit if it contains changes. */
  emit(commit: Commit): void {
    if (commit.changes.length === 0 && !commit.releasesFiles) return;
    for (const listener of this.#listeners) listener(commit);
  }
}
