/** API keys as records of the HTTP interface: those of the store and those of the environment (http.md §19). */
import { hash } from 'node:crypto';
import { grantedMasks, grantedScopes, type KeyKind } from '../access/rights.ts';
import { formatTimestamp, type Service } from '../engine/index.ts';
import { type KnownKey, type ListedKey, listKeys } from './keys.ts';
import { readAccounts } from './users/accounts.ts';

/** Output form. Timestamps are in the store's time zone; the day of the last use is a date in UTC. */
export type KeyRecord = {
  readonly id: string;
  readonly name: string;
  readonly kind: KeyKind;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly created_at: string | null;
  /** `environment`: set in the server's environment, not in the store. */
  readonly source: 'store' | 'environment';
  readonly old_expires_at: string | null;
  readonly scopes: string[];
  readonly masks: string[];
  readonly networks: string[];
  readonly created_by: CreatorRecord | null;
};

/** The key or the user that created a key. The name is null if it was deleted. */
export type CreatorRecord =
  | { readonly type: 'key'; readonly id: string; readonly name: string | null }
  | { readonly type: 'user'; readonly id: number; readonly name: string | null };

const USER_PREFIX = 'user:';

/** Returns the text that identifies a user as the creator of a key. A key is identified by its id. */
export function userCreator(id: number): string {
  return `${USER_PREFIX}${id}`;
}

/** Returns the keys of the environment, then those of the store, each sorted by name. */
export async function keyRecords(service: Service, configured: readonly KnownKey[]): Promise<KeyRecord[]> {
  const stored = await listKeys(service);
  const named = new Map([
    ...configured.map(({ name }) => [keyId('environment', name), name] as const),
    ...stored.map(({ name }) => [keyId('store', name), name] as const),
  ]);
  const { users } = await readAccounts(service);
  const creatorOf = (creator: string): CreatorRecord => {
    if (!creator.startsWith(USER_PREFIX)) return { type: 'key', id: creator, name: named.get(creator) ?? null };
    const id = Number(creator.slice(USER_PREFIX.length));
    return { type: 'user', id, name: users.find((user) => user.id === id)?.name ?? null };
  };
  return [...configured.map(configuredRecord), ...stored.map((key) => keyRecord(key, service, creatorOf))];
}

/** @param creatorOf returns what is known of a creator */
export function keyRecord(
  key: ListedKey,
  { environment, clock }: Pick<Service, 'environment' | 'clock'>,
  creatorOf: (creator: string) => CreatorRecord,
): KeyRecord {
  const shown = (seconds: number | undefined): string | null =>
    seconds === undefined ? null : formatTimestamp(seconds, environment.timeZone);
  const { name, kind, expires, oldExpires, lastUsed, created, networks, createdBy } = key;
  const isOldValid = oldExpires !== undefined && oldExpires > clock.now();
  return {
    ...{ id: keyId('store', name), name, kind, expires_at: shown(expires) },
    last_used_at: lastUsed === undefined ? null : new Date(lastUsed * 1000).toISOString().slice(0, 10),
    ...{ created_at: shown(created), source: 'store', old_expires_at: isOldValid ? shown(oldExpires) : null },
    ...{ scopes: [...grantedScopes(key)], masks: [...grantedMasks(key)], networks: [...networks] },
    created_by: createdBy === undefined ? null : creatorOf(createdBy),
  };
}

function configuredRecord({ name, kind }: KnownKey): KeyRecord {
  const unknown = { expires_at: null, last_used_at: null, created_at: null };
  return {
    ...{ id: keyId('environment', name), name, kind, ...unknown, source: 'environment', old_expires_at: null },
    ...{ scopes: [...grantedScopes({ kind })], masks: [], networks: [], created_by: null },
  };
}

/**
 * Derives the id from the name, which is unique: a UUID of version 8 (RFC 9562 §5.8). It stays the same when the key is
 * rotated, and contains no information about the key.
 */
export function keyId(source: KeyRecord['source'], name: string): string {
  const hex = hash('sha256', `key ${source} ${name}`, 'hex');
  const variant = ((Number.parseInt(hex[16]!, 16) & 0b0011) | 0b1000).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-');
}
