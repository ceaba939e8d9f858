/** `purveyor import wholesale-prices`: rows of a table, on the local store and over HTTP (pricing.md §1). */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Folder } from '../cli/program.ts';
import { type FreshDatabase, freshDatabase } from '../support/databases.ts';
import { type Json, READ_WRITE_KEY, Store } from '../support/store.ts';
import { madeVariant, varied } from '../support/variants.ts';
import { EITHER_WAY } from './shop.ts';

for (const [name, way] of EITHER_WAY)
  describe(`files of wholesale prices, ${way} (${name})`, () => {
    let database: FreshDatabase;
    let folder: Folder;
    let store: Store;
    let environment: Record<string, string>;
    before(async () => {
      folder = await Folder.make();
      database = await freshDatabase(name, 'migrated');
      environment = { DATABASE_URL: database.url, IMAGES_URL: `file:${join(folder.path, 'images')}` };
      store = new Store(name, environment);
      await store.start();
    });
    after(async () => {
      await store.stop();
      await database.remove();
      await folder.remove();
    });
    const run = (...args: string[]) =>
      way === 'over HTTP'
        ? folder.run([...args, '--store', store.address], { PURVEYOR_KEY: READ_WRITE_KEY })
        : folder.run(args, environment);

    test('are imported row by row, and have no effect when repeated', async () => {
      const shirt = await varied(store, { sku: 'SHIRT' });
      await madeVariant(store, shirt, ['M', 'red'], { sku: 'SHIRT-M' });
      const { id: gold } = await store.made('/api/memberships', { name: 'Gold' });
      const rows = [
        'sku,membership,quantity,type,price',
        'SHIRT,,10,price,9.5',
        'SHIRT-M,gold,1,percent,15',
        `SHIRT-M,${gold},5,,8`,
        'SHIRT,Silver,10,price,9',
        'NO-SUCH-SKU,,10,price,9',
        'SHIRT,,1,price,9',
        'SHIRT,,,price,9.00001',
        'SHIRT,,20',
      ];
      await folder.write('prices.csv', rows.join('\n'));
      const dry = await run('import', 'wholesale-prices', 'prices.csv', '--dry-run');
      assert.deepEqual((await store.get('/api/wholesale_prices')).json, []);
      const { code, stdout } = await run('import', 'wholesale-prices', 'prices.csv');
      assert.deepEqual([dry.code, code], [2, 2]);
      const lines = stdout.trimEnd().split('\n');
      const expected = [
        /^line 2: created SHIRT$/,
        /^line 3: created SHIRT-M$/,
        /^line 4: created SHIRT-M$/,
        /^line 5: failed SHIRT: There is no membership "Silver"\.$/,
        /^line 6: failed NO-SUCH-SKU: sku: /,
        /^line 7: failed SHIRT: quantity_range_begin: /,
        /^line 8: failed SHIRT: price "9\.00001" in row 8 has too many decimals.* The row has no quantity\.$/,
        /^line 9: failed SHIRT: Row 9 has 3 cells/,
        /^Wholesale prices: 3 created, 0 updated, 0 unchanged, 5 failed\.$/,
      ];
      assert.equal(lines.length, expected.length, stdout);
      for (const [index, pattern] of expected.entries()) assert.match(lines[index]!, pattern);
      const stored = (await store.get('/api/wholesale_prices?order[id]=asc')).json;
      assert.deepEqual(
        stored.map(({ sku, membership, quantity_range_begin, type, price }: Json) => [
          ...[sku, membership, quantity_range_begin, type, price],
        ]),
        [
          ['SHIRT', null, 10, 'price', 9.5],
          ['SHIRT-M', gold, 1, 'percent', 15],
          ['SHIRT-M', gold, 5, 'price', 8],
        ],
      );
      const again = await run('import', 'wholesale-prices', 'prices.csv');
      assert.match(again.stdout, /^Wholesale prices: 0 created, 0 updated, 3 unchanged, 5 failed\.$/m);
    });

    test('without a required column, or that do not exist, are rejected as a whole', async () => {
      await folder.write('broken.csv', 'sku,price\nSHIRT,1\n');
      const broken = await run('import', 'wholesale-prices', 'broken.csv');
      assert.equal(broken.code, 1);
      assert.match(broken.stderr, /no column "quantity"/);
      assert.equal((await run('import', 'wholesale-prices', 'none.csv')).code, 1);
    });

    test('are also exported and imported as lines, like discounts, coupons, zones and rates', async () => {
      await store.made('/api/coupons', { code: 'LINES' });
      await store.made('/api/zones', { name: 'Lines' });
      await store.made('/api/volume_discounts', {});
      for (const [collection, count] of [
        ['wholesale_prices', 3],
        ['coupons', 1],
        ['zones', 1],
        ['volume_discounts', 1],
      ] as const) {
        const file = `${collection}.jsonl`;
        assert.equal((await run('export', collection, file)).code, 0);
        const imported = await run('import', collection, file);
        assert.equal(imported.code, 0, imported.stdout);
        assert.match(imported.stdout, new RegExp(`${count} unchanged`));
      }
    });
  });
