/** `purveyor serve` as one process: opens the store, listens, prints one helpful screen; stops when it is told to. */
import { lockStore } from '../adapters/sqlite/lock.ts';
import type { Secrets } from '../engine/index.ts';
import type { Config } from '../wiring/config.ts';
import { environmentOf, openStore, sqliteFile } from '../wiring/open.ts';
import { collectMetrics } from './figures.ts';
import { listenForMetrics, socketOfSupervisor } from './listening.ts';
import { addressOf, callableAddress, followsHost } from './own-address.ts';
import { announceReady, makeReady } from './ready.ts';
import { answer } from './server-process.ts';
import type { Output } from './start.ts';

export interface RunningServer {
  readonly address: string;
  /** Of `/metrics`, where there is one. */
  readonly metrics: string | undefined;
  /**
   * Resolves with a sentence when the server has to end, as where the store must not be written any more: it is read-only
   * then, and whoever runs it ends it.
   */
  readonly broken: Promise<Error>;
  /** Resolves when what the requests so far left to be done beside them is done. */
  settled(): Promise<void>;
  stop(): Promise<void>;
  /** Puts new processes in the place of those that answer, where that is possible without a gap. */
  renew?(): void;
}

/** @param secrets as `openStore` takes them */
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
  const notes = await makeReady(service, config, store.migrated, output).catch(async (error) => {
    await store.close();
    throw error;
  });
  const metrics = serverMetrics && (await listenForMetrics(serverMetrics, config));
  const socket = socketOfSupervisor(environment);
  const answering = await answer(store, config, { metrics: serverMetrics, isAlone: file !== undefined, socket });
  const { port, broken, hasKeys, settled } = answering;
  const address = addressOf(config.host, port);
  if (config.baseUrl === '') storeEnvironment.baseUrl = address;
  const metricsAddress = metrics && `${callableAddress(config.host, metrics.port)}/metrics`;
  await announceReady(service, config, output, { environment, port, metrics: metricsAddress, notes, hasKeys });
  return {
    ...{ address, metrics: metricsAddress, broken, settled },
    async stop() {
      await answering.stop({ hasSuccessor: socket !== undefined });
      await metrics?.stop();
      unlock();
    },
  };
}
