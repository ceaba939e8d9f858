/** Long random sequences of concurrent order changes: units in stock and in orders always add up (orders.md §§3, 11 to 13). */
import { test } from 'node:test';
import { assertUnitsAreConserved } from '../support/order-units.ts';
import { onEachDatabase } from '../support/store.ts';

onEachDatabase('units of orders', {}, (store) => {
  test('units in stock, in orders and written off add up after concurrent order changes', () =>
    assertUnitsAreConserved(store, 25));
});
