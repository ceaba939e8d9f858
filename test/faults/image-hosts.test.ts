/** Image downloads from malicious or slow hosts (docs/reliability/e-images.md, E19 to E26). */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { assertProblem } from '../support/expect.ts';
import { attached, fileAt, png } from '../support/images.ts';
import { onEachDatabase } from '../support/store.ts';

onEachDatabase('image hosts', { DOWNLOAD_SECONDS_MAX: '2', IMAGE_DOWNLOAD_ALLOW: '127.0.0.1/32' }, (store) => {
  let host: Server;
  let address: string;
  /** Requests to the host without a response yet. */
  let pending: ServerResponse[] = [];
  before(async () => {
    host = createServer((_, response) => {
      pending.push(response);
      host.emit('request held');
    });
    await new Promise<void>((listening) => host.listen(0, '127.0.0.1', listening));
    address = `http://127.0.0.1:${(host.address() as AddressInfo).port}/a.png`;
  });
  after(() => {
    host.closeAllConnections();
    host.close();
  });

  test('300 downloads from a silent host use at most 8 slots, most get a 503, and reads continue (E19, E23)', async () => {
    const { id } = await store.product();
    let peak = 0;
    let open = 0;
    const count = (_: unknown, response: ServerResponse) => {
      open += 1;
      peak = Math.max(peak, open);
      response.on('close', () => {
        open -= 1;
      });
    };
    host.on('request', count);
    const writes = Array.from({ length: 300 }, () =>
      store
        .post(`/api/products/${id}/images`, { externalUrl: address })
        .then(({ status, headers }) => ({ status, headers })),
    );
    let reads = 0;
    let running = true;
    const all = Promise.all(writes).finally(() => {
      running = false;
    });
    while (running) {
      assert.equal((await store.get(`/api/products/${id}`)).status, 200);
      reads += 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const responses = await all;
    host.off('request', count);
    const rejected = responses.filter(({ status }) => status === 503);
    assert.ok(responses.every(({ status }) => status === 422 || status === 503));
    assert.ok(rejected.length >= 200, `${rejected.length} were rejected`);
    for (const { headers } of rejected) assert.ok(headers['retry-after']);
    // download.test.ts counts exactly eight. Here the host notices the end of a connection a little later.
    assert.ok(peak <= 16, `${peak} connections at once`);
    assert.ok(reads > 20, `only ${reads} reads succeeded meanwhile`);
    assert.deepEqual(await store.imageFiles(), []);
    pending = [];
  });

  test('the response for a forbidden address does not reveal whether its port is open (E22)', async () => {
    const { id } = await store.product();
    const texts = new Set<string>();
    for (const url of [
      'http://127.0.0.2/',
      'http://10.0.0.1/',
      'http://169.254.169.254/',
      `http://127.0.0.2:${new URL(address).port}/`,
      'http://[::1]:1/',
    ]) {
      const response = await store.post(`/api/products/${id}/images`, { externalUrl: url });
      assertProblem(response, 422);
      texts.add(response.json.violations[0].message);
    }
    assert.equal(texts.size, 1);
  });

  test('a download that finishes after its product was deleted leaves no image and no file (E26)', async () => {
    const { id } = await store.product();
    const requested = once(host, 'request held');
    const writing = store.post(`/api/products/${id}/images`, { externalUrl: address });
    await requested;
    assert.equal((await store.delete(`/api/products/${id}`)).status, 204);
    pending.pop()!.end(await png());
    assertProblem(await writing, 400);
    assert.deepEqual(await store.imageFiles(), []);
  });

  test('a download that finishes after the image to replace was deleted leaves no file (E26)', async () => {
    const { id } = await store.product();
    const images = `/api/products/${id}/images`;
    const image = await store.made(images, await attached(png()));
    const requested = once(host, 'request held');
    const writing = store.put(`${images}/${image.id}`, { externalUrl: address });
    await requested;
    assert.equal((await store.delete(`${images}/${image.id}`)).status, 204);
    pending.pop()!.end(await png());
    assertProblem(await writing, 404);
    assert.equal((await fileAt(store, image.url)).status, 404);
    assert.deepEqual(await store.imageFiles(), []);
  });

  test('uploads to a product that is deleted meanwhile leave no file (E26)', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await store.product();
      const bodies = await Promise.all(Array.from({ length: 4 }, () => attached(png())));
      const writes = bodies.map((body) => store.post(`/api/products/${id}/images`, body));
      await new Promise((resolve) => setTimeout(resolve, round * 3));
      assert.equal((await store.delete(`/api/products/${id}`)).status, 204);
      for (const { status } of await Promise.all(writes)) assert.ok([201, 400].includes(status), String(status));
    }
    assert.deepEqual(await store.imageFiles(), []);
  });
});
