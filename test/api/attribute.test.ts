/** Attributes: four kinds in three scopes, each with its own collection (catalog.md §7). */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { assertProblem, assertViolations, choiceOf, type ExpectedViolation } from '../support/expect.ts';
import { whole } from '../support/fields.ts';
import { type Json, onEachDatabase, type Store } from '../support/store.ts';

const KINDS = ['text', 'checkbox', 'select', 'hidden'] as const;
type Kind = (typeof KINDS)[number];

const GLOBAL = '/api';
const OF_CLASS = '/api/product_classes/1';
const OF_OTHER_CLASS = '/api/product_classes/2';
const OF_PRODUCT = '/api/products/1';
const OF_OTHER_PRODUCT = '/api/products/2';

/** Every collection that exists, for two classes and two products. */
const COLLECTIONS: { kind: Kind; scope: string; path: string }[] = [
  GLOBAL,
  OF_CLASS,
  OF_OTHER_CLASS,
  OF_PRODUCT,
  OF_OTHER_PRODUCT,
].flatMap((scope) =>
  KINDS.filter((kind) => kind !== 'hidden' || scope === GLOBAL).map((kind) => ({
    kind,
    scope,
    path: `${scope}/attributes_${kind}`,
  })),
);
const ONCE = COLLECTIONS.filter(({ scope }) => scope !== OF_OTHER_CLASS && scope !== OF_OTHER_PRODUCT);

const hasGroup = (scope: string): boolean => !scope.startsWith('/api/products');

/** Output fields other than the id and the name. */
const defaultsOf = (kind: Kind, scope: string): Json => ({
  position: 0,
  ...(hasGroup(scope) ? { groupId: null } : {}),
  ...(kind === 'select' ? { displayMode: 'S' } : {}),
});

const de = { 'accept-language': 'de' };
const namesOf = (records: readonly { name: string }[]): string[] => records.map(({ name }) => name);
const idsOf = (records: readonly { id: number }[]): number[] => records.map(({ id }) => id);

async function fill(store: Store): Promise<void> {
  for (const name of ['Shirts', 'Hats']) await store.made('/api/product_classes', { name });
  await store.product({ product_class: 'Shirts' });
  await store.product({ product_class: 'Hats' });
}

onEachDatabase('attributes', {}, (store) => {
  before(() => fill(store));

  for (const { kind, scope, path } of ONCE) {
    test(`creates, reads, replaces, updates and deletes an attribute at ${path}`, async () => {
      const created = await store.post(path, { name: 'Size' });
      assert.equal(created.status, 201, created.text);
      const { id } = created.json;
      const defaults = defaultsOf(kind, scope);
      assert.deepEqual(created.json, whole('Attribute', { id, name: 'Size', ...defaults }));
      const one = `${path}/${id}`;
      assert.equal(created.headers.location, `${store.address}${one}`);
      const read = await store.get(one);
      assert.deepEqual([read.text, read.headers.etag], [created.text, created.headers.etag]);
      assert.deepEqual((await store.get(`${path}?id=${id}`)).json, [created.json]);

      const filled = { name: 'S', position: 5, ...(kind === 'select' ? { displayMode: 'B' } : {}) };
      assert.deepEqual((await store.put(one, filled)).json, whole('Attribute', { id, ...defaults, ...filled }));
      assert.deepEqual((await store.put(one, { name: 'T' })).json, whole('Attribute', { id, name: 'T', ...defaults }));
      assert.deepEqual(
        (await store.patch(one, { position: -1 })).json,
        whole('Attribute', { id, name: 'T', ...defaults, position: -1 }),
      );
      const earlier = await store.get(one);
      for (const method of ['PUT', 'PATCH']) {
        const back = await store.request(method, one, { body: earlier.text });
        assert.deepEqual([back.status, back.text, back.headers.etag], [200, earlier.text, earlier.headers.etag]);
      }
      assertProblem(await store.patch(one, { position: 1 }, { 'if-match': created.headers.etag }), 412);
      const response = await store.delete(one);
      assert.deepEqual([response.status, response.text], [204, '']);
      assertProblem(await store.get(one), 404);
    });

    test(`returns 404 for an attribute of ${path} under every other kind, scope, class and product`, async () => {
      const { id } = await store.made(path, { name: 'Here only' });
      for (const { path: elsewhere } of COLLECTIONS.filter((collection) => collection.path !== path)) {
        const one = `${elsewhere}/${id}`;
        assertProblem(await store.get(one), 404);
        assertProblem(await store.put(one, { name: 'N' }), 404);
        assertProblem(await store.patch(one, { name: 'N' }), 404);
        assertProblem(await store.delete(one), 404);
        assert.deepEqual((await store.get(`${elsewhere}?id=${id}`)).json, []);
      }
      assert.equal((await store.get(`${path}/${id}`)).json.name, 'Here only');
    });

    const rejected: [body: Json, ...violations: ExpectedViolation[]][] = [
      [{}, ['name', 'required']],
      [{ name: '' }, ['name', 'blank']],
      [{ name: ' \u200b' }, ['name', 'blank']],
      [{ name: null }, ['name', 'null']],
      [{ name: 'n'.repeat(256) }, ['name', 'too_long']],
      [{ name: 'N', position: null }, ['position', 'null']],
      [{ name: 'N', position: 0.5 }, ['position', 'type']],
      [{ name: 'N', kind: 'text' }, ['kind', 'unknown_field']],
      [{ name: 'N', product_class: 1 }, ['product_class', 'unknown_field']],
      ...(hasGroup(scope)
        ? ([
            [{ name: 'N', groupId: 999999 }, ['groupId', 'unknown_link']],
            [{ name: 'N', groupid: 1 }, ['groupid', 'unknown_field']],
          ] as [Json, ExpectedViolation][])
        : ([[{ name: 'N', groupId: 1 }, ['groupId', 'unknown_field']]] as [Json, ExpectedViolation][])),
      ...(kind === 'select'
        ? ([
            [{ name: 'N', displayMode: 's' }, ['displayMode', 'choice', choiceOf('S', 'B')]],
            [{ name: 'N', displayMode: null }, ['displayMode', 'null']],
            [{ name: 'N', displayMode: '' }, ['displayMode', 'choice']],
          ] as [Json, ExpectedViolation][])
        : ([[{ name: 'N', displayMode: 'S' }, ['displayMode', 'unknown_field']]] as [Json, ExpectedViolation][])),
    ];
    test(`rejects invalid attributes at ${path}`, async () => {
      const one = `${path}/${(await store.made(path, { name: 'Stays' })).id}`;
      const earlier = [(await store.get(path)).text, (await store.get(one)).headers.etag];
      for (const [body, ...violations] of rejected) {
        assertViolations(await store.post(path, body), ...violations);
        assertViolations(await store.put(one, body), ...violations);
        if (Object.keys(body).length > 0) assertViolations(await store.patch(one, body), ...violations);
      }
      assert.deepEqual([(await store.get(path)).text, (await store.get(one)).headers.etag], earlier);
    });

    test(`attributes at ${path} have a German name`, async () => {
      const { id } = await store.made(path, { name: 'Size' });
      assert.equal((await store.put(`${path}/${id}`, { name: 'Größe' }, de)).json.name, 'Größe');
      assert.equal((await store.get(`${path}/${id}`)).json.name, 'Size');
      assert.deepEqual(idsOf((await store.get(`${path}?name=grosse`, de)).json), []);
      assert.ok(idsOf((await store.get(`${path}?name=gro%C3%9F`, de)).json).includes(id));
      assert.deepEqual((await store.get(`${path}?name=gro%C3%9F`)).json, []);
    });
  }

  test('may share a name', async () => {
    for (const { path } of ONCE) for (let count = 0; count < 2; count += 1) await store.made(path, { name: 'Same' });
  });
});

onEachDatabase('attribute paths', {}, (store) => {
  before(() => fill(store));

  const statuses: [method: string, path: string, status: number][] = [
    ['GET', '/product_classes/1/attributes_hidden', 404],
    ['POST', '/product_classes/1/attributes_hidden', 404],
    ['GET', '/product_classes/1/attributes_hidden/1', 404],
    ['GET', '/products/1/attributes_hidden', 404],
    ['POST', '/products/1/attributes_hidden', 404],
    ['GET', '/products/1/attributes_hidden/1', 404],
    ['GET', '/attributes_number', 404],
    ['GET', '/product_classes/1/attributes', 404],
    ['GET', '/attributes/1', 404],
    ['POST', '/attributes', 405],
    ['PUT', '/attributes', 405],
    ['DELETE', '/attributes', 405],
    ['DELETE', '/attributes_text', 405],
    ['POST', '/attributes_text/1', 405],
    ['GET', '/attributes_text/abc', 404],
    ['GET', '/attributes_text/01', 404],
    ['GET', '/attributes_text/999999', 404],
    ['GET', '/product_classes/999999/attributes_text', 400],
    ['POST', '/product_classes/999999/attributes_text', 400],
    ['GET', '/product_classes/abc/attributes_select', 400],
    ['GET', '/product_classes/999999/attributes_text/1', 400],
    ['DELETE', '/product_classes/abc/attributes_checkbox/1', 400],
    ['GET', '/products/999999/attributes_text', 400],
    ['POST', '/products/abc/attributes_select', 400],
    ['PATCH', '/products/999999/attributes_checkbox/1', 400],
    ['GET', '/products/1/attributes_text/abc', 404],
  ];
  for (const [method, path, status] of statuses)
    test(`responds to ${method} ${path} with ${status}`, async () => {
      const body = ['POST', 'PUT', 'PATCH'].includes(method) ? { name: 'N' } : undefined;
      assertProblem(await store.request(method, `/api${path}`, { body }), status);
    });
});

onEachDatabase('groupId', {}, (store) => {
  /** The ids of two groups in each scope. */
  const groups: Record<string, number[]> = {};
  before(async () => {
    await fill(store);
    for (const scope of [GLOBAL, OF_CLASS, OF_OTHER_CLASS]) {
      groups[scope] = [];
      for (const name of ['One', 'Two'])
        groups[scope].push((await store.made(`${scope}/attribute_groups`, { name })).id);
    }
  });

  for (const { scope, path } of ONCE.filter((collection) => hasGroup(collection.scope))) {
    test(`accepts a group of the same scope, null or 0 at ${path}`, async () => {
      const [one, two] = groups[scope]!;
      const attribute = await store.made(path, { name: 'N', groupId: one });
      assert.equal(attribute.groupId, one);
      const item = `${path}/${attribute.id}`;
      for (const [groupId, shown] of [
        [two, two],
        [0, null],
        [one, one],
        [null, null],
      ] as const) {
        assert.equal((await store.patch(item, { groupId })).json.groupId, shown);
        assert.equal((await store.get(item)).json.groupId, shown);
      }
      assert.equal((await store.made(path, { name: 'N', groupId: 0 })).groupId, null);
      assert.equal((await store.put(item, { name: 'N', groupId: two })).json.groupId, two);
      assert.equal((await store.put(item, { name: 'N' })).json.groupId, null);
      const { etag } = (await store.get(item)).headers;
      assert.equal((await store.patch(item, { groupId: 0 })).headers.etag, etag, '0 is null: nothing changed');
    });

    test(`rejects a group of another scope or class at ${path}`, async () => {
      const attribute = await store.made(path, { name: 'N', groupId: groups[scope]![0] });
      const item = `${path}/${attribute.id}`;
      const others = Object.keys(groups).filter((each) => each !== scope);
      for (const groupId of [...others.map((each) => groups[each]![0]), 999999]) {
        assertViolations(await store.post(path, { name: 'N', groupId }), ['groupId', 'unknown_link']);
        assertViolations(await store.put(item, { name: 'N', groupId }), ['groupId', 'unknown_link']);
        assertViolations(await store.patch(item, { groupId }), ['groupId', 'unknown_link']);
      }
      for (const groupId of ['1', 1.5, true, -1]) {
        const response = await store.patch(item, { groupId });
        assertProblem(response, 422);
        assert.match(response.json.violations[0].propertyPath, /^groupId/);
      }
      assert.deepEqual((await store.get(item)).json, attribute);
    });

    test(`filters attributes at ${path}`, async () => {
      const [one, two] = groups[scope]!;
      for (const { id } of (await store.get(`${path}?itemsPerPage=100`)).json) await store.delete(`${path}/${id}`);
      const { id: first } = await store.made(path, { name: 'A', groupId: one });
      const { id: second } = await store.made(path, { name: 'B', groupId: two });
      await store.made(path, { name: 'C' });
      const found = async (query: string) => idsOf((await store.get(`${path}?${query}`)).json);
      assert.deepEqual(await found(`groupId=${one}`), [first]);
      assert.deepEqual(await found(`groupId[]=${one}&groupId[]=${two}`), [first, second]);
      assert.deepEqual(await found('groupId=999999'), []);
      assert.deepEqual(await found(`groupId=${two}&name=b`), [second]);
      assertProblem(await store.get(`${path}?groupId=abc`), 400);
      assertProblem(await store.get(`${path}?groupId=`), 400);
    });
  }

  test('is not a filter of the attributes of one product', async () =>
    assertProblem(await store.get(`${OF_PRODUCT}/attributes_text?groupId=1`), 400));
});

onEachDatabase('lists of attributes', {}, (store) => {
  const rows: Json[] = [
    { name: 'Zip', position: 2 },
    { name: 'Éclair', position: 1 },
    { name: 'apple', position: 2 },
    { name: '100%', position: -4 },
  ];
  before(async () => {
    await fill(store);
    for (const { path } of COLLECTIONS) for (const row of rows) await store.made(path, row);
  });

  for (const { path } of ONCE)
    describe(path, () => {
      const found: [query: string, names: string[]][] = [
        ['', ['100%', 'Éclair', 'Zip', 'apple']],
        ['order[position]=desc', ['Zip', 'apple', 'Éclair', '100%']],
        ['order[id]=asc', ['Zip', 'Éclair', 'apple', '100%']],
        ['order[position]=desc&order[id]=desc', ['apple', 'Zip', 'Éclair', '100%']],
        ['name=ECLAIR', ['Éclair']],
        ['name=p', ['Zip', 'apple']],
        ['name=%25', ['100%']],
        ['name=_', []],
        ['itemsPerPage=3&page=2', ['apple']],
      ];
      for (const [query, names] of found)
        test(`finds and sorts ?${query}`, async () => {
          const response = await store.get(`${path}?${query}`);
          assert.equal(response.status, 200, response.text);
          assert.deepEqual(namesOf(response.json), names);
        });

      test('counts only its own attributes', async () =>
        assert.equal((await store.get(path)).headers['x-total-count'], String(rows.length)));

      for (const query of [
        'position=1',
        'kind=text',
        'displayMode=S',
        'name=a&name=b',
        'scope=global',
        'order[groupId]=asc',
      ])
        test(`rejects ?${query} with 400`, async () => assertProblem(await store.get(`${path}?${query}`), 400));
    });

  test('/attributes lists all global attributes with their kind', async () => {
    const response = await store.get('/api/attributes?itemsPerPage=100');
    assert.equal(response.status, 200, response.text);
    assert.equal(response.headers['x-total-count'], '16');
    const expected: Shown[] = [];
    for (const kind of KINDS)
      for (const each of (await store.get(`/api/attributes_${kind}`)).json) expected.push({ ...each, kind });
    expected.sort((one, other) => one.position - other.position || one.id - other.id);
    const shown: Shown[] = response.json;
    assert.deepEqual(idsOf(shown), idsOf(expected));
    for (const [index, { displayMode, ...common }] of expected.entries()) {
      const { displayMode: shownMode, ...rest } = shown[index]!;
      assert.deepEqual(rest, common);
      if (displayMode !== undefined) assert.equal(shownMode, displayMode);
    }
  });

  const found: [query: string, count: number][] = [
    ['name=zip', 4],
    ['name=ecl&itemsPerPage=3', 3],
    ['groupId=1', 0],
    ['id[]=1&id[]=2&id[]=999999', 2],
  ];
  for (const [query, count] of found)
    test(`/attributes?${query} finds ${count}`, async () =>
      assert.equal((await store.get(`/api/attributes?${query}`)).json.length, count));
});

interface Shown {
  readonly id: number;
  readonly position: number;
  readonly displayMode?: string;
}

onEachDatabase('deletion of owners', {}, (store) => {
  before(() => fill(store));

  test('deleting a class deletes its attributes', async () => {
    const { id } = await store.made('/api/product_classes', { name: 'Goes' });
    const path = `/api/product_classes/${id}/attributes_select`;
    const attribute = await store.made(path, { name: 'Size' });
    await store.made(`${path}/${attribute.id}/options`, { value: 'S' });
    const product = await store.product({ product_class: 'Goes' });
    assert.equal((await store.delete(`/api/product_classes/${id}`)).status, 204);
    assertProblem(await store.get(`${path}/${attribute.id}`), 400);
    assertProblem(await store.get(`/api/attributes_select/${attribute.id}`), 404);
    assert.equal((await store.get(`/api/products/${product.id}`)).json.product_class, null);
  });

  test('deleting a product deletes its attributes', async () => {
    const { id } = await store.product();
    const path = `/api/products/${id}/attributes_text`;
    const attribute = await store.made(path, { name: 'Note' });
    await store.made(`${path}/${attribute.id}/values`, { value: 'V' });
    assert.equal((await store.delete(`/api/products/${id}`)).status, 204);
    assertProblem(await store.get(`${path}/${attribute.id}`), 400);
    assertProblem(await store.get(`${OF_PRODUCT}/attributes_text/${attribute.id}`), 404);
  });
});
