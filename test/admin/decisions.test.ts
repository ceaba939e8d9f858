/** Logic of the admin page, without a browser. `clients/` tests its screens. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessOf, grants } from '../../admin/src/api/access.ts';
import { changedFields } from '../../admin/src/api/record-diff.ts';
import { erasurePlan } from '../../admin/src/customers/erasure-plan.ts';
import { balanceOf } from '../../admin/src/orders/actions/balance.ts';
import { refundLines } from '../../admin/src/orders/actions/quantities.ts';
import { planRefund } from '../../admin/src/orders/actions/refund-plan.ts';
import { creditedPart, refundValue } from '../../admin/src/orders/actions/refund-value.ts';
import { netPaid, stockChangeOf } from '../../admin/src/orders/actions/status-effects.ts';
import { openInvoice } from '../../admin/src/orders/documents/open-invoice.ts';
import { changedPrice, parsePriceChange } from '../../admin/src/products/bulk/price-change.ts';
import { missingCombinations } from '../../admin/src/products/variants/combinations.ts';
import { pastedCells, planVariants, splitOptions } from '../../admin/src/products/variants/variant-plan.ts';
import { csvLine } from '../../admin/src/utils/csv.ts';
import { positionsAfterMove, positionsOf } from '../../admin/src/utils/positions.ts';
import { creditedPart as creditedPartOfStore } from '../../src/pricing/index.ts';
import { randomFrom } from '../support/random.ts';

test('changedFields returns only changed fields, and the given empty value for emptied ones', () => {
  const before = { id: 1, name: 'A', note: 'B', tags: ['x'], arrival_date: '2026-01-01', $etag: '"1"' };
  assert.deepEqual(changedFields(before, { ...before, $etag: '"2"', other: 1 }), {});
  assert.deepEqual(changedFields(before, { ...before, name: 'C', tags: ['x', 'y'] }), { name: 'C', tags: ['x', 'y'] });
  const emptied = { ...before, note: undefined, arrival_date: null };
  assert.deepEqual(changedFields(before, emptied, { note: '' }), { note: '', arrival_date: null });
});

test('positionsAfterMove produces the new order, with one write if an integer is free', () => {
  for (const positions of [
    [0, 10, 20, 30],
    [0, 0, 0, 0],
    [1, 2, 3, 4],
    [5, 6, 100, 101],
  ])
    for (let from = 0; from < 4; from += 1)
      for (let to = 0; to < 4; to += 1) {
        const sorted = positions.map((position, id) => ({ id, position }));
        const written = new Map(positionsAfterMove(sorted, from, to).map(({ id, position }) => [id, position]));
        const expected = sorted.map(({ id }) => id);
        expected.splice(to, 0, expected.splice(from, 1)[0]!);
        const after = sorted.map(({ id, position }) => ({ id, position: written.get(id) ?? position }));
        after.sort((a, b) => a.position - b.position || a.id - b.id);
        assert.deepEqual(
          after.map(({ id }) => id),
          expected,
          `${positions} from ${from} to ${to}`,
        );
      }
  const spaced = [0, 10, 20].map((position, id) => ({ id, position }));
  assert.deepEqual(positionsAfterMove(spaced, 2, 1), [{ id: 2, position: 5 }]);
});

test('stockChangeOf predicts restocking and deduction as orders.md §3 defines them', () => {
  const IN: Readonly<Record<string, readonly string[]>> = {
    D: ['N', 'P', 'NBA', 'WFA', 'S', 'D', 'WND', 'R'],
    C: ['N', 'P', 'NBA', 'WFA', 'S', 'D', 'WND', 'R'],
    R: ['N', 'P', 'NBA', 'WFA', 'WND', 'R'],
  };
  const out = { payment: 'P', shipping: 'N' };
  for (const payment of ['Q', 'A', 'PP', 'P', 'D', 'C', 'R'])
    for (const shipping of ['N', 'P', 'NBA', 'WFA', 'S', 'D', 'WND', 'R']) {
      const isIn = IN[payment]?.includes(shipping) === true;
      assert.equal(
        stockChangeOf(out, { payment, shipping }, true),
        isIn ? 'restock' : 'none',
        `${payment} ${shipping}`,
      );
      assert.equal(stockChangeOf({ payment, shipping }, out, true), isIn ? 'deduct' : 'none', `${payment} ${shipping}`);
    }
  assert.equal(stockChangeOf(out, { payment: 'C', shipping: 'N' }, false), 'none');
});

test('netPaid is the exact sum of payments minus refunds', () => {
  const transactions = [
    { type: 'sale', status: 'S', value: 0.1 },
    { type: 'capturePart', status: 'S', value: 0.2 },
    { type: 'sale', status: 'F', value: 100 },
    { type: 'auth', status: 'S', value: 50 },
    { type: 'refundPart', status: 'S', value: 0.1 },
  ];
  assert.equal(netPaid(transactions), 0.2);
});

test('missingCombinations combines the attributes that distinguish variants, up to 1,000', () => {
  const axes = [['s:1', 's:2'], ['c:1'], ['s:3', 's:4']];
  assert.deepEqual(missingCombinations(axes, []).missing.length, 4);
  assert.deepEqual(missingCombinations(axes, [['s:1', 's:3']]).missing, [
    ['s:1', 's:4'],
    ['s:2', 's:3'],
    ['s:2', 's:4'],
  ]);
  assert.deepEqual(missingCombinations([['a'], ['b']], []), { missing: [['a', 'b']], isTooMany: false });
  const many = Array.from({ length: 4 }, (_, axis) => Array.from({ length: 6 }, (_, value) => `${axis}:${value}`));
  assert.deepEqual(missingCombinations(many, []), { missing: [], isTooMany: true });
});

test('csvLine quotes cells and defuses formulas', () => {
  assert.equal(csvLine(['a,b', '=1+1', -2, [{ name: 'x' }, { name: 'y' }], null]), `"a,b","'=1+1",-2,x; y,\r\n`);
});

test('erasurePlan lists what is deleted, cleared and kept of the exported records', () => {
  const order = { resource: 'order', record: { items: [], tracking_numbers: [{}, {}] } };
  const part = (resource: string) => ({ resource, record: { tracking_numbers: ['1'] } });
  const plan = erasurePlan([part('profile'), part('profile_address'), order, order, part('order_shipment')]);
  const counts = (lines: typeof plan.retained) => Object.fromEntries(lines.map(({ key, count }) => [key, count]));
  assert.deepEqual(counts(plan.removed), {
    ...{ 'erase.removed.profile': 1, 'erase.removed.profile_address': 1, 'erase.removed.tracking': 4 },
  });
  assert.deepEqual(counts(plan.emptied), { 'erase.emptied.order': 2, 'erase.emptied.order_shipment': 1 });
  assert.deepEqual(counts(plan.retained), { 'erase.retained.order': 2 });
});

test('a scope grants its operation and reading, and a wildcard matches any family or operation', () => {
  const access = (...scopes: string[]) => ({ scopes, masks: [] });
  assert.ok(grants(access('orders:write'), 'orders:read'));
  assert.ok(!grants(access('orders:write'), 'orders:refund'));
  assert.ok(!grants(access('*:write'), 'orders:refund'));
  assert.ok(grants(access('orders:*'), 'orders:refund'));
  assert.ok(!grants(access('products:write'), 'orders:read'));
  const key = (kind: string) => accessOf({ expires_at: '', key: { name: 'x', kind } });
  assert.ok(grants(key('read-write'), 'keys:manage'));
  assert.ok(grants(key('read-only'), 'orders:read'));
  assert.ok(!grants(key('read-only'), 'orders:write'));
  const staff = accessOf({ expires_at: '', key: null, scopes: ['tags:read'], masks: ['Product.cost_price'] });
  assert.ok(!grants(staff, 'tags:write'));
});

test('changes of prices are parsed, calculated exactly and rounded half away from zero', () => {
  const changed = (price: number, text: string, decimals = 2) => changedPrice(price, parsePriceChange(text)!, decimals);
  assert.deepEqual([changed(9.99, '5%'), changed(0.3, '5 %'), changed(20, '-5%')], [10.49, 0.32, 19]);
  assert.deepEqual(
    [changed(1.005, '0%'), changed(10, '+1,50'), changed(10, '-2'), changed(7, '=9.99')],
    [1.01, 11.5, 8, 9.99],
  );
  assert.deepEqual([changed(1250, '2.5%', 0), changed(1.2345, '+0', 3)], [1281, 1.235]);
  for (const text of ['', '5', 'x', '=5%', '5%%', '1.23456%']) assert.equal(parsePriceChange(text), undefined, text);
});

test('typed options become variants with SKUs of a pattern, and existing variants are left out', () => {
  assert.deepEqual(splitOptions('S, M,,L'), { options: ['S', 'M'], rest: 'L' });
  const size = {
    key: '1',
    name: 'Size',
    kind: 'select' as const,
    rest: 'L',
    options: ['S', 'M'].map((label, at) => ({ label, value: `select:${at}` })),
  };
  const color = { key: '2', name: 'Shoe color', options: [{ label: 'Dark red' }], rest: '' };
  const { variants } = planVariants([size, color], [], '{sku}-{size}-{shoe color}', 'TEE');
  assert.deepEqual(
    variants.map(({ sku }) => sku),
    ['TEE-S-Dark-red', 'TEE-M-Dark-red', 'TEE-L-Dark-red'],
  );
  const existing = [{ attribute_checkbox_values: [], attribute_select_values: [0] }] as never;
  assert.deepEqual(
    planVariants([size], existing, '', 'TEE').variants.map(({ options }) => options[0]!.option.label),
    ['M', 'L'],
  );
  assert.deepEqual(pastedCells('1\t2\r\n3\t\n'), [
    ['1', '2'],
    ['3', ''],
  ]);
});

test('a refund restocks only units that were not shipped, and never sets a status that would restock shipped ones', () => {
  const line = { id: 1, amount: 3, cancelled_amount: 0, shipped_amount: 0, returned_amount: 0, refunded_value: 0 };
  const order = (changed: object, shipping = 'N') => ({
    order: {
      ...{ total: 60, currency: 'USD', payment_status: { code: 'P' }, shipping_status: { code: shipping } },
      items: [{ ...line, price: 20, discounted_subtotal: 60, surcharges: [], ...changed }],
    },
    transactions: [{ type: 'sale', status: 'S', value: 60, lines: [] }],
  });
  const plan = (changed: object, count: number, { shipping = 'N', restocks = true, value = count * 20 } = {}) => {
    const { canceled, settle } = planRefund(order(changed, shipping) as never, {
      ...{ units: { 1: count }, value, restocks, decimals: 2 },
    });
    return [canceled, settle.payment_status, settle.shipping_status];
  };
  assert.deepEqual(plan({}, 3), [[], 'R', undefined], 'the status of an order without shipments restocks its units');
  assert.deepEqual(plan({}, 3, { restocks: false }), [[], undefined, undefined], 'without restocking the status stays');
  assert.deepEqual(plan({}, 1), [[{ item_id: 1, amount: 2 }], undefined, undefined]);
  assert.deepEqual(plan({ shipped_amount: 2 }, 3), [[{ item_id: 1, amount: 2 }], 'R', 'S'], 'shipped units stay out');
  assert.deepEqual(plan({ shipped_amount: 3 }, 3, { shipping: 'S' }), [[], 'R', undefined]);
  assert.deepEqual(
    plan({ shipped_amount: 2, returned_amount: 1 }, 1),
    [[], undefined, undefined],
    'the returned unit is refunded first',
  );
  const canceled = order({}, 'WND');
  canceled.order.payment_status.code = 'C';
  const refund = { units: { 1: 3 }, value: 60, restocks: true, decimals: 2 };
  const { settle, ...rest } = planRefund(canceled as never, refund);
  assert.deepEqual([rest, settle.payment_status], [{ canceled: [], restockedUnits: 0 }, undefined]);
  assert.equal(refundValue(order({ refunded_value: 50 }) as never, { 1: 3 }, 2).value, 10);
  assert.deepEqual(
    refundLines(
      [
        { item_id: 1, amount: 1, value: 10 },
        { item_id: 2, amount: 1, value: 20 },
      ],
      10,
      2,
    ).map(({ value }) => value),
    [3.33, 6.67],
  );
});

test('the balance of an order counts refunds of canceled units, but not those of returned units or of goodwill', () => {
  const balance = (total: number, changed: object, refunds: readonly object[] = [], code = 'P') =>
    balanceOf({
      order: {
        ...{ total, payment_status: { code } },
        items: [
          { id: 1, amount: 2, cancelled_amount: 0, returned_amount: 0, refunded_value: 0, price: 50, ...changed },
        ],
      },
      transactions: [{ type: 'sale', status: 'S', value: 100, lines: [] }, ...refunds],
    } as never);
  const refund = (value: number, amount: number) => ({
    ...{ type: 'refund', status: 'S', value, lines: amount === 0 ? [] : [{ item_id: 1, amount, value }] },
  });
  const canceled = { amount: 1, cancelled_amount: 1 };
  const nothing = { due: 0, toPayBack: 0 };
  assert.deepEqual(balance(100, {}), nothing);
  assert.deepEqual(balance(121.54, {}), { due: 21.54, toPayBack: 0 });
  assert.deepEqual(balance(50, canceled), { due: 0, toPayBack: 50 });
  assert.deepEqual(balance(50, { ...canceled, refunded_value: 50 }, [refund(50, 1)]), nothing);
  assert.deepEqual(balance(100, { ...canceled, amount: 2, refunded_value: 50 }, [refund(50, 1)]).due, 50);
  assert.deepEqual(balance(100, { returned_amount: 1, refunded_value: 50 }, [refund(50, 1)]), nothing);
  assert.deepEqual(balance(100, {}, [refund(5, 0)]), nothing);
  const both = { ...canceled, amount: 2, refunded_value: 66.67 };
  assert.equal(balance(66.67, both, [refund(66.67, 2)]).due, 0, 'a rounding difference is no debt');
  assert.deepEqual(balance(100, {}, [], 'C'), { due: 0, toPayBack: 100 });
  assert.deepEqual(balance(100, {}, [refund(100, 0)], 'R'), nothing);
});

test('parts of discounts and taxes in a refund are those of a credit note', () => {
  const random = randomFrom(2811);
  const amount = () => Math.floor(random() * 100_000) / 100;
  for (let round = 0; round < 500; round += 1) {
    const [share, whole] = [amount(), amount() + 1];
    const credited = Math.floor(random() * whole * 100) / 100;
    const expected = creditedPartOfStore(share, { whole, before: 0, now: credited }, 'USD');
    assert.equal(creditedPart(-share, credited, whole, 2), -expected);
  }
});

test('the invoice that applies is the latest one that is not credited in full', () => {
  const document = (id: number, total: number, of: number | null = null) => ({
    ...{ id, total, of, kind: of === null ? ('invoice' as const) : ('credit_note' as const) },
  });
  const openId = (...documents: ReturnType<typeof document>[]) => openInvoice(documents)?.id;
  assert.equal(openId(), undefined);
  assert.equal(openId(document(1, 10.02), document(2, 6.68, 1)), 1);
  assert.equal(openId(document(1, 10.02), document(2, 6.68, 1), document(3, 3.34, 1)), undefined);
  assert.equal(openId(document(1, 10), document(2, 20), document(3, 20, 2)), 1);
  assert.equal(openId(document(1, 0)), 1, 'an order without a price has an invoice too');
});

test('positionsOf moves several records together, in their order', () => {
  const sorted = [1, 2, 3, 4, 5].map((id) => ({ id, position: id * 10 }));
  const order = (ids: number[], to: number) => {
    const changed = new Map(
      positionsOf(
        sorted,
        sorted.filter(({ id }) => ids.includes(id)),
        to,
      ).map((one) => [one.id, one.position]),
    );
    return sorted
      .toSorted((a, b) => (changed.get(a.id) ?? a.position) - (changed.get(b.id) ?? b.position))
      .map(({ id }) => id);
  };
  assert.deepEqual(order([1, 3], 4), [2, 4, 5, 1, 3]);
  assert.deepEqual(order([3, 5], 0), [3, 5, 1, 2, 4]);
});
