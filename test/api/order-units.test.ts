/**
 * Units of an order are neither lost nor counted twice: a short round; test/faults/order-units.test.ts runs the long
 * one.
 */
import { test } from 'node:test';
import { assertUnitsAreConserved } from '../support/order-units.ts';
import { onEachDatabase } from '../support/store.ts';

onEachDatabase('units of concurrent orders', {}, (store) => {
  test('are in stock, reserved or written off exactly once', () => assertUnitsAreConserved(store, 3));
});
