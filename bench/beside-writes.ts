/**
 * `npm run bench:beside-writes`: reads with the cache off, with the cache on, and with the cache on during 50 writes per
 * second, on both databases, compared with plain HTTP with the same bodies. Rounds alternate between the servers. Asserts no
 * times.
 */
import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { parseArgs } from 'node:util';
import { PostgresServer } from '../test/support/postgres-server.ts';
import { KEY, PRODUCTS, RESPONSES_FILE, SHOP_KEY } from './constants.ts';
import { isPinned, loadTool, measure, WARMING_SECONDS } from './load.ts';
import { describeMachine } from './machine.ts';
import { medianOf } from './results.ts';
import { PAGES, SCENARIOS, type Scenario } from './scenarios.ts';
import { copyToPostgres, seedStore } from './seed.ts';
import { type RunningServer, send, startServer } from './servers.ts';

const WRITES_PER_SECOND = 50;

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
  },
});
const [seconds, rounds] = [Number(options.seconds), Number(options.rounds)];
/** A list of the catalog for shoppers. The stub has none, so `npm run bench` does not measure it. */
const SHOP_LIST: Scenario = {
  name: 'list',
  title: 'list of 30 for shoppers',
  paths: Array.from({ length: PAGES }, (_, index) => `/storefront/products?page=${index + 1}`),
  credentials: ['x-auth-token', SHOP_KEY],
};
/** Counted like the default limits, but never reached. */
const LIMITS = { LIMIT_READS: '1000000000', LIMIT_KEY: '1000000000' };
const scenarios = [...SCENARIOS.filter(({ name }) => name === 'get' || name === 'list'), SHOP_LIST].filter(
  ({ title }) => options.only === '' || title === options.only,
);

await seedStore(console.log);
console.log(`${describeMachine()}; ${loadTool}, ${isPinned ? 'servers on one core, load on another' : 'not pinned'}.`);
console.log(`Medians of ${rounds} rounds of ${seconds} s; “during writes”: ${WRITES_PER_SECOND} writes per second.\n`);
console.log(
  '| Requests per second | bare | cache off | cache on | cache on, during writes | cache on ÷ bare | during writes ÷ bare | during writes ÷ cache off |',
);
console.log('|---|---|---|---|---|---|---|---|');
await compareDatabase('SQLite', {});
const postgres = await PostgresServer.make();
try {
  const settings = await copyToPostgres(postgres.url);
  await compareDatabase('PostgreSQL', settings);
} finally {
  await postgres.remove();
}

async function compareDatabase(title: string, settings: Readonly<Record<string, string>>): Promise<void> {
  const uncached = await startServer('purveyor', { ...LIMITS, ...settings });
  const cached = await startServer('purveyor + cache', { ...LIMITS, ...settings });
  for (const scenario of scenarios) {
    await storeResponses(uncached, scenario);
    const bare = await startServer('bare');
    const speeds = { bare: [] as number[], uncached: [] as number[], cached: [] as number[], during: [] as number[] };
    await measure(cached.address, scenario, WARMING_SECONDS);
    for (let round = 0; round <= rounds; round += 1) {
      const measured = {
        bare: await measure(bare.address, scenario, seconds),
        uncached: await measure(uncached.address, scenario, seconds),
        cached: await measure(cached.address, scenario, seconds),
        during: await duringWrites(cached, () => measure(cached.address, scenario, seconds)),
      };
      // The first round is the warm-up.
      if (round === 0) continue;
      for (const [name, speed] of Object.entries(measured)) speeds[name as keyof typeof speeds].push(speed);
    }
    await bare.stop();
    const median = (name: keyof typeof speeds): number => medianOf(speeds[name]);
    const ratio = (over: keyof typeof speeds, under: keyof typeof speeds): string =>
      medianOf(speeds[over].map((speed, round) => speed / speeds[under][round]!)).toFixed(2);
    const figures = (['bare', 'uncached', 'cached', 'during'] as const).map((name) => Math.round(median(name)));
    const ratios = [ratio('cached', 'bare'), ratio('during', 'bare'), ratio('during', 'uncached')];
    console.log(`| ${title}: ${scenario.title} | ${[...figures, ...ratios].join(' | ')} |`);
  }
  await uncached.stop();
  await cached.stop();
}

/** Stores the response bodies of a server for the bare server. */
async function storeResponses({ address }: RunningServer, { paths, credentials }: Scenario): Promise<void> {
  const read: Record<string, string> = {};
  for (const path of paths) {
    const { status, body } = await send(address, path, undefined, credentials);
    if (status !== 200) throw new Error(`${path}: ${status} ${body}`);
    read[path] = body;
  }
  // Requested to check whether the bare server is ready.
  read['/api/products/1'] ??= '{}';
  await writeFile(RESPONSES_FILE, JSON.stringify({ read, created: '{}' }));
}

/** Changes the prices of random products at a fixed rate while the work runs. */
async function duringWrites<T>({ address }: RunningServer, work: () => Promise<T>): Promise<T> {
  let failed = 0;
  let price = 0;
  const timer = setInterval(() => {
    price += 1;
    const id = 1 + Math.floor(Math.random() * PRODUCTS);
    const headers = { 'x-auth-token': KEY, 'content-type': 'application/merge-patch+json' };
    const sending = request(`${address}/api/products/${id}`, { method: 'PATCH', headers }, (response) => {
      if (response.statusCode !== 200) failed += 1;
      response.resume();
    });
    sending.on('error', () => {
      failed += 1;
    });
    sending.end(JSON.stringify({ price: price % 1000 }));
  }, 1000 / WRITES_PER_SECOND);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    if (failed > 0) console.log(`${failed} writes failed`);
  }
}
