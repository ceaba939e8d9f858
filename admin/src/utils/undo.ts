/**
 * Bulk changes that can be undone for ten minutes on the screen where they were made, also after another screen was opened or the page
 * was reloaded. Undoing writes the old values to the records that still have the version of the change.
 */
import { useSyncExternalStore } from 'react';
import { type BulkTarget, sendLines } from '../api/bulk.ts';
import type { Values } from '../api/record-diff.ts';
import { setCategory } from '../categories/category-links.ts';

const UNDO_MS = 10 * 60_000;
const STORAGE_KEY = 'purveyor.undo';
/** Only the newest changes can be undone. */
const KEPT_MAX = 5;

interface UndoBatch extends BulkTarget {
  readonly lines: readonly {
    readonly key: number;
    readonly name: string;
    readonly version: number;
    readonly before: Values;
  }[];
}

export interface UndoableChange {
  readonly id: number;
  /** The key of the message that says what was done, and its placeholders. */
  readonly message: string;
  readonly args: Readonly<Record<string, string | number>>;
  /** The path of the screen where it was made. */
  readonly screen: string;
  /** The time until which it can be undone, in milliseconds. */
  readonly until: number;
  readonly batches: readonly UndoBatch[];
  /** Products that were added to a category or removed from it. */
  readonly links?: { readonly category_id: number; readonly product_ids: readonly number[]; readonly isAdded: boolean };
}

let changes: readonly UndoableChange[] = read();
const listeners = new Set<() => void>();

function read(): readonly UndoableChange[] {
  try {
    const stored = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]') as readonly UndoableChange[];
    return stored.filter(({ until }) => until > Date.now());
  } catch {
    return [];
  }
}

function write(next: readonly UndoableChange[]): void {
  changes = next;
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(changes));
  } catch {
    // Too large to store: the change can be undone until the page is reloaded.
  }
  for (const notify of listeners) notify();
}

/** Returns the path of the current screen, without its filters or tabs. */
const currentScreen = (): string => location.hash.slice(1).split('?')[0]!;

export function offerUndo(change: Omit<UndoableChange, 'id' | 'until' | 'screen'>): void {
  if (change.batches.every(({ lines }) => lines.length === 0) && !change.links?.product_ids.length) return;
  const now = Date.now();
  write([...changes, { ...change, id: now, screen: currentScreen(), until: now + UNDO_MS }].slice(-KEPT_MAX));
}

export function withdrawUndo({ id }: UndoableChange): void {
  write(changes.filter((change) => change.id !== id));
}

/** Returns the newest change of a screen that can still be undone. */
export function useLastUndoable(screen: string): UndoableChange | undefined {
  return useSyncExternalStore(
    (notify) => {
      listeners.add(notify);
      return () => listeners.delete(notify);
    },
    () => changes.findLast((change) => change.screen === screen),
  );
}

/** @returns how many records have their old values again, and the names of those that were changed meanwhile */
export async function undo({ batches, links }: UndoableChange): Promise<{ restored: number; changed: string[] }> {
  let restored = 0;
  const changed: string[] = [];
  if (links) restored += (await setCategory(links.category_id, links.product_ids, !links.isAdded)).length;
  for (const { lines, ...target } of batches) {
    const results = await sendLines(
      target,
      lines.map(({ key, version, before }) => ({ key, if_match: version, body: before })),
    );
    for (const [at, { result }] of results.entries())
      if (result === 'failed') changed.push(lines[at]!.name);
      else restored += 1;
  }
  return { restored, changed };
}
