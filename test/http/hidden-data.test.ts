/**
 * Two stores that differ only in records of families that a key cannot read give it the same responses, byte for byte (access.md
 * §2). The stores have the same clock; only random values are left out of the comparison.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { familiesOf } from '../../src/access/families.ts';
import { databaseNames } from '../support/databases.ts';
import { type Answer, type ScopedStore, scopedStore } from '../support/scoped-keys.ts';

/** The hidden families of each pair of stores. */
const HIDDEN: readonly (readonly string[])[] = [
  ['tags', 'stickers', 'memberships'],
  ['product_classes', 'tax_classes'],
  ['payment_statuses', 'shipping_statuses'],
  ['categories', 'coupons', 'zones'],
  ['profiles'],
  ['attributes'],
  ['products', 'attributes', 'wholesale_prices', 'front_page'],
  ['orders'],
];

/** Texts of hidden records. A word of each is also sent in queries. */
const SECRETS = ['Alpenglow', 'Bluebell'] as const;

/** Fills a store. `text` returns a text that differs between two stores if the family is hidden. */
async function fill({ send }: ScopedStore, hidden: readonly string[], secret: string): Promise<void> {
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

/** Requests of every channel: reads of all routes in all forms, each filter, order and field, the feed, writes. */
function requestsOf({
  service: { model },
}: ScopedStore): { method: string; path: string; body?: unknown; headers?: Record<string, string> }[] {
  const at = (path: string): string => path.replace(/\{(\w+)\}/g, (_, name) => (name === 'code' ? 'en' : '1'));
  const requests: ReturnType<typeof requestsOf> = [];
  const add = (path: string, headers: Record<string, string> = {}): void =>
    void requests.push({ method: 'GET', path, headers });
  for (const route of model.routes) {
    const [collection, item] = [at(route.collectionPath), at(route.path)];
    if (route.operations.has('read')) {
      for (const accept of ['application/json', 'application/ld+json', 'text/html']) add(item, { accept });
      for (const field of route.fields.keys()) add(`${item}?fields=${field}`);
      if (route.texts.length > 0) add(`${item}/translations`);
      requests.push({ method: 'PATCH', path: item, body: { unknown: 1 } });
      requests.push({ method: 'PATCH', path: item, body: {}, headers: { 'if-match': '"1-x"' } });
    }
    if (!route.operations.has('list')) continue;
    for (const accept of ['application/json', 'application/ld+json', 'application/x-ndjson'])
      add(collection, { accept });
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
  }
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
  ])
    add(path);
  return requests;
}

/** Writes that hidden records decide or show, after all reads. */
const WRITES: readonly { method: string; path: string; body: unknown; headers?: Record<string, string> }[] = [
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
  { method: 'POST', path: '/privacy/export', body: { email: 'common@example.com' } },
];

/** Removes random values: request ids, cursors with the epoch of a store. */
function comparable({ status, text, headers }: Answer): string {
  const { 'x-request-id': _, date: __, 'changes-cursor': ___, link: ____, 'content-length': _____, ...rest } = headers;
  return (
    JSON.stringify([status, rest, text])
      .replace(/"instance":"[^"]*"|\\"instance\\":\\"[^"]*\\"/g, '')
      // The times of records that were created before the clock was replaced.
      .replace(/\d{4}-\d\d-\d\dT[\d:]{8}\+00:00/g, (date) => (date === '2027-01-15T08:00:00+00:00' ? date : ''))
      .replace(/\\"cursor\\":\\"[^"]*\\"/g, '')
  );
}

for (const name of databaseNames)
  describe(`two stores with other hidden records (${name})`, () => {
    for (const hidden of HIDDEN)
      describe(`of ${hidden.join(', ')}`, () => {
        let stores: ScopedStore[];
        let keys: string[];

        before(async () => {
          stores = await Promise.all([scopedStore(name), scopedStore(name)]);
          for (const [index, store] of stores.entries()) await fill(store, hidden, SECRETS[index]!);
          const families = familiesOf(stores[0]!.service.model).all.filter((family) => !hidden.includes(family));
          const scopes = families.flatMap((family) => [`${family}:read`, `${family}:write`]);
          const exports = families.filter((family) => !['store', 'tax_settings'].includes(family));
          const more = exports.map((family) => `${family}:export`);
          const other = ['statistics:read', 'urls:read', 'feeds:read', 'privacy:export', 'orders:refund'];
          const granted = [...scopes, ...more, ...other.filter((scope) => !hidden.includes(scope.split(':')[0]!))];
          keys = await Promise.all(stores.map((store) => store.keyWith(...granted)));
        });
        after(() => Promise.all(stores.map((store) => store.stop())));

        test('give a key that cannot read them the same responses', async () => {
          const [one, other] = stores as [ScopedStore, ScopedStore];
          let [shown, differing] = [0, 0];
          for (const { method, path, ...options } of [...requestsOf(one), ...WRITES]) {
            // Responses that another key has cached must not be reused.
            if (method === 'GET' && !path.includes('?'))
              for (const store of stores) await store.send(method, path, options);
            const headers = path.endsWith('/bulk') ? { 'content-type': 'application/x-ndjson' } : options.headers;
            const sent = stores.map((store, index) =>
              store.send(method, path, { ...options, ...(headers && { headers }), key: keys[index] }),
            );
            const [first, second] = (await Promise.all(sent)) as [Answer, Answer];
            assert.equal(comparable(first), comparable(second), `${method} ${path} ${JSON.stringify(options)}`);
            assert.notEqual(first.status, 500, `${method} ${path}`);
            const isSecret = SECRETS.some(
              (secret) => new RegExp(secret, 'i').test(first.text) && !path.includes(secret),
            );
            assert.ok(!isSecret || /PATCH|POST/.test(method), `${method} ${path}: ${first.text}`);
            if (first.status === 200) shown += 1;
            if (first.status === 403) differing += 1;
          }
          assert.ok(shown > 100, 'most requests succeed');
          assert.ok(differing > 10, 'some are rejected');
          // The stores do differ.
          const paths = hidden.map((family) =>
            family === 'attributes' ? '/attributes' : `/${family === 'front_page' ? 'products' : family}`,
          );
          for (const path of paths)
            if (path !== '/wholesale_prices')
              assert.notEqual(comparable(await one.send('GET', path)), comparable(await other.send('GET', path)), path);
        });
      });
  });
