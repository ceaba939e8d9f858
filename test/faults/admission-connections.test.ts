/** Slow clients, idle connections and too many requests per connection (reliability A12–A17, A24). Durations are not tested. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, statusesIn } from '../support/connection.ts';
import { assertUnchanged } from '../support/expect.ts';
import { attached, noisePng } from '../support/images.ts';
import { head } from '../support/raw-request.ts';
import { IN_PROCESS, onEachDatabase, onOneDatabase, READ_WRITE_KEY } from '../support/store.ts';

const KEY = `X-Auth-Token: ${READ_WRITE_KEY}`;
const JSON_BODY = 'Content-Type: application/json';

const SHORT_WAITS = {
  HEADERS_SECONDS_MAX: '1',
  BODY_SECONDS_MAX: '1',
  UPLOAD_SECONDS_MAX: '4',
  REQUEST_SECONDS_MAX: '6',
  KEEP_ALIVE_SECONDS_MAX: '1',
  STALLED_SECONDS_MAX: '1',
};

onOneDatabase('slow client', { ...IN_PROCESS, ...SHORT_WAITS }, (store) => {
  before(() => store.product());
  const open = (text: string) => new Connection(store.address).send(text);

  test('a client that stalls in the request headers gets a 408 and loses the connection', async () => {
    for (const text of ['GET /api/tags HTTP/1.1\r\nHost: store\r\nX-Slow: ', 'G'])
      assert.match(
        await open(text).untilClosed(),
        /^HTTP\/1\.1 408 [\s\S]*application\/problem\+json[\s\S]*"status":408/,
      );
  });

  test('sending the request headers byte by byte does not extend their time limit', async () => {
    const connection = open('GET /api/tags HTTP/1.1\r\nHost: store\r\nX-Slow: ');
    const dripping = setInterval(() => connection.send('x'), 50);
    assert.match(await connection.untilClosed(), /^HTTP\/1\.1 408 /);
    clearInterval(dripping);
  });

  test('a client that stalls or drips in a JSON body gets a 408, and the store is unchanged', () =>
    assertUnchanged(store, async () => {
      const body = JSON.stringify({ name: 'Never' });
      const request = head('POST /api/tags', KEY, JSON_BODY, `Content-Length: ${body.length}`);
      const silent = open(request + body.slice(0, -1));
      const dripping = open(request);
      let sent = 0;
      const drip = setInterval(() => sent < 10 && dripping.send(body[sent++]!), 200);
      for (const connection of [silent, dripping]) {
        const response = await connection.untilClosed();
        assert.deepEqual(statusesIn(response), [408]);
        assert.match(response, /application\/problem\+json/);
      }
      clearInterval(drip);
    }));

  test('a client that stalls in a chunked body gets a 408, and the store is unchanged', () =>
    assertUnchanged(store, async () => {
      const request = head('POST /api/tags', KEY, JSON_BODY, 'Transfer-Encoding: chunked');
      assert.deepEqual(statusesIn(await open(`${request}5\r\n{"nam`).untilClosed()), [408]);
    }));

  test('a client that stalls in an image upload gets a 408, and the store is unchanged', () =>
    assertUnchanged(store, async () => {
      const request = head('POST /api/products/1/images', KEY, JSON_BODY, 'Content-Length: 1000000');
      assert.deepEqual(statusesIn(await open(`${request}{"attachment":"`).untilClosed()), [408]);
    }));

  test('an idle keep-alive connection is closed without a response', async () => {
    const response = await open(head('GET /api/tags', KEY)).untilClosed();
    assert.deepEqual(statusesIn(response), [200]);
  });

  test('a connection without any request is closed', async () => {
    await open('').untilClosed();
  });

  test('a client that stalls in the body of a rejected request loses the connection', async () => {
    const response = await open(head('POST /api/tags', JSON_BODY, 'Content-Length: 1000')).untilClosed();
    assert.deepEqual(statusesIn(response), [401], 'one request gets one response');
  });

  const OPEN_FILES = '/proc/self/fd';
  test('a client that does not read an image loses the connection, and the file is closed', {
    skip: !existsSync(OPEN_FILES),
  }, async () => {
    const bytes = await noisePng(2400, 2400);
    const { url } = await store.made('/api/products/1/images', await attached(bytes));
    const isOpen = () =>
      readdirSync(OPEN_FILES).some((file) => {
        try {
          return readlinkSync(`${OPEN_FILES}/${file}`).endsWith(new URL(url).pathname.split('/').at(-1)!);
        } catch {
          return false;
        }
      });
    // Four times the file exceeds the socket buffers between server and client.
    const connection = open(head(`GET ${new URL(url).pathname}`).repeat(4));
    await connection.waitFor(/ 200 OK/);
    connection.socket.pause();
    const readTags = async () => assert.equal((await store.get('/api/tags')).status, 200);
    assert.ok(isOpen());
    // Other requests are served until the server closes the connection and the file.
    while (isOpen()) {
      await readTags();
      await sleep(20);
    }
    connection.socket.resume();
    const received = (await connection.untilClosed()).length;
    assert.ok(received < bytes.length * 4, `received ${received} of ${bytes.length * 4} bytes`);
  });
});

onOneDatabase(
  'connection limits',
  { ...IN_PROCESS, CONNECTIONS_MAX: '5', REQUESTS_PER_CONNECTION_MAX: '3' },
  (store) => {
    test('a connection over CONNECTIONS_MAX is closed, and a new one is accepted after another ends', async () => {
      const request = (connection: Connection) => connection.send(head('GET /api/tags', KEY)).waitFor(/200 OK/);
      const held = Array.from({ length: 5 }, () => new Connection(store.address));
      for (const connection of held) await request(connection);
      assert.equal(await new Connection(store.address).send(head('GET /api/tags', KEY)).untilClosed(), '');
      for (const connection of held) await connection.close();
      // The server needs some time to notice the closed connections.
      for (;;) {
        const response = await new Connection(store.address)
          .send(head('GET /api/tags', KEY, 'Connection: close'))
          .untilClosed();
        if (response !== '') return assert.deepEqual(statusesIn(response), [200]);
      }
    });

    test('a connection serves REQUESTS_PER_CONNECTION_MAX requests, and the last response has Connection: close', async () => {
      const responses = await new Connection(store.address).send(head('GET /api/tags', KEY).repeat(10)).untilClosed();
      assert.deepEqual(statusesIn(responses), [200, 200, 200]);
      assert.equal(responses.match(/connection: close/gi)?.length, 1);
    });
  },
);

onOneDatabase('pipelined reads', { ...IN_PROCESS, REQUESTS_WAITING_MAX: '2000' }, (store) => {
  test('1,000 pipelined requests are answered in order', async () => {
    for (let index = 1; index <= 10; index += 1) await store.made('/api/tags', { name: `Tag ${index}` });
    const ids = Array.from({ length: 1000 }, (_, index) => 1 + ((index * 7) % 10));
    const requests = ids.map((id) => head(`GET /api/tags/${id}`, KEY)).join('');
    const responses = await new Connection(store.address)
      .send(requests + head('GET /healthz', 'Connection: close'))
      .untilClosed();
    const responded = [...responses.matchAll(/\{"id":(\d+),/g)].map(([, id]) => Number(id));
    assert.deepEqual(responded, ids);
  });
});

onEachDatabase('disconnecting client', IN_PROCESS, (store) => {
  test('a client that disconnects in the middle of a request changes nothing in the store', () =>
    assertUnchanged(store, async () => {
      const body = JSON.stringify({ name: 'Never' });
      const request = head('POST /api/tags', KEY, JSON_BODY, `Content-Length: ${body.length}`) + body;
      for (let cut = 1; cut < request.length; cut += 7) {
        const connection = new Connection(store.address).send(request.slice(0, cut));
        connection.socket.end();
        await connection.untilClosed();
      }
    }));

  test('a client that disconnects before the response gets it by its Idempotency-Key, and the write happens once', async () => {
    for (let round = 0; round < 20; round += 1) {
      const body = JSON.stringify({ name: `Once ${round}` });
      const headers = [KEY, JSON_BODY, `Content-Length: ${body.length}`, `Idempotency-Key: key-${round}`];
      const connection = new Connection(store.address).send(head('POST /api/tags', ...headers) + body);
      if (round % 2 === 0) await new Promise((resolve) => connection.socket.once('connect', resolve));
      await connection.close();
      const again = await store.post('/api/tags', body, { 'idempotency-key': `key-${round}` });
      assert.equal(again.status, 201, again.text);
      const found = await store.get(`/api/tags?name=${encodeURIComponent(`Once ${round}`)}`);
      assert.equal(found.json.length, 1);
    }
  });
});

onOneDatabase('tunnels and upgrades', IN_PROCESS, (store) => {
  test('CONNECT gets a 400 and the connection is closed', async () => {
    for (const text of [head('CONNECT store:443', KEY), head('CONNECT store:443')]) {
      const response = await new Connection(store.address).send(text).untilClosed();
      assert.deepEqual(statusesIn(response), [400]);
      assert.match(response, /application\/problem\+json/);
    }
  });

  test('a request with Upgrade gets its normal response', async () => {
    for (const protocol of ['h2c', 'websocket']) {
      const upgrade = [
        'Connection: Upgrade, close',
        `Upgrade: ${protocol}`,
        'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA',
      ];
      const response = await new Connection(store.address).send(head('GET /api/tags', KEY, ...upgrade)).untilClosed();
      assert.deepEqual(statusesIn(response), [200]);
    }
  });

  test('OPTIONS * gets a response, and TRACE gets a 405 without an echo', async () => {
    const options = await new Connection(store.address).send(head('OPTIONS *', 'Connection: close')).untilClosed();
    assert.match(options, /^HTTP\/1\.1 (204|400|401|404|405) /);
    const trace = head('TRACE /api/tags', KEY, 'X-Echo: echoed', 'Connection: close');
    const response = await new Connection(store.address).send(trace).untilClosed();
    assert.deepEqual(statusesIn(response), [405]);
    assert.doesNotMatch(response, /echoed/);
  });

  test('a TLS handshake on the HTTP port gets a 400', async () => {
    const hello = Buffer.from('16030100be010000ba0303000102030405060708090a0b0c0d0e0f', 'hex');
    assert.deepEqual(statusesIn(await new Connection(store.address).send(hello).untilClosed()), [400]);
  });
});
