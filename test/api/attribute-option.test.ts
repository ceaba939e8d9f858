/** The options of select and hidden attributes, under four families of paths (catalog.md §8). */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { assertProblem, assertViolations, type ExpectedViolation } from '../support/expect.ts';
import { whole } from '../support/fields.ts';
import { type Json, onEachDatabase } from '../support/store.ts';

/** Collections of attributes with options: two of each scope that has a parent. */
const COLLECTIONS = [
  '/api/attributes_select',
  '/api/attributes_hidden',
  '/api/product_classes/1/attributes_select',
  '/api/product_classes/2/attributes_select',
  '/api/products/1/attributes_select',
  '/api/products/2/attributes_select',
];
const FAMILIES = COLLECTIONS.filter((collection) => !collection.includes('/2/'));

const de = { 'accept-language': 'de' };
const valuesOf = (records: readonly { value: string }[]): string[] => records.map(({ value }) => value);

onEachDatabase('attribute options', {}, (store) => {
  /** The ids of two attributes of each collection. */
  const attributes: Record<string, [number, number]> = {};
  before(async () => {
    for (const name of ['Shirts', 'Hats']) await store.made('/api/product_classes', { name });
    await store.product({ product_class: 'Shirts' });
    await store.product({ product_class: 'Hats' });
    for (const collection of COLLECTIONS) {
      const [one, other] = [
        await store.made(collection, { name: 'One' }),
        await store.made(collection, { name: 'Other' }),
      ];
      attributes[collection] = [one.id, other.id];
    }
  });

  for (const collection of FAMILIES)
    describe(collection, () => {
      const optionsOf = (which: 0 | 1 = 0): string => `${collection}/${attributes[collection]![which]}/options`;

      test('creates, reads, replaces, updates and deletes an option', async () => {
        const options = optionsOf();
        assert.deepEqual((await store.get(options)).json, []);
        const created = await store.post(options, { value: 'Large' });
        assert.equal(created.status, 201, created.text);
        const { id } = created.json;
        assert.deepEqual(created.json, whole('AttributeOption', { id, value: 'Large', position: 0 }));
        const path = `${options}/${id}`;
        assert.equal(created.headers.location, `${store.address}${path}`);
        const read = await store.get(path);
        assert.deepEqual([read.text, read.headers.etag], [created.text, created.headers.etag]);
        assert.deepEqual((await store.get(options)).json, [created.json]);
        assert.deepEqual(
          (await store.put(path, { value: 'L', position: 2 })).json,
          whole('AttributeOption', { id, value: 'L', position: 2 }),
        );
        assert.deepEqual(
          (await store.put(path, { value: 'M' })).json,
          whole('AttributeOption', { id, value: 'M', position: 0 }),
        );
        assert.deepEqual(
          (await store.patch(path, { position: 7 })).json,
          whole('AttributeOption', { id, value: 'M', position: 7 }),
        );
        const earlier = await store.get(path);
        for (const method of ['PUT', 'PATCH']) {
          const back = await store.request(method, path, { body: earlier.text });
          assert.deepEqual([back.text, back.headers.etag], [earlier.text, earlier.headers.etag]);
        }
        assertProblem(await store.delete(path, { 'if-match': created.headers.etag }), 412);
        const response = await store.delete(path);
        assert.deepEqual([response.status, response.text], [204, '']);
        assertProblem(await store.get(path), 404);
      });

      test('returns 404 for an option of another attribute of the same collection', async () => {
        const { id } = await store.made(optionsOf(), { value: 'Here only' });
        const path = `${optionsOf(1)}/${id}`;
        assertProblem(await store.get(path), 404);
        assertProblem(await store.put(path, { value: 'N' }), 404);
        assertProblem(await store.patch(path, { value: 'N' }), 404);
        assertProblem(await store.delete(path), 404);
        assert.deepEqual((await store.get(`${optionsOf(1)}?id=${id}`)).json, []);
        assert.equal((await store.get(`${optionsOf()}/${id}`)).json.value, 'Here only');
      });

      test('returns 400 for options of an attribute of another kind, scope, class or product', async () => {
        const { id } = await store.made(optionsOf(), { value: 'Stays' });
        for (const elsewhere of COLLECTIONS.filter((each) => each !== collection)) {
          const options = `${elsewhere}/${attributes[collection]![0]}/options`;
          assertProblem(await store.get(options), 400);
          assertProblem(await store.post(options, { value: 'N' }), 400);
          assertProblem(await store.get(`${options}/${id}`), 400);
          assertProblem(await store.put(`${options}/${id}`, { value: 'N' }), 400);
          assertProblem(await store.patch(`${options}/${id}`, { value: 'N' }), 400);
          assertProblem(await store.delete(`${options}/${id}`), 400);
        }
        assert.equal((await store.get(`${optionsOf()}/${id}`)).json.value, 'Stays');
      });

      test('returns 400 for options of an unknown or malformed attribute', async () => {
        for (const attribute of ['999999', 'abc']) {
          const options = `${collection}/${attribute}/options`;
          for (const path of [options, `${options}/1`]) assertProblem(await store.get(path), 400);
          assertProblem(await store.post(options, { value: 'N' }), 400);
          assertProblem(await store.delete(`${options}/1`), 400);
        }
      });

      test('returns 404 for an unknown or malformed option id', async () => {
        for (const id of ['999999', 'abc', '01']) assertProblem(await store.get(`${optionsOf()}/${id}`), 404);
      });

      const rejected: [body: Json, ...violations: ExpectedViolation[]][] = [
        [{}, ['value', 'required', 'This value should not be blank.']],
        [{ value: '' }, ['value', 'blank']],
        [{ value: '\u2003' }, ['value', 'blank']],
        [{ value: null }, ['value', 'null']],
        [{ value: 5 }, ['value', 'type']],
        [{ value: 'v'.repeat(256) }, ['value', 'too_long']],
        [{ value: 'V', position: null }, ['position', 'null']],
        [{ value: 'V', position: '1' }, ['position', 'type']],
        [{ value: 'V', name: 'N' }, ['name', 'unknown_field']],
        [{ value: 'V', attribute: 1 }, ['attribute', 'unknown_field']],
      ];
      test('rejects invalid options in POST, PUT and PATCH', async () => {
        const path = `${optionsOf()}/${(await store.made(optionsOf(), { value: 'v'.repeat(255) })).id}`;
        const earlier = [(await store.get(optionsOf())).text, (await store.get(path)).headers.etag];
        for (const [body, ...violations] of rejected) {
          assertViolations(await store.post(optionsOf(), body), ...violations);
          assertViolations(await store.put(path, body), ...violations);
          if (Object.keys(body).length > 0) assertViolations(await store.patch(path, body), ...violations);
        }
        assert.deepEqual([(await store.get(optionsOf())).text, (await store.get(path)).headers.etag], earlier);
      });

      test('sorts options by position, then id, and returns their German values', async () => {
        const options = optionsOf(1);
        const rows: [value: string, german: string | undefined, position: number][] = [
          ['Large', 'Groß', 3],
          ['Small', undefined, 1],
          ['Large', 'Größer', 3],
          ['Medium', 'Mittel', -1],
        ];
        const ids: number[] = [];
        for (const [value, german, position] of rows) {
          const { id } = await store.made(options, { value, position });
          ids.push(id);
          if (german) assert.equal((await store.patch(`${options}/${id}`, { value: german }, de)).json.value, german);
        }
        assert.deepEqual(valuesOf((await store.get(options)).json), ['Medium', 'Small', 'Large', 'Large']);
        assert.deepEqual(valuesOf((await store.get(options, de)).json), ['Mittel', 'Small', 'Groß', 'Größer']);
        const shown = async (query: string) =>
          (await store.get(`${options}?${query}`)).json.map(({ id }: { id: number }) => ids.indexOf(id));
        assert.deepEqual(await shown('order[position]=desc'), [0, 2, 1, 3]);
        assert.deepEqual(await shown('order[id]=desc'), [3, 2, 1, 0]);
        assert.deepEqual(await shown(`id[]=${ids[0]}&id[]=${ids[3]}`), [3, 0]);
        assert.deepEqual(await shown('itemsPerPage=3&page=2'), [2]);
        assert.equal((await store.get(`${options}?itemsPerPage=1`)).headers['x-total-count'], '4');
        assertProblem(await store.get(`${options}?size=1`), 400);
      });

      test('deletes options together with their attribute', async () => {
        const { id: attribute } = await store.made(collection, { name: 'Goes' });
        const { id } = await store.made(`${collection}/${attribute}/options`, { value: 'Goes too' });
        assert.equal((await store.delete(`${collection}/${attribute}`)).status, 204);
        assertProblem(await store.get(`${collection}/${attribute}/options/${id}`), 400);
        assertProblem(await store.get(`${optionsOf()}/${id}`), 404);
      });
    });

  const statuses: [method: string, path: string, status: number][] = [
    ['GET', '/attributes_text/1/options', 404],
    ['GET', '/attributes_checkbox/1/options', 404],
    ['POST', '/attributes_text/1/options', 404],
    ['GET', '/product_classes/1/attributes_hidden/1/options', 404],
    ['GET', '/products/1/attributes_hidden/1/options', 404],
    ['GET', '/product_classes/999999/attributes_select/5/options', 400],
    ['POST', '/products/999999/attributes_select/9/options', 400],
    ['GET', '/products/abc/attributes_select/9/options/1', 400],
    ['DELETE', '/attributes_select/1/options', 405],
    ['POST', '/attributes_select/1/options/1', 405],
  ];
  for (const [method, path, status] of statuses)
    test(`responds to ${method} ${path} with ${status}`, async () => {
      const body = method === 'POST' ? { value: 'N' } : undefined;
      assertProblem(await store.request(method, `/api${path}`, { body }), status);
    });
});
