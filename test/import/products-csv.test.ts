/** Products as CSV (sync.md §5): the file that an export writes, what an import reads, and that a round trip changes nothing. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { createClient } from '../../src/client/index.ts';
import {
  csvEffects,
  csvReportText,
  csvTotals,
  exportCsv,
  importCsv,
  type ProductsCsv,
  readProductsCsv,
} from '../../src/transfer/import/in-page.ts';
import { PRODUCT_COLUMNS } from '../../src/transfer/import/products-csv/columns.ts';
import { storeModel } from '../../src/wiring/open.ts';
import { assertUnchanged } from '../support/expect.ts';
import { attached, png } from '../support/images.ts';
import { type Json, onEachDatabase, READ_WRITE_KEY, type Store } from '../support/store.ts';
import { madeVariant, varied } from '../support/variants.ts';

const BOM = '\ufeff';

function parsed(text: string | Uint8Array): ProductsCsv {
  const file = readProductsCsv(typeof text === 'string' ? Buffer.from(text) : text);
  assert.ok(file.readable, file.readable ? '' : file.reason);
  return file;
}

async function exported(store: Store): Promise<string> {
  const { parts } = await exportCsv(clientOf(store), store.address);
  return (await Array.fromAsync(parts)).join('');
}

function clientOf(store: Store) {
  return createClient({ baseUrl: store.address, key: READ_WRITE_KEY });
}

async function imported(store: Store, text: string, dryRun = false) {
  return importCsv(clientOf(store), store.address, parsed(text), { dryRun });
}

/** The rows of an import with their outcomes and reasons. */
async function outcomes(
  store: Store,
  text: string,
  dryRun = false,
): Promise<[row: number, outcome: string, ...reasons: string[]][]> {
  const { rows, stopped } = await imported(store, text, dryRun);
  assert.equal(stopped, undefined);
  return rows.map(({ row, outcome, problems }) => [row, outcome, ...problems.map(({ path }) => path)]);
}

/** The changes that a row of a preview names. */
const changesIn = ({ changes }: { changes: readonly { column: string; before: string; after: string }[] }) =>
  changes.map(({ column, before, after }) => `${column}: ${before} → ${after}`);

describe('the columns of a product CSV file', () => {
  test('are every input field of a product', () => {
    const { inserts, updates } = storeModel().resources.get('Product')!.routes[0]!;
    const names = [...inserts].filter((field) => updates.has(field)).map(({ name }) => name);
    assert.deepEqual(Object.keys(PRODUCT_COLUMNS), names);
  });
});

describe('a product CSV file', () => {
  test('is read with commas, semicolons or tabs, with and without a byte order mark', () => {
    for (const separator of [',', ';', '\t'])
      for (const mark of ['', BOM]) {
        const { rows, notes } = parsed(`${mark}sku${separator}price\r\nA${separator}1.5\r\n`);
        assert.deepEqual(
          [rows.map(({ row, sku, input }) => [row, sku, input]), notes],
          [[[2, 'A', { price: 1.5 }]], []],
        );
      }
  });

  test('numbers its rows as a spreadsheet does, also after empty rows and cells of several lines', () => {
    const { rows } = parsed('sku,description\nA,"one\ntwo"\n\nB,x\n');
    assert.deepEqual(
      rows.map(({ row, sku }) => [row, sku]),
      [
        [2, 'A'],
        [4, 'B'],
      ],
    );
  });

  test('needs only the column sku, and its unknown columns are named', () => {
    const file = readProductsCsv(Buffer.from('name\nA\n'));
    assert.match(file.readable ? '' : file.reason, /no column "sku"/);
    assert.deepEqual(parsed('sku,colour,option.,stock,,name\nA,,,,,x\n').unknownColumns, [
      'colour',
      'option.',
      'stock',
    ]);
    const twice = readProductsCsv(Buffer.from('sku,option.Size,option.Size\n'));
    assert.match(twice.readable ? '' : twice.reason, /"option\.Size" twice/);
  });

  test('has cells that are texts, numbers, lists or empty', () => {
    const columns = 'sku,name,price,enabled,tags,stickers,product_class,arrival_date,discount_type,images';
    const [full, empty] = parsed(
      `${columns}\nA,'=1+1,-0.5,TRUE,a\\|b|c\\\\|,1|2,Shirts,2026-01-01,sale_price,http://x/1|http://x/2\nB,,,,,,,,,\n`,
    ).rows;
    assert.deepEqual(full!.input, {
      ...{ name: '=1+1', price: -0.5, enabled: true, tags: ['a|b', 'c\\'], stickers: [1, 2], product_class: 'Shirts' },
      ...{ arrival_date: '2026-01-01', discount_type: 'sale_price' },
    });
    assert.deepEqual(full!.images, ['http://x/1', 'http://x/2']);
    assert.deepEqual([empty!.input, empty!.images], [{ name: '', tags: [], stickers: [], product_class: null }, []]);
  });

  test('reports cells that cannot be read with their row and column', () => {
    const { rows } = parsed(
      'sku;price;enabled;stickers;parent_sku;name;images;option.Size\nA;1,5;maybe;x;;;;\n;;;;;;;\n;1;;;;;;\nB;1;;;P;Name;a|b;\n;;;;P;;;\nC;;;;;;;S\nD;1;;;;;;\nD;2;;;;;;\nE;1\n',
    );
    assert.deepEqual(
      rows.map(({ row, problems }) => [row, ...problems.map(({ path }) => path)]),
      [
        [2, 'price', 'enabled', 'stickers'],
        [4, 'sku'],
        [5, 'name', 'images'],
        [6, 'sku'],
        [7, 'option.Size'],
        [8],
        [9, 'sku'],
        [10, ''],
      ],
    );
    assert.match(rows[0]!.problems[0]!.message, /comma/);
  });
});

onEachDatabase('products as CSV', {}, (store) => {
  before(async () => {
    const { id: sticker } = await store.made('/api/stickers', { name: 'New' });
    await store.made('/api/memberships', { name: 'Gold|Silver' });
    await store.made('/api/product_classes', { name: 'Shirts' });
    const image = async (width: number): Promise<Json> => attached(png(width, 2));
    await store.product({
      ...{
        sku: '=SUM(A1)',
        name: '+1 "quoted", text',
        description: 'one\r\ntwo; three\tfour',
        meta_title: "'apostrophe",
      },
      ...{
        price: 19.99,
        amount: 2,
        backorder_limit: 5,
        weight: 0.0001,
        tags: ['a|b', 'back\\slash', '-minus'],
        stickers: [sticker],
      },
      ...{ memberships: ['Gold|Silver'], product_class: 'Shirts', participate_sale: true, sale_price_value: 10 },
      images: [await image(3), await image(2), await image(1)],
    });
    await store.made('/api/orders', { email: 'ada@example.com', items: [{ sku: '=SUM(A1)', amount: 5 }] });
    await store.product({ sku: 'plain', name: 'Plain' });
    const shirt = await varied(
      store,
      { sku: '@SHIRT', name: 'Shirt', product_class: 'Shirts' },
      { Size: ['S', 'M', '=L', 'XL'] },
    );
    await madeVariant(store, shirt, ['S'], { sku: '-S', price: 5, image: await image(4) });
    await madeVariant(store, shirt, ['M'], { amount: 7, weight: 1.5 });
    await madeVariant(store, shirt, ['=L'], { sku: 'SHIRT-L' });
    const mug = await store.product({ sku: 'MUG', name: 'Mug' });
    const { id: attribute } = await store.made('/api/attributes_checkbox', { name: 'Lid' });
    const values = `/api/products/${mug.id}/attributes_checkbox/${attribute}/values`;
    for (const value of [true, false]) {
      const { id } = await store.made(values, { value });
      await store.made(`/api/products/${mug.id}/variants`, { attribute_checkbox_values: [id], sku: `MUG-${value}` });
    }
  });

  test('are written with columns by field name and variants as rows, guarded against formulas', async () => {
    const text = await exported(store);
    assert.ok(
      text.startsWith(`${BOM}${Object.keys(PRODUCT_COLUMNS).join()},images,parent_sku,option.Size,option.Lid\r\n`),
    );
    assert.equal(text.split('\r\n').at(-1), '');
    const rows = parsed(text).rows;
    assert.deepEqual(
      rows.map(({ sku, parentSku, options }) => [sku, parentSku, ...options.values()]),
      [
        ['=SUM(A1)', undefined],
        ['plain', undefined],
        ['@SHIRT', undefined],
        ['-S', '@SHIRT', 'S'],
        ['', '@SHIRT', 'M'],
        ['SHIRT-L', '@SHIRT', '=L'],
        ['MUG', undefined],
        ['MUG-true', 'MUG', 'true'],
        ['MUG-false', 'MUG', 'false'],
      ],
    );
    assert.deepEqual(
      rows.map(({ images }) => images!.length),
      [3, 0, 0, 1, 0, 0, 0, 0, 0],
    );
    assert.deepEqual([rows[3]!.input, rows[4]!.input, rows[5]!.input], [{ price: 5 }, { weight: 1.5, amount: 7 }, {}]);
    for (const cell of ["'=SUM(A1)", '\'+1 ""quoted""', "''apostrophe", "'@SHIRT", "'-S", "'=L", ',-3,'])
      assert.ok(text.includes(cell), cell);
  });

  test('are not changed by a round trip without edits', async () => {
    const text = await exported(store);
    for (const dryRun of [true, false])
      await assertUnchanged(store, async () => {
        const report = await imported(store, text, dryRun);
        assert.deepEqual(csvTotals(report), {
          products: { created: 0, updated: 0, unchanged: 4, failed: 0 },
          variants: { created: 0, updated: 0, unchanged: 5, failed: 0 },
        });
      });
    assert.equal(await exported(store), text);
  });

  test('have a cell for their own Open Graph markup only, and lists that are equal in another order', async () => {
    const { rows } = parsed(await exported(store));
    assert.ok(rows.every(({ input }) => !input.og_meta_tags));
    const { id } = await store.product({ sku: 'OG', name: 'Og & "so"', description: '<p>Text</p>', tags: ['x', 'y'] });
    const { og_meta_tags: generated } = (await store.get(`/api/products/${id}`)).json;
    assert.match(generated, /og:title.*\n.*og:description/);
    const cellOf = async (markup: string) => {
      await store.patch(`/api/products/${id}`, { og_meta_tags: markup });
      return parsed(await exported(store)).rows.find(({ sku }) => sku === 'OG')!.input.og_meta_tags;
    };
    assert.equal(await cellOf(`${generated}\n<meta property="og:url" content="https://old.example/og" />`), '');
    assert.equal(await cellOf(`${generated} `), `${generated} `);
    const preview = await imported(store, 'sku,og_meta_tags,tags,price\nOG,,y|x,1\n', true);
    assert.deepEqual(preview.rows.map(changesIn), [[`og_meta_tags: ${generated}  → `, 'price: 0 → 1']]);
    await store.delete(`/api/products/${id}`);
  });

  test('are created and changed by their rows; failed rows do not stop the others', async () => {
    const text =
      'sku,name,price,colour\nplain,Plain,4.5,red\nMUG,Mug,"1,5",\nmug,Other,1,\nNEW,New one,2,\nMUG-true,Taken,1,\n';
    const wanted = [
      [2, 'updated'],
      [3, 'failed', 'price'],
      [4, 'failed', 'sku'],
      [5, 'created'],
      [6, 'failed', 'sku'],
    ];
    await assertUnchanged(store, async () => {
      assert.deepEqual(await outcomes(store, text, true), wanted);
      const preview = await imported(store, text, true);
      assert.deepEqual(preview.rows.map(changesIn), [
        ['price: 0 → 4.5'],
        [],
        [],
        ['name:  → New one', 'price:  → 2'],
        [],
      ]);
      assert.match(csvReportText(preview), /^row 2: would be updated plain: price 0 → 4\.5\n/);
    });
    const report = await imported(store, text);
    assert.ok(report.rows.every(({ changes }) => changes.length === 0));
    assert.deepEqual(
      report.rows.map(({ row, outcome, problems }) => [row, outcome, ...problems.map(({ path }) => path)]),
      wanted,
    );
    const lines = csvReportText(report);
    assert.match(lines, /^row 2: updated plain\nrow 3: failed MUG: price: .*comma/);
    assert.match(
      lines,
      /\nIgnored unknown columns: colour\.\nProducts: 1 created, 1 updated, 0 unchanged, 3 failed\.\n/,
    );
    const [plain] = (await store.get('/api/products?sku=plain')).json;
    assert.deepEqual([plain.price, plain.name], [4.5, 'Plain']);
    assert.equal((await store.get('/api/products?sku=NEW')).json.length, 1);
    const second = await outcomes(store, text);
    assert.deepEqual(
      second.map(([, outcome]) => outcome),
      ['unchanged', 'failed', 'failed', 'unchanged', 'failed'],
    );
  });

  test('do not change by columns that an import leaves out, and a preview counts the products that each column changes', async () => {
    const text =
      "sku,parent_sku,price,amount,images\n'=SUM(A1),,19.99,9,\nplain,,4,many,\n'@SHIRT,,0,8,\n,,,,\nMUG-true,MUG,,2,\nMUG-false,MUG,,2,\nADDED,,1,1,\n";
    const fileWithout = (without: readonly string[]): ProductsCsv => {
      const file = readProductsCsv(Buffer.from(text), without);
      assert.ok(file.readable);
      return file;
    };
    const preview = (without: readonly string[]) =>
      importCsv(clientOf(store), store.address, fileWithout(without), { dryRun: true });
    await assertUnchanged(store, async () => {
      const all = await preview([]);
      assert.deepEqual(csvEffects(all), {
        columns: new Map([
          ['amount', 3],
          ['images', 1],
        ]),
        imagesRemoved: { products: 1, images: 3 },
      });
      assert.match(
        csvReportText(all),
        /\nChanged columns: amount \(3 products\), images \(1 product, 3 images removed\)\.\n/,
      );
      const some = await preview(['amount', 'images']);
      assert.deepEqual(csvEffects(some), {
        columns: new Map([['price', 1]]),
        imagesRemoved: { products: 0, images: 0 },
      });
      assert.deepEqual(
        some.rows.map(({ outcome }) => outcome),
        ['unchanged', 'updated', 'unchanged', 'unchanged', 'unchanged', 'failed'],
      );
    });
    assert.deepEqual(fileWithout(['amount']).optionalColumns, ['price', 'amount', 'images']);
  });

  test('have the images of their cell, in its order', async () => {
    const read = async () => (await store.get('/api/products?sku==SUM(A1)'.replace('==', '=%3D'))).json[0];
    const before = await read();
    const [first, second, third] = before.images;
    const row = (images: readonly { url: string }[]) =>
      `sku,images\n'=SUM(A1),${images.map(({ url }) => url).join('|')}\n`;
    assert.deepEqual(await outcomes(store, row([third, first, second])), [[2, 'updated']]);
    const idsOf = (product: { images: { id: number; alt: string }[] }) => product.images.map(({ id }) => id);
    assert.deepEqual(idsOf(await read()), [third.id, first.id, second.id]);
    await assertUnchanged(store, async () =>
      assert.deepEqual(await outcomes(store, row([third, first, second])), [[2, 'unchanged']]),
    );
    await assertUnchanged(store, async () =>
      assert.deepEqual(await outcomes(store, row([second, { url: 'http://127.0.0.1:1/x.png' }])), [
        [2, 'failed', 'images'],
      ]),
    );
    assert.deepEqual(await outcomes(store, row([second])), [[2, 'updated']]);
    assert.deepEqual(idsOf(await read()), [second.id]);
    assert.deepEqual(await outcomes(store, 'sku,price\n"\'=SUM(A1)",19.99\n'), [[2, 'unchanged']]);
    assert.deepEqual(await outcomes(store, row([])), [[2, 'updated']]);
    assert.deepEqual((await read()).images, []);
  });

  test('have variants that are found by SKU or options, and created with their options', async () => {
    const header = 'sku,parent_sku,price,amount,images,option.Size,option.Colour,option.Lid';
    const text = [
      header,
      "'-S,'@SHIRT,6,,,S,,",
      ",'@SHIRT,,8,,M,,",
      "SHIRT-XL,'@SHIRT,9,,,xl,,",
      "SHIRT-XXL,'@SHIRT,9,,,XXL,,",
      "SHIRT-L,'@SHIRT,,,,S,,",
      "NO-OPTION,'@SHIRT,,,,,,",
      'ORPHAN,NOWHERE,1,,,S,,',
      'NEW-TEA,NEW,3,,,,green,',
    ].join('\n');
    const wanted = [
      [2, 'updated'],
      [3, 'updated'],
      [4, 'created'],
      [5, 'created'],
      [6, 'failed', 'option.Size'],
      [7, 'failed', 'sku'],
      [8, 'failed', 'parent_sku'],
      [9, 'created'],
    ];
    await assertUnchanged(store, async () => {
      assert.deepEqual(await outcomes(store, text, true), wanted);
      const { rows } = await imported(store, text, true);
      assert.deepEqual(rows.slice(1, 3).map(changesIn), [['amount: 7 → 8'], ['option.Size:  → xl', 'price:  → 9']]);
      const [price, images] = changesIn(rows[0]!);
      assert.equal(price, 'price: 5 → 6');
      assert.match(images!, /^images: http.+\/images\/[0-9a-f]{64}\.png → $/);
    });
    assert.deepEqual(await outcomes(store, text), wanted);
    assert.deepEqual(
      (await outcomes(store, text)).map(([, outcome]) => outcome),
      ['unchanged', 'unchanged', 'unchanged', 'unchanged', 'failed', 'failed', 'failed', 'unchanged'],
    );
    const [shirt] = (await store.get('/api/products?sku=%40SHIRT')).json;
    const variants = (await store.get(`/api/products/${shirt.id}/variants`)).json;
    assert.deepEqual(
      variants.map(({ sku, price, default_price, amount, image }: Json) => [
        sku,
        default_price ? null : price,
        amount,
        image,
      ]),
      [
        ['-S', 6, 1000, null],
        [null, null, 8, null],
        ['SHIRT-L', null, 1000, null],
        ['SHIRT-XL', 9, 1000, null],
        ['SHIRT-XXL', 9, 1000, null],
      ],
    );
    const again = await exported(store);
    await assertUnchanged(store, async () => {
      assert.ok((await outcomes(store, again)).every(([, outcome]) => outcome === 'unchanged'));
    });
  });

  test('of a store that stops responding are reported up to there', async () => {
    const file = parsed('sku,name\nplain,Plain\nMUG,Mug\n');
    const report = await importCsv(clientOf(store), store.address, file, {
      dryRun: false,
      onProgress: () => {
        throw new Error('Enough.');
      },
    });
    assert.deepEqual([report.rows.length, report.stopped], [1, { row: 3, reason: 'Enough.' }]);
    assert.match(csvReportText(report), /Stopped at row 3: Enough\. Run the import again to continue\./);
  });
});
