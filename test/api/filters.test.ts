/** Filters of a list; no part of a query is silently ignored (http.md §8, catalog.md §1). */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertProblem, assertSameResponses } from '../support/expect.ts';
import { type Json, onBothDatabases, onEachDatabase, type Store } from '../support/store.ts';

/** Products by SKU. */
const PRODUCTS: Record<string, Json> = {
  A: {
    name: 'Äpfel: 100 %',
    clean_url: 'apples',
    price: 9.99,
    market_price: 20,
    cost_price: 1.2345,
    weight: 0.5,
    amount: 5,
    participate_sale: true,
    discount_type: 'sale_price',
    sale_price_value: 5,
    arrival_date: '2026-01-01T00:00:00Z',
    tags: ['Red', 'Big'],
    memberships: ['Gold'],
    product_class: 'Fruit',
    tax_class: 'Full rate',
    stickers: [1, 2],
  },
  b: {
    name: 'banana_split',
    price: 10,
    weight: 2,
    amount: 6,
    enabled: false,
    taxable: false,
    arrival_date: '2026-01-01T12:00:00Z',
    tags: ['Red'],
    memberships: ['Gold', 'Silver'],
    tax_class: 'Full rate',
    stickers: [2],
  },
  'Ä%_': { name: 'back\\slash [x]', price: 0, amount: 0, free_shipping: true, arrival_date: '2026-01-02T00:00:00Z' },
  "O'Hara": { name: 'APFELKUCHEN', price: 10.0001, arrival_date: '2026-01-02T23:59:59Z', product_class: 'Cake' },
};

const ALL = Object.keys(PRODUCTS);

async function fill(store: Store): Promise<void> {
  for (const name of ['Fruit', 'Cake']) await store.made('/api/product_classes', { name });
  await store.made('/api/tax_classes', { name: 'Full rate' });
  for (const name of ['Gold', 'Silver']) await store.made('/api/memberships', { name });
  for (const name of ['New', 'Hot']) await store.made('/api/stickers', { name });
  for (const [sku, fields] of Object.entries(PRODUCTS)) await store.product({ sku, ...fields });
  // Two categories may share a name.
  for (const name of ['Shoes', 'Damen-Schuhe', 'Shoes']) await store.made('/api/categories', { name });
  for (const [category, product_id] of [
    [1, 1],
    [1, 2],
    [2, 2],
    [3, 4],
  ])
    await store.made(`/api/categories/${category}/products`, { product_id });
}

const FOUND: [query: string, skus: string[]][] = [
  ['id=1', ['A']],
  ['id[]=1&id[]=3', ['A', 'Ä%_']],
  ['id[0]=1&id[1]=3', ['A', 'Ä%_']],
  ['id%5B%5D=1&id%5B%5D=3', ['A', 'Ä%_']],
  ['id[]=1&id[]=1&id[]=999999', ['A']],
  [`${'id[]=1&'.repeat(1000)}id[]=2`, ['A', 'b']],
  ['id=999999', []],
  ['id=/api/products/2', ['b']],
  ['id[]=/api/products/2&id[]=1', ['A', 'b']],

  ['enabled=true', ['A', 'Ä%_', "O'Hara"]],
  ['enabled=1', ['A', 'Ä%_', "O'Hara"]],
  ['enabled=false', ['b']],
  ['enabled=0', ['b']],
  ['taxable=false', ['b']],
  ['free_shipping=true', ['Ä%_']],
  ['participate_sale=1', ['A']],

  ['amount=5', ['A']],
  ['amount=0', ['Ä%_']],
  ['amount=-5', []],
  ['amount[]=5&amount[]=6&amount[]=7', ['A', 'b']],
  ['amount[gt]=5', ['b', "O'Hara"]],
  ['amount[gte]=5', ['A', 'b', "O'Hara"]],
  ['amount[lt]=5', ['Ä%_']],
  ['amount[lte]=5', ['A', 'Ä%_']],
  ['amount[between]=5..6', ['A', 'b']],
  ['amount[between]=-9007199254740991..9007199254740991', ALL],
  ['amount[between]=6..5', []],
  ['amount[gt]=0&amount[lt]=1000', ['A', 'b']],
  ['amount[gte]=5&amount=6', ['b']],
  ['amount[]=5&amount[gt]=5', []],
  ['amount%5Bgt%5D=5', ['b', "O'Hara"]],

  ['price=9.99', ['A']],
  ['price=10', ['b']],
  ['price=10.0', ['b']],
  ['price=10.0001', ["O'Hara"]],
  ['price[]=9.99&price[]=0', ['A', 'Ä%_']],
  ['price[gt]=10', ["O'Hara"]],
  ['price[gte]=10', ['b', "O'Hara"]],
  ['price[lt]=10', ['A', 'Ä%_']],
  ['price[lte]=9.99', ['A', 'Ä%_']],
  ['price[between]=9.99..10', ['A', 'b']],
  ['price[between]=10..9.99', []],
  ['market_price=20', ['A']],
  ['cost_price[gt]=1.2344&cost_price[lt]=1.2346', ['A']],
  ['weight[between]=0.5..2', ['A', 'b']],

  ['sku=A', ['A']],
  ['sku=b', ['b']],
  ['sku=', []],
  ['sku=B', []],
  ['sku[]=A&sku[]=b', ['A', 'b']],
  ['sku=%C3%84%25_', ['Ä%_']],
  ['sku=%25', []],
  ["sku=O'Hara", ["O'Hara"]],
  ['sku=%20A', []],
  ['clean_url=apples', ['A']],
  ['clean_url=Apples', []],

  ['name=apfel', ['A', "O'Hara"]],
  ['name=%C3%84PFEL', ['A', "O'Hara"]],
  ['name=A%CC%88pfel', ['A', "O'Hara"]],
  ['name=100%20%25', ['A']],
  ['name=%25', ['A']],
  ['name=_', ['b']],
  ['name=%5C', ['Ä%_']],
  ['name=[x]', ['Ä%_']],
  ['name=.', []],
  ['name=', ALL],
  ['name[]=banana&name[]=kuchen', ['b', "O'Hara"]],

  ['discount_type=sale_price', ['A']],
  ['discount_type[]=sale_price&discount_type[]=sale_percent', ALL],
  ['discount_type=half_price', []],

  ['product_class=Fruit', ['A']],
  ['product_class=%20fRUIT%20', ['A']],
  ['product_class[]=Fruit&product_class[]=Cake', ['A', "O'Hara"]],
  ['product_class=Meat', []],
  ['tax_class=full%20rate', ['A', 'b']],
  ['memberships=gold', ['A', 'b']],
  ['memberships[]=silver&memberships[]=none', ['b']],
  ['memberships[]=silver&memberships[]=gold', ['A', 'b']],
  ['tags=red', ['A', 'b']],
  ['tags[]=Red&tags[]=Big', ['A', 'b']],
  ['tags=Re', []],
  ['stickers=1', ['A']],
  ['stickers[]=1&stickers[]=2', ['A', 'b']],
  ['stickers=/api/stickers/1', ['A']],
  ['stickers=999999', []],

  ['tags=/api/tags/1', ['A', 'b']],
  ['tags[]=Red&tags[]=/api/tags/2', ['A', 'b']],
  ['tags[]=Big&tags[]=/api/tags/999999', ['A']],
  ['tags=/api/tags/999999', []],
  ['tags=https://elsewhere.example/api/tags/1', []],
  ['tags.id=1', ['A', 'b']],
  ['tags.id[]=2&tags.id[]=999999', ['A']],
  ['tags.id=/api/tags/2', ['A']],
  ['tags.name=big', ['A']],
  ['tags.name[]=big&tags.name[]=red', ['A', 'b']],
  ['tags.name=2', []],
  ['tags.name=/api/tags/1', []],
  ['tags.id=1&tags.name=big', ['A']],
  ['product_class=/api/product_classes/2', ["O'Hara"]],
  ['product_class.id=1', ['A']],
  ['product_class.name=cake', ["O'Hara"]],
  ['tax_class.id=1', ['A', 'b']],
  ['memberships.id=2', ['b']],
  ['memberships.name=Silver', ['b']],
  ['stickers.id=1', ['A']],
  ['stickers.name=hot', ['A', 'b']],
  ['stickers.name[]=New&stickers.name[]=none', ['A']],
  ['category=1', ['A', 'b']],
  ['category=/api/categories/2', ['b']],
  ['category.id=2', ['b']],
  ['category.name=damen-schuhe', ['b']],
  ['category.name=D%C3%81MEN-SCHUHE', ['b']],
  ['category.name=Damen', []],
  ['category.name[]=Shoes&category.name[]=none', ['A', 'b', "O'Hara"]],

  ['tags[exists]=true', ['A', 'b']],
  ['tags[exists]=false', ['Ä%_', "O'Hara"]],
  ['memberships[exists]=1', ['A', 'b']],
  ['stickers[exists]=0', ['Ä%_', "O'Hara"]],
  ['product_class[exists]=false', ['b', 'Ä%_']],
  ['product_class[exists]=true', ['A', "O'Hara"]],
  ['tax_class[exists]=false', ['Ä%_', "O'Hara"]],
  ['category[exists]=true', ['A', 'b', "O'Hara"]],
  ['category[exists]=false', ['Ä%_']],
  ['category[exists]=false&tags[exists]=false', ['Ä%_']],
  ['tags[exists]=true&tags=big', ['A']],
  ['tags[exists]=false&tags=big', []],

  ['arrival_date=2026-01-01', ['A', 'b']],
  ['arrival_date=2026-01-01T12:00:00Z', ['b']],
  ['arrival_date=2026-01-01T13:00:00%2B01:00', ['b']],
  ['arrival_date[]=2026-01-01T12:00:00Z&arrival_date[]=2026-01-02', ['b', 'Ä%_', "O'Hara"]],
  ['arrival_date[after]=2026-01-02', ['Ä%_', "O'Hara"]],
  ['arrival_date[strictly_after]=2026-01-02', ["O'Hara"]],
  ['arrival_date[before]=2026-01-02', ['A', 'b', 'Ä%_']],
  ['arrival_date[strictly_before]=2026-01-02', ['A', 'b']],
  ['arrival_date[after]=2026-01-01T12:00:00Z&arrival_date[before]=2026-01-02', ['b', 'Ä%_']],
  ['create_date[after]=2020-01-01', ALL],
  ['create_date[before]=2020-01-01', []],
  ['update_date[strictly_after]=2020-01-01&update_date[strictly_before]=9999-12-31', ALL],

  ['enabled=true&amount[lt]=10', ['A', 'Ä%_']],
  ['tags=red&memberships=silver&price=10', ['b']],
  ['tags=red&tags[]=big', ['A']],
  ['&&sku=A&', ['A']],
];

/** Rejected queries with a pattern that the problem matches. */
const REJECTED: [query: string, detail: RegExp][] = [
  ['id=abc', /id/],
  ['id=1.5', /id/],
  ['id=1e3', /id/],
  ['id=0x1', /id/],
  ['id=', /id/],
  ['id=%201', /id/],
  ['id=9007199254740993', /id/],
  ['id[]=1&id[]=x', /id/],
  ['id[gt]=1', /id/],
  ['id=1&id=2', /id/],
  ['id=/api/tags/1', /id/],
  ['id=/api/products/x', /id/],

  ['tags=/api/products/1', /tags.*a name, or the address of a Tag/],
  ['tags[]=Red&tags[]=/api/tags', /tags/],
  ['tags=', /tags/],
  ['tags.id=Red', /tags\.id/],
  ['tags.id=/api/products/1', /tags\.id/],
  ['tags.name=', /tags\.name/],
  ['tags.colour=red', /tags\.colour/],
  ['category.name=', /category\.name/],
  ['category=/api/products/1', /category/],
  ['tags[exists]=', /exists.*true, false, 1 or 0/],
  ['tags[exists]=yes', /exists/],
  ['tags[exists]=true&tags[exists]=false', /exists/],
  ['tags[gt]=1', /Valid operators: \[exists\]/],
  ['tags.id[exists]=true', /tags\.id/],
  ['price[exists]=true', /price/],
  ['id[exists]=true', /id/],

  ['enabled=TRUE', /enabled/],
  ['enabled=yes', /enabled/],
  ['enabled=2', /enabled/],
  ['enabled=', /enabled/],
  ['enabled', /enabled/],
  ['enabled[]=true', /enabled/],
  ['enabled=true&enabled=true', /enabled/],

  ['amount=5.5', /amount/],
  ['amount=1e1', /amount/],
  ['amount=abc', /amount/],
  ['amount=', /amount/],
  ['amount=%205', /amount/],
  ['amount=９', /amount/],
  ['amount=9007199254740993', /amount/],
  ['amount[gt]=', /amount/],
  ['amount[gt]=x', /amount/],
  ['amount[between]=5', /amount/],
  ['amount[between]=5..', /amount/],
  ['amount[between]=..5', /amount/],
  ['amount[between]=5..6..7', /amount/],
  ['amount[between]=a..b', /amount/],
  ['amount[]=', /amount/],
  ['amount[gt]=5&amount[gt]=6', /amount/],
  ['amount[above]=5', /amount\[above\]/],
  ['amount[gt][]=5', /amount/],
  ['amount[__proto__]=5', /amount/],
  ['amount]=5', /amount/],
  ['amount[=5', /amount/],

  ['price=9.99999', /price/],
  ['price=NaN', /price/],
  ['price=Infinity', /price/],
  ['price=', /price/],
  ['price=9,99', /price/],
  ['price=0x1', /price/],
  ['price[gt]=1.00001', /price/],

  ['sku=A&sku=B', /sku/],
  ['sku=a%00b', /sku/],
  ['sku=%ff', /sku|UTF-8/],
  ['sku=%c3%28', /sku|UTF-8/],
  ['sku=%ed%a0%80', /sku|UTF-8/],
  ['sku=%zz', /sku|UTF-8/],
  ['sku[gt]=A', /sku/],
  ['name[between]=a..b', /name/],
  ['name=%00', /name/],

  ['arrival_date=today', /arrival_date/],
  ['arrival_date=22-10-2021', /arrival_date.*YYYY-MM-DD/],
  ['arrival_date=', /arrival_date/],
  ['arrival_date[gt]=2026-01-01', /arrival_date\[gt\]/],
  ['arrival_date[between]=2026-01-01..2026-01-02', /arrival_date/],
  ['arrival_date[after]=2026-02-30', /arrival_date/],

  ['pricee=5', /pricee.*"price"/],
  ['Enabled=true', /Enabled.*"enabled"/],
  ['skus=A', /skus.*"sku"/],
  ['order[nam]=asc', /order\[nam\].*order\[name\]/],
  ['description=x', /description/],
  ['images=1', /images/],
  ['sale_price_value=1', /sale_price_value/],
  ['pagination=false', /pagination/],
  ['properties[]=sku', /properties/],
  ['=1', /parameter/i],
  ['[]=1', /\[\]/],
  ['__proto__=1', /__proto__/],
  ['__proto__[x]=1', /__proto__/],
  ['constructor=1', /constructor/],
  ['toString=1', /toString/],
  ['hasOwnProperty[]=1', /hasOwnProperty/],
  ['x&'.repeat(2000), /x/],
];

onEachDatabase('filters', {}, (store) => {
  before(() => fill(store));

  for (const [query, skus] of FOUND)
    test(`?${query.slice(0, 80)} finds ${skus.join(' ') || 'no product'}`, async () => {
      const response = await store.get(`/api/products?${query}`);
      assert.equal(response.status, 200, response.text);
      assert.deepEqual(
        response.json.map(({ sku }: { sku: string }) => sku),
        skus,
      );
      assert.equal(response.headers['x-total-count'], String(skus.length));
    });

  for (const [query, detail] of REJECTED)
    test(`?${query.slice(0, 80)} is rejected with 400`, async () => {
      assertProblem(await store.get(`/api/products?${encodeNonAscii(query)}`), 400, detail);
    });

  test('an address of this store is accepted as an id', async () => {
    const response = await store.get(`/api/products?id=${encodeURIComponent(`${store.address}/api/products/2`)}`);
    assert.deepEqual([response.status, response.json.length], [200, 1], response.text);
  });

  test('query parameters of lists are rejected on single records and writes', async () => {
    for (const query of ['id=1', 'page=1', 'itemsPerPage=5', 'order[id]=asc', 'x=1'])
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'])
        assertProblem(await store.request(method, `/api/products/1?${query}`), 400);
    for (const query of ['id=1', 'page=1', 'x=1'])
      assertProblem(await store.post(`/api/products?${query}`, { sku: 'NEW', name: 'New' }), 400);
    assert.equal((await store.get('/api/products')).json.length, ALL.length);
  });
});

onEachDatabase('filters in another language', {}, (store) => {
  const de = { 'accept-language': 'de' };
  before(async () => {
    const { id } = await store.made('/api/memberships', { name: 'Gold' });
    await store.patch(`/api/memberships/${id}`, { name: 'Édelmetall' }, de);
    await store.made('/api/memberships', { name: 'Silver' });
    const { id: product } = await store.product({ name: 'Apple', memberships: ['Gold'] });
    await store.patch(`/api/products/${product}`, { name: 'Apfel' }, de);
    await store.product({ name: 'Pear', memberships: ['Silver'] });
    const category = await store.made('/api/categories', { name: 'Fruit' });
    await store.made(`/api/categories/${category.id}/products`, { product_id: product });
    await store.patch(`/api/categories/${category.id}`, { name: 'Früchte' }, de);
  });

  const found: [query: string, headers: Record<string, string>, ids: number[]][] = [
    ['name=apple', {}, [1]],
    ['name=apple', de, []],
    ['name=apfel', de, [1]],
    ['name=apfel', {}, []],
    ['name=pear', de, [2]],
    ['name=p', de, [1, 2]],
    ['memberships=gold', {}, [1]],
    ['memberships=%C3%A9delmetall', de, [1]],
    ['memberships=E%CC%81delmetall', de, [1]],
    ['memberships=Edelmetall', de, []],
    ['memberships=silver', de, [2]],
    ['memberships.name=%C3%A9delmetall', de, [1]],
    ['category.name=FRUCHTE', de, [1]],
    ['category.name=fruit', de, []],
    ['category.name=fruit', {}, [1]],
    ['category.name=fruit', { 'accept-language': 'fr' }, [1]],
  ];
  for (const [query, headers, ids] of found)
    test(`?${query} finds ${ids.join(' ') || 'no product'} in ${headers['accept-language'] ?? 'en'}`, async () => {
      const response = await store.get(`/api/products?${query}`, headers);
      assert.deepEqual(
        response.json.map(({ id }: { id: number }) => id),
        ids,
      );
    });
});

onEachDatabase('filters by links of other records', {}, (store) => {
  let paid: Json;
  before(async () => {
    await store.made('/api/categories', { name: 'Top' });
    await store.made('/api/categories', { name: 'Below', parent: 1 });
    await store.made('/api/categories', { name: 'Deep', parent: 2 });
    for (const name of ['Sizes', 'Looks']) await store.made('/api/attribute_groups', { name });
    await store.made('/api/attributes_text', { name: 'Width', groupId: 1 });
    await store.made('/api/attributes_text', { name: 'Colour', groupId: 2 });
    await store.made('/api/attributes_text', { name: 'Wool' });
    const { id: product_id } = await store.product({ sku: 'ORDERED' });
    const order = { email: 'ada@example.com', items: [{ product_id, amount: 1 }] };
    await store.made('/api/orders', order);
    ({ payment_status: paid } = await store.made('/api/orders', { ...order, payment_status: 'P' }));
    await store.made('/api/categories/1/products', { product_id });
  });

  const found: [path: string, ids: number[]][] = [
    ['/categories?parent.id=1', [2]],
    ['/categories?parent.name=below', [3]],
    ['/categories?parent[exists]=false', [1]],
    ['/categories?parent[exists]=true', [2, 3]],
    ['/attributes?groupId.name=looks', [2]],
    ['/attributes?groupId.id=1', [1]],
    ['/attributes?groupId=/api/attribute_groups/1', [1]],
    ['/attributes?groupId[exists]=false', [3]],
    ['/attributes_text?groupId[exists]=true', [1, 2]],
    ['/orders?payment_status.code=P', [2]],
    ['/orders?paymentStatus.code=P', [2]],
    ['/orders?payment_status=/api/payment_statuses/PAID', [2]],
    ['/orders?payment_status.id=PAID', [2]],
    ['/orders?payment_status[exists]=false', []],
    ['/orders?payment_status[exists]=true', [1, 2]],
  ];
  for (const [path, ids] of found)
    test(`${path} finds ${ids.join(' ') || 'no record'}`, async () => {
      const response = await store.get(`/api${path.replace('PAID', String(paid.id))}`);
      assert.equal(response.status, 200, response.text);
      assert.deepEqual(response.json.map(({ id }: { id: number }) => id).sort(), ids);
      assert.equal(response.headers['x-total-count'], String(ids.length));
    });

  for (const [query, count] of [
    ['product_id.id=1', 1],
    ['product_id.name=nothing%20else', 0],
    ['product_id[exists]=true', 1],
  ] as const)
    test(`/categories/1/products?${query} finds ${count}`, async () => {
      const response = await store.get(`/api/categories/1/products?${query}`);
      assert.equal(response.json.length, count, response.text);
    });

  test('unsupported link filters are rejected with 400', async () => {
    for (const path of [
      '/attributes_text?groupId.colour=1',
      '/orders?payment_status.name=Paid',
      '/orders?sku[exists]=true',
    ])
      assertProblem(await store.get(`/api${path}`), 400);
  });
});

onBothDatabases('filters', {}, (stores) => {
  const values = [
    ...[
      "'; drop table product; --",
      '" or 1=1',
      '#{7*7}',
      '{{7*7}}',
      '\\',
      '%',
      '%%',
      '_',
      '[a-z]',
      '^a',
      '.*',
      '(',
      '*',
    ],
    ...[
      'ÄPFEL',
      'a\u0308',
      'ß',
      'SS',
      'İ',
      'ı',
      'ﬁ',
      'Ⅷ',
      'Å',
      'Ω',
      '👩‍👩‍👧',
      '\u200b',
      ' ',
      '\t',
      '1e3',
      '-0',
      '0',
      '-1',
      '00',
      '1.',
      '.5',
    ],
    ...[
      '9007199254740991',
      '-9007199254740991',
      '9007199254740992',
      '9'.repeat(100),
      '9999999999.9999',
      '1e308',
      '9999999999999',
    ],
    ...['0001-01-01', '0000-01-01', '9999-12-31T23:59:59Z', '9999-12-31T23:59:59-14:00', '0001-01-01T00:00:00+14:00'],
  ];
  const parameters = [
    ...[
      'id',
      'id[]',
      'sku',
      'sku[]',
      'name',
      'clean_url',
      'price',
      'price[gt]',
      'amount',
      'amount[lte]',
      'enabled',
      'tags',
    ],
    ...[
      'stickers',
      'discount_type',
      'product_class',
      'arrival_date',
      'create_date[after]',
      'order[name]',
      'page',
      'itemsPerPage',
    ],
  ];

  before(() => Promise.all(stores.map(fill)));

  for (const parameter of parameters)
    test(`of ${parameter} with odd values have the same response on both databases`, async () => {
      for (const value of values) {
        const path = `/api/products?${parameter}=${encodeURIComponent(value)}`;
        assert.ok((await stores[0]!.get(path)).status < 500, path);
        await assertSameResponses(stores, [['GET', path]]);
      }
    });

  test('have the same response on both databases', () =>
    assertSameResponses(
      stores,
      [...FOUND, ...REJECTED].map(([query]) => ['GET', `/api/products?${encodeNonAscii(query)}`]),
    ));
});

function encodeNonAscii(query: string): string {
  return query.replace(/[^ -~]/gu, encodeURIComponent);
}
