/**
 * Two stores that differ only in records of families that a key cannot read, or in texts of a disabled language, give it the same
 * responses, byte for byte (access.md §2). The stores have the same clock; only random values are left out of the comparison.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { familiesOf } from '../../src/access/families.ts';
import { type DatabaseName, databaseNames } from '../support/databases.ts';
import { type Answer, type ScopedStore, scopedStore } from '../support/scoped-keys.ts';
import {
  comparable,
  fill,
  fillWebhooks,
  firstDifference,
  requestsAt,
  requestsOf,
  SECRETS,
  type Sent,
  WRITES,
} from '../support/two-stores.ts';

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

/** What is hidden is decided before the database; only its conditions differ, which these families cover. */
const HIDDEN_ON = { sqlite: HIDDEN, postgres: HIDDEN.filter((_, index) => index % 4 === 2) };

/** The stores differ in hidden records only, so their audits do too. */
const AUDIT: readonly Sent[] = [
  '/audit',
  '/audit?resource=Product&order[id]=asc',
  '/audit?resource=Tag',
  '/audit/1',
  '/products/1/audit',
].map((path) => ({ method: 'GET', path }));

/** Has texts that the key has written itself. */
const AFTER_WRITES: Sent = { method: 'GET', path: '/audit' };

for (const name of databaseNames)
  describe(`two stores with other hidden records (${name})`, () => {
    for (const hidden of HIDDEN_ON[name])
      describe(`of ${hidden.join(', ')}`, () => {
        let stores: ScopedStore[];
        let keys: string[];

        before(async () => {
          stores = await twoStores(name, hidden);
          for (const [index, store] of stores.entries()) await fillWebhooks(store, SECRETS[index]!);
          const families = familiesOf(stores[0]!.service.model).all.filter((family) => !hidden.includes(family));
          const scopes = families.flatMap((family) => [`${family}:read`, `${family}:write`]);
          const exports = families.filter((family) => !['store', 'tax_settings'].includes(family));
          const more = exports.map((family) => `${family}:export`);
          const other = ['audit:read', 'statistics:read', 'urls:read', 'feeds:read', 'privacy:export', 'orders:refund'];
          const granted = [...scopes, ...more, ...other.filter((scope) => !hidden.includes(scope.split(':')[0]!))];
          keys = await Promise.all(stores.map((store) => store.keyWith(...granted)));
        });
        after(() => Promise.all(stores.map((store) => store.stop())));

        test('give a key that cannot read them the same responses', async () => {
          const [one, other] = stores as [ScopedStore, ScopedStore];
          const statuses = await compare(stores, keys, [...requestsOf(one), ...AUDIT, ...WRITES, AFTER_WRITES]);
          assert.ok(statuses.filter((status) => status === 200).length > 100, 'most requests succeed');
          assert.ok(statuses.filter((status) => status === 403).length > 10, 'some are rejected');
          // The stores do differ.
          const paths = hidden.map((family) =>
            family === 'attributes' ? '/attributes' : `/${family === 'front_page' ? 'products' : family}`,
          );
          for (const path of paths)
            if (path !== '/wholesale_prices')
              assert.notEqual(comparable(await one.send('GET', path)), comparable(await other.send('GET', path)), path);
        });
      });

    describe('of texts in a disabled language', () => {
      let stores: ScopedStore[];
      let keys: string[];

      before(async () => {
        stores = await twoStores(name, []);
        for (const [index, { send }] of stores.entries()) await addTexts(send, SECRETS[index]!);
        keys = await Promise.all(stores.map((store) => store.keyWith('*:read', '*:export', 'audit:read', ...WRITABLE)));
      });
      after(() => Promise.all(stores.map((store) => store.stop())));

      test('give a key without “languages:write” the same responses', async () => {
        const [one, other] = stores as [ScopedStore, ScopedStore];
        const routes = one.service.model.routes.filter(({ texts, path }) => texts.length > 0 && isShort(path));
        const { json: entries } = await one.send('GET', '/audit?resource=Product');
        const { id: deletion } = entries.find(({ action }: { action: string }) => action === 'deleted');
        const restores: Sent[] = [
          { method: 'POST', path: '/products/1/restore', body: { version: 1 } },
          { method: 'POST', path: `/audit/${deletion}/restore`, body: {} },
        ];
        const requests = [...routes.flatMap(requestsAt), ...inLanguage(AUDIT), ...filtered(deletion), ...restores];
        const statuses = await compare(stores, keys, [...requests, AFTER_WRITES]);
        assert.deepEqual(statuses.slice(-3), [200, 201, 200], 'the restores succeed');
        // The restored version has other texts, and the stores do differ.
        const texts = [one, other].map((store) => store.send('GET', '/products/1/translations'));
        assert.deepEqual(
          (await Promise.all(texts)).map(({ json }) => json.xx.name),
          SECRETS,
        );
        for (const path of ['/products/1/audit', `/audit/${deletion}`])
          assert.match((await one.send('GET', path)).text, new RegExp(`"name.xx":.*${SECRETS[0]}`), path);
      });
    });
  });

/** Two stores with other records of these families. */
async function twoStores(name: DatabaseName, hidden: readonly string[]): Promise<ScopedStore[]> {
  const stores = await Promise.all([scopedStore(name), scopedStore(name)]);
  for (const [index, store] of stores.entries()) await fill(store, hidden, SECRETS[index]!);
  return stores;
}

/** Asserts that both stores give the same responses, without their secrets. @returns the status of each */
async function compare(
  stores: readonly ScopedStore[],
  keys: readonly string[],
  requests: readonly Sent[],
): Promise<number[]> {
  const statuses: number[] = [];
  for (const each of requests) {
    const { method, path, ...options } = each;
    // Responses that another key has cached must not be reused.
    if (method === 'GET' && !path.includes('?')) for (const store of stores) await store.send(method, path, options);
    const headers = path.endsWith('/bulk') ? { 'content-type': 'application/x-ndjson' } : options.headers;
    const sent = stores.map((store, index) =>
      store.send(method, path, { ...options, ...(headers && { headers }), key: keys[index] }),
    );
    const [first, second] = (await Promise.all(sent)) as [Answer, Answer];
    assert.equal(firstDifference(first, second), undefined, `${method} ${path} ${JSON.stringify(options)}`);
    assert.notEqual(first.status, 500, `${method} ${path}`);
    const isSecret = SECRETS.some((secret) => new RegExp(secret, 'i').test(first.text) && !path.includes(secret));
    const isOwn = /PATCH|POST/.test(method) || each === AFTER_WRITES;
    assert.ok(!isSecret || isOwn, `${method} ${path}: ${first.text}`);
    statuses.push(first.status);
  }
  return statuses;
}

const WRITABLE = ['products:write', 'categories:write', 'tags:write'];

const DISABLED = { 'accept-language': 'xx' };

/** Adds a disabled language, with texts of records, of parts and of a deleted record. */
async function addTexts(send: ScopedStore['send'], secret: string): Promise<void> {
  const write = async (method: string, path: string, body: unknown, headers = {}): Promise<void> => {
    const { status, text } = await send(method, path, { body, headers });
    assert.ok(status < 300, `${method} ${path}: ${text}`);
  };
  await write('POST', '/languages', { code: 'xx', name: 'Disabled', enabled: false });
  await write('POST', '/products', { sku: 'GONE', name: 'Gone' });
  for (const path of ['/products/1', '/products/3', '/categories/1', '/tags/1'])
    await write('PATCH', path, { name: secret }, DISABLED);
  await write('PATCH', '/attributes_select/1/options/1', { value: secret }, DISABLED);
  await write('PATCH', '/products/1', { description: secret }, DISABLED);
  await write('DELETE', '/products/3', undefined);
}

function isShort(path: string): boolean {
  return ['/products/', '/categories/', '/tags/', '/attributes_select/'].some((start) => path.startsWith(start));
}

function inLanguage(requests: readonly Sent[]): Sent[] {
  return [...requests, ...requests.map((each) => ({ ...each, headers: DISABLED }))];
}

/** Requests of the audit that find the entries of such texts. @param deletion id of an entry */
function filtered(deletion: number): Sent[] {
  const paths = [
    `/audit/${deletion}`,
    '/audit?action=deleted',
    '/audit?resource=Product&record_id=1&action=updated',
    '/audit?path=/api/categories/1',
    '/products/3/audit?actor.type=key',
    '/categories/1/audit?action=updated&order[id]=asc',
    '/attributes_select/1/audit',
    '/changes?include=record',
  ];
  return paths.map((path) => ({ method: 'GET', path }));
}
