/**
 * `npm run bench:growth -- --records 1000000`: how much longer each kind of read takes in a large store than in one of 10,000
 * products, or of 10,000 orders with three items each (`--of orders`): of a server that keeps nothing, and of one that keeps what
 * was asked for before, where a record is changed before each read. One client, one request at a time. Prints figures and
 * asserts nothing.
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
import { growSqlite, growth } from './growing.ts';
import { GROWN_PRODUCTS, type Kind, ORDERS, sendOrders } from './grown.ts';
import { describeMachine } from './machine.ts';
import { BASE_URL, IMAGES_FOLDER, KEY, PRODUCTS, STORE_FILE } from './places.ts';
import { medianOf } from './results.ts';
import { seedStore } from './seed.ts';
import { ask, type RunningServer, startServer } from './servers.ts';

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
  console.log(`| ms | nothing kept, ${PRODUCTS} | ${records} | ratio | kept, ${PRODUCTS} | ${records} | ratio |`);
  console.log('|---|---|---|---|---|---|---|');
  for (const [index, { title }] of grown.kinds.entries()) {
    const [one, other] = [small.times[index]!, large.times[index]!];
    const cells = (['anew', 'kept'] as const).flatMap((way) => [
      shown(one[way]),
      shown(other[way]),
      shown(other[way] / one[way]),
    ]);
    console.log(`| ${[title, ...cells].join(' | ')} |`);
  }
  const megabytes = ({ bytes }: Measured): string => (bytes / 1e6).toFixed(0);
  console.log(`\nMemory of the server that keeps: ${megabytes(small)} and ${megabytes(large)} MB.`);
} finally {
  await postgres?.remove();
  await rm(folder, { recursive: true });
}

function shown(figure: number): string {
  return Number.isFinite(figure) ? figure.toFixed(1) : 'given up';
}

interface Measured {
  readonly times: readonly { readonly anew: number; readonly kept: number }[];
  /** Of memory that the server held which keeps. */
  readonly bytes: number;
}

async function measured(total: number): Promise<Measured> {
  const settings = await storeOf(total);
  const everywhere = ([program, ...rest]: readonly string[]): [string, string[]] => [program!, rest];
  const addressOf = (kind: Kind) => (number: number) => `${grown.path}${kind.query(number, total)}`;
  const anew = await startServer('purveyor', settings, everywhere);
  const timesAnew: number[] = [];
  for (const kind of grown.kinds) {
    await readAll(anew, 2, addressOf(kind));
    timesAnew.push(medianOf(await readAll(anew, reads, addressOf(kind))));
  }
  await anew.stop();
  const kept = await startServer('purveyor + cache', settings, everywhere);
  // Lists that were asked for twice are read beside, one after the other.
  for (const kind of grown.kinds) await readAll(kept, 10, addressOf(kind));
  await sleep(5000 + total / 50);
  const timesKept: number[] = [];
  for (const kind of grown.kinds) {
    const another = (number: number): string => addressOf(kind)(number + 10);
    await readAll(kept, 2, addressOf(kind));
    timesKept.push(medianOf(await readAll(kept, reads, another, () => changeOne(kept, total))));
  }
  const bytes = kept.residentBytes();
  await kept.stop();
  const times = timesAnew.map((time, index) => ({ anew: time, kept: timesKept[index]! }));
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
    const { status } = await ask(address, path(number));
    if (status !== 200 && status !== 503) throw new Error(`${path(number)}: ${status}`);
    // A read that takes longer than the server allows is given up.
    times.push(status === 200 ? performance.now() - startedAt : Number.POSITIVE_INFINITY);
  }
  return times;
}

function changeOne({ address }: RunningServer, total: number): Promise<void> {
  const id = 1 + Math.floor(Math.random() * total);
  const headers = { 'x-auth-token': KEY, 'content-type': 'application/merge-patch+json' };
  return new Promise((resolve, reject) => {
    const sending = request(`${address}${grown.path}/${id}`, { method: 'PATCH', headers }, (answer) => {
      answer.resume();
      answer.on('end', resolve);
    });
    sending.on('error', reject);
    sending.end(JSON.stringify(grown.change()));
  });
}

/** @returns the settings of a server of a store with so many products */
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

/** @returns the store of 10,000 records of what grows */
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
