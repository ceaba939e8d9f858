/**
 * Changes of the catalogue by anybody since this page was opened. The change feed tells forwards from a cursor, and not of one
 * record (sync.md §1): so the page takes the cursor when it begins, and reads on from there while somebody looks.
 */
import { type ChangeEntry, StoreProblem } from 'purveyor/client';

export interface RecentChanges {
  readonly since: Date;
  /** Oldest first. */
  readonly entries: readonly ChangeEntry[];
}

/** A product, and what stands below it in the interface. */
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
const LIMIT = 1000;
/** More are forgotten, the oldest first. */
const KEPT_MAX = 5000;

let cursor = 'now';
let since = new Date();
let kept: ChangeEntry[] = [];
let underway: Promise<RecentChanges> | undefined;

/** Takes the place in the feed from which changes will be told. Without an answer it is taken when somebody looks. */
export async function beginChanges(): Promise<void> {
  [cursor, since, kept] = ['now', new Date(), []];
  await readChanges().catch(() => undefined);
}

/** Reads on to the end of the feed. @throws {StoreProblem} when the store refuses */
export function readChanges(): Promise<RecentChanges> {
  underway ??= readOn().finally(() => {
    underway = undefined;
  });
  return underway;
}

async function readOn(): Promise<RecentChanges> {
  for (let isAtEnd = false; !isAtEnd; ) {
    const query = new URLSearchParams([...RESOURCES.map((name) => ['resource[]', name]), ['limit', `${LIMIT}`]]);
    const path = `/api/changes?${query}&after=${encodeURIComponent(cursor)}`;
    const response = await fetch(path, { headers: { Accept: 'application/json' } });
    const body = await response.json();
    if (!response.ok) throw problemOf(path, response, body);
    const entries = body as readonly ChangeEntry[];
    kept = [...kept, ...entries].slice(-KEPT_MAX);
    cursor = response.headers.get('changes-cursor') ?? cursor;
    isAtEnd = entries.length < LIMIT;
  }
  return { since, entries: kept };
}

/** A store that was restored meanwhile has another history: it is told from now on. */
function problemOf(path: string, { status }: Response, body: Readonly<Record<string, unknown>>): StoreProblem {
  if (status === 410) [cursor, since, kept] = ['now', new Date(), []];
  return new StoreProblem({
    ...{ method: 'GET', path, status, body },
    ...{ etag: undefined, retryAfterSeconds: undefined, wasPerhapsDone: false },
  });
}
