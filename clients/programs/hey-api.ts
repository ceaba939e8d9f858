/** A program as in the manual of @hey-api/openapi-ts: one function for each operation, with its types and a shared client. */
import assert from 'node:assert/strict';
import { client } from './client/client.gen.js';
import {
  createProduct,
  createProductImage,
  deleteProduct,
  deleteProductImage,
  listProductImages,
  listProducts,
  type ProductOutput,
  patchProduct,
  readProduct,
  replaceProduct,
  replaceProductImage,
} from './client/index.js';

const [address, key] = process.argv.slice(2) as [string, string];
client.setConfig({ baseUrl: `${address}/api`, auth: key });

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const made = await createProduct({
  body: { sku: 'HEY-1', name: 'Typed', price: 19.99, tags: ['Summer'], tax_class: null },
  throwOnError: true,
});
const product: ProductOutput = made.data;
assert.deepEqual([product.sku, product.price, product.tax_class], ['HEY-1', 19.99, null]);
const path = { id: product.id };

const listed = await listProducts({
  query: { 'id[]': [product.id, 99], 'price[gte]': 10, 'order[price]': 'desc', itemsPerPage: 5 },
  throwOnError: true,
});
assert.equal(listed.response.headers.get('X-Total-Count'), '1');
assert.deepEqual(listed.data, [product]);
const found: number = listed.data.length;
assert.equal(found, 1);

const put = await replaceProduct({ path, body: { ...product, name: 'Typed again' }, throwOnError: true });
assert.equal(put.data.name, 'Typed again');
const tag = put.response.headers.get('ETag')!;
const patched = await patchProduct({ path, headers: { 'If-Match': tag }, body: { price: 17.5 }, throwOnError: true });
assert.equal(patched.data.price, 17.5);
const outdated = await patchProduct({ path, headers: { 'If-Match': tag }, body: { price: 18 } });
assert.equal(outdated.error?.status, 412);

const image = await createProductImage({
  path: { product_id: product.id },
  body: { attachment: PIXEL, filename: 'pixel.png', alt: 'A pixel' },
  throwOnError: true,
});
assert.deepEqual([image.data.alt, image.data.width, image.data.height], ['A pixel', 1, 1]);
const images = await listProductImages({ path: { product_id: product.id }, throwOnError: true });
assert.deepEqual(images.data, [image.data]);
const imagePath = { product_id: product.id, image_id: image.data.id };
const described = await replaceProductImage({ path: imagePath, body: { alt: 'Still a pixel' }, throwOnError: true });
assert.equal(described.data.alt, 'Still a pixel');
const deletedImage = await deleteProductImage({ path: imagePath, throwOnError: true });
assert.equal(deletedImage.response.status, 204);

const rejected = await createProduct({ body: { sku: 'HEY-1', name: ' ' } });
assert.equal(rejected.response?.status, 422);
assert.ok(rejected.error && 'violations' in rejected.error);
assert.deepEqual(rejected.error.violations.map(({ propertyPath }) => propertyPath).sort(), ['name', 'sku']);

const deleted = await deleteProduct({ path, throwOnError: true });
assert.equal(deleted.response.status, 204);
const missing = await readProduct({ path });
assert.equal(missing.error?.status, 404);

console.log('done');
