/** Cursors of the change feed: a place in the journal and the epoch in which it was given, as opaque texts for clients. */
import type { JournalPosition, JournalRead } from './read-journal.ts';

export interface Cursor extends JournalPosition {
  readonly epoch: string;
  /** Inside the snapshot that ends at the place: up to here it was read. */
  readonly read?: number;
}

/** Unpadded base64url; the fields have no comma in them. */
export function cursorText({ epoch, position, mark, read }: Cursor): string {
  const fields = [epoch, position, mark, ...(read === undefined ? [] : [read])];
  return btoa(fields.join()).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

const FORM = /^([0-9A-Za-z -]{1,60}),(\d{1,15}),(\d{1,15})(?:,(\d{1,15}))?$/;

/** @returns undefined for a text that no store gives */
export function readCursor(text: string): Cursor | undefined {
  const match = FORM.exec(decoded(text) ?? '');
  if (!match) return undefined;
  const [, epoch, position, mark, read] = match;
  const cursor = { epoch: epoch!, position: Number(position), mark: Number(mark) };
  return read === undefined ? cursor : { ...cursor, read: Number(read) };
}

function decoded(text: string): string | undefined {
  // One more than a multiple of four is the length of no base64.
  if (!/^[\w-]{1,150}$/.test(text) || text.length % 4 === 1) return undefined;
  return atob(text.replaceAll('-', '+').replaceAll('_', '/'));
}

/** Whether something behind the cursor was forgotten, or the entry at its position is not the one that it was given for. */
export function isGone({ epoch, position, mark }: Cursor, { last, forgotten, marks, ...look }: JournalRead): boolean {
  if (epoch !== look.epoch || position < forgotten.position || position > last.position) return true;
  return mark !== (position === forgotten.position ? forgotten.mark : marks.get(position));
}
