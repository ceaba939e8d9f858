/** The tables of staff accounts (access.md §3). Times are seconds since 1970. */
import type { ColumnType, Table } from '../../engine/index.ts';

function column(name: string, type: ColumnType, nullable = false): Table['columns'][number] {
  return { name, type, nullable };
}

const USERS: Table = {
  name: 'staff_user',
  columns: [
    column('id', 'integer'),
    column('email', 'text'),
    column('name', 'text'),
    column('status', 'text'),
    column('language', 'text'),
    // Ids as JSON.
    column('role_ids', 'text'),
    // Hash; null before the first sign-in.
    column('password', 'text', true),
    column('last_sign_in', 'timestamp', true),
    column('created', 'timestamp'),
  ],
  primaryKey: ['id'],
  counted: true,
};

const ROLES: Table = {
  name: 'staff_role',
  columns: [column('id', 'integer'), column('name', 'text'), column('scopes', 'text')],
  primaryKey: ['id'],
  counted: true,
};

/** Invitations and reset links. */
const LINKS: Table = {
  name: 'staff_link',
  columns: [column('hash', 'text'), column('user_id', 'integer'), column('expires', 'timestamp')],
  primaryKey: ['hash'],
  counted: false,
};

const FAILED_SIGN_INS: Table = {
  name: 'failed_sign_in',
  // The subject is the hash of an e-mail address or of a client's address.
  columns: [column('subject', 'text'), column('id', 'text'), column('at', 'timestamp')],
  primaryKey: ['subject', 'id'],
  counted: false,
};

export const STAFF_TABLES: readonly Table[] = [USERS, ROLES, LINKS, FAILED_SIGN_INS];

/** Tables whose rows belong to this installation, so backups do not contain them. */
export const TEMPORARY_STAFF_TABLES: readonly Table[] = [LINKS, FAILED_SIGN_INS];
