/** The store's languages: exactly one default, and none is deleted while it has texts (catalog.md §11). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem, assertUnchanged, assertViolations } from '../support/expect.ts';
import { outputNames, whole } from '../support/fields.ts';
import { onEachDatabase, type Store } from '../support/store.ts';

async function defaults(store: Store): Promise<string[]> {
  const { json } = await store.get('/api/languages');
  return json.filter((each: { is_default: boolean }) => each.is_default).map(({ code }: { code: string }) => code);
}

onEachDatabase('languages', {}, (store) => {
  test('are initially those of the settings', async () => {
    const { json } = await store.get('/api/languages');
    assert.deepEqual(
      json.map(({ code, enabled, is_default }: Record<string, unknown>) => [code, enabled, is_default]),
      [
        ['de', true, false],
        ['en', true, true],
        ['fr', true, false],
        ['pt-BR', true, false],
      ],
    );
    for (const language of json) {
      assert.deepEqual(Object.keys(language), outputNames('Language'));
      assert.deepEqual((await store.get(`/api/languages/${language.code}`)).json, language);
      assert.ok(language.name);
    }
  });

  test('are created, used, updated and deleted', async () => {
    const created = await store.post('/api/languages', { code: 'it', name: 'Italiano' });
    assert.equal(created.status, 201, created.text);
    assert.deepEqual(
      created.json,
      whole('Language', { code: 'it', name: 'Italiano', enabled: true, is_default: false }),
    );
    assert.equal(created.headers.location, `${store.address}/api/languages/it`);
    const it = { 'accept-language': 'it-CH' };
    assert.equal((await store.get('/api/tags', it)).headers['content-language'], 'it');
    assert.equal((await store.patch('/api/languages/it', { name: 'Italienisch' })).json.name, 'Italienisch');
    const replaced = await store.put('/api/languages/it', { code: 'it', name: 'Italiano', enabled: false });
    assert.deepEqual(
      replaced.json,
      whole('Language', { code: 'it', name: 'Italiano', enabled: false, is_default: false }),
    );
    assert.equal((await store.get('/api/tags', it)).headers['content-language'], 'en');
    assert.equal((await store.put('/api/languages/it', { name: 'Italiano' })).json.enabled, true);
    assert.equal((await store.delete('/api/languages/it')).status, 204);
    assertProblem(await store.get('/api/languages/it'), 404);
    assert.equal((await store.get('/api/tags', it)).headers['content-language'], 'en');
  });

  for (const [code, range] of [
    ['ast', 'ast-ES'],
    ['zh-Hant', 'zh-hant-tw'],
    ['zh-Hant-HK', 'ZH-HANT-HK'],
    ['sr-Latn-RS', 'sr-Latn-RS-x-a-b'],
    ['es-419', 'es-419'],
    ['yue-Hans-CN', 'yue-Hans-CN-u-co-stroke'],
  ] as const)
    test(`accept the code ${code}, which Accept-Language ${range} selects`, async () => {
      const created = await store.post('/api/languages', { code, name: 'X' });
      assert.equal(created.headers.location, `${store.address}/api/languages/${code}`, created.text);
      const headers = { 'accept-language': range };
      assert.equal((await store.get('/api/tags', headers)).headers['content-language'], code);
      const { id } = await store.made('/api/tags', { name: code }, headers);
      assert.equal((await store.get(`/api/tags/${id}`, headers)).json.name, code);
      await store.delete(`/api/tags/${id}`);
      assert.equal((await store.delete(`/api/languages/${code}`)).status, 204);
    });

  const codes = [
    'DE',
    'De',
    'd',
    'deut',
    'zh-hant',
    'zh-HANT',
    'zh-Hans-',
    'zh-CN-Hant',
    'es-41',
    'es-4190',
    'de-Latn-AT-1996',
    'de-x-a',
    'de-at',
    'DE-AT',
    'de_AT',
    'de-AUT',
    '',
    ' de',
    'de ',
    'de\n',
    'dé',
    'de-',
    '12',
  ];
  for (const code of codes)
    test(`reject the code ${JSON.stringify(code)}`, () =>
      assertUnchanged(store, async () => {
        const response = await store.post('/api/languages', { code, name: 'X' });
        assertProblem(response, 422);
        for (const { propertyPath } of response.json.violations) assert.equal(propertyPath, 'code');
      }));

  test('require a code and a name of the right type', () =>
    assertUnchanged(store, async () => {
      assertViolations(await store.post('/api/languages', {}), ['code', 'required'], ['name', 'required']);
      assertViolations(await store.post('/api/languages', { code: 5, name: null }), ['code', 'type'], ['name', 'null']);
      assertViolations(await store.post('/api/languages', { code: 'de', name: 'Again' }), ['code', 'not_unique']);
      assertViolations(await store.post('/api/languages', { code: 'sv', name: 'S', enabled: 1 }), ['enabled', 'type']);
    }));

  test('cannot change their code', async () => {
    await assertUnchanged(store, async () => {
      for (const code of ['it', 'DE', null, 5, ''])
        for (const method of ['PUT', 'PATCH']) {
          const response = await store.request(method, '/api/languages/de', { body: { code, name: 'Neu' } });
          assertProblem(response, 422);
          assert.deepEqual(
            response.json.violations.map(({ propertyPath }: { propertyPath: string }) => propertyPath),
            ['code'],
          );
        }
    });
    const read = await store.get('/api/languages/de');
    const back = await store.put('/api/languages/de', read.json);
    assert.deepEqual([back.status, back.headers.etag], [200, read.headers.etag]);
  });

  test('are filtered by code and enabled, and sorted by code', async () => {
    await store.patch('/api/languages/fr', { enabled: false });
    const codesOf = async (query: string) =>
      (await store.get(`/api/languages?${query}`)).json.map(({ code }: { code: string }) => code);
    assert.deepEqual(await codesOf('enabled=false'), ['fr']);
    assert.deepEqual(await codesOf('code=pt-BR'), ['pt-BR']);
    assert.deepEqual(await codesOf('code[]=de&code[]=fr&code[]=xx'), ['de', 'fr']);
    assert.deepEqual(await codesOf('order[code]=desc'), ['pt-BR', 'fr', 'en', 'de']);
    await store.patch('/api/languages/fr', { enabled: true });
  });
});

onEachDatabase('default language', {}, (store) => {
  test('can be changed, and there is always exactly one', async () => {
    for (const code of ['de', 'fr', 'en']) {
      const { status, json } = await store.patch(`/api/languages/${code}`, { is_default: true });
      assert.deepEqual([status, json.is_default], [200, true]);
      assert.deepEqual(await defaults(store), [code]);
      assert.equal((await store.get('/api/tags')).headers['content-language'], code);
    }
    await store.made('/api/languages', { code: 'nl', name: 'Nederlands', is_default: true });
    assert.deepEqual(await defaults(store), ['nl']);
    const put = await store.put('/api/languages/en', { code: 'en', name: 'English', is_default: true });
    assert.equal(put.status, 200);
    assert.deepEqual(await defaults(store), ['en']);
  });

  test('is exactly one after concurrent changes', async () => {
    const responses = await Promise.all(
      ['de', 'fr', 'en', 'de', 'fr', 'en', 'de', 'fr'].map((code) =>
        store.patch(`/api/languages/${code}`, { is_default: true }),
      ),
    );
    for (const { status, text } of responses) assert.equal(status, 200, text);
    assert.equal((await defaults(store)).length, 1);
    await store.patch('/api/languages/en', { is_default: true });
  });

  test('cannot be unset, disabled or deleted', () =>
    assertUnchanged(store, async () => {
      assertViolations(await store.patch('/api/languages/en', { is_default: false }), ['is_default', 'conflict']);
      assertViolations(await store.patch('/api/languages/en', { enabled: false }), ['enabled', 'conflict']);
      assertProblem(
        await store.put('/api/languages/en', { code: 'en', name: 'E', enabled: false, is_default: true }),
        422,
      );
      assertProblem(await store.delete('/api/languages/en'), 409);
    }));

  test('cannot be a disabled language', async () => {
    await store.patch('/api/languages/fr', { enabled: false });
    await assertUnchanged(store, async () => {
      assertProblem(await store.patch('/api/languages/fr', { is_default: true }), 422);
      const disabled = { code: 'sv', name: 'Svenska', enabled: false, is_default: true };
      assertProblem(await store.post('/api/languages', disabled), 422);
    });
    assert.equal((await store.patch('/api/languages/fr', { enabled: true, is_default: true })).status, 200);
    assert.deepEqual(await defaults(store), ['fr']);
  });
});

onEachDatabase('language with texts', {}, (store) => {
  test('cannot be deleted before its texts', async () => {
    const { id } = await store.made('/api/tags', { name: 'Été' }, { 'accept-language': 'fr' });
    await assertUnchanged(store, async () => assertProblem(await store.delete('/api/languages/fr'), 409));
    assert.equal((await store.patch('/api/languages/fr', { enabled: false })).status, 200);
    assertProblem(await store.delete('/api/languages/fr'), 409);
    assert.equal((await store.get(`/api/tags/${id}`)).json.name, 'Été');
    await store.delete(`/api/tags/${id}`);
    assert.equal((await store.delete('/api/languages/fr')).status, 204);
  });
});

onEachDatabase('languages of the settings', { LANGUAGES: 'zh-Hant, ast,es-419' }, (store) => {
  test('may have a script or a numeric region', async () => {
    const codes = (await store.get('/api/languages')).json.map(({ code }: { code: string }) => code);
    assert.deepEqual(codes, ['ast', 'en', 'es-419', 'zh-Hant']);
  });
});
