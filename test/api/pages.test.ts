/** Pages of every list: size, total, links and invalid pages (http.md §6). */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { HttpResponse } from '../support/client.ts';
import { assertProblem } from '../support/expect.ts';
import { onEachDatabase, type Store } from '../support/store.ts';

const COUNT = 105;
const name = (number: number) => `Tag ${String(number).padStart(3, '0')}`;
const NAMES = Array.from({ length: COUNT }, (_, index) => name(index + 1));

onEachDatabase('pages', {}, (store) => {
  before(async () => {
    // Created in reverse, so that the order of names differs from the order of ids.
    for (const each of NAMES.toReversed()) await store.made('/api/tags', { name: each });
  });

  const pages: [query: string, names: string[]][] = [
    ['', NAMES.slice(0, 30)],
    ['?page=1', NAMES.slice(0, 30)],
    ['?page=2', NAMES.slice(30, 60)],
    ['?page=4', NAMES.slice(90)],
    ['?page=5', []],
    ['?page=1000000000000', []],
    ['?itemsPerPage=1', NAMES.slice(0, 1)],
    ['?itemsPerPage=1&page=105', NAMES.slice(104)],
    ['?itemsPerPage=7&page=3', NAMES.slice(14, 21)],
    ['?itemsPerPage=100', NAMES.slice(0, 100)],
    ['?itemsPerPage=100&page=2', NAMES.slice(100)],
    ['?itemsPerPage=101', NAMES.slice(0, 100)],
    ['?itemsPerPage=1000000&page=2', NAMES.slice(100)],
    ['?page=2&itemsPerPage=50', NAMES.slice(50, 100)],
  ];
  for (const [query, names] of pages)
    test(`${query || 'no query'} returns ${names.length} of ${COUNT}`, async () => {
      const response = await store.get(`/api/tags${query}`);
      assert.equal(response.status, 200, response.text);
      assert.deepEqual(namesOf(response), names);
      assert.equal(response.headers['x-total-count'], String(COUNT));
    });

  const invalid = ['0', '-1', '', '1e1', '1.5', '1.0', 'abc', '%2B1', '%201', '0x10', '１', 'null', 'NaN', '1,2'];
  const tooLarge = ['9223372036854775808', '1'.repeat(100), '1e308'];
  for (const parameter of ['page', 'itemsPerPage'])
    for (const value of [...invalid, ...tooLarge])
      test(`${parameter}=${value.slice(0, 30)} is rejected with 400`, async () => {
        const encoded = value.includes('%') ? value : encodeURIComponent(value);
        assertProblem(await store.get(`/api/tags?${parameter}=${encoded}`), 400, new RegExp(parameter));
      });

  for (const query of [
    'page=1&page=2',
    'page=1&page=1',
    'page[]=1',
    'page[gt]=1',
    'itemsPerPage=5&itemsPerPage=5',
    'Page=1',
    'items_per_page=5',
  ])
    test(`?${query} is rejected with 400`, async () => {
      assertProblem(await store.get(`/api/tags?${query}`), 400, /page/i);
    });

  test('the total counts the filtered records', async () => {
    const response = await store.get('/api/tags?name=tag%2001&itemsPerPage=3&page=2');
    assert.deepEqual(namesOf(response), NAMES.slice(12, 15));
    assert.equal(response.headers['x-total-count'], '10');
    const none = await store.get('/api/tags?name=nothing');
    assert.deepEqual([none.json, none.headers['x-total-count']], [[], '0']);
  });

  const starts = [
    '',
    '?itemsPerPage=100',
    '?itemsPerPage=7&order[name]=desc',
    '?order[id]=asc&itemsPerPage=25',
    '?name=TAG%200&itemsPerPage=10',
  ];
  for (const query of starts)
    test(`following "next" from ${query || 'the start'} lists every record once`, async () => {
      const pages = await readAllPages(store, `/api/tags${query}`);
      const names = pages.flatMap(namesOf);
      const expected = query.includes('name=TAG') ? NAMES.filter((each) => each.startsWith('Tag 0')) : NAMES;
      assert.deepEqual(names.toSorted(), expected);
      if (query.includes('desc') || query.includes('order[id]')) assert.deepEqual(names, expected.toReversed());
      assert.equal(names.length, Number(pages[0]!.headers['x-total-count']));
    });

  test('links to first, prev, next and last repeat the query', async () => {
    const { headers } = await store.get('/api/tags?name=tag&page=3&itemsPerPage=10&order[id]=desc');
    const links = linksOf(String(headers.link));
    const pages = Object.fromEntries(
      ['first', 'prev', 'next', 'last'].map((relation) => {
        const { searchParams, origin, pathname } = new URL(links[relation]!);
        assert.equal(origin + pathname, `${store.address}/api/tags`);
        assert.equal(searchParams.get('name'), 'tag');
        assert.equal(searchParams.get('itemsPerPage'), '10');
        assert.equal(searchParams.get('order[id]'), 'desc');
        return [relation, searchParams.getAll('page')];
      }),
    );
    assert.deepEqual(pages, { first: ['1'], prev: ['2'], next: ['4'], last: ['11'] });
  });

  test('the first page has no prev and the last page no next', async () => {
    const first = linksOf(String((await store.get('/api/tags')).headers.link));
    assert.equal(first.prev, undefined);
    const last = linksOf(String((await store.get(pathOf(first.last!))).headers.link));
    assert.equal(last.next, undefined);
    assert.equal(new URL(last.prev!).searchParams.get('page'), '3');
    const only = linksOf(String((await store.get('/api/stickers')).headers.link));
    assert.deepEqual([only.prev, only.next], [undefined, undefined]);
    assert.equal(only.first, only.last);
  });

  test('query values cannot break out of the Link header', async () => {
    const query = `name=${encodeURIComponent('a>; rel="next", <b\r\nX-Evil: 1')}`;
    const response = await store.get(`/api/tags?${query}`);
    assert.equal(response.status, 200);
    assert.equal(response.headers['x-evil'], undefined);
    const links = linksOf(String(response.headers.link));
    assert.equal(links.next, undefined);
    assert.equal(new URL(links.first!).searchParams.get('name'), 'a>; rel="next", <b\r\nX-Evil: 1');
  });
});

onEachDatabase('pages of every collection', {}, (store) => {
  let productId: number;
  before(async () => {
    productId = (await store.product()).id;
    for (let number = 2; number <= 4; number += 1) await store.product();
    for (const collection of ['product_classes', 'tax_classes', 'memberships', 'stickers'])
      for (const each of ['B', 'A', 'D', 'C']) await store.made(`/api/${collection}`, { name: each });
    for (const each of ['B', 'A', 'D', 'C']) await store.made('/api/tags', { name: each });
  });

  const orders = {
    '/api/products': 'id',
    '/api/product_classes': 'name',
    '/api/tax_classes': 'name',
    '/api/memberships': 'name',
    '/api/stickers': 'name',
    '/api/tags': 'name',
    '/api/languages': 'code',
  };
  for (const [collection, field] of Object.entries(orders))
    test(`${collection} is sorted by ${field}`, async () => {
      const whole = await store.get(collection);
      const keys = whole.json.map((record: Record<string, unknown>) => record[field]);
      assert.deepEqual(
        keys,
        keys.toSorted((one: never, other: never) => (one < other ? -1 : 1)),
      );
      assert.equal(whole.headers['x-total-count'], '4');
      const pages = await readAllPages(store, `${collection}?itemsPerPage=3`);
      assert.deepEqual(
        pages.map(({ json }) => json.length),
        [3, 1],
      );
      assert.deepEqual(
        pages.flatMap(({ json }) => json),
        whole.json,
      );
      assertProblem(await store.get(`${collection}?page=0`), 400, /page/);
    });

  test('images of a product are paginated', async () => {
    const path = `/api/products/${productId}/images`;
    const response = await store.get(`${path}?page=2&itemsPerPage=5`);
    assert.deepEqual([response.status, response.json, response.headers['x-total-count']], [200, [], '0']);
    assertProblem(await store.get(`${path}?itemsPerPage=0`), 400, /itemsPerPage/);
  });
});

/** Reads all pages from this path by following `next`. */
async function readAllPages(store: Store, path: string): Promise<HttpResponse[]> {
  const pages: HttpResponse[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const response = await store.get(next);
    assert.equal(response.status, 200, response.text);
    pages.push(response);
    const { next: address } = linksOf(String(response.headers.link));
    next = address && pathOf(address);
    assert.ok(pages.length <= COUNT, 'too many pages');
  }
  return pages;
}

function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}

function linksOf(header: string): Record<string, string> {
  return Object.fromEntries(
    [...header.matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, address, relation]) => [relation!, address!]),
  );
}

function namesOf({ json }: HttpResponse): string[] {
  return json.map((record: { name: string }) => record.name);
}
