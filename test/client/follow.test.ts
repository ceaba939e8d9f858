/** The client follows the changes of a store. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type ChangeEntry, type Client, CursorGone, createClient } from '../../src/client/index.ts';
import { freshDatabase } from '../support/databases.ts';
import { freePort } from '../support/postgres-server.ts';
import { onEachDatabase, READ_ONLY_KEY, READ_WRITE_KEY, Store } from '../support/store.ts';

const told = (entries: readonly ChangeEntry[]): string[] =>
  entries.map(({ resource, id, action, version }) => `${resource} ${id} ${action} ${version}`);

onEachDatabase('following', {}, (store) => {
  let client: Client;
  before(() => {
    client = createClient({ baseUrl: store.address, key: READ_ONLY_KEY });
  });

  test('a follower begins with the whole store and goes on with its changes', async () => {
    const made = [await store.product(), await store.product(), await store.product()];
    const copy = new Map<string, unknown>();
    let isChanged = false;
    let last = '';
    for await (const page of client.follow({ withRecords: true, resources: ['Product'], limit: 2 })) {
      for (const { path, record } of page.entries) {
        if (record) copy.set(path, record);
        else copy.delete(path);
      }
      last = page.cursor;
      if (isChanged && page.entries.length > 0) break;
      if (!page.isCaughtUp) continue;
      assert.equal(copy.size, made.length);
      await store.delete(`/api/products/${made[0].id}`);
      await store.patch(`/api/products/${made[1].id}`, { price: 7 });
      isChanged = true;
    }
    const resumed: ChangeEntry[] = [];
    await store.patch(`/api/products/${made[2].id}`, { price: 8 });
    for await (const { entries } of client.follow({ since: last, resources: ['Product'] })) {
      resumed.push(...entries);
      if (told(resumed).includes(`Product ${made[2].id} updated 2`)) break;
    }
    for (const { path, action } of resumed) {
      if (action === 'deleted') copy.delete(path);
      else copy.set(path, (await store.get(path)).json);
    }
    const all = (await store.get('/api/products')).json as { id: number }[];
    assert.deepEqual(copy, new Map(all.map((product) => [`/api/products/${product.id}`, product])));
  });

  test('nothing is asked for before the caller comes for it', async () => {
    let asked = 0;
    const { fetch } = globalThis;
    globalThis.fetch = (...sent) => {
      asked += 1;
      return fetch(...sent);
    };
    try {
      const pages = client.follow({ limit: 1 })[Symbol.asyncIterator]();
      assert.equal(asked, 0);
      for (let number = 1; number <= 3; number += 1) {
        const { value } = await pages.next();
        assert.deepEqual([value.entries.length, asked], [1, number]);
      }
    } finally {
      globalThis.fetch = fetch;
    }
  });

  test('the place of now comes before the first change, and waiting ends when its caller says so', async () => {
    const ended = new AbortController();
    const pages = client.follow({ since: 'now', signal: ended.signal })[Symbol.asyncIterator]();
    const { value } = await pages.next();
    assert.deepEqual([value.entries, value.isCaughtUp], [[], true]);
    const next = pages.next();
    const { id } = await store.product();
    assert.deepEqual(told((await next).value.entries), [`Product ${id} created 1`]);
    const waiting = pages.next();
    ended.abort(new Error('enough'));
    await assert.rejects(waiting, /enough/);
    const again = await client.follow({ since: value.cursor })[Symbol.asyncIterator]().next();
    assert.deepEqual(told(again.value.entries), [`Product ${id} created 1`]);
  });

  test('a cursor of another history is an error of its own', async () => {
    const since = Buffer.from('another 0,5,6').toString('base64url');
    await assert.rejects(
      client.follow({ since })[Symbol.asyncIterator]().next(),
      (error) => error instanceof CursorGone && error.cursor === since && error.cause.status === 410,
    );
    await assert.rejects(client.follow({ since: 'yesterday' })[Symbol.asyncIterator]().next(), /"after" should be/);
  });
});

test('a follower outlives its server', async () => {
  const fresh = await freshDatabase('sqlite', 'migrated');
  const images = fresh.url.replace('sqlite:', 'file:').replace('store.db', 'images');
  const settings = { PORT: String(await freePort()), DATABASE_URL: fresh.url, IMAGES_URL: images };
  const store = new Store('sqlite', settings);
  await store.start();
  const client = createClient({ baseUrl: store.address, key: READ_WRITE_KEY, retriesMax: 0, firstWaitSeconds: 0.05 });
  const pages = client.follow({ since: 'now' })[Symbol.asyncIterator]();
  await pages.next();
  const next = pages.next();
  await store.stop();
  await new Promise((resolve) => setTimeout(resolve, 300));
  await store.start();
  const { id } = await store.product();
  assert.deepEqual(told((await next).value.entries), [`Product ${id} created 1`]);
  await store.stop();
  await fresh.remove();
});
