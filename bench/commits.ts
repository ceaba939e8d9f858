/**
 * `npm run bench:commits`: 32 clients create products while others read, on SQLite: one write at a time, which has its commit
 * for itself, and as it comes, where those that wait together share one. On the disk as it is, and with each flush made 5 ms
 * slower. Rounds go from server to server. Prints figures and asserts nothing.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { isPinned, loadTool, measure, onCore } from './load.ts';
import { describeMachine, isInstalled } from './machine.ts';
import type { LoadOptions, LoadResult } from './overload-load.ts';
import { KEY, PRODUCTS } from './places.ts';
import { medianOf } from './results.ts';
import { SCENARIOS } from './scenarios.ts';
import { seedStore } from './seed.ts';
import { startServer } from './servers.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
    /** Microseconds that each flush takes longer. */
    delay: { type: 'string', default: '5000' },
  },
});
const [seconds, rounds] = [Number(options.seconds), Number(options.rounds)];
const creates = SCENARIOS.find(({ name }) => name === 'create')!;

/** They find the server at the moments of their own choosing, however long it takes. */
const READS: Pick<LoadOptions, 'connections' | 'perSecond' | 'requests'> = {
  connections: 32,
  perSecond: 100,
  requests: [{ method: 'GET', path: '/api/products/{id}', idMax: PRODUCTS }],
};

/** Nobody is refused: at the beginning of a measurement the writes of the load before it may still wait. */
const ALL_WAIT = { WAIT_MS_MAX: '0' };
const ONE_AT_A_TIME = { ...ALL_WAIT, WRITES_AT_ONCE_MAX: '1' };

/** The server stays the child of this process, and only the calls that flush are stopped at. */
const SLOWED = [
  ...['strace', '-D', '-f', '--seccomp-bpf', '-qq', '-o', '/dev/null'],
  ...['-e', 'trace=fsync,fdatasync', '-e', `inject=fsync,fdatasync:delay_exit=${options.delay}`],
];

interface Figures {
  readonly createsPerSecond: number;
  readonly readsP99: number;
}

await seedStore(console.log);
console.log(`${describeMachine()}; ${loadTool}, ${isPinned ? 'server on one core, load on another' : 'not pinned'}.`);
console.log(`Medians of ${rounds} rounds of ${seconds} s.\n`);
console.log(
  '| Disk | Creates a second, one at a time | shared | shared ÷ one at a time | Reads’ p99 beside them, ms: one at a time | shared |',
);
console.log('|---|---|---|---|---|---|');
await compare('as it is', []);
if (isInstalled('strace')) await compare(`each flush ${Number(options.delay) / 1000} ms slower`, SLOWED);
else console.log('Flushes are made slower with strace (apt-get install strace).');

async function compare(disk: string, through: readonly string[]): Promise<void> {
  const start = (settings: Readonly<Record<string, string>>) =>
    startServer('purveyor + cache', settings, (command) => onCore(0, [...through, ...command]));
  const all = { single: [] as Figures[], shared: [] as Figures[] };
  for (let round = 0; round < rounds; round += 1)
    for (const [kind, settings] of [
      ['single', ONE_AT_A_TIME],
      ['shared', ALL_WAIT],
    ] as const) {
      const server = await start(settings);
      // The code is compiled first.
      await measure(server.address, creates, 1);
      const [createsPerSecond, { p99 }] = await Promise.all([
        measure(server.address, creates, seconds + 1),
        read(server.address),
      ]);
      all[kind].push({ createsPerSecond, readsP99: p99 });
      await server.stop();
    }
  const median = (kind: keyof typeof all, name: keyof Figures): string =>
    medianOf(all[kind].map((figures) => figures[name])).toFixed(0);
  const ratio = medianOf(
    all.shared.map((shared, round) => shared.createsPerSecond / all.single[round]!.createsPerSecond),
  );
  const cells = [
    ...[disk, median('single', 'createsPerSecond'), median('shared', 'createsPerSecond'), ratio.toFixed(2)],
    ...[median('single', 'readsP99'), median('shared', 'readsP99')],
  ];
  console.log(`| ${cells.join(' | ')} |`);
}

async function read(address: string): Promise<LoadResult> {
  const all: LoadOptions = { address, key: KEY, isPolite: false, seconds, ...READS };
  const file = fileURLToPath(new URL('overload-load.ts', import.meta.url));
  const [program, rest] = onCore(1, [process.execPath, file, JSON.stringify(all)]);
  return JSON.parse((await promisify(execFile)(program, rest)).stdout);
}
