/** `purveyor import woocommerce` end to end, in process and over HTTP. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { sha256 } from '../../src/transfer/import/sha256.ts';
import { readWooCommerceExport } from '../../src/transfer/import/woocommerce/csv.ts';
import { EITHER_WAY, Shop } from './shop.ts';

const EXAMPLE = new URL('../data/woocommerce-example.csv', import.meta.url);

const ROWS = [
  'row 2: created TEA-GREEN, 2 images, 2 categories',
  'row 3: created woo-12, 1 category',
  'row 5: created MUG-BS, 2 images, 1 category, 2 options',
  'row 6: created MUG-BL, 2 images, 1 category, 2 options',
  'row 7: created MUG-white-small, 1 image, 1 category, 2 options',
  'row 8: skipped SET: Grouped products are not supported: they only refer to other products. Import those.',
  'row 9: skipped BOOK: Regular price "19,90" in row 9 is not a plain number. Write it as in 9.99.',
  'row 10: created POT, 1 category',
  'row 11: skipped LOST: The file has no row for the parent "id:99". Export the parent too.',
];

for (const [name, way] of EITHER_WAY)
  describe(`the import of a WooCommerce export ${way} (${name})`, () => {
    const shop = new Shop(name, way);
    shop.importer = 'woocommerce';
    let file: string;
    before(async () => {
      await shop.open();
      file = await shop.file(
        (await readFile(EXAMPLE, 'utf8')).replaceAll('https://images.example', shop.imagesAddress),
      );
    });
    after(() => shop.close());

    test('a dry run predicts the run', async () => {
      const dry = await shop.command(file, '--dry-run');
      assert.deepEqual([dry.status, await shop.everything()], [2, {}]);
      const { status, report } = await shop.command(file);
      assert.equal(status, 2);
      assert.deepEqual(report.slice(0, ROWS.length), ROWS);
      assert.deepEqual(
        dry.report.slice(0, ROWS.length),
        ROWS.map((row) => row.replace(': created', ': would be created')),
      );
      assert.match(
        report.at(-3)!,
        /^These columns were not imported: Is featured\?, .*External URL, .*Meta: _brand\.$/,
      );
      assert.doesNotMatch(report.at(-3)!, /Attribute|SKU|Weight|ID,/);
      assert.equal(
        report.at(-1),
        'Categories: 5 created, 7 products added, 0 failed. Options: 6 created, 6 attributes created, 6 set, 0 failed.',
      );
    });

    test('imports fields, stock, prices, texts, categories, images and options', async () => {
      const tea = await shop.product('TEA-GREEN');
      assert.deepEqual(
        [tea.name, tea.price, tea.weight, tea.amount, tea.inventory_traceable, tea.brief_description],
        ['Green tea', 7.9, 0.12, 24, true, 'Loose leaves, 100 g.'],
      );
      assert.equal(tea.description, '<p>Picked in spring.</p>\nKeep it dry.');
      assert.deepEqual(tea.tags.map((tag: { name: string }) => tag.name).sort(), ['green', 'loose, leaf', 'tea']);
      assert.equal(tea.images.length, 2);
      const strainer = await shop.product('woo-12');
      assert.deepEqual(
        [strainer.amount, strainer.inventory_traceable, strainer.available_for_backorder, strainer.taxable],
        [0, true, false, false],
      );
      const [small, large] = [await shop.product('MUG-BS'), await shop.product('MUG-BL')];
      assert.deepEqual(
        [small.name, small.price, small.market_price, small.weight, small.amount, small.available_for_backorder],
        ['Mug – Blue / Small', 9.99, 12, 0.4, 5, true],
      );
      assert.deepEqual([large.price, large.market_price, large.weight, large.amount], [14, 0, 0.55, 0]);
      assert.equal(small.description, 'Stoneware from one kiln.');
      assert.equal((await shop.product('MUG-white-small')).enabled, false);
      const own = `/api/products/${small.id}/attributes_select`;
      const attributes = await shop.records(own);
      assert.deepEqual(
        attributes.map((attribute) => attribute.name),
        ['Colour', 'Size'],
      );
      const [value] = await shop.records(`${own}/${attributes[1]!.id}/values`);
      assert.equal(value?.option.value, 'Small');
      const [mugs] = await shop.records('/api/categories?name=Mugs');
      assert.equal((await shop.records(`/api/categories/${mugs!.id}/products`)).length, 3);
    });

    test('a second run with the same file changes nothing', async () => {
      const before = await shop.everything();
      const { report } = await shop.command(file);
      assert.match(
        report.at(-2)!,
        /^Products: 0 created, 0 updated, 6 unchanged, 3 skipped\. Images: 0 added, 7 added/,
      );
      assert.deepEqual(await shop.everything(), before);
    });
  });

test('a file that is not such an export is rejected with the missing column', () => {
  const refused = readWooCommerceExport(Buffer.from('Handle,Title\na,b\n'), { weightUnit: 'kg', sha256 });
  assert.ok(!refused.readable && /no column "Type"/.test(refused.reason));
});

test('weights are converted to the unit of the store', () => {
  const header = 'Type,SKU,Name,Regular price,Weight (lbs)';
  const file = readWooCommerceExport(Buffer.from(`${header}\nsimple,A,A,1,2.5\n`), { weightUnit: 'kg', sha256 });
  assert.equal(file.readable && file.productRows[0]?.input.weight, 1.134);
});

/** Parses a file of these rows. @returns product inputs and notes */
function read(header: string, ...rows: string[]) {
  const file = readWooCommerceExport(Buffer.from([header, ...rows].join('\n')), { weightUnit: 'kg', sha256 });
  assert.ok(file.readable);
  assert.deepEqual(file.skipped, []);
  return { inputs: file.productRows.map(({ input }) => input), notes: file.notes };
}

test('the apostrophe before a text that looks like a formula is removed', () => {
  const { inputs } = read('Type,SKU,Name,Regular price,Description,Stock', "simple,'-A,'+Plus,1,'tis,'-3");
  const [{ sku, name, description, amount }] = inputs as [(typeof inputs)[0]];
  assert.deepEqual([sku, name, description, amount], ['-A', '+Plus', "'tis", 0]);
});

test('a product without counted stock may be on backorder', () => {
  const { inputs } = read(
    'Type,SKU,Name,Regular price,Stock,In stock?,Backorders allowed?',
    'simple,A,A,1,,backorder,0',
  );
  assert.deepEqual([inputs[0]?.inventory_traceable, inputs[0]?.available_for_backorder], [false, true]);
});

test('a past or future sale is ignored', () => {
  const header = 'Type,SKU,Name,Regular price,Sale price,Date sale price starts,Date sale price ends';
  const { inputs } = read(
    header,
    'simple,OVER,A,10,8,,2020-01-31',
    'simple,TO-COME,A,10,8,2999-01-01 00:00:00,',
    'simple,ON,A,10,8,2020-01-01,2999-01-01T23:59:59',
  );
  assert.deepEqual(
    inputs.map(({ price, market_price }) => [price, market_price]),
    [
      [10, 0],
      [10, 0],
      [8, 10],
    ],
  );
});

test('variations that share stock are reported once per parent', () => {
  const { inputs, notes } = read(
    'ID,Type,SKU,Name,Regular price,Stock,Parent,Attribute 1 name,Attribute 1 value(s)',
    '1,variable,MUG,Mug,,24,,Colour,"Blue, Red"',
    '2,variation,BLUE,Mug,1,parent,id:1,Colour,Blue',
    '3,variation,RED,Mug,1,parent,id:1,Colour,Red',
  );
  assert.deepEqual(
    inputs.map(({ amount }) => amount),
    [24, 24],
  );
  assert.deepEqual(
    notes.filter((note) => note.includes('share')),
    [
      'Row 2, Mug: 2 variations share its stock of 24. Each of them is now a product with a stock of 24. Set their stock.',
    ],
  );
});
