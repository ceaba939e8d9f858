/** Filters that strict mode rejects and lenient mode applies as release 5.5 does (http.md §8). */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { assertProblem } from '../support/expect.ts';
import { onEachDatabase, onOneDatabase, type Store } from '../support/store.ts';

const PRODUCTS = [
  { sku: 'A', name: 'Apple', price: 9.99, amount: 5, arrival_date: '2021-10-22T10:00:00Z' },
  { sku: 'B', name: 'Banana', price: 10, amount: 6, arrival_date: '2021-10-23T00:00:00Z' },
  { sku: 'C', name: 'Cherry', price: 10.0001, amount: 0, arrival_date: '2099-01-01T00:00:00Z' },
];
const ALL = PRODUCTS.map(({ sku }) => sku);

const FOUND: [query: string, skus: string[]][] = [
  // The last of repeated values counts.
  ['sku=A&sku=B', ['B']],
  ['sku[]=A&sku=B', ['B']],
  ['sku=A&sku[]=B&sku[]=C', ['B', 'C']],
  ['sku[0]=A&sku[1000]=B', ['A', 'B']],
  ['price[gte]=5&price[gte]=10', ['B', 'C']],
  ['id=1&id=/api/products/3', ['C']],
  ['page=2&page=1&itemsPerPage=1&itemsPerPage=2', ['A', 'B']],
  ['order[price]=asc&order[price]=desc', ['C', 'B', 'A']],
  ['search=apple&search=banana', ['B']],

  // Numbers compare exactly at any precision and size.
  ['price=9.990001', []],
  ['price=9.9900000', ['A']],
  ['price=09.99', ['A']],
  ['price=+9.99', ['A']],
  ['price[]=9.99&price[]=10.00001', ['A']],
  ['price[]=10.00001', []],
  ['price[gt]=10.00009', ['C']],
  ['price[gte]=10.00000001', ['C']],
  ['price[gt]=10.0001000001', []],
  ['price[lt]=10.00000001', ['A', 'B']],
  ['price[lte]=9.98999999', []],
  ['price[lt]=9.99000', []],
  ['price[between]=9.99001..10.00009', ['B']],
  ['price[gte]=-0.00001', ALL],
  ['price[lte]=-0.00001', []],
  [`price[gt]=${'9'.repeat(40)}`, []],
  [`price[lt]=${'9'.repeat(40)}`, ALL],
  [`price[gte]=-${'9'.repeat(40)}`, ALL],
  [`price[lte]=-${'9'.repeat(40)}`, []],
  [`price[between]=-${'9'.repeat(40)}..${'9'.repeat(40)}`, ALL],
  [`price=${'9'.repeat(40)}`, []],
  ['amount=5.5', []],
  ['amount=5.0', ['A']],
  ['amount[gte]=5.5', ['B']],
  ['amount[gt]=5.5', ['B']],
  ['amount[lt]=5.5', ['A', 'C']],
  ['amount[lte]=5.5', ['A', 'C']],
  ['amount[between]=5.5..6.5', ['B']],
  ['amount[between]=5.1..5.9', []],
  ['amount[gt]=9007199254740993', []],
  ['amount[lt]=9007199254740993', ALL],

  // Dates have the forms that PHP parses.
  ['arrival_date[after]=01-01-2099', ['C']],
  ['arrival_date=22-10-2021', ['A']],
  ['arrival_date=2021/10/22', ['A']],
  ['arrival_date=20211022', ['A']],
  ['arrival_date=22-10-2021 10:00', ['A']],
  ['arrival_date=Fri, 22 Oct 2021 12:00:00 +0200', ['A']],
  ['arrival_date[]=20211022&arrival_date[]=20211023', ['A', 'B']],
  ['arrival_date[after]=now', ['C']],
  ['arrival_date[before]=yesterday', ['A', 'B']],
  ['arrival_date[after]=+1 day', ['C']],
  ['arrival_date[before]=-1 month', ['A', 'B']],
  ['arrival_date=today', []],

  // Unknown names do not matter.
  ['colour=red&sku=A', ['A']],
  ['description=x&tags.colour=red', ALL],
  ['order[colour]=asc&sku=A', ['A']],
];

/** Filters that cannot be applied. Without them, the list would contain everything. */
const REJECTED = [
  ...['enabled=maybe', 'enabled=', 'price=abc', 'price=', 'price=1e', 'price[foo]=3', 'price[gt][]=3', 'price]=3'],
  ...['id=x', 'id[]=1&id[]=x', 'amount[between]=5', 'amount[between]=..5', 'sku[gt]=A', 'tags=', 'tags[exists]=yes'],
  ...['arrival_date=tomorrow', 'arrival_date=31-02-2021', 'arrival_date[gt]=2021-10-22', 'arrival_date='],
  ...['arrival_date=Mon, 22 Oct 2021 12:00:00 GMT', 'arrival_date=-0 day', 'arrival_date=-10000 day', 'search='],
];

function declare(store: Store, headers: Readonly<Record<string, string>>): void {
  before(async () => {
    for (const product of PRODUCTS) await store.product(product);
  });

  for (const [query, skus] of FOUND)
    test(`?${query.slice(0, 80)} finds ${skus.join(' ') || 'no product'}`, async () => {
      const response = await store.get(`/api/products?${query.replaceAll(' ', '%20')}`, headers);
      assert.equal(response.status, 200, response.text);
      assert.deepEqual(
        response.json.map(({ sku }: { sku: string }) => sku),
        skus,
      );
      assert.equal(response.headers['preference-applied'], 'handling=lenient');
    });

  for (const query of REJECTED)
    test(`?${query} is rejected with 400`, async () => {
      assertProblem(await store.get(`/api/products?${query.replaceAll(' ', '%20')}`, headers), 400);
    });

  test('an export applies and rejects filters like a page', async () => {
    const lines = { ...headers, accept: 'application/x-ndjson' };
    const response = await store.get('/api/products?price[gte]=10.00000001', lines);
    assert.equal(JSON.parse(response.text).sku, 'C');
    assertProblem(await store.get('/api/products?price=abc', lines), 400);
  });

  test('itemsPerPage=0 is an empty list with the total and without links to pages', async () => {
    for (const query of ['itemsPerPage=0', 'itemsPerPage=0&page=3', 'itemsPerPage=0&amount[gt]=-1']) {
      const { status, json, headers: sent } = await store.get(`/api/products?${query}`, headers);
      assert.deepEqual([status, json, sent['x-total-count']], [200, [], '3'], query);
      assert.doesNotMatch(String(sent.link), /rel="(first|prev|next|last)"/);
    }
    const path = '/api/products?itemsPerPage=0';
    const linked = await store.get(path, { ...headers, accept: 'application/ld+json' });
    assert.deepEqual([linked.json['hydra:member'], linked.json['hydra:totalItems']], [[], 3]);
    // A page number is part of every link.
    const self = `${path}&page=1`;
    assert.deepEqual(linked.json['hydra:view'], { '@id': self, '@type': 'hydra:PartialCollectionView' });
  });

  test('the leading digits of page and itemsPerPage count', async () => {
    const skusOf = async (query: string): Promise<string[]> =>
      (await store.get(`/api/products?${query}`, headers)).json.map(({ sku }: { sku: string }) => sku);
    assert.deepEqual(await skusOf('itemsPerPage=1&page=2x'), ['B']);
    assert.deepEqual(await skusOf('itemsPerPage=2x&page=1'), ['A', 'B']);
    for (const page of ['0', '-1', 'x', '']) assert.deepEqual(await skusOf(`itemsPerPage=1&page=${page}`), ['A'], page);
    for (const size of ['x', '-1', '']) assert.deepEqual(await skusOf(`itemsPerPage=${size}`), ALL, size);
    assert.deepEqual(await skusOf(`page=${'9'.repeat(30)}`), []);
  });
}

onOneDatabase('filters relative to now', {}, (store) => {
  test('are evaluated again when time passes without a change', { timeout: 30_000 }, async () => {
    const arrival = new Date(Date.now() + 2_000).toISOString();
    await store.product({ arrival_date: arrival });
    const find = async () =>
      (await store.get('/api/products?arrival_date[after]=now', { prefer: 'handling=lenient' })).json.length;
    assert.equal(await find(), 1);
    while ((await find()) > 0) await setTimeout(100);
  });
});

onOneDatabase('a query that strict and lenient mode read differently', {}, (store) => {
  test('finds different records when both modes send it', async () => {
    for (const { sku } of PRODUCTS) await store.product({ sku });
    const lenient = { prefer: 'handling=lenient' };
    const find = async (query: string, headers = {}): Promise<string[]> =>
      (await store.get(`/api/products?${query}`, headers)).json.map(({ sku }: { sku: string }) => sku);
    for (const [query, skus] of [
      ['sku[]=A&sku=B', ['B']],
      ['sku=A&sku[]=B&sku[]=C', ['B', 'C']],
    ] as const) {
      assert.deepEqual(await find(query), []);
      assert.deepEqual(await find(query, lenient), skus);
      assert.deepEqual(await find(`${query}&itemsPerPage=9`, lenient), skus);
      assert.deepEqual(await find(`${query}&itemsPerPage=9`), []);
    }
  });
});

onEachDatabase('filters with Prefer: handling=lenient', {}, (store) => declare(store, { prefer: 'handling=lenient' }));
onEachDatabase('filters with COMPATIBILITY=5.5', { COMPATIBILITY: '5.5' }, (store) => declare(store, {}));
