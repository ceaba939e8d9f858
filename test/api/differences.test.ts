/** Verifies docs/reference/differences.md: a scenario for each row, and for each way to get the old behavior. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { assertProblem, assertViolations } from '../support/expect.ts';
import { attached, png } from '../support/images.ts';
import { idsOf } from '../support/order-parts.ts';
import { type Json, onOneDatabase, type Store } from '../support/store.ts';
import { madeVariant, varied } from '../support/variants.ts';

/** Checks one behavior with the headers of the way under test. */
type Check = (store: Store, headers: Readonly<Record<string, string>>) => Promise<void>;

interface Scenario {
  readonly current: Check;
  /** The last column: with the header, with the setting, or by another request. */
  readonly prefer?: Check;
  readonly compatibility?: Check;
  readonly otherwise?: Check;
}

/** A product with an image as read, but with its own SKU and clean URL. */
const productRead = async (store: Store): Promise<Json> => {
  const image = await attached(png());
  const { id: _, clean_url: __, ...read } = await store.made('/api/products', { ...newProduct(), images: [image] });
  return { ...read, sku: newProduct().sku };
};

const ignoresImages: Check = async (store, headers) => {
  const response = await store.post('/api/products', await productRead(store), headers);
  assert.equal(response.status, 201, response.text);
  assert.deepEqual(response.json.images, []);
};

const REVIEW = { rating: 5, reviewer_name: 'Ada' };

const PAGE_AND_ONE = 31;

async function sell(store: Store, price: number, fields = {}) {
  const { id } = await store.product({ price });
  return store.post('/api/orders', { email: 'a@b.c', items: [{ product_id: id, amount: 1 }], ...fields });
}

const soldAt = async (store: Store, price: number) => (await sell(store, price)).json;

const ignoresFields: Check = async (store, headers) => {
  const { id } = (await store.post('/api/products', { ...newProduct(), colour: 'red' }, headers)).json;
  const response = await store.patch(`/api/products/${id}`, { colour: 'blue', price: 3 }, headers);
  assert.equal(response.json.price, 3, response.text);
  assert.ok(!('colour' in response.json));
};

/** Checks that each query finds all products in the default order. */
const ignores =
  (...queries: readonly string[]): Check =>
  async (store, headers) => {
    const all = (await store.get('/api/products?itemsPerPage=100', headers)).json;
    assert.ok(all.length >= 3);
    for (const query of queries) {
      const response = await store.get(`/api/products?itemsPerPage=100&${query}`, headers);
      assert.deepEqual(response.json, all, query);
    }
  };

const rejects =
  (...queries: readonly string[]): Check =>
  async (store) => {
    for (const query of queries) assertProblem(await store.get(`/api/products?${query}`), 400);
  };

const appliesFilters: Check = async (store, headers) => {
  for (const [query, count] of Object.entries(LENIENT_FILTERS)) {
    const { json } = await store.get(`/api/products?id[]=1&id[]=2&id[]=3&${query}`, headers);
    assert.equal(json.length, count, query);
  }
};

const readsOtherDates: Check = async (store, headers) => {
  for (const date of OTHER_DATES) {
    const { json } = await store.post('/api/products', { ...newProduct(), arrival_date: date }, headers);
    assert.equal(json.arrival_date, '2021-10-22T00:00:00+00:00', date);
    const found = await store.get(`/api/products?id=${json.id}&arrival_date=${encodeURIComponent(date)}`, headers);
    assert.equal(found.json.length, 1, date);
  }
  const { json } = await store.post('/api/products', { ...newProduct(), arrival_date: 'yesterday' }, headers);
  const found = await store.get(`/api/products?id=${json.id}&arrival_date[after]=-3%20days`, headers);
  assert.equal(found.json.length, 1);
};

const roundsNumbers: Check = async (store, headers) => {
  const { json } = await store.post('/api/products', { ...newProduct(), price: 1.23456, weight: -0.00001 }, headers);
  assert.deepEqual([json.price, json.weight], [1.2346, 0]);
};

const listsNothing: Check = async (store, headers) => {
  const { json, headers: sent } = await store.get('/api/products?id=1&itemsPerPage=0', headers);
  assert.deepEqual([json, sent['x-total-count']], [[], '1']);
};

const readsLeadingDigits: Check = async (store, headers) => {
  for (const [page, id] of [
    ['2x', 2],
    ['two', 1],
    ['0', 1],
  ]) {
    const { json } = await store.get(`/api/products?id[]=1&id[]=2&itemsPerPage=1&page=${page}`, headers);
    assert.deepEqual(ids(json), [id], String(page));
  }
};

const writesTheDefault =
  (language: string | undefined): Check =>
  async (store, headers) => {
    const { id } = await store.product();
    const response = await store.patch(
      `/api/products/${id}`,
      { name: 'Camiseta' },
      { ...headers, 'accept-language': language },
    );
    assert.deepEqual([response.json.name, response.headers['content-language']], ['Camiseta', 'en']);
  };
const ignoresReadOnly: Check = async (store, headers) => {
  const { json } = await store.post(
    '/api/products',
    { ...newProduct(), id: 987654, create_date: '2000-01-01' },
    headers,
  );
  assert.notEqual(json.id, 987654);
  assert.ok(json.create_date > '2020');
};

/** Returns an object with the id of one class and the name of another, and the id. */
const twoClasses = async (store: Store): Promise<[{ id: number; name: string }, number]> => {
  const [one, other] = [
    await store.made('/api/product_classes', { name: `One ${Math.random()}` }),
    await store.made('/api/product_classes', { name: `Other ${Math.random()}` }),
  ];
  return [{ id: one.id, name: other.name }, one.id];
};

const usesTheId: Check = async (store, headers) => {
  const [product_class, id] = await twoClasses(store);
  const { json } = await store.post('/api/products', { ...newProduct(), product_class }, headers);
  assert.equal(json.product_class.id, id);
};

const UNKNOWN_PARAMETERS = ['pagination=false', 'properties[]=sku', 'colour=red'];
const INVALID_FILTERS = ['price=cheap', 'enabled=perhaps', 'price[above]=5', 'sku[gt]=A', 'create_date=someday'];
/** Each finds one of the products with the prices 3, 1 and 2, and of the two created now. */
const LENIENT_FILTERS: Readonly<Record<string, number>> = {
  'price=1&price=2': 1,
  'price[gt]=2.000001': 1,
  'amount=5.5': 0,
};
const OTHER_DATES = ['22-10-2021', '2021/10/22', '20211022', 'Fri, 22 Oct 2021 00:00:00 +0000'];
const INVALID_ORDERS = ['order[name]=up', 'order[x]=asc', 'order=name'];

const scenarios: Readonly<Record<string, Scenario>> = {
  'PUT without some fields': {
    async current(store) {
      const { id, sku, clean_url } = await store.product({ price: 5, amount: 7, arrival_date: '2026-01-02' });
      assertViolations(await store.put(`/api/products/${id}`, { sku }), ['name', 'required']);
      const { json } = await store.put(`/api/products/${id}`, { sku, name: 'N' });
      assert.deepEqual([json.price, json.amount, json.clean_url], [0, 7, clean_url]);
      assert.match(json.arrival_date, /^2026-01-02/);
      const parent = await store.made('/api/categories', { name: `Parent of ${sku}` });
      const child = await store.made('/api/categories', { name: `Child of ${sku}`, parent: parent.id, position: 5 });
      const moved = (await store.put(`/api/categories/${child.id}`, { name: 'Child' })).json;
      assert.deepEqual([moved.parent, moved.position], [parent.id, 0]);
      await store.patch(`/api/products/${id}`, { width: 2 });
      assert.equal((await store.put(`/api/products/${id}`, { sku, name: 'N' })).json.width, 2);
      const review = `/api/products/${id}/reviews/${(await store.made(`/api/products/${id}/reviews`, REVIEW)).id}`;
      assertViolations(await store.put(review, { reviewer_name: 'Ada' }), ['rating', 'required']);
    },
    async otherwise(store) {
      const { id } = await store.product({ price: 5 });
      const { json } = await store.patch(`/api/products/${id}`, { enabled: false });
      assert.deepEqual([json.price, json.enabled], [5, false]);
    },
    async compatibility(store) {
      const { id, sku } = await store.product({ price: 5 });
      const { json } = await store.put(`/api/products/${id}`, { sku, name: 'N' });
      assert.deepEqual([json.price, json.name], [5, 'N']);
      assertViolations(await store.put(`/api/products/${id}`, { sku }), ['name', 'required']);
    },
  },
  'An unknown field in a body': {
    async current(store) {
      assertViolations(await store.post('/api/products', { ...newProduct(), pricee: 5 }), [
        'pricee',
        'unknown_field',
        /price/,
      ]);
    },
    prefer: ignoresFields,
    compatibility: ignoresFields,
  },
  'An unknown query parameter (`pagination=false`)': {
    current: rejects(...UNKNOWN_PARAMETERS),
    prefer: ignores(...UNKNOWN_PARAMETERS),
    compatibility: ignores(...UNKNOWN_PARAMETERS),
  },
  'A filter with an invalid value or operator': {
    current: rejects(...INVALID_FILTERS),
  },
  'A filter given twice (`sku=A&sku=B`), or with more decimals than its field (`amount=5.5`)': {
    current: rejects(...Object.keys(LENIENT_FILTERS)),
    prefer: appliesFilters,
    compatibility: appliesFilters,
  },
  'A price or weight with more than 4 decimals (`1.23456`)': {
    async current(store) {
      assertViolations(await store.post('/api/products', { ...newProduct(), price: 1.23456 }), ['price', 'decimals']);
      assert.equal((await store.product({ weight: 0.1 + 0.2 })).weight, 0.3);
    },
    prefer: roundsNumbers,
    compatibility: roundsNumbers,
  },
  'A date as `22-10-2021`, `2021/10/22`, `20211022`, in the form of RFC 2822, or relative to now (`yesterday`, `-1 day`)':
    {
      async current(store) {
        for (const date of [...OTHER_DATES, 'yesterday', '-1 day']) {
          assertViolations(await store.post('/api/products', { ...newProduct(), arrival_date: date }), [
            'arrival_date',
            'format',
          ]);
          assertProblem(await store.get(`/api/products?arrival_date=${encodeURIComponent(date)}`), 400);
        }
      },
      prefer: readsOtherDates,
      compatibility: readsOtherDates,
    },
  'An invalid sort order (`order[name]=up`, `order[x]=asc`)': {
    current: rejects(...INVALID_ORDERS),
    prefer: ignores(...INVALID_ORDERS),
    compatibility: ignores(...INVALID_ORDERS),
  },
  '`itemsPerPage=0`': { current: rejects('itemsPerPage=0'), prefer: listsNothing, compatibility: listsNothing },
  'A non-numeric `page` (`page=2x`)': {
    current: rejects('page=2x', 'page=two'),
    prefer: readsLeadingDigits,
    compatibility: readsLeadingDigits,
  },
  'An invalid body': {
    async current(store) {
      assertViolations(
        await store.post('/api/products', { sku: '', price: -1 }),
        ['sku', 'blank'],
        ['name', 'required'],
        ['price', 'range'],
      );
    },
  },
  'A path with a slash at its end (`/api/products/`)': {
    async current(store) {
      assert.equal((await store.get('/api/products/')).status, 308);
      assert.equal((await store.post('/api/products/', newProduct())).status, 201);
    },
  },
  'An unsupported method': {
    async current(store) {
      const response = await store.put('/api/products', {});
      assertProblem(response, 405);
      assert.match(String(response.headers.allow), /\bGET\b.*\bPOST\b/);
    },
  },
  'A request without a key': {
    async current(store) {
      const response = await store.request('GET', '/api/products', { key: null });
      assertProblem(response, 401);
      assert.equal(response.json.message, undefined);
    },
  },
  'The body of an error': {
    async current(store) {
      const response = await store.get('/api/products/999999');
      assertProblem(response, 404);
      assert.deepEqual(Object.keys(response.json), ['type', 'title', 'status', 'detail', 'instance']);
    },
  },
  "Listing attribute values or a category's products": {
    async current(store) {
      for (const path of await longLists(store)) {
        const response = await store.get(path);
        assert.equal(response.json.length, 30);
        assert.equal(response.headers['x-total-count'], String(PAGE_AND_ONE));
      }
    },
    async otherwise(store) {
      for (const path of await longLists(store)) {
        assert.equal((await store.get(`${path}?itemsPerPage=100`)).json.length, PAGE_AND_ONE);
        const { link } = (await store.get(path)).headers;
        assert.match(String(link), /<[^>]*[?&]page=2[^>]*>; rel="next"/);
      }
    },
  },
  'Listing the options of an attribute': {
    async current(store) {
      const { path, late, early } = await twoOptions(store);
      assert.deepEqual(ids((await store.get(path)).json), [early, late]);
    },
    async otherwise(store) {
      const { path, late, early } = await twoOptions(store);
      assert.deepEqual(ids((await store.get(`${path}?order[id]=asc`)).json), [late, early]);
    },
  },
  'Parts of an unknown order (`/orders/999/history`)': {
    async current(store) {
      const { id } = await order(store);
      for (const part of ['items', 'details', 'history', 'payment_transactions', 'tracking_numbers']) {
        assert.equal((await store.get(`/api/orders/${id}/${part}`)).status, 200, part);
        assertProblem(await store.get(`/api/orders/999999/${part}`), 404);
      }
    },
  },
  'PUT of an image with `position` 0 or an empty `alt`': {
    async current(store) {
      const path = await image(store, { position: 3, alt: 'Alt' });
      const { json } = await store.put(path, { position: 0, alt: '' });
      assert.deepEqual([json.position, json.alt], [0, '']);
    },
    async otherwise(store) {
      const path = await image(store, { position: 3, alt: 'Alt' });
      const { json } = await store.patch(path, { alt: 'New' });
      assert.deepEqual([json.position, json.alt], [3, 'New']);
    },
  },
  'PUT of an unknown image': {
    async current(store) {
      const { id } = await store.product();
      assertProblem(await store.put(`/api/products/${id}/images/999999`, { position: 1 }), 404);
    },
  },
  'An image with both `externalUrl` and `attachment`': {
    async current(store) {
      const { id } = await store.product();
      const body = await attached(png(), { externalUrl: 'https://images.example/a.png' });
      const response = await store.post(`/api/products/${id}/images`, body);
      assertProblem(response, 422);
      assert.deepEqual((await store.get(`/api/products/${id}/images`)).json, []);
    },
    async otherwise(store) {
      const { id } = await store.product();
      const source = (await store.get(await image(store))).json.url;
      const response = await store.post(`/api/products/${id}/images`, { externalUrl: source });
      assert.equal(response.status, 201, response.text);
    },
  },
  'A BMP or SVG image': {
    async current(store) {
      const { id } = await store.product();
      const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
      const bmp = Buffer.concat([Buffer.from('BM'), Buffer.alloc(60)]);
      for (const [bytes, type] of [
        [svg, 'svg+xml'],
        [bmp, 'bmp'],
      ] as const)
        for (const start of ['', `data:image/${type};base64,`]) {
          const body = { attachment: start + bytes.toString('base64'), filename: 'a.png' };
          const response = await store.post(`/api/products/${id}/images`, body);
          assertViolations(response, ['attachment', start === '' ? 'file' : 'format']);
        }
    },
    async otherwise(store) {
      const { id } = await store.product();
      const attachment = `data:image/png;base64,${(await png()).toString('base64')}`;
      await store.made(`/api/products/${id}/images`, { attachment, filename: 'a.svg' });
    },
  },
  'An `externalUrl` in a private network': {
    async current(store) {
      const { id } = await store.product();
      const response = await store.post(`/api/products/${id}/images`, { externalUrl: 'http://10.0.0.1/a.png' });
      assertViolations(response, ['externalUrl', 'download']);
      assert.match(response.json.violations[0].message, /IMAGE_DOWNLOAD_ALLOW/);
    },
    /** The setting allows this store's own address. */
    async otherwise(store) {
      const { id } = await store.product();
      const externalUrl = (await store.get(await image(store))).json.url;
      assert.match(externalUrl, /^http:\/\/127\.0\.0\.1:/);
      await store.made(`/api/products/${id}/images`, { externalUrl });
    },
  },
  'POST of a product as it was read, including `images`': {
    async current(store) {
      const response = await store.post('/api/products', await productRead(store));
      assertProblem(response, 422);
      const codes = response.json.violations.map(({ propertyPath, code }: Json) => `${propertyPath} ${code}`);
      for (const name of ['id', 'url', 'width', 'height'])
        assert.ok(codes.includes(`images[0].${name} read_only`), response.text);
    },
    prefer: ignoresImages,
    compatibility: ignoresImages,
  },
  'An id with leading zeros in the path (`/products/01`)': {
    async current(store) {
      for (const path of ['/products/01', '/products/01/images', '/products/1/images/01', '/products/01/images/1'])
        assertProblem(await store.get(`/api${path}`), 404);
    },
  },
  '`arrival_date` with a time of day': {
    async current(store) {
      const { arrival_date } = await store.product({ arrival_date: '2026-01-02T03:04:05' });
      assert.equal(arrival_date, '2026-01-02T03:04:05+00:00');
    },
    async otherwise(store) {
      const { arrival_date } = await store.product({ arrival_date: '2026-01-02' });
      assert.equal(arrival_date, '2026-01-02T00:00:00+00:00');
    },
  },
  '`meta_tags` or `meta_title` over 255 characters': {
    async current(store) {
      const long = 'x'.repeat(256);
      assertViolations(
        await store.post('/api/products', { ...newProduct(), meta_tags: long, meta_title: long }),
        ['meta_tags', 'too_long'],
        ['meta_title', 'too_long'],
      );
    },
  },
  'A name that consists of white space': {
    async current(store) {
      assertViolations(await store.post('/api/products', { ...newProduct(), name: ' \t ' }), ['name', 'blank']);
    },
  },
  'An empty `meta_description`': {
    async current(store) {
      const { id, meta_description } = await store.product({ description: 'Long text', meta_description: '' });
      assert.equal(meta_description, '');
      assert.equal((await store.get(`/api/products/${id}`)).json.meta_description, '');
    },
  },
  'The tags `"5"` and `"_5"`': {
    async current(store) {
      const { tags } = await store.product({ tags: ['5', '_5'] });
      assert.deepEqual(names(tags).sort(), ['5', '_5']);
    },
    async otherwise(store) {
      const { id } = await store.made('/api/tags', { name: 'By its id' });
      assert.deepEqual(ids((await store.product({ tags: [id] })).tags), [id]);
    },
  },
  'The status `"3"`': {
    async current(store) {
      const { id } = await order(store);
      for (const kind of ['payment_status', 'shipping_status']) {
        const response = await store.put(`/api/orders/${id}/${kind}`, { code: '3' });
        assertProblem(response, 422);
        assert.deepEqual(
          response.json.violations.map(({ propertyPath }: { propertyPath: string }) => propertyPath),
          ['code'],
        );
      }
    },
  },
  'A duplicate name of a class or membership in a PUT': {
    async current(store) {
      for (const path of ['/api/product_classes', '/api/memberships', '/api/tax_classes']) {
        await store.made(path, { name: 'One name' });
        const { id } = await store.made(path, { name: 'Another' });
        assertViolations(await store.put(`${path}/${id}`, { name: 'One name' }), ['name', 'not_unique']);
      }
    },
  },
  '`Accept-Language: fr,en;q=0.5`': {
    async current(store) {
      const language = async (accepted: string) =>
        (await store.get('/api/products', { 'accept-language': accepted })).headers['content-language'];
      assert.equal(await language('fr,en;q=0.5'), 'fr');
      // The store does not have the first language.
      assert.equal(await language('it,de;q=0.5'), 'de');
      assert.equal(await language('en;q=0.5,fr'), 'fr');
    },
    async otherwise(store) {
      const response = await store.get('/api/products', { 'accept-language': 'it' });
      assert.equal(response.headers['content-language'], 'en');
    },
  },
  'Texts in a language that the store does not have (`Accept-Language: es`)': {
    async current(store) {
      const { id } = await store.product({ name: 'Shirt' });
      const spanish = { 'accept-language': 'es' };
      for (const body of [{ name: 'Camiseta' }, { tags: ['Verano'] }])
        assertProblem(await store.patch(`/api/products/${id}`, body, spanish), 400, /de, en, fr, pt-BR/);
      assert.equal((await store.get(`/api/products/${id}`, spanish)).json.name, 'Shirt');
    },
    prefer: writesTheDefault('es'),
    compatibility: writesTheDefault('es'),
    otherwise: writesTheDefault(undefined),
  },
  '`If-None-Match` on a write': {
    async current(store) {
      const { id } = await store.product();
      assertProblem(await store.patch(`/api/products/${id}`, { price: 1 }, { 'if-none-match': '*' }), 412);
      assertProblem(await store.post('/api/tags', { name: 'Never' }, { 'if-none-match': '*' }), 400);
    },
    async otherwise(store) {
      const { id } = await store.product();
      assert.equal((await store.patch(`/api/products/${id}`, { price: 1 })).status, 200);
    },
  },
  'A path that ends in `.json`': {
    async current(store) {
      const { id } = await store.product();
      for (const path of ['/api/products.json', `/api/products/${id}.json`]) assertProblem(await store.get(path), 404);
    },
  },
  '`Accept: text/html` on data': {
    async current(store) {
      assertProblem(await store.get('/api/products', { accept: 'text/html' }), 406);
    },
  },
  '`/api/docs.json`': {
    async current(store) {
      const response = await store.request('GET', '/api/docs.json', { key: null });
      assert.equal(response.json.openapi, '3.1.0');
    },
    async otherwise(store) {
      const response = await store.request('GET', '/api/docs.json?spec_version=3.0.3', { key: null });
      assert.equal(response.json.openapi, '3.0.3');
    },
  },
  'A different value for a read-only field (`id`, `create_date`, `images` in POST)': {
    async current(store) {
      const fields = { id: 5, create_date: '2000-01-01' };
      assertViolations(
        await store.post('/api/products', { ...newProduct(), ...fields }),
        ...Object.keys(fields).map((field): [string, string] => [field, 'read_only']),
      );
    },
    prefer: ignoresReadOnly,
    compatibility: ignoresReadOnly,
  },
  'A link as an object whose id and name belong to different records': {
    async current(store) {
      const [product_class] = await twoClasses(store);
      assertViolations(await store.post('/api/products', { ...newProduct(), product_class }), [
        'product_class',
        'contradiction',
      ]);
    },
    prefer: usesTheId,
    compatibility: usesTheId,
  },
  'A tag whose name is a path of this store (`/api/tags/2`)': {
    async current(store) {
      const [tag] = (await store.product({ tags: [`Addressed ${Math.random()}`] })).tags;
      assert.deepEqual((await store.product({ tags: [`/api/tags/${tag.id}`] })).tags, [tag]);
      assertViolations(await store.post('/api/products', { ...newProduct(), tags: ['/api/tags/999999'] }), [
        'tags[0]',
        'unknown_link',
      ]);
    },
  },
  'A SKU that differs from another only in case, outer white space or Unicode form': {
    async current(store) {
      const { sku } = await store.product();
      assertViolations(await store.post('/api/products', { ...newProduct(), sku: ` ${sku.toLowerCase()}` }), [
        'sku',
        'not_unique',
      ]);
    },
  },
  'A sale price above the price': {
    async current(store) {
      const sale = { price: 5, participate_sale: true, discount_type: 'sale_price', sale_price_value: 6 };
      assertViolations(await store.post('/api/products', { ...newProduct(), ...sale }), ['sale_price_value', 'range']);
    },
  },
  'A sale price of 0 that the body does not contain': {
    async current(store) {
      const { id } = await store.product({ price: 5, discount_type: 'sale_price' });
      const response = await store.patch(`/api/products/${id}`, { participate_sale: true });
      assertViolations(response, ['sale_price_value', 'required']);
    },
    async otherwise(store) {
      const { id } = await store.product({ price: 5, discount_type: 'sale_price' });
      const response = await store.patch(`/api/products/${id}`, { participate_sale: true, sale_price_value: 0 });
      assert.equal(response.status, 200, response.text);
    },
  },
  "An order's totals": {
    async current(store) {
      const order = await soldAt(store, 1.0099);
      assert.deepEqual([order.total, order.items[0].price], [1.01, 1.0099]);
    },
  },
  'A surcharge with more decimals than the currency': {
    async current(store) {
      const response = await sell(store, 1, { surcharges: [{ type: 'tax', value: 0.001 }] });
      assertViolations(response, ['surcharges[0].value', 'decimals']);
    },
  },
  'An inactive currency (`HRK`, `XXX`)': {
    async current(store) {
      for (const currency of ['HRK', 'XXX'])
        assertViolations(await sell(store, 1, { currency }), ['currency', 'choice']);
    },
  },
  'Refunds that exceed the charges': {
    async current(store) {
      const path = `/api/orders/${(await soldAt(store, 5)).id}/payment_transactions`;
      await store.made(path, { value: 5, status: 'S' });
      assertViolations(await store.post(path, { type: 'refund', value: 6, status: 'S' }), ['value', 'range']);
    },
  },
  'A negative transaction': {
    async current(store) {
      const path = `/api/orders/${(await soldAt(store, 5)).id}/payment_transactions`;
      assertViolations(await store.post(path, { value: -1 }), ['value', 'range']);
    },
  },
  'The name of an order item': {
    async current(store) {
      const order = await soldAt(store, 5);
      await store.patch(`/api/products/${order.items[0].product_id}`, { name: 'Renamed' });
      assert.deepEqual((await store.get(`/api/orders/${order.id}`)).json, order);
    },
  },
  'Listing categories by `id` or `name` without `parent`': {
    async current(store) {
      const above = await store.made('/api/categories', { name: 'Above all' });
      const { id } = await store.made('/api/categories', { name: 'Deep below', parent: above.id });
      for (const query of [`id=${id}`, 'name=Deep+below'])
        assert.deepEqual(idsOf((await store.get(`/api/categories?${query}`)).json), [id], query);
      assert.ok(!idsOf((await store.get('/api/categories?itemsPerPage=100')).json).includes(id));
    },
    async otherwise(store) {
      const above = await store.made('/api/categories', { name: 'Another above' });
      const { id } = await store.made('/api/categories', { name: 'Another below', parent: above.id });
      assert.deepEqual(idsOf((await store.get(`/api/categories?name=Another+below&parent=${above.id}`)).json), [id]);
      assert.deepEqual((await store.get(`/api/categories?name=Another+below&parent=${id}`)).json, []);
    },
  },
  'POST of a variant without a price': {
    async current(store) {
      const shirt = await varied(store, { price: 9 });
      assert.equal((await madeVariant(store, shirt, ['M'])).price, 9);
      const body = { attribute_select_values: [shirt.values.S], default_price: false };
      assertViolations(await store.post(shirt.variants, body), ['price', 'required']);
    },
    async otherwise(store) {
      assert.equal((await madeVariant(store, await varied(store, { price: 9 }), ['M'], { price: 0 })).price, 0);
    },
  },
  "POST of a variant whose attributes differ from the other variants'": {
    async current(store) {
      const shirt = await varied(store);
      await madeVariant(store, shirt, ['M']);
      const body = { attribute_select_values: [shirt.values.red] };
      assertViolations(await store.post(shirt.variants, body), ['attribute_select_values', 'conflict']);
    },
    async otherwise(store) {
      const shirt = await varied(store);
      const { id } = await madeVariant(store, shirt, ['M']);
      await store.delete(`${shirt.variants}/${id}`);
      await madeVariant(store, shirt, ['red']);
    },
  },
  'Deleting a value, option, attribute or class that distinguishes variants': {
    async current(store) {
      const shirt = await varied(store);
      await madeVariant(store, shirt, ['M']);
      assertProblem(await store.delete(`${shirt.path}/attributes_select/${shirt.attributes.Size}`), 409);
    },
    async otherwise(store) {
      const shirt = await varied(store);
      const { id } = await madeVariant(store, shirt, ['M']);
      await store.delete(`${shirt.variants}/${id}`);
      const deleted = await store.delete(`${shirt.path}/attributes_select/${shirt.attributes.Size}`);
      assert.equal(deleted.status, 204);
    },
  },
  'An order for a product with several values of an attribute and no default': {
    async current(store) {
      const { product } = await varied(store, {}, { Size: ['S', 'M'] });
      const items = [{ product_id: product.id, amount: 1 }];
      assertViolations(await store.post('/api/orders', { email: 'a@b.c', items }), ['items[0].options', 'required']);
    },
    async otherwise(store) {
      const { product, path, attributes, values } = await varied(store, {}, { Size: ['S', 'M'] });
      const value = `${path}/attributes_select/${attributes.Size}/values/${values.M}`;
      assert.equal((await store.patch(value, { is_default: true })).status, 200);
      const items = [{ product_id: product.id, amount: 1 }];
      const order = await store.made('/api/orders', { email: 'a@b.c', items });
      assert.equal(order.items[0].options[0].value, 'M');
    },
  },
  'The same SKU for a product and a variant': {
    async current(store) {
      const shirt = await varied(store);
      const body = { attribute_select_values: [shirt.values.M], sku: shirt.product.sku };
      assertViolations(await store.post(shirt.variants, body), ['sku', 'not_unique']);
    },
  },
  'The same `clean_url` under different parents': {
    async current(store) {
      const one = await store.made('/api/categories', { name: 'One parent' });
      const other = await store.made('/api/categories', { name: 'Other parent' });
      await store.made('/api/categories', { name: 'Child', parent: one.id, clean_url: 'same' });
      assertViolations(await store.post('/api/categories', { name: 'Child', parent: other.id, clean_url: 'same' }), [
        'clean_url',
        'not_unique',
      ]);
    },
  },
};

const rows = readFileSync('docs/reference/differences.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map((line) => line.slice(2, -2).split(' | '))
  .map(([title, , , , old]) => ({ title: title!, old: old! }));

test('the page and the scenarios have the same rows', () => {
  assert.deepEqual(
    Object.keys(scenarios),
    rows.map(({ title }) => title),
  );
});

test('the last column names exactly the ways that have a scenario', () => {
  for (const { title, old } of rows) {
    const { prefer, compatibility, otherwise } = scenarios[title]!;
    assert.equal(old.includes('Prefer: handling=lenient'), prefer !== undefined, title);
    assert.equal(old.includes('COMPATIBILITY=5.5'), compatibility !== undefined, title);
    if (old === '—') assert.equal(prefer ?? compatibility ?? otherwise, undefined, title);
    else assert.ok(prefer ?? compatibility ?? otherwise, title);
  }
});

const LENIENT = { prefer: 'handling=lenient' };

onOneDatabase('differences from 5.5', {}, (store) => {
  before(() => fill(store));
  for (const [title, scenario] of Object.entries(scenarios)) {
    test(`${title}: current behavior`, () => scenario.current(store, {}));
    const { prefer, otherwise } = scenario;
    if (prefer) test(`${title}: old behavior with Prefer`, () => prefer(store, LENIENT));
    if (otherwise) test(`${title}: old behavior by another request`, () => otherwise(store, {}));
  }
});

onOneDatabase('differences from 5.5 with COMPATIBILITY=5.5', { COMPATIBILITY: '5.5' }, (store) => {
  before(() => fill(store));
  for (const [title, { current, compatibility }] of Object.entries(scenarios))
    test(`${title}: ${compatibility ? 'old' : 'current'} behavior`, () => (compatibility ?? current)(store, {}));
});

async function fill(store: Store): Promise<void> {
  for (const price of [3, 1, 2]) await store.product({ price });
}

let made = 0;

function newProduct(): { sku: string; name: string } {
  made += 1;
  return { sku: `DIFFERENCE-${made}`, name: `Different ${made}` };
}

const ids = (records: readonly { id: number }[]): number[] => records.map(({ id }) => id);
const names = (records: readonly { name: string }[]): string[] => records.map(({ name }) => name);

/** Creates an image. @returns its path */
async function image(store: Store, fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const { id } = await store.product();
  const path = `/api/products/${id}/images`;
  return `${path}/${(await store.made(path, await attached(png(), fields))).id}`;
}

async function twoOptions(store: Store): Promise<{ path: string; late: number; early: number }> {
  const { id } = await store.made('/api/attributes_select', { name: 'Size' });
  const path = `/api/attributes_select/${id}/options`;
  const late = await store.made(path, { value: 'Large', position: 2 });
  const early = await store.made(path, { value: 'Small', position: 1 });
  return { path, late: late.id, early: early.id };
}

/** @returns the paths of lists with one record more than a page */
async function longLists(store: Store): Promise<string[]> {
  const category = await store.made('/api/categories', { name: 'Full' });
  const attribute = await store.made('/api/attributes_select', { name: 'Colour' });
  const { id } = await store.product();
  const products = `/api/categories/${category.id}/products`;
  const values = `/api/products/${id}/attributes_select/${attribute.id}/values`;
  for (let index = 0; index < PAGE_AND_ONE; index += 1) {
    const product = await store.product();
    await store.made(products, { product_id: product.id });
    const option = await store.made(`/api/attributes_select/${attribute.id}/options`, { value: `Colour ${index}` });
    await store.made(values, { option_id: option.id });
  }
  return [products, values];
}

async function order(store: Store): Promise<{ id: number }> {
  const { id } = await store.product();
  return store.made('/api/orders', { email: 'anna@example.com', items: [{ product_id: id, amount: 1 }] });
}
