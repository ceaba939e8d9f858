/** Bulk writes of many records in one request (sync.md §4): lines, keys, conditions, modes, results. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertProblem } from '../support/expect.ts';
import { attached, png } from '../support/images.ts';
import { asLines, bulk, LINES, readLines } from '../support/lines.ts';
import { orderItem, orderOf } from '../support/orders.ts';
import { type Json, onEachDatabase, onOneDatabase, READ_ONLY_KEY } from '../support/store.ts';
import { madeVariant, varied } from '../support/variants.ts';

let count = 0;

/** Returns a product that differs from every other. */
function product(fields: Json = {}): Json & { readonly sku: string } {
  count += 1;
  return { sku: `BULK-${count}`, name: `Bulk ${count}`, ...fields } as Json & { readonly sku: string };
}

onEachDatabase('bulk writes', {}, (store) => {
  const products = (lines: readonly (Json | string)[], query = '', headers = {}) =>
    bulk(store, `/api/products/bulk${query}`, lines, headers);
  const bySku = async (sku: string): Promise<Json | undefined> =>
    (await store.get(`/api/products?sku=${encodeURIComponent(sku)}`)).json[0];

  test('create, update and skip records and report each result in line order', async () => {
    const [one, other] = [product({ price: 5 }), product()];
    const first = await products([one, other, { ...one, price: 7 }]);
    assert.deepEqual(
      first.results.map(({ line, key, status, result, version }) => [line, key, status, result, version]),
      [
        [1, one.sku, 201, 'created', 1],
        [2, other.sku, 201, 'created', 1],
        [3, one.sku, 200, 'updated', 2],
      ],
    );
    const stored = (await store.get(`/api/products/${first.results[0].id}`)).json;
    assert.deepEqual([stored.sku, stored.price], [one.sku, 7]);
    const again = await products([{ ...one, price: 7 }, other]);
    assert.equal(again.counts, 'unchanged 2');
    assert.deepEqual(
      again.results.map(({ id, version }) => [id, version]),
      [
        [first.results[0].id, 2],
        [first.results[1].id, 1],
      ],
    );
  });

  test('report the version of the ETag', async () => {
    const { results } = await products([product(), product()]);
    for (const { id, version } of results)
      assert.match((await store.get(`/api/products/${id}`)).headers.etag!, new RegExp(`^"${version}-`));
  });

  test('delete records and report absent ones as unchanged', async () => {
    const { sku, id } = await store.product();
    const { results } = await products([
      { op: 'delete', key: sku },
      { op: 'delete', key: sku },
    ]);
    assert.deepEqual(results, [
      { line: 1, key: sku, status: 204, result: 'deleted', id, version: 2 },
      { line: 2, key: sku, status: 200, result: 'unchanged', id: null, version: null },
    ]);
    assertProblem(await store.get(`/api/products/${id}`), 404);
    const recreated = await products([product({ sku })]);
    assert.equal(recreated.counts, 'created 1');
  });

  test('report why a line was rejected and write the others', async () => {
    const [good, last] = [product(), product()];
    const long = JSON.stringify(product({ description: 'x'.repeat(1_048_576) }));
    const { results, summary, counts } = await products([
      good,
      product({ colour: 1 }),
      '{"sku": "BROKEN"',
      '',
      '[1]',
      '  \t\r',
      long,
      { name: 'No key' },
      last,
      '{"sku":"TWICE","sku":"TWICE"}',
    ]);
    assert.equal(counts, 'created 2, failed 6');
    assert.equal(summary.empty, 2);
    assert.deepEqual(
      results.map(({ line, status, problem }) => [line, status, problem?.type.split('/').at(-1)]),
      [
        [1, 201, undefined],
        [2, 422, 'validation-failed'],
        [3, 400, 'malformed-request'],
        [5, 400, 'malformed-request'],
        [7, 413, 'content-too-large'],
        [8, 422, 'validation-failed'],
        [9, 201, undefined],
        [10, 400, 'malformed-request'],
      ],
    );
    assert.deepEqual(
      [results[1].problem.violations[0].propertyPath, results[5].problem.violations[0].propertyPath],
      ['colour', 'sku'],
    );
    assert.equal((await bySku(last.sku))?.name, last.name);
    assert.equal(await bySku('BROKEN'), undefined);
  });

  test('accept a last line without a newline', async () => {
    const { sku } = product();
    const body = `${JSON.stringify(product())}\r\n${JSON.stringify({ sku, name: 'Last' })}`;
    const response = await store.request('POST', '/api/products/bulk', { body, headers: { 'content-type': LINES } });
    assert.equal(readLines(response.text).length, 3);
    assert.equal((await bySku(sku))?.name, 'Last');
  });

  test('apply if_match as single writes do', async () => {
    const made = await store.product();
    const etag = (await store.get(`/api/products/${made.id}`)).headers.etag!;
    const change = (if_match: unknown, name: string): Json => ({
      op: 'upsert',
      key: made.sku,
      if_match,
      body: { name },
    });
    const { results } = await products([
      change(2, 'Not yet'),
      change(1, 'By version'),
      change(etag, 'By a tag of before'),
      change('*', 'By being there'),
      { op: 'delete', key: made.sku, if_match: 1 },
      { op: 'upsert', key: `${made.sku}-NEW`, if_match: '*', body: { name: 'Not there' } },
      { op: 'delete', key: `${made.sku}-NEW`, if_match: '*' },
      change('', 'Empty'),
      change(0, 'No version'),
    ]);
    assert.deepEqual(
      results.map(({ status }) => status),
      [412, 200, 412, 200, 412, 412, 412, 412, 422],
    );
    const now = await store.get(`/api/products/${made.id}`);
    assert.equal(now.json.name, 'By being there');
    const { counts } = await products([change(now.headers.etag!, 'By the tag of now')]);
    assert.equal(counts, 'updated 1');
  });

  test('update the record that the key of the line names, including its key field', async () => {
    const old = await store.product();
    const renamed = `${old.sku}-RENAMED`;
    const { results } = await products([
      { op: 'upsert', key: old.sku, body: { sku: renamed } },
      { op: 'upsert', key: renamed, body: { name: 'Found by its new name' } },
      { op: 'upsert', key: `${old.sku}-OTHER`, body: { name: 'Made with the key' } },
    ]);
    assert.deepEqual(
      results.map(({ result }) => result),
      ['updated', 'updated', 'created'],
    );
    assert.equal((await store.get(`/api/products/${old.id}`)).json.name, 'Found by its new name');
    assert.equal((await bySku(`${old.sku}-OTHER`))?.name, 'Made with the key');
  });

  test('write only existing records by id', async () => {
    const { id } = await store.product();
    const { results } = await products(
      [
        { id, name: 'By id' },
        { id: id + 1_000_000, name: 'Nobody' },
        { id: String(id), name: 'A text' },
        { op: 'delete', key: id },
      ],
      '?key=id',
    );
    assert.deepEqual(
      results.map(({ status }) => status),
      [200, 404, 422, 204],
    );
  });

  test('create only with mode=create and update only with mode=update', async () => {
    const [known, unknown] = [await store.product(), product()];
    const lines = [{ sku: known.sku, name: 'Changed' }, unknown];
    const created = await products(lines, '?mode=create');
    assert.deepEqual(
      created.results.map(({ status }) => status),
      [409, 201],
    );
    const updated = await products([lines[0]!, product()], '?mode=update');
    assert.deepEqual(
      updated.results.map(({ status }) => status),
      [200, 404],
    );
  });

  test('replace the record with write=put and change only sent fields with write=patch', async () => {
    const { sku } = await store.product({ price: 9, weight: 2 });
    await products([{ sku, price: 8 }]);
    const patched = await bySku(sku);
    await products([{ sku, name: 'Whole', price: 7 }], '?write=put');
    const put = await bySku(sku);
    assert.deepEqual([patched?.price, patched?.weight, put?.price, put?.weight], [8, 2, 7, 0]);
  });

  test('write 100 lines of one key in order', async () => {
    const { sku } = product();
    const lines = Array.from({ length: 100 }, (_, index) => ({ sku, name: `Name ${index}` }));
    const { results, counts } = await products(lines);
    assert.equal(counts, 'created 1, updated 99');
    assert.deepEqual(
      results.map(({ version }) => version),
      lines.map((_, index) => index + 1),
    );
    assert.equal((await bySku(sku))?.name, 'Name 99');
  });

  test('let a line depend on an earlier line', async () => {
    const [one, other] = [product({ clean_url: 'bulk-used' }), product({ clean_url: 'bulk-taken' })];
    await products([one]);
    const { results } = await products([{ op: 'delete', key: one.sku }, other]);
    assert.deepEqual(
      results.map(({ result }) => result),
      ['deleted', 'created'],
    );
  });

  test('report the same results for lines that conflict with each other as single writes do', async () => {
    const existing = await store.product();
    const stem = `conflict-${store.database}`;
    const body = (fields: Json) => product({ name: stem, ...fields });
    const upper = product({ sku: `${stem}-SAME` });
    const lines = [
      ...Array.from({ length: 40 }, () => body({})),
      body({ clean_url: `${stem}-own` }),
      body({ clean_url: `${stem}-own` }),
      upper,
      product({ sku: upper.sku.toLowerCase() }),
      product({ sku: String(existing.sku).toLowerCase() }),
      ...Array.from({ length: 5 }, () => product({ tags: [`New ${stem}`, existing.sku] })),
      product({ price: -1 }),
      { sku: existing.sku, price: 8 },
      { op: 'delete', key: 'NONE' },
      ...Array.from({ length: 40 }, () => body({})),
    ];
    const { results } = await products(lines);
    const violations = (line: number) => results[line - 1].problem?.violations?.[0]?.propertyPath;
    assert.deepEqual(
      results.map(({ line, status }) => [line, status]),
      lines.map((_, index) => {
        const line = index + 1;
        if ([42, 44, 45, 51].includes(line)) return [line, 422];
        return [line, [52, 53].includes(line) ? 200 : 201];
      }),
    );
    assert.deepEqual([42, 44, 45, 51].map(violations), ['clean_url', 'sku', 'sku', 'price']);
    const urls = (await store.get(`/api/products?clean_url=${stem}`)).json.length;
    assert.equal(urls, 1, 'the first one has the name itself');
    const stored = await Promise.all(
      results.slice(0, 40).map(async ({ id }) => (await store.get(`/api/products/${id}`)).json.clean_url),
    );
    assert.equal(new Set(stored).size, 40);
    const { json: tags } = await store.get(`/api/tags?name=${encodeURIComponent(`New ${stem}`)}`);
    assert.equal(tags.length, 1, 'lines that name a new tag create it once');
    const entries = (await store.get('/api/changes?limit=1000&resource[]=Product')).json as Json[];
    const created = entries.filter(({ id, version }) => results.some((each) => each.id === id) && version === 1);
    assert.equal(created.length, results.filter(({ status }) => status === 201).length, 'each record has one entry');
  });

  test('store images like a single create and skip identical images', async () => {
    const bytes = await png(30, 20);
    const line = product({ images: [await attached(bytes, { alt: 'Front' })] });
    const first = await products([line]);
    assert.equal(first.counts, 'created 1');
    const { images } = (await bySku(line.sku)) as { images: Json[] };
    assert.deepEqual(
      images.map(({ alt, width }) => [alt, width]),
      [['Front', 30]],
    );
    const again = await products([line]);
    assert.deepEqual([again.counts, again.results[0].passed_over], ['unchanged 1', ['images']]);
    const broken = await products([product({ images: [{ attachment: 'AAAA', filename: 'x.png' }] })]);
    assert.equal(broken.results[0].problem.violations[0].propertyPath, 'images[0].attachment');
    assert.equal(await bySku(`BULK-${count}`), undefined);
  });

  test('write texts in the language of the request', async () => {
    const line = product();
    await products([line]);
    const { counts, response } = await products([{ ...line, name: 'Auf Deutsch' }], '', { 'accept-language': 'de' });
    assert.equal(counts, 'updated 1');
    assert.equal(response.headers['content-language'], 'de');
    assert.equal((await bySku(line.sku))?.name, line.name);
    const unknown = await products(
      [
        { ...line, name: 'X' },
        { sku: line.sku, price: 3 },
      ],
      '',
      { 'accept-language': 'ja' },
    );
    assert.deepEqual(
      unknown.results.map(({ status }) => status),
      [400, 200],
    );
  });

  test('atomic: write all lines or none, and report every rejected line', async () => {
    const [one, other] = [product(), product()];
    const path = '/api/products/bulk?atomic';
    const headers = { 'content-type': LINES };
    const rejected = await store.request('POST', path, {
      body: asLines([one, product({ colour: 1 }), '', { op: 'delete', key: 5 }, other, one]),
      headers,
    });
    assertProblem(rejected, 422);
    assert.deepEqual(
      rejected.json.lines.map(({ line, status }: Json) => [line, status]),
      [
        [2, 422],
        [4, 422],
        [6, 422],
      ],
    );
    assert.equal(await bySku(one.sku), undefined);
    const { counts } = await products([one, other], '?atomic=true');
    assert.equal(counts, 'created 2');
  });

  test('atomic: store or discard images together with their lines', async () => {
    const withImage = async () => product({ images: [await attached(png(40, 30))] });
    const files = (await store.imageFiles()).length;
    const [one, other, third] = [await withImage(), await withImage(), await withImage()];
    const body = asLines([one, product({ images: [{ attachment: 'AAAA', filename: 'x.png' }] }), third]);
    const rejected = await store.request('POST', '/api/products/bulk?atomic', {
      body,
      headers: { 'content-type': LINES },
    });
    assertProblem(rejected, 422);
    assert.deepEqual(
      rejected.json.lines.map(({ line }: Json) => line),
      [2],
    );
    const { counts } = await products([one, other], '?atomic');
    assert.equal(counts, 'created 2');
    assert.equal((await store.imageFiles()).length, files + 2);
  });

  test('dry run reports results and stores no change', async () => {
    const [known, unknown] = [await store.product(), product({ images: [await attached(png(20, 20))] })];
    const files = (await store.imageFiles()).length;
    const lines = [{ sku: known.sku, name: 'Dry' }, unknown, product({ colour: 1 }), { op: 'delete', key: known.sku }];
    const { results } = await products(lines, '?dry_run');
    assert.deepEqual(
      results.map(({ result }) => result),
      ['updated', 'created', 'failed', 'deleted'],
    );
    assert.equal((await bySku(known.sku))?.name, known.name);
    assert.equal(await bySku(unknown.sku), undefined);
    assert.equal((await store.imageFiles()).length, files);
    const atomic = await store.request('POST', '/api/products/bulk?dry_run&atomic', {
      body: asLines(lines),
      headers: { 'content-type': LINES },
    });
    assertProblem(atomic, 422);
  });

  test('dry run of orders does not advance the order number', async () => {
    const { id } = await store.product();
    const order = orderOf([orderItem({ id }, 1)], { order_number: '900000001' });
    await bulk(store, '/api/orders/bulk?dry_run', [order]);
    const made = await store.post('/api/orders', orderOf([orderItem({ id }, 1)]));
    assert.ok(Number(made.json.order_number) < 900_000_001, made.text);
  });

  test('Idempotency-Key: replays an atomic bulk and is rejected without atomic', async () => {
    const body = asLines([product({ amount: 5 })]);
    const send = (query: string) =>
      store.request('POST', `/api/products/bulk${query}`, {
        body,
        headers: { 'content-type': LINES, 'idempotency-key': `bulk ${store.database}`.replaceAll(' ', '-') },
      });
    const [first, again] = [await send('?atomic'), await send('?atomic')];
    assert.equal(again.headers['idempotency-replayed'], 'true');
    assert.deepEqual([again.text, again.headers['content-type']], [first.text, `${LINES}; charset=utf-8`]);
    for (const query of ['', '?dry_run', '?atomic&dry_run']) assertProblem(await send(query), 400);
  });

  test('change or set stock by SKU', async () => {
    const { sku } = await store.product({ amount: 10 });
    const { results } = await bulk(store, '/api/products/stock/bulk', [
      { sku, delta: -3 },
      { sku, amount: 20 },
      { sku, amount: 20 },
      { sku, delta: 0 },
      { sku, delta: 1, amount: 2 },
      { sku, amount: 5, name: 'X' },
      { sku: 'NOBODY', delta: 1 },
      { op: 'delete', key: sku },
      { op: 'upsert', key: sku, if_match: 1, body: { delta: 5 } },
      { sku },
    ]);
    assert.deepEqual(
      results.map(({ status, result, problem }) => [status, result, problem?.violations?.[0].propertyPath]),
      [
        [200, 'updated', undefined],
        [200, 'updated', undefined],
        [200, 'unchanged', undefined],
        [422, 'failed', 'delta'],
        [422, 'failed', 'amount'],
        [422, 'failed', 'name'],
        [404, 'failed', undefined],
        [409, 'failed', undefined],
        [412, 'failed', undefined],
        [422, 'failed', 'delta'],
      ],
    );
    assert.equal((await bySku(sku))?.amount, 20);
  });

  test('treat orders with the same chosen options as unchanged, in short or full form', async () => {
    const shirt = await varied(store, {}, { Size: ['S', 'M'], Cloth: ['linen', 'wool'] });
    const variant = (await madeVariant(store, shirt, ['M'])).id;
    const option = (value: string) => ({ attribute_id: shirt.attributes.Cloth, value_id: shirt.values[value] });
    const order = (value: string) =>
      orderOf([{ variant, amount: 1, options: [option(value)] }], { order_number: 'B/options' });
    assert.equal((await bulk(store, '/api/orders/bulk', [order('wool')])).counts, 'created 1');
    const { json } = await store.get('/api/orders/by_number/B%2Foptions');
    const { options } = json.items[0];
    const again = await bulk(store, '/api/orders/bulk', [
      order('wool'),
      { ...order('wool'), items: [{ variant, amount: 1, options }] },
      order('linen'),
    ]);
    assert.deepEqual(
      again.results.map(({ status }) => status),
      [200, 200, 409],
    );
    assert.match(again.results[2].problem.detail, /items\[0\]\.options in the store does not contain everything/);
  });

  test('create orders, skip identical ones and reject different ones with the same number', async () => {
    const { id } = await store.product({ price: 5 });
    const order = orderOf([orderItem({ id }, 2)], { order_number: 'B/1', notes: 'Ring twice' });
    const first = await bulk(store, '/api/orders/bulk', [order]);
    assert.equal(first.counts, 'created 1');
    const again = await bulk(store, '/api/orders/bulk', [
      order,
      { ...order, notes: 'Knock' },
      { ...order, items: [orderItem({ id }, 3)] },
      orderOf([orderItem({ id }, 1)]),
      { op: 'delete', key: 'B/1' },
    ]);
    assert.deepEqual(
      again.results.map(({ status }) => status),
      [200, 409, 409, 422, 409],
    );
    assert.match(again.results[1].problem.detail, /notes is "Ring twice" in the store and "Knock" in the line/);
    const { json } = await store.get('/api/orders/by_number/B%2F1');
    assert.deepEqual([json.notes, json.items[0].amount], ['Ring twice', 2]);
    const create = await bulk(store, '/api/orders/bulk?mode=create', [order]);
    assert.deepEqual(
      create.results.map(({ status }) => status),
      [409],
    );
  });

  test('store past orders with their dates, statuses and deleted products without changing stock', async () => {
    const { id, sku } = await store.product({ price: 5, amount: 10 });
    const sold = { product_id: 999_999, sku: 'LONG-GONE', name: 'Gone', price: 3, amount: 1 };
    const order = {
      ...orderOf([{ sku, amount: 2, price: 4, name: 'As it was called' }, sold], { order_number: 'PAST/1' }),
      create_date: '2019-05-06T07:08:09+00:00',
      payment_status: 'P',
    };
    for (const status of [201, 200])
      assert.equal((await bulk(store, '/api/orders/bulk?past', [order])).results[0].status, status);
    const { json } = await store.get('/api/orders/by_number/PAST%2F1');
    assert.deepEqual([json.create_date, json.items[1].product_id], ['2019-05-06T07:08:09+00:00', null]);
    assert.equal((await store.get(`/api/products/${id}`)).json.amount, 10);
    const now = await bulk(store, '/api/orders/bulk', [{ ...order, order_number: 'PAST/2' }]);
    assert.equal(now.results[0].status, 422);
    assertProblem(await store.post('/api/products/bulk?past', ''), 400, /Unknown parameter "past"/);
  });

  const BY_NAME = ['tags', 'memberships', 'tax_classes', 'product_classes', 'stickers'];
  for (const collection of BY_NAME)
    test(`find ${collection} by name in any case`, async () => {
      const { results } = await bulk(store, `/api/${collection}/bulk`, [
        { name: `Bulk ${collection}` },
        { name: `bulk ${collection}` },
        { op: 'upsert', key: `BULK ${collection}`, body: { name: `Renamed ${collection}` } },
        { op: 'delete', key: `Renamed ${collection}` },
      ]);
      assert.deepEqual(
        results.map(({ result }) => result),
        ['created', 'updated', 'updated', 'deleted'],
      );
      assert.equal(new Set(results.map(({ id }) => id)).size, 1);
    });

  test('find variants by SKU within their product', async () => {
    const [shirt, other] = [await varied(store), await varied(store)];
    const path = `${shirt.variants}/bulk`;
    const values = (...names: string[]) => names.map((name) => shirt.values[name]);
    const small = { sku: `${shirt.product.sku}-S`, attribute_select_values: values('S', 'red'), price: 8 };
    const medium = { sku: `${shirt.product.sku}-M`, attribute_select_values: values('M', 'red'), amount: 4 };
    const foreign = (await madeVariant(store, other, ['S', 'red'], { sku: `${other.product.sku}-S` })) as Json;
    const first = await bulk(store, path, [small, medium, { ...small, price: 9 }]);
    assert.equal(first.counts, 'created 2, updated 1');
    const made = (await store.get(`${shirt.variants}/${first.results[0].id}`)).json;
    assert.deepEqual([made.sku, made.price, made.product_id], [small.sku, 9, shirt.product.id]);
    const again = await bulk(store, path, [
      { ...small, price: 9 },
      { sku: medium.sku, default_amount: true },
      { sku: foreign.sku, attribute_select_values: values('S', 'blue') },
      { op: 'delete', key: foreign.sku },
      { sku: null, attribute_select_values: values('S', 'blue') },
      { op: 'delete', key: medium.sku },
    ]);
    assert.deepEqual(
      again.results.map(({ status, result, problem }) => [status, result, problem?.violations?.[0].propertyPath]),
      [
        [200, 'unchanged', undefined],
        [200, 'updated', undefined],
        // A variant of another product cannot be created or deleted under this one.
        [422, 'failed', 'sku'],
        [200, 'unchanged', undefined],
        [422, 'failed', 'sku'],
        [204, 'deleted', undefined],
      ],
    );
    assert.equal((await store.get(`${other.variants}/${foreign.id}`)).status, 200);
    const byId = await bulk(store, `${path}?key=id`, [
      { id: first.results[0].id, weight: 2 },
      { id: foreign.id, weight: 2 },
    ]);
    assert.deepEqual(
      byId.results.map(({ status }) => status),
      [200, 404],
    );
    const stock = await bulk(store, `${shirt.variants}/stock/bulk`, [
      { sku: small.sku, amount: 6 },
      { sku: small.sku, delta: -2 },
      { sku: foreign.sku, amount: 1 },
    ]);
    assert.deepEqual(
      stock.results.map(({ status }) => status),
      [200, 200, 404],
    );
    const stored = (await store.get(`${shirt.variants}/${first.results[0].id}`)).json;
    assert.deepEqual([stored.amount, stored.default_amount], [4, false]);
    const headers = { 'content-type': LINES };
    for (const product of ['999999', 'x'])
      assertProblem(
        await store.request('POST', `/api/products/${product}/variants/bulk`, { body: asLines([small]), headers }),
        400,
        /There is no product at/,
      );
  });

  test('list variants in line order, with or without images', async () => {
    const sizes = Array.from({ length: 24 }, (_, index) => `Size ${index}`);
    const { product, variants, values } = await varied(store, {}, { Size: sizes });
    const image = await attached(png(50, 40));
    const lines = sizes.map((size, index) => ({
      ...{ sku: `${product.sku}-${index}`, attribute_select_values: [values[size]] },
      ...(index % 5 === 0 ? { image } : {}),
    }));
    assert.equal((await bulk(store, `${variants}/bulk`, lines)).counts, 'created 24');
    assert.deepEqual(
      (await store.get(`${variants}?itemsPerPage=100`)).json.map(({ sku }: Json) => sku),
      lines.map(({ sku }) => sku),
    );
  });

  test('create and replace variant images', async () => {
    const shirt = await varied(store);
    const path = `${shirt.variants}/bulk`;
    const [front, back] = [await attached(png(50, 40)), await attached(png(60, 40))];
    const variant = { sku: `${shirt.product.sku}-P`, attribute_select_values: [shirt.values.S, shirt.values.red] };
    const shown = async () => (await store.get(`/api/variants?sku=${variant.sku}`)).json[0]?.image?.width;
    assert.equal((await bulk(store, path, [{ ...variant, image: front }])).counts, 'created 1');
    assert.equal(await shown(), 50);
    // An identical image is no change.
    assert.equal((await bulk(store, path, [{ ...variant, image: front }, variant])).counts, 'unchanged 2');
    const { counts } = await bulk(store, `${path}?atomic`, [{ sku: variant.sku, image: { ...back, alt: 'Back' } }]);
    assert.deepEqual([counts, await shown()], ['updated 1', 60]);
    const rejected = await bulk(store, path, [
      { sku: variant.sku, image: { attachment: 'AAAA', filename: 'x.png' } },
      { sku: `${variant.sku}2`, attribute_select_values: [shirt.values.M, shirt.values.red], image: { alt: 'None' } },
    ]);
    assert.deepEqual(
      rejected.results.map(({ problem }) => problem.violations[0].propertyPath),
      ['image.attachment', 'image.attachment'],
    );
    // A dry run checks images of a line whose record an earlier line creates.
    const dry = { ...variant, sku: `${variant.sku}3`, attribute_select_values: [shirt.values.M, shirt.values.blue] };
    const files = (await store.imageFiles()).length;
    const trial = await bulk(store, `${path}?dry_run`, [
      { ...dry, image: await attached(png(70, 40)) },
      { sku: dry.sku, image: await attached(png(80, 40)) },
    ]);
    assert.deepEqual([trial.counts, (await store.imageFiles()).length], ['created 1, updated 1', files]);
    assert.equal((await bulk(store, path, [{ sku: variant.sku, image: null }])).counts, 'updated 1');
    assert.equal(await shown(), undefined);
  });

  test('find categories by clean URL and delete their descendants', async () => {
    const { results } = await bulk(store, '/api/categories/bulk', [
      { clean_url: 'bulk-top', name: 'Top' },
      { clean_url: 'bulk-top', position: 3 },
    ]);
    const parent = results[0].id;
    await bulk(store, '/api/categories/bulk', [{ clean_url: 'bulk-below', name: 'Below', parent }]);
    const deletions = await bulk(store, '/api/categories/bulk', [
      { op: 'delete', key: 'bulk-top' },
      { clean_url: 'bulk-below', name: 'Made anew' },
    ]);
    assert.deepEqual(
      deletions.results.map(({ result }) => result),
      ['deleted', 'created'],
    );
  });
});

onOneDatabase('limits and parameters of bulk writes', { BULKS_AT_ONCE_MAX: '1' }, (store) => {
  const send = (query: string, headers: Record<string, string> = {}, body = '{}') =>
    store.request('POST', `/api/products/bulk${query}`, { body, headers: { 'content-type': LINES, ...headers } });
  before(() => store.product({ sku: 'KNOWN' }));

  const WRONG: readonly (readonly [query: string, detail: RegExp])[] = [
    ['?mode=insert', /"mode" must be upsert, create or update/],
    ['?write=post', /"write" must be patch or put/],
    ['?key=name', /"key" must be sku or id/],
    ['?key=id&mode=create', /cannot be combined with "key=id"/],
    ['?atomic=maybe', /"atomic" must be true or false/],
    ['?dry_run=2', /"dry_run" must be true or false/],
    ['?mode=create&mode=update', /more than once/],
    ['?page=2', /Unknown parameter "page"/],
    ['?__proto__=', /Unknown parameter "__proto__"/],
    ['?constructor=1', /Unknown parameter "constructor"/],
  ];
  for (const [query, detail] of WRONG)
    test(`rejects ${query}`, async () => {
      const response = await send(query);
      assertProblem(response, 400);
      assert.match(response.json.detail, detail);
    });

  test('ignores unknown parameters with handling=lenient', async () => {
    assert.equal((await send('?page=2', { prefer: 'handling=lenient' })).status, 200);
    assertProblem(await send('?mode=insert', { prefer: 'handling=lenient' }), 400);
  });

  test('accepts and returns JSON Lines only', async () => {
    assertProblem(await send('', { 'content-type': 'application/json' }), 415);
    assertProblem(await send('', { accept: 'application/json' }), 406);
    const { response } = await bulk(store, '/api/products/bulk', [{ sku: 'KNOWN' }], {
      'content-type': 'application/jsonl',
      accept: 'application/jsonl',
    });
    assert.equal(response.headers['content-type'], 'application/jsonl; charset=utf-8');
  });

  test('rejects read-only keys and If-Match headers', async () => {
    const rejected = await store.request('POST', '/api/products/bulk', {
      body: '{}',
      headers: { 'content-type': LINES },
      key: READ_ONLY_KEY,
    });
    assertProblem(rejected, 403);
    assertProblem(await send('', { 'if-match': '"1-x"' }), 400);
  });

  test('returns a summary for an empty body', async () => {
    assert.equal((await bulk(store, '/api/products/bulk', [])).summary.lines, 0);
  });

  test('limits lines and bytes of atomic bulks and dry runs', async () => {
    const lines = '{"sku":"KNOWN"}\n'.repeat(10_001);
    assertProblem(await send('?dry_run', {}, lines), 413);
    assertProblem(await send('?atomic', {}, `{"sku":"${' '.repeat(33_554_432)}`), 413);
  });

  test('rejects every mode that would change orders', async () => {
    for (const query of ['?mode=update', '?write=put', '?key=id'])
      assertProblem(
        await store.request('POST', `/api/orders/bulk${query}`, { body: '{}', headers: { 'content-type': LINES } }),
        400,
      );
  });
});
