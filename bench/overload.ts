/**
 * `npm run bench:overload`: the server at ten times its capacity. For small writes, small reads and lists, measures the p99 of
 * a single client, the peak rate, and ten times the peak rate from clients that ignore 503 or respect `Retry-After`, with the
 * default limits and without limits. Then measures 32 clients that wait for each response, and a client during a flood from
 * another key. Asserts no times.
 */
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { FLOOD_KEY, KEY, PRODUCTS } from './constants.ts';
import { isPinned, onCore } from './load.ts';
import { describeMachine } from './machine.ts';
import type { LoadOptions, LoadResult } from './overload-load.ts';
import { seedStore } from './seed.ts';
import { startServer } from './servers.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '320' },
    only: { type: 'string', default: 'write,read,list,32,flood' },
  },
});
const seconds = Number(options.seconds);
const connections = Number(options.connections);

/** The peak is the best rate with one of these numbers of clients. */
const PEAK_CLIENTS = [8, 16, 32];

/** This many clients must never be rejected. */
const USUAL_CLIENTS = 32;

const KINDS: Readonly<Record<string, LoadOptions['requests'][number]>> = {
  write: { method: 'POST', path: '/api/products/{id}/stock', body: '{"delta":1}', idMax: PRODUCTS },
  read: { method: 'GET', path: '/api/products/{id}', idMax: PRODUCTS },
  list: {
    method: 'GET',
    path: '/api/products?itemsPerPage=100&page={id}&price[gt]=0',
    idMax: PRODUCTS / 100,
  },
  name: { method: 'GET', path: '/api/products?itemsPerPage=100&name={id}', idMax: 1000 },
};

const NO_LIMITS = { READS_AT_ONCE_MAX: '0', LISTS_AT_ONCE_MAX: '0', WRITES_AT_ONCE_MAX: '0', CONNECTIONS_MAX: '0' };
/** The response cache would hide the cost of reads. */
const DEFAULTS = { RESPONSE_CACHE_BYTES_MAX: '0' };

await seedStore(console.log);
console.log(`${describeMachine()}; ${isPinned ? 'server on one core, load on another' : 'not pinned to cores'}.`);
console.log(`${seconds} s each after 1 s of warm-up; overload from ${connections} connections.\n`);
const only = options.only.split(',');
await measureTenTimes(only.filter((each) => each in KINDS));
if (only.includes('32')) await measureUsualClients();
if (only.includes('flood')) await measureFloods();

async function measureTenTimes(kinds: readonly string[]): Promise<void> {
  console.log(
    '| Work | Limits | Clients at ten times | Alone p99, ms | Peak a s | Accepted p99, ms | ÷ alone | Goodput ÷ peak | Rejected a s | Rejected p99, ms | Failed | Health |',
  );
  console.log('|---|---|---|---|---|---|---|---|---|---|---|---|');
  for (const kind of kinds) {
    for (const [limits, environment] of [
      ['default', DEFAULTS],
      ['none', { ...DEFAULTS, ...NO_LIMITS }],
    ] as const) {
      const server = await startServer('purveyor + cache', environment);
      const run = (more: Partial<LoadOptions>) => load({ address: server.address, ...more }, [kind]);
      const alone = await run({ connections: 1 });
      let peak = 0;
      for (const clients of PEAK_CLIENTS)
        peak = Math.max(peak, (await run({ connections: clients })).acceptedPerSecond);
      for (const isPolite of limits === 'none' ? [false] : [false, true]) {
        const health = watchHealth(server.address);
        const over = await run({ connections, perSecond: 10 * peak, isPolite });
        const cells = [
          ...[kind, limits, isPolite ? 'respect `Retry-After`' : 'ignore 503'],
          ...[alone.p99.toFixed(1), peak.toFixed(0), over.p99.toFixed(1), (over.p99 / alone.p99).toFixed(1)],
          ...[
            (over.acceptedPerSecond / peak).toFixed(2),
            over.rejectedPerSecond.toFixed(0),
            over.rejectedP99.toFixed(1),
          ],
          ...[over.failed, await health()],
        ];
        console.log(`| ${cells.join(' | ')} |`);
      }
      await server.stop();
    }
  }
}

/** Each client waits for its response and sends the next request immediately. None should be rejected. */
async function measureUsualClients(): Promise<void> {
  console.log('\n| 32 clients | Responses a s | p50, ms | p99, ms | Rejected | Failed |');
  console.log('|---|---|---|---|---|---|');
  const server = await startServer('purveyor + cache', DEFAULTS);
  for (const kinds of [['read'], ['write'], ['list'], ['name'], Object.keys(KINDS)]) {
    const usual = await load({ address: server.address, connections: USUAL_CLIENTS }, kinds);
    const cells = [
      ...[kinds.join(', '), usual.acceptedPerSecond.toFixed(0), usual.p50.toFixed(1), usual.p99.toFixed(1)],
      ...[usual.rejectedPerSecond * seconds, usual.failed],
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
  await server.stop();
}

/** One client alone, and during a flood that ignores 503: from one other key, or from a different invalid key per request. */
async function measureFloods(): Promise<void> {
  console.log(
    '\n| Work | Flood | Well-behaved p50, ms | p99, ms | p50 ÷ alone | Rejected | Flood accepted a s | Rejected a s | Wrong key a s |',
  );
  console.log('|---|---|---|---|---|---|---|---|---|');
  for (const kind of ['read', 'list']) {
    const server = await startServer('purveyor + cache', {
      ...DEFAULTS,
      API_KEY_READ_ONLY: FLOOD_KEY,
      FAILED_KEYS_PER_MINUTE: '0',
    });
    const { address } = server;
    const alone = await load({ address, connections: 1 }, [kind]);
    for (const [flood, key] of [
      ['none', ''],
      ['one key', FLOOD_KEY],
      ['invented keys', 'invented-key-{id}'],
    ] as const) {
      // The flood starts before the measurement and ends after it.
      const flooding = key === '' ? undefined : load({ address, connections, key, seconds: seconds + 4 }, [kind]);
      if (flooding) await sleep(2000);
      const polite = flooding ? await load({ address, connections: 1 }, [kind]) : alone;
      const other = await flooding;
      const cells = [
        ...[kind, flood, polite.p50.toFixed(2), polite.p99.toFixed(2), (polite.p50 / alone.p50).toFixed(1)],
        ...[polite.rejectedPerSecond * seconds, other?.acceptedPerSecond.toFixed(0) ?? ''],
        ...[other?.rejectedPerSecond.toFixed(0) ?? '', other ? (other.failed / (seconds + 4)).toFixed(0) : ''],
      ];
      console.log(`| ${cells.join(' | ')} |`);
    }
    await server.stop();
  }
}

async function load(more: Partial<LoadOptions>, kinds: readonly string[]): Promise<LoadResult> {
  const all: Partial<LoadOptions> = {
    key: KEY,
    perSecond: 0,
    isPolite: false,
    seconds,
    requests: kinds.map((kind) => KINDS[kind]!),
    ...more,
  };
  const file = fileURLToPath(new URL('overload-load.ts', import.meta.url));
  const [program, rest] = onCore(1, [process.execPath, file, JSON.stringify(all)]);
  return JSON.parse((await promisify(execFile)(program, rest)).stdout);
}

/** Requests `/healthz` ten times per second. @returns a function that stops and reports how many responses were 200 */
function watchHealth(address: string): () => Promise<string> {
  let isOver = false;
  let sent = 0;
  let succeeded = 0;
  const watching = (async () => {
    while (!isOver) {
      sent += 1;
      const response = await fetch(`${address}/healthz`).catch(() => undefined);
      if (response?.status === 200) succeeded += 1;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  return async () => {
    isOver = true;
    await watching;
    return `${succeeded} of ${sent}`;
  };
}
