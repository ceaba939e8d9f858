/** Image files exist exactly as long as an image uses their bytes (catalog.md §2). */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { assertProblem } from '../support/expect.ts';
import { attached, fileAt, png } from '../support/images.ts';
import { startServers } from '../support/orders.ts';
import { onEachDatabase } from '../support/store.ts';

onEachDatabase('image files', {}, (store) => {
  const add = async (product: number, bytes: Buffer) =>
    store.made(`/api/products/${product}/images`, await attached(bytes));

  test('ignore Accept and have no Vary header', async () => {
    const { id } = await store.product();
    const { url } = await add(id, await png());
    const missing = `${new URL(url).origin}/images/${'0'.repeat(64)}.png`;
    for (const accept of [
      undefined,
      'text/html',
      'application/ld+json',
      'image/avif',
      'image/*;q=0',
      '*/*;q=0',
      ';;=',
      'x',
    ])
      for (const [address, status, type] of [
        [url, 200, /^image\/png$/],
        [missing, 404, /^application\/problem\+json/],
      ] as const) {
        const response = await fileAt(store, address, { accept });
        assert.equal(response.status, status, `${accept}: ${response.text}`);
        assert.match(response.headers['content-type']!, type);
        assert.equal(response.headers.vary, undefined);
      }
    const { headers } = await fileAt(store, url);
    const unchanged = await fileAt(store, url, { accept: 'text/html', 'if-none-match': headers.etag });
    assert.deepEqual([unchanged.status, unchanged.headers.vary], [304, undefined]);
    await store.delete(`/api/products/${id}`);
  });

  test('are deleted together with their image', async () => {
    const { id } = await store.product();
    const image = await add(id, await png());
    assert.equal((await store.delete(`/api/products/${id}/images/${image.id}`)).status, 204);
    assert.equal((await fileAt(store, image.url)).status, 404);
    assertProblem(await store.get(`/api/products/${id}/images/${image.id}`), 404);
    assert.deepEqual((await store.get(`/api/products/${id}`)).json.images, []);
    assert.deepEqual(await store.imageFiles(), []);
  });

  test('are deleted immediately, before the hourly sweep', { timeout: 30_000 }, async () => {
    const { id } = await store.product();
    const image = await add(id, await png());
    await store.delete(`/api/products/${id}/images/${image.id}`);
    const { pathname } = new URL(image.url);
    while ((await store.get(pathname)).status !== 404) await sleep(10);
  });

  test('are deleted together with their product', async () => {
    const { id } = await store.product();
    const remaining = await add((await store.product()).id, await png());
    const deleted = [await add(id, await png()), await add(id, await png())];
    assert.equal((await store.imageFiles()).length, 3);
    assert.equal((await store.delete(`/api/products/${id}`)).status, 204);
    for (const { url } of deleted) assert.equal((await fileAt(store, url)).status, 404);
    assert.equal((await fileAt(store, remaining.url)).status, 200);
    assert.equal((await store.imageFiles()).length, 1);
    assertProblem(await store.get(`/api/products/${id}/images`), 400);
  });

  test('are shared by images of the same bytes until the last one is deleted', async () => {
    const files = (await store.imageFiles()).length;
    const bytes = await png();
    const [one, other] = [(await store.product()).id, (await store.product()).id];
    const images = [await add(one, bytes), await add(one, bytes), await add(other, bytes)];
    assert.equal(new Set(images.map(({ url }) => url)).size, 1);
    assert.equal((await store.imageFiles()).length, files + 1);
    await store.delete(`/api/products/${one}/images/${images[0].id}`);
    await store.delete(`/api/products/${one}`);
    assert.equal((await fileAt(store, images[2].url)).status, 200);
    await store.put(`/api/products/${other}/images/${images[2].id}`, await attached(bytes));
    assert.equal((await fileAt(store, images[2].url)).status, 200);
    await store.put(`/api/products/${other}/images/${images[2].id}`, await attached(png()));
    assert.equal((await fileAt(store, images[2].url)).status, 404);
    assert.equal((await store.imageFiles()).length, files + 1);
  });

  test('are not found under other names', async () => {
    const { url } = await add((await store.product()).id, await png());
    const { pathname } = new URL(url);
    const others = [
      ...[`${pathname}x`, pathname.toUpperCase(), pathname.slice(0, -4), pathname.replace('.png', '.jpg')],
      ...[`${pathname}//`, pathname.replace('/images/', '/images//'), '/images/', '/images', '/images/..%2fstore.db'],
      ...[
        '/images/../store.db',
        '/images/%2e%2e/%2e%2e/etc/passwd',
        '/images/..%5c..%5cetc',
        `${pathname}%00`,
        '/images/%00',
      ],
      ...[
        '/images/.png',
        '/images/%2fetc%2fpasswd',
        '/images/....//....//etc/passwd',
        `/images/${'a'.repeat(300)}.png`,
      ],
    ];
    for (const path of others) {
      const response = await store.request('GET', path, { key: null });
      assert.ok(
        response.status === 404 || response.status === 401 || response.status === 400,
        `${path}: ${response.status}`,
      );
      assert.doesNotMatch(response.text, /root:/);
    }
  });
});

/** Only on PostgreSQL can a test hold a lock; SQLite serializes whole transactions. */
describe('removal of an unused file (postgres)', () => {
  test('is skipped if the same bytes were uploaded while it waited', async () => {
    const servers = await startServers('postgres', 1);
    const holder = new pg.Client({ connectionString: servers.database.url });
    try {
      await holder.connect();
      const product = async (sku: string): Promise<string> => {
        const { json } = await servers.send(0, 'POST', '/api/products', { body: { sku, name: sku } });
        return `/api/products/${json.id}/images`;
      };
      const [one, other] = [await product('ONE'), await product('OTHER')];
      const body = await attached(png());
      const first = (await servers.send(0, 'POST', one, { body })).json;
      const { pathname } = new URL(first.url);
      await holder.query('select pg_advisory_lock(hashtextextended($1, 0))', [`file ${pathname.split('/').at(-1)}`]);
      // The sweep and the upload of the same bytes both wait for the lock of the file.
      assert.equal((await servers.send(0, 'DELETE', `${one}/${first.id}`)).status, 204);
      await untilWaiting(holder, 1);
      const upload = servers.send(0, 'POST', other, { body });
      await untilWaiting(holder, 2);
      await holder.query('select pg_advisory_unlock_all()');
      assert.equal((await upload).status, 201);
      assert.equal((await servers.send(0, 'GET', pathname)).status, 200, 'the file of the second image exists');
    } finally {
      await holder.end();
      await servers.stop();
    }
  });

  async function untilWaiting(client: pg.Client, count: number): Promise<void> {
    const waiting = `select count(*)::int as count from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`;
    for (let tries = 0; (await client.query(waiting)).rows[0].count < count; tries += 1) {
      assert.ok(tries < 1000, `${count} transactions wait for a lock`);
      await sleep(10);
    }
  }
});
