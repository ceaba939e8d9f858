/** Long random lives of orders with races: each piece stays in one place (orders.md §§3 and 11 to 13). */
import { test } from 'node:test';
import { assertNoPieceIsLost } from '../support/order-units.ts';
import { onEachDatabase } from '../support/store.ts';

onEachDatabase('pieces of orders, for long', {}, (store) => {
  test('are in stock, out, or written off, whatever happens at once', () => assertNoPieceIsLost(store, 25));
});
