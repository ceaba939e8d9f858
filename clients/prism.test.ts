/**
 * `@stoplight/prism-cli` as a proxy that validates requests and responses against the document. It reports violations in the
 * header `sl-violations` and in its log.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { operationsOf } from '../test/support/openapi.ts';
import { PrismProxy } from './support/prism.ts';
import { READ_ONLY_KEY, SPEC_VERSIONS, withStore } from './support/store.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const LENIENT = { prefer: 'handling=lenient' };

for (const version of SPEC_VERSIONS)
  withStore(`@stoplight/prism-cli (OpenAPI ${version})`, (store) => {
    const proxy = new PrismProxy(store, version);
    before(() => proxy.start());
    after(() => proxy.stop());

    describe('valid requests', () => {
      after(() => proxy.assertNoViolationsLogged());

      test(`Prism reports no violation while a product and its images are created, changed and deleted (OpenAPI ${version})`, async () => {
        const created = await proxy.passes(201, 'POST', '/products', {
          body: { sku: 'PRISM-1', name: 'Prism', price: 19.99, tags: ['Summer'], memberships: [], tax_class: null },
        });
        const path = `/products/${created.json.id}`;
        const { etag } = (await proxy.passes(200, 'GET', path)).headers;
        await proxy.passes(304, 'GET', path, { headers: { 'if-none-match': etag } });
        await proxy.passes(200, 'GET', path, { headers: { 'accept-language': 'de' }, key: READ_ONLY_KEY });
        await proxy.passes(200, 'PUT', path, { body: created.json });
        await proxy.passes(200, 'PATCH', path, {
          body: { price: 17.5 },
          headers: { 'content-type': 'application/merge-patch+json' },
        });
        await proxy.passes(200, 'PATCH', path, { body: { enabled: false, unheard: 1 }, headers: LENIENT });
        await proxy.passes(200, 'POST', `${path}/stock`, { body: { delta: -3 } });
        const image = await proxy.passes(201, 'POST', `${path}/images`, {
          body: { attachment: PIXEL, filename: 'pixel.png', alt: 'A pixel' },
        });
        const imagePath = `${path}/images/${image.json.id}`;
        await proxy.passes(200, 'GET', `${path}/images`);
        await proxy.passes(200, 'PUT', imagePath, { body: { alt: 'Still a pixel', position: 2 } });
        await proxy.passes(200, 'GET', path);
        await proxy.passes(204, 'DELETE', imagePath);
        await proxy.passes(404, 'DELETE', imagePath);
        await proxy.passes(204, 'DELETE', path);
        await proxy.passes(404, 'GET', path);
      });

      test(`Prism reports no violation for a product with all of its related records (OpenAPI ${version})`, async () => {
        const taxClass = await proxy.passes(201, 'POST', '/tax_classes', { body: { name: 'Books' } });
        const productClass = await proxy.passes(201, 'POST', '/product_classes', { body: { name: 'Shirts' } });
        await proxy.passes(201, 'POST', '/memberships', { body: { name: 'Gold' } });
        await proxy.passes(201, 'POST', '/stickers', { body: { name: 'New' } });
        const parent = await proxy.passes(201, 'POST', '/categories', { body: { name: 'Clothes' } });
        const category = await proxy.passes(201, 'POST', '/categories', {
          body: { name: 'Shirts', parent: parent.json.id },
        });
        const { id } = (
          await proxy.passes(201, 'POST', '/products', {
            body: {
              sku: 'PRISM-2',
              name: 'All of it',
              tax_class: taxClass.json.id,
              product_class: productClass.json,
              memberships: ['Gold'],
              stickers: ['New'],
            },
          })
        ).json;
        await proxy.passes(201, 'POST', `/categories/${category.json.id}/products`, { body: { product_id: id } });
        const attribute = await proxy.passes(201, 'POST', '/attributes_select', { body: { name: 'Size' } });
        const options = `/attributes_select/${attribute.json.id}/options`;
        const option = await proxy.passes(201, 'POST', options, { body: { value: 'XL' } });
        await proxy.passes(201, 'POST', `/products/${id}/attributes_select/${attribute.json.id}/values`, {
          body: { option_id: option.json.id },
        });
        for (const path of [
          ...['/products', `/products/${id}`, '/categories', `/categories/${category.json.id}/stats`, options],
          ...[`/categories/${category.json.id}/products`, `/products/${id}/attributes_select`, '/tags', '/languages'],
          ...[`/products/${id}/attributes_select/${attribute.json.id}/values`, '/attributes', '/attribute_groups'],
        ])
          await proxy.passes(200, 'GET', path);
        await proxy.passes(200, 'PUT', `/categories/${category.json.id}/move`, { body: { parent: null, position: 1 } });
      });

      test(`Prism reports no violation in rejections by the store (OpenAPI ${version})`, async () => {
        const taken = await proxy.passes(201, 'POST', '/products', { body: { sku: 'PRISM-3', name: 'Taken' } });
        const path = `/products/${taken.json.id}`;
        await proxy.passes(422, 'POST', '/products', { body: { sku: 'PRISM-3', name: ' ' } });
        await proxy.passes(422, 'POST', '/products', { body: { sku: 'PRISM-4', name: 'B', unheard: 1 } });
        await proxy.passes(422, 'POST', `${path}/images`, { body: { attachment: 'AAAA', filename: 'no.png' } });
        await proxy.passes(400, 'GET', '/products?unheard=1');
        await proxy.passes(404, 'GET', '/categories/4711');
        await proxy.passes(406, 'GET', '/products', { headers: { accept: 'image/png' } });
        await proxy.passes(409, 'DELETE', '/languages/en');
        await proxy.passes(412, 'PATCH', path, { body: { price: 1 }, headers: { 'if-match': '"0-other"' } });
        await proxy.passes(401, 'GET', '/products', { key: 'no key of this store' });
        await proxy.passes(403, 'POST', '/products', { body: { sku: 'A', name: 'B' }, key: READ_ONLY_KEY });
      });

      test(`Prism reports no violation for the example of every parameter of every collection (OpenAPI ${version})`, async () => {
        // The page that the example of `/urls/resolve` names.
        await store.product({ clean_url: 't-shirt' });
        for (const { path, method, operation } of operationsOf((await store.get('/api/openapi.json')).json)) {
          // A key has no account of its own.
          if (method !== 'get' || path.includes('{') || path.startsWith('/users/me')) continue;
          for (const { name, in: location, example, deprecated } of operation.parameters) {
            // Prism logs deprecated parameters, `fields` omits required fields, and only the store can make a cursor.
            if (location !== 'query' || deprecated || ['cursor', 'fields'].includes(name)) continue;
            // An object has a parameter for each member.
            const isKeyed = typeof example === 'object' && !Array.isArray(example);
            const members = isKeyed ? Object.entries(example) : [example].flat().map((value) => [name, value]);
            const query = new URLSearchParams(members as [string, string][]).toString();
            // The other parameters of `price_for` need this one.
            const isIncomplete = name.includes('price_for') && name !== 'price_for[membership]';
            await proxy.passes(200, 'GET', `${path}?${isIncomplete ? 'price_for[membership]=0&' : ''}${query}`);
          }
        }
      });
    });

    test(`the store rejects invalid requests, and Prism reports violations only in the requests (OpenAPI ${version})`, async () => {
      for (const [status, method, path, options] of [
        [401, 'GET', '/products', { key: null }],
        [400, 'GET', '/products?page=none', {}],
        [400, 'GET', '/products?page=0', {}],
        [422, 'POST', '/products', { body: { name: 1 } }],
        [404, 'PATCH', '/products/4711', { body: { price: 'free' } }],
        // Prism never responds to invalid JSON.
        [415, 'POST', '/products', { body: 'sku', headers: { 'content-type': 'text/plain' } }],
      ] as const) {
        const { response, violations } = await proxy.send(method, path, options);
        const where = `${method} ${path}: ${response.status} ${JSON.stringify(violations)}`;
        assert.equal(response.status, status, where);
        assert.ok(violations.length > 0, where);
        for (const { location } of violations) assert.equal(location[0], 'request', where);
      }
    });
  });
