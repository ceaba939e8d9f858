/**
 * Tables of the audit. If the database serializes write transactions, a unit of work adds its entries to `audit_entry`. Otherwise it
 * writes them to the inbox, and one process at a time assigns ids and hashes in the order of the commits.
 */
import type { Column, Table } from '../ports.ts';

/** What a unit of work knows of an entry. `changes` is canonical JSON; `salt` is base64, or null after an erasure. */
export const AUDIT_COLUMNS: readonly Column[] = [
  { name: 'at', type: 'timestamp', nullable: false },
  { name: 'actor_type', type: 'text', nullable: false },
  { name: 'actor_id', type: 'text', nullable: true },
  { name: 'address', type: 'text', nullable: true },
  { name: 'request_id', type: 'text', nullable: true },
  { name: 'action', type: 'text', nullable: false },
  { name: 'resource', type: 'text', nullable: true },
  { name: 'record', type: 'text', nullable: true },
  { name: 'path', type: 'text', nullable: true },
  { name: 'version', type: 'integer', nullable: true },
  { name: 'changes', type: 'text', nullable: false },
  { name: 'salt', type: 'text', nullable: true },
  { name: 'changes_hash', type: 'text', nullable: false },
];

export const AUDIT_TABLE = 'audit_entry';
export const AUDIT_INBOX = 'audit_inbox';

const ID: Column = { name: 'id', type: 'integer', nullable: false };

export const CHAIN_COLUMNS: readonly Column[] = [ID, ...AUDIT_COLUMNS, { name: 'hash', type: 'text', nullable: false }];

export const AUDIT_TABLES: readonly Table[] = [
  { name: AUDIT_TABLE, columns: CHAIN_COLUMNS, primaryKey: ['id'], counted: false },
  { name: AUDIT_INBOX, columns: [ID, ...AUDIT_COLUMNS], primaryKey: ['id'], counted: true },
  {
    // The entries of each path (`unit/audit/path-index.ts`).
    name: 'audit_path',
    columns: [{ name: 'path', type: 'text', nullable: false }, ID],
    primaryKey: ['path', 'id'],
    counted: false,
  },
  {
    // The entries with each value of other columns (`unit/audit/value-index.ts`).
    name: 'audit_value',
    columns: [{ name: 'name', type: 'text', nullable: false }, { name: 'value', type: 'text', nullable: false }, ID],
    primaryKey: ['name', 'value', 'id'],
    counted: false,
  },
  {
    // The first and the last entry of each hour since 1970.
    name: 'audit_hour',
    columns: [
      { name: 'hour', type: 'integer', nullable: false },
      { name: 'first_id', type: 'integer', nullable: false },
      { name: 'last_id', type: 'integer', nullable: false },
    ],
    primaryKey: ['hour'],
    counted: false,
  },
];
