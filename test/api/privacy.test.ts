/**
 * Privacy (profiles.md §4): a marker is written into every text of a customer and of orders, sent by webhooks and
 * stored for retries. After the erasure it must not occur in any row, in any byte of the database file or in any
 * other file.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpResponse } from '../support/client.ts';
import { databaseNames, freshDatabase } from '../support/databases.ts';
import { dumpTables } from '../support/dump.ts';
import { assertProblem, assertViolations } from '../support/expect.ts';
import type { Json } from '../support/openapi.ts';
import { Receiver } from '../support/receiver.ts';
import { onEachDatabase, READ_ONLY_KEY, Store } from '../support/store.ts';

interface ExportEntry {
  readonly actor: { readonly type: string };
  readonly resource: string | null;
  readonly path: string | null;
  readonly changes: { readonly exported: { readonly after: readonly string[] } };
}

const MARKER = 'Zq7marker';
const EMAIL = `${MARKER}@example.com`;

const ADDRESS = {
  ...{
    title: MARKER,
    firstname: MARKER,
    lastname: MARKER,
    company: MARKER,
    phone: MARKER,
    street: MARKER,
    city: MARKER,
  },
  ...{ zipcode: MARKER, country_code: 'GB', state: 5, state_name: MARKER, type: 'C' },
  custom_fields: [{ name: MARKER, value: MARKER }],
};

/** The address after the erasure. */
const REGION = { country_code: 'GB', zipcode: 'Zq', state: 5, type: 'C' };

const DATA = [{ name: MARKER, label: MARKER, value: MARKER }];

for (const name of databaseNames)
  describe(`customer data (${name})`, () => {
    let store: Store;
    let url: string;
    let receiver: Receiver;
    let remove: () => Promise<void>;
    let profile: number;
    let order: number;
    let guest: number;
    let card: number;
    let deletedReview: string;

    before(async () => {
      const fresh = await freshDatabase(name, 'migrated');
      ({ url, remove } = fresh);
      receiver = await Receiver.open();
      // The receiver echoes each delivery and responds with 200.
      receiver.respondByDefault((response, { text }) => void response.writeHead(200).end(text));
      store = new Store(name, { DATABASE_URL: url, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' });
      await store.start();
      await store.made('/api/webhooks', { url: receiver.url, events: ['*'], payload: 'record' });
      const { id: product } = await store.product({ price: 5 });
      const path = `/api/products/${product}/attributes_text`;
      card = (await store.made(path, { name: 'Card' })).id;
      await store.made(`${path}/${card}/values`, { value: 'Best wishes', editable: true });
      profile = (
        await store.made('/api/profiles', { login: EMAIL, status_comment: MARKER, referer: MARKER }, key('profile'))
      ).id;
      await store.made(`/api/profiles/${profile}/addresses`, ADDRESS, key('address'));
      order = await placed({ customer_id: profile }, product);
      // The audit still has the values of a deleted review.
      const reviews = `/api/products/${product}/reviews`;
      const { id: review } = await store.made(reviews, { rating: 1, reviewer_name: MARKER, review: MARKER, profile });
      deletedReview = `${reviews}/${review}`;
      assert.equal((await store.delete(deletedReview)).status, 204);
      guest = await placed({}, product);
    });
    after(async () => {
      await store.stop();
      await receiver.close();
      await remove();
    });

    const key = (key: string) => ({ 'idempotency-key': key });

    async function placed(more: Json, product: number): Promise<number> {
      const body = {
        ...{ email: EMAIL, billing_address: ADDRESS, shipping_address: ADDRESS, notes: MARKER, admin_notes: MARKER },
        ...{ shipping_method_name: MARKER, items: [line(product)], ...more },
      };
      const { id, items } = await store.made(
        '/api/orders',
        body,
        key(`order ${JSON.stringify(more).length}`.replace(' ', '-')),
      );
      const path = `/api/orders/${id}`;
      const detail = await store.made(`${path}/details`, { name: MARKER, value: MARKER });
      assert.equal((await store.patch(`${path}/details/${detail.id}`, { value: `${MARKER} 2` })).status, 200);
      await store.made(`${path}/tracking_numbers`, { value: MARKER });
      const item = { item_id: items[0].id, amount: 1 };
      const parcel = { carrier: MARKER, note: MARKER, tracking_numbers: [`${MARKER} 3`] };
      await store.made(`${path}/shipments`, { lines: [item], ...parcel });
      await store.made(`${path}/returns`, { lines: [{ ...item, reason: MARKER }] });
      await store.made(`${path}/payment_transactions`, {
        ...{ value: 5, public_id: MARKER, public_txn_id: MARKER, name: MARKER, local_name: MARKER, note: MARKER },
        ...{ data: DATA, backend_transactions: [{ value: 5, data: DATA }] },
      });
      assert.equal((await store.patch(path, { notes: `${MARKER} 2` })).status, 200);
      return id;
    }

    const line = (product_id: number) => ({ product_id, amount: 2, options: [{ attribute_id: card, text: MARKER }] });

    const hasMarker = (text: string): boolean => text.toLowerCase().includes(MARKER.toLowerCase());

    test('is exported completely', async () => {
      const response = await store.get(`/api/profiles/${profile}/export`);
      assert.equal(response.status, 200, response.text);
      assert.equal(response.headers['cache-control'], 'no-store');
      const { records } = response.json;
      const counted = Map.groupBy(records, ({ resource }: { resource: string }) => resource);
      const entries: { record: Json }[] = records.filter(({ resource }: Json) => resource === 'audit_entry');
      const audited = entries.map(({ record }) => `${record.action} ${record.resource}`);
      for (const each of ['created Profile', 'created Order', 'updated OrderDetail', 'deleted Review'])
        assert.ok(audited.includes(each), each);
      assert.ok(counted.delete('audit_entry'));
      assert.deepEqual(Object.fromEntries([...counted].map(([resource, all]) => [resource, all.length])), {
        ...{ profile: 1, profile_address: 1, order: 1, order_detail: 1, transaction: 1, order_history_events: 10 },
        ...{ order_shipment: 1, order_return: 1 },
      });
      for (const { path, record } of records) assert.deepEqual((await store.get(path)).json, record, path);
      assert.ok(!response.text.includes('scrypt'));
      const ofGuest = await store.post('/api/privacy/export', { email: EMAIL.toUpperCase() });
      const orders = ofGuest.json.records.filter(({ resource }: { resource: string }) => resource === 'order');
      assert.deepEqual(
        orders.map(({ path }: { path: string }) => path),
        [`/api/orders/${guest}`],
      );
      assert.deepEqual((await store.post('/api/privacy/export', { email: 'nobody@example.com' })).json, {
        records: [],
      });
      const requests: ExportEntry[] = (await store.get('/api/audit?action=privacy_export&order[id]=asc')).json;
      assert.deepEqual(
        requests.map(({ changes }) => changes.exported.after.toSorted()),
        [[`/api/profiles/${profile}`, `/api/orders/${order}`, deletedReview].sort(), [`/api/orders/${guest}`], []],
      );
      const [first] = requests;
      assert.deepEqual([first!.actor.type, first!.resource, first!.path], ['key', null, null]);
      assert.ok(!JSON.stringify(requests).includes(EMAIL));
    });

    test('profiles that were deleted are erased from the audit by their login, and with a later profile of the same login', async () => {
      const of = async (login: string): Promise<string> =>
        (await store.get(`/api/audit?resource=Profile&itemsPerPage=1000`)).text.split(login).length > 1 ? login : '';
      const gone = async (login: string): Promise<number> => {
        const { id } = await store.made('/api/profiles', { login });
        assert.equal((await store.delete(`/api/profiles/${id}`)).status, 204);
        return id;
      };
      const [one, two] = ['first-gone@example.com', 'second-gone@example.com'];
      const first = await gone(one);
      assert.equal(await of(one), one);
      const exported: Json[] = (await store.post('/api/privacy/export', { email: one })).json.records;
      assert.deepEqual(
        exported.map(({ record }) => [record.action, record.path]),
        ['created', 'deleted'].map((action) => [action, `/api/profiles/${first}`]),
      );
      assert.equal((await store.post('/api/privacy/erase', { email: one.toUpperCase() })).status, 200);
      assert.equal(await of(one), '');
      const [{ id: entry }] = (await store.get(`/api/audit?path=/api/profiles/${first}&action=deleted`)).json;
      assertProblem(await store.post(`/api/audit/${entry}/restore`, {}), 410);

      const second = await gone(two);
      const later = await store.made('/api/profiles', { login: two });
      assert.equal((await store.post(`/api/profiles/${later.id}/erase`, {})).status, 200);
      assert.equal(await of(two), '');
      assert.ok(second < Number(later.id));
    });

    test('erasure requires a write key and a valid body', async () => {
      const erase = `/api/profiles/${profile}/erase`;
      assertProblem(await store.request('POST', erase, { body: {}, key: READ_ONLY_KEY }), 403);
      assertViolations(await store.post(erase, { sure: true }), ['sure', 'unknown_field']);
      assertProblem(await store.post(erase, {}, { 'if-match': '*' }), 400);
      assertProblem(await store.post('/api/profiles/4711/erase', {}), 404);
      assertProblem(await store.request('POST', '/api/profiles/4711/erase'), 404);
      assertProblem(await store.get('/api/profiles/4711/export'), 404);
      assertViolations(await store.post('/api/privacy/erase', {}), ['email', 'required']);
      assertViolations(await store.post('/api/privacy/erase', { email: 'x' }), ['email', 'format']);
      assert.deepEqual((await store.post('/api/privacy/erase', { email: 'nobody@example.com' })).json, {
        erased: [],
        retained: [],
      });
    });

    test("is erased from the customer's orders, which remain", async () => {
      // Wait until all responses of the receiver are recorded: the last event is the change of the guest's notes.
      for (let noted = false; !noted; await sleep(50)) {
        const rows = (await dumpTables(url)).split('\n').filter((row) => row.startsWith('webhook_delivery'));
        const last = rows.some((row) => row.includes('order.updated') && row.includes(`"/api/orders/${guest}"`));
        noted = last && rows.every((row) => row.includes('"status":"delivered"'));
      }
      const earlier = (await store.get(`/api/orders/${order}`)).json;
      const cursor = (await store.get('/api/changes?after=now')).headers['changes-cursor'];
      const response = await store.post(`/api/profiles/${profile}/erase`, {});
      assert.equal(response.status, 200, response.text);
      const { erased, retained } = response.json;
      assert.deepEqual(erased.slice(0, 2), [
        { resource: 'profile', count: 1, fields: null },
        { resource: 'profile_address', count: 1, fields: null },
      ]);
      assert.ok(erased.some((each: Json) => each.resource === 'order_detail' && each.fields === null));
      assert.ok(retained.some((each: Json) => each.resource === 'order_item' && each.until === null));
      assertProblem(await store.get(`/api/profiles/${profile}`), 404);
      assertProblem(await store.post(`/api/profiles/${profile}/erase`, {}), 404);
      const read = await store.get(`/api/orders/${order}`);
      assert.ok(!hasMarker(read.text), read.text);
      const { billing_address, shipping_address, email, customer_id, items, total, create_date, order_number } =
        read.json;
      assert.deepEqual(
        [email, customer_id, total, create_date, order_number],
        [...['erased@customer.invalid', null, earlier.total], ...[earlier.create_date, earlier.order_number]],
      );
      for (const address of [billing_address, shipping_address])
        assert.deepEqual({ ...address, ...REGION }, address, 'the region is retained');
      const [item] = items;
      assert.deepEqual([item.name, item.amount, item.options[0].name], [earlier.items[0].name, 2, 'Card']);
      const [parcel] = (await store.get(`/api/orders/${order}/shipments`)).json;
      assert.deepEqual([parcel.carrier, parcel.note, parcel.tracking_numbers], ['', '', []]);
      assert.equal(parcel.lines[0].amount, 1);
      // The change feed informs all readers with a copy.
      const changes = (await store.get(`/api/changes?after=${cursor}`)).json;
      const nonEmpty = (path: string) => changes.findLast((entry: Json) => entry.path === path)?.action;
      assert.deepEqual(
        [nonEmpty(`/api/profiles/${profile}`), nonEmpty(`/api/orders/${order}`)],
        ['deleted', 'updated'],
      );
      const [entry] = (await store.get('/api/audit?action=privacy_erase')).json;
      const { before, after } = entry.changes.erased;
      assert.equal(before, null);
      for (const path of [`/api/profiles/${profile}`, `/api/orders/${order}`, deletedReview])
        assert.ok(after.includes(path), path);
      const [created] = (await store.get(`/api/audit?path=/api/profiles/${profile}&action=created`)).json;
      assert.deepEqual(created.changes.login, { before: null, after: { erased: true } });
      // The store does not identify a guest with the same address as this customer.
      assert.ok(hasMarker((await store.get(`/api/orders/${guest}`)).text));
    });

    test('is absent from the database and its files once the guest is erased too', async () => {
      const delivery = Promise.withResolvers<() => void>();
      receiver.respondBy(({ text }) =>
        hasMarker(text) ? (response) => delivery.resolve(() => response.writeHead(200).end(text)) : undefined,
      );
      await store.patch(`/api/orders/${guest}`, { notes: `${MARKER} again` });
      const respond = await delivery.promise;
      const erased = await store.post('/api/privacy/erase', { email: EMAIL });
      receiver.respondBy(undefined);
      // The receiver echoes the earlier delivery after the erasure.
      respond();
      assert.equal(erased.status, 200, erased.text);
      assert.deepEqual((await store.post('/api/privacy/erase', { email: EMAIL })).json, { erased: [], retained: [] });
      // An event sent now contains no customer data.
      await sleep(300);
      const rows = (await dumpTables(url)).split('\n').filter(hasMarker);
      assert.deepEqual(rows, []);
      if (!url.startsWith('sqlite:')) return;
      const file = url.slice('sqlite:'.length);
      const files = readdirSync(dirname(file)).filter((other) => other.startsWith(basename(file)));
      assert.ok(files.length > 0);
      for (const each of files)
        assert.ok(!hasMarker(readFileSync(join(dirname(file), each)).toString('latin1')), `in ${each}`);
    });

    test('is not restored by retries, which are rejected with 410', async () => {
      const count = async () => (await store.get('/api/orders')).headers['x-total-count'];
      const earlier = await count();
      for (const name of ['profile', 'address']) {
        const path = name === 'profile' ? '/api/profiles' : `/api/profiles/${profile}/addresses`;
        assertProblem(await store.post(path, { login: EMAIL }, key(name)), 410, /is not run again/);
      }
      for (const more of [{ customer_id: profile }, {}])
        assertProblem(await store.post('/api/orders', {}, key(`order-${JSON.stringify(more).length}`)), 410);
      assert.equal(await count(), earlier);
    });
  });

onEachDatabase('concurrent erasures of one data subject', {}, (store) => {
  const erasedBy = (path: string, body: Json): Promise<HttpResponse[]> =>
    Promise.all(Array.from({ length: 8 }, () => store.post(path, body)));

  test('succeed once and return 404 for the erased profile', async () => {
    const { id } = await store.made('/api/profiles', { login: 'twice@example.com' });
    const responses = await erasedBy(`/api/profiles/${id}/erase`, {});
    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, ...Array(7).fill(404)]);
  });

  test('succeed once for a guest and then find no data', async () => {
    const { sku } = await store.product();
    const email = 'guest-twice@example.com';
    await store.made('/api/orders', { email, items: [{ sku, amount: 1 }] });
    const responses = await erasedBy('/api/privacy/erase', { email });
    const nonEmpty = responses.filter(({ json }) => json.erased.length + json.retained.length > 0);
    assert.equal(nonEmpty.length, 1, 'other requests erase and retain no records');
    const of = (resource: string) => nonEmpty[0]!.json.erased.find((each: Json) => each.resource === resource)?.count;
    assert.deepEqual([of('order'), of('order_item')], [1, undefined], 'no order line has a text of the customer');
  });
});
