/** Shipping methods, mails, carts and publishable keys on the admin page. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { newCart, newShopKey } from '../test/support/carts.ts';
import { FAILING_MAILS } from '../test/support/example-environment.ts';
import { freePort } from '../test/support/postgres-server.ts';
import { READ_ONLY_KEY } from '../test/support/store.ts';
import { accessibilityProblems, onAdminPage, overflow, skip } from './support/admin-page.ts';

const folder = mkdtempSync(join(tmpdir(), 'purveyor-shipping-'));
after(() => rmSync(folder, { recursive: true }));
const FILE = join(folder, 'store.db');
const PORT = String(await freePort());
const ADDRESS = { PORT, BASE_URL: `http://127.0.0.1:${PORT}` };
const SETTINGS = { ...FAILING_MAILS, ...ADDRESS, DATABASE_URL: `sqlite:${FILE}` };

onAdminPage('shipping, mails, carts and publishable keys on the admin page', SETTINGS, (admin) => {
  const { store } = admin;
  const dialogOf = (page: Page) => page.getByRole('dialog');
  const save = (page: Page) => dialogOf(page).getByRole('button', { name: 'Save changes' }).click();

  test('a shipping method gets rates; an overlap is named at both rates, and a gap in words', { skip }, async () => {
    await store.made('/api/zones', { name: 'Germany', elements: [{ countries: ['DE'] }] });
    await admin.on('/shipping', async ({ page, go, writes }) => {
      const dialog = dialogOf(page);
      const field = (name: string) => dialog.getByRole('textbox', { name, exact: true });
      await page.getByRole('button', { name: 'New shipping method' }).click();
      await dialog.getByRole('textbox', { name: 'Name' }).first().fill('Standard');
      await field('Delivery time').first().fill('2–3 days');
      await field('Free for orders from').fill('50');
      await save(page);
      await page.getByText('Free for orders from US$50.00').waitFor();
      await page.getByRole('button', { name: 'New rate' }).click();
      await save(page);
      await dialog.getByText('Fill in this field.').waitFor();
      await dialog.getByRole('combobox', { name: 'Zone' }).click();
      await page.getByRole('option', { name: 'Germany' }).click();
      await field('Weight up to').fill('5');
      await field('For the order').fill('4.90');
      await save(page);
      await page.getByText('No rate for orders to Germany over 5 kg.').waitFor();
      await page.getByRole('cell', { name: 'US$4.90' }).waitFor();
      await page.getByRole('button', { name: 'Add rate: Germany' }).click();
      await field('Weight from').fill('3');
      await field('For each item').fill('1');
      await save(page);
      await dialog.getByText('The rate overlaps another rate of this zone: up to 5 kg.').waitFor();
      // The button that had the focus is disabled while the rate is saved.
      await field('Weight from').press('Escape');
      await page.getByRole('row').getByText('The rate “from 3 kg” overlaps this one').waitFor();
      await admin.screenshot(page, 'shipping-overlap');
      await page.getByRole('button', { name: 'Add rate: Germany' }).click();
      await field('Weight from').fill('5');
      await field('For each item').fill('1');
      await save(page);
      await page.getByText('Every order to Germany has a rate.').waitFor();
      await page.getByRole('button', { name: 'Edit: up to 5 kg' }).click();
      await field('For the order').fill('5.90');
      await save(page);
      await page.getByRole('cell', { name: 'US$5.90' }).waitFor();
      assert.deepEqual(writes.at(-1)!.body, { markup_flat: 5.9 });
      assert.ok(writes.at(-1)!.ifMatch);
      await store.made('/api/shipping_methods', { name: 'Pickup', processor: 'pickup', position: 99 });
      await go('/shipping');
      await page.getByRole('button', { name: 'Move “Pickup” up' }).click();
      await page.getByRole('listitem').first().getByRole('link', { name: 'Pickup' }).waitFor();
      await page.getByRole('switch', { name: 'Enable Pickup' }).click();
      await page.getByText('Disabled').waitFor();
    });
    const [pickup, standard] = (await store.get('/api/shipping_methods')).json;
    assert.deepEqual([pickup.name, pickup.enabled], ['Pickup', false]);
    const { name, delivery_time, free_from, pickup_address } = standard;
    assert.deepEqual(
      { name, delivery_time, free_from, pickup_address },
      {
        ...{ name: 'Standard', delivery_time: '2–3 days', free_from: 50, pickup_address: null },
      },
    );
    const rates = (await store.get(`/api/shipping_methods/${standard.id}/rates`)).json;
    const shown = rates.map((rate: Record<string, unknown>) => [rate.min_weight, rate.max_weight, rate.markup_flat]);
    assert.deepEqual(shown, [
      [0, 5, 5.9],
      [5, null, 0],
    ]);
  });

  test('a failed mail is sent again', { skip }, async () => {
    const user = await store.made('/api/users', { email: 'ada@example.com', name: 'Ada', role_ids: [1] });
    assert.equal((await store.post(`/api/users/${user.id}/invite`, { mail: true })).status, 200);
    // Without waiting for 72 hours. The list has not been read yet, so no response of it is cached.
    const database = new DatabaseSync(FILE);
    database.exec('pragma busy_timeout = 5000');
    // An attempt that ends later would set the status again.
    const ended = database.prepare('select 1 from mail where attempts > 0');
    for (let round = 0; ended.get() === undefined; round += 1) {
      assert.ok(round < 300, 'no attempt has ended');
      await sleep(100);
    }
    database.exec("update mail set status = 'failed', attempts = 9");
    database.close();
    await admin.on('/mails', async ({ page }) => {
      await page.getByRole('button', { name: 'Failed' }).click();
      const row = page.getByRole('row').filter({ hasText: 'ada@example.com' });
      await row.getByText('Invitation for a colleague').waitFor();
      await admin.screenshot(page, 'mails-failed');
      assert.deepEqual(await accessibilityProblems(page), []);
      await row.getByRole('button', { name: 'Retry: ada@example.com' }).click();
      await page.getByText('No results.').waitFor();
      await page.getByRole('button', { name: 'All' }).click();
      await row.getByText('Waiting').waitFor();
    });
  });

  test('the text of a mail is replaced, previewed and reset', { skip }, async () => {
    const path = '/api/mail_templates/staff_reset/de';
    await admin.on('/mails/templates', async ({ page }) => {
      const dialog = dialogOf(page);
      const act = (name: string) =>
        page.getByRole('button', { name: `${name}: New password for a colleague, German` }).click();
      await act('Edit');
      await dialog.getByRole('textbox', { name: 'Subject' }).fill('Neu: {{store}}');
      await dialog.getByRole('textbox', { name: 'Plain text' }).fill('Hallo');
      await save(page);
      await dialog.getByText('{{link}}').nth(1).waitFor();
      await dialog.getByRole('textbox', { name: 'Plain text' }).fill('Hallo {{name}}: {{link}}');
      await save(page);
      await dialog.waitFor({ state: 'detached' });
      await act('Preview');
      await dialog.getByText('Hallo Ada Lovelace').waitFor();
      await page.frameLocator('iframe').getByRole('link').waitFor();
      await admin.screenshot(page, 'mails-preview');
      await dialog.getByRole('button', { name: 'Close' }).click();
      assert.equal((await store.get(path)).json.subject, 'Neu: {{store}}');
      await act('Reset');
      await dialog.getByRole('button', { name: 'Use the built-in text again' }).click();
      await page.getByText('The built-in text applies again.').waitFor();
    });
    assert.equal((await store.get(path)).json.built_in, true);
  });

  test('a publishable key has origins, with what the store rejects at their rows', { skip }, async () => {
    await admin.on('/settings/keys', async ({ page }) => {
      const dialog = dialogOf(page);
      await page.getByRole('button', { name: 'New key' }).click();
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Shop');
      await dialog.getByRole('combobox', { name: 'Access' }).click();
      await page.getByRole('option', { name: 'Publishable' }).click();
      await dialog.getByRole('textbox', { name: 'Address 1' }).fill('https://shop.example.com');
      await dialog.getByRole('button', { name: 'Add an address' }).click();
      await dialog.getByRole('textbox', { name: 'Address 2' }).fill('https://shop.example.com/path');
      const create = dialog.getByRole('button', { name: 'Create key' });
      await create.click();
      const second = dialog.getByRole('textbox', { name: 'Address 2' });
      await dialog.locator('[aria-invalid=true]').and(second).waitFor();
      await admin.screenshot(page, 'settings-publishable-key');
      assert.deepEqual(await accessibilityProblems(page), []);
      await second.fill('http://localhost:3000');
      await create.click();
      const row = page.getByRole('row').filter({ hasText: 'On https://shop.example.com, http://localhost:3000' });
      await row.getByText(/^pv_pk_/).waitFor();
    });
  });

  test('carts are found by e-mail address and state, with their details', { skip }, async () => {
    const product = await store.product({ name: 'Mug', sku: 'MUG', price: 10 });
    await store.made('/api/coupons', { code: 'TEN10', type: '%', value: 10 });
    const { id: method_id } = await store.made('/api/shipping_methods', { name: 'By bicycle' });
    const lines = [{ product_id: product.id, amount: 3 }];
    const shop = await newShopKey(store);
    const { id } = await newCart(store, shop, {
      ...{ email: 'grace@example.com', notes: 'Please ring', lines, coupons: ['TEN10'], shipping: { method_id } },
      billing_address: { firstname: 'Grace', lastname: 'Hopper', city: 'Arlington', country_code: 'US' },
    });
    const { id: guest } = await newCart(store, shop, { lines });
    const { key } = await store.made('/api/keys', { name: 'Orders', kind: 'scoped', scopes: ['orders:read'] });
    await admin.on('/carts', async ({ page }) => {
      const details = (cart: number) => page.getByRole('button', { name: `Details: Cart ${cart}`, exact: true });
      await page
        .getByRole('row')
        .filter({ has: details(guest) })
        .getByText('Guest')
        .waitFor();
      await page.getByRole('searchbox', { name: 'E-mail' }).fill('grace@example.com');
      await page.getByRole('searchbox', { name: 'E-mail' }).press('Enter');
      await details(guest).waitFor({ state: 'detached' });
      await page
        .getByRole('row', { name: /grace@example.com 3 US\$27.00/ })
        .getByText('Open')
        .waitFor();
      await details(id).click();
      for (const text of ['TEN10', 'By bicycle', 'Grace Hopper', 'Please ring', 'MUG', 'US$30.00'])
        await dialogOf(page).getByText(text).first().waitFor();
      await admin.screenshot(page, 'cart');
      await dialogOf(page).getByRole('button', { name: 'Close' }).click();
      await page.getByRole('button', { name: 'Expired' }).click();
      await page.getByText('No results.').waitFor();
    });
    await admin.on(
      '/orders',
      async ({ page }) => {
        await page.getByRole('menuitem', { name: 'Orders' }).waitFor();
        assert.equal(await page.getByRole('menuitem', { name: 'Carts' }).count(), 0);
      },
      { key },
    );
  });

  test('a read-only key sees shipping and texts of mails, without controls', { skip }, async () => {
    const [{ id }] = (await store.get('/api/shipping_methods?name=Standard')).json;
    await admin.on(
      `/shipping/${id}`,
      async ({ page, go }) => {
        await page.getByText('Every order to Germany has a rate.').waitFor();
        assert.ok((await overflow(page)) <= 0);
        const controls = page.getByRole('main').getByRole('button', { name: /edit|delete|rate|preview|reset|new/i });
        assert.equal(await controls.count(), 0);
        await go('/shipping');
        await page.getByRole('link', { name: 'Standard' }).waitFor();
        assert.equal(await controls.count(), 0);
        await go('/mails/templates');
        await page.getByText('New password for a colleague').waitFor();
        assert.equal(await controls.count(), 0);
      },
      { key: READ_ONLY_KEY, width: 390 },
    );
  });
});
