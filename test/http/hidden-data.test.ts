/**
 * Two stores that differ only in records of families that a key cannot read give it the same responses, byte for byte (access.md
 * §2). The stores have the same clock; only random values are left out of the comparison.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { familiesOf } from '../../src/access/families.ts';
import { databaseNames } from '../support/databases.ts';
import { type Answer, type ScopedStore, scopedStore } from '../support/scoped-keys.ts';
import { comparable, fill, requestsOf, SECRETS, WRITES } from '../support/two-stores.ts';

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
