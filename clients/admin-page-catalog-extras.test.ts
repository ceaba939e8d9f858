/**
 * Reviews, attachments, related and featured products, product tabs, former addresses and the box of a product on the admin page, on both
 * databases. `admin-page-screens.test.ts` checks the screens with axe-core; here it checks what that test does not open.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { attachedFile } from '../test/support/attachments.ts';
import { READ_ONLY_KEY } from '../test/support/store.ts';
import { accessibilityProblems, onAdminPage, overflow, saved, settled, skip, tabTo } from './support/admin-page.ts';

/** Fails if axe-core finds a problem, or the page is wider than the window. */
async function assertClean(page: Page): Promise<void> {
  await settled(page);
  for (const [width, height] of [
    [390, 844],
    [1400, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    await settled(page);
    assert.deepEqual(await accessibilityProblems(page), [], `at ${width} px`);
    assert.ok((await overflow(page)) <= 0, `wider than ${width} px`);
  }
}

/** Searches a product by the keyboard and adds it. */
async function addProduct(page: Page, label: string, name: string): Promise<void> {
  const search = page.getByRole('combobox', { name: label });
  await search.fill(name);
  // Until the results arrive, the list shows those of the search before.
  await page.getByRole('listbox').locator('li:only-child').filter({ hasText: name }).waitFor();
  await search.press('ArrowDown');
  await search.press('Enter');
  await page.getByRole('button', { name: `Remove: ${name}` }).waitFor();
}

/** Opens the texts of a language in a dialog. */
async function openLanguage(dialog: Locator, language: string): Promise<Locator> {
  await dialog.getByRole('button', { name: language }).click();
  const texts = dialog.getByRole('region', { name: language });
  await texts.waitFor();
  return texts;
}

onAdminPage('additions to the catalog on the admin page', {}, (admin) => {
  const { store } = admin;
  const list = async (path: string) => (await store.get(path)).json as Record<string, unknown>[];
  const namesOf = async (path: string): Promise<unknown[]> => {
    const names = (await list(path)).map(
      async ({ product_id }) => (await store.get(`/api/products/${product_id}`)).json.name,
    );
    return Promise.all(names);
  };

  test('attachments are uploaded, described, sorted, downloaded and deleted', { skip }, async () => {
    const { id: membership } = await store.made('/api/memberships', { name: 'Dealers' });
    const { id } = await store.product({ name: 'Drill' });
    const path = `/api/products/${id}/attachments`;
    await admin.on(`/products/${id}?tab=attachments`, async ({ page, writes }) => {
      await page.getByText('No files yet.').waitFor();
      const dialog = page.getByRole('dialog');
      const upload = async (name: string, text: string, act?: () => Promise<void>) => {
        await page.getByRole('button', { name: 'Add file' }).press('Enter');
        await dialog
          .locator('input[type=file]')
          .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
        await act?.();
        await dialog.getByRole('button', { name: 'Save' }).click();
      };
      await upload('manual.txt', 'Read me first.', async () => {
        assert.equal(await dialog.getByRole('textbox', { name: 'Title' }).inputValue(), 'manual');
        await dialog.getByRole('textbox', { name: 'Title' }).fill('Manual');
      });
      await page.getByRole('button', { name: 'Edit: Manual' }).waitFor();
      await upload('prices.csv', 'sku,price', async () => {
        await dialog.getByRole('combobox', { name: 'Who may download it' }).click();
        await page.getByRole('option', { name: 'Members of “Dealers”' }).click();
      });
      await page.getByText('Members of “Dealers”').waitFor();
      await upload('page.html', '<h1>', async () => void (await dialog.getByText('page.html').waitFor()));
      await dialog.locator('.Mui-error').first().waitFor();
      assert.equal((await list(path)).length, 2);
      await page.keyboard.press('Escape');
      await saved(page, () => page.getByRole('button', { name: 'Move “prices” up' }).click());
      for (const [name, text] of [
        ['manual.txt', 'Read me first.'],
        ['prices.csv', 'sku,price'],
      ] as const) {
        const [file] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('link', { name: `Download ${name}` }).click(),
        ]);
        assert.deepEqual([file.suggestedFilename(), await readFile((await file.path())!, 'utf8')], [name, text]);
      }
      await page.getByRole('button', { name: 'Edit: Manual' }).click();
      await dialog.getByRole('textbox', { name: 'Description' }).fill('Safety first');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Safety first').waitFor();
      const change = writes.findLast(({ method }) => method === 'PATCH')!;
      assert.deepEqual(change.body, { description: 'Safety first' });
      assert.ok(change.ifMatch);
      await page.getByRole('button', { name: 'Edit: Manual' }).click();
      const german = await openLanguage(dialog, 'Deutsch');
      await german.getByRole('textbox', { name: 'Title' }).fill('Anleitung');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
      const { id: manual } = (await list(path))[1]!;
      assert.equal((await store.get(`${path}/${manual}/translations`)).json.de.title, 'Anleitung');
    });
    assert.deepEqual(
      (await list(path)).map(({ title, description, access }) => [title, description, access]),
      [
        ['prices', '', `${membership}`],
        ['Manual', 'Safety first', 'A'],
      ],
    );
    await admin.on(`/products/${id}?tab=attachments`, async ({ page }) => {
      await page.getByRole('button', { name: 'Delete: prices' }).click();
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page.getByRole('button', { name: 'Delete: prices' }).waitFor({ state: 'detached' });
    });
    assert.deepEqual(
      (await list(path)).map(({ title }) => title),
      ['Manual'],
    );
  });

  test('a change of an attachment that someone else changed meanwhile shows both versions', { skip }, async () => {
    const { id } = await store.product();
    const path = `/api/products/${id}/attachments`;
    const { id: file } = await store.made(path, attachedFile('a.txt', Buffer.from('A'), { title: 'Mine' }));
    await admin.on(`/products/${id}?tab=attachments`, async ({ page }) => {
      await page.getByRole('button', { name: 'Edit: Mine' }).click();
      await page.getByRole('textbox', { name: 'Title' }).fill('New');
      await store.patch(`${path}/${file}`, { title: 'Theirs' });
      await page.getByRole('button', { name: 'Save' }).click();
      const conflict = page.getByRole('dialog', { name: 'Someone else changed this in the meantime' });
      await conflict.getByText('Theirs').waitFor();
    });
    assert.equal((await store.get(`${path}/${file}`)).json.title, 'Theirs');
  });

  test('reviews are filtered, approved, replied to and deleted', { skip }, async () => {
    const { id } = await store.product({ name: 'Kettle' });
    const path = `/api/products/${id}/reviews`;
    const review = (reviewer_name: string, status: number) =>
      store.made(path, { rating: 4, reviewer_name, review: `From ${reviewer_name}`, status });
    const [pending, approved] = [await review('Ada', 0), await review('Grace', 1)];
    await admin.on('/', async ({ page, writes }) => {
      const entry = page.getByRole('menuitem', { name: 'Reviews' });
      await tabTo(page, entry);
      await page.keyboard.press('Enter');
      await page.getByText('From Grace').waitFor();
      await page.getByRole('button', { name: 'Pending', exact: true }).click();
      await page.getByText('From Grace').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Reply: Ada' }).click();
      const dialog = page.getByRole('dialog', { name: 'Reply to Ada' });
      await dialog.getByRole('textbox', { name: 'Reply' }).fill('Thank you.\nCome again.');
      await assertClean(page);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Come again.').waitFor();
      assert.ok(writes.at(-1)!.ifMatch);
      await page.getByRole('button', { name: 'Approve: Ada' }).press('Enter');
      await page.getByText('From Ada').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Approved', exact: true }).click();
      await page.getByText('From Ada').waitFor();
      await page.getByRole('button', { name: 'Withdraw approval: Grace' }).click();
      await page.getByText('From Grace').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'All', exact: true }).click();
      await page.getByRole('button', { name: 'Edit reply: Ada' }).click();
      await dialog.getByRole('textbox', { name: 'Reply' }).fill('');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Come again.').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Delete: Grace' }).click();
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page.getByText('From Grace').waitFor({ state: 'detached' });
    });
    const left = (await store.get(`${path}/${pending.id}`)).json;
    assert.deepEqual([left.status, left.response], [1, null]);
    assert.equal((await store.get(`${path}/${approved.id}`)).status, 404);
  });

  test('related products are added, sorted and removed, and the form of the product stays current', {
    skip,
  }, async () => {
    const { id } = await store.product({ name: 'Lamp' });
    for (const name of ['Bulb', 'Socket', 'Shade']) await store.product({ name });
    const path = `/api/products/${id}/related_products`;
    await admin.on(`/products/${id}?tab=related`, async ({ page }) => {
      for (const name of ['Bulb', 'Socket', 'Shade']) await addProduct(page, 'Add related product', name);
      const search = page.getByRole('combobox', { name: 'Add related product' });
      await search.fill('Lamp');
      await page.getByText('No results.').waitFor();
      await search.fill('');
      await page.getByRole('button', { name: 'Move “Shade” up' }).click();
      await settled(page);
      await page.getByRole('button', { name: 'Remove: Bulb' }).click();
      await page.getByRole('button', { name: 'Remove: Bulb' }).waitFor({ state: 'detached' });
      await page.getByRole('tab', { name: 'Basics' }).click();
      await page.getByRole('textbox', { name: 'Width' }).fill('12.5');
      await page.getByRole('textbox', { name: 'Length' }).fill('30');
      await page.getByRole('textbox', { name: 'Height' }).fill('-1');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByRole('textbox', { name: 'Height' }).and(page.locator('[aria-invalid=true]')).waitFor();
      await page.getByRole('textbox', { name: 'Height' }).fill('8');
      await page.getByLabel('Ships in a box of its own').press('Space');
      await saved(page, () => page.getByRole('button', { name: 'Save changes' }).click());
    });
    assert.deepEqual(await namesOf(path), ['Shade', 'Socket']);
    const { width, length, height, separate_box } = (await store.get(`/api/products/${id}`)).json;
    assert.deepEqual([width, length, height, separate_box], [12.5, 30, 8, true]);
  });

  test('product tabs are created with formatted text, changed and deleted', { skip }, async () => {
    const tabs = () => list('/api/custom_product_tabs');
    await admin.on('/settings/product_tabs', async ({ page, writes }) => {
      await page.getByText('No tabs yet.').waitFor();
      const dialog = page.getByRole('dialog');
      await page.getByRole('button', { name: 'New tab' }).press('Enter');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('Fill in this field.').first().waitFor();
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Delivery');
      await dialog.getByRole('textbox', { name: 'Content' }).click();
      await page.keyboard.type('Within two days');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: 'Edit: Delivery' }).click();
      await dialog.getByRole('textbox', { name: 'Short text' }).fill('Fast');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Fast').waitFor();
      const change = writes.at(-1)!;
      assert.deepEqual(change.body, { brief_info: 'Fast' });
      assert.ok(change.ifMatch);
      const textsOf = async () =>
        (await store.get(`/api/custom_product_tabs/${(await tabs())[0]!.id}/translations`)).json;
      for (const [typed, stored] of [
        ['Versand', 'Versand'],
        ['', undefined],
      ] as const) {
        await page.getByRole('button', { name: 'Edit: Delivery' }).click();
        const name = (await openLanguage(dialog, 'Deutsch')).getByRole('textbox', { name: 'Name' });
        await name.fill(typed === '' ? 'x'.repeat(256) : typed);
        await dialog.getByRole('button', { name: 'Save' }).click();
        if (typed === '') {
          // A rejected translation is shown at its field, and the next attempt is no conflict.
          await dialog.locator('[aria-invalid=true]').waitFor();
          await name.fill('');
          await dialog.getByRole('button', { name: 'Save' }).click();
        }
        await dialog.waitFor({ state: 'detached' });
        assert.equal((await textsOf()).de?.name, stored);
      }
    });
    const [tab, ...others] = await tabs();
    assert.deepEqual(others, []);
    assert.deepEqual([tab!.name, tab!.brief_info, tab!.content], ['Delivery', 'Fast', '<p>Within two days</p>']);
    await admin.on('/settings/product_tabs', async ({ page }) => {
      await page.getByRole('button', { name: 'Delete: Delivery' }).click();
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page.getByText('No tabs yet.').waitFor();
    });
    assert.deepEqual(await tabs(), []);
  });

  test('the front page and a category feature products in an order of their own', { skip }, async () => {
    for (const name of ['Atlas', 'Globe']) await store.product({ name });
    const { id } = await store.made('/api/categories', { name: 'Maps' });
    await admin.on('/front-page', async ({ page }) => {
      for (const name of ['Atlas', 'Globe']) await addProduct(page, 'Feature a product', name);
      await saved(page, () => page.getByRole('button', { name: 'Move “Globe” up' }).click());
    });
    assert.deepEqual(await namesOf('/api/front_page/featured'), ['Globe', 'Atlas']);
    await admin.on(`/categories/${id}`, async ({ page, writes }) => {
      // The entries are part of the category: the form follows its version and keeps what was typed.
      await page.getByRole('textbox', { name: 'Columns in the menu' }).fill('3');
      for (const name of ['Atlas', 'Globe']) await addProduct(page, 'Feature a product', name);
      await page.getByRole('button', { name: 'Remove: Atlas' }).click();
      await page.getByRole('button', { name: 'Remove: Atlas' }).waitFor({ state: 'detached' });
      await settled(page);
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByText('No changes', { exact: true }).waitFor();
      assert.deepEqual(writes.at(-1)!.body, { flyout_columns: 3 });
    });
    assert.deepEqual(await namesOf(`/api/categories/${id}/featured`), ['Globe']);
    assert.equal((await store.get(`/api/categories/${id}`)).json.flyout_columns, 3);
  });

  test('former addresses of products and categories are listed and removed', { skip }, async () => {
    const { id } = await store.product({ clean_url: 'first-lamp' });
    const { id: category } = await store.made('/api/categories', { name: 'Light', clean_url: 'first-light' });
    await admin.on(`/products/${id}`, async ({ page, go }) => {
      for (const [hash, before] of [
        [`/products/${id}`, 'first-lamp'],
        [`/categories/${category}`, 'first-light'],
      ] as const) {
        await go(hash);
        assert.equal(await page.getByRole('heading', { name: 'Former page addresses' }).count(), 0);
        await page.getByRole('textbox', { name: 'Page address (URL)' }).fill(`${before}-now`);
        await page.getByRole('button', { name: 'Save changes' }).click();
        const former = page.getByRole('region', { name: 'Former page addresses' });
        await former.getByText(before, { exact: true }).waitFor();
        await assertClean(page);
        await former.getByRole('button', { name: `Remove: ${before}` }).press('Enter');
        await former.waitFor({ state: 'detached' });
      }
    });
    for (const path of [`/api/products/${id}`, `/api/categories/${category}`])
      assert.deepEqual(await list(`${path}/old_urls`), []);
  });

  test('a read-only key sees these screens without buttons that change them', { skip }, async () => {
    const product = await store.product({ name: 'Watch' });
    const { id } = product;
    await store.made(
      `/api/products/${id}/attachments`,
      attachedFile('a.txt', Buffer.from('Watch'), { title: 'Guide' }),
    );
    await store.made(`/api/products/${id}/reviews`, { rating: 1, reviewer_name: 'Edsger', review: 'Late' });
    const other = await store.product({ name: 'Strap' });
    await store.made(`/api/products/${id}/related_products`, { product_id: other.id });
    const shows: Readonly<Record<string, string>> = {
      [`/products/${id}?tab=attachments`]: 'Guide',
      [`/products/${id}?tab=related`]: 'Strap',
      '/reviews': 'Late',
    };
    await admin.on(
      '/',
      async ({ page, go }) => {
        for (const [hash, text] of Object.entries(shows)) {
          await go(hash);
          await page.getByText(text, { exact: true }).waitFor();
          for (const name of [/^Add (file|related)/, /^Edit/, /^Delete/, /^Remove/, /^Move/, /^Reply/, /^Withdraw/])
            assert.equal(await page.getByRole('button', { name }).count(), 0, `${hash}: ${name}`);
        }
      },
      { key: READ_ONLY_KEY },
    );
  });
});
