/**
 * `npm run bench:deep-pages -- 1000000`: compares the first page of a category with a middle page, the last page and the
 * highest page number. The argument is the number of product links (default 100,000). Runs the engine's list operation in
 * process on SQLite. Asserts no times.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { strictReading } from '../src/engine/field.ts';
import { list } from '../src/engine/operations/reads/list.ts';
import { type ListQuery, readListQuery } from '../src/engine/request/list-query.ts';
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
  const times: Record<string, number[]> = {};
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, page] of Object.entries(pages)) {
      const query = `page=${page}&itemsPerPage=${ITEMS_PER_PAGE}`;
      const listQuery = readListQuery(route, query, strictReading(service.environment)) as ListQuery;
      const start = performance.now();
      for (let read = 0; read < READS; read += 1) await list(service, requestOptions, target, listQuery);
      times[name] = [...(times[name] ?? []), (performance.now() - start) / READS];
    }
  const median = (name: string): number => times[name]!.toSorted((one, other) => one - other)[Math.floor(ROUNDS / 2)]!;
  console.log(`A page of ${ITEMS_PER_PAGE} of ${LINKS} links of one category, medians of ${ROUNDS} rounds:`);
  for (const name of Object.keys(pages))
    console.log(
      `  ${name.padEnd(8)} ${median(name).toFixed(2)} ms, ${(median(name) / median('first')).toFixed(2)} × the first`,
    );
  await close();
} finally {
  await rm(folder, { recursive: true });
}

/** Fills the store with SQL, which is faster than the API and not measured. */
function fill(file: string): void {
  const database = new DatabaseSync(file);
  database.exec(`
    insert into category (position, parent_id, clean_url) values (0, null, 'all');
    with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < ${LINKS})
      insert into product (sku, sku_key, clean_url, create_date, update_date, arrival_date, discount_type)
      select 'S' || number, 's' || number, 's' || number, 0, 0, 0, 'sale_percent' from numbers;
    insert into category_product (category_id, product_id) select 1, id from product;
  `);
  database.close();
}
