/** Every `@id` in a response can be fetched: the test creates a record of every kind and follows all addresses. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expanded, type Json, operationsOf } from '../support/openapi.ts';
import { Records } from '../support/operation-records.ts';
import { onOneDatabase, type Store } from '../support/store.ts';

const ACCEPTS = { accept: 'application/ld+json' };

onOneDatabase('JSON-LD addresses', {}, (store) => {
  test('every @id of every kind of record can be read', async () => {
    const visited = await readAll(store, await everyAddress(store));
    const kinds = new Set([...visited.values()].map(({ '@type': type }) => type));
    for (const kind of [
      'Product',
      'OrderHistoryEvents',
      'OrderItem',
      'CategoryBanner',
      'AttributeValueSelect',
      'Attribute',
    ])
      assert.ok(kinds.has(kind), `${kind} in ${[...kinds]}`);
  });

  test('an order event is equal alone and in the list', async () => {
    const { id: product } = await store.product();
    const { id } = await store.made('/api/orders', {
      email: 'ada@example.com',
      items: [{ product_id: product, amount: 1 }],
    });
    const [event] = (await store.get(`/api/orders/${id}/history`)).json;
    const path = `/api/orders/${id}/history/${event.id}`;
    const read = await store.get(path);
    assert.deepEqual([read.status, read.json], [200, event]);
    assert.equal((await store.get(path, ACCEPTS)).json['@id'], path);
    assert.equal((await store.get(`/api/orders/${id}/history/${event.id + 1000}`)).status, 404);
    assert.equal((await store.get(`/api/orders/4711/history/${event.id}`)).status, 404);
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      assert.equal((await store.request(method, path, { body: {} })).status, 405, method);
    assert.deepEqual((await store.get(path)).json, event);
  });
});

/** Returns the addresses of every collection and of one record of each kind in the document. */
async function everyAddress(store: Store): Promise<string[]> {
  const document = expanded((await store.get('/api/openapi.json')).json);
  const records = new Records(store, document);
  const addresses: string[] = [];
  for (const { path, method } of operationsOf(document)) {
    // Accounts have no JSON-LD, and the store has no mails and no carts.
    if ((method !== 'get' && method !== 'post') || /^\/(users|roles)\b|^\/(?:mails|carts)\//.test(path)) continue;
    const { parameters, body } = await records.prepare(path, method);
    const url = `/api${path.replace(/\{(\w+)\}/g, (_, name) => parameters[name]!)}`;
    if (body) {
      const made = await store.post(url, body);
      assert.ok(made.status < 300, `${url} ${made.text}`);
      const isLinked = document.paths[path].post.responses[201]?.content['application/ld+json'];
      if (made.headers.location && isLinked) addresses.push(new URL(made.headers.location, store.address).pathname);
    }
    if (document.paths[path].get?.responses[200].content['application/ld+json']) addresses.push(url);
  }
  return addresses;
}

/** Reads the addresses and, recursively, all addresses in the responses. @returns responses by address */
async function readAll(store: Store, addresses: readonly string[]): Promise<Map<string, Json>> {
  const visited = new Map<string, Json>();
  const pending = [...addresses];
  for (let address = pending.pop(); address !== undefined; address = pending.pop()) {
    if (visited.has(address)) continue;
    const response = await store.get(address, ACCEPTS);
    assert.equal(response.status, 200, `${address} ${response.text}`);
    visited.set(address, response.json);
    pending.push(...idsIn(response.json));
  }
  return visited;
}

function idsIn(value: Json): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = typeof value['@id'] === 'string' ? [value['@id']] : [];
  return [...own, ...Object.values(value).flatMap(idsIn)];
}
