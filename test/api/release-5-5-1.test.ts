/** Every family of paths of release 5.5.1 that exists here (catalog.md §18) has its paths, methods and fields. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { attachedFile, FILES } from '../support/attachments.ts';
import { attached, png } from '../support/images.ts';
import { placed } from '../support/orders.ts';
import { onOneDatabase } from '../support/store.ts';

const RECORDS = 'get post';
const RECORD = 'get put delete';
/** In each scope of attributes. */
const attributes = (before: string, ...kinds: readonly string[]): [string, string][] =>
  kinds.flatMap((kind): [string, string][] => [
    [`${before}/attributes_${kind}`, RECORDS],
    [`${before}/attributes_${kind}/{id}`, RECORD],
    ...(/select|hidden/.test(kind)
      ? ([
          [`${before}/attributes_${kind}/{attribute_id}/options`, RECORDS],
          [`${before}/attributes_${kind}/{attribute_id}/options/{id}`, RECORD],
        ] as [string, string][])
      : []),
  ]);

/** The paths of each family with the methods of release 5.5.1. */
const FAMILIES: Readonly<Record<string, readonly [path: string, methods: string][]>> = {
  products: [
    ['/products', RECORDS],
    ['/products/{id}', RECORD],
    ['/products/{product_id}/images', RECORDS],
    ['/products/{product_id}/images/{image_id}', RECORD],
    ...attributes('/products/{product_id}', 'text', 'checkbox', 'select'),
    ['/products/{product_id}/attributes_text/{attribute_id}/values', RECORDS],
    ['/products/{product_id}/attributes_checkbox/{attribute_id}/values', RECORDS],
    ['/products/{product_id}/attributes_select/{attribute_id}/values', RECORDS],
    ['/products/{product_id}/attributes/{attribute_id}/property', 'get'],
    ['/products/{product_id}/variants', RECORDS],
  ],
  categories: [
    ['/categories', RECORDS],
    ['/categories/{category_id}', RECORD],
    ['/categories/{category_id}/move', 'put'],
    ['/categories/{category_id}/stats', 'get'],
    ['/categories/{category_id}/products', RECORDS],
    ['/categories/{category_id}/icon', 'get post delete'],
    ['/categories/{category_id}/banner', 'get post delete'],
  ],
  classes: [
    ['/attribute_groups', RECORDS],
    ...attributes('', 'text', 'checkbox', 'select', 'hidden'),
    ['/product_classes', RECORDS],
    ...attributes('/product_classes/{class_id}', 'text', 'checkbox', 'select'),
    ...['/tax_classes', '/memberships', '/tags', '/stickers'].map((path): [string, string] => [path, RECORDS]),
  ],
  orders: [
    ['/orders', RECORDS],
    ['/orders/by_number/{orderNumber}', 'get'],
    ['/orders/{order_id}/details', RECORDS],
    ['/orders/{order_id}/history', 'get'],
    ['/orders/{id}/payment_status', 'put'],
    ['/orders/{id}/shipping_status', 'put'],
    ['/orders/{order_id}/payment_transactions', RECORDS],
  ],
  profiles: [
    ['/profiles', RECORDS],
    ['/profiles/{profile_id}/addresses', RECORDS],
  ],
  'parts of products': [
    ['/products/{product_id}/reviews', RECORDS],
    ['/products/{product_id}/reviews/{id}', RECORD],
    ['/products/{product_id}/related_products', RECORDS],
    ['/products/{product_id}/related_products/{id}', RECORD],
    ['/products/{product_id}/attachments', RECORDS],
    ['/products/{product_id}/attachments/{id}', RECORD],
  ],
  'tabs and featured products': [
    ['/custom_product_tabs', RECORDS],
    ['/custom_product_tabs/{id}', RECORD],
    ['/categories/{category_id}/featured', RECORDS],
    ['/categories/{category_id}/featured/{product_id}', 'delete'],
    ['/front_page/featured', RECORDS],
    ['/front_page/featured/{product_id}', 'delete'],
  ],
};

/** Fields that release 5.5.1 adds to resources of 5.5.0, after those, in this order. */
const ADDED = {
  '/products': ['separate_box', 'width', 'length', 'height'],
  '/categories': ['flyout_columns'],
} as const;

onOneDatabase('release 5.5.1', {}, (store) => {
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts what is inside
  let document: any;
  const ids: Record<string, number> = {};
  before(async () => {
    document = (await store.get('/api')).json;
    const made = store.made.bind(store);
    const product = await store.product();
    const category = await made('/api/categories', { name: 'All' });
    const attribute = await made('/api/attributes_select', { name: 'Size' });
    const { id: class_id } = await made('/api/product_classes', { name: 'Clothes' });
    const order = await placed(store, [{ product_id: product.id, amount: 1 }]);
    const { id: profile_id } = await made('/api/profiles', { login: 'ann@example.com' });
    Object.assign(ids, { product_id: product.id, category_id: category.id, attribute_id: attribute.id, class_id });
    Object.assign(ids, { order_id: order.id, profile_id });
    await made(`/api/products/${product.id}/images`, await attached(png()));
    await made(`/api/products/${product.id}/attachments`, attachedFile('manual.pdf', FILES.pdf));
  });

  for (const [name, paths] of Object.entries(FAMILIES))
    test(`has every path of its ${name}`, async () => {
      for (const [path, methods] of paths) {
        const described = Object.keys(document.paths[`/api${path}`] ?? document.paths[path] ?? {});
        for (const method of methods.split(' ')) assert.ok(described.includes(method), `${method} ${path}`);
        if (methods !== RECORDS || /text.*values$/.test(path)) continue;
        const filled = path.replace(/\{(\w+)\}/g, (_, each: string) => String(ids[each]));
        // Attributes of one kind or scope are none of another.
        const expected =
          /\{attribute_id\}/.test(path) && !path.startsWith('/attributes_select') ? [200, 400, 404] : [200];
        const { status, text } = await store.get(`/api${filled}`);
        assert.ok(expected.includes(status), `${status} ${filled}: ${text}`);
      }
    });

  for (const [path, fields] of Object.entries(ADDED))
    test(`has its new fields of ${path}, after those of release 5.5.0`, async () => {
      const [record] = (await store.get(`/api${path}`)).json;
      const names = Object.keys(record);
      assert.deepEqual(names.slice(-fields.length), fields);
    });
});
