/** Attributes on the admin page: of all products, of a class and of one product, and variants made of their options. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessibilityProblems, onAdminPage, saved, settled, skip, tabTo } from './support/admin-page.ts';
import { READ_ONLY_KEY } from './support/store.ts';

onAdminPage('attributes on the admin page', {}, (admin) => {
  const { store } = admin;
  const names = async (path: string, field = 'name') =>
    (await store.get(path)).json.map((one: Record<string, unknown>) => one[field]);

  test('an attribute with three options becomes three variants of a product, by keyboard', { skip }, async () => {
    const { id } = await store.product({ name: 'Shirt', price: 20 });
    await admin.on('/settings/attributes', async ({ page, go, writes }) => {
      await page.getByText('No attributes yet.').waitFor();
      const attribute = page.getByRole('textbox', { name: 'New attribute' });
      await tabTo(page, attribute);
      await page.keyboard.press('Enter');
      await page.getByText('Fill in this field.').waitFor();
      await page.keyboard.type('Size');
      await page.keyboard.press('Enter');
      const size = page.getByRole('region', { name: 'Size' });
      const option = (value: string) => size.getByRole('textbox', { name: `Value: ${value}`, exact: true });
      await size.getByRole('textbox', { name: 'New option' }).focus();
      for (const value of ['S', 'L', 'Medium']) {
        await page.keyboard.type(value);
        await page.keyboard.press('Enter');
        await option(value).waitFor();
      }
      await option('Medium').fill('M');
      await page.getByRole('tooltip').waitFor();
      assert.deepEqual(await accessibilityProblems(page), []);
      const left = Promise.withResolvers<void>();
      await page.route('**/options/*', async (route) => {
        await left.promise;
        await route.continue();
      });
      await option('Medium').press('Enter');
      await option('Medium').blur();
      left.resolve();
      await option('M').waitFor();
      await page.getByRole('tooltip').waitFor({ state: 'detached' });
      assert.equal(writes.filter(({ method }) => method === 'PATCH').length, 1);
      await page.unroute('**/options/*');
      await saved(page, () => size.getByRole('button', { name: 'Move “M” up' }).click());
      await settled(page);
      assert.deepEqual(await accessibilityProblems(page), []);
      await go(`/products/${id}?tab=attributes`);
      for (const value of ['S', 'M', 'L']) {
        await page.getByRole('checkbox', { name: value, exact: true }).click();
        await page.getByRole('textbox', { name: `Price change: ${value}`, exact: true }).waitFor();
      }
      await page.getByRole('tab', { name: 'Variants' }).click();
      await page.getByRole('button', { name: 'Make 3 variants' }).click();
      await page.getByRole('textbox', { name: 'SKU: L', exact: true }).waitFor();
      await go('/settings/attributes');
      await size.getByRole('button', { name: 'Options' }).click();
      await size.getByRole('button', { name: 'Delete: M' }).click();
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page
        .getByText(/variant/i)
        .and(page.getByRole('alert').locator('*'))
        .first()
        .waitFor();
      await option('M').waitFor();
    });
    const [size] = (await store.get('/api/attributes_select')).json;
    assert.deepEqual(await names(`/api/attributes_select/${size.id}/options`, 'value'), ['S', 'M', 'L']);
    assert.equal((await store.get(`/api/products/${id}/variants`)).json.length, 3);
  });

  test('attributes of a class can be grouped, and a product can have attributes of its own', { skip }, async () => {
    const { id: shoes } = await store.made('/api/product_classes', { name: 'Shoes' });
    const { id } = await store.product({ name: 'Boot', product_class: 'Shoes' });
    await admin.on(`/settings/attributes?class=${shoes}`, async ({ page }) => {
      await page.getByRole('textbox', { name: 'New group' }).fill('Looks');
      await page.keyboard.press('Enter');
      await page.getByRole('textbox', { name: 'Name: Looks', exact: true }).waitFor();
      await page.getByRole('textbox', { name: 'New attribute' }).fill('Laces');
      await page.getByLabel('Type', { exact: true }).click();
      await page.getByRole('option', { name: 'Yes or no' }).click();
      await page.getByRole('textbox', { name: 'New attribute' }).press('Enter');
      const laces = page.getByRole('region', { name: 'Laces' });
      await laces.getByRole('combobox').click();
      await saved(page, () => page.getByRole('option', { name: 'Looks' }).click());
      await laces.getByRole('combobox').filter({ hasText: 'Looks' }).waitFor();
    });
    const path = `/api/product_classes/${shoes}`;
    const [group] = (await store.get(`${path}/attribute_groups`)).json;
    const [laces] = (await store.get(`${path}/attributes_checkbox`)).json;
    assert.deepEqual([laces.name, laces.groupId], ['Laces', group.id]);
    await admin.on(`/products/${id}?tab=attributes`, async ({ page }) => {
      await page.getByRole('region', { name: 'Laces' }).waitFor();
      await page.getByRole('button', { name: 'Attributes of this product only' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'New attribute' }).fill('Engraving');
      await dialog.getByLabel('Type', { exact: true }).click();
      await page.getByRole('option', { name: 'Text' }).click();
      await dialog.getByRole('button', { name: 'Add' }).click();
      await dialog.getByRole('region', { name: 'Engraving' }).waitFor();
      await settled(page);
      assert.deepEqual(await accessibilityProblems(page), []);
      await dialog.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('region', { name: 'Engraving' }).getByRole('textbox', { name: 'Value' }).waitFor();
    });
    assert.deepEqual(await names(`/api/products/${id}/attributes_text`), ['Engraving']);
    await admin.on(`/settings/attributes?class=${shoes}`, async ({ page }) => {
      await page.getByRole('button', { name: 'Delete: Laces' }).click();
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page.getByText('No attributes yet.').waitFor();
    });
    assert.deepEqual(await names(`${path}/attributes_checkbox`), []);
  });

  test('a read-only key sees attributes but no buttons that change them', { skip }, async () => {
    await store.made('/api/attributes_select', { name: 'Width' });
    await admin.on(
      '/settings/attributes',
      async ({ page }) => {
        const width = page.getByRole('region', { name: 'Width' });
        await width.getByRole('button', { name: 'Options' }).click();
        await settled(page);
        for (const name of [/Add/, /Delete/, /Move/])
          assert.equal(await page.getByRole('button', { name }).count(), 0, String(name));
      },
      { key: READ_ONLY_KEY },
    );
  });
});
