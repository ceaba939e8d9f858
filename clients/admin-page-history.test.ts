/** The history of a product on the admin page: changes by anyone while the page is open. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessibilityProblems, onAdminPage, saved, skip } from './support/admin-page.ts';

onAdminPage('the history of a product on the admin page', {}, (admin) => {
  const { store } = admin;

  test('the history shows changes by anyone to the product, and none of another product', { skip }, async () => {
    const { id } = await store.product({ name: 'Watched', price: 10 });
    const { id: other } = await store.product({ name: 'Another' });
    await admin.on(`/products/${id}`, async ({ page, go }) => {
      const [name] = await page.getByRole('textbox', { name: 'Name', exact: true }).all();
      await name!.fill('Watched closely');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await saved(page);
      await store.patch(`/api/products/${id}`, { price: 11, amount: 3 });
      await store.patch(`/api/products/${other}`, { price: 12 });
      const size = await store.made(`/api/products/${id}/attributes_select`, { name: 'Size' });
      await page.getByRole('tab', { name: 'History' }).click();
      const rows = page.getByRole('group', { name: 'History' }).locator('tbody tr');
      await rows.nth(2).waitFor();
      const shownChanges = async () =>
        (await rows.allInnerTexts()).map((row) =>
          row
            .split(/\s*[\t\n]\s*/)
            .slice(1)
            .join(' | '),
        );
      assert.deepEqual(await shownChanges(), [
        `Attribute ${size.id} | created`,
        'Product | Price, Stock',
        'Product | Name',
      ]);
      // Later changes appear without a reload.
      await store.patch(`/api/products/${id}`, { enabled: false, og_meta_tags: 'x' });
      await rows.nth(3).waitFor();
      assert.equal((await shownChanges())[0], 'Product | Preview in social networks, Enabled');
      await admin.screenshot(page, 'history');
      assert.deepEqual(await accessibilityProblems(page), []);

      await go(`/products/${other}?tab=history`);
      await page.getByRole('heading', { name: 'Another' }).waitFor();
      await page.getByRole('group', { name: 'History' }).locator('tbody tr').first().waitFor();
      assert.deepEqual(await shownChanges(), ['Product | Price']);
    });
  });

  test('the history of an unchanged product says so', { skip }, async () => {
    const { id } = await store.product({ name: 'Quiet' });
    await admin.on(`/products/${id}?tab=history`, async ({ page }) => {
      await page.getByText('No changes since then.').waitFor();
      await page.getByText(/^Created .+, last changed /).waitFor();
    });
  });
});
