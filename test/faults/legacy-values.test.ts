/** Values in old stores that today's rules reject: duplicate SKUs, orders with too precise totals, an inactive currency. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { run } from '../support/database-scenario.ts';
import { unpackOldStore } from '../support/old-stores.ts';
import { Shop } from '../support/shop.ts';
import { saidIn } from '../support/start-line.ts';

const DUPLICATES =
  /^2 products have the same sku as another, ignoring case, .*They stay unchanged; no further duplicates are accepted\.$/m;
const FINE = /^1 order has totals with more decimal places than the currency\. .*$/m;

for (const command of ['migrate', 'serve'])
  test(`${command} reports duplicate SKUs and too precise totals of an old store once, and the store works`, async () => {
    const shop = await unpackOldStore('0003-orders-with-twins');
    try {
      let reports: string;
      if (command === 'migrate') {
        reports = (await shop.run('migrate')).stdout;
        const again = await shop.run('migrate');
        assert.deepEqual([again.code, again.stdout], [0, 'The schema is up to date.\n']);
        await shop.serve();
      } else reports = (await shop.serve()).said;
      assert.match(reports, DUPLICATES);
      assert.match(reports, FINE);
      const products = (await shop.request('GET', '/api/products')).json;
      assert.deepEqual(
        products.map(({ sku }: { sku: string }) => sku),
        ['G-1', 'G-2', ' g-1 '],
      );
      assert.equal((await shop.request('GET', '/api/orders/1')).json.total, 2.0198);
      const patched = await shop.request('PATCH', '/api/products/3', { body: { sku: ' g-1 ', price: 5 } });
      assert.deepEqual([patched.status, patched.json.sku], [200, ' g-1 ']);
      const { name, price } = patched.json;
      const whole = await shop.request('PUT', '/api/products/3', { body: { sku: ' g-1 ', name, price } });
      assert.equal(whole.status, 200, whole.text);
      for (const body of [{ sku: 'g-1' }, { sku: 'g-2' }])
        assert.equal((await shop.request('PATCH', '/api/products/3', { body })).status, 422);
      const third = await shop.request('POST', '/api/products', { body: { sku: 'g-1', name: 'Third' } });
      assert.equal(third.json.violations[0].code, 'not_unique');
      const payment = await shop.request('PUT', '/api/orders/1/payment_status', { body: { code: 'P' } });
      assert.equal(payment.status, 200, payment.text);
      const noted = await shop.request('PATCH', '/api/orders/1', { body: { notes: 'As it was.' } });
      assert.deepEqual([noted.json.total, noted.json.items[0].discounted_subtotal], [2.0198, 2.0198]);
      await shop.stop();
      const { code, stdout } = await shop.run('check');
      assert.equal(code, 0, stdout);
      assert.match(stdout, /no faults found/);
      assert.match(stdout, DUPLICATES);
      assert.match(stdout, FINE);
    } finally {
      await shop.remove();
    }
  });

test('a start that fails reports duplicate SKUs and too precise totals, and the next start does not repeat them', async () => {
  const shop = await unpackOldStore('0003-orders-with-twins');
  const other = createServer().listen(0, '127.0.0.1');
  try {
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, stdout, stderr } = await shop.folder.run(['serve'], { ...shop.environment, PORT: String(port) });
    assert.equal(code, 1);
    assert.match(stderr, /^Port \d+ on \S+ is in use/);
    assert.match(saidIn(stdout), DUPLICATES);
    assert.match(saidIn(stdout), FINE);
    assert.doesNotMatch((await shop.serve()).said, /have the same sku|decimal places than/);
  } finally {
    other.close();
    await shop.remove();
  }
});

test('migrate and check report no legacy values in a new store', async () => {
  const shop = await Shop.make('sqlite');
  try {
    assert.doesNotMatch((await shop.run('migrate')).stdout, /share|finer/);
    assert.match((await shop.run('check')).stdout, /^Checked .*: no faults found\.\n$/);
  } finally {
    await shop.remove();
  }
});

test('an old store with an inactive currency starts with a warning and accepts orders in this currency', async () => {
  const shop = await unpackOldStore('0003-orders', { STORE_CURRENCY: 'HRK' });
  try {
    assert.equal((await shop.run('migrate')).code, 0);
    const database = await shop.database.open();
    await run(database, sql`update setting set value = 'HRK' where name = 'currency'`);
    await database.close();
    const { said } = await shop.serve();
    assert.match(said, /^The store’s currency, HRK, is not an active ISO 4217 code, .*$/m);
    const items = [{ product_id: 1, amount: 1, price: 1.2345 }];
    for (const body of [
      { email: 'a@b.c', items },
      { email: 'a@b.c', items, currency: 'HRK' },
    ]) {
      const { json, text } = await shop.request('POST', '/api/orders', { body });
      assert.deepEqual([json.currency, json.total], ['HRK', 1.2345], text);
    }
    const other = await shop.request('POST', '/api/orders', { body: { email: 'a@b.c', items, currency: 'DEM' } });
    assert.equal(other.status, 422);
  } finally {
    await shop.remove();
  }
});

for (const currency of ['HRK', 'XAU', 'ABC'])
  test(`rejects the currency ${currency} for a new store`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'purveyor-currency-'));
    const shop = await Shop.make('sqlite', {
      STORE_CURRENCY: currency,
      DATABASE_URL: `sqlite:${folder}/store.db`,
    });
    try {
      for (const command of ['serve', 'migrate']) {
        const { code, stdout, stderr } = await shop.run(command);
        assert.deepEqual([code, stdout], [1, '']);
        assert.match(stderr, /^STORE_CURRENCY must be an active ISO 4217 currency code; it is "[A-Z]{3}"\.\n$/);
      }
      assert.deepEqual(
        (await readdir(folder)).filter((name) => name.endsWith('.db')),
        [],
      );
    } finally {
      await shop.remove();
      await rm(folder, { recursive: true });
    }
  });
