/** The language of a request: negotiation, language of written texts and fallback (http.md §5). */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertProblem, assertUnchanged, assertViolations } from '../support/expect.ts';
import { onEachDatabase, onOneDatabase, READ_ONLY_KEY, READ_WRITE_KEY } from '../support/store.ts';

const NEGOTIATED: [header: string | undefined, language: string][] = [
  [undefined, 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['de', 'de'],
  ['DE', 'de'],
  ['de-AT', 'de'],
  ['de-Latn-AT-1996', 'de'],
  ['pt-BR', 'pt-BR'],
  ['pt-br', 'pt-BR'],
  ['pt-BR-x-private', 'pt-BR'],
  ['pt', 'en'],
  ['pt-PT', 'en'],
  ['ru', 'en'],
  ['ru, fr;q=0.5', 'fr'],
  ['fr, de', 'fr'],
  ['fr,de', 'fr'],
  ['fr;q=0.5, de;q=0.9', 'de'],
  ['fr;q=0.5,de;q=0.501', 'de'],
  ['en;q=0.1, de;q=0.2', 'de'],
  ['de-AT;q=0.5, fr;q=0.4', 'de'],
  ['ru-RU, ru;q=0.9, en;q=0.8, de;q=0.7', 'en'],
  ['*, de;q=0.5', 'en'],
  ['de;q=0.5, *;q=0.1', 'de'],
  ['de;q=0', 'en'],
  ['de;q=0, fr;q=0.1', 'fr'],
  ['en;q=0, *', 'en'],
  [';;;', 'en'],
  [',,,', 'en'],
  ['\u00e9', 'en'],
  ['d', 'en'],
  ['fr-x-y', 'fr'],
  ['pt-BR-x-y-z', 'pt-BR'],
  ['deu', 'en'],
  [`${'x-'.repeat(3000)}y`, 'en'],
];

onOneDatabase('language negotiation', {}, (store) => {
  let path: string;
  before(async () => {
    path = `/api/products/${(await store.product({ name: 'English' })).id}`;
    await store.patch(path, { name: 'Deutsch' }, { 'accept-language': 'de' });
  });

  for (const [header, language] of NEGOTIATED)
    test(`selects ${language} for Accept-Language ${header?.slice(0, 40) ?? '(absent)'}`, async () => {
      const response = await store.get(path, { 'accept-language': header });
      assert.deepEqual([response.status, response.headers['content-language']], [200, language]);
      assert.equal(response.json.name, language === 'de' ? 'Deutsch' : 'English');
      const list = await store.get('/api/products', { 'accept-language': header });
      assert.equal(list.headers['content-language'], language);
      assert.deepEqual(list.json, [response.json]);
      const written = await store.patch(path, {}, { 'accept-language': header });
      assert.equal(written.headers['content-language'], language);
    });

  describe('of a disabled language', () => {
    before(async () => assert.equal((await store.patch('/api/languages/fr', { enabled: false })).status, 200));
    after(() => store.patch('/api/languages/fr', { enabled: true }));

    const NEGOTIATED_DISABLED: [header: string, written: string, read: string][] = [
      ['fr', 'fr', 'en'],
      ['FR', 'fr', 'en'],
      ['fr;q=0.2', 'fr', 'en'],
      ['fr, de;q=0.1', 'fr', 'de'],
      ['de;q=0.1, fr;q=0.2', 'fr', 'de'],
      ['de, fr', 'de', 'de'],
      ['ru, fr', 'en', 'en'],
      ['*, fr', 'en', 'en'],
      ['fr;q=0, de;q=0.1', 'de', 'de'],
      ['fr-CA', 'en', 'en'],
      ['fr-CA, de;q=0.1', 'de', 'de'],
    ];
    for (const [header, written, read] of NEGOTIATED_DISABLED)
      test(`selects ${written} for a read/write key and ${read} for a read-only key (${header})`, async () => {
        const headers = { 'accept-language': header };
        // A cached response for one key must not be sent for the other.
        for (const target of [path, '/api/products', path, '/api/products'])
          for (const [key, language] of [
            [READ_WRITE_KEY, written],
            [READ_ONLY_KEY, read],
          ] as const) {
            const response = await store.request('GET', target, { headers, key });
            assert.deepEqual([response.status, response.headers['content-language']], [200, language]);
          }
      });

    test('lets read/write keys write and read it before it is enabled', async () => {
      const { id } = await store.product({ name: 'Shirt', tags: ['Summer'] });
      const product = `/api/products/${id}`;
      assert.equal((await store.patch(product, { name: 'Chemise', tags: ['Été'] }, fr)).status, 200);
      const read = { headers: fr, key: READ_ONLY_KEY };
      for (const target of [product, '/api/products?name=Shirt'])
        assert.match((await store.request('GET', target, read)).text, /"name":"Shirt"/);
      const prepared = (await store.get(product, fr)).json;
      assert.deepEqual([prepared.name, prepared.tags[0].name], ['Chemise', 'Été']);
      await store.patch('/api/languages/fr', { enabled: true });
      assert.equal((await store.request('GET', product, read)).json.name, 'Chemise');
      await store.patch('/api/languages/fr', { enabled: false });
      assert.equal((await store.request('GET', product, read)).json.name, 'Shirt');
    });
  });

  test('selects a changed default language for requests without a known language', async () => {
    assert.equal((await store.patch('/api/languages/de', { is_default: true })).status, 200);
    for (const header of [undefined, '*', 'ru', 'pt']) {
      const response = await store.get(path, { 'accept-language': header });
      assert.deepEqual([response.headers['content-language'], response.json.name], ['de', 'Deutsch']);
    }
    assert.equal((await store.patch('/api/languages/en', { is_default: true })).status, 200);
  });
});

const en = { 'accept-language': 'en' };
const de = { 'accept-language': 'de' };
const fr = { 'accept-language': 'fr' };
const br = { 'accept-language': 'pt-BR' };

const TEXTS = [
  'name',
  'description',
  'brief_description',
  'meta_tags',
  'meta_description',
  'meta_title',
  'og_meta_tags',
];

const textsOf = (record: Record<string, unknown>) => TEXTS.map((field) => record[field]);

onEachDatabase('localized texts', {}, (store) => {
  const allTexts = (language: string) => Object.fromEntries(TEXTS.map((field) => [field, `${field} ${language}`]));

  test('are separate per language', async () => {
    const { id } = await store.product(allTexts('en'), en);
    const path = `/api/products/${id}`;
    const { json } = await store.get(path);
    assert.equal((await store.put(path, { sku: json.sku, ...allTexts('de') }, de)).status, 200);
    assert.equal((await store.patch(path, allTexts('fr'), fr)).status, 200);
    for (const language of ['en', 'de', 'fr'])
      assert.deepEqual(
        textsOf((await store.get(path, { 'accept-language': language })).json),
        textsOf(allTexts(language)),
      );
  });

  test('fall back to the default language', async () => {
    const { id } = await store.product(allTexts('en'), en);
    const path = `/api/products/${id}`;
    await store.patch(path, { description: 'Beschreibung' }, de);
    const german = (await store.get(path, de)).json;
    assert.deepEqual([german.description, german.name], ['Beschreibung', 'name en']);
    assert.equal((await store.get(path, fr)).json.description, 'description en');
  });

  test('fall back to the first language by code if the default language has no text', async () => {
    const { id } = await store.product({ name: 'Nom', description: 'Texte' }, fr);
    const path = `/api/products/${id}`;
    for (const headers of [en, de, br]) assert.equal((await store.get(path, headers)).json.name, 'Nom');
    await store.patch(path, { name: 'Name' }, de);
    const shown = [(await store.get(path, en)).json, (await store.get(path, br)).json];
    for (const { name, description } of shown) assert.deepEqual([name, description], ['Name', 'Texte']);
    await store.patch(path, { name: 'English' }, en);
    assert.equal((await store.get(path, br)).json.name, 'English');
  });

  test('fall back to disabled languages', async () => {
    const { id } = await store.product({ name: 'Nom' }, fr);
    await store.patch('/api/languages/fr', { enabled: false });
    const names = await Promise.all(
      [en, de, fr].map(async (headers) => (await store.get(`/api/products/${id}`, headers)).json.name),
    );
    await store.patch('/api/languages/fr', { enabled: true });
    assert.deepEqual(names, ['Nom', 'Nom', 'Nom']);
  });

  test('may be empty', async () => {
    const { id } = await store.product({ description: 'Text' }, en);
    const path = `/api/products/${id}`;
    await store.patch(path, { description: '' }, de);
    assert.equal((await store.get(path, de)).json.description, '');
    assert.equal((await store.get(path, fr)).json.description, 'Text');
  });

  test('may be empty in the default language', async () => {
    const { id } = await store.product({ name: 'Nur hier', description: 'Beschreibung' }, de);
    const path = `/api/products/${id}`;
    assert.equal((await store.get(path, en)).json.description, 'Beschreibung');
    await store.put(path, { ...(await store.get(path, en)).json, name: 'Here', description: '' }, en);
    assert.equal((await store.get(path, en)).json.description, '');
    assert.equal((await store.get(path, fr)).json.description, '');
    assert.equal((await store.get(path, de)).json.description, 'Beschreibung');
  });

  test('POST stores the defaults of omitted texts in its language', async () => {
    const { id } = await store.product({}, de);
    const path = `/api/products/${id}`;
    await store.patch(path, { description: 'Text' }, en);
    assert.equal((await store.get(path, en)).json.description, 'Text');
    assert.equal((await store.get(path, de)).json.description, '');
  });

  test('PUT replaces every text in its language and no text in others', async () => {
    const { id, sku } = await store.product(allTexts('en'), en);
    const path = `/api/products/${id}`;
    const replaced = await store.put(path, { sku, name: 'Nur der Name' }, de);
    assert.deepEqual(
      [replaced.json.name, replaced.json.description, replaced.json.meta_title],
      ['Nur der Name', '', ''],
    );
    assert.deepEqual(textsOf((await store.get(path, en)).json), textsOf(allTexts('en')));
    assert.equal((await store.get(path, fr)).json.description, 'description en');
  });

  test('PATCH changes only the sent texts', async () => {
    const { id } = await store.product(allTexts('en'), en);
    const path = `/api/products/${id}`;
    await store.patch(path, { meta_title: 'Titel' }, de);
    assert.deepEqual((await store.get(path, de)).json, { ...(await store.get(path, en)).json, meta_title: 'Titel' });
  });

  test('POST and PUT require a text in the language of the request', async () => {
    const { id, sku } = await store.product({}, en);
    const missing = await assertUnchanged(store, () => store.put(`/api/products/${id}`, { sku }, de));
    assertViolations(missing, ['name', 'required', 'This value should not be blank.']);
    const created = await assertUnchanged(store, () => store.post('/api/products', { sku: 'NEW' }, de));
    assertViolations(created, ['name', 'required']);
    assert.equal((await store.patch(`/api/products/${id}`, { description: 'Text' }, de)).status, 200);
  });

  test('are validated in every language', async () => {
    const { id } = await store.product({}, en);
    const response = await assertUnchanged(store, () =>
      store.patch(`/api/products/${id}`, { name: ' ', meta_title: 'x'.repeat(256) }, de),
    );
    assertViolations(response, ['name', 'blank'], ['meta_title', 'too_long']);
  });

  test('a fallback text that is sent back is not stored', async () => {
    const { id } = await store.product({ name: 'First', description: 'Text' }, en);
    const path = `/api/products/${id}`;
    const german = await store.get(path, de);
    const back = await store.put(path, german.json, de);
    assert.equal(back.headers.etag, german.headers.etag);
    await store.patch(path, { name: 'Second', description: 'New text' }, en);
    const shown = (await store.get(path, de)).json;
    assert.deepEqual([shown.name, shown.description], ['Second', 'New text']);
  });

  test('linked records are shown in the language of the request', async () => {
    const membership = await store.made('/api/memberships', { name: 'Wholesale' }, en);
    await store.patch(`/api/memberships/${membership.id}`, { name: 'Großhandel' }, de);
    const { id } = await store.product({ memberships: ['Wholesale'], tags: ['Summer'] }, en);
    const german = (await store.get(`/api/products/${id}`, de)).json;
    assert.deepEqual([german.memberships[0].name, german.tags[0].name], ['Großhandel', 'Summer']);
    assert.equal((await store.get('/api/products', de)).json.at(-1).memberships[0].name, 'Großhandel');
  });

  test('are deleted together with their record', async () => {
    const { id } = await store.made('/api/tags', { name: 'Gone' }, en);
    await store.patch(`/api/tags/${id}`, { name: 'Weg' }, de);
    await store.delete(`/api/tags/${id}`);
    assertProblem(await store.get(`/api/tags/${id}`, de), 404);
    for (const headers of [en, de]) await store.made('/api/tags', { name: 'Weg' }, headers);
  });
});

/** Accept-Language values with which a write of texts is rejected (no known language) or accepted. */
const HEADERS: Readonly<Record<'unknown' | 'known', readonly (string | undefined)[]>> = {
  unknown: [
    'es',
    'ES-mx',
    'es, ru;q=0.5',
    'pt',
    'deu',
    'x-klingon',
    'sv-SE, es;q=0.5',
    'es, sv',
    'é, es',
    'de;q=0, es',
    'es, *;q=0',
  ],
  known: [
    ...[undefined, '', '*', 'de', 'es, de;q=0.1', 'es, *', 'de;q=0', 'es;q=0', ';;;', ',,,', 'é', 'es_ES', 'es;q=high'],
    `es, ${'x-'.repeat(600)}y`,
  ],
};

onEachDatabase('writes in an unknown language', {}, (store) => {
  let product: string;
  before(async () => {
    await store.made('/api/languages', { code: 'sv', name: 'Svenska', enabled: false });
    product = `/api/products/${(await store.product({ name: 'Shirt', tags: ['Summer'] })).id}`;
    await store.made('/api/attributes_text', { name: 'Care' });
  });
  const es = { 'accept-language': 'es' };
  const lenient = { ...es, prefer: 'handling=lenient' };

  for (const header of HEADERS.unknown)
    test(`are rejected with 400 for Accept-Language ${header}`, async () => {
      const response = await assertUnchanged(store, () =>
        store.patch(product, { name: 'Camiseta' }, { 'accept-language': header }),
      );
      assertProblem(response, 400, /this store \(de, en, fr, pt-BR\)/);
      assert.match(response.json.type, /invalid-argument$/);
      assert.match(response.json.detail, /omit the header to write the default \(en\)/);
      assert.match(response.json.detail, /a disabled language \(sv\)/);
    });

  for (const header of HEADERS.known)
    test(`are accepted for Accept-Language ${header?.slice(0, 40) ?? '(absent)'}`, async () => {
      const response = await store.patch(product, { name: 'Shirt' }, { 'accept-language': header });
      assert.equal(response.status, 200, response.text);
    });

  const rejected: Record<string, () => [method: string, path: string, body: unknown]> = {
    'a new record': () => ['POST', '/api/products', { sku: 'S-1', name: 'Camiseta' }],
    'a new record with a broken rule': () => ['POST', '/api/products', { name: '' }],
    'a record sent back as it was read': () => ['PUT', product, { sku: 'S', name: 'Shirt' }],
    'an empty text': () => ['PATCH', product, { description: '' }],
    'a text of the wrong type': () => ['PATCH', product, { description: 5 }],
    'a text of an unknown record': () => ['PATCH', '/api/products/999999', { description: '' }],
    'a name of a new tag': () => ['PATCH', product, { tags: ['Verano'] }],
    'a name of a new tag and of an existing one': () => ['PATCH', product, { tags: ['Summer', 'Verano'] }],
    'a name of a new tag and another violation': () => ['PATCH', product, { tags: ['Verano'], price: -1 }],
    'a tag': () => ['POST', '/api/tags', { name: 'Verano' }],
    'a status': () => ['POST', '/api/payment_statuses', { code: 'LOAN', name: 'Prestado' }],
    'the value of an attribute': () => ['POST', `${product}/attributes_text/1/values`, { value: 'A mano' }],
  };
  for (const [what, sent] of Object.entries(rejected))
    test(`reject ${what} with 400`, async () => {
      const [method, path, body] = sent();
      assertProblem(
        await assertUnchanged(store, () => store.request(method, path, { body, headers: es })),
        400,
        /Accept-Language names no language/,
      );
    });

  const accepted: Record<string, () => [method: string, path: string, body?: unknown, status?: number]> = {
    'a read': () => ['GET', product],
    'a list': () => ['GET', '/api/products'],
    'a change without texts': () => ['PATCH', product, { price: 5 }],
    'an empty change': () => ['PATCH', product, {}],
    'names of existing tags': () => ['PATCH', product, { tags: ['summer'] }],
    'ids of tags': () => ['PATCH', product, { tags: [1] }],
    'an action': () => ['POST', `${product}/stock`, { delta: 1 }],
    'a record without texts': () => ['POST', '/api/languages', { code: 'es', name: 'Español', enabled: false }, 201],
    'the replacement of a record without texts': () => ['PUT', '/api/languages/fr', { name: 'Français' }],
    'a deletion': () => ['DELETE', '/api/languages/es', undefined, 204],
  };
  for (const [what, sent] of Object.entries(accepted))
    test(`accept ${what}`, async () => {
      const [method, path, body, status = 200] = sent();
      const response = await store.request(method, path, { body, headers: es });
      assert.equal(response.status, status, response.text);
      if (method === 'GET') assert.equal(response.headers['content-language'], 'en');
    });

  test('report a blank tag name as a violation', async () => {
    const response = await assertUnchanged(store, () => store.patch(product, { tags: [' '] }, es));
    assertViolations(response, ['tags[0]', 'blank']);
  });

  test('use the default language with handling=lenient', async () => {
    const response = await store.patch(product, { name: 'Camiseta', tags: ['Verano'] }, lenient);
    assert.deepEqual([response.status, response.headers['content-language']], [200, 'en']);
    assert.deepEqual([response.json.name, response.json.tags[0].name], ['Camiseta', 'Verano']);
    assert.equal((await store.get(product, en)).json.name, 'Camiseta');
  });

  test('succeed in a retry after the language was created', async () => {
    const sent = () =>
      store.post('/api/tags', { name: 'Invierno' }, { ...es, 'idempotency-key': `winter-${store.database}` });
    assertProblem(await sent(), 400);
    await store.made('/api/languages', { code: 'es', name: 'Español' });
    const made = await sent();
    assert.deepEqual([made.status, made.headers['content-language']], [201, 'es']);
  });
});
