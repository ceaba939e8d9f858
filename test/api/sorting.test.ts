/** Sorting of lists: fields, directions, and the same text order on every database (http.md §8). */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertProblem, assertSameResponses } from '../support/expect.ts';
import { onBothDatabases, onEachDatabase, type Store } from '../support/store.ts';

const NAMES = [
  ...[
    'banana',
    'Banana',
    'BANANA',
    'äpfel',
    'apfel',
    'Äpfel',
    'a\u0308pfel',
    'Apfel',
    'Zebra',
    'zoo',
    'z',
    '1',
    '10',
    '2',
  ],
  ...[
    'É',
    'e',
    'f',
    'é',
    'ﬁ',
    'fi',
    'fj',
    'ß',
    'ss',
    'st',
    'Ω',
    'ω',
    '\u212b',
    '\u00c5',
    'ａ',
    'Ⅷ',
    'İ',
    'i',
    'ı',
    'Ä',
    'æ',
    'ø',
    'o',
  ],
  ...[
    'a b',
    'a-b',
    'a_b',
    'ab',
    'a',
    'A',
    '!',
    '~',
    '\ue000',
    '😀',
    '𐐀',
    '𐐨',
    '日本',
    'にほん',
    'ё',
    'е',
    'я',
    '\u00a0x',
    ' x',
    'x',
  ],
];

/** The specified order: NFKD without combining marks, lower case; equal keys by the text; all by code point. */
function bySpecification(one: string, other: string): number {
  const key = (text: string): Buffer =>
    Buffer.from(
      text
        .normalize('NFKD')
        .replace(/[\u0300-\u036f]/g, '')
        .toLowerCase(),
    );
  return Buffer.compare(key(one), key(other)) || Buffer.compare(Buffer.from(one), Buffer.from(other));
}

onEachDatabase('text order', {}, (store) => {
  before(async () => {
    for (const [index, name] of NAMES.entries()) await store.product({ sku: `${name}#${index}`.slice(0, 32), name });
  });

  test('products are sorted by name', async () => {
    assert.deepEqual(await column(store, 'order[name]=asc', 'name'), NAMES.toSorted(bySpecification));
    assert.deepEqual(
      await column(store, 'order[name]=desc', 'name'),
      NAMES.toSorted((one, other) => bySpecification(other, one)),
    );
  });

  test('products are sorted by SKU', async () => {
    const skus = (await column(store, 'order[id]=asc', 'sku')) as string[];
    assert.deepEqual(await column(store, 'order[sku]=asc', 'sku'), skus.toSorted(bySpecification));
  });

  test('pages of a sorted list contain every record once', async () => {
    const ids = await column(store, 'order[name]=asc', 'id');
    const pages: unknown[] = [];
    for (let page = 1; pages.length < NAMES.length; page += 1) {
      const { json } = await store.get(`/api/products?order[name]=asc&itemsPerPage=7&page=${page}`);
      assert.ok(json.length > 0);
      pages.push(...json.map(({ id }: { id: number }) => id));
    }
    assert.deepEqual(pages, ids);
  });
});

onEachDatabase('sorting', {}, (store) => {
  before(async () => {
    const rows: [sku: string, name: string, price: number, amount: number, arrival: string][] = [
      ['C', 'beta', 10, 5, '2026-01-03'],
      ['A', 'alpha', 2, 7, '2026-01-01'],
      ['D', 'gamma', 10, 5, '2026-01-02'],
      ['B', 'alpha', 9.99, 7, '2026-01-04'],
    ];
    for (const [sku, name, price, amount, arrival_date] of rows)
      await store.product({ sku, name, price, amount, arrival_date });
    await store.patch('/api/products/4', { name: 'Zeta' }, { 'accept-language': 'de' });
    // PostgreSQL stores a changed row after the others.
    await store.patch('/api/products/1', { free_shipping: true });
  });

  const orders: [query: string, skus: string][] = [
    ['', 'CADB'],
    ['order[id]=asc', 'CADB'],
    ['order[id]=desc', 'BDAC'],
    ['order[sku]=asc', 'ABCD'],
    ['order[sku]=', 'ABCD'],
    ['order[sku]', 'ABCD'],
    ['order[sku]=DESC', 'DCBA'],
    ['order[sku]=Desc', 'DCBA'],
    ['order[sku]=ASC', 'ABCD'],
    ['order%5Bsku%5D=desc', 'DCBA'],
    ['order[name]=asc', 'ABCD'],
    ['order[name]=desc', 'DCAB'],
    ['order[name]=asc&order[id]=desc', 'BACD'],
    ['order[price]=asc', 'ABCD'],
    ['order[price]=desc', 'CDBA'],
    ['order[amount]=asc', 'CDAB'],
    ['order[amount]=desc', 'ABCD'],
    ['order[amount]=asc&order[price]=desc', 'CDBA'],
    ['order[price]=desc&order[amount]=asc', 'CDBA'],
    ['order[amount]=desc&order[price]=desc&order[sku]=desc', 'BADC'],
    ['order[arrival_date]=asc', 'ADCB'],
    ['order[arrivalDate]=desc', 'BCDA'],
    ['order[sku]=desc&amount=5', 'DC'],
    ['amount=5&order[sku]=desc&page=2&itemsPerPage=1', 'C'],
  ];
  for (const [query, skus] of orders)
    test(`?${query || '(no order)'} returns ${skus}`, async () => {
      assert.equal((await column(store, query, 'sku')).join(''), skus);
    });

  test('create_date and update_date can be sorted', async () => {
    for (const field of ['create_date', 'update_date'])
      for (const direction of ['asc', 'desc']) {
        const dates = (await column(store, `order[${field}]=${direction}`, field)) as string[];
        assert.equal(dates.length, 4);
        assert.deepEqual(dates, direction === 'asc' ? dates.toSorted() : dates.toSorted().reverse());
      }
  });

  test('a text is sorted by its value in the language of the request', async () => {
    const { json } = await store.get('/api/products?order[name]=asc', { 'accept-language': 'de' });
    assert.deepEqual(
      json.map(({ name }: { name: string }) => name),
      ['alpha', 'beta', 'gamma', 'Zeta'],
    );
  });

  const rejected = [
    ...['order[name]=up', 'order[name]=ascending', 'order[name]=1', 'order[name]=-1', 'order[name]=asc,desc'],
    ...['order[description]=asc', 'order[enabled]=asc', 'order[Name]=asc', 'order[]=name', 'order=name', 'order'],
    ...['order[name][x]=asc', 'order[__proto__]=asc', 'order[constructor]=asc', 'order[tags]=asc', 'order[name.x]=asc'],
    ...['order[name]=asc&order[name]=desc', 'order[images]=asc', 'sort=name', 'order[id);drop table product;--]=asc'],
  ];
  for (const query of rejected)
    test(`rejects ?${query} with 400`, async () => {
      assertProblem(await store.get(`/api/products?${encodeURI(query)}`), 400, /order|sort/);
    });

  const orderable = {
    '/api/product_classes': ['id', 'name'],
    '/api/tax_classes': ['id', 'name'],
    '/api/memberships': ['id', 'name'],
    '/api/tags': ['id', 'name'],
    '/api/stickers': ['id', 'name'],
    '/api/languages': ['code'],
    '/api/products/1/images': ['id', 'position'],
  };
  for (const [collection, fields] of Object.entries(orderable))
    test(`${collection} can be sorted by ${fields.join(' and ')} only`, async () => {
      for (const field of fields)
        assert.equal((await store.get(`${collection}?order[${field}]=desc`)).status, 200, field);
      assertProblem(await store.get(`${collection}?order[other]=asc`), 400, new RegExp(`order\\[${fields.join('|')}`));
    });
});

onBothDatabases('sorting', {}, (stores) => {
  before(() =>
    Promise.all(
      stores.map(async (store) => {
        for (const [index, name] of NAMES.entries()) await store.product({ sku: `S${index}`, name });
      }),
    ),
  );

  test('by name is equal on both databases', () =>
    assertSameResponses(
      stores,
      ['asc', 'desc'].map((direction) => ['GET', `/api/products?itemsPerPage=100&order[name]=${direction}`]),
    ));
});

async function column(store: Store, query: string, field: string): Promise<unknown[]> {
  const separator = query === '' ? '' : '&';
  const size = query.includes('itemsPerPage') ? '' : `${separator}itemsPerPage=100`;
  const response = await store.get(`/api/products?${query}${size}`);
  assert.equal(response.status, 200, response.text);
  return response.json.map((record: Record<string, unknown>) => record[field]);
}
