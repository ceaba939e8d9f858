/** One language per request: which is chosen, what is written in it and what is read when it has no text (http.md §5). */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertProblem, assertUnchanged, assertViolations } from '../support/expect.ts';
import { onEachDatabase, onOneDatabase, READ_ONLY_KEY, READ_WRITE_KEY } from '../support/store.ts';

const CHOSEN: [header: string | undefined, language: string][] = [
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

onOneDatabase('the language of a request', {}, (store) => {
  let path: string;
  before(async () => {
    path = `/api/products/${(await store.product({ name: 'English' })).id}`;
    await store.patch(path, { name: 'Deutsch' }, { 'accept-language': 'de' });
  });

  for (const [header, language] of CHOSEN)
    test(`${header?.slice(0, 40)} is ${language}`, async () => {
      const answer = await store.get(path, { 'accept-language': header });
      assert.deepEqual([answer.status, answer.headers['content-language']], [200, language]);
      assert.equal(answer.json.name, language === 'de' ? 'Deutsch' : 'English');
      const list = await store.get('/api/products', { 'accept-language': header });
      assert.equal(list.headers['content-language'], language);
      assert.deepEqual(list.json, [answer.json]);
      const written = await store.patch(path, {}, { 'accept-language': header });
      assert.equal(written.headers['content-language'], language);
    });

  describe('a disabled language', () => {
    before(async () => assert.equal((await store.patch('/api/languages/fr', { enabled: false })).status, 200));
    after(() => store.patch('/api/languages/fr', { enabled: true }));

    const CHOSEN_HERE: [header: string, written: string, read: string][] = [
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
    for (const [header, written, read] of CHOSEN_HERE)
      test(`${header} is ${written} for a read/write key and ${read} for a read-only key`, async () => {
        const headers = { 'accept-language': header };
        // A kept answer to the one key does not serve the other.
        for (const target of [path, '/api/products', path, '/api/products'])
          for (const [key, language] of [
            [READ_WRITE_KEY, written],
            [READ_ONLY_KEY, read],
          ] as const) {
            const answer = await store.request('GET', target, { headers, key });
            assert.deepEqual([answer.status, answer.headers['content-language']], [200, language]);
          }
      });

    test('is written while it is prepared, and shown once it is enabled', async () => {
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

  test('another default language answers those that name none', async () => {
    assert.equal((await store.patch('/api/languages/de', { is_default: true })).status, 200);
    for (const header of [undefined, '*', 'ru', 'pt']) {
      const answer = await store.get(path, { 'accept-language': header });
      assert.deepEqual([answer.headers['content-language'], answer.json.name], ['de', 'Deutsch']);
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

onEachDatabase('texts', {}, (store) => {
  const allTexts = (language: string) => Object.fromEntries(TEXTS.map((field) => [field, `${field} ${language}`]));

  test('each language has its own', async () => {
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

  test('one never written is that of the default language', async () => {
    const { id } = await store.product(allTexts('en'), en);
    const path = `/api/products/${id}`;
    await store.patch(path, { description: 'Beschreibung' }, de);
    const german = (await store.get(path, de)).json;
    assert.deepEqual([german.description, german.name], ['Beschreibung', 'name en']);
    assert.equal((await store.get(path, fr)).json.description, 'description en');
  });

  test('without one in the default language, it is the first of the others by code', async () => {
    const { id } = await store.product({ name: 'Nom', description: 'Texte' }, fr);
    const path = `/api/products/${id}`;
    for (const headers of [en, de, br]) assert.equal((await store.get(path, headers)).json.name, 'Nom');
    await store.patch(path, { name: 'Name' }, de);
    const shown = [(await store.get(path, en)).json, (await store.get(path, br)).json];
    for (const { name, description } of shown) assert.deepEqual([name, description], ['Name', 'Texte']);
    await store.patch(path, { name: 'English' }, en);
    assert.equal((await store.get(path, br)).json.name, 'English');
  });

  test('disabled languages count for fall-back', async () => {
    const { id } = await store.product({ name: 'Nom' }, fr);
    await store.patch('/api/languages/fr', { enabled: false });
    const names = await Promise.all(
      [en, de, fr].map(async (headers) => (await store.get(`/api/products/${id}`, headers)).json.name),
    );
    await store.patch('/api/languages/fr', { enabled: true });
    assert.deepEqual(names, ['Nom', 'Nom', 'Nom']);
  });

  test('an empty text is a text', async () => {
    const { id } = await store.product({ description: 'Text' }, en);
    const path = `/api/products/${id}`;
    await store.patch(path, { description: '' }, de);
    assert.equal((await store.get(path, de)).json.description, '');
    assert.equal((await store.get(path, fr)).json.description, 'Text');
  });

  test('an empty text of the default language is a text too', async () => {
    const { id } = await store.product({ name: 'Nur hier', description: 'Beschreibung' }, de);
    const path = `/api/products/${id}`;
    assert.equal((await store.get(path, en)).json.description, 'Beschreibung');
    await store.put(path, { ...(await store.get(path, en)).json, name: 'Here', description: '' }, en);
    assert.equal((await store.get(path, en)).json.description, '');
    assert.equal((await store.get(path, fr)).json.description, '');
    assert.equal((await store.get(path, de)).json.description, 'Beschreibung');
  });

  test('POST writes the defaults of what it leaves out, in its language', async () => {
    const { id } = await store.product({}, de);
    const path = `/api/products/${id}`;
    await store.patch(path, { description: 'Text' }, en);
    assert.equal((await store.get(path, en)).json.description, 'Text');
    assert.equal((await store.get(path, de)).json.description, '');
  });

  test('PUT writes every text in its language and leaves other languages alone', async () => {
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

  test('PATCH writes what it carries', async () => {
    const { id } = await store.product(allTexts('en'), en);
    const path = `/api/products/${id}`;
    await store.patch(path, { meta_title: 'Titel' }, de);
    assert.deepEqual((await store.get(path, de)).json, { ...(await store.get(path, en)).json, meta_title: 'Titel' });
  });

  test('a required text is sent in the language of the request', async () => {
    const { id, sku } = await store.product({}, en);
    const missing = await assertUnchanged(store, () => store.put(`/api/products/${id}`, { sku }, de));
    assertViolations(missing, ['name', 'required', 'This value should not be blank.']);
    const created = await assertUnchanged(store, () => store.post('/api/products', { sku: 'NEW' }, de));
    assertViolations(created, ['name', 'required']);
    assert.equal((await store.patch(`/api/products/${id}`, { description: 'Text' }, de)).status, 200);
  });

  test('the rules of a text hold in every language', async () => {
    const { id } = await store.product({}, en);
    const answer = await assertUnchanged(store, () =>
      store.patch(`/api/products/${id}`, { name: ' ', meta_title: 'x'.repeat(256) }, de),
    );
    assertViolations(answer, ['name', 'blank'], ['meta_title', 'too_long']);
  });

  test('a text shown by fall-back that is sent back is not stored', async () => {
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

  test('a record that goes takes its texts with it', async () => {
    const { id } = await store.made('/api/tags', { name: 'Gone' }, en);
    await store.patch(`/api/tags/${id}`, { name: 'Weg' }, de);
    await store.delete(`/api/tags/${id}`);
    assertProblem(await store.get(`/api/tags/${id}`, de), 404);
    for (const headers of [en, de]) await store.made('/api/tags', { name: 'Weg' }, headers);
  });
});

/** Whether a write of texts is refused with the header: it names languages, and none that the store has. */
const NAMES: Readonly<Record<'unknown' | 'known', readonly (string | undefined)[]>> = {
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

onEachDatabase('a language that the store has not', {}, (store) => {
  let product: string;
  before(async () => {
    await store.made('/api/languages', { code: 'sv', name: 'Svenska', enabled: false });
    product = `/api/products/${(await store.product({ name: 'Shirt', tags: ['Summer'] })).id}`;
    await store.made('/api/attributes_text', { name: 'Care' });
  });
  const es = { 'accept-language': 'es' };
  const lenient = { ...es, prefer: 'handling=lenient' };

  for (const header of NAMES.unknown)
    test(`is not written: ${header}`, async () => {
      const answer = await assertUnchanged(store, () =>
        store.patch(product, { name: 'Camiseta' }, { 'accept-language': header }),
      );
      assertProblem(answer, 400, /this store, which has de, en, fr, pt-BR;/);
      assert.match(answer.json.type, /invalid-argument$/);
      assert.match(answer.json.detail, /leave the header out to write the default \(en\)/);
      assert.match(answer.json.detail, /Disabled languages \(sv\)/);
    });

  for (const header of NAMES.known)
    test(`is not what this names: ${header?.slice(0, 40)}`, async () => {
      const answer = await store.patch(product, { name: 'Shirt' }, { 'accept-language': header });
      assert.equal(answer.status, 200, answer.text);
    });

  const refused: Record<string, () => [method: string, path: string, body: unknown]> = {
    'a new record': () => ['POST', '/api/products', { sku: 'S-1', name: 'Camiseta' }],
    'a new record with a broken rule': () => ['POST', '/api/products', { name: '' }],
    'a record sent back as it was read': () => ['PUT', product, { sku: 'S', name: 'Shirt' }],
    'a text that empties': () => ['PATCH', product, { description: '' }],
    'a text of the wrong type': () => ['PATCH', product, { description: 5 }],
    'a text of an unknown record': () => ['PATCH', '/api/products/999999', { description: '' }],
    'a name that would make a tag': () => ['PATCH', product, { tags: ['Verano'] }],
    'a name that would make a tag beside one that is there': () => ['PATCH', product, { tags: ['Summer', 'Verano'] }],
    'a name that would make a tag beside a broken rule': () => ['PATCH', product, { tags: ['Verano'], price: -1 }],
    'a tag': () => ['POST', '/api/tags', { name: 'Verano' }],
    'a status': () => ['POST', '/api/payment_statuses', { code: 'LOAN', name: 'Prestado' }],
    'the value of an attribute': () => ['POST', `${product}/attributes_text/1/values`, { value: 'A mano' }],
  };
  for (const [what, sent] of Object.entries(refused))
    test(`${what} is refused`, async () => {
      const [method, path, body] = sent();
      assertProblem(
        await assertUnchanged(store, () => store.request(method, path, { body, headers: es })),
        400,
        /Accept-Language names no language/,
      );
    });

  const taken: Record<string, () => [method: string, path: string, body?: unknown, status?: number]> = {
    'a read': () => ['GET', product],
    'a list': () => ['GET', '/api/products'],
    'a change of no text': () => ['PATCH', product, { price: 5 }],
    'an empty change': () => ['PATCH', product, {}],
    'names of tags that are there': () => ['PATCH', product, { tags: ['summer'] }],
    'ids of tags': () => ['PATCH', product, { tags: [1] }],
    'an action': () => ['POST', `${product}/stock`, { delta: 1 }],
    'a record without texts': () => ['POST', '/api/languages', { code: 'es', name: 'Español', enabled: false }, 201],
    'the replacement of one': () => ['PUT', '/api/languages/fr', { name: 'Français' }],
    'a deletion': () => ['DELETE', '/api/languages/es', undefined, 204],
  };
  for (const [what, sent] of Object.entries(taken))
    test(`${what} is not refused`, async () => {
      const [method, path, body, status = 200] = sent();
      const answer = await store.request(method, path, { body, headers: es });
      assert.equal(answer.status, status, answer.text);
      if (method === 'GET') assert.equal(answer.headers['content-language'], 'en');
    });

  test('is a blank name that makes no tag told as that', async () => {
    const answer = await assertUnchanged(store, () => store.patch(product, { tags: [' '] }, es));
    assertViolations(answer, ['tags[0]', 'blank']);
  });

  test('is passed over on request', async () => {
    const answer = await store.patch(product, { name: 'Camiseta', tags: ['Verano'] }, lenient);
    assert.deepEqual([answer.status, answer.headers['content-language']], [200, 'en']);
    assert.deepEqual([answer.json.name, answer.json.tags[0].name], ['Camiseta', 'Verano']);
    assert.equal((await store.get(product, en)).json.name, 'Camiseta');
  });

  test('is told to who repeats it, once the store has it', async () => {
    const sent = () =>
      store.post('/api/tags', { name: 'Invierno' }, { ...es, 'idempotency-key': `winter-${store.database}` });
    assertProblem(await sent(), 400);
    await store.made('/api/languages', { code: 'es', name: 'Español' });
    const made = await sent();
    assert.deepEqual([made.status, made.headers['content-language']], [201, 'es']);
  });
});
