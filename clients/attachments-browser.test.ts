/** Attachments in Chromium: every file is downloaded, and none is shown or run, whatever else it could be. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContext } from 'playwright-core';
import { attachedFile, FILES, POLYGLOTS } from '../test/support/attachments.ts';
import { launchBrowser, skipWithoutBrowser as skip } from '../test/support/browser.ts';
import { Store } from '../test/support/store.ts';

const ALL = {
  ...POLYGLOTS,
  ...Object.fromEntries(Object.entries(FILES).map(([extension, bytes]) => [`file.${extension}`, bytes])),
};

describe('attachments in a browser', { skip }, () => {
  let browser: Browser;
  let context: BrowserContext;
  let shop: Server;
  const store = new Store('sqlite');
  /** Addresses by file name. */
  const urls: Record<string, string> = {};
  /** Requests of scripts in the files. */
  const runs: string[] = [];

  before(async () => {
    await store.start();
    const { id } = await store.product();
    for (const [name, bytes] of Object.entries(ALL))
      urls[name] = (await store.made(`/api/products/${id}/attachments`, attachedFile(name, bytes))).url;
    shop = createServer(({ url = '' }, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(Buffer.from(new URL(url, 'http://shop').searchParams.get('html') ?? '', 'base64'));
    }).listen(0, '127.0.0.1');
    browser = await launchBrowser();
    context = await browser.newContext({ acceptDownloads: true });
    context.on('request', (request) => {
      if (new URL(request.url()).pathname === '/run') runs.push(request.url());
    });
  });

  after(async () => {
    await browser?.close();
    shop?.close();
    await store.stop();
  });

  for (const [name, bytes] of Object.entries(ALL))
    test(`${name} is downloaded with its name`, async () => {
      const page = await context.newPage();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.goto(urls[name]!).catch((error) => assert.match(error.message, /Download is starting|ERR_ABORTED/)),
      ]);
      assert.equal(download.suggestedFilename(), name);
      assert.ok(bytes.equals(await readFile(await download.path())));
      assert.deepEqual([page.url(), await page.title(), runs], ['about:blank', '', []]);
      await page.close();
    });

  test('no file is shown or run inside a page', async () => {
    const html = Object.values(urls).map(
      (url) =>
        `<iframe src="${url}"></iframe><object data="${url}"></object><embed src="${url}"><script src="${url}"></script>`,
    );
    const page = await context.newPage();
    const { port } = shop.address() as AddressInfo;
    for (const each of html) {
      const query = encodeURIComponent(Buffer.from(`<title>Shop</title>${each}`).toString('base64'));
      await page.goto(`http://127.0.0.1:${port}/?html=${query}`);
      await page.waitForTimeout(100);
      const titles = await Promise.all(page.frames().map((frame) => frame.title()));
      assert.ok(!titles.includes('run'));
      const texts = await Promise.all(
        page
          .frames()
          .slice(1)
          .map((frame) => frame.content()),
      );
      for (const text of texts) assert.doesNotMatch(text, /script|Hello|Read the manual/);
    }
    assert.deepEqual(runs, []);
    await page.close();
  });
});
