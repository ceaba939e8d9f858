/**
 * `npm run bench:long-searches`: how long small reads take in a large store while another client repeatedly sends short lists
 * or searches of all products. Asserts no times.
 */
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { PRODUCTS, STORE_FILE } from './constants.ts';
import { describeMachine } from './machine.ts';
import { seedStore } from './seed.ts';
import { send, startServer } from './servers.ts';

const { values: options } = parseArgs({
  options: { products: { type: 'string', default: '1000000' }, seconds: { type: 'string', default: '10' } },
});
const products = Number(options.products);
const seconds = Number(options.seconds);

/** Requests of the other client. */
const OTHERS: Readonly<Record<string, string | undefined>> = {
  none: undefined,
  'lists of 25': '/api/products?itemsPerPage=25&page=3',
  'lists of 100': '/api/products?itemsPerPage=100&page=7',
  // Two letters are too short for the index.
  'searches by name': '/api/products?name=zq',
};

await seedStore(console.log);
const folder = await mkdtemp(join(tmpdir(), 'purveyor-long-searches-'));
try {
  const file = join(folder, 'store.db');
  await copyFile(STORE_FILE, file);
  fill(file);
  const settings = { DATABASE_URL: `sqlite:${file}`, RESPONSE_CACHE_BYTES_MAX: '0' };
  const server = await startServer('purveyor', settings, ([program, ...rest]) => [program!, rest]);
  // The first slow search runs in the server's own thread.
  const first = await timed(server.address, OTHERS['searches by name']!);
  console.log(`${describeMachine()}; ${products} products, ${seconds} s each.`);
  console.log(`The first search: ${first.toFixed(0)} ms.\n`);
  console.log('| Other client | Reads a s | p50, ms | p99, ms | ÷ alone | p50 of the other, ms |');
  console.log('|---|---|---|---|---|---|');
  let aloneP99 = 0;
  for (const [name, path] of Object.entries(OTHERS)) {
    const endsAt = performance.now() + seconds * 1000;
    const [reads, others] = await Promise.all([
      repeated(server.address, () => `/api/products/${1 + Math.floor(Math.random() * products)}`, endsAt),
      path === undefined ? [] : repeated(server.address, () => path, endsAt),
    ]);
    const p99 = percentile(reads, 0.99);
    aloneP99 ||= p99;
    const cells = [name, (reads.length / seconds).toFixed(0), percentile(reads, 0.5).toFixed(2), p99.toFixed(2)];
    const other = others.length === 0 ? '' : percentile(others, 0.5).toFixed(1);
    console.log(`| ${[...cells, (p99 / aloneP99).toFixed(1), other].join(' | ')} |`);
  }
  await server.stop();
} finally {
  await rm(folder, { recursive: true });
}

/** Fills the store with SQL, which is faster than the API and not measured. */
function fill(file: string): void {
  const database = new DatabaseSync(file);
  database.exec(`
    begin;
    with recursive numbers (number) as (select ${PRODUCTS + 1} union all select number + 1 from numbers where number < ${products})
      insert into product (id, sku, sku_key, clean_url, price, create_date, update_date, arrival_date)
      select number, 'N' || number, 'n' || number, 'n' || number, number, 0, 0, 0 from numbers;
    insert into product_text (product_id, language, name, name_key)
      select id, 'en', 'Product number ' || id, 'product number ' || id from product where id > ${PRODUCTS};
    commit;
  `);
  database.close();
}

async function timed(address: string, path: string): Promise<number> {
  const startedAt = performance.now();
  const { status } = await send(address, path);
  if (status !== 200) throw new Error(`${path}: ${status}`);
  return performance.now() - startedAt;
}

async function repeated(address: string, path: () => string, endsAt: number): Promise<number[]> {
  const times = [];
  while (performance.now() < endsAt) times.push(await timed(address, path()));
  return times;
}

function percentile(values: number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * share)]!;
}
