/** Staff accounts: roles, invitations, sign-in, sessions and limits, on two servers of one store (access.md §§3 and 6). */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { createSecrets } from '../../src/adapters/secrets/scrypt.ts';
import { formatTimestamp } from '../../src/engine/time.ts';
import type { Service } from '../../src/engine/unit/service.ts';
import { countFailedSignIns } from '../../src/store/audit/failed-sign-in-entries.ts';
import { createKey, hashOf, rotateKey } from '../../src/store/keys.ts';
import { Sessions } from '../../src/store/sessions.ts';
import { createRole } from '../../src/store/users/roles.ts';
import { stepOfCode } from '../../src/store/users/totp.ts';
import { createUser } from '../../src/store/users/users.ts';
import { relyingParty } from '../../src/store/users/webauthn.ts';
import { Authenticator, type Deviation } from '../support/authenticator.ts';
import { sendRequest } from '../support/client.ts';
import { databaseNames } from '../support/databases.ts';
import { INJECT_KEY, serverOf } from '../support/injected-server.ts';
import { ACTOR, newKey, type OpenedStore, openedStore, withOverrides } from '../support/opened-store.ts';
import { codeAt } from '../support/totp.ts';

// biome-ignore lint/suspicious/noExplicitAny: the shape of a response is what the tests check
type Json = any;

interface Sent {
  readonly cookie?: string;
  readonly key?: string;
  readonly body?: unknown;
  readonly address?: string;
  readonly headers?: Record<string, string>;
  /** Index of the server. The third one requires second factors. */
  readonly at?: 0 | 1 | 2;
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
const STEP = 30;
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('codes of authenticator apps', () => {
  test('are those of RFC 6238, appendix B, and are accepted one step before and after', async () => {
    const vectors: [seconds: number, code: string][] = [
      [59, '287082'],
      [1_111_111_109, '081804'],
      [1_111_111_111, '050471'],
      [1_234_567_890, '005924'],
      [2_000_000_000, '279037'],
      [20_000_000_000, '353130'],
    ];
    for (const [seconds, code] of vectors) {
      const step = Math.floor(seconds / STEP);
      assert.equal(codeAt(RFC_SECRET, seconds), code);
      for (const drift of [-1, 0, 1])
        assert.equal(await stepOfCode(RFC_SECRET, code, seconds + drift * STEP), step, `${seconds} ${drift}`);
      for (const drift of [-2, 2])
        assert.equal(await stepOfCode(RFC_SECRET, code, seconds + drift * STEP), undefined, `${seconds} ${drift}`);
    }
    for (const wrong of ['', '28708', '2870820', ' 287082', '28708a', '２８７０８２', '94287082'])
      assert.equal(await stepOfCode(RFC_SECRET, wrong, 59), undefined, wrong);
  });
});

for (const name of databaseNames)
  describe(`staff accounts (${name})`, () => {
    let opened: OpenedStore;
    let service: Service;
    const servers: FastifyInstance[] = [];
    let now = Date.UTC(2030, 0, 1) / 1000;
    let addresses = 0;
    const logged: string[] = [];
    /** Secrets, codes and tickets that the servers have sent once. */
    const secrets = new Set<string>();

    before(async () => {
      opened = await openedStore(name);
      service = {
        ...opened.service,
        environment: { ...opened.service.environment, baseUrl: 'http://localhost' },
        clock: { ...opened.service.clock, now: () => now },
        secrets: createSecrets({ cost: 2 ** 10, blockSize: 8, parallelization: 1 }),
      };
      const settings = { FAILED_KEYS_PER_MINUTE: '0', LOG_LEVEL: 'trace' };
      const logStream = { write: (line: string) => void logged.push(line) };
      for (const [SECOND_FACTOR, FAILED_LOGINS_PER_MINUTE] of [
        ['optional', '0'],
        ['optional', '0'],
        ['required', '3'],
      ] as const) {
        const admin = { sessions: new Sessions(service), folder: 'none', allowsPlainHttp: true };
        const passkeys = relyingParty('http://localhost');
        const options = { logStream, logRequests: true, passkeys };
        servers.push(
          await serverOf(service, { ...settings, SECOND_FACTOR, FAILED_LOGINS_PER_MINUTE }, undefined, admin, options),
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
          ...(url.startsWith('/admin/session') ? OWN : {}),
          ...(cookie === undefined && !url.startsWith('/admin/session') ? { 'x-auth-token': key ?? INJECT_KEY } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
        remoteAddress: address ?? '127.0.0.1',
      });
      const isJson = /json(?:;|$)/.test(String(response.headers['content-type'])) && response.body !== '';
      const json = isJson ? response.json() : undefined;
      for (const secret of secrets) assert.ok(!response.body.includes(secret), `${method} ${url} shows a secret again`);
      for (const secret of [json?.secret, json?.ticket, ...(json?.codes ?? [])]) if (secret) secrets.add(secret);
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
      assert.deepEqual(rest, {
        key: null,
        user: { id, name: 'Ada@example.com', email: 'Ada@example.com', oidc: false },
        masks: [],
        password_reset: false,
      });
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
      const calculating = scopes.filter(({ operations }: Json) => operations.includes('quoteOrder'));
      assert.ok(calculating.length > 10);
      for (const { scope } of calculating) assert.ok(desk!.includes(scope), scope);
      assert.ok(desk!.includes('shipping_methods:read') && !desk!.includes('coupons:write'));
      assert.ok(analyst!.includes('products:export') && !analyst!.some((scope) => scope.endsWith(':write')));
      const body = { name: 'Mine', scopes: ['tags:read'] };
      assert.equal((await send('PUT', '/api/roles/1', { body })).status, 409);
      assert.equal((await send('PATCH', '/api/roles/2', { body })).status, 409);
      assert.equal((await send('DELETE', '/api/roles/3')).status, 409);
      const taken = await send('POST', '/api/roles', { body: { ...body, name: 'owner' } });
      assert.deepEqual([taken.status, codes(taken)], [422, [['name', 'not_unique']]]);
      const wrong = await send('POST', '/api/roles', {
        body: { name: '', scopes: ['no:scope'], masks: ['Product.cost_price', 'Product.id'] },
      });
      assert.deepEqual(codes(wrong), [
        ['name', 'blank'],
        ['scopes[0]', 'choice'],
        ['masks[1]', 'choice'],
      ]);
    });

    test('the masks of the preset roles exist; an analyst sees statistics and orders without personal data', async () => {
      const { masks }: Json = (await send('GET', '/api/scopes')).json;
      const personal = masks.flatMap((mask: Json) => (mask.personal ? mask.field : []));
      const roles: Json[] = (await send('GET', '/api/roles')).json;
      assert.deepEqual(
        roles.slice(0, 5).map((role) => role.masks),
        [[], [], [], ['Product.cost_price'], [...personal, 'Product.cost_price'].sort()],
      );
      assert.ok(personal.includes('Order.shipping_address'), 'an address is personal in part');
      const position = masks.find(({ field }: Json) => field === 'CategoryProduct.position');
      assert.deepEqual(position.families, ['categories', 'products']);
      const product = (await send('POST', '/api/products', { body: { sku: 'SOLD', name: 'Sold', price: 5 } })).json;
      const items = [{ product_id: product.id, amount: 1 }];
      const order = { email: 'buyer@example.com', items, shipping_address: { city: 'Bern' } };
      const placed = await send('POST', '/api/orders', { body: order });
      assert.equal(placed.status, 201, placed.text);
      const { id } = placed.json;
      const analyst = (await signedIn('analyst@example.com', 5)).cookie;
      const own = (await send('GET', '/api/users/me', { cookie: analyst })).json;
      assert.deepEqual(own.masks, roles[4].masks);
      assert.deepEqual((await send('GET', '/admin/session', { cookie: analyst })).json.masks, own.masks);
      const statistics = await send('GET', '/api/statistics', { cookie: analyst });
      assert.deepEqual([statistics.status, statistics.json.today.orders], [200, 1], statistics.text);
      const shown = await send('GET', `/api/orders/${id}`, { cookie: analyst });
      assert.deepEqual([shown.status, shown.json.total], [200, 5], shown.text);
      const lines = [{ item_id: placed.json.items[0].id, amount: 1 }];
      const tracked = { lines, tracking_numbers: ['1Z999AA10123456784'] };
      const shipped = await send('POST', `/api/orders/${id}/shipments`, { body: tracked });
      assert.equal(shipped.status, 201, shipped.text);
      const history = await send('GET', `/api/orders/${id}/history`, { cookie: analyst });
      assert.equal(history.status, 200, history.text);
      assert.ok(!/1Z999AA|"description"/.test(history.text), 'descriptions repeat the data of events');
      const exported = await send('GET', '/api/orders', {
        cookie: analyst,
        headers: { accept: 'application/x-ndjson' },
      });
      for (const { status, text } of [shown, exported, await send('GET', '/api/orders', { cookie: analyst })]) {
        assert.equal(status, 200, text);
        assert.ok(text.includes('"total":5') && !/buyer@|Bern|"email"|"shipping_address"/.test(text), text);
      }
      assert.equal((await send('GET', '/api/orders?email=buyer@example.com', { cookie: analyst })).status, 403);
      const desk = (await signedIn('desk@example.com', 4)).cookie;
      assert.equal((await send('GET', `/api/orders/${id}`, { cookie: desk })).json.email, 'buyer@example.com');
      assert.equal((await send('GET', '/api/products?fields=cost_price', { cookie: desk })).status, 403);
    });

    test('a field is masked if all roles with its family mask it; a change applies to the next request on each server', async () => {
      const product = await send('POST', '/api/products', {
        body: { sku: 'MASK', name: 'Mask', price: 7, cost_price: 3, market_price: 9 },
      });
      assert.equal(product.status, 201, product.text);
      const role = async (name: string, scopes: string[], masks: string[]): Promise<number> => {
        const made = await send('POST', '/api/roles', { body: { name, scopes, masks } });
        assert.deepEqual([made.status, made.json.masks], [201, [...masks].sort()], made.text);
        return made.json.id;
      };
      const one = await role('One', ['products:*'], ['Product.price', 'Product.cost_price']);
      const two = await role('Two', ['products:read'], ['Variant.price', 'Product.market_price', 'Product.cost_price']);
      const three = await role('Three', ['tags:read'], []);
      const { id, cookie } = await signedIn('masked@example.com', one, two, three);
      const masks = async (at: 0 | 1): Promise<string[]> =>
        (await send('GET', '/api/users/me', { cookie, at })).json.masks;
      const seen = async (at: 0 | 1): Promise<unknown[]> => {
        const { json, text } = await send('GET', `/api/products/${product.json.id}`, { cookie, at });
        assert.equal(json?.sku, 'MASK', text);
        return [json.price, json.market_price, json.cost_price];
      };
      // Product.price covers Variant.price, so both roles mask the latter.
      assert.deepEqual(await masks(1), ['Product.cost_price', 'Variant.price']);
      assert.deepEqual(await seen(1), [7, 9, undefined]);
      const change = async (path: string, body: object): Promise<void> => {
        const response = await send('PATCH', path, { body });
        assert.equal(response.status, 200, response.text);
      };
      await change(`/api/roles/${two}`, { masks: [] });
      for (const at of [0, 1] as const) assert.deepEqual([await masks(at), await seen(at)], [[], [7, 9, 3]]);
      await change(`/api/users/${id}`, { role_ids: [one, three] });
      for (const at of [0, 1] as const) {
        assert.deepEqual(await masks(at), ['Product.cost_price', 'Product.price']);
        assert.deepEqual(await seen(at), [undefined, 9, undefined]);
      }
      const replaced = await send('PUT', `/api/roles/${one}`, { body: { name: 'One', scopes: ['products:read'] } });
      assert.deepEqual([replaced.status, replaced.json.masks, await seen(1)], [200, [], [7, 9, 3]]);
    });

    test('callers with masks cannot show a field to others, not even by a role that lacks another scope', async () => {
      const scopes = ['products:read', 'roles:manage', 'tags:read', 'users:manage'];
      const masks = ['Product.cost_price', 'Product.tags'];
      const key = await newKey(service, { name: 'masked manager', kind: 'scoped', scopes, masks });
      const own = await send('POST', '/api/roles', { key, body: { name: 'Own', scopes: ['products:read'], masks } });
      assert.equal(own.status, 201, own.text);
      const open = await send('POST', '/api/roles', { body: { name: 'Open', scopes: ['products:read'] } });
      const tags = await send('POST', '/api/roles', { key, body: { name: 'Only tags', scopes: ['tags:read'] } });
      assert.equal(tags.status, 201, tags.text);
      const { id: seeing } = await signedIn('seeing@example.com', open.json.id);
      const user = (email: string, ...role_ids: number[]) => ({ email, name: email, role_ids });
      const made = await send('POST', '/api/users', {
        key,
        body: user('blind@example.com', own.json.id, tags.json.id),
      });
      assert.equal(made.status, 201, made.text);
      const requests: [method: string, path: string, body: object | undefined, fields: string[]][] = [
        ['POST', '/api/roles', { name: 'More', scopes: ['products:read'] }, masks],
        // It lacks tags:read, but another role of the same user may have it.
        [
          'PATCH',
          `/api/roles/${tags.json.id}`,
          { scopes: ['products:read'], masks: masks.slice(0, 1) },
          masks.slice(1),
        ],
        ['PATCH', `/api/roles/${own.json.id}`, { masks: [] }, masks],
        ['PUT', `/api/roles/${own.json.id}`, { name: 'Own', scopes: ['products:read'] }, masks],
        ['DELETE', `/api/roles/${open.json.id}`, undefined, masks],
        ['POST', '/api/users', user('new@example.com', open.json.id), masks],
        ['PATCH', `/api/users/${made.json.id}`, { role_ids: [own.json.id, open.json.id] }, masks],
        ['PATCH', `/api/users/${seeing}`, { name: 'Other' }, masks],
        ['POST', `/api/users/${seeing}/reset_link`, undefined, masks],
        ['DELETE', `/api/users/${seeing}/sessions`, undefined, masks],
      ];
      for (const [method, path, body, fields] of requests) {
        const { status, json } = await send(method, path, { key, body });
        assert.deepEqual([status, json?.missing_scopes, json?.masked_fields], [403, [], fields], `${method} ${path}`);
      }
      const renamed = await send('PATCH', `/api/roles/${own.json.id}`, { key, body: { name: 'Renamed' } });
      assert.deepEqual([renamed.status, renamed.json.masks], [200, masks], renamed.text);
    });

    test('a role with fewer rights cannot show a field that it hid from users with several roles', async () => {
      const masks = ['AttributeValueSelect.option'];
      const role = async (name: string, scopes: string[]): Promise<number> =>
        (await send('POST', '/api/roles', { body: { name, scopes, masks: scopes.length > 1 ? masks : [] } })).json.id;
      const wide = await role('Wide', ['attributes:read', 'products:read', 'roles:manage']);
      const narrow = await role('Narrow', ['attributes:read']);
      const { cookie } = await signedIn('narrowing@example.com', wide, narrow);
      const own = async (): Promise<string[]> => (await send('GET', '/api/users/me', { cookie })).json.masks;
      assert.deepEqual(await own(), masks);
      const body = { scopes: ['products:read', 'roles:manage'], masks: [] };
      const { status, json } = await send('PATCH', `/api/roles/${wide}`, { cookie, body });
      assert.deepEqual([status, json.masked_fields, await own()], [403, masks, masks]);
      const renamed = await send('PATCH', `/api/roles/${wide}`, { cookie, body: { name: 'Wider' } });
      assert.equal(renamed.status, 200, renamed.text);
      assert.equal((await send('PATCH', `/api/roles/${wide}`, { body })).status, 200, 'by a key that sees the field');
    });

    const entriesOf = async (query: string): Promise<Json[]> =>
      (await send('GET', `/api/audit?order[id]=asc&itemsPerPage=1000&${query}`)).json;
    /** What matters of the entries of a record: its action, and its changes without dates. */
    const changesOf = async (path: string): Promise<[string, Json][]> =>
      (await entriesOf(`path=${path}`)).map(({ action, changes: { created_at: _, ...changes } }) => [action, changes]);

    test('the audit has each change of users, roles and keys, with its actor and without secrets', async () => {
      const made = await send('POST', '/api/roles', { body: { name: 'Audited', scopes: ['tags:read'] } });
      const role = made.json.id;
      await send('PATCH', `/api/roles/${role}`, { body: { name: 'Audited', scopes: ['tags:*'] } });
      const { id, token } = await invited('audited@example.com', role);
      const address = newAddress();
      const signed = await send('POST', '/admin/session', { address, body: { token, password: PASSWORD } });
      const cookie = cookieOf(signed);
      const { secret } = (await send('POST', '/api/users/me/totp', { cookie })).json;
      const enabled = await send('PUT', '/api/users/me/totp', { cookie, body: { code: codeAt(secret, now) } });
      assert.equal(enabled.status, 200, enabled.text);
      const passkey = await addPasskey(
        cookie,
        new Authenticator('http://localhost').create(await creationOptions(cookie)),
      );
      await send('DELETE', `${PASSKEYS}/${passkey.json.id}`, { cookie });
      await send('PATCH', '/api/users/me', { cookie, body: { name: 'Own' } });
      await send('PATCH', '/api/users/me', { cookie, body: { name: 'Own' } });
      await send('PUT', '/api/users/me/password', { cookie, body: { current: PASSWORD, password: `${PASSWORD} 2` } });
      assert.equal((await send('DELETE', `/api/users/${id}`)).status, 204);
      assert.equal((await send('DELETE', `/api/roles/${role}`)).status, 204);
      const from = (before: Json, after: Json) => ({ before, after });
      const secretChanged = { changed: true };
      const changes = (await changesOf(`/api/users/${id}`)).filter(([action]) => !action.startsWith('sign'));
      assert.deepEqual(changes, [
        [
          'created',
          {
            ...{ email: from(null, 'audited@example.com'), name: from(null, 'audited@example.com') },
            ...{ status: from(null, 'invited'), language: from(null, ''), role_ids: from(null, [role]) },
            factors: from(null, []),
          },
        ],
        ['updated', { link: secretChanged, link_kind: from(null, 'invite') }],
        ['updated', { status: from('invited', 'active'), password: secretChanged, link: secretChanged }],
        ['updated', { factors: from([], ['totp']), totp: secretChanged, recovery_codes: secretChanged }],
        ['updated', { factors: from(['totp'], ['totp', 'passkey']), passkeys: secretChanged }],
        ['updated', { factors: from(['totp', 'passkey'], ['totp']), passkeys: secretChanged }],
        ['updated', { name: from('audited@example.com', 'Own') }],
        ['updated', { password: secretChanged }],
        [
          'deleted',
          {
            ...{ email: from('audited@example.com', null), name: from('Own', null) },
            ...{ status: from('active', null), language: from('', null), role_ids: from([role], null) },
            ...{ factors: from(['totp'], null), totp: secretChanged, recovery_codes: secretChanged },
            password: secretChanged,
          },
        ],
      ]);
      const entries = await entriesOf(`path=/api/users/${id}`);
      const key = (await send('GET', '/api/keys')).json[0];
      assert.deepEqual(
        entries.flatMap(({ action, actor }) => (action === 'updated' ? [[actor.type, actor.id]] : [])),
        [['key', key.id], ...Array(6).fill(['user', id])],
      );
      const linked = entries.find((entry) => entry.changes.password)!;
      assert.deepEqual([linked.address, linked.record_id, linked.version], [address, id, null]);
      assert.deepEqual(await changesOf(`/api/roles/${role}`), [
        ['created', { name: from(null, 'Audited'), scopes: from(null, ['tags:read']), masks: from(null, []) }],
        ['updated', { scopes: from(['tags:read'], ['tags:*']) }],
        ['deleted', { name: from('Audited', null), scopes: from(['tags:*'], null), masks: from([], null) }],
      ]);

      const created = await send('POST', '/api/keys', { body: { name: 'Audited', kind: 'read-only' } });
      assert.ok(await rotateKey(service, 'Audited', 3600, ACTOR));
      assert.equal((await send('DELETE', `/api/keys/${created.json.id}`)).status, 204);
      const ofKey = await changesOf(`/api/keys/${created.json.id}`);
      const old = formatTimestamp(now + 3600, 'UTC');
      assert.deepEqual(ofKey[1], ['updated', { key: secretChanged, old_expires_at: from(null, old) }]);
      assert.deepEqual(
        ofKey.map(([action, { name, created_by, key: secret }]) => [action, name, created_by, secret]),
        [
          ['created', from(null, 'Audited'), from(null, { type: 'key', id: key.id }), secretChanged],
          ['updated', undefined, undefined, secretChanged],
          ['deleted', from('Audited', null), from({ type: 'key', id: key.id }, null), secretChanged],
        ],
      );
      const reader = await newKey(service, {
        name: 'audit reader',
        kind: 'scoped',
        scopes: ['audit:read', 'keys:manage'],
      });
      const seen: Json[] = (await send('GET', '/api/audit?itemsPerPage=1000', { key: reader })).json;
      const resources = new Set(seen.map(({ resource }) => resource));
      assert.deepEqual([resources.has('Key'), resources.has('User'), resources.has('Role')], [true, false, false]);
      const rejected = await send('GET', `/api/audit/${entries[0].id}`, { key: reader });
      assert.equal(rejected.status, 404, 'as if the entry did not exist');
    });

    test('the audit has sign-ins, sign-outs and ended sessions, by users and by keys', async () => {
      const { id, cookie } = await signedIn('in-and-out@example.com', 2);
      const address = newAddress();
      const cookies = [cookie];
      for (let more = 0; more < 3; more += 1)
        cookies.push(cookieOf(await signIn('in-and-out@example.com', PASSWORD, { address })));
      assert.equal((await send('DELETE', '/admin/session', { cookie: cookies[3]! })).status, 204);
      assert.equal((await send('DELETE', '/admin/session', { cookie: cookies[3]! })).status, 204, 'again');
      const [, other] = (await send('GET', '/api/users/me/sessions', { cookie: cookies[2]! })).json;
      for (const [each, status] of [
        ['%00', 404],
        [other.id, 204],
      ])
        assert.equal((await send('DELETE', `/api/users/me/sessions/${each}`, { cookie: cookies[2]! })).status, status);
      assert.equal((await send('DELETE', `/api/users/${id}/sessions`)).status, 204);
      assert.equal((await send('DELETE', `/api/users/${id}/sessions`)).status, 204, 'there are none');
      const entries = (await entriesOf(`path=/api/users/${id}`)).filter(({ action }) => action.startsWith('sign'));
      assert.deepEqual(
        entries.map(({ action, actor, changes }) => [action, actor.type, changes]),
        [
          ...Array(4).fill(['sign_in', 'user', {}]),
          ['sign_out', 'user', { count: 1 }],
          ['sign_out', 'user', { count: 1 }],
          ['sign_out', 'key', { count: 2 }],
        ],
      );
      assert.deepEqual([entries[0].actor.id, entries[3].address, entries[3].resource], [id, address, 'User']);

      const key = await newKey(service, { name: 'signs in', kind: 'read-only' });
      const withKey = cookieOf(await send('POST', '/admin/session', { body: { key } }));
      await send('DELETE', '/admin/session', { cookie: withKey });
      const { id: keyId } = (await send('GET', '/api/keys')).json.find((each: Json) => each.name === 'signs in');
      assert.deepEqual(
        (await entriesOf(`resource=Key&record_id=${keyId}`)).map(({ action, actor }) => [action, actor.id]).slice(1),
        [
          ['sign_in', keyId],
          ['sign_out', keyId],
        ],
      );
    });

    test('of failed sign-ins, the audit has the first one of an address and minute, and the number of the others', async () => {
      now += MINUTE - (now % MINUTE);
      const { id } = await signedIn('fails@example.com', 2);
      const address = newAddress();
      const failed = (): Promise<Json[]> => entriesOf(`action=sign_in_failed&address=${address}`);
      const wrong = (email: string, index = 0) =>
        signIn(email, 'not the right password', { address, at: (index % 2) as 0 | 1 });
      await wrong('Fails@example.com');
      const emails = ['fails@example.com', 'nobody@example.com', 'nobody@example.com', 'fails@example.com'];
      await Promise.all(emails.map(wrong));
      await send('POST', '/admin/session', { address, body: { key: 'a wrong key of some length' } });
      assert.equal((await signIn('fails@example.com', PASSWORD, { address })).status, 200);
      const [first, ...others] = await failed();
      assert.deepEqual(
        [first.actor, first.record_id, first.path, first.changes, others],
        [{ type: 'user', id: null, name: null }, id, `/api/users/${id}`, {}, []],
      );
      await countFailedSignIns(service);
      assert.equal((await failed()).length, 1, 'the minute has not passed');

      now += MINUTE;
      await Promise.all([countFailedSignIns(service), countFailedSignIns({ ...service })]);
      const [, rest, ...none] = await failed();
      assert.deepEqual([rest.changes, rest.resource, rest.actor.id, none], [{ count: 5 }, null, null, []]);
      await wrong('nobody@example.com');
      await wrong('nobody@example.com', 1);
      now += MINUTE;
      await wrong('nobody@example.com');
      const all = await failed();
      assert.deepEqual(
        all.map(({ changes, record_id }) => [changes, record_id]),
        [
          [{}, id],
          [{ count: 5 }, null],
          [{}, null],
          [{ count: 1 }, null],
          [{}, null],
        ],
      );
      assert.deepEqual(
        all.map(({ resource }) => resource),
        ['User', null, 'User', null, 'User'],
      );
      assert.ok(!JSON.stringify(all).includes('example.com'), 'e-mail addresses are not recorded');
      const reader = await newKey(service, { name: 'only audit', kind: 'scoped', scopes: ['audit:read'] });
      const seen = await send('GET', `/api/audit?address=${address}`, { key: reader });
      assert.deepEqual(
        seen.json.map((entry: Json) => entry.changes.count),
        [1, 5],
        'entries of users need users:manage, also if there is no such user',
      );
      now += 61 * MINUTE;
    });

    test('a change of keys, users or roles and its audit entry are written together or not at all', async () => {
      const failing = withOverrides(service.database, {
        transaction: (work) =>
          service.database.transaction((inner) =>
            work({
              lock: (lock) => inner.lock(lock),
              run: (statement, values) =>
                statement.sql.includes('into "audit_')
                  ? Promise.reject(new Error('stopped'))
                  : inner.run(statement, values),
            }),
          ),
      });
      const stopped = { ...service, database: failing };
      const input = { email: 'none@example.com', name: 'None', language: '', roleIds: [1] };
      await assert.rejects(
        createUser(stopped, input, () => undefined, ACTOR),
        /stopped/,
      );
      await assert.rejects(createRole(stopped, { name: 'None', scopes: ['tags:read'], masks: [] }, ACTOR), /stopped/);
      await assert.rejects(createKey(stopped, { name: 'None', kind: 'read-only' }, ACTOR), /stopped/);
      for (const path of ['users', 'roles', 'keys'])
        assert.ok(!(await send('GET', `/api/${path}?itemsPerPage=1000`)).text.includes('"None"'), path);
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
      const early = await send('POST', `/api/users/${id}/reset_link`);
      assert.equal((await send('PATCH', `/api/users/${id}`, { body: { role_ids: [2] } })).status, 200);
      assert.equal((await use(early)).status, 401, 'a link does not give rights that its creator may lack');
      // The old password has failed before.
      for (let each = 0; each < 9; each += 1)
        assert.equal((await signIn('reset@example.com', 'wrong', { address: newAddress() })).status, 401);
      assert.equal((await signIn('reset@example.com', 'wrong', { address: newAddress() })).status, 429);
      assert.equal((await use(await send('POST', `/api/users/${id}/reset_link`))).status, 200);
      const again = await signIn('reset@example.com', 'another sentence of the tests');
      assert.equal(again.status, 200, 'a sign-in with a link resets the count');
      const own = cookieOf(again);
      const before = await send('POST', `/api/users/${id}/reset_link`);
      const passwords = { current: 'another sentence of the tests', password: PASSWORD };
      assert.equal((await send('PUT', '/api/users/me/password', { cookie: own, body: passwords })).status, 204);
      assert.equal((await use(before)).status, 401, 'a change of the password cancels links');
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

    test('users save views of lists, which only they see', async () => {
      const { id, cookie } = await signedIn('views@example.com', 3);
      const { cookie: other } = await signedIn('views2@example.com', 3);
      const path = '/api/users/me/views';
      const body = { name: 'Unpaid', screen: 'orders', query: '{"filter":{"payment_status":"Q"}}' };
      const made = await send('POST', path, { cookie, body });
      assert.deepEqual([made.status, made.json], [201, { id: made.json.id, ...body }], made.text);
      const one = `${path}/${made.json.id}`;
      assert.equal(made.headers.location, `http://localhost${one}`);
      const twice = await send('POST', path, { cookie, body });
      assert.deepEqual([twice.status, codes(twice)], [422, [['name', 'not_unique']]]);
      assert.equal((await send('POST', path, { cookie, body: { ...body, screen: 'products' } })).status, 201);
      for (const [invalid, code] of [
        [{ ...body, name: ' ' }, 'blank'],
        [{ ...body, name: 'x', query: 'q'.repeat(4097) }, 'too_long'],
        [{ ...body, name: 'x', user_id: 1 }, 'unknown_field'],
        [{ name: 'x', screen: 'orders' }, 'required'],
      ] as const) {
        const rejected = await send('POST', path, { cookie, body: invalid });
        assert.deepEqual([rejected.status, codes(rejected).map(([, each]) => each)], [422, [code]], rejected.text);
      }
      const { etag } = (await send('GET', one, { cookie })).headers;
      const patch = (headers: Record<string, string>) => send('PATCH', one, { cookie, body: { query: '' }, headers });
      const renamed = await patch({ 'if-match': etag as string });
      assert.deepEqual([renamed.status, renamed.json], [200, { ...made.json, query: '' }]);
      assert.equal((await patch({ 'if-match': etag as string })).status, 412);
      assert.deepEqual((await send('GET', path, { cookie: other })).json, []);
      for (const method of ['GET', 'PATCH', 'DELETE'])
        assert.equal((await send(method, one, { cookie: other, ...(method === 'PATCH' && { body }) })).status, 404);
      assert.equal((await send('GET', path)).status, 404, 'a key has no account');
      const names = Array.from({ length: 60 }, (_, index) => ({ ...body, name: `View ${index}` }));
      const statuses = await Promise.all(names.map((each) => send('POST', path, { cookie, body: each })));
      assert.equal(statuses.filter(({ status }) => status === 201).length, 48);
      assert.equal(statuses.filter(({ status }) => status === 409).length, 12);
      assert.equal((await send('DELETE', one, { cookie })).status, 204);
      assert.equal((await send('GET', path, { cookie })).json.length, 49);
      assert.equal((await send('DELETE', `/api/users/${id}`)).status, 204);
      const { database } = service;
      const rows = database.dialect.compile(sql`select id from ${sql.table('staff_view')}`);
      assert.deepEqual(await database.query(rows, {}), []);
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

    test('keys with networks or an expiry cannot give rights to users, who have neither', async () => {
      const { id } = await invited('unlimited@example.com', 3);
      const role = await send('POST', '/api/roles', { body: { name: 'Widened', scopes: ['tags:read'] } });
      for (const [index, limit] of [{ networks: ['127.0.0.0/8'] }, { expires_at: '2031-01-01T00:00:00Z' }].entries()) {
        const body = { name: `Limited ${index}`, kind: 'read-write', ...limit };
        const { key } = (await send('POST', '/api/keys', { body })).json;
        const session = cookieOf(await send('POST', '/admin/session', { body: { key } }));
        const made = { email: `limited${index}@example.com`, name: 'Limited', role_ids: [3] };
        for (const as of [{ key }, { cookie: session }])
          for (const [method, url, sent] of [
            ['POST', '/api/users', made],
            ['PATCH', `/api/users/${id}`, { role_ids: [1] }],
            ['PATCH', `/api/users/${id}`, { email: 'mine@example.com' }],
            ['POST', `/api/users/${id}/invite`, undefined],
            ['PATCH', `/api/roles/${role.json.id}`, { scopes: ['*:*'] }],
          ] as const) {
            const { status, json } = await send(method, url, { ...as, body: sent });
            assert.deepEqual([status, json.missing_scopes, json.masked_fields], [403, [], []], `${method} ${url}`);
            assert.match(json.detail, /needs a key that has neither networks nor an expiry/);
          }
        const { status } = await send('PATCH', `/api/users/${id}`, { key, body: { name: `Named ${index}` } });
        assert.equal(status, 200);
      }
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
      assert.equal((await send('PATCH', path, { body: { status: 'disabled' } })).json.status, 'disabled');
      assert.equal((await send('POST', `${path}/invite`)).status, 409);
      const enabled = await send('PATCH', path, { body: { status: 'active' } });
      assert.equal(enabled.json.status, 'invited', enabled.text);
      assert.equal((await send('POST', `${path}/invite`)).status, 200);
      const etag = String(enabled.headers.etag);
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

    /** A user with an authenticator app, whose last accepted code is that of the time of this call. */
    async function withFactor(email: string, ...roleIds: number[]) {
      const { id, cookie } = await signedIn(email, ...roleIds);
      const { secret, uri } = (await send('POST', '/api/users/me/totp', { cookie })).json;
      const enabled = await send('PUT', '/api/users/me/totp', { cookie, body: { code: codeAt(secret, now) } });
      assert.equal(enabled.status, 200, enabled.text);
      return { id, cookie, secret, uri, recovery: enabled.json.codes as string[] };
    }

    async function ticketOf(email: string, sent: Sent = {}): Promise<string> {
      const response = await signIn(email, PASSWORD, sent);
      assert.equal(response.status, 202, response.text);
      return response.json.ticket;
    }

    const useTicket = (ticket: string, code: string, sent: Sent = {}): Promise<Answer> =>
      send('POST', '/admin/session', { address: newAddress(), ...sent, body: { ticket, code } });

    test('a second factor is enabled with a code, and sign-in then needs a later code', async () => {
      const { id, cookie } = await signedIn('totp@example.com', 3);
      const put = (code: unknown) => send('PUT', '/api/users/me/totp', { cookie, body: { code } });
      assert.equal((await put('123456')).status, 409, 'before the secret');
      const first = await send('POST', '/api/users/me/totp', { cookie });
      const setup = await send('POST', '/api/users/me/totp', { cookie });
      assert.deepEqual([setup.status, setup.headers['cache-control']], [200, 'no-store'], setup.text);
      const { secret, uri, ...rest } = setup.json;
      assert.deepEqual(rest, {});
      assert.match(secret, /^[A-Z2-7]{32}$/);
      const query = `issuer=localhost&secret=${secret}&algorithm=SHA1&digits=6&period=30`;
      assert.equal(uri, `otpauth://totp/localhost:totp%40example.com?${query}`);
      const other = await signIn('totp@example.com');
      assert.equal(other.status, 200, 'not enabled yet');
      for (const code of [codeAt(first.json.secret, now), codeAt(secret, now - 2 * STEP), 'abcdef'])
        assert.deepEqual(codes(await put(code)), [['code', 'conflict']], code);
      assert.deepEqual(codes(await put(5)), [['code', 'type']]);
      const enabled = await put(codeAt(secret, now).replace(/^.../, '$& '));
      assert.equal(enabled.status, 200, enabled.text);
      const recovery: string[] = enabled.json.codes;
      assert.equal(new Set(recovery).size, 10);
      const ended = await send('GET', '/api/users/me', { cookie: cookieOf(other), at: 1 });
      assert.equal(ended.status, 401, 'a session that began without the factor');
      for (const code of recovery) assert.match(code, /^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
      assert.equal((await put(codeAt(secret, now + STEP))).status, 409);
      assert.equal((await send('POST', '/api/users/me/totp', { cookie })).status, 409);
      assert.deepEqual((await send('GET', '/api/users/me', { cookie })).json.factors, ['totp']);
      assert.deepEqual((await send('GET', `/api/users/${id}`)).json.factors, ['totp']);
      const half = await signIn('totp@example.com');
      assert.deepEqual(
        [half.status, half.headers['set-cookie'], half.headers['cache-control']],
        [202, undefined, 'no-store'],
      );
      const { ticket, expires_at, ...more } = half.json;
      assert.deepEqual([more, Date.parse(expires_at) / 1000], [{ factors: ['totp'] }, now + 5 * MINUTE]);
      assert.equal((await useTicket(ticket, codeAt(secret, now))).status, 401, 'the code of the setup was used');
      assert.equal((await useTicket(ticket, codeAt(secret, now - STEP))).status, 401, 'an earlier code');
      const whole = await useTicket(ticket, codeAt(secret, now + STEP), { at: 1 });
      assert.equal(whole.status, 200, whole.text);
      assert.equal((await send('GET', '/api/users/me', { cookie: cookieOf(whole) })).json.id, id);
      now += 2 * STEP;
      assert.equal((await useTicket(ticket, codeAt(secret, now))).status, 401, 'the ticket was used');
      const again = await ticketOf('totp@example.com');
      assert.equal((await useTicket(again, codeAt(secret, now - STEP))).status, 401, 'the same code again');
      assert.equal((await useTicket(again, codeAt(secret, now))).status, 200);
      const columns = service.statements.get('all tickets', () => sql`select * from ${sql.table('staff_ticket')}`);
      const left = await ticketOf('totp@example.com');
      const rows = JSON.stringify(await service.database.query(columns, {}));
      assert.ok(rows.includes(hashOf(left)) && !rows.includes(left.slice(6)));
      assert.equal((await send('DELETE', '/api/users/me/totp', { cookie })).status, 204);
      assert.equal((await useTicket(left, codeAt(secret, now + STEP))).status, 401, 'there is no factor any more');
      assert.equal((await send('DELETE', '/api/users/me/totp', { cookie })).status, 404);
      assert.equal((await signIn('totp@example.com')).status, 200);
      const key = await send('POST', '/api/users/me/totp');
      assert.equal(key.status, 404, 'a key has no account');
    });

    test('recovery codes replace a code once each, and are stored as hashes', async () => {
      const { cookie, recovery } = await withFactor('recovery@example.com', 3);
      const remaining = async () => (await send('GET', '/api/users/me/recovery_codes', { cookie })).json;
      assert.deepEqual(await remaining(), { remaining: 10 });
      const tickets = [await ticketOf('recovery@example.com'), await ticketOf('recovery@example.com')];
      const both = await Promise.all(tickets.map((ticket, at) => useTicket(ticket, recovery[0]!, { at: at as 0 | 1 })));
      assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401]);
      assert.deepEqual(await remaining(), { remaining: 9 });
      const written = ` ${recovery[1]!.toUpperCase().replaceAll('-', '')} `;
      assert.equal((await useTicket(await ticketOf('recovery@example.com'), written)).status, 200);
      const all = service.statements.get('all codes', () => sql`select hash from ${sql.table('staff_recovery_code')}`);
      const stored = (await service.database.query(all, {})).map(([hash]) => hash as string);
      for (const [index, code] of recovery.entries())
        assert.equal(stored.includes(hashOf(code.replaceAll('-', '').toUpperCase())), index > 1, `code ${index}`);
      const renewed = await send('POST', '/api/users/me/recovery_codes', { cookie });
      assert.deepEqual([renewed.status, renewed.json.codes.length, await remaining()], [200, 10, { remaining: 10 }]);
      const ticket = await ticketOf('recovery@example.com');
      assert.equal((await useTicket(ticket, recovery[2]!)).status, 401, 'replaced');
      assert.equal((await useTicket(ticket, renewed.json.codes[0])).status, 200);
      await send('DELETE', '/api/users/me/totp', { cookie });
      assert.deepEqual(await remaining(), { remaining: 0 });
      assert.equal((await send('POST', '/api/users/me/recovery_codes', { cookie })).status, 409);
    });

    test('a ticket allows one sign-in, 5 codes and 5 minutes, on all servers together', async () => {
      const { secret } = await withFactor('ticket@example.com', 3);
      now += STEP;
      const raced = await ticketOf('ticket@example.com');
      const both = await Promise.all(([0, 1] as const).map((at) => useTicket(raced, codeAt(secret, now), { at })));
      assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401]);
      now += STEP;
      const tried = await ticketOf('ticket@example.com');
      const wrong = await Promise.all(
        Array.from({ length: 5 }, (_, each) => useTicket(tried, '000000', { at: (each % 2) as 0 | 1 })),
      );
      assert.deepEqual(
        wrong.map(({ status }) => status),
        Array(5).fill(401),
      );
      assert.equal((await useTicket(tried, codeAt(secret, now))).status, 401, 'five codes were wrong');
      const late = await ticketOf('ticket@example.com');
      const timely = await ticketOf('ticket@example.com');
      now += 5 * MINUTE - 1;
      assert.equal((await useTicket(timely, codeAt(secret, now))).status, 200);
      now += 1;
      assert.equal((await useTicket(late, codeAt(secret, now + STEP))).status, 401);
      for (const ticket of ['wrong', `pv_ti_${'A'.repeat(43)}`])
        assert.equal((await useTicket(ticket, '000000')).status, 401);
      const rejected = await send('POST', '/admin/session', { body: { ticket: 'x' } });
      assert.deepEqual(codes(rejected), [['code', 'required']]);
      const mixed = await send('POST', '/admin/session', { body: { email: 'x', password: 'y', code: '1' } });
      assert.deepEqual(codes(mixed), [['code', 'conflict']]);
    });

    test('wrong codes and passwords count together, and a right password does not reset the count', async () => {
      const { cookie, secret } = await withFactor('guessed@example.com', 3);
      now += STEP;
      for (let each = 0; each < 3; each += 1)
        assert.equal((await signIn('guessed@example.com', 'wrong', { address: newAddress() })).status, 401);
      const ticket = await ticketOf('guessed@example.com', { address: newAddress() });
      for (let each = 0; each < 3; each += 1) assert.equal((await useTicket(ticket, '000000')).status, 401);
      const confirm = (body: object) => send('POST', '/admin/session/confirm', { cookie, address: newAddress(), body });
      for (const body of [{ code: '000000' }, { password: 'wrong' }]) assert.equal((await confirm(body)).status, 401);
      const other = await ticketOf('guessed@example.com', { address: newAddress() });
      for (let each = 0; each < 2; each += 1) assert.equal((await useTicket(other, '000000', { at: 1 })).status, 401);
      const locked = [
        await useTicket(other, codeAt(secret, now)),
        await signIn('guessed@example.com', PASSWORD, { address: newAddress() }),
        await confirm({ password: PASSWORD }),
      ];
      assert.deepEqual(
        locked.map(({ status }) => status),
        [429, 429, 429],
      );
      now += 15 * MINUTE;
      const later = await ticketOf('guessed@example.com', { address: newAddress() });
      assert.equal((await useTicket(later, codeAt(secret, now))).status, 200, 'which resets the count');
      assert.equal((await useTicket(await ticketOf('guessed@example.com'), '000000')).status, 401);
      await send('DELETE', '/api/users/me/totp', { cookie });
      const { secret: next } = (await send('POST', '/api/users/me/totp', { cookie })).json ?? {};
      assert.equal(next, undefined, 'the sign-in of this session was more than 15 minutes ago');
      now += 61 * MINUTE;
    });

    test('wrong passwords and codes of the own account also count in the limit of a minute', async () => {
      const { cookie } = await signedIn('minute@example.com', 3);
      const own = { at: 2, cookie, address: newAddress() } as const;
      const password = (current: string) =>
        send('PUT', '/api/users/me/password', { ...own, body: { current, password: 'a new sentence of the tests' } });
      for (const current of ['wrong', 'still wrong']) assert.equal((await password(current)).status, 422);
      assert.equal((await send('POST', '/api/users/me/totp', own)).status, 200);
      const code = await send('PUT', '/api/users/me/totp', { ...own, body: { code: '000000' } });
      assert.equal(code.status, 422, code.text);
      const limited = [await password(PASSWORD), await signIn('minute@example.com', PASSWORD, { at: 2 })];
      for (const { status, headers } of limited)
        assert.deepEqual([status, Number(headers['retry-after']) > 0], [429, true]);
      assert.equal((await signIn('minute@example.com')).status, 200, 'each server counts on its own');
    });

    test('a reset link sets a password, but leaves the second factor', async () => {
      const { id, cookie, secret } = await withFactor('reset-totp@example.com', 3);
      const before = await ticketOf('reset-totp@example.com');
      const link = await send('POST', `/api/users/${id}/reset_link`);
      const half = await send('POST', '/admin/session', {
        body: { token: tokenOf(link), password: 'another sentence of the tests' },
      });
      assert.deepEqual([half.status, half.headers['set-cookie']], [202, undefined], half.text);
      assert.equal((await send('GET', '/api/tags', { cookie })).status, 401, 'ended');
      now += STEP;
      assert.equal((await useTicket(before, codeAt(secret, now))).status, 401, 'a ticket of the old password');
      const whole = await useTicket(half.json.ticket, codeAt(secret, now));
      assert.equal(whole.status, 200, whole.text);
      const pending = (await signIn('reset-totp@example.com', 'another sentence of the tests')).json.ticket;
      await send('PATCH', `/api/users/${id}`, { body: { status: 'disabled' } });
      await send('PATCH', `/api/users/${id}`, { body: { status: 'active' } });
      assert.equal((await useTicket(pending, codeAt(secret, now + STEP))).status, 401, 'the user was disabled');
    });

    test('sensitive requests of a session need a sign-in or a confirmation within 15 minutes', async () => {
      const { id, cookie, secret } = await withFactor('recent@example.com', 1);
      const sensitive: [method: string, path: string, body: object | undefined, status: number][] = [
        ['POST', '/api/keys', {}, 422],
        ['DELETE', '/api/keys/00000000-0000-8000-8000-000000000000', undefined, 404],
        ['POST', '/api/users', {}, 422],
        ['PATCH', `/api/users/${id}`, { name: 'Other' }, 200],
        ['DELETE', `/api/users/${id}/sessions`, undefined, 204],
        ['POST', `/api/users/${id}/invite`, undefined, 409],
        ['POST', '/api/roles', {}, 422],
        ['PUT', '/api/roles/1', {}, 422],
        ['POST', '/api/privacy/erase', {}, 422],
        ['POST', '/api/profiles/999999/erase', {}, 404],
        ['POST', '/api/users/me/totp', undefined, 409],
        ['PUT', '/api/users/me/totp', { code: '000000' }, 409],
        ['POST', '/api/users/me/recovery_codes', undefined, 200],
      ];
      const others: [method: string, path: string, body?: object][] = [
        ...['/api/keys', '/api/users', '/api/roles', '/api/users/me/recovery_codes'].map(
          (path) => ['GET', path] as [string, string],
        ),
        ['PATCH', '/api/users/me', { name: 'Recent' }],
        ['POST', '/api/tags', { name: `Recent ${name}` }],
      ];
      const statuses = (requests: typeof sensitive | typeof others) =>
        Promise.all(requests.map(([method, path, body]) => send(method, path, { cookie, body })));
      now += 15 * MINUTE;
      for (const [index, { status, text }] of (await statuses(sensitive)).entries())
        assert.equal(status, sensitive[index]![3], `${sensitive[index]}: ${text}`);
      now += 1;
      for (const { status, text } of await statuses(sensitive))
        assert.deepEqual([status, /\/reauthentication-required"/.test(text)], [403, true], text);
      for (const { status, text } of await statuses(others)) assert.ok(status < 300, text);
      const withKey = await send('POST', '/api/roles', { body: {}, headers: { cookie } });
      assert.equal(withKey.status, 422, 'a key needs no confirmation');
      const confirm = (body: object, by = cookie) => send('POST', '/admin/session/confirm', { cookie: by, body });
      assert.equal((await confirm({ password: 'wrong' })).status, 401);
      assert.equal((await send('POST', '/api/roles', { cookie, body: {} })).status, 403);
      for (const [body, path] of [
        [{}, 'password'],
        [{ key: INJECT_KEY }, 'key'],
        [{ password: PASSWORD, code: '000000' }, 'code'],
      ] as const)
        assert.equal(codes(await confirm(body))[0]![0], path);
      const confirmed = await confirm({ password: PASSWORD });
      assert.deepEqual(confirmed.json, (await send('GET', '/admin/session', { cookie })).json, confirmed.text);
      assert.equal((await send('POST', '/api/roles', { cookie, at: 1, body: {} })).status, 422);
      now += 15 * MINUTE + 1;
      assert.equal((await send('POST', '/api/roles', { cookie, body: {} })).status, 403);
      assert.equal((await confirm({ code: codeAt(secret, now) })).status, 200);
      assert.equal((await confirm({ code: codeAt(secret, now) })).status, 401, 'the same code again');
      assert.equal((await send('POST', '/api/roles', { cookie, body: {} })).status, 422);
      const ofKey = cookieOf(await send('POST', '/admin/session', { body: { key: INJECT_KEY } }));
      now += 15 * MINUTE + 1;
      assert.equal((await send('POST', '/api/roles', { cookie: ofKey, body: {} })).status, 403);
      assert.equal((await confirm({ key: 'another-key-of-the-tests' }, ofKey)).status, 401);
      assert.deepEqual(codes(await confirm({ password: PASSWORD }, ofKey)), [['password', 'conflict']]);
      assert.equal((await confirm({ key: INJECT_KEY }, ofKey)).json.key.name, 'tests');
      assert.equal((await send('POST', '/api/roles', { cookie: ofKey, body: {} })).status, 422);
      assert.equal((await confirm({ key: INJECT_KEY }, 'other=1')).status, 401);
      await send('DELETE', `/api/users/${id}`);
    });

    test('with SECOND_FACTOR=required, users without a factor can only use their own account', async () => {
      const { cookie } = await signedIn('required@example.com', 2);
      const at = 2;
      const rejected = await send('GET', '/api/tags', { cookie, at });
      assert.deepEqual([rejected.status, /\/second-factor-required"/.test(rejected.text)], [403, true], rejected.text);
      for (const path of ['/api/users', '/api/scopes', '/api/changes', '/api/store'])
        assert.equal((await send('GET', path, { cookie, at })).status, 403, path);
      for (const path of ['/admin/session', '/api/users/me', '/api/users/me/sessions', '/api/users/me/recovery_codes'])
        assert.equal((await send('GET', path, { cookie, at })).status, 200, path);
      assert.equal((await send('GET', '/api/tags', { at })).status, 200, 'keys are not affected');
      const { secret } = (await send('POST', '/api/users/me/totp', { cookie, at })).json;
      assert.equal((await send('GET', '/api/tags', { cookie, at })).status, 403, 'the secret is not enabled');
      const enabled = await send('PUT', '/api/users/me/totp', { cookie, at, body: { code: codeAt(secret, now) } });
      assert.equal(enabled.status, 200, enabled.text);
      assert.equal((await send('GET', '/api/tags', { cookie, at })).status, 200);
    });

    test('no secret, code or ticket is logged, even if every request is', async () => {
      const { cookie, secret } = await withFactor('logged@example.com', 3);
      now += STEP;
      const address = await servers[0]!.listen({ host: '127.0.0.1', port: 0 });
      const request = (method: string, path: string, body: object) =>
        sendRequest(address, method, path, { body, headers: { ...OWN, cookie } });
      const half = await request('POST', '/admin/session', { email: 'logged@example.com', password: PASSWORD });
      const { ticket } = half.json;
      assert.equal(half.status, 202, half.text);
      const code = codeAt(secret, now);
      const wrong = await request('POST', '/admin/session', { ticket, code: 'not-a-code' });
      const begun = await request('POST', '/admin/session', { ticket, code });
      const confirmed = await request('POST', '/admin/session/confirm', { password: 'not the right password' });
      assert.deepEqual([wrong.status, begun.status, confirmed.status], [401, 200, 401]);
      while (logged.filter((line) => line.includes('/admin/session')).length < 4) await sleep(10);
      const lines = logged.join('');
      for (const sent of [secret, ticket, code, 'not-a-code', PASSWORD, 'not the right password', 'logged@example.com'])
        assert.ok(!lines.includes(sent), sent);
    });

    const PASSKEYS = '/api/users/me/passkeys';

    const creationOptions = async (cookie: string): Promise<Json> => {
      const response = await send('POST', `${PASSKEYS}/options`, { cookie });
      assert.equal(response.status, 200, response.text);
      return response.json;
    };

    /** Options for the use of a passkey: alone, with a ticket, or with a cookie to confirm a session. */
    const passkeyOptions = async (sent: { ticket?: string; cookie?: string } = {}): Promise<Json> => {
      const { ticket, cookie } = sent;
      const path = cookie === undefined ? '/admin/session/passkey' : '/admin/session/confirm/passkey';
      const response = await send('POST', path, { cookie, ...(ticket === undefined ? {} : { body: { ticket } }) });
      assert.deepEqual([response.status, response.headers['cache-control']], [200, 'no-store'], response.text);
      return response.json;
    };

    const addPasskey = async (cookie: string, passkey: Json, passkeyName = 'Laptop', at: 0 | 1 = 0): Promise<Answer> =>
      send('POST', PASSKEYS, { cookie, at, body: { name: passkeyName, passkey } });

    async function withPasskey(email: string, ...roleIds: number[]) {
      const { id, cookie } = await signedIn(email, ...roleIds);
      const authenticator = new Authenticator('http://localhost');
      const made = await addPasskey(cookie, authenticator.create(await creationOptions(cookie)));
      assert.equal(made.status, 201, made.text);
      return { id, cookie, authenticator, made };
    }

    const signInBy = (passkey: Json, sent: Sent & { ticket?: string } = {}): Promise<Answer> => {
      const { ticket, ...rest } = sent;
      const body = { passkey, ...(ticket === undefined ? {} : { ticket }) };
      return send('POST', '/admin/session', { address: newAddress(), ...rest, body });
    };

    test('a passkey is added with the answer to fresh options, which no one else can use', async () => {
      const { id, cookie, authenticator, made } = await withPasskey('passkey@example.com', 3);
      const other = await signedIn('passkey2@example.com', 3);
      const { challenge, rp, user, authenticatorSelection, excludeCredentials, timeout } =
        await creationOptions(cookie);
      assert.deepEqual(
        [rp, user.name, timeout],
        [{ id: 'localhost', name: 'localhost' }, 'passkey@example.com', 300_000],
      );
      assert.deepEqual(
        [authenticatorSelection.residentKey, authenticatorSelection.userVerification],
        ['required', 'required'],
      );
      assert.deepEqual(
        excludeCredentials.map((each: Json) => [each.id, each.transports]),
        [[authenticator.id, ['internal']]],
      );
      const stored = service.statements.get('all challenges', () => sql`select * from ${sql.table('staff_challenge')}`);
      const rows = JSON.stringify(await service.database.query(stored, {}));
      assert.ok(rows.includes(hashOf(challenge)) && !rows.includes(challenge));
      const certificates = new Map<unknown, unknown>([
        ['alg', -7],
        ['sig', Buffer.from([1])],
        ['x5c', [Buffer.from([1])]],
      ]);
      const deviations: Deviation[] = [
        { origin: 'http://localhost:81' },
        { rpId: 'example.com' },
        { type: 'webauthn.get' },
        { isVerified: false },
        { attestation: ['packed', certificates] },
        { attestation: ['tpm', certificates] },
      ];
      for (const deviation of deviations) {
        const passkey = new Authenticator('http://localhost').create(await creationOptions(cookie), deviation);
        const rejected = await addPasskey(cookie, passkey);
        assert.deepEqual(
          [rejected.status, codes(rejected)],
          [422, [['passkey', 'conflict']]],
          JSON.stringify(deviation),
        );
      }
      const next = new Authenticator('http://localhost');
      const rejected = [
        await addPasskey(cookie, next.create(await creationOptions(other.cookie))),
        await addPasskey(cookie, next.create({ ...(await creationOptions(cookie)), challenge: 'AAAA' })),
        await addPasskey(cookie, authenticator.create(await creationOptions(cookie))),
        await addPasskey(cookie, {}),
        await addPasskey(cookie, { id: 1, response: { clientDataJSON: 'bm90IEpTT04' } }),
      ];
      for (const each of rejected) assert.deepEqual(codes(each), [['passkey', 'conflict']], each.text);
      const late = next.create(await creationOptions(cookie));
      now += 5 * MINUTE;
      assert.equal((await addPasskey(cookie, late)).status, 422, 'expired');
      for (const [body, path, code] of [
        [{ passkey: {} }, 'name', 'required'],
        [{ name: 'x' }, 'passkey', 'required'],
        [{ name: 'x', passkey: 'y' }, 'passkey', 'type'],
        [{ name: '', passkey: {} }, 'name', 'blank'],
        [{ name: 'x', passkey: {}, user_id: 1 }, 'user_id', 'unknown_field'],
      ] as const)
        assert.deepEqual(codes(await send('POST', PASSKEYS, { cookie, body })), [[path, code]]);
      const answer = next.create(await creationOptions(cookie));
      const both = await Promise.all(([0, 1] as const).map((at) => addPasskey(cookie, answer, 'Phone', at)));
      assert.deepEqual(both.map(({ status }) => status).sort(), [201, 422]);
      assert.deepEqual(Object.keys(made.json), ['id', 'name', 'created_at', 'last_used_at']);
      assert.deepEqual([made.json.name, made.json.last_used_at], ['Laptop', null]);
      const one = `${PASSKEYS}/${made.json.id}`;
      assert.equal(made.headers.location, `http://localhost${one}`);
      assert.deepEqual((await send('GET', one, { cookie })).json, made.json);
      const list = await send('GET', PASSKEYS, { cookie, at: 1 });
      assert.deepEqual(
        list.json.map((each: Json) => each.name),
        ['Laptop', 'Phone'],
      );
      assert.deepEqual((await send('GET', `/api/users/${id}`)).json.factors, ['passkey']);
      assert.deepEqual((await send('GET', PASSKEYS, { cookie: other.cookie })).json, []);
      assert.equal((await send('DELETE', one, { cookie: other.cookie })).status, 404);
      assert.equal((await send('GET', PASSKEYS)).status, 404, 'a key has no account');
    });

    test('a passkey alone signs in, once for each challenge, and not if anything about it is wrong', async () => {
      const { id, cookie, authenticator, made } = await withPasskey('alone@example.com', 3);
      const { authenticator: foreign } = await withPasskey('alone2@example.com', 3);
      const options = await passkeyOptions();
      assert.deepEqual([options.rpId, options.userVerification], ['localhost', 'required']);
      assert.equal(options.allowCredentials, undefined);
      now += 1;
      const answer = authenticator.get(options);
      const both = await Promise.all(([0, 1] as const).map((at) => signInBy(answer, { at })));
      assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401]);
      const whole = both.find(({ status }) => status === 200)!;
      assert.equal(whole.json.user.id, id);
      assert.equal((await send('GET', '/api/users/me', { cookie: cookieOf(whole), at: 1 })).json.id, id);
      const used = (await send('GET', `${PASSKEYS}/${made.json.id}`, { cookie })).json.last_used_at;
      assert.equal(Date.parse(used) / 1000, now);
      const confirming = await passkeyOptions({ cookie });
      const late = await passkeyOptions();
      now += 5 * MINUTE;
      const fresh = passkeyOptions;
      const handle = Buffer.from('someone else').toString('base64url');
      const valid = authenticator.get(await fresh());
      const wrong: [why: string, passkey: Json][] = [
        ['the challenge expired', authenticator.get(late)],
        ['a challenge for something else', authenticator.get(confirming)],
        ['a challenge of its own', authenticator.get({ ...late, challenge: 'AAAA' })],
        ['not verified', authenticator.get(await fresh(), { isVerified: false })],
        ['another origin', authenticator.get(await fresh(), { origin: 'http://localhost:81' })],
        ['another host', authenticator.get(await fresh(), { rpId: 'example.com' })],
        ['another type', authenticator.get(await fresh(), { type: 'webauthn.create' })],
        ['no user', authenticator.get(await fresh(), { userHandle: undefined })],
        ['another user', authenticator.get(await fresh(), { userHandle: handle })],
        ['a counter of before', authenticator.get(await fresh(), { counter: 1 })],
        ['an unknown passkey', new Authenticator('http://localhost').get(await fresh(), { userHandle: handle })],
        ['the id of another passkey', { ...foreign.get(await fresh()), id: authenticator.id, rawId: authenticator.id }],
        [
          'another signature',
          { ...valid, response: { ...valid.response, signature: foreign.get(late).response.signature } },
        ],
        ['no passkey', {}],
        ['a passkey in another form', { id: authenticator.id, response: 'x' }],
        ['an id that PostgreSQL cannot store', { ...authenticator.get(await fresh()), id: 'a\0' }],
      ];
      const rejected = await Promise.all(wrong.map(([, passkey]) => signInBy(passkey)));
      for (const [index, { status, json, headers }] of rejected.entries())
        assert.deepEqual(
          [status, json.detail, headers['set-cookie']],
          [401, rejected[0]!.json.detail, undefined],
          wrong[index]![0],
        );
      for (const [body, path, code] of [
        [{ passkey: 'x' }, 'passkey', 'type'],
        [{ passkey: {}, password: 'x' }, 'password', 'conflict'],
        [{ passkey: {}, email: 'x', password: 'x' }, 'passkey', 'conflict'],
        [{ ticket: 'x', passkey: {}, code: '1' }, 'passkey', 'conflict'],
      ] as const)
        assert.deepEqual(codes(await send('POST', '/admin/session', { body })), [[path, code]], JSON.stringify(body));
      const address = newAddress();
      await signInBy({ id: authenticator.id, response: {} }, { address });
      const [failed, ...others] = await entriesOf(`action=sign_in_failed&address=${address}`);
      assert.deepEqual([failed.record_id, failed.actor.id, others], [id, null, []]);
      authenticator.counter = 100;
      for (let each = 0; each < 10; each += 1) await signIn('alone@example.com', 'wrong', { address: newAddress() });
      const locked = await signIn('alone@example.com', PASSWORD, { address: newAddress() });
      assert.equal(locked.status, 429, locked.text);
      const despite = await signInBy(authenticator.get(await fresh()));
      assert.equal(despite.status, 200, 'passkeys are not affected by wrong passwords');
      const second = new Authenticator('http://localhost').create(await creationOptions(cookie));
      assert.equal((await addPasskey(cookie, second)).status, 201);
      const other = await send('GET', '/api/users/me', { cookie: cookieOf(despite) });
      assert.equal(other.status, 200, 'only the first second factor ends other sessions');
      const after = await signIn('alone@example.com', PASSWORD, { address: newAddress() });
      assert.deepEqual([after.status, after.json.factors], [202, ['passkey']], 'which resets the count');
      const pending = authenticator.get(await fresh());
      await send('PATCH', `/api/users/${id}`, { body: { status: 'disabled' } });
      const disabled = await signInBy(pending);
      assert.deepEqual([disabled.status, disabled.json.detail], [401, rejected[0]!.json.detail]);
      await send('DELETE', `/api/users/${id}`);
      const left = service.statements.get('all passkeys', () => sql`select user_id from ${sql.table('staff_passkey')}`);
      assert.ok(!(await service.database.query(left, {})).some(([owner]) => Number(owner) === id));
    });

    test('a user whose only factor is a passkey has recovery codes, which end with it', async () => {
      const email = 'lost-passkey@example.com';
      const { cookie, made } = await withPasskey(email, 3);
      const path = '/api/users/me/recovery_codes';
      const remaining = async () => (await send('GET', path, { cookie })).json.remaining;
      assert.equal(await remaining(), 0);
      const { status, json } = await send('POST', path, { cookie });
      assert.deepEqual([status, json.codes.length], [200, 10]);
      assert.equal((await useTicket(await ticketOf(email), json.codes[0])).status, 200);
      assert.equal((await useTicket(await ticketOf(email), json.codes[0])).status, 401, 'used');
      assert.equal(await remaining(), 9);
      await send('DELETE', `${PASSKEYS}/${made.json.id}`, { cookie });
      assert.equal(await remaining(), 0);
      assert.equal((await send('POST', path, { cookie })).status, 409);
    });

    test('a passkey is the second step after a password, and confirms a session', async () => {
      const { id, cookie, authenticator, made } = await withPasskey('second@example.com', 1);
      const { authenticator: foreign } = await withPasskey('second2@example.com', 3);
      const ticket = await ticketOf('second@example.com');
      const options = await passkeyOptions({ ticket });
      assert.deepEqual(
        [options.userVerification, options.allowCredentials.map((each: Json) => each.id)],
        ['preferred', [authenticator.id]],
      );
      assert.equal((await signInBy(authenticator.get(await passkeyOptions()), { ticket })).status, 401);
      assert.equal((await signInBy(foreign.get(await passkeyOptions({ ticket })), { ticket })).status, 401);
      assert.equal((await useTicket(ticket, '000000')).status, 401, 'there is no authenticator app');
      const answer = authenticator.get(options, { isVerified: false, userHandle: undefined });
      const both = await Promise.all(([0, 1] as const).map((at) => signInBy(answer, { at, ticket })));
      assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401]);
      const tried = await ticketOf('second@example.com');
      const address = newAddress();
      for (let each = 0; each < 5; each += 1)
        assert.equal((await signInBy({}, { ticket: tried, address })).status, 401);
      const [failed, ...others] = await entriesOf(`action=sign_in_failed&address=${address}`);
      assert.deepEqual([failed.record_id, failed.actor.id, others], [id, null, []]);
      const unknown = await send('POST', '/admin/session/passkey', { body: { ticket: tried } });
      assert.equal(unknown.status, 401, 'five passkeys were wrong');
      const invalid = await send('POST', '/admin/session/passkey', { body: { ticket: 5, more: 1 } });
      assert.deepEqual(codes(invalid), [
        ['ticket', 'type'],
        ['more', 'unknown_field'],
      ]);

      now += 15 * MINUTE + 1;
      for (const [method, path, body] of [
        ['POST', `${PASSKEYS}/options`, undefined],
        ['POST', PASSKEYS, { name: 'x', passkey: {} }],
        ['DELETE', `${PASSKEYS}/${made.json.id}`, undefined],
      ] as const)
        assert.match((await send(method, path, { cookie, body })).text, /\/reauthentication-required"/, path);
      const confirm = (passkey: Json) => send('POST', '/admin/session/confirm', { cookie, body: { passkey } });
      assert.equal((await confirm(authenticator.get(await passkeyOptions()))).status, 401);
      assert.equal((await confirm(foreign.get(await passkeyOptions({ cookie })))).status, 401);
      const unverified = authenticator.get(await passkeyOptions({ cookie }), { isVerified: false });
      assert.equal((await confirm(unverified)).status, 401);
      const confirmed = await confirm(authenticator.get(await passkeyOptions({ cookie })));
      assert.deepEqual(confirmed.json, (await send('GET', '/admin/session', { cookie })).json, confirmed.text);
      assert.equal((await send('POST', '/api/roles', { cookie, body: {} })).status, 422);
      const earlier = [await ticketOf('second@example.com')];
      const further = new Authenticator('http://localhost').create(await creationOptions(cookie));
      const added = await addPasskey(cookie, further);
      earlier.push(await ticketOf('second@example.com'));
      const { secret } = (await send('POST', '/api/users/me/totp', { cookie })).json;
      const app = await send('PUT', '/api/users/me/totp', { cookie, body: { code: codeAt(secret, now) } });
      assert.deepEqual([added.status, app.status], [201, 200]);
      for (const each of earlier) {
        const asked = await send('POST', '/admin/session/passkey', { body: { ticket: each } });
        assert.equal(asked.status, 401, 'a factor was added');
      }
      await send('DELETE', '/api/users/me/totp', { cookie });
      await send('DELETE', `${PASSKEYS}/${added.json.id}`, { cookie });
      const left = await ticketOf('second@example.com');
      const remove = (headers: Record<string, string>) =>
        send('DELETE', `${PASSKEYS}/${made.json.id}`, { cookie, headers });
      assert.equal((await remove({ 'if-match': made.headers.etag as string })).status, 412, 'it was used meanwhile');
      assert.equal((await remove({})).status, 204);
      assert.equal((await remove({})).status, 404);
      const of = await send('POST', '/admin/session/passkey', { body: { ticket: left } });
      assert.equal(of.status, 401, 'the factor has changed');
      const none = await send('POST', '/admin/session/confirm/passkey', { cookie });
      assert.equal(none.status, 409, none.text);
      assert.deepEqual(codes(await confirm({})), [['passkey', 'conflict']]);
      assert.equal((await signIn('second@example.com')).status, 200);
      const ofKey = cookieOf(await send('POST', '/admin/session', { body: { key: INJECT_KEY } }));
      assert.equal((await send('POST', '/admin/session/confirm/passkey', { cookie: ofKey })).status, 409);
      await send('DELETE', `/api/users/${id}`);
    });

    test('a user has 10 passkeys, and one of them is the second factor that a store requires', async () => {
      const { id, cookie } = await signedIn('ten@example.com', 3);
      const other = cookieOf(await signIn('ten@example.com'));
      assert.equal((await send('GET', '/api/tags', { cookie, at: 2 })).status, 403);
      const created = await Promise.all(
        Array.from({ length: 12 }, async () =>
          new Authenticator('http://localhost').create(await creationOptions(cookie)),
        ),
      );
      const added = await Promise.all(created.map((passkey) => addPasskey(cookie, passkey)));
      assert.deepEqual(
        [201, 409].map((status) => added.filter((each) => each.status === status).length),
        [10, 2],
      );
      assert.equal((await send('POST', `${PASSKEYS}/options`, { cookie })).status, 409);
      assert.equal((await send('GET', '/api/tags', { cookie, at: 2 })).status, 200);
      assert.equal((await send('GET', '/api/tags', { cookie: other })).status, 401, 'it began without a second factor');
      const ended = (await entriesOf(`path=/api/users/${id}`)).filter(({ action }) => action === 'sign_out');
      assert.deepEqual(
        ended.map(({ actor, changes }) => [actor.id, changes]),
        [[id, { count: 1 }]],
      );
    });

    test('of many challenges, the oldest of the same client ends', async () => {
      const { authenticator } = await withPasskey('oldest@example.com', 3);
      const oldest = await passkeyOptions();
      now += 1;
      const next = await passkeyOptions();
      now += 1;
      for (let each = 0; each < 19; each += 1) await passkeyOptions();
      assert.equal((await signInBy(authenticator.get(oldest))).status, 401);
      assert.equal((await signInBy(authenticator.get(next))).status, 200);
    });

    test('a store without BASE_URL or without the library has no passkeys', async () => {
      for (const [baseUrl, library, expected] of [
        ['https://shop.example:8443/store', undefined, { id: 'shop.example', origin: 'https://shop.example:8443' }],
        ['', undefined, undefined],
        ['http://127.0.0.1:8080', undefined, undefined],
        ['http://[::1]', undefined, undefined],
        ['https://shop.example', '@simplewebauthn/none', undefined],
      ] as const)
        assert.deepEqual(relyingParty(baseUrl, library), expected, baseUrl);
      const { cookie } = await withPasskey('off@example.com', 3);
      const on = servers[0]!;
      const admin = { sessions: new Sessions(service), folder: 'none', allowsPlainHttp: true };
      servers[0] = await serverOf(service, { FAILED_KEYS_PER_MINUTE: '0' }, undefined, admin);
      try {
        for (const [method, path] of [
          ['GET', PASSKEYS],
          ['POST', `${PASSKEYS}/options`],
          ['POST', PASSKEYS],
          ['DELETE', `${PASSKEYS}/1`],
          ['POST', '/admin/session/passkey'],
          ['POST', '/admin/session/confirm/passkey'],
        ] as const)
          assert.equal(
            (await send(method, path, { cookie, ...(path === PASSKEYS && method === 'POST' && { body: {} }) })).status,
            404,
            path,
          );
        for (const path of ['/admin/session', '/admin/session/confirm'])
          assert.ok(
            codes(await send('POST', path, { cookie, body: { passkey: {} } })).some(
              ([at, code]) => at === 'passkey' && code === 'unknown_field',
            ),
          );
      } finally {
        await servers[0].close();
        servers[0] = on;
      }
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
