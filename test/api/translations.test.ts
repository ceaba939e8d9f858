/** Texts of a record by language: reading, replacing and deleting them at their own paths. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { HttpResponse } from '../support/client.ts';
import { assertProblem, assertSameResponses, assertUnchanged, assertViolations } from '../support/expect.ts';
import { onBothDatabases, onEachDatabase, READ_ONLY_KEY, type Store } from '../support/store.ts';

const LD = { accept: 'application/ld+json' };
const en = { 'accept-language': 'en' };
const de = { 'accept-language': 'de' };
const fr = { 'accept-language': 'fr' };

/** A record of each kind with texts, at each of its paths, with its text fields. */
interface Kind {
  readonly path: string;
  readonly required: string | undefined;
  readonly optional: readonly string[];
}

const PAGE_TEXTS = ['description', 'meta_tags', 'meta_description', 'meta_title', 'og_meta_tags'];

async function kinds(store: Store): Promise<Kind[]> {
  const product = (await store.product({}, en)).id;
  const category = (await store.made('/api/categories', { name: 'C' }, en)).id;
  const productClass = (await store.made('/api/product_classes', { name: 'Class' }, en)).id;
  const named = (path: string): Kind => ({ path, required: 'name', optional: [] });
  const made = async (collection: string, body: Readonly<Record<string, unknown>>): Promise<string> =>
    `${collection}/${(await store.made(collection, body, en)).id}`;
  const found: Kind[] = [
    { path: `/api/products/${product}`, required: 'name', optional: ['brief_description', ...PAGE_TEXTS] },
    { path: `/api/categories/${category}`, required: 'name', optional: PAGE_TEXTS },
    named(`/api/product_classes/${productClass}`),
    named(await made('/api/tax_classes', { name: 'Reduced' })),
    named(await made('/api/memberships', { name: 'Wholesale' })),
    named(await made('/api/tags', { name: 'Summer' })),
    named(await made('/api/stickers', { name: 'New' })),
  ];
  for (const table of ['payment_statuses', 'shipping_statuses'])
    found.push({
      path: await made(`/api/${table}`, { code: 'LOAN', name: 'On account' }),
      required: 'name',
      optional: ['customer_name'],
    });
  for (const prefix of ['/api', `/api/product_classes/${productClass}`, `/api/products/${product}`])
    for (const kind of ['text', 'checkbox', 'select', 'hidden']) {
      if (kind === 'hidden' && prefix !== '/api') continue;
      const attribute = await made(`${prefix}/attributes_${kind}`, { name: 'A' });
      found.push(named(attribute));
      if (kind === 'select' || kind === 'hidden')
        found.push({ ...named(await made(`${attribute}/options`, { value: 'Large' })), required: 'value' });
    }
  const text = await made('/api/attributes_text', { name: 'Care' });
  const value = `/api/products/${product}/attributes_text/${text.split('/').at(-1)}/values`;
  await store.made(value, { value: 'Wash' }, en);
  found.push({ path: value, required: undefined, optional: ['value'] });
  return found;
}

const versionOf = (response: HttpResponse): number => Number(/^"(\d+)-/.exec(response.headers.etag!)![1]);

onEachDatabase('translations of every kind of record', {}, (store) => {
  test('are read, replaced and deleted', async () => {
    for (const { path, required, optional } of await kinds(store)) {
      const all = async (): Promise<Record<string, Record<string, string>>> =>
        (await store.get(`${path}/translations`)).json;
      const own = required ?? optional[0]!;
      const names = [...(required === undefined ? [] : [required]), ...optional];
      const english = (await all()).en!;
      assert.deepEqual(Object.keys(await all()), ['en'], path);
      assertProblem(await store.get(`${path}/translations/de`), 404, /no texts in the language de/);
      const before = await store.get(path, de);

      const written = await store.put(`${path}/translations/de`, { [own]: 'Deutsch' });
      assert.equal(written.status, 200, written.text);
      assert.equal(written.headers['content-language'], 'de');
      const expected = Object.fromEntries(names.map((name) => [name, name === own ? 'Deutsch' : '']));
      assert.deepEqual(written.json, expected, path);
      const read = await store.get(`${path}/translations/de`);
      assert.deepEqual([read.text, read.headers.etag], [written.text, written.headers.etag]);
      assert.deepEqual(await all(), { de: expected, en: english });
      assert.equal((await store.get(path, de)).json[own], 'Deutsch');
      assert.equal((await store.get(path, en)).json[own], english[own]);
      assert.equal(versionOf(await store.get(path, de)), versionOf(before) + 1, `${path} has a new version`);
      assert.equal(versionOf(read), versionOf(before) + 1);

      const again = await store.put(`${path}/translations/de`, expected);
      assert.equal(again.headers.etag, written.headers.etag, 'an unchanged write keeps the ETag');
      const removed = await store.delete(`${path}/translations/de`);
      assert.deepEqual([removed.status, removed.text], [204, '']);
      assert.deepEqual(await all(), { en: english });
      assert.equal((await store.get(path, de)).json[own], english[own]);
      assert.equal(versionOf(await store.get(path, de)), versionOf(before) + 2);
      assertProblem(await store.delete(`${path}/translations/de`), 404);

      const last = await store.delete(`${path}/translations/en`);
      if (required === undefined) assert.equal(last.status, 204);
      else assertProblem(last, 409, new RegExp(`default language, en: ${required}`));
    }
  });
});

onEachDatabase('translations', {}, (store) => {
  let id: number;
  let path: string;
  let texts: string;
  before(async () => {
    ({ id } = await store.product({ name: 'Shirt', description: 'Of cotton' }, en));
    path = `/api/products/${id}`;
    texts = `${path}/translations`;
  });

  test('contain the written texts, ordered by code and field', async () => {
    const product = await store.product({ name: 'Hose', meta_title: 'T' }, fr);
    const own = `/api/products/${product.id}`;
    await store.patch(own, { description: 'D', name: 'Trousers' }, en);
    await store.patch(own, { meta_title: 'Titel' }, de);
    const { json } = await store.get(`${own}/translations`);
    assert.deepEqual(Object.keys(json), ['de', 'en', 'fr']);
    assert.deepEqual([json.de, json.en], [{ meta_title: 'Titel' }, { name: 'Trousers', description: 'D' }]);
    assert.deepEqual(Object.keys(json.fr), [
      ...['name', 'description', 'brief_description', 'meta_tags', 'meta_description', 'meta_title', 'og_meta_tags'],
    ]);
    // Output shows automatic markup, which is not stored.
    assert.equal(json.fr.og_meta_tags, '');
  });

  test('store sent texts even if they equal a fallback text', async () => {
    await store.put(`${texts}/de`, { name: 'Shirt', description: 'Of cotton' });
    await store.patch(path, { name: 'T-shirt', description: 'Of wool' }, en);
    const german = (await store.get(path, de)).json;
    assert.deepEqual([german.name, german.description], ['Shirt', 'Of cotton']);
    await store.put(`${texts}/en`, { name: 'Shirt', description: 'Of cotton' });
    assert.equal((await store.get(path, en)).json.name, 'Shirt');
    await store.delete(`${texts}/de`);
  });

  test('do not change other fields of the record', async () => {
    const product = await store.product({ price: 5, tags: ['Summer'], clean_url: 'linen-shirt', amount: 7 });
    const own = `/api/products/${product.id}`;
    await store.put(`${own}/translations/de`, { name: 'Hemd', meta_description: 'M' });
    const { update_date: _, og_meta_tags: __, ...rest } = (await store.get(own, en)).json;
    const { update_date: ___, og_meta_tags: ____, ...before } = product;
    assert.deepEqual(rest, before);
    assert.deepEqual((await store.get(`/api/products?name=hemd`, de)).json[0].name, 'Hemd');
  });

  test('change the update date and version of the record and its owner', async () => {
    const attribute = await store.made('/api/attributes_text', { name: 'Care' });
    const value = `${path}/attributes_text/${attribute.id}/values`;
    await store.made(value, { value: 'Wash' });
    const before = await store.get(path);
    assert.equal((await store.put(`${value}/translations/de`, { value: 'Waschen' })).status, 200);
    assert.equal(versionOf(await store.get(path)), versionOf(before) + 1);
    assert.equal((await store.delete(`${value}/translations/de`)).status, 204);
    assert.equal(versionOf(await store.get(path)), versionOf(before) + 2);
  });

  const rejected: Record<string, [body: unknown, ...violations: [string, string][]]> = {
    'without a required text': [{ description: 'x' }, ['name', 'required']],
    'with an empty required text': [{ name: ' ' }, ['name', 'blank']],
    'with too long texts': [
      { name: 'x'.repeat(256), meta_title: 'x'.repeat(256) },
      ['name', 'too_long'],
      ['meta_title', 'too_long'],
    ],
    'with values of another type': [{ name: 5, description: null }, ['name', 'type'], ['description', 'null']],
    'with an invalid character': [{ name: 'a\0b' }, ['name', 'format']],
    'with other fields of the record': [
      { name: 'x', price: 5, sku: 'S' },
      ['price', 'unknown_field'],
      ['sku', 'unknown_field'],
    ],
  };
  for (const [what, [body, ...violations]] of Object.entries(rejected))
    test(`are rejected ${what}`, async () => {
      const response = await assertUnchanged(store, () => store.put(`${texts}/de`, body));
      assertViolations(response, ...violations);
    });

  test('ignore other fields with handling=lenient', async () => {
    const headers = { prefer: 'handling=lenient' };
    const response = await store.put(`${texts}/de`, { name: 'Hemd', price: 5 }, headers);
    assert.deepEqual([response.status, response.json.name], [200, 'Hemd']);
    assert.equal((await store.get(path)).json.price, 0);
    await store.delete(`${texts}/de`);
  });

  test('must be unique names in their language', async () => {
    const [summer, winter] = await Promise.all(
      ['Summer days', 'Winter days'].map(async (name) => `/api/tags/${(await store.made('/api/tags', { name })).id}`),
    );
    assert.equal((await store.put(`${summer}/translations/de`, { name: 'Sommer' })).status, 200);
    const response = await assertUnchanged(store, () => store.put(`${winter}/translations/de`, { name: ' sommer' }));
    assertViolations(response, ['name', 'not_unique']);
    assert.equal((await store.put(`${winter}/translations/fr`, { name: 'Sommer' })).status, 200);
    assert.equal((await store.put(`${summer}/translations/de`, { name: 'SOMMER' })).status, 200);
    await store.delete(`${summer}/translations/de`);
    assert.equal((await store.put(`${winter}/translations/de`, { name: 'Sommer' })).status, 200);
  });

  test('are used to find records by name immediately', async () => {
    const tag = await store.made('/api/tags', { name: 'Autumn' });
    await store.put(`/api/tags/${tag.id}/translations/de`, { name: 'Herbst' });
    const tagged = async (name: string) => (await store.patch(path, { tags: [name] }, de)).json.tags[0].id;
    assert.equal(await tagged('herbst'), tag.id);
    await store.delete(`/api/tags/${tag.id}/translations/de`);
    assert.equal(await tagged('Autumn'), tag.id);
    assert.notEqual(await tagged('Herbst'), tag.id);
    await store.patch(path, { tags: [] });
  });

  test('equal the texts written by a request in the language', async () => {
    await store.patch(path, { name: 'Chemise' }, fr);
    assert.deepEqual((await store.get(`${texts}/fr`)).json, { name: 'Chemise' });
    await store.put(`${texts}/fr`, { name: 'Chemisette' });
    assert.equal((await store.get(path, fr)).json.name, 'Chemisette');
    await store.delete(`${texts}/fr`);
  });

  for (const code of ['es', 'DE', 'deu', 'de-AT', 'xx', '%20', 'x'.repeat(300)])
    test(`return 404 for ${code.slice(0, 20)}, which is not a language of the store`, () =>
      assertUnchanged(store, async () => {
        for (const method of ['GET', 'PUT', 'DELETE']) {
          const body = method === 'PUT' ? { name: 'X' } : undefined;
          assertProblem(await store.request(method, `${texts}/${code}`, { body }), 404, /no language/);
        }
      }));

  test('return the status of their path for an unknown record or parent', async () => {
    for (const [target, status] of [
      ['/api/products/999999', 404],
      ['/api/products/none', 404],
      [`/api/product_classes/999999/attributes_select/1`, 400],
      [`${path}/attributes_text/999999/values`, 400],
    ] as const)
      for (const [method, own] of [
        ['GET', ''],
        ['GET', '/de'],
        ['PUT', '/de'],
        ['DELETE', '/de'],
      ] as const) {
        const body = method === 'PUT' ? { name: 'X', value: 'X' } : undefined;
        const prefer = { prefer: 'handling=lenient' };
        const response = await store.request(method, `${target}/translations${own}`, { body, headers: prefer });
        assertProblem(response, (await store.get(target)).status);
        assert.ok(response.status === status || response.status === 404, response.text);
      }
  });

  test('do not depend on Accept-Language', async () => {
    const spanish = { 'accept-language': 'es' };
    assert.equal((await store.put(`${texts}/de`, { name: 'Hemd' }, spanish)).status, 200);
    const read = await store.get(`${texts}/de`, spanish);
    assert.deepEqual([read.json.name, read.headers['content-language']], ['Hemd', 'de']);
    assert.equal((await store.get(texts, spanish)).headers['content-language'], undefined);
    assert.equal((await store.delete(`${texts}/de`, spanish)).status, 204);
  });

  test('are written with a read/write key only', async () => {
    const key = READ_ONLY_KEY;
    await assertUnchanged(store, async () => {
      assertProblem(await store.request('PUT', `${texts}/de`, { body: { name: 'X' }, key }), 403);
      assertProblem(await store.request('DELETE', `${texts}/en`, { key }), 403);
    });
    assert.equal((await store.request('GET', texts, { key })).status, 200);
    assert.equal((await store.request('GET', `${texts}/en`, { key })).status, 200);
  });

  test('support their methods and no parameters', async () => {
    for (const [target, methods] of [
      [texts, 'GET, HEAD, OPTIONS'],
      [`${texts}/de`, 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ] as const) {
      const response = await store.post(target, {});
      assertProblem(response, 405);
      assert.equal(response.headers.allow, methods);
      assertProblem(await store.get(`${target}?fields=name`), 400);
    }
    assertProblem(await store.put(`${texts}/de`, '{"name":'), 400);
    assertProblem(await store.put(`${texts}/de`, '{}', { 'content-type': 'text/plain' }), 415);
  });

  test('do not exist for records without writable texts', async () => {
    assertProblem(await store.get('/api/languages/de/translations'), 404);
    assertProblem(await store.get('/api/attributes/1/translations'), 404);
  });

  describe('conditions', () => {
    test('a write accepts the ETag of the language or of all translations', async () => {
      for (const target of [`${texts}/de`, texts]) {
        await store.put(`${texts}/de`, { name: 'Hemd' });
        const { etag } = (await store.get(target)).headers;
        const other = (await store.get(path)).headers.etag!;
        await assertUnchanged(store, async () => {
          for (const stale of [other, '"1-AAAAAAAAAAAAAAAAAAAAAA"']) {
            const put = await store.put(`${texts}/de`, { name: 'Neu' }, { 'if-match': stale });
            assertProblem(put, 412);
            assert.equal(put.headers.etag, (await store.get(`${texts}/de`)).headers.etag);
            assertProblem(await store.delete(`${texts}/de`, { 'if-match': stale }), 412);
          }
        });
        const written = await store.put(`${texts}/de`, { name: 'Neu' }, { 'if-match': etag! });
        assert.equal(written.status, 200, written.text);
        assertProblem(await store.delete(`${texts}/de`, { 'if-match': etag! }), 412);
        const now = { 'if-match': written.headers.etag! };
        assert.equal((await store.delete(`${texts}/de`, now)).status, 204);
      }
    });

    test('the first texts of a language require the ETag of all translations', async () => {
      const { etag } = (await store.get(texts)).headers;
      await store.patch(path, { price: 3 });
      assertProblem(await store.put(`${texts}/fr`, { name: 'X' }, { 'if-match': etag! }), 412);
      const now = { 'if-match': (await store.get(texts)).headers.etag! };
      assert.equal((await store.put(`${texts}/fr`, { name: 'Chemise' }, now)).status, 200);
      assert.equal((await store.delete(`${texts}/fr`, { 'if-match': '*' })).status, 204);
    });

    test('unchanged translations return 304', async () => {
      for (const target of [texts, `${texts}/en`]) {
        const { etag } = (await store.get(target)).headers;
        const again = await store.get(target, { 'if-none-match': etag! });
        assert.deepEqual([again.status, again.text], [304, '']);
        assert.notEqual((await store.get(target, LD)).headers.etag, etag);
        const head = await store.request('HEAD', target);
        assert.deepEqual([head.status, head.headers.etag], [200, etag]);
      }
    });
  });

  test('have a JSON-LD format that can be sent back', async () => {
    await store.put(`${texts}/de`, { name: 'Hemd' });
    const all = (await store.get(texts, LD)).json;
    assert.deepEqual(
      [all['@context'], all['@id'], all['@type']],
      ['/api/contexts/ProductTranslation', `/api/products/${id}/translations`, 'hydra:Resource'],
    );
    assert.deepEqual(
      [all.de['@id'], all.de['@type'], all.de.name],
      [`/api/products/${id}/translations/de`, 'ProductTranslation', 'Hemd'],
    );
    const one = await store.get(all.de['@id'], LD);
    assert.deepEqual(one.json, { '@context': all['@context'], ...all.de });
    const back = await store.put(all.de['@id'], one.json, { ...LD, 'content-type': LD.accept });
    assert.deepEqual([back.text, back.headers.etag], [one.text, one.headers.etag]);
    assertProblem(await store.put(all.de['@id'], one.json), 422);
    const context = (await store.get(all['@context'])).json['@context'];
    assert.equal(context.name, 'ProductTranslation/name');
    await store.delete(`${texts}/de`);
  });
});

onEachDatabase('required translations', {}, (store) => {
  test('cannot be deleted in the default language', async () => {
    const { id } = await store.made('/api/tags', { name: 'Summer' }, en);
    const texts = `/api/tags/${id}/translations`;
    await store.put(`${texts}/de`, { name: 'Sommer' });
    await assertUnchanged(store, async () =>
      assertProblem(await store.delete(`${texts}/en`), 409, /default language, en: name/),
    );
    await store.patch('/api/languages/de', { is_default: true });
    assertProblem(await store.delete(`${texts}/de`), 409);
    assert.equal((await store.delete(`${texts}/en`)).status, 204);
    assert.equal((await store.get(`/api/tags/${id}`, en)).json.name, 'Sommer');
    await store.patch('/api/languages/en', { is_default: true });
    // The default language has no texts, and the last translation still cannot be deleted.
    await assertUnchanged(store, async () =>
      assertProblem(await store.delete(`${texts}/de`), 409, /in no other language/),
    );
    await store.put(`${texts}/fr`, { name: 'Été' });
    assert.equal((await store.delete(`${texts}/de`)).status, 204);
    assert.equal((await store.get(`/api/tags/${id}`, de)).json.name, 'Été');
  });

  test('retain one of the last two in concurrent deletions', async () => {
    const { id } = await store.made('/api/tags', { name: 'Deux' }, fr);
    const texts = `/api/tags/${id}/translations`;
    await store.put(`${texts}/de`, { name: 'Zwei' });
    const responses = await Promise.all(['de', 'fr'].map((code) => store.delete(`${texts}/${code}`)));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [204, 409]);
    assert.equal(Object.keys((await store.get(texts)).json).length, 1);
  });

  test('of built-in statuses fall back to the built-in name when deleted', async () => {
    const [status] = (await store.get('/api/payment_statuses?code=P')).json;
    const path = `/api/payment_statuses/${status.id}`;
    assert.deepEqual((await store.get(`${path}/translations`)).json, {});
    await store.put(`${path}/translations/en`, { name: 'All paid', customer_name: 'Thanks' });
    assert.equal((await store.get(path)).json.name, 'All paid');
    assert.equal((await store.delete(`${path}/translations/en`)).status, 204);
    assert.deepEqual((await store.get(path)).json, status);
  });
});

onEachDatabase('translations in disabled languages', {}, (store) => {
  test('can be written in advance and are hidden from read-only keys', async () => {
    const { id } = await store.product({ name: 'Shirt' }, en);
    const texts = `/api/products/${id}/translations`;
    await store.made('/api/languages', { code: 'zh-Hant', name: '繁體中文', enabled: false });
    assert.equal((await store.put(`${texts}/zh-Hant`, { name: '襯衫' })).status, 200);
    const languages = async (key?: string) =>
      Object.keys((await store.request('GET', texts, key === undefined ? {} : { key })).json);
    for (const _ of [1, 2]) {
      assert.deepEqual(await languages(), ['en', 'zh-Hant']);
      assert.deepEqual(await languages(READ_ONLY_KEY), ['en']);
    }
    assertProblem(await store.request('GET', `${texts}/zh-Hant`, { key: READ_ONLY_KEY }), 404, /no language/);
    assert.equal((await store.get(`${texts}/zh-Hant`)).json.name, '襯衫');
    const chinese = { headers: { 'accept-language': 'zh-Hant-TW' }, key: READ_ONLY_KEY };
    assert.equal((await store.request('GET', `/api/products/${id}`, chinese)).json.name, 'Shirt');
    await store.patch('/api/languages/zh-Hant', { enabled: true });
    assert.deepEqual(await languages(READ_ONLY_KEY), ['en', 'zh-Hant']);
    assert.equal((await store.request('GET', `/api/products/${id}`, chinese)).json.name, '襯衫');
  });

  test('allow deletion of the language after the last text was deleted', async () => {
    await store.made('/api/languages', { code: 'it', name: 'Italiano', enabled: false });
    const { id } = await store.made('/api/tags', { name: 'Summer' }, en);
    await store.put(`/api/tags/${id}/translations/it`, { name: 'Estate' });
    assertProblem(await store.delete('/api/languages/it'), 409);
    await store.delete(`/api/tags/${id}/translations/it`);
    assert.equal((await store.delete('/api/languages/it')).status, 204);
  });
});

onBothDatabases('translations', {}, (stores) => {
  test('are equal on both databases', async () => {
    for (const store of stores) await store.product({ name: 'Shirt' });
    const [{ id }] = (await stores[0]!.get('/api/products')).json;
    const texts = `/api/products/${id}/translations`;
    await assertSameResponses(stores, [
      ['GET', texts],
      ['PUT', `${texts}/pt-BR`, { body: { name: 'Camisa' } }],
      ['PUT', `${texts}/de`, { body: { name: 'Hemd', meta_title: 'Ä' } }],
      ['GET', texts],
      ['GET', texts, { headers: LD }],
      ['DELETE', `${texts}/de`],
      ['DELETE', `${texts}/en`],
      ['DELETE', `${texts}/fr`],
      ['GET', `${texts}/pt-BR`],
      ['PUT', `${texts}/es`, { body: { name: 'Camiseta' } }],
    ]);
  });
});
