/**
 * Changes of products since this page was opened. The change feed can only be read forward from a cursor (sync.md §1), so the page
 * takes the current cursor when the session starts and reads on from it while a history is shown.
 */
import type { ChangeEntry } from 'purveyor/client';
import { problemOf } from './client.ts';

export interface RecentChanges {
  readonly since: Date;
  /** Oldest first. */
  readonly entries: readonly ChangeEntry[];
}

/** Products and the resources below them. */
const RESOURCES: readonly ChangeEntry['resource'][] = [
  'Product',
  'Variant',
  'Attribute',
  'AttributeOption',
  'AttributeValueCheckbox',
  'AttributeValueHidden',
  'AttributeValueSelect',
  'AttributeValueText',
];
const ENTRIES_PER_REQUEST = 1000;
/** Older entries are discarded. */
const ENTRIES_MAX = 5000;

let cursor: string;
let since: Date;
let entries: readonly ChangeEntry[];
reset();
let pendingRead: Promise<RecentChanges> | undefined;

/** The cursor `now` makes the next read start at the end of the feed. */
function reset(): void {
  [cursor, since, entries] = ['now', new Date(), []];
}

/** Takes the current cursor. If that fails, the first `readChanges` takes it. */
export async function startRecentChanges(): Promise<void> {
  reset();
  await readChanges().catch(() => undefined);
}

/** Reads to the end of the feed. @throws {StoreProblem} if the store rejects the request */
export function readChanges(): Promise<RecentChanges> {
  pendingRead ??= readToEnd().finally(() => {
    pendingRead = undefined;
  });
  return pendingRead;
}

async function readToEnd(): Promise<RecentChanges> {
  for (let isAtEnd = false; !isAtEnd; ) {
    const query = new URLSearchParams([
      ...RESOURCES.map((name) => ['resource[]', name]),
      ['limit', `${ENTRIES_PER_REQUEST}`],
    ]);
    const path = `/api/changes?${query}&after=${encodeURIComponent(cursor)}`;
    const response = await fetch(path, { headers: { Accept: 'application/json' } });
    const body = await response.json();
    if (!response.ok) {
      // The cursor has expired or belongs to a store that was restored since.
      if (response.status === 410) reset();
      throw problemOf('GET', path, response.status, body);
    }
    const read = body as readonly ChangeEntry[];
    entries = [...entries, ...read].slice(-ENTRIES_MAX);
    cursor = response.headers.get('changes-cursor') ?? cursor;
    isAtEnd = read.length < ENTRIES_PER_REQUEST;
  }
  return { since, entries };
}
