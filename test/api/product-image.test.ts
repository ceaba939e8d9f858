/** Images as parts of a product: order, versions, changes and parents (catalog.md §2). */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { assertProblem, assertUnchanged, assertViolations } from '../support/expect.ts';
import { attached, fileAt, png } from '../support/images.ts';
import { nextSecond } from '../support/next-second.ts';
import { onEachDatabase } from '../support/store.ts';

onEachDatabase('product images', {}, (store) => {
  test('are sorted by position, then id, alone and in the product', async () => {
    const { id } = await store.product();
    const path = `/api/products/${id}`;
    const ids: number[] = [];
    for (const position of [5, 0, 5, -1])
      ids.push((await store.made(`${path}/images`, await attached(png(), { position }))).id);
    const [a, b, c, d] = ids;
    const order = async () => {
      const collection = (await store.get(`${path}/images`)).json;
      assert.deepEqual((await store.get(path)).json.images, collection);
      return idsOf(collection);
    };
    assert.deepEqual(await order(), [d, b, a, c]);
    await store.patch(`${path}/images/${c}`, { position: -2 });
    assert.deepEqual(await order(), [c, d, b, a]);
    assert.deepEqual(idsOf((await store.get(`${path}/images?order[id]=desc`)).json), [d, c, b, a]);
    assert.deepEqual(idsOf((await store.get(`${path}/images?id[]=${a}&id[]=${b}&order[position]=desc`)).json), [a, b]);
    assert.equal((await store.get(`/api/products?id=${id}`)).json[0].images.length, 4);
  });

  test('change the version of the product', async () => {
    const { id } = await store.product();
    const path = `/api/products/${id}`;
    let before = await store.get(path);
    const created = before;
    const assertChanged = async (change: () => Promise<{ status: number; text: string }>) => {
      const response = await change();
      assert.ok(response.status < 300, response.text);
      const now = await store.get(path);
      assert.ok(versionOf(now.headers.etag) > versionOf(before.headers.etag));
      before = now;
    };
    const body = await attached(png());
    await nextSecond();
    await assertChanged(() => store.post(`${path}/images`, body));
    assert.ok(before.json.update_date > created.json.update_date);
    const image = `${path}/images/${before.json.images[0].id}`;
    await assertChanged(() => store.patch(image, { alt: 'New' }));
    await assertChanged(() => store.put(image, { position: 4 }));
    const unchanged = await store.patch(image, { position: 4 });
    assert.equal(unchanged.status, 200);
    assert.equal((await store.get(path)).headers.etag, before.headers.etag);
    await assertChanged(() => store.delete(image));
  });

  test('have their own versions', async () => {
    const { id } = await store.product();
    const images = `/api/products/${id}/images`;
    const [one, other] = [
      await store.post(images, await attached(png())),
      await store.post(images, await attached(png())),
    ];
    const path = `${images}/${one.json.id}`;
    const changed = await store.patch(path, { alt: 'x' }, { 'if-match': one.headers.etag });
    assert.equal(versionOf(changed.headers.etag), versionOf(one.headers.etag) + 1);
    assert.equal((await store.get(`${images}/${other.json.id}`)).headers.etag, other.headers.etag);
    assertProblem(await store.delete(path, { 'if-match': one.headers.etag }), 412);
    assert.equal((await store.delete(path, { 'if-match': changed.headers.etag })).status, 204);
  });

  test('can be sent back as read without a change', async () => {
    const { id } = await store.product();
    const image = await store.made(`/api/products/${id}/images`, await attached(png(), { alt: 'A', position: 2 }));
    const path = `/api/products/${id}/images/${image.id}`;
    await assertUnchanged(store, async () => {
      for (const method of ['PUT', 'PATCH']) {
        const response = await store.request(method, path, { body: image });
        assert.deepEqual([response.status, response.json], [200, image]);
      }
      assertViolations(
        await store.patch(path, { url: 'http://evil.example/x.png', width: 1, height: 1 }),
        ...['url', 'width', 'height'].map((name): [string, string] => [name, 'read_only']),
      );
    });
  });

  test('are replaced by PUT and merged by PATCH', async () => {
    const { id } = await store.product();
    const image = await store.made(`/api/products/${id}/images`, await attached(png(), { alt: 'A', position: 2 }));
    const path = `/api/products/${id}/images/${image.id}`;
    assert.deepEqual((await store.patch(path, { alt: 'B' })).json, { ...image, alt: 'B' });
    assert.deepEqual((await store.put(path, { position: 7 })).json, { ...image, alt: '', position: 7 });
    assert.deepEqual((await store.put(path, {})).json, { ...image, alt: '', position: 0 });
    assert.deepEqual((await store.put(path, { alt: '', position: 0 })).json, { ...image, alt: '', position: 0 });
  });

  for (const method of ['PUT', 'PATCH'])
    test(`replace their file in a ${method} with a source`, async () => {
      const { id } = await store.product();
      const image = await store.made(`/api/products/${id}/images`, await attached(png(60, 40)));
      const path = `/api/products/${id}/images/${image.id}`;
      const bytes = await png(20, 10);
      const { status, json } = await store.request(method, path, { body: await attached(bytes, { alt: 'New' }) });
      assert.deepEqual([status, json.id, json.width, json.height, json.alt], [200, image.id, 20, 10, 'New']);
      assert.notEqual(json.url, image.url);
      assert.ok((await fileAt(store, json.url)).bytes.equals(bytes));
      assert.equal((await fileAt(store, image.url)).status, 404);
      await assertUnchanged(store, async () => {
        assertViolations(await store.request(method, path, { body: await attached(Buffer.from('no picture')) }), [
          'attachment',
          'file',
        ]);
        assertViolations(await store.request(method, path, { body: { attachment: 'AAAA' } }), ['filename', 'required']);
      });
    });
});

onEachDatabase('parents of product images', {}, (store) => {
  let image: string;
  let other: string;
  before(async () => {
    const [one, two] = [(await store.product()).id, (await store.product()).id];
    const { id } = await store.made(`/api/products/${one}/images`, await attached(png(), { alt: 'Mine' }));
    image = `/api/products/${one}/images/${id}`;
    other = `/api/products/${two}/images/${id}`;
  });

  test('return 404 for an image of another product', () =>
    assertUnchanged(store, async () => {
      assertProblem(await store.get(other), 404);
      assertProblem(await store.put(other, { alt: 'Stolen' }), 404);
      assertProblem(await store.patch(other, { alt: 'Stolen' }), 404);
      assertProblem(await store.delete(other), 404);
    }));

  test('return 404 for an unknown image', () =>
    assertUnchanged(store, async () => {
      const path = image.replace(/\d+$/, '999999');
      for (const method of ['GET', 'DELETE']) assertProblem(await store.request(method, path), 404);
      for (const method of ['PUT', 'PATCH'])
        assertProblem(await store.request(method, path, { body: { alt: 'x' } }), 404);
    }));

  test('return 400 for an unknown product', () =>
    assertUnchanged(store, async () => {
      const images = '/api/products/999999/images';
      assertProblem(await store.get(images), 400);
      assertProblem(await store.get(`${images}?page=2`), 400);
      assertProblem(await store.post(images, await attached(png())), 400);
      for (const method of ['GET', 'DELETE']) assertProblem(await store.request(method, `${images}/1`), 400);
      for (const method of ['PUT', 'PATCH'])
        assertProblem(await store.request(method, `${images}/1`, { body: { alt: 'x' } }), 400);
      assertProblem(await store.delete(`${images}/1`, { 'if-match': '*' }), 400);
    }));
});

describe('limit of product images', () => {
  onEachDatabase('per product', {}, (store) => {
    test('is 250', async () => {
      const { id } = await store.product();
      const images = `/api/products/${id}/images`;
      const body = await attached(png(1, 1));
      for (let count = 0; count < 250; count += 10)
        await Promise.all(Array.from({ length: 10 }, () => store.made(images, body)));
      assert.equal((await store.get(images)).headers['x-total-count'], '250');
      assert.equal((await store.get(`/api/products/${id}`)).json.images.length, 250);
      await assertUnchanged(store, async () => assertProblem(await store.post(images, body), 422));
    });
  });
});

function idsOf(records: readonly { id: number }[]): number[] {
  return records.map(({ id }) => id);
}

function versionOf(etag: string | undefined): number {
  return Number(/^"(\d+)-/.exec(etag ?? '')?.[1]);
}
