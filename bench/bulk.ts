/**
 * `npm run bench:bulk`: compares a bulk with one client that creates products one after another, and an export with reading
 * all pages without the response cache, on both databases. Also prints the memory that the server uses. Rounds alternate, each
 * on a fresh copy of the seeded store. Asserts no times.
 */
import { randomUUID } from 'node:crypto';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { PostgresServer } from '../test/support/postgres-server.ts';
import { KEY, PRODUCTS, STORE_FILE } from './constants.ts';
import { growSqlite } from './growing.ts';
import { GROWN_PRODUCTS } from './grown.ts';
import { describeMachine } from './machine.ts';
import { medianOf } from './results.ts';
import { copyToPostgres, seedStore } from './seed.ts';
import { copyStore, type RunningServer, startServer } from './servers.ts';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    /** Lines of a bulk. */
    lines: { type: 'string', default: '20000' },
    /** Products created one after another. */
    singles: { type: 'string', default: '1000' },
    /** Size of the store that is exported and read by pages: a multiple of 10,000. */
    products: { type: 'string', default: String(PRODUCTS) },
  },
});
const [rounds, lines, singles] = [Number(options.rounds), Number(options.lines), Number(options.singles)];
const products = Number(options.products);

const LINES = 'application/x-ndjson';
/** Repetitions: the export of 10,000 products takes only a fraction of a second. */
const EXPORTS = Math.max(1, (10 * PRODUCTS) / products);
/** If there are more pages, only every second, third, … page is read. */
const PAGES_MAX = 100;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const product = (name: string, index: number): string =>
  JSON.stringify({ sku: `${name}-${index}`, name: `Product ${name} ${index}`, price: index % 100, description: TEXT });
const TEXT = 'Soft and strong, and made to last. '.repeat(6);

await seedStore(console.log);
console.log(
  `${describeMachine()}. ${rounds} rounds: ${singles} creates, a bulk of ${lines} lines, ${products} products read.\n`,
);

/** Returns the settings of a server on a fresh copy of the store. */
type CopyStore = () => Promise<Record<string, string>>;

await compareDatabase('SQLite', async () => ({}), grownStore);
const postgres = await PostgresServer.make();
const administrator = new pg.Client({ connectionString: postgres.url });
try {
  await administrator.connect();
  const seeded = await databaseFrom('template0');
  const settings = await copyToPostgres(urlOf(seeded));
  const copy: CopyStore = async () => ({ ...settings, DATABASE_URL: urlOf(await databaseFrom(seeded)) });
  await compareDatabase('PostgreSQL', copy, products === PRODUCTS ? copy : undefined);
} finally {
  await administrator.end();
  await postgres.remove();
}

/** @param copyToRead the store for pages and exports; undefined if this database has none of the requested size */
async function compareDatabase(title: string, copyToWrite: CopyStore, copyToRead?: CopyStore): Promise<void> {
  const figures: Record<Figure, number[]> = { singles: [], bulk: [], pages30: [], pages100: [], export: [] };
  const grown: Record<'bulk' | 'export', number[]> = { bulk: [], export: [] };
  for (let round = 0; round < rounds; round += 1) {
    if (copyToRead) await onServer(await copyToRead(), (server) => measureReads(server, figures, grown.export));
    await onServer(await copyToWrite(), async (server) => {
      figures.singles.push(await perSecond(() => createSingly(server)));
      const { result, grownBytes } = await watched(server, () => perSecond(() => sendBulk(server)));
      figures.bulk.push(result);
      grown.bulk.push(grownBytes);
    });
  }
  console.log(`| ${title}: records per second | first | second | ratio |\n|---|---|---|---|`);
  printRatio('bulk ÷ one after another', figures.bulk, figures.singles);
  if (copyToRead) printRatio('export ÷ pages of 30', figures.export, figures.pages30);
  if (copyToRead) printRatio('export ÷ pages of 100', figures.export, figures.pages100);
  const mebibytes = (bytes: readonly number[]): string => (Math.max(0, ...bytes) / 2 ** 20).toFixed(0);
  console.log(
    `\nHighest additional memory: bulk ${mebibytes(grown.bulk)} MiB, export ${mebibytes(grown.export)} MiB.\n`,
  );
}

type Figure = 'singles' | 'bulk' | 'pages30' | 'pages100' | 'export';

async function measureReads(server: RunningServer, figures: Record<Figure, number[]>, grown: number[]): Promise<void> {
  const read = () => countLines(server, 'GET', '/api/products', { accept: LINES });
  // Warm-up for the JIT compiler.
  await read();
  await readPages(server, 100);
  figures.pages30.push(await perSecond(() => readPages(server, 30)));
  figures.pages100.push(await perSecond(() => readPages(server, 100)));
  const exportRepeatedly = async (): Promise<number> => {
    let count = 0;
    for (let time = 0; time < EXPORTS; time += 1) count += await read();
    return count;
  };
  const { result, grownBytes } = await watched(server, () => perSecond(exportRepeatedly));
  figures.export.push(result);
  grown.push(grownBytes);
}

function printRatio(title: string, one: readonly number[], other: readonly number[]): void {
  const ratio = medianOf(one.map((figure, round) => figure / other[round]!)).toFixed(1);
  console.log(`| ${title} | ${medianOf(one).toFixed(0)} | ${medianOf(other).toFixed(0)} | ${ratio} |`);
}

/** Creates a database from a template. @returns its name */
async function databaseFrom(template: string): Promise<string> {
  const name = `bulk_${randomUUID().replaceAll('-', '')}`;
  await administrator.query(`create database ${name} encoding UTF8 template ${template}`);
  return name;
}

function urlOf(database: string): string {
  return Object.assign(new URL(postgres.url), { pathname: `/${database}` }).href;
}

/** @returns the server settings for a store of the requested size; none for the seeded store */
async function grownStore(): Promise<Record<string, string>> {
  if (products === PRODUCTS) return {};
  const file = await copyStore(STORE_FILE, 'grown');
  growSqlite(file, GROWN_PRODUCTS, products);
  return { DATABASE_URL: `sqlite:${file}` };
}

async function onServer(
  settings: Readonly<Record<string, string>>,
  work: (server: RunningServer) => Promise<void>,
): Promise<void> {
  const server = await startServer('purveyor', { BULK_STALLED_SECONDS_MAX: '600', ...settings });
  // Warm-up for the JIT compiler.
  for (let index = 0; index < 50; index += 1) {
    await send(server, 'POST', '/api/products', { 'content-type': 'application/json' }, product('W', index));
    await send(server, 'GET', `/api/products?page=${300 - index}`, {});
  }
  await work(server);
  agent.destroy();
  await server.stop();
}

async function perSecond(work: () => Promise<number>): Promise<number> {
  const startedAt = performance.now();
  const count = await work();
  return (count * 1000) / (performance.now() - startedAt);
}

/** @returns the result, and by how many bytes the memory of the server grew at most */
async function watched<T>(server: RunningServer, work: () => Promise<T>): Promise<{ result: T; grownBytes: number }> {
  const before = server.residentBytes();
  let most = before;
  let isOver = false;
  const watching = (async () => {
    for (; !isOver; await sleep(20)) most = Math.max(most, server.residentBytes());
  })();
  const result = await work();
  isOver = true;
  await watching;
  return { result, grownBytes: most - before };
}

async function createSingly(server: RunningServer): Promise<number> {
  for (let index = 0; index < singles; index += 1)
    await send(server, 'POST', '/api/products', { 'content-type': 'application/json' }, product('S', index));
  return singles;
}

async function sendBulk(server: RunningServer): Promise<number> {
  const body = Array.from({ length: lines }, (_, index) => `${product('B', index)}\n`).join('');
  const results = await countLines(server, 'POST', '/api/products/bulk', { 'content-type': LINES }, body);
  if (results !== lines + 1) throw new Error(`The bulk has ${results} lines.`);
  return lines;
}

async function readPages(server: RunningServer, itemsPerPage: number): Promise<number> {
  const step = Math.ceil(products / itemsPerPage / PAGES_MAX);
  let count = 0;
  for (let page = 1; (page - 1) * itemsPerPage < products; page += step) {
    const text = await send(
      server,
      'GET',
      `/api/products?order[sku]=asc&itemsPerPage=${itemsPerPage}&page=${page}`,
      {},
    );
    count += (JSON.parse(text) as unknown[]).length;
  }
  return count;
}

async function countLines(...options: Parameters<typeof responseTo>): Promise<number> {
  let count = 0;
  for await (const chunk of await responseTo(...options))
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) count += 1;
  return count;
}

async function send(...options: Parameters<typeof responseTo>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of await responseTo(...options)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function responseTo(
  { address }: RunningServer,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${address}${path}`, { agent, method, headers: { 'x-auth-token': KEY, ...headers } });
    outgoing.on('response', (response) => {
      if (response.statusCode! < 300) resolve(response);
      else reject(new Error(`${method} ${path}: ${response.statusCode}`));
    });
    outgoing.on('error', reject).end(body);
  });
}
