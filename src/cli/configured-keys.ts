/** The keys of the environment, under the names that clients read. */
import { digestOf, type KnownKey } from '../store/keys.ts';
import type { Config } from '../wiring/config.ts';

/** Clients read a key's name in refusals and in an order's history: it says what the key is, not where it is set. */
export function configuredKeys({
  apiKeyReadWrite,
  apiKeyReadOnly,
}: Pick<Config, 'apiKeyReadWrite' | 'apiKeyReadOnly'>): KnownKey[] {
  const keys: KnownKey[] = [];
  if (apiKeyReadWrite !== undefined)
    keys.push({ name: 'read/write', kind: 'read-write', digest: digestOf(apiKeyReadWrite) });
  if (apiKeyReadOnly !== undefined)
    keys.push({ name: 'read-only', kind: 'read-only', digest: digestOf(apiKeyReadOnly) });
  return keys;
}
