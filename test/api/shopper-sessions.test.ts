/** Sessions of customers: login, cookies and origins, revocation (storefront.md §§1 and 3). */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { indexOrigins, isLiveOrigin } from '../../src/access/origins.ts';
import { createSecrets } from '../../src/adapters/secrets/scrypt.ts';
import { inUnit } from '../../src/engine/index.ts';
import { type NewMail, queueMail } from '../../src/store/mails/outbox.ts';
import { insertOneTimeToken } from '../../src/store/shoppers/one-time-tokens.ts';
import { passwordFingerprint } from '../../src/store/shoppers/password-fingerprint.ts';
import { readConfig } from '../../src/wiring/config.ts';
import { openStore } from '../../src/wiring/open.ts';
import type { HttpResponse } from '../support/client.ts';
import { databaseNames } from '../support/databases.ts';
import { assertProblem, assertViolations } from '../support/expect.ts';
import { INJECT_KEY, serverOf } from '../support/injected-server.ts';
import { sendLate } from '../support/late-body.ts';
import { made, newKey, openedStore, REQUEST_OPTIONS } from '../support/opened-store.ts';
import { type Json, onEachDatabase } from '../support/store.ts';

const ORIGIN = 'https://shop.example.com';
const PASSWORD = 'correct horse';
const TOKEN = /^pv_cs_[\w-]{43}$/;

onEachDatabase('sessions of customers', { FAILED_LOGINS_PER_MINUTE: '4' }, (store) => {
  let key: string;
  let id: number;
  const shop = (method: string, path: string, { body, ...headers }: Record<string, unknown> = {}) =>
    store.request(method, `/storefront${path}`, { key, body, headers: headers as Record<string, string> });
  const login = (sent: Json = {}, headers: Json = {}) =>
    shop('POST', '/session', { body: { login: 'ada@example.com', password: PASSWORD, ...sent }, ...headers });
  before(async () => {
    const origins = [ORIGIN, 'https://*.example.org'];
    key = (await store.made('/api/keys', { name: 'Shop', kind: 'publishable', origins })).key;
    await store.made('/api/memberships', { name: 'Gold' });
    const membership_id = (await store.get('/api/memberships')).json[0].id;
    id = (await store.made('/api/profiles', { login: 'ada@example.com', password: PASSWORD, membership_id })).id;
  });

  test('begin with the password, and show the profile', async () => {
    const begun = await login({ login: 'Ada@EXAMPLE.com' });
    assert.equal(begun.status, 200, begun.text);
    const { token, expires_at, profile, cart } = begun.json;
    assert.match(token, TOKEN);
    assert.ok(Date.parse(expires_at) > Date.now() + 29 * 24 * 3600 * 1000);
    const membership = { id: 1, name: 'Gold' };
    const shown = { login: 'ada@example.com', language: '', membership, email_verified_at: null };
    assert.deepEqual([profile, cart], [shown, null]);
    assert.equal(begun.headers['cache-control'], 'private, no-store');
    assert.ok((await store.get(`/api/profiles/${id}`)).json.last_login_date);
    const authorization = `bearer ${token}`;
    assert.deepEqual((await shop('GET', '/me', { authorization })).json, shown);
    assert.deepEqual((await shop('GET', '/session', { authorization })).json, { expires_at, profile: shown });
    const changed = await shop('PATCH', '/me', { authorization, body: { language: 'de' } });
    assert.deepEqual([changed.status, changed.json], [200, { ...shown, language: 'de' }]);
    assertViolations(
      await shop('PATCH', '/me', { authorization, body: { language: 'x', status: 'D' } }),
      ['language', 'format'],
      ['status', 'unknown_field'],
    );
    const [entry] = (await store.get(`/api/profiles/${id}/audit`)).json;
    const { type, name } = entry.actor;
    assert.deepEqual([type, entry.actor.id, name, entry.action], ['customer', id, null, 'updated']);
    const rows = (await store.rows()).join('\n');
    assert.ok(rows.includes('shopper_session') && !rows.includes(token));
  });

  test('reject writes whose body arrives after the end of the session', async () => {
    const late = async (method: string, path: string, body: Json): Promise<number> => {
      const { token } = (await login()).json;
      const authorization = `Bearer ${token}`;
      const sent = { method, headers: { 'x-auth-token': key, authorization }, body };
      return sendLate(`${store.address}/storefront${path}`, sent, async () =>
        assert.equal((await shop('DELETE', '/session', { authorization })).status, 204),
      );
    };
    const { token } = (await login()).json;
    const authorization = `Bearer ${token}`;
    const address = (await shop('POST', '/me/addresses', { authorization, body: { city: 'Bonn' } })).json;
    const one = `/me/addresses/${address.id}`;
    const statuses = [
      late('POST', '/me/addresses', {}),
      late('PATCH', one, { city: 'Berlin' }),
      late('PATCH', '/me', { language: 'fr' }),
      late('PUT', '/me/password', { current: PASSWORD, password: 'another horse' }),
      late('DELETE', '/me', { current: PASSWORD }),
    ];
    assert.deepEqual(await Promise.all(statuses), [401, 401, 401, 401, 401]);
    assert.deepEqual((await shop('GET', '/me/addresses', { authorization })).json, [address]);
    assert.equal((await shop('GET', '/me', { authorization })).json.language, 'de');
  });

  test('are rejected with a wrong login or body, and after too many failures', async () => {
    assertViolations(
      await login({ cart: 'pv_ct_x', transport: 'mail' }),
      ['cart', 'unknown_field'],
      ['transport', 'choice'],
    );
    assertViolations(await shop('POST', '/session', { body: {} }), ['login', 'required'], ['password', 'required']);
    const wrong = ['password', 'conflict'] as const;
    await store.made('/api/profiles', { login: 'off@example.com', password: PASSWORD, status: 'D' });
    assertViolations(await login({ login: 'nobody@example.com' }), wrong);
    assertViolations(await login({ login: 'off@example.com' }), wrong);
    assertViolations(await login({ password: 'wrong horse' }), wrong);
    const check = { login: 'grace@example.com', password: 'wrong horse' };
    assertViolations(await store.post('/api/profiles/check_password', check), wrong);
    assertProblem(await login(), 429);
  });
});

onEachDatabase('pages with sessions of customers', {}, (store) => {
  let key: string;
  const shop = (method: string, path: string, { body, ...headers }: Record<string, unknown> = {}) =>
    store.request(method, `/storefront${path}`, { key, body, headers: headers as Record<string, string> });
  const login = (sent: Json = {}, headers: Json = {}) =>
    shop('POST', '/session', { body: { login: 'ada@example.com', password: PASSWORD, ...sent }, ...headers });
  const cors = ({ headers }: HttpResponse) => [
    ...['allow-origin', 'allow-credentials'].map((name) => headers[`access-control-${name}`]),
    headers.vary?.includes('Origin') ?? false,
  ];
  const assertType = (response: HttpResponse, status: number, type: string): void => {
    assertProblem(response, status);
    assert.match(response.json.type, new RegExp(`/${type}$`));
  };
  const cookieIn = ({ headers }: HttpResponse): string => headers['set-cookie']![0]!.split(';')[0]!;

  before(async () => {
    const origins = [ORIGIN, 'https://*.example.org'];
    key = (await store.made('/api/keys', { name: 'Shop', kind: 'publishable', origins })).key;
    await store.made('/api/profiles', { login: 'ada@example.com', password: PASSWORD });
  });

  test('must be of an origin that the key lists', async () => {
    for (const origin of [ORIGIN, 'https://a.example.org']) {
      for (const response of [
        await login({}, { origin }),
        await login({ password: '' }, { origin }),
        await shop('GET', '/me', { origin }),
        await shop('GET', '/nothing', { origin }),
      ])
        assert.deepEqual(cors(response), [origin, 'true', true], response.text);
    }
    for (const origin of [
      'https://evil.example',
      'https://a.b.example.org',
      'https://example.org',
      'https://.example.org',
      'null',
    ]) {
      const response = await login({}, { origin });
      assertType(response, 403, 'origin-not-allowed');
      assert.deepEqual(cors(response), [undefined, undefined, true]);
      assert.equal((await shop('GET', '/products', { origin })).headers['access-control-allow-origin'], '*');
    }
    assert.equal(
      (await store.request('GET', '/storefront/me', { key: undefined, headers: { origin: ORIGIN } })).status,
      401,
    );
  });

  test('get a preflight response if a live key lists the origin', async () => {
    const preflight = (path: string, origin?: string) =>
      store.request('OPTIONS', `/storefront${path}`, { key: undefined, headers: { origin } });
    const allowed = await preflight('/me', ORIGIN);
    assert.deepEqual([allowed.status, ...cors(allowed)], [204, ORIGIN, 'true', true]);
    assert.match(allowed.headers['access-control-allow-methods'] as string, /PATCH/);
    assert.match(allowed.headers['access-control-allow-headers'] as string, /Authorization/);
    assertType(await preflight('/me', 'https://evil.example'), 403, 'origin-not-allowed');
    assert.deepEqual(
      [(await preflight('/me')).status, ...cors(await preflight('/me'))],
      [204, undefined, undefined, true],
    );
    const catalog = await preflight('/products/1', 'https://evil.example');
    assert.deepEqual([catalog.status, ...cors(catalog)], [204, '*', undefined, false]);
    const other = await store.made('/api/keys', { name: 'B', kind: 'publishable', origins: ['https://b.example'] });
    assert.equal((await preflight('/session', 'https://b.example')).status, 204);
    await store.delete(`/api/keys/${other.id}`);
    assert.equal((await preflight('/session', 'https://b.example')).status, 403);
    for (const [origin, status] of [
      ['https://a.example.org', 204],
      ['https://a.b.example.org', 403],
      ['https://example.org', 403],
      ['http://a.example.org', 403],
    ] as const)
      assert.equal((await preflight('/me', origin)).status, status, origin);
    const listed = { origins: [ORIGIN] };
    const index = indexOrigins([5, 9, 7].map((expires) => ({ ...listed, expires })));
    assert.deepEqual([isLiveOrigin(index, ORIGIN, 8), isLiveOrigin(index, ORIGIN, 9)], [true, false]);
    assert.ok(isLiveOrigin(indexOrigins([{ ...listed, expires: null }]), ORIGIN, 9));
  });

  test('can have the token in a cookie', async () => {
    const begun = await login({ transport: 'cookie' }, { origin: ORIGIN });
    assert.equal(begun.json.token, null);
    const [set] = begun.headers['set-cookie']!;
    assert.match(set!, /^__Host-pv-shop=pv_cs_[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax; Max-Age=\d+$/);
    const cookie = `other=1; ${cookieIn(begun)}`;
    const accepted = [{ origin: ORIGIN }, { 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'same-site' }];
    for (const headers of accepted) assert.equal((await shop('GET', '/me', { cookie, ...headers })).status, 200);
    for (const headers of [{}, { 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'none' }])
      assertType(await shop('GET', '/me', { cookie, ...headers }), 403, 'origin-not-allowed');
    const write = { cookie, 'sec-fetch-site': 'same-origin', body: { language: 'de' } };
    assertType(await shop('PATCH', '/me', write), 403, 'origin-not-allowed');
    assert.equal((await shop('PATCH', '/me', { ...write, origin: ORIGIN })).status, 200);
    const both = { cookie, origin: ORIGIN, authorization: 'Bearer pv_cs_unknown' };
    assertProblem(await shop('GET', '/me', both), 401);
    const refreshed = await shop('POST', '/session/refresh', { cookie, origin: ORIGIN });
    assert.deepEqual([refreshed.status, refreshed.json.token], [200, null]);
    const next = cookieIn(refreshed);
    assert.notEqual(next, cookieIn(begun));
    const ended = await shop('DELETE', '/session', { cookie: next, origin: ORIGIN });
    assert.deepEqual([ended.status, ended.headers['set-cookie']![0]!.includes('Max-Age=0')], [204, true]);
    assertProblem(await shop('GET', '/me', { cookie: next, origin: ORIGIN }), 401);
    assert.equal((await shop('GET', '/products', { cookie: next })).status, 200);
  });
});

/** Two servers of one database, which tests can move in time. */
interface Servers {
  readonly key: string;
  readonly apps: readonly [FastifyInstance, FastifyInstance];
  /** Seconds that have passed. */
  readonly passed: { seconds: number };
  close(): Promise<void>;
}

async function twoServers(database: (typeof databaseNames)[number]): Promise<Servers> {
  const opened = await openedStore(database);
  const other = await openStore(readConfig({ DATABASE_URL: opened.url, LANGUAGES: 'de' }));
  const passed = { seconds: 0 };
  const secrets = createSecrets({ cost: 2 ** 10, blockSize: 8, parallelization: 1 });
  const moved = <S extends typeof opened.service>(service: S): S => ({
    ...service,
    secrets,
    clock: { ...service.clock, now: () => service.clock.now() + passed.seconds },
  });
  const key = await newKey(opened.service, { name: 'Shop', kind: 'publishable', origins: [ORIGIN] });
  await made(moved(opened.service), 'Profile', { login: 'ada@example.com', password: PASSWORD });
  const apps = [await serverOf(moved(opened.service)), await serverOf(moved(other.service))] as const;
  const close = async () => {
    for (const app of apps) await app.close();
    await other.close();
    await opened.remove();
  };
  return { key, apps, passed, close };
}

for (const database of databaseNames)
  test(`the audit names the customer of a token in a mail, without the network address (${database})`, async (t) => {
    const { service, remove } = await openedStore(database);
    const app = await serverOf(service);
    t.after(async () => {
      await app.close();
      await remove();
    });
    const key = await newKey(service, { name: 'Shop', kind: 'publishable', origins: [ORIGIN] });
    const tokenOf = async (mail: NewMail): Promise<string> => {
      await service.database.transaction((transaction) => queueMail(service, transaction, mail));
      return inUnit(service, REQUEST_OPTIONS, async (unit) => {
        const [{ id }] = (await unit.list('Mail', { template: mail.template })) as [Json];
        return insertOneTimeToken(unit, Number(id), mail.template as 'verify' | 'reset');
      });
    };
    const send = async (method: 'PUT' | 'POST', path: string, payload: Json): Promise<void> => {
      const sent = await app.inject({ method, url: `/storefront${path}`, headers: { 'x-auth-token': key }, payload });
      assert.ok(sent.statusCode < 300, sent.body);
    };
    const to = 'ada@example.com';
    const password = await service.secrets.hash(PASSWORD);
    await send('POST', '/account/verify', {
      token: await tokenOf({ template: 'verify', to, data: { password, language: 'en' } }),
    });
    const read = (path: string) => app.inject({ url: `/api${path}`, headers: { 'x-auth-token': INJECT_KEY } });
    const [{ id }] = (await read('/profiles')).json();
    const token = await tokenOf({
      template: 'reset',
      to,
      profile: id,
      data: { fingerprint: passwordFingerprint(password) },
    });
    await send('PUT', '/password', { token, password: 'another horse' });
    const entries = (await read(`/profiles/${id}/audit`)).json();
    const actor = { type: 'customer', id, name: null };
    assert.deepEqual(
      entries.map((entry: Json) => [entry.action, entry.actor, entry.address]),
      [
        ['updated', actor, null],
        ['created', actor, null],
      ],
    );
  });

for (const database of databaseNames)
  describe(`ended sessions of customers (${database})`, () => {
    test('are a 401 on every server', async (t) => {
      const { key, apps, passed, close } = await twoServers(database);
      t.after(close);
      const [one, other] = apps;
      const send = (app: FastifyInstance, method: string, path: string, { body, token }: Json = {}) =>
        app.inject({
          ...{ method: method as 'GET', url: path },
          headers: {
            'x-auth-token': path.startsWith('/api') ? INJECT_KEY : key,
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          },
          ...(body === undefined ? {} : { payload: body as object }),
        });
      const login = async (password = PASSWORD, name = 'ada@example.com'): Promise<string> => {
        const begun = await send(one, 'POST', '/storefront/session', { body: { login: name, password } });
        assert.equal(begun.statusCode, 200, begun.body);
        return begun.json().token;
      };
      const statusOf = async (app: FastifyInstance, token: string): Promise<number> =>
        (await send(app, 'GET', '/storefront/me', { token })).statusCode;
      const profile = (await send(one, 'GET', '/api/profiles')).json()[0].id;
      const staff = async (body: Json): Promise<void> => {
        const changed = await send(one, 'PATCH', `/api/profiles/${profile}`, { body });
        assert.equal(changed.statusCode, 200, changed.body);
      };
      const own = async (method: string, path: string, token: string, body?: Json): Promise<void> => {
        const done = await send(one, method, `/storefront${path}`, { token, body });
        assert.equal(done.statusCode, 204, done.body);
      };
      const endings: readonly [string, (token: string) => Promise<void>][] = [
        ['logout', (token) => own('DELETE', '/session', token)],
        ['logout everywhere', (token) => own('DELETE', '/sessions', token)],
        ['disabled', () => staff({ status: 'D' }).then(() => staff({ status: 'E' }))],
        ['login', () => staff({ login: 'b@example.com' }).then(() => staff({ login: 'ada@example.com' }))],
        ['password', () => staff({ password: PASSWORD })],
        ['own password', (token) => own('PUT', '/me/password', token, { current: PASSWORD, password: PASSWORD })],
      ];
      for (const [what, end] of endings) {
        const [token, second] = [await login(), await login()];
        for (const app of apps) assert.equal(await statusOf(app, token), 200, what);
        await staff({ membership_id: null, status_comment: what });
        assert.equal(await statusOf(other, token), 200, what);
        await end(token);
        for (const app of apps) assert.equal(await statusOf(app, token), 401, what);
        assert.equal(await statusOf(other, second), what === 'logout' ? 200 : 401, what);
      }

      const first = await login();
      const refreshed = await send(other, 'POST', '/storefront/session/refresh', { token: first });
      const next = refreshed.json().token;
      assert.match(next, TOKEN);
      passed.seconds += 58;
      assert.deepEqual([await statusOf(one, first), await statusOf(one, next)], [200, 200]);
      passed.seconds += 3;
      assert.deepEqual([await statusOf(one, first), await statusOf(other, next)], [401, 401]);

      const used = await login();
      passed.seconds += 29 * 24 * 3600;
      const lastUses = async (): Promise<string> => {
        const { records } = (await send(one, 'GET', `/api/profiles/${profile}/export`)).json();
        const sessions = records.filter(({ resource }: Json) => resource === 'shopper_session');
        return JSON.stringify(sessions.map(({ record }: { record: Json }) => record.last_used_at));
      };
      const before = await lastUses();
      assert.equal(await statusOf(other, used), 200);
      // The use is recorded after the response.
      for (let tries = 0; tries < 500 && (await lastUses()) === before; tries += 1) await setTimeout(20);
      assert.notEqual(await lastUses(), before);
      passed.seconds += 29 * 24 * 3600;
      assert.equal(await statusOf(other, used), 200);
      passed.seconds += 31 * 24 * 3600;
      assert.equal(await statusOf(other, used), 401);

      const all: string[] = [];
      for (let count = 0; count < 21; count += 1) all.push(await login());
      assert.deepEqual([await statusOf(other, all[0]!), await statusOf(other, all[1]!)], [401, 200]);

      await staff({ force_change_password: true });
      const token = all.at(-1)!;
      const forced = await send(other, 'GET', '/storefront/session', { token });
      assert.deepEqual([forced.statusCode, forced.json().type.split('/').at(-1)], [403, 'password-change-required']);
      const wrong = await send(other, 'PUT', '/storefront/me/password', {
        token,
        body: { current: 'x', password: 'another horse' },
      });
      assert.equal(wrong.statusCode, 422, wrong.body);
      await own('PUT', '/me/password', token, { current: PASSWORD, password: 'another horse' });
      const last = await login('another horse');
      assert.equal(await statusOf(other, last), 200);
      assert.equal((await send(one, 'DELETE', `/api/profiles/${profile}`)).statusCode, 204);
      assert.equal(await statusOf(other, last), 401);
    });
  });
