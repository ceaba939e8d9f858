/** Retries of the client after lost responses and temporary errors, against a server with scripted responses. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, type ClientOptions, createClient, StoreUnreachable } from '../../src/client/index.ts';

/** A scripted response. `drop` closes the connection, `cut` closes it within the body, `hang` never responds. */
type ScriptedResponse =
  | 'drop'
  | 'cut'
  | 'hang'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown };

interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly at: number;
}

const FINE: ScriptedResponse = { status: 200, headers: { etag: '"1-a"' }, body: { id: 1, name: 'Red' } };
const BUSY = busy(503);

/** Starts a server that sends the responses in order and then repeats the last one. */
async function scriptedServer(
  context: TestContext,
  responses: readonly ScriptedResponse[],
  options: Partial<ClientOptions> = {},
): Promise<{ client: Client; requests: ReceivedRequest[]; baseUrl: string }> {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    requests.push({ method, url, headers, body: Buffer.concat(chunks).toString(), at: performance.now() });
    respond(responses[Math.min(requests.length, responses.length) - 1]!, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { client: createClient({ baseUrl, key: 'key', firstWaitSeconds: 0.01, ...options }), requests, baseUrl };
}

function respond(scripted: ScriptedResponse, response: ServerResponse): void {
  if (scripted === 'hang') return;
  if (scripted === 'drop') return void response.destroy();
  if (scripted === 'cut') {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"id":', () => response.destroy());
    return;
  }
  response.writeHead(scripted.status, { 'content-type': 'application/json', ...scripted.headers });
  response.end(
    typeof scripted.body === 'string'
      ? scripted.body
      : scripted.body === undefined
        ? ''
        : JSON.stringify(scripted.body),
  );
}

function busy(status: number, headers: Readonly<Record<string, string>> = {}): ScriptedResponse {
  return { status, headers, body: problem(status === 429 ? 'too-many-requests' : 'service-unavailable', status) };
}

function problem(type: string, status: number): object {
  return { type: `https://shop.example/api/_reference/problems/${type}`, title: type, status, detail: 'Says why.' };
}

const read = (client: Client) => client.get('/tags/{id}', { id: 1 });
const write = (client: Client, options = {}) => client.post('/tags', { name: 'Red' }, options);

const RETRIED: Record<string, ScriptedResponse> = {
  'a dropped connection': 'drop',
  'a truncated response': 'cut',
  'a 408': { status: 408, body: problem('request-timeout', 408) },
  'a 429': busy(429),
  'a 502 of a proxy': { status: 502, body: '<html>Bad gateway</html>' },
  'a 503': BUSY,
  'a 504': { status: 504 },
  'a 409 with Retry-After': { status: 409, headers: { 'retry-after': '0' }, body: problem('conflict', 409) },
};

for (const [name, scripted] of Object.entries(RETRIED)) {
  test(`retries idempotent requests after ${name}`, async (context) => {
    const methods: [string, (client: Client) => Promise<unknown>][] = [
      ['GET', read],
      ['POST', write],
      ['PUT', (client) => client.put('/tags/{id}', { id: 1 }, { name: 'Red' })],
      ['PATCH', (client) => client.patch('/tags/{id}', { id: 1 }, { name: 'Red' })],
      ['DELETE', (client) => client.delete('/tags/{id}', { id: 1 })],
    ];
    for (const [method, request] of methods) {
      const { client, requests } = await scriptedServer(context, [scripted, scripted, FINE]);
      await request(client);
      assert.deepEqual(
        requests.map((each) => each.method),
        [method, method, method],
      );
      const same = ({ url, body, headers }: ReceivedRequest) => [
        url,
        body,
        headers['idempotency-key'],
        headers['x-auth-token'],
      ];
      assert.deepEqual(same(requests[2]!), same(requests[0]!));
    }
  });

  test(`does not retry a POST without an idempotency key after ${name}`, async (context) => {
    const { client, requests } = await scriptedServer(context, [scripted, FINE]);
    await assert.rejects(write(client, { idempotencyKey: false }));
    assert.equal(requests.length, 1);
    assert.equal(requests[0]!.headers['idempotency-key'], undefined);
  });
}

test('sends a new idempotency key with every POST, or the given one', async (context) => {
  const { client, requests } = await scriptedServer(context, [FINE]);
  await write(client);
  await write(client);
  await write(client, { idempotencyKey: 'mine' });
  const [one, other, given] = requests.map(({ headers }) => headers['idempotency-key']);
  assert.match(String(one), /^[0-9a-f]{32}$/);
  assert.notEqual(one, other);
  assert.equal(given, 'mine');
  assert.equal((await write(client)).isReplayed, false);
});

test('reports a replayed response', async (context) => {
  const { client } = await scriptedServer(context, [
    'drop',
    { status: 201, headers: { 'idempotency-replayed': 'true' }, body: { id: 1, name: 'Red' } },
  ]);
  assert.equal((await write(client)).isReplayed, true);
});

for (const status of [400, 401, 403, 404, 409, 412, 415, 422, 500])
  test(`does not retry after a ${status}`, async (context) => {
    const { client, requests } = await scriptedServer(context, [{ status, body: problem('conflict', status) }, FINE]);
    await assert.rejects(read(client), { name: 'StoreProblem', status, detail: 'Says why.', wasPerhapsDone: false });
    assert.equal(requests.length, 1);
  });

test('stops after the maximum number of retries', async (context) => {
  const busy = await scriptedServer(context, [BUSY], { retriesMax: 2 });
  await assert.rejects(read(busy.client), { name: 'StoreProblem', status: 503, type: 'service-unavailable' });
  assert.equal(busy.requests.length, 3);
  const dropping = await scriptedServer(context, ['drop'], { retriesMax: 2 });
  await assert.rejects(read(dropping.client), (error) => error instanceof StoreUnreachable && error.code !== undefined);
  assert.equal(dropping.requests.length, 3);
  const none = await scriptedServer(context, [BUSY], { retriesMax: 0 });
  await assert.rejects(read(none.client), { status: 503 });
  assert.equal(none.requests.length, 1);
});

test('doubles the waits up to the maximum', async (context) => {
  const { client, requests } = await scriptedServer(context, [BUSY, BUSY, BUSY, BUSY, FINE], {
    firstWaitSeconds: 0.1,
    waitSecondsMax: 0.3,
  });
  await read(client);
  const waits = requests.slice(1).map(({ at }, index) => at - requests[index]!.at);
  // Each wait is at least half its nominal length; the rest is jitter. Upper bounds would fail on a busy machine.
  for (const [index, least] of [50, 100, 150, 150].entries()) assert.ok(waits[index]! >= least - 5, `${waits}`);
});

test('waits for Retry-After in seconds', async (context) => {
  const { client, requests } = await scriptedServer(context, [busy(429, { 'retry-after': '1' }), FINE]);
  await read(client);
  assert.ok(requests[1]!.at - requests[0]!.at >= 990);
});

test('waits for Retry-After as a date of the server’s clock', async (context) => {
  // The server's clock is an hour behind.
  const now = Date.now() - 3_600_000;
  const date = (milliseconds: number) => new Date(milliseconds).toUTCString();
  const headers = { date: date(now), 'retry-after': date(now + 1000) };
  const { client, requests } = await scriptedServer(context, [busy(503, headers), FINE]);
  await read(client);
  assert.ok(requests[1]!.at - requests[0]!.at >= 990);
});

test('does not retry if Retry-After exceeds the longest wait', async (context) => {
  const { client, requests } = await scriptedServer(context, [busy(429, { 'retry-after': '3600' }), FINE]);
  await assert.rejects(read(client), { name: 'StoreProblem', status: 429, retryAfterSeconds: 3600 });
  assert.equal(requests.length, 1);
});

test('ignores an invalid Retry-After', async (context) => {
  const { client } = await scriptedServer(context, [busy(503, { 'retry-after': 'soon' }), FINE]);
  assert.equal((await read(client)).data.name, 'Red');
});

test('retries an attempt that times out', async (context) => {
  const { client, requests } = await scriptedServer(context, ['hang', FINE], { attemptSecondsMax: 1 });
  assert.equal((await read(client)).data.name, 'Red');
  assert.equal(requests.length, 2);
});

test('aborts attempts and waits with the caller’s signal', async (context) => {
  for (const scripted of ['hang', BUSY, busy(503, { 'retry-after': '20' })] as const) {
    const { client, requests } = await scriptedServer(context, [scripted], { firstWaitSeconds: 20 });
    const controller = new AbortController();
    const start = performance.now();
    const request = client.get('/tags/{id}', { id: 1 }, { signal: controller.signal });
    const rejected = assert.rejects(request, { message: 'enough' });
    while (requests.length === 0) await sleep(5);
    await sleep(200);
    controller.abort(new Error('enough'));
    await rejected;
    assert.ok(performance.now() - start < 10_000);
    assert.equal(requests.length, 1);
  }
  const { client, requests } = await scriptedServer(context, [FINE]);
  await assert.rejects(client.get('/tags/{id}', { id: 1 }, { signal: AbortSignal.abort(new Error('before')) }), {
    message: 'before',
  });
  assert.equal(requests.length, 0);
});

test('treats a 404 after a lost response to a DELETE as success', async (context) => {
  const missing: ScriptedResponse = { status: 404, body: problem('not-found', 404) };
  const lost = await scriptedServer(context, ['drop', missing]);
  assert.equal((await lost.client.delete('/tags/{id}', { id: 1 })).status, 204);
  // A 429 means that the store did not execute the deletion.
  const limited = await scriptedServer(context, [{ status: 429 }, missing]);
  await assert.rejects(limited.client.delete('/tags/{id}', { id: 1 }), { status: 404 });
  const plain = await scriptedServer(context, [missing]);
  await assert.rejects(plain.client.delete('/tags/{id}', { id: 1 }), { status: 404 });
});

test('reports that a 412 may be caused by an earlier attempt', async (context) => {
  const changed: ScriptedResponse = {
    status: 412,
    headers: { etag: '"2-b"' },
    body: problem('precondition-failed', 412),
  };
  const change = (client: Client) => client.put('/tags/{id}', { id: 1 }, { name: 'Red' }, { ifMatch: '"1-a"' });
  const lost = await scriptedServer(context, ['drop', changed]);
  await assert.rejects(change(lost.client), { status: 412, etag: '"2-b"', wasPerhapsDone: true });
  const plain = await scriptedServer(context, [changed]);
  await assert.rejects(change(plain.client), { status: 412, wasPerhapsDone: false });
});

test('does not follow redirects with the API key', async (context) => {
  const elsewhere = await scriptedServer(context, [FINE]);
  for (const status of [301, 307]) {
    const { client, requests } = await scriptedServer(context, [
      { status, headers: { location: `${elsewhere.baseUrl}/api/tags/1` } },
    ]);
    await assert.rejects(read(client), { name: 'StoreProblem', type: 'about:blank', status, detail: /baseUrl/ });
    assert.equal(requests.length, 1);
  }
  assert.equal(elsewhere.requests.length, 0);
});

test('throws a problem for a response that is not from a store', async (context) => {
  for (const body of ['<html>Log in here</html>', '']) {
    const { client } = await scriptedServer(context, [{ status: 200, body }]);
    await assert.rejects(read(client), { name: 'StoreProblem', type: 'about:blank', status: 200, detail: /not JSON/ });
  }
  for (const body of ['null', '"no"', '[]', '<html>']) {
    const { client } = await scriptedServer(context, [{ status: 500, body }]);
    await assert.rejects(read(client), { name: 'StoreProblem', type: 'about:blank', status: 500 });
  }
});
