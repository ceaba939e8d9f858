/** `purveyor serve` as a single process: opens the store, listens and prints the start screen. */
import { lockStore } from '../adapters/sqlite/lock.ts';
import type { Secrets } from '../engine/index.ts';
import { environmentOf, openStore, sqliteFile } from '../wiring/open.ts';
import type { Config } from '../wiring/settings/index.ts';
import { collectMetrics } from './collect-metrics.ts';
import { listenForMetrics, socketOfSupervisor } from './listening.ts';
import { addressOf, callableAddress, followsHost } from './own-address.ts';
import { announceReady, prepareStore } from './ready.ts';
import { startServerProcess } from './server-process.ts';
import type { Output } from './start.ts';

export interface RunningServer {
  readonly address: string;
  /** Address of `/metrics`, if metrics are on. */
  readonly metrics: string | undefined;
  /**
   * Resolves with a message when the server must end, for example because writes are no longer safe. The store is
   * read-only from then on; the caller stops the server.
   */
  readonly broken: Promise<Error>;
  /** Resolves when the background work that requests have started is done. */
  settled(): Promise<void>;
  stop(): Promise<void>;
  /** Replaces the workers one by one without downtime. Undefined for a single process. */
  renew?(): void;
}

/** @param secrets as of `openStore` */
export async function serve(
  config: Config,
  environment: Readonly<Record<string, string | undefined>>,
  output: Output,
  secrets?: Secrets,
): Promise<RunningServer> {
  const file = sqliteFile(config);
  const unlock = file === undefined ? () => {} : lockStore(file);
  const storeEnvironment = { ...environmentOf(config), hasOtherAddresses: followsHost(config) };
  storeEnvironment.baseUrl ||= addressOf(config.host, config.port);
  const serverMetrics = await collectMetrics(config);
  const store = await openStore(config, { environment: storeEnvironment, metrics: serverMetrics, secrets });
  const { service } = store;
  const notes = await prepareStore(service, config, store.migrated, output).catch(async (error) => {
    await store.close();
    throw error;
  });
  const metrics = serverMetrics && (await listenForMetrics(serverMetrics, config));
  const socket = socketOfSupervisor(environment);
  const server = await startServerProcess(store, config, {
    ...{ metrics: serverMetrics, isOnlyProcess: file !== undefined, socket, isTTY: output.isTTY },
  });
  const { port, broken, hasKeys, settled } = server;
  const address = addressOf(config.host, port);
  if (config.baseUrl === '') storeEnvironment.baseUrl = address;
  const metricsAddress = metrics && `${callableAddress(config.host, metrics.port)}/metrics`;
  await announceReady(service, config, output, { environment, port, metrics: metricsAddress, notes, hasKeys });
  return {
    ...{ address, metrics: metricsAddress, broken, settled },
    async stop() {
      await server.stop({ hasSuccessor: socket !== undefined });
      await metrics?.stop();
      unlock();
    },
  };
}
