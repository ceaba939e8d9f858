/** Product images that the store downloads: a copy is stored, and every failure has a reason (catalog.md §2). */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { assertProblem, assertUnchanged } from '../support/expect.ts';
import { attached, fileAt, noisePng, png } from '../support/images.ts';
import { type Json, onOneDatabase } from '../support/store.ts';

onOneDatabase('downloaded images', { DOWNLOAD_SECONDS_MAX: '3', IMAGE_BYTES_MAX: '100000' }, (store) => {
  let images: string;
  let host: Server;
  let address: string;
  let bytes: Buffer;
  before(async () => {
    images = `/api/products/${(await store.product()).id}/images`;
    bytes = await png(50, 30);
    const large = await noisePng(300, 300);
    host = createServer((request, response) => {
      const responses: Record<string, () => void> = {
        '/a.png': () => response.writeHead(200, { 'content-type': 'text/plain' }).end(bytes),
        '/no-name': () => response.end(bytes),
        '/moved': () => response.writeHead(302, { location: '/a.png' }).end(),
        '/moved-away': () => response.writeHead(302, { location: 'http://10.0.0.1/a.png' }).end(),
        '/moved-to-a-file': () => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
        '/loop': () => response.writeHead(302, { location: '/loop' }).end(),
        '/page': () => response.writeHead(200, { 'content-type': 'image/png' }).end('<html>'),
        '/empty.png': () => response.end(),
        '/large.png': () => response.end(large),
        '/broken.png': () => response.socket!.destroy(),
        '/silent.png': () => {},
        '/half.png': () => response.writeHead(200, { 'content-length': bytes.length + 100 }).end(bytes.subarray(0, 60)),
      };
      const respond = responses[request.url ?? ''];
      if (respond) respond();
      else response.writeHead(404).end('not here');
    });
    await new Promise<void>((listening) => host.listen(0, '127.0.0.1', listening));
    address = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  });
  after(() => {
    host.closeAllConnections();
    host.close();
  });

  for (const path of ['/a.png', '/a.png#fragment', '/no-name', '/moved'])
    test(`${path} is downloaded and stored`, async () => {
      const image = await store.made(images, { externalUrl: address + path, alt: 'Far', attachment: '', filename: '' });
      assert.deepEqual([image.width, image.height, image.alt], [50, 30, 'Far']);
      assert.ok(image.url.startsWith(`${store.address}/images/`));
      assert.ok((await fileAt(store, image.url)).bytes.equals(bytes));
    });

  test('an address with “once” is downloaded once per product, even after the image was deleted', async () => {
    const own = `/api/products/${(await store.product()).id}/images`;
    const body = { externalUrl: `${address}/a.png`, once: true };
    const image = await store.made(own, body);
    assert.equal('once' in image, false);
    assertProblem(await store.post(own, body), 409, /was already added to this product/);
    await store.delete(`${own}/${image.id}`);
    assertProblem(await store.post(own, body), 409, /was already added to this product/);
    await store.made(own, { ...body, once: false });
    await store.made(`/api/products/${(await store.product()).id}/images`, body);
    const unread = { ...body, externalUrl: `${address}/page` };
    for (let time = 1; time <= 2; time += 1) assertProblem(await store.post(own, unread), 422, /externalUrl/);
    assertProblem(
      await store.post(own, await attached(bytes, { once: true })),
      422,
      /Use once only to add an externalUrl/,
    );
    assertProblem(await store.post('/api/products', { sku: 'O', name: 'O', images: [body] }), 422, /images\[0\]\.once/);
  });

  const rejected: Record<string, () => string> = {
    'a missing page': () => `${address}/nothing.png`,
    'a page with the media type of an image': () => `${address}/page`,
    'an empty response': () => `${address}/empty.png`,
    'a too large image': () => `${address}/large.png`,
    'a broken connection': () => `${address}/broken.png`,
    'a truncated image': () => `${address}/half.png`,
    'no response': () => `${address}/silent.png`,
    'a redirect loop': () => `${address}/loop`,
    'a redirect to a private address': () => `${address}/moved-away`,
    'a redirect to a file': () => `${address}/moved-to-a-file`,
    'a closed port': () => 'http://127.0.0.1:1/a.png',
    'a private address': () => 'http://10.0.0.1/a.png',
    'the address of cloud metadata': () => 'http://169.254.169.254/latest/meta-data',
    'loopback in IPv6': () => 'http://[::1]/a.png',
    'an unknown host name': () => 'http://no-such-host.invalid/a.png',
    'a file': () => 'file:///etc/passwd',
    FTP: () => 'ftp://127.0.0.1/a.png',
    'a data address': () => `data:image/png;base64,${bytes.toString('base64')}`,
    'a relative address': () => 'a.png',
    'an address without a host': () => 'http://',
  };
  for (const [title, url] of Object.entries(rejected))
    test(`rejects ${title} and gives a reason`, () =>
      assertUnchanged(store, async () => {
        const response = await store.post(images, { externalUrl: url() });
        assertProblem(response, 422);
        assert.deepEqual(
          response.json.violations.map((each: Json) => each.propertyPath),
          ['externalUrl'],
        );
        const { message } = response.json.violations[0];
        assert.match(message, /^[A-Z].{10,}/);
        if (message.includes('not allowed')) assert.match(message, / the networks in IMAGE_DOWNLOAD_ALLOW\.$/);
        assert.doesNotMatch(response.text, /ECONN|ENOTFOUND|undici|root:/);
      }));

  test('nothing is fetched for an unknown product', async () => {
    let fetched = 0;
    const count = () => {
      fetched += 1;
    };
    host.on('request', count);
    assertProblem(await store.post('/api/products/999999/images', { externalUrl: `${address}/a.png` }), 400);
    host.off('request', count);
    assert.equal(fetched, 0);
  });

  test('an attachment over the size limit is rejected with 413', () =>
    assertUnchanged(store, async () => {
      assertProblem(await store.post(images, await attached(noisePng(300, 300))), 413);
    }));
});
