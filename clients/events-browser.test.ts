/**
 * The change feed in Chromium, on a page of another origin. `EventSource` cannot send headers, so it is rejected for its
 * missing key. The function in docs/guides/sync.md reads the stream with `fetch` and resumes after a lost connection.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, skipWithoutBrowser as skip } from '../test/support/browser.ts';
import { type FreshDatabase, freshDatabase } from '../test/support/databases.ts';
import { READ_ONLY_KEY, Store } from '../test/support/store.ts';
import { CLIENTS, freePort } from './support/tool.ts';

describe('change feed in a browser', { skip }, () => {
  let browser: Browser;
  let pages: Server;
  let database: FreshDatabase;
  let store: Store;
  let page: Page;

  before(async () => {
    database = await freshDatabase('sqlite', 'migrated');
    store = new Store('sqlite', { DATABASE_URL: database.url, PORT: String(await freePort()) });
    await store.start();
    const reference = await readFile(join(CLIENTS, '../docs/guides/sync.md'), 'utf8');
    const [script] = /(?<=```js\n).*?(?=```)/s.exec(reference)!;
    pages = createServer((_, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(`<!doctype html><title>Changes</title><script>const received = [];\n${script}</script>`);
    }).listen(0, '127.0.0.1');
    await once(pages, 'listening');
    browser = await launchBrowser();
    page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}`);
  });

  after(async () => {
    await browser?.close();
    pages?.close();
    await store?.stop();
    await database?.remove();
  });

  /** Waits until the page has received this price. @returns all received prices */
  async function pricesUpTo(price: number): Promise<number[]> {
    await page.waitForFunction(`received.some(({ record }) => record?.price === ${price})`);
    return page.evaluate('received.filter(({ resource }) => resource === "Product").map(({ record }) => record.price)');
  }

  test('an EventSource without a key is rejected and does not reconnect', async () => {
    const state = await page.evaluate(`new Promise((resolve) => {
      const source = new EventSource('${store.address}/api/changes');
      source.onerror = () => resolve(source.readyState);
    })`);
    const CLOSED = 2;
    assert.equal(state, CLOSED);
  });

  test('the documented fetch client receives changes and resumes after a restart of the server', async () => {
    const { id } = await store.product({ price: 1, name: 'A \u2028id: x\u2028data: {}' });
    await page.evaluate(`void listen('${store.address}/api', '${READ_ONLY_KEY}', (entry) => received.push(entry))`);
    assert.deepEqual(await pricesUpTo(1), [1]);
    await store.patch(`/api/products/${id}`, { price: 2 });
    assert.deepEqual(await pricesUpTo(2), [1, 2]);
    await store.restart();
    await store.patch(`/api/products/${id}`, { price: 3 });
    assert.deepEqual(await pricesUpTo(3), [1, 2, 3]);
  });

  test('the documented fetch client throws for an invalid key', async () => {
    const message = await page.evaluate(
      `listen('${store.address}/api', 'another-key-altogether', () => {}).catch(({ message }) => message)`,
    );
    assert.match(String(message), /^401 /);
  });
});
