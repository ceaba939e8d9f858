/** The client's `follow`: reading the change feed. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type ChangeEntry, type Client, CursorGone, createClient } from '../../src/client/index.ts';
import { freshDatabase } from '../support/databases.ts';
import { freePort } from '../support/postgres-server.ts';
import { onEachDatabase, READ_ONLY_KEY, READ_WRITE_KEY, Store } from '../support/store.ts';

const summaries = (entries: readonly ChangeEntry[]): string[] =>
  entries.map(({ resource, id, action, version }) => `${resource} ${id} ${action} ${version}`);

onEachDatabase('following', {}, (store) => {
  let client: Client;
  before(() => {
    client = createClient({ baseUrl: store.address, key: READ_ONLY_KEY });
  });

  test('yields all records, then later changes, and resumes at a cursor', async () => {
    const products = [await store.product(), await store.product(), await store.product()];
    const copy = new Map<string, unknown>();
    const cursor = await copyAndChange(copy, products);
    await store.patch(`/api/products/${products[2].id}`, { price: 8 });
    for (const { path, action } of await changesUntil(cursor, `Product ${products[2].id} updated 2`)) {
      if (action === 'deleted') copy.delete(path);
      else copy.set(path, (await store.get(path)).json);
    }
    const all = (await store.get('/api/products')).json as { id: number }[];
    assert.deepEqual(copy, new Map(all.map((product) => [`/api/products/${product.id}`, product])));
  });

  /** Copies all products, changes two of them when the copy is complete, and stops after a page with changes. */
  async function copyAndChange(copy: Map<string, unknown>, products: readonly { id: number }[]): Promise<string> {
    let isChanged = false;
    for await (const page of client.follow({ withRecords: true, resources: ['Product'], limit: 2 })) {
      for (const { path, record } of page.entries) {
        if (record) copy.set(path, record);
        else copy.delete(path);
      }
      if (isChanged && page.entries.length > 0) return page.cursor;
      if (!page.isCaughtUp) continue;
      assert.equal(copy.size, products.length);
      await store.delete(`/api/products/${products[0]!.id}`);
      await store.patch(`/api/products/${products[1]!.id}`, { price: 7 });
      isChanged = true;
    }
    return assert.fail('the feed ended');
  }

  async function changesUntil(since: string, last: string): Promise<ChangeEntry[]> {
    const changes: ChangeEntry[] = [];
    for await (const { entries } of client.follow({ since, resources: ['Product'] })) {
      changes.push(...entries);
      if (summaries(changes).includes(last)) break;
    }
    return changes;
  }
});

onEachDatabase('requests of a follower', {}, (store) => {
  let client: Client;
  before(async () => {
    client = createClient({ baseUrl: store.address, key: READ_ONLY_KEY });
    for (let count = 0; count < 3; count += 1) await store.product();
  });

  test('sends no request before the caller needs the next page', async () => {
    let requests = 0;
    const { fetch } = globalThis;
    globalThis.fetch = (...sent) => {
      requests += 1;
      return fetch(...sent);
    };
    try {
      const pages = client.follow({ limit: 1 })[Symbol.asyncIterator]();
      assert.equal(requests, 0);
      for (let number = 1; number <= 3; number += 1) {
        const { value } = await pages.next();
        assert.deepEqual([value.entries.length, requests], [1, number]);
      }
    } finally {
      globalThis.fetch = fetch;
    }
  });

  test('starts at `now` before the first change, and stops waiting when the caller aborts', async () => {
    const ended = new AbortController();
    const pages = client.follow({ since: 'now', signal: ended.signal })[Symbol.asyncIterator]();
    const { value } = await pages.next();
    assert.deepEqual([value.entries, value.isCaughtUp], [[], true]);
    const next = pages.next();
    const { id } = await store.product();
    assert.deepEqual(summaries((await next).value.entries), [`Product ${id} created 1`]);
    const waiting = pages.next();
    ended.abort(new Error('enough'));
    await assert.rejects(waiting, /enough/);
    const again = await client.follow({ since: value.cursor })[Symbol.asyncIterator]().next();
    assert.deepEqual(summaries(again.value.entries), [`Product ${id} created 1`]);
  });

  test('onChange gets all changes in order, and stop() resolves after its last call', async () => {
    const { cursor } = (await client.follow({ since: 'now' })[Symbol.asyncIterator]().next()).value;
    const seen: string[] = [];
    let running = 0;
    let called = Promise.withResolvers<void>();
    const following = client.follow({
      since: cursor,
      limit: 1,
      async onChange({ entries, cursor: after, isCaughtUp }) {
        running += 1;
        assert.equal(running, 1, 'one call at a time');
        await new Promise((resolve) => setImmediate(resolve));
        seen.push(...summaries(entries));
        assert.deepEqual([typeof after, typeof isCaughtUp], ['string', 'boolean']);
        running -= 1;
        called.resolve();
      },
    });
    const ids: number[] = [];
    while (ids.length < 3) {
      called = Promise.withResolvers<void>();
      ids.push((await store.product()).id);
      await called.promise;
    }
    await following.stop();
    await following.done;
    assert.equal(running, 0);
    await store.product();
    assert.deepEqual(
      seen,
      ids.map((id) => `Product ${id} created 1`),
    );
  });

  test('stop() waits for a running call of onChange', async () => {
    const started = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    let isFinished = false;
    const following = client.follow({
      async onChange() {
        started.resolve();
        await release.promise;
        isFinished = true;
      },
    });
    await started.promise;
    const stopped = following.stop().then(() => assert.ok(isFinished));
    release.resolve();
    await stopped;
    await following.done;
  });

  test('reports an error of onChange or of the feed in done, and an abort by the caller as an end', async () => {
    const failing = client.follow({
      onChange() {
        throw new Error('full disk');
      },
    });
    await assert.rejects(failing.done, /full disk/);
    await failing.stop();
    await assert.rejects(client.follow({ since: 'yesterday', onChange: () => {} }).done, /"after" must be/);
    const since = Buffer.from('another 0,5,6').toString('base64url');
    await assert.rejects(client.follow({ since, onChange: () => {} }).done, CursorGone);
    const ended = new AbortController();
    const following = client.follow({ since: 'now', signal: ended.signal, onChange: () => ended.abort() });
    await following.done;
  });

  test('throws CursorGone for a cursor of another history of the store', async () => {
    const since = Buffer.from('another 0,5,6').toString('base64url');
    await assert.rejects(
      client.follow({ since })[Symbol.asyncIterator]().next(),
      (error) => error instanceof CursorGone && error.cursor === since && error.cause.status === 410,
    );
    await assert.rejects(client.follow({ since: 'yesterday' })[Symbol.asyncIterator]().next(), /"after" must be/);
  });
});

test('a follower continues after a restart of the server', async () => {
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
  assert.deepEqual(summaries((await next).value.entries), [`Product ${id} created 1`]);
  await store.stop();
  await fresh.remove();
});
