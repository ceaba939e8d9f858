/** Carts that shoppers create below `/storefront`. */
import assert from 'node:assert/strict';
import type { HttpResponse } from './client.ts';
import type { Json, Store } from './store.ts';

/** Creates a publishable key. @returns the key */
export async function newShopKey(store: Store): Promise<string> {
  const shop = { name: 'Shop of the cart', kind: 'publishable', origins: ['https://shop.example'] };
  return (await store.made('/api/keys', shop)).key;
}

/** @returns the new cart and its token */
export async function newCart(store: Store, key: string, body: Json): Promise<HttpResponse['json']> {
  const headers = { 'content-type': 'application/json' };
  const cart = await store.request('POST', '/storefront/carts', { key, headers, body });
  assert.equal(cart.status, 201, cart.text);
  return cart.json;
}
