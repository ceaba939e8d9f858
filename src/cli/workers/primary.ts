/**
 * `purveyor serve` with several workers. The primary process locks an embedded database, prepares the store, prints the
 * start screen and owns the socket on which the workers accept connections. It serves no requests itself except
 * `/metrics`.
 */
import { pino } from 'pino';
import { lockStore } from '../../adapters/sqlite/lock.ts';
import { createCounts } from '../../http/admission/rate-limits.ts';
import { AggregatedMetrics } from '../../metrics/aggregate.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import { readStoreState } from '../../store/state.ts';
import { openStore, sqliteFile } from '../../wiring/open.ts';
import type { Config } from '../../wiring/settings/index.ts';
import { collectMetrics } from '../collect-metrics.ts';
import { knownPort, listenForMetrics, socketOfSupervisor } from '../listening.ts';
import { addressOf, callableAddress } from '../own-address.ts';
import { announceReady, prepareStore } from '../ready.ts';
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
    const notes = await prepareStore(service, config, migrated, output);
    const socket = socketOfSupervisor(environment);
    // The primary's processor time and memory are part of the server's.
    const own = await collectMetrics(config);
    const total = new AggregatedMetrics(
      async () =>
        new Map<object, Awaited<ReturnType<Metrics['json']>>>([
          ...(await cluster.metrics()),
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
      onEnd: (worker, last) => void total.ended(worker, last),
    });
    const metrics = own && (await listenForMetrics(total, config));
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
    // From now on only the workers use the store.
    await close();
  }
}
