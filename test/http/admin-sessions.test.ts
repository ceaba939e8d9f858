/** Sessions and sign-in tokens in time, in number, and behind proxies: with a clock and an address that the test sets. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { sql } from 'kysely';
import { chainAudit } from '../../src/engine/unit/audit/chain.ts';
import { readAuditPage } from '../../src/engine/unit/audit/read-audit.ts';
import type { Service } from '../../src/engine/unit/service.ts';
import { hashOf, listKeys, revokeKey } from '../../src/store/keys.ts';
import { beginSession, forgetSessions, Sessions } from '../../src/store/sessions.ts';
import { makeToken } from '../../src/store/sign-in-tokens.ts';
import { databaseNames } from '../support/databases.ts';
import { INJECT_KEY, serverOf } from '../support/injected-server.ts';
import { ACTOR, newKey, type OpenedStore, openedStore, recordingStatements } from '../support/opened-store.ts';

const HOUR = 3600;
const BEGUN = Date.UTC(2030, 0, 1) / 1000;
const OWN = { 'sec-fetch-site': 'same-origin' };

interface Sent extends Omit<InjectOptions, 'headers'> {
  readonly headers?: Record<string, string>;
}

for (const name of databaseNames)
  describe(`lifetime of admin page sessions (${name})`, () => {
    let opened: OpenedStore;
    let service: Service;
    let app: FastifyInstance;
    let now = BEGUN;
    const written: string[] = [];

    before(async () => {
      opened = await openedStore(name);
      const environment = { ...opened.service.environment, baseUrl: 'http://localhost' };
      const clock = { ...opened.service.clock, now: () => now };
      service = {
        ...recordingStatements({ ...opened.service, environment }, ({ sql: text }) => written.push(text)),
        clock,
      };
      app = await serverOf(service, {}, undefined, {
        ...{ sessions: new Sessions(service), folder: 'none', allowsPlainHttp: false },
      });
    });
    after(async () => {
      await app.close();
      await opened.remove();
    });

    const count = async (table: string): Promise<number> => {
      const statement = service.statements.get(`count ${table}`, () => sql`select count(*) from ${sql.table(table)}`);
      return Number((await service.database.query(statement, {}))[0]![0]);
    };
    const signIn = async (body: object = { key: INJECT_KEY }): Promise<{ cookie: string; ends: number }> => {
      const { statusCode, headers, json } = await app.inject({
        ...{ method: 'POST', url: '/admin/session', headers: OWN, payload: body },
      });
      assert.equal(statusCode, 200);
      return {
        cookie: String(headers['set-cookie']).split(';')[0]!,
        ends: Date.parse(json().expires_at) / 1000,
      };
    };
    const status = async (cookie: string, url = '/api/tags'): Promise<number> =>
      (await app.inject({ url, headers: { cookie } })).statusCode;
    /** Resolves when the use that was just made is in the store. */
    const noted = async (): Promise<void> => {
      const statement = service.statements.get(
        'last use',
        () => sql`select max(used) from ${sql.table('admin_session')}`,
      );
      while (Number((await service.database.query(statement, {}))[0]![0]) < now) await sleep(2);
    };

    test('replays the response to a retry with a password even if other cookies of the request differ', async () => {
      const { cookie } = await signIn();
      const made = (cookies: string) =>
        app.inject({
          ...{ method: 'POST', url: '/api/profiles', payload: { login: 'ada@example.com', password: 'correct horse' } },
          headers: { ...OWN, cookie: cookies, 'idempotency-key': 'a-profile' },
        });
      const first = await made(`seen=1; ${cookie}`);
      assert.equal(first.statusCode, 201, first.body);
      const again = await made(`seen=2; ${cookie}`);
      assert.deepEqual([again.headers['idempotency-replayed'], again.body], ['true', first.body]);
    });

    test('a session ends 8 hours after its last use, which is stored at most every 5 minutes', async () => {
      const { cookie, ends } = await signIn();
      assert.equal(ends, now + 8 * HOUR);
      written.length = 0;
      now += 299;
      for (let times = 0; times < 5; times += 1) assert.equal(await status(cookie), 200);
      assert.deepEqual(written, [], 'reads wrote nothing');
      now += 1;
      const uses = await Promise.all(Array.from({ length: 6 }, () => status(cookie)));
      assert.deepEqual(new Set(uses), new Set([200]));
      await noted();
      now += 8 * HOUR - 1;
      assert.equal(await status(cookie), 200);
      await noted();
      now += 8 * HOUR;
      for (const url of ['/api/tags', '/admin/session']) assert.equal(await status(cookie, url), 401);
      now -= 60;
      assert.equal(await status(cookie), 200, 'a clock that is set back');
    });

    test('a session ends 7 days after sign-in even if it is in use', async () => {
      const { cookie } = await signIn();
      const begun = now;
      for (let times = 1; times < 24; times += 1) {
        now = begun + times * 7 * HOUR;
        assert.equal(await status(cookie), 200, `${times * 7} hours`);
        await noted();
      }
      now = begun + 7 * 24 * HOUR - 1;
      const { expires_at } = (await app.inject({ url: '/admin/session', headers: { cookie } })).json();
      assert.equal(Date.parse(expires_at) / 1000, begun + 7 * 24 * HOUR);
      now += 1;
      assert.equal(await status(cookie), 401);
    });

    test('a session ends when its key expires', async () => {
      const key = await newKey(service, { name: 'short', kind: 'read-write', expires: now + HOUR });
      const { cookie, ends } = await signIn({ key });
      assert.equal(ends, now + HOUR);
      now += HOUR - 1;
      assert.equal(await status(cookie), 200);
      now += 1;
      assert.equal(await status(cookie), 401);
    });

    test('the 51st session of a key ends its least recently used one, and expired sessions are deleted', async () => {
      const { cookie: first } = await signIn();
      now += 1;
      const key = await newKey(service, { name: 'other', kind: 'read-only' });
      const { cookie: other } = await signIn({ key });
      for (let more = 0; more < 49; more += 1)
        await beginSession(service, { keyHash: hashOf(INJECT_KEY), host: 'localhost' }, undefined, ACTOR);
      assert.deepEqual([await status(first), await status(other)], [200, 200]);
      await beginSession(service, { keyHash: hashOf(INJECT_KEY), host: 'localhost' }, undefined, ACTOR);
      assert.deepEqual([await status(first), await status(other)], [401, 200]);
      now += 7 * HOUR;
      const { cookie: newest } = await signIn();
      now += HOUR;
      await forgetSessions(service);
      assert.deepEqual([await count('admin_session'), await status(newest)], [1, 200]);
    });

    test('a sign-in token starts one session within 10 minutes, with the rights of its key', async () => {
      const key = await newKey(service, { name: 'for links', kind: 'read-only' });
      const token = await makeToken(service, { id: 'any', hash: hashOf(key) }, ACTOR);
      const sent = { method: 'POST', url: '/admin/session', headers: OWN, payload: { token } } as const;
      const foreign = await app.inject({ ...sent, headers: { origin: 'https://other.example' } });
      assert.equal(foreign.statusCode, 403, 'another site cannot use it up');
      const responses = await Promise.all(Array.from({ length: 5 }, () => app.inject(sent)));
      assert.deepEqual(responses.map(({ statusCode }) => statusCode).sort(), [200, 401, 401, 401, 401]);
      const response = responses.find(({ statusCode }) => statusCode === 200)!;
      assert.deepEqual(response.json().key, { name: 'for links', kind: 'read-only' });
      // The used link, the sign-in, and the first failed one of the minute.
      const record = (await listKeys(service)).find(({ name: each }) => each === 'for links')!.id;
      await chainAudit(service);
      const { entries } = await readAuditPage(
        service,
        { equal: { record } },
        { limit: 10, offset: 0, direction: 'desc' },
      );
      const used = entries.filter(({ head }) => head.actor.id === record);
      assert.deepEqual(
        new Set(used.map(({ head, changes }) => `${head.action} ${JSON.stringify(changes)}`)),
        new Set(['sign_in {}', 'updated {"link":{"changed":true}}']),
      );
      assert.equal(used.length, 2);
      assert.ok((await count('failed_sign_in')) >= 4, 'each of the others counts as failed');
      const late = await makeToken(service, { id: 'any', hash: hashOf(key) }, ACTOR);
      now += 600;
      assert.equal((await app.inject({ ...sent, payload: { token: late } })).statusCode, 401);
      const last = await makeToken(service, { id: 'any', hash: hashOf(key) }, ACTOR);
      assert.equal(await count('sign_in_token'), 1, 'older ones are forgotten');
      await revokeKey(service, 'for links', ACTOR);
      assert.equal((await app.inject({ ...sent, payload: { token: last } })).statusCode, 401);
    });

    test('a session is stored only as a hash', async () => {
      const { cookie } = await signIn();
      const id = cookie.split('=')[1]!;
      const statement = service.statements.get('all sessions', () => sql`select * from ${sql.table('admin_session')}`);
      const rows = JSON.stringify(await service.database.query(statement, {}));
      assert.ok(rows.includes(hashOf(id)) && !rows.includes(id.slice(6)));
    });
  });

describe('connection security of the admin page', () => {
  let opened: OpenedStore;
  const apps = new Map<string, FastifyInstance>();
  before(async () => {
    opened = await openedStore('sqlite');
  });
  after(async () => {
    for (const app of apps.values()) await app.close();
    await opened.remove();
  });

  const serverAt = async (baseUrl: string, trusted: string, allowsPlainHttp = false): Promise<FastifyInstance> => {
    const name = `${baseUrl} ${trusted}`;
    const service = { ...opened.service, environment: { ...opened.service.environment, baseUrl } };
    const admin = { sessions: new Sessions(service), folder: 'none', allowsPlainHttp };
    const app = apps.get(name) ?? (await serverOf(service, { TRUST_PROXY: trusted }, undefined, admin));
    apps.set(name, app);
    return app;
  };
  const signIn = { method: 'POST', url: '/admin/session', payload: { key: INJECT_KEY } } as const;
  const FAR = '203.0.113.9';

  const cases: [
    title: string,
    trusted: string,
    sent: Sent,
    /** The beginning of the cookie, or the problem. */
    outcome: string,
  ][] = [
    ['plain HTTP from the same machine', '', { headers: { host: 'localhost:8080' } }, 'purveyor-8080='],
    [
      'plain HTTP from the IPv6 loopback address',
      '',
      { remoteAddress: '::1', headers: { host: '[::1]:8080' } },
      'purveyor-8080=',
    ],
    ['plain HTTP from a public address', '', { remoteAddress: FAR }, 'insecure-connection'],
    ['plain HTTP from a private address', '', { remoteAddress: '192.168.1.5' }, 'insecure-connection'],
    [
      'HTTPS through a trusted proxy',
      '10.0.0.0/8',
      { remoteAddress: '10.0.0.1', headers: { 'x-forwarded-for': FAR, 'x-forwarded-proto': 'https' } },
      '__Host-purveyor-443=',
    ],
    [
      'plain HTTP through a trusted proxy',
      '10.0.0.0/8',
      { remoteAddress: '10.0.0.1', headers: { 'x-forwarded-for': FAR, 'x-forwarded-proto': 'http' } },
      'insecure-connection',
    ],
    [
      'a trusted local proxy that forwards no protocol',
      '127.0.0.1',
      { headers: { 'x-forwarded-for': FAR } },
      'insecure-connection',
    ],
    [
      'an untrusted local proxy that forwards a client address',
      '',
      { headers: { 'x-forwarded-for': FAR, 'x-forwarded-proto': 'https' } },
      'insecure-connection',
    ],
    [
      'plain HTTP with forged X-Forwarded headers',
      '',
      { remoteAddress: FAR, headers: { 'x-forwarded-proto': 'https', 'x-forwarded-for': '127.0.0.1' } },
      'insecure-connection',
    ],
    [
      'a local HTTPS proxy without X-Forwarded headers',
      '',
      { headers: { host: 'shop.example' } },
      '__Host-purveyor-443=',
    ],
  ];
  for (const [title, trusted, sent, outcome] of cases)
    test(`sign-in over ${title} ${outcome.endsWith('=') ? `sets the cookie ${outcome}` : `returns 403 ${outcome}`}`, async () => {
      const app = await serverAt('https://shop.example', trusted);
      const headers = { host: 'shop.example', ...OWN, ...sent.headers };
      const response = await app.inject({ ...signIn, ...sent, headers });
      const cookie = String(response.headers['set-cookie']);
      if (outcome.endsWith('=')) {
        assert.ok(cookie.startsWith(outcome), `${cookie} ${response.body}`);
        assert.equal(cookie.includes('; Secure'), outcome.startsWith('__Host-'));
        const read = { url: '/api/tags', ...sent, headers: { ...headers, cookie: cookie.split(';')[0]! } };
        assert.equal((await app.inject(read)).statusCode, 200);
        const other = { ...read, remoteAddress: FAR, headers: { host: headers.host, cookie: read.headers.cookie } };
        assert.equal((await app.inject(other)).json().status, 403, 'the cookie is not taken over plain HTTP either');
      } else {
        assert.deepEqual([response.statusCode, response.json().type.split('/').at(-1)], [403, outcome]);
        assert.equal(response.headers['set-cookie'], undefined);
      }
    });

  test('sign-in over plain HTTP succeeds if the operator allows it, and only from the origin of the store', async () => {
    const app = await serverAt('http://store.lan:8080', '', true);
    const headers = { host: 'store.lan:8080', origin: 'http://store.lan:8080' };
    const response = await app.inject({ ...signIn, remoteAddress: '192.168.1.5', headers });
    assert.match(
      String(response.headers['set-cookie']),
      /^purveyor-8080=pv_se_[^;]+; Path=\/; HttpOnly; SameSite=Strict/,
    );
    const wrong = await app.inject({ ...signIn, headers: { ...headers, origin: 'http://store.lan' } });
    assert.match(wrong.json().detail, /another origin than the store, http:\/\/store\.lan:8080\./);
    await app.close();
  });
});
