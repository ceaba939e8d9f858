/** More than can be done: what need not wait long is done, the rest is a 503 at once; kinds of work and keys do not hinder each other (group I). */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { before, describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { RequestQueue } from '../../src/http/admission/request-queue.ts';
import { Connection, statusesIn } from '../support/connection.ts';
import { attached, noisePng } from '../support/pictures.ts';
import { head } from '../support/raw.ts';
import { onEachDatabase, onOneDatabase, READ_ONLY_KEY, READ_WRITE_KEY, SERVED_HERE } from '../support/store.ts';

describe('a room', () => {
  const makeRoom = (atOnceMax: number, waitingMax: number, waitMsMax = 0) => {
    const clock = { ms: 0 };
    const room = new RequestQueue({ atOnceMax, waitingMax, waitMsMax }, () => clock.ms);
    const entered: string[] = [];
    const refused: string[] = [];
    const enter = (name: string, flow: string): void =>
      room.enter({ flow: () => flow, go: () => entered.push(name), reject: () => refused.push(name) });
    /** @returns who was refused */
    const enterAll = (names: Iterable<string>, flow = 'a key'): string => {
      for (const name of names) enter(name, flow);
      return refused.splice(0).join('');
    };
    const leave = async (count: number, afterMs = 0): Promise<void> => {
      clock.ms += afterMs;
      for (let left = 0; left < count; left += 1) room.leave();
      await turn();
    };
    return {
      entered,
      enter: enterAll,
      enterAgain: (name: string) => room.enterAgain(() => entered.push(name)),
      leave,
      /** So many enter of one key. @returns how many were refused */
      crowd: (count: number, flow?: string): number => enterAll('x'.repeat(count), flow).length,
      /** So many are done, each after so long. */
      serve: async (count: number, eachMs: number): Promise<void> => {
        for (let served = 0; served < count; served += 1) await leave(1, eachMs);
      },
    };
  };

  test('takes so many at once, lets so many wait in their order, and refuses the rest', async () => {
    const { entered, enter, leave } = makeRoom(2, 3);
    assert.equal(enter('abcdefg'), 'fg');
    assert.deepEqual(entered, ['a', 'b']);
    const left = leave(1);
    assert.deepEqual(entered, ['a', 'b'], 'a place is free at the end of the turn');
    await left;
    assert.deepEqual(entered, ['a', 'b', 'c']);
    assert.equal(enter('hi'), 'i');
    for (let time = 0; time < 3; time += 1) await leave(2);
    assert.deepEqual(entered, ['a', 'b', 'c', 'd', 'e', 'h']);
    assert.equal(enter('jk'), '');
    assert.deepEqual(entered.slice(-2), ['j', 'k'], 'every place came back');
  });

  test('has the next place for who was let in before, however full it is', async () => {
    const { entered, enter, enterAgain, leave } = makeRoom(1, 1);
    assert.equal(enter('abc'), 'c');
    enterAgain('d');
    await leave(1);
    assert.deepEqual(entered, ['a', 'd']);
    await leave(1);
    assert.deepEqual(entered, ['a', 'd', 'b']);
  });

  test('refuses what would wait too long, by how long the others took', async () => {
    const { crowd, serve } = makeRoom(1, 9999, 250);
    assert.equal(crowd(1001), 0, 'of a burst nobody knows how long it takes');
    await serve(500, 2);
    assert.equal(crowd(1), 1, '500 wait, for a second');
    await serve(380, 2);
    assert.equal(crowd(10), 4, '120 wait, and 126 can');
    await serve(126, 20);
    assert.equal(crowd(40), 8, '32 can wait, though it be 640 ms');
    assert.equal(crowd(1), 1);
    await serve(33, 1);
    assert.equal(crowd(33), 0, 'nobody was forgotten');
  });

  for (const eachMs of [0.1, 2, 20, 100])
    test(`never refuses one of 32 clients that wait for their answers, at ${eachMs} ms a request`, async () => {
      const { crowd, leave } = makeRoom(4, 9999, 250);
      assert.equal(crowd(32), 0);
      for (let time = 0; time < 200; time += 1) {
        // The machine stands still now and then.
        await leave(4, 4 * eachMs + (time % 20 === 0 ? 500 : 0));
        assert.equal(crowd(4), 0);
      }
    });

  test('never refuses few, however slow the work is', async () => {
    const { crowd, serve } = makeRoom(1, 9999, 250);
    assert.equal(crowd(101), 0);
    await serve(100, 1000);
    assert.equal(crowd(32), 0);
    assert.equal(crowd(1), 1);
  });

  test('gives keys a place in turns', async () => {
    const { entered, enter, leave } = makeRoom(1, 99);
    enter('abcdef', 'flood');
    enter('AB', 'polite');
    enter('1', 'third');
    for (let time = 0; time < 8; time += 1) await leave(1);
    assert.equal(entered.join(''), 'abA1cBdef');
  });

  test('refuses who floods, and nobody beside him', async () => {
    const { crowd, enter, serve } = makeRoom(1, 9999, 250);
    crowd(1001, 'flood');
    await serve(500, 10);
    assert.equal(crowd(100, 'flood'), 100, '500 wait, for five seconds');
    assert.equal(enter('abcdefghijklmnop', 'polite'), '', 'they have every second turn');
    assert.equal(crowd(100, 'another'), 90, 'each third turn, of 32 at any pace');
  });

  test('that is full has the longest flow make way for a shorter one', async () => {
    const { entered, enter, leave } = makeRoom(1, 4);
    assert.equal(enter('abcdef', 'flood'), 'f');
    assert.equal(enter('A', 'polite'), 'e');
    assert.equal(enter('B', 'polite'), 'd');
    assert.equal(enter('C', 'polite'), 'C', 'both are as long');
    assert.equal(enter('g', 'flood'), 'g');
    for (let time = 0; time < 4; time += 1) await leave(1);
    assert.equal(entered.join(''), 'abAcB');
  });

  test('without a number takes all', () => {
    const { entered, enter } = makeRoom(0, 0);
    assert.equal(enter('abcdefghij'), '');
    assert.equal(entered.length, 10);
  });
});

const KEY = `X-Auth-Token: ${READ_WRITE_KEY}`;
const SMALL_QUEUES = {
  ...SERVED_HERE,
  READS_AT_ONCE_MAX: '2',
  LISTS_AT_ONCE_MAX: '1',
  WRITES_AT_ONCE_MAX: '1',
  REQUESTS_WAITING_MAX: '3',
  UPLOADS_AT_ONCE_MAX: '1',
  UPLOADS_WAITING_MAX: '1',
};

onEachDatabase('at 50 requests in one moment', SMALL_QUEUES, (store) => {
  before(() => store.made('/api/tags', { name: 'First' }));

  /** Sent on one connection in one piece, they reach the server in one turn. */
  const flood = async (...requests: string[]): Promise<string> => {
    const connection = new Connection(store.address).send(
      [...requests, head('GET /healthz', 'Connection: close')].join(''),
    );
    return connection.closes();
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

  test('as many reads are answered as fit, the rest is told to come again', async () => {
    const answers = await flood(...times(50, READ));
    assert.deepEqual(counted(statusesIn(answers)), { 200: 5 + 1, 503: 45 });
    assert.deepEqual(statusesIn(answers).slice(0, 5), times(5, '').fill('200').map(Number));
    const [refused] = /HTTP\/1\.1 503 [\s\S]*?\r\n\r\n\{.*?\}/.exec(answers)!;
    assert.match(refused, /retry-after: 1\r\n/i);
    assert.match(refused, /content-type: application\/problem\+json/i);
    assert.match(refused, /access-control-allow-origin: \*/i);
    assert.match(refused, /"instance":"urn:uuid:[0-9a-f-]{36}"/);
  });

  test('the health of the server is told all the same', async () => {
    const answers = await flood(
      ...times(50, READ),
      ...times(20, head('GET /healthz')),
      ...times(20, head('GET /readyz')),
    );
    assert.deepEqual(statusesIn(answers).slice(50), times(41, '200').map(Number));
  });

  test('reads, lists and writes do not wait for each other', async () => {
    // Requests behind a write on its connection wait for it (RFC 9112 §9.3.2), so the write comes last.
    const answers = await flood(...times(40, LIST), ...times(42, READ), post('Beside lists'));
    const statuses = statusesIn(answers);
    assert.deepEqual(counted(statuses.slice(0, 40)), { 200: 4, 503: 36 });
    assert.deepEqual(statuses.slice(40, 42), [200, 200]);
    assert.deepEqual(counted(statuses.slice(42, 82)), { 200: 3, 503: 37 });
    assert.equal(statuses[82], 201);
  });

  test('what was refused has not been done, what was taken has', async () => {
    const before = (await store.get('/api/tags')).headers['x-total-count'];
    const statuses = statusesIn(await flood(...Array.from({ length: 50 }, (_, index) => post(`Tag ${index}`)))).slice(
      0,
      50,
    );
    const made = statuses.filter((status) => status === 201).length;
    assert.equal(statuses.filter((status) => status === 503).length, 50 - made);
    assert.ok(made >= 3, `${made} were made`);
    const after = (await store.get('/api/tags')).headers['x-total-count'];
    assert.equal(Number(after) - Number(before), made);
  });

  test('afterwards everything is as before', async () => {
    for (let time = 0; time < 20; time += 1) {
      assert.equal((await store.get('/api/tags/1')).status, 200);
      assert.equal((await store.get('/api/tags')).status, 200);
      assert.equal((await store.post('/api/tags', { name: `After ${time}` })).status, 201);
    }
  });

  test('whoever wants nothing of the store is refused as cheaply, without a look at its key', async () => {
    const answers = await flood(...times(50, head('GET /api/nothing', 'X-Auth-Token: wrong-key-of-the-tests')));
    assert.deepEqual(counted(statusesIn(answers)), { 200: 1, 401: 5, 503: 45 });
  });
});

onOneDatabase('bodies', { ...SMALL_QUEUES, REQUESTS_WAITING_MAX: '0' }, (store) => {
  let images: string;
  before(async () => {
    images = `/api/products/${(await store.product()).id}/images`;
  });

  const sending = (path: string, length: number): Connection =>
    new Connection(store.address).send(
      head(`POST ${path}`, KEY, 'Content-Type: application/json', `Content-Length: ${length}`, 'Expect: 100-continue'),
    );

  test('of JSON that are still to come hold no place', async () => {
    const body = JSON.stringify({ name: 'Slow' });
    const slow = [];
    for (let time = 0; time < 5; time += 1) {
      const connection = sending('/api/tags', body.length);
      await connection.says(/100 Continue/);
      slow.push(connection);
    }
    assert.equal((await store.post('/api/tags', { name: 'Quick' })).status, 201);
    slow[0]!.send(body);
    await slow[0]!.says(/HTTP\/1\.1 201 /);
    for (const connection of slow) await connection.leave();
    assert.equal((await store.post('/api/tags', { name: 'Quick again' })).status, 201);
  });

  test('with pictures wait unread, then are refused; small requests pass them by', async () => {
    const body = JSON.stringify(await attached(noisePng(200, 200)));
    assert.ok(body.length > 100_000);
    const first = sending(images, body.length);
    await first.says(/100 Continue/);
    const second = sending(images, body.length);
    const third = sending(images, body.length);
    await third.says(/HTTP\/1\.1 503 /);
    assert.equal(second.received, '', 'it waits, and has not been asked for its body');
    assert.equal((await store.get('/api/tags')).status, 200);
    assert.equal((await store.post('/api/tags', { name: 'Beside uploads' })).status, 201);
    assert.equal(
      (await store.post(images, { attachment: 'AAAA', filename: 'a.png' })).status,
      422,
      'a small one passes',
    );
    await first.leave();
    await second.says(/100 Continue/);
    second.send(body);
    await second.says(/HTTP\/1\.1 201 /);
    await third.leave();
    await second.leave();
  });

  test('give their place back however they end', async () => {
    const body = JSON.stringify(await attached(noisePng(200, 200)));
    for (const end of ['leaves at once', 'leaves half-way', 'is no JSON', 'is whole']) {
      const upload = sending(images, body.length);
      await upload.says(/100 Continue/);
      if (end === 'leaves half-way') upload.send(body.slice(0, 50_000));
      if (end === 'is no JSON') await upload.send('x'.repeat(body.length)).says(/HTTP\/1\.1 400 /);
      if (end === 'is whole') await upload.send(body).says(/HTTP\/1\.1 201 /);
      await upload.leave();
    }
    // One that leaves while it waits takes no place either.
    const [one, waiting] = [sending(images, body.length), sending(images, body.length)];
    await one.says(/100 Continue/);
    await waiting.leave();
    await one.leave();
    const last = sending(images, body.length);
    await last.says(/100 Continue/);
    await last.send(body).says(/HTTP\/1\.1 201 /);
    await last.leave();
  });
});

onOneDatabase('who was refused', { ...SMALL_QUEUES, UPLOADS_WAITING_MAX: '0' }, (store) => {
  let body: string;
  let upload: string;
  let takesTheRoom: string;
  before(async () => {
    body = JSON.stringify(await attached(noisePng(200, 200)));
    const path = `POST /api/products/${(await store.product()).id}/images`;
    const headers = [KEY, 'Content-Type: application/json', `Content-Length: ${body.length}`];
    upload = `${head(path, ...headers)}${body}`;
    takesTheRoom = head(path, ...headers, 'Expect: 100-continue');
  });
  const refusals = ({ received }: Connection): number => received.split('HTTP/1.1 503 ').length - 1;

  test('and asks again at once hears of it later than those who did not ask before', async () => {
    const first = new Connection(store.address).send(takesTheRoom);
    await first.says(/100 Continue/);
    const isHeld = async (): Promise<boolean> => {
      const hasty = new Connection(store.address).send(upload);
      await hasty.says(/503 [\s\S]*\}/);
      hasty.send(upload);
      const other = new Connection(store.address).send(upload);
      await other.says(/503 [\s\S]*\}/);
      const heardSoFar = refusals(hasty);
      await hasty.says(/503 [\s\S]*503 [\s\S]*\}/);
      await other.leave();
      await hasty.leave();
      return heardSoFar === 1;
    };
    // A machine that stands still for a second between the two requests has let the pause pass.
    let wasHeld = false;
    for (let attempt = 0; attempt < 10 && !wasHeld; attempt += 1) wasHeld = await isHeld();
    assert.ok(wasHeld);
    await first.leave();
  });

  test('is served at once where there is room again', async () => {
    const first = new Connection(store.address).send(takesTheRoom);
    await first.says(/100 Continue/);
    const second = new Connection(store.address).send(upload);
    await second.says(/503 [\s\S]*\}/);
    await first.send(body).says(/HTTP\/1\.1 201 /);
    await second.send(upload).says(/HTTP\/1\.1 201 /);
    assert.equal(refusals(second), 1);
    for (const connection of [first, second]) await connection.leave();
  });
});

onOneDatabase('a flood of one key', { ...SMALL_QUEUES, UPLOADS_WAITING_MAX: '3' }, (store) => {
  let path: string;
  before(async () => {
    path = `/api/products/${(await store.product()).id}/images`;
    // A key that was right once has turns of its own.
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
  /** Each on a connection of its own; the server has read one before the next is sent. */
  const sendInTurn = async (...keys: string[]): Promise<Connection[]> => {
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
    ['that is right', Array.from({ length: 3 }, () => READ_ONLY_KEY)],
    ['that is another for each request', ['invented-key-1', 'invented-key-2', 'invented-key-3']],
  ] as const)
    test(`${title} makes way for other keys`, async () => {
      const [first] = await sendInTurn(READ_WRITE_KEY);
      await first!.says(/100 Continue/);
      const [one, two, three] = await sendInTurn(...keys);
      const [polite] = await sendInTurn(READ_WRITE_KEY);
      await three!.says(/HTTP\/1\.1 503 /);
      const [alsoPolite] = await sendInTurn(READ_WRITE_KEY);
      await alsoPolite!.says(/HTTP\/1\.1 503 /);
      assert.equal(`${one!.received}${two!.received}${polite!.received}`, '', 'they wait');
      await first!.leave();
      await one!.says(/HTTP\/1\.1 40[13] /);
      await polite!.says(/100 Continue/);
      assert.equal(two!.received, '', 'it came before, and has its turn after');
      await polite!.leave();
      await two!.says(/HTTP\/1\.1 40[13] /);
      for (const connection of [one, two, three, alsoPolite]) await connection!.leave();
    });
});
