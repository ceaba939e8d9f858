/**
 * `npm run bench:workers`: compares one process with two workers on both databases, for reads only and with one write in ten
 * requests. Rounds alternate between the servers. Also prints the processor time per request, which is affected less by other
 * work on the machine and predicts the gain on two free processors. Asserts no times.
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
import { medianOf } from './results.ts';

const PRODUCTS = 500;
const CLIENTS = 24;
const WORKERS = [1, 2];
const LOADS = { reads: 0, mixed: 0.1 };

const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '4' }, rounds: { type: 'string', default: '3' } },
});
const [seconds, rounds] = [Number(options.seconds), Number(options.rounds)];

console.log(`${describeMachine()}; ${CLIENTS} clients, medians of ${rounds} rounds of ${seconds} s.\n`);
console.log('| | 1 process | 2 workers | 2 ÷ 1 | processor time per request, 2 ÷ 1 |\n|---|---|---|---|---|');
await compare('SQLite', async (folder) => placeIn(folder));
const postgres = await PostgresServer.make();
try {
  const administrator = new pg.Client({ connectionString: postgres.url });
  await administrator.connect();
  await compare('PostgreSQL', async (folder) => {
    const name = `bench_${folder.replace(/\W/g, '').toLowerCase()}`;
    await administrator.query(`create database ${name} encoding UTF8 template template0`);
    return placeIn(folder, Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href);
  });
  await administrator.end();
} finally {
  await postgres.remove();
}

interface Figures {
  readonly perSecond: number;
  /** Processor time per request of all server processes, in seconds. */
  readonly each: number;
}

async function compare(title: string, routeOf: (folder: string) => Promise<ReturnType<typeof placeIn>>): Promise<void> {
  const folders = await Promise.all(WORKERS.map(() => mkdtemp(join(tmpdir(), 'purveyor-workers-'))));
  const servers: Server[] = [];
  try {
    const addresses: string[] = [];
    for (const [index, workers] of WORKERS.entries()) {
      servers[index] = new Server(
        { ...(await routeOf(folders[index]!)), workers },
        { environment: { WAIT_MS_MAX: '0' } },
      );
      addresses[index] = await servers[index].ready();
      await fill(addresses[index]);
    }
    for (const [load, share] of Object.entries(LOADS)) {
      const all: Figures[][] = [];
      // The first round is the warm-up.
      for (let round = 0; round <= rounds; round += 1) {
        const figures: Figures[] = [];
        for (const [index, server] of servers.entries()) figures.push(await measure(server, addresses[index]!, share));
        if (round > 0) all.push(figures);
      }
      const speeds = WORKERS.map((_, index) => medianOf(all.map((figures) => figures[index]!.perSecond)));
      const ratio = (of: keyof Figures): string => medianOf(all.map(([one, two]) => two![of] / one![of])).toFixed(2);
      const cells = [...speeds.map(Math.round), ratio('perSecond'), ratio('each')];
      console.log(`| ${title}, ${load} | ${cells.join(' | ')} |`);
    }
    for (const server of servers) await stop(server);
  } finally {
    for (const server of servers) server.signal('SIGKILL');
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  }
}

async function fill(address: string): Promise<void> {
  const client = new Client(address);
  for (let number = 1; number <= PRODUCTS; number += 1)
    await client.expect('POST', '/api/products', { sku: `W${number}`, name: `Product ${number}`, price: number });
  client.close();
}

async function measure(server: Server, address: string, writes: number): Promise<Figures> {
  const before = processorSeconds([server.pid, ...server.workers()]);
  const endAt = performance.now() + seconds * 1000;
  let count = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      const client = new Client(address);
      while (performance.now() < endAt) {
        const id = 1 + Math.floor(Math.random() * PRODUCTS);
        const chance = Math.random();
        if (chance < writes) await client.expect('PATCH', `/api/products/${id}`, { price: Math.round(chance * 1e6) });
        else if (chance < 0.8) await client.expect('GET', `/api/products/${id}`);
        else await client.expect('GET', `/api/products?itemsPerPage=30&page=${1 + (id % 15)}`);
        count += 1;
      }
      client.close();
    }),
  );
  return { perSecond: count / seconds, each: (processorSeconds([server.pid, ...server.workers()]) - before) / count };
}
