/** `search=` on products: every word must occur in the shown texts; the best match comes first. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertProblem, assertSameResponses } from '../support/expect.ts';
import { type Json, onBothDatabases, onEachDatabase, type Store } from '../support/store.ts';

/** Products from the last rank to the first, so that ids do not predict the order; all contain “shirt”. */
const SHIRTS: readonly (readonly [sku: string, fields: Json])[] = [
  ['REST', { name: 'Rest', description: 'Goes with a <b>SHIRT</b>' }],
  ['BRIEF', { name: 'Brief', brief_description: 'A shirt’s friend' }],
  ['xshirtx', { name: 'Other' }],
  ['PART', { name: 'My undershirts' }],
  ['WORD', { name: 'Red T-Shirt, large' }],
  ['BEGINS', { name: 'Shirts of summer' }],
  ['NAME', { name: 'SHÍRT' }],
  ['Shirt', { name: 'By its sku' }],
];
const OTHERS: readonly (readonly [sku: string, fields: Json])[] = [
  ['P-100%', { name: 'Cotton 100% pure', description: 'back\\slash under_score' }],
  ['COAT', { name: 'Winter coat', brief_description: 'warm', description: 'of wool' }],
  ['COAT-2', { name: 'Coat of winter wool' }],
];

async function fill(store: Store): Promise<void> {
  for (const [sku, fields] of [...SHIRTS, ...OTHERS]) await store.product({ sku, ...fields });
  const { id } = await store.made('/api/attributes_text', { name: 'Care' });
  const { id: coat } = (await store.get('/api/products?sku=COAT')).json[0];
  await store.made(`/api/products/${coat}/attributes_text/${id}/values`, { value: 'Hand wash only' });
}

const skusOf = (products: readonly { sku: string }[]): string[] => products.map(({ sku }) => sku);
const RANKED = SHIRTS.map(([sku]) => sku).reverse();

const FOUND: readonly (readonly [words: string, skus: readonly string[]])[] = [
  ['shirt', RANKED],
  ['  SHIRT ', RANKED],
  ['shïrt', RANKED],
  // Two words match no SKU and no name, not even as a prefix.
  ['shirt shirt', ['WORD', 'NAME', 'PART', 'BEGINS', 'xshirtx', 'Shirt', 'BRIEF', 'REST']],
  ['t-shirt', ['WORD']],
  ['shirt red', ['WORD']],
  ['large red', ['WORD']],
  ['red arge', ['WORD']],
  ['shirt coat', []],
  ['100%', ['P-100%']],
  ['%', ['P-100%']],
  ['_', ['P-100%']],
  ['\\', ['P-100%']],
  ['%shirt', []],
  ["'; drop table product; --", []],
  ['coat winter', ['COAT', 'COAT-2']],
  ['winter coat', ['COAT', 'COAT-2']],
  ['winter wool', ['COAT-2', 'COAT']],
  ['wash', ['COAT']],
  ['wash coat wool warm', ['COAT']],
  ['wash coat-2', []],
  ['nothing', []],
];

onEachDatabase('product search', {}, (store) => {
  before(() => fill(store));

  for (const [words, skus] of FOUND)
    test(`for ${words} finds ${skus.join(' ') || 'no product'}`, async () => {
      const response = await store.get(`/api/products?search=${encodeURIComponent(words)}`);
      assert.equal(response.status, 200, response.text);
      assert.deepEqual(skusOf(response.json), skus);
      assert.equal(response.headers['x-total-count'], String(skus.length));
    });

  test('returns pages with the exact total', async () => {
    const pages: string[] = [];
    for (const page of [1, 2, 3, 4]) {
      const { json, headers } = await store.get(`/api/products?search=shirt&itemsPerPage=3&page=${page}`);
      assert.equal(headers['x-total-count'], String(RANKED.length));
      pages.push(...skusOf(json));
    }
    assert.deepEqual(pages, RANKED);
  });

  test('can be combined with filters, an order and fields', async () => {
    const skus = async (query: string) => skusOf((await store.get(`/api/products?search=shirt&${query}`)).json);
    assert.deepEqual(await skus('name=red'), ['WORD']);
    assert.deepEqual(
      await skus('order[id]=asc'),
      SHIRTS.map(([sku]) => sku),
    );
    assert.deepEqual(await skus('fields=sku'), RANKED);
    assert.deepEqual(await skus('enabled=false'), []);
  });

  test('is described in hydra:search', async () => {
    const { json } = await store.get('/api/products?search=shirt', { accept: 'application/ld+json' });
    assert.equal(json['hydra:totalItems'], RANKED.length);
    assert.match(json['hydra:search']['hydra:template'], /\bsearch\b/);
    assert.match(json['hydra:view']['hydra:next'] ?? json['hydra:view']['@id'], /search=shirt/);
  });

  const REJECTED = [
    'search=',
    'search=%20',
    'search=%CC%81',
    `search=${'a'.repeat(256)}`,
    'search=a+b+c+d+e+f+g+h+i+j+k',
  ];
  for (const query of [...REJECTED, 'search=a&search=b', 'search[]=a', 'search[gt]=a'])
    test(`rejects ?${query.slice(0, 40)} with 400`, async () =>
      assertProblem(await store.get(`/api/products?${query}`), 400, /search/));

  test('accepts 10 words and 255 characters', async () => {
    for (const words of ['a b c d e f g h i j', 'ä'.repeat(255)])
      assert.equal((await store.get(`/api/products?search=${encodeURIComponent(words)}`)).status, 200);
  });

  test('is rejected on other collections and on single records', async () => {
    for (const path of ['/api/tags', '/api/categories', '/api/products/1'])
      assertProblem(await store.get(`${path}?search=a`), 400, /search/);
  });
});

onEachDatabase('product search in another language', {}, (store) => {
  const de = { 'accept-language': 'de' };
  const fr = { 'accept-language': 'fr' };
  const skus = async (words: string, headers = {}) =>
    skusOf((await store.get(`/api/products?search=${words}`, headers)).json);
  before(async () => {
    const { id } = await store.product({ sku: 'A', name: 'Shoes', description: 'leather' });
    await store.patch(`/api/products/${id}`, { name: 'Schuhe' }, de);
    const { id: attribute } = await store.made('/api/attributes_text', { name: 'Care' });
    const value = `/api/products/${id}/attributes_text/${attribute}/values`;
    await store.made(value, { value: 'polish' });
    await store.patch(value, { value: 'putzen' }, de);
  });

  test('searches the texts shown in the language, field by field', async () => {
    assert.deepEqual(await skus('shoes'), ['A']);
    assert.deepEqual(await skus('schuhe'), []);
    assert.deepEqual(await skus('schuhe', de), ['A']);
    assert.deepEqual(await skus('shoes', de), []);
    assert.deepEqual(await skus('shoes', fr), ['A']);
    assert.deepEqual(await skus('schuhe+leather', de), ['A']);
    assert.deepEqual(await skus('putzen+schuhe', de), ['A']);
    assert.deepEqual(await skus('polish', de), []);
    assert.deepEqual(await skus('polish', fr), ['A']);
  });

  test('finds changed texts immediately', async () => {
    const { id } = await store.product({ sku: 'B', name: 'Hat', description: 'felt' });
    assert.deepEqual(await skus('felt'), ['B']);
    await store.patch(`/api/products/${id}`, { description: 'straw' });
    assert.deepEqual([await skus('felt'), await skus('straw')], [[], ['B']]);
    await store.delete(`/api/products/${id}`);
    assert.deepEqual(await skus('straw'), []);
  });
});

onBothDatabases('product search', {}, (stores) => {
  before(() => Promise.all(stores.map(fill)));

  test('finds the same products in the same order on both databases', async () => {
    const requests = FOUND.map(([words]) => `/api/products?search=${encodeURIComponent(words)}&fields=sku`);
    await assertSameResponses(
      stores,
      requests.map((path) => ['GET', path] as const),
    );
  });
});
