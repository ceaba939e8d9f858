/**
 * The data provider of `@api-platform/admin`, set up as its manual shows for an API with a key. It reads the Hydra documentation, then
 * sends the requests of the generic administration. Its package loads all of react-admin, which requires a `window`: jsdom's.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { JSDOM } from 'jsdom';
import { READ_WRITE_KEY, withStore } from './support/store.ts';

type Admin = typeof import('@api-platform/admin');
type DataProvider = ReturnType<Admin['hydraDataProvider']>;

withStore('@api-platform/admin', (store) => {
  let provider: DataProvider;

  before(async () => {
    const { window } = new JSDOM('', { url: store.address });
    Object.assign(globalThis, { window, document: window.document });
    const { hydraDataProvider, fetchHydra } = await import('@api-platform/admin');
    const { parseHydraDocumentation } = await import('@api-platform/api-doc-parser');
    const headers = { 'X-Auth-Token': READ_WRITE_KEY };
    provider = hydraDataProvider({
      entrypoint: `${store.address}/api`,
      httpClient: (url, options = {}) =>
        fetchHydra(url, { ...options, headers: new Headers({ ...(options.headers as object), ...headers }) }),
      apiDocumentationParser: (entrypoint: string) => parseHydraDocumentation(entrypoint, { headers }),
      mercure: false,
    });
  });

  const list = { pagination: { page: 1, perPage: 10 }, sort: { field: 'id', order: 'ASC' as const }, filter: {} };

  test('the data provider finds the resources in the Hydra documentation', async () => {
    const { data } = await provider.introspect();
    const names = (data.resources ?? []).map(({ name }) => name);
    for (const name of ['products', 'categories', 'orders', 'languages']) assert.ok(names.includes(name), name);
  });

  test('the data provider creates, reads, lists, updates and deletes products', async () => {
    const { data: taxClass } = await provider.create('tax_classes', { data: { name: 'Books' } });
    const { data: created } = await provider.create('products', {
      data: { sku: 'ADMIN-1', name: 'Made', price: 19.99, tags: ['Summer'], tax_class: taxClass.id },
    });
    assert.match(String(created.id), /^\/api\/products\/\d+$/);
    assert.deepEqual([created.sku, created.price, created.tax_class.name], ['ADMIN-1', 19.99, 'Books']);
    for (const number of [2, 3])
      await provider.create('products', { data: { sku: `ADMIN-${number}`, name: `Other ${number}`, price: number } });

    const { data: read } = await provider.getOne('products', { id: created.id });
    assert.deepEqual(read, created);

    const all = await provider.getList('products', list);
    assert.equal(all.total, 3);
    const page = await provider.getList('products', {
      pagination: { page: 2, perPage: 2 },
      sort: { field: 'price', order: 'ASC' },
      filter: {},
    });
    assert.deepEqual([page.total, page.data.map(({ sku }) => sku)], [3, ['ADMIN-1']]);
    const found = await provider.getList('products', {
      ...list,
      filter: { name: 'other', price: { between: '3..4' } },
    });
    assert.deepEqual(
      found.data.map(({ sku }) => sku),
      ['ADMIN-3'],
    );
    const many = await provider.getMany('products', { ids: all.data.map(({ id }) => id) });
    assert.deepEqual(many.data.map(({ sku }) => sku).sort(), ['ADMIN-1', 'ADMIN-2', 'ADMIN-3']);

    // The form sends the whole record back, including what it and JSON-LD have added.
    const { data: updated } = await provider.update('products', {
      id: created.id,
      data: { ...read, name: 'Updated', price: 17.5 },
      previousData: read,
    });
    assert.deepEqual([updated.id, updated.name, updated.price], [created.id, 'Updated', 17.5]);
    assert.equal((await store.get(String(created.id))).json.name, 'Updated');
    assert.equal((await store.get(String(created.id))).json.tax_class.name, 'Books');

    await provider.delete('products', { id: created.id, previousData: updated });
    assert.equal((await provider.getList('products', list)).total, 2);
    assert.equal((await store.get(String(created.id))).status, 404);
  });

  test('every collection that it finds can be listed', async () => {
    const { data } = await provider.introspect();
    for (const { name } of data.resources ?? []) {
      const { data: records, total } = await provider.getList(name, list);
      // The provider cannot read the total of an empty collection: it treats 0 as missing.
      assert.equal(records.length, Math.min(total ?? 0, 10), name);
    }
  });

  test('records without an id are identified by their own key', async () => {
    const { data: language } = await provider.create('languages', { data: { code: 'es', name: 'Español' } });
    assert.equal(language.id, '/api/languages/es');
    const { data: renamed } = await provider.update('languages', {
      id: language.id,
      data: { ...language, name: 'Castellano' },
      previousData: language,
    });
    assert.equal(renamed.name, 'Castellano');
    await provider.delete('languages', { id: language.id, previousData: renamed });
  });

  test('a rejected record becomes the error that react-admin’s forms show', async () => {
    const rejected = provider.create('products', { data: { sku: '', name: ' ' } });
    await assert.rejects(rejected, (error: { status: number; message: string }) => {
      assert.equal(error.status, 422);
      assert.ok(error.message);
      return true;
    });
  });
});
