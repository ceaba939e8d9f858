/** Linked records in a body: by name, by id, or as output shows them; and rejected values (http.md §§5, 9). */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { assertProblem, assertUnchanged, assertViolations } from '../support/expect.ts';
import { type Json, onEachDatabase, type Store } from '../support/store.ts';

const de = { 'accept-language': 'de' };

onEachDatabase('link sets', {}, (store) => {
  before(async () => {
    for (const name of ['Gold', 'Silver', 'Café']) await store.made('/api/memberships', { name });
    await store.made('/api/memberships', { name: 'Off', enabled: false });
  });

  const valid: [title: string, memberships: unknown[], ids: number[]][] = [
    ['an empty list', [], []],
    ['a name', ['Gold'], [1]],
    ['an id', [2], [2]],
    ['an id as 2.0', [2.0], [2]],
    ['the object that output shows', [{ id: 1, name: 'Gold', enabled: true }], [1]],
    ['an object with other fields than id and name', [{ id: 2, name: ' SILVER', other: [] }], [2]],
    ['an object with an unknown name', [{ id: 2, name: 'Before its renaming' }], [2]],
    ['an object with a malformed name', [{ id: 2, name: 'Go\u0000ld' }], [2]],
    ['an object with a name that is not a text', [{ id: 2, name: ['Gold'] }], [2]],
    ['its path', ['/api/memberships/2'], [2]],
    ['its address', ['STORE/api/memberships/2'], [2]],
    ['an object with its address as the id', [{ id: '/api/memberships/2', name: 'Silver' }], [2]],
    ['an object with its address', [{ '@id': '/api/memberships/2' }], [2]],
    ['an object with its address and its id', [{ '@id': '/api/memberships/2', id: 2 }], [2]],
    ['names in any order', ['Silver', 'Gold'], [1, 2]],
    ['a name twice', ['Gold', 'Gold'], [1]],
    ['the same record in several forms', ['Gold', 1, { id: 1 }, ' GOLD '], [1]],
    ['another case', ['gOLD'], [1]],
    ['white space around', ['  Gold\t'], [1]],
    ['a decomposed character', ['cafe\u0301'], [3]],
    ['several forms at once', [{ id: 3 }, 'silver', 1], [1, 2, 3]],
    ['a disabled record', ['Off'], [4]],
  ];
  for (const [title, memberships, ids] of valid)
    test(`accept ${title}`, async () => {
      const product = await store.product({ memberships: memberships.map((one) => atStore(store, one)) });
      assert.deepEqual(idsOf(product.memberships), ids);
      const [read] = (await store.get(`/api/products?id=${product.id}`)).json;
      assert.deepEqual(idsOf(read.memberships), ids);
      for (const membership of read.memberships)
        assert.deepEqual(membership, (await store.get(`/api/memberships/${membership.id}`)).json);
    });

  const unknown: [title: string, memberships: unknown[], path: string][] = [
    ['an unknown name', ['Gold', 'Bronze'], 'memberships[1]'],
    ['the name without its accent', ['Cafe'], 'memberships[0]'],
    ['an unknown id', [999999], 'memberships[0]'],
    ['the id 0', [0], 'memberships[0]'],
    ['a negative id', [-1], 'memberships[0]'],
    ['an id as text', ['1'], 'memberships[0]'],
    ['an object with an unknown id', ['Gold', { id: 999999, name: 'Gold' }], 'memberships[1]'],
    ['an empty name', [''], 'memberships[0]'],
    ['a wildcard', ['%'], 'memberships[0]'],
    ['the address of an unknown record', ['Gold', '/api/memberships/999999'], 'memberships[1]'],
    ['the address of a record of another kind', ['/api/tags/1'], 'memberships[0]'],
    ['an address of this store without an id', ['STORE/api/memberships'], 'memberships[0]'],
    ['the address of a record of another store', ['https://elsewhere.example/api/memberships/1'], 'memberships[0]'],
  ];
  for (const [title, memberships, path] of unknown)
    test(`reject ${title} as an unknown link`, () =>
      assertUnchanged(store, async () => {
        const body = { sku: 'NEW', name: 'New', memberships: memberships.map((one) => atStore(store, one)) };
        assertViolations(await store.post('/api/products', body), [path, 'unknown_link']);
      }));

  const contradicting: [title: string, membership: unknown, message: RegExp][] = [
    ['an id and the name of another', { id: 2, name: 'Gold' }, /id is 2, but the name "Gold" .* Membership 1/],
    ['an id and another spelling of the name of another', { id: 2, name: ' GOLD' }, /id is 2, .* Membership 1/],
    [
      'an id and the address of another',
      { id: 2, '@id': '/api/memberships/3' },
      /id is 2, but the @id .* Membership 3/,
    ],
  ];
  for (const [title, membership, message] of contradicting)
    test(`reject ${title} unless the client is lenient`, async () => {
      const body = { sku: 'NEW', name: 'New', memberships: ['Gold', membership] };
      await assertUnchanged(store, async () => {
        for (const type of ['application/json', 'application/ld+json'])
          assertViolations(await store.post('/api/products', body, { 'content-type': type }), [
            'memberships[1]',
            'contradiction',
            message,
          ]);
      });
      const lenient = await store.product({ memberships: [membership] }, { prefer: 'handling=lenient' });
      assert.deepEqual(idsOf(lenient.memberships), [2]);
    });

  const malformed: [title: string, memberships: unknown[]][] = [
    ['a fraction', [1.5]],
    ['a flag', [true]],
    ['null', [null]],
    ['a list', [['Gold']]],
    ['an object without an id', [{ name: 'Gold' }]],
    ['an object with an id as text', [{ id: '1' }]],
    ['an object with the address of another kind', [{ '@id': '/api/tags/1' }]],
    ['an id that is too large', [2 ** 53]],
    ['a NUL', ['Go\u0000ld']],
    ['half a surrogate pair', ['\ud800']],
  ];
  for (const [title, memberships] of malformed)
    test(`reject ${title} as malformed`, () =>
      assertUnchanged(store, async () => {
        const response = await store.post('/api/products', { sku: 'NEW', name: 'New', memberships });
        assertProblem(response, 422);
        for (const { propertyPath } of response.json.violations) assert.match(propertyPath, /^memberships\[0\]/);
      }));

  test('report every unknown element', () =>
    assertUnchanged(store, async () => {
      const body = { sku: 'NEW', name: 'New', memberships: ['A', 'Gold', 'B', 5000], stickers: [7, 8], tax_class: 'C' };
      assertViolations(
        await store.post('/api/products', body),
        ['memberships[0]', 'unknown_link'],
        ['memberships[2]', 'unknown_link'],
        ['memberships[3]', 'unknown_link'],
        ['stickers[0]', 'unknown_link'],
        ['stickers[1]', 'unknown_link'],
        ['tax_class', 'unknown_link'],
      );
    }));

  test('are replaced by PUT and by a PATCH that contains them', async () => {
    const { id, sku } = await store.product({ memberships: ['Gold', 'Silver'] });
    const path = `/api/products/${id}`;
    assert.deepEqual(idsOf((await store.patch(path, { price: 1 })).json.memberships), [1, 2]);
    assert.deepEqual(idsOf((await store.patch(path, { memberships: [3] })).json.memberships), [3]);
    assert.deepEqual(idsOf((await store.put(path, { sku, name: 'N', memberships: ['Silver'] })).json.memberships), [2]);
    assert.deepEqual((await store.put(path, { sku, name: 'N' })).json.memberships, []);
  });

  test('lose a record that is deleted', async () => {
    const { id: deleted } = await store.made('/api/memberships', { name: 'Gone' });
    const { id } = await store.product({ memberships: ['Gold', 'Gone'] });
    assert.equal((await store.delete(`/api/memberships/${deleted}`)).status, 204);
    assert.deepEqual(idsOf((await store.get(`/api/products/${id}`)).json.memberships), [1]);
    assert.equal((await store.get('/api/products?memberships=gone')).json.length, 0);
  });
});

onEachDatabase('single links', {}, (store) => {
  before(async () => {
    for (const name of ['Shirts', 'Hats']) await store.made('/api/product_classes', { name });
    for (const name of ['Full', 'Reduced']) await store.made('/api/tax_classes', { name });
  });

  const valid: [product_class: unknown, id: number | null][] = [
    [null, null],
    ['Hats', 2],
    [' hATS ', 2],
    [1, 1],
    [{ id: 2, name: 'Hats' }, 2],
    ['/api/product_classes/2', 2],
  ];
  for (const [product_class, id] of valid)
    test(`resolve ${JSON.stringify(product_class)} to ${id}`, async () => {
      const product = await store.product({ product_class, tax_class: product_class === null ? null : 'Reduced' });
      assert.equal(product.product_class?.id ?? null, id);
      if (id !== null) assert.deepEqual(product.product_class, (await store.get(`/api/product_classes/${id}`)).json);
      assert.equal(product.tax_class?.id ?? null, id === null ? null : 2);
    });

  test('reject an object with the id and name of two records', async () => {
    const { id } = await store.product({ product_class: 'Hats' });
    await assertUnchanged(store, async () => {
      const body = { product_class: { id: 2, name: 'Shirts' }, tax_class: { id: 2, name: 'Full' } };
      const rejected = await store.patch(`/api/products/${id}`, body);
      assertViolations(rejected, ['product_class', 'contradiction'], ['tax_class', 'contradiction']);
    });
  });

  for (const unknown of ['Socks', '', '1', 999999, 0, { id: 999999 }, '/api/products/1'])
    test(`reject ${JSON.stringify(unknown)} as an unknown link`, () =>
      assertUnchanged(store, async () => {
        const body = { sku: 'NEW', name: 'New', product_class: unknown, tax_class: unknown };
        assertViolations(
          await store.post('/api/products', body),
          ['product_class', 'unknown_link'],
          ['tax_class', 'unknown_link'],
        );
      }));

  test('become null when the record is deleted', async () => {
    for (const [collection, field] of [
      ['product_classes', 'product_class'],
      ['tax_classes', 'tax_class'],
    ] as const) {
      const { id: deleted } = await store.made(`/api/${collection}`, { name: 'Gone' });
      const { id } = await store.product({ [field]: 'Gone' });
      assert.equal((await store.delete(`/api/${collection}/${deleted}`)).status, 204);
      assert.equal((await store.get(`/api/products/${id}`)).json[field], null);
    }
  });
});

onEachDatabase('tag links', {}, (store) => {
  test('create missing tags with the sent name', async () => {
    const product = await store.product({ tags: ['Summer', ' Winter '] });
    assert.deepEqual(namesOf(product.tags), ['Summer', ' Winter ']);
    for (const tag of product.tags) assert.deepEqual((await store.get(`/api/tags/${tag.id}`)).json, tag);
  });

  test('reuse existing tags', async () => {
    const { tags } = await store.product({ tags: ['Used'] });
    const again = await store.product({ tags: ['USED', ' used ', tags[0], tags[0].id] });
    assert.deepEqual(again.tags, tags);
  });

  test('create one tag for several spellings in one request', async () => {
    const { tags } = await store.product({ tags: ['Twin', 'twin', ' TWIN'] });
    assert.equal(tags.length, 1);
  });

  test('create tags in the language of the request', async () => {
    const { id, tags } = await store.product({ tags: ['Sommerzeit'] }, de);
    const path = `/api/tags/${tags[0].id}`;
    await store.patch(path, { name: 'Summertime' });
    assert.equal((await store.get(path, de)).json.name, 'Sommerzeit');
    assert.deepEqual(namesOf((await store.get(`/api/products/${id}`)).json.tags), ['Summertime']);
  });

  test('accept addresses of this store and treat other addresses as names', async () => {
    const [tag] = (await store.product({ tags: ['Addressed'] })).tags;
    const elsewhere = `https://elsewhere.example/api/tags/${tag.id}`;
    const { tags } = await store.product({
      tags: [`/api/tags/${tag.id}`, `${store.address}/api/tags/${tag.id}`, elsewhere],
    });
    assert.deepEqual(namesOf(tags), ['Addressed', elsewhere]);
  });

  test('reject unknown addresses of this store', () =>
    assertUnchanged(store, async () => {
      const tags = ['/api/tags/999999', '/api/products/1', `${store.address}/api/tags`, '/api/tags/2?x=1'];
      assertViolations(
        await store.post('/api/products', { sku: 'NEW', name: 'New', tags }),
        ...tags.map((_, index): [string, string] => [`tags[${index}]`, 'unknown_link']),
      );
    }));

  test('accept the old name of a renamed tag together with its id', async () => {
    const product = await store.product({ tags: ['Old name'] });
    await store.patch(`/api/tags/${product.tags[0].id}`, { name: 'New name' });
    const { json } = await store.put(`/api/products/${product.id}`, product);
    assert.deepEqual(namesOf(json.tags), ['New name']);
  });

  test('accept names of digits and underscores', async () => {
    const { tags } = await store.product({ tags: ['5', '_5', '0'] });
    assert.deepEqual(namesOf(tags).sort(), ['0', '5', '_5']);
  });

  test('create no tag in a rejected request', () =>
    assertUnchanged(store, async () => {
      assertViolations(await store.post('/api/products', { sku: 'NEW', name: '', tags: ['Never made'] }), [
        'name',
        'blank',
      ]);
      assertViolations(await store.post('/api/products', { sku: 'NEW', name: 'New', tags: ['Never made', 999999] }), [
        'tags[1]',
        'unknown_link',
      ]);
    }));

  test('retain a tag after its last product was deleted', async () => {
    const { id, tags } = await store.product({ tags: ['Lasting'] });
    await store.delete(`/api/products/${id}`);
    assert.equal((await store.get(`/api/tags/${tags[0].id}`)).status, 200);
  });
});

onEachDatabase('size of a link set', {}, (store) => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `Tag ${index}`);

  test('is at most 250', async () => {
    await assertUnchanged(store, async () => {
      const response = await store.post('/api/products', { sku: 'NEW', name: 'New', tags: names(251) });
      assertProblem(response, 422);
      assert.deepEqual(
        response.json.violations.map((each: Json) => each.propertyPath),
        ['tags'],
      );
    });
    const { id, tags } = await store.product({ tags: names(250) });
    assert.equal(tags.length, 250);
    assert.equal((await store.get(`/api/products/${id}`)).json.tags.length, 250);
    const back = await store.get(`/api/products/${id}`);
    assert.equal((await store.put(`/api/products/${id}`, back.text)).headers.etag, back.headers.etag);
  });

  test('counts each record once', async () => {
    const { tags } = await store.product({ tags: [...names(250), ...names(250)] });
    assert.equal(tags.length, 250);
  });
});

onEachDatabase('link names in several languages', {}, (store) => {
  const ids: Record<string, number> = {};
  const make = async (key: string, name: string, language: string) => {
    ids[key] = (await store.made('/api/memberships', { name }, { 'accept-language': language })).id;
  };
  before(async () => {
    await make('one', 'Alpha', 'en');
    await make('two', 'Beta', 'en');
    await store.patch(`/api/memberships/${ids.two}`, { name: 'Alpha' }, de);
    await make('later', 'Gamma', 'pt-BR');
    await make('sooner', 'Delta', 'fr');
    await make('both', 'Delta', 'pt-BR');
    await make('own', 'Epsilon', 'de');
    await make('shown', 'Epsilon', 'en');
  });

  const found: [name: string, language: string, key: string | undefined][] = [
    ['Alpha', 'en', 'one'],
    ['Alpha', 'de', 'two'],
    ['alpha', 'fr', 'one'],
    ['Beta', 'en', 'two'],
    ['Beta', 'fr', 'two'],
    ['Beta', 'de', undefined],
    ['Gamma', 'en', 'later'],
    ['Gamma', 'de', 'later'],
    ['Delta', 'en', 'sooner'],
    ['Delta', 'pt-BR', 'both'],
    ['Delta', 'fr', 'sooner'],
    ['Epsilon', 'de', 'own'],
    ['Epsilon', 'en', 'shown'],
    ['Epsilon', 'fr', 'own'],
  ];
  for (const language of ['en', 'de', 'fr', 'pt-BR'])
    test(`accept a record that was read in ${language} although names also match other records`, async () => {
      const headers = { 'accept-language': language };
      const { id } = await store.product({ memberships: Object.values(ids) }, headers);
      const read = await store.get(`/api/products/${id}`, headers);
      assert.equal((await store.put(`/api/products/${id}`, read.text, headers)).headers.etag, read.headers.etag);
    });

  describe('prefer a record with the name in the language over one with it as fallback', () => {
    for (const [name, language, key] of found)
      test(`${name} in ${language} is ${key ?? 'unknown'}`, async () => {
        const headers = { 'accept-language': language };
        if (key === undefined) {
          const body = { sku: 'NEW', name: 'New', memberships: [name] };
          return assertViolations(await store.post('/api/products', body, headers), ['memberships[0]', 'unknown_link']);
        }
        const product = await store.product({ memberships: [name] }, headers);
        assert.deepEqual(idsOf(product.memberships), [ids[key]]);
        const query = `id=${product.id}&memberships=${name}`;
        assert.equal((await store.get(`/api/products?${query}`, headers)).json.length, 1);
      });
  });
});

/** Replaces the placeholder STORE by the address of the running store. */
function atStore(store: Store, value: unknown): unknown {
  return typeof value === 'string' ? value.replace('STORE', store.address) : value;
}

function idsOf(records: readonly { id: number }[]): number[] {
  return records.map(({ id }) => id);
}

function namesOf(records: readonly { name: string }[]): string[] {
  return records.map(({ name }) => name);
}
