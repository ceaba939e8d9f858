/** Slow searches return the same result in the server and in the search process, and do not block other requests (group I). */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { freshDatabase } from '../support/databases.ts';
import { Store } from '../support/store.ts';

/** Enough for a search of two letters, which no index helps, to be slow on any machine. */
const PRODUCTS = 40_000;

/** The batch size; between batches the client's connections are served. */
const BATCH_SIZE = 1000;

test('a slow search returns the same result in the server and in the search process, with the latest writes', async () => {
  const { url, remove } = await freshDatabase('sqlite');
  const store = new Store('sqlite', { DATABASE_URL: url, RESPONSE_CACHE_BYTES_MAX: '0' });
  await store.start();
  try {
    await store.product({ name: 'Needle one' });
    const database = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 5000 });
    for (let from = 1000; from < PRODUCTS; from += BATCH_SIZE) {
      database.exec(`
        with recursive numbers (number) as (select ${from} union all select number + 1 from numbers limit ${BATCH_SIZE})
          insert into product (id, sku, sku_key, clean_url, create_date, update_date, arrival_date)
          select number, 'N' || number, 'n' || number, 'n' || number, 0, 0, 0 from numbers;
        insert into product_text (product_id, language, name, name_key)
          select id, 'en', 'Hay ' || id, 'hay ' || id from product where id >= ${from}`);
      await nextTurn();
    }
    database.close();
    const first = await store.get('/api/products?name=Ne');
    const second = await store.get('/api/products?name=Ne');
    assert.equal(first.json.length, 1);
    assert.deepEqual([second.text, second.headers.etag], [first.text, first.headers.etag]);
    await store.product({ name: 'Needle two' });
    assert.equal((await store.get('/api/products?name=Ne')).json.length, 2, 'an acknowledged write is found');
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
