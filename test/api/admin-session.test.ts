/** Signing in to the admin page and the sessions that authenticate its requests (http.md §20). */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type HttpResponse, type RequestOptions, sendRequest } from '../support/client.ts';
import { databaseNames } from '../support/databases.ts';
import { assertProblem, assertUnchanged, assertViolations } from '../support/expect.ts';
import { type Servers, startServers } from '../support/orders.ts';
import { head, sendRaw } from '../support/raw-request.ts';
import {
  type Json,
  onEachDatabase,
  onOneDatabase,
  READ_ONLY_KEY,
  READ_WRITE_KEY,
  type Store,
} from '../support/store.ts';

const OWN = { 'sec-fetch-site': 'same-origin' };
const PATH = '/admin/session';

const send = (store: Store, method: string, path: string, options: RequestOptions = {}): Promise<HttpResponse> =>
  sendRequest(store.address, method, path, options);

/** @returns the cookie as a browser would send it */
const cookieIn = (response: HttpResponse): string => response.headers['set-cookie']![0]!.split(';', 1)[0]!;

async function signIn(store: Store, key: string, headers: RequestOptions['headers'] = OWN): Promise<string> {
  const response = await send(store, 'POST', PATH, { body: { key }, headers });
  assert.equal(response.status, 200, response.text);
  return cookieIn(response);
}

onEachDatabase('admin page sessions', {}, (store) => {
  const get = (cookie: string, path = '/api/tags', headers: RequestOptions['headers'] = {}) =>
    send(store, 'GET', path, { headers: { cookie, ...headers } });
  const post = (cookie: string, body: Json, headers: RequestOptions['headers'] = OWN) =>
    send(store, 'POST', '/api/tags', { body, headers: { cookie, ...headers } });

  test('grants the rights of the signed-in key until the session is signed out', async () => {
    const response = await send(store, 'POST', PATH, { body: { key: READ_WRITE_KEY }, headers: OWN });
    assert.equal(response.status, 200, response.text);
    const { expires_at, ...rest } = response.json;
    assert.deepEqual(rest, {
      ...{ key: { name: 'read/write', kind: 'read-write' }, user: null, scopes: ['*:*'], masks: [] },
      password_reset: false,
    });
    const seconds = (Date.parse(expires_at) - Date.now()) / 1000;
    assert.ok(seconds > 8 * 3600 - 60 && seconds <= 8 * 3600, expires_at);
    assert.deepEqual(
      [response.headers['cache-control'], response.headers['access-control-allow-origin']],
      ['no-store', undefined],
    );
    const { port } = new URL(store.address);
    const [set] = response.headers['set-cookie']!;
    assert.match(
      set!,
      new RegExp(`^purveyor-${port}=pv_se_[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict; Max-Age=604800$`),
    );
    const cookie = cookieIn(response);
    assert.deepEqual((await get(cookie, PATH)).json, response.json);
    assert.equal((await get(cookie)).status, 200);
    const name = `Made by ${store.database}`;
    const made = await post(cookie, { name });
    assert.equal(made.status, 201, made.text);
    const again = await send(store, 'POST', '/api/products', {
      ...{ body: { sku: 'S-1', name: 'One' }, headers: { cookie, ...OWN, 'idempotency-key': 'same' } },
    });
    const withKey = await store.post('/api/products', { sku: 'S-1', name: 'One' }, { 'idempotency-key': 'same' });
    assert.deepEqual([again.status, withKey.headers['idempotency-replayed']], [201, 'true']);
    const out = await send(store, 'DELETE', PATH, { headers: { cookie, ...OWN } });
    assert.deepEqual([out.status, out.text], [204, '']);
    assert.match(out.headers['set-cookie']![0]!, new RegExp(`^purveyor-${port}=; Path=/; .*Max-Age=0$`));
    for (const path of [PATH, '/api/tags', '/api/changes']) {
      const rejected = await get(cookie, path);
      assertProblem(rejected, 401, /Sign in again at \/admin/);
      assert.match(rejected.headers['www-authenticate']!, /^ApiKey /);
    }
    assert.equal((await send(store, 'DELETE', PATH, { headers: { cookie, ...OWN } })).status, 204);
    assert.equal((await send(store, 'DELETE', PATH, { headers: OWN })).status, 204);
  });

  test('a session of a read-only key cannot write or list keys', async () => {
    const cookie = await signIn(store, READ_ONLY_KEY);
    assert.equal((await get(cookie, PATH)).json.key.kind, 'read-only');
    assert.equal((await get(cookie)).status, 200);
    await assertUnchanged(store, async () => {
      assertProblem(await post(cookie, { name: 'No' }), 403, /is read-only/);
      for (const method of ['PUT', 'PATCH', 'DELETE'])
        assertProblem(await send(store, method, '/api/products/1', { body: {}, headers: { cookie, ...OWN } }), 403);
    });
    assertProblem(await get(cookie, '/api/keys'), 403);
  });

  test('ignores the session cookie if the request has an API key', async () => {
    const cookie = await signIn(store, READ_WRITE_KEY);
    for (const key of ['wrong-key-of-the-tests', ''])
      assertProblem(await send(store, 'GET', '/api/tags', { key, headers: { cookie } }), 401);
    const reader = { key: READ_ONLY_KEY, headers: { cookie, ...OWN } };
    assertProblem(await send(store, 'POST', '/api/tags', { ...reader, body: { name: 'No' } }), 403);
    const foreign = { cookie, 'sec-fetch-site': 'cross-site', origin: 'https://other.example' };
    assert.equal((await send(store, 'GET', '/api/tags', { key: READ_WRITE_KEY, headers: foreign })).status, 200);
  });

  test('rejects a write on another host than that of the sign-in, even if its origin is the same', async () => {
    const cookie = await signIn(store, READ_WRITE_KEY);
    const { port } = new URL(store.address);
    const host = `rebound.example:${port}`;
    const headers = { cookie, host, origin: `http://${host}` };
    await assertUnchanged(store, async () => {
      for (const more of [{}, OWN])
        assertProblem(
          await send(store, 'POST', '/api/tags', { body: { name: 'Rebound' }, headers: { ...headers, ...more } }),
          403,
          /where it signed in/,
        );
    });
    assertProblem(await send(store, 'DELETE', PATH, { headers: { ...headers, ...OWN } }), 403, /where it signed in/);
    assert.equal((await send(store, 'GET', '/api/tags', { headers })).status, 200);
    assert.equal((await post(cookie, { name: `Same host ${store.database}` })).status, 201);
  });

  test('sends no CORS headers below /admin', async () => {
    for (const [method, path] of [
      ['GET', PATH],
      ['POST', PATH],
      ['OPTIONS', PATH],
      ['OPTIONS', '/admin'],
      ['PUT', '/admin'],
      ['GET', '/admin/none.js'],
      ['GET', '/admin/%zz'],
      ['GET', '/%61dmin/session'],
      ['OPTIONS', '/%61dmin/session'],
    ] as const) {
      const response = await send(store, method, path, { headers: { origin: 'https://other.example' } });
      const sent = Object.keys(response.headers).filter((name) => name.startsWith('access-control-'));
      assert.deepEqual(sent, [], `${method} ${path} ${response.status}`);
    }
    assert.equal((await send(store, 'OPTIONS', '/api/tags')).headers['access-control-allow-origin'], '*');
  });

  test('rejects writes that do not come from the store’s own admin page', async () => {
    const cookie = await signIn(store, READ_WRITE_KEY);
    const { hostname, port } = new URL(store.address);
    const foreign: [title: string, headers: Record<string, string>][] = [
      ['no headers', {}],
      ['another site', { 'sec-fetch-site': 'cross-site' }],
      ['another site that names the right origin', { 'sec-fetch-site': 'cross-site', origin: store.address }],
      ['another origin of the same site', { 'sec-fetch-site': 'same-site' }],
      ['a typed address', { 'sec-fetch-site': 'none' }],
      ['two values at once', { 'sec-fetch-site': 'same-origin, cross-site' }],
      ['an empty value', { 'sec-fetch-site': '' }],
      ['another origin', { origin: 'https://other.example' }],
      ['an opaque origin', { origin: 'null' }],
      ['another port', { origin: `http://${hostname}:${Number(port) + 1}` }],
      ['another scheme', { origin: `https://${hostname}:${port}` }],
      ['an origin that begins alike', { origin: `${store.address}.other.example` }],
    ];
    await assertUnchanged(store, async () => {
      for (const [title, headers] of foreign) {
        const form = { cookie, ...headers, 'content-type': 'text/plain' };
        for (const [method, path, body] of [
          ['POST', '/api/tags', { name: 'Forged' }],
          ['PATCH', '/api/products/1', { name: 'Forged' }],
          ['DELETE', '/api/products/1', undefined],
          ['POST', PATH, { key: READ_WRITE_KEY }],
          ['DELETE', PATH, undefined],
        ] as const)
          assertProblem(await send(store, method, path, { body, headers: { cookie, ...headers } }), 403);
        assert.equal(
          (await send(store, 'POST', '/api/tags', { body: '{"name":"F"}', headers: form })).status,
          403,
          title,
        );
        assertProblem(await send(store, 'POST', PATH, { body: { key: 'wrong-key' }, headers }), 403);
      }
    });
    assert.equal((await get(cookie)).status, 200, 'the session is still valid');
    for (const [title, headers] of foreign.filter(([, lines]) => 'sec-fetch-site' in lines)) {
      const expected = headers['sec-fetch-site'] === 'none' ? 200 : 403;
      assert.equal((await get(cookie, PATH, headers)).status, expected, title);
      // Bypasses the check against the API description, which covers requests with keys only. The host has no port
      // here.
      const there = cookie.replace(/^purveyor-\d+/, 'purveyor-80');
      const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}`);
      const raw = await sendRaw(
        store.address,
        head('GET /api/tags', `Cookie: ${there}`, 'Connection: close', ...lines),
      );
      assert.match(raw, new RegExp(`^HTTP/1.1 ${expected} `), title);
    }
    const own = [{ origin: store.address }, { 'sec-fetch-site': 'same-origin', origin: store.address }];
    for (const [index, headers] of own.entries())
      assert.equal((await post(cookie, { name: `Own ${index}` }, headers)).status, 201);
    const named = `localhost:${port}`;
    const cookieThere = await signIn(store, READ_WRITE_KEY, { host: named, origin: `http://${named}` });
    assert.equal((await get(cookieThere, PATH, { host: named })).status, 200, 'another host name of the server');
  });

  test('accepts only one cookie, with the name of this port and an id that the store issued', async () => {
    const cookie = await signIn(store, READ_WRITE_KEY);
    const [name, id] = cookie.split('=') as [string, string];
    assert.equal((await get(`a=b; ${cookie}; c=d`)).status, 200);
    const rejected: Record<string, string> = {
      'of another port': `purveyor-1=${id}`,
      'of no port': `purveyor=${id}`,
      'of HTTPS': `__Host-${cookie}`,
      'sent twice': `${cookie}; ${cookie}`,
      'sent twice, once wrongly': `${cookie}; ${name}=x`,
      'in capitals': cookie.toUpperCase(),
      'too long': `${cookie}${'x'.repeat(4000)}`,
      'cut off': cookie.slice(0, -1),
      empty: `${name}=`,
      'in quotes': `${name}="${id}"`,
      'that somebody made up': `${name}=pv_se_${'A'.repeat(43)}`,
      'of the key itself': `${name}=${READ_WRITE_KEY}`,
    };
    for (const [title, wrong] of Object.entries(rejected)) {
      assert.equal((await get(wrong)).status, 401, title);
      assert.equal((await get(wrong, PATH)).status, 401, title);
    }
    assert.equal((await get(`${cookie}${'; x'.repeat(4000)}`)).status, 431);
    assert.equal((await send(store, 'GET', `/api/tags?${cookie}`, {})).status, 401, 'a cookie in the query');
  });

  test('issues a new session id at each sign-in and ends the session before it', async () => {
    const given = `purveyor-${new URL(store.address).port}=pv_se_${'B'.repeat(43)}`;
    const cookie = await signIn(store, READ_WRITE_KEY, { ...OWN, cookie: given });
    assert.notEqual(cookie, given);
    assert.equal((await get(given)).status, 401);
    const next = await signIn(store, READ_ONLY_KEY, { ...OWN, cookie });
    assert.deepEqual([(await get(cookie)).status, (await get(next)).status], [401, 200]);
    assert.equal(
      (await send(store, 'POST', PATH, { body: { key: 'wrong-key' }, headers: { ...OWN, cookie: next } })).status,
      401,
    );
    assert.equal((await get(next)).status, 200, 'a wrong key does not end the session');
  });

  test('ends a session when its key is revoked or rotated without a grace period', async () => {
    const { key, id } = await store.made('/api/keys', { name: 'Back office', kind: 'read-write' });
    const cookies = [await signIn(store, key), await signIn(store, key)];
    for (const cookie of cookies) assert.equal((await get(cookie)).status, 200);
    assert.equal((await post(cookies[0]!, { name: 'By name' })).status, 201);
    assert.equal((await store.delete(`/api/keys/${id}`)).status, 204);
    for (const cookie of cookies)
      for (const path of ['/api/tags', '/api/tags', PATH]) assertProblem(await get(cookie, path), 401);
    await store.made('/api/keys', { name: 'Back office', kind: 'read-write' });
    assert.equal((await get(cookies[0]!)).status, 401, 'a new key with the same name does not restore the session');
    await store.made('/api/keys', { name: 'Same text', kind: 'read-write', key });
    assert.equal((await get(cookies[0]!)).status, 401, 'nor does one with the same text');
  });

  test('rejects a sign-in body with every violation at once', async () => {
    const signing = (body: unknown) => send(store, 'POST', PATH, { body, headers: OWN });
    assertViolations(await signing({}), ['key', 'required']);
    assertViolations(await signing({ key: 5 }), ['key', 'type']);
    assertViolations(await signing({ key: '', role: 'x' }), ['key', 'blank'], ['role', 'unknown_field']);
    assertViolations(await signing({ key: READ_WRITE_KEY, token: 'x' }), ['token', 'conflict']);
    assertProblem(await signing('[]'), 400);
    assertProblem(await signing(`{"key": "${'x'.repeat(9000)}"}`), 413);
    for (const key of ['wrong-key-of-the-tests', `${READ_WRITE_KEY} `]) assertProblem(await signing({ key }), 401);
    for (const token of ['wrong', `pv_si_${'A'.repeat(43)}`, READ_WRITE_KEY])
      assertProblem(await signing({ token }), 401, /purveyor admin link/);
    assertProblem(await send(store, 'GET', `${PATH}?key=${READ_WRITE_KEY}`, { headers: OWN }), 400);
    const text = { ...OWN, 'content-type': 'text/plain' };
    assertProblem(await send(store, 'POST', PATH, { body: { key: READ_WRITE_KEY }, headers: text }), 415);
    assertProblem(await send(store, 'PUT', PATH, { key: READ_WRITE_KEY, body: {} }), 405);
  });
});

onOneDatabase('failed sign-ins on the admin page', { FAILED_KEYS_PER_MINUTE: '3' }, (store) => {
  test('count toward the limit of failed keys and do not block a valid key', async () => {
    const statuses: number[] = [];
    for (const body of [{ key: 'wrong-key-1' }, { token: 'wrong' }, { key: 'wrong-key-2' }, { key: 'wrong-key-3' }])
      statuses.push((await send(store, 'POST', PATH, { body, headers: OWN })).status);
    assert.deepEqual(statuses, [401, 401, 401, 429]);
    assert.equal((await send(store, 'GET', '/api/tags', { key: 'wrong-key-4' })).status, 429);
    const cookie = await signIn(store, READ_WRITE_KEY);
    const ended = { cookie: `${cookie.split('=')[0]}=pv_se_${'A'.repeat(43)}` };
    assert.equal(
      (await send(store, 'GET', '/api/tags', { headers: ended })).status,
      401,
      'an expired session does not count as a wrong key',
    );
  });
});

onOneDatabase('stores without an admin page', { ADMIN: 'off' }, (store) => {
  test('return 404 for every admin path and accept no session cookie', async () => {
    for (const [method, path] of [
      ['GET', '/admin'],
      ['GET', '/admin/assets/x.js'],
      ['GET', PATH],
      ['POST', PATH],
      ['DELETE', PATH],
    ] as const)
      assertProblem(await send(store, method, path, { headers: OWN }), 404, /no admin page/);
    const cookie = `purveyor-${new URL(store.address).port}=pv_se_${'A'.repeat(43)}`;
    assertProblem(await send(store, 'GET', '/api/tags', { headers: { cookie } }), 401, /X-Auth-Token is missing/);
    assert.equal((await send(store, 'GET', '/', { headers: { accept: 'text/html' } })).status, 401);
  });
});

describe('sessions on several servers', { skip: !databaseNames.includes('postgres') }, () => {
  let servers: Servers;
  before(async () => {
    servers = await startServers('postgres', 2);
  });
  after(() => servers.stop());

  test('are valid on every server and end on all servers at once', async () => {
    const made = await servers.send(0, 'POST', '/api/keys', {
      ...{ key: READ_WRITE_KEY, body: { name: 'till', kind: 'read-write' } },
    });
    const signed = () => servers.send(0, 'POST', PATH, { key: null, body: { key: made.json.key }, headers: OWN });
    const [one, other] = [cookieIn(await signed()), cookieIn(await signed())];
    // Behind a proxy, both servers see the host that the browser requests.
    const { host } = new URL(servers.addresses[0]!);
    const status = async (server: number, cookie: string): Promise<number> =>
      (await servers.send(server, 'GET', '/api/tags', { key: null, headers: { host, cookie } })).status;
    assert.deepEqual([await status(1, one), await status(1, other)], [200, 200]);
    await servers.send(1, 'DELETE', PATH, { key: null, headers: { ...OWN, host, cookie: one } });
    assert.deepEqual([await status(0, one), await status(0, other)], [401, 200]);
    await servers.send(1, 'DELETE', `/api/keys/${made.json.id}`, { key: READ_WRITE_KEY });
    assert.equal(await status(0, other), 401);
  });
});

onOneDatabase('admin page sessions with BASE_URL', { BASE_URL: 'http://shop.example' }, (store) => {
  const shop = { origin: 'http://shop.example' };

  test('write only from its origin, whatever the host', async () => {
    const { port } = new URL(store.address);
    for (const origin of [store.address, `http://rebound.example:${port}`, 'https://shop.example']) {
      const headers = { host: new URL(origin).host, origin };
      assertProblem(await send(store, 'POST', PATH, { body: { key: READ_WRITE_KEY }, headers }), 403, /shop\.example/);
    }
    const cookie = await signIn(store, READ_WRITE_KEY, shop);
    const body = { name: 'From the shop' };
    for (const headers of [OWN, { ...OWN, origin: store.address }])
      assertProblem(await send(store, 'POST', '/api/tags', { body, headers: { cookie, ...headers } }), 403);
    const written = await send(store, 'POST', '/api/tags', { body, headers: { cookie, ...OWN, ...shop } });
    assert.equal(written.status, 201, written.text);
    assert.equal((await send(store, 'DELETE', PATH, { headers: { cookie, ...shop } })).status, 204);
  });
});
