/** `search=` on orders: each word occurs in number, e-mail, a name in an address, or a SKU; the newest come first. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertProblem, assertSameResponses } from '../support/expect.ts';
import { orderItem, placed } from '../support/orders.ts';
import { type Json, onBothDatabases, onEachDatabase, type Store } from '../support/store.ts';

/** Orders whose dates are in another order than their ids. */
async function fill(store: Store): Promise<void> {
  const shirt = await store.product({ sku: 'SHIRT-Ä1', amount: 100 });
  const mug = await store.product({ sku: 'MUG', amount: 100 });
  const order = (number: string, date: string, product: { id: number }, fields: Json): Promise<Json> =>
    placed(store, [orderItem(product, 1)], { order_number: number, create_date: date, ...fields });
  await order('A/2026', '2026-01-01', shirt, {
    email: 'ada@engine.example',
    billing_address: { firstname: 'Ada', lastname: 'Lovelace', company: 'Engine Ltd', street: 'Secret Street' },
  });
  await order('B/2026', '2026-03-01', mug, {
    email: 'countess@example.com',
    billing_address: { firstname: 'Augusta' },
    shipping_address: { firstname: 'Ádá', lastname: 'King', city: 'London' },
  });
  await order('100%', '2026-02-01', mug, { email: 'charles@example.com', notes: 'Ada' });
  await order('C_1', '2026-02-01', shirt, {
    email: 'charles@example.com',
    shipping_address: { company: 'Shirt_Shop' },
  });
}

const FOUND: readonly (readonly [words: string, numbers: readonly string[]])[] = [
  ['ada', ['B/2026', 'A/2026']],
  ['ÁDA', ['B/2026', 'A/2026']],
  ['  lovelace   ada ', ['A/2026']],
  ['ada king', ['B/2026']],
  ['augusta king', ['B/2026']],
  ['ltd mug', []],
  ['king mug countess', ['B/2026']],
  ['2026', ['B/2026', 'A/2026']],
  ['charles', ['C_1', '100%']],
  ['@example', ['B/2026', 'C_1', '100%']],
  ['shirt-a', ['C_1', 'A/2026']],
  ['shirt_', ['C_1']],
  ['%', ['100%']],
  ['l', ['B/2026', 'C_1', '100%', 'A/2026']],
  // Neither streets and cities nor the joined texts of two members.
  ['street', []],
  ['london', []],
  ['adalovelace', []],
];

const numbersOf = (orders: readonly { order_number: string }[]): string[] => orders.map((order) => order.order_number);

onEachDatabase('a search of orders', {}, (store) => {
  before(() => fill(store));

  const found = async (query: string): Promise<string[]> => {
    const response = await store.get(`/api/orders?${query}`);
    assert.equal(response.status, 200, response.text);
    return numbersOf(response.json);
  };

  for (const [words, numbers] of FOUND)
    test(`for ${JSON.stringify(words)} finds ${numbers.length} orders, the newest first`, async () => {
      assert.deepEqual(await found(`search=${encodeURIComponent(words)}`), numbers);
    });

  test('combines with filters, orders, pages and exports', async () => {
    assert.deepEqual(await found('search=charles&sku=MUG'), ['100%']);
    assert.deepEqual(await found('search=2026&order[create_date]=asc'), ['A/2026', 'B/2026']);
    assert.deepEqual(await found('search=example&itemsPerPage=1&page=2'), ['C_1']);
    const lines = await store.get('/api/orders?search=ada', { accept: 'application/x-ndjson' });
    const exported = lines.text.trim().split('\n');
    assert.deepEqual(numbersOf(exported.map((line) => JSON.parse(line))), ['A/2026', 'B/2026']);
    assertProblem(await store.get('/api/orders?search='), 400);
    assertProblem(await store.get('/api/orders?search=a&search=b'), 400, /search/);
  });

  test('finds changed addresses and forgets erased ones', async () => {
    const { json } = await store.get('/api/orders/by_number/A%2F2026');
    const path = `/api/orders/${json.id}`;
    assert.equal((await store.patch(path, { billing_address: { lastname: 'Byron' } })).status, 200);
    assert.deepEqual(await found('search=byron'), ['A/2026']);
    assert.deepEqual(await found('search=lovelace'), []);
    assert.equal((await store.patch(path, { billing_address: null })).status, 200);
    assert.deepEqual(await found('search=byron'), []);
    const erased = await store.post('/api/privacy/erase', { email: 'countess@example.com' });
    assert.ok([200, 204].includes(erased.status), erased.text);
    assert.deepEqual(await found('search=king'), []);
  });
});

onBothDatabases('a search of orders', {}, (stores) => {
  before(() => Promise.all(stores.map(fill)));

  test('finds the same orders in the same sequence on both databases', async () => {
    const requests = FOUND.map(([words]) => `/api/orders?search=${encodeURIComponent(words)}&fields=id,order_number`);
    await assertSameResponses(
      stores,
      requests.map((path) => ['GET', path] as const),
    );
  });
});
