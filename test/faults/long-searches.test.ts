/** A search through many records gives the same answer wherever it runs, and others do not wait for it (group I). */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { freshDatabase } from '../support/databases.ts';
import { Store } from '../support/store.ts';

/** Enough for a search of two letters, which no index helps, to be slow on any machine. */
const PRODUCTS = 40_000;

/** Between them the connections of the client are looked after. */
const PRODUCTS_AT_ONCE = 1000;

test('a slow search, first in the server and then beside it', async () => {
  const { url, remove } = await freshDatabase('sqlite');
  const store = new Store('sqlite', { DATABASE_URL: url, RESPONSE_CACHE_BYTES_MAX: '0' });
  await store.start();
  try {
    await store.product({ name: 'Needle one' });
    const database = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 5000 });
    for (let from = 1000; from < PRODUCTS; from += PRODUCTS_AT_ONCE) {
      database.exec(`
        with recursive numbers (number) as (select ${from} union all select number + 1 from numbers limit ${PRODUCTS_AT_ONCE})
          insert into product (id, sku, sku_key, clean_url, create_date, update_date, arrival_date)
          select number, 'N' || number, 'n' || number, 'n' || number, 0, 0, 0 from numbers;
        insert into product_text (product_id, language, name, name_key)
          select id, 'en', 'Hay ' || id, 'hay ' || id from product where id >= ${from}`);
      await nextTurn();
    }
    database.close();
    const here = await store.get('/api/products?name=Ne');
    const beside = await store.get('/api/products?name=Ne');
    assert.equal(here.json.length, 1);
    assert.deepEqual([beside.text, beside.headers.etag], [here.text, here.headers.etag]);
    await store.product({ name: 'Needle two' });
    assert.equal((await store.get('/api/products?name=Ne')).json.length, 2, 'what was acknowledged is found');
    const many = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        store.get(index % 3 === 0 ? '/api/products?name=Ne' : `/api/products?itemsPerPage=5&page=${index + 1}`),
      ),
    );
    assert.deepEqual(
      many.map(({ status, json }) => [status, json.length]),
      many.map((_, index) => [200, index % 3 === 0 ? 2 : 5]),
    );
  } finally {
    await store.stop();
    await remove();
  }
});
