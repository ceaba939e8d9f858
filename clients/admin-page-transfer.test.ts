/** Import and export on the admin page: previews, imports and exports of real files. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { Download, Page } from 'playwright-core';
import {
  accessibilityProblems,
  onAdminPage,
  overflow,
  PIXEL,
  SCHEMES,
  settled,
  skip,
  tabTo,
  WIDTHS,
} from './support/admin-page.ts';
import { READ_ONLY_KEY } from './support/store.ts';

const LONG = 'a-handle-that-is-far-too-long-for-a-sku-of-the-store';
const HEADER = 'Handle,Title,Vendor,Type,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Grams,Image Src';

onAdminPage('import and export on the admin page', { WEIGHT_UNIT: 'g' }, (admin) => {
  const { store } = admin;
  let imageServer: Server;
  let address: string;

  before(async () => {
    imageServer = createServer(({ url }, response) => {
      response.statusCode = url === '/shirt.png' ? 200 : 404;
      response.end(url === '/shirt.png' ? Buffer.from(PIXEL, 'base64') : '');
    }).listen(0, '127.0.0.1');
    await once(imageServer, 'listening');
    address = `http://127.0.0.1:${(imageServer.address() as AddressInfo).port}`;
  });
  after(() => imageServer?.close());

  const shopify = (): string =>
    [
      HEADER,
      `shirt,Shirt,Maker,Clothes > Shirts,Size,Small,SHIRT-S,20,500,${address}/shirt.png`,
      'shirt,,,,,Large,SHIRT-L,22,600,',
      `mug,Mug,Maker,Kitchen,Title,Default Title,,9.5,,${address}/gone.png`,
      'broken,Broken,,,,,BROKEN,cheap,,',
      `${LONG},Long,,,Title,Default Title,,1,,`,
    ].join('\n');
  const csv = (text: string) => ({ name: 'products_export.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  const choose = (page: Page, text: string) => page.locator('input[type=file]').setInputFiles(csv(text));
  const one = async (sku: string) => (await store.get(`/api/products?sku=${encodeURIComponent(sku)}`)).json[0];
  const textOf = async (file: Download) => readFile((await file.path())!, 'utf8');

  test('a Shopify export is previewed without changes, then imported', { skip }, async () => {
    await admin.on('/transfer', async ({ page, writes }) => {
      await choose(page, shopify());
      await page.getByText('products_export.csv: Shopify export with 3 products.').waitFor();
      // From here on by keyboard.
      await tabTo(page, page.getByRole('button', { name: 'Preview' }));
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Import preview' }).waitFor();
      const rows = await page.locator('tbody tr').allInnerTexts();
      assert.deepEqual(
        rows.map((row) => row.split(/\s*[\t\n]\s*/).join(' | ')),
        [
          '2 | will be created | shirt | 1 image, 1 category, 2 options',
          '2 | will be created | SHIRT-S (variant) | –',
          '3 | will be created | SHIRT-L (variant) | –',
          '4 | will be created | mug | 1 image, 1 category',
          '5 | skipped | BROKEN | Variant Price "cheap" in row 5 is not a plain number. Write it as in 9.99.',
          `6 | will be created | ${hashed()} | –`,
        ],
      );
      await page.getByText('Vendor').waitFor();
      assert.deepEqual([writes, (await store.get('/api/products')).json], [[], []]);

      await page.getByRole('button', { name: 'Import 3 products' }).click();
      await page.getByRole('heading', { name: 'Import result' }).waitFor();
      const failed = page.getByRole('group', { name: 'Images, categories and options that failed' });
      await failed.getByText(`image ${address}/gone.png`).waitFor();
      await page.getByRole('switch', { name: 'Only skipped rows' }).click();
      assert.equal(await page.getByRole('group', { name: 'Rows in the file' }).locator('tbody tr').count(), 1);
      const [report] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download report' }).click(),
      ]);
      assert.equal(report.suggestedFilename(), 'products_export-report.txt');
      const text = await textOf(report);
      assert.match(text, /^row 2: created shirt, 1 image, 1 category, 2 options\nrow 2: created variant SHIRT-S\n/);
      assert.match(text, /\nProducts: 3 created, 0 updated, 0 unchanged, 1 skipped\. Images: 1 added, /);
    });
    const shirt = await one('shirt');
    assert.deepEqual([shirt.name, shirt.price, shirt.weight, shirt.images.length], ['Shirt', 20, 500, 1]);
    const { json: variants } = await store.get(`/api/products/${shirt.id}/variants`);
    assert.deepEqual(
      variants.map(({ sku, price }: { sku: string; price: number }) => [sku, price]),
      [
        ['SHIRT-S', 20],
        ['SHIRT-L', 22],
      ],
    );
    const { json: shirts } = await store.get('/api/categories?parent=all&name=Shirts');
    const { json: links } = await store.get(`/api/categories/${shirts[0].id}/products`);
    assert.deepEqual([shirts[0].name, links[0].product_id], ['Shirts', shirt.id]);
    assert.equal((await one(hashed())).name, 'Long');
  });

  test('importing the same file again reports everything as unchanged', { skip }, async () => {
    await admin.on('/transfer', async ({ page }) => {
      const dropped = await page.evaluateHandle((text) => {
        const data = new DataTransfer();
        data.items.add(new File([text], 'dropped.csv', { type: 'text/csv' }));
        return data;
      }, shopify());
      await page.dispatchEvent('[data-drop]', 'drop', { dataTransfer: dropped });
      await page.getByText('dropped.csv: Shopify export').waitFor();
      await page.getByRole('button', { name: 'Import 3 products' }).click();
      await page.getByText('3 unchanged, 1 skipped').waitFor();
      await page.getByText('2 unchanged', { exact: true }).waitFor();
    });
  });

  test('a WooCommerce export is recognized, and another file is rejected with reasons', { skip }, async () => {
    const example = await readFile(new URL('../test/data/woocommerce-example.csv', import.meta.url), 'utf8');
    await admin.on(
      '/transfer',
      async ({ page }) => {
        await choose(page, example);
        await page.getByText('WooCommerce export with').waitFor();
        await page.getByRole('button', { name: 'Preview' }).click();
        await page.getByText('will be created').first().waitFor();
        await page.getByText('Grouped products are not supported').waitFor();
        // A read-only key can preview, but not import.
        assert.equal(await page.getByRole('button', { name: /^Import / }).count(), 0);
        await choose(page, 'name;price\nMug;1\n');
        const alert = page.getByRole('alert').filter({ hasText: 'products_export.csv cannot be imported.' });
        await alert.getByText('As Shopify export: The file has no column "Handle".').waitFor();
        await alert.getByText('As WooCommerce export: The file has no column "Type".').waitFor();
      },
      { key: READ_ONLY_KEY },
    );
  });

  test('a preview of a spreadsheet names its changes and wrong cells, and columns can be left out', {
    skip,
  }, async () => {
    const images = [{ attachment: PIXEL, filename: 'one.png' }];
    const { id } = await store.product({ sku: 'SHEET', name: 'Old name', price: 5, amount: 4, images });
    await admin.on('/transfer', async ({ page, writes }) => {
      await choose(page, 'sku,name,price,colour,amount,images\nSHEET,New name,6.5,red,9,\nOTHER,Other,"1,5",,,\n');
      await page.getByText('The stock of 1 product changes.').waitFor();
      await page.getByText('1 product loses images (1 image).').waitFor();
      await page.getByText('The price of 1 product changes.').waitFor();
      await page.getByText('Other fields that change, and for how many products: Name (1)').waitFor();
      // The columns that an older file sets back come first.
      const columns = page.getByRole('group', { name: 'Columns to import' });
      assert.deepEqual(await columns.locator('label').allInnerTexts(), ['Stock', 'Images', 'Name', 'Price']);
      await columns.getByRole('checkbox', { name: 'Stock' }).click();
      await columns.getByRole('checkbox', { name: 'Images' }).click();
      await page.getByText('The price of 1 product changes.').waitFor();
      assert.equal(await page.getByText(/The stock of|loses images/).count(), 0);
      const rows = page.getByRole('group', { name: 'Rows in the file' }).locator('tbody tr');
      await rows.first().waitFor();
      assert.deepEqual(
        (await rows.allInnerTexts()).map((row) => row.split(/\s*[\t\n]\s*/).join(' | ')),
        [
          '3 | cannot be imported | OTHER | Column “price”: The number has a comma. Write it with a decimal point and without thousands separators, as in 1999.95.',
          '2 | will be updated | SHEET | Name: Old name → New name | Price: 5 → 6.5',
        ],
      );
      await page.getByText('Unknown columns are ignored: colour.').waitFor();
      await page.getByText('1 row cannot be imported. Correct it').waitFor();
      assert.ok(writes.every(({ path }) => path === '/api/products/bulk'));
      assert.equal((await one('SHEET')).price, 5);
      await page.getByRole('button', { name: 'Import 1 changed row' }).click();
      await page.getByText('1 updated, 1 failed').waitFor();
    });
    const { json: saved } = await store.get(`/api/products/${id}`);
    assert.deepEqual([saved.name, saved.price, saved.amount, saved.images.length], ['New name', 6.5, 4, 1]);
  });

  test('leaving a running import asks first, and stopping it reports the row', { skip }, async () => {
    await admin.on('/transfer', async ({ page }) => {
      const goOn = Promise.withResolvers<void>();
      await page.route('**/api/products/bulk**', async (route) => {
        await goOn.promise;
        await route.continue();
      });
      const questions: string[] = [];
      page.on('dialog', (dialog) => {
        questions.push(dialog.message());
        void dialog.dismiss();
      });
      await choose(page, 'Handle,Title,Variant Price\nstop-1,One,1\nstop-2,Two,2\nstop-3,Three,3\n');
      await page.getByRole('button', { name: 'Import 3 products' }).click();
      await page.getByRole('progressbar', { name: 'Importing' }).waitFor();
      await Promise.all([page.waitForEvent('dialog'), page.getByRole('menuitem', { name: 'Orders' }).click()]);
      await page.getByRole('button', { name: 'Stop' }).click();
      assert.deepEqual(questions, ['The import is still running. Leave this page and stop it?']);
      goOn.resolve();
      await page.getByText('You stopped the import. The import ended at row').waitFor();
    });
  });

  test('all records of a collection are downloaded as JSON Lines', { skip }, async () => {
    await store.made('/api/tags', { name: 'Export me' });
    await admin.on('/transfer', async ({ page }) => {
      await page.getByRole('combobox', { name: 'Records' }).click();
      await page.getByRole('option', { name: 'Tags' }).click();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download', exact: true }).click(),
      ]);
      assert.equal(file.suggestedFilename(), 'tags.jsonl');
      const lines = (await textOf(file)).trimEnd().split('\n');
      assert.deepEqual(
        lines.map((line) => JSON.parse(line)),
        (await store.get('/api/tags')).json,
      );
    });
  });

  test('import and report pass axe-core and fit the window, in every width and color scheme', {
    skip,
  }, async (context) => {
    const problems: string[] = [];
    for (const width of WIDTHS)
      for (const scheme of SCHEMES) {
        const { page, go, close } = await admin.open({ width, scheme, locale: width === 390 ? 'de-DE' : 'en-GB' });
        await go('/transfer');
        await choose(page, shopify());
        await page.getByRole('button', { name: /Preview|Vorschau/ }).click();
        await page.locator('#report').waitFor();
        await settled(page);
        await admin.screenshot(page, `transfer-${width}-${scheme}`);
        const where = `${width}, ${scheme}`;
        problems.push(...(await accessibilityProblems(page)).map((problem) => `${where}: ${problem}`));
        if ((await overflow(page)) > 0) problems.push(`${where}: ${await overflow(page)} pixels too wide`);
        await page.locator('#report').evaluate((title) => title.scrollIntoView());
        await admin.screenshot(page, `transfer-report-${width}-${scheme}`);
        await close();
      }
    for (const problem of problems) context.diagnostic(problem);
    assert.deepEqual(problems, []);
  });
});

/** The SKU that the importer derives from a long handle (docs/guides/import.md). */
function hashed(): string {
  return `${LONG.slice(0, 25)}-${createHash('sha256').update(LONG).digest('hex').slice(0, 6)}`;
}
