/** The admin page as a whole: sessions, languages and its size. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { startProvider } from '../test/support/identity-provider.ts';
import { linkIn } from '../test/support/mails.ts';
import { freePort } from '../test/support/postgres-server.ts';
import { codeAt } from '../test/support/totp.ts';
import { accessibilityProblems, onAdminPage, skip } from './support/admin-page.ts';
import { READ_ONLY_KEY, READ_WRITE_KEY } from './support/store.ts';

const DIST = fileURLToPath(new URL('../admin/dist/', import.meta.url));
/** All files that the product list loads, compressed. */
const FIRST_PAGE_BYTES_MAX = 550 * 1024;
/** All scripts of the page, compressed. */
const SCRIPT_BYTES_MAX = 1_100_000;

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
    await page.goto(`${store.address}/admin#token=pv_si_${'x'.repeat(43)}`);
    await page.getByRole('alert').getByText('Run “purveyor admin link” on the server to get a new one.').waitFor();
    await page.getByLabel('API key').waitFor();
    await page.goto(`${store.address}/admin?again#token=half-of-an-invitation`);
    await page.getByRole('alert').getByText('This link is incomplete.').waitFor();
    await close();
  });

  test('an invited user chooses a password, saves a view, and finds it after the next sign-in', { skip }, async () => {
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
    await store.product({ name: 'Oak table', amount: 0 });
    const products = page.getByRole('menuitem', { name: 'Products' });
    const view = page.getByRole('button', { name: 'To be ordered' });
    await products.click();
    await page.getByRole('button', { name: 'Sold out' }).click();
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('To be ordered');
    await page.keyboard.press('Enter');
    await view.waitFor();
    await page.evaluate(() => localStorage.clear());
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
    await products.click();
    await view.waitFor();
    await view.press('Delete');
    await view.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Ada' }).waitFor();
    await close();
  });

  test('a user turns on two-step sign-in, signs in with codes, and confirms a later change', { skip }, async () => {
    const email = 'grace@example.com';
    const user = await store.made('/api/users', { email, name: 'Grace', role_ids: [1] });
    const headers = { 'x-auth-token': READ_WRITE_KEY };
    const invited = await fetch(`${store.address}/api/users/${user.id}/invite`, { method: 'POST', headers });
    const { url } = (await invited.json()) as { url: string };
    const { page, context, close } = await admin.open({ key: null });
    await page.goto(`${store.address}/admin${new URL(url).hash}`);
    await page.getByLabel('New password').fill('seven grey cups');
    await page.keyboard.press('Enter');
    const menu = page.getByRole('button', { name: 'Grace' });
    await menu.click();
    await page.getByRole('menuitem', { name: 'My account' }).click();
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    const secret = (await page.getByLabel('Secret key').inputValue()).replaceAll(' ', '');
    assert.deepEqual(await accessibilityProblems(page), []);
    await admin.screenshot(page, 'two-step-setup-1400');
    await page.setViewportSize({ width: 390, height: 844 });
    await admin.screenshot(page, 'two-step-setup-390');
    await page.setViewportSize({ width: 1400, height: 900 });
    const code = page.getByRole('textbox', { name: /^Code/ });
    await code.fill('000000');
    await page.getByRole('button', { name: 'Check the code' }).click();
    await page.getByText('This is not the current code').waitFor();
    await code.fill(codeAt(secret, Date.now() / 1000));
    await page.getByRole('button', { name: 'Check the code' }).click();
    const shown = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    await shown.first().waitFor();
    const codes = await shown.allTextContents();
    assert.equal(codes.length, 10);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    assert.equal(readFileSync(await (await saving).path(), 'utf8'), `${codes.join('\n')}\n`);
    assert.deepEqual(await accessibilityProblems(page), []);
    await admin.screenshot(page, 'two-step-codes-1400');
    await page.getByRole('button', { name: 'I have saved them' }).click();
    await page.getByText('Recovery codes left: 10').waitFor();

    await menu.click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password or API key').fill('seven grey cups');
    await page.keyboard.press('Enter');
    await code.fill('000000');
    await page.keyboard.press('Enter');
    await page.getByText('The code is wrong').waitFor();
    assert.equal((await context.cookies()).length, 0);
    assert.deepEqual(await accessibilityProblems(page), []);
    await admin.screenshot(page, 'two-step-sign-in-1400');
    await page.setViewportSize({ width: 390, height: 844 });
    await admin.screenshot(page, 'two-step-sign-in-390');
    await page.setViewportSize({ width: 1400, height: 900 });
    await code.fill(codes[0]!);
    await page.keyboard.press('Enter');
    await menu.waitFor();

    // As if 15 minutes had passed: the store rejects the first request.
    let rejected = 0;
    await page.route('**/api/keys', (route) => {
      if (route.request().method() !== 'POST' || rejected > 0) return route.continue();
      rejected += 1;
      const type = `${store.address}/api/_reference/problems/reauthentication-required`;
      const body = JSON.stringify({ type, title: '', status: 403, detail: 'Confirm.' });
      return route.fulfill({ status: 403, contentType: 'application/problem+json', body });
    });
    await page.goto(`${store.address}/admin#/settings/keys`);
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('Confirmed');
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    const password = dialog.getByLabel('Password or code');
    await password.fill('not the right password');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').waitFor();
    await admin.screenshot(page, 'confirm-1400');
    await password.fill('seven grey cups');
    await page.keyboard.press('Enter');
    await page.getByText('Confirmed').first().waitFor();
    assert.equal(rejected, 1);
    const keys = (await store.get('/api/keys')).json as { name: string; created_by: { type: string } }[];
    assert.equal(keys.find(({ name }) => name === 'Confirmed')?.created_by.type, 'user');
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

const PORT = String(await freePort());
/** Passkeys need a host name. */
const ORIGIN = `http://localhost:${PORT}`;
const mailFolder = mkdtempSync(join(tmpdir(), 'purveyor-mails-'));
after(() => rmSync(mailFolder, { recursive: true }));
const MAILS = { MAIL_VIA: 'folder', MAIL_FOLDER: mailFolder, MAIL_FROM: 'shop@mail.example' };
const REQUIRED = { SECOND_FACTOR: 'required', PORT, BASE_URL: ORIGIN, ...MAILS };

onAdminPage('the admin page of a store that requires two-step sign-in', REQUIRED, (admin) => {
  const { store } = admin;

  /** Opens the page with an invitation, and chooses a password. */
  async function invited(email: string, ...roleIds: number[]) {
    const user = await store.made('/api/users', { email, name: 'Ada', role_ids: roleIds });
    const headers = { 'x-auth-token': READ_WRITE_KEY };
    const made = await fetch(`${store.address}/api/users/${user.id}/invite`, { method: 'POST', headers });
    const { url } = (await made.json()) as { url: string };
    const opened = await admin.open({ key: null });
    await opened.page.goto(url);
    await opened.page.getByLabel('New password').fill('seven grey cups');
    await opened.page.keyboard.press('Enter');
    await opened.page.getByText('This store requires two-step sign-in').waitFor();
    return opened;
  }

  test('lets a new user set it up before anything else', { skip }, async () => {
    const { page, close } = await invited('ada@example.com', 3);
    await page.reload();
    await page.getByRole('button', { name: 'Turn on' }).click();
    const secret = (await page.getByLabel('Secret key').inputValue()).replaceAll(' ', '');
    await page.getByRole('textbox', { name: /^Code/ }).fill(codeAt(secret, Date.now() / 1000));
    await page.getByRole('button', { name: 'Check the code' }).click();
    await page.getByRole('button', { name: 'I have saved them' }).click();
    await page.getByRole('menuitem', { name: 'Products' }).click();
    await page.getByRole('heading', { name: 'Products', exact: true }).waitFor();
    await close();
  });

  /** Waits until the folder has this number of mails. */
  async function mailsIn(page: Page, count: number): Promise<string[]> {
    for (let tries = 0; ; tries += 1) {
      const names = readdirSync(mailFolder).filter((name) => name.endsWith('.eml'));
      if (names.length >= count) return names.map((name) => readFileSync(join(mailFolder, name), 'utf8'));
      assert.ok(tries < 400, 'no mail was written');
      await page.waitForTimeout(50);
    }
  }

  test('mails a link to a user who has forgotten the password', { skip }, async () => {
    await store.made('/api/users', { email: 'otto@example.com', name: 'Otto', role_ids: [3] });
    const { page, close } = await admin.open({ key: null });
    await page.goto(`${ORIGIN}/admin`);
    await page.getByLabel('E-mail address').fill('otto@example.com');
    await page.getByRole('button', { name: 'Forgot password?' }).click();
    await page.getByRole('heading', { name: 'Forgot password?' }).waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    assert.equal(await page.getByLabel('E-mail address').inputValue(), 'otto@example.com');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText('If there is an account with this address').waitFor();
    await admin.screenshot(page, 'forgot-password');
    assert.deepEqual(await accessibilityProblems(page), []);
    await page.getByRole('button', { name: 'Back to sign-in' }).click();
    await page.getByLabel('Password or API key').waitFor();
    const [mail] = await mailsIn(page, 1);
    // The page that is open could replace the fragment of the address before a reload.
    await page.goto('about:blank');
    await page.goto(linkIn(mail!));
    await page.getByLabel('New password').fill('seven grey cups');
    await page.keyboard.press('Enter');
    await page.getByText('This store requires two-step sign-in').waitFor();
    await close();
  });

  test('mails an invitation, and a link for a new password, which an owner sends', { skip }, async () => {
    const { page, close } = await admin.open({ key: null });
    await page.goto(`${ORIGIN}/admin`);
    await page.getByLabel('Password or API key').fill(READ_WRITE_KEY);
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Staff' }).click();
    await page.getByRole('button', { name: 'Invite a person' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Ines');
    await dialog.getByRole('textbox', { name: 'E-mail address' }).fill('ines@example.com');
    await dialog.getByRole('checkbox', { name: 'Order desk' }).check();
    await dialog.getByRole('switch', { name: 'Send the invitation by e-mail' }).check();
    await admin.screenshot(page, 'staff-invite-by-mail');
    await dialog.getByRole('button', { name: 'Create the invitation' }).click();
    await page.getByText('The store sends the invitation by e-mail.').waitFor();
    assert.equal(await page.getByText('#token=').count(), 0);
    await page.getByRole('link', { name: 'Otto' }).click();
    await page.getByRole('button', { name: 'Link for a new password', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Send a link for a new password by e-mail' }).click();
    await page.getByText('The store sends the link by e-mail.').waitFor();
    await admin.screenshot(page, 'staff-user-mail');
    assert.deepEqual(await accessibilityProblems(page), []);
    const mails = await mailsIn(page, 3);
    assert.deepEqual(mails.map((mail) => /^To: (.*)$/m.exec(mail)![1]).sort(), [
      'ines@example.com',
      'otto@example.com',
      'otto@example.com',
    ]);
    await close();
  });

  test('a passkey is the required second factor, signs in, confirms, and is deleted', { skip }, async () => {
    const { page, context, close } = await invited('grace@example.com', 1);
    const devtools = await context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
        ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
      },
    });
    await page.getByLabel('Name of the new passkey').fill('Test device');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    const menu = page.getByRole('navigation', { name: 'Main menu' });
    await page.getByText('This store requires two-step sign-in').waitFor({ state: 'detached' });
    await menu.waitFor();
    const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId });
    assert.deepEqual(
      credentials.map(({ rpId, isResidentCredential }) => [rpId, isResidentCredential]),
      [['localhost', true]],
    );
    const signOut = async () => {
      await page.getByRole('button', { name: 'Ada' }).click();
      await page.getByRole('menuitem', { name: 'Logout' }).click();
    };
    await signOut();
    await admin.screenshot(page, 'sign-in-passkey');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await menu.waitFor();
    await signOut();
    await page.getByLabel('E-mail address').fill('grace@example.com');
    await page.getByLabel('Password').fill('seven grey cups');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await menu.waitFor();

    await page.goto(`${ORIGIN}/admin#/account`);
    const section = page.getByRole('region', { name: 'Passkeys' });
    await section.getByText('Test device').waitFor();
    await admin.screenshot(page, 'passkeys');
    assert.deepEqual(await accessibilityProblems(page), []);
    let rejected = 0;
    await page.route('**/api/users/me/passkeys/*', (route) => {
      rejected += 1;
      const type = `${ORIGIN}/api/_reference/problems/reauthentication-required`;
      const body = JSON.stringify({ type, title: '', status: 403, detail: 'Confirm.' });
      return rejected > 1
        ? route.continue()
        : route.fulfill({ status: 403, contentType: 'application/problem+json', body });
    });
    await section.getByRole('button', { name: 'Delete: Test device' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await dialog.getByRole('button', { name: 'Use a passkey' }).click();
    await dialog.getByText('No passkey was used. Try again.').waitFor();
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
    await dialog.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByText('The passkey was deleted.').waitFor();
    await section.getByText('Test device').waitFor({ state: 'detached' });
    await close();
  });
});

// The provider must know the address of the store before the store starts.
const port = await freePort();
const address = `http://127.0.0.1:${port}`;
const provider = skip ? undefined : await startProvider(`${address}/admin/oidc/callback`);
after(() => provider?.close());

const OIDC = { ...provider?.settings, PORT: String(port), BASE_URL: address };

onAdminPage('the admin page of a store with OpenID Connect', OIDC, (admin) => {
  const { store } = admin;

  test('signs in at the provider, explains failures, and confirms a change there', { skip }, async () => {
    await store.made('/api/users', { email: 'ada@example.com', name: 'Ada', role_ids: [1], language: 'de' });
    provider!.accounts.set('ada', { email: 'Ada@Example.com', email_verified: true });
    provider!.accounts.set('eve', { email: 'eve@example.com', email_verified: true });
    const { page: first, context, close } = await admin.open({ key: null });
    await first.close();
    // The first page may not open other hosts.
    const page = await context.newPage();
    const signInAt = async (window: Page, account: string): Promise<void> => {
      await window.getByLabel('Account').fill(account);
      await window.getByRole('button', { name: 'Continue' }).click();
    };
    await page.goto(`${address}/admin`);
    await page.getByRole('link', { name: 'Sign in with your organization' }).click();
    await signInAt(page, 'eve');
    await page.getByText('This store has no active account for you').waitFor();
    assert.equal(new URL(page.url()).hash.includes('oidc'), false);
    assert.deepEqual(await accessibilityProblems(page), []);
    await admin.screenshot(page, 'sign-in-oidc-1400');
    await context.clearCookies();
    await page.getByRole('link', { name: 'Sign in with your organization' }).click();
    await signInAt(page, 'ada');
    await page.getByRole('button', { name: 'Ada' }).waitFor();
    // The page has the language of the account.
    await page.getByRole('menuitem', { name: 'Produkte' }).waitFor();
    const names = (await context.cookies(address)).map(({ name, sameSite }) => [name, sameSite]);
    assert.deepEqual(names, [[`purveyor-${port}`, 'Strict']]);

    // As if 15 minutes had passed: the store rejects the first request.
    let rejected = 0;
    await page.route('**/api/keys', (route) => {
      if (route.request().method() !== 'POST' || rejected > 0) return route.continue();
      rejected += 1;
      const type = `${address}/api/_reference/problems/reauthentication-required`;
      const body = JSON.stringify({ type, title: '', status: 403, detail: 'Confirm.' });
      return route.fulfill({ status: 403, contentType: 'application/problem+json', body });
    });
    await page.goto(`${address}/admin#/settings/keys`);
    await page.getByRole('button', { name: 'Neuer Schlüssel' }).click();
    await page.getByLabel('Name').fill('Confirmed');
    await page.getByRole('button', { name: 'Schlüssel anlegen' }).click();
    const dialog = page.getByRole('dialog', { name: 'Bestätigen Sie' });
    const confirmAs = async (account: string): Promise<void> => {
      const opening = context.waitForEvent('page');
      await dialog.getByRole('button', { name: 'Mit Ihrer Organisation anmelden' }).click();
      const window = await opening;
      const closing = window.waitForEvent('close');
      await signInAt(window, account);
      await closing;
    };
    await confirmAs('eve');
    await dialog.getByText('Sie haben sich mit einem anderen Konto angemeldet').waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    await confirmAs('ada');
    await page.getByText('Confirmed').first().waitFor();
    await dialog.waitFor({ state: 'detached' });
    const keys = (await store.get('/api/keys')).json as { name: string; created_by: { type: string } }[];
    assert.equal(keys.find(({ name }) => name === 'Confirmed')?.created_by.type, 'user');
    await close();
  });
});
