/** Cursors of the change feed: a journal position and its epoch, as an opaque text. */
import type { JournalPosition, JournalRead } from './read-journal.ts';

export interface Cursor extends JournalPosition {
  readonly epoch: string;
  /** In a snapshot that ends at the position: the position up to which it was read. */
  readonly read?: number;
}

/** Serializes a cursor as unpadded base64url. The fields contain no comma. */
export function cursorText({ epoch, position, mark, read }: Cursor): string {
  const fields = [epoch, position, mark, ...(read === undefined ? [] : [read])];
  return btoa(fields.join()).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

const FORM = /^([0-9A-Za-z -]{1,60}),(\d{1,15}),(\d{1,15})(?:,(\d{1,15}))?$/;

/** @returns undefined for a text that is not a cursor */
export function readCursor(text: string): Cursor | undefined {
  const match = FORM.exec(decoded(text) ?? '');
  if (!match) return undefined;
  const [, epoch, position, mark, read] = match;
  const cursor = { epoch: epoch!, position: Number(position), mark: Number(mark) };
  return read === undefined ? cursor : { ...cursor, read: Number(read) };
}

function decoded(text: string): string | undefined {
  // No base64 text has a length of one more than a multiple of four.
  if (!/^[\w-]{1,150}$/.test(text) || text.length % 4 === 1) return undefined;
  return atob(text.replaceAll('-', '+').replaceAll('_', '/'));
}

/** Whether entries behind the cursor were deleted, or the entry at its position is not the one it was issued for. */
export function isExpired({ epoch, position, mark }: Cursor, journal: JournalRead): boolean {
  const { last, forgotten, marks } = journal;
  if (epoch !== journal.epoch || position < forgotten.position || position > last.position) return true;
  return mark !== (position === forgotten.position ? forgotten.mark : marks.get(position));
}
