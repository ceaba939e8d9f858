/**
 * `npm run bench:overload`: how the server does at ten times what it can do. For small writes, small reads and lists: the
 * p99 of a client that is alone, the most that can be done, and then ten times that, from clients that ignore 503 and from
 * clients that wait as they are told; with the limits as they come and with none. Prints figures and asserts nothing.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { isPinned, onCore } from './load.ts';
import { describeMachine } from './machine.ts';
import type { LoadOptions, LoadResult } from './overload-load.ts';
import { KEY, PRODUCTS } from './places.ts';
import { seedStore } from './seed.ts';
import { startServer } from './servers.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '320' },
    only: { type: 'string', default: 'write,read,list' },
  },
});
const seconds = Number(options.seconds);
const connections = Number(options.connections);

/** Numbers of clients of which the best makes the peak. */
const PEAK_CLIENTS = [8, 16, 32];

const KINDS: Readonly<Record<string, LoadOptions['request']>> = {
  write: ['POST', '/api/products/{id}/stock', '{"delta":1}'],
  read: ['GET', '/api/products/{id}'],
  list: ['GET', '/api/products?itemsPerPage=100&page={id}&price[gt]=0'],
};
const ID_MAX: Readonly<Record<string, number>> = { write: PRODUCTS, read: PRODUCTS, list: PRODUCTS / 100 };

const NO_LIMITS = { READS_AT_ONCE_MAX: '0', LISTS_AT_ONCE_MAX: '0', WRITES_AT_ONCE_MAX: '0', CONNECTIONS_MAX: '0' };
/** Kept answers would hide what a read costs. */
const USUAL = { RESPONSE_CACHE_BYTES_MAX: '0' };

await seedStore(console.log);
console.log(`${describeMachine()}; ${isPinned ? 'server on one core, load on another' : 'not pinned to cores'}.`);
console.log(`${seconds} s each after 1 s of warming up; overload from ${connections} connections.\n`);
console.log(
  '| Work | Limits | Clients at ten times | Alone p99, ms | Peak a s | Accepted p99, ms | ÷ alone | Goodput ÷ peak | Refused a s | Refused p99, ms | Failed | Health |',
);
console.log('|---|---|---|---|---|---|---|---|---|---|---|---|');
for (const kind of options.only.split(',')) {
  for (const [limits, environment] of [
    ['as they come', USUAL],
    ['none', { ...USUAL, ...NO_LIMITS }],
  ] as const) {
    const server = await startServer('purveyor + cache', environment);
    const run = (more: Partial<LoadOptions>) => load({ address: server.address, ...more }, kind);
    const alone = await run({ connections: 1 });
    let peak = 0;
    for (const clients of PEAK_CLIENTS) peak = Math.max(peak, (await run({ connections: clients })).acceptedPerSecond);
    for (const isPolite of limits === 'none' ? [false] : [false, true]) {
      const health = watchHealth(server.address);
      const over = await run({ connections, perSecond: 10 * peak, isPolite });
      const cells = [
        ...[kind, limits, isPolite ? 'wait as told' : 'ignore 503'],
        ...[alone.p99.toFixed(1), peak.toFixed(0), over.p99.toFixed(1), (over.p99 / alone.p99).toFixed(1)],
        ...[(over.acceptedPerSecond / peak).toFixed(2), over.refusedPerSecond.toFixed(0), over.refusedP99.toFixed(1)],
        ...[over.failed, await health()],
      ];
      console.log(`| ${cells.join(' | ')} |`);
    }
    await server.stop();
  }
}

async function load(more: Partial<LoadOptions>, kind: string): Promise<LoadResult> {
  const all: Partial<LoadOptions> = {
    key: KEY,
    perSecond: 0,
    isPolite: false,
    seconds,
    request: KINDS[kind]!,
    idMax: ID_MAX[kind]!,
    ...more,
  };
  const file = fileURLToPath(new URL('overload-load.ts', import.meta.url));
  const [program, rest] = onCore(1, [process.execPath, file, JSON.stringify(all)]);
  return JSON.parse((await promisify(execFile)(program, rest)).stdout);
}

/** Asks ten times a second meanwhile. @returns what ends it and says how many of the answers were a 200 */
function watchHealth(address: string): () => Promise<string> {
  let isOver = false;
  let asked = 0;
  let fine = 0;
  const watching = (async () => {
    while (!isOver) {
      asked += 1;
      const answer = await fetch(`${address}/healthz`).catch(() => undefined);
      if (answer?.status === 200) fine += 1;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  return async () => {
    isOver = true;
    await watching;
    return `${fine} of ${asked}`;
  };
}
