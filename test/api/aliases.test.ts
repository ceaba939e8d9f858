/** Path aliases of release 5.5: the same resources under other paths, which the reference omits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApiDocument } from '../../src/describe/openapi.ts';
import { storeModel } from '../../src/wiring/open.ts';
import { assertProblem } from '../support/expect.ts';
import { onOneDatabase } from '../support/store.ts';

const ALIASES: readonly [alias: string, path: string][] = [
  ['/api/product_tags', '/api/tags'],
  ['/api/product_stickers', '/api/stickers'],
];

onOneDatabase('path aliases of release 5.5', {}, (store) => {
  for (const [alias, path] of ALIASES) {
    test(`${alias} behaves like ${path} in every operation`, async () => {
      const made = await store.post(alias, { name: 'Old' });
      assert.equal(made.status, 201, made.text);
      const { id } = made.json;
      assert.equal(made.headers.location, `${store.address}${alias}/${id}`);
      const same = async (suffix: string, headers = {}) => {
        const [old, now] = [
          await store.get(`${alias}${suffix}`, headers),
          await store.get(`${path}${suffix}`, headers),
        ];
        assert.deepEqual([old.status, old.text, old.headers.etag], [200, now.text, now.headers.etag]);
      };
      for (const suffix of ['', `/${id}`, '?name=old', '?order[name]=desc&itemsPerPage=1']) await same(suffix);
      const { etag } = (await store.get(`${path}/${id}`)).headers;
      assert.equal((await store.put(`${alias}/${id}`, { name: 'Newer' }, { 'if-match': etag })).status, 200);
      assert.equal((await store.patch(`${alias}/${id}`, { name: 'Newest' })).json.name, 'Newest');
      await same(`/${id}`);
      assertProblem(await store.patch(`${alias}/${id}`, { name: 'Lost' }, { 'if-match': etag }), 412);
      assert.equal((await store.request('HEAD', `${alias}/${id}`)).status, 200);
      assertProblem(await store.request('PATCH', alias, { body: {} }), 405);
      assertProblem(await store.get(`${alias}?colour=red`), 400);
      assert.equal((await store.delete(`${alias}/${id}`)).status, 204);
      assertProblem(await store.get(`${path}/${id}`), 404);
    });

    test(`records at ${alias} have the JSON-LD address of ${path}`, async () => {
      const { id } = await store.made(alias, { name: 'Linked' });
      const ld = { accept: 'application/ld+json' };
      assert.equal((await store.get(`${alias}/${id}`, ld)).json['@id'], `${path}/${id}`);
      const page = (await store.get(alias, ld)).json;
      assert.equal(page['@id'], path);
      assert.ok(page['hydra:member'].some((member: Record<string, unknown>) => member['@id'] === `${path}/${id}`));
      assert.deepEqual((await store.get(`${path}?id=${alias}/${id}`)).json[0].id, id);
    });
  }

  test('the reference omits the aliases', () => {
    const document = openApiDocument(storeModel(), { baseUrl: '', programVersion: '1', specVersion: '3.1.0' });
    assert.doesNotMatch(JSON.stringify(document), /product_tags|product_stickers/);
  });
});
