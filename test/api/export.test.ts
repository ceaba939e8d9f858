/** A whole collection in one response, one record per line (sync.md §3). */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditEntry } from '../../src/client/types.ts';
import { assertProblem } from '../support/expect.ts';
import { asLines, bulk, LINES, readLines } from '../support/lines.ts';
import type { Json } from '../support/openapi.ts';
import { onEachDatabase, onOneDatabase, READ_ONLY_KEY } from '../support/store.ts';

onEachDatabase('exports', {}, (store) => {
  const COUNT = 450;
  const exported = async (path: string, headers = {}) => {
    const response = await store.get(path, { accept: LINES, ...headers });
    assert.equal(response.status, 200, response.text);
    const records = readLines(response.text);
    assert.equal(response.headers['x-total-count'], String(records.length));
    return { response, records };
  };
  before(async () => {
    const lines = Array.from({ length: COUNT }, (_, index) => ({
      sku: `E-${index}`,
      name: `Exported ${index}`,
      price: index,
      enabled: index % 3 === 0,
      clean_url: `e-${index}`,
    }));
    const { counts } = await bulk(store, '/api/products/bulk', lines);
    assert.equal(counts, `created ${COUNT}`);
  });

  test('contain every record once, by id, as pages show it', async () => {
    const { records, response } = await exported('/api/products');
    assert.equal(records.length, COUNT);
    assert.equal(response.headers['content-type'], `${LINES}; charset=utf-8`);
    const ids = records.map(({ id }) => id);
    assert.deepEqual(
      ids,
      [...new Set(ids)].sort((one, other) => one - other),
    );
    const page = (await store.get('/api/products?itemsPerPage=100&page=2')).json;
    assert.deepEqual(
      records.filter(({ id }) => page.some((shown: Json) => shown.id === id)),
      page,
    );
    // A bulk write accepts the lines of an export.
    const again = await bulk(store, '/api/products/bulk', records.slice(0, 50));
    assert.equal(again.counts, 'unchanged 50');
  });

  test('apply filters, search and field selection', async () => {
    const filtered = await exported('/api/products?enabled=true&price[gte]=300&fields=sku,price');
    assert.deepEqual(
      filtered.records.map(({ price }) => price).sort((one, other) => one - other),
      Array.from({ length: 50 }, (_, index) => 300 + 3 * index),
    );
    assert.deepEqual(Object.keys(filtered.records[0]).sort(), ['price', 'sku']);
    const searched = await exported('/api/products?search=exported%20449');
    assert.deepEqual(
      searched.records.map(({ sku }) => sku),
      ['E-449'],
    );
    assert.equal((await exported('/api/products?sku=NOBODY')).response.text, '');
  });

  test('contain the records around gaps of ids', async () => {
    const { records } = await exported('/api/products?price[lt]=120');
    await bulk(
      store,
      '/api/products/bulk?key=id',
      records.map(({ id }) => ({ op: 'delete', key: id })),
    );
    assert.equal((await exported('/api/products')).records.length, COUNT - records.length);
  });

  test('contain every level of categories', async () => {
    const top = await store.made('/api/categories', { name: 'Top' });
    const below = await store.made('/api/categories', { name: 'Below', parent: top.id });
    const { records } = await exported('/api/categories');
    assert.deepEqual(records.map(({ id }) => id).slice(-2), [top.id, below.id]);
    const only = await exported(`/api/categories?parent=${top.id}`);
    assert.deepEqual(
      only.records.map(({ id }) => id),
      [below.id],
    );
  });

  test('work below an existing parent and return 400 below an unknown one', async () => {
    const { records } = await exported(`/api/products/${(await store.product()).id}/images`);
    assert.deepEqual(records, []);
    assertProblem(await store.get('/api/products/999999999/images', { accept: LINES }), 400);
  });

  test('work for collections with text ids', async () => {
    const { records } = await exported('/api/languages');
    assert.deepEqual(
      records.map(({ code }) => code),
      ['de', 'en', 'fr', 'pt-BR'],
    );
  });

  test('contain texts in the language of the request', async () => {
    const { sku } = await store.product();
    await bulk(store, '/api/products/bulk', [{ sku, name: 'Auf Deutsch' }], { 'accept-language': 'de' });
    const { records, response } = await exported(`/api/products?sku=${sku}`, { 'accept-language': 'de' });
    assert.equal(response.headers['content-language'], 'de');
    assert.equal(records[0].name, 'Auf Deutsch');
  });

  test('contain the state of one point in time despite concurrent writes', async () => {
    // More than the connection buffers, in a text that search does not index.
    const meta_description = 'x'.repeat(40_000);
    const small = (await exported('/api/products')).records;
    await bulk(
      store,
      '/api/products/bulk',
      small.map(({ sku }) => ({ sku, meta_description })),
    );
    const before = (await exported('/api/products')).records;
    const response = await fetch(`${store.address}/api/products`, {
      headers: { accept: LINES, 'x-auth-token': 'read-write-key-of-the-tests' },
    });
    await bulk(store, '/api/products/bulk', [
      ...before.map(({ sku }) => ({ sku, name: 'Changed meanwhile' })),
      { sku: 'E-MEANWHILE', name: 'Made meanwhile' },
      { op: 'delete', key: before.at(-1).sku },
    ]);
    assert.deepEqual(readLines(await response.text()), before);
  });

  test('return a cursor that continues with later changes', async () => {
    const { response } = await exported('/api/products');
    const after = String(response.headers['changes-cursor']);
    assert.deepEqual((await store.get(`/api/changes?after=${after}`)).json, []);
    const { id } = await store.product();
    const { json } = await store.get(`/api/changes?after=${after}`);
    assert.deepEqual(
      json.map((entry: Json) => [entry.resource, entry.id, entry.action]),
      [['Product', id, 'created']],
    );
  });

  test('return the count for HEAD', async () => {
    const head = await store.request('HEAD', '/api/products?sku=E-449', { headers: { accept: LINES } });
    assert.deepEqual([head.status, head.headers['x-total-count'], head.text], [200, '1', '']);
    assert.equal(head.headers['content-length'], undefined, 'the length of the lines is unknown');
  });
});

onOneDatabase('limits of exports', { EXPORTS_AT_ONCE_MAX: '1', EXPORT_STALLED_SECONDS_MAX: '3' }, (store) => {
  for (const query of ['?page=2', '?itemsPerPage=5', '?order[price]=asc', '?order=price'])
    test(`rejects ${query}, also with handling=lenient`, async () => {
      const name = query.slice(1).split('=')[0]!;
      const response = await store.get(`/api/products${query}`, { accept: LINES });
      assertProblem(response, 400);
      assert.ok(response.json.detail.includes(name), response.text);
      assertProblem(await store.get(`/api/products${query}`, { accept: LINES, prefer: 'handling=lenient' }), 400);
    });

  test('rejects unknown filters with 400', async () => {
    assertProblem(await store.get('/api/products?colour=red', { accept: LINES }), 400);
  });

  test('have one entry each in the audit, also if the client breaks off', async () => {
    const headers = (id: string) => ({ accept: LINES, 'x-request-id': `export-${id}` });
    const { id: category } = await store.made('/api/categories', { name: 'Recorded' });
    await store.get('/api/products?enabled=true', headers('all'));
    await store.get(`/api/categories/${category}/products`, headers('part'));
    const broken = await fetch(`${store.address}/api/products`, {
      headers: { ...headers('broken'), 'x-auth-token': READ_ONLY_KEY },
    });
    await broken.body!.cancel();
    await store.request('HEAD', '/api/products', { headers: headers('head') });
    assertProblem(await store.get('/api/categories/4711/products', headers('unknown')), 400);
    const entries: AuditEntry[] = (await store.get('/api/audit?action=export&order[id]=asc&itemsPerPage=1000')).json;
    const own = entries.filter(({ request_id }) => request_id?.startsWith('export-'));
    assert.deepEqual(
      own.map(({ request_id, actor, resource, path, changes, record_id }) => [
        ...[request_id, actor.name, resource, path, changes, record_id],
      ]),
      [
        ['export-all', 'read/write', 'Product', '/api/products', {}, null],
        ['export-part', 'read/write', 'CategoryProduct', `/api/categories/${category}/products`, {}, null],
        ['export-broken', 'read-only', 'Product', '/api/products', {}, null],
      ],
    );
  });

  test('accepts read-only keys, and rejects exports of a single record with 406', async () => {
    const { status } = await store.request('GET', '/api/products', { headers: { accept: LINES }, key: READ_ONLY_KEY });
    assert.equal(status, 200);
    const { id } = await store.product();
    assertProblem(await store.get(`/api/products/${id}`, { accept: LINES }), 406);
  });

  test('returns a page if the client accepts JSON and JSON Lines', async () => {
    const response = await store.get('/api/products', { accept: `${LINES};q=0.5, application/json` });
    assert.match(response.headers['content-type']!, /^application\/json/);
  });

  test('aborts an unread export and rejects another one until then', async () => {
    const description = 'x'.repeat(100_000);
    const lines = Array.from({ length: 200 }, (_, index) => ({ sku: `LONG-${index}`, name: 'Long', description }));
    const sent = await store.request('POST', '/api/products/bulk', {
      body: asLines(lines),
      headers: { 'content-type': LINES },
    });
    assert.equal(sent.status, 200);
    const unread = await fetch(`${store.address}/api/products`, {
      headers: { accept: LINES, 'x-auth-token': 'read-write-key-of-the-tests' },
    });
    const rejected = await store.get('/api/products', { accept: LINES });
    assertProblem(rejected, 503);
    assert.equal(rejected.headers['retry-after'], '10');
    while ((await store.get('/api/products?sku=NOBODY', { accept: LINES })).status !== 200) await sleep(20);
    await assert.rejects(unread.text());
  });
});
