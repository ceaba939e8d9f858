/**
 * `purveyor serve` with several workers. The first process holds the lock of an embedded database, makes the store ready, tells of
 * the start, and holds the socket on which the workers accept; it answers nothing itself but `/metrics`.
 */
import { pino } from 'pino';
import { lockStore } from '../../adapters/sqlite/lock.ts';
import { createCounts } from '../../http/admission/rate-limits.ts';
import { Sum } from '../../metrics/aggregate.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import { readStoreState } from '../../store/state.ts';
import type { Config } from '../../wiring/config.ts';
import { openStore, sqliteFile } from '../../wiring/open.ts';
import { collectMetrics } from '../figures.ts';
import { knownPort, listenForMetrics, socketOfSupervisor } from '../listening.ts';
import { addressOf, callableAddress } from '../own-address.ts';
import { announceReady, makeReady } from '../ready.ts';
import type { RunningServer } from '../serve.ts';
import type { Output } from '../start.ts';
import { Cluster } from './cluster.ts';
import { SOCKET_VARIABLE } from './messages.ts';

export async function serveByWorkers(
  config: Config,
  environment: Readonly<Record<string, string | undefined>>,
  output: Output,
): Promise<RunningServer> {
  const file = sqliteFile(config);
  const unlock = file === undefined ? () => {} : lockStore(file);
  const { service, migrated, close } = await openStore(config);
  try {
    const notes = await makeReady(service, config, migrated, output);
    const socket = socketOfSupervisor(environment);
    // Its own processor time and memory belong to the server's.
    const own = await collectMetrics(config);
    const sum = new Sum(
      async () =>
        new Map<object, Awaited<ReturnType<Metrics['json']>>>([
          ...(await cluster.figures()),
          [own!, await own!.json()],
        ]),
    );
    const cluster = new Cluster({
      count: config.workers,
      environment: {
        ...{ WORKERS: String(config.workers), PORT: String(await knownPort(config)) },
        ...(socket !== undefined && { [SOCKET_VARIABLE]: String(socket) }),
      },
      counts: createCounts(config),
      log: pino({ level: config.logLevel }),
      onEnd: (worker, figures) => void sum.ended(worker, figures),
    });
    const metrics = own && (await listenForMetrics(sum, config));
    const port = await cluster.start();
    const metricsAddress = metrics && `${callableAddress(config.host, metrics.port)}/metrics`;
    const hasKeys = async (): Promise<boolean> =>
      config.apiKeyReadWrite !== undefined ||
      config.apiKeyReadOnly !== undefined ||
      (await readStoreState(service)).keys.length > 0;
    await announceReady(service, config, output, { environment, port, metrics: metricsAddress, notes, hasKeys });
    return {
      ...{ address: addressOf(config.host, port), metrics: metricsAddress, broken: cluster.broken },
      settled: () => Promise.resolve(),
      renew: () => cluster.renew(),
      async stop() {
        await cluster.stop();
        await metrics?.stop();
        unlock();
      },
    };
  } finally {
    // From here on the store is the workers' alone.
    await close();
  }
}
