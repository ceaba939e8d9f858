/** The admin page as a whole: sessions, languages and its size. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { accessibilityProblems, onAdminPage, skip } from './support/admin-page.ts';
import { READ_ONLY_KEY, READ_WRITE_KEY } from './support/store.ts';

const DIST = fileURLToPath(new URL('../admin/dist/', import.meta.url));
/** All files that the product list loads, compressed. */
const FIRST_PAGE_BYTES_MAX = 550 * 1024;
/** All scripts of the page, compressed. */
const SCRIPT_BYTES_MAX = 1_000_000;

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

  test('a used sign-in link says so, and how to get a new one', { skip }, async () => {
    const { page, close } = await admin.open({ key: null });
    await page.goto(`${store.address}/admin#token=pv_si_used-or-expired`);
    await page.getByRole('alert').getByText('Run “purveyor admin link” on the server to get a new one.').waitFor();
    await page.getByLabel('API key').waitFor();
    await close();
  });

  test('an invited user chooses a password, and signs in with it later', { skip }, async () => {
    const user = await store.made('/api/users', { email: 'ada@example.com', name: 'Ada', role_ids: [3] });
    const headers = { 'x-auth-token': READ_WRITE_KEY };
    const invited = await fetch(`${store.address}/api/users/${user.id}/invite`, { method: 'POST', headers });
    const { url } = (await invited.json()) as { url: string };
    const { page, close } = await admin.open({ key: null });
    await page.goto(`${store.address}/admin${new URL(url).hash}`);
    const chosen = page.getByLabel('New password');
    await chosen.fill('password1234');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await admin.screenshot(page, 'new-password');
    await chosen.fill('seven grey cups');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Products' }).waitFor();
    assert.equal(await page.getByRole('menuitem', { name: 'Orders' }).count(), 0, 'a catalog editor sees no orders');
    await page.getByRole('button', { name: 'Ada' }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await page.getByLabel('E-mail address').fill('ada@example.com');
    const secret = page.getByLabel('Password or API key');
    await secret.fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('The e-mail address or the password is wrong').waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    await secret.fill('seven grey cups');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Ada' }).waitFor();
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
        await go('/settings/keys');
        await page.getByText('To see API keys, sign in with a read/write key').waitFor();
      },
      { key: READ_ONLY_KEY },
    );
  });

  test('records are found from every screen', { skip }, async () => {
    const { id } = await store.product({ name: 'Walnut shelf', sku: 'WS-1' });
    await store.made('/api/profiles', { login: 'walnut@example.com' });
    await admin.on('/settings/keys', async ({ page }) => {
      await page.keyboard.press('Control+k');
      const dialog = page.getByRole('dialog', { name: 'Search' });
      const field = dialog.getByRole('combobox');
      await field.fill('w');
      await dialog.getByText('at least two characters').waitFor();
      await field.fill('walnut');
      await page.getByRole('option', { name: 'walnut@example.com Customer' }).waitFor();
      await admin.screenshot(page, 'lookup');
      assert.deepEqual(await accessibilityProblems(page), []);
      await page.getByRole('option', { name: 'Walnut shelf Product' }).click();
      await page.waitForURL(`**/products/${id}`);
      await page.setViewportSize({ width: 390, height: 844 });
      await page.getByRole('button', { name: 'Search' }).click();
      await field.fill('nothing of this');
      await dialog.page().getByText('No results.').waitFor();
      await admin.screenshot(page, 'lookup-390');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    });
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
        async ({ page, go }) => {
          await page.getByRole('menuitem', { name: word }).waitFor();
          assert.equal(
            await page.evaluate(() => document.documentElement.lang),
            locale === 'pl-PL' ? 'en' : locale.slice(0, 2),
          );
          const untranslated = await page
            .getByText(/^(ra|field|menu|orders|button|state)\.[a-z.]+$/i)
            .allTextContents();
          assert.deepEqual(untranslated, []);
          await go('/products');
          // Names such as “SKU” are not written as “sKU”.
          const sku = page.locator('[data-field=sku]');
          const label = await sku.getAttribute('aria-label');
          const name = await sku.innerText();
          assert.ok(label?.includes(name === 'SKU' ? name : name.slice(1)), `${label}`);
        },
        { locale },
      );
    });

  test(`all scripts together have at most ${SCRIPT_BYTES_MAX} compressed bytes`, () => {
    const scripts = readdirSync(join(DIST, 'assets')).filter((name) => name.endsWith('.js'));
    const bytes = scripts.reduce((sum, name) => sum + gzipSync(readFileSync(join(DIST, 'assets', name))).length, 0);
    assert.ok(scripts.length > 10 && bytes <= SCRIPT_BYTES_MAX, `${bytes} bytes in ${scripts.length} files`);
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

  test('after an update, a page whose script is gone is loaded again, once', { skip }, async () => {
    const { context, close } = await admin.open();
    // Its errors are expected.
    const page = await context.newPage();
    let missing = 1;
    let loads = 0;
    page.on('domcontentloaded', () => {
      loads += 1;
    });
    await page.route('**/admin/assets/{transfer-page,help-page}-*.js', (route) => {
      missing -= 1;
      return missing >= 0 ? route.fulfill({ status: 404 }) : route.continue();
    });
    await page.goto(`${store.address}/admin#/products`);
    await page.getByRole('menuitem', { name: 'Import / export' }).click();
    await page.getByRole('heading', { name: 'Import products' }).waitFor();
    assert.equal(loads, 2);
    missing = 5;
    await page.getByRole('link', { name: 'Help' }).first().click();
    await page.getByText('Something went wrong').waitFor();
    assert.equal(loads, 2);
    await close();
  });

  test('the menu does not cover a page whose window becomes narrow', { skip }, async () => {
    await store.product({ name: 'Below the menu' });
    await admin.on('/products', async ({ page }) => {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.getByRole('link', { name: 'Below the menu' }).click();
      await page.getByRole('tab', { name: 'Basics' }).waitFor();
      await page.setViewportSize({ width: 1400, height: 900 });
      await page.getByRole('menuitem', { name: 'Products' }).click();
      await page.getByRole('searchbox').first().waitFor();
    });
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
