/** API keys from the environment. */
import { digestOf, type KnownKey } from '../store/keys.ts';
import type { Config } from '../wiring/settings/index.ts';

/**
 * Clients see a key's name in errors and in an order's history, so it says what the key may do, not where it is set.
 */
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
