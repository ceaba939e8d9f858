/** The catalog for shoppers: publishable keys, what shoppers see, and what shared caches store (storefront.md). */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { CacheValidator } from '../../src/http/cache/cache-validator.ts';
import type { HttpOptions } from '../../src/http/server/context.ts';
import { Metrics } from '../../src/metrics/metrics.ts';
import { ATTRIBUTES, CATEGORIES, TAGS } from '../../src/shop/storefront/categories.ts';
import { PRODUCTS } from '../../src/shop/storefront/products.ts';
import { VARIANTS } from '../../src/shop/storefront/variants.ts';
import { digestOf } from '../../src/store/keys.ts';
import { storeModel } from '../../src/wiring/open.ts';
import type { HttpResponse } from '../support/client.ts';
import { databaseNames } from '../support/databases.ts';
import { assertProblem, assertViolations } from '../support/expect.ts';
import { attached, png } from '../support/images.ts';
import { INJECT_KEY, serverOf } from '../support/injected-server.ts';
import { openedStore } from '../support/opened-store.ts';
import {
  type Json,
  onEachDatabase,
  onOneDatabase,
  READ_ONLY_KEY,
  READ_WRITE_KEY,
  type Store,
} from '../support/store.ts';
import { madeVariant, varied } from '../support/variants.ts';

const ORIGINS = ['https://shop.example.com', 'https://*.example.org', 'http://localhost:3000', 'http://[::1]:8080'];

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

async function publishableKey(store: Store, name = 'Shop'): Promise<HttpResponse['json']> {
  return store.made('/api/keys', { name, kind: 'publishable', origins: ORIGINS });
}

function assertProblemType(response: HttpResponse, status: number, type: string): void {
  assertProblem(response, status);
  assert.match(response.json.type, new RegExp(`/${type}$`));
}

/** Fields of the model that shoppers never see. A new field must be shown by the view, or be added here. */
const DENIED: Readonly<Record<string, string>> = {
  Product:
    'meta_description_type og_meta_tags_type cost_price sale_price_value participate_sale discount_type ' +
    'apply_sale_to_wholesale enabled taxable inventory_traceable amount available_for_backorder backorder_limit ' +
    'pin_codes_enabled auto_pin_codes facebook_marketing_enabled google_feed_enabled create_date update_date memberships ' +
    'product_class tax_class separate_box width length height variants_count reviews_count average_rating stock ' +
    'lowest_price_30_days category variants recorded_since',
  Category:
    'enabled memberships meta_description_type og_meta_tags og_meta_tags_type create_date update_date flyout_columns product',
  Variant:
    'default_price amount default_amount default_weight default_variant attribute_checkbox_values attribute_select_values ' +
    'product_id options sale_discount_type sale_price_value default_sale_price lowest_price_30_days attributes combination recorded_since',
  Tag: '',
  Attribute: 'position groupId displayMode product_class product',
};

test('every field of a resource is shown to shoppers or denied, and not both', () => {
  const model = storeModel();
  for (const { resource, fields } of [PRODUCTS, VARIANTS, CATEGORIES, TAGS, ATTRIBUTES]) {
    const denied = DENIED[resource]!.split(' ').filter((name) => name !== '');
    for (const name of model.resources.get(resource)!.fields.keys())
      assert.equal(fields.includes(name) !== denied.includes(name), true, `${resource}.${name}`);
    for (const name of denied) assert.ok(model.resources.get(resource)!.fields.has(name), `${resource}.${name}`);
  }
});

onEachDatabase('publishable keys', { ADMIN: 'on' }, (store) => {
  const create = (body: Json) => store.post('/api/keys', { name: 'Shop', kind: 'publishable', ...body });

  test('are shown with their origins, and have no scopes and masks', async () => {
    const made = await publishableKey(store);
    assert.match(made.key, /^pv_pk_[\w-]{32}$/);
    assert.deepEqual([made.kind, made.scopes, made.masks, made.origins], ['publishable', [], [], ORIGINS]);
    assert.deepEqual((await store.get(`/api/keys/${made.id}`)).json, made);
    const others: Json[] = (await store.get('/api/keys')).json;
    assert.deepEqual(
      others.map(({ name, key, origins }) => [name, key !== undefined, origins !== undefined]),
      [
        ['read/write', false, false],
        ['read-only', false, false],
        ['Shop', true, true],
      ],
    );
    assert.equal((await store.request('GET', '/storefront/store', { key: made.key })).status, 200);
    assert.equal((await store.delete(`/api/keys/${made.id}`)).status, 204);
    assertProblem(await store.request('GET', '/storefront/store', { key: made.key }), 401);
  });

  test('are created only by keys that see what they show', async () => {
    const body = { name: 'Leak', kind: 'publishable', origins: ORIGINS };
    const createdBy = async (name: string, scopes: string[], masks: string[] = []) => {
      const { key } = await store.made('/api/keys', { name, kind: 'scoped', scopes, masks });
      return store.request('POST', '/api/keys', { body, key });
    };
    const blind = await createdBy('Keys only', ['keys:manage', 'products:read']);
    assertProblem(blind, 403);
    assert.deepEqual(blind.json.missing_scopes, ['attributes:read', 'categories:read', 'stickers:read', 'tags:read']);
    const masked = await createdBy('No prices', ['*:*'], ['Product.price']);
    assertProblem(masked, 403);
    assert.ok(masked.json.masked_fields.includes('Product.price'));
    const shown = ['attributes', 'categories', 'products', 'stickers', 'tags'].map((family) => `${family}:read`);
    assert.equal((await createdBy('All of it', ['keys:manage', ...shown])).status, 201);
  });

  test('have origins as browsers send them', async () => {
    const invalid = [
      ...['https://shop.example.com/', 'https://Shop.example.com', 'https://shop.example.com:443', 'shop.example.com'],
      ...[
        'http://shop.example.com',
        'http://128.0.0.1',
        'https://*',
        'https://*.com',
        'https://*.com.',
        'https://*..com',
        'https://*.*.example.com',
        'null',
      ],
      ...['https://a*.example.com', 'https://*.127.0.0.1', 'ftp://example.com', 'https://user@example.com', '*', ''],
    ];
    for (const origin of invalid)
      assertViolations(await create({ origins: ['https://example.com', origin] }), ['origins[1]', 'format']);
    assertViolations(await create({}), ['origins', 'required']);
    assertViolations(await create({ origins: [] }), ['origins', 'too_short']);
    assertViolations(await create({ origins: Array.from({ length: 21 }, (_, index) => `https://${index}.de`) }), [
      'origins',
      'too_long',
    ]);
    assertViolations(await create({ origins: ['https://a.de', 'https://a.de'] }), ['origins[1]', 'not_unique']);
    const sent = { origins: ORIGINS, scopes: ['*:read'], masks: [], key: 'pv_pk_0123456789abcdef' };
    assertViolations(await create(sent), ['scopes', 'conflict'], ['masks', 'conflict'], ['key', 'conflict']);
    assertViolations(await store.post('/api/keys', { name: 'A', kind: 'read-only', origins: ORIGINS }), [
      'origins',
      'conflict',
    ]);
  });

  test('are accepted only below /storefront, where other keys are rejected', async () => {
    const { key } = await publishableKey(store, 'Another');
    for (const [method, path] of [
      ['GET', '/api/products'],
      ['POST', '/api/products'],
      ['GET', '/api/nothing'],
      ['GET', '/nothing'],
    ] as const) {
      const response = await store.request(method, path, { key, body: {} });
      assertProblemType(response, 403, 'wrong-key-kind');
      assert.doesNotMatch(response.text, /Another/, path);
    }
    assertProblemType(
      await store.request('POST', '/admin/session', { key: undefined, body: { key }, headers: SAME_ORIGIN }),
      403,
      'wrong-key-kind',
    );
    for (const secret of [READ_WRITE_KEY, READ_ONLY_KEY])
      for (const path of ['/storefront/products', '/storefront/nothing'])
        assertProblemType(await store.request('GET', path, { key: secret }), 403, 'wrong-key-kind');
    for (const unknown of [undefined, 'pv_pk_unknown'])
      assertProblem(await store.request('GET', '/storefront/products', { key: unknown }), 401);
    const at = (method: string, path: string, headers = {}) =>
      store.request(method, `/storefront${path}`, { key, headers });
    assertProblem(await at('GET', '/nothing'), 404);
    assertProblem(await at('GET', '/products/1/variants/1'), 404);
    const write = await at('POST', '/products');
    assertProblem(write, 405);
    assert.equal(write.headers.allow, 'GET, HEAD, OPTIONS');
    assertProblem(await at('GET', '/products', { accept: 'application/ld+json' }), 406);
    for (const response of [write, await at('GET', '/products/0'), await at('GET', '/products?x=1')])
      assert.deepEqual(
        [response.headers['cache-control'], response.headers['access-control-allow-origin']],
        ['private, no-store', '*'],
      );
    const preflight = await store.request('OPTIONS', '/storefront/products', { key: undefined });
    assert.deepEqual(
      ['allow-origin', 'allow-methods', 'allow-credentials'].map((name) => preflight.headers[`access-control-${name}`]),
      ['*', 'GET, HEAD, OPTIONS', undefined],
    );
    assert.equal(preflight.status, 204);
  });
});

onOneDatabase('a server without a catalog for shoppers', { STOREFRONT: 'off' }, (store) => {
  test('has no path below /storefront', async () => {
    const { key } = await publishableKey(store);
    for (const method of ['GET', 'OPTIONS'])
      for (const path of ['/storefront', '/storefront/products'])
        for (const each of [key, undefined, READ_WRITE_KEY])
          assertProblem(await store.request(method, path, { key: each }), 404);
  });
});

const SETTINGS = { STORE_NAME: 'Mug Shop', STOREFRONT_QUANTITY_MAX: '5', STORE_CURRENCY: 'EUR' };

onEachDatabase('the catalog for shoppers', SETTINGS, (store) => {
  let key: string;
  const ids: Record<string, number> = {};
  const shop = (path: string, headers?: Record<string, string>): Promise<HttpResponse> =>
    store.request('GET', `/storefront${path}`, { key, headers });
  const read = async (path: string): Promise<HttpResponse['json']> => {
    const response = await shop(path);
    assert.equal(response.status, 200, response.text);
    return response.json;
  };
  const idsAt = async (path: string): Promise<number[]> => {
    const response = await shop(path);
    assert.equal(response.status, 200, response.text);
    const found: number[] = response.json.map(({ id }: { id: number }) => id);
    assert.equal(response.headers['x-total-count'], String(found.length));
    return found;
  };
  const made = async (name: string, path: string, body: Json): Promise<number> => {
    ids[name] = (await store.made(`/api${path}`, body)).id;
    return ids[name]!;
  };

  before(async () => {
    key = (await publishableKey(store)).key;
    await made('gold', '/memberships', { name: 'Gold' });
    await made('open', '/categories', { name: 'Mugs', position: 1 });
    await made('inner', '/categories', { name: 'Blue mugs', parent: ids.open });
    await made('hidden', '/categories', { name: 'Secret', enabled: false });
    await made('below', '/categories', { name: 'Below secret', parent: ids.hidden, clean_url: 'below' });
    await made('members', '/categories', { name: 'Members', memberships: ['Gold'] });
    await made('sticker', '/stickers', { name: 'New' });
    await made('oldSticker', '/stickers', { name: 'Old', enabled: false });
    const stickers = [ids.sticker, ids.oldSticker];
    await made('mug', '/products', { sku: 'MUG', name: 'Mug', price: 10, amount: 3, tags: ['Blue'], stickers });
    await made('cup', '/products', { sku: 'CUP', name: 'Cup', price: 4, tags: ['Plain'], clean_url: 'cup' });
    await made('gift', '/products', { sku: 'GIFT', name: 'Gift', memberships: ['Gold'], tags: ['Secret'] });
    await made('draft', '/products', {
      sku: 'DRAFT',
      name: 'Draft',
      enabled: false,
      tags: ['Secret'],
      clean_url: 'draft',
    });
    for (const name of ['inner', 'hidden', 'below', 'members'])
      await store.made(`/api/categories/${ids[name]}/products`, { product_id: ids.mug! });
    await store.made(`/api/categories/${ids.open}/products`, { product_id: ids.gift! });
  });

  test('has only what shoppers may see', async () => {
    assert.deepEqual(await idsAt('/products'), [ids.mug, ids.cup]);
    assert.deepEqual(await idsAt('/categories'), [ids.open]);
    assert.deepEqual(await idsAt('/categories?parent=all'), [ids.inner, ids.open]);
    for (const query of [`parent=${ids.hidden}`, `id=${ids.below}`, 'clean_url=below', `product=${ids.gift}`])
      assert.deepEqual(await idsAt(`/categories?${query}`), [], query);
    assert.deepEqual(await idsAt(`/categories?product=${ids.mug}`), [ids.inner]);
    for (const name of ['hidden', 'below', 'members'])
      assert.deepEqual(await idsAt(`/products?category_ids=${ids[name]}`), [], name);
    assert.deepEqual(await idsAt(`/products?category_ids[]=${ids.hidden}&category_ids[]=${ids.inner}`), [ids.mug]);
    assert.deepEqual(
      (await read('/tags')).map(({ name }: Json) => name),
      ['Blue', 'Plain'],
    );
    assert.deepEqual(await idsAt('/products?tags=Secret'), []);
    const { category_ids, tags, stickers } = await read(`/products/${ids.mug}`);
    assert.deepEqual(category_ids, [ids.inner]);
    assert.deepEqual(
      tags.map(({ name }: Json) => name),
      ['Blue'],
    );
    assert.deepEqual(stickers, [{ id: ids.sticker, name: 'New' }]);
    const missing = ['/products/999999', `/products/${ids.gift}`, `/products/${ids.draft}`, '/products/by_url/draft'];
    const categories = [ids.hidden, ids.below, ids.members].map((id) => `/categories/${id}`);
    for (const path of [...missing, ...categories, '/categories/by_url/below', '/products/01', '/products/x'])
      assertProblem(await shop(path), 404);
    for (const path of ['/products/by_url/%00', '/categories/by_url/a%00b']) assertProblem(await shop(path), 404);
    assertProblem(await store.delete(`/api/products/${ids.mug}/old_urls/%00`), 404);
    assert.equal((await read('/products/by_url/cup')).id, ids.cup);
    assert.deepEqual((await read('/categories/by_url/blue-mugs')).path, [
      { id: ids.open, name: 'Mugs' },
      { id: ids.inner, name: 'Blue mugs' },
    ]);
    const changed = await store.patch(`/api/categories/${ids.hidden}`, { enabled: true });
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual((await read(`/products/${ids.mug}`)).category_ids, [ids.inner, ids.hidden, ids.below]);
    await store.patch(`/api/categories/${ids.hidden}`, { enabled: false });
    assert.deepEqual((await read(`/products/${ids.mug}`)).category_ids, [ids.inner]);
  });

  test('accepts only its own fields, filters and orders', async () => {
    assert.deepEqual(Object.keys(await read(`/products/${ids.mug}`)), PRODUCTS.fields);
    assert.deepEqual(Object.keys((await read('/categories'))[0]), CATEGORIES.fields);
    assert.deepEqual(await read('/products?fields=sku,price&order[name]=asc'), [
      { sku: 'CUP', price: 4 },
      { sku: 'MUG', price: 10 },
    ]);
    const second = await shop('/products?itemsPerPage=1&page=2&order[name]=desc&fields=id');
    assert.deepEqual([second.json, second.headers['x-total-count']], [[{ id: ids.cup }], '2']);
    assert.match(second.headers.link as string, /\/storefront\/products\?[^>]*page=1>; rel="first"/);
    const denied = PRODUCTS.fields.includes('amount') ? [] : ['amount', 'enabled=true', 'memberships[exists]=true'];
    const rejected = [
      ...denied,
      ...[
        'fields=cost_price',
        'fields=name,amount',
        'fields=',
        'fields=id&fields=id',
        'order[sku]=asc',
        'order[amount]=asc',
      ],
      ...[
        'order=price',
        'price=5',
        'price[]=5',
        'price[gt]=x',
        `price[membership]=${ids.gold}`,
        'price[quantity]=5',
        'price_for[membership]=0',
      ],
      ...[`category=${ids.inner}`, 'category_ids[exists]=true', 'category_ids=x', 'market_price=5', 'page=0'],
      ...['country=de', 'country=DE&country=FR', 'state_name=Texas', 'language=xx', 'language=de&language=en'],
      ...['search=', 'facets=tags', 'facets.limit=5', 'attributes=5', 'attributes.x=5', 'attributes.1=red'],
      ...['attributes.1[gt]=5', 'variants.1=/api/attribute_options/1', 'cursor=x', 'product_class=1'],
    ];
    for (const query of rejected) assert.equal((await shop(`/products?${query}`)).status, 400, query);
    for (const path of ['/tags?order[name]=asc', '/tags?country=DE', '/attributes?name=x', '/categories?enabled=false'])
      assertProblem(await shop(path), 400);
    for (const path of [`/products/${ids.mug}?page=1`, `/products/${ids.mug}?sku=MUG`, '/store?fields=name'])
      assertProblem(await shop(path, { prefer: 'handling=lenient' }), 400);
  });

  test('has prices of the cheapest variant, and only stocks that the settings show', async () => {
    const shirt = await varied(store, { price: 20, amount: 500, backorder_limit: 2 });
    const { id } = shirt.product;
    await madeVariant(store, shirt, ['S', 'red'], { price: 15, amount: 2 });
    await madeVariant(store, shirt, ['M', 'red'], { amount: 0 });
    await store.made(`${shirt.path}/wholesale_prices`, { price: 1, quantity_range_begin: 5 });
    const variants = `${shirt.path}/variants`;
    const [{ id: cheapest }] = (await store.get(variants)).json;
    await store.made(`${variants}/${cheapest}/wholesale_prices`, { price: 12, quantity_range_begin: 5 });
    const shown = await read(`/products/${id}`);
    assert.deepEqual([shown.price, shown.list_price, shown.has_variants], [15, 15, true]);
    assert.deepEqual(shown.tiers, [
      { quantity: 1, price: 15 },
      { quantity: 5, price: 12 },
    ]);
    assert.deepEqual([shown.availability, shown.quantity, shown.currency], ['in_stock', 2, 'EUR']);
    assert.deepEqual(shown.attributes, []);
    assert.deepEqual(
      shown.choices.map(({ name, values }: HttpResponse['json']) => [name, ...values.map(({ value }: Json) => value)]),
      [
        ['Size', 'S', 'M'],
        ['Colour', 'red', 'blue'],
      ],
    );
    const [first, second] = await read(`/products/${id}/variants`);
    const { S, M, red } = shirt.values;
    assert.deepEqual(first, {
      ...{ id: cheapest, sku: null, price: 15, list_price: 15, tiers: shown.tiers, weight: 0 },
      ...{ availability: 'in_stock', quantity: 2, image: null, value_ids: [S, red], is_default: first.is_default },
    });
    assert.deepEqual(
      [second.price, second.availability, second.quantity, second.value_ids],
      [20, 'backorder', null, [M, red]],
    );
    assert.deepEqual(Object.keys(first), VARIANTS.fields);
    assert.deepEqual(await read(`/products/${id}/variants?fields=id,price&page=2&itemsPerPage=1`), [
      { id: second.id, price: 20 },
    ]);
    assert.deepEqual(await read(`/products/${ids.mug}/variants`), []);
    for (const hidden of [ids.gift, ids.draft, 999_999, 'x'])
      assertProblem(await shop(`/products/${hidden}/variants`), 404);
    for (const query of ['sku=A', 'order[id]=asc', 'fields=amount'])
      assertProblem(await shop(`/products/${id}/variants?${query}`), 400);
    const stockOf = async (body: Json): Promise<unknown[]> => {
      const changed = await store.patch(`/api/products/${ids.cup}`, body);
      assert.equal(changed.status, 200, changed.text);
      const { availability, quantity } = await read(`/products/${ids.cup}`);
      return [availability, quantity];
    };
    assert.deepEqual(await stockOf({ amount: 6 }), ['in_stock', null]);
    assert.deepEqual(await stockOf({ amount: 5 }), ['in_stock', 5]);
    assert.deepEqual(await stockOf({ amount: 0, backorder_limit: 2 }), ['backorder', null]);
    await store.made('/api/orders', { email: 'ada@example.com', items: [{ sku: 'CUP', amount: 2 }] });
    assert.deepEqual(await stockOf({}), ['out_of_stock', null]);
    assert.equal((await store.post(`/api/products/${ids.cup}/stock`, { delta: 2 })).status, 200);
    assert.deepEqual(await stockOf({ amount: 0, available_for_backorder: false }), ['out_of_stock', null]);
    assert.deepEqual(await stockOf({ inventory_traceable: false }), ['in_stock', null]);
  });

  test('has the taxes of the address in the query', async () => {
    const zone = async (country: string): Promise<number> =>
      (await store.made('/api/zones', { name: country, elements: [{ countries: [country] }] })).id;
    const [germany, france] = [await zone('DE'), await zone('FR')];
    for (const [of, value] of [
      [germany, 19],
      [france, 20],
    ] as const)
      await store.made('/api/tax_rates', { tax: 'VAT', name: 'VAT', zone: of, value });
    await store.patch('/api/tax_settings', { prices_include_tax: true, default_zone: germany });
    const { id } = await store.product({ price: 119 });
    const priceIn = async (query: string): Promise<unknown> => (await read(`/products/${id}?${query}`)).price;
    assert.deepEqual(
      [await priceIn(''), await priceIn('country=DE'), await priceIn('country=FR&state_name=Alsace')],
      [119, 119, 120],
    );
    assert.equal((await read(`/products/${id}`)).price_includes_tax, true);
    await store.patch('/api/tax_settings', { prices_include_tax: false, default_zone: null });
    assert.equal((await read(`/products/${id}`)).price_includes_tax, false);
  });

  test('has the attributes of products without hidden ones', async () => {
    const { id } = await store.product({ price: 200 });
    const at = `/api/products/${id}`;
    const attribute = async (kind: string, name: string): Promise<number> =>
      (await store.made(`/api/attributes_${kind}`, { name })).id;
    const option = async (kind: string, of: number, value: string): Promise<number> =>
      (await store.made(`/api/attributes_${kind}/${of}/options`, { value })).id;
    const [material, wrap, engraving, supplier] = [
      await attribute('select', 'Material'),
      await attribute('checkbox', 'Wrapped'),
      await attribute('text', 'Engraving'),
      await attribute('hidden', 'Supplier'),
    ];
    const [steel, gold] = [await option('select', material, 'Steel'), await option('select', material, 'Brass')];
    const values = async (kind: string, of: number, body: Json): Promise<number> =>
      (await store.made(`${at}/attributes_${kind}/${of}/values`, body)).id;
    const first = await values('select', material, { option_id: steel, is_default: true });
    await values('checkbox', wrap, { value: true });
    await values('text', engraving, { value: 'Your name', editable: true });
    await values('hidden', supplier, { option_id: await option('hidden', supplier, 'Acme') });
    const single = await read(`/products/${id}`);
    assert.deepEqual(single.attributes, [
      { name: 'Material', values: ['Steel'] },
      { name: 'Wrapped', values: ['Yes'] },
    ]);
    assert.deepEqual(single.choices, [{ attribute_id: engraving, name: 'Engraving', values: [] }]);
    const modifier = { price_modifier: 10, price_modifier_type: 'percent' };
    const second = await values('select', material, { option_id: gold, ...modifier });
    const [choice] = (await read(`/products/${id}`)).choices;
    assert.deepEqual(choice, {
      ...{ attribute_id: material, name: 'Material' },
      values: [
        { value_id: first, value: 'Steel', is_default: true, price_effect: 0 },
        { value_id: second, value: 'Brass', is_default: false, price_effect: 20 },
      ],
    });
    const options = [steel, gold].map((each, index) => ({ id: each, value: ['Steel', 'Brass'][index] }));
    assert.deepEqual(await read('/attributes'), [
      { id: material, name: 'Material', kind: 'select', options },
      { id: wrap, name: 'Wrapped', kind: 'checkbox', options: [] },
      { id: engraving, name: 'Engraving', kind: 'text', options: [] },
    ]);
  });

  test('has the texts of the language that the request names', async () => {
    await store.patch(`/api/products/${ids.mug}`, { name: 'Tasse' }, { 'accept-language': 'de' });
    const inHeader = await shop(`/products/${ids.mug}`, { 'accept-language': 'de' });
    const inQuery = await shop(`/products/${ids.mug}?language=de`, { 'accept-language': 'fr' });
    assert.deepEqual([inHeader.json.name, inQuery.json.name], ['Tasse', 'Tasse']);
    assert.deepEqual(
      [inHeader.headers.vary, inQuery.headers.vary],
      ['Accept-Encoding, Accept-Language', 'Accept-Encoding'],
    );
    assert.equal((await read(`/products/${ids.mug}`)).name, 'Mug');
    assert.deepEqual(await read('/store'), {
      ...{ name: 'Mug Shop', currency: 'EUR', languages: ['de', 'en', 'fr', 'pt-BR'] },
      ...{ time_zone: 'UTC', weight_unit: 'kg', countries: [] },
    });
  });

  test('names the countries that an enabled shipping method ships to', async () => {
    const countries = async (): Promise<unknown> => (await read('/store')).countries;
    const zone = async (name: string, elements: Json[]): Promise<number> =>
      (await store.made('/api/zones', { name, elements })).id;
    const { id } = await store.made('/api/shipping_methods', { name: 'Parcel' });
    const path = `/api/shipping_methods/${id}`;
    assert.deepEqual(await countries(), []);
    const near = [{ countries: ['NL', 'BE'] }, { countries: ['BE'], zips: ['1*'] }];
    await store.made(`${path}/rates`, { zone_id: await zone('Near', near) });
    assert.deepEqual(await countries(), ['BE', 'NL']);
    await store.made(`${path}/rates`, { zone_id: await zone('Everywhere', []) });
    assert.equal(await countries(), null);
    assert.equal((await store.patch(path, { enabled: false })).status, 200);
    assert.deepEqual(await countries(), []);
  });

  test('has responses that are the same for all, with tags that do not reveal sales', async () => {
    const path = `/products/${ids.mug}`;
    const plain = await shop(path);
    assert.equal(plain.headers['cache-control'], 'public, max-age=60, stale-while-revalidate=30');
    assert.match(plain.headers.etag as string, /^"[\w-]{22}"$/);
    const other = (await publishableKey(store, 'Another shop')).key;
    const headers = {
      cookie: 'pv_session=unknown; __Host-pv-shop=pv_cs_x',
      authorization: 'Bearer pv_cs_x',
      origin: 'https://evil.example',
    };
    const foreign = await store.request('GET', `/storefront${path}`, { key: other, headers });
    const same = ({ text, headers: all }: HttpResponse) => [
      text,
      all.etag,
      all['cache-control'],
      all['set-cookie'],
      all['access-control-allow-origin'],
    ];
    assert.deepEqual(same(foreign), same(plain));
    // 3 and 4 units look the same if shoppers see neither number.
    await store.patch(`/api${path}`, { amount: 30 });
    const before = await shop(path);
    await store.patch(`/api${path}`, { amount: 31, cost_price: 2 });
    const unchanged = await shop(path, { 'if-none-match': before.headers.etag as string });
    assert.deepEqual([unchanged.status, unchanged.headers['cache-control']], [304, plain.headers['cache-control']]);
    const head = await store.request('HEAD', `/storefront${path}`, { key });
    assert.deepEqual([head.status, head.headers.etag, head.text], [200, before.headers.etag, '']);
  });

  test('is cached until the next scheduled change of a price', async () => {
    const { id } = await store.product({ price: 100 });
    const now = Math.floor(Date.now() / 1000);
    const at = (seconds: number): string => new Date((now + seconds) * 1000).toISOString();
    const sale = { name: 'Sale', value: 10, specific_products: true, products: [id] };
    const { id: sales } = await store.made('/api/sale_discounts', { ...sale, date_range_begin: at(75) });
    const shared = async (path: string): Promise<number[]> => {
      const header = (await shop(path)).headers['cache-control'] as string;
      const [, fresh, stale] = /^public, max-age=(\d+), stale-while-revalidate=(\d+)$/.exec(header)!;
      return [Number(fresh), Number(stale)];
    };
    const ofPrices = ['/products?order[price]=asc&fields=id', '/products/search?facets=price&fields=id'];
    for (const path of [`/products/${id}`, '/products?order[name]=asc', ...ofPrices]) {
      const [fresh, stale] = (await shared(path)) as [number, number];
      assert.ok(fresh + stale <= now + 75 - Math.floor(Date.now() / 1000) && stale < 30, `${path}: ${fresh} ${stale}`);
    }
    assert.deepEqual(await shared(`/products/${id}?fields=id,name`), [60, 30]);
    await store.patch(`/api/sale_discounts/${sales}`, { date_range_begin: at(-10) });
    assert.deepEqual((({ price, list_price }) => [price, list_price])(await read(`/products/${id}`)), [90, 100]);
    await store.delete(`/api/sale_discounts/${sales}`);
  });

  test('contains no value of a denied field', async () => {
    const class_ = (await store.made('/api/product_classes', { name: 'LEAK class' })).id;
    const { id } = await store.product({
      ...{
        name: 'Marked',
        price: 50,
        cost_price: 7771.5,
        sale_price_value: 17.77,
        amount: 77_772,
        backorder_limit: 77_773,
      },
      ...{
        width: 7774,
        length: 7775,
        height: 7776,
        product_class: class_,
        images: [{ ...(await attached(png(), { alt: 'Front' })) }],
      },
    });
    await store.patch(`/api/categories/${ids.inner}`, { flyout_columns: 77_777 });
    await store.made(`/api/products/${id}/reviews`, { rating: 5, reviewer_name: 'LEAK', review: 'LEAK', status: 1 });
    await store.made(`/api/products/${id}/attachments`, {
      title: 'LEAK',
      filename: 'a.txt',
      attachment: 'TEVBSw==',
      access: 'R',
    });
    const [image] = (await read(`/products/${id}`)).images;
    assert.deepEqual(Object.keys(image), ['id', 'alt', 'url', 'width', 'height']);
    assert.ok(URL.canParse(image.url));
    const selected = `category_ids[]=${ids.hidden}&category_ids[]=${ids.members}&tags=Secret`;
    const searches = ['', selected, 'search=Marked'].map(
      (query) => `/products/search?facets=category,tags,price&${query}`,
    );
    const lists = ['/store', '/products', `/products/${id}`, '/categories?parent=all', '/tags', '/attributes'];
    for (const path of [...lists, ...searches])
      assert.doesNotMatch((await shop(path)).text, /LEAK|777\d|17\.77|Gold|Acme|Supplier|Secret/, path);
  });
});

const SHOP_KEY = 'pv_pk_of-the-tests';

for (const database of databaseNames)
  describe(`cached responses of the catalog (${database})`, () => {
    const sources: string[] = [];
    const metrics = new Metrics();
    metrics.readCompleted = (source) => sources.push(source);
    const keys = [
      { name: 'tests', kind: 'read-write', digest: digestOf(INJECT_KEY) },
      { name: 'shop', kind: 'publishable', digest: digestOf(SHOP_KEY) },
    ];
    const options = { keys, metrics } as unknown as Partial<HttpOptions>;

    test('are dropped by changes that can affect them, and by no others', async (t) => {
      const { service, remove } = await openedStore(database);
      const app = await serverOf(service, {}, new CacheValidator(service), undefined, options);
      t.after(async () => {
        await app.close();
        await remove();
      });
      const send = async (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: Json) => {
        const key = url.startsWith('/storefront') ? SHOP_KEY : INJECT_KEY;
        const response = await app.inject({
          method,
          url,
          headers: { 'x-auth-token': key },
          ...(payload && { payload }),
        });
        assert.ok(response.statusCode < 300, response.body);
        return response.json();
      };
      const product = async (sku: string, inventory_traceable: boolean): Promise<number> =>
        (await send('POST', '/api/products', { sku, name: sku, price: 10, amount: 1, inventory_traceable })).id;
      const [free] = [await product('FREE', false), await product('TRACKED', true)];
      const paths = ['/products', `/products/${free}`, '/categories', '/tags', '/attributes'];
      /** The paths whose responses the last change has dropped. */
      const dropped = async (): Promise<string[]> => {
        const found: string[] = [];
        for (const path of paths) {
          await send('GET', `/storefront${path}`);
          if (sources.pop() === 'made') found.push(path);
        }
        return found;
      };
      const order = (sku: string) =>
        send('POST', '/api/orders', { email: `${sku}@example.com`, items: [{ sku, amount: 1 }] });
      await dropped();
      assert.deepEqual(await dropped(), []);
      await order('FREE');
      await send('POST', `/api/products/${free}/reviews`, {
        rating: 5,
        reviewer_name: 'Ada',
        review: 'Good',
        status: 1,
      });
      assert.deepEqual(await dropped(), []);
      await order('TRACKED');
      assert.deepEqual(await dropped(), ['/products', `/products/${free}`, '/categories', '/tags']);
      const [, tracked] = await send('GET', '/storefront/products?fields=sku,availability');
      assert.deepEqual(tracked, { sku: 'TRACKED', availability: 'out_of_stock' });
      await send('PATCH', `/api/products/${free}`, { price: 11 });
      assert.deepEqual(await dropped(), ['/products', `/products/${free}`, '/categories', '/tags']);
      assert.equal((await send('GET', `/storefront/products/${free}`)).price, 11);
      await send('POST', '/api/tax_rates', { tax: 'VAT', name: 'VAT', value: 10 });
      assert.deepEqual(await dropped(), ['/products', `/products/${free}`]);
      await send('POST', '/api/attributes_select', { name: 'Material' });
      assert.deepEqual((await dropped()).includes('/attributes'), true);
      const statements = ['query', 'search'].map((name) => t.mock.method(service.database, name as 'query').mock);
      const statementsOf = async (path: string): Promise<number> => {
        for (const each of statements) each.resetCalls();
        await send('GET', `/storefront${path}`);
        return statements.reduce((sum, each) => sum + each.callCount(), 0);
      };
      await send('PATCH', `/api/products/${free}`, { tags: ['Blue'] });
      // A distinct URL searches the page, but not the visible products again.
      const [first, second] = [await statementsOf('/tags?id=1'), await statementsOf('/tags?id=2')];
      assert.ok(second < first && second > 0, `${first} and ${second} statements`);
      await send('PATCH', `/api/products/${free}`, { enabled: false });
      assert.deepEqual(await send('GET', '/storefront/tags'), []);
    });

    test('are a 503 if the catalog changes during each read', async (t) => {
      const { service, remove } = await openedStore(database);
      const validator = new CacheValidator(service);
      const app = await serverOf(service, {}, validator, undefined, { keys: options.keys! });
      t.after(async () => {
        await app.close();
        await remove();
      });
      const read = (path: string) => app.inject({ url: path, headers: { 'x-auth-token': SHOP_KEY } });
      const snapshot = t.mock.method(service.database, 'snapshot');
      let changes = 3;
      t.mock.method(validator, 'isUnchangedSince', () => {
        changes -= 1;
        return changes < 0;
      });
      assert.equal((await read('/storefront/products')).statusCode, 200);
      changes = 4;
      const { statusCode, headers } = await read('/storefront/products?fields=id');
      assert.equal(snapshot.mock.callCount(), 0);
      assert.deepEqual([statusCode, headers['retry-after'], headers['cache-control']], [503, '1', 'private, no-store']);
    });
  });

onOneDatabase('limits of shoppers', { LIMIT_READS: '3', LIMIT_KEY: '5', TRUST_PROXY: '127.0.0.0/8' }, (store) => {
  test('count reads by address, and all requests by key', async () => {
    const { key } = await publishableKey(store);
    const from = async (address: string, path = '/products') => {
      const headers = { 'x-forwarded-for': address, origin: 'https://shop.example.com' };
      return store.request('GET', `/storefront${path}`, { key, headers });
    };
    const statuses: number[] = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await from(`2001:db8::${count}`)).status);
    assert.deepEqual(statuses, [200, 200, 200]);
    assertProblem(await from('2001:db8::1', '/nothing'), 404);
    const limited = await from('2001:db8:0:0:9::');
    assertProblemType(limited, 429, 'too-many-requests');
    assert.match(limited.headers['retry-after'] as string, /^\d+$/);
    assert.equal(limited.headers['access-control-allow-origin'], '*');
    assert.match(limited.headers['access-control-expose-headers'] as string, /Retry-After/);
    assert.equal(limited.headers['cache-control'], 'private, no-store');
    // Of another address; its second request is the fifth with this key.
    for (const status of [200, 200, 429]) assert.equal((await from('192.0.2.1', '/store')).status, status);
    assert.equal((await store.request('GET', '/storefront/openapi.json', { key: null })).status, 200);
  });
});
