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
    // Secrets in base32; the second one is not confirmed by a code yet.
    column('totp', 'text', true),
    column('totp_setup', 'text', true),
    column('totp_step', 'integer', true),
  ],
  primaryKey: ['id'],
  counted: true,
};

const ROLES: Table = {
  name: 'staff_role',
  columns: [
    column('id', 'integer'),
    column('name', 'text'),
    // Scopes and masks as JSON; no masks in rows of earlier versions.
    column('scopes', 'text'),
    column('masks', 'text', true),
  ],
  primaryKey: ['id'],
  counted: true,
};

/** Filters and orders of lists that users have saved. */
const VIEWS: Table = {
  name: 'staff_view',
  columns: [
    column('id', 'integer'),
    column('user_id', 'integer'),
    column('name', 'text'),
    column('screen', 'text'),
    column('query', 'text'),
  ],
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

/** Hashes of recovery codes that are not used yet. */
const RECOVERY_CODES: Table = {
  name: 'staff_recovery_code',
  columns: [column('user_id', 'integer'), column('hash', 'text')],
  primaryKey: ['user_id', 'hash'],
  counted: false,
};

/** Public keys of passkeys, in base64url. */
const PASSKEYS: Table = {
  name: 'staff_passkey',
  columns: [
    column('id', 'integer'),
    column('user_id', 'integer'),
    column('name', 'text'),
    column('credential_id', 'text'),
    column('public_key', 'text'),
    column('counter', 'integer'),
    // How browsers reach it, as JSON.
    column('transports', 'text'),
    column('created', 'timestamp'),
    column('last_used', 'timestamp', true),
  ],
  primaryKey: ['id'],
  counted: true,
};

/** Hashes of challenges that no passkey has answered yet. */
const CHALLENGES: Table = {
  name: 'staff_challenge',
  columns: [
    column('hash', 'text'),
    // Hash of the user or of the client’s address.
    column('subject', 'text'),
    column('purpose', 'text'),
    column('expires', 'timestamp'),
  ],
  primaryKey: ['hash'],
  counted: false,
};

/** Sign-ins that need a code of the second factor. */
const TICKETS: Table = {
  name: 'staff_ticket',
  columns: [
    column('hash', 'text'),
    column('user_id', 'integer'),
    column('expires', 'timestamp'),
    column('failures', 'integer'),
  ],
  primaryKey: ['hash'],
  counted: false,
};

/** The accounts of users at identity providers. */
const IDENTITIES: Table = {
  name: 'staff_identity',
  columns: [column('issuer', 'text'), column('subject', 'text'), column('user_id', 'integer')],
  primaryKey: ['issuer', 'subject'],
  counted: false,
};

/** Sign-ins that have begun at the identity provider. */
const PROVIDER_SIGN_INS: Table = {
  name: 'staff_provider_sign_in',
  columns: [
    column('hash', 'text'),
    // Hash of the session that the sign-in confirms or replaces.
    column('session', 'text', true),
    column('confirms', 'integer'),
    // Hash of the client's address.
    column('client', 'text'),
    column('created', 'timestamp'),
    column('expires', 'timestamp'),
  ],
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

export const STAFF_TABLES: readonly Table[] = [
  ...[USERS, ROLES, VIEWS, LINKS, FAILED_SIGN_INS, RECOVERY_CODES, TICKETS, PASSKEYS, CHALLENGES],
  ...[IDENTITIES, PROVIDER_SIGN_INS],
];

/** Tables whose rows belong to this installation, so backups do not contain them. */
export const TEMPORARY_STAFF_TABLES: readonly Table[] = [
  ...[LINKS, FAILED_SIGN_INS, TICKETS, CHALLENGES, PROVIDER_SIGN_INS],
];
