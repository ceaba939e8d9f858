/**
 * Takes the screenshots for the README and docs/guides/admin.md, of a store with sample data. `npm run admin:screenshots` writes them
 * to docs/images; a test run writes them to a temporary folder.
 */
import assert from 'node:assert/strict';
import { mkdtemp, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { onAdminPage, settled, skip } from './support/admin-page.ts';

const WIDTH = 1180;
const HEIGHT = 640;
const COLORS = { blue: '#3b7ab5', green: '#4fa06c', yellow: '#c0983a', violet: '#7a56a6', red: '#b5473b' };
const THINGS = ['Linen shirt', 'Cotton tee', 'Canvas tote', 'Fleece jumper'];

onAdminPage('screenshots of the admin page', {}, (admin) => {
  const { store } = admin;
  let folder: string;
  const ids: number[] = [];

  before(async () => {
    if (skip) return;
    folder = process.env.ADMIN_SCREENSHOTS ?? (await mkdtemp(join(tmpdir(), 'purveyor-screenshots-')));
    await store.patch('/api/store', { seller: 'Lamp & Linen Shop' });
    let number = 100;
    for (const thing of THINGS)
      for (const [color, shade] of Object.entries(COLORS)) {
        number += 1;
        const { id } = await store.made('/api/products', {
          ...{ name: `${thing} ${color}`, sku: `${thing.slice(0, 3).toUpperCase()}-${number}` },
          ...{ price: (((number * 137) % 9000) + 900) / 100, amount: (number * 7) % 50, enabled: number % 6 !== 0 },
          images: [{ attachment: await drawPng(shade), filename: 'image.png', alt: `${thing} in ${color}` }],
        });
        ids.push(id);
      }
    const orders = [
      ['Ada', 'Lovelace', 'ada@example.com'],
      ['Grace', 'Hopper', 'grace@example.com'],
      ['Karen', 'Jones', 'karen@example.com'],
    ].entries();
    for (const [at, [firstname, lastname, email]] of orders)
      await store.made('/api/orders', {
        ...{
          email,
          items: [
            { product_id: ids[at]!, amount: 2 },
            { product_id: ids[at + 5]!, amount: 1 },
          ],
        },
        ...{ billing_address: { firstname, lastname }, surcharges: [{ type: 'shipping', value: 4.9 }] },
      });
  });

  async function take(page: Page, name: string, height = HEIGHT): Promise<void> {
    await page.setViewportSize({ width: WIDTH, height });
    await settled(page);
    await save(page, name);
  }

  async function save(page: Page, name: string): Promise<void> {
    const path = join(folder, `${name}.png`);
    await page.screenshot({ path, animations: 'disabled' });
    assert.ok((await stat(path)).size > 10_000);
  }

  test('a screenshot shows the product list', { skip }, async () => {
    await admin.on('/products', ({ page }) => take(page, 'admin-products'));
  });

  test('a screenshot shows an order', { skip }, async () => {
    const [{ id }] = (await store.get('/api/orders')).json;
    await admin.on(`/orders/${id}/show`, ({ page }) => take(page, 'admin-order'));
  });

  test('a screenshot shows an import preview', { skip }, async () => {
    await admin.on('/transfer', async ({ page }) => {
      const rows = [
        'Handle,Title,Type,Option1 Name,Option1 Value,Variant SKU,Variant Price',
        'plant-pot,Clay plant pot,Garden,Size,Regular,POT-R,9.99',
        'plant-pot,,,,Large,POT-L,15.99',
        'lantern,Copper lantern,Garden,Title,Default Title,LAN-1,24.50',
        'hammock,Hammock,Garden,Title,Default Title,HAM-1,"89,00"',
      ];
      await page.locator('input[type=file]').setInputFiles({
        ...{ name: 'products_export.csv', mimeType: 'text/csv' },
        buffer: Buffer.from(rows.join('\n')),
      });
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.locator('#report').waitFor();
      await page.locator('#report').evaluate((title) => title.scrollIntoView());
      await take(page, 'admin-import', 760);
    });
  });

  test('a screenshot shows the reference', { skip }, async () => {
    const { context, close } = await admin.open();
    const page = await context.newPage();
    await page.setViewportSize({ width: WIDTH, height: HEIGHT });
    await page.goto(`${store.address}/api#tag/product/POST/products`, { waitUntil: 'networkidle' });
    await page.getByRole('heading', { name: 'Create a product' }).waitFor();
    await save(page, 'reference');
    await close();
  });
});

/** @returns a PNG of two circles in this color, in base64 */
async function drawPng(shade: string): Promise<string> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="320"><rect width="320" height="320" fill="#f1efe9"/><circle cx="160" cy="160" r="112" fill="${shade}"/><circle cx="160" cy="160" r="70" fill="#00000022"/></svg>`;
  return (await sharp(Buffer.from(svg)).png().toBuffer()).toString('base64');
}
