/**
 * `npm run bench:growth -- --records 1000000`: compares the time of each kind of read in a large store with the time in a
 * store of 10,000 products, or 10,000 orders with three items each (`--of orders`). Measures with the cache off, and with a
 * warm cache while a record is changed before each read. One client sends one request at a time. Asserts no times.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { PostgresServer } from '../test/support/postgres-server.ts';
import { BASE_URL, IMAGES_FOLDER, KEY, PRODUCTS, STORE_FILE } from './constants.ts';
import { growSqlite, growth } from './growing.ts';
import { GROWN_PRODUCTS, type Kind, ORDERS, sendOrders } from './grown.ts';
import { describeMachine } from './machine.ts';
import { medianOf } from './results.ts';
import { seedStore } from './seed.ts';
import { type RunningServer, send, startServer } from './servers.ts';

const { values: options } = parseArgs({
  options: {
    of: { type: 'string', default: 'products' },
    records: { type: 'string', default: '1000000' },
    database: { type: 'string', default: 'sqlite' },
    reads: { type: 'string', default: '15' },
  },
});
const grown = options.of === 'orders' ? ORDERS : GROWN_PRODUCTS;
const records = Number(options.records);
const reads = Number(options.reads);

await seedStore(console.log);
const folder = await mkdtemp(join(tmpdir(), 'purveyor-growth-'));
const postgres = options.database === 'postgres' ? await PostgresServer.make() : undefined;
try {
  const small = await measured(PRODUCTS);
  const large = await measured(records);
  console.log(`${describeMachine()}, ${options.database}, ${options.of}; medians of ${reads} reads.\n`);
  const [few, many] = [PRODUCTS.toLocaleString('en'), records.toLocaleString('en')];
  console.log(`| ms | cache off: ${few} | ${many} | cache on: ${few} | ${many} | ratio |`);
  console.log('|---|---|---|---|---|---|');
  for (const [index, { title }] of grown.kinds.entries()) {
    const [one, other] = [small.times[index]!, large.times[index]!];
    const cells = [one.uncached, other.uncached, one.cached, other.cached, other.cached / one.cached].map(shown);
    console.log(`| ${[title, ...cells].join(' | ')} |`);
  }
  const megabytes = ({ bytes }: Measured): string => (bytes / 1e6).toFixed(0);
  console.log(`\nMemory with the cache on: ${megabytes(small)} and ${megabytes(large)} MB.`);
} finally {
  await postgres?.remove();
  await rm(folder, { recursive: true });
}

function shown(figure: number): string {
  return Number.isFinite(figure) ? figure.toFixed(1) : 'canceled';
}

interface Measured {
  /** Milliseconds, by kind of read. */
  readonly times: readonly { readonly uncached: number; readonly cached: number }[];
  /** Memory of the server with the cache on. */
  readonly bytes: number;
}

async function measured(total: number): Promise<Measured> {
  const settings = await storeOf(total);
  const unpinned = ([program, ...rest]: readonly string[]): [string, string[]] => [program!, rest];
  const addressOf = (kind: Kind) => (number: number) => `${grown.path}${kind.query(number, total)}`;
  const uncached = await startServer('purveyor', settings, unpinned);
  const uncachedTimes: number[] = [];
  for (const kind of grown.kinds) {
    await readAll(uncached, 2, addressOf(kind));
    uncachedTimes.push(medianOf(await readAll(uncached, reads, addressOf(kind))));
  }
  await uncached.stop();
  const cached = await startServer('purveyor + cache', settings, unpinned);
  // After two requests, the server reads the identifiers of a whole list in the background, one list at a time.
  for (const kind of grown.kinds) await readAll(cached, 10, addressOf(kind));
  await sleep(5000 + total / 50);
  const cachedTimes: number[] = [];
  for (const kind of grown.kinds) {
    const nextQuery = (number: number): string => addressOf(kind)(number + 10);
    await readAll(cached, 2, addressOf(kind));
    cachedTimes.push(medianOf(await readAll(cached, reads, nextQuery, () => changeOne(cached, total))));
  }
  const bytes = cached.residentBytes();
  await cached.stop();
  const times = uncachedTimes.map((time, index) => ({ uncached: time, cached: cachedTimes[index]! }));
  return { times, bytes };
}

async function readAll(
  { address }: RunningServer,
  count: number,
  path: (number: number) => string,
  before: () => Promise<void> = async () => {},
): Promise<number[]> {
  const times = [];
  for (let number = 1; number <= count; number += 1) {
    await before();
    const startedAt = performance.now();
    const { status } = await send(address, path(number));
    if (status !== 200 && status !== 503) throw new Error(`${path(number)}: ${status}`);
    // The server cancels reads that exceed its time limit and responds with 503.
    times.push(status === 200 ? performance.now() - startedAt : Number.POSITIVE_INFINITY);
  }
  return times;
}

function changeOne({ address }: RunningServer, total: number): Promise<void> {
  const id = 1 + Math.floor(Math.random() * total);
  const headers = { 'x-auth-token': KEY, 'content-type': 'application/merge-patch+json' };
  return new Promise((resolve, reject) => {
    const sending = request(`${address}${grown.path}/${id}`, { method: 'PATCH', headers }, (response) => {
      response.resume();
      response.on('end', resolve);
    });
    sending.on('error', reject);
    sending.end(JSON.stringify(grown.change()));
  });
}

/** @returns the server settings for a store of this size */
async function storeOf(total: number): Promise<Record<string, string>> {
  if (postgres) {
    if (total === PRODUCTS) await restoreTo(postgres.url);
    else await growPostgres(postgres.url, total);
    return { DATABASE_URL: postgres.url, IMAGES_URL: `file:${join(folder, 'images')}` };
  }
  const file = join(folder, `${total}.db`);
  await copyFile(await seedFile(), file);
  growSqlite(file, grown, total);
  return { DATABASE_URL: `sqlite:${file}` };
}

/** @returns the file of a store with 10,000 records of the measured resource */
async function seedFile(): Promise<string> {
  if (grown.path === GROWN_PRODUCTS.path) return STORE_FILE;
  const file = join(folder, 'seed.db');
  if (existsSync(file)) return file;
  await copyFile(STORE_FILE, file);
  const server = await startServer('purveyor', { DATABASE_URL: `sqlite:${file}` });
  await sendOrders(server.address, PRODUCTS);
  await server.stop();
  return file;
}

async function growPostgres(url: string, total: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of growth(grown, total)) await client.query(statement);
  await client.query('analyze');
  await client.end();
}

async function restoreTo(url: string): Promise<void> {
  const backup = join(folder, 'backup');
  const program = fileURLToPath(new URL('../bin/purveyor.js', import.meta.url));
  const run = (command: string, databaseUrl: string, images: string): void => {
    execFileSync(process.execPath, [program, command, backup], {
      env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, IMAGES_URL: `file:${images}`, BASE_URL },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  };
  run('backup', `sqlite:${await seedFile()}`, IMAGES_FOLDER);
  run('restore', url, join(folder, 'images'));
}
