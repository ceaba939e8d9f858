/** Stock and orders: no unit is sold twice or lost (orders.md §3). */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { assertProblem, assertUnchanged } from '../support/expect.ts';
import {
  assertBroken,
  countOrders,
  type Event,
  eventsOf,
  historyOf,
  orderAt,
  orderItem,
  orderOf,
  PAYMENT_STATUSES,
  place,
  placed,
  type Servers,
  SHIPPING_STATUSES,
  type Side,
  setStatus,
  startServers,
  statuses,
  stockOf,
  times,
  versionOf,
  withStatus,
} from '../support/orders.ts';
import { rounds } from '../support/rounds.ts';
import { type Json, onEachDatabase, type Store } from '../support/store.ts';

const PAYMENTS = Object.keys(PAYMENT_STATUSES);
const SHIPPINGS = Object.keys(SHIPPING_STATUSES);

/** The statuses with reserved stock, from the table of orders.md §3. */
const RESERVED: Record<string, readonly string[]> = {
  Q: SHIPPINGS,
  A: SHIPPINGS,
  PP: SHIPPINGS,
  P: SHIPPINGS,
  D: [],
  C: [],
  R: ['S', 'D'],
};
const isReserved = (payment: string, shipping: string) => RESERVED[payment]!.includes(shipping);

/**
 * The statuses of the other kind for which each change of one status is tested: all on SQLite; on PostgreSQL, which
 * shares the rule, one of each sort: stock reserved, not reserved, and dependent on the changing status.
 */
const OTHER_STATUSES = {
  sqlite: { payments: PAYMENTS, shippings: SHIPPINGS },
  postgres: { payments: ['Q', 'C', 'R'], shippings: ['N', 'S'] },
};

const codes = (events: readonly Event[]) => events.map(({ code }) => code).sort();
const backordered = (order: { items: Json[] }) => order.items.map(({ backordered_amount }) => backordered_amount);

/** A sequence of changes that goes from each value to each other value once and ends at the first one. */
function allTransitions<T>(all: readonly T[], first = 0): T[] {
  return all.slice(first + 1).flatMap((next, index) => {
    const further = index === 0 ? allTransitions(all, first + 1) : [];
    return [next, ...further, all[first]!];
  });
}

onEachDatabase('stock by status', {}, (store) => {
  for (const payment of PAYMENTS)
    test(`is correct for orders that start with payment status ${payment}`, async () => {
      for (const shipping of SHIPPINGS) {
        const product = await store.product({ amount: 10 });
        const order = await placed(store, [orderItem(product, 3)], {
          payment_status: payment,
          shipping_status: shipping,
        });
        const out = isReserved(payment, shipping);
        assert.equal(await stockOf(store, product), out ? 7 : 10, `${payment} ${shipping}`);
        assert.equal(order.stock_status, out ? 'reduced' : '', `${payment} ${shipping}`);
        assert.deepEqual([order.payment_status.code, order.shipping_status.code], [payment, shipping]);
        assert.deepEqual(backordered(order), [0]);
      }
    });

  test('is correct after every change of a status to any other', async () => {
    const [one, other] = [await store.product({ amount: 10 }), await store.product({ amount: 4 })];
    const { id } = await placed(store, [orderItem(one, 3), orderItem(other, 4)]);
    const now = { payment: 'Q', shipping: 'N' };
    let [stockStatus, steps, stockChanges] = ['reduced', 0, 0];
    const step = async (side: Side, code: string) => {
      const [was, title] = [{ ...now }, `${side} to ${code} at ${now.payment} ${now.shipping}`];
      const response = await setStatus(store, id, side, code);
      assert.deepEqual([response.status, response.json.code], [200, code], title);
      now[side] = code;
      const out = isReserved(now.payment, now.shipping);
      steps += 1;
      if (out !== isReserved(was.payment, was.shipping)) {
        stockStatus = out ? 'reduced' : 'increased';
        stockChanges += 1;
      }
      const [left, empty, order] = await Promise.all([stockOf(store, one), stockOf(store, other), orderAt(store, id)]);
      assert.deepEqual([left, empty, order.stock_status], out ? [7, 0, stockStatus] : [10, 4, stockStatus], title);
      assert.deepEqual([order.payment_status.code, order.shipping_status.code], [now.payment, now.shipping], title);
      assert.deepEqual(backordered(order), [0, 0], title);
    };
    const { shippings, payments } = OTHER_STATUSES[store.database];
    for (const shipping of shippings) {
      if (shipping !== now.shipping) await step('shipping', shipping);
      for (const code of allTransitions(PAYMENTS)) await step('payment', code);
    }
    await step('shipping', 'N');
    for (const payment of payments) {
      if (payment !== now.payment) await step('payment', payment);
      for (const code of allTransitions(SHIPPINGS)) await step('shipping', code);
    }
    const events: Event[] = [];
    for (let page = 1; events.length === (page - 1) * 100; page += 1)
      events.push(...(await store.get(`/api/orders/${id}/history?itemsPerPage=100&page=${page}`)).json);
    const count = (pattern: RegExp) => events.filter(({ code }) => pattern.test(code)).length;
    assert.equal(count(/^CHANGE (PAYMENT|SHIPPING) STATUS ORDER$/), steps);
    assert.ok(count(/^CHANGE PRODUCT AMOUNT$/) >= stockChanges, `${stockChanges} stock changes are recorded`);
    assert.equal(count(/^PLACE ORDER$/), 1);
  });
});

onEachDatabase('stock of new orders', {}, (store) => {
  const five = { available_for_backorder: true, backorder_limit: 5 };
  const reserved: [title: string, product: Json, amounts: number[], left: number, backorders: number[]][] = [
    ['part of the stock', { amount: 5 }, [2], 3, [0]],
    ['the whole stock', { amount: 5 }, [5], 0, [0]],
    ['the whole stock without backorders', { amount: 5, ...five, available_for_backorder: false }, [5], 0, [0]],
    ['the whole stock and no backorder', { amount: 5, ...five }, [5], 0, [0]],
    ['two more than the stock', { amount: 2, ...five }, [4], -2, [2]],
    ['the backorder limit', { amount: 2, ...five }, [7], -5, [5]],
    ['backorders only', { amount: 0, ...five }, [5], -5, [5]],
    ['several items of one product', { amount: 5 }, [1, 3, 1], 0, [0, 0, 0]],
    ['any amount without inventory tracking', { amount: 0, inventory_traceable: false }, [1000], 0, [0]],
    [
      'any amount without inventory tracking but with a limit',
      { amount: 1, inventory_traceable: false, ...five },
      [9],
      1,
      [0],
    ],
  ];
  for (const [title, fields, amounts, left, backorders] of reserved)
    test(`reserves ${title}`, async () => {
      const product = await store.product(fields);
      const order = await placed(
        store,
        amounts.map((amount) => orderItem(product, amount)),
      );
      assert.equal(await stockOf(store, product), left);
      assert.deepEqual(backordered(order), backorders);
      assert.equal(order.shipping_status.code, backorders.some((amount) => amount > 0) ? 'NBA' : 'N');
      assert.deepEqual(await orderAt(store, order.id), order);
    });

  for (const [amounts, backorders] of [
    [[1, 3], 2],
    [[4, 3], 5],
    [[2, 5], 5],
    [[1, 1, 1, 1], 2],
  ] as const)
    test(`backorders no unit twice: ${amounts.join(' and ')} of one product`, async () => {
      const product = await store.product({ amount: 2, ...five });
      const order = await placed(
        store,
        amounts.map((amount) => orderItem(product, amount)),
      );
      assert.equal(await stockOf(store, product), -backorders);
      assert.equal(
        backordered(order).reduce((one: number, other) => one + Number(other), 0),
        backorders,
      );
      for (const each of order.items) assert.ok(each.backordered_amount <= each.amount);
      await withStatus(store, order.id, 'payment', 'C');
      assert.equal(await stockOf(store, product), 2);
    });

  const short: [title: string, product: Json, amounts: number[]][] = [
    ['one unit too many', { amount: 5 }, [6]],
    ['one unit without stock', { amount: 0 }, [1]],
    [
      'one unit too many with a backorder limit of 0',
      { amount: 5, available_for_backorder: true, backorder_limit: 0 },
      [6],
    ],
    ['one unit too many without backorders', { amount: 5, ...five, available_for_backorder: false }, [6]],
    ['one unit over the backorder limit', { amount: 2, ...five }, [8]],
    ['far over the backorder limit', { amount: 2, ...five }, [1_000_000]],
    ['too many in two items', { amount: 5 }, [3, 3]],
    ['too many backorders in two items', { amount: 2, ...five }, [4, 4]],
    ['the last unit twice', { amount: 1 }, [1, 1]],
  ];
  for (const [title, fields, amounts] of short)
    test(`rejects ${title} and names the item`, async () => {
      const [enough, product] = [await store.product(), await store.product(fields)];
      await assertUnchanged(store, async () =>
        assertBroken(
          await place(store, [orderItem(enough, 2), ...amounts.map((amount) => orderItem(product, amount))]),
          [new RegExp(`^items\\[${amounts.length}\\]`)],
        ),
      );
    });

  test('rejects every item that is short and reserves nothing', async () => {
    const [enough, one, other] = [
      await store.product(),
      await store.product({ amount: 1 }),
      await store.product({ amount: 0 }),
    ];
    await assertUnchanged(store, async () =>
      assertBroken(
        await place(store, [orderItem(one, 2), orderItem(enough, 1), orderItem(other, 1)]),
        [/^items\[0\]/],
        [/^items\[2\]/],
      ),
    );
  });

  test('stops at the backorder limit over several orders', async () => {
    const product = await store.product({ amount: 3, available_for_backorder: true, backorder_limit: 4 });
    const backorders: unknown[] = [];
    for (const amount of [2, 2, 2, 1])
      backorders.push(...backordered(await placed(store, [orderItem(product, amount)])));
    assert.deepEqual(backorders, [0, 1, 2, 1]);
    assert.equal(await stockOf(store, product), -4);
    await assertUnchanged(store, async () =>
      assertBroken(await place(store, [orderItem(product, 1)]), [/^items\[0\]/]),
    );
  });

  test('is recorded in the history', async () => {
    const traced = await placed(store, [orderItem(await store.product(), 1)]);
    const found = await historyOf(store, traced.id);
    assert.equal(found[0]!.code, 'PLACE ORDER');
    assert.deepEqual([...new Set(codes(found))], ['CHANGE PRODUCT AMOUNT', 'PLACE ORDER']);
    const cancelled = await placed(store, [orderItem(await store.product(), 1)], { payment_status: 'C' });
    assert.deepEqual(codes(await historyOf(store, cancelled.id)), ['PLACE ORDER']);
  });
});

onEachDatabase('orders that start without reserving stock', {}, (store) => {
  for (const [payment_status, shipping_status] of [
    ['C', undefined],
    ['D', 'NBA'],
    ['R', 'N'],
    ['R', 'R'],
  ])
    test(`are accepted at ${payment_status} ${shipping_status ?? ''} despite a shortage`, async () => {
      const product = await store.product({ amount: 2, available_for_backorder: true, backorder_limit: 2 });
      const order = await placed(store, [orderItem(product, 50)], {
        payment_status,
        ...(shipping_status === undefined ? {} : { shipping_status }),
      });
      assert.deepEqual([order.stock_status, backordered(order)], ['', [0]]);
      assert.equal(order.shipping_status.code, shipping_status ?? 'N');
      assert.equal(await stockOf(store, product), 2);
      await assertUnchanged(store, async () => assertProblem(await setStatus(store, order.id, 'payment', 'P'), 409));
    });

  test('reserve stock when they are paid later and release it again', async () => {
    const product = await store.product({ amount: 5 });
    const { id } = await placed(store, [orderItem(product, 3)], { payment_status: 'D' });
    assert.equal((await withStatus(store, id, 'payment', 'P')).stock_status, 'reduced');
    assert.equal(await stockOf(store, product), 2);
    assert.equal((await withStatus(store, id, 'payment', 'D')).stock_status, 'increased');
    assert.equal(await stockOf(store, product), 5);
  });
});

onEachDatabase('backordered units', {}, (store) => {
  const backorderProduct = () => store.product({ amount: 2, available_for_backorder: true, backorder_limit: 5 });

  for (const shipping_status of ['N', 'P', 'S', 'WFA'])
    test(`are recorded if the order starts as ${shipping_status}`, async () => {
      const product = await backorderProduct();
      const order = await placed(store, [orderItem(product, 4)], { shipping_status });
      assert.deepEqual([order.shipping_status.code, backordered(order)], [shipping_status, [2]]);
      assert.equal(await stockOf(store, product), -2);
    });

  for (const code of SHIPPINGS.filter((each) => each !== 'NBA'))
    test(`become 0 without changing stock when the order changes from NBA to ${code}`, async () => {
      const product = await backorderProduct();
      const { id, shipping_status } = await placed(store, [orderItem(product, 4)]);
      assert.equal(shipping_status.code, 'NBA');
      const added = await eventsOf(store, id, () => setStatus(store, id, 'shipping', code));
      const order = await orderAt(store, id);
      assert.deepEqual([order.shipping_status.code, backordered(order), order.stock_status], [code, [0], 'reduced']);
      assert.equal(await stockOf(store, product), -2);
      assert.deepEqual(codes(added), ['CHANGE SHIPPING STATUS ORDER']);
      // All units were reserved, so all return to stock.
      await withStatus(store, id, 'payment', 'C');
      assert.equal(await stockOf(store, product), 2);
    });

  test('do not change with the payment status', async () => {
    const product = await backorderProduct();
    const { id } = await placed(store, [orderItem(product, 4)]);
    for (const code of ['A', 'PP', 'P', 'Q'])
      assert.deepEqual(backordered(await withStatus(store, id, 'payment', code)), [2]);
    assert.equal(await stockOf(store, product), -2);
  });

  test('become 0 when canceled and are backordered again when reserved', async () => {
    const product = await backorderProduct();
    const { id } = await placed(store, [orderItem(product, 4)]);
    const cancelled = await withStatus(store, id, 'payment', 'C');
    assert.deepEqual([backordered(cancelled), cancelled.stock_status], [[0], 'increased']);
    assert.equal(await stockOf(store, product), 2);
    const again = await withStatus(store, id, 'payment', 'Q');
    assert.deepEqual([backordered(again), again.stock_status], [[2], 'reduced']);
    assert.equal(await stockOf(store, product), -2);
  });

  test('are at most the amount of the item', async () => {
    const product = await backorderProduct();
    const [one, other] = [await placed(store, [orderItem(product, 4)]), await placed(store, [orderItem(product, 3)])];
    assert.deepEqual([backordered(one), backordered(other)], [[2], [3]]);
    await withStatus(store, one.id, 'payment', 'C');
    assert.equal(await stockOf(store, product), -1);
    assert.deepEqual(backordered(await withStatus(store, one.id, 'payment', 'Q')), [4]);
    assert.equal(await stockOf(store, product), -5);
    assert.deepEqual(backordered(await orderAt(store, other.id)), [3]);
  });
});

onEachDatabase('a status change with insufficient stock', {}, (store) => {
  const causes: [title: string, from: Json, side: Side, code: string][] = [
    ['by the payment status', { payment_status: 'C' }, 'payment', 'Q'],
    ['by a refund of a shipped order', { payment_status: 'C', shipping_status: 'S' }, 'payment', 'R'],
    ['by shipping a refunded order', { payment_status: 'R' }, 'shipping', 'S'],
    ['by delivering a refunded and returned order', { payment_status: 'R', shipping_status: 'R' }, 'shipping', 'D'],
  ];
  for (const [title, from, side, code] of causes)
    test(`returns 409, names the item and changes nothing (${title})`, async () => {
      const [enough, product] = [await store.product({ amount: 9 }), await store.product({ amount: 5 })];
      const { id, items } = await placed(store, [orderItem(enough, 2), orderItem(product, 4)], from);
      await placed(store, [orderItem(product, 2)]);
      await assertUnchanged(store, async () => {
        const response = await setStatus(store, id, side, code);
        assertProblem(response, 409);
        const { sku, name } = items[1];
        assert.ok(response.json.detail.includes(sku) || response.json.detail.includes(name), response.json.detail);
        assert.ok(!response.json.detail.includes(items[0].sku), response.json.detail);
      });
      // The change succeeds as soon as there is enough stock.
      await store.post(`/api/products/${product.id}/stock`, { delta: 1 });
      assert.equal((await withStatus(store, id, side, code)).stock_status, 'reduced');
      assert.deepEqual([await stockOf(store, enough), await stockOf(store, product)], [7, 0]);
    });

  test('applies the backorder limit', async () => {
    const product = await store.product({ amount: 0, available_for_backorder: true, backorder_limit: 3 });
    const { id } = await placed(store, [orderItem(product, 3)]);
    await withStatus(store, id, 'payment', 'D');
    const { id: other } = await placed(store, [orderItem(product, 1)]);
    await assertUnchanged(store, async () => assertProblem(await setStatus(store, id, 'payment', 'Q'), 409));
    await withStatus(store, other, 'payment', 'C');
    assert.deepEqual(backordered(await withStatus(store, id, 'payment', 'Q')), [3]);
    assert.equal(await stockOf(store, product), -3);
  });

  test('adds up several items of one product', async () => {
    const product = await store.product({ amount: 4 });
    const { id } = await placed(store, [orderItem(product, 2), orderItem(product, 2)]);
    await withStatus(store, id, 'payment', 'C');
    await placed(store, [orderItem(product, 1)]);
    await assertUnchanged(store, async () => assertProblem(await setStatus(store, id, 'payment', 'P'), 409));
    assert.equal(await stockOf(store, product), 3);
  });
});

onEachDatabase('repeated status', {}, (store) => {
  for (const [payment, shipping] of [
    ['Q', 'N'],
    ['C', 'N'],
    ['R', 'D'],
  ] as const)
    test(`changes and records nothing at ${payment} ${shipping}`, async () => {
      const product = await store.product({ amount: 5 });
      const { id } = await placed(store, [orderItem(product, 2)], {
        payment_status: payment,
        shipping_status: shipping,
      });
      await assertUnchanged(store, async () => {
        assert.equal((await setStatus(store, id, 'payment', payment)).status, 200);
        assert.equal((await setStatus(store, id, 'shipping', shipping)).status, 200);
      });
    });
});

onEachDatabase('stock changes by status', {}, (store) => {
  test('are recorded in the history in addition to the status', async () => {
    const { id } = await placed(store, [orderItem(await store.product(), 1)]);
    const cancelled = await eventsOf(store, id, () => setStatus(store, id, 'payment', 'C'));
    assert.deepEqual([...new Set(codes(cancelled))], ['CHANGE PAYMENT STATUS ORDER', 'CHANGE PRODUCT AMOUNT']);
    const still = await eventsOf(store, id, () => setStatus(store, id, 'shipping', 'WND'));
    assert.deepEqual(codes(still), ['CHANGE SHIPPING STATUS ORDER']);
    const back = await eventsOf(store, id, () => setStatus(store, id, 'payment', 'A'));
    assert.deepEqual([...new Set(codes(back))], ['CHANGE PAYMENT STATUS ORDER', 'CHANGE PRODUCT AMOUNT']);
  });

  test('change the version of the product', async () => {
    const product = await store.product({ amount: 5 });
    const path = `/api/products/${product.id}`;
    const first = await store.get(path);
    const { id } = await placed(store, [orderItem(product, 1)]);
    const sold = await store.get(path);
    assert.ok(versionOf(sold) > versionOf(first));
    assertProblem(await store.patch(path, { price: 1 }, { 'if-match': first.headers.etag }), 412);
    await withStatus(store, id, 'payment', 'C');
    assert.ok(versionOf(await store.get(path)) > versionOf(sold));
  });

  test('do not affect products without inventory tracking', async () => {
    const [free, traced] = [
      await store.product({ amount: 3, inventory_traceable: false }),
      await store.product({ amount: 5 }),
    ];
    const { id } = await placed(store, [orderItem(free, 9), orderItem(traced, 2)]);
    for (const code of ['C', 'P', 'R']) await withStatus(store, id, 'payment', code);
    assert.deepEqual([await stockOf(store, free), await stockOf(store, traced)], [3, 5]);
  });

  test('release only reserved units if tracking was enabled later', async () => {
    const product = await store.product({ amount: 3, inventory_traceable: false });
    const { id } = await placed(store, [orderItem(product, 2)]);
    await store.patch(`/api/products/${product.id}`, { inventory_traceable: true });
    for (const code of ['C', 'Q', 'D']) {
      await withStatus(store, id, 'payment', code);
      assert.equal(await stockOf(store, product), 3, code);
    }
  });

  test('release reserved units even if tracking was disabled later', async () => {
    const product = await store.product({ amount: 3 });
    const { id } = await placed(store, [orderItem(product, 2)]);
    await store.patch(`/api/products/${product.id}`, { inventory_traceable: false });
    await withStatus(store, id, 'payment', 'C');
    assert.equal(await stockOf(store, product), 3);
  });

  test('are relative to the current stock', async () => {
    const product = await store.product({ amount: 5 });
    const { id } = await placed(store, [orderItem(product, 4)]);
    await store.patch(`/api/products/${product.id}`, { amount: 100 });
    await withStatus(store, id, 'payment', 'C');
    assert.equal(await stockOf(store, product), 104);
    await store.post(`/api/products/${product.id}/stock`, { delta: -50 });
    await withStatus(store, id, 'payment', 'P');
    assert.equal(await stockOf(store, product), 50);
  });
});

onEachDatabase('deleted products in orders', {}, (store) => {
  test('change no stock, and their items retain the data of the sale', async () => {
    const [deleted, stays] = [
      await store.product({ name: 'Gone', sku: 'GONE', price: 4, amount: 9 }),
      await store.product({ amount: 9 }),
    ];
    const order = await placed(store, [orderItem(deleted, 3), orderItem(stays, 2)]);
    const path = `/api/orders/${order.id}`;
    const earlier = await store.get(path);
    assert.equal((await store.delete(`/api/products/${deleted.id}`)).status, 204);
    const later = await store.get(path);
    const [item, other] = order.items;
    assert.deepEqual(later.json, { ...order, items: [{ ...item, product_id: null }, other] });
    assert.equal(versionOf(later), versionOf(earlier), 'the version of the order does not change');
    assert.notEqual(later.headers.etag, earlier.headers.etag);
    // A new product with the old SKU is a different product.
    const next = await store.product({ sku: 'GONE', amount: 5 });
    for (const [code, left] of [
      ['C', 9],
      ['P', 7],
      ['D', 9],
    ] as const) {
      await withStatus(store, order.id, 'payment', code);
      assert.deepEqual([await stockOf(store, stays), await stockOf(store, next)], [left, 5], code);
    }
    assert.equal((await orderAt(store, order.id)).items[0].product_id, null);
  });

  test('do not prevent status changes', async () => {
    const product = await store.product({ amount: 2, available_for_backorder: true, backorder_limit: 5 });
    const { id } = await placed(store, [orderItem(product, 4)]);
    await store.delete(`/api/products/${product.id}`);
    for (const code of ['C', 'Q', 'R', 'P']) await withStatus(store, id, 'payment', code);
    for (const code of SHIPPINGS) await withStatus(store, id, 'shipping', code);
  });
});

/** The expected stock according to orders.md §3 only. */
class Model {
  readonly limits: readonly number[];
  readonly traced: readonly boolean[];
  stock: number[];
  readonly orders: ModelOrder[] = [];

  constructor(products: readonly { stock: number; limit: number; traced: boolean }[]) {
    this.stock = products.map(({ stock }) => stock);
    this.limits = products.map(({ limit }) => limit);
    this.traced = products.map(({ traced }) => traced);
  }

  /** @returns false without a change if stock is insufficient */
  #take(order: ModelOrder): boolean {
    const stock = [...this.stock];
    const backorders = order.items.map(({ product, took }) => {
      if (took === 0) return 0;
      stock[product]! -= took;
      return stock[product]! < -this.limits[product]! ? undefined : Math.max(0, Math.min(took, -stock[product]!));
    });
    if (backorders.includes(undefined)) return false;
    this.stock = stock;
    order.backorders = backorders as number[];
    order.stockStatus = 'reduced';
    return true;
  }

  place(items: readonly { product: number; amount: number }[], payment = 'Q', shipping?: string): boolean {
    const order: ModelOrder = {
      items: items.map(({ product, amount }) => ({ product, took: this.traced[product] ? amount : 0 })),
      payment,
      shipping: shipping ?? 'N',
      backorders: items.map(() => 0),
      stockStatus: '',
    };
    if (isReserved(payment, order.shipping)) {
      if (!this.#take(order)) return false;
      if (shipping === undefined && order.backorders!.some((amount) => amount > 0)) order.shipping = 'NBA';
    }
    this.orders.push(order);
    return true;
  }

  setStatus(order: ModelOrder, side: Side, code: string): boolean {
    const [was, leaves] = [
      isReserved(order.payment, order.shipping),
      order.shipping === 'NBA' && side === 'shipping' && code !== 'NBA',
    ];
    const out = side === 'payment' ? isReserved(code, order.shipping) : isReserved(order.payment, code);
    if (out && !was && !this.#take(order)) return false;
    if (was && !out) {
      for (const { product, took } of order.items) this.stock[product]! += took;
      order.stockStatus = 'increased';
    }
    if (leaves || (was && !out)) order.backorders = order.backorders?.map(() => 0) ?? order.items.map(() => 0);
    // The order of both effects is unspecified.
    if (leaves && out && !was) order.backorders = undefined;
    order[side] = code;
    return true;
  }

  add(product: number, delta: number): boolean {
    if (delta < 0 && this.stock[product]! + delta < -this.limits[product]!) return false;
    this.stock[product]! += delta;
    return true;
  }
}

interface ModelOrder {
  readonly items: readonly { product: number; took: number }[];
  payment: string;
  shipping: string;
  backorders: number[] | undefined;
  stockStatus: string;
}

const PRODUCTS = [
  { stock: 10, limit: 0, traced: true },
  { stock: 4, limit: 6, traced: true },
  { stock: 3, limit: 0, traced: false },
];

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('place' as const),
      items: fc.array(fc.record({ product: fc.nat(PRODUCTS.length - 1), amount: fc.integer({ min: 1, max: 4 }) }), {
        minLength: 1,
        maxLength: 3,
      }),
      payment: fc.constantFrom(undefined, undefined, ...PAYMENTS),
      shipping: fc.constantFrom(undefined, undefined, undefined, ...SHIPPINGS),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('status' as const),
      order: fc.nat(),
      change: fc.oneof(
        fc.tuple(fc.constant('payment' as const), fc.constantFrom(...PAYMENTS)),
        fc.tuple(fc.constant('shipping' as const), fc.constantFrom(...SHIPPINGS)),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('stock' as const),
      product: fc.nat(PRODUCTS.length - 2),
      delta: fc.integer({ min: -3, max: 5 }).filter((delta) => delta !== 0),
    }),
  },
);

const newProducts = (store: Store) =>
  Promise.all(
    PRODUCTS.map(({ stock, limit, traced }) =>
      store.product({
        amount: stock,
        available_for_backorder: limit > 0,
        backorder_limit: limit,
        inventory_traceable: traced,
      }),
    ),
  );

onEachDatabase('random sequences of orders', {}, (store) => {
  const runs = { sqlite: rounds(12, 28), postgres: rounds(4, 8) }[store.database];

  test('follow the rules at every step', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 30 }), async (steps) => {
        const products = await newProducts(store);
        const model = new Model(PRODUCTS);
        const ids: number[] = [];
        for (const each of steps) {
          if (each.kind === 'place') {
            const fields: Json = {
              ...(each.payment === undefined ? {} : { payment_status: each.payment }),
              ...(each.shipping === undefined ? {} : { shipping_status: each.shipping }),
            };
            const items = each.items.map(({ product, amount }) => orderItem(products[product]!, amount));
            const response = await place(store, items, fields);
            assert.equal(
              response.status,
              model.place(each.items, each.payment, each.shipping) ? 201 : 422,
              response.text,
            );
            if (response.status === 201) ids.push(response.json.id);
          } else if (each.kind === 'stock') {
            const response = await store.post(`/api/products/${products[each.product]!.id}/stock`, {
              delta: each.delta,
            });
            assert.equal(response.status, model.add(each.product, each.delta) ? 200 : 422, response.text);
          } else if (ids.length > 0) {
            const index = each.order % ids.length;
            const [side, code] = each.change;
            const expected = model.setStatus(model.orders[index]!, side, code) ? 200 : 409;
            const response = await setStatus(store, ids[index]!, side, code);
            assert.equal(response.status, expected, response.text);
          }
          assert.deepEqual(await Promise.all(products.map((product) => stockOf(store, product))), model.stock);
          const orders = await Promise.all(ids.map((id) => orderAt(store, id)));
          for (const [index, order] of orders.entries()) {
            const { payment, shipping, backorders, stockStatus } = model.orders[index]!;
            assert.deepEqual(
              [order.payment_status.code, order.shipping_status.code, order.stock_status],
              [payment, shipping, stockStatus],
            );
            if (backorders) assert.equal(sum(backordered(order)), sum(backorders));
          }
        }
      }),
      { numRuns: runs, endOnFailure: true },
    );
  });

  test('lose or duplicate no unit when run concurrently', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 60, maxLength: 80 }), async (steps) => {
        const products = await newProducts(store);
        const added = PRODUCTS.map(({ stock }) => stock);
        const orders: number[] = [];
        for (let start = 0; start < steps.length; start += 10)
          await Promise.all(
            steps.slice(start, start + 10).map(async (each) => {
              if (each.kind === 'place') {
                const items = each.items.map(({ product, amount }) => orderItem(products[product]!, amount));
                const response = await place(store, items, { payment_status: each.payment ?? 'Q' });
                assert.ok([201, 422].includes(response.status), response.text);
                if (response.status === 201) orders.push(response.json.id);
              } else if (each.kind === 'stock') {
                const path = `/api/products/${products[each.product]!.id}/stock`;
                const response = await store.post(path, { delta: each.delta });
                assert.ok([200, 422].includes(response.status), response.text);
                if (response.status === 200) added[each.product]! += each.delta;
              } else if (orders.length > 0) {
                const [side, code] = each.change;
                const response = await setStatus(store, orders[each.order % orders.length]!, side, code);
                assert.ok([200, 409].includes(response.status), response.text);
              }
            }),
          );
        const reserved = await reservedBy(store, orders);
        for (const [index, product] of products.entries()) {
          const left = await stockOf(store, product);
          const { traced, limit } = PRODUCTS[index]!;
          assert.equal(left + (traced ? (reserved.get(product.id) ?? 0) : 0), added[index], `product ${index}`);
          assert.ok(left >= -limit);
        }
      }),
      { numRuns: runs / 4, endOnFailure: true },
    );
  });
});

const sum = (numbers: readonly unknown[]) => numbers.reduce((one: number, other) => one + Number(other), 0);

/**
 * Counts the units of each product in orders with reserved stock, and checks each order's stock status against its
 * statuses.
 */
async function reservedBy(store: Store, orders: readonly number[]): Promise<Map<number, number>> {
  const reserved = new Map<number, number>();
  for (const order of await Promise.all(orders.map((id) => orderAt(store, id)))) {
    const out = isReserved(order.payment_status.code, order.shipping_status.code);
    assert.ok(out ? order.stock_status === 'reduced' : order.stock_status !== 'reduced');
    for (const { product_id, amount } of order.items)
      if (out) reserved.set(product_id, (reserved.get(product_id) ?? 0) + amount);
  }
  return reserved;
}

onEachDatabase('concurrent orders', {}, (store) => {
  test('100 orders for 10 units: 10 succeed', async () => {
    const product = await store.product({ amount: 10 });
    const before = await countOrders(store);
    const responses = await times(100, () => place(store, [orderItem(product, 1)]));
    assert.deepEqual(statuses(responses), { 201: 10, 422: 90 });
    for (const response of responses) if (response.status === 422) assertBroken(response, [/^items\[0\]/]);
    assert.equal(await stockOf(store, product), 0);
    assert.equal(await countOrders(store), before + 10);
    const numbers = responses.filter(({ status }) => status === 201).map(({ json }) => json.order_number);
    assert.equal(new Set(numbers).size, 10);
  });

  test('50 orders of 3 for 10 units and 5 backorders: 5 succeed', async () => {
    const product = await store.product({ amount: 10, available_for_backorder: true, backorder_limit: 5 });
    const responses = await times(50, () => place(store, [orderItem(product, 3)]));
    assert.deepEqual(statuses(responses), { 201: 5, 422: 45 });
    assert.equal(await stockOf(store, product), -5);
    const backorders = responses.filter(({ status }) => status === 201).map(({ json }) => backordered(json)[0]);
    assert.deepEqual(backorders.sort(), [0, 0, 0, 2, 3]);
  });

  test('with the same products in a different order do not deadlock', async () => {
    const products = await times(5, () => store.product({ amount: 100 }));
    const responses = await times(40, (index) => {
      const items = products.map((product) => orderItem(product, 1));
      return place(store, index % 2 ? items : items.toReversed());
    });
    assert.deepEqual(statuses(responses), { 201: 40 });
    for (const product of products) assert.equal(await stockOf(store, product), 60);
  });

  test('one order canceled by 20 clients restocks its units once', async () => {
    const product = await store.product({ amount: 5 });
    const { id } = await placed(store, [orderItem(product, 3)]);
    const added = await eventsOf(store, id, async () =>
      assert.deepEqual(statuses(await times(20, () => setStatus(store, id, 'payment', 'C'))), { 200: 20 }),
    );
    assert.equal(await stockOf(store, product), 5);
    assert.deepEqual([...new Set(codes(added))], ['CHANGE PAYMENT STATUS ORDER', 'CHANGE PRODUCT AMOUNT']);
    assert.equal(codes(added).filter((code) => code === 'CHANGE PAYMENT STATUS ORDER').length, 1);
  });

  test('one order changed by both statuses is never counted twice', async () => {
    for (let round = 0; round < 10; round += 1) {
      const product = await store.product({ amount: 5 });
      const { id } = await placed(store, [orderItem(product, 3)], { payment_status: 'R', shipping_status: 'S' });
      const responses = await Promise.all([
        setStatus(store, id, 'shipping', 'R'),
        setStatus(store, id, 'payment', 'C'),
        setStatus(store, id, 'shipping', 'D'),
        setStatus(store, id, 'payment', 'R'),
      ]);
      assert.deepEqual(statuses(responses), { 200: 4 });
      const reserved = (await reservedBy(store, [id])).get(product.id) ?? 0;
      assert.equal((await stockOf(store, product)) + reserved, 5);
    }
  });

  test('10 canceled orders reopened for 5 units: 5 succeed', async () => {
    const product = await store.product({ amount: 10 });
    const orders = await times(10, () => placed(store, [orderItem(product, 1)]));
    for (const { id } of orders) await withStatus(store, id, 'payment', 'C');
    await store.post(`/api/products/${product.id}/stock`, { delta: -5 });
    const responses = await Promise.all(orders.map(({ id }) => setStatus(store, id, 'payment', 'Q')));
    assert.deepEqual(statuses(responses), { 200: 5, 409: 5 });
    assert.equal(await stockOf(store, product), 0);
    assert.equal(
      (
        await reservedBy(
          store,
          orders.map(({ id }) => id),
        )
      ).get(product.id),
      5,
    );
  });

  test('cancellations and orders of the same products do not deadlock', async () => {
    const products = await times(4, () => store.product({ amount: 200 }));
    const items = (index: number) => {
      const all = products.map((product) => orderItem(product, 1));
      return index % 2 ? all : all.toReversed();
    };
    const orders = await times(20, (index) => placed(store, items(index)));
    const responses = await times(40, (index) =>
      index % 2 ? place(store, items((index - 1) / 2)) : setStatus(store, orders[index / 2]!.id, 'payment', 'C'),
    );
    assert.deepEqual(statuses(responses), { 200: 20, 201: 20 });
    for (const product of products) assert.equal(await stockOf(store, product), 180);
  });

  test('deleting a product while it is ordered and canceled causes no error', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [product, other] = [await store.product({ amount: 50 }), await store.product({ amount: 50 })];
      const first = await placed(store, [orderItem(product, 1), orderItem(other, 1)]);
      const [deleted, cancelled, ...responses] = await Promise.all([
        store.delete(`/api/products/${product.id}`),
        setStatus(store, first.id, 'payment', 'C'),
        ...Array.from({ length: 4 }, () => place(store, [orderItem(other, 1), orderItem(product, 1)])),
      ]);
      assert.deepEqual([deleted!.status, cancelled!.status], [204, 200]);
      for (const response of responses)
        if (response.status !== 201) assertBroken(response, ['items[1].product_id', 'unknown_link']);
      const reserved = responses.filter(({ status }) => status === 201);
      assert.equal(await stockOf(store, other), 50 - reserved.length);
      for (const { json } of reserved) assert.equal((await orderAt(store, json.id)).items[1].product_id, null);
    }
  });
});

describe('three server processes on one PostgreSQL', () => {
  let servers: Servers;
  before(async () => {
    servers = await startServers('postgres', 3);
  });
  after(() => servers.stop());

  test('sell each of 10 units once', async () => {
    const product = (await servers.send(0, 'POST', '/api/products', { body: { sku: 'A', name: 'A', amount: 10 } }))
      .json;
    const body = orderOf([orderItem(product, 1)]);
    const responses = await times(100, (index) => servers.send(index, 'POST', '/api/orders', { body }));
    assert.deepEqual(statuses(responses), { 201: 10, 422: 90 });
    for (const server of [0, 1, 2]) {
      assert.equal((await servers.send(server, 'GET', `/api/products/${product.id}`)).json.amount, 0);
      assert.equal((await servers.send(server, 'GET', '/api/orders')).headers['x-total-count'], '10');
    }
    const orders = responses.filter(({ status }) => status === 201).map(({ json }) => json);
    assert.equal(new Set(orders.map(({ order_number }) => order_number)).size, 10);

    // Every order is canceled through all three servers, and each unit is restocked once.
    const cancelled = await times(30, (index) =>
      servers.send(index, 'PUT', `/api/orders/${orders[index % 10].id}/payment_status`, { body: { code: 'C' } }),
    );
    assert.deepEqual(statuses(cancelled), { 200: 30 });
    assert.equal((await servers.send(1, 'GET', `/api/products/${product.id}`)).json.amount, 10);
  });

  test('do not deadlock on the same products in a different order', async () => {
    const products = await times(4, async (index) => {
      const body = { sku: `S${index}`, name: `N${index}`, amount: 100 };
      return (await servers.send(index, 'POST', '/api/products', { body })).json;
    });
    const responses = await times(60, (index) => {
      const items = products.map((product) => orderItem(product, 1));
      return servers.send(index, 'POST', '/api/orders', { body: orderOf(index % 2 ? items : items.toReversed()) });
    });
    assert.deepEqual(statuses(responses), { 201: 60 });
    for (const { id } of products) assert.equal((await servers.send(id, 'GET', `/api/products/${id}`)).json.amount, 40);
  });
});
