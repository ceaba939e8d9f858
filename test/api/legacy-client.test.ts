/**
 * A session of an unmodified client of release 5.5 with COMPATIBILITY=5.5. It sends only its key, unknown fields and
 * parameters, and PUTs with some of the fields. Each step uses the records of earlier ones.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpResponse } from '../support/client.ts';
import { attached, png } from '../support/images.ts';
import { type Json, onEachDatabase } from '../support/store.ts';

onEachDatabase('session of a 5.5 client', { COMPATIBILITY: '5.5' }, (store) => {
  let product: Json & { readonly id: number };
  const at = (): string => `/api/products/${product.id}`;

  function responded(response: HttpResponse, status = 200): HttpResponse['json'] {
    assert.equal(response.status, status, response.text);
    return status === 204 ? undefined : response.json;
  }

  test('creates products with fields of later releases', async () => {
    for (const [sku, price] of [
      ['MUG', 5],
      ['SHIRT', 20],
    ] as const) {
      const body = { sku, name: sku, price, amount: 10, separate_box: false, width: 10, useSeparateBox: true };
      product = responded(await store.post('/api/products', body), 201);
    }
    assert.deepEqual([product.sku, product.price, product.discount_type], ['SHIRT', 20, 'sale_percent']);
    assert.deepEqual([product.separate_box, product.width, 'useSeparateBox' in product], [false, 10, false]);
  });

  test('lists products with unknown parameters', async () => {
    const skus = async (query: string) =>
      responded(await store.get(`/api/products?${query}`)).map(({ sku }: { sku: string }) => sku);
    assert.deepEqual(await skus('pagination=false&order[name]=up&_=1700000000'), ['MUG', 'SHIRT']);
    assert.deepEqual(await skus('order[arrivalDate]=asc&order[x]=up&itemsPerPage=1&page=2'), ['SHIRT']);
    assert.deepEqual(await skus('price[gt]=6&enabled=true&price[gt]=5.999999'), ['SHIRT']);
    assert.deepEqual(await skus('create_date[strictly_before]=2000-01-01'), []);
  });

  test('changes some fields by PUT and retains the others', async () => {
    const tags = ['Summer', 'New'];
    responded(await store.put(at(), { sku: 'SHIRT', name: 'Shirt', description: 'Soft', tags, weight: 0.2 }));
    const changed = responded(await store.put(at(), { sku: 'SHIRT', name: 'Shirt', price: 17.5, module_field: 'x' }));
    assert.deepEqual([changed.price, changed.description, changed.weight, changed.amount], [17.5, 'Soft', 0.2, 10]);
    assert.deepEqual(changed.tags.map(({ name }: { name: string }) => name).sort(), ['New', 'Summer']);
    assert.equal(changed.clean_url, product.clean_url);
    // The client sends the whole record back as read.
    assert.deepEqual(responded(await store.put(at(), changed)), changed);
  });

  test('changes stock by PUT', async () => {
    const { sku, name, price } = responded(await store.get(at()));
    const sold = responded(await store.put(at(), { sku, name, amount: 9 }));
    assert.deepEqual([sold.amount, sold.price], [9, price]);
  });

  test('uploads an image and renames it', async () => {
    const images = `${at()}/images`;
    const body = await attached(png(), { position: 4, alt: 'Front', externalUrl: '', orderby: 1 });
    const { id, url } = responded(await store.post(images, body), 201);
    const renamed = responded(await store.put(`${images}/${id}`, { alt: 'Back' }));
    assert.deepEqual([renamed.alt, renamed.position, renamed.url], ['Back', 4, url]);
    assert.equal(responded(await store.get(at())).images[0].alt, 'Back');
  });

  test('maintains a category tree', async () => {
    const parent = responded(await store.post('/api/categories', { name: 'Clothes', flyout_columns: 3 }), 201);
    const child = responded(
      await store.post('/api/categories', { name: 'Shirts', parent: parent.id, position: 2, description: 'All' }),
      201,
    );
    const path = `/api/categories/${child.id}`;
    const changed = responded(await store.put(path, { name: 'T-shirts', show_title: false }));
    assert.deepEqual([changed.parent, changed.position, changed.description], [parent.id, 2, 'All']);
    responded(await store.put(`${path}/move`, { parent: null, position: 1 }));
    responded(await store.post(`${path}/products`, { product_id: product.id }), 201);
    const linked = responded(await store.get(`/api/products?category=${child.id}&pagination=0`));
    assert.equal(linked.length, 1);
    responded(await store.delete(`${path}/products/${product.id}`), 204);
    responded(await store.delete(`/api/categories/${parent.id}`), 204);
  });

  test('creates attributes of a class and values of the product', async () => {
    const { id: classId } = responded(await store.post('/api/product_classes', { name: 'Clothes', products: [] }), 201);
    const { sku } = responded(await store.get(at()));
    const classed = responded(await store.put(at(), { sku, name: 'Shirt', product_class: 'Clothes' }));
    assert.equal(classed.product_class.id, classId);
    const attributes = `/api/product_classes/${classId}/attributes_select`;
    // The client sends 0 for no group.
    const attribute = responded(await store.post(attributes, { name: 'Size', groupId: 0, visible: true }), 201);
    assert.equal(attribute.groupId, null);
    const options = `${attributes}/${attribute.id}/options`;
    const option = responded(await store.post(options, { value: 'Large', addToNew: true }), 201);
    const values = `${at()}/attributes_select/${attribute.id}/values`;
    const value = responded(await store.post(values, { option_id: option.id, price_modifier: 2, position: 3 }), 201);
    const changed = responded(await store.put(`${values}/${value.id}`, { option_id: option.id, is_default: true }));
    assert.deepEqual([changed.price_modifier, changed.position, changed.is_default], [2, 3, true]);
    responded(await store.put(at(), { sku, name: 'Shirt', product_class: null }));
    assert.equal((await store.get(values)).status, 400);
  });

  test('stores texts in another language', async () => {
    const german = { 'accept-language': 'de' };
    responded(await store.put(at(), { sku: 'SHIRT', name: 'Hemd' }, german));
    assert.equal(responded(await store.get(at(), german)).name, 'Hemd');
    assert.equal(responded(await store.get(at())).name, 'Shirt');
  });

  test('filters orders by their 5.5 names and changes their status', async () => {
    const items = [{ product_id: product.id, amount: 1 }];
    const { id, order_number } = responded(
      await store.post('/api/orders', { email: 'anna@example.com', items, vendor: 1 }),
      201,
    );
    const numbers = async (query: string) =>
      responded(await store.get(`/api/orders?${query}`)).map((order: Json) => order.order_number);
    assert.deepEqual(await numbers('paymentStatus.code=Q&order[date]=desc&pagination=false'), [order_number]);
    assert.deepEqual(await numbers('shippingStatus.code=S'), []);
    assert.deepEqual(await numbers('date[strictly_before]=2000-01-01'), []);
    assert.equal(responded(await store.get(`/api/orders/by_number/${order_number}`)).id, id);
    const paid = responded(await store.put(`/api/orders/${id}/payment_status`, { code: 'P', name: 'Paid' }));
    assert.equal(paid.code, 'P');
    responded(await store.post(`/api/orders/${id}/tracking_numbers`, { value: 'TRACK-1', order: id }), 201);
  });

  test('deletes the product', async () => {
    responded(await store.delete(at()), 204);
    assert.equal((await store.get(at())).status, 404);
  });
});
