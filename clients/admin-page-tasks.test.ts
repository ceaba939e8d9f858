/**
 * Ten tasks of a shop owner's day, played on the admin page on a desktop with a store on SQLite, and on a phone with a store on
 * PostgreSQL. The tests use only the accessible names and roles that docs/contract/http.md §20 promises to scripts.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { databaseNames } from '../test/support/databases.ts';
import { onEachDatabase } from '../test/support/store.ts';
import { onAdminPage, settled, skip } from './support/admin-page.ts';

type Role = Parameters<Page['getByRole']>[0];

/** Finds an element by the beginning of its accessible name, in any case. */
function named(within: Page | Locator, role: Role, name: string): Locator {
  return within.getByRole(role, { name: new RegExp(`^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`, 'i') });
}

/** The page does not know the database, so each width runs with one. */
const WIDTHS = { sqlite: databaseNames.includes('postgres') ? [1400] : [1400, 390], postgres: [390] };

const dialogOf = (page: Page): Locator => page.getByRole('dialog');

onAdminPage(
  'ten tasks on the admin page',
  { WEBHOOK_ALLOWED_NETWORKS: '' },
  (admin) => {
    const { store } = admin;
    const address = {
      firstname: 'Ada',
      lastname: 'Lovelace',
      street: '1 Long Road',
      city: 'London',
      country_code: 'GB',
    };

    for (const width of WIDTHS[store.database])
      describe(`at ${width} px`, () => {
        /** Opens a screen, with names that no other run of the task has. */
        const on = (hash: string, act: (page: Page) => Promise<void>) =>
          admin.on(
            hash,
            async ({ page }) => {
              await act(page);
              await settled(page);
            },
            { width },
          );

        test('task 1: a T-shirt gets a variant for each of 3 sizes and 4 colors', { skip }, async () => {
          const sku = `TEE-${width}`;
          const { id } = await store.product({ name: 'T-shirt', sku });
          await on(`/products/${id}?tab=variants`, async (page) => {
            await named(page, 'textbox', 'Attribute 1').fill('Size');
            await named(page, 'textbox', 'Options of attribute 1').fill('S, M, L');
            await named(page, 'button', 'Add attribute').click();
            await named(page, 'textbox', 'Attribute 2').fill('Color');
            const colors = named(page, 'textbox', 'Options of attribute 2');
            for (const color of ['Red', 'Blue', 'Green', 'Black']) {
              await colors.fill(color);
              await colors.press('Enter');
            }
            await named(page, 'textbox', 'SKU pattern').fill('{sku}-{size}-{color}');
            await named(page, 'button', 'Make 12 variants').click();
            await named(page, 'textbox', 'SKU: S · Red').waitFor();
            await page.getByText('12 variants.').waitFor();
          });
          const variants = (await store.get(`/api/products/${id}/variants`)).json;
          assert.deepEqual(
            [variants.length, variants[0].sku, variants[11].sku],
            [12, `${sku}-S-Red`, `${sku}-L-Black`],
          );
        });

        test('task 2: the prices of a category rise by 5 %, and the change is undone', { skip }, async () => {
          const category = await store.made('/api/categories', { name: `Raised ${width}` });
          const ids: number[] = [];
          for (const price of [9.99, 20, 0.3]) {
            const { id } = await store.product({ price });
            await store.post(`/api/categories/${category.id}/products`, { product_id: id });
            ids.push(id);
          }
          const prices = () => Promise.all(ids.map(async (id) => (await store.get(`/api/products/${id}`)).json.price));
          await on(`/products?filter={"category":${category.id}}`, async (page) => {
            await named(page, 'checkbox', 'Select all').check();
            await named(page, 'button', 'Change price').click();
            const dialog = dialogOf(page);
            await named(dialog, 'textbox', 'Change').fill('5%');
            await named(dialog, 'button', 'Preview').click();
            await dialog.getByText('3 products').waitFor();
            const rows = dialog.getByRole('table', { name: 'Old and new prices' }).locator('tbody tr');
            const shown = (await rows.allInnerTexts()).map((row) =>
              row.match(/[\d.]+\s+\S*[\d.]+$/)?.[0]?.split(/[^\d.]+/),
            );
            assert.deepEqual(shown, [
              ['9.99', '10.49'],
              ['20.00', '21.00'],
              ['0.30', '0.32'],
            ]);
            await named(dialog, 'button', 'Apply').click();
            await named(page, 'button', 'Undo').waitFor();
            assert.deepEqual(await prices(), [10.49, 21, 0.32]);
            await named(page, 'button', 'Undo').click();
            await page.getByText('Undone for 3 records.').waitFor();
          });
          assert.deepEqual(await prices(), [9.99, 20, 0.3]);
        });

        /** Places an order of three units. */
        async function placeOrder(lastname: string, fields: object = {}) {
          const { id: product_id } = await store.product({ name: 'Mug', price: 20, amount: 10 });
          const order = await store.made('/api/orders', {
            ...{ email: `${lastname}@example.com`.toLowerCase(), items: [{ product_id, amount: 3 }] },
            ...{ billing_address: { ...address, lastname }, shipping_address: { ...address, lastname }, ...fields },
          });
          return { id: order.id as number, number: order.order_number as string, product_id: product_id as number };
        }
        const read = async (id: number) => (await store.get(`/api/orders/${id}`)).json;

        test('task 3: an order is found by the customer’s name', { skip }, async () => {
          const wanted = await placeOrder(`Wanted${width}`);
          const other = await placeOrder(`Other${width}`);
          await on('/orders', async (page) => {
            await named(page, 'link', other.number).first().waitFor();
            await named(page, 'searchbox', 'Search').fill(`wanted${width}`);
            await page.getByRole('link', { name: other.number, exact: true }).waitFor({ state: 'detached' });
            await page.getByRole('link', { name: wanted.number, exact: true }).click();
            await page.getByRole('heading', { name: `Order ${wanted.number}`, level: 2 }).waitFor();
          });
        });

        test('tasks 4 and 5: two of three units are shipped, and one is taken back and refunded', {
          skip,
        }, async () => {
          const { id, product_id } = await placeOrder('Parts', { payment_status: 'P' });
          await store.made(`/api/orders/${id}/payment_transactions`, { type: 'sale', status: 'S', value: 60 });
          await on(`/orders/${id}/show`, async (page) => {
            const dialog = dialogOf(page);
            await named(page, 'button', 'Ship').click();
            await named(dialog, 'textbox', 'Quantity of Mug').fill('2');
            await page.keyboard.press('Escape');
            await dialog.waitFor({ state: 'detached' });
            assert.deepEqual((await store.get(`/api/orders/${id}/shipments`)).json, []);
            await named(page, 'button', 'Ship').click();
            await named(dialog, 'textbox', 'Quantity of Mug').fill('2');
            await named(dialog, 'textbox', 'Carrier').fill('Royal Mail');
            await named(dialog, 'textbox', 'Tracking number').fill('RM123');
            await named(dialog, 'button', 'Ship').click();
            await page.getByText('Partly shipped').waitFor();
            await page.getByText('Shipment 1 created: 2 × Mug').waitFor();
            await named(page, 'button', 'Return').click();
            await named(dialog, 'textbox', 'Quantity of Mug').fill('1');
            await named(dialog, 'checkbox', 'Received').check();
            await named(dialog, 'checkbox', 'Back into stock').check();
            await named(dialog, 'button', 'Return').click();
            await page.getByText('Return 1 received: 1 × Mug').waitFor();
            await named(page, 'button', 'Refund').click();
            await named(dialog, 'textbox', 'Quantity of Mug').fill('1');
            assert.match(await named(dialog, 'textbox', 'Amount').inputValue(), /^20[.,]00$/);
            await named(dialog, 'checkbox', 'Back into stock').check();
            await named(dialog, 'button', 'Refund').click();
            await page.getByText('Partly refunded').waitFor();
          });
          const order = await read(id);
          const [item] = order.items;
          assert.deepEqual(
            [item.amount, item.shipped_amount, item.returned_amount, item.restocked_amount, item.refunded_value],
            [3, 2, 1, 1, 20],
          );
          assert.deepEqual(
            order.tracking_numbers.map(({ value }: { value: string }) => value),
            ['RM123'],
          );
          assert.equal(order.payment_status.code, 'P', 'a refund of a part does not refund the order');
          assert.equal(
            (await store.get(`/api/products/${product_id}`)).json.amount,
            8,
            'only the returned unit is back',
          );
        });

        test('task 6: an invoice and a packing slip are printed', { skip }, async () => {
          const { id } = await placeOrder('Printed');
          const { items } = await read(id);
          await store.made(`/api/orders/${id}/shipments`, { lines: [{ item_id: items[0].id, amount: 3 }] });
          await on(`/orders/${id}/show`, async (page) => {
            const [created] = await Promise.all([
              page.waitForEvent('popup'),
              page.getByRole('button', { name: 'Invoice', exact: true }).click(),
            ]);
            await created.getByText('1 Long Road').first().waitFor();
            await created.close();
            const [invoice] = await Promise.all([page.waitForEvent('popup'), named(page, 'link', 'INV-').click()]);
            await invoice.getByText('1 Long Road').first().waitFor();
            await invoice.close();
            const [slip] = await Promise.all([page.waitForEvent('popup'), named(page, 'link', 'Packing slip').click()]);
            await slip.getByRole('heading', { name: /^Packing slip · Order \d+ · Shipment 1$/ }).waitFor();
            await slip.getByText('Mug').first().waitFor();
            assert.equal(await slip.getByText('20.00').count(), 0, 'a packing slip has no prices');
            await slip.close();
            await page.getByRole('link', { name: 'Print documents' }).click();
            await page.getByText('2 documents').waitFor();
          });
          assert.equal((await store.get(`/api/orders/${id}/invoices`)).json.length, 1);
        });

        test('task 7: an order is created for a customer on the telephone, with the total that the page has shown', {
          skip,
        }, async () => {
          const name = `Teapot ${width}`;
          const email = `phone-${width}@example.com`;
          const { id: product } = await store.product({ name, price: 12.5, amount: 10 });
          const only = { specific_products: true, products: [product] };
          await store.made('/api/sale_discounts', { name: `Sale ${width}`, value: 20, ...only });
          await store.made('/api/coupons', { code: `HIGH${width}`, value: 10, total_range_begin: 1000 });
          await store.made('/api/coupons', { code: `PHONE${width}`, type: '$', value: 5 });
          const zone = await store.made('/api/zones', { name: `Zone ${width}`, elements: [{ countries: ['PT'] }] });
          const rate = await store.made('/api/tax_rates', { tax: 'IVA', name: 'IVA', value: 10, zone: zone.id });
          await on('/orders', async (page) => {
            await named(page, 'link', 'New order').click();
            await named(page, 'textbox', 'E-mail').fill(email);
            await named(page, 'combobox', 'Add product').fill(name);
            await named(page, 'option', name).click();
            await named(page, 'textbox', `Quantity of ${name}`).fill('3');
            await page.getByText('instead of US$12.50').waitFor();
            await named(page, 'button', 'Add shipping or fee').click();
            await named(page, 'textbox', 'Amount 1').fill('4');
            await named(page, 'combobox', 'Country').fill('pt');
            await page.keyboard.press('Enter');
            const create = named(page, 'button', 'Create order');
            const coupons = named(page, 'combobox', 'Coupons');
            await coupons.fill(`high${width}`);
            await coupons.press('Enter');
            await page.getByText(`Coupon high${width} does not apply: the subtotal is too low or too high.`).waitFor();
            assert.equal(await create.isDisabled(), true);
            await coupons.press('Backspace');
            await coupons.fill('nowhere');
            await coupons.press('Enter');
            await page.getByText('There is no coupon nowhere.').waitFor();
            await coupons.press('Backspace');
            await coupons.fill(`phone${width}`);
            await coupons.press('Enter');
            // 3 × 10 − 5 of the coupon + 4 of shipping + a tax of 10 % of 25
            await page.getByText('US$31.50').last().waitFor();
            assert.equal((await store.patch(`/api/tax_rates/${rate.id}`, { value: 20 })).status, 200);
            await create.click();
            await page.getByText('The order was not created, because prices, discounts or taxes changed').waitFor();
            await page.getByText('US$34.00').last().waitFor();
            await create.click();
            await page.getByRole('heading', { name: /^Order /, level: 2 }).waitFor();
          });
          const [order] = (await store.get(`/api/orders?email=${email}`)).json;
          assert.deepEqual([order.total, order.items[0].amount], [34, 3]);
          assert.deepEqual(
            order.surcharges.map(({ type, value }: { type: string; value: number }) => [type, value]),
            [
              ['discount', -5],
              ['shipping', 4],
              ['tax', 5],
            ],
          );
          assert.equal((await store.delete(`/api/tax_rates/${rate.id}`)).status, 204);
        });

        test('an order without the calculation has the discounts and taxes that are typed', { skip }, async () => {
          const name = `Kettle ${width}`;
          const email = `typed-${width}@example.com`;
          await store.product({ name, price: 12.5, amount: 10 });
          await on('/orders/create', async (page) => {
            await named(page, 'textbox', 'E-mail').fill(email);
            await named(page, 'combobox', 'Add product').fill(name);
            await named(page, 'option', name).click();
            await named(page, 'textbox', `Quantity of ${name}`).fill('3');
            await page.getByText('US$37.50').last().waitFor();
            await named(page, 'switch', 'Calculate discounts and taxes').uncheck();
            await named(page, 'button', 'Add shipping, discount or tax').click();
            await named(page, 'combobox', 'Kind').click();
            await page.getByRole('option', { name: 'Discount' }).click();
            await named(page, 'textbox', 'Amount 1').fill('-7.5');
            await page.getByText('US$30.00').last().waitFor();
            await named(page, 'button', 'Create order').click();
            await page.getByRole('heading', { name: /^Order /, level: 2 }).waitFor();
          });
          const [order] = (await store.get(`/api/orders?email=${email}`)).json;
          assert.deepEqual([order.total, order.surcharges[0].value], [30, -7.5]);
          assert.equal((await store.get(`/api/orders/${order.id}/calculation`)).status, 404);
        });

        test('task 8: 20 prices are corrected in a spreadsheet and imported', { skip }, async () => {
          const skus = Array.from({ length: 20 }, (_, at) => `SHEET-${width}-${at}`);
          for (const sku of skus) await store.product({ sku, price: 5 });
          await on('/transfer', async (page) => {
            const [file] = await Promise.all([
              page.waitForEvent('download'),
              named(page, 'button', 'Export CSV').click(),
            ]);
            const text = await readFile((await file.path())!, 'utf8');
            const changed = text
              .split('\r\n')
              .map((line) => (line.includes(`SHEET-${width}-`) ? line.replace(/(?<=,)5(?=,)/, '6.5') : line))
              .join('\r\n');
            await page.locator('input[type=file]').setInputFiles({
              ...{ name: 'products.csv', mimeType: 'text/csv', buffer: Buffer.from(changed) },
            });
            await page.getByText('20 will be updated').waitFor();
            await named(page, 'button', 'Import').click();
            await page.getByText('20 updated').waitFor();
          });
          const products = (await store.get(`/api/products?itemsPerPage=100&sku[]=${skus.join('&sku[]=')}`)).json;
          assert.deepEqual(
            products.map(({ price }: { price: number }) => price),
            skus.map(() => 6.5),
          );
        });

        test('task 9: the images of a product are cropped and sorted', { skip }, async () => {
          const { id } = await store.product({
            images: await Promise.all(
              ['red', 'blue'].map(async (color) => ({
                attachment: (
                  await sharp({ create: { width: 200, height: 100, channels: 3, background: color } })
                    .png()
                    .toBuffer()
                ).toString('base64'),
                ...{ filename: `${color}.png`, alt: color, position: color === 'red' ? 10 : 20 },
              })),
            ),
          });
          await on(`/products/${id}?tab=images`, async (page) => {
            await named(page, 'button', 'Crop red').click();
            const dialog = dialogOf(page);
            await named(dialog, 'combobox', 'Aspect ratio').click();
            await page.getByRole('option', { name: 'Square' }).click();
            await named(dialog, 'button', 'Crop').click();
            await dialog.waitFor({ state: 'detached' });
            await named(page, 'button', 'Move “blue” forward').click();
            await page.getByText('Saved.').first().waitFor();
          });
          const { images } = (await store.get(`/api/products/${id}`)).json;
          assert.deepEqual(
            images.map(({ alt, width: wide, height }: { alt: string; width: number; height: number }) => [
              alt,
              wide === height,
            ]),
            [
              ['blue', false],
              ['red', true],
            ],
          );
        });

        test('task 10: a webhook for orders is added, and a private address is refused', { skip }, async () => {
          const url = `https://example.com/hook-${width}`;
          await on('/settings/webhooks', async (page) => {
            await named(page, 'button', 'New webhook').click();
            const dialog = dialogOf(page);
            await named(dialog, 'textbox', 'Address').fill('http://10.0.0.1/hook');
            await named(dialog, 'checkbox', 'Orders').check();
            await named(dialog, 'button', 'Save').click();
            const problem = named(dialog, 'textbox', 'Address').and(page.locator('[aria-invalid=true]'));
            await problem.waitFor();
            await named(dialog, 'textbox', 'Address').fill(url);
            await named(dialog, 'button', 'Save').click();
            await page.getByRole('region', { name: url }).waitFor();
          });
          const hooks = (await store.get('/api/webhooks')).json as { url: string; events: string[] }[];
          assert.deepEqual(hooks.find((hook) => hook.url === url)?.events, ['order.*']);
        });
      });
  },
  onEachDatabase,
);
