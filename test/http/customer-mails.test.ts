/** Mails to customers and the one-time tokens in them (storefront.md §3, mail.md). */
import assert from 'node:assert/strict';
import { after, before, describe, mock, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { createSecrets } from '../../src/adapters/secrets/scrypt.ts';
import type { Service } from '../../src/engine/unit/service.ts';
import { scrubErasures } from '../../src/store/erase-data-subject.ts';
import { startMailDelivery } from '../../src/store/mails/delivery.ts';
import type { MailMessage } from '../../src/store/mails/transport.ts';
import { forgetOneTimeTokens } from '../../src/store/shoppers/one-time-tokens.ts';
import { databaseNames } from '../support/databases.ts';
import { INJECT_KEY, serverOf } from '../support/injected-server.ts';
import {
  changed,
  made,
  newKey,
  type OpenedStore,
  openedStore,
  recordingStatements,
  removed,
} from '../support/opened-store.ts';

// biome-ignore lint/suspicious/noExplicitAny: the shape of a response is what the tests check
type Json = any;

const SHOP_URL = 'https://shop.example/de';
const PASSWORD = 'correct horse';
const MAIL = { limits: { to: 5, from: 20 }, storeName: 'Mug Shop' };
const FAST = { cost: 2 ** 10, blockSize: 8, parallelization: 1 };

for (const name of databaseNames)
  describe(`mails to customers (${name})`, () => {
    let opened: OpenedStore;
    let service: Service;
    let server: FastifyInstance;
    let key: string;
    let offset = 0;
    let clients = 0;
    const logged: string[] = [];
    const log = { info: () => {}, warn: (details: object) => void logged.push(JSON.stringify(details)) };
    const logStream = { write: (line: string) => void logged.push(line) };
    const settings = { LOG_LEVEL: 'trace', FAILED_LOGINS_PER_MINUTE: '0' };

    before(async () => {
      opened = await openedStore(name);
      const { environment, clock } = opened.service;
      service = {
        ...opened.service,
        environment: { ...environment, settings: { ...environment.settings, shop_url: SHOP_URL } },
        clock: { ...clock, now: () => Math.floor(Date.now() / 1000) + offset },
        secrets: createSecrets(FAST),
      };
      server = await serverOf(service, settings, undefined, undefined, { logStream, logRequests: true, mail: MAIL });
      key = await newKey(service, { name: 'Shop', kind: 'publishable', origins: ['https://shop.example'] } as never);
    });
    after(async () => {
      await server.close();
      await opened.remove();
    });

    interface Sending {
      readonly at?: FastifyInstance;
      readonly address?: string;
      readonly session?: string;
    }

    function nextAddress(): string {
      clients += 1;
      return `198.51.100.${clients % 250}`;
    }

    /** Each request has another client address, unless it names one. */
    async function shop(method: string, path: string, body?: Json, sending: Sending = {}) {
      const { at = server, address = nextAddress(), session } = sending;
      const response = await at.inject({
        ...{ method: method as 'GET', url: `/storefront${path}`, remoteAddress: address },
        headers: {
          'x-auth-token': key,
          'accept-language': 'de',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(session === undefined ? {} : { authorization: `Bearer ${session}` }),
        },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      });
      const json: Json = JSON.parse(response.body || 'null');
      return { status: response.statusCode, json, text: response.body, headers: response.headers };
    }

    const expectStatus = async (sent: ReturnType<typeof shop>, status: number): Promise<Json> => {
      const response = await sent;
      assert.equal(response.status, status, response.text);
      return response.json;
    };
    const accepted = async (sent: ReturnType<typeof shop>): Promise<void> =>
      assert.deepEqual(await expectStatus(sent, 202), {});
    const rejected = async (sent: ReturnType<typeof shop>): Promise<void> =>
      assert.match((await expectStatus(sent, 410)).type, /\/token-invalid$/);

    const register = (login: string, more: Json = {}, sending: Sending = {}) =>
      shop('POST', '/account', { login, password: PASSWORD, ...more }, sending);
    const verify = (token: string, more: Json = {}) => shop('POST', '/account/verify', { token, ...more });
    const forgotten = (login: string) => shop('POST', '/password/reset', { login });
    const choose = (token: string, password = 'another horse') => shop('PUT', '/password', { token, password });
    const logIn = (login: string, password = PASSWORD) => shop('POST', '/session', { login, password });
    const me = (session: string) => shop('GET', '/me', undefined, { session });

    async function rows(table: string): Promise<Json[]> {
      const statement = service.statements.get(`test ${table}`, () => sql`select * from ${sql.table(table)}`);
      return (await service.database.query(statement, {})) as Json[];
    }

    /**
     * Sends all queued mails.
     * @param failures attempts that fail first, although their mail arrives
     * @param during runs during the first attempt, after the mail has arrived
     */
    async function deliver(failures = 0, during?: (message: MailMessage) => Promise<unknown>): Promise<MailMessage[]> {
      const received: MailMessage[] = [];
      const send = async (message: MailMessage) => {
        const count = received.push(message);
        if (count === 1) await during?.(message);
        return count <= failures ? { failure: 'not sure' } : undefined;
      };
      const transport = { domain: 'mail.example', send, close: async () => {} };
      const stop = startMailDelivery(service, transport, log, {
        isOnlyProcess: true,
        waits: [0],
        storeName: 'Mug Shop',
      });
      const queued = service.statements.get('test queued', () => sql`select 1 from mail where status = 'queued'`);
      for (let round = 0; (await service.database.query(queued, {})).length > 0; round += 1) {
        assert.ok(round < 800, 'the mails are not sent');
        await sleep(25);
      }
      await stop();
      // Several mails are sent at a time.
      return received.sort((one, other) => one.template.localeCompare(other.template));
    }

    const tokenIn = ({ text }: MailMessage): string => /#token=(\S+)/.exec(text)![1]!;

    async function customer(login: string, more: Json = {}): Promise<number> {
      return Number((await made(service, 'Profile', { login, password: PASSWORD, ...more })).target.id);
    }

    async function mailedToken(sent: ReturnType<typeof shop>): Promise<string> {
      await accepted(sent);
      return tokenIn((await deliver())[0]!);
    }

    test('an account exists once its address is verified, with the password of the registration', async () => {
      await accepted(register('ada@example.com', { language: 'fr' }));
      assert.deepEqual(await rows('profile'), []);
      const mails = await deliver(1);
      assert.equal(mails.length, 2);
      assert.equal(mails[0]!.messageId, mails[1]!.messageId);
      const [first, second] = mails.map(tokenIn) as [string, string];
      assert.notEqual(first, second);
      const [{ template, language, to, text, html, subject }] = mails as [MailMessage];
      assert.deepEqual([template, language, to], ['verify', 'fr', 'ada@example.com']);
      assert.match(subject, /Mug Shop/);
      assert.ok(text.includes(`${SHOP_URL}/verify#token=pv_ot_`) && html.includes('ada@example.com'));
      await expectStatus(verify(first, { transport: 'pigeon' }), 422);
      await rejected(choose(first));
      const begun = await expectStatus(verify(first), 200);
      assert.deepEqual([begun.profile.login, begun.profile.language, begun.cart], ['ada@example.com', 'fr', null]);
      assert.ok(begun.profile.email_verified_at);
      assert.deepEqual(await expectStatus(me(begun.token), 200), begun.profile);
      await expectStatus(logIn('ada@example.com'), 200);
      for (const token of [first, second, 'pv_ot_x', `${second}x`]) await rejected(verify(token));
      // The same login in another spelling, also in a mail whose token has expired.
      await mailedToken(register('EVE@example.com'));
      offset += 24 * 3600;
      await forgetOneTimeTokens(service);
      const token = await mailedToken(register('Eve@example.com'));
      const other = await mailedToken(register('eve@example.com'));
      const eve = await expectStatus(verify(token), 200);
      await expectStatus(shop('DELETE', '/me', { current: PASSWORD }, { session: eve.token }), 204);
      await rejected(verify(other));
      assert.ok(
        !JSON.stringify(await rows('mail'))
          .toLowerCase()
          .includes('eve@'),
      );
      const everything = JSON.stringify([await rows('mail'), await rows('one_time_token'), await rows('audit_entry')]);
      for (const secret of [first, second, 'scrypt']) assert.ok(!everything.includes(secret), `${secret} is stored`);
    });

    test('a registration for an existing login is only mailed to its owner; later tokens of a taken login are invalid', async () => {
      await customer('bob@example.com', { language: 'en' });
      await accepted(register('BOB@example.com'));
      const [mail, ...others] = await deliver();
      assert.deepEqual(
        [mail!.template, mail!.to, mail!.language, others],
        ['account_exists', 'bob@example.com', 'en', []],
      );
      assert.doesNotMatch(mail!.text, /token/);
      const token = await mailedToken(register('carl@example.com'));
      const other = await mailedToken(register('carl@example.com', { password: 'the second one' }));
      await customer('Carl@example.com');
      await rejected(verify(token));
      await rejected(verify(other));
      await forgetOneTimeTokens(service);
      assert.ok(JSON.stringify(await rows('mail')).includes('scrypt'), 'the tokens have not expired');
      offset += 24 * 3600;
      await forgetOneTimeTokens(service);
      assert.deepEqual(await rows('one_time_token'), []);
      assert.ok(!JSON.stringify(await rows('mail')).includes('scrypt'));
    });

    test('a forgotten password is replaced once, which ends all sessions and other tokens', async () => {
      const login = 'dora@example.com';
      const id = await customer(login, { force_change_password: true });
      const { token: session } = await expectStatus(logIn(login), 200);
      await accepted(forgotten('nobody@example.com'));
      assert.deepEqual(await deliver(), []);
      const first = await mailedToken(forgotten(login));
      const second = await mailedToken(forgotten('Dora@Example.com'));
      await expectStatus(choose(second, 'short'), 422);
      await rejected(verify(second));
      await expectStatus(choose(second), 204);
      await expectStatus(me(session), 401);
      await expectStatus(logIn(login), 422);
      const begun = await expectStatus(logIn(login, 'another horse'), 200);
      assert.ok((await expectStatus(me(begun.token), 200)).email_verified_at);
      await rejected(choose(first));
      await rejected(choose(second));
      const late = await mailedToken(forgotten(login));
      offset += 3601;
      await rejected(choose(late));
      for (const body of [{ password: 'a third horse' }, { login: 'dora@example.org' }, { status: 'D' }]) {
        const token = await mailedToken(forgotten(login));
        await changed(service, 'Profile', id, body);
        await changed(service, 'Profile', id, { login, status: 'E' });
        await rejected(choose(token));
        offset += 3601;
      }
    });

    test('mails that arrived although an attempt failed are not sent again after their use or a change of the customer', async () => {
      const login = 'dana@example.com';
      const id = await customer(login);
      const changePassword = () => changed(service, 'Profile', id, { password: PASSWORD });
      const use = (sent: MailMessage) => expectStatus(choose(tokenIn(sent)), 204);
      await accepted(forgotten(login));
      const [mail, ...others] = await deliver(1, changePassword);
      assert.deepEqual(others, []);
      await rejected(choose(tokenIn(mail!)));
      await accepted(forgotten(login));
      await accepted(forgotten('Dana@example.com'));
      for (const each of await deliver(2, use)) await rejected(choose(tokenIn(each)));
      await accepted(register('dirk@example.com'));
      let session = '';
      const mails = await deliver(1, async (mail) => {
        session = (await expectStatus(verify(tokenIn(mail)), 200)).token;
      });
      assert.equal(mails.length, 1);
      await expectStatus(me(session), 200);
      await accepted(register('dirk@example.com'));
      assert.equal((await deliver())[0]!.template, 'account_exists');
    });

    test('a new login applies when the new address is verified, and the old one gets a notice', async () => {
      const login = 'eva@example.com';
      const id = await customer(login);
      const { token: session } = await expectStatus(logIn(login), 200);
      const change = (body: Json) => shop('PUT', '/me/login', { current: PASSWORD, ...body }, { session });
      await expectStatus(shop('PUT', '/me/login', { current: PASSWORD, login: 'e@example.com' }), 401);
      const wrong = await expectStatus(change({ current: 'wrong horse', login: 'e@example.com' }), 422);
      assert.equal(wrong.violations[0].propertyPath, 'current');
      const { token: ended } = await expectStatus(logIn(login), 200);
      const matches: Service['secrets']['matches'] = async (...texts) => {
        await expectStatus(shop('DELETE', '/session', undefined, { session: ended }), 204);
        return service.secrets.matches(...texts);
      };
      const secrets = { ...service.secrets, matches };
      const at = await serverOf({ ...service, secrets }, settings, undefined, undefined, { mail: MAIL });
      const late = { current: PASSWORD, login: 'e@example.com' };
      await expectStatus(shop('PUT', '/me/login', late, { at, session: ended }), 401);
      await at.close();
      await accepted(change({ login: 'eve@example.com' }));
      const mails = await deliver();
      assert.deepEqual(
        mails.map(({ template, to }) => [template, to]),
        [
          ['login_change', 'eve@example.com'],
          ['login_change_notice', login],
        ],
      );
      await changed(service, 'Profile', id, { password: 'a new horse' });
      await rejected(verify(tokenIn(mails[0]!)));
      await changed(service, 'Profile', id, { password: PASSWORD });
      for (const body of [{ status: 'D' }, { login: 'eva@example.org' }]) {
        const { token: own } = await expectStatus(logIn(login), 200);
        await accepted(shop('PUT', '/me/login', { current: PASSWORD, login: 'new@example.com' }, { session: own }));
        const token = tokenIn((await deliver())[0]!);
        await changed(service, 'Profile', id, body);
        await changed(service, 'Profile', id, { login, status: 'E' });
        await rejected(verify(token));
      }
      offset += 3601;
      const disabled = await expectStatus(logIn(login), 200);
      await accepted(
        shop('PUT', '/me/login', { current: PASSWORD, login: 'new@example.com' }, { session: disabled.token }),
      );
      await changed(service, 'Profile', id, { status: 'D' });
      assert.deepEqual(await deliver(), []);
      await changed(service, 'Profile', id, { status: 'E' });
      const again = await expectStatus(logIn(login), 200);
      await accepted(
        shop('PUT', '/me/login', { current: PASSWORD, login: 'eve@example.com' }, { session: again.token }),
      );
      const token = tokenIn((await deliver())[0]!);
      const { token: begun, profile } = await expectStatus(verify(token), 200);
      assert.ok(profile.login === 'eve@example.com' && profile.email_verified_at);
      await expectStatus(me(again.token), 401);
      await expectStatus(me(begun), 200);
      await expectStatus(logIn(login), 422);
      await accepted(shop('PUT', '/me/login', { current: PASSWORD, login: 'BOB@example.com' }, { session: begun }));
      assert.deepEqual(
        (await deliver()).map(({ template, to }) => [template, to]),
        [
          ['account_exists', 'bob@example.com'],
          ['login_change_notice', 'eve@example.com'],
        ],
      );
      await accepted(shop('PUT', '/me/login', { current: PASSWORD, login: 'new@example.com' }, { session: begun }));
      const last = tokenIn((await deliver())[0]!);
      await removed(service, 'Profile', id);
      await rejected(verify(last));
    });

    test('a link shows one order without street and telephone number, for 7 days', async () => {
      const address = { firstname: 'Ida', street: 'Secret Lane 1', phone: '+49 30 1234567', city: 'Berlin' };
      await made(service, 'Product', { sku: 'MUG', name: 'Mug', price: 5 });
      const items = [{ sku: 'MUG', amount: 2 }];
      const order = { email: 'ida@example.com', shipping_address: address, billing_address: address, items };
      const { order_number: number } = (await made(service, 'Order', order)).record as Json;
      const request = (body: Json) =>
        shop('POST', '/order_links', { order_number: number, email: order.email, ...body });
      await accepted(request({ email: 'ivy@example.com' }));
      await accepted(request({ order_number: `${number}0` }));
      assert.deepEqual(await deliver(), []);
      await expectStatus(request({ email: 'x' }), 422);
      await accepted(request({ email: 'IDA@example.com' }));
      const [mail, ...others] = await deliver();
      assert.deepEqual([mail!.template, mail!.to, others], ['order_link', 'ida@example.com', []]);
      assert.ok(mail!.text.includes(`${SHOP_URL}/order_link#token=pv_ol_`) && mail!.subject.includes(number));
      const token = tokenIn(mail!);
      const link = (text: string) => shop('GET', `/order_links/${text}`);
      const { text, json, headers } = await link(token);
      assert.equal(json.order_number, number, text);
      assert.ok(text.includes('Berlin') && text.includes('Mug'));
      for (const hidden of ['Secret Lane', '1234567', 'street', 'phone']) assert.ok(!text.includes(hidden), hidden);
      assert.equal(headers['cache-control'], 'private, no-store');
      for (const index of [6, 13, 20, 30, token.length - 1]) {
        const altered = token[index] === 'A' ? 'B' : 'A';
        await expectStatus(link(`${token.slice(0, index)}${altered}${token.slice(index + 1)}`), 404);
      }
      offset += 7 * 24 * 3600;
      await expectStatus(link(token), 404);
      assert.ok(!logged.some((line) => line.includes(token)), 'the log has the token');
    });

    test('responses and statements are the same for known and unknown addresses', async () => {
      const statements: string[] = [];
      const recorded = recordingStatements(service, ({ sql: text }) => void statements.push(text));
      let hashes = 0;
      const hash = (text: string): Promise<string> => {
        hashes += 1;
        return service.secrets.hash(text);
      };
      const secrets = { ...service.secrets, hash };
      const at = await serverOf({ ...recorded, secrets }, settings, undefined, undefined, { mail: MAIL });
      // Records the use of the key.
      await shop('GET', '/tags', undefined, { at });
      offset += 3601;
      for (const [path, body] of [
        ['/account', (login: string) => ({ login, password: PASSWORD })],
        ['/password/reset', (login: string) => ({ login })],
        ['/order_links', (email: string) => ({ email, order_number: '1' })],
      ] as const) {
        const seen = [];
        for (const login of ['bob@example.com', 'xyz@example.com']) {
          statements.length = 0;
          hashes = 0;
          const { headers, text } = await shop('POST', path, body(login), { at });
          seen.push({
            text,
            hashes,
            statements: [...statements],
            headers: { ...headers, date: '', 'x-request-id': '' },
          });
        }
        assert.deepEqual(seen[0], seen[1]);
        assert.equal(seen[0]!.hashes, path === '/account' ? 1 : 0);
      }
      const address = '2001:db8:1::1';
      hashes = 0;
      for (let round = 0; round < 21; round += 1) await accepted(register(`${round}@example.com`, {}, { at, address }));
      assert.equal(hashes, 21, 'Beyond the limit of mails, a registration takes as long.');
      await at.close();
      await deliver();
      offset += 3601;
    });

    test('mails beyond the limits are not sent, and the responses do not change', async () => {
      const count = async () => (await rows('mail')).length;
      const start = await count();
      for (let round = 0; round < 6; round += 1)
        await accepted(forgotten(round % 2 ? 'Bob@example.com' : 'bob@example.com'));
      assert.equal((await count()) - start, 5);
      for (let round = 0; round < 22; round += 1)
        await accepted(shop('POST', '/password/reset', { login: `${round}@example.com` }, { address: '2001:db8::1' }));
      assert.equal((await count()) - start, 25);
      await deliver();
      offset += 3601;
    });

    test('without mail, or without an address of the shop, the paths are a 503', async () => {
      const without = { ...service, environment: opened.service.environment };
      for (const [own, options] of [
        [service, {}],
        [without, { mail: MAIL }],
      ] as const) {
        const at = await serverOf(own, settings, undefined, undefined, options);
        const { json } = await shop('POST', '/password/reset', { login: 'bob@example.com' }, { at });
        assert.match(json.type, /\/mail-not-configured$/);
        await at.close();
      }
    });

    test('an erasure ends tokens and deletes mails; the log has neither tokens nor addresses', async () => {
      const id = await customer('fay@example.com');
      const reset = await mailedToken(forgotten('fay@example.com'));
      const registered = await mailedToken(register('gus@example.com'));
      const api = async (method: 'GET' | 'POST', url: string, body?: Json) =>
        (
          await server.inject({
            ...{ method, url: `/api${url}`, ...(body ? { payload: JSON.stringify(body) } : {}) },
            headers: { 'x-auth-token': INJECT_KEY, ...(body ? { 'content-type': 'application/json' } : {}) },
          })
        ).json() as Json;
      const resources = ({ records }: Json) => records.map(({ resource }: Json) => resource);
      assert.deepEqual(resources(await api('GET', `/profiles/${id}/export`)), ['profile', 'mail', 'audit_entry']);
      assert.deepEqual(resources(await api('POST', '/privacy/export', { email: 'gus@example.com' })), ['mail']);
      await api('POST', `/profiles/${id}/erase`, {});
      await api('POST', '/privacy/erase', { email: 'gus@example.com' });
      await rejected(choose(reset));
      await rejected(verify(registered));
      for (const secret of ['pv_ot_', reset, '@example.com', PASSWORD])
        assert.ok(!logged.some((line) => line.includes(secret)), `the log has ${secret}`);
    });

    test('database files are scrubbed once for all customers who have erased themselves', async () => {
      await scrubErasures(service);
      const scrub = mock.method(service.database, 'scrub');
      const scrubs = () => scrub.mock.callCount();
      const erased: string[] = [];
      for (const login of ['hal@example.com', 'ivy@example.com']) {
        await customer(login);
        erased.push((await expectStatus(logIn(login), 200)).token);
      }
      const erase = (session: string, current = PASSWORD) => shop('DELETE', '/me', { current }, { session });
      await expectStatus(erase(erased[0]!, 'wrong horse'), 422);
      await scrubErasures(service);
      assert.equal(scrubs(), 0);
      for (const session of erased) await expectStatus(erase(session), 204);
      assert.equal(scrubs(), 0);
      await scrubErasures(service);
      await scrubErasures(service);
      assert.equal(scrubs(), 1);
      scrub.mock.restore();
    });
  });
