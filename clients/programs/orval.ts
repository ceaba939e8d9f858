/** A program as in the manual of orval: one function for each operation, whose result has the status and the typed data. */
import assert from 'node:assert/strict';
import {
  createProduct,
  createProductImage,
  deleteProduct,
  listProductImages,
  listProducts,
  type ProductOutput,
  patchProduct,
  readProduct,
  readProductTranslations,
  replaceProduct,
} from './store.js';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const made = await createProduct({ sku: 'ORVAL-1', name: 'Typed', price: 19.99, tags: ['Summer'], tax_class: null });
assert.equal(made.status, 201);
const product = made.data as ProductOutput;
assert.deepEqual([product.sku, product.price, product.tax_class], ['ORVAL-1', 19.99, null]);

const listed = await listProducts({
  ...{ 'id[]': [product.id, 99], 'price[gte]': 10, 'order[price]': 'desc', itemsPerPage: 5 },
});
assert.ok(listed.status === 200);
assert.equal(listed.headers.get('X-Total-Count'), '1');
// The type of a list is the union of all media types.
assert.ok(Array.isArray(listed.data));
const found: number = listed.data.length;
assert.equal(found, 1);
const skus: string[] = listed.data.map(({ sku }) => sku);
assert.deepEqual(skus, ['ORVAL-1']);

const put = await replaceProduct(product.id, { ...product, name: 'Typed again' });
assert.ok(put.status === 200);
const tag = put.headers.get('ETag')!;
const patched = await patchProduct(product.id, { price: 17.5 }, { headers: { 'If-Match': tag } });
assert.ok(patched.status === 200);
assert.equal((patched.data as ProductOutput).price, 17.5);
const outdated = await patchProduct(product.id, { price: 18 }, { headers: { 'If-Match': tag } });
assert.equal(outdated.status, 412);

const texts = await readProductTranslations(product.id);
assert.ok(texts.status === 200);
assert.deepEqual(Object.keys(texts.data), ['en']);

const image = await createProductImage(product.id, { attachment: PIXEL, filename: 'pixel.png', alt: 'A pixel' });
assert.equal(image.status, 201);
const images = await listProductImages(product.id);
assert.ok(images.status === 200 && Array.isArray(images.data));
assert.deepEqual(
  images.data.map(({ alt }) => alt),
  ['A pixel'],
);

const rejected = await createProduct({ sku: 'ORVAL-1', name: ' ' });
assert.ok(rejected.status === 422 && 'violations' in rejected.data);
assert.deepEqual(rejected.data.violations.map(({ propertyPath }) => propertyPath).sort(), ['name', 'sku']);

assert.equal((await deleteProduct(product.id)).status, 204);
assert.equal((await readProduct(product.id)).status, 404);

console.log('done');
