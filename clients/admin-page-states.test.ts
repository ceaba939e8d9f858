/** Screens of the admin page while they wait, when the store fails, and while there is nothing in them yet. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { onOneDatabase } from '../test/support/store.ts';
import { accessibilityProblems, onAdminPage, settled, skip } from './support/admin-page.ts';

interface Screen {
  readonly name: string;
  /** Where it is, once there are records. */
  hash(): string;
  /** The request without which it has nothing to show. */
  readonly asks: RegExp;
  /** Stands there when all is read. */
  readonly shown: string | RegExp;
  /** Left out where a screen is never empty. */
  readonly empty?: { readonly hash: string; readonly says: RegExp };
}

const ids = { product: 0, order: 0, category: 0 };

const SCREENS: readonly Screen[] = [
  {
    name: 'last changes',
    hash: () => '/',
    asks: /\/api\/products\?/,
    shown: 'A stated product',
    empty: { hash: '/', says: /^No products or orders yet\.$/ },
  },
  {
    name: 'products',
    hash: () => '/products',
    asks: /\/api\/products\?/,
    shown: 'A stated product',
    empty: {
      hash: '/products',
      says: /^Create your first product here, or import a product file under “Import \/ export”\.$/,
    },
  },
  {
    name: 'one product',
    hash: () => `/products/${ids.product}`,
    asks: /\/api\/products\/\d+$/,
    shown: 'Unsaved changes|No changes',
  },
  {
    name: 'orders',
    hash: () => '/orders',
    asks: /\/api\/orders\?/,
    shown: 'stated@example.com',
    empty: { hash: '/orders', says: /^Orders arrive from your shop through the API\./ },
  },
  {
    name: 'one order',
    hash: () => `/orders/${ids.order}/show`,
    asks: /\/api\/orders\/\d+$/,
    shown: 'A stated product',
  },
  {
    name: 'categories',
    hash: () => '/categories',
    asks: /\/api\/categories\?/,
    shown: 'A stated category',
    empty: { hash: '/categories', says: /Create the first one with “New category”\.$/ },
  },
  { name: 'keys', hash: () => '/settings/keys', asks: /\/api\/keys/, shown: 'set on the server' },
  {
    name: 'webhooks',
    hash: () => '/settings/webhooks',
    asks: /\/api\/webhooks/,
    shown: 'https://stated.example/hook',
    empty: { hash: '/settings/webhooks', says: /Enter a URL and its events above/ },
  },
];

const PROGRESS = '[role=progressbar], [role=status][aria-label="Loading…"], .RaLoadingIndicator-loader';

onAdminPage(
  'states of the admin page',
  {},
  (admin) => {
    const { store } = admin;
    const seen = (page: Page, text: string | RegExp) =>
      page.getByText(typeof text === 'string' ? new RegExp(text) : text).first();

    for (const { name, empty } of SCREENS)
      if (empty)
        test(`${name}: an empty store says what to do first`, { skip }, async () => {
          await admin.on(empty.hash, async ({ page }) => {
            await seen(page, empty.says).waitFor();
            await admin.picture(page, `empty-${name}`);
            assert.deepEqual(await accessibilityProblems(page), []);
          });
        });

    test('the store is filled', { skip }, async () => {
      ids.product = (await store.product({ name: 'A stated product' })).id;
      ids.category = (await store.made('/api/categories', { name: 'A stated category' })).id;
      const items = [{ product_id: ids.product, amount: 1 }];
      ids.order = (await store.made('/api/orders', { email: 'stated@example.com', items })).id;
      await store.made('/api/webhooks', { url: 'https://stated.example/hook', events: ['*'], enabled: false });
    });

    for (const { name, hash, asks, shown } of SCREENS) {
      test(`${name}: a slow network shows progress`, { skip }, async () => {
        const { page, close } = await admin.open();
        const goOn = Promise.withResolvers<void>();
        await page.route(asks, async (route) => {
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

      test(`${name}: an error of the store is a sentence, and can be tried again`, { skip }, async () => {
        const { page, close } = await admin.open();
        await page.route(asks, (route) =>
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
        await page.unroute(asks);
        await alert.getByRole('button', { name: 'Try again' }).click();
        await seen(page, shown).waitFor();
        await close();
      });
    }

    test('a refusal of a category stands beside its field', { skip }, async () => {
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
  },
  onOneDatabase,
);
