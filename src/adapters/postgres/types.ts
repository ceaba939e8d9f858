/** The narrow waist in PostgreSQL's words: what each type of column is called. */
import type { ColumnType } from '../../engine/ports.ts';

/** By the bytes of UTF-8: the order, and what is equal, are the same on every machine and every database. */
const BY_BYTES = ' collate "C"';

export const TYPES: Readonly<Record<ColumnType, { readonly name: string; readonly collation: string }>> = {
  text: { name: 'text', collation: BY_BYTES },
  integer: { name: 'bigint', collation: '' },
  // Ten digits before the point, four after it.
  decimal: { name: 'numeric(14,4)', collation: '' },
  boolean: { name: 'boolean', collation: '' },
  // Seconds, so that any year fits and no session's time zone matters.
  timestamp: { name: 'bigint', collation: '' },
  // Not jsonb: that would reorder names and refuse the character U+0000.
  json: { name: 'json', collation: '' },
};
