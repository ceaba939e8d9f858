/** Options of commands that can work on a remote store over HTTP instead of the configured one. */
import type { Command } from 'commander';
import type { RemoteStore } from '../../transfer/api/remote-store.ts';

/** Environment variable with the API key of a remote store. */
export const KEY_VARIABLE = 'PURVEYOR_KEY';
/** Environment variable with the API key of the remote store that `import store` writes to. */
export const TARGET_KEY_VARIABLE = 'PURVEYOR_STORE_KEY';

/** Options of commands that can also work on a remote store. */
export interface RemoteOptions {
  readonly store?: string | undefined;
  readonly key?: string | undefined;
}

/** Adds the options to a command. */
export function withRemoteOptions(command: Command): Command {
  return command
    .option('--store <address>', 'remote store to use over HTTP; default: the configured store')
    .option('--key <key>', `API key of the remote store; visible in process lists, so prefer ${KEY_VARIABLE}`);
}

/** Returns the remote store of the options; undefined for the configured one. @throws {Error} if its key is missing */
export function remoteStore({ store, key }: RemoteOptions, variable = KEY_VARIABLE): RemoteStore | undefined {
  if (store === undefined) return undefined;
  const given = key ?? process.env[variable];
  if (!given) throw new Error(`The API key of the remote store is missing. Set ${variable}, or pass it as an option.`);
  return { address: store, key: given };
}
