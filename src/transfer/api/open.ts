/** The store that a command works with: the one of the settings, in this process, or another over HTTP. */
import type { Config } from '../../wiring/config.ts';
import { type FarStore, openFar } from './far.ts';
import { openHere } from './here.ts';
import type { StoreApi } from './store-api.ts';

interface OpenApi {
  readonly api: StoreApi;
  close(): Promise<void>;
}

/** @param far another store than that of the settings */
export async function openApi(config: Config, far: FarStore | undefined): Promise<OpenApi> {
  return far ? { api: openFar(far), close: async () => {} } : openHere(config);
}
