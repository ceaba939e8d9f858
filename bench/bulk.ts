/**
 * `npm run bench:bulk`: a bulk against one client that creates products one after the other, and an export against a walk
 * through the pages, of which the server keeps none, as of a store that is too large for that. Tells also the memory that the server
 * takes meanwhile. Rounds go from one to the other, each on a fresh copy of the seeded store. Prints figures and asserts nothing.
 */
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { growSqlite } from './growing.ts';
import { GROWN_PRODUCTS } from './grown.ts';
import { describeMachine } from './machine.ts';
import { KEY, PRODUCTS, STORE_FILE } from './places.ts';
import { medianOf } from './results.ts';
import { seedStore } from './seed.ts';
import { copyStore, type RunningServer, startServer } from './servers.ts';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    /** Of a bulk. */
    lines: { type: 'string', default: '20000' },
    /** Products that are created one after the other. */
    singles: { type: 'string', default: '1000' },
    /** In the store that is exported, and walked through: 10,000 or a multiple. */
    products: { type: 'string', default: String(PRODUCTS) },
  },
});
const [rounds, lines, singles] = [Number(options.rounds), Number(options.lines), Number(options.singles)];
const products = Number(options.products);

const LINES = 'application/x-ndjson';
/** One of 10,000 takes a fraction of a second. */
const EXPORTS = Math.max(1, (10 * PRODUCTS) / products);
/** Of more, every second one is asked for, or every third. */
const PAGES_MAX = 100;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const product = (name: string, index: number): string =>
  JSON.stringify({ sku: `${name}-${index}`, name: `Product ${name} ${index}`, price: index % 100, description: TEXT });
const TEXT = 'Soft and strong, and made to last. '.repeat(6);

await seedStore(console.log);
console.log(
  `${describeMachine()}. ${rounds} rounds: ${singles} creates, a bulk of ${lines} lines, ${products} products read.\n`,
);

const figures: Record<'singles' | 'bulk' | 'pages30' | 'pages100' | 'export', number[]> = {
  ...{ singles: [], bulk: [], pages30: [], pages100: [], export: [] },
};
const grown: Record<'bulk' | 'export', number[]> = { bulk: [], export: [] };
for (let round = 0; round < rounds; round += 1) {
  await onServer(await grownStore(), async (server) => {
    const read = () => countLines(server, 'GET', '/api/products', { accept: LINES });
    // The code is compiled first.
    await read();
    await walk(server, 100);
    figures.pages30.push(await perSecond(() => walk(server, 30)));
    figures.pages100.push(await perSecond(() => walk(server, 100)));
    const several = async (): Promise<number> => {
      let count = 0;
      for (let time = 0; time < EXPORTS; time += 1) count += await read();
      return count;
    };
    const { result, grownBytes } = await watched(server, () => perSecond(several));
    figures.export.push(result);
    grown.export.push(grownBytes);
  });
  await onServer({}, async (server) => {
    figures.singles.push(await perSecond(() => createSingly(server)));
    const { result, grownBytes } = await watched(server, () => perSecond(() => sendBulk(server)));
    figures.bulk.push(result);
    grown.bulk.push(grownBytes);
  });
}
const ratio = (one: readonly number[], other: readonly number[]): string =>
  medianOf(one.map((figure, round) => figure / other[round]!)).toFixed(1);
const shown = (name: keyof typeof figures): string => medianOf(figures[name]).toFixed(0);
const mebibytes = (bytes: readonly number[]): string => (Math.max(...bytes) / 2 ** 20).toFixed(0);
console.log('| Records a second | | | Ratio |\n|---|---|---|---|');
console.log(
  `| bulk ÷ one after the other | ${shown('bulk')} | ${shown('singles')} | ${ratio(figures.bulk, figures.singles)} |`,
);
console.log(
  `| export ÷ pages of 30 | ${shown('export')} | ${shown('pages30')} | ${ratio(figures.export, figures.pages30)} |`,
);
console.log(
  `| export ÷ pages of 100 | ${shown('export')} | ${shown('pages100')} | ${ratio(figures.export, figures.pages100)} |`,
);
console.log(
  `\nMost memory beyond that before: bulk ${mebibytes(grown.bulk)} MiB, export ${mebibytes(grown.export)} MiB.`,
);

/** @returns the settings of a server of so many products; none: of the seeded store */
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
  // The code is compiled first.
  for (let index = 0; index < 50; index += 1) {
    await ask(server, 'POST', '/api/products', { 'content-type': 'application/json' }, product('W', index));
    await ask(server, 'GET', `/api/products?page=${300 - index}`, {});
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

/** @returns the most memory that the server held beyond that before */
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
    await ask(server, 'POST', '/api/products', { 'content-type': 'application/json' }, product('S', index));
  return singles;
}

async function sendBulk(server: RunningServer): Promise<number> {
  const body = Array.from({ length: lines }, (_, index) => `${product('B', index)}\n`).join('');
  const results = await countLines(server, 'POST', '/api/products/bulk', { 'content-type': LINES }, body);
  if (results !== lines + 1) throw new Error(`The bulk has ${results} lines.`);
  return lines;
}

async function walk(server: RunningServer, itemsPerPage: number): Promise<number> {
  const step = Math.ceil(products / itemsPerPage / PAGES_MAX);
  let count = 0;
  for (let page = 1; (page - 1) * itemsPerPage < products; page += step) {
    const text = await ask(server, 'GET', `/api/products?order[sku]=asc&itemsPerPage=${itemsPerPage}&page=${page}`, {});
    count += (JSON.parse(text) as unknown[]).length;
  }
  return count;
}

async function countLines(...asked: Parameters<typeof answerOf>): Promise<number> {
  let count = 0;
  for await (const piece of await answerOf(...asked))
    for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) count += 1;
  return count;
}

async function ask(...asked: Parameters<typeof answerOf>): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of await answerOf(...asked)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

function answerOf(
  { address }: RunningServer,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${address}${path}`, { agent, method, headers: { 'x-auth-token': KEY, ...headers } });
    outgoing.on('response', (answer) => {
      if (answer.statusCode! < 300) resolve(answer);
      else reject(new Error(`${method} ${path}: ${answer.statusCode}`));
    });
    outgoing.on('error', reject).end(body);
  });
}
