/**
 * Sessions of the admin page. A user signs in with a key, or with a token for a key. The session has the permissions of
 * that key for as long as the key is valid. Only the hash of a session's id is stored (http.md §20).
 */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { BindParam, type Service, type Table } from '../engine/index.ts';
import { hashOf } from './keys.ts';

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
  ],
  primaryKey: ['hash'],
  counted: false,
};

interface Session {
  readonly keyHash: string;
  /** The host and port that the browser signed in on. */
  readonly host: string;
  /** Seconds since 1970 at which the session ends if it is not used before. */
  readonly endsAt: number;
}

const IDLE_SECONDS = 8 * 3600;
export const SESSION_SECONDS = 7 * 24 * 3600;

/** Precision of the recorded last use, so that reads rarely write. A session may end earlier by this much. */
const USE_SECONDS = 300;

/** Maximum sessions of one key. Beyond that, the least recently used ones end. */
const SESSIONS_PER_KEY_MAX = 50;

const ID = /^pv_se_[\w-]{43}$/;
const ID_BYTES = 32;

const TABLE = sql.table('admin_session');
const HASH = new BindParam('hash', 'text');
const KEY_HASH = new BindParam('key_hash', 'text');
const USED = new BindParam('used', 'timestamp');
const HOST = new BindParam('host', 'text');
/** Sessions created or last used before these times have ended. */
const BEGUN_BEFORE = new BindParam('begun_before', 'timestamp');
const USED_BEFORE = new BindParam('used_before', 'timestamp');

/**
 * Starts a session with a new id.
 * @param keyHash of the key whose rights the session has
 * @param host that the browser signed in on
 * @param former id of the client's previous session, which ends
 * @returns the id, which only the client's cookie contains, and when the session ends
 */
export async function beginSession(
  { database, statements, clock }: Service,
  { keyHash, host }: Pick<Session, 'keyHash' | 'host'>,
  former: string | undefined,
): Promise<{ readonly id: string } & Session> {
  const shrink = statements.get(
    'end surplus sessions',
    ({
      placeholder,
    }) => sql`delete from ${TABLE} where hash = ${placeholder(HASH)} or (key_hash = ${placeholder(KEY_HASH)} and hash not in
      (select hash from ${TABLE} where key_hash = ${placeholder(KEY_HASH)}
        order by used desc, created desc, hash limit ${sql.lit(SESSIONS_PER_KEY_MAX - 1)})) returning 1`,
  );
  const insert = statements.get(
    'begin session',
    ({ placeholder }) => sql`insert into ${TABLE} (hash, key_hash, created, used, host)
      values (${placeholder(HASH)}, ${placeholder(KEY_HASH)}, ${placeholder(USED)}, ${placeholder(USED)}, ${placeholder(HOST)}) returning 1`,
  );
  const id = `pv_se_${randomBytes(ID_BYTES).toString('base64url')}`;
  const now = clock.now();
  await database.transaction(async (transaction) => {
    await transaction.run(shrink, { hash: former === undefined ? '' : hashOf(former), key_hash: keyHash });
    await transaction.run(insert, { hash: hashOf(id), key_hash: keyHash, used: now, host });
  });
  return { id, keyHash, host, endsAt: endOf(now, now) };
}

/** Ends a session immediately, in every process. Unknown sessions are ignored. */
export async function endSession({ database, statements }: Service, id: string): Promise<void> {
  const end = statements.get(
    'end session',
    ({ placeholder }) => sql`delete from ${TABLE} where hash = ${placeholder(HASH)} returning 1`,
  );
  await database.transaction((transaction) => transaction.run(end, { hash: hashOf(id) }));
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
    const find = statements.get(
      'find session',
      ({ placeholder }) => sql`select key_hash, created, used, host from ${TABLE} where hash = ${placeholder(HASH)}`,
    );
    const hash = hashOf(id);
    const [row] = await database.query(find, { hash });
    if (!row || row[3] === null) return undefined;
    const host = row[3] as string;
    const [keyHash, created, used] = [row[0] as string, Number(row[1]), Number(row[2])];
    const now = clock.now();
    if (endOf(created, used) <= now) return undefined;
    const isRecent = now - used < USE_SECONDS;
    if (!isRecent) this.#recordUse(hash, now);
    return { keyHash, host, endsAt: endOf(created, isRecent ? used : now) };
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

function endOf(created: number, used: number): number {
  return Math.min(created + SESSION_SECONDS, used + IDLE_SECONDS);
}
