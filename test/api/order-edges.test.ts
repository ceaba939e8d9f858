/** Input with which reviewers broke orders: numbers at the end of their range, and values that only look like objects. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../support/expect.ts';
import { onEachDatabase } from '../support/store.ts';

const order = (more: object) => ({ email: 'ada@example.com', ...more });

onEachDatabase('orders at the edges', {}, (store) => {
  test('pieces do not come back into a stock that has no room for them', async () => {
    const product = await store.product({ amount: 5 });
    const { json } = await store.post('/api/orders', order({ items: [{ sku: product.sku, amount: 5 }] }));
    await store.patch(`/api/products/${product.id}`, { amount: Number.MAX_SAFE_INTEGER });
    const cancelled = await store.put(`/api/orders/${json.id}/payment_status`, { code: 'C' });
    assertProblem(cancelled, 409, /maximum of 9007199254740991/);
    assert.equal((await store.get(`/api/products/${product.id}`)).json.amount, Number.MAX_SAFE_INTEGER);
  });

  test('the count of numbers passes over what was given without being counted', async () => {
    const { sku } = await store.product();
    const place = async (more: object) => store.post('/api/orders', order({ items: [{ sku, amount: 1 }], ...more }));
    for (const order_number of ['999999999999999', '1000000000000000', '1000000000000001', '1000000000000003'])
      assert.equal((await place({ order_number })).status, 201);
    const numbers = [];
    for (let count = 0; count < 3; count += 1) numbers.push((await place({})).json.order_number);
    assert.deepEqual(numbers, ['1000000000000002', '1000000000000004', '1000000000000005']);
  });

  test('a number that is too exact is no object, however lenient the request', async () => {
    const { sku } = await store.product();
    const body = `{"email":"a@b.c","items":[{"sku":"${sku}","amount":1}],"billing_address":0.1234567890123456789}`;
    const refused = await store.post('/api/orders', body, { prefer: 'handling=lenient' });
    assertProblem(refused, 422, /billing_address: This value should be of type object/);
    const items = '{"email":"a@b.c","items":[12345678901234567890]}';
    assertProblem(await store.post('/api/orders', items), 422, /items\[0\]: This value should be of type object/);
  });

  test('a shortage is told beside what else is wrong', async () => {
    const { sku } = await store.product({ amount: 1, available_for_backorder: false });
    const refused = await store.post('/api/orders', { email: 'nobody', items: [{ sku, amount: 2 }], notes: 5 });
    const paths = refused.json.violations.map((one: { propertyPath: string }) => one.propertyPath);
    assert.deepEqual([refused.status, paths.sort()], [422, ['email', 'items[0].amount', 'notes']]);
  });

  test('pieces that a change takes are owed, also when it leaves NBA', async () => {
    const product = await store.product({ amount: 2, available_for_backorder: true, backorder_limit: 3 });
    const items = [{ sku: product.sku, amount: 4 }];
    const placed = await store.post('/api/orders', order({ items, payment_status: 'R', shipping_status: 'NBA' }));
    await store.put(`/api/orders/${placed.json.id}/shipping_status`, { code: 'S' });
    assert.equal((await store.get(`/api/products/${product.id}`)).json.amount, -2);
    assert.equal((await store.get(`/api/orders/${placed.json.id}`)).json.items[0].backordered_amount, 2);
  });
});
