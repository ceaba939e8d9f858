/** The store's own API keys: made, listed, rotated, revoked. Only hashes are kept; a key is shown once, by who made it. */
import { hash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import {
  BindParam,
  type ColumnType,
  type Row,
  type Service,
  type Statement,
  type Transaction,
} from '../engine/index.ts';
import { insertToken } from './sign-in-tokens.ts';
import type { KeyKind } from './state.ts';

/** A key whose digest is at hand. */
export interface KnownKey {
  readonly name: string;
  readonly kind: KeyKind;
  readonly digest: Buffer;
}

/** The key of a request, which is one of the store's. */
export interface RightKey {
  readonly name: string;
  readonly kind: KeyKind;
  /** SHA-256 of the key as it was sent, hex. */
  readonly hash: string;
  /** The store itself has it, and not the environment. */
  readonly isStored: boolean;
  /** Seconds since 1970, from when on it is right no more. */
  readonly endsAt: number;
}

export function digestOf(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

export function hashOf(key: string): string {
  return hash('sha256', key, 'hex');
}

const KEY_BYTES = 24;
const TABLE = sql.table('api_key');

/** A key to be made. */
export interface NewKey {
  readonly name: string;
  readonly kind: KeyKind;
  /** Seconds since 1970; undefined for never. */
  readonly expires?: number | undefined;
}

/** @returns the key, or undefined when the name is taken */
export async function createKey(service: Service, made: NewKey): Promise<string | undefined> {
  return service.database.transaction((transaction) => insertKey(service, transaction, made));
}

export interface FirstKeys {
  readonly readWrite: string;
  readonly readOnly: string;
  /** Signs in to the admin page once, with the rights of the first; undefined where there is no such page. */
  readonly signInToken: string | undefined;
}

/**
 * Notes that the store is served for the first time, and makes its first two keys with that, if they are wanted and there
 * is none. One transaction: whoever is shown the keys is the only one, and keys that nobody was shown are not there.
 * @param keep is called with the keys before they are the store's, maybe twice; where it fails there are none
 */
export async function makeFirstKeys(
  service: Service,
  { areWanted, withToken }: { readonly areWanted: boolean; readonly withToken: boolean },
  keep: (keys: FirstKeys) => void,
): Promise<FirstKeys | undefined> {
  const { statements, clock } = service;
  const note = statements.get(
    'note first served',
    ({ placeholder }) => sql`insert into ${sql.table('setting')} (name, value)
      values ('first_served', ${placeholder(new BindParam('value', 'text'))}) on conflict (name) do nothing returning name`,
  );
  return service.database.transaction(async (transaction) => {
    const isFirst = (await transaction.run(note, { value: String(clock.now()) })).length > 0;
    if (!isFirst || !areWanted || (await transaction.run(listStatement(service), {})).length > 0) return undefined;
    const readWrite = await insertKey(service, transaction, { name: 'first read/write', kind: 'read-write' });
    const readOnly = await insertKey(service, transaction, { name: 'first read-only', kind: 'read-only' });
    const signInToken = withToken ? await insertToken(service, transaction, hashOf(readWrite!)) : undefined;
    const keys = { readWrite: readWrite!, readOnly: readOnly!, signInToken };
    keep(keys);
    return keys;
  });
}

function randomKey(kind: KeyKind): string {
  return `pv_${kind === 'read-only' ? 'ro' : 'rw'}_${randomBytes(KEY_BYTES).toString('base64url')}`;
}

const param = (name: string, type: ColumnType): BindParam => new BindParam(name, type);
const NAME = param('name', 'text');

async function insertKey(
  { statements, clock }: Service,
  transaction: Transaction,
  { name, kind, expires }: NewKey,
): Promise<string | undefined> {
  const key = randomKey(kind);
  const insert = statements.get(
    'insert key',
    ({ placeholder }) => sql`insert into ${TABLE} (name, kind, hash, created, expires)
    values (${placeholder(NAME)}, ${placeholder(param('kind', 'text'))}, ${placeholder(param('hash', 'text'))},
      ${placeholder(param('created', 'timestamp'))}, ${placeholder(param('expires', 'timestamp'))})
    on conflict (name) do nothing returning name`,
  );
  const values = { name, kind, hash: hashOf(key), created: clock.now(), expires: expires ?? null };
  return (await transaction.run(insert, values)).length > 0 ? key : undefined;
}

/** A key as its owner may see it. Moments are seconds since 1970. */
export interface ListedKey {
  readonly name: string;
  readonly kind: KeyKind;
  readonly created: number;
  readonly expires: number | undefined;
  /** Until then the key before the last rotation is right, too. */
  readonly oldExpires: number | undefined;
  /** The beginning of that day, in UTC. */
  readonly lastUsed: number | undefined;
}

/** In the order of their names. */
export async function listKeys(service: Service): Promise<ListedKey[]> {
  return listed(await service.database.query(listStatement(service), {}));
}

function listStatement({ statements }: Service): Statement {
  return statements.get(
    'list keys',
    () => sql`select name, kind, created, expires, old_expires, last_used from ${TABLE} order by name`,
  );
}

function listed(rows: readonly Row[]): ListedKey[] {
  const readTime = (value: unknown): number | undefined => (value === null ? undefined : Number(value));
  return rows.map(([name, kind, created, expires, oldExpires, lastUsed]) => ({
    ...{ name: name as string, kind: kind as KeyKind, created: Number(created), expires: readTime(expires) },
    ...{ oldExpires: readTime(oldExpires), lastUsed: readTime(lastUsed) },
  }));
}

/** @returns whether there was such a key */
export async function revokeKey({ database, statements }: Service, name: string): Promise<boolean> {
  const remove = removeStatement(statements);
  return (await database.transaction((transaction) => transaction.run(remove, { name }))).length > 0;
}

function removeStatement(statements: Service['statements']): Statement {
  return statements.get(
    'revoke key',
    ({ placeholder }) => sql`delete from ${TABLE} where name = ${placeholder(NAME)} returning name`,
  );
}

/**
 * Revokes a key, unless nobody could write any more without it.
 * @param isLastOf says so of the keys that would be left
 */
export async function revokeUnlessLast(
  service: Service,
  name: string,
  isLastOf: (left: readonly ListedKey[]) => boolean,
): Promise<'revoked' | 'unknown' | 'last'> {
  return service.database.transaction(async (transaction) => {
    // Of two that revoke the last two keys, one comes second.
    await transaction.lock('API keys');
    const keys = listed(await transaction.run(listStatement(service), {}));
    if (!keys.some((key) => key.name === name)) return 'unknown';
    if (isLastOf(keys.filter((key) => key.name !== name))) return 'last';
    await transaction.run(removeStatement(service.statements), { name });
    return 'revoked';
  });
}

/**
 * Makes a new key under a name that has one. The one that it had is right for some time yet; one of an earlier rotation is
 * right no more.
 * @returns the new key, or undefined where there is none of this name that has not expired
 */
export async function rotateKey(
  { database, statements, clock }: Service,
  name: string,
  oldSeconds: number,
): Promise<string | undefined> {
  const find = statements.get(
    'find key',
    ({ placeholder }) => sql`select kind from ${TABLE} where name = ${placeholder(NAME)}
      and (expires is null or expires > ${placeholder(param('now', 'timestamp'))})`,
  );
  const exchange = statements.get(
    'rotate key',
    ({
      placeholder,
    }) => sql`update ${TABLE} set old_hash = hash, old_expires = ${placeholder(param('until', 'timestamp'))},
      hash = ${placeholder(param('hash', 'text'))} where name = ${placeholder(NAME)} returning name`,
  );
  return database.transaction(async (transaction) => {
    const now = clock.now();
    const [row] = await transaction.run(find, { name, now });
    if (!row) return undefined;
    const key = randomKey(row[0] as KeyKind);
    const exchanged = await transaction.run(exchange, { name, until: now + oldSeconds, hash: hashOf(key) });
    return exchanged.length > 0 ? key : undefined;
  });
}
