/** Logic of the admin page, without a browser. `clients/` tests its screens. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedFields } from '../../admin/src/api/record-diff.ts';
import { erasurePlan } from '../../admin/src/customers/erasure-plan.ts';
import { netPaid, stockChangeOf } from '../../admin/src/orders/status-effects.ts';
import { missingCombinations } from '../../admin/src/products/combinations.ts';
import { csvLine } from '../../admin/src/utils/csv.ts';
import { positionsAfterMove } from '../../admin/src/utils/positions.ts';

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
  assert.deepEqual(missingCombinations([['a'], ['b']], []), { missing: [], isTooMany: false });
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
