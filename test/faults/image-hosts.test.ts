/** Image hosts that mean harm or are only slow, while the store goes on (docs/reliability/e-images.md, E19 to E26). */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { assertProblem } from '../support/expect.ts';
import { attached, fileAt, png } from '../support/images.ts';
import { onEachDatabase } from '../support/store.ts';

onEachDatabase('a host of images', { DOWNLOAD_SECONDS_MAX: '2', IMAGE_DOWNLOAD_ALLOW: '127.0.0.1/32' }, (store) => {
  let host: Server;
  let address: string;
  /** Those that were asked for and are not answered yet. */
  let held: ServerResponse[] = [];
  before(async () => {
    host = createServer((_, response) => {
      held.push(response);
      host.emit('held');
    });
    await new Promise<void>((listening) => host.listen(0, '127.0.0.1', listening));
    address = `http://127.0.0.1:${(host.address() as AddressInfo).port}/a.png`;
  });
  after(() => {
    host.closeAllConnections();
    host.close();
  });

  test('that is silent: 300 at once, eight slots, the rest is told to come again, and readers notice nothing (E19, E23)', async () => {
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
    const answers = await all;
    host.off('request', count);
    const refused = answers.filter(({ status }) => status === 503);
    assert.ok(answers.every(({ status }) => status === 422 || status === 503));
    assert.ok(refused.length >= 200, `${refused.length} were told to come again`);
    for (const { headers } of refused) assert.ok(headers['retry-after']);
    // That eight run at once, download.test.ts counts exactly; the host hears of a connection's end a little later.
    assert.ok(peak <= 16, `${peak} at once`);
    assert.ok(reads > 20, `only ${reads} reads were answered meanwhile`);
    assert.deepEqual(await store.imageFiles(), []);
    held = [];
  });

  test('says nothing of what is behind a forbidden address, open or closed (E22)', async () => {
    const { id } = await store.product();
    const texts = new Set<string>();
    for (const url of [
      'http://127.0.0.2/',
      'http://10.0.0.1/',
      'http://169.254.169.254/',
      `http://127.0.0.2:${new URL(address).port}/`,
      'http://[::1]:1/',
    ]) {
      const answer = await store.post(`/api/products/${id}/images`, { externalUrl: url });
      assertProblem(answer, 422);
      texts.add(answer.json.violations[0].message);
    }
    assert.equal(texts.size, 1);
  });

  test('answers after the product was deleted: no image and no file is left (E26)', async () => {
    const { id } = await store.product();
    const asked = once(host, 'held');
    const writing = store.post(`/api/products/${id}/images`, { externalUrl: address });
    await asked;
    assert.equal((await store.delete(`/api/products/${id}`)).status, 204);
    held.pop()!.end(await png());
    assertProblem(await writing, 400);
    assert.deepEqual(await store.imageFiles(), []);
  });

  test('answers after the image was deleted that it was to replace (E26)', async () => {
    const { id } = await store.product();
    const images = `/api/products/${id}/images`;
    const image = await store.made(images, await attached(png()));
    const asked = once(host, 'held');
    const writing = store.put(`${images}/${image.id}`, { externalUrl: address });
    await asked;
    assert.equal((await store.delete(`${images}/${image.id}`)).status, 204);
    held.pop()!.end(await png());
    assertProblem(await writing, 404);
    assert.equal((await fileAt(store, image.url)).status, 404);
    assert.deepEqual(await store.imageFiles(), []);
  });

  test('a product deleted while pictures are sent to it, again and again (E26)', async () => {
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
