/**
 * The admin page over a large catalogue: 10,000 products in its list, 1,000 variants in one tab. Only what is in sight is drawn, all
 * of it can be reached, and typing goes on as it does over a small one; how long a key takes is printed, beside the small one's.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { onAdminPage, saved, settled, skip } from '../../clients/support/admin-page.ts';
import { onOneDatabase, type Store } from '../support/store.ts';

const PRODUCTS = 10_000;
const SIZES = 40;
const COLOURS = 25;
const VARIANTS = SIZES * COLOURS;
const FEW = 10;
/** Rows of a page of the list; and what of the variants a window shows, with some to spare. */
const LISTED = 25;
const DRAWN_MAX = 60;

onAdminPage(
  'the admin page over a large catalogue',
  {},
  (admin) => {
    const { store } = admin;
    const list = async (page: Page) => page.getByPlaceholder('Search', { exact: true });

    test(`typing in the search of ${PRODUCTS} products`, { skip }, async (context) => {
      await products(store, 0, FEW);
      const few = await typing(admin, '/products', list);
      await products(store, FEW, PRODUCTS);
      await admin.on('/products', async ({ page }) => {
        await page.getByText(/1-25 of 10,?000/).waitFor();
        assert.equal(await page.locator('tbody tr').count(), LISTED);
        const search = await list(page);
        await search.pressSequentially('number 9876');
        await page.getByRole('link', { name: 'Product number 9876', exact: true }).waitFor();
      });
      compare(context, few, await typing(admin, '/products', list));
    });

    test(`typing in the price of one of ${VARIANTS} variants`, { skip }, async (context) => {
      const price = async (page: Page) => page.getByRole('textbox', { name: /^Price: / }).first();
      const small = await withVariants(store, 1, FEW);
      const few = await typing(admin, `/products/${small}?tab=variants`, price);
      const large = await withVariants(store, SIZES, COLOURS);
      await admin.on(`/products/${large}?tab=variants`, async ({ page }) => {
        const cells = page.getByRole('textbox', { name: /^Price: / });
        await cells.first().waitFor();
        assert.ok((await cells.count()) < DRAWN_MAX, `${await cells.count()} rows are drawn`);
        // The last one is reached with the wheel, and changed there.
        const last = page.getByRole('textbox', { name: new RegExp(`^Price: .*Size ${SIZES}.*Colour ${COLOURS}$`) });
        await cells.first().hover();
        for (let turns = 0; turns < 200 && (await last.count()) === 0; turns += 1) await page.mouse.wheel(0, 4000);
        await last.fill('12.5');
        await last.press('Enter');
        await saved(page);
      });
      const { json } = await store.get(`/api/products/${large}/variants?sku=V-${large}-${SIZES}-${COLOURS}`);
      assert.equal(json[0].price, 12.5);
      compare(context, few, await typing(admin, `/products/${large}?tab=variants`, price));
    });
  },
  onOneDatabase,
);

function compare(context: TestContext, few: number, many: number): void {
  context.diagnostic(
    `a key takes ${many.toFixed(1)} ms, of which some are the test's own; over ${FEW} records it takes ${few.toFixed(1)} ms: ${(many / few).toFixed(2)} times as long`,
  );
}

/** @returns the median milliseconds from a key to the frame behind it */
async function typing(
  admin: Parameters<Parameters<typeof onAdminPage>[2]>[0],
  hash: string,
  find: (page: Page) => Promise<Locator>,
): Promise<number> {
  const took: number[] = [];
  await admin.on(hash, async ({ page }) => {
    const field = await find(page);
    await field.focus();
    for (const key of '1234567890123456789012345') {
      const began = performance.now();
      await page.keyboard.press(key);
      await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))');
      took.push(performance.now() - began);
    }
    await page.keyboard.press('Escape');
    await settled(page);
  });
  return took.sort((one, other) => one - other)[Math.floor(took.length / 2)]!;
}

async function products(store: Store, from: number, to: number): Promise<void> {
  const lines = Array.from({ length: to - from }, (_, index) => {
    const number = from + index + 1;
    return { sku: `HUGE-${number}`, name: `Product number ${number}`, price: number % 97 };
  });
  await bulk(store, '/api/products/bulk', lines);
}

/** @returns the id of a product with a variant of each size and colour */
async function withVariants(store: Store, sizes: number, colours: number): Promise<number> {
  const { id } = await store.product({ name: `In ${sizes * colours} variants` });
  const values: number[][] = [];
  for (const [name, count] of [
    ['Size', sizes],
    ['Colour', colours],
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
  const lines = values[0]!.flatMap((size, at) =>
    values[1]!.map((colour, place) => ({
      sku: `V-${id}-${at + 1}-${place + 1}`,
      attribute_select_values: [size, colour],
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
