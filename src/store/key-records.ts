/** API keys as records of the HTTP interface: those of the store and those of the environment (http.md §19). */
import { hash } from 'node:crypto';
import { formatTimestamp, type Service } from '../engine/index.ts';
import { type KnownKey, type ListedKey, listKeys } from './keys.ts';
import type { KeyKind } from './state.ts';

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
};

/** Returns the keys of the environment, then those of the store, each sorted by name. */
export async function keyRecords(service: Service, configured: readonly KnownKey[]): Promise<KeyRecord[]> {
  const stored = await listKeys(service);
  return [...configured.map(configuredRecord), ...stored.map((key) => keyRecord(key, service))];
}

export function keyRecord(key: ListedKey, { environment, clock }: Pick<Service, 'environment' | 'clock'>): KeyRecord {
  const shown = (seconds: number | undefined): string | null =>
    seconds === undefined ? null : formatTimestamp(seconds, environment.timeZone);
  const { name, kind, expires, oldExpires, lastUsed, created } = key;
  const isOldValid = oldExpires !== undefined && oldExpires > clock.now();
  return {
    ...{ id: idOf('store', name), name, kind, expires_at: shown(expires) },
    last_used_at: lastUsed === undefined ? null : new Date(lastUsed * 1000).toISOString().slice(0, 10),
    ...{ created_at: shown(created), source: 'store', old_expires_at: isOldValid ? shown(oldExpires) : null },
  };
}

function configuredRecord({ name, kind }: KnownKey): KeyRecord {
  const unknown = { expires_at: null, last_used_at: null, created_at: null };
  return { id: idOf('environment', name), name, kind, ...unknown, source: 'environment', old_expires_at: null };
}

/**
 * Derives the id from the name, which is unique: a UUID of version 8 (RFC 9562 §5.8). It stays the same when the key is
 * rotated, and contains no information about the key.
 */
function idOf(source: KeyRecord['source'], name: string): string {
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
