/** Edge cases that reviewers found: numbers at the end of their range, and values that resemble objects. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../support/expect.ts';
import { onEachDatabase } from '../support/store.ts';

const order = (more: object) => ({ email: 'ada@example.com', ...more });

onEachDatabase('edge cases of orders', {}, (store) => {
  test('a cancellation that would overflow the stock is rejected with 409', async () => {
    const product = await store.product({ amount: 5 });
    const { json } = await store.post('/api/orders', order({ items: [{ sku: product.sku, amount: 5 }] }));
    await store.patch(`/api/products/${product.id}`, { amount: Number.MAX_SAFE_INTEGER });
    const cancelled = await store.put(`/api/orders/${json.id}/payment_status`, { code: 'C' });
    assertProblem(cancelled, 409, /maximum of 9007199254740991/);
    assert.equal((await store.get(`/api/products/${product.id}`)).json.amount, Number.MAX_SAFE_INTEGER);
  });

  test('generated order numbers skip numbers that clients have sent', async () => {
    const { sku } = await store.product();
    const create = async (more: object) => store.post('/api/orders', order({ items: [{ sku, amount: 1 }], ...more }));
    for (const order_number of ['999999999999999', '1000000000000000', '1000000000000001', '1000000000000003'])
      assert.equal((await create({ order_number })).status, 201);
    const numbers = [];
    for (let count = 0; count < 3; count += 1) numbers.push((await create({})).json.order_number);
    assert.deepEqual(numbers, ['1000000000000002', '1000000000000004', '1000000000000005']);
  });

  test('a number with too many digits is not accepted as an object, even with handling=lenient', async () => {
    const { sku } = await store.product();
    const body = `{"email":"a@b.c","items":[{"sku":"${sku}","amount":1}],"billing_address":0.1234567890123456789}`;
    const rejected = await store.post('/api/orders', body, { prefer: 'handling=lenient' });
    assertProblem(rejected, 422, /billing_address: This value should be of type object/);
    const items = '{"email":"a@b.c","items":[12345678901234567890]}';
    assertProblem(await store.post('/api/orders', items), 422, /items\[0\]: This value should be of type object/);
  });

  test('a shortage is reported together with other violations', async () => {
    const { sku } = await store.product({ amount: 1, available_for_backorder: false });
    const rejected = await store.post('/api/orders', { email: 'nobody', items: [{ sku, amount: 2 }], notes: 5 });
    const paths = rejected.json.violations.map((one: { propertyPath: string }) => one.propertyPath);
    assert.deepEqual([rejected.status, paths.sort()], [422, ['email', 'items[0].amount', 'notes']]);
  });

  test('units that a status change takes from empty stock are backordered, also when leaving NBA', async () => {
    const product = await store.product({ amount: 2, available_for_backorder: true, backorder_limit: 3 });
    const items = [{ sku: product.sku, amount: 4 }];
    const placed = await store.post('/api/orders', order({ items, payment_status: 'R', shipping_status: 'NBA' }));
    await store.put(`/api/orders/${placed.json.id}/shipping_status`, { code: 'S' });
    assert.equal((await store.get(`/api/products/${product.id}`)).json.amount, -2);
    assert.equal((await store.get(`/api/orders/${placed.json.id}`)).json.items[0].backordered_amount, 2);
  });
});
