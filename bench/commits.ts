/**
 * `npm run bench:commits`: 32 clients create products on SQLite while others read. Compares one commit per write with commits
 * that concurrent writes share, on the unchanged disk and with each flush made 5 ms slower. Rounds alternate between the
 * servers. Asserts no times.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { KEY, PRODUCTS } from './constants.ts';
import { isPinned, loadTool, measure, onCore } from './load.ts';
import { describeMachine, isInstalled } from './machine.ts';
import type { LoadOptions, LoadResult } from './overload-load.ts';
import { medianOf } from './results.ts';
import { SCENARIOS } from './scenarios.ts';
import { seedStore } from './seed.ts';
import { startServer } from './servers.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
    /** Microseconds added to each flush. */
    delay: { type: 'string', default: '5000' },
  },
});
const [seconds, rounds] = [Number(options.seconds), Number(options.rounds)];
const creates = SCENARIOS.find(({ name }) => name === 'create')!;

/** Reads at a fixed rate, regardless of how long the responses take. */
const READS: Pick<LoadOptions, 'connections' | 'perSecond' | 'requests'> = {
  connections: 32,
  perSecond: 100,
  requests: [{ method: 'GET', path: '/api/products/{id}', idMax: PRODUCTS }],
};

/** No waiting limit: writes of the previous load may still wait when a measurement begins, and none may be rejected. */
const SHARED = { WAIT_MS_MAX: '0' };
const ONE_AT_A_TIME = { ...SHARED, WRITES_AT_ONCE_MAX: '1' };

/** `-D` leaves the server a child of this process; `--seccomp-bpf` traces only the calls that flush. */
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
  '| Disk | Creates per second, one at a time | shared | shared ÷ one at a time | p99 of the reads, ms: one at a time | shared |',
);
console.log('|---|---|---|---|---|---|');
await compare('unchanged', []);
if (isInstalled('strace')) await compare(`each flush ${Number(options.delay) / 1000} ms slower`, SLOWED);
else console.log('Slower flushes are not measured: strace is not installed (apt-get install strace).');

async function compare(disk: string, through: readonly string[]): Promise<void> {
  const start = (settings: Readonly<Record<string, string>>) =>
    startServer('purveyor + cache', settings, (command) => onCore(0, [...through, ...command]));
  const all = { single: [] as Figures[], shared: [] as Figures[] };
  for (let round = 0; round < rounds; round += 1)
    for (const [kind, settings] of [
      ['single', ONE_AT_A_TIME],
      ['shared', SHARED],
    ] as const) {
      const server = await start(settings);
      // Warm-up for the JIT compiler.
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
