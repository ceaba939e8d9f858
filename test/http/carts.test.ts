/** Carts of shoppers (storefront.md §5). */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { createSecrets } from '../../src/adapters/secrets/scrypt.ts';
import type { Service } from '../../src/engine/unit/service.ts';
import { expireCarts } from '../../src/store/carts/expiry.ts';
import { readConfig } from '../../src/wiring/config.ts';
import { openStore } from '../../src/wiring/open.ts';
import { databaseNames } from '../support/databases.ts';
import { INJECT_KEY, serverOf } from '../support/injected-server.ts';
import { changed, newKey, type OpenedStore, openedStore } from '../support/opened-store.ts';

// biome-ignore lint/suspicious/noExplicitAny: the shape of a response is what the tests check
type Json = any;

const ORIGIN = 'https://shop.example';
const PASSWORD = 'correct horse';
const DAY = 24 * 3600;
const SETTINGS = { LIMIT_WRITES: '0', LIMIT_COUPONS_CART: '3', LIMIT_COUPONS: '5' };
const FAST = { cost: 2 ** 10, blockSize: 8, parallelization: 1 };
const ADDRESS = { firstname: 'Ada', lastname: 'Lovelace', street: '1 Main St', city: 'Bonn', country_code: 'DE' };

for (const name of databaseNames)
  describe(`carts (${name})`, () => {
    let opened: OpenedStore;
    let service: Service;
    let server: FastifyInstance;
    let other: { readonly server: FastifyInstance; readonly close: () => Promise<void> };
    let key: string;
    let mug: number;
    let shirt: number;
    let large: number;
    let method: number;
    let offset = 0;
    let clients = 0;

    before(async () => {
      opened = await openedStore(name);
      const { clock } = opened.service;
      service = {
        ...opened.service,
        clock: { ...clock, now: () => Math.floor(Date.now() / 1000) + offset },
        secrets: createSecrets(FAST),
      };
      server = await serverOf(service, SETTINGS);
      const second = await openStore(readConfig({ DATABASE_URL: opened.url, IMAGES_URL: 'file:/tmp' }));
      other = { server: await serverOf(second.service, SETTINGS), close: second.close };
      key = await newKey(service, { name: 'Shop', kind: 'publishable', origins: [ORIGIN] } as never);
      const make = async (path: string, payload: Json): Promise<number> => {
        const headers = { 'x-auth-token': INJECT_KEY };
        const response = await server.inject({ method: 'POST', url: `/api${path}`, headers, payload });
        assert.equal(response.statusCode, 201, response.body);
        return response.json().id;
      };
      mug = await make('/products', { sku: 'MUG', name: 'Mug', price: 10, inventory_traceable: true, amount: 5 });
      shirt = await make('/products', { sku: 'SHIRT', name: 'Shirt', price: 20 });
      const size = await make('/attributes_select', { name: 'Size' });
      const option_id = await make(`/attributes_select/${size}/options`, { value: 'L' });
      const value_id = await make(`/products/${shirt}/attributes_select/${size}/values`, { option_id });
      large = await make(`/products/${shirt}/variants`, {
        sku: 'SHIRT-L',
        attribute_select_values: [value_id],
        amount: 50,
      });
      await make('/coupons', { code: 'TEN10', type: '%', value: 10, enabled: true });
      method = await make('/shipping_methods', { name: 'Post' });
      const germany = await make('/zones', { name: 'Germany', elements: [{ countries: ['DE'] }] });
      await make(`/shipping_methods/${method}/rates`, { zone_id: germany, markup_flat: 4.9 });
    });
    after(async () => {
      await Promise.all([server.close(), other.server.close()]);
      await other.close();
      await opened.remove();
    });

    interface Sending {
      readonly at?: FastifyInstance;
      readonly address?: string;
      readonly headers?: Record<string, string>;
    }

    async function shop(method: string, path: string, body?: Json, sending: Sending = {}) {
      clients += 1;
      const { at = server, address = `198.51.100.${clients % 250}`, headers = {} } = sending;
      const response = await at.inject({
        ...{ method: method as 'GET', url: `/storefront${path}`, remoteAddress: address },
        headers: { 'x-auth-token': key, ...(body && { 'content-type': 'application/json' }), ...headers },
        ...(body && { payload: JSON.stringify(body) }),
      });
      const json: Json = JSON.parse(response.body || 'null');
      return { status: response.statusCode, json, text: response.body, headers: response.headers };
    }
    type Sent = ReturnType<typeof shop>;
    const expectStatus = async (sent: Sent, status: number): Promise<Json> => {
      const response = await sent;
      assert.equal(response.status, status, response.text);
      return response.json;
    };
    const violates = async (sent: Sent, ...expected: [path: string, code: string][]): Promise<void> => {
      const { violations } = await expectStatus(sent, 422);
      assert.deepEqual(
        violations.map(({ propertyPath, code }: Json) => [propertyPath, code]),
        expected,
      );
    };
    const kept = async (): Promise<string> => {
      const statement = service.statements.get('test kept', () => sql`select * from ${sql.table('kept_answer')}`);
      return JSON.stringify(await service.database.query(statement, {}));
    };
    const cartWith = async (body: Json = { lines: [{ product_id: mug, amount: 2 }] }): Promise<Json> =>
      expectStatus(shop('POST', '/carts', body), 201);
    const back = async (path: string): Promise<Json> =>
      (await server.inject({ url: `/api${path}`, headers: { 'x-auth-token': INJECT_KEY } })).json();

    test('are created, read, changed and deleted by their token', async () => {
      const cart = await cartWith({ email: 'ada@example.com', lines: [{ sku: 'MUG', amount: 2 }] });
      const { token, ...shown } = cart;
      assert.match(token, /^pv_ct_[\w-]{43}$/);
      const line = {
        id: 1,
        product_id: mug,
        variant: null,
        sku: 'MUG',
        name: 'Mug',
        options: [],
        amount: 2,
        price: 10,
      };
      assert.deepEqual(shown.lines, [{ ...line, discounted_subtotal: 20, available: 5 }]);
      assert.deepEqual([shown.total, shown.notes, shown.shipping, shown.changes], [20, '', null, []]);
      const path = `/carts/${token}`;
      const read = await shop('GET', path);
      assert.deepEqual(read.json, shown);
      assert.match(String(read.headers.etag), /^"1-f\.[\w-]+"$/);
      assert.equal(read.headers['cache-control'], 'private, no-store');
      const unchanged = { headers: { 'if-none-match': String(read.headers.etag) } };
      assert.equal((await shop('GET', path, undefined, unchanged)).status, 304);
      const sent = { notes: 'Ring', shipping_address: { city: 'Bonn' }, payment_method: null };
      const patched = await expectStatus(shop('PATCH', path, sent), 200);
      assert.deepEqual(
        [patched.notes, patched.email, patched.shipping_address.city],
        ['Ring', 'ada@example.com', 'Bonn'],
      );
      const more = await expectStatus(shop('PATCH', path, { shipping_address: { country_code: 'DE' } }), 200);
      assert.deepEqual([more.shipping_address.city, more.shipping_address.country_code], ['Bonn', 'DE']);
      assert.equal((await expectStatus(shop('PATCH', path, { shipping_address: null }), 200)).shipping_address, null);
      assert.deepEqual(await expectStatus(shop('GET', `${path}/payment_methods`), 200), []);
      await expectStatus(shop('DELETE', path), 204);
      await expectStatus(shop('GET', path), 404);
      await expectStatus(shop('GET', '/carts/mine'), 401);
      await expectStatus(shop('POST', `${path}/lines`, { sku: 'MUG', amount: 1 }), 404);
    });

    test('reject fields, products, methods and conditions that do not exist', async () => {
      const { token } = await cartWith();
      const path = `/carts/${token}`;
      await violates(shop('PATCH', path, { email: 'x', lines: [] }), ['email', 'format'], ['lines', 'unknown_field']);
      await violates(shop('PATCH', path, { shipping: { method_id: 999 } }), ['shipping.method_id', 'unknown_link']);
      await violates(shop('PATCH', path, { payment_method: 1 }), ['payment_method', 'unknown_link']);
      await violates(shop('PATCH', path, { shipping: { method_id: method, quote: 'x' } }), [
        'shipping.quote',
        'format',
      ]);
      await violates(shop('POST', `${path}/lines`, { amount: 0 }), ['amount', 'range']);
      await violates(
        shop('POST', `${path}/lines`, [
          { product_id: mug, amount: 1 },
          { product_id: 999, amount: 1 },
        ]),
        ['[1].product_id', 'unknown_link'],
      );
      await violates(shop('POST', '/carts', { lines: [{ sku: 'MUG', amount: 1001 }] }), ['lines[0].amount', 'range']);
      await violates(shop('POST', `${path}/lines`, { product_id: mug, amount: 999 }), ['amount', 'range']);
      assert.equal((await expectStatus(shop('GET', path), 200)).lines[0].amount, 2);
      await expectStatus(shop('POST', `${path}/lines`, 'x'), 400);
      await expectStatus(shop('POST', '/carts', {}, { headers: { 'if-match': '*' } }), 400);
      await expectStatus(shop('PATCH', `${path}/lines/9`, { amount: 1 }), 404);
      await expectStatus(shop('GET', path, undefined, { headers: { origin: 'https://evil.example' } }), 403);
    });

    test('combine equal lines, and never reuse the id of a line', async () => {
      const { token } = await cartWith();
      const path = `/carts/${token}/lines`;
      const added = await expectStatus(
        shop('POST', path, [
          { variant: large, amount: 1 },
          { sku: 'MUG', amount: 1 },
          { sku: 'SHIRT-L', amount: 2 },
        ]),
        200,
      );
      const amounts = ({ lines }: Json) => lines.map(({ id, sku, amount }: Json) => [id, sku, amount]);
      assert.deepEqual(amounts(added), [
        [1, 'MUG', 3],
        [2, 'SHIRT-L', 3],
      ]);
      assert.deepEqual(amounts(await expectStatus(shop('DELETE', `${path}/2`), 200)), [[1, 'MUG', 3]]);
      const again = await expectStatus(shop('POST', path, { variant: large, amount: 1 }), 200);
      assert.deepEqual(amounts(again)[1], [3, 'SHIRT-L', 1]);
      assert.equal((await expectStatus(shop('PATCH', `${path}/3`, { amount: 7 }), 200)).lines[1].amount, 7);
      const beyond = await expectStatus(shop('PATCH', `${path}/1`, { amount: 6 }), 200);
      const [problem] = beyond.problems;
      assert.deepEqual(
        [problem.path, problem.code, problem.data],
        ['lines[0].amount', 'insufficient-stock', { available: 5 }],
      );
    });

    test('report changed prices until the write after next', async () => {
      const { token } = await cartWith({ lines: [{ sku: 'SHIRT-L', amount: 1 }] });
      const path = `/carts/${token}`;
      await changed(service, 'Product', shirt, { price: 25 });
      const change = [{ line_id: 1, field: 'price', was: 20, now: 25 }];
      for (const _ of [1, 2]) assert.deepEqual((await expectStatus(shop('GET', path), 200)).changes, change);
      assert.deepEqual((await expectStatus(shop('PATCH', path, { notes: 'x' }), 200)).changes, change);
      assert.deepEqual((await expectStatus(shop('GET', path), 200)).changes, []);
      await changed(service, 'Product', shirt, { price: 20 });
      const mugs = await cartWith({ lines: [{ sku: 'MUG', amount: 1 }] });
      const [{ product_id: mug }] = mugs.lines;
      await changed(service, 'Product', mug, { sku: 'CUP' });
      const renamed = await expectStatus(shop('GET', `/carts/${mugs.token}`), 200);
      assert.deepEqual([renamed.lines[0].sku, renamed.problems], ['CUP', []]);
      await changed(service, 'Product', mug, { sku: 'MUG' });
      const [{ name }] = (await expectStatus(shop('GET', path), 200)).lines;
      await changed(service, 'Product', shirt, { enabled: false });
      const hidden = await expectStatus(shop('GET', path), 200);
      assert.deepEqual([hidden.lines[0].name, hidden.problems[0].code], [name, 'unavailable']);
      await changed(service, 'Product', shirt, { enabled: true });
    });

    test('take coupons, and limit unknown codes of a cart and of an address', async () => {
      const { token } = await cartWith();
      const path = `/carts/${token}/coupons`;
      const used = await expectStatus(shop('POST', path, { code: 'ten10' }), 200);
      assert.deepEqual([used.coupons, used.total], [['TEN10'], 18]);
      assert.deepEqual((await expectStatus(shop('POST', path, { code: 'TEN10' }), 200)).coupons, ['TEN10']);
      assert.deepEqual((await expectStatus(shop('DELETE', `${path}/Ten10`), 200)).coupons, []);
      await expectStatus(shop('DELETE', `${path}/TEN10`), 404);
      for (const code of ['A', 'B', 'C']) await violates(shop('POST', path, { code }), ['code', 'unknown_link']);
      const beyond = await shop('POST', path, { code: 'TEN10' });
      assert.equal(beyond.status, 429);
      assert.ok(Number(beyond.headers['retry-after']) > 3500);
      const from = { address: '203.0.113.1' };
      const guesses = shop('POST', '/carts', { coupons: ['A', 'TEN10', 'B', 'C', 'D'] }, from);
      await violates(
        guesses,
        ['coupons[0]', 'unknown_link'],
        ['coupons[2]', 'unknown_link'],
        ['coupons[3]', 'unknown_link'],
        ['coupons[4]', 'unknown_link'],
      );
      await expectStatus(shop('POST', '/carts', { coupons: ['TEN10', 'E'] }, { ...from, at: other.server }), 429);
      await expectStatus(shop('POST', '/carts', { coupons: ['TEN10'] }, from), 201);
    });

    test('are limited for one address on all servers', async () => {
      const create = (at: FastifyInstance) => shop('POST', '/carts', {}, { at, address: '203.0.113.2' });
      const statuses = await Promise.all(
        Array.from({ length: 64 }, (_, index) => create(index % 2 ? server : other.server)),
      );
      const count = (wanted: number) => statuses.filter(({ status }) => status === wanted).length;
      assert.deepEqual([count(201), count(429)], [60, 4]);
    });

    test('lose no write of concurrent clients on two servers', async () => {
      const { token } = await cartWith();
      const path = `/carts/${token}`;
      const adds = Array.from({ length: 12 }, (_, index) =>
        shop('POST', `${path}/lines`, { sku: 'MUG', amount: 1 }, { at: index % 2 ? server : other.server }),
      );
      for (const sent of adds) await expectStatus(sent, 200);
      const read = await shop('GET', path);
      assert.equal(read.json.lines[0].amount, 14);
      assert.match(String(read.headers.etag), /^"13-/);
      const headers = { 'if-match': String(read.headers.etag) };
      await changed(service, 'Product', mug, { price: 11 });
      const raced = await Promise.all(
        [1, 2].map((amount, index) =>
          shop('PATCH', `${path}/lines/1`, { amount }, { headers, at: index ? server : other.server }),
        ),
      );
      assert.deepEqual(raced.map(({ status }) => status).sort(), [200, 412]);
      const lost = raced.find(({ status }) => status === 412)!;
      assert.equal(lost.headers.etag, (await shop('GET', path)).headers.etag);
      await changed(service, 'Product', mug, { price: 10 });
      await expectStatus(shop('DELETE', path, undefined, { headers }), 412);
    });

    test('add lines once for an Idempotency-Key of the cart', async () => {
      const [one, two] = [await cartWith(), await cartWith()];
      const headers = { 'idempotency-key': 'retry-1' };
      const add = ({ token }: Json, at = server) =>
        shop('POST', `/carts/${token}/lines`, { sku: 'MUG', amount: 1 }, { headers, at });
      const [first, second] = await Promise.all([add(one), add(one, other.server)]);
      assert.deepEqual([first.status, second.status, first.json.lines[0].amount], [200, 200, 3]);
      assert.deepEqual(first.json, second.json);
      assert.equal(first.headers.etag, second.headers.etag);
      assert.equal((await add(two)).json.lines[0].amount, 3);
      await expectStatus(shop('POST', `/carts/${one.token}/lines`, { sku: 'MUG', amount: 2 }, { headers }), 422);
      const response = `{\\"id\\":${two.id},`;
      assert.ok((await kept()).includes(response) && !(await kept()).includes('pv_ct_'));
      await expectStatus(shop('DELETE', `/carts/${two.token}`), 204);
      assert.ok(!(await kept()).includes(response));
    });

    test('expire, and are deleted later', async () => {
      const [{ token, id }, empty] = [await cartWith(), await cartWith({ email: 'empty@example.com' })];
      const headers = { 'idempotency-key': 'emptied' };
      await expectStatus(shop('POST', `/carts/${empty.token}/lines`, { sku: 'MUG', amount: 1 }, { headers }), 200);
      await expectStatus(shop('DELETE', `/carts/${empty.token}/lines/1`), 200);
      offset = 2 * DAY;
      await expectStatus(shop('GET', `/carts/${empty.token}`), 404);
      await expectStatus(shop('PATCH', `/carts/${token}`, { notes: 'still here' }), 200);
      offset = 31 * DAY;
      await expectStatus(shop('GET', `/carts/${token}`), 200);
      offset = 33 * DAY;
      const gone = await expectStatus(shop('PATCH', `/carts/${token}`, { notes: 'late' }), 410);
      assert.match(gone.type, /\/cart-gone$/);
      await expireCarts(service);
      assert.equal((await back(`/carts/${id}`)).state, 'expired');
      assert.equal((await back(`/carts/${empty.id}`)).status, 404);
      assert.ok(!(await kept()).includes('empty@example.com'));
      offset = 63 * DAY;
      await expireCarts(service);
      await expectStatus(shop('GET', `/carts/${token}`), 404);
      offset = 0;
    });

    test('have a calculated shipping charge, and the totals of an order', async () => {
      const { token } = await cartWith({ lines: [{ sku: 'MUG', amount: 2 }], shipping_address: ADDRESS });
      const options = await expectStatus(shop('GET', `/carts/${token}/shipping_options`), 200);
      const cost = { method_id: method, service: null, name: 'Post', delivery_time: '', cost: 4.9, quote: null };
      assert.deepEqual(options, [cost]);
      const chosen = await expectStatus(shop('PATCH', `/carts/${token}`, { shipping: { method_id: method } }), 200);
      assert.deepEqual(
        [chosen.shipping, chosen.sub_total, chosen.total],
        [{ method_id: method, quote: null }, 20, 24.9],
      );
      assert.equal(chosen.is_final, true);
    });

    test('are shown in the back office and to the person, without their tokens', async () => {
      const email = 'grace@example.com';
      const { token, id } = await cartWith({ email, lines: [{ sku: 'MUG', amount: 2 }] });
      const [listed] = await back(`/carts?email=${email}&state=open`);
      const line = {
        id: 1,
        product_id: mug,
        variant: null,
        sku: 'MUG',
        name: 'Mug',
        options: [],
        amount: 2,
        price: 10,
      };
      assert.deepEqual([listed.id, listed.lines, listed.total, listed.customer_id], [id, [line], 20, null]);
      const changes = JSON.stringify([await back('/changes'), await back('/audit')]);
      assert.ok(!changes.includes('/carts/'));
      const privacy = (action: string) =>
        server.inject({
          ...{ method: 'POST', url: `/api/privacy/${action}`, headers: { 'x-auth-token': INJECT_KEY } },
          payload: { email },
        });
      const { records } = (await privacy('export')).json();
      assert.deepEqual(
        records.map(({ path }: Json) => path),
        [`/api/carts/${id}`],
      );
      const erased = (await privacy('erase')).json();
      assert.deepEqual(
        erased.erased.map(({ resource }: Json) => resource),
        ['cart'],
      );
      await expectStatus(shop('GET', `/carts/${token}`), 404);
      assert.equal((await back(`/carts/${id}`)).status, 404);
    });

    /** Creates a customer. @returns functions that send requests with a session */
    const customer = async (login: string, more: Json = {}) => {
      const headers = { 'x-auth-token': INJECT_KEY };
      const payload = { login, password: PASSWORD, ...more };
      const made = await server.inject({ method: 'POST', url: '/api/profiles', headers, payload });
      const logIn = (body: Json = {}) =>
        expectStatus(shop('POST', '/session', { login, password: PASSWORD, ...body }), 200);
      const { token } = await logIn();
      const own = (sent: string, path: string, body?: Json, at = server) =>
        shop(sent, path, body, { headers: { authorization: `Bearer ${token}` }, at });
      return { id: made.json().id as number, logIn, own };
    };

    test('belong to a customer, who has one open cart and needs the session', async () => {
      const { own, id, logIn } = await customer('ada@example.com');
      await expectStatus(own('GET', '/carts/mine'), 404);
      const created = await Promise.all(
        [1, 2, 3].map((amount) =>
          own('POST', '/carts', { lines: [{ sku: 'MUG', amount }] }, amount === 2 ? server : other.server),
        ),
      );
      assert.deepEqual(created.map(({ status }) => status).sort(), [200, 200, 201]);
      const { token } = created.find(({ status }) => status === 201)!.json;
      assert.ok(created.every(({ status, json }) => status === 201 || json.token === undefined));
      const mine = await expectStatus(own('GET', '/carts/mine'), 200);
      assert.deepEqual([mine.lines[0].amount, mine.email], [6, 'ada@example.com']);
      assert.deepEqual(await expectStatus(own('GET', `/carts/${token}`), 200), mine);
      assert.equal((await back(`/carts/${mine.id}`)).customer_id, id);
      await expectStatus(shop('GET', `/carts/${token}`), 401);
      await expectStatus(shop('GET', '/carts/mine'), 401);
      await expectStatus(shop('PATCH', `/carts/${token}`, { notes: 'x' }), 401);
      const bob = await customer('bob@example.com');
      await expectStatus(bob.own('DELETE', `/carts/${token}`), 404);
      await expectStatus(bob.own('POST', `/carts/${token}/assign`), 404);
      const { cart } = await logIn();
      assert.deepEqual(cart, mine);
      const cookie = { cookie: '__Host-pv-shop=pv_cs_ended', origin: ORIGIN };
      await expectStatus(shop('POST', '/carts', {}, { headers: cookie }), 201);
      await expectStatus(shop('POST', '/carts', {}, { headers: { authorization: 'Bearer pv_cs_ended' } }), 401);
      await expectStatus(own('PATCH', '/carts/mine/lines/1', { amount: 1 }), 200);
      await expectStatus(own('DELETE', '/carts/mine'), 204);
      await expectStatus(own('GET', '/carts/mine'), 404);
    });

    test('of guests become those of customers, or are merged', async () => {
      const { own, logIn } = await customer('eve@example.com');
      const guest = await cartWith({ lines: [{ sku: 'MUG', amount: 2 }], coupons: ['TEN10'], notes: 'Ring' });
      const assigned = await expectStatus(own('POST', `/carts/${guest.token}/assign`), 200);
      assert.deepEqual([assigned.id, assigned.email, assigned.notes], [guest.id, 'eve@example.com', 'Ring']);
      await expectStatus(shop('GET', `/carts/${guest.token}`), 401);
      const body = {
        lines: [
          { sku: 'SHIRT-L', amount: 1 },
          { sku: 'MUG', amount: 3 },
        ],
        shipping_address: ADDRESS,
        notes: 'No',
      };
      const second = await cartWith(body);
      const { cart } = await logIn({ cart: second.token });
      const lines = cart.lines.map(({ id, sku, amount }: Json) => [id, sku, amount]);
      assert.deepEqual(lines, [
        [1, 'MUG', 3],
        [2, 'SHIRT-L', 1],
      ]);
      assert.deepEqual(
        [cart.id, cart.notes, cart.coupons, cart.shipping_address.city],
        [guest.id, 'Ring', ['TEN10'], 'Bonn'],
      );
      assert.match((await expectStatus(own('GET', `/carts/${second.token}`), 410)).type, /\/cart-gone$/);
      await expectStatus(shop('GET', `/carts/${second.token}`), 401);
      assert.equal((await expectStatus(own('POST', `/carts/${second.token}/assign`), 200)).lines[0].amount, 3);
      assert.equal((await logIn({ cart: second.token })).cart.lines[0].amount, 3);
      assert.equal((await logIn({ cart: 'pv_ct_unknown' })).cart, null);
      const emptied = await back(`/carts/${second.id}`);
      assert.deepEqual([emptied.state, emptied.lines, emptied.shipping_address], ['merged', [], null]);
      await expectStatus(shop('POST', `/carts/${guest.token}/assign`), 401);
    });

    test('of one customer are merged once by concurrent requests', async () => {
      const { own } = await customer('kim@example.com');
      const guests = await Promise.all([1, 2, 3, 4].map((amount) => cartWith({ lines: [{ sku: 'MUG', amount }] })));
      const sent = guests.map(({ token }, index) =>
        own('POST', `/carts/${token}/assign`, undefined, index % 2 ? server : other.server),
      );
      for (const each of sent) await expectStatus(each, 200);
      const { lines } = await expectStatus(own('GET', '/carts/mine'), 200);
      assert.deepEqual(
        lines.map(({ amount }: Json) => amount),
        [4],
      );
    });

    test('of a customer are exported and erased with the customer', async () => {
      const { own, id } = await customer('zoe@example.com');
      const { token } = await expectStatus(own('POST', '/carts', { lines: [{ sku: 'MUG', amount: 1 }] }), 201);
      const { records } = await expectStatus(own('GET', '/me/export'), 200);
      const { record } = records.find(({ resource }: Json) => resource === 'cart');
      assert.deepEqual([record.email, record.lines[0].sku], ['zoe@example.com', 'MUG']);
      await expectStatus(own('DELETE', '/me', { current: PASSWORD }), 204);
      await expectStatus(shop('GET', `/carts/${token}`), 404);
      assert.deepEqual(await back(`/carts?customer_id=${id}`), []);
    });
  });
