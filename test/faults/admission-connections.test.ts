/** Clients that keep a connection and do not use it, or use it too much (reliability A12–A17, A24). Only that it ends is said, not when. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, statusesIn } from '../support/connection.ts';
import { assertUnchanged } from '../support/expect.ts';
import { attached, noisePng } from '../support/images.ts';
import { head } from '../support/raw-request.ts';
import { onEachDatabase, onOneDatabase, READ_WRITE_KEY, SERVED_HERE } from '../support/store.ts';

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

onOneDatabase('a client that is slow', { ...SERVED_HERE, ...SHORT_WAITS }, (store) => {
  before(() => store.product());
  const open = (text: string) => new Connection(store.address).send(text);

  test('to send its headers gets a 408, and the connection ends', async () => {
    for (const text of ['GET /api/tags HTTP/1.1\r\nHost: store\r\nX-Slow: ', 'G'])
      assert.match(
        await open(text).untilClosed(),
        /^HTTP\/1\.1 408 [\s\S]*application\/problem\+json[\s\S]*"status":408/,
      );
  });

  test('to send its headers, byte by byte, gets no longer for it', async () => {
    const connection = open('GET /api/tags HTTP/1.1\r\nHost: store\r\nX-Slow: ');
    const dripping = setInterval(() => connection.send('x'), 50);
    assert.match(await connection.untilClosed(), /^HTTP\/1\.1 408 /);
    clearInterval(dripping);
  });

  test('to send its body gets a 408, and nothing is done', () =>
    assertUnchanged(store, async () => {
      const body = JSON.stringify({ name: 'Never' });
      const request = head('POST /api/tags', KEY, JSON_BODY, `Content-Length: ${body.length}`);
      const silent = open(request + body.slice(0, -1));
      const dripping = open(request);
      let sent = 0;
      const drip = setInterval(() => sent < 10 && dripping.send(body[sent++]!), 200);
      for (const connection of [silent, dripping]) {
        const answer = await connection.untilClosed();
        assert.deepEqual(statusesIn(answer), [408]);
        assert.match(answer, /application\/problem\+json/);
      }
      clearInterval(drip);
    }));

  test('to send a body in chunks gets a 408 as well', () =>
    assertUnchanged(store, async () => {
      const request = head('POST /api/tags', KEY, JSON_BODY, 'Transfer-Encoding: chunked');
      assert.deepEqual(statusesIn(await open(`${request}5\r\n{"nam`).untilClosed()), [408]);
    }));

  test('to send a picture gets a 408', () =>
    assertUnchanged(store, async () => {
      const request = head('POST /api/products/1/images', KEY, JSON_BODY, 'Content-Length: 1000000');
      assert.deepEqual(statusesIn(await open(`${request}{"attachment":"`).untilClosed()), [408]);
    }));

  test('to ask again loses the connection, without a word', async () => {
    const answer = await open(head('GET /api/tags', KEY)).untilClosed();
    assert.deepEqual(statusesIn(answer), [200]);
  });

  test('and never asks, loses the connection', async () => {
    await open('').untilClosed();
  });

  test('to go on after it was refused loses the connection', async () => {
    const answer = await open(head('POST /api/tags', JSON_BODY, 'Content-Length: 1000')).untilClosed();
    assert.deepEqual(statusesIn(answer), [401], 'and no second answer to one request');
  });

  const OPEN_FILES = '/proc/self/fd';
  test('to read loses the connection, and the file is closed', { skip: !existsSync(OPEN_FILES) }, async () => {
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
    // Four times the file is more than the buffers of the system between server and client hold.
    const connection = open(head(`GET ${new URL(url).pathname}`).repeat(4));
    await connection.waitFor(/ 200 OK/);
    connection.socket.pause();
    const others = async () => assert.equal((await store.get('/api/tags')).status, 200);
    assert.ok(isOpen());
    // Others are served until the server gives the reader up and closes the file.
    while (isOpen()) {
      await others();
      await sleep(20);
    }
    connection.socket.resume();
    const received = (await connection.untilClosed()).length;
    assert.ok(received < bytes.length * 4, `${received} of ${bytes.length * 4} bytes came`);
  });
});

onOneDatabase('connections', { ...SERVED_HERE, CONNECTIONS_MAX: '5', REQUESTS_PER_CONNECTION_MAX: '3' }, (store) => {
  test('are so many at once; one more is closed, and there is a place again when one goes', async () => {
    const ask = (connection: Connection) => connection.send(head('GET /api/tags', KEY)).waitFor(/200 OK/);
    const held = Array.from({ length: 5 }, () => new Connection(store.address));
    for (const connection of held) await ask(connection);
    assert.equal(await new Connection(store.address).send(head('GET /api/tags', KEY)).untilClosed(), '');
    for (const connection of held) await connection.close();
    // That the server has seen them go takes it a moment.
    for (;;) {
      const answer = await new Connection(store.address)
        .send(head('GET /api/tags', KEY, 'Connection: close'))
        .untilClosed();
      if (answer !== '') return assert.deepEqual(statusesIn(answer), [200]);
    }
  });

  test('serve so many requests, the last of which says so', async () => {
    const answers = await new Connection(store.address).send(head('GET /api/tags', KEY).repeat(10)).untilClosed();
    assert.deepEqual(statusesIn(answers), [200, 200, 200]);
    assert.equal(answers.match(/connection: close/gi)?.length, 1);
  });
});

onOneDatabase('1,000 requests on one connection', { ...SERVED_HERE, REQUESTS_WAITING_MAX: '2000' }, (store) => {
  test('are answered in their order', async () => {
    for (let index = 1; index <= 10; index += 1) await store.made('/api/tags', { name: `Tag ${index}` });
    const ids = Array.from({ length: 1000 }, (_, index) => 1 + ((index * 7) % 10));
    const requests = ids.map((id) => head(`GET /api/tags/${id}`, KEY)).join('');
    const answers = await new Connection(store.address)
      .send(requests + head('GET /healthz', 'Connection: close'))
      .untilClosed();
    const answered = [...answers.matchAll(/\{"id":(\d+),/g)].map(([, id]) => Number(id));
    assert.deepEqual(answered, ids);
  });
});

onEachDatabase('a client that goes away', SERVED_HERE, (store) => {
  test('in the middle of a body has done nothing', () =>
    assertUnchanged(store, async () => {
      const body = JSON.stringify({ name: 'Never' });
      const request = head('POST /api/tags', KEY, JSON_BODY, `Content-Length: ${body.length}`) + body;
      for (let cut = 1; cut < request.length; cut += 7) {
        const connection = new Connection(store.address).send(request.slice(0, cut));
        connection.socket.end();
        await connection.untilClosed();
      }
    }));

  test('before the answer finds it by its Idempotency-Key', async () => {
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

onOneDatabase('tunnels and upgrades', SERVED_HERE, (store) => {
  test('are not offered: CONNECT is refused and the connection closed', async () => {
    for (const text of [head('CONNECT store:443', KEY), head('CONNECT store:443')]) {
      const answer = await new Connection(store.address).send(text).untilClosed();
      assert.deepEqual(statusesIn(answer), [400]);
      assert.match(answer, /application\/problem\+json/);
    }
  });

  test('an upgrade is passed over', async () => {
    for (const protocol of ['h2c', 'websocket']) {
      const upgrade = [
        'Connection: Upgrade, close',
        `Upgrade: ${protocol}`,
        'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA',
      ];
      const answer = await new Connection(store.address).send(head('GET /api/tags', KEY, ...upgrade)).untilClosed();
      assert.deepEqual(statusesIn(answer), [200]);
    }
  });

  test('OPTIONS * is answered or refused, and TRACE echoes nothing', async () => {
    const options = await new Connection(store.address).send(head('OPTIONS *', 'Connection: close')).untilClosed();
    assert.match(options, /^HTTP\/1\.1 (204|400|401|404|405) /);
    const trace = head('TRACE /api/tags', KEY, 'X-Echo: echoed', 'Connection: close');
    const answer = await new Connection(store.address).send(trace).untilClosed();
    assert.deepEqual(statusesIn(answer), [405]);
    assert.doesNotMatch(answer, /echoed/);
  });

  test('TLS on the plain port is a 400', async () => {
    const hello = Buffer.from('16030100be010000ba0303000102030405060708090a0b0c0d0e0f', 'hex');
    assert.deepEqual(statusesIn(await new Connection(store.address).send(hello).untilClosed()), [400]);
  });
});
