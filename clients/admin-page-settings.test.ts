/** Categories and settings on the admin page. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  accessibilityProblems,
  changing,
  onAdminPage,
  overflow,
  PIXEL,
  saved,
  settled,
  skip,
} from './support/admin-page.ts';

onAdminPage('categories on the admin page', {}, (admin) => {
  const { store } = admin;
  const read = async (id: number) => (await store.get(`/api/categories/${id}`)).json;

  test('categories are created, edited, moved by keyboard and mouse, and deleted', { skip }, async () => {
    const clothes = await store.made('/api/categories', { name: 'Clothes' });
    const shoes = await store.made('/api/categories', { name: 'Shoes', position: 1 });
    await admin.on('/categories', async ({ page }) => {
      await page.getByRole('button', { name: 'New category' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Shirts');
      await dialog.getByRole('button', { name: 'Create category' }).click();
      const form = page.getByRole('region', { name: 'Shirts' });
      await form.getByRole('textbox', { name: 'Name' }).fill('Fine shirts');
      await form.getByRole('button', { name: 'Save changes' }).click();
      await saved(page);
      const row = (name: string) => page.getByRole('treeitem', { name });
      await row('Fine shirts').focus();
      await page.keyboard.press('Alt+ArrowUp');
      await page.getByRole('treeitem').nth(1).and(row('Fine shirts')).waitFor();
      await settled(page);
      await row('Shoes').dragTo(row('Clothes'));
      await page.locator('[role=treeitem][aria-level="2"]').and(row('Shoes')).waitFor();
    });
    const [fine] = (await store.get('/api/categories?name=Fine')).json;
    assert.equal((await read(shoes.id)).parent, clothes.id);
    const top = (await store.get('/api/categories')).json.map(({ name }: { name: string }) => name);
    assert.deepEqual(top.sort(), ['Clothes', 'Fine shirts']);
    await admin.on(`/categories/${fine.id}`, async ({ page }) => {
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page.getByText('Select a category to edit it.').waitFor();
    });
    assert.equal((await store.get(`/api/categories/${fine.id}`)).status, 404);
  });

  test('a category has an icon, and its products can be sorted', { skip }, async () => {
    const { id } = await store.made('/api/categories', { name: 'Sorted' });
    const ids: number[] = [];
    for (const name of ['One', 'Two', 'Three']) {
      const { id: product_id } = await store.product({ name });
      ids.push(product_id);
      await store.post(`/api/categories/${id}/products`, { product_id });
    }
    await admin.on(`/categories/${id}`, async ({ page }) => {
      const file = { name: 'icon.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') };
      await page.locator('input[type=file]').first().setInputFiles(file);
      await saved(page);
      await page.getByRole('button', { name: 'Move “Three” up' }).click();
      const second = page.getByRole('region', { name: 'Products' }).getByRole('listitem').nth(1);
      await second.getByRole('link', { name: 'Three' }).waitFor();
      await settled(page);
    });
    assert.equal((await read(id)).icon.width, 1);
    const links = (await store.get(`/api/categories/${id}/products`)).json;
    assert.deepEqual(
      links.map(({ product_id }: { product_id: number }) => product_id),
      [ids[0], ids[2], ids[1]],
    );
  });
});

onAdminPage('settings on the admin page', { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' }, (admin) => {
  const { store } = admin;

  test('an API key is created, shown once and revoked', { skip }, async () => {
    await admin.on('/settings/keys', async ({ page }) => {
      await page.getByRole('cell', { name: 'set on the server' }).first().waitFor();
      await page.getByRole('button', { name: 'New key' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'Name' }).fill('read-only');
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await dialog.getByText('This value is already in use. Choose another.').waitFor();
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Warehouse');
      await dialog.getByRole('button', { name: 'Create key' }).click();
      const field = page.getByRole('textbox', { name: 'API key' });
      const key = await field.inputValue();
      await page.setViewportSize({ width: 390, height: 844 });
      assert.ok((await field.boundingBox())!.width > 250, 'the key has the width of the notice');
      assert.ok((await overflow(page)) <= 0);
      assert.deepEqual(await accessibilityProblems(page), []);
      assert.equal((await store.get('/api/tags', { 'x-auth-token': key })).status, 200);
      const storage = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
      assert.ok(!storage.includes(key));
      await page.getByRole('button', { name: 'Close', exact: true }).click();
      assert.equal(await page.getByText(key).count(), 0);
      await page.getByRole('button', { name: 'Revoke “Warehouse”' }).click();
      await page.getByText('This cannot be undone.').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('The key was revoked.').waitFor();
      const message = (await page.locator('.MuiSnackbar-root').boundingBox())!;
      const below = (await page.getByRole('main').getByRole('button').first().boundingBox())!;
      assert.ok(below.y >= message.y + message.height, 'the message covers no button of the page');
      assert.equal((await store.get('/api/tags', { 'x-auth-token': key })).status, 401);
    });
  });

  test('a scoped key is created with scopes and networks, and shows them', { skip }, async () => {
    await admin.on('/settings/keys', async ({ page, writes }) => {
      await page.getByRole('button', { name: 'New key' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Newsletter');
      await dialog.getByRole('combobox', { name: 'Access' }).click();
      await page.getByRole('option', { name: 'Scoped' }).click();
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await dialog.getByText('Choose at least one scope.').waitFor();
      const ofFamily = (family: string, operation: string) =>
        dialog.getByRole('group', { name: family, exact: true }).getByRole('checkbox', { name: operation });
      await ofFamily('Everything', 'Export').check();
      assert.ok(await ofFamily('products', 'Export').isDisabled());
      assert.ok(await ofFamily('products', 'Read').isChecked(), 'an export includes reading');
      await ofFamily('Everything', 'Export').uncheck();
      await ofFamily('products', 'Change').check();
      await dialog.getByRole('searchbox', { name: 'Find a scope' }).fill('order');
      assert.equal(await ofFamily('products', 'Change').count(), 0);
      await ofFamily('orders', 'Refund').check();
      const networks = dialog.getByRole('combobox', { name: 'Networks' });
      await networks.fill('not a network,');
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await dialog.locator('[aria-invalid=true]').waitFor();
      await networks.press('Backspace');
      await networks.fill('203.0.113.0/24');
      await admin.screenshot(page, 'settings-scoped-key');
      assert.deepEqual(await accessibilityProblems(page), []);
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('textbox', { name: 'API key' }).waitFor();
      const { scopes, networks: ranges } = writes.at(-1)!.body as { scopes: string[]; networks: string[] };
      assert.deepEqual([scopes, ranges], [['products:write', 'orders:refund'], ['203.0.113.0/24']]);
      await page.getByText('2 scopes').click();
      await page.getByText('orders:refund, products:write').waitFor();
      await page.getByText('1 network').click();
      await page.setViewportSize({ width: 390, height: 844 });
      assert.ok((await overflow(page)) <= 0);
      assert.deepEqual(await accessibilityProblems(page), []);
      await admin.screenshot(page, 'settings-keys-390');
    });
  });

  test('the seller, the address and the logo of the store are edited; other values name their setting', {
    skip,
  }, async () => {
    const { currency, time_zone } = (await store.get('/api/store')).json;
    await admin.on('/settings/store', async ({ page, writes }) => {
      const row = (name: string) => page.getByRole('row').filter({ hasText: name });
      await row('Time zone').filter({ hasText: time_zone }).filter({ hasText: 'STORE_TIME_ZONE' }).waitFor();
      await row('Currency')
        .filter({ hasText: `(${currency})` })
        .filter({ hasText: 'the first start' })
        .waitFor();
      await page.getByRole('textbox', { name: 'Seller' }).fill('Lamp Shop\n1 Long Road');
      await page.getByRole('textbox', { name: 'Tax number' }).fill('DE123');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await saved(page);
      assert.deepEqual(writes[0]!.body, { seller: 'Lamp Shop\n1 Long Road', tax_number: 'DE123' });
      assert.ok(writes[0]!.ifMatch);
      const address = page.getByRole('region', { name: 'Address of the store' });
      await address.getByRole('textbox', { name: 'City' }).fill('London');
      await changing(page, () => address.getByRole('button', { name: 'Save address' }).click());
      const file = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') };
      await changing(page, () => page.locator('input[type=file]').setInputFiles(file));
      await page.getByRole('img', { name: 'Logo' }).waitFor();
      await row('Unit of length').filter({ hasText: 'DIMENSION_UNIT' }).waitFor();
      await row('Languages').getByRole('link').click();
      await page.getByRole('columnheader', { name: 'Code' }).waitFor();
    });
    const info = (await store.get('/api/store')).json;
    assert.deepEqual([info.seller, info.address.city, info.logo.width], ['Lamp Shop\n1 Long Road', 'London', 1]);
  });

  test('tax classes, languages, statuses and webhooks are edited in place', { skip }, async () => {
    await admin.on('/settings/tax_classes', async ({ page }) => {
      await page.getByRole('textbox', { name: 'New name' }).fill('Reduced');
      await page.keyboard.press('Enter');
      const name = page.getByRole('textbox', { name: 'Name: Reduced', exact: true });
      await name.fill('Half');
      await name.press('Enter');
      await page.getByRole('textbox', { name: 'Name: Half', exact: true }).waitFor();
      await page.getByRole('textbox', { name: 'New name' }).fill('Half');
      await page.keyboard.press('Enter');
      await page.getByText('This value is already in use. Choose another.').waitFor();
      await page.getByRole('tab', { name: 'Languages' }).click();
      await changing(page, () => page.getByRole('switch', { name: 'Enable français' }).click());
      await page.getByRole('tab', { name: 'Statuses' }).click();
      // The table of shipping statuses may appear first.
      const payments = page.getByRole('region', { name: 'Payment', exact: true });
      const customers = payments.getByRole('textbox', { name: 'Name shown to customers: P', exact: true });
      await customers.fill('Thank you');
      await changing(page, () => customers.press('Enter'));
      await page.getByRole('tab', { name: 'Webhooks' }).click();
      await page.getByRole('button', { name: 'New webhook' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:1/hook');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByRole('alert').filter({ hasText: 'Choose at least one event.' }).waitFor();
      await dialog.getByRole('checkbox', { name: 'Order created' }).check();
      assert.equal(await dialog.getByRole('alert').count(), 0);
      await dialog.getByRole('checkbox', { name: 'Product created' }).check();
      await dialog.getByRole('checkbox', { name: 'Products' }).check();
      assert.deepEqual(await accessibilityProblems(page), []);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText(/^whsec_/).waitFor();
      await page.getByRole('region', { name: 'http://127.0.0.1:1/hook' }).waitFor();
    });
    const names = (await store.get('/api/tax_classes')).json.map(({ name }: { name: string }) => name);
    assert.deepEqual(names, ['Half']);
    assert.equal((await store.get('/api/languages/fr')).json.enabled, false);
    const [paid] = (await store.get('/api/payment_statuses?code=P')).json;
    assert.equal(paid.customer_name, 'Thank you');
    const [hook] = (await store.get('/api/webhooks')).json;
    assert.deepEqual(hook.events.toSorted(), ['order.created', 'product.*']);
  });
});
