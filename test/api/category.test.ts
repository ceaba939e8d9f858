/**
 * Categories: fields, texts, clean URLs, filters and order (catalog.md §4). The tree is tested in
 * category-tree.test.ts.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertProblem, assertViolations, type ExpectedViolation } from '../support/expect.ts';
import { whole } from '../support/fields.ts';
import { type Json, onEachDatabase } from '../support/store.ts';

const de = { 'accept-language': 'de' };
const fr = { 'accept-language': 'fr' };

const DEFAULTS: Json = {
  enabled: true,
  show_title: true,
  position: 0,
  memberships: [],
  parent: null,
  description: '',
  meta_description: '',
  meta_tags: '',
  meta_title: '',
  icon: null,
  banner: null,
};

/** Every optional field with a non-default value. */
const FILLED: Json = {
  enabled: false,
  show_title: false,
  position: -7,
  description: '<p>Long</p> ',
  meta_description: 'Description',
  meta_tags: 'a, b',
  meta_title: 'Title',
  og_meta_tags: '<meta property="og:title" content="Own" />',
};

const idsOf = (records: readonly { id: number }[]): number[] => records.map(({ id }) => id);
const namesOf = (records: readonly { name: string }[]): string[] => records.map(({ name }) => name);

onEachDatabase('new categories', {}, (store) => {
  test('have the defaults', async () => {
    const response = await store.post('/api/categories', { name: 'Shirts' });
    assert.equal(response.status, 201, response.text);
    const { og_meta_tags, create_date, update_date, ...category } = response.json;
    const path = [{ id: 1, name: 'Shirts' }];
    const typed = { id: 1, name: 'Shirts', clean_url: 'shirts', ...DEFAULTS, path };
    assert.deepEqual(category, whole('Category', typed, 'og_meta_tags', 'create_date', 'update_date'));
    assert.equal(update_date, create_date);
    assert.match(og_meta_tags, /^<meta property="og:title" content="Shirts" \/>/);
    assert.equal(response.headers.location, `${store.address}/api/categories/1`);
    const read = await store.get('/api/categories/1');
    assert.deepEqual([read.text, read.headers.etag], [response.text, response.headers.etag]);
  });

  test('have the fields that were sent', async () => {
    await store.made('/api/memberships', { name: 'Gold' });
    const sent = { name: 'Hats', ...FILLED, parent: 1, clean_url: 'Own-URL' };
    const response = await store.post('/api/categories', { ...sent, memberships: ['Gold'] });
    assert.equal(response.status, 201, response.text);
    const { id, memberships, icon, banner, path, create_date: _, update_date: __, ...rest } = response.json;
    const elsewhere = ['id', 'memberships', 'icon', 'banner', 'path', 'create_date', 'update_date'];
    assert.deepEqual(rest, whole('Category', sent, ...elsewhere));
    assert.deepEqual(idsOf(path), [1, id]);
    assert.deepEqual([icon, banner], [null, null]);
    assert.deepEqual(memberships, [(await store.get('/api/memberships/1')).json]);
    assert.deepEqual((await store.get(`/api/categories/${id}`)).json, response.json);
  });
});

const REJECTED: [title: string, body: Json, ...violations: ExpectedViolation[]][] = [
  ['no name', { position: 1 }, ['name', 'required', 'This value should not be blank.']],
  ['an empty name', { name: '' }, ['name', 'blank', 'This value should not be blank.']],
  ['a name of blanks', { name: ' \t\u00a0\u200b' }, ['name', 'blank']],
  ['null for a name', { name: null }, ['name', 'null', 'This value should not be null.']],
  ['a name of 256 characters', { name: 'n'.repeat(256) }, ['name', 'too_long', /should have 255 characters or less/]],
  ['a number for a name', { name: 5 }, ['name', 'type']],
  ['a text for a flag', { name: 'N', enabled: 'true' }, ['enabled', 'type']],
  ['a number for a flag', { name: 'N', show_title: 1 }, ['show_title', 'type']],
  ['null for a flag', { name: 'N', enabled: null, show_title: null }, ['enabled', 'null'], ['show_title', 'null']],
  ['a text for a position', { name: 'N', position: '1' }, ['position', 'type']],
  ['a fraction for a position', { name: 'N', position: 1.5 }, ['position', 'type']],
  ['null for a position', { name: 'N', position: null }, ['position', 'null']],
  ['a position over 2^53−1', { name: 'N', position: 2 ** 53 }, ['position', 'range']],
  ['an unknown parent', { name: 'N', parent: 999999 }, ['parent', 'unknown_link']],
  ['the parent 0', { name: 'N', parent: 0 }, ['parent', 'unknown_link']],
  ['an unknown membership', { name: 'N', memberships: ['Gold', 'Bronze'] }, ['memberships[1]', 'unknown_link']],
  ['null for memberships', { name: 'N', memberships: null }, ['memberships', 'null']],
  ['null for a clean URL', { name: 'N', clean_url: null }, ['clean_url', 'null']],
  ['a clean URL of 256 characters', { name: 'N', clean_url: 'u'.repeat(256) }, ['clean_url', 'too_long']],
  ['a used clean URL', { name: 'N', clean_url: 'taken' }, ['clean_url', 'not_unique', 'This value is already used.']],
  [
    'null for texts',
    { name: 'N', description: null, meta_description: null },
    ['description', 'null'],
    ['meta_description', 'null'],
  ],
  [
    'long page texts',
    { name: 'N', meta_tags: 'x'.repeat(256), meta_title: 'x'.repeat(256) },
    ['meta_tags', 'too_long'],
    ['meta_title', 'too_long'],
  ],
  ['null for markup', { name: 'N', og_meta_tags: null }, ['og_meta_tags', 'null']],
  [
    'another type of page text',
    { name: 'N', og_meta_tags_type: 'B', meta_description_type: 'a' },
    ['og_meta_tags_type', 'choice'],
    ['meta_description_type', 'choice'],
  ],
  ['half a surrogate pair', { name: 'N\ud800' }, ['name', 'format']],
  ['an unknown field', { name: 'N', depth: 1 }, ['depth', 'unknown_field']],
  ['a field of products', { name: 'N', sku: 'A' }, ['sku', 'unknown_field']],
  [
    'several violations',
    { name: '', position: 'x', parent: 999999, depth: 1 },
    ['name', 'blank'],
    ['position', 'type'],
    ['parent', 'unknown_link'],
    ['depth', 'unknown_field'],
  ],
];

onEachDatabase('invalid categories', {}, (store) => {
  let path: string;
  before(async () => {
    await store.made('/api/memberships', { name: 'Gold' });
    await store.made('/api/categories', { name: 'Taken', clean_url: 'taken' });
    path = `/api/categories/${(await store.made('/api/categories', { name: 'Stays', ...FILLED })).id}`;
  });
  const everything = async () => {
    const list = await store.get('/api/categories?parent=all');
    return [list.text, list.headers.etag, (await store.get(path)).headers.etag];
  };

  for (const [title, body, ...violations] of REJECTED)
    test(`are rejected with ${title}`, async () => {
      const earlier = await everything();
      assertViolations(await store.post('/api/categories', body), ...violations);
      assertViolations(await store.put(path, body), ...violations);
      if (title !== 'no name') assertViolations(await store.patch(path, body), ...violations);
      assert.deepEqual(await everything(), earlier);
    });

  for (const clean_url of ['a b', 'a/b', 'a\\b', 'a?b', 'a#b', 'a\tb', 'a\u0085b', 'a\u007fb', ' '])
    test(`are rejected with the clean URL ${JSON.stringify(clean_url)}`, async () => {
      const response = await store.post('/api/categories', { name: 'N', clean_url });
      assertProblem(response, 422);
      assert.deepEqual(
        response.json.violations.map((each: Json) => each.propertyPath),
        ['clean_url'],
      );
    });

  for (const parent of ['1', 'Taken', true, 1.5, [1], -1])
    test(`are rejected with the parent ${JSON.stringify(parent)}`, async () => {
      const response = await store.post('/api/categories', { name: 'N', parent });
      assertProblem(response, 422);
      for (const { propertyPath } of response.json.violations) assert.match(propertyPath, /^parent/);
    });

  test('are rejected with another id', async () => {
    const earlier = await everything();
    assertViolations(await store.patch(path, { id: 1, name: 'Changed' }), ['id', 'conflict']);
    assert.deepEqual(await everything(), earlier);
  });
});

onEachDatabase('PUT, PATCH and DELETE of a category', {}, (store) => {
  let above: number;
  before(async () => {
    await store.made('/api/memberships', { name: 'Gold' });
    await store.made('/api/memberships', { name: 'Silver' });
    above = (await store.made('/api/categories', { name: 'Above' })).id;
  });
  const filled = (clean_url: string) =>
    store.made('/api/categories', { name: 'Name', ...FILLED, memberships: ['Gold'], parent: above, clean_url });

  test('PUT resets omitted fields and retains parent and clean_url', async () => {
    const { id } = await filled('kept');
    const response = await store.put(`/api/categories/${id}`, { name: 'Replaced' });
    assert.equal(response.status, 200, response.text);
    const { og_meta_tags, path, create_date: _, update_date: __, ...rest } = response.json;
    const typed = { id, name: 'Replaced', ...DEFAULTS, parent: above, clean_url: 'kept' };
    assert.deepEqual(rest, whole('Category', typed, 'og_meta_tags', 'path', 'create_date', 'update_date'));
    assert.deepEqual(namesOf(path), ['Above', 'Replaced']);
    assert.match(og_meta_tags, /content="Replaced"/);
    const read = await store.get(`/api/categories/${id}`);
    assert.deepEqual([read.text, read.headers.etag], [response.text, response.headers.etag]);
  });

  test('PUT retains an empty clean_url and sets a sent parent and clean_url', async () => {
    const { id } = await filled('comes-empty');
    const path = `/api/categories/${id}`;
    assert.equal((await store.put(path, { name: 'N', clean_url: '' })).json.clean_url, 'comes-empty');
    const { json } = await store.put(path, { name: 'N', clean_url: 'other', parent: null });
    assert.deepEqual([json.clean_url, json.parent], ['other', null]);
  });

  for (const [field, value] of Object.entries({
    ...FILLED,
    clean_url: 'patched',
    name: 'Patched',
    memberships: ['Silver'],
  }))
    test(`PATCH of ${field} changes this field only`, async () => {
      const created = await store.made('/api/categories', { name: 'Bare' });
      const { json } = await store.patch(`/api/categories/${created.id}`, { [field]: value });
      const {
        og_meta_tags: _,
        memberships,
        update_date: before,
        path: __,
        ...expected
      } = { ...created, [field]: value };
      const { og_meta_tags: markup, memberships: linked, update_date: after, path, ...rest } = json;
      assert.deepEqual(rest, expected);
      assert.ok(after >= before);
      assert.deepEqual(path, [{ id: json.id, name: json.name }]);
      assert.deepEqual(namesOf(linked), memberships);
      if (field === 'og_meta_tags') assert.equal(markup, value);
    });

  test('PATCH of a null parent moves the category to the top level', async () => {
    const { id } = await filled('to-the-top');
    const { json } = await store.patch(`/api/categories/${id}`, { parent: null });
    assert.deepEqual([json.parent, json.position], [null, -7]);
  });

  for (const language of ['en', 'de'])
    test(`PUT and PATCH of what GET returned in ${language} change nothing`, async () => {
      const { id } = await filled(`round-trip-${language}`);
      const path = `/api/categories/${id}`;
      const headers = { 'accept-language': language };
      const earlier = await store.get(path, headers);
      for (const method of ['PUT', 'PATCH', 'PUT']) {
        const back = await store.request(method, path, { body: earlier.text, headers });
        assert.deepEqual([back.status, back.text, back.headers.etag], [200, earlier.text, earlier.headers.etag]);
      }
      for (const other of ['en', 'de'])
        assert.equal((await store.get(path, { 'accept-language': other })).text, earlier.text);
    });

  test('If-Match must match the current ETag', async () => {
    const { id } = await filled('matched');
    const path = `/api/categories/${id}`;
    const { etag } = (await store.get(path)).headers;
    assert.equal((await store.patch(path, { position: 1 }, { 'if-match': etag })).status, 200);
    assertProblem(await store.patch(path, { position: 2 }, { 'if-match': etag }), 412);
    assertProblem(await store.delete(path, { 'if-match': etag }), 412);
    assert.equal((await store.get(path)).json.position, 1);
  });

  test('renaming a membership changes the ETag but not the version, and deleting it unlinks it', async () => {
    const { id: membership } = await store.made('/api/memberships', { name: 'Bronze' });
    const { id } = await store.made('/api/categories', { name: 'N', memberships: ['Gold', 'Bronze', 'gold'] });
    const path = `/api/categories/${id}`;
    const earlier = await store.get(path);
    assert.deepEqual(namesOf(earlier.json.memberships), ['Gold', 'Bronze']);
    await store.patch(`/api/memberships/${membership}`, { name: 'Copper' });
    const later = await store.get(path);
    assert.deepEqual(namesOf(later.json.memberships), ['Gold', 'Copper']);
    assert.notEqual(later.headers.etag, earlier.headers.etag);
    assert.equal(versionOf(later.headers.etag), versionOf(earlier.headers.etag));
    await store.delete(`/api/memberships/${membership}`);
    assert.deepEqual(namesOf((await store.get(path)).json.memberships), ['Gold']);
  });

  test('no category retains a membership that is deleted at the same time', async () => {
    for (let round = 0; round < 15; round += 1) {
      const { id } = await store.made('/api/memberships', { name: `Short-lived ${round}` });
      const [deleted, made] = await Promise.all([
        store.delete(`/api/memberships/${id}`),
        store.post('/api/categories', { name: 'N', memberships: ['Gold', id] }),
      ]);
      assert.equal(deleted.status, 204, deleted.text);
      if (made.status !== 201) assertViolations(made, ['memberships[1]', 'unknown_link']);
      else assert.deepEqual(namesOf((await store.get(`/api/categories/${made.json.id}`)).json.memberships), ['Gold']);
    }
  });

  test('DELETE returns 204 without a body, then 404', async () => {
    const { id } = await filled('goes');
    const path = `/api/categories/${id}`;
    const response = await store.delete(path);
    assert.deepEqual([response.status, response.text], [204, '']);
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'])
      assertProblem(await store.request(method, path, { body: method === 'GET' ? undefined : { name: 'N' } }), 404);
  });
});

onEachDatabase('category paths', {}, (store) => {
  before(() => store.made('/api/categories', { name: 'One' }));

  const body = { name: 'N' };
  const statuses: [method: string, path: string, status: number, sent?: unknown][] = [
    ['GET', '/999999', 404],
    ['GET', '/abc', 404],
    ['GET', '/01', 404],
    ['GET', '/0', 404],
    ['PUT', '/999999', 404, body],
    ['PATCH', '/999999', 404, body],
    ['DELETE', '/999999', 404],
    ['PUT', '/999999/move', 404, {}],
    ['PUT', '/abc/move', 404, {}],
    ['GET', '/999999/stats', 404],
    ['GET', '/abc/stats', 404],
    ['GET', '/999999/products', 400],
    ['GET', '/abc/products', 400],
    ['POST', '/999999/products', 400, { product_id: 1 }],
    ['GET', '/999999/products/1', 400],
    ['DELETE', '/abc/products/1', 400],
    ['GET', '/999999/icon', 400],
    ['POST', '/abc/icon', 400, {}],
    ['DELETE', '/999999/banner', 400],
    ['POST', '/1', 405, body],
    ['PUT', '', 405, body],
    ['DELETE', '', 405],
    ['GET', '/1/move', 405],
    ['POST', '/1/move', 405, {}],
    ['PATCH', '/1/move', 405, {}],
    ['POST', '/1/stats', 405, {}],
    ['PUT', '/1/stats', 405, {}],
    ['GET', '/1/stats?page=1', 400],
    ['GET', '/1/depth', 404],
  ];
  for (const [method, path, status, sent] of statuses)
    test(`responds to ${method} /categories${path} with ${status}`, async () => {
      const response = await store.request(method, `/api/categories${path}`, { body: sent });
      assertProblem(response, status);
      if (status === 405) assert.ok(response.headers.allow, 'Allow names what is offered');
    });

  test('Allow is PUT for move and GET for stats', async () => {
    assert.match(String((await store.get('/api/categories/1/move')).headers.allow), /\bPUT\b/);
    const { allow } = (await store.post('/api/categories/1/stats', {})).headers;
    assert.match(String(allow), /\bGET\b/);
    assert.doesNotMatch(String(allow), /\b(PUT|POST|PATCH|DELETE)\b/);
  });
});

/**
 *   1 Men (position 2)      3 Shirts, 4 Hats (disabled), 5 Men’s extras
 *   2 Women (position 1)    6 Shirts, 7 Skirts
 *   8 Kids (position 1, disabled)
 *     3 Shirts              9 Polo shirts
 */
const TREE: Json[] = [
  { name: 'Men', position: 2 },
  { name: 'Women', position: 1 },
  { name: 'Shirts', parent: 1, position: 5 },
  { name: 'Hats', parent: 1, position: -1, enabled: false },
  { name: 'Men’s extras', parent: 1, position: 5 },
  { name: 'Shirts', parent: 2 },
  { name: 'Skirts', parent: 2 },
  { name: 'Kids', position: 1, enabled: false },
  { name: 'Polo shirts', parent: 3 },
];

onEachDatabase('category list', {}, (store) => {
  before(async () => {
    for (const each of TREE) await store.made('/api/categories', each);
  });

  const found: [query: string, ids: number[]][] = [
    ['', [2, 8, 1]],
    ['parent=1', [4, 3, 5]],
    ['parent=2', [6, 7]],
    ['parent=3', [9]],
    ['parent=9', []],
    ['parent=999999', []],
    ['parent[]=1&parent[]=2', [4, 6, 7, 3, 5]],
    ['parent%5B0%5D=3&parent%5B1%5D=999999', [9]],
    ['parent=/api/categories/2', [6, 7]],
    ['parent=all', [4, 6, 7, 9, 2, 8, 1, 3, 5]],
    ['parent=all&order[id]=asc', [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ['parent=all&order[id]=DESC&itemsPerPage=2&page=2', [7, 6]],
    ['enabled=true', [2, 1]],
    ['enabled=0', [8]],
    ['parent=1&enabled=false', [4]],
    ['parent=all&enabled=false', [4, 8]],
    ['name=men', [2, 1, 5]],
    ['name=shirts', [6, 9, 3]],
    ['parent=all&name=SHIRT', [6, 9, 3]],
    ['parent=1&name=men', [5]],
    ['parent=all&name=%25', []],
    ['id=1', [1]],
    ['id=3', [3]],
    ['id[]=1&id[]=2&id[]=3', [2, 1, 3]],
    ['parent=all&id[]=3&id[]=9', [9, 3]],
    ['parent=1&id=3', [3]],
    ['parent=2&id=3', []],
    ['order[position]=desc', [1, 2, 8]],
    ['order[name]=asc', [8, 1, 2]],
    ['order[name]=desc', [2, 1, 8]],
    ['order[name]=', [8, 1, 2]],
    ['parent=all&order[name]=asc&order[id]=desc', [4, 8, 1, 5, 9, 6, 3, 7, 2]],
    ['itemsPerPage=2&page=2', [1]],
    ['itemsPerPage=2&page=3', []],
  ];
  for (const [query, ids] of found)
    test(`finds and sorts ?${query}`, async () => {
      const response = await store.get(`/api/categories?${query}`);
      assert.equal(response.status, 200, response.text);
      assert.deepEqual(idsOf(response.json), ids);
      for (const each of response.json) assert.deepEqual(each, (await store.get(`/api/categories/${each.id}`)).json);
    });

  const totals: [query: string, total: string][] = [
    ['', '3'],
    ['itemsPerPage=1', '3'],
    ['parent=1', '3'],
    ['parent=999999', '0'],
    ['parent=all&itemsPerPage=1', '9'],
    ['parent=all&name=shirt', '3'],
  ];
  for (const [query, total] of totals)
    test(`returns the total ${total} for ?${query}`, async () =>
      assert.equal((await store.get(`/api/categories?${query}`)).headers['x-total-count'], total));

  test('repeats the parent filter in page links', async () => {
    const { headers } = await store.get('/api/categories?parent=1&itemsPerPage=1');
    assert.match(
      String(headers.link),
      /<[^>]*parent=1[^>]*page=2[^>]*>; rel="next"|<[^>]*page=2[^>]*parent=1[^>]*>; rel="next"/,
    );
  });

  for (const query of [
    'parent=',
    'parent=top',
    'parent=ALL',
    'parent=1.5',
    'parent=1&parent=2',
    'parent[gt]=1',
    'parents=1',
    'depth=1',
    'enabled=yes',
    'enabled[]=true',
    'position=1',
    'order[parent]=asc',
    'order[enabled]=asc',
    'order[name]=up',
    'page=0',
  ])
    test(`rejects ?${query} with 400`, async () => assertProblem(await store.get(`/api/categories?${query}`), 400));
});

onEachDatabase('texts of a category', { SHOP_URL: 'https://shop.example' }, (store) => {
  test('French names are shown, searched and sorted as shown', async () => {
    const rows: [english: string, french: string | undefined][] = [
      ['Summer', 'Été'],
      ['Shoes', 'Chaussures'],
      ['Zebra', undefined],
      ['Autumn', 'Zone d’automne'],
      ['Effects', 'Étoffes'],
    ];
    const { id: parent } = await store.made('/api/categories', { name: 'All' });
    for (const [name, french] of rows) {
      const { id } = await store.made('/api/categories', { name, parent });
      if (french !== undefined)
        assert.equal((await store.patch(`/api/categories/${id}`, { name: french }, fr)).status, 200);
    }
    const names = async (query: string, headers?: typeof fr) =>
      namesOf((await store.get(`/api/categories?parent=${parent}&${query}`, headers)).json);
    assert.deepEqual(await names('order[name]=asc', fr), ['Chaussures', 'Été', 'Étoffes', 'Zebra', 'Zone d’automne']);
    assert.deepEqual(await names('order[name]=desc', fr), ['Zone d’automne', 'Zebra', 'Étoffes', 'Été', 'Chaussures']);
    assert.deepEqual(await names('order[name]=asc'), ['Autumn', 'Effects', 'Shoes', 'Summer', 'Zebra']);
    assert.deepEqual(await names('name=ete', fr), ['Été']);
    assert.deepEqual(await names('name=%C3%A9t', fr), ['Été', 'Étoffes']);
    assert.deepEqual(await names('name=ete'), []);
    assert.deepEqual(await names('name=zeb', fr), ['Zebra']);
  });

  test('PUT changes the texts of one language only', async () => {
    const texts = { description: 'D', meta_description: 'MD', meta_tags: 'MT', meta_title: 'T', og_meta_tags: 'OG' };
    const { id } = await store.made('/api/categories', { name: 'English', ...texts });
    const path = `/api/categories/${id}`;
    const german = { ...(await store.get(path, de)).json, name: 'Deutsch', description: '' };
    const { path: way, update_date: _, ...written } = (await store.put(path, german, de)).json;
    const { path: __, update_date: ___, ...sent } = german;
    assert.deepEqual(written, sent);
    assert.deepEqual(namesOf(way), ['Deutsch']);
    await store.put(path, { name: 'Français' }, fr);
    const shown = async (headers?: typeof de) => {
      const { name, description, meta_description, meta_tags, meta_title } = (await store.get(path, headers)).json;
      return [name, description, meta_description, meta_tags, meta_title];
    };
    assert.deepEqual(await shown(), ['English', 'D', 'MD', 'MT', 'T']);
    assert.deepEqual(await shown(de), ['Deutsch', '', 'MD', 'MT', 'T']);
    assert.deepEqual(await shown(fr), ['Français', '', '', '', '']);
    assert.equal((await store.get(path, fr)).headers['content-language'], 'fr');
  });

  test('return 409 to the deletion of their language', async () => {
    await store.made('/api/categories', { name: 'Nur hier' }, { 'accept-language': 'pt-BR' });
    assertProblem(await store.delete('/api/languages/pt-BR'), 409);
  });

  test('og_meta_tags default to escaped title, description and URL, one per line', async () => {
    const { og_meta_tags, clean_url } = await store.made('/api/categories', {
      name: '"A" & <b>',
      meta_description: 'Say "hi" <now>',
    });
    const lines = og_meta_tags.split('\n');
    assert.equal(lines[0], '<meta property="og:title" content="&quot;A&quot; &amp; &lt;b&gt;" />');
    assert.equal(lines[1], '<meta property="og:description" content="Say &quot;hi&quot; &lt;now&gt;" />');
    assert.equal(lines[2], `<meta property="og:url" content="https://shop.example/${clean_url}" />`);
    assert.equal(lines.length, 3);
  });

  test('automatic markup follows the name in each language and is not stored when sent back', async () => {
    const { id } = await store.made('/api/categories', { name: 'One' });
    const path = `/api/categories/${id}`;
    await store.patch(path, { name: 'Zwei' }, de);
    assert.match((await store.get(path, de)).json.og_meta_tags, /content="Zwei"/);
    const { json } = await store.get(path);
    assert.match(json.og_meta_tags, /content="One"/);
    assert.match((await store.put(path, { ...json, name: 'Three' })).json.og_meta_tags, /content="Three"/);
  });

  const types: [title: string, body: Json, description: string, markup: 'made' | 'own'][] = [
    ['no types and texts', { meta_description: 'D', og_meta_tags: 'own' }, 'D', 'own'],
    ['no types and empty texts', { meta_description: '', og_meta_tags: '' }, '', 'made'],
    [
      'A and texts',
      { meta_description: 'D', meta_description_type: 'A', og_meta_tags: 'own', og_meta_tags_type: 'A' },
      '',
      'made',
    ],
    [
      'C and texts',
      { meta_description: 'D', meta_description_type: 'C', og_meta_tags: 'own', og_meta_tags_type: 'C' },
      'D',
      'own',
    ],
    ['A alone', { meta_description_type: 'A', og_meta_tags_type: 'A' }, '', 'made'],
  ];
  for (const [what, body, description, markup] of types)
    test(`applies meta types: ${what}`, async () => {
      const earlier = { name: 'Name', description: 'Long', meta_description: 'Before', og_meta_tags: 'before' };
      const [put, patch] = [await store.made('/api/categories', earlier), await store.made('/api/categories', earlier)];
      for (const { json } of [
        await store.put(`/api/categories/${put.id}`, { name: 'Name', ...body }),
        await store.patch(`/api/categories/${patch.id}`, body),
        await store.post('/api/categories', { name: 'Name', ...body }),
      ]) {
        assert.equal(json.meta_description, description);
        if (markup === 'own') assert.equal(json.og_meta_tags, 'own');
        else assert.match(json.og_meta_tags, /^<meta property="og:title"/);
        assert.ok(!('meta_description_type' in json) && !('og_meta_tags_type' in json));
      }
    });
});

onEachDatabase('clean URLs of categories and products', {}, (store) => {
  const category = (fields: Json = {}) => store.made('/api/categories', { name: 'N', ...fields });

  test('are generated from the name and unique across categories and products', async () => {
    assert.equal((await store.product({ name: 'Blue Jeans' })).clean_url, 'blue-jeans');
    assert.equal((await category({ name: 'Blue Jeans' })).clean_url, 'blue-jeans-1');
    assert.equal((await store.product({ name: 'blue / JEANS' })).clean_url, 'blue-jeans-2');
    assert.equal((await category({ name: 'Blue jeans' })).clean_url, 'blue-jeans-3');
  });

  test('default to “category” if no character of the name is usable', async () => {
    assert.equal((await category({ name: '!!!' })).clean_url, 'category');
    assert.equal((await store.product({ name: '!!!' })).clean_url, 'product');
    assert.equal((await category({ name: '???' })).clean_url, 'category-1');
  });

  test('fit into 255 characters including their suffix', async () => {
    assert.equal((await store.product({ name: 'l'.repeat(255) })).clean_url, 'l'.repeat(255));
    assert.equal((await category({ name: 'l'.repeat(255) })).clean_url, `${'l'.repeat(253)}-1`);
  });

  test('are unique under different parents', async () => {
    const [one, two] = [await category(), await category()];
    assert.equal((await category({ name: 'Same', parent: one.id })).clean_url, 'same');
    assert.equal((await category({ name: 'Same', parent: two.id })).clean_url, 'same-1');
    const response = await store.post('/api/categories', { name: 'Same', parent: two.id, clean_url: 'same' });
    assertViolations(response, ['clean_url', 'not_unique']);
  });

  test('are rejected while the other resource uses them and accepted afterwards', async () => {
    const product = await store.product({ clean_url: 'of-the-product' });
    const rejected = await store.post('/api/categories', { name: 'N', clean_url: 'of-the-product' });
    assertViolations(rejected, ['clean_url', 'not_unique']);
    const { id } = await category({ clean_url: 'of-the-category' });
    const back = await store.patch(`/api/products/${product.id}`, { clean_url: 'of-the-category' });
    assertViolations(back, ['clean_url', 'not_unique']);
    await store.patch(`/api/categories/${id}`, { clean_url: 'moved-on' });
    assert.equal((await store.patch(`/api/products/${product.id}`, { clean_url: 'of-the-category' })).status, 200);
    await store.delete(`/api/products/${product.id}`);
    assert.equal((await category({ clean_url: 'of-the-category' })).clean_url, 'of-the-category');
  });

  test('are free after the deletion of a category', async () => {
    const { id } = await category({ clean_url: 'free-again' });
    await store.delete(`/api/categories/${id}`);
    assert.equal((await store.product({ clean_url: 'free-again' })).clean_url, 'free-again');
  });

  test('get a new suffix if they lose a race', async () => {
    for (const name of ['race', 'rally', 'regatta', 'derby']) {
      const made = await Promise.all(
        Array.from({ length: 16 }, (_, index) => (index % 2 ? category({ name }) : store.product({ name }))),
      );
      const expected = [name, ...Array.from({ length: 15 }, (_, index) => `${name}-${index + 1}`)];
      assert.deepEqual(made.map(({ clean_url }) => clean_url).sort(), expected.sort());
    }
  });

  test('one of eight concurrent POSTs with the same clean URL succeeds', async () => {
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => store.post('/api/categories', { name: 'N', clean_url: 'once' })),
    );
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, ...Array(7).fill(422)]);
    for (const response of responses.filter(({ status }) => status === 422))
      assertViolations(response, ['clean_url', 'not_unique']);
  });
});

function versionOf(etag: string | undefined): number {
  return Number(etag!.slice(1).split('-')[0]);
}
