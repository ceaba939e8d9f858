/**
 * Sessions of the admin page. A person signs in with a key, with a token for a key, or as a user of the store. The session has
 * the rights that the key or the user has at each request. Only the hash of a session's id is stored (http.md §20).
 */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { type Actor, BindParam, type Service, type Table, type Transaction } from '../engine/index.ts';
import { type AuditedTransaction, auditedTransaction } from './audit/audited-transaction.ts';
import { hashOf } from './keys.ts';
import { readUser, type SessionUser, userParts } from './users/session-user.ts';

/** Times are seconds since 1970. */
export const SESSIONS: Table = {
  name: 'admin_session',
  columns: [
    { name: 'hash', type: 'text', nullable: false },
    // Hash of the key itself: a revoked or rotated key has a different hash, so its sessions end.
    { name: 'key_hash', type: 'text', nullable: false },
    { name: 'created', type: 'timestamp', nullable: false },
    { name: 'used', type: 'timestamp', nullable: false },
    // Host and port that the browser signed in on. Null for sessions of earlier versions, which have ended.
    { name: 'host', type: 'text', nullable: true },
    // Of sessions of users. Their `key_hash` is that of the user's id.
    { name: 'user_id', type: 'integer', nullable: true },
    { name: 'address', type: 'text', nullable: true },
    { name: 'user_agent', type: 'text', nullable: true },
    // The last sign-in or confirmation. Null for sessions of earlier versions.
    { name: 'confirmed', type: 'timestamp', nullable: true },
    // 1 if the user signed in at an identity provider.
    { name: 'by_provider', type: 'integer', nullable: true },
  ],
  primaryKey: ['hash'],
  counted: false,
};

interface Session {
  /** Hash of the key or of the user. */
  readonly keyHash: string;
  /** Undefined in a session of a key. */
  readonly user?: SessionUser | undefined;
  /** The host and port that the browser signed in on. */
  readonly host: string;
  /** Seconds since 1970 of the last proof of the password, a code or the key. */
  readonly confirmedAt: number;
  /** Seconds since 1970 at which the session ends if it is not used before. */
  readonly endsAt: number;
}

const IDLE_SECONDS = 8 * 3600;
export const SESSION_SECONDS = 7 * 24 * 3600;

/** Precision of the recorded last use, so that reads rarely write. A session may end earlier by this much. */
const USE_SECONDS = 300;

/** Maximum sessions of one key, and of one user. Beyond that, the least recently used ones end. */
const SESSIONS_PER_KEY_MAX = 50;
const SESSIONS_PER_USER_MAX = 20;

const ID = /^pv_se_[\w-]{43}$/;
const ID_BYTES = 32;

const TABLE = sql.table('admin_session');
const HASH = new BindParam('hash', 'text');
const KEY_HASH = new BindParam('key_hash', 'text');
const USED = new BindParam('used', 'timestamp');
const CONFIRMED = new BindParam('confirmed', 'timestamp');
const HOST = new BindParam('host', 'text');
/** Sessions created or last used before these times have ended. */
const BEGUN_BEFORE = new BindParam('begun_before', 'timestamp');
const USED_BEFORE = new BindParam('used_before', 'timestamp');

/** How a session begins. */
export interface NewSession {
  /** Of the key or of the user whose rights the session has. */
  readonly keyHash: string;
  /** The host and port that the browser signed in on. */
  readonly host: string;
  readonly userId?: number;
  /** Of the client. */
  readonly address?: string;
  readonly userAgent?: string;
  /** The user signed in at an identity provider. */
  readonly byProvider?: boolean;
  /** Seconds since 1970 of the proof of identity, if it was earlier. */
  readonly confirmedAt?: number;
}

/**
 * Starts a session with a new id.
 * @param former id of the client's previous session, which ends
 * @param by who signs in
 * @returns the id, which only the client's cookie contains, and when the session ends
 */
export function beginSession(
  service: Service,
  begun: NewSession,
  former: string | undefined,
  by: Actor,
): Promise<{ readonly id: string; readonly endsAt: number }> {
  return auditedTransaction(service, by, (transaction) => insertSession(service, transaction, begun, former));
}

/** Starts a session in a transaction, whose actor signs in. */
export async function insertSession(
  { statements, clock }: Service,
  transaction: AuditedTransaction,
  { keyHash, host, userId, address, userAgent, byProvider, confirmedAt }: NewSession,
  former: string | undefined,
): Promise<{ readonly id: string; readonly endsAt: number }> {
  const shrink = statements.get(
    'end surplus sessions',
    ({
      placeholder,
    }) => sql`delete from ${TABLE} where hash = ${placeholder(HASH)} or (key_hash = ${placeholder(KEY_HASH)} and hash not in
      (select hash from ${TABLE} where key_hash = ${placeholder(KEY_HASH)}
        order by used desc, created desc, hash limit ${placeholder(new BindParam('others', 'integer'))})) returning 1`,
  );
  const insert = statements.get(
    'begin session',
    ({
      placeholder,
    }) => sql`insert into ${TABLE} (hash, key_hash, created, used, confirmed, host, user_id, address, user_agent, by_provider)
      values (${placeholder(HASH)}, ${placeholder(KEY_HASH)}, ${placeholder(USED)}, ${placeholder(USED)}, ${placeholder(CONFIRMED)}, ${placeholder(HOST)},
        ${placeholder(new BindParam('user_id', 'integer'))}, ${placeholder(new BindParam('address', 'text'))},
        ${placeholder(new BindParam('user_agent', 'text'))}, ${placeholder(new BindParam('by_provider', 'integer'))}) returning 1`,
  );
  const id = `pv_se_${randomBytes(ID_BYTES).toString('base64url')}`;
  const now = clock.now();
  const others = (userId === undefined ? SESSIONS_PER_KEY_MAX : SESSIONS_PER_USER_MAX) - 1;
  await transaction.run(shrink, { hash: former === undefined ? '' : hashOf(former), key_hash: keyHash, others });
  const client = { user_id: userId ?? null, address: address ?? null, user_agent: userAgent ?? null };
  const proof = { confirmed: confirmedAt ?? now, by_provider: byProvider ? 1 : null };
  await transaction.run(insert, { hash: hashOf(id), key_hash: keyHash, used: now, host, ...client, ...proof });
  transaction.recordOwn('sign_in');
  return { id, endsAt: endOf(now, now) };
}

/** Ends a session immediately, in every process. Unknown sessions are ignored. @param by who signs out; undefined if the session is no longer valid */
export async function endSession(service: Service, id: string, by: Actor | undefined): Promise<void> {
  const hash = hashOf(id);
  if (!by) {
    await service.database.transaction((transaction) => endHashedSession(service, transaction, hash));
    return;
  }
  await auditedTransaction(service, by, async (transaction) => {
    const count = await endHashedSession(service, transaction, hash);
    if (count > 0) transaction.recordOwn('sign_out', { count });
  });
}

/** Ends a session whose hash is known. @returns the number of ended sessions */
export async function endHashedSession(
  { statements }: Pick<Service, 'statements'>,
  transaction: Transaction,
  hash: string,
): Promise<number> {
  const end = statements.get(
    'end session',
    ({ placeholder }) => sql`delete from ${TABLE} where hash = ${placeholder(HASH)} returning 1`,
  );
  return (await transaction.run(end, { hash })).length;
}

/** Records that the client of a session has proved its identity again. @returns whether the session still exists */
export async function confirmSession(
  { statements, clock }: Pick<Service, 'statements' | 'clock'>,
  transaction: Transaction,
  id: string,
): Promise<boolean> {
  const confirm = statements.get(
    'confirm session',
    ({ placeholder }) => sql`update ${TABLE} set confirmed = ${placeholder(CONFIRMED)}
      where hash = ${placeholder(HASH)} returning 1`,
  );
  return (await transaction.run(confirm, { hash: hashOf(id), confirmed: clock.now() })).length > 0;
}

/** Returns the user of a session whose hash is known; null: it has ended, or is one of a key. */
export async function userOfSession({ database, statements }: Service, hash: string): Promise<number | null> {
  const find = statements.get(
    'find user of session',
    ({ placeholder }) => sql`select user_id from ${TABLE} where hash = ${placeholder(HASH)} and user_id is not null`,
  );
  const [row] = await database.query(find, { hash });
  return row === undefined ? null : Number(row[0]);
}

/** Like `confirmSession`, for a session of this user whose hash is known. */
export async function confirmHashedSession(
  { statements, clock }: Pick<Service, 'statements' | 'clock'>,
  transaction: Transaction,
  { hash, userId }: { readonly hash: string; readonly userId: number },
): Promise<boolean> {
  const confirm = statements.get(
    'confirm session of user',
    ({ placeholder }) => sql`update ${TABLE} set confirmed = ${placeholder(CONFIRMED)}
      where hash = ${placeholder(HASH)} and user_id = ${placeholder(new BindParam('user_id', 'integer'))} returning 1`,
  );
  return (await transaction.run(confirm, { hash, user_id: userId, confirmed: clock.now() })).length > 0;
}

/** Whether a text has the form of a session id. Other texts need no query. */
export function isSessionId(text: string): boolean {
  return ID.test(text);
}

/** Finds sessions and records their use. */
export class Sessions {
  readonly #service: Service;
  /** Hashes of sessions whose use is being recorded. */
  readonly #recording = new Set<string>();

  constructor(service: Service) {
    this.#service = service;
  }

  /** @returns the session after this use; undefined if it has ended */
  async find(id: string): Promise<Session | undefined> {
    const { database, statements, clock } = this.#service;
    const { columns, join } = userParts(database.dialect);
    const find = statements.get(
      'find session',
      ({
        placeholder,
      }) => sql`select session.key_hash, session.created, session.used, session.host, session.confirmed, ${columns}
        from ${TABLE} as session ${join} where session.hash = ${placeholder(HASH)}`,
    );
    const hash = hashOf(id);
    const [row] = await database.query(find, { hash });
    if (!row || row[3] === null) return undefined;
    const host = row[3] as string;
    const [keyHash, created, used] = [row[0] as string, Number(row[1]), Number(row[2])];
    const now = clock.now();
    if (endOf(created, used) <= now) return undefined;
    const user = readUser(row.slice(5), this.#service);
    if (user === 'inactive') return undefined;
    const isRecent = now - used < USE_SECONDS;
    if (!isRecent) this.#recordUse(hash, now);
    const confirmedAt = Number(row[4] ?? created);
    return { keyHash, user, host, confirmedAt, endsAt: endOf(created, isRecent ? used : now) };
  }

  /** Records the use without blocking the request. If it fails, the next use tries again. */
  #recordUse(hash: string, now: number): void {
    if (this.#recording.has(hash)) return;
    this.#recording.add(hash);
    const { database, statements } = this.#service;
    const update = statements.get(
      'note use of session',
      ({ placeholder }) =>
        sql`update ${TABLE} set used = ${placeholder(USED)} where hash = ${placeholder(HASH)} and used < ${placeholder(USED)} returning 1`,
    );
    database
      .transaction((transaction) => transaction.run(update, { hash, used: now }))
      .catch(() => {})
      .finally(() => this.#recording.delete(hash));
  }
}

/** Deletes ended sessions. Sessions of a deleted key are never found again and end soon. */
export async function forgetSessions({ database, statements, clock }: Service): Promise<void> {
  const forget = statements.get(
    'forget sessions',
    ({ placeholder }) =>
      sql`delete from ${TABLE} where created <= ${placeholder(BEGUN_BEFORE)} or used <= ${placeholder(USED_BEFORE)} returning 1`,
  );
  const now = clock.now();
  const values = { begun_before: now - SESSION_SECONDS, used_before: now - IDLE_SECONDS };
  await database.transaction((transaction) => transaction.run(forget, values));
}

export function endOf(created: number, used: number): number {
  return Math.min(created + SESSION_SECONDS, used + IDLE_SECONDS);
}
