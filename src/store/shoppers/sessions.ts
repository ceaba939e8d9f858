/**
 * Sessions of customers (storefront.md §3). Each request reads its session, so that an ended one is rejected by every server
 * at once. Only hashes of tokens are stored. A change of login, password or status through the operations of profiles ends
 * the sessions and the tokens in mails (`endSessions` in `domain/rules/customers/profile.ts`); code that writes these
 * columns itself must call `endShopperSessions`.
 */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { BindParam, formatTimestamp, type Reads, type Service, type Unit, type Value } from '../../engine/index.ts';
import { hashOf } from '../keys.ts';
import { endTokensOf } from './one-time-tokens.ts';

/** Times are seconds since 1970. */
export interface Shopper {
  /** Id of the session. */
  readonly session: number;
  /** Id of the profile. */
  readonly profile: number;
  /** Must set another password before anything else. */
  readonly mustChangePassword: boolean;
  /** When the session ends if it is not used before. */
  readonly endsAt: number;
}

/** A session that has just begun, or that has a new token. */
export interface OpenedSession {
  /** The token, which is not stored. */
  readonly token: string;
  /** Seconds since 1970. */
  readonly endsAt: number;
}

const DAY_SECONDS = 24 * 3600;
const IDLE_SECONDS = 30 * DAY_SECONDS;
export const SHOPPER_SESSION_SECONDS = 180 * DAY_SECONDS;

/** Precision of the recorded last use, so that reads rarely write. A session may end earlier by this much. */
const USE_SECONDS = 300;

/** Beyond that, the least recently used sessions of the customer end. */
const SESSIONS_MAX = 20;

/** A replaced token works for this long, for requests that are under way. */
const GRACE_SECONDS = 60;

/** Replaced tokens of a session that are still recognized. */
const FORMER_TOKENS_MAX = 100;

const TOKEN = /^pv_cs_[\w-]{43}$/;
const TOKEN_BYTES = 32;

const HASH = new BindParam('hash', 'text');
const NOW = new BindParam('now', 'timestamp');

function newToken(): string {
  return `pv_cs_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
}

/**
 * Begins a session of a customer in an open unit, and records the login. The caller has proved the customer's identity, and
 * has created the profile in this unit or locked it with `unit.hold`.
 * @param profile id of an enabled profile
 */
export async function openShopperSession(unit: Unit, profile: Value): Promise<OpenedSession> {
  const { now } = unit;
  const token = newToken();
  const sessions = await unit.list('ShopperSession', { profile });
  const isOver = ({ created, used }: (typeof sessions)[number]): boolean => endOf(Number(created), Number(used)) <= now;
  const live = sessions.filter((each) => !isOver(each));
  const surplus = live
    .toSorted((one, other) => Number(other.used) - Number(one.used) || Number(other.id) - Number(one.id))
    .slice(SESSIONS_MAX - 1);
  const ended = [...sessions.filter(isOver), ...surplus].map(({ id }) => id!);
  if (ended.length > 0) await unit.remove('ShopperSession', { id: ended });
  await unit.insert('ShopperSession', { profile, hash: hashOf(token), created: now, used: now });
  const [customer] = await unit.list('Profile', { id: profile }, { only: ['first_login_date'] });
  await unit.update('Profile', profile, {
    first_login_date: customer!.first_login_date ?? now,
    last_login_date: now,
  });
  return { token, endsAt: endOf(now, now) };
}

/** Times of a session, in the store's time zone. */
type ShownSession = { readonly created_at: string; readonly last_used_at: string; readonly expires_at: string };

/** Returns the sessions of a customer for an export of personal data. */
export async function exportShopperSessions(reads: Reads, profile: Value): Promise<ShownSession[]> {
  const shown = (time: number): string => formatTimestamp(time, reads.service.environment.timeZone);
  return (await reads.list('ShopperSession', { profile })).map((session) => {
    const [created, used] = [Number(session.created), Number(session.used)];
    return { created_at: shown(created), last_used_at: shown(used), expires_at: shown(endOf(created, used)) };
  });
}

/** Ends all sessions of a customer, and all tokens in mails to the customer. */
export async function endShopperSessions(unit: Unit, profile: Value): Promise<void> {
  await unit.remove('ShopperSession', { profile });
  await endTokensOf(unit, profile);
}

/** Ends one session. */
export async function endShopperSession(unit: Unit, session: Value): Promise<void> {
  await unit.remove('ShopperSession', { id: session });
}

/** Replaces the token of a session. @returns undefined if the session has ended meanwhile */
export async function refreshShopperSession(unit: Unit, session: Value): Promise<OpenedSession | undefined> {
  const { now } = unit;
  const [held] = await unit.hold('ShopperSession', [session]);
  if (!held) return undefined;
  const token = newToken();
  const former = await unit.list('FormerShopperToken', { session }, { only: [] });
  const surplus = former.slice(0, Math.max(0, former.length - FORMER_TOKENS_MAX + 1)).map(({ id }) => id!);
  if (surplus.length > 0) await unit.remove('FormerShopperToken', { id: surplus });
  await unit.update('ShopperSession', session, { hash: hashOf(token), used: now });
  await unit.insert('FormerShopperToken', { session, hash: held.hash!, until: now + GRACE_SECONDS });
  return { token, endsAt: endOf(Number(held.created), now) };
}

/** Finds sessions of customers and records their use. */
export class ShopperSessions {
  readonly #service: Service;
  /** Sessions whose use is being recorded. */
  readonly #recording = new Set<number>();

  constructor(service: Service) {
    this.#service = service;
  }

  /** @returns the session after this use; undefined if it has ended, also because a replaced token was used too late */
  async find(token: string): Promise<Shopper | undefined> {
    if (!TOKEN.test(token)) return undefined;
    const { database, clock } = this.#service;
    const hash = hashOf(token);
    const [row] = await database.query(this.#findStatement(), { hash });
    if (!row) return undefined;
    const [session, profile, created, used] = row.slice(0, 4).map(Number) as [number, number, number, number];
    const [status, mustChange, until] = row.slice(4);
    const now = clock.now();
    if (until !== null && Number(until) <= now) {
      await this.#end(session);
      return undefined;
    }
    if (status !== 'E' || endOf(created, used) <= now) return undefined;
    const isRecent = now - used < USE_SECONDS;
    if (!isRecent) this.#recordUse(session, now);
    const mustChangePassword = database.dialect.decode.boolean(mustChange as never) === true;
    return { session, profile, mustChangePassword, endsAt: endOf(created, isRecent ? used : now) };
  }

  /** Rows have a time until which the token works if it was replaced. */
  #findStatement() {
    return this.#service.statements.get('find shopper session', ({ placeholder }) => {
      const [session, profile, former] = ['shopper_session', 'profile', 'former_shopper_token'].map((name) =>
        sql.table(name),
      );
      const columns = sql`s.id, s.profile_id, s.created, s.used, p.status, p.force_change_password`;
      return sql`select ${columns}, null from ${session} s join ${profile} p on p.id = s.profile_id
          where s.hash = ${placeholder(HASH)}
        union all select ${columns}, f.until from ${former} f join ${session} s on s.id = f.session_id
          join ${profile} p on p.id = s.profile_id where f.hash = ${placeholder(HASH)}`;
    });
  }

  async #end(session: number): Promise<void> {
    const { database, statements } = this.#service;
    const end = statements.get(
      'end shopper session',
      ({ placeholder }) => sql`delete from ${sql.table('shopper_session')}
        where id = ${placeholder(new BindParam('session', 'integer'))} returning 1`,
    );
    await database.transaction((transaction) => transaction.run(end, { session }));
  }

  /** Records the use without blocking the request. If it fails, the next use tries again. */
  #recordUse(session: number, now: number): void {
    if (this.#recording.has(session)) return;
    this.#recording.add(session);
    const { database, statements } = this.#service;
    const update = statements.get(
      'note use of shopper session',
      ({ placeholder }) => sql`update ${sql.table('shopper_session')} set used = ${placeholder(NOW)}
        where id = ${placeholder(new BindParam('session', 'integer'))} and used < ${placeholder(NOW)} returning 1`,
    );
    database
      .transaction((transaction) => transaction.run(update, { session, now }))
      .catch(() => {})
      .finally(() => this.#recording.delete(session));
  }
}

/** Deletes sessions that have ended. */
export async function forgetShopperSessions({ database, statements, clock }: Service): Promise<void> {
  const forget = statements.get(
    'forget shopper sessions',
    ({ placeholder }) => sql`delete from ${sql.table('shopper_session')}
      where created <= ${placeholder(new BindParam('begun_before', 'timestamp'))}
      or used <= ${placeholder(new BindParam('used_before', 'timestamp'))} returning 1`,
  );
  const now = clock.now();
  const values = { begun_before: now - SHOPPER_SESSION_SECONDS, used_before: now - IDLE_SECONDS };
  await database.transaction((transaction) => transaction.run(forget, values));
}

function endOf(created: number, used: number): number {
  return Math.min(created + SHOPPER_SESSION_SECONDS, used + IDLE_SECONDS);
}
