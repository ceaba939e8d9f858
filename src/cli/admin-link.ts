/**
 * `purveyor admin link`: prints an address that signs in to the admin page once. Running commands on the store is
 * enough.
 */
import { ADMIN_PATH } from '../http/admin/routes.ts';
import { environmentKeyId } from '../store/keys/key-ids.ts';
import { commandActor } from '../store/own-requests.ts';
import { makeToken } from '../store/sign-in-tokens.ts';
import { readStoreState, type StoredKey } from '../store/state.ts';
import { openStore } from '../wiring/open.ts';
import type { Config } from '../wiring/settings/index.ts';
import { configuredKeys } from './configured-keys.ts';
import { callableAddress, signInAddress } from './own-address.ts';

/**
 * Creates a sign-in token and returns the address that contains it.
 * @param keyName the key whose permissions the session gets; undefined: any read/write key
 * @throws {Error} with a message for the operator
 */
export async function adminLink(config: Config, keyName: string | undefined): Promise<string> {
  if (!config.hasAdmin) throw new Error('This store has no admin page. Set ADMIN=on to enable it.');
  const { service, close } = await openStore(config);
  try {
    const now = service.clock.now();
    const stored = (await readStoreState(service)).keys.filter((key) => endOf(key) > now);
    // Prefer the stored key that expires last.
    stored.sort((one, other) => (endOf(one) === endOf(other) ? 0 : endOf(other) - endOf(one)));
    const configured = configuredKeys(config).map((key) => ({ ...key, hash: key.digest.toString('hex') }));
    const named = [...configured.map((each) => ({ ...each, id: environmentKeyId(each.name) })), ...stored];
    const key = named.find(({ name, kind }) => (keyName === undefined ? kind === 'read-write' : name === keyName));
    if (!key) throw new Error(noKey(keyName));
    const admin = `${config.baseUrl || callableAddress(config.host, config.port)}${ADMIN_PATH}`;
    return signInAddress(admin, await makeToken(service, key, commandActor('admin link')));
  } finally {
    await close();
  }
}

function endOf({ expires }: StoredKey): number {
  return expires ?? Number.POSITIVE_INFINITY;
}

function noKey(name: string | undefined): string {
  return name === undefined
    ? 'No read/write key exists. Create one with “purveyor keys create NAME”.'
    : `There is no valid key “${name}”. Run “purveyor keys list” to see all keys.`;
}
