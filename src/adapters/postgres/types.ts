/** PostgreSQL's names of the column types. */
import type { ColumnType } from '../../engine/ports.ts';

/** By the bytes of UTF-8, so that order and equality are the same on every machine and in every database. */
const BY_BYTES = ' collate "C"';

export const TYPES: Readonly<Record<ColumnType, { readonly name: string; readonly collation: string }>> = {
  text: { name: 'text', collation: BY_BYTES },
  integer: { name: 'bigint', collation: '' },
  // Ten digits before the decimal point, four after it.
  decimal: { name: 'numeric(14,4)', collation: '' },
  boolean: { name: 'boolean', collation: '' },
  // Seconds, so that any year fits and the session's time zone does not matter.
  timestamp: { name: 'bigint', collation: '' },
  // Not jsonb, which would reorder names and reject U+0000.
  json: { name: 'json', collation: '' },
};
