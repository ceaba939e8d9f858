/** API keys as records of the HTTP interface: those of the store and those of the environment (http.md §19). */
import { grantedMasks, grantedScopes, type KeyKind } from '../access/rights.ts';
import { formatTimestamp, type Identity, type Service } from '../engine/index.ts';
import { environmentKeyId } from './keys/key-ids.ts';
import { creatorIn, type KnownKey, type ListedKey, listKeys, type ValidKey } from './keys.ts';
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
  /** Only of publishable keys, like the key itself. */
  readonly origins?: string[];
  readonly key?: string;
};

/** The key or the user that created a key. The name is null if it was deleted. */
export type CreatorRecord =
  | { readonly type: 'key'; readonly id: string; readonly name: string | null }
  | { readonly type: 'user'; readonly id: number; readonly name: string | null };

/** Returns the key of a request or of its session, or the user of the session. */
export function identityOf({ name, user, id, created }: ValidKey): CreatorRecord & Identity {
  if (user) return { type: 'user', id: user.id, name };
  return { type: 'key', id: id ?? environmentKeyId(name), name, created };
}

/** Returns the keys of the environment, then those of the store, each sorted by name. */
export async function keyRecords(service: Service, configured: readonly KnownKey[]): Promise<KeyRecord[]> {
  const stored = await listKeys(service);
  const named = new Map([
    ...configured.map(({ name }) => [environmentKeyId(name), name] as const),
    ...stored.map(({ id, name }) => [id, name] as const),
  ]);
  const { users } = await readAccounts(service);
  const creatorOf = (creator: string): CreatorRecord => {
    const by = creatorIn(creator);
    if (by.type === 'key') return { ...by, name: named.get(creator) ?? null };
    return { ...by, name: users.find((user) => user.id === by.id)?.name ?? null };
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
  const { id, name, kind, expires, oldExpires, lastUsed, created, networks, createdBy, origins, publicKey } = key;
  const isOldValid = oldExpires !== undefined && oldExpires > clock.now();
  return {
    ...{ id, name, kind, expires_at: shown(expires) },
    last_used_at: lastUsed === undefined ? null : new Date(lastUsed * 1000).toISOString().slice(0, 10),
    ...{ created_at: shown(created), source: 'store', old_expires_at: isOldValid ? shown(oldExpires) : null },
    ...{ scopes: [...grantedScopes(key)], masks: [...grantedMasks(key)], networks: [...networks] },
    created_by: createdBy === undefined ? null : creatorOf(createdBy),
    ...(publicKey === undefined ? {} : { origins: [...origins], key: publicKey }),
  };
}

function configuredRecord({ name, kind }: KnownKey): KeyRecord {
  const unknown = { expires_at: null, last_used_at: null, created_at: null };
  return {
    ...{ id: environmentKeyId(name), name, kind, ...unknown, source: 'environment', old_expires_at: null },
    ...{ scopes: [...grantedScopes({ kind })], masks: [], networks: [], created_by: null },
  };
}
