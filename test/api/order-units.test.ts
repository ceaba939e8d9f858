/** Units of an order are neither lost nor counted twice (orders.md §§3 and 11 to 13). */
import { test } from 'node:test';
import { assertUnitsAreConserved } from '../support/order-units.ts';
import { rounds } from '../support/rounds.ts';
import { onEachDatabase } from '../support/store.ts';

onEachDatabase('units of concurrent orders', {}, (store) => {
  test('units in stock, in orders and written off add up after concurrent order changes', () =>
    assertUnitsAreConserved(store, rounds(3, 25)));
});
