/**
 * `npm run bench:deep-pages -- 1000000`: compares the first page of a category with a middle page, the last page and the
 * highest page number, and pages of products by number with pages after a cursor. The argument is the number of product links
 * (default 100,000). Runs the engine's list operation in process on SQLite. Asserts no times.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { strictReading } from '../src/engine/field.ts';
import { list } from '../src/engine/operations/reads/list.ts';
import { type ListQuery, readListQuery } from '../src/engine/request/list-query.ts';
import type { Target } from '../src/engine/unit/service.ts';
import { ownRequestOptions, routeOf, targetAt } from '../src/store/own-requests.ts';
import { readConfig } from '../src/wiring/config.ts';
import { fillSettings } from '../src/wiring/first-start.ts';
import { openStore } from '../src/wiring/open.ts';

const LINKS = Number(process.argv[2] ?? 100_000);
const ITEMS_PER_PAGE = 100;
const LAST_PAGE = LINKS / ITEMS_PER_PAGE;
const ROUNDS = 5;
const READS = 100;

const folder = await mkdtemp(join(tmpdir(), 'purveyor-deep-pages-'));
try {
  const file = join(folder, 'store.db');
  const config = readConfig({ DATABASE_URL: `sqlite:${file}`, IMAGES_URL: `file:${join(folder, 'images')}` });
  const { service, close } = await openStore(config);
  await fillSettings(service, config);
  fill(file);
  const route = routeOf(service, 'CategoryProduct');
  const requestOptions = ownRequestOptions('en');
  const target = targetAt(route, { parents: [1] });
  const pages = {
    first: 1,
    middle: LAST_PAGE / 2,
    last: LAST_PAGE,
    farthest: Math.floor(Number.MAX_SAFE_INTEGER / ITEMS_PER_PAGE),
  };
  const products = routeOf(service, 'Product');
  const byId = `fields=id&itemsPerPage=${ITEMS_PER_PAGE}`;
  const ofProducts = (query: string, others: Partial<ListQuery> = {}): Read => {
    const listQuery = readListQuery(products, `${byId}&${query}`, strictReading(service.environment)) as ListQuery;
    return { target: targetAt(products), listQuery: { ...listQuery, ...others } };
  };
  const middle = LINKS / 2;
  const reads: Record<string, Read> = {
    ...Object.fromEntries(
      Object.entries(pages).map(([name, page]) => {
        const query = `page=${page}&itemsPerPage=${ITEMS_PER_PAGE}`;
        return [
          name,
          { target, listQuery: readListQuery(route, query, strictReading(service.environment)) as ListQuery },
        ];
      }),
    ),
    'products, middle page': ofProducts(`page=${LAST_PAGE / 2}`),
    'products, middle page, estimated total': ofProducts(`page=${LAST_PAGE / 2}`, { isEstimated: true }),
    'products, middle cursor': ofProducts('', { after: [middle] }),
    'products, middle cursor, estimated total': ofProducts('', { after: [middle], isEstimated: true }),
    'products by price, middle page': ofProducts(`order[price]=asc&page=${LAST_PAGE / 2}`, { isEstimated: true }),
    'products by price, middle cursor': ofProducts('order[price]=asc', {
      after: [middle / 100, middle],
      isEstimated: true,
    }),
  };
  const times: Record<string, number[]> = {};
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, each] of Object.entries(reads)) {
      const start = performance.now();
      for (let read = 0; read < READS; read += 1) await list(service, requestOptions, each.target, each.listQuery);
      times[name] = [...(times[name] ?? []), (performance.now() - start) / READS];
    }
  const median = (name: string): number => times[name]!.toSorted((one, other) => one - other)[Math.floor(ROUNDS / 2)]!;
  console.log(`A page of ${ITEMS_PER_PAGE} of ${LINKS} links of one category, medians of ${ROUNDS} rounds:`);
  for (const name of Object.keys(reads))
    console.log(
      `  ${name.padEnd(40)} ${median(name).toFixed(2)} ms, ${(median(name) / median('first')).toFixed(2)} × the first`,
    );
  await close();
} finally {
  await rm(folder, { recursive: true });
}

interface Read {
  readonly target: Target;
  readonly listQuery: ListQuery;
}

/** Fills the store with SQL, which is faster than the API and not measured. */
function fill(file: string): void {
  const database = new DatabaseSync(file);
  database.exec(`
    insert into category (position, parent_id, clean_url) values (0, null, 'all');
    with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < ${LINKS})
      insert into product (sku, sku_key, clean_url, create_date, update_date, arrival_date, discount_type, price)
      select 'S' || number, 's' || number, 's' || number, 0, 0, 0, 'sale_percent', number * 100 from numbers;
    insert into category_product (category_id, product_id) select 1, id from product;
  `);
  database.close();
}
