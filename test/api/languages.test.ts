/** One language per request: which is chosen, what is written in it and what is read when it has no text (http.md §5). */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertProblem, assertUnchanged, assertViolations } from '../support/expect.ts';
import { onEachDatabase } from '../support/store.ts';

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
  ['deu', 'en'],
  [`${'x-'.repeat(3000)}y`, 'en'],
];

onEachDatabase('the language of a request', {}, (store) => {
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

    const chosen = { fr: 'en', 'fr, de;q=0.1': 'de', 'fr-CA': 'en' };
    for (const [header, language] of Object.entries(chosen))
      test(`is passed by: ${header} is ${language}`, async () => {
        const answer = await store.get(path, { 'accept-language': header });
        assert.equal(answer.headers['content-language'], language);
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
