/**
 * `purveyor import shopify` end to end while a server is running: imports real exports on each database, with images from a
 * test server, and checks the API output.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Shop, THE_OTHER_WAY } from './shop.ts';

for (const [name, way] of THE_OTHER_WAY)
  describe(`the import of an export ${way} (${name})`, () => {
    const shop = new Shop(name, way);
    before(() => shop.open());
    after(() => shop.close());

    test('a wrong file or a missing column exits with 1 and one line', async () => {
      const cases: [args: string[], reason: RegExp][] = [
        [[join(shop.folder, 'none.csv')], /^Cannot read \S+none\.csv: no such file\.\n$/],
        [[await shop.file('a,b\n1,2\n')], /^.+ has no column "Handle".+\n$/],
        [
          [await shop.real('home-and-garden'), '--categories-from', 'Typ'],
          /^.+ no column "Typ" to read categories from\. Did you mean "Type"\?\n$/,
        ],
        [[await shop.file('Handle,Title,Variant Price\na,A,x\n')], /^$/],
      ];
      const runs = await Promise.all(cases.map(([args]) => shop.command(...args)));
      for (const [index, { status, errors }] of runs.entries()) {
        assert.equal(status, 1, errors);
        assert.match(errors, cases[index]![1]);
      }
      assert.deepEqual(await shop.everything(), {});
    });

    test('a dry run counts and writes nothing', async () => {
      const { status, report } = await shop.command(await shop.real('home-and-garden'), '--dry-run');
      assert.equal(status, 0);
      assert.deepEqual(report.slice(-3), [
        'Products: 21 to create, 0 to update, 0 unchanged, 0 skipped. Images: 23 to add, 0 added before, 0 failed.',
        'Categories: 2 to create, 21 products to add, 0 failed. Options: 2 to create, 1 attribute to create, 2 to set, 0 failed.',
        'Dry run: no changes were made and no images were downloaded.',
      ]);
      assert.match(
        report.at(-4)!,
        /^These columns were not imported: Vendor, .*, Variant Barcode, Gift Card, .*Code\.$/,
      );
      assert.equal(report[0], 'row 2: would be created clay-plant-pot-regular, 2 images, 1 category, 1 option');
      assert.deepEqual([await shop.everything(), shop.requestedPaths, await shop.imageFiles()], [{}, [], []]);
    });

    test('an unavailable image is reported, exits with 2, and is added by the next run', async () => {
      shop.missing = '/copper-light-in-bedroom_925x.jpg';
      const file = await shop.real('home-and-garden');
      const first = await shop.command(file);
      assert.equal(first.status, 2, first.errors);
      const [failure, ...others] = first.report.filter((line) => line.includes(' failed: '));
      assert.match(
        failure ?? '',
        /^row 4: image http:\S+copper-light-in-bedroom_925x\.jpg of copper-light failed: ext.*404/,
      );
      assert.deepEqual(others, []);
      assert.match(first.report.at(-3)!, /^Products: 21 created, .* Images: 22 added, 0 added before, 1 failed\.$/);

      shop.missing = '';
      const second = await shop.run(file);
      assert.equal(second.status, 0, second.errors);
      assert.match(second.report.at(-2)!, /21 unchanged, .* Images: 1 added, 22 added before, 0 failed\.$/);
      assert.equal((await shop.product('copper-light')).images.length, 1);
    });

    test('creates products, images, tags, classes, categories, attributes, options and values', async () => {
      const large = await shop.product('clay-plant-pot-large');
      assert.deepEqual(
        [large.name, large.price, large.amount, large.product_class.name],
        ['Clay Plant Pot – Large', 15.99, 3, 'Outdoor'],
      );
      assert.deepEqual(
        large.tags.map((tag: { name: string }) => tag.name),
        ['Pot', 'Plants'],
      );
      assert.equal(large.images.length, 2);
      assert.equal((await shop.store.get(new URL(large.images[0].url).pathname)).status, 200);

      const categories = await shop.records('/api/categories');
      assert.deepEqual(
        categories.map(({ name, position }) => [name, position]),
        [
          ['Outdoor', 1],
          ['Indoor', 2],
        ],
      );
      const outdoor = await shop.records(`/api/products?category=${categories[0]!.id}&itemsPerPage=100`);
      assert.ok(outdoor.some(({ id }) => id === large.id));
      assert.ok(outdoor.every((product) => product.product_class.name === 'Outdoor'));

      const attributes = `/api/product_classes/${large.product_class.id}/attributes_select`;
      const [size, ...others] = await shop.records(attributes);
      assert.deepEqual([size?.name, size?.displayMode, others], ['Size', 'S', []]);
      const options = await shop.records(`${attributes}/${size!.id}/options`);
      assert.deepEqual(
        options.map(({ value, position }) => [value, position]),
        [
          ['Regular', 1],
          ['Large', 2],
        ],
      );
      const values = await shop.records(`/api/products/${large.id}/attributes_select/${size!.id}/values`);
      assert.deepEqual(
        values.map(({ option }) => option),
        [options[1]],
      );
    });

    test('a shirt without a class has its size as its own attribute', async () => {
      const { status } = await shop.run(await shop.real('apparel'));
      assert.equal(status, 0);
      const shirt = await shop.product('classic-varsity-top-medium');
      assert.equal(shirt.product_class, null);
      const own = `/api/products/${shirt.id}/attributes_select`;
      const [size] = await shop.records(own);
      assert.equal(size?.name, 'Size');
      const [value] = await shop.records(`${own}/${size!.id}/values`);
      assert.equal(value?.option.value, 'Medium');
    });

    test('a second run with the same files changes nothing', async () => {
      const before = await shop.everything();
      const files = await shop.imageFiles();
      shop.requestedPaths = [];
      for (const [name, products, images] of [
        ['apparel', 22, 22],
        ['home-and-garden', 21, 23],
      ] as const) {
        const { status, report } = await shop.run(await shop.real(name));
        assert.equal(status, 0);
        assert.equal(
          report.at(-2),
          `Products: 0 created, 0 updated, ${products} unchanged, 0 skipped. Images: 0 added, ${images} added before, 0 failed.`,
        );
        assert.equal(
          report.at(-1),
          'Categories: 0 created, 0 products added, 0 failed. Options: 0 created, 0 attributes created, 0 set, 0 failed.',
        );
      }
      assert.deepEqual([shop.requestedPaths, await shop.imageFiles()], [[], files]);
      assert.deepEqual(await shop.everything(), before);
    });

    test('taxonomy paths become a category tree; --categories-from reads another column', async () => {
      const header = 'Handle,Title,Vendor,Type,Product Category,Variant Price';
      const file = await shop.file(
        `${header}\nt1,T1,Acme,Tops,Apparel & Accessories > Clothing > Shirts,1\nt2,T2,Acme,Tops,apparel & accessories > CLOTHING,1\n`,
      );
      const { status, report } = await shop.run(file);
      assert.equal(status, 0);
      assert.match(report.at(-1)!, /^Categories: 3 created, 2 products added/);
      const [apparel] = await shop.records('/api/categories?name=Apparel');
      const [clothing] = await shop.records(`/api/categories?parent=${apparel!.id}`);
      const [shirts, ...others] = await shop.records(`/api/categories?parent=${clothing!.id}`);
      assert.deepEqual([clothing?.name, shirts?.name, others], ['Clothing', 'Shirts', []]);
      const linked = async (id: number) => (await shop.records(`/api/categories/${id}/products`)).length;
      assert.deepEqual([await linked(apparel!.id), await linked(clothing!.id), await linked(shirts!.id)], [0, 1, 1]);

      const again = await shop.run(file, { categoriesFrom: 'Vendor' });
      assert.match(again.report.at(-1)!, /^Categories: 1 created, 2 products added/);
      assert.equal(await linked(shirts!.id), 1, 'the other categories keep the product');
    });

    test('another option value replaces the first, another class removes options, and options of the shop are found', async () => {
      const shelf = await shop.store.made('/api/product_classes', { name: 'Sofas' });
      const attributes = `/api/product_classes/${shelf.id}/attributes_select`;
      const colour = await shop.store.made(attributes, { name: 'COLOUR' });
      await shop.store.made(`${attributes}/${colour.id}/options`, { value: 'red', position: 4 });
      const sofa = (type: string, value: string) =>
        shop.file(
          `Handle,Title,Type,Option1 Name,Option1 Value,Variant SKU,Variant Price\ns,S,${type},Colour,${value},SOFA,1\n`,
        );
      const chosen = async () => {
        const { id, product_class } = await shop.product('SOFA');
        const [attribute] = await shop.records(`/api/product_classes/${product_class.id}/attributes_select`);
        const values = await shop.records(`/api/products/${id}/attributes_select/${attribute!.id}/values`);
        return [product_class.name, attribute!.name, ...values.map(({ option }) => [option.value, option.position])];
      };
      assert.match((await shop.run(await sofa('sofas', 'Red'))).report.at(-1)!, /Options: 0 created, 0 .*, 1 set/);
      assert.deepEqual(await chosen(), ['Sofas', 'COLOUR', ['red', 4]]);
      assert.match((await shop.run(await sofa('Sofas', 'Blue'))).report.at(-1)!, /Options: 1 created, 0 .*, 1 set/);
      assert.deepEqual(await chosen(), ['Sofas', 'COLOUR', ['Blue', 5]]);
      const dry = await shop.run(await sofa('Couches', 'Blue'), { dryRun: true });
      assert.match(dry.report.at(-2)!, /Options: 1 to create, 1 attribute .*, 1 to set/);
      assert.match((await shop.run(await sofa('Couches', 'Blue'))).report.at(-1)!, /Options: 1 created, 1 .*, 1 set/);
      assert.deepEqual(await chosen(), ['Couches', 'Colour', ['Blue', 1]]);
    });

    test('a rejected category and option are reported and exit with 2; the product is imported', async () => {
      const long = 'x'.repeat(256);
      const header = 'Handle,Title,Product Category,Option1 Name,Option1 Value,Variant SKU,Variant Price';
      const { status, report } = await shop.run(await shop.file(`${header}\nr,R,Top > ${long},${long},S,R,1\n`));
      assert.equal(status, 2);
      assert.equal(report[0], 'row 2: created R');
      assert.match(report[1]!, /^row 2: category Top > x+ of R failed: name: .*255/);
      assert.match(report[2]!, /^row 2: option x+ S of R failed: name: .*255/);
      assert.equal((await shop.product('R')).name, 'R – S');
    });

    test('a spreadsheet file with semicolons, decimal commas and Windows-1252 is imported with notes in the report', async () => {
      const lines = [
        'Handle;Title;Vendor;Variant Price',
        'brot;Wei\xdfbrot;B\xe4cker;4,50',
        'tisch;Tisch;;1.299,00',
        'x;X;;1,299',
      ];
      const file = await shop.file(Buffer.from(lines.join('\r\n'), 'latin1'));
      const dry = await shop.command(file, '--dry-run');
      const { status, report } = await shop.command(file);
      assert.deepEqual([dry.status, status], [2, 2]);
      assert.deepEqual(report.slice(0, -2), [
        'row 2: created brot',
        'row 3: created tisch',
        'row 4: skipped x: Variant Price "1,299" in row 4 is ambiguous (1299 or 1.299). Write 1299 or 1.2990.',
        'The file is not UTF-8 and was read as Windows-1252: line 2 contains "Weißbrot". If that is wrong, save the file as "CSV UTF-8" and import it again.',
        'The cells of the file are separated by semicolons. A number such as 9,99 was read as 9.99.',
        'These columns were not imported: Vendor.',
      ]);
      assert.deepEqual(dry.report.slice(3, -3), report.slice(3, -2), 'a dry run says the same');
      const [bread, table] = [await shop.product('brot'), await shop.product('tisch')];
      assert.deepEqual([bread.name, bread.price, table.price], ['Weißbrot', 4.5, 1299]);
      assert.deepEqual(await shop.records('/api/products?sku=x'), []);
    });
  });
