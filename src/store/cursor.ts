/** Cursors of the feed as opaque texts. */
import type { Cursor } from './feed.ts';

/** Unpadded base64url; the fields have no comma in them. */
export function cursorText({ epoch, position, mark, read }: Cursor): string {
  const fields = [epoch, position, mark, ...(read === undefined ? [] : [read])];
  return Buffer.from(fields.join()).toString('base64url');
}

const FORM = /^([0-9A-Za-z -]{1,60}),(\d{1,15}),(\d{1,15})(?:,(\d{1,15}))?$/;

/** @returns undefined for a text that no store gives */
export function readCursor(text: string): Cursor | undefined {
  const match = /^[\w-]{1,150}$/.test(text) ? FORM.exec(Buffer.from(text, 'base64url').toString('latin1')) : null;
  if (!match) return undefined;
  const [, epoch, position, mark, read] = match;
  const place = { epoch: epoch!, position: Number(position), mark: Number(mark) };
  return read === undefined ? place : { ...place, read: Number(read) };
}
