/** Helpers for tests of orders: placing an order, reading all of its data, and reading its history. */
import assert from 'node:assert/strict';
import type { HttpResponse } from './client.ts';
import type { Json, Store } from './store.ts';

export { versionOf } from './orders.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test asserts what is inside
export type Shown = any;

/** Places an order; by default one unit, at price 10, of a product without stock tracking. @returns its output */
export async function placed(store: Store, fields: Json = {}): Promise<Shown> {
  const items = fields.items ?? [{ product_id: (await uncounted(store)).id, amount: 1 }];
  return store.made('/api/orders', { email: 'ann@example.com', ...fields, items });
}

/** Creates a product at price 10 without stock tracking. */
export function uncounted(store: Store, fields: Json = {}): Promise<Shown> {
  return store.product({ price: 10, inventory_traceable: false, ...fields });
}

/** Creates a product at price 10 with stock tracking and without backorders. */
export function counted(store: Store, amount: number, fields: Json = {}): Promise<Shown> {
  return store.product({ price: 10, amount, available_for_backorder: false, ...fields });
}

export async function stockOf(store: Store, product: number): Promise<number> {
  return (await store.get(`/api/products/${product}`)).json.amount;
}

export function idsOf(records: readonly { id: number }[]): number[] {
  return records.map(({ id }) => id);
}

/** The order's history, oldest first. */
export async function historyOf(store: Store, order: number, language = 'en'): Promise<Shown[]> {
  const response = await store.get(`/api/orders/${order}/history?itemsPerPage=100`, { 'accept-language': language });
  assert.equal(response.status, 200, response.text);
  return response.json;
}

/** The sorted codes of the history entries that an action adds. */
export async function codesWritten(store: Store, order: number, act: () => Promise<HttpResponse>): Promise<string[]> {
  const before = await historyOf(store, order);
  const response = await act();
  assert.ok(response.status < 300, response.text);
  const after = await historyOf(store, order);
  assert.deepEqual(after.slice(0, before.length), before, 'earlier entries are unchanged');
  return after
    .slice(before.length)
    .map(({ code }) => code)
    .sort();
}

const LISTS = ['items', 'details', 'history', 'payment_transactions', 'tracking_numbers'];

/** All data of an order with the entity tags of the order and its parts, and the stock of every product. */
export async function everythingOf(store: Store, order: number): Promise<Json> {
  const path = `/api/orders/${order}`;
  const found: Record<string, unknown> = {};
  const add = async (each: string) => {
    const { status, headers, text } = await store.get(each);
    assert.equal(status, 200, text);
    found[each] = [headers.etag, text];
    return text;
  };
  await add(path);
  for (const list of LISTS) {
    const records = JSON.parse(await add(`${path}/${list}?itemsPerPage=100`));
    if (list !== 'history') for (const id of idsOf(records)) await add(`${path}/${list}/${id}`);
  }
  await add('/api/orders?itemsPerPage=100');
  await add('/api/products?itemsPerPage=100');
  return found;
}

/**
 * Replaces the item ids in the lines of an example body by the item of the order. For a return, ships the item first.
 * @param url the path of the request, for example `/orders/4/returns`
 */
export async function nameItems(store: Pick<Store, 'get' | 'made'>, url: string, body: Shown): Promise<void> {
  const ofParts = [body?.shipment, body?.return].flatMap((part) => part?.lines ?? []);
  const lines = [...(body?.lines ?? []), ...(body?.change ?? []), ...ofParts];
  const order = /^\/orders\/\d+/.exec(url)?.[0];
  if (lines.length === 0 || order === undefined) return;
  const [item] = (await store.get(`/api${order}/items`)).json;
  for (const line of lines) line.item_id = item.id;
  if (url.endsWith('/returns'))
    await store.made(`/api${order}/shipments`, { lines: [{ item_id: item.id, amount: 1 }] });
}
