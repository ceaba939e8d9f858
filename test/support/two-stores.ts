/** Data and requests of the tests that compare two stores, which differ only in data that a key cannot see (access.md §2). */
import assert from 'node:assert/strict';
import { inUnit, type ModelRoute } from '../../src/engine/index.ts';
import { ownRequestOptions } from '../../src/store/own-requests.ts';
import type { Answer, ScopedStore } from './scoped-keys.ts';

/** Texts of hidden records. A word of each is also sent in queries. */
export const SECRETS = ['Alpenglow', 'Bluebell'] as const;

/** Fills a store. `text` returns a text that differs between two stores if the family is hidden. */
export async function fill({ send }: ScopedStore, hidden: readonly string[], secret: string): Promise<void> {
  const text = (family: string): string => (hidden.includes(family) ? secret : 'Common');
  const number = (family: string): number => (hidden.includes(family) ? secret.length : 5);
  const create = async (path: string, body: unknown, method = 'POST'): Promise<Answer> => {
    const response = await send(method, path, { body });
    assert.ok(response.status < 300, `${method} ${path}: ${response.text}`);
    return response;
  };
  await create('/tags', { name: `${text('tags')} tag` });
  await create('/stickers', { name: `${text('stickers')} sticker` });
  await create('/memberships', { name: `${text('memberships')} membership` });
  await create('/product_classes', { name: `${text('product_classes')} class` });
  await create('/tax_classes', { name: `${text('tax_classes')} taxes` });
  await create('/payment_statuses', { code: 'LOAN', name: `${text('payment_statuses')} loan` });
  await create('/shipping_statuses', { code: 'PICK', name: `${text('shipping_statuses')} pick` });
  await create('/zones', { name: `${text('zones')} zone`, elements: [{ countries: ['US'] }] });
  await create('/coupons', {
    code: hidden.includes('coupons') ? secret : 'COMMON',
    value: number('coupons'),
    type: '$',
  });
  await create('/categories', { name: `${text('categories')} category`, description: text('categories') });
  await create('/attribute_groups', { name: `${text('attributes')} group` });
  await create('/attributes_select', { name: `${text('attributes')} attribute` });
  await create('/attributes_select/1/options', { value: `${text('attributes')} option` });
  const class_ = { product_class: `${text('product_classes')} class`, tax_class: `${text('tax_classes')} taxes` };
  const links = { tags: [`${text('tags')} tag`], stickers: [1], memberships: [`${text('memberships')} membership`] };
  const product = { sku: text('products'), name: `${text('products')} mug`, price: number('products') };
  await create('/products', { ...product, ...class_, ...links, description: text('products') });
  await create('/products', { sku: 'SECOND', name: 'Second', price: 7 });
  await create('/products/1/reviews', { rating: 5, reviewer_name: `${text('products')} reviewer` });
  await create('/categories/1/products', { product_id: 1 });
  await create('/products/1/attributes_select/1/values', { option_id: 1 });
  await create('/products/1/variants', { attribute_select_values: [1], sku: 'V', default_price: false, price: 4 });
  const login = `${text('profiles').toLowerCase()}@example.com`;
  await create('/profiles', { login, status_comment: text('profiles'), membership_id: 1 });
  await create('/profiles/1/addresses', { firstname: `${text('profiles')} Ada`, city: text('profiles') });
  const item = { product_id: 2, amount: 1 };
  await create('/orders', {
    email: `${text('orders').toLowerCase()}@example.com`,
    items: [item],
    payment_status: 'LOAN',
  });
  await create('/orders/1/details', { name: `${text('orders')} note`, value: text('orders') });
  // Changes after the first entries of the feed.
  await create('/tags/1', { name: `${text('tags')} tag 2` }, 'PATCH');
  await create('/products/1', { name: `${text('products')} mug 2` }, 'PATCH');
}

/**
 * Creates webhooks that follow every event, now or earlier, and stores a state and deliveries that depend on the events. They
 * differ between two stores.
 */
export async function fillWebhooks({ service, send }: ScopedStore, secret: string): Promise<void> {
  const body = { url: 'https://receiver.example/', events: ['*'], enabled: false };
  for (let count = 0; count < 2; count += 1) assert.equal((await send('POST', '/webhooks', { body })).status, 201);
  const narrowed = await send('PATCH', '/webhooks/2', { body: { events: ['language.*'] } });
  assert.deepEqual(narrowed.json.former_events, ['*']);
  const status = secret === SECRETS[0] ? 'failing' : 'paused';
  const state = { status, reason: `${secret} failed.`, failing_since: secret.length, pending: secret.length };
  await inUnit(service, ownRequestOptions('en'), async (unit) => {
    for (const id of [1, 2]) {
      await unit.update('Webhook', id, state);
      const delivery = {
        message_id: `evt_${secret}`,
        type: 'product.created',
        path: `/api/${secret}`,
        status: 'failing',
      };
      await unit.insert('WebhookDelivery', { webhook: id, ...delivery, entry: {}, attempts: [] });
    }
  });
}

/** Only the newest entry, because earlier ones may have values that the key may see, and that differ. */
export const NEWEST_AUDIT_ENTRY = '/audit?itemsPerPage=1';

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Replaces the parameters of a path by the ids of the first records. */
export function at(path: string): string {
  return path.replace(/\{(\w+)\}/g, (_, name) => (name === 'code' ? 'en' : '1'));
}

/** Requests of a route: reads in all forms, each filter, order and field, and rejected writes. */
export function requestsAt(route: ModelRoute): Sent[] {
  const requests: Sent[] = [];
  const add = (path: string, headers: Record<string, string> = {}): void =>
    void requests.push({ method: 'GET', path, headers });
  const [collection, item] = [at(route.collectionPath), at(route.path)];
  if (route.operations.has('read')) {
    for (const accept of ['application/json', 'application/ld+json', 'text/html']) add(item, { accept });
    for (const field of route.fields.keys()) add(`${item}?fields=${field}`);
    if (route.texts.length > 0) add(`${item}/translations`);
    requests.push({ method: 'PATCH', path: item, body: { unknown: 1 } });
    requests.push({ method: 'PATCH', path: item, body: {}, headers: { 'if-match': '"1-x"' } });
  }
  if (!route.operations.has('list')) return requests;
  for (const accept of ['application/json', 'application/ld+json', 'application/x-ndjson']) add(collection, { accept });
  for (const name of route.filters.keys()) {
    for (const value of [SECRETS[0], '1']) add(`${collection}?${encodeURIComponent(name)}=${value}`);
    add(`${collection}?${encodeURIComponent(name)}[exists]=true`);
  }
  for (const name of route.keyedFilters.keys())
    for (const form of ['1=1', '1[exists]=true']) add(`${collection}?${name}.${form}`);
  for (const name of route.faceted?.facets.keys() ?? []) {
    const facet = route.keyedFilters.has(name) ? `${name}.1` : name;
    for (const accept of ['application/json', 'application/ld+json'])
      add(`${route.faceted!.path}?facets=${facet}`, { accept });
    add(`${route.faceted!.path}?facets=${facet}&search=${SECRETS[0]}`);
  }
  for (const order of route.orders.keys()) add(`${collection}?order[${order}]=desc`);
  add(`${collection}?search=${SECRETS[0]}`);
  return requests;
}

/** Requests of every channel: reads of all routes in all forms, each filter, order and field, the feed, writes. */
export function requestsOf({ service: { model } }: ScopedStore): Sent[] {
  const requests = model.routes.flatMap(requestsAt);
  const add = (path: string): void => void requests.push({ method: 'GET', path, headers: {} });
  for (const { routes, views } of model.resources.values())
    for (const { name } of views) add(`${at(routes[0]!.path)}/${name}`);
  for (const path of [
    '/changes',
    '/changes?include=record',
    '/changes?resource[]=Tag&resource[]=Product',
    '/statistics',
  ])
    add(path);
  for (const path of [
    '/scopes',
    '/feeds',
    '/urls/resolve?path=/common-category',
    `/lookup?q=${SECRETS[0]}`,
    '/keys',
    '/webhooks',
    '/webhooks/1/deliveries',
    '/webhooks/1/deliveries/1',
    '/webhooks/2/deliveries?status=failing',
    '/changes?include=record&resource[]=Webhook',
    NEWEST_AUDIT_ENTRY,
  ])
    add(path);
  return requests;
}

/** Writes that hidden records decide or show, after all reads. */
export const WRITES: readonly Sent[] = [
  { method: 'PUT', path: '/products/2', body: { sku: 'SECOND', name: 'Second again', price: 8 } },
  { method: 'PATCH', path: '/products/2', body: { tags: [SECRETS[0]] } },
  { method: 'POST', path: '/products', body: { sku: 'THIRD', name: 'Third', price: 1, tax_class: SECRETS[0] } },
  {
    method: 'POST',
    path: '/products/bulk',
    body: `{"sku":"SECOND","name":"Bulk"}\n{"sku":"SECOND","tags":["${SECRETS[0]}"]}\n`,
  },
  { method: 'PATCH', path: '/orders/1', body: { staff_note: 'x' } },
  { method: 'POST', path: '/orders/quote', body: { items: [{ product_id: 999, amount: 1 }] } },
  { method: 'POST', path: '/orders/quote', body: { items: [{ product_id: 1, amount: 1 }] } },
  {
    method: 'POST',
    path: '/orders?dry_run=1',
    body: { email: 'a@example.com', items: [{ product_id: 1, amount: 1 }], calculate: true },
  },
  { method: 'PATCH', path: '/products/2', body: { stickers: [`${SECRETS[0]} sticker`] } },
  { method: 'PATCH', path: '/products/2', body: { product_class: 1 } },
  { method: 'PUT', path: '/categories/1', body: { name: 'Category again' } },
  { method: 'PATCH', path: '/profiles/1', body: { status: 'D' } },
  { method: 'POST', path: '/tags', body: { name: 'New' } },
  { method: 'DELETE', path: '/product_classes/1', body: undefined },
  { method: 'DELETE', path: '/memberships/1', body: undefined },
  { method: 'PATCH', path: '/webhooks/1', body: { status: 'failing' } },
  { method: 'PATCH', path: '/webhooks/2', body: { description: 'The same', reason: SECRETS[0] } },
  { method: 'PATCH', path: '/webhooks/2', body: { description: 'Another' } },
  { method: 'POST', path: '/webhooks/1/deliveries/1/retry', body: {} },
  { method: 'POST', path: '/privacy/export', body: { email: 'common@example.com' } },
];

/** Removes random values: request ids, cursors with the epoch of a store, hashes of the audit, which have random salts. */
export function comparable({ status, text, headers }: Answer): string {
  const {
    'x-request-id': _,
    date: __,
    'changes-cursor': ___,
    link: ____,
    'content-length': _____,
    ...others
  } = headers;
  const rest = text.includes('"changes_hash"') ? { ...others, etag: '' } : others;
  return (
    JSON.stringify([status, rest, text])
      .replace(/"instance":"[^"]*"|\\"instance\\":\\"[^"]*\\"/g, '')
      // The times of records that were created before the clock was replaced.
      .replace(/\d{4}-\d\d-\d\dT[\d:]{8}\+00:00/g, (date) => (date === '2027-01-15T08:00:00+00:00' ? date : ''))
      .replace(/\\"cursor\\":\\"[^"]*\\"/g, '')
      .replace(/\\"(?:hash|changes_hash|request_id)\\":\\"[^"]*\\"/g, '')
  );
}

/** Returns the surroundings of the first difference between two responses. */
export function firstDifference(...responses: readonly [Answer, Answer]): string | undefined {
  const [one, other] = responses.map(comparable) as [string, string];
  if (one === other) return undefined;
  const at = [...one].findIndex((character, index) => character !== other[index]);
  return [one, other].map((text) => text.slice(Math.max(0, at - 150), at + 50)).join('\n');
}
