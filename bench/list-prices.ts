/**
 * `npm run bench:list-prices -- --products 1000000`: a page of 30 products with the price for a membership (`price_for`), compared with the
 * page without it, in the default order and sorted by price, from the cache and computed for each request. Each product has
 * five wholesale prices for each of ten memberships. The store is on SQLite. Asserts no times.
 */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort } from '../test/support/postgres-server.ts';
import { BASE_URL, IMAGES_FOLDER, KEY, PRODUCTS, STORE_FILE } from './constants.ts';
import { describeMachine } from './machine.ts';
import { medianOf } from './results.ts';
import { seedStore } from './seed.ts';
import { copyStore, send, startProcess } from './servers.ts';

const MEMBERSHIPS = 10;
const QUANTITIES = [1, 5, 10, 50, 100];
/** Different pages in turn, so that the shortcut for a repeated request does not apply. */
const PAGES = 10;
const ROUNDS = 15;
/** In a larger store, lists sorted by price are only measured with a cache. */
const UNCACHED_MAX = 100_000;

const PLAIN = '/api/products?itemsPerPage=30';
const PRICES = '&price_for[membership]=3&price_for[quantity]=10';
const COMPARED = [
  { name: 'default order', without: PLAIN, with: `${PLAIN}${PRICES}` },
  {
    name: 'sorted by price',
    without: `${PLAIN}&order[price]=asc`,
    with: `${PLAIN}${PRICES}&order[price_for]=asc`,
  },
] as const;

const { values: options } = parseArgs({ options: { products: { type: 'string', default: String(PRODUCTS) } } });
const products = Math.max(PRODUCTS, Number(options.products));

await seedStore(console.log);
const file = await copyStore(STORE_FILE, 'list-prices');
fill(file);
console.log(
  `${describeMachine()}; ${products} products × ${MEMBERSHIPS} memberships × ${QUANTITIES.length} prices; medians of ${ROUNDS} rounds of ${PAGES} pages\n`,
);
console.log('| page of 30 products | without, ms | with `price_for`, ms | ratio |');
console.log('|---|---|---|---|');
await measure('cached', COMPARED, {});
// Without a cache, each request of a sorted list computes the prices of all products.
const uncached = products > UNCACHED_MAX ? COMPARED.slice(0, 1) : COMPARED;
await measure('not cached', uncached, { RESPONSE_CACHE_BYTES_MAX: '0' });

async function measure(
  name: string,
  lists: readonly (typeof COMPARED)[number][],
  settings: Record<string, string>,
): Promise<void> {
  const port = await freePort();
  const program = fileURLToPath(new URL('../bin/purveyor.js', import.meta.url));
  const server = await startProcess({
    name,
    command: [process.execPath, [program, 'serve']],
    environment: {
      ...{ PORT: String(port), BASE_URL, DATABASE_URL: `sqlite:${file}`, IMAGES_URL: `file:${IMAGES_FOLDER}` },
      ...{ API_KEY_READ_WRITE: KEY, LOG_LEVEL: 'silent' },
      ...settings,
    },
    address: `http://127.0.0.1:${port}`,
  });
  try {
    for (const compared of lists) {
      const first = await timeOf(server.address, compared.with);
      const rounds = [];
      // The first round fills the caches.
      for (let round = 0; round <= ROUNDS; round += 1)
        rounds.push({
          without: await timeOfPages(server.address, compared.without),
          with: await timeOfPages(server.address, compared.with),
        });
      const measured = rounds.slice(1);
      const [without, withPrices, ratio] = [
        medianOf(measured.map((each) => each.without)),
        medianOf(measured.map((each) => each.with)),
        medianOf(measured.map((each) => each.with / each.without)),
      ];
      console.log(
        `| ${name}, ${compared.name} (first request ${first.toFixed(0)} ms) | ${without.toFixed(2)} | ${withPrices.toFixed(2)} | ${ratio.toFixed(2)} |`,
      );
    }
  } finally {
    await server.stop();
  }
}

/** @returns the mean milliseconds of a page */
async function timeOfPages(address: string, path: string): Promise<number> {
  const start = performance.now();
  for (let page = 1; page <= PAGES; page += 1) await timeOf(address, `${path}&page=${page}`);
  return (performance.now() - start) / PAGES;
}

/** @returns the milliseconds of a request; a computation that takes too long for one request is waited for */
async function timeOf(address: string, path: string): Promise<number> {
  const start = performance.now();
  for (;;) {
    const { status, body } = await send(address, path);
    if (status === 200) return performance.now() - start;
    if (status !== 503) throw new Error(`${path} returned ${status}: ${body}`);
    await sleep(500);
  }
}

/** Fills the copy with SQL, which is faster than the API and not measured. */
function fill(storeFile: string): void {
  const database = new DatabaseSync(storeFile);
  database.exec(`
    with recursive numbers (number) as (select ${PRODUCTS + 1} union all select number + 1 from numbers where number < ${products})
      insert into product (sku, sku_key, clean_url, price, create_date, update_date, arrival_date, discount_type)
      select 'B' || number, 'b' || number, 'b' || number, (number * 7919 % 100000) * 100 + 10000, 0, 0, 0, 'sale_percent'
      from numbers where number <= ${products};
    with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < ${MEMBERSHIPS})
      insert into membership (id) select number from numbers where true on conflict do nothing;
    insert into wholesale_price (type, price, quantity_range_begin, membership_id, product_id, owner_key, membership_key)
      select 'percent', (5 + membership.id + quantity.key * 5) * 10000, quantity.value, membership.id, product.id,
        'p' || product.id, membership.id
      from product, membership, json_each('${JSON.stringify(QUANTITIES)}') as quantity where membership.id <= ${MEMBERSHIPS};
  `);
  database.close();
}
