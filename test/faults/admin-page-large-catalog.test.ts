/**
 * The admin page with a large catalog: 10,000 products in a list, 1,000 variants in a tab. The page renders only visible rows,
 * and all rows are reachable. The tests print the time per keystroke for the large and for a small catalog.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { onAdminPage, saved, settled, skip } from '../../clients/support/admin-page.ts';
import type { Store } from '../support/store.ts';

const PRODUCTS = 10_000;
const SIZES = 40;
const COLORS = 25;
const VARIANTS = SIZES * COLORS;
const FEW = 10;
/** The rows of a list page, and the most variant rows that the page renders. */
const PAGE_ROWS = 25;
const RENDERED_MAX = 60;

onAdminPage('admin page with a large catalog', {}, (admin) => {
  const { store } = admin;
  const list = async (page: Page) => page.getByRole('searchbox', { name: 'Search' });

  test(`shows one page of ${PRODUCTS} products and finds one by typing`, { skip }, async (context) => {
    await products(store, 0, FEW);
    const few = await typing(admin, '/products', list);
    await products(store, FEW, PRODUCTS);
    await admin.on('/products', async ({ page }) => {
      await page.getByText(/1-25 of 10,?000/).waitFor();
      assert.equal(await page.locator('tbody tr').count(), PAGE_ROWS);
      const search = await list(page);
      await search.pressSequentially('number 9876');
      await page.getByRole('link', { name: 'Product number 9876', exact: true }).waitFor();
    });
    report(context, few, await typing(admin, '/products', list));
  });

  test(`renders only the visible rows of ${VARIANTS} variants and saves a price in the last row`, {
    skip,
  }, async (context) => {
    const price = async (page: Page) => page.getByRole('textbox', { name: /^Price: / }).first();
    const small = await withVariants(store, 1, FEW);
    const few = await typing(admin, `/products/${small}?tab=variants`, price);
    const large = await withVariants(store, SIZES, COLORS);
    await admin.on(`/products/${large}?tab=variants`, async ({ page }) => {
      const cells = page.getByRole('textbox', { name: /^Price: / });
      await cells.first().waitFor();
      assert.ok((await cells.count()) < RENDERED_MAX, `${await cells.count()} rows are rendered`);
      // The last row is reached with the mouse wheel.
      const last = page.getByRole('textbox', { name: new RegExp(`^Price: .*Size ${SIZES}.*Color ${COLORS}$`) });
      await cells.first().hover();
      for (let steps = 0; steps < 200 && (await last.count()) === 0; steps += 1) await page.mouse.wheel(0, 4000);
      await last.fill('12.5');
      await saved(page, () => last.press('Enter'));
    });
    const { json } = await store.get(`/api/products/${large}/variants?sku=V-${large}-${SIZES}-${COLORS}`);
    assert.equal(json[0].price, 12.5);
    report(context, few, await typing(admin, `/products/${large}?tab=variants`, price));
  });
});

function report(context: TestContext, few: number, many: number): void {
  context.diagnostic(
    `${many.toFixed(1)} ms per keystroke, ${few.toFixed(1)} ms with ${FEW} records: factor ${(many / few).toFixed(2)}`,
  );
}

/** @returns the median time in milliseconds from a keystroke to the next frame */
async function typing(
  admin: Parameters<Parameters<typeof onAdminPage>[2]>[0],
  hash: string,
  find: (page: Page) => Promise<Locator>,
): Promise<number> {
  const times: number[] = [];
  await admin.on(hash, async ({ page }) => {
    const field = await find(page);
    await field.focus();
    for (const key of '1234567890123456789012345') {
      const began = performance.now();
      await page.keyboard.press(key);
      await page.evaluate('new Promise((rendered) => requestAnimationFrame(() => setTimeout(rendered)))');
      times.push(performance.now() - began);
    }
    await page.keyboard.press('Escape');
    await settled(page);
  });
  return times.sort((one, other) => one - other)[Math.floor(times.length / 2)]!;
}

async function products(store: Store, from: number, to: number): Promise<void> {
  const lines = Array.from({ length: to - from }, (_, index) => {
    const number = from + index + 1;
    return { sku: `HUGE-${number}`, name: `Product number ${number}`, price: number % 97 };
  });
  await bulk(store, '/api/products/bulk', lines);
}

/** @returns the id of a product with one variant for each size and color */
async function withVariants(store: Store, sizes: number, colors: number): Promise<number> {
  const { id } = await store.product({ name: `In ${sizes * colors} variants` });
  const values: number[][] = [];
  for (const [name, count] of [
    ['Size', sizes],
    ['Color', colors],
  ] as const) {
    const attribute = await store.made(`/api/products/${id}/attributes_select`, { name });
    const ids: number[] = [];
    for (let number = 1; number <= count; number += 1) {
      const path = `/api/products/${id}/attributes_select/${attribute.id}`;
      const option = await store.made(`${path}/options`, { value: `${name} ${number}` });
      ids.push((await store.made(`${path}/values`, { option_id: option.id })).id);
    }
    values.push(ids);
  }
  const lines = values[0]!.flatMap((size, sizeIndex) =>
    values[1]!.map((color, colorIndex) => ({
      sku: `V-${id}-${sizeIndex + 1}-${colorIndex + 1}`,
      attribute_select_values: [size, color],
    })),
  );
  await bulk(store, `/api/products/${id}/variants/bulk`, lines);
  return id;
}

async function bulk(store: Store, path: string, lines: readonly object[]): Promise<void> {
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const { status, text } = await store.request('POST', path, {
    body,
    headers: { 'content-type': 'application/x-ndjson' },
  });
  const { summary } = JSON.parse(text.trimEnd().split('\n').at(-1)!);
  assert.deepEqual([status, summary.failed], [200, 0], text.slice(0, 500));
}
