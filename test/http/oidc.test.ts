/** Sign-in of users with OpenID Connect, on two servers of one store and one with `OIDC_ONLY` (access.md §3). */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Service } from '../../src/engine/unit/service.ts';
import { OIDC_CALLBACK_PATH } from '../../src/http/admin/oidc.ts';
import { hashOf } from '../../src/store/keys.ts';
import { Sessions } from '../../src/store/sessions.ts';
import { forgetFailedSignIns } from '../../src/store/users/failed-sign-ins.ts';
import { relyingParty } from '../../src/store/users/webauthn.ts';
import { readConfig } from '../../src/wiring/config.ts';
import { openIdentityProvider } from '../../src/wiring/open.ts';
import { databaseNames } from '../support/databases.ts';
import { ProviderBrowser, startProvider, type TestProvider } from '../support/identity-provider.ts';
import { INJECT_KEY, serverOf } from '../support/injected-server.ts';
import { type OpenedStore, openedStore } from '../support/opened-store.ts';

// biome-ignore lint/suspicious/noExplicitAny: the shape of a response is what the tests check
type Json = any;

const BASE_URL = 'http://localhost';
const OWN = { 'sec-fetch-site': 'same-origin' };
const PAGE = { accept: 'text/html,application/xhtml+xml' };
const PASSWORD = 'a sentence for the tests';
const MINUTE = 60;
const [SESSION_COOKIE, SIGN_IN_COOKIE] = ['purveyor-80', 'purveyor-80-oidc'];

describe('settings of OpenID Connect', () => {
  const OIDC = {
    OIDC_ISSUER: 'https://id.example/realms/shop/',
    OIDC_CLIENT_ID: 'shop',
    OIDC_CLIENT_SECRET: 'hidden!',
  };

  test('are complete, with a BASE_URL that no one on the network can read; messages do not show the secret', () => {
    const config = readConfig({ ...OIDC, BASE_URL: 'https://api.shop.example', OIDC_ONLY: '1' });
    assert.deepEqual([config.oidcIssuer, config.oidcOnly], [OIDC.OIDC_ISSUER, true]);
    readConfig({ ...OIDC, BASE_URL: 'http://localhost:8080', OIDC_ISSUER: 'http://127.0.0.1:9000' });
    const rejected: [Record<string, string>, RegExp][] = [
      [OIDC, /BASE_URL/],
      [{ ...OIDC, BASE_URL: 'http://api.shop.example' }, /BASE_URL/],
      [{ ...OIDC, BASE_URL: 'https://a.example', OIDC_CLIENT_ID: '' }, /OIDC_CLIENT_ID and OIDC_CLIENT_SECRET/],
      [{ ...OIDC, BASE_URL: 'https://a.example', OIDC_CLIENT_SECRET: '' }, /OIDC_CLIENT_ID and OIDC_CLIENT_SECRET/],
      [{ ...OIDC, BASE_URL: 'https://a.example', OIDC_ISSUER: 'http://id.example' }, /OIDC_ISSUER must be an https/],
      [{ ...OIDC, BASE_URL: 'https://a.example', OIDC_ISSUER: 'https://id.example/?a=b' }, /OIDC_ISSUER must be/],
      [{ OIDC_ONLY: '1' }, /OIDC_ISSUER is empty/],
      [{ OIDC_CLIENT_SECRET: 'hidden!' }, /OIDC_ISSUER is empty/],
    ];
    for (const [settings, message] of rejected)
      assert.throws(
        () => readConfig(settings),
        (error: Error) => message.test(error.message) && !error.message.includes('hidden'),
        JSON.stringify(settings),
      );
  });
});

for (const name of databaseNames)
  describe(`sign-in with OpenID Connect (${name})`, () => {
    let opened: OpenedStore;
    let service: Service;
    let provider: TestProvider;
    /** Two servers, and one with `OIDC_ONLY` that requires second factors. */
    const servers: FastifyInstance[] = [];
    let offset = 0;
    /** The address of the client. */
    let clientAddress = '127.0.0.1';
    const now = (): number => Math.floor(Date.now() / 1000) + offset;
    const logged: string[] = [];
    /** Codes, proofs and cookies, which no log contains. */
    const secrets = new Set<string>();

    before(async () => {
      opened = await openedStore(name);
      provider = await startProvider(`${BASE_URL}${OIDC_CALLBACK_PATH}`);
      service = {
        ...opened.service,
        environment: { ...opened.service.environment, baseUrl: BASE_URL },
        clock: { ...opened.service.clock, now },
      };
      const logStream = { write: (line: string) => void logged.push(line) };
      for (const [OIDC_ONLY, SECOND_FACTOR] of [
        ['0', 'optional'],
        ['0', 'optional'],
        ['1', 'required'],
      ] as const) {
        const settings = { ...provider.settings, BASE_URL, OIDC_ONLY, SECOND_FACTOR, FAILED_KEYS_PER_MINUTE: '0' };
        const oidc = {
          provider: openIdentityProvider(readConfig(settings), OIDC_CALLBACK_PATH)!,
          isOnly: OIDC_ONLY === '1',
        };
        const admin = {
          sessions: new Sessions(service),
          folder: 'none',
          allowsPlainHttp: true,
          origin: BASE_URL,
          oidc,
        };
        const passkeys = oidc.isOnly ? undefined : relyingParty(BASE_URL);
        const options = { logStream, logRequests: true, passkeys };
        servers.push(await serverOf(service, { ...settings, LOG_LEVEL: 'trace' }, undefined, admin, options));
      }
    });
    after(async () => {
      for (const server of servers) await server.close();
      await provider.close();
      await opened.remove();
    });

    async function send(
      method: string,
      url: string,
      {
        at = 0,
        cookie,
        body,
        headers = {},
      }: {
        at?: 0 | 1 | 2;
        cookie?: string | undefined;
        body?: unknown;
        headers?: Record<string, string>;
      } = {},
    ) {
      const isOfKey = url.startsWith('/api') && cookie === undefined;
      const response = await servers[at]!.inject({
        ...{ method: method as 'GET', url, remoteAddress: clientAddress },
        headers: {
          ...(isOfKey ? { 'x-auth-token': INJECT_KEY } : OWN),
          ...(cookie === undefined ? {} : { cookie }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      });
      const cookies = new Map(
        [response.headers['set-cookie'] ?? []].flat().map((each) => {
          const [, key, value] = /^([^=]+)=([^;]*)/.exec(each)!;
          return [key!, { value: value!, attributes: each.slice(each.indexOf(';') + 2) }];
        }),
      );
      for (const { value } of cookies.values()) if (value !== '') secrets.add(value);
      const isJson = /json/.test(String(response.headers['content-type']));
      return {
        status: response.statusCode,
        json: (isJson ? response.json() : undefined) as Json,
        text: response.body,
        location: String(response.headers.location ?? ''),
        cookies,
      };
    }

    /** Begins a sign-in. @returns the address of the provider, and the cookie */
    async function begin({
      at = 0,
      cookie,
      path = '/admin/oidc',
    }: {
      at?: 0 | 1 | 2;
      cookie?: string;
      path?: string;
    } = {}) {
      const begun = await send('GET', path, { at, cookie, headers: PAGE });
      assert.equal(begun.status, 303, begun.text);
      assert.ok(begun.location.startsWith(`${provider.issuer}/`), begun.location);
      for (const each of ['state', 'nonce']) secrets.add(new URL(begun.location).searchParams.get(each)!);
      return {
        address: begun.location,
        cookie: `${SIGN_IN_COOKIE}=${begun.cookies.get(SIGN_IN_COOKIE)!.value}`,
        begun,
      };
    }

    /** The provider returns the browser, which other pages of the store have not sent there. */
    function finish(
      returned: URL,
      cookie: string | undefined,
      { at = 0, headers = {} }: { at?: 0 | 1 | 2; headers?: Record<string, string> } = {},
    ) {
      secrets.add(returned.searchParams.get('code') ?? 'none');
      const site = { 'sec-fetch-site': 'cross-site', ...headers };
      return send('GET', `${returned.pathname}${returned.search}`, { at, cookie, headers: site });
    }

    async function signIn(
      account: string,
      {
        browser = new ProviderBrowser(),
        at = 0,
        headers = {},
      }: {
        browser?: ProviderBrowser;
        at?: 0 | 1 | 2;
        headers?: Record<string, string>;
      } = {},
    ) {
      const { address, cookie } = await begin({ at });
      const { returned } = await browser.signIn(address, account);
      return finish(returned, cookie, { at, headers });
    }

    const sessionOf = ({ cookies, text }: Awaited<ReturnType<typeof send>>): string => {
      assert.ok(cookies.has(SESSION_COOKIE), text);
      return `${SESSION_COOKIE}=${cookies.get(SESSION_COOKIE)!.value}`;
    };

    async function invited(email: string, ...roleIds: number[]): Promise<number> {
      const made = await send('POST', '/api/users', { body: { email, name: email, role_ids: roleIds } });
      assert.equal(made.status, 201, made.text);
      return made.json.id;
    }

    /** @param verified null: the provider sends no `email_verified` */
    function account(id: string, email?: string, verified: boolean | null = true): string {
      const isSent = verified === null ? {} : { email_verified: verified };
      provider.accounts.set(id, { ...(email === undefined ? {} : { email }), ...isSent });
      return id;
    }

    /** Entries of failed sign-ins while the client has an address of its own: the first one of a minute names the user. */
    async function failuresDuring(work: () => Promise<unknown>): Promise<Json[]> {
      clients += 1;
      clientAddress = `127.0.1.${clients}`;
      await work();
      const entries = await send('GET', `/api/audit?action=sign_in_failed&address=${clientAddress}`);
      clientAddress = '127.0.0.1';
      return entries.json;
    }
    let clients = 0;

    const typeOf = ({ status, json }: { status: number; json: Json }): [number, string] => [
      status,
      json?.type?.split('/').at(-1),
    ];

    test('an invited user signs in by the verified e-mail address on two servers, and later by the identity', async () => {
      const id = await invited('Ada@example.com', 3);
      const link = (await send('POST', `/api/users/${id}/invite`)).json;
      account('ada', 'ADA@example.com');
      const { address, cookie, begun } = await begin({ at: 0 });
      const { protocol, host } = new URL(address);
      assert.equal(`${protocol}//${host}`, provider.issuer);
      const asked = Object.fromEntries(new URL(address).searchParams);
      assert.deepEqual(
        [asked.response_type, asked.redirect_uri, asked.code_challenge_method, asked.scope, asked.max_age],
        ['code', `${BASE_URL}${OIDC_CALLBACK_PATH}`, 'S256', 'openid email', undefined],
      );
      assert.equal(begun.cookies.get(SIGN_IN_COOKIE)!.attributes, 'Path=/; HttpOnly; SameSite=Lax; Max-Age=600');
      const { returned } = await new ProviderBrowser().signIn(address, 'ada');
      const response = await finish(returned, cookie, { at: 1, headers: PAGE });
      assert.deepEqual([response.status, response.location], [303, `${BASE_URL}/admin#oidc=signed-in`]);
      assert.equal(response.cookies.get(SIGN_IN_COOKIE)!.attributes, 'Path=/; HttpOnly; SameSite=Lax; Max-Age=0');
      assert.match(response.cookies.get(SESSION_COOKIE)!.attributes, /^Path=\/; HttpOnly; SameSite=Strict; /);
      const session = sessionOf(response);
      const { user, key, scopes } = (await send('GET', '/admin/session', { cookie: session })).json;
      assert.deepEqual([user, key], [{ id, name: 'Ada@example.com', email: 'Ada@example.com', oidc: true }, null]);
      assert.ok(scopes.includes('products:write') && !scopes.includes('orders:read'), scopes);
      const record = (await send('GET', `/api/users/${id}`)).json;
      assert.deepEqual(
        [record.status, Math.abs(Date.parse(record.last_sign_in_at) / 1000 - now()) < MINUTE],
        ['active', true],
      );
      const token = link.url.split('#token=')[1];
      const late = await send('POST', '/admin/session', { body: { token, password: PASSWORD } });
      assert.equal(late.status, 401, 'the sign-in uses the invitation up');
      // The e-mail address is that of somebody else now.
      account('ada', 'someone@example.com');
      await invited('someone@example.com', 1);
      const again = await send('GET', '/admin/session', { cookie: sessionOf(await signIn('ada')) });
      assert.deepEqual([again.status, again.json.user.id], [200, id]);
      const entries: Json[] = (await send('GET', `/api/audit?path=/api/users/${id}&order[id]=asc`)).json;
      const secret = { changed: true };
      assert.deepEqual(
        entries.slice(2).map(({ action, actor, changes }) => [action, actor.type, actor.id, changes]),
        [
          ['sign_in', 'user', id, {}],
          [
            ...['updated', 'user', id],
            { status: { before: 'invited', after: 'active' }, link: secret, identity: secret },
          ],
          ['sign_in', 'user', id, {}],
        ],
      );
    });

    test('the claims of the ID token are enough if it has them', async () => {
      const id = await invited('token@example.com', 3);
      account('token');
      provider.falsify = (claims) => ({ ...claims, email: 'token@example.com', email_verified: true });
      const session = sessionOf(await signIn('token'));
      provider.falsify = undefined;
      assert.equal((await send('GET', '/admin/session', { cookie: session })).json.user.id, id);
    });

    test('unknown and disabled users, other identities and addresses that are not verified get a 403', async () => {
      const id = await invited('bob@example.com', 3);
      for (const [claims, failure] of [
        [account('stranger', 'stranger@example.com'), 'unknown'],
        [account('bob-1', 'bob@example.com', false), 'unverified'],
        [account('bob-2', 'bob@example.com', null), 'unverified'],
        [account('bob-3'), 'unverified'],
        // Another mailbox, whose name looks the same after compatibility normalization.
        [account('bob-6', '\uFF42ob@example.com'), 'unknown'],
      ] as const) {
        const rejected = await signIn(claims);
        assert.deepEqual(typeOf(rejected), [403, 'sign-in-rejected'], claims);
        assert.ok(!rejected.cookies.has(SESSION_COOKIE));
        const page = await signIn(claims, { headers: PAGE });
        assert.deepEqual([page.status, page.location], [303, `${BASE_URL}/admin#oidc=${failure}`]);
      }
      const session = sessionOf(await signIn(account('bob-4', 'bob@example.com')));
      // A second person with the same address, for example a new member of staff.
      assert.deepEqual(typeOf(await signIn(account('bob-5', 'bob@example.com'))), [403, 'sign-in-rejected']);
      await send('PATCH', `/api/users/${id}`, { body: { status: 'disabled' } });
      assert.equal((await send('GET', '/admin/session', { cookie: session, at: 1 })).status, 401);
      const [failed, ...others] = await failuresDuring(async () =>
        assert.deepEqual(typeOf(await signIn('bob-4')), [403, 'sign-in-rejected']),
      );
      assert.deepEqual([failed.record_id, failed.actor.id, others], [id, null, []]);
      const enabled = await send('PATCH', `/api/users/${id}`, { body: { status: 'active' } });
      assert.equal(enabled.status, 200, 'a user who has signed in without a password');
      assert.equal((await signIn('bob-4')).status, 303);
      // Another address can mean another person, so the identity is linked again.
      for (const email of ['\uFF42ob@example.com', 'bobby@example.com']) {
        await send('PATCH', `/api/users/${id}`, { body: { email } });
        assert.deepEqual(typeOf(await signIn('bob-4')), [403, 'sign-in-rejected']);
      }
      assert.equal((await signIn(account('bob-5', 'bobby@example.com'))).status, 303);
      await send('DELETE', `/api/users/${id}`);
      assert.deepEqual(typeOf(await signIn('bob-5')), [403, 'sign-in-rejected']);
    });

    test('a response with another state, browser, nonce, issuer or key, or a used or late one, begins no session', async () => {
      await invited('eve@example.com', 1);
      account('eve', 'eve@example.com');
      const rejected = async (
        change: (returned: URL, cookie: string) => { returned?: URL; cookie?: string | undefined },
        expected: [number, string],
        reach: (address: string) => string = (address) => address,
      ): Promise<void> => {
        const { address, cookie } = await begin();
        const { returned } = await new ProviderBrowser().signIn(reach(address), 'eve');
        const sent = { returned, cookie, ...change(returned, cookie) };
        const response = await finish(sent.returned, sent.cookie);
        assert.deepEqual(
          [...typeOf(response), response.cookies.has(SESSION_COOKIE)],
          [...expected, false],
          response.text,
        );
      };
      const [lost, wrong] = [
        [401, 'unauthorized'],
        [403, 'sign-in-rejected'],
      ] as [[number, string], [number, string]];
      const withParameter = (url: URL, name: string, value: string): URL => {
        const changed = new URL(url);
        changed.searchParams.set(name, value);
        return changed;
      };
      const other = await begin();
      const [failed] = await failuresDuring(() =>
        rejected((returned) => ({ returned: withParameter(returned, 'state', 'x'.repeat(43)) }), lost),
      );
      assert.deepEqual([failed.resource, failed.record_id], ['User', null]);
      await rejected(() => ({ cookie: undefined }), lost);
      await rejected(() => ({ cookie: other.cookie }), lost);
      await rejected((_, cookie) => ({ cookie: `${cookie}; ${other.cookie}` }), lost);
      await rejected((returned) => ({ returned: withParameter(returned, 'iss', 'https://other.example') }), wrong);
      await rejected((returned) => ({ returned: withParameter(returned, 'code', 'another') }), wrong);
      await rejected(
        () => ({}),
        wrong,
        (address) => withParameter(new URL(address), 'nonce', 'another').href,
      );
      await rejected(
        () => ({}),
        wrong,
        (address) => withParameter(new URL(address), 'code_challenge', hashOf('another').slice(0, 43)).href,
      );
      for (const falsify of [
        (claims: Json) => ({ ...claims, iss: 'https://other.example' }),
        (claims: Json) => ({ ...claims, aud: 'another-client' }),
        (claims: Json) => ({ ...claims, exp: claims.iat - 10 * MINUTE }),
        (claims: Json) => ({ ...claims, nonce: undefined }),
        (claims: Json) => ({ ...claims, sub: 'x'.repeat(256) }),
      ]) {
        provider.falsify = falsify;
        await rejected(() => ({}), wrong);
      }
      provider.falsify = undefined;
      provider.usesOtherKey = true;
      await rejected(() => ({}), wrong);
      provider.usesOtherKey = false;
      const late = await begin();
      const { returned } = await new ProviderBrowser().signIn(late.address, 'eve');
      offset += 10 * MINUTE;
      assert.deepEqual(typeOf(await finish(returned, late.cookie)), lost, 'expired');
      await forgetFailedSignIns(service);
      const all = service.statements.get(
        'begun',
        () => sql`select hash, session from ${sql.table('staff_provider_sign_in')}`,
      );
      assert.deepEqual(await service.database.query(all, {}), []);
    });

    test('a sign-in works once, even if two servers get its response at the same time', async () => {
      await invited('once@example.com', 1);
      account('once', 'once@example.com');
      const { address, cookie } = await begin();
      const { returned } = await new ProviderBrowser().signIn(address, 'once');
      const both = await Promise.all([0, 1].map((at) => finish(returned, cookie, { at: at as 0 | 1 })));
      assert.deepEqual(both.map(({ status }) => status).sort(), [303, 401]);
      const third = await finish(returned, cookie);
      assert.deepEqual(typeOf(third), [401, 'unauthorized']);
      const all = service.statements.get(
        'sessions',
        () => sql`select count(*) from ${sql.table('admin_session')} where by_provider = 1`,
      );
      const before = Number((await service.database.query(all, {}))[0]![0]);
      const former = sessionOf(both.find(({ status }) => status === 303)!);
      const next = await begin({ cookie: former });
      const response = await finish((await new ProviderBrowser().signIn(next.address, 'once')).returned, next.cookie);
      assert.equal((await send('GET', '/admin/session', { cookie: sessionOf(response) })).status, 200);
      assert.equal((await send('GET', '/admin/session', { cookie: former })).status, 401, 'the same browser');
      assert.equal(Number((await service.database.query(all, {}))[0]![0]), before);
    });

    test('a cancelled sign-in and a provider that does not respond are explained', async () => {
      const { address, cookie } = await begin();
      const { returned } = await new ProviderBrowser().signIn(address);
      assert.equal(returned.searchParams.get('error'), 'access_denied');
      const denied = await finish(returned, cookie, { headers: PAGE });
      assert.deepEqual([denied.status, denied.location], [303, `${BASE_URL}/admin#oidc=denied`]);
      const closed = await startProvider(`${BASE_URL}${OIDC_CALLBACK_PATH}`);
      await closed.close();
      const settings = { ...closed.settings, BASE_URL };
      const oidc = { provider: openIdentityProvider(readConfig(settings), OIDC_CALLBACK_PATH)!, isOnly: false };
      const admin = { sessions: new Sessions(service), folder: 'none', allowsPlainHttp: true, origin: BASE_URL, oidc };
      const server = await serverOf(service, settings, undefined, admin);
      const gone = await server.inject({ url: '/admin/oidc', headers: { ...OWN, ...PAGE } });
      await server.close();
      assert.deepEqual([gone.statusCode, gone.headers.location], [303, `${BASE_URL}/admin#oidc=unavailable`]);
      const failures = await failuresDuring(async () => {
        const begun = await begin();
        const back = (await new ProviderBrowser().signIn(begun.address)).returned;
        await finish(back, begun.cookie);
      });
      assert.deepEqual(
        failures.map(({ resource, record_id }) => [resource, record_id]),
        [['User', null]],
      );
    });

    test('the sign-in begins only on the page of BASE_URL, and never leads elsewhere', async () => {
      for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { host: 'other.example' }] as Record<
        string,
        string
      >[]) {
        const foreign = await send('GET', '/admin/oidc', { headers });
        assert.deepEqual(typeOf(foreign), [403, 'foreign-page'], JSON.stringify(headers));
      }
      const page = await send('GET', '/admin/oidc', { headers: { ...PAGE, 'sec-fetch-site': 'cross-site' } });
      assert.deepEqual([page.status, /^<!doctype html>/.test(page.text)], [403, true]);
      const parameters = '?return_to=https://other.example&redirect_uri=https://other.example';
      const { address } = await begin({ path: `/admin/oidc${parameters}` });
      assert.ok(!address.includes('other.example'), address);
      const back = await send('GET', `${OIDC_CALLBACK_PATH}${parameters}`, { headers: PAGE });
      assert.equal(back.location, `${BASE_URL}/admin#oidc=expired`);
    });

    test('a session is confirmed by signing in at the provider again', async () => {
      const id = await invited('carol@example.com', 1);
      account('carol', 'carol@example.com');
      const browser = new ProviderBrowser();
      const session = sessionOf(await signIn('carol', { browser }));
      const change = () =>
        send('POST', '/api/keys', {
          at: 1,
          cookie: session,
          body: { name: `key ${offset} ${now()}`, kind: 'read-only' },
        });
      assert.equal((await change()).status, 201);
      offset += 16 * MINUTE;
      const rejected = await change();
      assert.deepEqual(typeOf(rejected), [403, 'reauthentication-required']);
      assert.match(rejected.json.detail, /\/admin\/oidc\/confirm/);
      const byPassword = await send('POST', '/admin/session/confirm', {
        cookie: session,
        body: { password: PASSWORD },
      });
      assert.deepEqual(typeOf(byPassword), [409, 'conflict']);
      const byPasskey = await send('POST', '/admin/session/confirm/passkey', { cookie: session });
      assert.deepEqual(typeOf(byPasskey), [409, 'conflict']);
      const confirm = async (address: (url: URL) => URL, name = 'carol', as = browser) => {
        const { address: asked, cookie } = await begin({ cookie: session, path: '/admin/oidc/confirm' });
        const { returned, wasAsked } = await as.signIn(address(new URL(asked)).href, name);
        return { ...(await finish(returned, cookie, { headers: PAGE })), wasAsked };
      };
      const unchanged = (url: URL): URL => url;
      const stripped = (url: URL): URL => {
        for (const each of ['prompt', 'max_age']) url.searchParams.delete(each);
        return url;
      };
      const silent = await confirm(stripped);
      assert.deepEqual([silent.wasAsked, silent.location], [false, `${BASE_URL}/admin#oidc=untimed`]);
      provider.falsify = (claims) => ({ ...claims, auth_time: Math.floor(Date.now() / 1000) - 5 * MINUTE });
      assert.equal((await confirm(stripped)).location, `${BASE_URL}/admin#oidc=stale`);
      provider.falsify = undefined;
      await invited('dave@example.com', 1);
      account('dave', 'dave@example.com');
      const [failed] = await failuresDuring(async () => {
        const { location } = await confirm(unchanged, 'dave', new ProviderBrowser());
        assert.equal(location, `${BASE_URL}/admin#oidc=other-user`);
      });
      assert.equal(failed.record_id, id, 'the user of the session');
      assert.equal((await change()).status, 403);
      const confirmed = await confirm(unchanged);
      assert.deepEqual([confirmed.wasAsked, confirmed.location], [true, `${BASE_URL}/admin#oidc=confirmed`]);
      assert.ok(!confirmed.cookies.has(SESSION_COOKIE), 'the session keeps its id');
      assert.equal((await change()).status, 201);
      const sessions = (await send('GET', `/api/users/${id}/sessions`)).json;
      assert.equal(sessions.length, 1);
      const ended = await send('GET', '/admin/oidc/confirm', {});
      assert.deepEqual(typeOf(ended), [401, 'unauthorized']);
    });

    test('an earlier sign-in at the provider does not count as a recent one', async () => {
      await invited('early@example.com', 1);
      account('early', 'early@example.com');
      provider.falsify = (claims) => ({ ...claims, auth_time: Math.floor(Date.now() / 1000) - 20 * MINUTE });
      const session = sessionOf(await signIn('early'));
      provider.falsify = undefined;
      const change = await send('POST', '/api/keys', { cookie: session, body: { name: 'early', kind: 'read-only' } });
      assert.deepEqual(typeOf(change), [403, 'reauthentication-required']);
    });

    test('with OIDC_ONLY, users sign in at the provider only; keys still work', async () => {
      const id = await invited('only@example.com', 1);
      const { url } = (await send('POST', `/api/users/${id}/invite`)).json;
      const token = url.split('#token=')[1];
      for (const body of [
        { email: 'only@example.com', password: PASSWORD },
        { token, password: PASSWORD },
        { ticket: 'a', code: '123456' },
      ]) {
        const response = await send('POST', '/admin/session', { at: 2, body });
        assert.deepEqual(
          [...typeOf(response), /\/admin\/oidc/.test(response.json.detail)],
          [403, 'sign-in-rejected', true],
        );
      }
      const byPassword = sessionOf(await send('POST', '/admin/session', { body: { token, password: PASSWORD } }));
      const status = async (at: 0 | 2): Promise<number> =>
        (await send('GET', '/api/users/me', { at, cookie: byPassword })).status;
      assert.deepEqual([await status(0), await status(2)], [200, 401]);
      const methods = async (at: 0 | 2) => (await send('GET', '/admin/session', { at })).json.sign_in;
      assert.deepEqual(
        [await methods(0), await methods(2)],
        [
          ['key', 'password', 'passkey', 'oidc'],
          ['key', 'oidc'],
        ],
      );
      const byKey = await send('POST', '/admin/session', { at: 2, body: { key: INJECT_KEY } });
      assert.equal((await send('GET', '/admin/session', { at: 2, cookie: sessionOf(byKey) })).status, 200);
      // The provider checks second factors, which this server requires.
      const session = sessionOf(await signIn(account('only', 'only@example.com'), { at: 2 }));
      assert.equal((await send('GET', '/api/tags', { at: 2, cookie: session })).status, 200);
    });

    test('without settings the paths are a 404, and sessions of the provider have ended', async () => {
      await invited('gone@example.com', 1);
      const session = sessionOf(await signIn(account('gone', 'gone@example.com')));
      const admin = { sessions: new Sessions(service), folder: 'none', allowsPlainHttp: true, origin: BASE_URL };
      const server = await serverOf(service, {}, undefined, admin);
      for (const url of ['/admin/oidc', '/admin/oidc/confirm', OIDC_CALLBACK_PATH])
        for (const headers of [{}, PAGE])
          assert.equal((await server.inject({ url, headers: { ...OWN, ...headers } })).statusCode, 404, url);
      const response = await server.inject({ url: '/admin/session', headers: { ...OWN, cookie: session } });
      await server.close();
      assert.deepEqual([response.statusCode, response.json().sign_in], [401, ['key', 'password']]);
    });

    test('no secret, code or token is logged or stored, even if every request is logged', async () => {
      const text = logged.join('');
      const reasons = logged.flatMap((line) => JSON.parse(line).reason ?? []).join('\n');
      for (const reason of [
        ...['access_denied', 'invalid_grant', '(issuer) response parameter', 'unexpected ID Token "nonce"'],
        ...[
          'unexpected JWT "iss"',
          'unexpected JWT "aud"',
          'unexpected JWT "exp"',
          'JWT "nonce" (nonce) claim missing',
        ],
        ...['JWT signature verification failed', 'the subject of the ID token'],
      ])
        assert.ok(reasons.includes(reason), `${reason} in ${reasons}`);
      assert.ok(secrets.size > 50);
      for (const secret of [...secrets, provider.clientSecret, 'eyJ'])
        assert.ok(!text.includes(secret) && !text.includes(encodeURIComponent(secret)), secret);
      const { cookie } = await begin();
      const all = service.statements.get(
        'stored',
        () => sql`select hash, session, client from ${sql.table('staff_provider_sign_in')}`,
      );
      const rows = await service.database.query(all, {});
      assert.ok(rows.length > 0);
      const stored = JSON.stringify(rows);
      for (const secret of [...secrets, cookie.split('=')[1]!]) assert.ok(!stored.includes(secret));
    });
  });
