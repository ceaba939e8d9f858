/** Bulk writes and exports of the client, against a real store and against a server with incomplete responses. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createClient, StoreProblem, StoreUnreachable } from '../../src/client/index.ts';
import { onOneDatabase, READ_WRITE_KEY } from '../support/store.ts';

onOneDatabase('bulk writes and exports of the client', {}, (store) => {
  const client = () => createClient({ baseUrl: store.address, key: READ_WRITE_KEY, firstWaitSeconds: 0.01 });
  const COUNT = 2300;

  test('reads lines as the results are consumed and numbers the results', async () => {
    let read = 0;
    let aheadMax = 0;
    async function* lines() {
      for (; read < COUNT; read += 1) yield { sku: `L-${read}`, name: `Line ${read}` };
    }
    let line = 0;
    for await (const result of client().bulk('/products/bulk', lines())) {
      line += 1;
      aheadMax = Math.max(aheadMax, read - line);
      assert.deepEqual([result.line, result.key, result.result], [line, `L-${line - 1}`, 'created']);
    }
    assert.equal(line, COUNT);
    assert.ok(aheadMax <= 1000, `${aheadMax} lines were read ahead`);
  });

  test('exports all records and stops when the caller stops iterating', async () => {
    const skus = [];
    for await (const { sku } of client().export('/products', { filter: { name: 'Line' } })) skus.push(sku);
    assert.equal(skus.length, COUNT);
    for await (const product of client().export('/products')) {
      assert.equal(typeof product.id, 'number');
      break;
    }
    for await (const _ of client().export('/products/{product_id}/images', { product_id: 1 })) assert.fail();
  });

  test('reports failed lines and throws a problem for a rejected request', async () => {
    const results = await Array.fromAsync(client().bulk('/products/bulk', [{ sku: 'L-1', price: -1 }, { sku: 'L-2' }]));
    assert.deepEqual([results[0]?.problem?.violations?.[0]?.propertyPath, results[1]?.result], ['price', 'unchanged']);
    const isLinesRefused = ({ type }: StoreProblem) => type === 'lines-refused';
    const atomic = client().bulk('/products/bulk', [{ sku: 'L-1', price: -1 }], { atomic: true });
    await assert.rejects(Array.fromAsync(atomic), isLinesRefused);
    const unknown = client().bulk('/products/bulk', [{ sku: 'L-1' }], { key: 'colour' });
    await assert.rejects(Array.fromAsync(unknown), StoreProblem);
    await assert.rejects(
      Array.fromAsync(client().export('/products', { filter: { price: { gte: 'x' as never } } })),
      StoreProblem,
    );
  });

  test('takes path parameters before the lines', async () => {
    const lines = [{ sku: 'L-1-S', attribute_select_values: [] }];
    const [result] = await Array.fromAsync(
      client().bulk('/products/{product_id}/variants/bulk', { product_id: 1 }, lines),
    );
    assert.equal(result?.problem?.violations?.[0]?.propertyPath, 'attribute_select_values');
    const nowhere = client().bulk('/products/{product_id}/variants/bulk', { product_id: 999_999 }, lines);
    await assert.rejects(Array.fromAsync(nowhere), ({ status }: StoreProblem) => status === 400);
  });

  test('saves nothing in a dry run, and sets the stock of products', async () => {
    const dry = await Array.fromAsync(client().bulk('/products/bulk', [{ sku: 'DRY', name: 'Dry' }], { dryRun: true }));
    assert.equal(dry[0]?.result, 'created');
    const [set] = await Array.fromAsync(
      client().bulk('/products/stock/bulk', [
        { sku: 'L-1', amount: 3 },
        { sku: 'DRY', amount: 1 },
      ]),
    );
    assert.equal(set?.version, 2);
  });
});

test('a bulk request with an incomplete response is repeated only if it is idempotent', async () => {
  let requests = 0;
  const half = '{"line":1,"key":"A","status":201,"result":"created","id":1,"version":1}\n';
  const server = createServer((request, response) => {
    requests += 1;
    request.resume();
    response.writeHead(200, { 'content-type': 'application/x-ndjson', 'x-total-count': '2' });
    response.end(requests === 1 || request.method === 'GET' ? half : `${half}{"summary":{"complete":true}}\n`);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createClient({ baseUrl, key: 'some-key', firstWaitSeconds: 0.01 });
  const lines = [{ sku: 'A', name: 'A' }];
  assert.equal((await Array.fromAsync(client.bulk('/products/bulk', lines))).length, 1);
  assert.equal(requests, 2);
  for (const results of [
    client.bulk('/products/bulk', lines, { mode: 'create' }),
    client.bulk('/products/stock/bulk', [{ sku: 'A', delta: 1 }]),
  ]) {
    requests = 0;
    await assert.rejects(Array.fromAsync(results), /cut off/);
    assert.equal(requests, 1);
  }
  await assert.rejects(Array.fromAsync(client.export('/products')), /after 1 of 2 records/);
  server.close();
  server.closeAllConnections();
});

test('an export whose connection breaks yields the records before, and throws a StoreUnreachable', async (context) => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson', 'x-total-count': '2' });
    response.write('{"id":1}\n', () => response.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  context.after(() => server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createClient({ baseUrl, key: 'some-key', firstWaitSeconds: 0.01 });
  const seen: number[] = [];
  await assert.rejects(
    async () => {
      for await (const { id } of client.export('/products')) seen.push(id);
    },
    (error) => error instanceof StoreUnreachable && error.method === 'GET' && error.cause instanceof TypeError,
  );
  assert.deepEqual(seen, [1]);
});
