/**
 * The admin page as a whole: sessions, languages, the size of the first page, and every screen in each width and color scheme.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import {
  accessibilityProblems,
  onAdminPage,
  overflow,
  PIXEL,
  SCHEMES,
  settled,
  skip,
  WIDTHS,
} from './support/admin-page.ts';
import { READ_ONLY_KEY, READ_WRITE_KEY } from './support/store.ts';

const DIST = fileURLToPath(new URL('../admin/dist/', import.meta.url));
/** All files that the product list loads, compressed. */
const FIRST_PAGE_BYTES_MAX = 550 * 1024;

onAdminPage('the admin page', {}, (admin) => {
  const { store } = admin;

  test('a wrong key shows an error, a valid key starts a session, and logging out ends it', { skip }, async () => {
    const { page, context, close } = await admin.open({ key: null });
    await page.goto(`${store.address}/admin`);
    const field = page.getByLabel('API key');
    await field.fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await field.fill(READ_WRITE_KEY);
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Main menu' }).waitFor();
    const storage = await page.evaluate(() =>
      JSON.stringify({ ...localStorage, ...sessionStorage, cookie: document.cookie }),
    );
    assert.ok(!storage.includes(READ_WRITE_KEY) && !storage.includes('pv_se_'), storage);
    const [cookie] = await context.cookies();
    assert.deepEqual([cookie?.httpOnly, cookie?.sameSite], [true, 'Strict']);
    await page.getByRole('button', { name: 'read/write' }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await field.waitFor();
    assert.equal((await context.request.get(`${store.address}/api/products`)).status(), 401);
    await close();
  });

  test('revoking the key of a session leads back to the login page', { skip }, async () => {
    const { id, key } = await store.made('/api/keys', { name: 'Short', kind: 'read-write' });
    await admin.on(
      '/products',
      async ({ page }) => {
        await store.delete(`/api/keys/${id}`);
        await page.getByRole('menuitem', { name: 'Orders' }).click();
        await page.getByLabel('API key').waitFor();
      },
      { key },
    );
  });

  test('a read-only key sees a notice and no buttons that change anything', { skip }, async () => {
    const { id } = await store.product({ name: 'Looked at' });
    await admin.on(
      `/products/${id}`,
      async ({ page, go }) => {
        await page.getByText('You are signed in with a read-only key').waitFor();
        assert.equal(await page.getByRole('button', { name: 'Save changes' }).count(), 0);
        await go('/settings');
        await page.getByText('Sign in with a read/write key to see API keys.').waitFor();
      },
      { key: READ_ONLY_KEY },
    );
  });

  for (const [locale, word] of [
    ['de-AT', 'Bestellungen'],
    ['fr-CA', 'Commandes'],
    ['es-MX', 'Pedidos'],
    ['pl-PL', 'Orders'],
  ] as const)
    test(`a browser with the language ${locale} sees the page in ${locale === 'pl-PL' ? 'English' : 'its language'}`, {
      skip,
    }, async () => {
      await admin.on(
        '/orders',
        async ({ page }) => {
          await page.getByRole('menuitem', { name: word }).waitFor();
          assert.equal(
            await page.evaluate(() => document.documentElement.lang),
            locale === 'pl-PL' ? 'en' : locale.slice(0, 2),
          );
          const untranslated = await page
            .getByText(/^(ra|field|menu|orders|button|state)\.[a-z.]+$/i)
            .allTextContents();
          assert.deepEqual(untranslated, []);
        },
        { locale },
      );
    });

  test(`the first page loads at most ${FIRST_PAGE_BYTES_MAX / 1024} KiB of compressed files`, { skip }, async () => {
    const loaded = new Set<string>();
    const { page, go, close } = await admin.open();
    page.on('response', (response) => loaded.add(new URL(response.url()).pathname));
    await go('/products');
    const files = [...loaded].filter((path) => path.startsWith('/admin/assets/'));
    const bytes = files.reduce(
      (sum, path) => sum + gzipSync(readFileSync(join(DIST, path.slice('/admin/'.length)))).length,
      0,
    );
    assert.ok(files.length > 1 && bytes <= FIRST_PAGE_BYTES_MAX, `${bytes} bytes in ${files.length} files`);
    await close();
  });

  test('every screen passes axe-core and fits the window, in every width and color scheme', {
    skip,
  }, async (context) => {
    const product = await store.product({
      name: 'Linen shirt',
      price: 59,
      tags: ['Summer'],
      images: [{ attachment: PIXEL, filename: 'a.png', alt: 'A shirt' }],
    });
    const off = await store.product({
      name: 'A product with a long name that has to be broken somewhere',
      enabled: false,
    });
    const size = await store.made('/api/attributes_select', { name: 'Size' });
    for (const value of ['S', 'M']) {
      const option = await store.made(`/api/attributes_select/${size.id}/options`, { value });
      const { id } = await store.made(`/api/products/${product.id}/attributes_select/${size.id}/values`, {
        option_id: option.id,
      });
      await store.made(`/api/products/${product.id}/variants`, { attribute_select_values: [id] });
    }
    const category = await store.made('/api/categories', { name: 'Clothes' });
    await store.post(`/api/categories/${category.id}/products`, { product_id: product.id });
    const membership = await store.made('/api/memberships', { name: 'Wholesale' });
    const order = await store.made('/api/orders', {
      ...{ email: 'ada@example.com', items: [{ product_id: off.id, amount: 1 }], notes: 'Please ring twice' },
      surcharges: [{ type: 'shipping', value: 4.9 }],
    });
    await store.made(`/api/orders/${order.id}/payment_transactions`, { type: 'sale', status: 'S', value: 10 });
    await store.made(`/api/orders/${order.id}/invoices`, {});
    const customer = await store.made('/api/profiles', {
      login: 'ada@example.com',
      pending_membership_id: membership.id,
    });
    const lives = { firstname: 'Ada', lastname: 'Lovelace', street: '12 St James Square', city: 'London' };
    await store.made(`/api/profiles/${customer.id}/addresses`, { ...lives, country_code: 'GB', is_shipping: true });
    await store.made('/api/orders', {
      ...{ email: 'ada@example.com', customer_id: customer.id, items: [{ product_id: off.id, amount: 1 }] },
    });
    await store.made('/api/keys', { name: 'Warehouse', kind: 'read-only' });
    await store.made('/api/webhooks', { url: 'https://example.com/hook', events: ['*'], enabled: false });
    const screens: Readonly<Record<string, string>> = {
      home: '/',
      products: '/products',
      'new-product': '/products/create',
      ...Object.fromEntries(
        ['basics', 'texts', 'images', 'categories', 'attributes', 'variants', 'stock', 'history'].map((tab) => [
          `product-${tab}`,
          `/products/${product.id}?tab=${tab}`,
        ]),
      ),
      orders: '/orders',
      order: `/orders/${order.id}/show`,
      customers: '/profiles',
      'new-customer': '/profiles/create',
      customer: `/profiles/${customer.id}`,
      guests: '/guests?email=ada@example.com',
      categories: `/categories/${category.id}`,
      ...Object.fromEntries(
        ['keys', 'store', 'webhooks', 'languages', 'attributes', 'tax_classes', 'memberships', 'statuses'].map(
          (part) => [`settings-${part}`, `/settings/${part}`],
        ),
      ),
    };
    const problems: string[] = [];
    for (const width of WIDTHS)
      for (const scheme of SCHEMES) {
        const { page, go, close } = await admin.open({ width, scheme });
        for (const [name, hash] of Object.entries(screens)) {
          await go(hash);
          await admin.screenshot(page, `${name}-${width}-${scheme}`);
          const where = `${name} at ${width}, ${scheme}`;
          problems.push(...(await accessibilityProblems(page)).map((problem) => `${where}: ${problem}`));
          if ((await overflow(page)) > 0) problems.push(`${where} is ${await overflow(page)} pixels too wide`);
        }
        await settled(page);
        await close();
      }
    for (const problem of problems) context.diagnostic(problem);
    assert.deepEqual(problems, []);
  });

  test('on a phone the title is not truncated, and the menus keep their accessible names', { skip }, async () => {
    const { page, go, close } = await admin.open({ width: 390 });
    for (const path of ['/', '/products', '/orders', '/profiles', '/categories', '/transfer', '/settings']) {
      await go(path);
      const title = page.locator('h1');
      await title.getByText(/\S/).first().waitFor();
      const [needed, given] = await title.evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth]);
      assert.ok(needed! <= given!, `${await title.innerText()} needs ${needed} pixels and has ${given}`);
    }
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('menuitem', { name: 'Deutsch' }).click();
    await page.getByRole('button', { name: 'Deutsch' }).waitFor();
    await close();
  });

  test('the login page passes axe-core', { skip }, async () => {
    const { page, close } = await admin.open({ key: null, width: 390, scheme: 'dark' });
    await page.goto(`${store.address}/admin`);
    await page.getByLabel('API key').waitFor();
    await admin.screenshot(page, 'sign-in');
    assert.deepEqual(await accessibilityProblems(page), []);
    await close();
  });
});
