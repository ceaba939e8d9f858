/**
 * Two stores that differ only in records of families that a key cannot read give it the same responses, byte for byte (access.md
 * §2). The stores have the same clock; only random values are left out of the comparison.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { familiesOf } from '../../src/access/families.ts';
import { databaseNames } from '../support/databases.ts';
import { type Answer, type ScopedStore, scopedStore } from '../support/scoped-keys.ts';
import { comparable, fill, fillWebhooks, requestsOf, SECRETS, type Sent, WRITES } from '../support/two-stores.ts';

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
          stores = await Promise.all([scopedStore(name), scopedStore(name)]);
          for (const [index, store] of stores.entries()) {
            await fill(store, hidden, SECRETS[index]!);
            await fillWebhooks(store, SECRETS[index]!);
          }
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
          let [shown, differing] = [0, 0];
          for (const each of [...requestsOf(one), ...AUDIT, ...WRITES, AFTER_WRITES]) {
            const { method, path, ...options } = each;
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
            const isOwn = /PATCH|POST/.test(method) || each === AFTER_WRITES;
            assert.ok(!isSecret || isOwn, `${method} ${path}: ${first.text}`);
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
