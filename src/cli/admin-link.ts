/** `purveyor admin link`: an address that signs in to the admin page once, for whoever can run commands on the store. */
import { ADMIN_PATH } from '../http/admin/routes.ts';
import { makeToken } from '../store/sign-in-tokens.ts';
import { readStoreState, type StoredKey } from '../store/state.ts';
import type { Config } from '../wiring/config.ts';
import { openStore } from '../wiring/open.ts';
import { configuredKeys } from './configured-keys.ts';
import { callableAddress, signInAddress } from './own-address.ts';

/**
 * @param keyName the key whose rights the session has; undefined for one that may write
 * @throws {Error} one sentence with the way out
 */
export async function adminLink(config: Config, keyName: string | undefined): Promise<string> {
  if (!config.hasAdmin) throw new Error('This store has no admin page: ADMIN is off.');
  const { service, close } = await openStore(config);
  try {
    const now = service.clock.now();
    const stored = (await readStoreState(service)).keys.filter((key) => endOf(key) > now);
    // Of the store's own the one that lives longest comes first.
    stored.sort((one, other) => (endOf(one) === endOf(other) ? 0 : endOf(other) - endOf(one)));
    const configured = configuredKeys(config).map((key) => ({ ...key, hash: key.digest.toString('hex') }));
    const key = [...configured, ...stored].find(({ name, kind }) =>
      keyName === undefined ? kind === 'read-write' : name === keyName,
    );
    if (!key) throw new Error(noKey(keyName));
    const admin = `${config.baseUrl || callableAddress(config.host, config.port)}${ADMIN_PATH}`;
    return signInAddress(admin, await makeToken(service, key.hash));
  } finally {
    await close();
  }
}

function endOf({ expires }: StoredKey): number {
  return expires ?? Number.POSITIVE_INFINITY;
}

function noKey(name: string | undefined): string {
  return name === undefined
    ? 'There is no read/write key to sign in with: make one with “purveyor keys create NAME”.'
    : `There is no key “${name}” that is right; “purveyor keys list” shows those there are.`;
}
