/** Mails to staff: outbox, delivery by several servers, links, limits (mail.md, access.md §3). */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Value } from '../../src/engine/ports.ts';
import type { Service } from '../../src/engine/unit/service.ts';
import { startMailDelivery } from '../../src/store/mails/delivery.ts';
import { MAIL_SECONDS } from '../../src/store/mails/outbox.ts';
import { claimMails, forgetMails } from '../../src/store/mails/outbox-rows.ts';
import type { MailMessage } from '../../src/store/mails/transport.ts';
import { Sessions } from '../../src/store/sessions.ts';
import { createUser } from '../../src/store/users/users.ts';
import { readConfig } from '../../src/wiring/config.ts';
import { openMailTransport } from '../../src/wiring/mail.ts';
import { databaseNames } from '../support/databases.ts';
import { INJECT_KEY, serverOf } from '../support/injected-server.ts';
import { linkIn, messageIdIn, SmtpReceiver } from '../support/mails.ts';
import { ACTOR, type OpenedStore, openedStore } from '../support/opened-store.ts';
import { Receiver, signatureOf } from '../support/receiver.ts';

// biome-ignore lint/suspicious/noExplicitAny: the shape of a response is what the tests check
type Json = any;

const BASE_URL = 'https://shop.example';
const MAIL = { BASE_URL, MAIL_FROM: 'The Shop <shop@mail.example>' };
const PASSWORD = 'a sentence for the tests';
const OWN = { 'sec-fetch-site': 'same-origin', host: 'shop.example' };
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwGvOHHJlLXA0=';

describe('settings of mails', () => {
  test('are rejected if one is missing, with a message that names it and contains no secret', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'purveyor-mail-'));
    const smtp = { ...MAIL, MAIL_VIA: 'smtp', SMTP_URL: 'smtps://me:hidden!@mail.example' };
    assert.equal(readConfig(smtp).smtpUrl, smtp.SMTP_URL);
    const rejected: [Record<string, string>, RegExp][] = [
      [{ MAIL_VIA: 'pigeon' }, /MAIL_VIA must be one of/],
      [{ ...smtp, SMTP_URL: '' }, /MAIL_VIA=smtp needs SMTP_URL/],
      [{ ...smtp, MAIL_FROM: '' }, /needs MAIL_FROM/],
      [{ ...smtp, MAIL_FROM: 'The Shop' }, /MAIL_FROM must be/],
      [{ ...smtp, BASE_URL: '' }, /needs BASE_URL/],
      [{ ...smtp, SMTP_URL: 'https://me:hidden!@mail.example' }, /SMTP_URL must be/],
      [{ ...MAIL, MAIL_VIA: 'webhook' }, /needs MAIL_WEBHOOK_URL and MAIL_WEBHOOK_SECRET/],
      [{ ...MAIL, MAIL_VIA: 'folder' }, /needs MAIL_FOLDER/],
      [{ ...smtp, SMTP_URL: undefined as never, SMTP_URL_FILE: join(folder, 'none') }, /SMTP_URL_FILE must name/],
    ];
    for (const [settings, message] of rejected)
      assert.throws(
        () => readConfig(settings),
        (error: Error) => message.test(error.message) && !error.message.includes('hidden'),
        JSON.stringify(settings),
      );
    assert.throws(
      () => openMailTransport(readConfig({ ...MAIL, MAIL_VIA: 'folder', MAIL_FOLDER: '/dev/null/mails' })),
      /MAIL_FOLDER, \/dev\/null\/mails, cannot be written/,
    );
    await rm(folder, { recursive: true });
  });
});

for (const name of databaseNames)
  describe(`mails (${name})`, () => {
    let opened: OpenedStore;
    let service: Service;
    let [configured, bare]: FastifyInstance[] = [];
    let offset = 0;
    const now = (): number => Math.floor(Date.now() / 1000) + offset;
    const logged: string[] = [];
    const log = {
      info: (details: object, message: string) => void logged.push(JSON.stringify(details), message),
      warn: (details: object, message: string) => void logged.push(JSON.stringify(details), message),
    };

    before(async () => {
      opened = await openedStore(name);
      service = {
        ...opened.service,
        environment: { ...opened.service.environment, baseUrl: BASE_URL },
        clock: { ...opened.service.clock, now },
      };
      const admin = { sessions: new Sessions(service), folder: 'none', allowsPlainHttp: true, origin: BASE_URL };
      const logStream = { write: (line: string) => void logged.push(line) };
      const settings = { LOG_LEVEL: 'trace', BASE_URL };
      const options = { logStream, logRequests: true };
      const mail = { limits: { to: 5, from: 20 }, storeName: 'Shop' };
      configured = await serverOf(service, settings, undefined, admin, { ...options, mail });
      bare = await serverOf(service, settings, undefined, admin, options);
    });
    after(async () => {
      await configured!.close();
      await bare!.close();
      await opened.remove();
    });

    async function post(url: string, body: unknown, { at = configured!, address = '127.0.0.1' } = {}) {
      const isApi = url.startsWith('/api');
      const headers = { 'content-type': 'application/json', ...(isApi ? { 'x-auth-token': INJECT_KEY } : OWN) };
      const response = await at.inject({
        ...{ method: 'POST', url, headers, payload: JSON.stringify(body), remoteAddress: address },
      });
      return {
        status: response.statusCode,
        text: response.body,
        json: JSON.parse(response.body || 'null') as Json,
        headers: response.headers,
      };
    }

    const forgot = (email: unknown, options?: Parameters<typeof post>[2]) => post('/admin/forgot', { email }, options);

    const newUser = async (email: string, language = 'de'): Promise<number> => {
      const made = await createUser(
        service,
        { email, name: 'Ada & Co', language, roleIds: [1] },
        () => undefined,
        ACTOR,
      );
      return (made as { id: number }).id;
    };

    const outbox = async (): Promise<Value[][]> =>
      (await service.database.query(
        service.statements.get(
          'test outbox',
          () => sql`select status, attempts, template, ${sql.id('to')} from ${sql.table('mail')} order by id`,
        ),
        {},
      )) as Value[][];

    const emptyOutbox = () =>
      service.database.transaction((transaction) =>
        transaction.run(
          service.statements.get('test empty', () => sql`delete from ${sql.table('mail')} returning 1`),
          {},
        ),
      );

    async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
      for (let round = 0; !(await condition()); round += 1) {
        assert.ok(round < 1200, 'does not happen');
        await sleep(25);
      }
    }

    /** Delivers by several processes until no mail is queued. */
    async function deliver(
      send: (message: MailMessage) => Promise<string | undefined>,
      { processes = 1, waits = [0], isOnlyProcess = false } = {},
    ): Promise<void> {
      const transport = {
        domain: 'mail.example',
        send: async (message: MailMessage) => {
          const failure = await send(message);
          return failure === undefined ? undefined : { failure };
        },
        close: async () => {},
      };
      const options = { isOnlyProcess, waits, storeName: 'Shop <1>' };
      const stops = Array.from({ length: processes }, () => startMailDelivery(service, transport, log, options));
      await until(async () => (await outbox()).every(([status]) => status !== 'queued'));
      await Promise.all(stops.map((stop) => stop()));
    }

    test('an invitation that is mailed signs in, also if the first attempt may have arrived; links of the request work too', async () => {
      const id = await newUser('ada@staff.example');
      const { status, json } = await post(`/api/users/${id}/invite`, { mail: true });
      assert.equal(status, 200);
      const received: MailMessage[] = [];
      await deliver(async (message) => (received.push(message) < 3 ? 'not sure' : undefined));
      assert.deepEqual(await outbox(), [['sent', 3, 'staff_invitation', 'ada@staff.example']]);
      assert.equal(new Set(received.map(({ messageId }) => messageId)).size, 1);
      assert.match(received[0]!.messageId, /^[\w-]+@mail\.example$/);
      const links = received.map(({ text }) => linkIn(text));
      assert.equal(new Set([...links, json.url]).size, 4, 'each attempt has its own token');
      const [{ subject, text, html, language }] = received as [MailMessage];
      assert.deepEqual([subject, language], ['Ihr Zugang zu Shop <1>', 'de']);
      assert.match(text, /^Guten Tag Ada & Co,/);
      assert.match(html, /Ada &amp; Co[\s\S]+Shop &lt;1&gt;/);
      for (const link of [...links, json.url])
        assert.ok(!JSON.stringify(await everything()).includes(link.split('=')[1]), 'the token is stored');
      const [first, ...others] = links.map((link) => link.split('#token=')[1]!);
      const signIn = (token: string) => post('/admin/session', { token, password: PASSWORD });
      assert.equal((await signIn(first!)).status, 200);
      for (const token of [...others, json.url.split('#token=')[1]]) assert.equal((await signIn(token)).status, 401);
    });

    async function everything(): Promise<unknown[]> {
      const tables = [
        'mail',
        'staff_link',
        'audit_entry',
        'audit_inbox',
        'kept_answer',
        'change',
        'setting',
        'counted_mail',
      ];
      const all = tables.map((table) =>
        service.database.query(
          service.statements.get(`all of ${table}`, () => sql`select * from ${sql.table(table)}`),
          {},
        ),
      );
      return (await Promise.all(all)).flat();
    }

    test('a forgotten password gets the same response for every address, and a mail only for users who can sign in', async () => {
      await emptyOutbox();
      await newUser('bob@staff.example', '');
      const disabled = await newUser('disabled@staff.example');
      await configured!.inject({
        ...{ method: 'PATCH', url: `/api/users/${disabled}`, payload: JSON.stringify({ status: 'disabled' }) },
        headers: { 'x-auth-token': INJECT_KEY, 'content-type': 'application/json' },
      });
      const sent = ['ADA@staff.example ', 'bob@staff.example', 'disabled@staff.example', 'nobody@staff.example'];
      const responses = [];
      for (const email of sent) responses.push(await forgot(email.trim()));
      for (const { status, text, headers } of responses) {
        const comparable = { ...headers, 'x-request-id': '', date: '' };
        assert.deepEqual([status, text], [202, '{}']);
        assert.deepEqual(comparable, { ...responses[0]!.headers, 'x-request-id': '', date: '' });
      }
      const received: MailMessage[] = [];
      await deliver(async (message) => void received.push(message));
      const summary = received.map(({ to, template, language }) => [to, template, language]).sort();
      assert.deepEqual(summary, [
        // Spelled as stored, and not as entered.
        ['ada@staff.example', 'staff_reset', 'de'],
        // The invitation was not used yet; the language is that of the store.
        ['bob@staff.example', 'staff_invitation', 'en'],
      ]);
      assert.equal((await outbox()).length, 2, 'mails to nobody are deleted');
      const reset = received.find(({ template }) => template === 'staff_reset')!;
      const url = '/api/audit?actor.id=mail&itemsPerPage=2';
      const audit = await configured!.inject({ url, headers: { 'x-auth-token': INJECT_KEY } });
      const kinds = audit.json().map(({ changes }: { changes: Json }) => changes.link_kind.after);
      assert.deepEqual(kinds.sort(), ['invite', 'reset_link']);
      const token = linkIn(reset.text).split('#token=')[1];
      assert.equal((await post('/admin/session', { token, password: `${PASSWORD} 2` })).status, 200);
      for (const text of ['ada@staff.example', 'bob@staff.example', 'nobody@staff.example', token!])
        assert.ok(!logged.some((line) => line.toLowerCase().includes(text)), `the log has ${text}`);
    });

    test('a full-width spelling of an address sends the link to the stored address only', async () => {
      await emptyOutbox();
      const entered = '\uff41da@staff.example';
      assert.equal((await forgot(entered, { address: '198.51.100.200' })).status, 202);
      assert.deepEqual(
        (await outbox()).map(([, , , to]) => to),
        [entered],
      );
      const received: MailMessage[] = [];
      await deliver(async (message) => void received.push(message));
      assert.deepEqual(
        received.map(({ to, template }) => [to, template]),
        [['ada@staff.example', 'staff_reset']],
      );
    });

    test('invalid bodies are rejected, and only the page of the store can send them', async () => {
      for (const body of [{}, { email: 7 }, { email: 'ada' }, { email: null }, { email: 'a@b.example', more: 1 }])
        assert.equal((await post('/admin/forgot', body)).status, 422, JSON.stringify(body));
      const foreign = { ...OWN, 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' };
      const response = await configured!.inject({
        ...{ method: 'POST', url: '/admin/forgot', headers: foreign, payload: '{"email":"ada@staff.example"}' },
      });
      assert.equal(response.statusCode, 403);
    });

    test('mails beyond the limits are neither sent nor counted, and cause no transaction', async ({ mock }) => {
      await emptyOutbox();
      offset += 3601;
      for (let count = 0; count < 7; count += 1)
        assert.equal(
          (await forgot(`${count % 2 ? 'C' : 'c'}arl@staff.example`, { address: `198.51.100.${count}` })).status,
          202,
        );
      assert.equal((await outbox()).length, 5);
      for (let count = 0; count < 22; count += 1)
        assert.equal((await forgot(`${count}@staff.example`, { address: `2001:db8::${count}` })).status, 202);
      assert.equal((await outbox()).length, 25);
      const { mock: transactions } = mock.method(service.database, 'transaction');
      await forgot('Carl@staff.example', { address: '198.51.100.99' });
      await forgot('carla@staff.example', { address: '2001:db8::99' });
      assert.equal(transactions.callCount(), 0);
      offset += 3601;
      await forgot('carl@staff.example', { address: '2001:db8::1' });
      assert.equal(transactions.callCount(), 1);
      assert.equal((await outbox()).length, 26);
      await deliver(async () => undefined);
      assert.deepEqual(await outbox(), []);
    });

    test('without MAIL_VIA, /admin/forgot returns 202, a mailed link is a 503, and password_reset is false', async () => {
      const id = await newUser('dora@staff.example');
      assert.deepEqual([(await forgot('ada@staff.example', { at: bare! })).status, (await outbox()).length], [202, 0]);
      const { status, json } = await post(`/api/users/${id}/invite`, { mail: true }, { at: bare! });
      assert.deepEqual([status, json.type.split('/').at(-1)], [503, 'mail-not-configured']);
      assert.equal((await post(`/api/users/${id}/invite`, {}, { at: bare! })).status, 200);
      assert.equal((await post(`/api/users/${id}/invite`, { mail: 'yes' })).status, 422);
      for (const [server, isOffered] of [
        [configured!, true],
        [bare!, false],
      ] as const) {
        const response = await server.inject({ url: '/admin/session', headers: OWN });
        assert.equal(response.json().password_reset, isOffered);
      }
      assert.deepEqual(await outbox(), []);
    });

    test('a mail is not sent if the address of the account has changed, or the invitation was used', async () => {
      const ids = [await newUser('eve@staff.example'), await newUser('finn@staff.example')];
      const links = [];
      for (const id of ids) links.push((await post(`/api/users/${id}/invite`, { mail: true })).json.url);
      const patch = { method: 'PATCH', payload: JSON.stringify({ email: 'eva@staff.example' }) } as const;
      const headers = { 'x-auth-token': INJECT_KEY, 'content-type': 'application/json' };
      await configured!.inject({ ...patch, url: `/api/users/${ids[0]}`, headers });
      await post('/admin/session', { token: links[1].split('#token=')[1], password: PASSWORD });
      const received: MailMessage[] = [];
      await deliver(async (message) => void received.push(message));
      assert.deepEqual([received, await outbox()], [[], []]);
    });

    test('several servers send each mail once, and send the mails of a killed server after its claims have ended', async () => {
      const ids = [];
      for (let count = 0; count < 12; count += 1) ids.push(await newUser(`u${count}@staff.example`));
      for (const id of ids) await post(`/api/users/${id}/invite`, { mail: true });
      const running = new Map<string, number>();
      const received: string[] = [];
      await deliver(
        async ({ to }) => {
          running.set(to, (running.get(to) ?? 0) + 1);
          assert.equal(running.get(to), 1);
          await sleep(20);
          running.delete(to);
          received.push(to);
        },
        { processes: 3 },
      );
      assert.equal(new Set(received).size, 12);
      assert.equal(received.length, 12);
      await emptyOutbox();
      await post(`/api/users/${ids[0]}/invite`, { mail: true });
      const claimer = { claim: 'killed', isOnlyProcess: false, domain: 'mail.example' };
      assert.equal((await claimMails(service, claimer, 5)).length, 1);
      assert.deepEqual(await claimMails(service, { ...claimer, claim: 'other' }, 5), []);
      // No other process can have the claim.
      const [again] = await claimMails(service, { ...claimer, claim: 'other', isOnlyProcess: true }, 5);
      assert.equal(again?.to, 'u0@staff.example');
      await service.database.transaction((transaction) =>
        transaction.run(
          service.statements.get(
            'test expire',
            ({ now: clock }) => sql`update ${sql.table('mail')} set claimed_until = ${clock} returning 1`,
          ),
          {},
        ),
      );
      assert.equal((await claimMails(service, claimer, 5)).length, 1);
      await emptyOutbox();
    });

    test('failed attempts are repeated for 72 hours; the log names neither the recipient nor the content', async () => {
      const id = await newUser('gina@staff.example');
      await post(`/api/users/${id}/invite`, { mail: true });
      const start = now();
      const times: number[] = [];
      const later = setInterval(() => {
        offset += 3 * 3600;
      }, 200);
      await deliver(
        async () => {
          times.push(now() - start);
          return '550 (EENVELOPE)';
        },
        { waits: [5, 100_000] },
      );
      clearInterval(later);
      assert.ok(times[2]! - times[1]! >= 100_000 && times.at(-1)! >= MAIL_SECONDS, String(times));
      assert.deepEqual(await outbox(), [['failed', times.length, 'staff_invitation', 'gina@staff.example']]);
      assert.ok(logged.some((line) => line.includes('550 (EENVELOPE)')));
      assert.ok(!logged.some((line) => line.includes('gina')));
      await forgetMails(service);
      assert.equal((await outbox()).length, 1);
      offset += 31 * 24 * 3600;
      await forgetMails(service);
      assert.deepEqual(await outbox(), []);
    });

    test('mails are listed, retried, exported and erased by the address; sent ones are not retried', async () => {
      await emptyOutbox();
      const id = await newUser('hugo@staff.example');
      await post(`/api/users/${id}/invite`, { mail: true });
      await deliver(async () => {
        offset += MAIL_SECONDS;
        return 'refused';
      });
      const api = async (url: string) =>
        (await configured!.inject({ url: `/api${url}`, headers: { 'x-auth-token': INJECT_KEY } })).json() as Json;
      const [listed, ...others] = await api('/mails?status=failed&to=hugo@staff.example');
      assert.deepEqual(others, []);
      const { id: mail, date, ...shown } = listed;
      assert.ok(date);
      const expected = { template: 'staff_invitation', to: 'hugo@staff.example', status: 'failed', attempts: 1 };
      assert.deepEqual(shown, expected);
      assert.deepEqual(await api(`/mails/${mail}`), listed);
      const accept = 'application/x-ndjson';
      const lines = await configured!.inject({ url: '/api/mails', headers: { 'x-auth-token': INJECT_KEY, accept } });
      assert.deepEqual(JSON.parse(lines.body), listed);
      const retried = await post(`/api/mails/${mail}/retry`, {});
      assert.deepEqual([retried.status, retried.json.status], [200, 'queued']);
      await deliver(async () => undefined);
      assert.deepEqual(await outbox(), [['sent', 2, 'staff_invitation', 'hugo@staff.example']]);
      assert.equal((await post(`/api/mails/${mail}/retry`, {})).status, 409);
      const known = await post('/api/privacy/export', { email: 'HUGO@staff.example' });
      const sent = { ...listed, status: 'sent', attempts: 2 };
      assert.deepEqual(known.json.records, [{ resource: 'mail', path: `/api/mails/${mail}`, record: sent }]);
      const { json } = await post('/api/privacy/erase', { email: 'hugo@staff.example' });
      assert.deepEqual(json.erased, [{ resource: 'mail', count: 1, fields: null }]);
      assert.deepEqual(await outbox(), []);
    });

    test('templates of the store replace the built-in ones; invalid ones are rejected; changes are audited', async () => {
      const path = '/api/mail_templates/staff_invitation';
      const send = async (method: string, url: string, body?: unknown) => {
        const headers = { 'x-auth-token': INJECT_KEY, ...(body ? { 'content-type': 'application/json' } : {}) };
        const payload = body ? { payload: JSON.stringify(body) } : {};
        const response = await configured!.inject({ method: method as 'GET', url, headers, ...payload });
        return { status: response.statusCode, json: JSON.parse(response.body || 'null') as Json };
      };
      const builtIn = (await send('GET', `${path}/de`)).json;
      assert.deepEqual([builtIn.built_in, builtIn.subject], [true, 'Ihr Zugang zu {{store}}']);
      const listed = async (language: string) =>
        ((await send('GET', '/api/mail_templates')).json as Json[]).filter(
          (each) => each.name === 'staff_invitation' && each.language === language,
        );
      const entry = { name: 'staff_invitation', variables: ['store', 'name', 'link'] };
      assert.deepEqual(await listed('de'), [{ ...entry, language: 'de', built_in: true }]);
      const own = {
        subject: 'Los\ngeht’s {{name}}',
        text: 'Hier: {{link}} & {{store}}',
        html: '<b>{{name}}</b> {{link}}',
      };
      const invalid: [string, object][] = [
        ['subject', { ...own, subject: '{{name' }],
        ['subject', { ...own, subject: ' ' }],
        ['text', { ...own, text: 'no link' }],
        ['text', { ...own, text: '{{link}} {{password}}' }],
        ['html', { ...own, html: '{{link}} {{{name}}}' }],
        ['html', { ...own, html: '{{link}} {{#name}}x{{/name}}' }],
        ['html', { ...own, html: '{{link}} {{> other}}' }],
        ['html', { ...own, html: '{{link}} {{=<% %>=}}' }],
        ['html', { subject: own.subject, text: own.text }],
        ['more', { ...own, more: 1 }],
      ];
      for (const [field, body] of invalid) {
        const { status, json } = await send('PUT', `${path}/de`, body);
        assert.deepEqual([status, json.violations?.[0]?.propertyPath], [422, field], JSON.stringify(body));
      }
      for (const wrong of ['staff_invitation/xx', 'unknown/de'])
        assert.equal((await send('PUT', `/api/mail_templates/${wrong}`, own)).status, 404);
      assert.equal((await send('DELETE', `${path}/de`)).status, 404);
      const { status, json } = await send('PUT', `${path}/de`, own);
      assert.deepEqual([status, json], [200, { name: 'staff_invitation', language: 'de', ...own, built_in: false }]);
      assert.deepEqual(await listed('de'), [{ ...entry, language: 'de', built_in: false }]);
      assert.deepEqual(await listed('fr'), [{ ...entry, language: 'fr', built_in: true }]);
      const preview = (await send('POST', `${path}/de/preview`, {})).json;
      assert.equal(preview.subject, 'Los geht’s Ada Lovelace');
      assert.match(preview.text, /^Hier: https:\/\/\S+ & Shop$/);
      await emptyOutbox();
      await post(`/api/users/${await newUser('ida@staff.example')}/invite`, { mail: true });
      const received: MailMessage[] = [];
      await deliver(async (message) => void received.push(message));
      assert.equal(received[0]!.subject, 'Los geht’s Ada & Co');
      assert.match(received[0]!.html, /^<b>Ada &amp; Co<\/b> /);
      assert.equal((await send('DELETE', `${path}/de`)).status, 204);
      assert.deepEqual((await send('GET', `${path}/de`)).json, builtIn);
      const entries = (await send('GET', '/api/audit?resource=MailTemplate')).json as Json[];
      assert.deepEqual(
        entries.map(({ action, record_id, changes }) => [action, record_id, Object.keys(changes).sort()]),
        ['deleted', 'created'].map((action) => [action, 'staff_invitation/de', ['html', 'subject', 'text']]),
      );
    });

    test('mails arrive over SMTP, in a folder and at a webhook, with the same headers in each attempt', async () => {
      const id = await newUser('søren@staff.example', 'fr');
      await emptyOutbox();
      const smtp = await SmtpReceiver.open();
      const receiver = await Receiver.open();
      const folder = await mkdtemp(join(tmpdir(), 'purveyor-mail-'));
      const settings = [
        { MAIL_VIA: 'smtp', SMTP_URL: smtp.url },
        { MAIL_VIA: 'folder', MAIL_FOLDER: join(folder, 'new') },
        { MAIL_VIA: 'webhook', MAIL_WEBHOOK_URL: receiver.url, MAIL_WEBHOOK_SECRET: SECRET },
      ];
      smtp.failNext(2);
      for (const each of settings) {
        await post(`/api/users/${id}/invite`, { mail: true });
        const transport = openMailTransport(readConfig({ ...MAIL, ...each }))!;
        const stop = startMailDelivery(service, transport, log, { isOnlyProcess: true, waits: [0], storeName: 'Shop' });
        await until(async () => (await outbox()).every(([status]) => status === 'sent'));
        await stop();
      }
      assert.deepEqual(
        (await outbox()).map(([, attempts]) => attempts),
        [3, 1, 1],
      );
      const [file, ...others] = await readdir(join(folder, 'new'));
      assert.deepEqual(others, []);
      const written = await readFile(join(folder, 'new', file!), 'utf8');
      for (const source of [smtp.received[0]!.source, written]) {
        assert.match(source, /^From: The Shop <shop@mail\.example>\r$/m);
        assert.match(source, /^Message-ID: <[\w-]+@mail\.example>\r$/m);
        assert.match(source, /^Auto-Submitted: auto-generated\r$/m);
        assert.match(linkIn(source), /^https:\/\/shop\.example\/admin#token=[\w-]{43}$/);
      }
      assert.equal(file, `${messageIdIn(written)}.eml`);
      const [posted] = receiver.received;
      assert.equal(posted!.json.data.to, 'søren@staff.example');
      assert.equal(posted!.headers['webhook-id'], posted!.json.data.message_id);
      assert.equal(posted!.headers['webhook-signature'], signatureOf(SECRET, posted!));
      for (const link of [linkIn(written), linkIn(posted!.json.data.text)])
        assert.ok(!logged.some((line) => line.includes(link.split('=')[1]!)), 'the log has a token');
      await smtp.close();
      await receiver.close();
      await rm(folder, { recursive: true });
    });
  });
