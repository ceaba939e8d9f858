/** Requests on one connection that do not wait for answers: what stands behind a write sees it (RFC 9112 §9.3.2). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Connection, statusesIn } from '../support/connection.ts';
import { head } from '../support/raw-request.ts';
import { onEachDatabase, READ_WRITE_KEY, SERVED_HERE } from '../support/store.ts';

const KEY = `X-Auth-Token: ${READ_WRITE_KEY}`;

const asks = (method: string, path: string, body?: object, ...headers: string[]): string => {
  if (body === undefined) return head(`${method} ${path}`, KEY, ...headers);
  const text = JSON.stringify(body);
  return (
    head(`${method} ${path}`, KEY, 'Content-Type: application/json', `Content-Length: ${text.length}`, ...headers) +
    text
  );
};

const LAST = 'Connection: close';

/** The body of each answer, in their order. */
function bodiesIn(received: string) {
  return received
    .split(/HTTP\/1\.1 \d{3} [^\r]*\r\n/)
    .slice(1)
    .map((answer) => answer.slice(answer.indexOf('\r\n\r\n') + 4))
    .map((body) => (body === '' ? undefined : JSON.parse(body)));
}

/** Reads that stand behind a write begin side by side, and here nobody is to be told to come again. */
const ROOM = { ...SERVED_HERE, REQUESTS_WAITING_MAX: '10000' };

onEachDatabase('requests sent without waiting', ROOM, (store) => {
  const send = (...requests: string[]) => new Connection(store.address).send(requests.join('')).untilClosed();

  test('read what the write before them wrote', async () => {
    for (let round = 1; round <= 20; round += 1) {
      const { id } = await store.product({ price: 1 });
      const path = `/api/products/${id}`;
      const received = await send(
        asks('GET', path),
        asks('PATCH', path, { price: 2 }),
        asks('GET', path),
        asks('GET', `/api/products?id=${id}`),
        asks('POST', `${path}/stock`, { delta: 5 }),
        asks('GET', path),
        asks('DELETE', path),
        asks('GET', path, undefined, LAST),
      );
      assert.deepEqual(statusesIn(received), [200, 200, 200, 200, 200, 200, 204, 404]);
      const [first, , second, [listed], stocked, third] = bodiesIn(received);
      assert.deepEqual([first.price, second.price, listed.price], [1, 2, 2]);
      assert.deepEqual([third.amount, third.amount - second.amount], [stocked.amount, 5]);
    }
  });

  test('writes are done in their order', async () => {
    const { id } = await store.product();
    const path = `/api/products/${id}`;
    const prices = Array.from({ length: 30 }, (_, index) => index + 1);
    const received = await send(
      ...prices.map((price) => asks('PATCH', path, { price })),
      asks('GET', path, undefined, LAST),
    );
    assert.deepEqual(
      bodiesIn(received).map(({ price }) => price),
      [...prices, 30],
    );
  });

  test('reads alone are answered in their order', async () => {
    const reads = Array.from({ length: 50 }, () => asks('GET', '/api/tags'));
    assert.deepEqual(
      new Set(statusesIn(await send(...reads, asks('HEAD', '/api/tags', undefined, LAST)))),
      new Set([200]),
    );
  });

  test('however many stand behind a write, all are answered', async () => {
    const { id } = await store.product({ price: 1 });
    const path = `/api/products/${id}`;
    const reads = Array.from({ length: 3000 }, () => asks('HEAD', path));
    const received = await send(asks('PATCH', path, { price: 2 }), ...reads, asks('GET', path, undefined, LAST));
    const statuses = statusesIn(received);
    assert.equal(statuses.length, 3002);
    assert.deepEqual(new Set(statuses), new Set([200]));
    assert.match(received.slice(-5000), /"price":2,/);
  });

  test('behind a refused write are answered as well', async () => {
    const received = await send(
      asks('POST', '/api/tags', {}),
      asks('DELETE', '/api/tags/999999'),
      `${head('PUT /api/tags/1', 'Content-Length: 2')}{}`,
      asks('PROPFIND', '/api/tags'),
      asks('GET', '/api/tags', undefined, LAST),
    );
    assert.deepEqual(statusesIn(received), [422, 404, 401, 405, 200]);
  });

  test('a write whose client waits to be told to go on may stand behind another', async () => {
    const { id } = await store.product({ price: 1 });
    const path = `/api/products/${id}`;
    const body = JSON.stringify({ price: 3 });
    const connection = new Connection(store.address).send(
      asks('PATCH', path, { price: 2 }) +
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

  test('of a client that is gone leave the server as it was', async () => {
    const { id } = await store.product({ price: 1 });
    const path = `/api/products/${id}`;
    for (let round = 1; round <= 50; round += 1) {
      const connection = new Connection(store.address);
      connection.send(asks('PATCH', path, { price: round }) + asks('GET', path).repeat(20));
      if (round % 2 === 0) await connection.waitFor(/HTTP/);
      await connection.close();
    }
    const received = await send(asks('PATCH', path, { price: 99 }), asks('GET', path, undefined, LAST));
    assert.deepEqual(
      bodiesIn(received).map(({ price }) => price),
      [99, 99],
    );
  });
});
