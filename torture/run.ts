/** `npm run torture -- NAME --seed N …`: the long stress tests. Each prints its seed, which repeats the same requests. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { databaseNames } from '../test/support/databases.ts';
import { globalSetup, globalTeardown } from '../test/support/global-setup.ts';
import { PgBouncer, type PoolMode } from '../test/support/pgbouncer.ts';
import { backupDrills, fullDisks, migrationKills } from './backup.ts';
import { bigLog } from './big-log.ts';
import { carts } from './carts.ts';
import { clockJumps, oddStarts, zones } from './clock.ts';
import { connections } from './connections.ts';
import { coupons } from './coupons.ts';
import { needTools } from './disk.ts';
import { diskFull } from './disk-full.ts';
import { FAULTS, type FaultKind, failingCalls } from './failing-calls.ts';
import { failover } from './failover.ts';
import { fairness } from './fairness.ts';
import { followers } from './followers.ts';
import { freshness } from './freshness.ts';
import { fuzz } from './fuzz.ts';
import { history } from './history.ts';
import { journal } from './journal.ts';
import { keyTiming } from './key-timing.ts';
import { kill9 } from './kill9.ts';
import { descriptors, imagesAway, imagesReadOnly } from './limits.ts';
import { OPERATIONS, type Operation } from './load.ts';
import { mails } from './mails.ts';
import { mutants } from './mutants.ts';
import { hasOwnNetwork, rerunInOwnNetwork } from './network.ts';
import { postgresDisk } from './postgres-disk.ts';
import { powerCuts } from './power-cut.ts';
import { pricing } from './pricing.ts';
import { DoesNotApply, type Run, runWith } from './report.ts';
import { restarts } from './restarts.ts';
import { retryStorm } from './retry-storm.ts';
import { serversTrial } from './servers.ts';
import { soak } from './soak.ts';
import { ssrf } from './ssrf/run.ts';
import { suspends } from './suspend.ts';
import { webhooks } from './webhooks.ts';

interface Options {
  readonly cycles: number | undefined;
  readonly clients: number;
  readonly database: string;
  readonly stride: number;
  readonly operations: readonly Operation[] | undefined;
  readonly calls: readonly FaultKind[];
  readonly cases: number;
  readonly carts: number;
  readonly continueOnFailure: boolean;
  readonly count: number | undefined;
  readonly servers: number;
  readonly workers: number;
  readonly killEvery: number;
  readonly minutesMax: number | undefined;
  readonly load: number;
  readonly faults: boolean;
  readonly badNetwork: boolean;
  readonly pgbouncer: PoolMode | undefined;
  readonly synchronous: boolean;
  readonly products: number;
  readonly megabytes: number;
  readonly only: string;
  readonly plotFile: string | undefined;
  readonly imagesUrl: string | undefined;
}

const RUNS: Readonly<Record<string, (run: Run, options: Options) => Promise<unknown>>> = {
  kill9: async (run, { cycles = 500, clients, database, workers }) => {
    if (database !== 'postgres') return kill9(run, { cycles, clients, workers });
    return withPostgres((postgresUrl) => kill9(run, { cycles, clients, workers, postgresUrl }));
  },
  fuzz: (run, { cases, database, continueOnFailure }) => {
    const databases = databaseNames.filter((name) => database === 'both' || name === database);
    return withPostgres(() => fuzz(run, { cases, databases, continueOnFailure }));
  },
  history: async (run, given) => {
    const { count = 20_000, database, servers, workers, faults, badNetwork, pgbouncer, minutesMax = 600 } = given;
    if (badNetwork && !hasOwnNetwork()) return rerunInOwnNetwork(run.seed);
    const options = { operations: count, servers, workers, faults, badNetwork, minutesMax };
    if (database !== 'postgres') return history(run, { ...options, servers: 1 });
    return withPostgres((postgresUrl) =>
      pgbouncer === undefined
        ? history(run, { ...options, postgresUrl })
        : throughPgBouncer(postgresUrl, pgbouncer, (url) => history(run, { ...options, postgresUrl: url })),
    );
  },
  webhooks: async (run, { count = 20_000, database, killEvery }) => {
    const options = { operations: count, killEvery };
    if (database !== 'postgres') return webhooks(run, options);
    return withPostgres((postgresUrl) => webhooks(run, { ...options, postgresUrl }));
  },
  journal: async (run, { count = 20_000, database, killEvery }) => {
    const options = { operations: count, killEvery };
    if (database !== 'postgres') return journal(run, options);
    return withPostgres((postgresUrl) => journal(run, { ...options, postgresUrl }));
  },
  freshness: async (run, { count = 100_000, database, workers }) => {
    if (database !== 'postgres') return freshness(run, { writes: count, servers: 1, workers });
    const servers = workers > 1 ? 1 : 3;
    return withPostgres((postgresUrl) => freshness(run, { writes: count, servers, workers, postgresUrl }));
  },
  'failing-calls': (run, { stride, operations, calls }) =>
    failingCalls(run, { stride, faults: calls, ...(operations && { operations }) }),
  'disk-full': async (run) => {
    await diskFull(below(run, 'bytes'), 'bytes');
    await diskFull(below(run, 'names'), 'names');
  },
  'postgres-disk': async (run, { cycles = 100 }) => {
    await postgresDisk(below(run, 'tables'), 'tables', cycles);
    await postgresDisk(below(run, 'log'), 'log', cycles);
  },
  failover: (run, { cycles = 20, synchronous }) => failover(run, { cycles, synchronous }),
  limits: async (run) => {
    await descriptors(below(run, 'descriptors'));
    await imagesAway(below(run, 'away'));
    await imagesReadOnly(below(run, 'read-only'));
  },
  clock: async (run) => {
    await clockJumps(below(run, 'jumps'));
    await oddStarts(below(run, 'starts'));
    await zones(below(run, 'zones'));
    const asleep = { cycles: 2, seconds: 45 };
    await suspends(below(run, 'sleeps'), asleep);
    await withPostgres((postgresUrl) => suspends(below(run, 'sleeps-postgres'), { ...asleep, postgresUrl }));
  },
  'big-log': (run, { products, megabytes }) => bigLog(run, { products, megabytes }),
  backup: (run, { cycles = 20 }) =>
    withPostgres(async () => {
      await backupDrills(run, { cycles });
      await migrationKills(run, { cycles });
      await fullDisks(run);
    }),
  restarts: (run, { cycles = 100, workers }) => restarts(run, { cycles, workers }),
  'power-cut': (run, { cycles = 200, clients, workers }) => powerCuts(run, { cycles, clients, workers }),
  ssrf: (run) => ssrf(run),
  connections: (run) => connections(run, { slow: 1000, idle: 20_000, chunks: 1_000_000 }),
  mutants: (run, { only }) => withPostgres(() => mutants(run, { only })),
  fairness: (run) => fairness(run),
  'retry-storm': (run, { count = 1000, minutesMax = 0.5 }) =>
    retryStorm(run, { clients: count, outageSeconds: minutesMax * 60 }),
  followers: (run, { minutesMax = 10, database, clients }) => {
    const options = { seconds: minutesMax * 60, isPostgres: database === 'postgres', clients };
    return options.isPostgres ? withPostgres(() => followers(run, options)) : followers(run, options);
  },
  servers: (run, { minutesMax = 10, imagesUrl }) =>
    withPostgres((postgresUrl) => serversTrial(run, { postgresUrl, minutes: minutesMax, imagesUrl })),
  mails: (run, { count = 10_000, database }) => {
    const options = { mails: count, killEvery: 5 };
    if (database !== 'postgres') return mails(run, options);
    return withPostgres((postgresUrl) => mails(run, { ...options, postgresUrl }));
  },
  coupons: (run, { minutesMax = 10, database }) => {
    const options = { seconds: minutesMax * 60, killEvery: 5 };
    if (database !== 'postgres') return coupons(run, { ...options, servers: 1 });
    return withPostgres((postgresUrl) => coupons(run, { ...options, servers: 3, postgresUrl }));
  },
  soak: (run, { minutesMax = 10, load, plotFile }) => soak(run, { minutes: minutesMax, load, plotFile }),
  pricing: (run, given) => pricing(run, { carts: given.carts, minutesMax: given.minutesMax }),
  carts: (run, given) => {
    const database = given.database === 'postgres' ? 'postgres' : 'sqlite';
    return withPostgres(() => carts(run, { carts: given.carts, database }));
  },
  'key-timing': async (run, { count = 100_000 }) => keyTiming(run, { samples: count }),
};

async function withPostgres<T>(work: (url: string) => Promise<T>): Promise<T> {
  await globalSetup();
  try {
    return await work(process.env.TEST_POSTGRES_URL!);
  } finally {
    await globalTeardown();
  }
}

async function throughPgBouncer<T>(target: string, mode: PoolMode, work: (url: string) => Promise<T>): Promise<T> {
  needTools({ pgbouncer: 'pgbouncer' });
  const bouncer = await PgBouncer.before(target, mode);
  try {
    return await work(bouncer.url);
  } finally {
    await bouncer.remove();
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    cycles: { type: 'string' },
    clients: { type: 'string', default: '4' },
    database: { type: 'string', default: 'sqlite' },
    stride: { type: 'string', default: '1' },
    operations: { type: 'string' },
    calls: { type: 'string' },
    cases: { type: 'string', default: '20000' },
    carts: { type: 'string', default: '100000' },
    count: { type: 'string' },
    servers: { type: 'string', default: '1' },
    workers: { type: 'string', default: '1' },
    'kill-every': { type: 'string', default: '400' },
    minutes: { type: 'string' },
    load: { type: 'string', default: '0.5' },
    faults: { type: 'boolean', default: false },
    pgbouncer: { type: 'string' },
    'bad-network': { type: 'boolean', default: false },
    synchronous: { type: 'boolean', default: false },
    products: { type: 'string', default: '200000' },
    megabytes: { type: 'string', default: '1024' },
    'go-on': { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    plot: { type: 'string' },
  },
});
const [name = ''] = positionals;
const chosen = RUNS[name];
if (!chosen) {
  console.error(
    [
      'usage: npm run torture -- NAME [--seed N] [options]',
      `NAME is one of: ${Object.keys(RUNS).join(', ')}`,
      'See torture/README.md for the runs and their options.',
    ].join('\n'),
  );
  process.exit(2);
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9));
console.log(`torture ${name} --seed ${seed}`);
const started = performance.now();
try {
  const options: Options = {
    cycles: values.cycles === undefined ? undefined : Number(values.cycles),
    clients: Number(values.clients),
    database: values.database,
    stride: Number(values.stride),
    calls: FAULTS.filter(({ call }) => values.calls === undefined || values.calls.split(',').includes(call)),
    cases: Number(values.cases),
    carts: Number(values.carts),
    continueOnFailure: values['go-on'],
    count: values.count === undefined ? undefined : Number(values.count),
    servers: Number(values.servers),
    workers: Number(values.workers),
    killEvery: Number(values['kill-every']),
    minutesMax: values.minutes === undefined ? undefined : Number(values.minutes),
    load: Number(values.load),
    faults: values.faults,
    pgbouncer: values.pgbouncer as PoolMode | undefined,
    badNetwork: values['bad-network'] && values.database === 'postgres',
    synchronous: values.synchronous,
    products: Number(values.products),
    megabytes: Number(values.megabytes),
    only: values.only,
    plotFile: values.plot,
    imagesUrl: process.env.IMAGES_URL,
    operations: values.operations?.split(',').map((one) => {
      if (OPERATIONS.includes(one as Operation)) return one as Operation;
      throw new Error(`--operations must be a comma-separated list of ${OPERATIONS.join(', ')}.`);
    }),
  };
  await runWith(name, seed, async (run) => void (await chosen(run, options)));
  console.log(`Passed in ${Math.round((performance.now() - started) / 1000)} s.`);
} catch (error) {
  if (error instanceof DoesNotApply) console.log(`Skipped: ${error.message}`);
  else if (!(error instanceof Error)) throw error;
  else {
    if (error.name !== 'Broken') console.error(error);
    process.exitCode = 1;
  }
}

/** Creates a subfolder for one part of a run. */
function below(run: Run, name: string): Run {
  const folder = join(run.folder, name);
  mkdirSync(folder);
  return { ...run, folder };
}
