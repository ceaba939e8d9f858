/** The category tree remains a tree under concurrent writes, and a branch is deleted as a whole (catalog.md §4). */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import sharp from 'sharp';
import { serve } from '../../src/cli/serve.ts';
import { readConfig } from '../../src/wiring/config.ts';
import { type HttpResponse, type RequestOptions, sendRequest } from '../support/client.ts';
import { run } from '../support/database-scenario.ts';
import { databaseNames, freshDatabase } from '../support/databases.ts';
import { assertProblem, assertViolations } from '../support/expect.ts';
import { whole } from '../support/fields.ts';
import { imageFilesIn } from '../support/files.ts';
import { randomFrom } from '../support/random.ts';
import { rounds } from '../support/rounds.ts';
import { NO_OUTPUT } from '../support/start-line.ts';
import { type Json, onEachDatabase, type Store } from '../support/store.ts';

const METHODS = ['move', 'PUT', 'PATCH'] as const;
type Method = (typeof METHODS)[number];

/** Sets the parent of a category with one of the three methods. */
function setParent(store: Store, method: Method, id: number, parent: number | null): Promise<HttpResponse> {
  const path = `/api/categories/${id}`;
  if (method === 'move') return store.put(`${path}/move`, { parent });
  return store.request(method, path, { body: method === 'PUT' ? { name: 'Moved', parent } : { parent } });
}

const made = async (store: Store, parent: number | null = null, fields: Json = {}): Promise<number> =>
  (await store.made('/api/categories', { name: 'Category', parent, ...fields })).id;

/** Creates a chain of categories, each below the previous one. */
async function chain(store: Store, length: number, parent: number | null = null): Promise<number[]> {
  const ids: number[] = [];
  for (let level = 0; level < length; level += 1) ids.push(await made(store, ids.at(-1) ?? parent));
  return ids;
}

async function everyCategory(store: Store): Promise<{ id: number; parent: number | null }[]> {
  const all: { id: number; parent: number | null }[] = [];
  for (let page = 1; ; page += 1) {
    const { json } = await store.get(`/api/categories?parent=all&order[id]=asc&itemsPerPage=100&page=${page}`);
    all.push(...json);
    if (json.length < 100) return all;
  }
}

/** Asserts that every category is reachable from the top level: no cycles and no deleted parents. */
async function assertTree(store: Store): Promise<void> {
  const all = await everyCategory(store);
  const reached = new Set<number | null>([null]);
  for (let size = 0; size < reached.size; ) {
    size = reached.size;
    for (const { id, parent } of all) if (reached.has(parent)) reached.add(id);
  }
  assert.deepEqual(
    all.filter(({ id }) => !reached.has(id)),
    [],
    'unreachable categories',
  );
}

onEachDatabase('moves of a category', {}, (store) => {
  test('return the category as GET does', async () => {
    const [parent, id] = [await made(store), await made(store, null, { position: 4, name: 'Mover' })];
    const earlier = await store.get(`/api/categories/${id}`);
    const response = await store.put(`/api/categories/${id}/move`, { parent, position: 9 });
    assert.equal(response.status, 200, response.text);
    const path = [{ id: parent, name: 'Category' }, ...earlier.json.path];
    const { update_date } = response.json;
    assert.deepEqual(response.json, { ...earlier.json, parent, position: 9, path, update_date });
    const read = await store.get(`/api/categories/${id}`);
    assert.deepEqual([read.text, read.headers.etag], [response.text, response.headers.etag]);
    assert.notEqual(read.headers.etag, earlier.headers.etag);
    assert.equal(response.headers.location, undefined);
  });

  const bodies: [body: Json, parent: 'one' | 'other' | null, position: number][] = [
    [{}, 'one', 4],
    [{ position: -2 }, 'one', -2],
    [{ position: 0 }, 'one', 0],
    [{ parent: 'other' }, 'other', 4],
    [{ parent: null }, null, 4],
    [{ parent: null, position: 1 }, null, 1],
    [{ parent: 'one' }, 'one', 4],
  ];
  for (const [body, parent, position] of bodies)
    test(`${JSON.stringify(body)} retains omitted fields`, async () => {
      const ids: Record<string, number> = { one: await made(store), other: await made(store) };
      const id = await made(store, ids.one!, { position: 4, enabled: false, description: 'D' });
      const earlier = await store.get(`/api/categories/${id}`);
      const sent = typeof body.parent === 'string' ? { ...body, parent: ids[body.parent] } : body;
      const response = await store.put(`/api/categories/${id}/move`, sent);
      assert.equal(response.status, 200, response.text);
      const above = parent === null ? [] : [{ id: ids[parent], name: 'Category' }];
      const path = [...above, earlier.json.path.at(-1)];
      const { update_date } = response.json;
      const moved = { parent: parent === null ? null : ids[parent], position, path, update_date };
      assert.deepEqual(response.json, { ...earlier.json, ...moved });
      const isSame = parent === 'one' && position === 4;
      assert.equal(response.headers.etag === earlier.headers.etag, isSame, 'the ETag changes exactly with the record');
    });

  const rejected: [title: string, body: unknown, path: string, code: string][] = [
    ['an unknown parent', { parent: 999999 }, 'parent', 'unknown_link'],
    ['null for a position', { position: null }, 'position', 'null'],
    ['a text for a position', { position: '1' }, 'position', 'type'],
    ['a fraction for a position', { position: 0.5 }, 'position', 'type'],
    ['another field', { name: 'N' }, 'name', 'unknown_field'],
  ];
  for (const [title, body, path, code] of rejected)
    test(`reject ${title}`, async () => {
      const id = await made(store, await made(store));
      const earlier = await store.get(`/api/categories/${id}`);
      assertViolations(await store.put(`/api/categories/${id}/move`, body), [path, code]);
      assert.equal((await store.get(`/api/categories/${id}`)).headers.etag, earlier.headers.etag);
    });

  test('check If-Match', async () => {
    const [parent, id] = [await made(store), await made(store)];
    const { etag } = (await store.get(`/api/categories/${id}`)).headers;
    assert.equal((await store.put(`/api/categories/${id}/move`, { parent }, { 'if-match': etag })).status, 200);
    assertProblem(await store.put(`/api/categories/${id}/move`, { parent: null }, { 'if-match': etag }), 412);
    assert.equal((await store.get(`/api/categories/${id}`)).json.parent, parent);
  });

  test('move the descendants without changing their versions', async () => {
    const [target, [top, ...below]] = [await made(store), await chain(store, 3)];
    const seen = () =>
      Promise.all(
        below.map(async (id) => {
          const { json, headers } = await store.get(`/api/categories/${id}`);
          const { path, ...own } = json;
          return { own, ids: path.map((each: Json) => each.id), version: headers.etag!.split('-')[0] };
        }),
      );
    const earlier = await seen();
    await setParent(store, 'move', top!, target);
    // Ancestors are not part of a category, so versions do not change.
    assert.deepEqual(
      await seen(),
      earlier.map(({ ids, ...same }) => ({ ...same, ids: [target, ...ids] })),
    );
    assert.equal((await store.get(`/api/categories?parent=${target}`)).json[0].id, top);
  });
});

onEachDatabase('parent of a category', {}, (store) => {
  const LEVELS = 4;

  for (const method of METHODS)
    for (let level = 0; level < LEVELS; level += 1)
      test(`cannot be ${level === 0 ? 'the category itself' : `a descendant ${level} below`} (${method})`, async () => {
        const ids = await chain(store, LEVELS);
        const tag = (await store.get(`/api/categories/${ids[0]}`)).headers.etag;
        const response = await setParent(store, method, ids[0]!, ids[level]!);
        assertProblem(response, 422);
        assert.deepEqual(
          response.json.violations.map((each: Json) => each.propertyPath),
          ['parent'],
        );
        assert.equal((await store.get(`/api/categories/${ids[0]}`)).headers.etag, tag);
      });

  for (const method of METHODS)
    test(`can be a sibling, an uncle or an ancestor (${method})`, async () => {
      const [top, middle, low] = await chain(store, 3);
      const [uncle, sibling] = [await made(store, top!), await made(store, middle!)];
      for (const parent of [sibling, uncle, top!, middle!, null, uncle]) {
        const response = await setParent(store, method, low!, parent);
        assert.equal(response.status, 200, response.text);
        assert.equal(response.json.parent, parent);
      }
    });

  test('can be swapped with its child in two steps', async () => {
    const [top, low] = await chain(store, 2);
    assert.equal((await setParent(store, 'PATCH', low!, null)).status, 200);
    assert.equal((await setParent(store, 'PATCH', top!, low!)).status, 200);
    assert.equal((await store.get(`/api/categories/${top}`)).json.parent, low);
    await assertTree(store);
  });

  test('is reported together with other violations', async () => {
    const [top, low] = await chain(store, 2);
    const response = await store.patch(`/api/categories/${top}`, { parent: low, name: '', clean_url: 'a b' });
    assertProblem(response, 422);
    const paths = response.json.violations.map((each: Json) => each.propertyPath);
    assert.ok(paths.includes('name') && paths.includes('clean_url'), response.text);
  });
});

const ROUNDS = rounds(8, 15);

onEachDatabase('concurrent moves', {}, (store) => {
  for (const method of METHODS)
    for (const levels of [1, 3])
      test(`never create a cycle: ${method}, ${levels} levels, ${ROUNDS} rounds`, async () => {
        for (let round = 0; round < ROUNDS; round += 1) {
          const [one, other] = [await chain(store, levels), await chain(store, levels)];
          const responses = await Promise.all([
            setParent(store, method, one[0]!, other.at(-1)!),
            setParent(store, method, other[0]!, one.at(-1)!),
          ]);
          assert.deepEqual(
            responses.map(({ status }) => status).sort(),
            [200, 422],
            responses.map(({ text }) => text).join(),
          );
          const parents = [one, other].map(async ([top]) => (await store.get(`/api/categories/${top}`)).json.parent);
          assert.equal((await Promise.all(parents)).filter((parent) => parent === null).length, 1);
        }
        await assertTree(store);
      });

  test('never create a cycle if they use different methods', async () => {
    for (const one of METHODS)
      for (const other of METHODS)
        for (let round = 0; round < rounds(2, 3); round += 1) {
          const [a, b] = [await made(store), await made(store)];
          const responses = await Promise.all([setParent(store, one, a, b), setParent(store, other, b, a)]);
          assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 422], `${one} and ${other}`);
        }
    await assertTree(store);
  });

  test('never create a cycle of four categories', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const tops = [await chain(store, 2), await chain(store, 2), await chain(store, 2), await chain(store, 2)];
      const responses = await Promise.all(
        tops.map(([top], index) =>
          setParent(store, METHODS[(round + index) % 3]!, top!, tops[(index + 1) % tops.length]![1]!),
        ),
      );
      assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 200, 200, 422]);
    }
    await assertTree(store);
  });

  test('never create a cycle in random moves', async () => {
    const ids: number[] = [];
    for (let count = 0; count < 12; count += 1) ids.push(await made(store));
    const random = randomFrom(7);
    const anyOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    for (let round = 0; round < rounds(5, 9); round += 1) {
      const responses = await Promise.all(
        Array.from({ length: 10 }, () => setParent(store, anyOf(METHODS), anyOf(ids), anyOf([null, ...ids]))),
      );
      for (const { status, text } of responses) assert.ok(status === 200 || status === 422, text);
    }
    await assertTree(store);
    assert.equal((await everyCategory(store)).filter(({ id }) => ids.includes(id)).length, ids.length);
  });
});

onEachDatabase('deletion of categories', {}, (store) => {
  const isDeleted = async (id: number): Promise<boolean> => (await store.get(`/api/categories/${id}`)).status === 404;

  test('leaves no child that is added at the same time', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [top, low] = await chain(store, 2);
      const [deleted, ...added] = await Promise.all([
        store.delete(`/api/categories/${top}`),
        store.post('/api/categories', { name: 'Late', parent: low }),
        store.post('/api/categories', { name: 'Late', parent: top }),
      ]);
      assert.equal(deleted.status, 204, deleted.text);
      for (const response of added) {
        if (response.status === 201) assert.ok(await isDeleted(response.json.id));
        else assertViolations(response, ['parent', 'unknown_link']);
      }
    }
    await assertTree(store);
  });

  for (const method of METHODS)
    test(`leaves no half of a branch that is moved in by ${method} at the same time`, async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const [doomed, [top, low]] = [await made(store), await chain(store, 2)];
        const [deleted, moved] = await Promise.all([
          store.delete(`/api/categories/${doomed}`),
          setParent(store, method, top!, doomed),
        ]);
        assert.equal(deleted.status, 204, deleted.text);
        if (moved.status !== 200) assertViolations(moved, ['parent', 'unknown_link']);
        assert.deepEqual([await isDeleted(top!), await isDeleted(low!)], Array(2).fill(moved.status === 200));
      }
      await assertTree(store);
    });

  test('deletes a branch that is moved out at the same time either completely or not at all', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const ids = await chain(store, 4);
      const [deleted, moved] = await Promise.all([
        store.delete(`/api/categories/${ids[0]}`),
        setParent(store, METHODS[round % 3]!, ids[2]!, null),
      ]);
      assert.equal(deleted.status, 204, deleted.text);
      if (moved.status !== 200) assertProblem(moved, 404);
      assert.deepEqual(await Promise.all(ids.map(isDeleted)), [true, true, moved.status === 404, moved.status === 404]);
    }
    await assertTree(store);
  });

  test('leaves no link or image that is added at the same time', async () => {
    const { id: product } = await store.product();
    for (let round = 0; round < ROUNDS; round += 1) {
      const [top, low] = await chain(store, 2);
      const [deleted, linked, icon] = await Promise.all([
        store.delete(`/api/categories/${top}`),
        store.post(`/api/categories/${low}/products`, { product_id: product }),
        store.post(`/api/categories/${low}/icon`, await imageBody(round)),
      ]);
      assert.equal(deleted.status, 204, deleted.text);
      for (const response of [linked, icon]) assert.ok([201, 400].includes(response.status), response.text);
      assert.ok(await isDeleted(low!));
    }
    assert.deepEqual(await store.imageFiles(), []);
    assert.equal((await store.get(`/api/products/${product}`)).status, 200);
  });

  test('returns 204 and 404 to two concurrent requests', async () => {
    const [top] = await chain(store, 3);
    const responses = await Promise.all([1, 2].map(() => store.delete(`/api/categories/${top}`)));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [204, 404]);
  });

  test('deletes nested branches concurrently and returns 204 for the upper one', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const ids = await chain(store, 3);
      const [top, low] = await Promise.all([ids[0], ids[2]].map((id) => store.delete(`/api/categories/${id}`)));
      assert.equal(top!.status, 204);
      assert.ok([204, 404].includes(low!.status), low!.text);
      assert.deepEqual(await Promise.all(ids.map(isDeleted)), [true, true, true]);
    }
  });
});

onEachDatabase('deleted branch', {}, (store) => {
  const ids: Record<string, number> = {};
  const urls: Record<string, string> = {};
  let product: Json;
  let productTag: string | undefined;

  before(async () => {
    product = await store.product({ name: 'Stays' });
    ids.above = await made(store);
    ids.top = await made(store, ids.above, { name: 'Top', clean_url: 'top' });
    ids.middle = await made(store, ids.top, { name: 'Middle', clean_url: 'middle' });
    ids.low = await made(store, ids.middle, { name: 'Low', clean_url: 'low' });
    ids.sibling = await made(store, ids.above, { name: 'Sibling' });
    await store.patch(`/api/categories/${ids.low}`, { name: 'Unten' }, { 'accept-language': 'de' });
    let color = 1;
    for (const level of ['top', 'middle', 'low'])
      for (const which of ['icon', 'banner']) {
        color += 1;
        urls[`${level} ${which}`] = (
          await store.made(`/api/categories/${ids[level]}/${which}`, await imageBody(color))
        ).url;
      }
    const shared = await imageBody(100);
    urls.shared = (await store.made(`/api/products/${product.id}/images`, shared)).url;
    const { url } = await store.made(`/api/categories/${ids.sibling}/icon`, shared);
    assert.equal(url, urls.shared);
    await store.made(`/api/categories/${ids.low}/icon`, shared);
    for (const level of ['top', 'low', 'sibling'])
      await store.made(`/api/categories/${ids[level]}/products`, { product_id: product.id });
    productTag = (await store.get(`/api/products/${product.id}`)).headers.etag;
    // The icon of “low” was replaced by the shared image.
    delete urls['low icon'];
    for (const url of Object.values(urls)) assert.equal(await statusOf(url), 200);
    assert.equal((await store.delete(`/api/categories/${ids.top}`)).status, 204);
  });

  for (const level of ['top', 'middle', 'low'])
    test(`includes “${level}” with its icon, banner and links`, async () => {
      const path = `/api/categories/${ids[level]}`;
      assertProblem(await store.get(path), 404);
      for (const part of ['icon', 'banner', 'products', `products/${product.id}`])
        assertProblem(await store.get(`${path}/${part}`), 400);
      assert.deepEqual((await store.get(`/api/categories?parent=${ids[level]}`)).json, []);
      assert.deepEqual((await store.get(`/api/products?category=${ids[level]}`)).json, []);
    });

  test('deletes its files except those that other images use', async () => {
    await store.settled();
    for (const [title, url] of Object.entries(urls))
      assert.equal(await statusOf(url), title === 'shared' ? 200 : 404, title);
    assert.equal((await store.imageFiles()).length, 1);
  });

  test('leaves its products, siblings and ancestors unchanged', async () => {
    const read = await store.get(`/api/products/${product.id}`);
    assert.equal(read.status, 200);
    assert.equal(read.headers.etag, productTag);
    assert.deepEqual((await store.get(`/api/categories/${ids.sibling}/products`)).json, [
      whole('CategoryProduct', { product_id: product.id, position: 0 }),
    ]);
    const { json } = await store.get(`/api/categories/${ids.above}/stats`);
    assert.deepEqual(json, { subcategories_count_all: 1, subcategories_count_enabled: 1, products_count: 0 });
  });

  test('frees its clean URLs', async () => {
    for (const clean_url of ['top', 'middle', 'low'])
      assert.equal((await store.product({ clean_url })).clean_url, clean_url);
  });
});

onEachDatabase('category stats', {}, (store) => {
  test('count direct children and products', async () => {
    const id = await made(store);
    const stats = async () => {
      const response = await store.get(`/api/categories/${id}/stats`);
      assert.equal(response.status, 200, response.text);
      assert.ok(response.headers.etag);
      const { subcategories_count_all, subcategories_count_enabled, products_count, ...rest } = response.json;
      assert.deepEqual(rest, {});
      return [subcategories_count_all, subcategories_count_enabled, products_count];
    };
    assert.deepEqual(await stats(), [0, 0, 0]);
    const child = await made(store, id);
    await made(store, id, { enabled: false });
    await made(store, child);
    assert.deepEqual(await stats(), [2, 1, 0]);
    const { id: one } = await store.product();
    const { id: disabled } = await store.product({ enabled: false });
    for (const product_id of [one, disabled]) await store.made(`/api/categories/${id}/products`, { product_id });
    await store.made(`/api/categories/${child}/products`, { product_id: one });
    assert.deepEqual(await stats(), [2, 1, 2]);
    await store.delete(`/api/categories/${child}`);
    await store.delete(`/api/products/${one}`);
    assert.deepEqual(await stats(), [1, 0, 1]);
  });

  test('support conditional requests', async () => {
    const path = `/api/categories/${await made(store)}/stats`;
    const { etag } = (await store.get(path)).headers;
    assert.equal((await store.get(path, { 'if-none-match': etag })).status, 304);
  });
});

const CATEGORIES = 10_000;
const DEPTH = 50;

for (const name of databaseNames)
  describe(`${CATEGORIES} categories, ${DEPTH} deep (${name})`, () => {
    test('are deleted with their files in one request', async () => {
      const fresh = await freshDatabase(name);
      const folder = await mkdtemp(join(tmpdir(), 'purveyor-images-'));
      const key = 'key-of-the-large-tree';
      const environment = {
        PORT: '0',
        API_KEY_READ_WRITE: key,
        LOG_LEVEL: 'silent',
        DATABASE_URL: fresh.url,
        IMAGES_URL: `file:${folder}`,
      };
      const server = await serve(readConfig(environment), environment, NO_OUTPUT);
      const database = await fresh.open();
      const send = (method: string, path: string, options: RequestOptions = {}) =>
        sendRequest(server.address, method, path, { key, ...options });
      const total = async (query: string) =>
        Number((await send('GET', `/api/categories?${query}&itemsPerPage=1`)).headers['x-total-count']);
      try {
        const post = async (path: string, body: Json) => {
          const response = await send('POST', path, { body });
          assert.equal(response.status, 201, response.text);
          return response.json;
        };
        const { id: other } = await post('/api/categories', { name: 'Stays' });
        const { id: root } = await post('/api/categories', { name: 'Root', position: 1 });
        const { id: product } = await post('/api/products', { sku: 'A', name: 'Stays' });
        const width = CATEGORIES / DEPTH;
        for (let index = 0; index < width; index += 1)
          await post('/api/categories', { name: `Branch ${index}`, parent: root, position: 2 });
        // Each level below the first is a copy of the one above; `position` is its depth.
        for (let level = 2; level <= DEPTH; level += 1) {
          await run(
            database,
            sql`insert into category (enabled, show_title, position, parent_id, clean_url)
              select enabled, show_title, position + 1, id, clean_url || 'x' from category where position = ${sql.lit(level)}`,
          );
          await run(
            database,
            sql`insert into category_text (category_id, language, name, name_key)
              select id, 'en', 'Copy', 'copy' from category where position = ${sql.lit(level + 1)}`,
          );
        }
        await run(
          database,
          sql`insert into unique_clean_url (text, category_id)
            select clean_url, id from category where position > ${sql.lit(2)}`,
        );
        assert.equal(await total('parent=all'), CATEGORIES + 2);
        const deepest = await send('GET', '/api/categories?parent=all&order[position]=desc&itemsPerPage=3');
        const [one, two, three] = deepest.json;
        assert.equal(one.position, DEPTH + 1);
        const urls = [
          (await post(`/api/categories/${one.id}/icon`, await imageBody(1))).url,
          (await post(`/api/categories/${two.id}/banner`, await imageBody(2))).url,
        ];
        for (const { id } of [one, three]) await post(`/api/categories/${id}/products`, { product_id: product });
        assertViolations(await send('PUT', `/api/categories/${root}/move`, { body: { parent: one.id } }), [
          'parent',
          'conflict',
        ]);

        let isRunning = true;
        const deleting = send('DELETE', `/api/categories/${root}`).finally(() => {
          isRunning = false;
        });
        const seen = new Set<number>();
        while (isRunning) {
          // On a slow machine, lists can be rejected during such a long write.
          const { status, headers } = await send('GET', '/api/categories?parent=all&itemsPerPage=1');
          if (status === 503) await sleep(100);
          else seen.add(Number(headers['x-total-count']));
        }
        const deleted = await deleting;
        assert.deepEqual([deleted.status, deleted.text], [204, '']);
        for (const count of seen) assert.ok(count === 1 || count === CATEGORIES + 2, `partially deleted: ${count}`);

        const { json } = await send('GET', '/api/categories?parent=all');
        assert.deepEqual(
          json.map(({ id }: { id: number }) => id),
          [other],
        );
        await server.settled();
        for (const url of urls) assert.equal(await statusOf(url), 404);
        assert.deepEqual(await imageFilesIn(folder), []);
        assert.equal((await send('GET', `/api/products/${product}`)).status, 200);
        assert.equal((await post('/api/categories', { name: 'N', clean_url: one.clean_url })).clean_url, one.clean_url);
      } finally {
        await server.stop();
        await database.close();
        await fresh.remove();
        await rm(folder, { recursive: true });
      }
    });
  });

/** An image of its own color, as an upload body. */
async function imageBody(color: number): Promise<Json> {
  const background = { r: color, g: 80, b: 160 };
  const bytes = await sharp({ create: { width: 4, height: 3, channels: 3, background } })
    .png()
    .toBuffer();
  return { attachment: bytes.toString('base64'), filename: 'picture.png' };
}

async function statusOf(url: string): Promise<number> {
  const { origin, pathname } = new URL(url);
  return (await sendRequest(origin, 'GET', pathname, {})).status;
}
