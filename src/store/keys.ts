/**
 * The store's API keys: create, list, rotate, revoke. Only hashes are stored, and a key is shown once, when it is created.
 * Publishable keys are no secrets: they are stored and shown.
 */
import { hash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { grantedMasks, grantedScopes, type KeyKind } from '../access/rights.ts';
import {
  type Actor,
  BindParam,
  type ColumnType,
  formatTimestamp,
  type Row,
  type Service,
  type Statement,
  type Transaction,
} from '../engine/index.ts';
import { type AuditedRecord, type AuditedTransaction, auditedTransaction } from './audit/audited-transaction.ts';
import { storedKeyId } from './keys/key-ids.ts';
import { insertToken } from './sign-in-tokens.ts';
import { listIn } from './state.ts';

/** A key with a known digest. */
export interface KnownKey {
  readonly name: string;
  readonly kind: KeyKind;
  readonly digest: Buffer;
}

/** A valid key of a request. */
export interface ValidKey {
  readonly name: string;
  readonly kind: KeyKind;
  /** SHA-256 of the key as it was sent, hex. */
  readonly hash: string;
  /** Whether the key is in the store rather than in the environment. */
  readonly isStored: boolean;
  /** Only of keys in the store, like the time of their creation, in seconds since 1970. */
  readonly id?: string | undefined;
  readonly created?: number | undefined;
  /** Seconds since 1970 at which the key expires. */
  readonly endsAt: number;
  /** That of the key itself, if `endsAt` is the end of a session. */
  readonly keyEndsAt?: number;
  /** Only of scoped keys. */
  readonly scopes?: readonly string[];
  readonly masks?: readonly string[];
  /** CIDR ranges from which requests are accepted; empty: any. */
  readonly networks?: readonly string[];
  /** Only of publishable keys: the origins of the pages that use it. */
  readonly origins?: readonly string[];
  /** The user of a session, who has these rights instead of a key. */
  readonly user?: {
    readonly id: number;
    readonly email: string;
    readonly name: string;
    /** Second factors: `totp`, `passkey`. */
    readonly factors: readonly string[];
    /** Whether the session began at an identity provider. */
    readonly byProvider: boolean;
  };
  /** Seconds since 1970 at which the client of a session last proved its identity; undefined without a session. */
  readonly confirmedAt?: number;
}

export function digestOf(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

export function hashOf(key: string): string {
  return hash('sha256', key, 'hex');
}

const KEY_BYTES = 24;
const TABLE = sql.table('api_key');

/** Properties of a key to create. */
export interface NewKey {
  readonly name: string;
  readonly kind: KeyKind;
  /** Seconds since 1970; undefined: never. */
  readonly expires?: number | undefined;
  /** A key that clients already have; undefined: a random one. */
  readonly key?: string | undefined;
  /** Only of scoped keys, in code point order. */
  readonly scopes?: readonly string[] | undefined;
  readonly masks?: readonly string[] | undefined;
  readonly networks?: readonly string[] | undefined;
  /** Only of publishable keys: the origins of the pages that use it. */
  readonly origins?: readonly string[] | undefined;
  /** Id of the key that creates it. */
  readonly createdBy?: string | undefined;
}

/** The key itself, its id and the time of its creation, or the property that another key of the store has. */
export type CreatedKey =
  | { readonly key: string; readonly id: string; readonly created: number }
  | { readonly taken: 'name' | 'key' };

/** Creates a key. Keys and names of the environment are not checked. */
export async function createKey(service: Service, made: NewKey, by: Actor): Promise<CreatedKey> {
  return auditedTransaction(service, by, async (transaction) => {
    // Serialized, so that two requests cannot store the same key under two names.
    await transaction.lock('API keys');
    if (made.key !== undefined) {
      if (await isInUse(service, transaction, made.key)) return { taken: 'key' };
      await endSessionsOf(service, transaction, hashOf(made.key));
    }
    const created = service.clock.now();
    const inserted = await insertKey(service, transaction, made, created);
    return inserted ? { ...inserted, created } : { taken: 'name' };
  });
}

async function isInUse({ statements }: Service, transaction: Transaction, key: string): Promise<boolean> {
  const find = statements.get('find key by hash', ({ placeholder }) => {
    const hashParam = placeholder(param('hash', 'text'));
    return sql`select 1 from ${TABLE} where hash = ${hashParam} or old_hash = ${hashParam}`;
  });
  return (await transaction.run(find, { hash: hashOf(key) })).length > 0;
}

/** Ends the sessions of a key and its sign-in links. A later key may have the same text. */
async function endSessionsOf({ statements }: Service, transaction: Transaction, hash: string): Promise<void> {
  const endSessions = statements.get(
    'end sessions of key',
    ({ placeholder }) => sql`delete from ${sql.table('admin_session')} where key_hash = ${placeholder(KEY_HASH)}`,
  );
  const endLinks = statements.get(
    'end sign-in links of key',
    ({ placeholder }) => sql`delete from ${sql.table('sign_in_token')} where key_hash = ${placeholder(KEY_HASH)}`,
  );
  for (const end of [endSessions, endLinks]) await transaction.run(end, { hash });
}

export interface FirstKeys {
  readonly readWrite: string;
  readonly readOnly: string;
  /**
   * Signs in to the admin page once, with the permissions of the read/write key; undefined if there is no admin page.
   */
  readonly signInToken: string | undefined;
}

/**
 * Marks the store as served and, if this was the first time and the store has no keys, creates its first two keys. All
 * in one transaction: of several concurrent starts only one creates keys, and keys that were never shown do not exist.
 * @param save called with the keys before they are committed, possibly twice; if it throws, no keys are created
 */
export async function makeFirstKeys(
  service: Service,
  { areWanted, withToken, by }: { readonly areWanted: boolean; readonly withToken: boolean; readonly by: Actor },
  save: (keys: FirstKeys) => void,
): Promise<FirstKeys | undefined> {
  const { statements, clock } = service;
  const markServed = statements.get(
    'note first served',
    ({ placeholder }) => sql`insert into ${sql.table('setting')} (name, value)
      values ('first_served', ${placeholder(new BindParam('value', 'text'))}) on conflict (name) do nothing returning name`,
  );
  return auditedTransaction(service, by, async (transaction) => {
    const isFirst = (await transaction.run(markServed, { value: String(clock.now()) })).length > 0;
    if (!isFirst || !areWanted || (await transaction.run(listStatement(service), {})).length > 0) return undefined;
    const now = clock.now();
    const first = async (name: string, kind: KeyKind) =>
      (await insertKey(service, transaction, { name, kind }, now))!.key;
    const readWrite = await first('first read/write', 'read-write');
    const readOnly = await first('first read-only', 'read-only');
    const signInToken = withToken ? await insertToken(service, transaction, hashOf(readWrite)) : undefined;
    const keys = { readWrite, readOnly, signInToken };
    save(keys);
    return keys;
  });
}

const PREFIXES = { 'read-write': 'rw', 'read-only': 'ro', scoped: 'sc', publishable: 'pk' } as const satisfies Record<
  KeyKind,
  string
>;

function randomKey(kind: KeyKind): string {
  return `pv_${PREFIXES[kind]}_${randomBytes(KEY_BYTES).toString('base64url')}`;
}

const param = (name: string, type: ColumnType): BindParam => new BindParam(name, type);
const NAME = param('name', 'text');
const KEY_HASH = param('hash', 'text');

/** @returns undefined if the name is taken */
async function insertKey(
  { statements, uuid }: Service,
  transaction: AuditedTransaction,
  made: NewKey,
  created: number,
): Promise<{ readonly id: string; readonly key: string } | undefined> {
  const { name, kind, expires, key = randomKey(kind), scopes, masks, networks, origins, createdBy } = made;
  const publicKey = kind === 'publishable' ? key : undefined;
  const insert = statements.get(
    'insert key',
    ({ placeholder }) => sql`insert into ${TABLE}
      (name, kind, hash, created, expires, scopes, masks, networks, created_by, key_id, origins, plain_key)
    values (${placeholder(NAME)}, ${placeholder(param('kind', 'text'))}, ${placeholder(param('hash', 'text'))},
      ${placeholder(param('created', 'timestamp'))}, ${placeholder(param('expires', 'timestamp'))},
      ${placeholder(param('scopes', 'text'))}, ${placeholder(param('masks', 'text'))},
      ${placeholder(param('networks', 'text'))}, ${placeholder(param('created_by', 'text'))},
      ${placeholder(param('key_id', 'text'))}, ${placeholder(param('origins', 'text'))}, ${placeholder(param('plain_key', 'text'))})
    on conflict (name) do nothing returning name`,
  );
  const lists = {
    scopes: listText(scopes),
    masks: listText(masks),
    networks: listText(networks),
    origins: listText(origins),
  };
  const own = { name, kind, hash: hashOf(key), created, expires: expires ?? null };
  const id = uuid();
  const values = { ...own, ...lists, created_by: createdBy ?? null, key_id: id, plain_key: publicKey ?? null };
  if ((await transaction.run(insert, values)).length === 0) return undefined;
  const unused = { oldExpires: undefined, lastUsed: undefined };
  const granted = { scopes: scopes ?? [], masks: masks ?? [], networks: networks ?? [], origins: origins ?? [] };
  const after = auditedKey(
    { id, name, kind, created, expires, createdBy, publicKey, ...unused, ...granted },
    hashOf(key),
  );
  transaction.recordChange('Key', id, undefined, after);
  return { id, key };
}

/** @param hash of the key */
function auditedKey(key: ListedKey, hash: string): AuditedRecord {
  return { shown: shownKey(key), secrets: { key: hash } };
}

/** The fields of a key in the audit. */
export function shownKey(key: ListedKey): AuditedRecord['shown'] {
  const time = (seconds: number | undefined) => (seconds === undefined ? null : formatTimestamp(seconds, 'UTC'));
  const { name, kind, created, expires, oldExpires, networks, createdBy } = key;
  return {
    ...{ name, kind, expires_at: time(expires), old_expires_at: time(oldExpires), created_at: time(created) },
    ...{ scopes: [...grantedScopes(key)], masks: [...grantedMasks(key)], networks: [...networks] },
    created_by: createdBy === undefined ? null : creatorIn(createdBy),
    ...(kind === 'publishable' ? { origins: [...key.origins] } : {}),
  };
}

function listText(list: readonly string[] | undefined): string | null {
  return list === undefined || list.length === 0 ? null : JSON.stringify(list);
}

/** A key as shown to its owner. Times are seconds since 1970. */
export interface ListedKey {
  readonly id: string;
  readonly name: string;
  readonly kind: KeyKind;
  readonly created: number;
  readonly expires: number | undefined;
  /** Until then the key from before the last rotation is also valid. */
  readonly oldExpires: number | undefined;
  /** Start of the day of the last use, in UTC. */
  readonly lastUsed: number | undefined;
  /** Only of scoped keys. */
  readonly scopes: readonly string[];
  readonly masks: readonly string[];
  readonly networks: readonly string[];
  /** Only of publishable keys. */
  readonly origins: readonly string[];
  /** The key itself, if it is publishable. */
  readonly publicKey: string | undefined;
  /** Id of the key that created it. */
  readonly createdBy: string | undefined;
}

/** Returns all keys, sorted by name. */
export function listKeys(service: Pick<Service, 'database' | 'statements'>): Promise<ListedKey[]> {
  return listKeysWith(service, (...statement) => service.database.query(...statement));
}

/** @param run runs a statement, in a transaction or outside */
export async function listKeysWith(
  service: Pick<Service, 'statements'>,
  run: Transaction['run'],
): Promise<ListedKey[]> {
  return listed(await run(listStatement(service), {}));
}

const LISTED = sql.raw(
  'key_id, name, kind, created, expires, old_expires, last_used, scopes, masks, networks, created_by, origins, plain_key',
);

function listStatement({ statements }: Pick<Service, 'statements'>): Statement {
  return statements.get('list keys', () => sql`select ${LISTED} from ${TABLE} order by name`);
}

function listed(rows: readonly Row[]): ListedKey[] {
  const readTime = (value: unknown): number | undefined => (value === null ? undefined : Number(value));
  return rows.map((row) => {
    const [id, name, kind, created, expires, oldExpires, lastUsed, scopes, masks, networks, createdBy, ...publishable] =
      row;
    const [origins, publicKey] = publishable;
    return {
      id: storedKeyId(id, name as string),
      ...{ name: name as string, kind: kind as KeyKind, created: Number(created), expires: readTime(expires) },
      ...{ oldExpires: readTime(oldExpires), lastUsed: readTime(lastUsed) },
      ...{ scopes: listIn(scopes), masks: listIn(masks), networks: listIn(networks), origins: listIn(origins) },
      publicKey: (publicKey as string | null) ?? undefined,
      createdBy: (createdBy as string | null) ?? undefined,
    };
  });
}

/** @returns whether the key existed */
export function revokeKey(service: Service, name: string, by: Actor): Promise<boolean> {
  return auditedTransaction(service, by, (transaction) => removeKey(service, transaction, name));
}

/** @returns whether the key existed */
async function removeKey(service: Service, transaction: AuditedTransaction, name: string): Promise<boolean> {
  const remove = service.statements.get(
    'revoke key',
    ({ placeholder }) =>
      sql`delete from ${TABLE} where name = ${placeholder(NAME)} returning ${LISTED}, old_hash, hash`,
  );
  const [row] = await transaction.run(remove, { name });
  if (!row) return false;
  const [key] = listed([row]);
  const [former, hash] = row.slice(-2) as [string | null, string];
  for (const each of [hash, ...(former === null ? [] : [former])]) await endSessionsOf(service, transaction, each);
  transaction.recordChange('Key', key!.id, auditedKey(key!, hash), undefined);
  return true;
}

/**
 * Revokes a key, unless no key with write access would remain.
 * @param isLastOf decides this from the keys that would remain
 */
export async function revokeUnlessLast(
  service: Service,
  name: string,
  isLastOf: (left: readonly ListedKey[]) => boolean,
  by: Actor,
): Promise<'revoked' | 'unknown' | 'last'> {
  return auditedTransaction(service, by, async (transaction) => {
    // Serialized, so that two requests cannot each revoke one of the last two keys.
    await transaction.lock('API keys');
    const keys = await listKeysWith(service, (...statement) => transaction.run(...statement));
    if (!keys.some((key) => key.name === name)) return 'unknown';
    if (isLastOf(keys.filter((key) => key.name !== name))) return 'last';
    await removeKey(service, transaction, name);
    return 'revoked';
  });
}

/**
 * Replaces a key by a new one with the same name. The replaced key stays valid for some time; a key from an earlier
 * rotation becomes invalid immediately.
 * @returns the new key, or undefined if there is no unexpired key with this name
 */
export async function rotateKey(
  service: Service,
  name: string,
  oldSeconds: number,
  by: Actor,
): Promise<string | undefined> {
  const { statements, clock } = service;
  const find = statements.get(
    'find key',
    ({ placeholder }) => sql`select ${LISTED}, hash from ${TABLE} where name = ${placeholder(NAME)}
      and (expires is null or expires > ${placeholder(param('now', 'timestamp'))})`,
  );
  const exchange = statements.get(
    'rotate key',
    ({
      placeholder,
    }) => sql`update ${TABLE} set old_hash = hash, old_expires = ${placeholder(param('until', 'timestamp'))},
      hash = ${placeholder(param('hash', 'text'))}, plain_key = ${placeholder(param('plain_key', 'text'))}
      where name = ${placeholder(NAME)} returning name`,
  );
  return auditedTransaction(service, by, async (transaction) => {
    const now = clock.now();
    const [row] = await transaction.run(find, { name, now });
    if (!row) return undefined;
    const before = listed([row])[0]!;
    const key = randomKey(before.kind);
    const until = now + oldSeconds;
    const publicKey = before.kind === 'publishable' ? key : null;
    const exchanged = await transaction.run(exchange, { name, until, hash: hashOf(key), plain_key: publicKey });
    if (exchanged.length === 0) return undefined;
    const after = auditedKey({ ...before, oldExpires: until }, hashOf(key));
    transaction.recordChange('Key', before.id, auditedKey(before, row.at(-1) as string), after);
    return key;
  });
}

const USER_PREFIX = 'user:';

/** Returns the text that identifies a user as the creator of a key. A key is identified by its id. */
export function userCreator(id: number): string {
  return `${USER_PREFIX}${id}`;
}

/** Reads a text of `userCreator`, or the id of a key. */
export function creatorIn(creator: string) {
  if (!creator.startsWith(USER_PREFIX)) return { type: 'key', id: creator } as const;
  return { type: 'user', id: Number(creator.slice(USER_PREFIX.length)) } as const;
}
