/** A typed client as in its manual: openapi-typescript generates `paths`, and `createClient` is from openapi-fetch. */
import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { components, paths } from './store.d.ts';

type Product = components['schemas']['ProductOutput'];

const [address, key] = process.argv.slice(2) as [string, string];
const options = { baseUrl: `${address}/api`, headers: { 'X-Auth-Token': key } };
/** Without the media types, the type of data is the union of all media types. */
const api = createClient<paths, 'application/json' | 'application/problem+json'>(options);

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const made = await api.POST('/products', {
  body: { sku: 'TYPED-1', name: 'Typed', price: 19.99, tags: ['Summer'], tax_class: null },
});
assert.equal(made.response.status, 201);
assert.ok(made.data);
const product: Product = made.data;
assert.deepEqual([product.sku, product.price, product.tax_class], ['TYPED-1', 19.99, null]);
const params = { path: { id: product.id } };
const ownerParams = { path: { product_id: product.id } };

const listed = await api.GET('/products', {
  params: { query: { 'id[]': [product.id, 99], 'price[gte]': 10, 'order[price]': 'desc', itemsPerPage: 5 } },
});
assert.equal(listed.response.headers.get('X-Total-Count'), '1');
assert.deepEqual(listed.data, [product]);
const found: number | undefined = listed.data?.length;
assert.equal(found, 1);

const ofAnyType = createClient<paths>(options);
const union = await ofAnyType.GET('/products');
assert.equal(union.data?.length, 1);
assert.ok(Array.isArray(union.data));
assert.equal(union.data[0]?.sku, 'TYPED-1');
const same = await ofAnyType.GET('/products/{id}', { params });
assert.ok(same.data);
const again: Product = same.data;
assert.equal(again.sku, 'TYPED-1');
const unknown = await ofAnyType.GET('/products/{id}', { params: { path: { id: 999 } } });
assert.equal(unknown.error?.status, 404);

const put = await api.PUT('/products/{id}', { params, body: { ...product, name: 'Typed again' } });
assert.equal(put.data?.name, 'Typed again');

const patched = await api.PATCH('/products/{id}', {
  params: { ...params, header: { 'If-Match': put.response.headers.get('ETag')! } },
  body: { price: 17.5 },
  headers: { 'Content-Type': 'application/merge-patch+json' },
});
assert.equal(patched.data?.price, 17.5);

const outdated = await api.PATCH('/products/{id}', {
  params: { ...params, header: { 'If-Match': put.response.headers.get('ETag')! } },
  body: { price: 18 },
});
assert.equal(outdated.error?.status, 412);

const image = await api.POST('/products/{product_id}/images', {
  params: ownerParams,
  body: { attachment: PIXEL, filename: 'pixel.png', alt: 'A pixel' },
});
assert.ok(image.data);
assert.deepEqual([image.data.alt, image.data.width, image.data.height], ['A pixel', 1, 1]);
const imageParams = { path: { ...ownerParams.path, image_id: image.data.id } };

const images = await api.GET('/products/{product_id}/images', { params: ownerParams });
assert.deepEqual(images.data, [image.data]);
const described = await api.PUT('/products/{product_id}/images/{image_id}', {
  params: imageParams,
  body: { alt: 'Still a pixel' },
});
assert.equal(described.data?.alt, 'Still a pixel');
const deletedImage = await api.DELETE('/products/{product_id}/images/{image_id}', { params: imageParams });
assert.equal(deletedImage.response.status, 204);

const rejected = await api.POST('/products', { body: { sku: 'TYPED-1', name: ' ' } });
assert.equal(rejected.response.status, 422);
assert.ok(rejected.error && 'violations' in rejected.error);
assert.deepEqual(rejected.error.violations.map(({ propertyPath }) => propertyPath).sort(), ['name', 'sku']);

const deleted = await api.DELETE('/products/{id}', { params });
assert.equal(deleted.response.status, 204);
const missing = await api.GET('/products/{id}', { params });
assert.equal(missing.error?.status, 404);

console.log('done');
