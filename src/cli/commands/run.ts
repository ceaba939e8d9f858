/** Runs actions of commands: reads the settings, prints errors as one line, opens and closes the store. */
import { readConfig } from '../../wiring/config.ts';
import type { OpenStore } from '../../wiring/open.ts';
import type { Config } from '../../wiring/settings/index.ts';

export const EXIT_FAILURE = 1;

type Action = (config: Config, ...rest: never[]) => Promise<void>;

/** Reads the settings first. Prints any error as one line and exits with code 1. */
export function run(action: Action): (...rest: unknown[]) => Promise<void> {
  return async (...rest) => {
    try {
      await action(readConfig(process.env), ...(rest as never[]));
    } catch (error) {
      console.error((error as Error).message);
      if (process.env.LOG_LEVEL === 'debug') console.error(error);
      process.exit(EXIT_FAILURE);
    }
  };
}

/** Opens the store of the settings for an action, and closes it afterwards. */
export function withStore<A extends unknown[]>(
  action: (store: OpenStore, ...rest: A) => Promise<void>,
): (config: Config, ...rest: A) => Promise<void> {
  return async (config, ...rest) => {
    const { databaseLocation, openStore } = await import('../../wiring/open.ts');
    const store = await openStore(config);
    if (store.isNew)
      console.error(
        `Created a new store in ${databaseLocation(config)}. If you meant another store, run the command with the settings of its server, such as DATABASE_URL.`,
      );
    try {
      await action(store, ...rest);
    } finally {
      await store.close();
    }
  };
}

/** Aborts on the first signal. A second one ends the process as usual. */
export function interruption(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => stopping.abort(new Error('Stopped.')));
  return stopping.signal;
}
