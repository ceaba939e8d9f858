/** `fields=` on reads: only the selected fields, in output order, with their own ETag. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertProblem } from '../support/expect.ts';
import { type Json, onEachDatabase } from '../support/store.ts';

const ld = { accept: 'application/ld+json' };

onEachDatabase('field selection', {}, (store) => {
  let path: string;
  let whole: Json;
  before(async () => {
    const { id } = await store.product({ sku: 'F-1', name: 'Name', price: 5, description: 'D', tags: ['Red'] });
    path = `/api/products/${id}`;
    whole = (await store.get(path)).json;
    await store.product({ sku: 'F-2', name: 'Second', price: 7 });
  });

  const SELECTIONS: [query: string, fields: string[]][] = [
    ['fields=id,sku,price', ['id', 'sku', 'price']],
    ['fields=price,sku,price,id', ['id', 'sku', 'price']],
    ['fields=price,%20sku', ['sku', 'price']],
    ['fields=price', ['price']],
    ['fields=tags,images,tax_class', ['tags', 'tax_class', 'images']],
    ['fields=og_meta_tags', ['og_meta_tags']],
    ['fields=name,og_meta_tags,create_date', ['name', 'og_meta_tags', 'create_date']],
  ];
  for (const [query, fields] of SELECTIONS)
    test(`?${query} returns these fields of the whole record`, async () => {
      const expected = Object.fromEntries(fields.map((name) => [name, whole[name]]));
      const one = await store.get(`${path}?${query}`);
      assert.deepEqual(one.json, expected);
      assert.deepEqual(
        Object.keys(one.json),
        Object.keys(whole).filter((name) => fields.includes(name)),
      );
      const list = await store.get(`/api/products?sku=F-1&${query}`);
      assert.deepEqual(list.json, [expected]);
      assert.equal(list.headers['x-total-count'], '1');
      const linked = (await store.get(`${path}?${query}`, ld)).json;
      const wholeLinked = (await store.get(path, ld)).json;
      const keys = ['@context', '@id', '@type', ...fields];
      assert.deepEqual(linked, Object.fromEntries(keys.map((name) => [name, wholeLinked[name]])));
      const [member] = (await store.get(`/api/products?sku=F-1&${query}`, ld)).json['hydra:member'];
      const { '@context': _, ...inList } = linked;
      assert.deepEqual(member, inList);
    });

  test('does not affect filters, orders and pages', async () => {
    const response = await store.get('/api/products?fields=sku&order[price]=desc&name[]=e&itemsPerPage=1');
    assert.deepEqual(response.json, [{ sku: 'F-2' }]);
    assert.match(String(response.headers.link), /fields=sku&order%5Bprice%5D=desc[^>]*cursor=[\w-]+>; rel="next"/);
  });

  test('may omit the text that a list is sorted by', async () => {
    for (const name of ['B', 'A']) await store.made('/api/stickers', { name });
    for (const headers of [{}, { 'accept-language': 'de' }])
      assert.deepEqual((await store.get('/api/stickers?fields=id', headers)).json, [{ id: 2 }, { id: 1 }]);
  });

  test('uses the language of the request', async () => {
    await store.patch(path, { name: 'Namen' }, { 'accept-language': 'de' });
    assert.deepEqual((await store.get(`${path}?fields=name`, { 'accept-language': 'de' })).json, { name: 'Namen' });
    assert.deepEqual((await store.get(`${path}?fields=name`)).json, { name: 'Name' });
  });

  const REJECTED = ['fields=', 'fields=,', 'fields=id,', 'fields=colour', 'fields=id,Price', 'fields=id&fields=sku'];
  for (const query of [...REJECTED, 'fields[]=id', 'fields[gt]=id', 'fields=category', 'fields=meta_description_type'])
    test(`rejects ?${query} with 400`, async () => {
      for (const at of [path, '/api/products']) assertProblem(await store.get(`${at}?${query}`), 400, /field/);
    });

  test('suggests the nearest field, and ignores unknown ones with handling=lenient', async () => {
    assertProblem(await store.get(`${path}?fields=id,prize`), 400, /"prize".*Did you mean.*"price"/);
    const response = await store.get(`${path}?fields=id,prize`, { prefer: 'handling=lenient' });
    assert.deepEqual([response.status, response.json], [200, (await store.get(path)).json]);
  });

  test('is rejected on writes and views', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      assertProblem(
        await store.request(method, `${path}?fields=id`, { body: method === 'DELETE' ? undefined : {} }),
        400,
      );
    assertProblem(await store.post('/api/products?fields=id', {}), 400);
    const { id } = await store.made('/api/categories', { name: 'C' });
    assertProblem(await store.get(`/api/categories/${id}/stats?fields=products_count`), 400);
  });

  test('works on singletons, nested records and records with other ids', async () => {
    const { id } = await store.made('/api/categories', { name: 'Linked' });
    const product_id = whole.id as number;
    await store.made(`/api/categories/${id}/products`, { product_id, position: 3 });
    const link = await store.get(`/api/categories/${id}/products/${product_id}?fields=position`, ld);
    assert.equal(link.json['@id'], `/api/categories/${id}/products/${product_id}`);
    assert.ok(!('product_id' in link.json));
    assert.equal(link.json.position, 3);
    assert.deepEqual((await store.get('/api/languages/en?fields=name')).json, { name: 'English' });
    assert.deepEqual((await store.get(`/api/products/${product_id}/categories?fields=name`)).json, [
      { name: 'Linked' },
    ]);
  });

  test('has an ETag of the selected fields', async () => {
    const some = `${path}?fields=id,price`;
    const { etag } = (await store.get(some)).headers;
    assert.match(etag!, /^"\d+-f\.[\w-]+"$/);
    assert.notEqual(etag, (await store.get(path)).headers.etag);
    assert.equal((await store.get(some, { 'if-none-match': etag })).status, 304);
    await store.patch(`/api/tags/${(whole.tags as Json[])[0]!.id}`, { name: 'Rot' });
    assert.equal((await store.get(some)).headers.etag, etag);
  });

  test('has an ETag whose version is compared in If-Match', async () => {
    const { etag } = (await store.get(`${path}?fields=price`)).headers;
    assert.equal((await store.patch(path, { price: 6 }, { 'if-match': etag })).status, 200);
    const earlier = await store.get(path);
    assertProblem(await store.patch(path, { price: 8 }, { 'if-match': etag }), 412);
    assert.deepEqual([(await store.get(path)).text], [earlier.text]);
    const other = (await store.get(`${path}?fields=sku`)).headers.etag!;
    assertProblem(await store.delete(path, { 'if-match': other.replace('-f.', '-') }), 412);
    assert.equal((await store.put(path, earlier.json, { 'if-match': `"0-x", ${other}` })).status, 200);
  });
});

onEachDatabase('many field selections', {}, (store) => {
  test('are correct beyond the size of the cache', async () => {
    const product = await store.product({ price: 3 });
    const names = Object.keys(product).filter(
      (name) => typeof product[name] === 'number' || typeof product[name] === 'boolean',
    );
    for (let set = 1; set < 2 ** 8; set += 1) {
      const wanted = names.slice(0, 8).filter((_, index) => set & (1 << index));
      const { json } = await store.get(`/api/products/${product.id}?fields=${wanted.join()}`);
      assert.deepEqual(json, Object.fromEntries(wanted.map((name) => [name, product[name]])));
    }
  });
});
