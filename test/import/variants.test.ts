/** Merging of rows into products with variants: real exports of Shopify and WooCommerce, and edge cases. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { mergeVariants } from '../../src/transfer/import/merge-variants.ts';
import { sha256 } from '../../src/transfer/import/sha256.ts';
import { readShopifyExport } from '../../src/transfer/import/shopify/csv.ts';
import { EITHER_WAY, Shop } from './shop.ts';

const SHOPIFY =
  'Handle,Title,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Variant SKU,Variant Price,Variant Compare At Price,Variant Inventory Tracker,Variant Inventory Qty,Variant Grams,Image Src,Variant Image';

test('the row after the thousandth variant is skipped with a reason', () => {
  const rows = Array.from({ length: 1001 }, (_, index) => `big,Big,Number,${index},,,B-${index},1,,,,,,`);
  const file = readShopifyExport(Buffer.from([SHOPIFY, ...rows].join('\n')), {
    weightUnit: 'kg',
    sha256,
    asVariants: true,
  });
  assert.ok(file.readable);
  const { productRows, skipped } = mergeVariants(file);
  assert.deepEqual([productRows.length, productRows[0]?.variants?.length], [1, 1000]);
  assert.deepEqual(
    skipped.map(({ row, reason }) => [row, reason]),
    [[1002, 'The product already has 1000 variants, the maximum. Split it into several products.']],
  );
});

for (const [name, way] of EITHER_WAY)
  describe(`an import of variants ${way} (${name})`, () => {
    const shop = new Shop(name, way);
    shop.variants = 'together';
    before(() => shop.open());
    after(() => shop.close());

    const variantsOf = async (sku: string) => {
      const product = await shop.product(sku);
      const path = `/api/products/${product.id}`;
      const texts = new Map<number, string>();
      for (const { id } of await shop.records(`${path}/attributes_select`))
        for (const value of await shop.records(`${path}/attributes_select/${id}/values`))
          texts.set(value.id, value.option.value);
      const variants = await shop.records(`${path}/variants?itemsPerPage=100`);
      const shown = variants.map((variant) => ({
        ...variant,
        options: variant.attribute_select_values.map((id: number) => texts.get(id)),
      }));
      // The lines of a bulk are written concurrently.
      return shown.sort((one, other) => (one.sku < other.sku ? -1 : 1));
    };
    const shopify = (...rows: string[]) => shop.file([SHOPIFY, ...rows].join('\n'));

    test('real exports: a dry run predicts the run, and a second run changes nothing', async () => {
      const counts = { apparel: [20, 3, 20], 'home-and-garden': [20, 2, 21] } as const;
      for (const [file, [products, variants, images]] of Object.entries(counts)) {
        const path = await shop.real(file);
        const dry = await shop.run(path, { dryRun: true });
        const { status, report } = await shop.run(path);
        assert.equal(status, 0, report.join('\n'));
        assert.deepEqual(report.slice(-3, -1), [
          `Products: ${products} created, 0 updated, 0 unchanged, 0 skipped. Images: ${images} added, 0 added before, 0 failed.`,
          `Variants: ${variants} created, 0 updated, 0 unchanged, 0 skipped.`,
        ]);
        assert.deepEqual(
          dry.report.slice(0, -5),
          report.slice(0, -4).map((line) => line.replace(': created', ': would be created')),
        );
        const again = await shop.run(path);
        assert.match(
          again.report.at(-3)!,
          new RegExp(`: 0 created, 0 updated, ${products} unchanged.* Images: 0 added`),
        );
        assert.match(again.report.at(-2)!, new RegExp(`^Variants: 0 created, 0 updated, ${variants} unchanged`));
        assert.match(again.report.at(-1)!, /^Categories: 0 created, 0 .* Options: 0 created, 0 .* 0 set/);
      }
      const pot = await shop.product('clay-plant-pot');
      assert.deepEqual([pot.name, pot.price, pot.images.length], ['Clay Plant Pot', 9.99, 2]);
      assert.deepEqual(
        (await variantsOf('clay-plant-pot')).map(({ sku, price, amount, options, default_variant }) => [
          ...[sku, price, amount, options, default_variant],
        ]),
        [
          ['clay-plant-pot-large', 15.99, 3, ['Large'], false],
          ['clay-plant-pot-regular', 9.99, 1, ['Regular'], true],
        ],
      );
    });

    test('imports variants with two options, their own numbers and images, and updates them from a changed file', async () => {
      const [front, red] = [`${shop.imagesAddress}/front.png`, `${shop.imagesAddress}/red.png`];
      const first = [
        `shirt,Shirt,Size,S,Colour,Red,SH-S-R,10,,shopify,2,200,${front},${red}`,
        'shirt,,,S,,Blue,,10,,shopify,3,200,,',
        `shirt,,,M,,Red,SH-M-R,12,15,shopify,0,250,${red},${red}`,
      ];
      const { status, report } = await shop.run(await shopify(...first));
      assert.equal(status, 0, report.join('\n'));
      assert.deepEqual(report.slice(0, 5), [
        'row 2: created shirt, 2 images, 4 options',
        'row 2: created variant SH-S-R, 1 image',
        'row 3: created variant shirt-s-blue',
        'row 4: created variant SH-M-R, 1 image',
        'shirt: variants cannot have their own values of these fields, so the product has those of row 2. Ignored: row 4 (market_price).',
      ]);
      const shown = async () =>
        (await variantsOf('shirt')).map(({ sku, price, default_price, amount, weight, options, image }) => [
          ...[sku, price, default_price, amount, weight, options.toSorted().join(' '), image !== null],
        ]);
      assert.deepEqual(await shown(), [
        ['SH-M-R', 12, false, 0, 0.25, 'M Red', true],
        ['SH-S-R', 10, true, 2, 0.2, 'Red S', true],
        ['shirt-s-blue', 10, true, 3, 0.2, 'Blue S', false],
      ]);
      const { amount, inventory_traceable } = await shop.product('shirt');
      assert.deepEqual([amount, inventory_traceable], [5, true]);

      shop.requestedPaths = [];
      const second = [
        first[0]!,
        'shirt,,,S,,Blue,SH-S-B,11,,shopify,9,200,,',
        first[2]!,
        'shirt,,,M,,Blue,SH-M-B,12,15,shopify,4,250,,',
      ];
      const again = await shop.run(await shopify(...second));
      assert.deepEqual(again.report.slice(0, 5), [
        'row 2: updated shirt',
        'row 2: unchanged variant SH-S-R',
        'row 3: updated variant SH-S-B',
        'row 4: unchanged variant SH-M-R',
        'row 5: created variant SH-M-B',
      ]);
      assert.deepEqual((await shown())[2], ['SH-S-B', 11, false, 9, 0.2, 'Blue S', false]);
      assert.deepEqual(shop.requestedPaths, []);
    });

    test('a row that cannot be a variant is skipped with a reason, and the others are imported', async () => {
      const rows = [
        'cap,Cap,Size,S,Colour,Red,CAP-1,10,,,,,,',
        'cap,,,S,,red,CAP-2,10,,,,,,',
        'cap,,,M,,,CAP-3,10,,,,,,',
        'cap,,,M,,Red,CAP-1,10,,,,,,',
        'cap,,,L,,Red,CAP-5,x,,,,,,',
        'cap,,,L,,Blue,CAP-6,10,,,,,,',
        'bag,Bag,,,,,,5,,,,,,',
        'bag,,,,,,BAG-2,6,,,,,,',
      ];
      const { status, report } = await shop.run(await shopify(...rows));
      assert.equal(status, 2);
      assert.deepEqual(report.slice(0, 9), [
        'row 2: created cap, 4 options',
        'row 2: created variant CAP-1',
        'row 3: skipped variant CAP-2: Row 2 is already the variant Size S, Colour red. Change the options or remove the row.',
        'row 4: skipped variant CAP-3: The variant has no value for "Colour", unlike row 2. Add one.',
        'row 5: skipped variant CAP-1: Row 2 already has the SKU "CAP-1". Give each variant its own Variant SKU.',
        'row 6: skipped variant CAP-5: Variant Price "x" in row 6 is not a plain number. Write it as in 9.99.',
        'row 7: created variant CAP-6',
        'row 8: created bag',
        'row 9: skipped variant BAG-2: The variant has no options that distinguish it from row 8. Give each variant its own options.',
      ]);
      assert.match(report.at(-2)!, /^Variants: 2 created, 0 updated, 0 unchanged, 5 skipped\.$/);
    });

    test('reports other options in the store and a store with one product per variant; the handle is the default SKU', async () => {
      const tea = (size: string) => shopify(`tea,Tea,Size,${size},,,TEA,1,,,,,,`, 'tea,,,Large,,,TEA-L,2,,,,,,');
      assert.equal((await shop.run(await tea('Small'))).report[0], 'row 2: created tea-product, 2 options');
      const { status, report } = await shop.run(await tea('Tiny'));
      assert.equal(status, 2);
      assert.equal(
        report[1],
        'row 2: skipped variant TEA: The variant with this SKU has other options in the store. Delete it there and import again.',
      );
      const mug = await shopify('mug,Mug,Size,S,,,MUG-S,1,,,,,,', 'mug,,,L,,,MUG-L,2,,,,,,');
      assert.equal((await shop.run(mug, { variants: 'products' })).status, 0);
      const before = await shop.everything();
      const refused = await shop.run(mug);
      assert.equal(refused.status, 1);
      assert.match(
        refused.report[0]!,
        /^row 2: skipped mug: The store has a product "MUG-S", as created by --variants=products/,
      );
      assert.equal(refused.report[1], 'row 2: skipped variant MUG-S: Its product was skipped (row 2).');
      assert.deepEqual(await shop.everything(), before);
    });

    test('unavailable images are reported and added by the next run; counted and uncounted stock is merged', async () => {
      shop.missing = '/blue.png';
      const file = await shopify(
        `pen,Pen,Colour,Red,,,PEN-R,1,,shopify,7,,,`,
        `pen,,,Blue,,,PEN-B,1,,,2,,,${shop.imagesAddress}/blue.png`,
      );
      const { status, report } = await shop.run(file);
      assert.equal(status, 2);
      assert.equal(
        report.filter((line) => /^row [23]: image .*blue\.png of (pen|PEN-B) failed: /.test(line)).length,
        2,
      );
      assert.ok(report.some((line) => line.startsWith('pen: the stock of row 3 is counted too')));
      assert.deepEqual(
        (await variantsOf('pen')).map(({ amount }) => amount),
        [1000, 7],
      );
      shop.missing = '';
      const again = await shop.run(file);
      assert.equal(again.status, 0, again.report.join('\n'));
      assert.equal(again.report[2], 'row 3: unchanged variant PEN-B, 1 image');
      assert.match((await shop.run(file)).report.at(-3)!, /Images: 0 added, 2 added before, 0 failed\.$/);
    });

    test('WooCommerce variations become variants; shared stock is that of the product', async () => {
      shop.importer = 'woocommerce';
      const example = await readFile(new URL('../data/woocommerce-example.csv', import.meta.url), 'utf8');
      const file = await shop.file(example.replaceAll('https://images.example', shop.imagesAddress));
      const dry = await shop.run(file, { dryRun: true });
      const { status, report } = await shop.run(file);
      assert.equal(status, 2);
      const rows = [
        'row 4: created MUG, 2 images, 1 category, 3 options',
        'row 5: created variant MUG-BS, 1 image',
        'row 6: created variant MUG-BL, 1 image',
        'row 7: skipped variant Mug - White, Small: The variation is not published, but a variant cannot be hidden. Publish it or remove the row.',
      ];
      assert.deepEqual(report.slice(2, 6), rows);
      assert.deepEqual(
        dry.report.slice(2, 6),
        rows.map((row) => row.replace(': created', ': would be created')),
      );
      assert.match(report.at(-2)!, /^Variants: 2 created, 0 updated, 0 unchanged, 2 skipped\.$/);
      assert.match(report.at(-3)!, /^Products: 4 created, .* 2 skipped\. Images: 6 added/);
      const mug = await shop.product('MUG');
      assert.deepEqual(
        [mug.name, mug.price, mug.market_price, mug.amount, mug.weight, mug.brief_description],
        ['Mug', 9.99, 12, 5, 0.4, 'A mug for every day.'],
      );
      assert.deepEqual(
        (await variantsOf('MUG')).map(({ sku, price, amount, weight }) => [sku, price, amount, weight]),
        [
          ['MUG-BL', 14, 0, 0.55],
          ['MUG-BS', 9.99, 5, 0.4],
        ],
      );
      const again = await shop.run(file);
      assert.deepEqual(again.report.slice(2, 5), [
        'row 4: unchanged MUG',
        'row 5: unchanged variant MUG-BS',
        'row 6: unchanged variant MUG-BL',
      ]);

      const header =
        'ID,Type,SKU,Name,Published,In stock?,Stock,Regular price,Parent,Description,Attribute 1 name,Attribute 1 value(s)';
      const rug = await shop.file(
        [
          header,
          '1,variable,RUG,Rug,1,1,9,,,,Size,"S, M, L"',
          '2,variation,RUG-S,Rug S,1,1,parent,5,id:1,Small one.,Size,S',
          '3,variation,,Rug M,1,1,4,6,id:1,,Size,M',
          '4,variation,RUG-ANY,Rug,1,1,,7,id:1,,Size,',
        ].join('\n'),
      );
      const shared = await shop.run(rug);
      assert.deepEqual(shared.report.slice(0, 5), [
        'row 2: created RUG, 2 options',
        'row 3: created variant RUG-S',
        'row 4: created variant RUG-m',
        'row 5: skipped variant RUG-ANY: The variant has no value for "Size", unlike row 3. Add one.',
        'Rug: a variant cannot have its own description, so that of row 3 was ignored.',
      ]);
      assert.deepEqual(
        (await variantsOf('RUG')).map(({ amount, default_amount }) => [amount, default_amount]),
        [
          [9, true],
          [4, false],
        ],
      );
    });
  });
