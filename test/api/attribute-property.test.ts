/** The position of an attribute within one product: a singleton with two parents (catalog.md §9). */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { assertProblem, assertViolations, type ExpectedViolation } from '../support/expect.ts';
import { whole } from '../support/fields.ts';
import { type Json, onEachDatabase } from '../support/store.ts';

/** Attributes that product 1 has: of every kind, global, of its class and its own. */
const ATTRIBUTES = [
  '/api/attributes_text',
  '/api/attributes_checkbox',
  '/api/attributes_select',
  '/api/attributes_hidden',
  '/api/product_classes/1/attributes_select',
  '/api/products/1/attributes_text',
];

onEachDatabase('attribute properties', {}, (store) => {
  before(async () => {
    for (const name of ['Shirts', 'Hats']) await store.made('/api/product_classes', { name });
    await store.product({ product_class: 'Shirts' });
    await store.product({ product_class: 'Hats' });
  });
  const newPath = async (attributes: string): Promise<string> =>
    `/api/products/1/attributes/${(await store.made(attributes, { name: 'Attribute' })).id}/property`;

  for (const attributes of ATTRIBUTES)
    describe(`of attributes at ${attributes}`, () => {
      test('returns 404 before the property is created', async () => {
        const path = await newPath(attributes);
        assertProblem(await store.get(path), 404);
        assertProblem(await store.put(path, { position: 1 }), 404);
        assertProblem(await store.patch(path, { position: 1 }), 404);
        assertProblem(await store.get(path), 404);
      });

      test('creates the property once at its own path, then reads, replaces and updates it', async () => {
        const path = await newPath(attributes);
        const created = await store.post(path, { position: 4 });
        assert.equal(created.status, 201, created.text);
        const { id } = created.json;
        assert.ok(Number.isInteger(id));
        assert.deepEqual(created.json, whole('AttributeProperty', { id, position: 4 }));
        assert.equal(created.headers.location, `${store.address}${path}`);
        const read = await store.get(path);
        assert.deepEqual([read.text, read.headers.etag], [created.text, created.headers.etag]);
        assertProblem(await store.post(path, { position: 5 }), 409);
        assert.equal((await store.get(path)).headers.etag, read.headers.etag);
        assert.deepEqual(
          (await store.patch(path, { position: -1 })).json,
          whole('AttributeProperty', { id, position: -1 }),
        );
        assert.deepEqual(
          (await store.put(path, { position: 2 })).json,
          whole('AttributeProperty', { id, position: 2 }),
        );
        assert.deepEqual((await store.put(path, {})).json, whole('AttributeProperty', { id, position: 0 }));
        const earlier = await store.get(path);
        for (const method of ['PUT', 'PATCH']) {
          const back = await store.request(method, path, { body: earlier.text });
          assert.deepEqual([back.status, back.text, back.headers.etag], [200, earlier.text, earlier.headers.etag]);
        }
        assertProblem(await store.put(path, { position: 1 }, { 'if-match': created.headers.etag }), 412);
      });

      test('deletes the property together with its attribute', async () => {
        const path = await newPath(attributes);
        await store.made(path, {});
        const attribute = `${attributes}/${path.split('/')[5]}`;
        assert.equal((await store.delete(attribute)).status, 204);
        assertProblem(await store.get(path), 400);
      });
    });

  test('default to position 0', async () =>
    assert.equal((await store.made(await newPath('/api/attributes_text'), {})).position, 0));

  test('creates one property from eight concurrent POSTs and rejects the others with 409', async () => {
    const path = await newPath('/api/attributes_text');
    const responses = await Promise.all(Array.from({ length: 8 }, (_, position) => store.post(path, { position })));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, ...Array(7).fill(409)]);
    const made = responses.find(({ status }) => status === 201)!;
    assert.deepEqual((await store.get(path)).json, made.json);
  });

  test('belong to one product only', async () => {
    const path = await newPath('/api/attributes_text');
    await store.made(path, { position: 1 });
    const ofOther = path.replace('/products/1/', '/products/2/');
    assertProblem(await store.get(ofOther), 404);
    await store.made(ofOther, { position: 2 });
    assert.equal((await store.get(path)).json.position, 1);
    assert.equal((await store.get(ofOther)).json.position, 2);
  });

  test('are deleted together with their product', async () => {
    const { id } = await store.product();
    const path = (await newPath('/api/attributes_text')).replace('/products/1/', `/products/${id}/`);
    await store.made(path, {});
    assert.equal((await store.delete(`/api/products/${id}`)).status, 204);
    assertProblem(await store.get(path), 400);
  });

  const rejected: [body: Json, ...violations: ExpectedViolation[]][] = [
    [{ position: '1' }, ['position', 'type']],
    [{ position: 1.5 }, ['position', 'type']],
    [{ position: null }, ['position', 'null']],
    [{ position: 2 ** 53 }, ['position', 'range']],
    [{ name: 'N' }, ['name', 'unknown_field']],
    [{ attribute: 1, product: 1 }, ['attribute', 'unknown_field'], ['product', 'unknown_field']],
  ];
  for (const [body, ...violations] of rejected)
    test(`rejects ${JSON.stringify(body)}`, async () => {
      assertViolations(await store.post(await newPath('/api/attributes_text'), body), ...violations);
      const path = await newPath('/api/attributes_text');
      const { etag } = (await store.post(path, {})).headers;
      assertViolations(await store.put(path, body), ...violations);
      assertViolations(await store.patch(path, body), ...violations);
      assert.equal((await store.get(path)).headers.etag, etag);
    });

  for (const query of ['page=1', 'itemsPerPage=30', 'order[id]=asc', 'id=1', 'position=1'])
    test(`rejects ?${query} with 400 before and after the property is created`, async () => {
      const path = await newPath('/api/attributes_text');
      assertProblem(await store.get(`${path}?${query}`), 400);
      await store.made(path, {});
      assertProblem(await store.get(`${path}?${query}`), 400);
    });

  test('have no DELETE and no paths below', async () => {
    const path = await newPath('/api/attributes_text');
    const { json } = await store.post(path, {});
    const response = await store.delete(path);
    assertProblem(response, 405);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH'])
      assert.match(String(response.headers.allow), new RegExp(`\\b${method}\\b`));
    assert.doesNotMatch(String(response.headers.allow), /DELETE/);
    assertProblem(await store.get(`${path}/${json.id}`), 404);
    assertProblem(await store.get(path.slice(0, -'/property'.length)), 404);
  });

  test('returns 400 for the property of an unknown or malformed product or attribute', async () => {
    const known = await newPath('/api/attributes_text');
    const paths = ['999999', 'abc'].flatMap((id) => [
      known.replace('/products/1/', `/products/${id}/`),
      `/api/products/1/attributes/${id}/property`,
    ]);
    for (const path of paths) {
      assertProblem(await store.get(path), 400);
      for (const method of ['POST', 'PUT', 'PATCH'])
        assertProblem(await store.request(method, path, { body: { position: 1 } }), 400);
    }
  });
});
