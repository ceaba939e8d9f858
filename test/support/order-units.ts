/**
 * Random requests to orders, several at once. After them, the units in stock, in orders and written off must add up to the
 * initial stock (orders.md §§3 and 11 to 13).
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { HttpResponse } from './client.ts';
import { orderAt, orderItem, placed, setStatus, stockOf } from './orders.ts';
import type { Json, Store } from './store.ts';

const STOCK = 20;
const ORDERS = 2;

/** One request: its order and line, the number of units, and other values. */
interface Step {
  readonly kind: 'edit' | 'add' | 'ship' | 'unship' | 'return' | 'receive' | 'payment' | 'shipping' | 'dry run';
  readonly order: number;
  readonly line: number;
  readonly amount: number;
  readonly restock: boolean;
  readonly code: number;
}

const PAYMENTS = ['Q', 'P', 'R', 'C', 'D'];
const SHIPPINGS = ['N', 'P', 'S', 'R', 'WND'];

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(
    ...([
      'edit',
      'add',
      'ship',
      'ship',
      'unship',
      'return',
      'receive',
      'receive',
      'payment',
      'shipping',
      'dry run',
    ] as const),
  ),
  order: fc.nat(ORDERS - 1),
  line: fc.nat(2),
  amount: fc.integer({ min: 0, max: 6 }),
  restock: fc.boolean(),
  code: fc.nat(4),
});

/** Sequence of batches; the requests of a batch are sent at once. */
const life = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 4, maxLength: 12 });

export async function assertUnitsAreConserved(store: Store, runs: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(life, async (batches) => {
      const products = [await store.product({ amount: STOCK }), await store.product({ amount: STOCK })];
      const orders: number[] = [];
      for (let count = 0; count < ORDERS; count += 1)
        orders.push(
          (
            await placed(
              store,
              products.map((product) => orderItem(product, 3)),
            )
          ).id,
        );
      for (const batch of batches) {
        const responses = await Promise.all(batch.map((each) => send(store, products, orders, each)));
        for (const response of responses)
          assert.ok(!response || [200, 201, 204, 404, 409, 422].includes(response.status), response?.text ?? '');
        await assertBalance(store, products, orders);
      }
    }),
    { numRuns: runs, interruptAfterTimeLimit: 600_000 },
  );
}

async function send(
  store: Store,
  products: readonly { readonly id: number }[],
  orders: readonly number[],
  { kind, order, line, amount, restock, code }: Step,
): Promise<HttpResponse | undefined> {
  const id = orders[order]!;
  const path = `/api/orders/${id}`;
  const { items } = await orderAt(store, id);
  const { id: item_id } = items[line % items.length];
  const newest = async (documents: string): Promise<string | undefined> => {
    const [document] = (await store.get(`${path}/${documents}?order[id]=desc&itemsPerPage=1`)).json;
    return document && `${path}/${documents}/${document.id}`;
  };
  switch (kind) {
    case 'edit':
      return store.post(`${path}/edit`, { change: [{ item_id, amount }] });
    case 'dry run':
      return store.post(`${path}/edit?dry_run`, { change: [{ item_id, amount }] });
    case 'add':
      return store.post(`${path}/edit`, { add: [orderItem(products[line % products.length]!, amount)] });
    case 'ship':
      return store.post(`${path}/shipments`, {
        lines: [{ item_id, amount }],
        ...(restock ? { shipping_status: SHIPPINGS[code] } : {}),
      });
    case 'unship': {
      const shipment = await newest('shipments');
      return shipment === undefined ? undefined : store.delete(shipment);
    }
    case 'return':
      return store.post(`${path}/returns`, { lines: [{ item_id, amount, restock }] });
    case 'receive': {
      const requested = amount > 3 ? await newest('returns') : undefined;
      if (requested !== undefined) return store.patch(requested, { status: 'received' });
      const lines = [
        { item_id, amount: 1, restock },
        { item_id, amount: 1, restock: !restock },
      ];
      return store.post(`${path}/returns`, { lines, status: 'received' });
    }
    case 'payment':
      return setStatus(store, id, 'payment', PAYMENTS[code]!);
    case 'shipping':
      return setStatus(store, id, 'shipping', SHIPPINGS[code]!);
  }
}

/** Asserts that stock, units in orders and written-off units add up to the initial stock. */
async function assertBalance(
  store: Store,
  products: readonly { readonly id: number }[],
  ids: readonly number[],
): Promise<void> {
  const orders = await Promise.all(ids.map((id) => orderAt(store, id)));
  for (const product of products) {
    const stock = await stockOf(store, product);
    assert.ok(stock >= 0, `${stock} in stock`);
    let [inOrders, writtenOff] = [0, 0];
    for (const order of orders)
      for (const item of order.items as Record<string, number>[]) {
        if (item.product_id !== product.id) continue;
        const counters: Json = item;
        const { amount, ordered_amount, shipped_amount, cancelled_amount, returned_amount, restocked_amount } = item;
        assert.equal(ordered_amount, amount! + cancelled_amount!);
        for (const [less, more] of [
          [0, restocked_amount!],
          [restocked_amount!, returned_amount!],
          [returned_amount!, shipped_amount!],
          [shipped_amount!, amount!],
        ] as const)
          assert.ok(less <= more, JSON.stringify(counters));
        if (isCounted(order.payment_status.code, order.shipping_status.code)) inOrders += amount! - returned_amount!;
        writtenOff += returned_amount! - restocked_amount!;
      }
    assert.equal(
      stock + inOrders + writtenOff,
      STOCK,
      `${stock} in stock, ${inOrders} in orders, ${writtenOff} written off`,
    );
  }
}

/** Whether an order with these statuses holds its units: the table of orders.md §3, for the statuses used here. */
function isCounted(payment: string, shipping: string): boolean {
  return payment === 'R' ? shipping === 'S' : payment !== 'C' && payment !== 'D';
}
