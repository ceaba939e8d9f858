/**
 * `npm run bench:masks`: reads and writes with a key that has one mask, compared with a key of the scope `*:*`, on both
 * databases. Rounds alternate between the keys, which use the same server. Also compares the processor time of a request, which
 * is affected less by other work on the machine. Asserts no times.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { PostgresServer } from '../test/support/postgres-server.ts';
import { Client } from '../torture/client.ts';
import { placeIn, Server, stop } from '../torture/server.ts';
import { describeMachine, processorSeconds } from './machine.ts';

const PRODUCTS = 500;
const CLIENTS = 16;
const PAGE_SIZE = 30;
const MASK = 'Product.cost_price';

const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '0.3' }, rounds: { type: 'string', default: '40' } },
});
const [seconds, rounds] = [Number(options.seconds), Number(options.rounds)];

/** Sends one request. @param chance between 0 and 1 */
type Load = (client: Client, chance: number, headers: Readonly<Record<string, string>>) => Promise<unknown>;

const idAt = (chance: number): number => 1 + Math.floor(chance * PRODUCTS);

const LOADS: Readonly<Record<string, Load>> = {
  get: (client, chance, headers) => client.expect('GET', `/api/products/${idAt(chance)}`, undefined, headers),
  [`list of ${PAGE_SIZE}`]: (client, chance, headers) => {
    const page = 1 + Math.floor((chance * PRODUCTS) / PAGE_SIZE);
    return client.expect('GET', `/api/products?itemsPerPage=${PAGE_SIZE}&page=${page}`, undefined, headers);
  },
  PATCH: (client, chance, headers) =>
    client.expect('PATCH', `/api/products/${idAt(chance)}`, { price: Math.round(chance * 1e6) }, headers),
};

console.log(`${describeMachine()}; ${CLIENTS} clients, sums of ${rounds} rounds of ${seconds} s for each key.\n`);
console.log(
  '| requests per second | `*:*` | with a mask | ratio | processor time, `*:*` ÷ mask |\n|---|---|---|---|---|',
);
await compare('SQLite', (folder) => placeIn(folder));
const postgres = await PostgresServer.make();
try {
  const administrator = new pg.Client({ connectionString: postgres.url });
  await administrator.connect();
  await administrator.query('create database bench_masks encoding UTF8 template template0');
  await administrator.end();
  const url = Object.assign(new URL(postgres.url), { pathname: '/bench_masks' }).href;
  await compare('PostgreSQL', (folder) => placeIn(folder, url));
} finally {
  await postgres.remove();
}

async function compare(title: string, placeOf: (folder: string) => ReturnType<typeof placeIn>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'purveyor-masks-'));
  const server = new Server(placeOf(folder), { environment: { WAIT_MS_MAX: '0' } });
  try {
    const address = await server.ready();
    const keys = await prepare(address);
    for (const [name, load] of Object.entries(LOADS)) {
      const all: Figures[][] = [];
      // The first round is the warm-up.
      for (let round = 0; round <= rounds; round += 1) {
        const order = round % 2 === 0 ? [0, 1] : [1, 0];
        const figures: Figures[] = [];
        for (const index of order) figures[index] = await measure(server, address, load, keys[index]!);
        if (round > 0) all.push(figures);
      }
      const [full, masked] = [0, 1].map((index) => totalOf(all.map((each) => each[index]!))) as [Figures, Figures];
      const speed = ({ count, seconds: elapsed }: Figures): number => count / elapsed;
      const cost = ({ count, processor }: Figures): number => processor / count;
      const cells = [
        ...[full, masked].map((each) => Math.round(speed(each))),
        (speed(masked) / speed(full)).toFixed(2),
        (cost(full) / cost(masked)).toFixed(2),
      ];
      console.log(`| ${title}, ${name} | ${cells.join(' | ')} |`);
    }
    await stop(server);
  } finally {
    server.signal('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
}

/** Creates the products and both keys. */
async function prepare(address: string): Promise<string[]> {
  const client = new Client(address);
  for (let number = 1; number <= PRODUCTS; number += 1)
    await client.expect('POST', '/api/products', { sku: `M${number}`, name: `Product ${number}`, price: number });
  const keys: string[] = [];
  for (const masks of [[], [MASK]]) {
    const body = { name: `Masks ${masks.length}`, kind: 'scoped', scopes: ['*:*'], masks };
    keys.push((await client.expect('POST', '/api/keys', body)).json.key);
  }
  client.close();
  return keys;
}

interface Figures {
  readonly count: number;
  readonly seconds: number;
  /** Processor time of the server, in seconds. */
  readonly processor: number;
}

function totalOf(all: readonly Figures[]): Figures {
  const sum = (of: keyof Figures): number => all.reduce((total, each) => total + each[of], 0);
  return { count: sum('count'), seconds: sum('seconds'), processor: sum('processor') };
}

async function measure(server: Server, address: string, load: Load, key: string): Promise<Figures> {
  const pids = [server.pid, ...server.workers()];
  const before = processorSeconds(pids);
  const startedAt = performance.now();
  const endAt = startedAt + seconds * 1000;
  const counts = await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      const client = new Client(address);
      let count = 0;
      for (; performance.now() < endAt; count += 1) await load(client, Math.random(), { 'x-auth-token': key });
      client.close();
      return count;
    }),
  );
  const count = counts.reduce((sum, each) => sum + each, 0);
  return { count, seconds: (performance.now() - startedAt) / 1000, processor: processorSeconds(pids) - before };
}
