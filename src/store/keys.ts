/** The store's own API keys: made, listed, revoked. Only hashes are kept; a key is shown once, by who made it. */
import { hash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { type Service, Slot, type Statement, type Transaction } from '../engine/index.ts';
import type { KeyKind } from './state.ts';

/** A key whose digest is at hand. */
export interface KnownKey {
  readonly name: string;
  readonly kind: KeyKind;
  readonly digest: Buffer;
}

export function digestOf(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

export function hashOf(key: string): string {
  return hash('sha256', key, 'hex');
}

const KEY_BYTES = 24;
const TABLE = sql.table('api_key');

/** @returns the key, or undefined when the name is taken */
export async function createKey(service: Service, name: string, kind: KeyKind): Promise<string | undefined> {
  return service.database.transaction((transaction) => insertKey(service, transaction, name, kind));
}

export interface FirstKeys {
  readonly readWrite: string;
  readonly readOnly: string;
}

/**
 * Notes that the store is served for the first time, and makes its first two keys with that, if they are wanted and there
 * is none. One transaction: whoever is shown the keys is the only one, and keys that nobody was shown are not there.
 * @param keep is called with the keys before they are the store's, maybe twice; where it fails there are none
 */
export async function makeFirstKeys(
  service: Service,
  areWanted: boolean,
  keep: (keys: FirstKeys) => void,
): Promise<FirstKeys | undefined> {
  const { statements, clock } = service;
  const note = statements.get(
    'note first served',
    ({ place }) => sql`insert into ${sql.table('setting')} (name, value)
      values ('first_served', ${place(new Slot('value', 'text'))}) on conflict (name) do nothing returning name`,
  );
  return service.database.transaction(async (transaction) => {
    const isFirst = (await transaction.run(note, { value: String(clock.now()) })).length > 0;
    if (!isFirst || !areWanted || (await transaction.run(listStatement(service), {})).length > 0) return undefined;
    const readWrite = await insertKey(service, transaction, 'first read/write', 'read-write');
    const readOnly = await insertKey(service, transaction, 'first read-only', 'read-only');
    const keys = { readWrite: readWrite!, readOnly: readOnly! };
    keep(keys);
    return keys;
  });
}

async function insertKey(
  { statements, clock }: Service,
  transaction: Transaction,
  name: string,
  kind: KeyKind,
): Promise<string | undefined> {
  const key = `pv_${kind === 'read-only' ? 'ro' : 'rw'}_${randomBytes(KEY_BYTES).toString('base64url')}`;
  const insert = statements.get(
    'insert key',
    ({ place }) => sql`insert into ${TABLE} (name, kind, hash, created)
    values (${place(new Slot('name', 'text'))}, ${place(new Slot('kind', 'text'))}, ${place(new Slot('hash', 'text'))}, ${place(new Slot('created', 'timestamp'))})
    on conflict (name) do nothing returning name`,
  );
  const rows = await transaction.run(insert, { name, kind, hash: hashOf(key), created: clock.now() });
  return rows.length > 0 ? key : undefined;
}

interface ListedKey {
  readonly name: string;
  readonly kind: KeyKind;
  /** Seconds since 1970. */
  readonly created: number;
}

export async function listKeys(service: Service): Promise<ListedKey[]> {
  const rows = await service.database.query(listStatement(service), {});
  return rows.map(([name, kind, created]) => ({
    name: name as string,
    kind: kind as KeyKind,
    created: Number(created),
  }));
}

function listStatement({ statements }: Service): Statement {
  return statements.get('list keys', () => sql`select name, kind, created from ${TABLE} order by name`);
}

/** @returns whether there was such a key */
export async function revokeKey({ database, statements }: Service, name: string): Promise<boolean> {
  const remove = statements.get(
    'revoke key',
    ({ place }) => sql`delete from ${TABLE} where name = ${place(new Slot('name', 'text'))} returning name`,
  );
  return (await database.transaction((transaction) => transaction.run(remove, { name }))).length > 0;
}
