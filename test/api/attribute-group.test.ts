/** Attribute groups in two separate scopes: global and of one product class (catalog.md §6). */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertProblem, assertViolations, type ExpectedViolation } from '../support/expect.ts';
import { whole } from '../support/fields.ts';
import { type Json, onEachDatabase } from '../support/store.ts';

const GLOBAL = '/api/attribute_groups';
const OF_ONE = '/api/product_classes/1/attribute_groups';
const OF_OTHER = '/api/product_classes/2/attribute_groups';
const SCOPES = [GLOBAL, OF_ONE, OF_OTHER];

const de = { 'accept-language': 'de' };
const namesOf = (records: readonly { name: string }[]): string[] => records.map(({ name }) => name);

onEachDatabase('attribute groups', {}, (store) => {
  before(async () => {
    for (const name of ['Shirts', 'Hats']) await store.made('/api/product_classes', { name });
  });

  for (const scope of SCOPES) {
    test(`creates, reads, replaces, updates and deletes a group at ${scope}`, async () => {
      const created = await store.post(scope, { name: 'Sizes' });
      assert.equal(created.status, 201, created.text);
      const { id } = created.json;
      assert.deepEqual(created.json, whole('AttributeGroup', { id, name: 'Sizes', position: 0 }));
      const path = `${scope}/${id}`;
      assert.equal(created.headers.location, `${store.address}${path}`);
      const read = await store.get(path);
      assert.deepEqual([read.text, read.headers.etag], [created.text, created.headers.etag]);
      assert.ok((await store.get(`${scope}?id=${id}`)).json.length === 1);
      assert.deepEqual(
        (await store.put(path, { name: 'S', position: 3 })).json,
        whole('AttributeGroup', { id, name: 'S', position: 3 }),
      );
      assert.deepEqual(
        (await store.put(path, { name: 'T' })).json,
        whole('AttributeGroup', { id, name: 'T', position: 0 }),
      );
      assert.deepEqual(
        (await store.patch(path, { position: -1 })).json,
        whole('AttributeGroup', { id, name: 'T', position: -1 }),
      );
      const earlier = await store.get(path);
      for (const method of ['PUT', 'PATCH']) {
        const back = await store.request(method, path, { body: earlier.text });
        assert.deepEqual([back.text, back.headers.etag], [earlier.text, earlier.headers.etag]);
      }
      assert.equal((await store.delete(path)).status, 204);
      assertProblem(await store.get(path), 404);
    });

    test(`returns 404 for a group of ${scope} under the path of another scope`, async () => {
      const { id } = await store.made(scope, { name: 'Here only' });
      for (const elsewhere of SCOPES.filter((each) => each !== scope)) {
        const path = `${elsewhere}/${id}`;
        assertProblem(await store.get(path), 404);
        assertProblem(await store.put(path, { name: 'N' }), 404);
        assertProblem(await store.patch(path, { name: 'N' }), 404);
        assertProblem(await store.delete(path), 404);
        assert.deepEqual((await store.get(`${elsewhere}?id=${id}`)).json, []);
      }
      assert.equal((await store.get(`${scope}/${id}`)).json.name, 'Here only');
    });
  }

  const rejected: [body: Json, ...violations: ExpectedViolation[]][] = [
    [{}, ['name', 'required']],
    [{ name: '' }, ['name', 'blank']],
    [{ name: '\u3000' }, ['name', 'blank']],
    [{ name: null }, ['name', 'null']],
    [{ name: 'n'.repeat(256) }, ['name', 'too_long']],
    [{ name: 'N', position: null }, ['position', 'null']],
    [{ name: 'N', position: '1' }, ['position', 'type']],
    [{ name: 'N', enabled: true }, ['enabled', 'unknown_field']],
    [{ name: 'N', product_class: 1 }, ['product_class', 'unknown_field']],
  ];
  for (const [body, ...violations] of rejected)
    test(`rejects ${JSON.stringify(body).slice(0, 40)}`, async () => {
      for (const scope of [GLOBAL, OF_ONE]) {
        const earlier = (await store.get(scope)).text;
        assertViolations(await store.post(scope, body), ...violations);
        assert.equal((await store.get(scope)).text, earlier);
      }
    });

  test('returns 400 for groups of an unknown or malformed product class', async () => {
    for (const path of ['999999', 'abc', '0'].map((id) => `/api/product_classes/${id}/attribute_groups`)) {
      assertProblem(await store.get(path), 400);
      assertProblem(await store.post(path, { name: 'N' }), 400);
      for (const method of ['GET', 'DELETE']) assertProblem(await store.request(method, `${path}/1`), 400);
      for (const method of ['PUT', 'PATCH'])
        assertProblem(await store.request(method, `${path}/1`, { body: { name: 'N' } }), 400);
    }
  });

  test('returns 404 for an unknown or malformed group id', async () => {
    for (const scope of SCOPES)
      for (const id of ['999999', 'abc', '01']) assertProblem(await store.get(`${scope}/${id}`), 404);
  });
});

onEachDatabase('lists of attribute groups', {}, (store) => {
  const groups: Json[] = [
    { name: 'Zoo', position: 2 },
    { name: 'Ändern', position: 1 },
    { name: 'apple', position: 2 },
    { name: 'Bee', position: -3 },
  ];
  before(async () => {
    for (const name of ['Shirts', 'Hats']) await store.made('/api/product_classes', { name });
    for (const scope of [GLOBAL, OF_ONE]) for (const group of groups) await store.made(scope, group);
  });

  for (const scope of [GLOBAL, OF_ONE]) {
    test(`contains only groups of ${scope}, sorted by position, then id`, async () => {
      const response = await store.get(scope);
      assert.deepEqual(namesOf(response.json), ['Bee', 'Ändern', 'Zoo', 'apple']);
      assert.equal(response.headers['x-total-count'], '4');
    });

    const sorted: [query: string, names: string[]][] = [
      ['order[position]=desc', ['Zoo', 'apple', 'Ändern', 'Bee']],
      ['order[id]=desc', ['Bee', 'apple', 'Ändern', 'Zoo']],
      ['itemsPerPage=3&page=2', ['apple']],
    ];
    for (const [query, names] of sorted)
      test(`sorts and paginates ${scope}?${query}`, async () =>
        assert.deepEqual(namesOf((await store.get(`${scope}?${query}`)).json), names));
  }

  test('is empty for a class without groups', async () => assert.deepEqual((await store.get(OF_OTHER)).json, []));

  test('uses the language of the request', async () => {
    const [{ id }] = (await store.get(GLOBAL)).json;
    await store.patch(`${GLOBAL}/${id}`, { name: 'Biene' }, de);
    assert.deepEqual(namesOf((await store.get(GLOBAL, de)).json), ['Biene', 'Ändern', 'Zoo', 'apple']);
    assert.deepEqual(namesOf((await store.get(GLOBAL)).json), ['Bee', 'Ändern', 'Zoo', 'apple']);
  });
});

onEachDatabase('deletion of attribute groups', {}, (store) => {
  test('clears groupId of its attributes and changes their ETag but not their version', async () => {
    await store.made('/api/product_classes', { name: 'Shirts' });
    for (const [groups, attributes] of [
      [GLOBAL, '/api/attributes_text'],
      [OF_ONE, '/api/product_classes/1/attributes_select'],
    ] as const) {
      const { id } = await store.made(groups, { name: 'Goes' });
      const attribute = await store.made(attributes, { name: 'Stays', groupId: id });
      const path = `${attributes}/${attribute.id}`;
      const earlier = await store.get(path);
      assert.equal((await store.delete(`${groups}/${id}`)).status, 204);
      const later = await store.get(path);
      assert.deepEqual(later.json, { ...attribute, groupId: null });
      assert.notEqual(later.headers.etag, earlier.headers.etag);
      assert.equal(later.headers.etag!.split('-')[0], earlier.headers.etag!.split('-')[0]);
    }
  });

  test('deletes the groups of a deleted class and keeps the global ones', async () => {
    const { id: productClass } = await store.made('/api/product_classes', { name: 'Goes' });
    const path = `/api/product_classes/${productClass}/attribute_groups`;
    const { id } = await store.made(path, { name: 'Goes too' });
    const { id: other } = await store.made(GLOBAL, { name: 'Stays' });
    assert.equal((await store.delete(`/api/product_classes/${productClass}`)).status, 204);
    assertProblem(await store.get(`${path}/${id}`), 400);
    assertProblem(await store.get(path), 400);
    assertProblem(await store.get(`${GLOBAL}/${id}`), 404);
    assert.equal((await store.get(`${GLOBAL}/${other}`)).status, 200);
  });
});
