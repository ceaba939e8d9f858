/**
 * `HydraAdmin` of `@api-platform/admin` in a real browser, set up as docs/reference/json-ld.md shows: editing one field of a record
 * changes no other field. Takes a screenshot of each step.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser, skipWithoutBrowser as skip } from '../test/support/browser.ts';
import { READ_WRITE_KEY, withStore } from './support/store.ts';
import { CLIENTS, emptyFolder, runProgram } from './support/tool.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** Fields that the store derives, so that every change may change them. */
const FOLLOWING = ['update_date', 'og_meta_tags', 'path'];

withStore('HydraAdmin in a browser', (store) => {
  let folder: string;
  let pages: Server;
  let browser: Browser;

  before(async () => {
    if (skip) return;
    folder = await emptyFolder('admin');
    const bundled = await runProgram(join(CLIENTS, 'node_modules/.bin/esbuild'), [
      ...['programs/admin.tsx', '--bundle', '--jsx=automatic', `--outfile=${join(folder, 'admin.js')}`],
      '--define:process.env.NODE_ENV="production"',
    ]);
    assert.equal(bundled.code, 0, bundled.output);
    const script = await readFile(join(folder, 'admin.js'));
    const html = `<!doctype html><title>Administration</title>
      <body data-key="${READ_WRITE_KEY}" data-entrypoint="${store.address}/api">
      <div id="root"></div><script src="/admin.js"></script>`;
    pages = createServer(({ url }, response) => {
      const isScript = url === '/admin.js';
      response.setHeader('content-type', `text/${isScript ? 'javascript' : 'html'}; charset=utf-8`);
      response.end(isScript ? script : html);
    }).listen(0, '127.0.0.1');
    await once(pages, 'listening');
    browser = await launchBrowser();
  });

  after(async () => {
    await browser?.close();
    pages?.close();
  });

  const createRecord = {
    async products(): Promise<string> {
      const { id } = await store.product({ name: 'Shirt', price: 19.99, tags: ['Summer'], weight: 0.25 });
      await store.made(`/api/products/${id}/images`, { attachment: PIXEL, filename: 'pixel.png', alt: 'A pixel' });
      return `/api/products/${id}`;
    },
    async categories(): Promise<string> {
      const above = await store.made('/api/categories', { name: 'All' });
      const { id } = await store.made('/api/categories', { name: 'Clothes', parent: above.id, description: 'To wear' });
      await store.made(`/api/categories/${id}/icon`, { attachment: PIXEL, filename: 'pixel.png' });
      return `/api/categories/${id}`;
    },
    async orders(): Promise<string> {
      const { id: product } = await store.product({ price: 5 });
      const { id } = await store.made('/api/orders', {
        email: 'ada@example.com',
        items: [{ product_id: product, amount: 2 }],
        surcharges: [{ type: 'shipping', value: 4.9 }],
        billing_address: { firstname: 'Ada', lastname: 'Lovelace', city: 'London' },
      });
      await store.made(`/api/orders/${id}/details`, { name: 'Gift wrap', value: 'red' });
      return `/api/orders/${id}`;
    },
  };

  for (const [kind, label, field, value] of [
    ['products', /^Name/, 'name', 'Blue shirt'],
    ['products', /^Description/, 'description', 'Soft'],
    ['categories', /^Name/, 'name', 'Dresses'],
    ['orders', /^Notes/, 'notes', 'Please ring twice'],
  ] as const)
    test(`HydraAdmin changes ${field} of a record of ${kind} and no other field`, { skip }, async () => {
      const path = await createRecord[kind]();
      const { json: read } = await store.get(path);
      const page = await browser.newPage({ viewport: { width: 1400, height: 1200 } });
      const errors: string[] = [];
      page.on('pageerror', ({ message }) => errors.push(message));
      const own = [`http://127.0.0.1:${(pages.address() as AddressInfo).port}`, store.address];
      // HydraAdmin requests fonts from another host.
      await page.route(
        ({ origin }) => !own.includes(origin),
        (route) => route.abort(),
      );

      await page.goto(`${own[0]}/#/${kind}`);
      await page.getByRole('table').waitFor();
      await page.screenshot({ path: join(folder, `${kind}-${field}-1-list.png`) });
      // A new document has no cached records of the list, and `networkidle` fires again.
      await page.goto('about:blank');
      await page.goto(`${own[0]}/#/${kind}/${encodeURIComponent(path)}`);
      // The form resets when its last request is complete, and would lose what was typed before.
      await page.getByLabel(label).first().waitFor();
      await page.waitForLoadState('networkidle');
      await page.getByLabel(label).first().fill(value);
      await page.screenshot({ path: join(folder, `${kind}-${field}-2-edited.png`), fullPage: true });
      const saved = page.waitForResponse((response) => /^(PUT|PATCH)$/.test(response.request().method()));
      await page.getByRole('button', { name: 'Save' }).click();
      const reply = await saved;
      assert.equal(reply.status(), 200, await reply.text());
      await page.getByRole('alert').waitFor();
      await page.screenshot({ path: join(folder, `${kind}-${field}-3-saved.png`), fullPage: true });
      await page.close();

      const { json: changed } = await store.get(path);
      const following = Object.fromEntries(FOLLOWING.flatMap((name) => (name in read ? [[name, changed[name]]] : [])));
      assert.deepEqual(changed, { ...read, ...following, [field]: value });
      assert.deepEqual(errors, []);
    });
});
