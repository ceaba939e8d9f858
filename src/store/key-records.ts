/** API keys as records of the HTTP interface: those of the store and those of the environment (http.md §19). */
import { hash } from 'node:crypto';
import { grantedScopes, type KeyKind } from '../access/rights.ts';
import { formatTimestamp, type Service } from '../engine/index.ts';
import { type KnownKey, type ListedKey, listKeys } from './keys.ts';

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
  readonly networks: string[];
  readonly created_by: CreatorRecord | null;
};

/** The key that created another one. Its name is null if it was deleted. */
type CreatorRecord = { readonly type: 'key'; readonly id: string; readonly name: string | null };

/** Returns the keys of the environment, then those of the store, each sorted by name. */
export async function keyRecords(service: Service, configured: readonly KnownKey[]): Promise<KeyRecord[]> {
  const stored = await listKeys(service);
  const named = new Map([
    ...configured.map(({ name }) => [keyId('environment', name), name] as const),
    ...stored.map(({ name }) => [keyId('store', name), name] as const),
  ]);
  const nameOf = (id: string): string | null => named.get(id) ?? null;
  return [...configured.map(configuredRecord), ...stored.map((key) => keyRecord(key, service, nameOf))];
}

/** @param nameOf returns the name of the key with an id, or null */
export function keyRecord(
  key: ListedKey,
  { environment, clock }: Pick<Service, 'environment' | 'clock'>,
  nameOf: (id: string) => string | null,
): KeyRecord {
  const shown = (seconds: number | undefined): string | null =>
    seconds === undefined ? null : formatTimestamp(seconds, environment.timeZone);
  const { name, kind, expires, oldExpires, lastUsed, created, networks, createdBy } = key;
  const isOldValid = oldExpires !== undefined && oldExpires > clock.now();
  return {
    ...{ id: keyId('store', name), name, kind, expires_at: shown(expires) },
    last_used_at: lastUsed === undefined ? null : new Date(lastUsed * 1000).toISOString().slice(0, 10),
    ...{ created_at: shown(created), source: 'store', old_expires_at: isOldValid ? shown(oldExpires) : null },
    ...{ scopes: [...grantedScopes(key)], networks: [...networks] },
    created_by: createdBy === undefined ? null : { type: 'key', id: createdBy, name: nameOf(createdBy) },
  };
}

function configuredRecord({ name, kind }: KnownKey): KeyRecord {
  const unknown = { expires_at: null, last_used_at: null, created_at: null };
  return {
    ...{ id: keyId('environment', name), name, kind, ...unknown, source: 'environment', old_expires_at: null },
    ...{ scopes: [...grantedScopes({ kind })], networks: [], created_by: null },
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
