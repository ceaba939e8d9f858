/** The store that a command works with: the one of the settings, in this process, or another over HTTP. */
import type { Config } from '../../wiring/config.ts';
import { openLocal } from './local-store.ts';
import { openRemote, type RemoteStore } from './remote-store.ts';
import type { StoreApi } from './store-api.ts';

interface OpenApi {
  readonly api: StoreApi;
  close(): Promise<void>;
}

/** @param far another store than that of the settings */
export async function openApi(config: Config, far: RemoteStore | undefined): Promise<OpenApi> {
  return far ? { api: openRemote(far), close: async () => {} } : openLocal(config);
}
