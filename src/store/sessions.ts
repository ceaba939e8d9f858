/**
 * Sessions of the admin page. A person signs in with a key, or with a token that stands for one, and the session has the rights
 * of that key for as long as the key is right. Only the hash of a session's id is kept (http.md §20).
 */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { BindParam, type Service, type Table } from '../engine/index.ts';
import { hashOf } from './keys.ts';

/** Moments are seconds since 1970. */
export const SESSIONS: Table = {
  name: 'admin_session',
  columns: [
    { name: 'hash', type: 'text', nullable: false },
    // Of the key as it was sent: one that is revoked, or made anew under its name, is another.
    { name: 'key_hash', type: 'text', nullable: false },
    { name: 'created', type: 'timestamp', nullable: false },
    { name: 'used', type: 'timestamp', nullable: false },
  ],
  primaryKey: ['hash'],
  counted: false,
};

interface Session {
  readonly keyHash: string;
  /** Seconds since 1970, from when on it is over, if nobody uses it until then. */
  readonly endsAt: number;
}

const IDLE_SECONDS = 8 * 3600;
export const SESSION_SECONDS = 7 * 24 * 3600;

/** The last use is kept to this, so that reads do not write: a session may end as much earlier. */
const USE_SECONDS = 300;

/** So many of one key; with more, the ones that were quiet longest end. */
const SESSIONS_PER_KEY_MAX = 50;

const ID = /^pv_se_[\w-]{43}$/;
const ID_BYTES = 32;

const TABLE = sql.table('admin_session');
const HASH = new BindParam('hash', 'text');
const KEY_HASH = new BindParam('key_hash', 'text');
const USED = new BindParam('used', 'timestamp');
/** Sessions that were begun or used before are over. */
const BEGUN_BEFORE = new BindParam('begun_before', 'timestamp');
const USED_BEFORE = new BindParam('used_before', 'timestamp');

/**
 * Begins a session of the key with this hash; its id is new, whatever the client had before.
 * @param former the id of the client's session so far, which ends
 * @returns the id, which is in the client's cookie alone, and when the session ends
 */
export async function beginSession(
  { database, statements, clock }: Service,
  keyHash: string,
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
    ({ placeholder }) => sql`insert into ${TABLE} (hash, key_hash, created, used)
      values (${placeholder(HASH)}, ${placeholder(KEY_HASH)}, ${placeholder(USED)}, ${placeholder(USED)}) returning 1`,
  );
  const id = `pv_se_${randomBytes(ID_BYTES).toString('base64url')}`;
  const now = clock.now();
  await database.transaction(async (transaction) => {
    await transaction.run(shrink, { hash: former === undefined ? '' : hashOf(former), key_hash: keyHash });
    await transaction.run(insert, { hash: hashOf(id), key_hash: keyHash, used: now });
  });
  return { id, keyHash, endsAt: endOf(now, now) };
}

/** Ends it at once, on every process. One that is not known has ended. */
export async function endSession({ database, statements }: Service, id: string): Promise<void> {
  const end = statements.get(
    'end session',
    ({ placeholder }) => sql`delete from ${TABLE} where hash = ${placeholder(HASH)} returning 1`,
  );
  await database.transaction((transaction) => transaction.run(end, { hash: hashOf(id) }));
}

/** Whether a text can be the id of a session; only then the store is asked. */
export function isSessionId(text: string): boolean {
  return ID.test(text);
}

/** Finds sessions, and notes that they are used. */
export class Sessions {
  readonly #service: Service;
  /** Hashes of those whose use is just being noted. */
  readonly #noting = new Set<string>();

  constructor(service: Service) {
    this.#service = service;
  }

  /** @returns the session as it is once this use is noted; undefined where it has ended */
  async find(id: string): Promise<Session | undefined> {
    const { database, statements, clock } = this.#service;
    const find = statements.get(
      'find session',
      ({ placeholder }) => sql`select key_hash, created, used from ${TABLE} where hash = ${placeholder(HASH)}`,
    );
    const hash = hashOf(id);
    const [row] = await database.query(find, { hash });
    if (!row) return undefined;
    const [keyHash, created, used] = [row[0] as string, Number(row[1]), Number(row[2])];
    const now = clock.now();
    if (endOf(created, used) <= now) return undefined;
    const isNoted = now - used < USE_SECONDS;
    if (!isNoted) this.#note(hash, now);
    return { keyHash, endsAt: endOf(created, isNoted ? used : now) };
  }

  /** Nobody waits for it; where it cannot be written, the next use tries again. */
  #note(hash: string, now: number): void {
    if (this.#noting.has(hash)) return;
    this.#noting.add(hash);
    const { database, statements } = this.#service;
    const note = statements.get(
      'note use of session',
      ({ placeholder }) =>
        sql`update ${TABLE} set used = ${placeholder(USED)} where hash = ${placeholder(HASH)} and used < ${placeholder(USED)} returning 1`,
    );
    database
      .transaction((transaction) => transaction.run(note, { hash, used: now }))
      .catch(() => {})
      .finally(() => this.#noting.delete(hash));
  }
}

/** Removes sessions that are over. Those of a key that is gone are never found again, and are over soon. */
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
