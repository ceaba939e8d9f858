/** The client's retries where no answer comes, or one that says “not now”: against a server that plays a list of answers. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, type ClientOptions, createClient, StoreProblem } from '../../src/client/index.ts';

/** One answer. `drop` closes the connection instead, `cut` does so within the body, `hang` never answers. */
type Turn =
  | 'drop'
  | 'cut'
  | 'hang'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown };

interface Heard {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly at: number;
}

const FINE: Turn = { status: 200, headers: { etag: '"1-a"' }, body: { id: 1, name: 'Red' } };
const BUSY = busy(503);

/** Plays the turns in their order, then keeps to the last. */
async function playing(
  context: TestContext,
  turns: readonly Turn[],
  options: Partial<ClientOptions> = {},
): Promise<{ client: Client; heard: Heard[]; baseUrl: string }> {
  const heard: Heard[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    heard.push({ method, url, headers, body: Buffer.concat(chunks).toString(), at: performance.now() });
    play(turns[Math.min(heard.length, turns.length) - 1]!, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { client: createClient({ baseUrl, key: 'key', firstWaitSeconds: 0.01, ...options }), heard, baseUrl };
}

function play(turn: Turn, response: ServerResponse): void {
  if (turn === 'hang') return;
  if (turn === 'drop') return void response.destroy();
  if (turn === 'cut') {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"id":', () => response.destroy());
    return;
  }
  response.writeHead(turn.status, { 'content-type': 'application/json', ...turn.headers });
  response.end(typeof turn.body === 'string' ? turn.body : turn.body === undefined ? '' : JSON.stringify(turn.body));
}

function busy(status: number, headers: Readonly<Record<string, string>> = {}): Turn {
  return { status, headers, body: problem(status === 429 ? 'too-many-requests' : 'service-unavailable', status) };
}

function problem(type: string, status: number): object {
  return { type: `https://shop.example/api/_reference/problems/${type}`, title: type, status, detail: 'Says why.' };
}

const read = (client: Client) => client.get('/tags/{id}', { id: 1 });
const write = (client: Client, options = {}) => client.post('/tags', { name: 'Red' }, options);

const RETRIED: Record<string, Turn> = {
  'a dropped connection': 'drop',
  'an answer cut short': 'cut',
  'a 408': { status: 408, body: problem('request-timeout', 408) },
  'a 429': busy(429),
  'a 502 of a proxy': { status: 502, body: '<html>Bad gateway</html>' },
  'a 503': BUSY,
  'a 504': { status: 504 },
  'a 409 with Retry-After': { status: 409, headers: { 'retry-after': '0' }, body: problem('conflict', 409) },
};

for (const [name, turn] of Object.entries(RETRIED)) {
  test(`${name} is tried again by every method that is safe to repeat`, async (context) => {
    const methods: [string, (client: Client) => Promise<unknown>][] = [
      ['GET', read],
      ['POST', write],
      ['PUT', (client) => client.put('/tags/{id}', { id: 1 }, { name: 'Red' })],
      ['PATCH', (client) => client.patch('/tags/{id}', { id: 1 }, { name: 'Red' })],
      ['DELETE', (client) => client.delete('/tags/{id}', { id: 1 })],
    ];
    for (const [method, request] of methods) {
      const { client, heard } = await playing(context, [turn, turn, FINE]);
      await request(client);
      assert.deepEqual(
        heard.map((each) => each.method),
        [method, method, method],
      );
      const same = ({ url, body, headers }: Heard) => [url, body, headers['idempotency-key'], headers['x-auth-token']];
      assert.deepEqual(same(heard[2]!), same(heard[0]!));
    }
  });

  test(`${name} is not tried again by a POST without a key`, async (context) => {
    const { client, heard } = await playing(context, [turn, FINE]);
    await assert.rejects(write(client, { idempotencyKey: false }));
    assert.equal(heard.length, 1);
    assert.equal(heard[0]!.headers['idempotency-key'], undefined);
  });
}

test('every POST has a key of its own, or the one that it is given', async (context) => {
  const { client, heard } = await playing(context, [FINE]);
  await write(client);
  await write(client);
  await write(client, { idempotencyKey: 'mine' });
  const [one, other, given] = heard.map(({ headers }) => headers['idempotency-key']);
  assert.match(String(one), /^[0-9a-f]{32}$/);
  assert.notEqual(one, other);
  assert.equal(given, 'mine');
  assert.equal((await write(client)).isReplayed, false);
});

test('an answer that was given before is said to be', async (context) => {
  const { client } = await playing(context, [
    'drop',
    { status: 201, headers: { 'idempotency-replayed': 'true' }, body: { id: 1, name: 'Red' } },
  ]);
  assert.equal((await write(client)).isReplayed, true);
});

for (const status of [400, 401, 403, 404, 409, 412, 415, 422, 500])
  test(`a ${status} is final`, async (context) => {
    const { client, heard } = await playing(context, [{ status, body: problem('conflict', status) }, FINE]);
    await assert.rejects(read(client), { name: 'StoreProblem', status, detail: 'Says why.', wasPerhapsDone: false });
    assert.equal(heard.length, 1);
  });

test('retries come to an end', async (context) => {
  const busy = await playing(context, [BUSY], { retriesMax: 2 });
  await assert.rejects(read(busy.client), { name: 'StoreProblem', status: 503, type: 'service-unavailable' });
  assert.equal(busy.heard.length, 3);
  const dropping = await playing(context, ['drop'], { retriesMax: 2 });
  await assert.rejects(read(dropping.client), (error: Error) => !(error instanceof StoreProblem));
  assert.equal(dropping.heard.length, 3);
  const none = await playing(context, [BUSY], { retriesMax: 0 });
  await assert.rejects(read(none.client), { status: 503 });
  assert.equal(none.heard.length, 1);
});

test('waits double, up to the longest', async (context) => {
  const { client, heard } = await playing(context, [BUSY, BUSY, BUSY, BUSY, FINE], {
    firstWaitSeconds: 0.1,
    waitSecondsMax: 0.3,
  });
  await read(client);
  const waits = heard.slice(1).map(({ at }, index) => at - heard[index]!.at);
  // Half of each is sure, and the rest chance. Upper ends are left to a busy machine.
  for (const [index, least] of [50, 100, 150, 150].entries()) assert.ok(waits[index]! >= least - 5, `${waits}`);
});

test('Retry-After is waited for, in seconds', async (context) => {
  const { client, heard } = await playing(context, [busy(429, { 'retry-after': '1' }), FINE]);
  await read(client);
  assert.ok(heard[1]!.at - heard[0]!.at >= 990);
});

test('Retry-After is waited for, as a moment of the server’s clock', async (context) => {
  // A clock that is an hour behind.
  const now = Date.now() - 3_600_000;
  const date = (milliseconds: number) => new Date(milliseconds).toUTCString();
  const headers = { date: date(now), 'retry-after': date(now + 1000) };
  const { client, heard } = await playing(context, [busy(503, headers), FINE]);
  await read(client);
  assert.ok(heard[1]!.at - heard[0]!.at >= 990);
});

test('a Retry-After beyond the longest wait is told at once', async (context) => {
  const { client, heard } = await playing(context, [busy(429, { 'retry-after': '3600' }), FINE]);
  await assert.rejects(read(client), { name: 'StoreProblem', status: 429, retryAfterSeconds: 3600 });
  assert.equal(heard.length, 1);
});

test('a Retry-After that nobody can read is as none', async (context) => {
  const { client } = await playing(context, [busy(503, { 'retry-after': 'soon' }), FINE]);
  assert.equal((await read(client)).data.name, 'Red');
});

test('an attempt has an end', async (context) => {
  const { client, heard } = await playing(context, ['hang', FINE], { attemptSecondsMax: 1 });
  assert.equal((await read(client)).data.name, 'Red');
  assert.equal(heard.length, 2);
});

test('the caller’s signal ends an attempt, and a wait', async (context) => {
  for (const turn of ['hang', BUSY, busy(503, { 'retry-after': '20' })] as const) {
    const { client, heard } = await playing(context, [turn], { firstWaitSeconds: 20 });
    const controller = new AbortController();
    const start = performance.now();
    const request = client.get('/tags/{id}', { id: 1 }, { signal: controller.signal });
    const rejected = assert.rejects(request, { message: 'enough' });
    while (heard.length === 0) await sleep(5);
    await sleep(200);
    controller.abort(new Error('enough'));
    await rejected;
    assert.ok(performance.now() - start < 10_000);
    assert.equal(heard.length, 1);
  }
  const { client, heard } = await playing(context, [FINE]);
  await assert.rejects(client.get('/tags/{id}', { id: 1 }, { signal: AbortSignal.abort(new Error('before')) }), {
    message: 'before',
  });
  assert.equal(heard.length, 0);
});

test('a deletion that was not answered and then finds nothing is done', async (context) => {
  const missing: Turn = { status: 404, body: problem('not-found', 404) };
  const lost = await playing(context, ['drop', missing]);
  assert.equal((await lost.client.delete('/tags/{id}', { id: 1 })).status, 204);
  // The store has said that it did nothing.
  const limited = await playing(context, [{ status: 429 }, missing]);
  await assert.rejects(limited.client.delete('/tags/{id}', { id: 1 }), { status: 404 });
  const plain = await playing(context, [missing]);
  await assert.rejects(plain.client.delete('/tags/{id}', { id: 1 }), { status: 404 });
});

test('a change that may have met itself says so', async (context) => {
  const changed: Turn = { status: 412, headers: { etag: '"2-b"' }, body: problem('precondition-failed', 412) };
  const change = (client: Client) => client.put('/tags/{id}', { id: 1 }, { name: 'Red' }, { ifMatch: '"1-a"' });
  const lost = await playing(context, ['drop', changed]);
  await assert.rejects(change(lost.client), { status: 412, etag: '"2-b"', wasPerhapsDone: true });
  const plain = await playing(context, [changed]);
  await assert.rejects(change(plain.client), { status: 412, wasPerhapsDone: false });
});

test('the key follows no redirect', async (context) => {
  const elsewhere = await playing(context, [FINE]);
  for (const status of [301, 307]) {
    const { client, heard } = await playing(context, [
      { status, headers: { location: `${elsewhere.baseUrl}/api/tags/1` } },
    ]);
    await assert.rejects(read(client), { name: 'StoreProblem', type: 'about:blank', status, detail: /baseUrl/ });
    assert.equal(heard.length, 1);
  }
  assert.equal(elsewhere.heard.length, 0);
});

test('an answer that is no store’s is a problem', async (context) => {
  for (const body of ['<html>Log in here</html>', '']) {
    const { client } = await playing(context, [{ status: 200, body }]);
    await assert.rejects(read(client), { name: 'StoreProblem', type: 'about:blank', status: 200, detail: /not JSON/ });
  }
  for (const body of ['null', '"no"', '[]', '<html>']) {
    const { client } = await playing(context, [{ status: 500, body }]);
    await assert.rejects(read(client), { name: 'StoreProblem', type: 'about:blank', status: 500 });
  }
});
