/** Lenient handling: input that the store ignores on request and for clients of release 5.5 (http.md §§8, 9). */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertProblem, assertUnchanged, assertViolations } from '../support/expect.ts';
import { onOneDatabase, type Store } from '../support/store.ts';

const LENIENT = { prefer: 'handling=lenient' };

/** Ignored parameters: all three products are returned. */
const IGNORED = [
  ...['unknown=1', 'pricee=5', 'pagination=false', 'properties[]=sku', 'order[x]=asc', 'order[name]=up', 'order=name'],
  ...['description=x', 'tags.colour=red', '__proto__=1'],
];

function declareIgnored(store: Store, headers: Record<string, string>): void {
  for (const query of IGNORED)
    test(`ignores ?${query}`, async () => {
      const response = await store.get(`/api/products?${query}`, headers);
      assert.equal(response.status, 200, response.text);
      assert.equal(response.json.length, 3);
      assert.equal(response.headers['x-total-count'], '3');
    });

  test('applies known parameters and filters', async () => {
    const response = await store.get('/api/products?unknown=1&sku=A&order[x]=asc', headers);
    assert.deepEqual(
      response.json.map(({ sku }: { sku: string }) => sku),
      ['A'],
    );
    assert.equal((await store.get('/api/products/1?unknown=1', headers)).status, 200);
  });

  test('ignores unknown fields', async () => {
    const fields = { module_field: true, other_module: 5, toString: 'x', pricee: 'x' };
    const created = await store.post('/api/products', { sku: 'LENIENT', name: 'L', price: 5, ...fields }, headers);
    assert.equal(created.status, 201, created.text);
    assert.equal(created.json.price, 5);
    for (const field of Object.keys(fields)) assert.ok(!Object.hasOwn(created.json, field), field);
    const path = `/api/products/${created.json.id}`;
    assert.equal((await store.put(path, { sku: 'LENIENT', name: 'L2', ...fields }, headers)).json.name, 'L2');
    assert.equal((await store.patch(path, { price: 6, ...fields }, headers)).json.price, 6);
    assert.equal((await store.post(`${path}/stock`, { delta: 1, reason: 'x' }, headers)).status, 200);
    await store.delete(path);
  });

  test('enforces the rules of known fields', () =>
    assertUnchanged(store, async () => {
      assertViolations(
        await store.post('/api/products', { sku: '', price: 'x', unknown: 1 }, headers),
        ['sku', 'blank'],
        ['name', 'required'],
        ['price', 'type'],
      );
      assertViolations(await store.put('/api/products/1', { name: 'N' }, headers), ['sku', 'required']);
      assertViolations(await store.patch('/api/products/1', { id: 2 }, headers), ['id', 'conflict']);
      assertViolations(await store.patch('/api/products/1', { tax_class: 'None' }, headers), [
        'tax_class',
        'unknown_link',
      ]);
      assertProblem(await store.post('/api/products', '{"sku":"S","sku":"S"}', headers), 400);
      assertProblem(await store.get('/api/products/01', headers), 404);
      assertProblem(await store.get('/api/nothing', headers), 404);
      assertProblem(await store.request('PUT', '/api/products', { body: {}, headers }), 405);
      assertProblem(await store.get('/api/products', { ...headers, accept: 'text/csv' }), 406);
    }));
}

async function fill(store: Store): Promise<void> {
  for (const sku of ['A', 'B', 'C']) await store.product({ sku, description: `Text of ${sku}`, price: 5 });
}

onOneDatabase('Prefer: handling=lenient', {}, (store) => {
  before(() => fill(store));
  declareIgnored(store, LENIENT);

  test('is confirmed by Preference-Applied', async () => {
    const responses = [
      await store.get('/api/products?unknown=1', LENIENT),
      await store.get('/api/products/1', LENIENT),
      await store.patch('/api/products/1', { unknown: 1 }, LENIENT),
    ];
    for (const { headers } of responses) assert.match(String(headers['preference-applied']), /handling=lenient/);
  });

  const preferences: Record<string, number> = {
    'handling=lenient': 200,
    'Handling=Lenient': 200,
    'handling="lenient"': 200,
    'handling = lenient': 200,
    'respond-async, handling=lenient': 200,
    'handling=lenient, respond-async': 200,
    'wait=10; foo, handling=lenient': 200,
    'handling=strict': 400,
    'return=minimal': 400,
    handling: 400,
    lenient: 400,
    'handling=lenientish': 400,
    'mishandling=lenient': 400,
    '': 400,
  };
  for (const [prefer, status] of Object.entries(preferences))
    test(`Prefer ${prefer || '(empty)'} returns ${status} for an unknown parameter`, async () => {
      const response = await store.get('/api/products?unknown=1', { prefer });
      assert.equal(response.status, status);
      assert.equal(response.headers['preference-applied'] !== undefined, status === 200);
    });

  test('applies to its own request only', async () => {
    const path = '/api/products?unknown=2';
    assert.equal((await store.get(path, LENIENT)).status, 200);
    assertProblem(await store.get(path), 400);
    assert.equal((await store.get(path, LENIENT)).status, 200);
  });

  test('PUT resets omitted fields', async () => {
    const response = await store.put('/api/products/3', { sku: 'C', name: 'C' }, LENIENT);
    assert.deepEqual([response.json.description, response.json.price], ['', 0]);
  });
});

onOneDatabase('COMPATIBILITY=5.5', { COMPATIBILITY: '5.5' }, (store) => {
  before(() => fill(store));
  declareIgnored(store, {});

  test('PUT retains omitted fields', async () => {
    const product = await store.product({
      description: 'Text',
      og_meta_tags: '<meta>',
      price: 5,
      enabled: false,
      discount_type: 'sale_price',
      tags: ['Red'],
    });
    const path = `/api/products/${product.id}`;
    const { json } = await store.put(path, { sku: product.sku, name: 'Another name' });
    assert.deepEqual(json, { ...product, name: 'Another name', update_date: json.update_date });
    assert.equal((await store.put(path, { sku: product.sku, name: 'N', price: 6, tags: [] })).json.price, 6);
    assert.deepEqual((await store.get(path)).json.tags, []);
    await store.delete(path);
  });

  test('PUT retains omitted texts of its language', async () => {
    const { id, sku } = await store.product({ description: 'Text' });
    const path = `/api/products/${id}`;
    await store.put(path, { sku, name: 'Deutsch' }, { 'accept-language': 'de' });
    const german = (await store.get(path, { 'accept-language': 'de' })).json;
    assert.deepEqual([german.name, german.description], ['Deutsch', 'Text']);
    await store.delete(path);
  });

  test('POST sets the defaults', async () => {
    const { id, price, enabled } = await store.product();
    assert.deepEqual([price, enabled], [0, true]);
    await store.delete(`/api/products/${id}`);
  });
});
