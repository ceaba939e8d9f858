/** Sitemap and product feeds (catalog.md §17). */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { memoryPages, validateXML } from 'xmllint-wasm';
import { sendRequest } from '../support/client.ts';
import { assertProblem } from '../support/expect.ts';
import { assertGoogleItems } from '../support/google-feed.ts';
import { attached, png } from '../support/images.ts';
import { onEachDatabase, onOneDatabase, READ_ONLY_KEY, type Store } from '../support/store.ts';
import { madeVariant, varied } from '../support/variants.ts';
import { itemsIn, sitemapSchemas } from '../support/xml.ts';

const SHOP = { SHOP_URL: 'https://shop.example', FEED_MINUTES: '0', FEEDS: 'google,facebook' };

const open = async (store: Store, path: string, headers = {}) => sendRequest(store.address, 'GET', path, { headers });

/** Asserts that a document follows its schema. @returns its text */
async function valid(text: string): Promise<string> {
  const { valid: isValid, errors } = await validateXML({
    xml: [{ fileName: 'document.xml', contents: text }],
    ...sitemapSchemas(text),
    initialMemoryPages: 256,
    maxMemoryPages: 2 * memoryPages.GiB,
  });
  assert.ok(isValid, JSON.stringify(errors.slice(0, 3)));
  return text;
}

const locations = (text: string): string[] => [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url!);

onEachDatabase('sitemap', SHOP, (store) => {
  test('lists visible products and categories below visible ones, with images and times', async () => {
    const { id: membership } = await store.made('/api/memberships', { name: 'Members' });
    const top = await store.made('/api/categories', { name: 'Top', clean_url: 'top' });
    await store.made('/api/categories', { name: 'Below', clean_url: 'below', parent: top.id });
    const hidden = await store.made('/api/categories', { name: 'Hidden', clean_url: 'hidden', enabled: false });
    await store.made('/api/categories', { name: 'Under', clean_url: 'under-hidden', parent: hidden.id });
    await store.made('/api/categories', { name: 'Own', clean_url: 'members', memberships: [membership] });
    const product = await store.product({ clean_url: 'größe&co', images: [await attached(png())] });
    await store.product({ clean_url: 'disabled', enabled: false });
    await store.product({ clean_url: 'for-members', memberships: [membership] });
    const index = await open(store, '/sitemap.xml');
    assert.equal(index.headers['content-type'], 'application/xml');
    assert.deepEqual(locations(await valid(index.text)), [`${store.address}/sitemaps/1.xml`]);
    const { text, headers } = await open(store, '/sitemaps/1.xml');
    await valid(text);
    assert.deepEqual(
      locations(text),
      ['top', 'below', 'gr%C3%B6%C3%9Fe%26co'].map((url) => `https://shop.example/${url}`),
    );
    assert.ok(text.includes(`<image:loc>${product.images[0].url}</image:loc>`), text);
    assert.match(text, /<lastmod>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z<\/lastmod>/);
    assert.ok(!text.includes('hreflang'));
    assert.equal((await open(store, '/sitemaps/1.xml', { 'if-none-match': headers.etag })).status, 304);
    for (const path of ['/sitemaps/0.xml', '/sitemaps/2.xml', '/sitemaps/01.xml', '/sitemaps/1', '/sitemaps/x.xml'])
      assertProblem(await open(store, path), 404);
    await store.delete(`/api/products/${product.id}`);
    assert.equal(locations((await open(store, '/sitemaps/1.xml')).text).length, 2);
  });

  test('is sent compressed if the client accepts it, with its own entity tag', async () => {
    const plain = await open(store, '/sitemaps/1.xml', { 'accept-encoding': 'identity' });
    const zipped = await open(store, '/sitemaps/1.xml', { 'accept-encoding': 'br, gzip' });
    assert.equal(zipped.headers['content-encoding'], 'gzip');
    assert.equal(gunzipSync(zipped.bytes).toString(), plain.text);
    assert.notEqual(zipped.headers.etag, plain.headers.etag);
    assert.equal(
      (await open(store, '/sitemaps/1.xml', { 'accept-encoding': 'gzip;q=0' })).headers['content-encoding'],
      undefined,
    );
  });
});

const TRANSLATED = {
  ...SHOP,
  SHOP_PRODUCT_PATH: '/{language}/p/{id}/{clean_url}',
  SHOP_CATEGORY_PATH: '/c/{clean_url}',
};

onOneDatabase('sitemap in several languages', TRANSLATED, (store) => {
  test('names the address in each language', async () => {
    const { id } = await store.product({ clean_url: 'shirt' });
    await store.made('/api/categories', { name: 'Shirts', clean_url: 'shirts' });
    const text = await valid((await open(store, '/sitemaps/1.xml')).text);
    assert.deepEqual(locations(text), ['https://shop.example/c/shirts', `https://shop.example/en/p/${id}/shirt`]);
    for (const language of ['de', 'en', 'fr', 'pt-BR'])
      assert.ok(text.includes(`hreflang="${language}" href="https://shop.example/${language}/p/${id}/shirt"`), text);
  });
});

describe('documents without a shop', () => {
  onOneDatabase('documents', { FEEDS: 'google' }, (store) => {
    test('are not found', async () => {
      for (const path of ['/sitemap.xml', '/sitemaps/1.xml', '/feeds/google.xml'])
        assertProblem(await open(store, path), 404);
      assert.deepEqual((await store.get('/api/feeds')).json, []);
    });
  });
});

onEachDatabase(
  'product feeds',
  { ...SHOP, FEED_BRAND: '1', FEED_GTIN: '2', FEED_MPN: '3', FEED_CATEGORY: '999' },
  (store) => {
    const feed = async (name = 'google', query = '') => {
      const { status, text } = await open(store, `/feeds/${name}.xml${query}`);
      assert.equal(status, 200, text);
      const items = itemsIn(text);
      assertGoogleItems(items);
      return items;
    };
    const itemOf = async (id: string) => (await feed()).find((item) => item.id === id)!;
    const withImage = async () => ({ images: [await attached(png())] });

    before(async () => {
      await store.made('/api/attributes_text', { name: 'Brand' });
      await store.made('/api/attributes_select', { name: 'GTIN' });
      await store.made('/api/attributes_hidden', { name: 'MPN' });
    });

    test('have an item for each visible product with its flag, a price and an image', async () => {
      const shown = { price: 5, ...(await withImage()) };
      await store.product({ ...shown, sku: 'SHOWN' });
      await store.product({ ...shown, sku: 'NOT-GOOGLE', google_feed_enabled: false });
      await store.product({ ...shown, sku: 'NOT-FACEBOOK', facebook_marketing_enabled: false });
      await store.product({ ...shown, sku: 'DISABLED', enabled: false });
      const free = await store.product({ ...(await withImage()), sku: 'FREE' });
      const bare = await store.product({ price: 5, sku: 'BARE' });
      assert.deepEqual(
        (await feed()).map(({ id }) => id),
        ['SHOWN', 'NOT-FACEBOOK'],
      );
      assert.deepEqual(
        (await feed('facebook')).map(({ id }) => id),
        ['SHOWN', 'NOT-GOOGLE'],
      );
      const { json } = await store.request('GET', '/api/feeds', { key: READ_ONLY_KEY });
      assert.match(json[0].generated_at, /^\d{4}-.*\+00:00$/);
      assert.deepEqual(
        json.map(({ generated_at: _, ...rest }: { generated_at: string }) => rest),
        ['google', 'facebook'].map((name) => ({
          ...{ feed: name, items: 2, skipped: 2 },
          reasons: [
            { product_id: free.id, reason: 'price' },
            { product_id: bare.id, reason: 'image' },
          ],
        })),
      );
      for (const path of ['/feeds/bing.xml', '/feeds/google', '/feeds/google.json'])
        assertProblem(await open(store, path), 404);
      assertProblem(await open(store, '/feeds/google.xml?language=xx'), 400);
      assertProblem(await store.get('/api/feeds?x=1'), 400);
      assertProblem(await store.request('GET', '/api/feeds', { key: null }), 401);
    });

    test('show texts, price, sale, sizes and category of a product', async () => {
      const late = await store.made('/api/categories', { name: 'Sale' });
      const top = await store.made('/api/categories', { name: 'Clothes & more' });
      const below = await store.made('/api/categories', { name: 'Shirts', parent: top.id });
      const product = await store.product({
        ...{ sku: 'WHOLE', name: `${'N'.repeat(149)}<\u0001&é`, clean_url: 'whole' },
        description: '<style>p{}</style><p>Soft &amp; <b>warm</b>&nbsp;wool</p><script>alert(1)</script>',
        ...{ price: 20, participate_sale: true, discount_type: 'sale_percent', sale_price_value: 25 },
        ...{ weight: 1.5, width: 10, length: 20.25, ...(await withImage()) },
      });
      for (const category of [below, late])
        await store.made(`/api/categories/${category.id}/products`, { product_id: product.id });
      assert.deepEqual(await itemOf('WHOLE'), {
        id: 'WHOLE',
        ...{ title: `${'N'.repeat(149)}<`, description: 'Soft & warm wool', link: 'https://shop.example/whole' },
        image_link: product.images[0].url,
        ...{ price: '20.00 USD', sale_price: '15.00 USD', availability: 'in_stock', identifier_exists: 'no' },
        ...{ product_type: 'Sale', condition: 'new' },
        ...{ shipping_weight: '1.5 kg', shipping_length: '20.25 cm', shipping_width: '10 cm' },
      });
      await store.delete(`/api/categories/${late.id}`);
      assert.equal((await itemOf('WHOLE')).product_type, 'Clothes & more > Shirts');
      await store.patch(`/api/categories/${top.id}`, { enabled: false });
      assert.equal((await itemOf('WHOLE')).product_type, undefined);
    });

    test('show the availability by arrival, stock and backorders', async () => {
      const { id, sku } = await store.product({ price: 5, amount: 0, ...(await withImage()) });
      const availability = async (change: object) => {
        await store.patch(`/api/products/${id}`, change);
        const { availability: state, availability_date } = await itemOf(sku);
        return [state, availability_date];
      };
      assert.deepEqual(await availability({ available_for_backorder: false }), ['out_of_stock', undefined]);
      assert.deepEqual(await availability({ available_for_backorder: true }), ['out_of_stock', undefined]);
      const [state, date] = await availability({ backorder_limit: 1 });
      assert.equal(state, 'backorder');
      const days = (Date.parse(date!.replace('+0000', 'Z')) - Date.now()) / 86_400_000;
      assert.ok(days > 12.9 && days <= 14, String(date));
      assert.deepEqual(await availability({ inventory_traceable: false }), ['in_stock', undefined]);
      assert.deepEqual(await availability({ arrival_date: '2100-01-01T10:00:00Z' }), [
        'preorder',
        '2100-01-01T10:00+0000',
      ]);
    });

    test('have an item for each variant, with its own price, image and attributes', async () => {
      const shirt = await varied(store, { price: 10, ...(await withImage()) }, { Size: ['S', 'M'] });
      const { product, path } = shirt;
      const image = await attached(png());
      const one = await madeVariant(store, shirt, ['S'], { sku: `${product.sku}-1`, price: 12, image });
      const two = await madeVariant(store, shirt, ['M']);
      await store.made(`${path}/attributes_text/1/values`, { value: 'Acme' });
      const gtin = await store.made('/api/attributes_select/2/options', { value: '4006381333931' });
      await store.made(`${path}/attributes_select/2/values`, { option_id: gtin.id });
      const mpn = await store.made('/api/attributes_hidden/3/options', { value: 'M-1' });
      await store.made(`${path}/attributes_hidden/3/values`, { option_id: mpn.id });
      const common = {
        ...{ item_group_id: product.sku, title: product.name, description: product.name, availability: 'in_stock' },
        ...{ brand: 'Acme', gtin: '4006381333931', mpn: 'M-1', condition: 'new' },
      };
      const link = `https://shop.example/${product.clean_url}?variant=`;
      assert.deepEqual(await itemOf(one.sku), {
        ...{ id: one.sku, link: `${link}${one.id}`, price: '12.00 USD' },
        ...{ image_link: one.image.url, additional_image_link: product.images[0].url },
        ...common,
      });
      assert.deepEqual(await itemOf(`${product.id}-${two.id}`), {
        ...{ id: `${product.id}-${two.id}`, link: `${link}${two.id}`, price: '10.00 USD' },
        image_link: product.images[0].url,
        ...common,
      });
    });

    test('are in the language of the query', async () => {
      const { id, sku } = await store.product({ price: 5, ...(await withImage()) });
      await store.patch(`/api/products/${id}`, { name: 'Hemd' }, { 'accept-language': 'de' });
      assert.equal((await feed('google', '?language=de&utm_source=x')).find((item) => item.id === sku)!.title, 'Hemd');
      assert.notEqual((await itemOf(sku)).title, 'Hemd');
    });
  },
);

onOneDatabase('documents within their age', { ...SHOP, FEED_MINUTES: '60' }, (store) => {
  test('are served again without a new build', async () => {
    await store.product({ price: 5 });
    const first = await open(store, '/sitemaps/1.xml');
    await store.product({ price: 5 });
    const again = await open(store, '/sitemaps/1.xml');
    assert.deepEqual([again.text, again.headers.etag], [first.text, first.headers.etag]);
  });

  test('name the address that a client sets, from the next request on', async () => {
    const { clean_url: cleanUrl } = await store.product({ price: 5 });
    assert.match((await open(store, '/sitemaps/1.xml')).text, /<loc>https:\/\/shop\.example\//);
    await store.patch('/api/store', { shop_url: 'https://other.example' });
    assert.ok(locations((await open(store, '/sitemaps/1.xml')).text).includes(`https://other.example/${cleanUrl}`));
    const { json } = await store.get(`/api/urls/resolve?path=/${cleanUrl}`);
    assert.deepEqual([json.status, json.location], [200, `https://other.example/${cleanUrl}`]);
    await store.patch('/api/store', { shop_url: '' });
    assertProblem(await open(store, '/sitemap.xml'), 404);
    await store.patch('/api/store', { shop_url: null });
    assert.match((await open(store, '/sitemaps/1.xml')).text, /<loc>https:\/\/shop\.example\//);
  });
});
