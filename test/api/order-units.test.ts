/**
 * Units of an order are neither lost nor counted twice: a short round; test/faults/order-pieces.test.ts runs the long
 * one.
 */
import { test } from 'node:test';
import { assertNoPieceIsLost } from '../support/order-pieces.ts';
import { onEachDatabase } from '../support/store.ts';

onEachDatabase('units of concurrent orders', {}, (store) => {
  test('are in stock, reserved or written off exactly once', () => assertNoPieceIsLost(store, 3));
});
