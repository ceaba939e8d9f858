/** Loading, error and empty states of the admin page's screens. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { accessibilityProblems, onAdminPage, settled, skip } from './support/admin-page.ts';

interface Screen {
  readonly name: string;
  /** Its address; called once there are records. */
  hash(): string;
  /** The request that its content comes from. */
  readonly request: RegExp;
  /** A text of the loaded screen. */
  readonly shown: string | RegExp;
  /** Undefined for screens that are never empty. */
  readonly empty?: { readonly hash: string; readonly says: RegExp };
}

const ids = { product: 0, order: 0, category: 0 };

const SCREENS: readonly Screen[] = [
  {
    name: 'last changes',
    hash: () => '/',
    request: /\/api\/products\?/,
    shown: 'Product A stated product',
    empty: { hash: '/', says: /^No products or orders yet\.$/ },
  },
  {
    name: 'products',
    hash: () => '/products',
    request: /\/api\/products\?/,
    shown: 'A stated product',
    empty: {
      hash: '/products',
      says: /^Create your first product here, or import a product file under “Import \/ export”\.$/,
    },
  },
  {
    name: 'one product',
    hash: () => `/products/${ids.product}`,
    request: /\/api\/products\/\d+$/,
    shown: 'Unsaved changes|No changes',
  },
  {
    name: 'orders',
    hash: () => '/orders',
    request: /\/api\/orders\?/,
    shown: 'stated@example.com',
    empty: { hash: '/orders', says: /^Orders arrive from your shop through the API\./ },
  },
  {
    name: 'one order',
    hash: () => `/orders/${ids.order}/show`,
    request: /\/api\/orders\/\d+$/,
    shown: 'A stated product',
  },
  {
    name: 'categories',
    hash: () => '/categories',
    request: /\/api\/categories\?/,
    shown: 'A stated category',
    empty: { hash: '/categories', says: /Create the first one with “New category”\.$/ },
  },
  { name: 'keys', hash: () => '/settings/keys', request: /\/api\/keys/, shown: 'set on the server' },
  {
    name: 'webhooks',
    hash: () => '/settings/webhooks',
    request: /\/api\/webhooks/,
    shown: 'https://stated.example/hook',
    empty: { hash: '/settings/webhooks', says: /Create the first one with “New webhook”/ },
  },
];

const PROGRESS = '[role=progressbar], [role=status][aria-label="Loading…"], .RaLoadingIndicator-loader';

onAdminPage('states of the admin page', {}, (admin) => {
  const { store } = admin;
  const seen = (page: Page, text: string | RegExp) =>
    page.getByText(typeof text === 'string' ? new RegExp(text) : text).first();

  for (const { name, empty } of SCREENS)
    if (empty)
      test(`${name}: an empty screen says what to do first`, { skip }, async () => {
        await admin.on(empty.hash, async ({ page }) => {
          await seen(page, empty.says).waitFor();
          await admin.screenshot(page, `empty-${name}`);
          assert.deepEqual(await accessibilityProblems(page), []);
        });
      });

  test('the store accepts records for the screens', { skip }, async () => {
    ids.product = (await store.product({ name: 'A stated product' })).id;
    ids.category = (await store.made('/api/categories', { name: 'A stated category' })).id;
    const items = [{ product_id: ids.product, amount: 1 }];
    ids.order = (await store.made('/api/orders', { email: 'stated@example.com', items })).id;
    await store.made('/api/webhooks', { url: 'https://stated.example/hook', events: ['*'], enabled: false });
  });

  for (const { name, hash, request, shown } of SCREENS) {
    test(`${name}: a slow response shows progress`, { skip }, async () => {
      const { page, close } = await admin.open();
      const goOn = Promise.withResolvers<void>();
      await page.route(request, async (route) => {
        await goOn.promise;
        await route.continue();
      });
      await page.goto(`${store.address}/admin#${hash()}`);
      await page.locator(PROGRESS).first().waitFor();
      assert.equal(await seen(page, shown).count(), 0);
      goOn.resolve();
      await seen(page, shown).waitFor();
      await settled(page);
      await close();
    });

    test(`${name}: a failed request shows the store’s message and can be retried`, { skip }, async () => {
      const { page, close } = await admin.open();
      await page.route(request, (route) =>
        route.fulfill({
          ...{ status: 500, contentType: 'application/problem+json' },
          body: JSON.stringify({
            ...{ type: 'https://example.com/internal-error', title: 'Internal error', status: 500 },
            detail: 'The disk of the store is full.',
          }),
        }),
      );
      await page.goto(`${store.address}/admin#${hash()}`);
      const alert = page.getByRole('alert').filter({ hasText: 'The disk of the store is full.' });
      await alert.waitFor();
      assert.equal(await page.getByText(/\b500\b|GET \//).count(), 0);
      assert.deepEqual(await accessibilityProblems(page), []);
      await page.unroute(request);
      await alert.getByRole('button', { name: 'Try again' }).click();
      await seen(page, shown).waitFor();
      await close();
    });
  }

  test('an error of a category’s field is shown below it', { skip }, async () => {
    await admin.on(`/categories/${ids.category}`, async ({ page, writes }) => {
      const form = page.getByRole('region', { name: 'A stated category' });
      const field = form.getByRole('textbox', { name: 'Name' });
      await field.fill('x'.repeat(300));
      await form.getByRole('button', { name: 'Save changes' }).click();
      await form.locator('[aria-invalid=true]').waitFor();
      const help = await field.getAttribute('aria-describedby');
      assert.match((await page.locator(`[id="${help}"]`).textContent()) ?? '', /255|long/);
      assert.equal(writes.length, 1);
    });
  });
});
