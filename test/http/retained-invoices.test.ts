/** Invoices of erased persons: whole for INVOICE_KEEP_YEARS, then without what tells of anybody (profiles.md §4). */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { chainAudit } from '../../src/engine/unit/audit/chain.ts';
import { readAuditPage } from '../../src/engine/unit/audit/read-audit.ts';
import type { Service } from '../../src/engine/unit/service.ts';
import { retainedRecordsEraser } from '../../src/store/erase-data-subject.ts';
import { startJobs } from '../../src/store/jobs.ts';
import { databaseNames } from '../support/databases.ts';
import { dumpTables } from '../support/dump.ts';
import { INJECT_KEY, serverOf } from '../support/injected-server.ts';
import { type OpenedStore, openedStore, REQUEST_OPTIONS } from '../support/opened-store.ts';

/** Seconds since 1970. The tests begin on the first day of 2030. */
const inYears = (years: number): number => Date.UTC(2030 + years, 0, 1) / 1000;
const MARKER = 'Zq7marker';
const ADDRESS = { firstname: MARKER, street: MARKER, zipcode: 'AB12', country_code: 'GB' };

for (const name of databaseNames)
  describe(`retained invoices (${name})`, () => {
    let opened: OpenedStore;
    let service: Service;
    let app: FastifyInstance;
    let now = inYears(0);
    let card: number;
    let forgetKept: ReturnType<typeof retainedRecordsEraser>;

    before(async () => {
      opened = await openedStore(name);
      const environment = { ...opened.service.environment, baseUrl: 'http://localhost' };
      service = { ...opened.service, environment, clock: { ...opened.service.clock, now: () => now } };
      app = await serverOf(service);
      forgetKept = retainedRecordsEraser(service, REQUEST_OPTIONS);
      const { id } = await post('/api/products', { sku: 'GIFT', name: 'Gift', price: 5, inventory_traceable: false });
      card = (await post(`/api/products/${id}/attributes_text`, { name: 'Card' })).id;
      await post(`/api/products/${id}/attributes_text/${card}/values`, { value: 'Hello', editable: true });
    });
    after(async () => {
      await app.close();
      await opened.remove();
    });

    const headers = { 'x-auth-token': INJECT_KEY };
    const post = async (url: string, payload: object, status = 201): Promise<ReturnType<typeof JSON.parse>> => {
      const response = await app.inject({ method: 'POST', url, payload, headers });
      assert.equal(response.statusCode, status, response.body);
      return response.json();
    };
    const get = async (url: string): Promise<ReturnType<typeof JSON.parse>> =>
      (await app.inject({ url, headers })).json();
    const erase = (email: string) => post('/api/privacy/erase', { email }, 200);
    const retainedIn = ({ retained }: ReturnType<typeof JSON.parse>) =>
      retained.filter(({ resource }: { resource: string }) => resource === 'order_invoice');
    const run = () => forgetKept(new AbortController().signal);
    const date = (time: number) => `${new Date(time * 1000).toISOString().slice(0, 19)}+00:00`;

    async function invoiced(email: string): Promise<{ path: string; whole: ReturnType<typeof JSON.parse> }> {
      const { id } = await post('/api/orders', {
        email,
        items: [{ sku: 'GIFT', amount: 1, options: [{ attribute_id: card, text: MARKER }] }],
        billing_address: ADDRESS,
      });
      const whole = await post(`/api/orders/${id}/invoices`, {});
      return { path: `/api/orders/${id}/invoices/${whole.id}`, whole };
    }

    test('an invoice of an erased customer retains its personal data until the reported end of its retention period', async () => {
      const [gone, stays] = [await invoiced('gone@example.com'), await invoiced('stays@example.com')];
      now = inYears(1);
      assert.deepEqual(retainedIn(await erase('gone@example.com')), [
        { resource: 'order_invoice', count: 1, until: date(inYears(10)) },
      ]);
      assert.equal(await run(), 0);
      now = inYears(10) - 1;
      assert.equal(await run(), 0);
      assert.deepEqual(await get(gone.path), gone.whole);

      now += 1;
      const cursor = (await app.inject({ url: '/api/changes?after=now', headers })).headers['changes-cursor'];
      assert.equal(await run(), 1);
      const { billing_address, lines, ...rest } = await get(gone.path);
      const { billing_address: address, lines: sold, ...others } = gone.whole;
      assert.deepEqual(rest, others, 'number, sums and date stay');
      assert.deepEqual(lines, [{ ...sold[0], options: [] }]);
      const emptied = { firstname: '', street: '', zipcode: 'AB' };
      assert.deepEqual(billing_address, { ...address, ...emptied });
      assert.deepEqual(await get(stays.path), stays.whole, 'nobody has asked to erase these');
      const entries: { path: string }[] = await get(`/api/changes?after=${cursor}`);
      assert.ok(entries.some(({ path }) => path === gone.path));
      assert.equal(await run(), 0, 'once is enough');
    });

    test('an erasure clears invoices older than the retention period at once', async () => {
      const erased = await erase('stays@example.com');
      assert.deepEqual(retainedIn(erased), [{ resource: 'order_invoice', count: 1, until: null }]);
      assert.ok(!(await dumpTables(opened.url)).includes(MARKER));
    });

    test('a server that starts after the retention period clears the invoice', async () => {
      await invoiced('late@example.com');
      await erase('late@example.com');
      assert.ok((await dumpTables(opened.url)).includes(MARKER));
      now = inYears(21);
      const emptied = Promise.withResolvers<object>();
      const info = (details: object, message: string) =>
        void (/records whose retention/.test(message) && emptied.resolve(details));
      const warn = (_: object, message: string) => emptied.reject(new Error(message));
      const jobs = startJobs(service, { info, warn }, { changesKeepDays: 30, auditKeepDays: 0 });
      assert.deepEqual(await emptied.promise, { count: 1 });
      await jobs.stop();
      assert.ok(!(await dumpTables(opened.url)).includes(MARKER));
      await chainAudit(service);
      const page = { limit: 1, offset: 0, direction: 'desc' } as const;
      const { entries } = await readAuditPage(service, { equal: { actor_type: 'job', actor_id: 'retention' } }, page);
      assert.deepEqual(entries[0]?.head.actor, { type: 'job', id: 'retention' });
    });

    test('the email address of erased orders matches no records', async () => {
      const response = await post('/api/privacy/export', { email: 'ERASED@customer.invalid' }, 200);
      assert.deepEqual(response, { records: [] });
      assert.deepEqual(await erase('erased@customer.invalid'), { erased: [], retained: [] });
    });
  });
