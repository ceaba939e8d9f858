/** Many records written with one request (sync.md §4): lines, keys, conditions, modes, results. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertProblem } from '../support/expect.ts';
import { asLines, bulk, LINES, readLines } from '../support/lines.ts';
import { orderOf, pieces } from '../support/orders.ts';
import { attached, png } from '../support/pictures.ts';
import { type Json, onEachDatabase, onOneDatabase, READ_ONLY_KEY } from '../support/store.ts';
import { madeVariant, varied } from '../support/variants.ts';

let count = 0;

/** A product that differs from every other. */
function product(fields: Json = {}): Json & { readonly sku: string } {
  count += 1;
  return { sku: `BULK-${count}`, name: `Bulk ${count}`, ...fields } as Json & { readonly sku: string };
}

onEachDatabase('a bulk', {}, (store) => {
  const products = (lines: readonly (Json | string)[], query = '', headers = {}) =>
    bulk(store, `/api/products/bulk${query}`, lines, headers);
  const bySku = async (sku: string): Promise<Json | undefined> =>
    (await store.get(`/api/products?sku=${encodeURIComponent(sku)}`)).json[0];

  test('makes, changes and leaves records, and tells each in its order', async () => {
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

  test('the version that it tells is that of the ETag', async () => {
    const { results } = await products([product(), product()]);
    for (const { id, version } of results)
      assert.match((await store.get(`/api/products/${id}`)).headers.etag!, new RegExp(`^"${version}-`));
  });

  test('deletes, and what is gone is gone', async () => {
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
    const anew = await products([product({ sku })]);
    assert.equal(anew.counts, 'created 1');
  });

  test('a line that is refused says why, and the others are written', async () => {
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

  test('a line without a newline at its end is a line', async () => {
    const { sku } = product();
    const body = `${JSON.stringify(product())}\r\n${JSON.stringify({ sku, name: 'Last' })}`;
    const answer = await store.request('POST', '/api/products/bulk', { body, headers: { 'content-type': LINES } });
    assert.equal(readLines(answer.text).length, 3);
    assert.equal((await bySku(sku))?.name, 'Last');
  });

  test('conditions are those of single writes', async () => {
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

  test('a key beside the body names the record that the body changes', async () => {
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

  test('by id only records that are there are written', async () => {
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

  test('modes say what may happen to a record', async () => {
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

  test('put writes the whole record, patch what it names', async () => {
    const { sku } = await store.product({ price: 9, weight: 2 });
    await products([{ sku, price: 8 }]);
    const patched = await bySku(sku);
    await products([{ sku, name: 'Whole', price: 7 }], '?write=put');
    const put = await bySku(sku);
    assert.deepEqual([patched?.price, patched?.weight, put?.price, put?.weight], [8, 2, 7, 0]);
  });

  test('lines of one key are written in their order, however many there are', async () => {
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

  test('a line may need one before it', async () => {
    const [one, other] = [product({ clean_url: 'bulk-taken' }), product({ clean_url: 'bulk-taken' })];
    await products([one]);
    const { results } = await products([{ op: 'delete', key: one.sku }, other]);
    assert.deepEqual(
      results.map(({ result }) => result),
      ['deleted', 'created'],
    );
  });

  test('pictures are those of a single create, and count once', async () => {
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

  test('texts are written in the language of the request', async () => {
    const line = product();
    await products([line]);
    const { counts, answer } = await products([{ ...line, name: 'Auf Deutsch' }], '', { 'accept-language': 'de' });
    assert.equal(counts, 'updated 1');
    assert.equal(answer.headers['content-language'], 'de');
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

  test('atomic: all lines, or none and every refusal', async () => {
    const [one, other] = [product(), product()];
    const path = '/api/products/bulk?atomic';
    const headers = { 'content-type': LINES };
    const refused = await store.request('POST', path, {
      body: asLines([one, product({ colour: 1 }), '', { op: 'delete', key: 5 }, other, one]),
      headers,
    });
    assertProblem(refused, 422);
    assert.deepEqual(
      refused.json.lines.map(({ line, status }: Json) => [line, status]),
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

  test('atomic: pictures go with their lines', async () => {
    const pictured = async () => product({ images: [await attached(png(40, 30))] });
    const files = (await store.imageFiles()).length;
    const [one, other, third] = [await pictured(), await pictured(), await pictured()];
    const body = asLines([one, product({ images: [{ attachment: 'AAAA', filename: 'x.png' }] }), third]);
    const refused = await store.request('POST', '/api/products/bulk?atomic', {
      body,
      headers: { 'content-type': LINES },
    });
    assertProblem(refused, 422);
    assert.deepEqual(
      refused.json.lines.map(({ line }: Json) => line),
      [2],
    );
    const { counts } = await products([one, other], '?atomic');
    assert.equal(counts, 'created 2');
    assert.equal((await store.imageFiles()).length, files + 2);
  });

  test('a dry run keeps nothing, and says what would be', async () => {
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

  test('a dry run of orders moves no number', async () => {
    const { id } = await store.product();
    const order = orderOf([pieces({ id }, 1)], { order_number: '900000001' });
    await bulk(store, '/api/orders/bulk?dry_run', [order]);
    const made = await store.post('/api/orders', orderOf([pieces({ id }, 1)]));
    assert.ok(Number(made.json.order_number) < 900_000_001, made.text);
  });

  test('Idempotency-Key: with atomic the first answer comes again, without it the key is refused', async () => {
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

  test('stock is added to, or set, by sku', async () => {
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

  test('an order whose customer chose options is the same, however much of them a line says', async () => {
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
    assert.match(again.results[2].problem.detail, /items\[0\]\.options here does not have everything/);
  });

  test('orders are made, and one that is there stays: the same is unchanged, another is refused', async () => {
    const { id } = await store.product({ price: 5 });
    const order = orderOf([pieces({ id }, 2)], { order_number: 'B/1', notes: 'Ring twice' });
    const first = await bulk(store, '/api/orders/bulk', [order]);
    assert.equal(first.counts, 'created 1');
    const again = await bulk(store, '/api/orders/bulk', [
      order,
      { ...order, notes: 'Knock' },
      { ...order, items: [pieces({ id }, 3)] },
      orderOf([pieces({ id }, 1)]),
      { op: 'delete', key: 'B/1' },
    ]);
    assert.deepEqual(
      again.results.map(({ status }) => status),
      [200, 409, 409, 422, 409],
    );
    assert.match(again.results[1].problem.detail, /notes is "Ring twice" here and "Knock" in the line/);
    const { json } = await store.get('/api/orders/by_number/B%2F1');
    assert.deepEqual([json.notes, json.items[0].amount], ['Ring twice', 2]);
    const create = await bulk(store, '/api/orders/bulk?mode=create', [order]);
    assert.deepEqual(
      create.results.map(({ status }) => status),
      [409],
    );
  });

  test('past orders are taken down: dates, statuses and sold things of elsewhere, and no stock moves', async () => {
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
    test(`${collection} are named by their name, whatever its case`, async () => {
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

  test('variants are named by sku below their product', async () => {
    const [shirt, other] = [await varied(store), await varied(store)];
    const path = `${shirt.variants}/bulk`;
    const values = (...names: string[]) => names.map((name) => shirt.values[name]);
    const small = { sku: `${shirt.product.sku}-S`, attribute_select_values: values('S', 'red'), price: 8 };
    const medium = { sku: `${shirt.product.sku}-M`, attribute_select_values: values('M', 'red'), amount: 4 };
    const taken = (await madeVariant(store, other, ['S', 'red'], { sku: `${other.product.sku}-S` })) as Json;
    const first = await bulk(store, path, [small, medium, { ...small, price: 9 }]);
    assert.equal(first.counts, 'created 2, updated 1');
    const made = (await store.get(`${shirt.variants}/${first.results[0].id}`)).json;
    assert.deepEqual([made.sku, made.price, made.product_id], [small.sku, 9, shirt.product.id]);
    const again = await bulk(store, path, [
      { ...small, price: 9 },
      { sku: medium.sku, default_amount: true },
      { sku: taken.sku, attribute_select_values: values('S', 'blue') },
      { op: 'delete', key: taken.sku },
      { sku: null, attribute_select_values: values('S', 'blue') },
      { op: 'delete', key: medium.sku },
    ]);
    assert.deepEqual(
      again.results.map(({ status, result, problem }) => [status, result, problem?.violations?.[0].propertyPath]),
      [
        [200, 'unchanged', undefined],
        [200, 'updated', undefined],
        // Of another product: it cannot be made here, and is not there to be deleted.
        [422, 'failed', 'sku'],
        [200, 'unchanged', undefined],
        [422, 'failed', 'sku'],
        [204, 'deleted', undefined],
      ],
    );
    assert.equal((await store.get(`${other.variants}/${taken.id}`)).status, 200);
    const byId = await bulk(store, `${path}?key=id`, [
      { id: first.results[0].id, weight: 2 },
      { id: taken.id, weight: 2 },
    ]);
    assert.deepEqual(
      byId.results.map(({ status }) => status),
      [200, 404],
    );
    const stock = await bulk(store, `${shirt.variants}/stock/bulk`, [
      { sku: small.sku, amount: 6 },
      { sku: small.sku, delta: -2 },
      { sku: taken.sku, amount: 1 },
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

  test('variants are listed in the order of the lines that made them, whichever has a picture', async () => {
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

  test('variants bring their pictures, new ones and those that are there', async () => {
    const shirt = await varied(store);
    const path = `${shirt.variants}/bulk`;
    const [front, back] = [await attached(png(50, 40)), await attached(png(60, 40))];
    const variant = { sku: `${shirt.product.sku}-P`, attribute_select_values: [shirt.values.S, shirt.values.red] };
    const shown = async () => (await store.get(`/api/variants?sku=${variant.sku}`)).json[0]?.image?.width;
    assert.equal((await bulk(store, path, [{ ...variant, image: front }])).counts, 'created 1');
    assert.equal(await shown(), 50);
    // The same picture again is no change, whatever its bytes were sent for.
    assert.equal((await bulk(store, path, [{ ...variant, image: front }, variant])).counts, 'unchanged 2');
    const { counts } = await bulk(store, `${path}?atomic`, [{ sku: variant.sku, image: { ...back, alt: 'Back' } }]);
    assert.deepEqual([counts, await shown()], ['updated 1', 60]);
    const refused = await bulk(store, path, [
      { sku: variant.sku, image: { attachment: 'AAAA', filename: 'x.png' } },
      { sku: `${variant.sku}2`, attribute_select_values: [shirt.values.M, shirt.values.red], image: { alt: 'None' } },
    ]);
    assert.deepEqual(
      refused.results.map(({ problem }) => problem.violations[0].propertyPath),
      ['image.attachment', 'image.attachment'],
    );
    // A dry run looks at pictures of a line whose record an earlier line makes.
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

  test('categories are named by their clean URL, and one that goes takes those below with it', async () => {
    const { results } = await bulk(store, '/api/categories/bulk', [
      { clean_url: 'bulk-top', name: 'Top' },
      { clean_url: 'bulk-top', position: 3 },
    ]);
    const parent = results[0].id;
    await bulk(store, '/api/categories/bulk', [{ clean_url: 'bulk-below', name: 'Below', parent }]);
    const gone = await bulk(store, '/api/categories/bulk', [
      { op: 'delete', key: 'bulk-top' },
      { clean_url: 'bulk-below', name: 'Made anew' },
    ]);
    assert.deepEqual(
      gone.results.map(({ result }) => result),
      ['deleted', 'created'],
    );
  });
});

onOneDatabase('the door of a bulk', { BULKS_AT_ONCE_MAX: '1' }, (store) => {
  const send = (query: string, headers: Record<string, string> = {}, body = '{}') =>
    store.request('POST', `/api/products/bulk${query}`, { body, headers: { 'content-type': LINES, ...headers } });
  before(() => store.product({ sku: 'KNOWN' }));

  const WRONG: readonly (readonly [query: string, named: RegExp])[] = [
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
  for (const [query, named] of WRONG)
    test(`refuses ${query}`, async () => {
      const answer = await send(query);
      assertProblem(answer, 400);
      assert.match(answer.json.detail, named);
    });

  test('passes unknown parameters over where the client is lenient', async () => {
    assert.equal((await send('?page=2', { prefer: 'handling=lenient' })).status, 200);
    assertProblem(await send('?mode=insert', { prefer: 'handling=lenient' }), 400);
  });

  test('takes and answers lines, and nothing else', async () => {
    assertProblem(await send('', { 'content-type': 'application/json' }), 415);
    assertProblem(await send('', { accept: 'application/json' }), 406);
    const { answer } = await bulk(store, '/api/products/bulk', [{ sku: 'KNOWN' }], {
      'content-type': 'application/jsonl',
      accept: 'application/jsonl',
    });
    assert.equal(answer.headers['content-type'], 'application/jsonl; charset=utf-8');
  });

  test('is closed to a key that only reads, and to conditions on no record', async () => {
    const refused = await store.request('POST', '/api/products/bulk', {
      body: '{}',
      headers: { 'content-type': LINES },
      key: READ_ONLY_KEY,
    });
    assertProblem(refused, 403);
    assertProblem(await send('', { 'if-match': '"1-x"' }), 400);
  });

  test('an empty body has a summary', async () => {
    assert.equal((await bulk(store, '/api/products/bulk', [])).summary.lines, 0);
  });

  test('what is written at once has limits of its own', async () => {
    const lines = '{"sku":"KNOWN"}\n'.repeat(10_001);
    assertProblem(await send('?dry_run', {}, lines), 413);
    assertProblem(await send('?atomic', {}, `{"sku":"${' '.repeat(33_554_432)}`), 413);
  });

  test('a bulk of orders has no way to change one', async () => {
    for (const query of ['?mode=update', '?write=put', '?key=id'])
      assertProblem(
        await store.request('POST', `/api/orders/bulk${query}`, { body: '{}', headers: { 'content-type': LINES } }),
        400,
      );
  });
});
