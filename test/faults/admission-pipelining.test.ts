/** Pipelined requests: a request after a write on the same connection sees its result (RFC 9112 §9.3.2). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Connection, statusesIn } from '../support/connection.ts';
import { head } from '../support/raw-request.ts';
import { IN_PROCESS, onEachDatabase, READ_WRITE_KEY } from '../support/store.ts';

const KEY = `X-Auth-Token: ${READ_WRITE_KEY}`;

const requestText = (method: string, path: string, body?: object, ...headers: string[]): string => {
  if (body === undefined) return head(`${method} ${path}`, KEY, ...headers);
  const text = JSON.stringify(body);
  return (
    head(`${method} ${path}`, KEY, 'Content-Type: application/json', `Content-Length: ${text.length}`, ...headers) +
    text
  );
};

const LAST = 'Connection: close';

/** The bodies of all responses, in order. */
function bodiesIn(received: string) {
  return received
    .split(/HTTP\/1\.1 \d{3} [^\r]*\r\n/)
    .slice(1)
    .map((response) => response.slice(response.indexOf('\r\n\r\n') + 4))
    .map((body) => (body === '' ? undefined : JSON.parse(body)));
}

/** Reads after a write start concurrently; a large queue prevents rejections. */
const LARGE_QUEUE = { ...IN_PROCESS, REQUESTS_WAITING_MAX: '10000' };

onEachDatabase('pipelined requests', LARGE_QUEUE, (store) => {
  const send = (...requests: string[]) => new Connection(store.address).send(requests.join('')).untilClosed();

  test('pipelined reads see the write before them', async () => {
    for (let round = 1; round <= 20; round += 1) {
      const { id } = await store.product({ price: 1 });
      const path = `/api/products/${id}`;
      const received = await send(
        requestText('GET', path),
        requestText('PATCH', path, { price: 2 }),
        requestText('GET', path),
        requestText('GET', `/api/products?id=${id}`),
        requestText('POST', `${path}/stock`, { delta: 5 }),
        requestText('GET', path),
        requestText('DELETE', path),
        requestText('GET', path, undefined, LAST),
      );
      assert.deepEqual(statusesIn(received), [200, 200, 200, 200, 200, 200, 204, 404]);
      const [first, , second, [listed], stocked, third] = bodiesIn(received);
      assert.deepEqual([first.price, second.price, listed.price], [1, 2, 2]);
      assert.deepEqual([third.amount, third.amount - second.amount], [stocked.amount, 5]);
    }
  });

  test('pipelined writes are executed in order', async () => {
    const { id } = await store.product();
    const path = `/api/products/${id}`;
    const prices = Array.from({ length: 30 }, (_, index) => index + 1);
    const received = await send(
      ...prices.map((price) => requestText('PATCH', path, { price })),
      requestText('GET', path, undefined, LAST),
    );
    assert.deepEqual(
      bodiesIn(received).map(({ price }) => price),
      [...prices, 30],
    );
  });

  test('3,000 pipelined reads after a write are all answered', async () => {
    const { id } = await store.product({ price: 1 });
    const path = `/api/products/${id}`;
    const reads = Array.from({ length: 3000 }, () => requestText('HEAD', path));
    const received = await send(
      requestText('PATCH', path, { price: 2 }),
      ...reads,
      requestText('GET', path, undefined, LAST),
    );
    const statuses = statusesIn(received);
    assert.equal(statuses.length, 3002);
    assert.deepEqual(new Set(statuses), new Set([200]));
    assert.match(received.slice(-5000), /"price":2,/);
  });

  test('requests after a rejected write are answered', async () => {
    const received = await send(
      requestText('POST', '/api/tags', {}),
      requestText('DELETE', '/api/tags/999999'),
      `${head('PUT /api/tags/1', 'Content-Length: 2')}{}`,
      requestText('PROPFIND', '/api/tags'),
      requestText('GET', '/api/tags', undefined, LAST),
    );
    assert.deepEqual(statusesIn(received), [422, 404, 401, 405, 200]);
  });

  test('a write with Expect: 100-continue can follow another write', async () => {
    const { id } = await store.product({ price: 1 });
    const path = `/api/products/${id}`;
    const body = JSON.stringify({ price: 3 });
    const connection = new Connection(store.address).send(
      requestText('PATCH', path, { price: 2 }) +
        head(
          `PATCH ${path}`,
          KEY,
          'Content-Type: application/json',
          `Content-Length: ${body.length}`,
          'Expect: 100-continue',
          LAST,
        ),
    );
    await connection.waitFor(/100 Continue/);
    const received = await connection.send(body).untilClosed();
    assert.deepEqual(statusesIn(received), [200, 200]);
    assert.match(received, /"price":2,[\s\S]*"price":3,/);
  });

  test('pipelined requests of disconnected clients do not affect later requests', async () => {
    const { id } = await store.product({ price: 1 });
    const path = `/api/products/${id}`;
    for (let round = 1; round <= 50; round += 1) {
      const connection = new Connection(store.address);
      connection.send(requestText('PATCH', path, { price: round }) + requestText('GET', path).repeat(20));
      if (round % 2 === 0) await connection.waitFor(/HTTP/);
      await connection.close();
    }
    const received = await send(requestText('PATCH', path, { price: 99 }), requestText('GET', path, undefined, LAST));
    assert.deepEqual(
      bodiesIn(received).map(({ price }) => price),
      [99, 99],
    );
  });
});
