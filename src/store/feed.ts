/**
 * The change feed: entries of the journal after a cursor, for whoever follows the store. A cursor is a place in the journal, with
 * the epoch in which it was given. Without one a reader begins with a snapshot: every living record once, in the order of
 * its last change, up to the position that was the last when it began.
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

/** Where a reader begins: at the end, with a snapshot, or behind what it has. */
export type Start = Cursor | 'now' | 'snapshot';

export interface FeedEntry extends JournalEntry {
  /** The place behind it. */
  readonly cursor: Cursor;
}

export interface FeedPage {
  readonly entries: readonly FeedEntry[];
  /** Where the next page begins. Fewer entries than asked for are all that there are up to it. */
  readonly next: Cursor;
}

interface Wanted {
  /** Names of resources; undefined is every one. */
  readonly resources: readonly string[] | undefined;
  /** Most entries of a page. */
  readonly limit: number;
}

/** Positions that one statement looks at, so that none takes long however rare the wanted resources are. */
const POSITIONS_AT_ONCE = 5000;

/** One page of the feed, with all that was acknowledged before. Needs no request, so whoever follows the store can call it. */
export async function readFeed(
  service: Service,
  start: Start,
  { resources, limit }: Wanted,
): Promise<FeedPage | Problem> {
  await orderChanges(service);
  let cursor = typeof start === 'string' ? await beginning(service, start) : start;
  if (start === 'now') return { entries: [], next: cursor };
  const entries: FeedEntry[] = [];
  for (;;) {
    const isNewest = cursor.read !== undefined;
    const after = cursor.read ?? cursor.position;
    const until = Math.min(after + POSITIONS_AT_ONCE, isNewest ? cursor.position : Number.POSITIVE_INFINITY);
    const span = { after, until, isNewest, resources, limit: limit - entries.length };
    const look = await readJournal(service, span, [cursor.position, until]);
    if (isExpired(cursor, look)) return problem('cursor-gone', GONE);
    for (const entry of look.entries) entries.push({ ...entry, cursor: behind(cursor, entry) });
    const isFull = entries.length === limit;
    cursor = isFull
      ? entries.at(-1)!.cursor
      : behind(cursor, until < look.last.position ? cursorAt(until, look) : look.last);
    // Behind a snapshot come the changes since it began: a page that is not full has told all that there is.
    const isAtEnd = cursor.read === undefined && cursor.position === look.last.position;
    if (isFull || isAtEnd) return { entries, next: cursor };
    // An embedded database answers at once, and others have their turn between.
    await nextTick();
  }
}

const GONE =
  'Changes behind this cursor are no longer told, or it is of a store that this one has replaced. Begin again without “after”.';

/** Where the journal ends now. The epoch is drawn when it is first asked for. */
async function beginning(service: Service, start: 'now' | 'snapshot'): Promise<Cursor> {
  const nothing = { after: 0, until: 0, isNewest: false, resources: undefined, limit: 0 };
  let look = await readJournal(service, nothing, []);
  if (look.epoch === undefined) {
    await writeOnce(service, EPOCH_SETTING, service.uuid());
    look = await readJournal(service, nothing, []);
  }
  const { epoch, last } = look;
  return { epoch: epoch!, ...last, ...(start === 'snapshot' && last.position > 0 ? { read: 0 } : {}) };
}

/** The place behind an entry, or behind the end of a span. A snapshot that is read leads into the changes since it began. */
function behind({ read, ...snapshot }: Cursor, { position, mark }: JournalPosition): Cursor {
  if (read === undefined) return { ...snapshot, position, mark };
  return position < snapshot.position ? { ...snapshot, read: position } : snapshot;
}

/** The entry there may be forgotten while a snapshot goes on, which does not need its mark. */
function cursorAt(position: number, { marks }: JournalRead): JournalPosition {
  return { position, mark: marks.get(position) ?? 0 };
}
