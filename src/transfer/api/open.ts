/** Opens the store that a command works with: the one in the settings, in this process, or another one over HTTP. */
import type { Actor } from '../../engine/index.ts';
import type { Config } from '../../wiring/settings/index.ts';
import { openLocal } from './local-store.ts';
import { openRemote, type RemoteStore } from './remote-store.ts';
import type { StoreApi } from './store-api.ts';

interface OpenApi {
  readonly api: StoreApi;
  close(): Promise<void>;
}

/**
 * @param remote the store to use instead of the one in the settings
 * @param by who reads or writes, for the audit of the store in the settings
 */
export async function openApi(
  config: Config,
  remote: RemoteStore | undefined,
  by: Pick<Actor, 'type' | 'id'>,
): Promise<OpenApi> {
  return remote ? { api: openRemote(remote), close: async () => {} } : openLocal(config, by);
}
