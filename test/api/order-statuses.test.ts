/** Payment and shipping statuses: the tables, the statuses of an order, their changes and history (orders.md §2). */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { HttpResponse } from '../support/client.ts';
import { databaseNames } from '../support/databases.ts';
import { assertProblem, assertUnchanged } from '../support/expect.ts';
import { outputNames } from '../support/fields.ts';
import { nextSecond } from '../support/next-second.ts';
import {
  assertBroken,
  BLANK,
  type Broken,
  type Event,
  eventsOf,
  historyOf,
  NULL,
  ofType,
  orderAt,
  orderItem,
  orderOf,
  PAYMENT_STATUSES,
  placed,
  SHIPPING_STATUSES,
  SIDES,
  type Side,
  setStatus,
  startServers,
  statuses,
  times,
  tooLong,
  versionOf,
  withStatus,
} from '../support/orders.ts';
import { type Json, onEachDatabase, READ_ONLY_KEY, type Store } from '../support/store.ts';

const NAMES: Record<Side, Record<string, string>> = { payment: PAYMENT_STATUSES, shipping: SHIPPING_STATUSES };
const RESOURCE: Record<Side, string> = { payment: 'PaymentStatus', shipping: 'ShippingStatus' };
const FIRST: Record<Side, string> = { payment: 'Q', shipping: 'N' };
/** Another status that changes no stock. */
const SECOND: Record<Side, string> = { payment: 'P', shipping: 'S' };
const THIRD: Record<Side, string> = { payment: 'A', shipping: 'D' };
const CODE: Record<Side, string> = {
  payment: 'CHANGE PAYMENT STATUS ORDER',
  shipping: 'CHANGE SHIPPING STATUS ORDER',
};
const de = { 'accept-language': 'de' };

const newOrder = async (store: Store, fields: Json = {}): Promise<HttpResponse['json']> =>
  placed(store, [orderItem(await store.product(), 1)], fields);

for (const side of SIDES) {
  const field = `${side}_status`;

  onEachDatabase(`table of ${side} statuses`, {}, (store) => {
    test('contains the built-in statuses in their order', async () => {
      const response = await store.get(`/api/${side}_statuses`);
      assert.equal(response.status, 200, response.text);
      assert.deepEqual(
        response.json.map(({ code, name }: Json) => [code, name]),
        Object.entries(NAMES[side]),
      );
      for (const status of response.json) {
        assert.deepEqual(Object.keys(status), outputNames(RESOURCE[side]));
        assert.ok(Number.isInteger(status.id));
        assert.equal(typeof status.customer_name, 'string');
      }
      assert.equal(response.headers['x-total-count'], String(response.json.length));
    });

    test('has names in every language', async () => {
      const { json } = await store.get(`/api/${side}_statuses`, de);
      assert.deepEqual(
        json.map(({ code }: Json) => code),
        Object.keys(NAMES[side]),
      );
      for (const { name } of json) assert.ok(name.length > 0);
    });

    test('equals the statuses in orders', async () => {
      const table = (await store.get(`/api/${side}_statuses`)).json;
      for (const status of table) {
        const order = await newOrder(store, { [field]: status.code });
        assert.deepEqual(order[field], status);
        assert.deepEqual((await store.get(`/api/orders/${order.id}/${field}`)).json, status);
      }
    });
  });

  onEachDatabase(`${side} status of an order`, {}, (store) => {
    test('can change to any other status, which the response contains', async () => {
      const { id } = await newOrder(store);
      const path = `/api/orders/${id}/${field}`;
      for (const [code, name] of Object.entries(NAMES[side]).toReversed()) {
        const response = await store.put(path, { code });
        assert.equal(response.status, 200, response.text);
        assert.deepEqual(Object.keys(response.json), outputNames(RESOURCE[side]));
        assert.deepEqual([response.json.code, response.json.name], [code, name]);
        assert.equal(response.headers.location, undefined);
        const read = await store.get(path);
        assert.deepEqual([read.text, read.headers.etag], [response.text, response.headers.etag]);
        assert.deepEqual((await orderAt(store, id))[field], response.json);
        assert.deepEqual((await store.get(`/api/orders?id=${id}`)).json[0][field], response.json);
      }
    });

    test('changes without other fields of the order', async () => {
      const order = await newOrder(store, { notes: 'N', billing_address: {}, surcharges: [{ type: 'tax', value: 1 }] });
      const changed = await withStatus(store, order.id, side, SECOND[side]);
      const { update_date, [field]: status, ...rest } = changed;
      assert.deepEqual(rest, { ...without(order, 'update_date', field) });
      assert.equal(status.code, SECOND[side]);
    });

    test('changes the version and update date of the order', async () => {
      const { id, update_date } = await newOrder(store);
      const path = `/api/orders/${id}`;
      const earlier = await store.get(path);
      await nextSecond();
      await setStatus(store, id, side, SECOND[side]);
      const later = await store.get(path);
      assert.equal(versionOf(later), versionOf(earlier) + 1);
      assert.ok(Date.parse(later.json.update_date) > Date.parse(update_date));
      assertProblem(await store.patch(path, { notes: 'Late' }, { 'if-match': earlier.headers.etag }), 412);
    });

    test('can be sent back as read', async () => {
      const { id } = await newOrder(store);
      const path = `/api/orders/${id}/${field}`;
      const read = await store.get(path);
      await assertUnchanged(store, async () => {
        for (const body of [read.text, { code: FIRST[side] }]) {
          const response = await store.put(path, body);
          assert.equal(response.status, 200, response.text);
          assert.deepEqual([response.text, response.headers.etag], [read.text, read.headers.etag]);
        }
      });
    });

    const rejected: [title: string, body: unknown, ...broken: Broken[]][] = [
      ['a missing code', {}, ['code', 'required', BLANK]],
      ['null', { code: null }, ['code', 'null', NULL]],
      ['an empty code', { code: '' }, ['code']],
      ['a code of five characters', { code: 'QQQQQ' }, ['code', 'too_long', tooLong(4)]],
      ['a long code', { code: 'Q'.repeat(1000) }, ['code', 'too_long', tooLong(4)]],
      ['an unknown code', { code: 'XYZ' }, ['code']],
      ['a code in other capitals', { code: FIRST[side].toLowerCase() }, ['code']],
      ['a code with a space', { code: `${FIRST[side]} ` }, ['code']],
      ['a code of the other kind', { code: side === 'payment' ? 'NBA' : 'PP' }, ['code']],
      ['a name', { code: NAMES[side][FIRST[side]]!.slice(0, 4) }, ['code']],
      ['an id as a text', { code: '3' }, ['code']],
      ['a number', { code: 1 }, ['code', 'type', ofType('string')]],
      ['a list', { code: ['Q'] }, ['code', 'type', ofType('string')]],
      ['true', { code: true }, ['code', 'type', ofType('string')]],
      ['an unknown field', { code: SECOND[side], coed: 'Q' }, ['coed', 'unknown_field', /coed.*code/]],
    ];
    for (const [title, body, ...broken] of rejected)
      test(`rejects ${title}`, async () => {
        const { id } = await newOrder(store);
        await assertUnchanged(store, async () =>
          assertBroken(await store.put(`/api/orders/${id}/${field}`, body), ...broken),
        );
      });

    test('ignores an unknown field with handling=lenient', async () => {
      const { id } = await newOrder(store);
      const body = { code: SECOND[side], coed: 'Q' };
      const response = await store.put(`/api/orders/${id}/${field}`, body, { prefer: 'handling=lenient' });
      assert.deepEqual([response.status, response.json.code], [200, SECOND[side]]);
      assert.equal(response.headers['preference-applied'], 'handling=lenient');
    });

    test('returns 404 for an unknown order', async () => {
      for (const id of ['999999', '0', '01', 'abc', '1.0']) {
        const path = `/api/orders/${id}/${field}`;
        assertProblem(await store.get(path), 404);
        assertProblem(await store.put(path, { code: SECOND[side] }), 404);
        assertProblem(await store.put(path, { code: SECOND[side] }, { 'if-match': '*' }), 404);
      }
    });

    test('supports GET and PUT only', async () => {
      const { id } = await newOrder(store);
      const path = `/api/orders/${id}/${field}`;
      await assertUnchanged(store, async () => {
        for (const method of ['POST', 'PATCH', 'DELETE']) {
          const response = await store.request(method, path, { body: { code: SECOND[side] } });
          assertProblem(response, 405);
          const allowed = response.headers.allow!.split(', ').filter((each) => each !== 'OPTIONS');
          assert.deepEqual(allowed.sort(), ['GET', 'HEAD', 'PUT'], method);
        }
        const body = { code: SECOND[side] };
        assertProblem(await store.request('PUT', path, { key: READ_ONLY_KEY, body }), 403);
        assertProblem(await store.request('PUT', path, { key: null, body }), 401);
        assert.equal((await store.request('GET', path, { key: READ_ONLY_KEY })).status, 200);
        assertProblem(await store.get(`${path}?page=1`), 400, /page/);
        const type = { 'content-type': 'application/merge-patch+json' };
        assertProblem(await store.put(path, body, type), 415);
      });
    });
  });

  onEachDatabase(`ETag of a ${side} status`, {}, (store) => {
    let path: string;
    let id: number;
    before(async () => {
      ({ id } = await newOrder(store));
      path = `/api/orders/${id}/${field}`;
    });

    test('supports conditional reads', async () => {
      const { headers } = await store.get(path);
      const none = { 'if-none-match': headers.etag };
      assert.equal((await store.get(path, none)).status, 304);
      await setStatus(store, id, side, SECOND[side]);
      assert.equal((await store.get(path, none)).status, 200);
    });

    test('prevents lost updates', async () => {
      const { headers } = await store.get(path);
      const first = await store.put(path, { code: THIRD[side] }, { 'if-match': headers.etag });
      assert.equal(first.status, 200, first.text);
      await assertUnchanged(store, async () => {
        for (const tag of [headers.etag, '"1-x"', `x${first.headers.etag}`, '']) {
          const response = await store.put(path, { code: SECOND[side] }, { 'if-match': tag });
          assertProblem(response, 412);
          assert.equal(response.headers.etag, first.headers.etag);
        }
      });
      for (const tag of [first.headers.etag!, '*'])
        assert.equal((await store.put(path, { code: THIRD[side] }, { 'if-match': tag })).status, 200);
    });

    test('is checked before the rules of the body', () =>
      assertUnchanged(store, async () =>
        assertProblem(await store.put(path, { code: 5 }, { 'if-match': '"1-x"' }), 412),
      ));

    test('differs after a change and back', async () => {
      const order = await newOrder(store);
      const own = `/api/orders/${order.id}/${field}`;
      const first = await store.get(own);
      await setStatus(store, order.id, side, SECOND[side]);
      await setStatus(store, order.id, side, FIRST[side]);
      const last = await store.get(own);
      assert.equal(last.text, first.text);
      assert.notEqual(last.headers.etag, first.headers.etag);
      assertProblem(await store.put(own, { code: THIRD[side] }, { 'if-match': first.headers.etag }), 412);
      assert.equal((await store.get(own)).json.code, FIRST[side]);
    });

    test('lets one of 20 concurrent clients succeed', async () => {
      const order = await newOrder(store);
      const own = `/api/orders/${order.id}/${field}`;
      const { etag } = (await store.get(own)).headers;
      const added = await eventsOf(store, order.id, async () => {
        const responses = await times(20, () => store.put(own, { code: SECOND[side] }, { 'if-match': etag }));
        assert.deepEqual(statuses(responses), { 200: 1, 412: 19 });
      });
      assert.equal(added.length, 1);
    });
  });

  onEachDatabase(`history of a ${side} status`, {}, (store) => {
    test('has one event per change with both codes', async () => {
      const { id } = await newOrder(store);
      let from = FIRST[side];
      for (const to of [SECOND[side], THIRD[side], FIRST[side]]) {
        const [event, ...more] = await eventsOf(store, id, () => setStatus(store, id, side, to));
        assert.deepEqual(more, []);
        assertChange(event!, side, id, from, to);
        from = to;
      }
    });

    test('has no event for an unchanged status, a rejected change or a read', async () => {
      const { id } = await newOrder(store);
      const added = await eventsOf(store, id, async () => {
        await setStatus(store, id, side, FIRST[side]);
        await setStatus(store, id, side, 'XX');
        await store.put(`/api/orders/${id}/${field}`, { code: SECOND[side] }, { 'if-match': '"1-x"' });
        await store.get(`/api/orders/${id}/${field}`);
      });
      assert.deepEqual(added, []);
    });

    test('is in the language of the request', async () => {
      const { id } = await newOrder(store);
      await setStatus(store, id, side, SECOND[side]);
      const [english, german] = [(await historyOf(store, id)).at(-1)!, (await historyOf(store, id, de)).at(-1)!];
      assert.deepEqual(without(german, 'description', 'data'), without(english, 'description', 'data'));
      for (const { description } of [english, german]) assertFilledIn(description);
      assert.deepEqual([german.data.oldStatusCode, german.data.newStatusCode], [FIRST[side], SECOND[side]]);
    });

    test('records concurrent changes as one sequence', async () => {
      const { id } = await newOrder(store);
      const all = Object.keys(NAMES[side]).filter((code) => !['D', 'C', 'R'].includes(code));
      const added = await eventsOf(store, id, async () => {
        const responses = await times(20, (index) => setStatus(store, id, side, all[index % all.length]!));
        assert.deepEqual(statuses(responses), { 200: 20 });
      });
      let from = FIRST[side];
      for (const event of added) {
        assert.equal(event.code, CODE[side]);
        assert.equal(event.data.oldStatusCode, from);
        assert.notEqual(event.data.newStatusCode, from);
        from = event.data.newStatusCode;
      }
      assert.equal((await orderAt(store, id))[field].code, from);
    });
  });
}

function without(record: Json, ...fields: readonly string[]): Json {
  return Object.fromEntries(Object.entries(record).filter(([field]) => !fields.includes(field)));
}

function assertFilledIn(description: string): void {
  assert.ok(description.length > 0);
  assert.doesNotMatch(description, /[{}]|%\w|\bundefined\b|\bnull\b|\[object/);
}

function assertChange(event: Event, side: Side, order: number, from: string, to: string): void {
  assert.deepEqual(Object.keys(event), outputNames('OrderHistoryEvents'));
  assert.equal(event.code, CODE[side]);
  assert.match(event.date, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\+00:00$/);
  assert.ok(Math.abs(Date.parse(event.date) - Date.now()) < 60_000);
  assertFilledIn(event.description);
  assert.deepEqual(Object.keys(event.data).sort(), [
    ...['newStatus', 'newStatusCode', 'oldStatus', 'oldStatusCode', 'orderId'],
  ]);
  assert.deepEqual([event.data.orderId, event.data.oldStatusCode, event.data.newStatusCode], [order, from, to]);
  assert.ok(Array.isArray(event.details));
}

onEachDatabase('payment and shipping status', {}, (store) => {
  test('have separate ETags that both contain the version of the order', async () => {
    const { id } = await newOrder(store);
    const tags = () =>
      Promise.all(SIDES.map(async (side) => (await store.get(`/api/orders/${id}/${side}_status`)).headers.etag));
    const [payment, shipping] = await tags();
    await setStatus(store, id, 'payment', 'P');
    const [later, same] = await tags();
    assert.notEqual(later, payment);
    assert.equal((await store.get(`/api/orders/${id}/shipping_status`)).json.code, 'N');
    assert.notEqual(same, shipping, 'both ETags contain the version of the order');
  });

  test('can be changed concurrently and are both stored', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await newOrder(store);
      const added = await eventsOf(store, id, async () => {
        const responses = await Promise.all([
          setStatus(store, id, 'payment', 'P'),
          setStatus(store, id, 'shipping', 'S'),
          store.patch(`/api/orders/${id}`, { notes: 'Kept' }),
        ]);
        assert.deepEqual(statuses(responses), { 200: 3 });
      });
      const order = await orderAt(store, id);
      assert.deepEqual([order.payment_status.code, order.shipping_status.code, order.notes], ['P', 'S', 'Kept']);
      assert.equal(added.length, 3);
    }
  });

  test('that an order starts with are not recorded as changes', async () => {
    const { id } = await newOrder(store, { payment_status: 'P', shipping_status: 'S' });
    const history = await historyOf(store, id);
    assert.equal(history[0]!.code, 'PLACE ORDER');
    for (const { code } of history) assert.doesNotMatch(code, /STATUS/);
  });

  test('have a read-only history', async () => {
    const { id } = await newOrder(store);
    await assertUnchanged(store, async () => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
        assertProblem(await store.request(method, `/api/orders/${id}/history`, { body: { code: 'PLACE ORDER' } }), 405);
      assertProblem(await store.get('/api/orders/999999/history'), 404);
    });
  });
});

for (const database of databaseNames)
  test(`history contains the key and address of a status change (${database})`, async () => {
    const servers = await startServers(database, 1);
    try {
      const key = await servers.run('keys', 'create', 'night script');
      const send = (method: string, path: string, body?: Json) => servers.send(0, method, path, { key, body });
      const product = (await send('POST', '/api/products', { sku: 'A', name: 'A' })).json;
      const { id } = (await send('POST', '/api/orders', orderOf([orderItem(product, 1)]))).json;
      for (const side of SIDES)
        assert.equal((await send('PUT', `/api/orders/${id}/${side}_status`, { code: SECOND[side] })).status, 200);
      const { json } = await send('GET', `/api/orders/${id}/history`);
      const changes = json.filter(({ code }: Event) => Object.values(CODE).includes(code));
      assert.equal(changes.length, 2);
      for (const event of json) assert.deepEqual([event.profile_name, event.ip], ['night script', '127.0.0.1']);
    } finally {
      await servers.stop();
    }
  });
