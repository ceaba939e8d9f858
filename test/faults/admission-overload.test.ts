/** Overload: requests with a short expected wait are served, the rest gets a 503 at once; classes and keys are independent (group I). */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { before, describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { RequestQueue } from '../../src/http/admission/request-queue.ts';
import { Connection, statusesIn } from '../support/connection.ts';
import { attached, noisePng } from '../support/images.ts';
import { head } from '../support/raw-request.ts';
import { IN_PROCESS, onEachDatabase, onOneDatabase, READ_ONLY_KEY, READ_WRITE_KEY } from '../support/store.ts';

describe('request queue', () => {
  const makeQueue = (atOnceMax: number, waitingMax: number, waitMsMax = 0) => {
    const clock = { ms: 0 };
    const queue = new RequestQueue({ atOnceMax, waitingMax, waitMsMax }, () => clock.ms);
    const entered: string[] = [];
    const rejected: string[] = [];
    const enter = (name: string, flow: string): void =>
      queue.enter({ flow: () => flow, go: () => entered.push(name), reject: () => rejected.push(name) });
    /** @returns the names of the rejected requests */
    const enterAll = (names: Iterable<string>, flow = 'a key'): string => {
      for (const name of names) enter(name, flow);
      return rejected.splice(0).join('');
    };
    const leave = async (count: number, afterMs = 0): Promise<void> => {
      clock.ms += afterMs;
      for (let left = 0; left < count; left += 1) queue.leave();
      await turn();
    };
    return {
      entered,
      enter: enterAll,
      enterAgain: (name: string) => queue.enterAgain(() => entered.push(name)),
      leave,
      /** @returns how many of `count` requests of one key were rejected */
      enterMany: (count: number, flow?: string): number => enterAll('x'.repeat(count), flow).length,
      /** Completes `count` requests, each after `eachMs`. */
      serve: async (count: number, eachMs: number): Promise<void> => {
        for (let served = 0; served < count; served += 1) await leave(1, eachMs);
      },
    };
  };

  test('the queue runs, queues and rejects requests by its limits, in order', async () => {
    const { entered, enter, leave } = makeQueue(2, 3);
    assert.equal(enter('abcdefg'), 'fg');
    assert.deepEqual(entered, ['a', 'b']);
    const left = leave(1);
    assert.deepEqual(entered, ['a', 'b'], 'a slot becomes free at the end of the event loop iteration');
    await left;
    assert.deepEqual(entered, ['a', 'b', 'c']);
    assert.equal(enter('hi'), 'i');
    for (let time = 0; time < 3; time += 1) await leave(2);
    assert.deepEqual(entered, ['a', 'b', 'c', 'd', 'e', 'h']);
    assert.equal(enter('jk'), '');
    assert.deepEqual(entered.slice(-2), ['j', 'k'], 'every slot was released');
  });

  test('a request that enters again gets the next slot, even if the queue is full', async () => {
    const { entered, enter, enterAgain, leave } = makeQueue(1, 1);
    assert.equal(enter('abc'), 'c');
    enterAgain('d');
    await leave(1);
    assert.deepEqual(entered, ['a', 'd']);
    await leave(1);
    assert.deepEqual(entered, ['a', 'd', 'b']);
  });

  test('rejects requests by their expected wait, calculated from earlier durations', async () => {
    const { enterMany, serve } = makeQueue(1, 9999, 250);
    assert.equal(enterMany(1001), 0, 'the first burst has no known duration');
    await serve(500, 2);
    assert.equal(enterMany(1), 1, '500 requests wait, for 1 s');
    await serve(380, 2);
    assert.equal(enterMany(10), 4, '120 requests wait, the limit is 126');
    await serve(126, 20);
    assert.equal(enterMany(40), 8, '32 requests may wait, even for 640 ms');
    assert.equal(enterMany(1), 1);
    await serve(33, 1);
    assert.equal(enterMany(33), 0, 'no waiting request was lost');
  });

  for (const eachMs of [0.1, 2, 20, 100])
    test(`never rejects 32 clients that send sequential requests of ${eachMs} ms`, async () => {
      const { enterMany, leave } = makeQueue(4, 9999, 250);
      assert.equal(enterMany(32), 0);
      for (let time = 0; time < 200; time += 1) {
        // Simulates pauses of the machine.
        await leave(4, 4 * eachMs + (time % 20 === 0 ? 500 : 0));
        assert.equal(enterMany(4), 0);
      }
    });

  test('never rejects up to 32 waiting requests, however slow they are', async () => {
    const { enterMany, serve } = makeQueue(1, 9999, 250);
    assert.equal(enterMany(101), 0);
    await serve(100, 1000);
    assert.equal(enterMany(32), 0);
    assert.equal(enterMany(1), 1);
  });

  test('gives slots to keys in turn', async () => {
    const { entered, enter, leave } = makeQueue(1, 99);
    enter('abcdef', 'flood');
    enter('AB', 'polite');
    enter('1', 'third');
    for (let time = 0; time < 8; time += 1) await leave(1);
    assert.equal(entered.join(''), 'abA1cBdef');
  });

  test('rejects the requests of a key that floods, and not those of other keys', async () => {
    const { enterMany, enter, serve } = makeQueue(1, 9999, 250);
    enterMany(1001, 'flood');
    await serve(500, 10);
    assert.equal(enterMany(100, 'flood'), 100, '500 requests wait, for 5 s');
    assert.equal(enter('abcdefghijklmnop', 'polite'), '', 'this key gets every second slot');
    assert.equal(enterMany(100, 'another'), 90, 'every third slot, 32 waiting requests in total');
  });

  test('a full queue rejects the last request of the longest flow in favor of a shorter one', async () => {
    const { entered, enter, leave } = makeQueue(1, 4);
    assert.equal(enter('abcdef', 'flood'), 'f');
    assert.equal(enter('A', 'polite'), 'e');
    assert.equal(enter('B', 'polite'), 'd');
    assert.equal(enter('C', 'polite'), 'C', 'both flows have the same length');
    assert.equal(enter('g', 'flood'), 'g');
    for (let time = 0; time < 4; time += 1) await leave(1);
    assert.equal(entered.join(''), 'abAcB');
  });

  test('accepts all requests without a limit', () => {
    const { entered, enter } = makeQueue(0, 0);
    assert.equal(enter('abcdefghij'), '');
    assert.equal(entered.length, 10);
  });
});

const KEY = `X-Auth-Token: ${READ_WRITE_KEY}`;
const SMALL_QUEUES = {
  ...IN_PROCESS,
  READS_AT_ONCE_MAX: '2',
  LISTS_AT_ONCE_MAX: '1',
  WRITES_AT_ONCE_MAX: '1',
  REQUESTS_WAITING_MAX: '3',
  UPLOADS_AT_ONCE_MAX: '1',
  UPLOADS_WAITING_MAX: '1',
};

onEachDatabase('burst of 50 requests', SMALL_QUEUES, (store) => {
  before(() => store.made('/api/tags', { name: 'First' }));

  /** Sends all requests in one write, so that they reach the server in one event loop iteration. */
  const sendBurst = async (...requests: string[]): Promise<string> => {
    const connection = new Connection(store.address).send(
      [...requests, head('GET /healthz', 'Connection: close')].join(''),
    );
    return connection.untilClosed();
  };
  const times = (count: number, request: string): string[] => Array.from({ length: count }, () => request);
  const counted = (statuses: readonly number[]) =>
    Object.fromEntries(
      Map.groupBy(statuses, (status) => status)
        .entries()
        .map(([status, all]) => [status, all.length]),
    );

  const READ = head('GET /api/tags/1', KEY);
  const LIST = head('GET /api/tags', KEY);
  const post = (name: string): string => {
    const body = JSON.stringify({ name });
    return `${head('POST /api/tags', KEY, 'Content-Type: application/json', `Content-Length: ${body.length}`)}${body}`;
  };

  test('a burst of reads is served up to the limits, and the rest gets a 503 with Retry-After', async () => {
    const responses = await sendBurst(...times(50, READ));
    assert.deepEqual(counted(statusesIn(responses)), { 200: 5 + 1, 503: 45 });
    assert.deepEqual(statusesIn(responses).slice(0, 5), times(5, '').fill('200').map(Number));
    const [rejected] = /HTTP\/1\.1 503 [\s\S]*?\r\n\r\n\{.*?\}/.exec(responses)!;
    assert.match(rejected, /retry-after: 1\r\n/i);
    assert.match(rejected, /content-type: application\/problem\+json/i);
    assert.match(rejected, /access-control-allow-origin: \*/i);
    assert.match(rejected, /"instance":"urn:uuid:[0-9a-f-]{36}"/);
  });

  test('health checks succeed during a burst of reads', async () => {
    const responses = await sendBurst(
      ...times(50, READ),
      ...times(20, head('GET /healthz')),
      ...times(20, head('GET /readyz')),
    );
    assert.deepEqual(statusesIn(responses).slice(50), times(41, '200').map(Number));
  });

  test('reads, lists and writes have separate limits', async () => {
    // Requests behind a write on its connection wait for it (RFC 9112 §9.3.2), so the write comes last.
    const responses = await sendBurst(...times(40, LIST), ...times(42, READ), post('Beside lists'));
    const statuses = statusesIn(responses);
    assert.deepEqual(counted(statuses.slice(0, 40)), { 200: 4, 503: 36 });
    assert.deepEqual(statuses.slice(40, 42), [200, 200]);
    assert.deepEqual(counted(statuses.slice(42, 82)), { 200: 3, 503: 37 });
    assert.equal(statuses[82], 201);
  });

  test('accepted writes of a burst are done, and rejected ones are not', async () => {
    const before = (await store.get('/api/tags')).headers['x-total-count'];
    const statuses = statusesIn(
      await sendBurst(...Array.from({ length: 50 }, (_, index) => post(`Tag ${index}`))),
    ).slice(0, 50);
    const made = statuses.filter((status) => status === 201).length;
    assert.equal(statuses.filter((status) => status === 503).length, 50 - made);
    assert.ok(made >= 3, `${made} were created`);
    const after = (await store.get('/api/tags')).headers['x-total-count'];
    assert.equal(Number(after) - Number(before), made);
  });

  test('single requests succeed after a burst', async () => {
    for (let time = 0; time < 20; time += 1) {
      assert.equal((await store.get('/api/tags/1')).status, 200);
      assert.equal((await store.get('/api/tags')).status, 200);
      assert.equal((await store.post('/api/tags', { name: `After ${time}` })).status, 201);
    }
  });

  test('a burst with a wrong key is rejected by the limits before the keys are checked', async () => {
    const responses = await sendBurst(...times(50, head('GET /api/nothing', 'X-Auth-Token: wrong-key-of-the-tests')));
    assert.deepEqual(counted(statusesIn(responses)), { 200: 1, 401: 5, 503: 45 });
  });
});

onOneDatabase('request bodies under overload', { ...SMALL_QUEUES, REQUESTS_WAITING_MAX: '0' }, (store) => {
  let images: string;
  before(async () => {
    images = `/api/products/${(await store.product()).id}/images`;
  });

  const sending = (path: string, length: number): Connection =>
    new Connection(store.address).send(
      head(`POST ${path}`, KEY, 'Content-Type: application/json', `Content-Length: ${length}`, 'Expect: 100-continue'),
    );

  test('requests whose JSON body has not arrived hold no slot', async () => {
    const body = JSON.stringify({ name: 'Slow' });
    const slow = [];
    for (let time = 0; time < 5; time += 1) {
      const connection = sending('/api/tags', body.length);
      await connection.waitFor(/100 Continue/);
      slow.push(connection);
    }
    assert.equal((await store.post('/api/tags', { name: 'Quick' })).status, 201);
    slow[0]!.send(body);
    await slow[0]!.waitFor(/HTTP\/1\.1 201 /);
    for (const connection of slow) await connection.close();
    assert.equal((await store.post('/api/tags', { name: 'Quick again' })).status, 201);
  });

  test('an image upload over the limit waits unread or gets a 503, and small requests are served', async () => {
    const body = JSON.stringify(await attached(noisePng(200, 200)));
    assert.ok(body.length > 100_000);
    const first = sending(images, body.length);
    await first.waitFor(/100 Continue/);
    const second = sending(images, body.length);
    const third = sending(images, body.length);
    await third.waitFor(/HTTP\/1\.1 503 /);
    assert.equal(second.received, '', 'the server has not requested its body yet');
    assert.equal((await store.get('/api/tags')).status, 200);
    assert.equal((await store.post('/api/tags', { name: 'Beside uploads' })).status, 201);
    assert.equal(
      (await store.post(images, { attachment: 'AAAA', filename: 'a.png' })).status,
      422,
      'a small upload is served',
    );
    await first.close();
    await second.waitFor(/100 Continue/);
    second.send(body);
    await second.waitFor(/HTTP\/1\.1 201 /);
    await third.close();
    await second.close();
  });

  test('an image upload releases its slot however it ends', async () => {
    const body = JSON.stringify(await attached(noisePng(200, 200)));
    for (const end of ['leaves at once', 'leaves half-way', 'is invalid JSON', 'is complete']) {
      const upload = sending(images, body.length);
      await upload.waitFor(/100 Continue/);
      if (end === 'leaves half-way') upload.send(body.slice(0, 50_000));
      if (end === 'is invalid JSON') await upload.send('x'.repeat(body.length)).waitFor(/HTTP\/1\.1 400 /);
      if (end === 'is complete') await upload.send(body).waitFor(/HTTP\/1\.1 201 /);
      await upload.close();
    }
    // An upload that disconnects while it waits releases its place in the queue.
    const [one, waiting] = [sending(images, body.length), sending(images, body.length)];
    await one.waitFor(/100 Continue/);
    await waiting.close();
    await one.close();
    const last = sending(images, body.length);
    await last.waitFor(/100 Continue/);
    await last.send(body).waitFor(/HTTP\/1\.1 201 /);
    await last.close();
  });
});

onOneDatabase('retry after a rejection', { ...SMALL_QUEUES, UPLOADS_WAITING_MAX: '0' }, (store) => {
  let body: string;
  let upload: string;
  let occupiesSlot: string;
  before(async () => {
    body = JSON.stringify(await attached(noisePng(200, 200)));
    const path = `POST /api/products/${(await store.product()).id}/images`;
    const headers = [KEY, 'Content-Type: application/json', `Content-Length: ${body.length}`];
    upload = `${head(path, ...headers)}${body}`;
    occupiesSlot = head(path, ...headers, 'Expect: 100-continue');
  });
  const rejectionsOf = ({ received }: Connection): number => received.split('HTTP/1.1 503 ').length - 1;

  test('an immediate retry gets its 503 later than the first request of another client', async () => {
    const first = new Connection(store.address).send(occupiesSlot);
    await first.waitFor(/100 Continue/);
    const isDelayed = async (): Promise<boolean> => {
      const hasty = new Connection(store.address).send(upload);
      await hasty.waitFor(/503 [\s\S]*\}/);
      hasty.send(upload);
      const other = new Connection(store.address).send(upload);
      await other.waitFor(/503 [\s\S]*\}/);
      const responsesSoFar = rejectionsOf(hasty);
      await hasty.waitFor(/503 [\s\S]*503 [\s\S]*\}/);
      await other.close();
      await hasty.close();
      return responsesSoFar === 1;
    };
    // If the machine pauses for a second between the two requests, the delay has already passed; so there are attempts.
    let wasDelayed = false;
    for (let attempt = 0; attempt < 10 && !wasDelayed; attempt += 1) wasDelayed = await isDelayed();
    assert.ok(wasDelayed);
    await first.close();
  });

  test('a retry is served at once if there is a free slot', async () => {
    const first = new Connection(store.address).send(occupiesSlot);
    await first.waitFor(/100 Continue/);
    const second = new Connection(store.address).send(upload);
    await second.waitFor(/503 [\s\S]*\}/);
    await first.send(body).waitFor(/HTTP\/1\.1 201 /);
    await second.send(upload).waitFor(/HTTP\/1\.1 201 /);
    assert.equal(rejectionsOf(second), 1);
    for (const connection of [first, second]) await connection.close();
  });
});

onOneDatabase('flood by one key', { ...SMALL_QUEUES, UPLOADS_WAITING_MAX: '3' }, (store) => {
  let path: string;
  before(async () => {
    path = `/api/products/${(await store.product()).id}/images`;
    // A key that was valid once has a separate queue.
    assert.equal((await store.get('/api/tags', { key: READ_ONLY_KEY })).status, 200);
  });
  const uploadWith = (key: string): string =>
    head(
      `POST ${path}`,
      `X-Auth-Token: ${key}`,
      'Content-Type: application/json',
      'Content-Length: 100000',
      'Expect: 100-continue',
    );
  /** Sends each upload on a new connection, after the server has read the one before. */
  const sendInOrder = async (...keys: string[]): Promise<Connection[]> => {
    const connections = [];
    for (const key of keys) {
      const connection = new Connection(store.address);
      await once(connection.socket, 'connect');
      connections.push(connection.send(uploadWith(key)));
      for (let time = 0; time < 3; time += 1) assert.equal((await store.get('/healthz')).status, 200);
    }
    return connections;
  };

  for (const [title, keys] of [
    ['a valid key', Array.from({ length: 3 }, () => READ_ONLY_KEY)],
    ['a different invalid key for each request', ['invented-key-1', 'invented-key-2', 'invented-key-3']],
  ] as const)
    test(`a flood with ${title} leaves slots for other keys`, async () => {
      const [first] = await sendInOrder(READ_WRITE_KEY);
      await first!.waitFor(/100 Continue/);
      const [one, two, three] = await sendInOrder(...keys);
      const [polite] = await sendInOrder(READ_WRITE_KEY);
      await three!.waitFor(/HTTP\/1\.1 503 /);
      const [alsoPolite] = await sendInOrder(READ_WRITE_KEY);
      await alsoPolite!.waitFor(/HTTP\/1\.1 503 /);
      assert.equal(`${one!.received}${two!.received}${polite!.received}`, '', 'these wait');
      await first!.close();
      await one!.waitFor(/HTTP\/1\.1 40[13] /);
      await polite!.waitFor(/100 Continue/);
      assert.equal(two!.received, '', 'it arrived earlier, but its flow had the previous slot');
      await polite!.close();
      await two!.waitFor(/HTTP\/1\.1 40[13] /);
      for (const connection of [one, two, three, alsoPolite]) await connection!.close();
    });
});
