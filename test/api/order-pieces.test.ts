/** No piece of an order is lost, and none is anywhere twice: a short round; test/faults/order-units.test.ts has the long one. */
import { test } from 'node:test';
import { assertNoPieceIsLost } from '../support/order-units.ts';
import { onEachDatabase } from '../support/store.ts';

onEachDatabase('pieces of orders', {}, (store) => {
  test('are in stock, out, or written off, whatever happens at once', () => assertNoPieceIsLost(store, 3));
});
