/** Products on the admin page: the list, editing in its rows, bulk actions, and the page of one product. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import {
  accessibilityProblems,
  changing,
  OTHER_PIXEL,
  onAdminPage,
  PIXEL,
  saved,
  settled,
  skip,
  tabTo,
} from './support/admin-page.ts';

onAdminPage('products on the admin page', {}, (admin) => {
  const { store } = admin;
  const read = async (id: number) => (await store.get(`/api/products/${id}`)).json;

  test('the list searches products and exports the results as CSV', { skip }, async () => {
    await store.product({ name: 'Blue linen shirt', sku: 'FIND-1', price: 12.5 });
    await store.product({ name: 'Red linen shirt', sku: 'FIND-2', enabled: false });
    await store.product({ name: '=Wool socks', sku: 'FIND-3' });
    await admin.on('/products', async ({ page }) => {
      await page.getByRole('searchbox', { name: 'Search' }).fill('linen shirt');
      await page.getByRole('link', { name: '=Wool socks' }).waitFor({ state: 'detached' });
      assert.equal(await page.locator('tbody tr').count(), 2);
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export as CSV' }).click(),
      ]);
      const text = await readFile((await file.path())!, 'utf8');
      assert.deepEqual(text.match(/FIND-\d/g), ['FIND-1', 'FIND-2']);
      assert.match(text, /^\uFEFFsku,/);
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('switch', { name: 'ID', exact: true }).click();
      await page.keyboard.press('Escape');
      await page.getByRole('columnheader', { name: /sort by id/i }).waitFor();
      await page.getByRole('button', { name: 'Sort by SKU ascending' }).waitFor();
      await page.getByRole('button', { name: 'Sort by price ascending' }).click();
      await settled(page);
      await page.getByRole('searchbox', { name: 'Search' }).fill('no such thing');
      await page.getByText('No results.').waitFor();
      // The menu opens the list without the filter, in the same order.
      await page.getByRole('menuitem', { name: 'Home' }).click();
      await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
      await page.getByRole('menuitem', { name: 'Products' }).click();
      await page.getByRole('link', { name: '=Wool socks' }).waitFor();
      await page.getByRole('button', { name: 'Sort by price descending' }).waitFor();
      await page.getByRole('button', { name: 'Disabled', exact: true }).click();
      await page.getByRole('link', { name: '=Wool socks' }).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.getByRole('link', { name: '=Wool socks' }).waitFor();
      // Menus are set off from the page by an edge and a shadow.
      await page.getByRole('button', { name: 'Add filter' }).click();
      const edge = await page
        .getByRole('menu')
        .locator('..')
        .evaluate((menu) => {
          const { borderTopWidth, boxShadow } = getComputedStyle(menu);
          return [borderTopWidth, boxShadow !== 'none'];
        });
      assert.deepEqual(edge, ['1px', true]);
    });
  });

  describe('editing in a row of the product list', () => {
    test('editing price, stock and enabled in a row changes no other field', { skip }, async () => {
      const { id, name } = await store.product({ price: 10, amount: 5, enabled: false, name: 'Row' });
      const before = await read(id);
      await admin.on('/products', async ({ page, writes }) => {
        const price = page.getByRole('textbox', { name: `Price of ${name}`, exact: true });
        await price.fill('12,345');
        await saved(page, () => price.press('Enter'));
        await page.getByRole('textbox', { name: `Stock of ${name}`, exact: true }).fill('7');
        await changing(page, () => page.keyboard.press('Tab'));
        await changing(page, () => page.getByRole('switch', { name: `Enable ${name}`, exact: true }).click());
        assert.deepEqual(
          writes.map(({ path, body }) => [path, body]),
          [{ price: 12.345 }, { amount: 7 }, { enabled: true }].map((body) => [`/api/products/${id}`, body]),
        );
        assert.ok(writes.every(({ ifMatch }) => ifMatch));
      });
      const after = await read(id);
      assert.deepEqual(after, { ...before, price: 12.345, amount: 7, enabled: true, update_date: after.update_date });
    });

    test('a rejected number in a row shows an error, and Esc restores the old number', { skip }, async () => {
      const { id } = await store.product({ price: 10, name: 'Refused' });
      await admin.on('/products', async ({ page }) => {
        const price = page.getByRole('textbox', { name: 'Price of Refused', exact: true });
        await price.fill('-1');
        await price.press('Enter');
        await page.getByRole('tooltip').getByText('either positive or zero').waitFor();
        await price.press('Escape');
        assert.equal(await price.inputValue(), '10.00');
      });
      assert.equal((await read(id)).price, 10);
    });

    test('a number in a row that someone else has changed is not overwritten', { skip }, async () => {
      const { id } = await store.product({ price: 10, name: 'Raced' });
      await admin.on('/products', async ({ page }) => {
        await page.getByRole('link', { name: 'Raced' }).waitFor();
        await store.patch(`/api/products/${id}`, { price: 11 });
        const price = page.getByRole('textbox', { name: 'Price of Raced', exact: true });
        await price.fill('12');
        await price.press('Enter');
        await page.getByText('Someone else changed “Price” from 10 to 11.').waitFor();
      });
      assert.equal((await read(id)).price, 11);
    });
  });

  test('a bulk change is previewed and undone, but not for products that were changed meanwhile', {
    skip,
  }, async () => {
    const { id: one } = await store.product({ name: 'Bulk one', tags: ['Old'] });
    const { id: two } = await store.product({ name: 'Bulk two' });
    const tags = async (id: number) => (await read(id)).tags.map(({ name }: { name: string }) => name).sort();
    await admin.on('/products', async ({ page }) => {
      await page.getByRole('searchbox', { name: 'Search' }).fill('Bulk');
      await page.getByText('1-2 of 2').waitFor();
      await page.getByRole('checkbox', { name: 'Select all' }).check();
      await page.getByRole('button', { name: 'Edit selected' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('combobox', { name: 'What' }).click();
      await page.getByRole('option', { name: 'Add tags' }).click();
      await dialog.getByRole('combobox', { name: 'Tags' }).fill('New');
      await page.keyboard.press('Enter');
      await dialog.getByRole('button', { name: 'Preview' }).click();
      await dialog.getByText('Changes 2 products').waitFor();
      assert.deepEqual([await tags(one), await tags(two)], [['Old'], []]);
      assert.deepEqual(await accessibilityProblems(page), []);
      await dialog.getByRole('button', { name: 'Apply' }).click();
      await page.getByText('2 products were changed.').waitFor();
      assert.deepEqual([await tags(one), await tags(two)], [['New', 'Old'], ['New']]);
      await store.patch(`/api/products/${two}`, { price: 3 });
      // The offer survives a reload, and is only on the screen of the change.
      await page.reload();
      await page.getByRole('menuitem', { name: 'Orders' }).click();
      await page.getByText('No orders yet.').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0);
      await page.getByRole('menuitem', { name: 'Products' }).click();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('except for 1 record that was changed in the meantime: Bulk two').waitFor();
      assert.deepEqual([await tags(one), await tags(two)], [['Old'], ['New']]);
    });
  });

  test('several products are put into a category, and deleted after a question', { skip }, async () => {
    const { id: category } = await store.made('/api/categories', { name: 'Bulk category' });
    const { id } = await store.product({ name: 'Mass one' });
    await store.product({ name: 'Mass two' });
    const links = async () => (await store.get(`/api/categories/${category}/products`)).json.length;
    await admin.on('/products', async ({ page }) => {
      await page.getByRole('searchbox', { name: 'Search' }).fill('Mass');
      await page.getByText('1-2 of 2').waitFor();
      await page.getByRole('checkbox', { name: 'Select all' }).check();
      await page.getByRole('button', { name: 'Categories' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('combobox', { name: 'Category' }).fill('Bulk');
      await page.getByRole('option', { name: 'Bulk category' }).click();
      await dialog.getByRole('button', { name: 'Apply to 2 products' }).click();
      await page.getByText('2 products were added to “Bulk category”.').waitFor();
      assert.equal(await links(), 2);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Undone for 2 records.').waitFor();
      assert.equal(await links(), 0);
      await page.getByRole('checkbox', { name: 'Select all' }).check();
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await dialog.getByText('2 products are deleted').waitFor();
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await page.getByText('2 products were deleted.').waitFor();
    });
    assert.equal((await store.get(`/api/products/${id}`)).status, 404);
  });

  test('creating a product shows errors below their fields', { skip }, async () => {
    await store.product({ sku: 'TAKEN' });
    await admin.on('/products/create', async ({ page }) => {
      await page.getByRole('textbox', { name: 'Name' }).fill('Made here');
      await page.getByRole('textbox', { name: 'SKU' }).fill('TAKEN');
      // Focus selects the zero, so that typing replaces it.
      await page.getByRole('textbox', { name: 'Price' }).click();
      await page.keyboard.type('9.95');
      await page.getByRole('button', { name: 'Create product' }).click();
      await page.getByText('This value is already in use. Choose another.').waitFor();
      await page.getByRole('textbox', { name: 'SKU' }).fill('FREE');
      await page.getByRole('button', { name: 'Create product' }).click();
      await page.getByRole('tab', { name: 'Basics' }).waitFor();
      const [created] = (await store.get('/api/products?sku=FREE')).json;
      assert.deepEqual([created.name, created.price, created.enabled], ['Made here', 9.95, true]);
    });
  });
});

onAdminPage('one product on the admin page', {}, (admin) => {
  const { store } = admin;
  const read = async (id: number) => (await store.get(`/api/products/${id}`)).json;

  test('saving a product sends only the changed fields', { skip }, async () => {
    await store.made('/api/tax_classes', { name: 'Reduced' });
    const { id } = await store.product({
      name: 'Shirt',
      price: 10,
      description: '<p>Soft </p>\n',
      weight: 0.25,
      tags: ['A'],
    });
    const before = await read(id);
    await admin.on(`/products/${id}`, async ({ page, writes }) => {
      await page.getByRole('textbox', { name: 'Name' }).fill('Blue shirt');
      await page.getByRole('textbox', { name: 'Price', exact: true }).fill('11.5');
      await page.getByRole('combobox', { name: 'Tax class' }).click();
      await page.getByRole('option', { name: 'Reduced' }).click();
      await page.getByRole('combobox', { name: 'Tags' }).fill('B');
      await page.keyboard.press('Enter');
      await saved(page, () => page.getByRole('button', { name: 'Save changes' }).click());
      assert.equal(writes.length, 1);
      assert.deepEqual(writes[0]!.body, { name: 'Blue shirt', price: 11.5, tags: ['A', 'B'], tax_class: 'Reduced' });
      assert.match(writes[0]!.ifMatch!, /^"\d+-/);
      await page.getByText('No changes').waitFor();
    });
    const { update_date, og_meta_tags, tags, tax_class, ...rest } = await read(id);
    assert.ok(update_date && og_meta_tags && tags.length === 2 && tax_class.name === 'Reduced');
    for (const [name, value] of Object.entries(rest))
      assert.deepEqual(value, { ...before, name: 'Blue shirt', price: 11.5 }[name], name);
  });

  test('texts in other languages are saved separately from those in the default language', { skip }, async () => {
    const { id } = await store.product({ name: 'Shirt', brief_description: 'Soft' });
    await admin.on(`/products/${id}?tab=texts`, async ({ page, writes }) => {
      const german = page.getByRole('region', { name: 'Deutsch' });
      const name = german.getByRole('textbox', { name: 'Name' });
      assert.equal(await name.getAttribute('placeholder'), 'Shirt');
      await name.fill('Hemd');
      await saved(page, () => page.getByRole('button', { name: 'Save changes' }).click());
      assert.deepEqual(
        writes.map(({ body }) => body),
        [{}, { name: 'Hemd' }],
      );
      await german.getByRole('button', { name: 'Remove translation' }).waitFor();
    });
    const texts = (await store.get(`/api/products/${id}/translations`)).json;
    assert.deepEqual([texts.en.name, texts.de.name, texts.fr], ['Shirt', 'Hemd', undefined]);
  });

  test('an error of a field opens the tab of that field', { skip }, async () => {
    await store.product({ sku: 'HAS-IT' });
    const { id, sku } = await store.product();
    await admin.on(`/products/${id}`, async ({ page }) => {
      await page.getByRole('textbox', { name: 'SKU' }).fill('HAS-IT');
      await page.getByRole('tab', { name: 'Texts' }).click();
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByText('This value is already in use. Choose another.').waitFor();
      const field = page.getByRole('textbox', { name: 'SKU' });
      assert.equal(await field.getAttribute('aria-invalid'), 'true');
      await field.fill('FREE-NOW');
      await saved(page, () => page.getByRole('button', { name: 'Save changes' }).click());
    });
    assert.notEqual((await read(id)).sku, sku);
  });

  test('concurrent changes of a product are resolved field by field', { skip }, async () => {
    const { id } = await store.product({ name: 'Shirt', price: 10, weight: 1 });
    await admin.on(`/products/${id}`, async ({ page }) => {
      await page.getByRole('textbox', { name: 'Name' }).fill('Mine');
      await page.getByRole('textbox', { name: 'Price', exact: true }).fill('12');
      await store.patch(`/api/products/${id}`, { name: 'Theirs', price: 11, weight: 2 });
      await page.getByRole('button', { name: 'Save changes' }).click();
      const dialog = page.getByRole('dialog', { name: 'Someone else changed this in the meantime' });
      await admin.screenshot(page, 'conflict');
      await dialog.getByRole('group', { name: 'Name' }).getByRole('radio', { name: 'Your value: Mine' }).check();
      await saved(page, () => dialog.getByRole('button', { name: 'Save selected values' }).click());
    });
    const { name, price, weight } = await read(id);
    assert.deepEqual([name, price, weight], ['Mine', 11, 2]);
  });

  test('images are added, described, sorted with one request and deleted', { skip }, async () => {
    const { id } = await store.product({ name: 'With images' });
    const files = [PIXEL, OTHER_PIXEL, PIXEL].map((base64, at) => ({
      ...{ name: `image-${at}.png`, mimeType: 'image/png', buffer: Buffer.from(base64, 'base64') },
    }));
    await admin.on(`/products/${id}?tab=images`, async ({ page, writes }) => {
      await page.locator('input[type=file]').setInputFiles(files);
      const texts = page.getByRole('textbox', { name: 'Alternative text' });
      await texts.nth(2).waitFor();
      for (const [at, alt] of ['First', 'Second', 'Third'].entries()) {
        await texts.nth(at).fill(alt);
        await texts.nth(at).press('Enter');
        await page.getByRole('img', { name: alt }).waitFor();
      }
      writes.length = 0;
      const images = page.getByRole('listitem').filter({ has: texts });
      await images.nth(0).getByText('Main image').waitFor();
      await images.nth(2).getByText('3 of 3').waitFor();
      await saved(page, () => page.getByRole('button', { name: 'Move “Third” forward' }).click());
      assert.equal(writes.length, 1);
      await images
        .filter({ has: page.getByRole('img', { name: 'Third' }) })
        .getByText('2 of 3')
        .waitFor();
      await page.getByRole('button', { name: 'Delete: First' }).click();
      await page.getByRole('img', { name: 'First' }).waitFor({ state: 'detached' });
      await images
        .filter({ has: page.getByRole('img', { name: 'Third' }) })
        .getByText('Main image')
        .waitFor();
      await page.getByRole('textbox', { name: 'Or an image URL' }).fill('http://127.0.0.1:1/none.png');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('alert').getByText('127.0.0.1:1/none.png').first().waitFor();
    });
    assert.deepEqual(
      (await read(id)).images.map(({ alt }: { alt: string }) => alt),
      ['Third', 'Second'],
    );
  });

  test('categories, attribute values, variants and stock are saved immediately', { skip }, async () => {
    const { id } = await store.product({ name: 'Parts', sku: 'PARTS', amount: 10, price: 5 });
    const clothes = await store.made('/api/categories', { name: 'Clothes' });
    await store.made('/api/categories', { name: 'Shirts', parent: clothes.id });
    const size = await store.made('/api/attributes_select', { name: 'Size' });
    for (const value of ['S', 'M']) await store.made(`/api/attributes_select/${size.id}/options`, { value });
    const material = await store.made('/api/attributes_text', { name: 'Material' });
    await admin.on(`/products/${id}?tab=categories`, async ({ page }) => {
      // This tab saves at once; the bar for saving returns with fields of the form.
      await page.getByText('Changes on this tab are saved at once.').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Save changes' }).count(), 0);
      await page.getByRole('combobox', { name: 'Add to a category' }).fill('Shir');
      await page.getByRole('option', { name: 'Clothes › Shirts' }).click();
      await page.getByText('Clothes › Shirts').first().waitFor();
      await page.getByRole('tab', { name: 'Attributes' }).click();
      await settled(page);
      for (const value of ['S', 'M']) {
        await page.getByRole('checkbox', { name: value, exact: true }).click();
        await page.getByRole('textbox', { name: `Price change: ${value}`, exact: true }).waitFor();
      }
      await page.getByRole('textbox', { name: 'Price change: M', exact: true }).fill('10');
      await changing(page, () => page.keyboard.press('Enter'));
      const value = page.getByRole('region', { name: 'Material' }).getByRole('textbox', { name: 'Value' });
      await value.fill('Linen');
      await Promise.all([
        page.waitForResponse((response) => response.url().endsWith(`/attributes_text/${material.id}/values`)),
        value.blur(),
      ]);
      await page.getByRole('tab', { name: 'Variants' }).click();
      await page.getByRole('button', { name: 'Make 2 variants' }).click();
      await page.getByRole('textbox', { name: 'SKU: S', exact: true }).waitFor();
      await page.getByText('2 variants.').waitFor();
      await page.getByText('Every combination has a variant.').waitFor();
      assert.equal(await page.getByRole('button', { name: /^Make \d/ }).count(), 0);
      await settled(page);
      // Cells copied from a spreadsheet: the price of both, and the stock of the second.
      const price = page.getByRole('textbox', { name: 'Price: S', exact: true });
      await price.evaluate((input) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', '7,5\t\n8\t3\n');
        input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      });
      await page.getByText('2 variants were changed.').waitFor();
      await settled(page);
      await price.focus();
      await page.keyboard.press('ArrowDown');
      await page.getByRole('textbox', { name: 'Price: M', exact: true }).and(page.locator(':focus')).waitFor();
      const order = await store.made('/api/orders', {
        email: 'ada@example.com',
        items: [{ sku: 'PARTS-M', amount: 1 }],
      });
      await page.getByRole('tab', { name: 'Stock' }).click();
      const stocks = page.getByRole('region', { name: 'Stock of the variants: 12' });
      await stocks.getByText('PARTS-M').waitFor();
      await page.getByRole('button', { name: 'Save changes' }).waitFor();
      assert.deepEqual(
        (await stocks.locator('tbody tr').allInnerTexts()).map((row) => row.split(/\s*[\t\n]\s*/)),
        [
          ['S', 'PARTS-S', '10 (of the product)'],
          ['M', 'PARTS-M', '2'],
        ],
      );
      await page.getByRole('cell', { name: order.order_number, exact: true }).waitFor();
      await page.getByRole('textbox', { name: 'Units, for example 12 or -3' }).fill('-4');
      await page.getByRole('button', { name: 'Remove 4: stock 10 → 6' }).click();
      await page.getByRole('textbox', { name: 'Stock', exact: true }).and(page.locator('[value="6"]')).waitFor();
    });
    assert.equal((await read(id)).amount, 6);
    assert.deepEqual(
      (await store.get(`/api/products/${id}/categories`)).json.map(({ name }: { name: string }) => name),
      ['Shirts'],
    );
    assert.equal((await store.get(`/api/products/${id}/attributes_text/${material.id}/values`)).json.value, 'Linen');
    const sizes = (await store.get(`/api/products/${id}/attributes_select/${size.id}/values`)).json;
    assert.deepEqual(
      sizes.map(({ price_modifier }: { price_modifier: number }) => price_modifier),
      [0, 10],
    );
    const variants = (await store.get(`/api/products/${id}/variants`)).json;
    assert.deepEqual(
      variants.map(({ sku, amount, default_amount }: { sku: string; amount: number; default_amount: boolean }) => [
        sku,
        amount,
        default_amount,
      ]),
      [
        ['PARTS-S', 6, true],
        ['PARTS-M', 2, false],
      ],
    );
  });

  test('a product is found, opened, edited and saved by keyboard', { skip }, async () => {
    const { id } = await store.product({ name: 'Keyboard', price: 1 });
    await admin.on('/products', async ({ page }) => {
      await tabTo(page, page.getByRole('link', { name: 'Keyboard' }));
      await page.keyboard.press('Enter');
      const price = page.getByRole('textbox', { name: 'Price', exact: true });
      await price.waitFor();
      await settled(page);
      await tabTo(page, price);
      await page.keyboard.press('Control+A');
      await page.keyboard.type('2.5');
      await tabTo(page, page.getByRole('button', { name: 'Save changes' }));
      await saved(page, () => page.keyboard.press('Enter'));
    });
    assert.equal((await read(id)).price, 2.5);
  });
});
