/**
 * The change feed: journal entries after a cursor. A cursor is a journal position together with the epoch in which it
 * was issued. Without a cursor a reader starts with a snapshot: every living record once, in the order of its last
 * change, up to the position that was the last one when the snapshot began.
 */
import { setImmediate as nextTick } from 'node:timers/promises';
import {
  type Cursor,
  EPOCH_SETTING,
  isExpired,
  type JournalEntry,
  type JournalPosition,
  type JournalRead,
  orderChanges,
  type Problem,
  problem,
  readJournal,
  type Service,
} from '../engine/index.ts';
import { writeOnce } from './settings.ts';

/** Where a reader starts: at the end, with a snapshot, or after a cursor. */
export type Start = Cursor | 'now' | 'snapshot';

export interface FeedEntry extends JournalEntry {
  /** Position after this entry. */
  readonly cursor: Cursor;
}

export interface FeedPage {
  readonly entries: readonly FeedEntry[];
  /** Start of the next page. Fewer entries than the limit mean that there are no more up to it. */
  readonly next: Cursor;
}

interface FeedQuery {
  /** Names of resources; undefined: all. */
  readonly resources: readonly string[] | undefined;
  /** Maximum number of entries of a page. */
  readonly limit: number;
}

/** Positions read by one statement. Bounds its duration even if the requested resources are rare. */
const POSITIONS_AT_ONCE = 5000;

/** Reads one page of the feed, including everything acknowledged before the call. Needs no HTTP request. */
export async function readFeed(
  service: Service,
  start: Start,
  { resources, limit }: FeedQuery,
): Promise<FeedPage | Problem> {
  await orderChanges(service);
  let cursor = typeof start === 'string' ? await initialCursor(service, start) : start;
  if (start === 'now') return { entries: [], next: cursor };
  const entries: FeedEntry[] = [];
  for (;;) {
    const isNewest = cursor.read !== undefined;
    const after = cursor.read ?? cursor.position;
    const until = Math.min(after + POSITIONS_AT_ONCE, isNewest ? cursor.position : Number.POSITIVE_INFINITY);
    const span = { after, until, isNewest, resources, limit: limit - entries.length };
    const read = await readJournal(service, span, [cursor.position, until]);
    if (isExpired(cursor, read)) return problem('cursor-gone', CURSOR_EXPIRED);
    for (const entry of read.entries) entries.push({ ...entry, cursor: cursorAfter(cursor, entry) });
    const isFull = entries.length === limit;
    cursor = isFull
      ? entries.at(-1)!.cursor
      : cursorAfter(cursor, until < read.last.position ? positionAt(until, read) : read.last);
    // After a snapshot come the changes made since it began, so a page that is not full has reached the end of both.
    const isAtEnd = cursor.read === undefined && cursor.position === read.last.position;
    if (isFull || isAtEnd) return { entries, next: cursor };
    // SQLite responds synchronously; give other requests a turn.
    await nextTick();
  }
}

const CURSOR_EXPIRED =
  'The change feed no longer contains the changes after this cursor, or the cursor belongs to another store. Start again without “after”.';

/** Returns the current end of the journal. The first call creates the store's epoch. */
async function initialCursor(service: Service, start: 'now' | 'snapshot'): Promise<Cursor> {
  const nothing = { after: 0, until: 0, isNewest: false, resources: undefined, limit: 0 };
  let read = await readJournal(service, nothing, []);
  if (read.epoch === undefined) {
    await writeOnce(service, EPOCH_SETTING, service.uuid());
    read = await readJournal(service, nothing, []);
  }
  const { epoch, last } = read;
  return { epoch: epoch!, ...last, ...(start === 'snapshot' && last.position > 0 ? { read: 0 } : {}) };
}

/**
 * Returns the cursor after an entry or the end of a span. A completed snapshot continues with the changes since it
 * began.
 */
function cursorAfter({ read, ...snapshot }: Cursor, { position, mark }: JournalPosition): Cursor {
  if (read === undefined) return { ...snapshot, position, mark };
  return position < snapshot.position ? { ...snapshot, read: position } : snapshot;
}

/** The entry at this position may be deleted during a snapshot. A snapshot does not need its mark. */
function positionAt(position: number, { marks }: JournalRead): JournalPosition {
  return { position, mark: marks.get(position) ?? 0 };
}
