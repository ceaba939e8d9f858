/**
 * The interactive reference in a browser: a user enters a key, sends a request and sees the response. The page sends requests
 * only to the store. The tests take a screenshot of each step.
 */
import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, skipWithoutBrowser } from '../test/support/browser.ts';
import { ExampleEnvironment } from '../test/support/example-environment.ts';
import { READ_WRITE_KEY, Store } from '../test/support/store.ts';

const skip = skipWithoutBrowser;

let store: Store;
let browser: Browser;
let screenshots: string;

before(async () => {
  if (skip) return;
  store = new Store('sqlite');
  await store.start();
  browser = await launchBrowser();
  screenshots = await mkdtemp(join(tmpdir(), 'purveyor-reference-'));
});

after(async () => {
  await browser?.close();
  await store?.stop();
});

test('a user can enter a key in the reference, send a request and see the response', { skip }, async (context) => {
  context.diagnostic(`screenshots in ${screenshots}`);
  const { sku } = await store.product({ name: 'Blue shirt' });
  const { page, requests, errors } = await openPage();
  await page.goto(`${store.address}/api`);
  await page.getByRole('heading', { name: 'Getting started' }).waitFor();
  await takeScreenshot(page, '1-opened');

  const authentication = page.getByRole('region', { name: /Authentication/ }).first();
  const keyField = authentication.getByRole('textbox', { name: 'Value' });
  await keyField.waitFor();
  const hint = await page.evaluate(
    `getComputedStyle(document.querySelector('input[placeholder^=QUxM]'), '::placeholder').color`,
  );
  assert.equal(hint, 'rgba(0, 0, 0, 0)', 'the placeholder, which looks like a key, is invisible');
  await keyField.fill(READ_WRITE_KEY);
  await page.getByRole('link', { name: 'Product', exact: true }).click();
  await page
    .getByRole('link', { name: /List products/ })
    .first()
    .click();
  await takeScreenshot(page, '2-operation');
  await page
    .getByRole('button', { name: /Test Request.*\/products\)?$/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog').first();
  await dialog.getByRole('button', { name: /^Send/ }).first().click();

  const response = dialog.getByRole('region', { name: 'Response', exact: true });
  await response.getByText('200 OK').waitFor();
  await response.getByText(sku).waitFor();
  await takeScreenshot(page, '3-answered');

  const calls = requests.filter(({ url }) => new URL(url).pathname === '/api/products');
  assert.deepEqual(
    calls.map(({ key, url }) => [key, url]),
    [[READ_WRITE_KEY, `${store.address}/api/products`]],
  );
  assertOwnOrigin(requests);
  assert.deepEqual(errors, []);
});

test('the printed examples equal the responses of Test Request', { skip }, async () => {
  const store = new Store('sqlite', { LANGUAGES: '' });
  await store.start();
  try {
    const { json: document } = await store.get('/api/openapi.json');
    const environment = new ExampleEnvironment(store, document);
    const { page, errors } = await openPage();
    await page.goto(`${store.address}/api`);
    const authentication = page.getByRole('region', { name: /Authentication/ }).first();
    await authentication.getByRole('textbox', { name: 'Value' }).fill(READ_WRITE_KEY);
    for (const [tag, method, path] of COMPARED) {
      await environment.prepare(path, method.toLowerCase());
      const { summary } = document.paths[path][method.toLowerCase()];
      const isShown = page.getByRole('link', { name: `${summary} HTTP Method`, exact: false });
      if ((await isShown.count()) === 0) await page.getByRole('link', { name: tag, exact: true }).first().click();
      await isShown.first().click();
      const section = page
        .locator('section', { has: page.getByRole('heading', { name: summary, exact: true }) })
        .last();
      const card = section.locator('.response-card, .scalar-card', { hasText: 'Show Schema' }).last();
      // The first tab of a creation with dry runs is the 200 of a dry run.
      const created = card.getByRole('tab', { name: '201' });
      if (method === 'POST' && (await created.count()) > 0) await created.click();
      const shown = await card.locator('code').first().innerText();
      await section.getByRole('button', { name: /Test Request/ }).click();
      const dialog = page.getByRole('dialog').first();
      const responded = page.waitForResponse((response) => response.request().method() === method);
      await dialog.getByRole('button', { name: /^Send/ }).first().click();
      const reply = await responded;
      await dialog
        .getByText(/^20[01] /)
        .first()
        .waitFor();
      await takeScreenshot(page, `compared-${method}-${path.replaceAll('/', '-')}`);
      assert.deepEqual(withoutTimestamps(await reply.text()), withoutTimestamps(shown), `${method} ${path}`);
      if (method === 'POST') environment.register(path, reply.headers().location!);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
    }
    assert.deepEqual(errors, []);
  } finally {
    await store.stop();
  }
});

/** In this order, because the product's example names the tag. */
const COMPARED = [
  ['Tag', 'GET', '/tags'],
  ['Product', 'POST', '/products'],
  ['Product', 'GET', '/products'],
  ['Product', 'GET', '/products/{id}'],
  ['Product', 'PATCH', '/products/{id}'],
  ['Category', 'POST', '/categories'],
  ['Category', 'GET', '/categories'],
  ['Order', 'POST', '/orders'],
  ['Order', 'GET', '/orders/{id}'],
  ['Membership', 'POST', '/memberships'],
] as const;

function withoutTimestamps(text: string): unknown {
  return JSON.parse(text.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+\d\d:\d\d/g, 'timestamp'));
}

test('the reference also works at /api/docs', { skip }, async () => {
  const { page, requests, errors } = await openPage();
  await page.goto(`${store.address}/api/docs`);
  await page.getByRole('heading', { name: 'Getting started' }).waitFor();
  const paths = requests.map(({ url }) => new URL(url).pathname);
  assert.ok(paths.includes('/api/openapi.json'), paths.join(' '));
  assertOwnOrigin(requests);
  assert.deepEqual(errors, []);
});

test('the reference shows the JSON-LD example if that media type is selected', { skip }, async () => {
  const { page } = await openPage();
  await page.goto(`${store.address}/api`);
  await page.getByRole('link', { name: 'Tag', exact: true }).click();
  await page
    .getByRole('link', { name: /Read a tag HTTP/ })
    .first()
    .click();
  const section = page
    .locator('section', { has: page.getByRole('heading', { name: 'Read a tag', exact: true }) })
    .last();
  const shown = section.locator('.response-card code').first();
  assert.doesNotMatch(await shown.innerText(), /@id/);
  await section
    .getByRole('button', { name: /application\/json/ })
    .first()
    .click();
  await page.getByRole('option', { name: /application\/ld\+json/i }).click();
  await shown.getByText('"/api/tags/1"').waitFor();
  await takeScreenshot(page, '6-json-ld');
});

test('the pages of the problem types work, also in dark mode', { skip }, async () => {
  const { page, requests, errors } = await openPage();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`${store.address}/api/_reference/problems`);
  await takeScreenshot(page, '4-problems');
  await page.getByRole('link', { name: 'Precondition failed' }).click();
  await page.getByRole('heading', { name: 'Precondition failed' }).waitFor();
  await takeScreenshot(page, '5-problem');
  await page.getByRole('link', { name: 'Problems' }).click();
  await page.getByRole('link', { name: 'Store REST API' }).click();
  await page.getByRole('heading', { name: 'Getting started' }).waitFor();
  assertOwnOrigin(requests);
  assert.deepEqual(errors, []);
});

interface RecordedPage {
  readonly page: Page;
  readonly requests: { url: string; key: string | undefined }[];
  readonly errors: string[];
}

async function openPage(): Promise<RecordedPage> {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  const requests: RecordedPage['requests'] = [];
  const errors: string[] = [];
  page.on('request', (request) => requests.push({ url: request.url(), key: request.headers()['x-auth-token'] }));
  page.on('pageerror', (error) => errors.push(error.message));
  // Requests that the content security policy blocks appear only here.
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  return { page, requests, errors };
}

function assertOwnOrigin(requests: RecordedPage['requests']): void {
  assert.ok(requests.length > 0);
  const elsewhere = requests.filter(({ url }) => !/^(data|blob):/.test(url) && new URL(url).origin !== store.address);
  assert.deepEqual(elsewhere, []);
}

async function takeScreenshot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(screenshots, `${name}.png`) });
}
