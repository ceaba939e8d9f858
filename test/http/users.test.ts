/** Staff accounts: roles, invitations, sign-in, sessions and limits, on two servers of one store (access.md §§3 and 6). */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { createSecrets } from '../../src/adapters/secrets/scrypt.ts';
import type { Service } from '../../src/engine/unit/service.ts';
import { Sessions } from '../../src/store/sessions.ts';
import { databaseNames } from '../support/databases.ts';
import { INJECT_KEY, serverOf } from '../support/injected-server.ts';
import { newKey, type OpenedStore, openedStore } from '../support/opened-store.ts';

// biome-ignore lint/suspicious/noExplicitAny: the shape of a response is what the tests check
type Json = any;

interface Sent {
  readonly cookie?: string;
  readonly key?: string;
  readonly body?: unknown;
  readonly address?: string;
  readonly headers?: Record<string, string>;
  /** Index of the server. */
  readonly at?: 0 | 1;
}

interface Answer {
  readonly status: number;
  readonly json: Json;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

const OWN = { 'sec-fetch-site': 'same-origin' };
const PASSWORD = 'a sentence for the tests';
const MINUTE = 60;

for (const name of databaseNames)
  describe(`staff accounts (${name})`, () => {
    let opened: OpenedStore;
    let service: Service;
    const servers: FastifyInstance[] = [];
    let now = Date.UTC(2030, 0, 1) / 1000;
    let addresses = 0;

    before(async () => {
      opened = await openedStore(name);
      service = {
        ...opened.service,
        environment: { ...opened.service.environment, baseUrl: 'http://localhost' },
        clock: { ...opened.service.clock, now: () => now },
        secrets: createSecrets({ cost: 2 ** 10, blockSize: 8, parallelization: 1 }),
      };
      for (let each = 0; each < 2; each += 1) {
        const admin = { sessions: new Sessions(service), folder: 'none', allowsPlainHttp: true };
        servers.push(
          await serverOf(service, { FAILED_LOGINS_PER_MINUTE: '0', FAILED_KEYS_PER_MINUTE: '0' }, undefined, admin),
        );
      }
    });
    after(async () => {
      for (const server of servers) await server.close();
      await opened.remove();
    });

    async function send(method: string, url: string, sent: Sent = {}): Promise<Answer> {
      const { cookie, key, body, address, headers = {}, at = 0 } = sent;
      const response = await servers[at]!.inject({
        ...{ method: method as 'GET', url },
        headers: {
          ...(cookie === undefined ? {} : { cookie, ...OWN }),
          ...(url === '/admin/session' ? OWN : {}),
          ...(cookie === undefined && url !== '/admin/session' ? { 'x-auth-token': key ?? INJECT_KEY } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
        remoteAddress: address ?? '127.0.0.1',
      });
      const isJson = /json(?:;|$)/.test(String(response.headers['content-type'])) && response.body !== '';
      const json = isJson ? response.json() : undefined;
      return { status: response.statusCode, json, text: response.body, headers: response.headers };
    }

    const cookieOf = ({ headers }: Answer): string => String(headers['set-cookie']).split(';')[0]!;
    const tokenOf = ({ json }: Answer): string => json.url.split('#token=')[1];
    /** An address that no other test uses. */
    const newAddress = (): string => {
      addresses += 1;
      return `198.51.100.${addresses}`;
    };

    async function invited(email: string, ...roleIds: number[]): Promise<{ id: number; token: string }> {
      const made = await send('POST', '/api/users', { body: { email, name: email, role_ids: roleIds } });
      assert.equal(made.status, 201, made.text);
      const link = await send('POST', `/api/users/${made.json.id}/invite`);
      assert.equal(link.status, 200, link.text);
      return { id: made.json.id, token: tokenOf(link) };
    }

    async function signedIn(email: string, ...roleIds: number[]): Promise<{ id: number; cookie: string }> {
      const { id, token } = await invited(email, ...roleIds);
      const response = await send('POST', '/admin/session', { body: { token, password: PASSWORD } });
      assert.equal(response.status, 200, response.text);
      return { id, cookie: cookieOf(response) };
    }

    const signIn = (email: string, password = PASSWORD, sent: Sent = {}): Promise<Answer> =>
      send('POST', '/admin/session', { ...sent, body: { email, password } });

    const codes = ({ json }: Answer): [string, string][] =>
      json.violations.map(({ propertyPath, code }: Json) => [propertyPath, code]);

    test('an invitation sets the password and signs in, once, even if it is used twice at the same time', async () => {
      const { id, token } = await invited('Ada@example.com', 3);
      const early = await signIn('ada@example.com');
      assert.equal(early.status, 401);
      const weak = await send('POST', '/admin/session', { body: { token, password: 'short' } });
      assert.deepEqual([weak.status, codes(weak)], [422, [['password', 'too_short']]]);
      const both = await Promise.all(
        ([0, 1] as const).map((at) => send('POST', '/admin/session', { at, body: { token, password: PASSWORD } })),
      );
      assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401]);
      const response = both.find(({ status }) => status === 200)!;
      const { expires_at, scopes, ...rest } = response.json;
      assert.deepEqual(rest, { key: null, user: { id, name: 'Ada@example.com', email: 'Ada@example.com' }, masks: [] });
      assert.ok(scopes.includes('products:write') && !scopes.includes('orders:read'), scopes);
      assert.equal(Date.parse(expires_at) / 1000, now + 8 * 3600);
      const cookie = cookieOf(response);
      assert.deepEqual((await send('GET', '/admin/session', { cookie })).json, response.json);
      const user = (await send('GET', `/api/users/${id}`)).json;
      assert.deepEqual([user.status, Date.parse(user.last_sign_in_at) / 1000], ['active', now]);
      const again = await signIn('ADA@example.com', PASSWORD.normalize('NFD'));
      assert.equal(again.status, 200, again.text);
      assert.notEqual(cookieOf(again), cookie);
    });

    test('a session has the union of the scopes of its roles, and changes apply to the next request on each server', async () => {
      const made = await send('POST', '/api/roles', { body: { name: 'Tags', scopes: ['tags:write', 'tags:read'] } });
      assert.equal(made.status, 201, made.text);
      assert.deepEqual(made.json, {
        id: 101,
        name: 'Tags',
        scopes: ['tags:read', 'tags:write'],
        masks: [],
        preset: false,
      });
      const { id, cookie } = await signedIn('union@example.com', made.json.id);
      const status = async (path: string, at: 0 | 1 = 1): Promise<number> =>
        (await send('GET', `/api${path}`, { cookie, at })).status;
      assert.deepEqual([await status('/tags'), await status('/orders')], [200, 403]);
      const rejected = await send('GET', '/api/orders', { cookie });
      assert.deepEqual(rejected.json.missing_scopes, ['orders:read']);
      assert.equal((await send('PATCH', `/api/users/${id}`, { body: { role_ids: [4, made.json.id] } })).status, 200);
      assert.deepEqual([await status('/tags'), await status('/orders')], [200, 200]);
      const change = await send('PATCH', '/api/roles/101', { body: { scopes: ['stickers:read'] } });
      assert.equal(change.status, 200, change.text);
      assert.equal((await send('POST', '/api/tags', { cookie, at: 1, body: { name: 'No' } })).status, 403);
      const me = await send('GET', '/api/users/me', { cookie, at: 1 });
      assert.deepEqual([me.json.id, me.json.scopes.includes('stickers:read')], [id, true]);
      assert.equal((await send('DELETE', '/api/roles/101')).status, 409, 'a role in use');
      assert.equal((await send('PATCH', `/api/users/${id}`, { body: { status: 'disabled' } })).status, 200);
      for (const at of [0, 1] as const) assert.equal(await status('/tags', at), 401);
      assert.equal((await signIn('union@example.com')).status, 401);
      assert.equal((await send('PATCH', `/api/users/${id}`, { body: { status: 'active' } })).status, 200);
      assert.equal(await status('/tags'), 401, 'ended sessions do not return');
      assert.equal((await signIn('union@example.com')).status, 200);
      assert.equal((await send('DELETE', `/api/users/${id}`)).status, 204);
      assert.equal((await send('DELETE', '/api/roles/101')).status, 204);
      assert.equal((await signIn('union@example.com')).status, 401);
    });

    test('the preset roles cannot be changed, and have the scopes of the declarations', async () => {
      const roles: Json[] = (await send('GET', '/api/roles')).json;
      assert.deepEqual(
        roles.map((role) => [role.id, role.name, role.preset]),
        ['Owner', 'Manager', 'Catalog editor', 'Order desk', 'Analyst'].map((role, index) => [index + 1, role, true]),
      );
      const { scopes } = (await send('GET', '/api/scopes')).json;
      const known = new Set(scopes.map(({ scope }: Json) => scope));
      for (const role of roles.slice(2))
        assert.ok(
          role.scopes.every((scope: string) => known.has(scope)),
          role.name,
        );
      const [owner, manager, editor, desk, analyst] = roles.map((role) => role.scopes as string[]);
      assert.deepEqual(owner, ['*:*']);
      assert.deepEqual(manager, [
        ...['*:export', '*:read', '*:write', 'orders:refund', 'privacy:export', 'profiles:check_password'],
      ]);
      assert.ok(
        editor!.includes('categories:write') && editor!.includes('tags:write') && editor!.includes('languages:read'),
      );
      assert.ok(!editor!.includes('languages:write') && !editor!.includes('webhooks:read'));
      assert.ok(
        desk!.includes('orders:write') && desk!.includes('statistics:read') && !desk!.includes('products:write'),
      );
      assert.ok(analyst!.includes('products:export') && !analyst!.some((scope) => scope.endsWith(':write')));
      const body = { name: 'Mine', scopes: ['tags:read'] };
      assert.equal((await send('PUT', '/api/roles/1', { body })).status, 409);
      assert.equal((await send('PATCH', '/api/roles/2', { body })).status, 409);
      assert.equal((await send('DELETE', '/api/roles/3')).status, 409);
      const taken = await send('POST', '/api/roles', { body: { ...body, name: 'owner' } });
      assert.deepEqual([taken.status, codes(taken)], [422, [['name', 'not_unique']]]);
      const wrong = await send('POST', '/api/roles', {
        body: { name: '', scopes: ['no:scope'], masks: ['Product.sku'] },
      });
      assert.deepEqual(codes(wrong), [
        ['name', 'blank'],
        ['scopes[0]', 'choice'],
        ['masks[0]', 'choice'],
      ]);
    });

    test('of two owners who are disabled, deleted or demoted at the same time, one remains', async () => {
      const before = ((await send('GET', '/api/users')).json as Json[]).filter(({ role_ids }) => role_ids.includes(1));
      assert.deepEqual(before, []);
      const { id: first } = await signedIn('first@example.com', 1);
      const only = await send('DELETE', `/api/users/${first}`);
      assert.equal(only.status, 409, only.text);
      const changes: ((id: number, at: 0 | 1) => Promise<Answer>)[] = [
        (id, at) => send('PATCH', `/api/users/${id}`, { at, body: { status: 'disabled' } }),
        (id, at) => send('PATCH', `/api/users/${id}`, { at, body: { role_ids: [2] } }),
        (id, at) => send('DELETE', `/api/users/${id}`, { at }),
      ];
      let left = first;
      for (const [index, change] of changes.entries()) {
        const { id: other } = await signedIn(`other${index}@example.com`, 1);
        const results = await Promise.all([change(left, 0), change(other, 1)]);
        const rejected = results.map(({ status }) => status === 409);
        assert.deepEqual(rejected.toSorted(), [false, true], results.map(({ text }) => text).join());
        left = rejected[0] ? left : other;
        assert.deepEqual(
          ((await send('GET', '/api/users')).json as Json[])
            .filter(({ role_ids, status }) => role_ids.includes(1) && status === 'active')
            .map(({ id }) => id),
          [left],
        );
      }
      const invitation = await invited('invited-owner@example.com', 1);
      assert.equal((await send('DELETE', `/api/users/${left}`)).status, 409, 'an invited owner does not count');
      assert.equal((await send('DELETE', `/api/users/${invitation.id}`)).status, 204);
    });

    test('10 failures of an e-mail address, known or not, lock its passwords for 15 minutes on each server', async () => {
      await signedIn('locked@example.com', 2);
      for (const email of ['Locked@example.com', 'unknown@example.com']) {
        const wrong = await Promise.all(
          Array.from({ length: 14 }, (_, index) =>
            signIn(email, 'not the right password', { at: (index % 2) as 0 | 1, address: newAddress() }),
          ),
        );
        assert.deepEqual(wrong.map(({ status }) => status).sort(), [...Array(10).fill(401), ...Array(4).fill(429)]);
        const locked = await signIn(email, PASSWORD, { at: 1, address: newAddress() });
        assert.deepEqual([locked.status, locked.headers['retry-after']], [429, '900']);
      }
      now += 15 * MINUTE;
      const unknown = await signIn('unknown@example.com', PASSWORD, { address: newAddress() });
      assert.equal(unknown.status, 401);
      assert.equal((await signIn('unknown@example.com', PASSWORD, { address: newAddress() })).status, 429);
      assert.equal((await signIn('locked@example.com', PASSWORD, { address: newAddress() })).status, 200);
      assert.equal((await signIn('locked@example.com', 'wrong again', { address: newAddress() })).status, 401);
      assert.equal((await signIn('locked@example.com', PASSWORD, { address: newAddress() })).status, 200);
      now += 61 * MINUTE;
    });

    test('50 failures of a client address within an hour reject its further sign-ins', async () => {
      await signedIn('spray@example.com', 2);
      const address = newAddress();
      for (let each = 0; each < 50; each += 1)
        assert.equal(
          (await signIn(`spray${each}@example.com`, 'Guess', { address, at: (each % 2) as 0 | 1 })).status,
          401,
        );
      assert.equal((await signIn('spray@example.com', PASSWORD, { address })).status, 429);
      assert.equal((await signIn('spray@example.com', PASSWORD, { address: newAddress() })).status, 200);
      now += 61 * MINUTE;
      assert.equal((await signIn('spray@example.com', PASSWORD, { address })).status, 200);
    });

    test('unknown users, wrong passwords and disabled users get the same response after the same comparison', async () => {
      const { id } = await signedIn('same@example.com', 2);
      await invited('never@example.com', 2);
      const { secrets } = service;
      let compared = 0;
      const counting = {
        ...service,
        secrets: {
          ...secrets,
          matches: (secret: string, stored: string | undefined) => {
            compared += 1;
            return secrets.matches(secret, stored);
          },
        },
      };
      const admin = { sessions: new Sessions(counting), folder: 'none', allowsPlainHttp: true };
      const app = await serverOf(counting, {}, undefined, admin);
      const attempt = async (email: string, password: string): Promise<unknown> => {
        const response = await app.inject({
          ...{ method: 'POST', url: '/admin/session', headers: OWN, payload: { email, password } },
          remoteAddress: newAddress(),
        });
        const { instance: _, ...body } = response.json();
        return { status: response.statusCode, body, challenge: response.headers['www-authenticate'] };
      };
      const wrong = await attempt('same@example.com', 'not the right password');
      const others = [await attempt('nobody@example.com', PASSWORD), await attempt('never@example.com', PASSWORD)];
      await send('PATCH', `/api/users/${id}`, { body: { status: 'disabled' } });
      others.push(await attempt('same@example.com', PASSWORD));
      for (const other of others) assert.deepEqual(other, wrong);
      assert.equal((wrong as { status: number }).status, 401);
      assert.equal(compared, 4);
      await app.close();
    });

    test('passwords have 12 to 128 code points and are no variation of a common one', async () => {
      const { token } = await invited('rules@example.com', 2);
      const rejected = async (password: string): Promise<string[][]> => {
        const response = await send('POST', '/admin/session', { body: { token, password } });
        assert.equal(response.status, 422, password);
        return codes(response);
      };
      for (const password of ['🙂'.repeat(11), 'e\u0301'.repeat(11)])
        assert.deepEqual(await rejected(password), [['password', 'too_short']], password);
      assert.deepEqual(await rejected('x9'.repeat(65)), [['password', 'too_long']]);
      const common = [
        'Password12345',
        'dragondragon',
        'DragonDragon2030',
        'qwertyuiop123456',
        '123456789012',
        'aaaaaaaaaaaaa',
      ];
      for (const password of common) assert.deepEqual(await rejected(password), [['password', 'conflict']], password);
      const right = await send('POST', '/admin/session', {
        body: { token, password: 'é'.repeat(6) + '🙂x'.repeat(3) },
      });
      assert.equal(right.status, 200, right.text);
      const decomposed = await signIn('rules@example.com', 'e\u0301'.repeat(6) + '🙂x'.repeat(3));
      assert.equal(decomposed.status, 200, 'another form of the same characters');
    });

    test('a reset link sets another password and ends all sessions; a new link cancels the previous one', async () => {
      const { id, cookie } = await signedIn('reset@example.com', 3);
      const previous = await send('POST', `/api/users/${id}/reset_link`);
      const link = await send('POST', `/api/users/${id}/reset_link`);
      assert.match(link.json.url, /^http:\/\/localhost\/admin#token=[\w-]{43}$/);
      assert.equal(Date.parse(link.json.expires_at) / 1000, now + 3600);
      assert.equal((await send('POST', `/api/users/${id}/invite`)).status, 409);
      const use = (answer: Answer) =>
        send('POST', '/admin/session', { body: { token: tokenOf(answer), password: 'another sentence of the tests' } });
      assert.equal((await use(previous)).status, 401);
      assert.equal((await send('GET', '/api/tags', { cookie })).status, 200);
      const response = await use(link);
      assert.equal(response.status, 200, response.text);
      assert.equal((await send('GET', '/api/tags', { cookie, at: 1 })).status, 401);
      assert.deepEqual([(await use(link)).status, (await signIn('reset@example.com')).status], [401, 401]);
      const late = await send('POST', `/api/users/${id}/reset_link`);
      now += 3600;
      assert.equal((await use(late)).status, 401);
    });

    test('users change their name, language and password, and end their other sessions', async () => {
      const { id, cookie } = await signedIn('own@example.com', 3);
      const second = cookieOf(await signIn('own@example.com', PASSWORD, { headers: { 'user-agent': 'Second' } }));
      const listed: Json[] = (await send('GET', '/api/users/me/sessions', { cookie: second })).json;
      assert.deepEqual(listed.map(({ current }) => current).sort(), [false, true]);
      assert.equal(listed.find(({ current }) => current).user_agent, 'Second');
      assert.deepEqual((await send('GET', `/api/users/${id}/sessions`)).json.length, 2);
      const changed = await send('PATCH', '/api/users/me', { cookie, body: { name: 'Grace', language: 'de' } });
      assert.deepEqual([changed.json.name, changed.json.language], ['Grace', 'de'], changed.text);
      for (const body of [{ role_ids: [1] }, { email: 'x@example.com' }, { status: 'active' }, { scopes: ['*:*'] }])
        assert.equal((await send('PATCH', '/api/users/me', { cookie, body })).status, 422);
      const put = (body: object) => send('PUT', '/api/users/me/password', { cookie, body });
      const wrong = await put({ current: 'not this one', password: 'a new sentence of the tests' });
      assert.deepEqual([wrong.status, codes(wrong)], [422, [['current', 'conflict']]]);
      assert.equal((await put({ current: PASSWORD, password: 'a new sentence of the tests' })).status, 204);
      assert.equal((await send('GET', '/api/users/me', { cookie })).status, 200);
      assert.equal((await send('GET', '/api/users/me', { cookie: second, at: 1 })).status, 401);
      const third = cookieOf(await signIn('own@example.com', 'a new sentence of the tests'));
      assert.equal((await send('DELETE', '/api/users/me/sessions', { cookie })).status, 204);
      assert.equal((await send('GET', '/api/users/me', { cookie: third, at: 1 })).status, 401);
      const [only] = (await send('GET', `/api/users/${id}/sessions`)).json;
      assert.equal((await send('DELETE', `/api/users/${id}/sessions/${only.id}`)).status, 204);
      assert.equal((await send('GET', '/api/users/me', { cookie, at: 1 })).status, 401);
      assert.equal((await send('GET', '/api/users/me')).status, 404, 'a key has no account');
    });

    test('the 21st session of a user ends the least recently used one', async () => {
      const { cookie } = await signedIn('many@example.com', 3);
      now += 1;
      for (let each = 0; each < 19; each += 1) await signIn('many@example.com');
      assert.equal((await send('GET', '/api/users/me', { cookie })).status, 200);
      await signIn('many@example.com');
      assert.equal((await send('GET', '/api/users/me', { cookie })).status, 401);
    });

    test('callers cannot give rights that they lack, nor change users and roles that have more', async () => {
      const scopes = ['products:read', 'roles:manage', 'tags:write', 'users:manage'];
      const key = await newKey(service, { name: 'manager of users', kind: 'scoped', scopes });
      const { id: manager } = await signedIn('more@example.com', 2);
      const role = await send('POST', '/api/roles', { key, body: { name: 'Few', scopes: ['tags:read'] } });
      assert.equal(role.status, 201, role.text);
      const requests: [method: string, path: string, body: object | undefined][] = [
        ['POST', '/api/roles', { name: 'More', scopes: ['orders:read'] }],
        ['PATCH', `/api/roles/${role.json.id}`, { scopes: ['*:read'] }],
        ['POST', '/api/users', { email: 'new@example.com', name: 'New', role_ids: [2] }],
        ['PATCH', `/api/users/${manager}`, { name: 'Other' }],
        ['POST', `/api/users/${manager}/reset_link`, undefined],
        ['DELETE', `/api/users/${manager}`, undefined],
        ['DELETE', `/api/users/${manager}/sessions`, undefined],
      ];
      for (const [method, path, body] of requests) {
        const response = await send(method, path, { key, body });
        assert.deepEqual([response.status, /insufficient-scope/.test(response.text)], [403, true], `${method} ${path}`);
      }
      const made = await send('POST', '/api/users', {
        ...{ key, body: { email: 'few@example.com', name: 'Few', role_ids: [role.json.id] } },
      });
      assert.equal(made.status, 201, made.text);
      const raised = await send('PATCH', `/api/users/${made.json.id}`, { key, body: { role_ids: [2] } });
      assert.equal(raised.status, 403, raised.text);
      const reader = await newKey(service, { name: 'reader', kind: 'read-only' });
      for (const path of ['/api/users', '/api/roles', `/api/users/${manager}/sessions`])
        assert.equal((await send('GET', path, { key: reader })).status, 403, path);
    });

    test('users and roles are validated, conditional and paged like other records', async () => {
      const wrong = await send('POST', '/api/users', {
        body: { email: 'not an address', name: '', role_ids: ['1'], language: 'xx', status: 'active', more: 1 },
      });
      assert.deepEqual(codes(wrong).sort(), [
        ['email', 'format'],
        ['language', 'choice'],
        ['more', 'unknown_field'],
        ['name', 'blank'],
        ['role_ids[0]', 'type'],
        ['status', 'read_only'],
      ]);
      const made = await send('POST', '/api/users', {
        body: { email: 'cond@example.com', name: 'C', role_ids: [3, 2, 3] },
      });
      assert.deepEqual([made.json.role_ids, made.json.status, made.json.factors], [[2, 3], 'invited', []]);
      const path = `/api/users/${made.json.id}`;
      assert.equal(made.headers.location, `http://localhost${path}`);
      const unknown = await send('PATCH', path, { body: { role_ids: [99] } });
      assert.deepEqual(codes(unknown), [['role_ids', 'unknown_link']]);
      const twice = await send('POST', '/api/users', { body: { email: 'COND@example.com', name: 'C', role_ids: [3] } });
      assert.deepEqual(codes(twice), [['email', 'not_unique']]);
      const early = await send('PATCH', path, { body: { status: 'active' } });
      assert.deepEqual(codes(early), [['status', 'conflict']]);
      const etag = String(made.headers.etag);
      assert.equal((await send('GET', path, { headers: { 'if-none-match': etag } })).status, 304);
      assert.equal((await send('PATCH', path, { body: { name: 'D' }, headers: { 'if-match': etag } })).status, 200);
      assert.equal((await send('DELETE', path, { headers: { 'if-match': etag } })).status, 412);
      const page = await send('GET', '/api/users?itemsPerPage=1&page=2&order[id]=desc');
      assert.deepEqual([page.status, page.json.length], [200, 1]);
      assert.equal((await send('GET', '/api/users?name=D')).status, 400);
      assert.equal((await send('GET', '/api/users/x')).status, 404);
      const changes = await send('GET', '/api/changes');
      assert.ok(!/cond@example|"User"|"Role"/.test(changes.text), 'the feed contains no users');
    });

    test('a key that a user creates names the user, and has no more rights', async () => {
      const made = await send('POST', '/api/roles', { body: { name: 'Keys', scopes: ['keys:manage', 'tags:read'] } });
      const { id, cookie } = await signedIn('keys@example.com', made.json.id);
      const create = (scopes: string[]) =>
        send('POST', '/api/keys', { cookie, body: { name: `of ${scopes}`, kind: 'scoped', scopes } });
      const key = await create(['tags:read']);
      assert.deepEqual(key.json?.created_by, { type: 'user', id, name: 'keys@example.com' }, key.text);
      assert.deepEqual((await send('GET', `/api/keys/${key.json.id}`)).json.created_by, key.json.created_by);
      assert.equal((await create(['orders:read'])).status, 403);
    });
  });
