/** Short words for tests of what belongs to an order: placing one, everything that can be read of it, what it went through. */
import assert from 'node:assert/strict';
import type { Answer } from './client.ts';
import type { Json, Store } from './store.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test asserts what is inside
export type Shown = any;

/** An order of one piece at 10 for which no stock is counted, unless the fields say otherwise. @returns its output */
export async function placed(store: Store, fields: Json = {}): Promise<Shown> {
  const items = fields.items ?? [{ product_id: (await uncounted(store)).id, amount: 1 }];
  return store.made('/api/orders', { email: 'ann@example.com', ...fields, items });
}

/** A product at 10 whose pieces are not counted. */
export function uncounted(store: Store, fields: Json = {}): Promise<Shown> {
  return store.product({ price: 10, inventory_traceable: false, ...fields });
}

/** A product at 10 whose pieces are counted, without backorder. */
export function counted(store: Store, amount: number, fields: Json = {}): Promise<Shown> {
  return store.product({ price: 10, amount, available_for_backorder: false, ...fields });
}

export async function piecesOf(store: Store, product: number): Promise<number> {
  return (await store.get(`/api/products/${product}`)).json.amount;
}

export function idsOf(records: readonly { id: number }[]): number[] {
  return records.map(({ id }) => id);
}

/** The part of a record's tag that counts its changes. */
export function versionOf({ headers }: Answer): number {
  const match = /^"(\d+)-[^"]+"$/.exec(headers.etag ?? '');
  assert.ok(match, `${headers.etag} is "<version>-<digest>"`);
  return Number(match[1]);
}

/** The order's history, oldest first. */
export async function historyOf(store: Store, order: number, language = 'en'): Promise<Shown[]> {
  const answer = await store.get(`/api/orders/${order}/history?itemsPerPage=100`, { 'accept-language': language });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

/** The codes of what an act wrote to the history, sorted. */
export async function codesWritten(store: Store, order: number, act: () => Promise<Answer>): Promise<string[]> {
  const before = await historyOf(store, order);
  const answer = await act();
  assert.ok(answer.status < 300, answer.text);
  const after = await historyOf(store, order);
  assert.deepEqual(after.slice(0, before.length), before, 'what was written stays');
  return after
    .slice(before.length)
    .map(({ code }) => code)
    .sort();
}

const LISTS = ['items', 'details', 'history', 'payment_transactions', 'tracking_numbers'];

/** Everything that can be read of an order, with its tag and those of its parts, and the stock of every product. */
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
 * Sets the items that a body's lines name, as examples do, to the one of its order; what a return brings back is shipped
 * before.
 * @param url of the request, e.g. `/orders/4/returns`
 */
export async function nameItems(store: Pick<Store, 'get' | 'made'>, url: string, body: Shown): Promise<void> {
  const lines = [...(body?.lines ?? []), ...(body?.change ?? [])];
  const order = /^\/orders\/\d+/.exec(url)?.[0];
  if (lines.length === 0 || order === undefined) return;
  const [item] = (await store.get(`/api${order}/items`)).json;
  for (const line of lines) line.item_id = item.id;
  if (url.endsWith('/returns'))
    await store.made(`/api${order}/shipments`, { lines: [{ item_id: item.id, amount: 1 }] });
}
