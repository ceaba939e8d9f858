/** Items, details, tracking numbers and transactions: parts of an order with their own paths (orders.md §1, §5). */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { HttpResponse } from '../support/client.ts';
import {
  assertProblem,
  assertUnchanged,
  assertViolations,
  choiceOf,
  type ExpectedViolation,
} from '../support/expect.ts';
import { outputNames, whole } from '../support/fields.ts';
import { nextSecond } from '../support/next-second.ts';
import { idsOf, placed, type Shown, uncounted, versionOf } from '../support/order-parts.ts';
import { type Json, onEachDatabase, READ_ONLY_KEY } from '../support/store.ts';

const BODY_METHODS = ['POST', 'PUT', 'PATCH'];

/** For each kind of part: its methods, a body that creates one, and a PATCH that changes it. */
const PARTS: Record<string, { list: string[]; one: string[]; body: Json; change: Json }> = {
  details: {
    list: ['GET', 'HEAD', 'POST'],
    one: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'],
    body: { name: 'Gift wrap', value: 'red' },
    change: { value: 'blue' },
  },
  tracking_numbers: {
    list: ['GET', 'HEAD', 'POST'],
    one: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'],
    body: { value: '1Z 999 AA1' },
    change: { value: '1Z 999 AA2' },
  },
  payment_transactions: {
    list: ['GET', 'HEAD', 'POST'],
    one: ['GET', 'HEAD', 'PATCH'],
    body: { value: 10 },
    change: { status: 'S' },
  },
};

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'PURGE'];
const SUPPORTED: Record<string, { list: string[]; one: string[] }> = {
  ...PARTS,
  items: { list: ['GET', 'HEAD'], one: ['GET', 'HEAD'] },
};

onEachDatabase('order parts', {}, (store) => {
  let orders: [number, number];
  before(async () => {
    orders = [(await placed(store)).id, (await placed(store)).id];
  });

  for (const [kind, { list, one }] of Object.entries(SUPPORTED))
    test(`${kind} support their methods and reject others with 405`, async () => {
      const [order] = orders;
      const collection = `/api/orders/${order}/${kind}`;
      const id = kind === 'items' ? (await store.get(collection)).json[0].id : 1;
      await assertUnchanged(store, async () => {
        for (const [path, supported] of [
          [collection, list],
          [`${collection}/${id}`, one],
        ] as const)
          for (const method of METHODS.filter((each) => !supported.includes(each))) {
            const body = BODY_METHODS.includes(method) ? { amount: 5 } : undefined;
            const response = await store.request(method, path, { body });
            assertProblem(response, 405);
            const allowed = response.headers.allow!.split(', ').filter((each) => each !== 'OPTIONS');
            assert.deepEqual(allowed.sort(), supported.toSorted(), `${method} ${path}`);
          }
      });
    });

  for (const kind of Object.keys(SUPPORTED))
    test(`${kind} of an unknown or malformed order return 404 for every method`, async () => {
      for (const order of ['999999', 'abc', '01', '0', '-1', orders[0] + 0.5])
        for (const [path, methods] of [
          [`/api/orders/${order}/${kind}`, SUPPORTED[kind]!.list],
          [`/api/orders/${order}/${kind}/1`, SUPPORTED[kind]!.one],
        ] as const)
          for (const method of methods.filter((each) => each !== 'HEAD')) {
            const body = BODY_METHODS.includes(method) ? {} : undefined;
            assertProblem(await store.request(method, path, { body }), 404);
          }
    });

  for (const kind of Object.keys(SUPPORTED))
    test(`${kind} of an unknown order return 404 before filters, pages and If-Match are checked`, async () => {
      const path = `/api/orders/999999/${kind}`;
      assertProblem(await store.get(`${path}?page=2`), 404);
      assertProblem(await store.get(`${path}?id=1`), 404);
      if (SUPPORTED[kind]!.one.includes('PATCH'))
        assertProblem(await store.patch(`${path}/1`, {}, { 'if-match': '*' }), 404);
    });

  for (const [kind, { one, body, change }] of Object.entries(PARTS))
    describe(kind, () => {
      const path = (which: 0 | 1 = 0) => `/api/orders/${orders[which]}/${kind}`;

      test('are created and shown alone and in the list', async () => {
        const created = await store.post(path(), body);
        assert.equal(created.status, 201, created.text);
        const { id } = created.json;
        assert.equal(created.headers.location, `${store.address}${path()}/${id}`);
        assert.equal(versionOf(created), versionOf(await store.get(`${path()}/${id}`)));
        const read = await store.get(`${path()}/${id}`);
        assert.deepEqual([read.text, read.headers.etag], [created.text, created.headers.etag]);
        const collection = await store.get(path());
        assert.deepEqual(collection.json.at(-1), created.json);
        assert.equal(collection.headers['x-total-count'], String(collection.json.length));
        const head = await store.request('HEAD', `${path()}/${id}`);
        assert.deepEqual([head.status, head.text, head.headers.etag], [200, '', read.headers.etag]);
      });

      test('have generated ids, and reject an id in POST', async () => {
        const first = await store.made(path(), body);
        const second = await store.made(path(1), { ...body, id: null });
        assert.notEqual(second.id, first.id);
        for (const id of [first.id, 77777])
          assertViolations(await store.post(path(), { ...body, id }), ['id', 'read_only']);
      });

      test('are sorted by id, filtered and paginated', async () => {
        const { id: order } = await placed(store);
        const list = `/api/orders/${order}/${kind}`;
        assert.deepEqual((await store.get(list)).json, []);
        const ids: number[] = [];
        for (let count = 0; count < 4; count += 1) ids.push((await store.made(list, body)).id);
        const [a, b, c, d] = ids;
        const shown = async (query: string) => idsOf((await store.get(`${list}?${query}`)).json);
        assert.deepEqual(await shown(''), [a, b, c, d]);
        assert.deepEqual(await shown('order[id]=desc'), [d, c, b, a]);
        assert.deepEqual(await shown(`id[]=${d}&id[]=${b}`), [b, d]);
        assert.deepEqual(await shown(`id=${c}`), [c]);
        assert.deepEqual(await shown('id=999999'), []);
        assert.deepEqual(await shown('itemsPerPage=3&page=2'), [d]);
        assert.equal((await store.get(`${list}?itemsPerPage=1`)).headers['x-total-count'], '4');
        assert.deepEqual((await store.get(`${path(1)}?id=${a}`)).json, [], 'another order does not list them');
        for (const query of ['colour=red', 'order[colour]=asc', 'page=0', 'id=x'])
          assertProblem(await store.get(`${list}?${query}`), 400);
      });

      test('change the version and update date of the order', async () => {
        const { id: order, update_date } = await placed(store);
        const list = `/api/orders/${order}/${kind}`;
        const own = await store.get(`/api/orders/${order}`);
        let earlier = own;
        const assertVersionGrows = async (change: () => Promise<HttpResponse>) => {
          const response = await change();
          assert.ok(response.status < 300, response.text);
          const now = await store.get(`/api/orders/${order}`);
          assert.ok(versionOf(now) > versionOf(earlier), `${versionOf(now)} is after ${versionOf(earlier)}`);
          earlier = now;
          return response;
        };
        await nextSecond();
        const { id } = (await assertVersionGrows(() => store.post(list, body))).json;
        assert.ok(earlier.json.update_date > update_date);
        await nextSecond();
        const made = earlier.json.update_date;
        await assertVersionGrows(() => store.patch(`${list}/${id}`, change));
        assert.ok(earlier.json.update_date > made);
        if (one.includes('PUT')) await assertVersionGrows(() => store.put(`${list}/${id}`, body));
        if (one.includes('DELETE')) await assertVersionGrows(() => store.delete(`${list}/${id}`));
        const { tracking_numbers: _, update_date: __, ...rest } = earlier.json;
        const { tracking_numbers: ___, update_date: ____, ...first } = own.json;
        assert.deepEqual(rest, first, 'other fields of the order do not change');
        assertProblem(await store.patch(`/api/orders/${order}`, { notes: 'x' }, { 'if-match': own.headers.etag }), 412);
      });

      test('do not change if sent as they are', async () => {
        const part = await store.made(path(), body);
        await assertUnchanged(store, async () => {
          for (const sent of [{}, part, { id: part.id }]) {
            const response = await store.patch(`${path()}/${part.id}`, sent);
            assert.deepEqual([response.status, response.json], [200, part], response.text);
          }
          if (one.includes('PUT')) assert.deepEqual((await store.put(`${path()}/${part.id}`, part)).json, part);
        });
      });

      test('have their own versions, which If-Match checks', async () => {
        const [first, second] = [await store.post(path(), body), await store.post(path(), body)];
        const target = `${path()}/${first.json.id}`;
        await assertUnchanged(store, async () => {
          for (const tag of ['"1-stale"', `x${first.headers.etag}`, second.headers.etag!]) {
            const response = await store.patch(target, change, { 'if-match': tag });
            assertProblem(response, 412);
            assert.equal(response.headers.etag, first.headers.etag);
          }
          assertProblem(await store.post(path(), body, { 'if-match': '*' }), 400);
        });
        const changed = await store.patch(target, change, { 'if-match': first.headers.etag });
        assert.equal(changed.status, 200, changed.text);
        assert.equal(versionOf(changed), versionOf(first) + 1);
        assert.equal((await store.get(target)).headers.etag, changed.headers.etag);
        assert.equal((await store.get(`${path()}/${second.json.id}`)).headers.etag, second.headers.etag);
        assert.equal((await store.get(target, { 'if-none-match': changed.headers.etag })).status, 304);
        await assertUnchanged(store, async () => {
          const stale = { 'if-match': first.headers.etag };
          assertProblem(await store.patch(target, body, stale), 412);
          if (one.includes('PUT')) assertProblem(await store.put(target, body, stale), 412);
          if (one.includes('DELETE')) assertProblem(await store.delete(target, stale), 412);
        });
        if (one.includes('DELETE'))
          assert.equal((await store.delete(target, { 'if-match': changed.headers.etag })).status, 204);
        else assert.equal((await store.patch(target, change, { 'if-match': '*' })).status, 200);
      });

      test('return 404 under another order or with an unknown id', async () => {
        const { id } = await store.made(path(), body);
        for (const each of [`${path(1)}/${id}`, `${path()}/999999`, `${path()}/abc`, `${path()}/01`])
          await assertUnchanged(store, async () => {
            for (const method of one.filter((name) => name !== 'HEAD')) {
              const sent = BODY_METHODS.includes(method) ? { ...body, ...change } : undefined;
              assertProblem(await store.request(method, each, { body: sent }), 404);
            }
          });
      });

      test('reject writes with a read-only key', async () => {
        const { id } = await store.made(path(), body);
        await assertUnchanged(store, async () => {
          const key = READ_ONLY_KEY;
          assertProblem(await store.request('POST', path(), { key, body }), 403);
          assertProblem(await store.request('PATCH', `${path()}/${id}`, { key, body: change }), 403);
          assert.equal((await store.request('GET', `${path()}/${id}`, { key })).status, 200);
        });
      });

      test('reject unknown fields and another id', async () => {
        const { id } = await store.made(path(), body);
        await assertUnchanged(store, async () => {
          assertViolations(await store.post(path(), { ...body, colour: 'red' }), ['colour', 'unknown_field', /colour/]);
          assertViolations(await store.patch(`${path()}/${id}`, { colour: 'red' }), ['colour', 'unknown_field']);
          const response = await store.patch(`${path()}/${id}`, { ...change, id: id + 1 });
          assertProblem(response, 422);
          assert.deepEqual(pathsOf(response), ['id']);
          assertProblem(await store.post(path(), []), 400);
          assertProblem(await store.post(path(), '{"name":'), 400);
        });
      });
    });
});

onEachDatabase('order items', {}, (store) => {
  test('are equal in the order, alone and in the list', async () => {
    const product = await uncounted(store, { name: 'Mug', sku: 'MUG' });
    const other = await uncounted(store);
    const order = await placed(store, {
      items: [
        { product_id: product.id, amount: 3, price: 0.1 },
        { sku: other.sku, amount: 2 },
      ],
    });
    const path = `/api/orders/${order.id}/items`;
    const { json: items, headers } = await store.get(path);
    assert.deepEqual(items, order.items);
    assert.equal(headers['x-total-count'], '2');
    const { id, update_date, ...first } = items[0];
    const typed = {
      product_id: product.id,
      sku: 'MUG',
      name: 'Mug',
      price: 0.1,
      item_net_price: 0.1,
      discounted_subtotal: 0.3,
      amount: 3,
      backordered_amount: 0,
      ordered_amount: 3,
      surcharges: [],
    };
    assert.deepEqual(first, whole('OrderItem', typed, 'id', 'update_date'));
    assert.match(update_date, TIMESTAMP);
    assert.deepEqual(Object.keys(items[0]), outputNames('OrderItem'));
    for (const item of items) {
      const alone = await store.get(`${path}/${item.id}`);
      assert.deepEqual(alone.json, item);
      versionOf(alone);
      assert.equal((await store.get(`${path}/${item.id}`, { 'if-none-match': alone.headers.etag })).status, 304);
    }
    assert.deepEqual(idsOf((await store.get(`${path}?order[id]=desc`)).json), [items[1].id, id]);
    assert.deepEqual(idsOf((await store.get(`${path}?id=${id}`)).json), [id]);
    assert.deepEqual(idsOf((await store.get(`${path}?itemsPerPage=1&page=2`)).json), [items[1].id]);
    for (const query of ['amount=3', 'order[amount]=asc'])
      assertProblem(await store.get(`${path}?${query}`), 400, /amount/);
  });

  test('return 404 under another order or with an unknown id', async () => {
    const [one, other] = [await placed(store), await placed(store)];
    for (const id of [other.items[0].id, 999999, 'abc', '01'])
      assertProblem(await store.get(`/api/orders/${one.id}/items/${id}`), 404);
  });

  test('retain the name and price of the sale after changes of the product', async () => {
    const product = await uncounted(store, { name: 'As sold', sku: 'SOLD' });
    const order = await placed(store, { items: [{ product_id: product.id, amount: 2 }] });
    const path = `/api/orders/${order.id}/items/${order.items[0].id}`;
    const [first, whole] = [await store.get(path), await store.get(`/api/orders/${order.id}`)];

    await store.patch(`/api/products/${product.id}`, { name: 'Renamed', price: 99, sku: 'OTHER' });
    const renamed = await store.get(path);
    assert.deepEqual(renamed.json, first.json);
    assert.equal(renamed.headers.etag, first.headers.etag);
    assert.equal((await store.get(`/api/orders/${order.id}`)).text, whole.text);

    assert.equal((await store.delete(`/api/products/${product.id}`)).status, 204);
    const withoutProduct = await store.get(path);
    assert.deepEqual(withoutProduct.json, { ...first.json, product_id: null });
    const after = await store.get(`/api/orders/${order.id}`);
    assert.deepEqual(after.json.items, [withoutProduct.json]);
    assert.deepEqual([after.json.total, after.json.update_date], [whole.json.total, whole.json.update_date]);
    assert.equal(versionOf(after), versionOf(whole));
  });
});

onEachDatabase('order details', {}, (store) => {
  let order: Shown;
  let path: string;
  before(async () => {
    order = await placed(store);
    path = `/api/orders/${order.id}/details`;
  });

  test('are created, replaced, updated and deleted', async () => {
    const created = await store.made(path, { name: 'Engraving', value: 'For Ann' });
    const { id } = created;
    assert.deepEqual(created, whole('OrderDetail', { id, name: 'Engraving', value: 'For Ann' }));
    assert.deepEqual(Object.keys(created), outputNames('OrderDetail'));
    const one = `${path}/${id}`;
    assert.deepEqual(
      (await store.patch(one, { value: 'For Bob' })).json,
      whole('OrderDetail', { id, name: 'Engraving', value: 'For Bob' }),
    );
    assert.deepEqual(
      (await store.patch(one, { name: 'Text' })).json,
      whole('OrderDetail', { id, name: 'Text', value: 'For Bob' }),
    );
    assert.deepEqual(
      (await store.put(one, { name: 'Note', value: 'x' })).json,
      whole('OrderDetail', { id, name: 'Note', value: 'x' }),
    );
    const bare = await store.made(path, { name: 'Bare' });
    assert.deepEqual((await store.put(one, { name: 'Note' })).json.value, bare.value, 'PUT sets the default of POST');
    assert.deepEqual((await store.get(one)).json, whole('OrderDetail', { id, name: 'Note', value: bare.value }));
    const response = await store.delete(one);
    assert.deepEqual([response.status, response.text], [204, '']);
    for (const method of ['GET', 'DELETE']) assertProblem(await store.request(method, one), 404);
    assertProblem(await store.put(one, { name: 'Back' }), 404);
  });

  test('may share a name, and retain their texts as sent', async () => {
    for (const name of ['Twice', 'Twice', ' spaces ', '<b>&amp;</b>', '👩‍👩‍👧', "'; drop table--"]) {
      const detail = await store.made(path, { name, value: name });
      const { json } = await store.get(`${path}/${detail.id}`);
      assert.deepEqual([json.name, json.value], [name, name]);
    }
    const longest = '😀'.repeat(255);
    assert.equal((await store.made(path, { name: longest })).name, longest);
  });

  const rejected: [body: Json, ...violations: ExpectedViolation[]][] = [
    [{}, ['name', 'required', 'This value should not be blank.']],
    [{ value: 'V' }, ['name', 'required']],
    [{ name: null }, ['name', 'null', 'This value should not be null.']],
    [{ name: 5 }, ['name', 'type']],
    [{ name: 'n'.repeat(256) }, ['name', 'too_long', 'This value is too long. It should have 255 characters or less.']],
    [{ name: 5, colour: 'red' }, ['name', 'type'], ['colour', 'unknown_field']],
  ];
  for (const [body, ...violations] of rejected)
    test(`reject ${JSON.stringify(body).slice(0, 50)}`, async () => {
      const { id } = await store.made(path, { name: 'Stays', value: 'here' });
      await assertUnchanged(store, async () => {
        assertViolations(await store.post(path, body), ...violations);
        assertViolations(await store.put(`${path}/${id}`, body), ...violations);
        if (violations[0]![1] !== 'required') assertViolations(await store.patch(`${path}/${id}`, body), ...violations);
      });
    });
});

onEachDatabase('order tracking numbers', {}, (store) => {
  test('are created, replaced, updated, deleted and shown in the order', async () => {
    const { id: order, tracking_numbers } = await placed(store);
    assert.deepEqual(tracking_numbers, []);
    const path = `/api/orders/${order}/tracking_numbers`;
    const shown = async () => (await store.get(`/api/orders/${order}`)).json.tracking_numbers;
    const first = await store.made(path, { value: '1Z 999' });
    assert.deepEqual(Object.keys(first), outputNames('OrderTrackingNumber'));
    assert.equal(first.value, '1Z 999');
    assert.match(first.date, TIMESTAMP);
    const second = await store.made(path, { value: 'RR 123 DE' });
    assert.deepEqual(await shown(), [first, second]);
    assert.deepEqual((await store.get(path)).json, [first, second]);
    const one = `${path}/${first.id}`;
    const patched = await store.patch(one, { value: '1Z 998' });
    assert.deepEqual([patched.status, patched.json.value, patched.json.id], [200, '1Z 998', first.id]);
    const replaced = await store.put(one, { value: '1Z 997' });
    assert.deepEqual([replaced.status, replaced.json.value, replaced.json.id], [200, '1Z 997', first.id]);
    assert.deepEqual(await shown(), [replaced.json, second]);
    assert.equal((await store.delete(one)).status, 204);
    assert.deepEqual(await shown(), [second]);
    for (const method of ['GET', 'DELETE']) assertProblem(await store.request(method, one), 404);
  });

  test('must be texts', async () => {
    const { id: order } = await placed(store);
    const path = `/api/orders/${order}/tracking_numbers`;
    const { id } = await store.made(path, { value: 'Stays' });
    await assertUnchanged(store, async () => {
      for (const value of [5, true, ['1Z'], {}]) {
        assertViolations(await store.post(path, { value }), ['value', 'type']);
        assertViolations(await store.patch(`${path}/${id}`, { value }), ['value', 'type']);
      }
      assertViolations(await store.patch(`${path}/${id}`, { value: null }), ['value', 'null']);
    });
  });

  test('are validated equally in shipments and alone', async () => {
    const { id: order, items } = await placed(store);
    const path = `/api/orders/${order}`;
    const lines = [{ item_id: items[0].id, amount: 1 }];
    const { id: shipment } = await store.made(`${path}/shipments`, { lines, tracking_numbers: ['1Z'] });
    const [{ id }] = (await store.get(`${path}/tracking_numbers`)).json;
    for (const value of ['1Z\n2', '1Z\u001b[2J', '\u00ad', 'x'.repeat(256)]) {
      assert.equal((await store.patch(`${path}/shipments/${shipment}`, { tracking_numbers: [value] })).status, 422);
      assert.equal((await store.patch(`${path}/tracking_numbers/${id}`, { value })).status, 422, JSON.stringify(value));
      assert.equal((await store.post(`${path}/tracking_numbers`, { value })).status, 422, JSON.stringify(value));
    }
    assert.equal((await store.patch(`${path}/tracking_numbers/${id}`, { value: 'RR 1 é' })).status, 200);
    assert.deepEqual((await store.get(`${path}/shipments/${shipment}`)).json.tracking_numbers, ['RR 1 é']);
  });
});

const DATA = [
  { name: 'card', label: 'Card', value: '4111…1111', access_level: 'A' },
  { name: 'expires', label: 'Expires', value: '12/30', access_level: 'C' },
];

onEachDatabase('order transactions', {}, (store) => {
  let order: Shown;
  let path: string;
  before(async () => {
    order = await placed(store, { currency: 'EUR' });
    path = `/api/orders/${order.id}/payment_transactions`;
  });

  test('have the defaults, with fields in the specified order', async () => {
    const transaction = await store.made(path, { value: 12.34 });
    assert.deepEqual(Object.keys(transaction), outputNames('Transaction'));
    const { id, date, ...rest } = transaction;
    assert.ok(Number.isInteger(id));
    assert.match(date, TIMESTAMP);
    assert.ok(Math.abs(Date.parse(date) - Date.now()) < 5000);
    const typed = {
      public_id: '',
      public_txn_id: null,
      method_id: null,
      type: 'sale',
      status: 'I',
      name: '',
      local_name: '',
      currency: 'EUR',
      value: 12.34,
      note: '',
      data: [],
      backend_transactions: [],
    };
    assert.deepEqual(rest, whole('Transaction', typed, 'id', 'date'));
  });

  test('store every sent field', async () => {
    const body = {
      public_id: 'p'.repeat(255),
      public_txn_id: 't'.repeat(16),
      method_id: 7,
      type: 'capture',
      date: '2021-10-22T12:00:00+02:00',
      status: 'S',
      name: 'n'.repeat(128),
      local_name: 'l'.repeat(255),
      currency: 'GBP',
      value: 0.0001,
      note: '😀'.repeat(255),
      data: DATA,
      backend_transactions: [{ type: 'refund', date: '2021-10-23', status: 'F', value: 5.5, data: DATA }],
    };
    const created = await store.made(path, body);
    const { id: _, data, backend_transactions, ...rest } = created;
    const { data: __, backend_transactions: ___, ...sent } = body;
    const typed = { ...sent, date: '2021-10-22T10:00:00+00:00' };
    assert.deepEqual(rest, whole('Transaction', typed, 'id', 'data', 'backend_transactions'));
    assert.deepEqual(withoutIds(data), DATA);
    for (const each of data) assert.deepEqual(Object.keys(each), ['id', 'name', 'label', 'value', 'access_level']);
    const [backend, ...others] = backend_transactions;
    assert.deepEqual(others, []);
    assert.deepEqual(Object.keys(backend), ['id', 'type', 'date', 'status', 'value', 'data']);
    assert.deepEqual(
      [backend.type, backend.date, backend.status, backend.value],
      ['refund', '2021-10-23T00:00:00+00:00', 'F', 5.5],
    );
    assert.deepEqual(withoutIds(backend.data), DATA);
    for (const each of [...data, backend, ...backend.data]) assert.ok(Number.isInteger(each.id));
    assert.deepEqual((await store.get(`${path}/${created.id}`)).json, created);
  });

  const types =
    'auth sale capture capturePart captureMulti void voidPart voidMulti refund refundPart refundMulti getInfo accept decline test';
  for (const type of types.split(' '))
    test(`accept the type ${type}`, async () => {
      assert.equal((await store.made(path, { value: 1, type })).type, type);
    });

  for (const status of 'IPSWFCV')
    test(`accept the status ${status} in POST and PATCH`, async () => {
      assert.equal((await store.made(path, { value: 1, status })).status, status);
      const created = await store.made(path, { value: 1 });
      const response = await store.patch(`${path}/${created.id}`, { status });
      assert.deepEqual([response.status, response.json], [200, { ...created, status }], response.text);
    });

  for (const value of [0, 0.1, 19.99, 9999999999.9999])
    test(`have the exact value ${value}`, async () => {
      const { id } = await store.made(path, { value });
      const response = await store.get(`${path}/${id}`);
      assert.ok(response.text.includes(`"value":${value},`), response.text);
    });

  test('default to the currency of their order', async () => {
    const { id } = await placed(store);
    const transactions = `/api/orders/${id}/payment_transactions`;
    assert.equal((await store.made(transactions, { value: 1 })).currency, 'USD');
    assert.equal((await store.made(transactions, { value: 1, currency: 'JPY' })).currency, 'JPY');
  });

  const long = (length: number) => `This value is too long. It should have ${length} characters or less.`;
  const rejected: [body: Json, ...violations: ExpectedViolation[]][] = [
    [{}, ['value', 'required', 'This value should not be blank.']],
    [{ value: null }, ['value', 'null', 'This value should not be null.']],
    [{ value: '5' }, ['value', 'type']],
    [{ value: 1.00001 }, ['value', 'decimals']],
    [{ value: -0.01 }, ['value', 'range', 'This value should be either positive or zero.']],
    [{ value: 10000000000 }, ['value', 'range']],
    [{ value: 1, type: 'sell' }, ['type', 'choice']],
    [{ value: 1, type: 'Sale' }, ['type', 'choice']],
    [{ value: 1, type: null }, ['type', 'null']],
    [{ value: 1, status: 'X' }, ['status', 'choice', choiceOf('I', 'P', 'S', 'W', 'F', 'C', 'V')]],
    [{ value: 1, status: 's' }, ['status', 'choice']],
    [{ value: 1, status: null }, ['status', 'null']],
    [{ value: 1, currency: 'eur' }, ['currency', 'format']],
    [{ value: 1, currency: 'HRK' }, ['currency', 'choice']],
    [{ value: 1, date: '2021-02-30' }, ['date', 'format']],
    [{ value: 1, method_id: '7' }, ['method_id', 'type']],
    [{ value: 1, public_id: 'p'.repeat(256) }, ['public_id', 'too_long', long(255)]],
    [{ value: 1, public_txn_id: 't'.repeat(17) }, ['public_txn_id', 'too_long', long(16)]],
    [{ value: 1, name: 'n'.repeat(129) }, ['name', 'too_long', long(128)]],
    [{ value: 1, local_name: 'l'.repeat(256) }, ['local_name', 'too_long', long(255)]],
    [{ value: 1, note: 'n'.repeat(256) }, ['note', 'too_long', long(255)]],
    [{ value: 1, note: null }, ['note', 'null']],
    [{ value: 1, data: {} }, ['data', 'type']],
    [{ value: 1, data: ['x'] }, ['data[0]', 'type']],
    [{ value: 1, data: [DATA[0], { ...DATA[1], access_level: 'X' }] }, ['data[1].access_level', 'choice']],
    [{ value: 1, data: [{ ...DATA[0], colour: 'red' }] }, ['data[0].colour', 'unknown_field']],
    [{ value: 1, backend_transactions: 'x' }, ['backend_transactions', 'type']],
    [{ value: 1, backend_transactions: [{ value: '5' }] }, ['backend_transactions[0].value', 'type']],
    [
      { type: 'sell', status: 'X', name: 5 },
      ['value', 'required'],
      ['type', 'choice'],
      ['status', 'choice'],
      ['name', 'type'],
    ],
  ];
  for (const [body, ...violations] of rejected)
    test(`reject ${JSON.stringify(body).slice(0, 60)}`, () =>
      assertUnchanged(store, async () => assertViolations(await store.post(path, body), ...violations)));

  const others: Record<string, unknown> = {
    public_id: 'other',
    public_txn_id: 'other',
    method_id: 9,
    type: 'refund',
    date: '2021-01-01',
    name: 'other',
    local_name: 'other',
    currency: 'GBP',
    value: 99,
    note: 'other',
    data: DATA,
    backend_transactions: [{ type: 'sale', date: '2021-01-01', status: 'S', value: 1, data: [] }],
  };
  for (const [field, value] of Object.entries(others))
    test(`cannot change their ${field}, which is accepted if unchanged`, async () => {
      const created = await store.made(path, { value: 5, data: [DATA[0]] });
      const one = `${path}/${created.id}`;
      await assertUnchanged(store, async () => {
        for (const body of [{ [field]: value }, { status: 'S', [field]: value }]) {
          const response = await store.patch(one, body);
          assertProblem(response, 422);
          for (const each of pathsOf(response)) assert.ok(each.startsWith(field), `${each} is of ${field}`);
        }
        assert.deepEqual((await store.patch(one, { [field]: created[field] })).json, created);
      });
      const patched = await store.patch(one, { status: 'S', [field]: created[field] });
      assert.deepEqual(patched.json, { ...created, status: 'S' }, patched.text);
    });

  test('reject an unknown status in PATCH', async () => {
    const { id } = await store.made(path, { value: 5, status: 'P' });
    await assertUnchanged(store, async () => {
      for (const status of ['X', '', 's'])
        assertViolations(await store.patch(`${path}/${id}`, { status }), ['status', 'choice']);
      assertViolations(await store.patch(`${path}/${id}`, { status: null }), ['status', 'null']);
      assertViolations(await store.patch(`${path}/${id}`, { status: 5 }), ['status', 'type']);
    });
  });

  test('are sorted by date', async () => {
    const { id } = await placed(store);
    const transactions = `/api/orders/${id}/payment_transactions`;
    const ids: number[] = [];
    for (const date of ['2021-03-01', '2021-01-01', '2021-02-01', '2021-01-01'])
      ids.push((await store.made(transactions, { value: 1, date })).id);
    const shown = async (query: string) =>
      (await store.get(`${transactions}?${query}`)).json.map((each: { id: number }) => ids.indexOf(each.id)).join('');
    assert.equal(await shown(''), '0123');
    assert.equal(await shown('order[date]=asc'), '1320');
    assert.equal(await shown('order[date]=desc'), '0213');
    assert.equal(await shown('order[date]=asc&order[id]=desc'), '3120');
    assertProblem(await store.get(`${transactions}?order[value]=asc`), 400, /order\[/);
  });

  for (const [type, status] of [
    ['sale', 'S'],
    ['auth', 'S'],
    ['refund', 'S'],
    ['void', 'V'],
    ['decline', 'F'],
  ])
    test(`do not change the payment status: ${type} ${status}`, async () => {
      const { id, total, payment_status, stock_status } = await placed(store);
      const transactions = `/api/orders/${id}/payment_transactions`;
      await store.made(transactions, { value: total * 2, type: 'capture', status: 'S' });
      const transaction = await store.made(transactions, { value: total, type });
      await store.patch(`${transactions}/${transaction.id}`, { status });
      await store.made(transactions, { value: total, type, status });
      const { json } = await store.get(`/api/orders/${id}`);
      assert.deepEqual([json.payment_status, json.stock_status, json.total], [payment_status, stock_status, total]);
      assert.equal((await store.get(`/api/orders/${id}/payment_status`)).json.code, 'Q');
      const { json: history } = await store.get(`/api/orders/${id}/history`);
      assert.ok(history.every(({ code }: { code: string }) => code !== 'CHANGE PAYMENT STATUS ORDER'));
    });
});

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/;

function pathsOf({ json }: HttpResponse): string[] {
  return json.violations.map(({ propertyPath }: { propertyPath: string }) => propertyPath);
}

function withoutIds(records: readonly { id: number }[]): Json[] {
  return records.map(({ id: _, ...rest }) => rest);
}
