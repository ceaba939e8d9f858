/** The ids of API keys. They stay the same when a key is rotated, and contain no information about the key. */
import { hash } from 'node:crypto';

/** @param id stored with the key; null for keys of earlier program versions, whose id follows from their name */
export function storedKeyId(id: unknown, name: string): string {
  return (id as string | null) ?? keyId('store', name);
}

const environmentIds = new Map<string, string>();

/** The id of a key of the environment, derived once, because every write of such a key needs it. */
export function environmentKeyId(name: string): string {
  const id = environmentIds.get(name) ?? keyId('environment', name);
  environmentIds.set(name, id);
  return id;
}

/** Derives an id from a name: a UUID of version 8 (RFC 9562 §5.8). It contains no information about the key. */
function keyId(source: 'store' | 'environment', name: string): string {
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
