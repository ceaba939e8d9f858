/** The client against a real store: methods, responses, conditional requests, pages and problems. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Client, createClient, StoreProblem, StoreUnreachable } from '../../src/client/index.ts';
import { freePort } from '../support/postgres-server.ts';
import { onOneDatabase, READ_ONLY_KEY, READ_WRITE_KEY } from '../support/store.ts';

const PRODUCTS = 205;

onOneDatabase('records of the client', {}, (store) => {
  let client: Client;
  before(() => {
    client = createClient({ baseUrl: store.address, key: READ_WRITE_KEY });
  });

  test('creates, reads, replaces, patches and deletes a record', async () => {
    const created = await client.post('/products', { sku: 'A/1', name: 'Ä', price: 19.99, tags: ['Red'] });
    assert.deepEqual(
      [created.status, created.version, created.data.price, created.data.tags[0]?.name],
      [201, 1, 19.99, 'Red'],
    );
    assert.equal(created.location, `${store.address}/api/products/${created.data.id}`);
    assert.equal(created.isReplayed, false);
    const { id } = created.data;

    const read = await client.get('/products/{id}', { id });
    assert.deepEqual([read.status, read.data, read.etag, read.location], [200, created.data, created.etag, undefined]);
    assert.match(read.etag!, /^"1-/);

    const replaced = await client.put('/products/{id}', { id }, { ...read.data, price: 5 }, { ifMatch: read });
    assert.deepEqual([replaced.data.price, replaced.version], [5, 2]);
    const patched = await client.patch('/products/{id}', { id }, { name: 'B' }, { ifMatch: replaced.etag! });
    assert.deepEqual([patched.data.name, patched.data.price, patched.version], ['B', 5, 3]);
    const sold = await client.post('/products/{id}/stock', { id }, { delta: -1 }, { ifMatch: patched });
    assert.equal(sold.data.amount, 999);

    await rejection(client.delete('/products/{id}', { id }, { ifMatch: read }), 'precondition-failed', 412);
    const deleted = await client.delete('/products/{id}', { id }, { ifMatch: sold });
    assert.deepEqual([deleted.status, deleted.data, deleted.etag], [204, undefined, undefined]);
    await rejection(client.get('/products/{id}', { id }), 'not-found', 404);
  });

  test('returns the result of a POST with dryRun, and saves no change', async () => {
    const { data: product } = await client.post('/products', { sku: 'DRY', name: 'Dry', price: 5, amount: 3 });
    const order = { email: 'ada@example.com', items: [{ product_id: product.id, amount: 2 }] };
    const quote = await client.post('/orders', order, { dryRun: true });
    assert.deepEqual([quote.status, quote.data.id, quote.data.total, quote.etag], [200, null, 10, undefined]);
    const calculated = await client.post('/orders/quote', order);
    assert.deepEqual([calculated.status, calculated.data.totals.total], [200, 10]);
    const { data } = await client.post('/orders', order);
    const change = [{ item_id: data.items[0]!.id, amount: 1 }];
    const edited = await client.post('/orders/{id}/edit', { id: data.id }, { change }, { dryRun: true });
    assert.equal(edited.data.total, 5);
    assert.equal((await client.get('/orders/{id}', { id: data.id })).data.total, 10);
    assert.equal((await client.get('/products/{id}', { id: product.id })).data.amount, 1);
    await rejection(client.post('/tags', { name: 'Dry' }, { dryRun: true }), 'invalid-argument', 400);
    await client.delete('/products/{id}', { id: product.id });
  });

  test('reads lists without pages, and query parameters, with one get', async () => {
    const { data: product } = await client.post('/products', { sku: 'OLD', name: 'Old', price: 1, clean_url: 'old' });
    await client.patch('/products/{id}', { id: product.id }, { clean_url: 'new' });
    const { data: former } = await client.get('/products/{id}/old_urls', { id: product.id });
    assert.deepEqual(
      former.map(({ clean_url }) => clean_url),
      ['old'],
    );
    assert.deepEqual((await client.get('/feeds')).data, []);
    const { data: statistics } = await client.get('/statistics', { filter: { days: 7 } });
    assert.equal(statistics.days.length, 7);
    await client.delete('/products/{id}', { id: product.id });
  });

  test('returns the earlier response if nothing has changed', async () => {
    const { data } = await client.post('/tags', { name: 'Known' });
    const known = await client.get('/tags/{id}', { id: data.id });
    assert.equal(await client.get('/tags/{id}', { id: data.id }, { ifNoneMatch: known }), known);
    await client.put('/tags/{id}', { id: data.id }, { name: 'Renamed' });
    const fresh = await client.get('/tags/{id}', { id: data.id }, { ifNoneMatch: known });
    assert.deepEqual([fresh.status, fresh.data.name], [200, 'Renamed']);
  });

  test('rejects a conditional write without an ETag and sends nothing', async () => {
    const { data } = await client.post('/tags', { name: 'Kept' });
    const deleted = await client.delete('/tags/{id}', { id: (await client.post('/tags', { name: 'Gone' })).data.id });
    await assert.rejects(client.delete('/tags/{id}', { id: data.id }, { ifMatch: deleted }), TypeError);
    await assert.rejects(client.delete('/tags/{id}', { id: data.id }, { ifMatch: '' }), TypeError);
    assert.equal((await client.get('/tags/{id}', { id: data.id })).data.name, 'Kept');
  });

  test('uses the language of the client or of the request', async () => {
    const german = createClient({ baseUrl: store.address, key: READ_WRITE_KEY, language: 'de' });
    const { data, language } = await german.post('/tags', { name: 'Rot' });
    assert.equal(language, 'de');
    await german.put('/tags/{id}', { id: data.id }, { name: 'Rouge' }, { language: 'fr' });
    const name = async (of: Client, options = {}) => (await of.get('/tags/{id}', { id: data.id }, options)).data.name;
    assert.equal(await name(german), 'Rot');
    assert.equal(await name(client, { language: 'fr' }), 'Rouge');
    assert.equal((await client.get('/tags/{id}', { id: data.id })).language, 'en');
  });
});

onOneDatabase('collections of the client', {}, (store) => {
  let client: Client;
  before(async () => {
    client = createClient({ baseUrl: store.address, key: READ_WRITE_KEY });
    for (let index = 0; index < PRODUCTS; index += 1)
      await client.post('/products', { sku: `S-${index}`, name: `Product ${index}`, price: index });
  });

  test('lists each record of a collection once, across pages', async () => {
    const prices: number[] = [];
    for await (const { price } of client.list('/products', { order: { price: 'desc' } })) prices.push(price);
    assert.deepEqual(
      prices,
      Array.from({ length: PRODUCTS }, (_, index) => PRODUCTS - 1 - index),
    );
    const few: string[] = [];
    for await (const { sku } of client.list('/products', { itemsPerPage: 2, order: { id: 'asc' } })) {
      few.push(sku);
      if (few.length === 3) break;
    }
    assert.deepEqual(few, ['S-0', 'S-1', 'S-2']);
    for await (const _ of client.list('/products', { filter: { sku: 'none' } })) assert.fail('there is none');
  });

  test('lists a collection again when the sequence is iterated again', async () => {
    const products = client.list('/products', { filter: { price: { lt: 3 } } });
    for (let round = 0; round < 2; round += 1) assert.equal((await Array.fromAsync(products)).length, 3);
  });

  test('returns the total and whether there is a next page', async () => {
    const first = await client.page('/products', { itemsPerPage: 100 });
    assert.deepEqual([first.data.length, first.total, first.hasNext], [100, PRODUCTS, true]);
    const last = await client.page('/products', { itemsPerPage: 100, page: 3 });
    assert.deepEqual([last.data.length, last.total, last.hasNext], [5, PRODUCTS, false]);
    assert.equal((await client.page('/products', { itemsPerPage: 41, page: 5 })).hasNext, false);
    // The store returns at most 100 records per page.
    assert.equal((await client.page('/products', { itemsPerPage: 1000 })).hasNext, true);
    assert.equal(await client.page('/products', { itemsPerPage: 100, ifNoneMatch: first }), first);
  });

  test('sends filters of all forms', async () => {
    const found = async (filter: Parameters<typeof client.page<'/products'>>[1]) =>
      (await client.page('/products', filter)).data.map(({ sku }) => sku);
    assert.deepEqual(await found({ filter: { sku: ['S-1', 'S-3', 'other'] } }), ['S-1', 'S-3']);
    assert.deepEqual(await found({ filter: { price: { between: [7, 8] } } }), ['S-7', 'S-8']);
    assert.deepEqual(await found({ filter: { price: { gt: 7, lte: 9 }, enabled: true } }), ['S-8', 'S-9']);
    assert.deepEqual(await found({ filter: { price: [4, 5], sku: undefined } as never }), ['S-4', 'S-5']);
    assert.deepEqual(await found({ filter: { create_date: { before: '2020-01-01' } } }), []);
    assert.deepEqual(await found({ filter: { name: 'product 20&' } }), []);
    assert.deepEqual(await found({ filter: { 'attributes.1': [1, 2], 'variants.1': { exists: true } } }), []);
    await assert.rejects(found({ filter: { sku: [] } }), TypeError);
  });

  test('reads a search with facets', async () => {
    const { data } = await client.get('/products/search', {
      filter: {
        facets: 'price:..3|3..,tags',
        price: { lt: 5 },
        order: { price: 'desc' },
        itemsPerPage: 1,
        fields: 'sku',
      },
    });
    assert.deepEqual(data.products, [{ sku: 'S-4' }]);
    const counts = data.facets.price!.ranges!.map(({ count }) => count);
    assert.equal(counts[0]! + counts[1]!, PRODUCTS);
    assert.deepEqual(data.facets.tags, { values: [], more: false });
  });
});

onOneDatabase('errors of the client', {}, (store) => {
  let client: Client;
  before(() => {
    client = createClient({ baseUrl: store.address, key: READ_WRITE_KEY });
  });

  test('encodes path parameters, so that they cannot change the path', async () => {
    assert.equal((await client.get('/languages/{code}', { code: 'pt-BR' })).data.code, 'pt-BR');
    await rejection(client.get('/languages/{code}', { code: 'de/../de' }), 'not-found', 404);
    await rejection(client.get('/languages/{code}', { code: 'de?x=1' }), 'not-found', 404);
    for (const code of ['..', '.', '', undefined as unknown as string])
      await assert.rejects(client.get('/languages/{code}', { code }), TypeError);
  });

  test('throws a problem with all details of the error response', async () => {
    const problem = await rejection(
      client.post('/products', { sku: '', name: 'N', price: -1 }),
      'validation-failed',
      422,
    );
    assert.deepEqual(
      problem.violations.map(({ propertyPath, code }) => [propertyPath, code]),
      [
        ['sku', 'blank'],
        ['price', 'range'],
      ],
    );
    assert.ok(problem.violations.every(({ message }) => message.length > 0));
    assert.match(problem.message, /^POST \/products: 422 sku: This value should not be blank/);
    assert.match(problem.page!, /\/api\/_reference\/problems\/validation-failed$/);
    assert.match(problem.instance!, /^urn:uuid:/);
    assert.deepEqual([problem.violationsOmitted, problem.wasPerhapsDone], [0, false]);
    assert.deepEqual(Object.keys(problem.extensions), []);
    assert.ok(problem.title.length > 0);

    const reader = createClient({ baseUrl: `${store.address}/api/`, key: READ_ONLY_KEY });
    await rejection(reader.post('/tags', { name: 'T' }), 'read-only-key', 403);
    await rejection(createClient({ baseUrl: store.address }).get('/tags/{id}', { id: 1 }), 'unauthorized', 401);
    await rejection(
      createClient({ baseUrl: store.address, key: 'x' }).get('/tags/{id}', { id: 1 }),
      'unauthorized',
      401,
    );
    const stale = await client.post('/tags', { name: 'Stale' });
    const now = await client.put('/tags/{id}', { id: stale.data.id }, { name: 'Newer' });
    const lost = await rejection(
      client.put('/tags/{id}', { id: stale.data.id }, { name: 'Lost' }, { ifMatch: stale }),
      'precondition-failed',
      412,
    );
    assert.equal(lost.etag, now.etag);
  });

  test('rejects a base URL that is not a store’s', async () => {
    const problem = await rejection(
      createClient({ baseUrl: `${store.address}/elsewhere`, key: READ_WRITE_KEY }).get('/tags/{id}', { id: 1 }),
      'not-found',
      404,
    );
    assert.ok(problem.detail);
    assert.throws(() => createClient({ baseUrl: 'shop.example', key: 'k' }), TypeError);
  });
});

async function rejection(request: Promise<unknown>, type: StoreProblem['type'], status: number): Promise<StoreProblem> {
  const problem = await request.then(
    () => assert.fail('the request succeeded'),
    (error: unknown) => error,
  );
  assert.ok(problem instanceof StoreProblem, String(problem));
  assert.deepEqual([problem.type, problem.status], [type, status]);
  return problem;
}

test('every method rejects an unknown option with a TypeError that names it', async () => {
  const client = createClient({ baseUrl: 'http://127.0.0.1:1', key: 'some-key', retriesMax: 0 }) as AnyClient;
  const unknown = { name: 'TypeError', message: /^Unknown option “colour” of \w+\. Valid options: .+\.$/ };
  const id = { id: 1 };
  const options = { colour: 1 };
  for (const call of [
    () => client.get('/tags/{id}', id, options),
    () => client.get('/store', options),
    () => client.page('/tags', options),
    () => client.post('/tags', { name: 'A' }, options),
    () => client.put('/tags/{id}', id, { name: 'A' }, options),
    () => client.patch('/tags/{id}', id, { name: 'A' }, options),
    () => client.delete('/tags/{id}', id, options),
  ])
    await assert.rejects(call(), unknown);
  for (const call of [
    () => client.list('/tags', options),
    () => client.export('/tags', options),
    () => client.bulk('/tags/bulk', [], options),
    () => client.follow(options),
    () => client.follow({ onChange: () => {}, ...options }),
    () => createClient({ baseUrl: 'http://127.0.0.1:1', key: 'k', ...options } as never),
  ])
    assert.throws(call, unknown);
  // Options of other methods are unknown as well.
  await assert.rejects(client.delete('/tags/{id}', id, { idempotencyKey: 'a' }), /“idempotencyKey” of delete/);
  assert.throws(() => client.list('/tags', { page: 2 }), /“page” of list/);
  assert.throws(() => client.follow({ onChange: 5 }), /“onChange” of follow is not a function/);
  await assert.rejects(client.get('/store', {}, { language: 'de' }), /Too many arguments of get/);
});

test('a store that does not respond is a StoreUnreachable with method, address and the code of the system', async () => {
  const port = await freePort();
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, key: 'some-key', retriesMax: 0 });
  const address = `http://127.0.0.1:${port}/api`;
  const isUnreachable = (method: string, path: string) => (error: unknown) => {
    assert.ok(error instanceof StoreUnreachable && !(error instanceof TypeError));
    const { name, message, cause, code } = error;
    assert.deepEqual(
      [name, code, error.method, error.address],
      ['StoreUnreachable', 'ECONNREFUSED', method, `${address}${path}`],
    );
    for (const part of [method, `${address}${path}`, 'ECONNREFUSED']) assert.ok(message.includes(part), message);
    assert.ok(cause instanceof TypeError && cause.message === 'fetch failed');
    return true;
  };
  const tag = { id: 5 };
  await assert.rejects(client.get('/tags/{id}', tag), isUnreachable('GET', '/tags/5'));
  // A filter may be personal, so the query is not in the message.
  const found = client.page('/orders', { filter: { email: 'ada@example.com' } });
  await assert.rejects(
    found,
    (error: Error) => !error.message.includes('ada') && isUnreachable('GET', '/orders')(error),
  );
  await assert.rejects(client.post('/tags', { name: 'A' }), isUnreachable('POST', '/tags'));
  await assert.rejects(client.put('/tags/{id}', tag, { name: 'A' }), isUnreachable('PUT', '/tags/5'));
  await assert.rejects(client.patch('/tags/{id}', tag, { name: 'A' }), isUnreachable('PATCH', '/tags/5'));
  await assert.rejects(client.delete('/tags/{id}', tag), isUnreachable('DELETE', '/tags/5'));
  await assert.rejects(Array.fromAsync(client.list('/tags')), isUnreachable('GET', '/tags'));
  await assert.rejects(Array.fromAsync(client.export('/tags')), isUnreachable('GET', '/tags'));
  await assert.rejects(
    Array.fromAsync(client.bulk('/tags/bulk', [{ name: 'A' }])),
    isUnreachable('POST', '/tags/bulk'),
  );
});

test('rejects credentials in baseUrl without repeating them', () => {
  assert.throws(
    () => createClient({ baseUrl: 'http://ada:secret@127.0.0.1:1', key: 'some-key' }),
    (error) => error instanceof TypeError && /baseUrl/.test(error.message) && !/secret|ada/.test(error.message),
  );
});

// biome-ignore lint/suspicious/noExplicitAny: calls that do not compile
type AnyClient = any;
