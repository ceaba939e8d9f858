/** Status tables including custom codes, and allowed status changes (orders.md §2, §3). */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Folder } from '../cli/program.ts';
import type { HttpResponse } from '../support/client.ts';
import { assertProblem, assertUnchanged, assertViolations, type ExpectedViolation } from '../support/expect.ts';
import { outputNames, whole } from '../support/fields.ts';
import {
  codesWritten,
  counted,
  historyOf,
  idsOf,
  placed,
  type Shown,
  stockOf,
  versionOf,
} from '../support/order-parts.ts';
import { type Json, onEachDatabase, READ_ONLY_KEY, type Store } from '../support/store.ts';

const DEFAULTS: Record<Table, Record<string, string>> = {
  payment_statuses: {
    Q: 'Awaiting payment',
    A: 'Authorized',
    PP: 'Partially Paid',
    P: 'Paid',
    D: 'Declined',
    C: 'Cancelled',
    R: 'Refunded',
  },
  shipping_statuses: {
    N: 'New',
    P: 'Processing',
    S: 'Shipped',
    D: 'Delivered',
    WND: 'Will Not Deliver',
    R: 'Returned',
    WFA: 'Waiting for approval',
    NBA: 'New, backordered',
  },
};

type Table = 'payment_statuses' | 'shipping_statuses';
const TABLES: Table[] = ['payment_statuses', 'shipping_statuses'];
/** The resource and the order field of each table. */
const RESOURCE = { payment_statuses: 'PaymentStatus', shipping_statuses: 'ShippingStatus' } as const;
const FIELD = { payment_statuses: 'payment_status', shipping_statuses: 'shipping_status' } as const;

const de = { 'accept-language': 'de' };

async function statusOf(store: Store, table: Table, code: string, headers?: Json): Promise<Shown> {
  const { json } = await store.get(`/api/${table}?itemsPerPage=100`, headers as never);
  return json.find((status: Shown) => status.code === code);
}

for (const table of TABLES)
  onEachDatabase(table, {}, (store) => {
    const path = `/api/${table}`;
    const field = FIELD[table];
    const resource = RESOURCE[table];

    test('contain the built-in codes', async () => {
      const response = await store.get(path);
      assert.equal(response.status, 200, response.text);
      assert.deepEqual(Object.fromEntries(response.json.map(({ code, name }: Shown) => [code, name])), DEFAULTS[table]);
      assert.equal(response.headers['x-total-count'], String(Object.keys(DEFAULTS[table]).length));
      for (const status of response.json) {
        assert.deepEqual(Object.keys(status), outputNames(resource));
        assert.deepEqual((await store.get(`${path}/${status.id}`)).json, status);
      }
    });

    test('are created, read, replaced, updated and deleted', async () => {
      const created = await store.post(path, { code: 'LOAN', name: 'On account', customer_name: 'We wait' });
      assert.equal(created.status, 201, created.text);
      const { id } = created.json;
      const status = whole(resource, { id, code: 'LOAN', name: 'On account', customer_name: 'We wait' });
      assert.deepEqual(created.json, status);
      assert.equal(created.headers.location, `${store.address}${path}/${id}`);
      const one = `${path}/${id}`;
      const read = await store.get(one);
      assert.deepEqual([read.text, read.headers.etag], [created.text, created.headers.etag]);
      assert.deepEqual((await store.get(path)).json.at(-1), status);
      assert.deepEqual((await store.patch(one, { name: 'Account' })).json, { ...status, name: 'Account' });
      assert.deepEqual((await store.put(one, { code: 'LOAN', name: 'Loan' })).json, {
        ...status,
        name: 'Loan',
        customer_name: '',
      });
      const earlier = await store.get(one);
      for (const method of ['PUT', 'PATCH']) {
        const back = await store.request(method, one, { body: earlier.text });
        assert.deepEqual([back.text, back.headers.etag], [earlier.text, earlier.headers.etag]);
      }
      assertProblem(await store.delete(one, { 'if-match': created.headers.etag }), 412);
      const response = await store.delete(one);
      assert.deepEqual([response.status, response.text], [204, '']);
      for (const method of ['GET', 'DELETE']) assertProblem(await store.request(method, one), 404);
      assertProblem(await store.put(one, { code: 'LOAN', name: 'Back' }), 404);
      assert.equal(await statusOf(store, table, 'LOAN'), undefined);
    });

    for (const code of ['1', 'z', 'Zz9', 'ABCD', '0000'])
      test(`accept the code ${code}`, async () => {
        const made = await store.made(path, { code, name: `Name ${code}` });
        assert.deepEqual([made.code, made.customer_name], [code, '']);
        assert.equal((await store.delete(`${path}/${made.id}`)).status, 204);
      });

    test('have codes that are compared exactly', async () => {
      const lower = await store.made(path, { code: 'p', name: 'Small p' });
      assert.equal((await statusOf(store, table, 'P')).name, DEFAULTS[table].P);
      const order = await placed(store, { [field]: 'p' });
      assert.deepEqual(order[field], lower);
      assert.equal((await placed(store, { [field]: 'P' }))[field].code, 'P');
      assert.deepEqual(idsOf((await store.get(`/api/orders?${field}=p`)).json), [order.id]);
    });

    const rejected: [body: Json, ...violations: ExpectedViolation[]][] = [
      [{}, ['code', 'required', 'This value should not be blank.'], ['name', 'required']],
      [{ code: 'X1' }, ['name', 'required', 'This value should not be blank.']],
      [{ name: 'N' }, ['code', 'required']],
      [{ code: null, name: 'N' }, ['code', 'null']],
      [{ code: 5, name: 'N' }, ['code', 'type']],
      [{ code: 'X1', name: null }, ['name', 'null']],
      [{ code: 'X1', name: 5 }, ['name', 'type']],
      [
        { code: 'X1', name: 'n'.repeat(256) },
        ['name', 'too_long', 'This value is too long. It should have 255 characters or less.'],
      ],
      [{ code: 'X1', name: 'N', customer_name: null }, ['customer_name', 'null']],
      [{ code: 'X1', name: 'N', customer_name: 5 }, ['customer_name', 'type']],
      [{ code: 'P', name: 'N' }, ['code', 'not_unique', 'This value is already used.']],
      [{ code: 'X1', name: 'N', colour: 'red' }, ['colour', 'unknown_field']],
    ];
    for (const [body, ...violations] of rejected)
      test(`reject ${JSON.stringify(body).slice(0, 60)}`, () =>
        assertUnchanged(store, async () => assertViolations(await store.post(path, body), ...violations)));

    for (const code of ['', 'ABCDE', 'A-B', 'A B', ' A', 'Ä', '９', 'A\n', '😀'])
      test(`reject the code ${JSON.stringify(code)}`, () =>
        assertUnchanged(store, async () => {
          const response = await store.post(path, { code, name: 'N' });
          assertProblem(response, 422);
          assert.deepEqual(
            [...new Set(response.json.violations.map(({ propertyPath }: Shown) => propertyPath))],
            ['code'],
          );
        }));

    test('cannot change their code', async () => {
      const { id } = await store.made(path, { code: 'KEEP', name: 'Kept' });
      for (const each of [id, (await statusOf(store, table, 'R')).id])
        await assertUnchanged(store, async () => {
          for (const code of ['NEW', 'P', 'keep', null])
            for (const method of ['PUT', 'PATCH']) {
              const response = await store.request(method, `${path}/${each}`, { body: { code, name: 'Other' } });
              assertProblem(response, 422);
              assert.equal(response.json.violations[0].propertyPath, 'code');
            }
        });
      assert.equal((await store.patch(`${path}/${id}`, { code: 'KEEP', name: 'Other' })).json.name, 'Other');
    });

    test('reject in PATCH what they reject in POST', async () => {
      const { id } = await store.made(path, { code: 'LATE', name: 'Late' });
      await assertUnchanged(store, async () => {
        for (const [body, ...violations] of [
          [{ name: null }, ['name', 'null']],
          [{ name: 'n'.repeat(256) }, ['name', 'too_long']],
          [{ customer_name: 5 }, ['customer_name', 'type']],
          [{ colour: 'red' }, ['colour', 'unknown_field']],
        ] as [Json, ...ExpectedViolation[]][]) {
          assertViolations(await store.patch(`${path}/${id}`, body), ...violations);
          assertViolations(await store.put(`${path}/${id}`, { code: 'LATE', name: 'Late', ...body }), ...violations);
        }
        assertViolations(await store.put(`${path}/${id}`, { code: 'LATE' }), ['name', 'required']);
      });
    });

    test('have names in each language', async () => {
      const { id } = await store.made(path, { code: 'LANG', name: 'English', customer_name: 'Hello' });
      const one = `${path}/${id}`;
      assert.deepEqual((await store.get(one, de)).json.name, 'English');
      const german = whole(resource, { id, code: 'LANG', name: 'Deutsch', customer_name: 'Hallo' });
      const english = whole(resource, { id, code: 'LANG', name: 'English', customer_name: 'Hello' });
      assert.deepEqual((await store.patch(one, { name: 'Deutsch', customer_name: 'Hallo' }, de)).json, german);
      assert.deepEqual((await store.get(one)).json, english);
      const order = await placed(store, { [field]: 'LANG' });
      assert.equal(order[field].name, 'English');
      assert.deepEqual((await store.get(`/api/orders/${order.id}`, de)).json[field], german);
      assert.deepEqual((await store.get(`/api/orders/${order.id}/${field}`, de)).json, german);
    });

    for (const code of ['C', 'R', 'P', 'S', 'N'])
      if (code in DEFAULTS[table])
        for (const method of ['PATCH', 'PUT'])
          test(`get a German name by ${method} and retain the English one if built in: ${code}`, async () => {
            const before = await statusOf(store, table, code);
            const body = method === 'PUT' ? { code, name: `${code} deutsch` } : { name: `${code} deutsch` };
            const response = await store.request(method, `${path}/${before.id}`, { body, headers: de });
            assert.deepEqual(response.json, { ...before, name: `${code} deutsch` }, response.text);
            assert.deepEqual(await statusOf(store, table, code, de), response.json);
            assert.deepEqual(await statusOf(store, table, code), before);
          });

    test('can be renamed but not deleted if built in', async () => {
      const status = await statusOf(store, table, 'D');
      const response = await store.patch(`${path}/${status.id}`, { name: 'Renamed', customer_name: 'For you' });
      assert.deepEqual(response.json, { ...status, name: 'Renamed', customer_name: 'For you' }, response.text);
      assert.deepEqual((await placed(store, { [field]: 'D' }))[field], response.json);
      assertProblem(await store.delete(`${path}/${status.id}`), 409);
    });

    test('cannot be deleted if built in', () =>
      assertUnchanged(store, async () => {
        for (const code of Object.keys(DEFAULTS[table])) {
          const { id } = await statusOf(store, table, code);
          for (const headers of [{}, { 'if-match': '*' }])
            assertProblem(await store.delete(`${path}/${id}`, headers), 409);
        }
      }));

    test('cannot be deleted while an order has them', async () => {
      const { id } = await store.made(path, { code: 'USED', name: 'Used' });
      const order = await placed(store, { [field]: 'USED' });
      const other = await placed(store);
      assert.equal((await store.put(`/api/orders/${other.id}/${field}`, { code: 'USED' })).status, 200);
      await assertUnchanged(store, () =>
        assertUnchanged(store, async () => assertProblem(await store.delete(`${path}/${id}`), 409)),
      );
      await store.put(`/api/orders/${order.id}/${field}`, { code: 'P' });
      assertProblem(await store.delete(`${path}/${id}`), 409);
      await store.put(`/api/orders/${other.id}/${field}`, { code: 'P' });
      assert.equal((await store.delete(`${path}/${id}`)).status, 204);
      assert.equal((await store.get(`/api/orders/${order.id}`)).json[field].code, 'P');
      for (const each of [order.id, other.id])
        for (const language of ['en', 'de'])
          for (const event of await historyOf(store, each, language)) assert.ok(event.description.trim());
      assertViolations(await store.put(`/api/orders/${order.id}/${field}`, { code: 'USED' }), ['code', 'unknown_link']);
    });

    test('change the ETag of their orders when renamed, but not version or update_date', async () => {
      const { id } = await store.made(path, { code: 'TAG', name: 'Before' });
      const order = await placed(store, { [field]: 'TAG' });
      const earlier = await store.get(`/api/orders/${order.id}`);
      await store.patch(`${path}/${id}`, { name: 'After' });
      const later = await store.get(`/api/orders/${order.id}`);
      assert.equal(later.json[field].name, 'After');
      assert.equal(versionOf(later), versionOf(earlier));
      assert.notEqual(later.headers.etag, earlier.headers.etag);
      assert.equal(later.json.update_date, earlier.json.update_date);
    });

    test('are filtered and sorted by id and paginated', async () => {
      const all = idsOf((await store.get(`${path}?itemsPerPage=100&order[id]=asc`)).json);
      assert.deepEqual(
        all,
        all.toSorted((one, other) => one - other),
      );
      const shown = async (query: string) => idsOf((await store.get(`${path}?${query}`)).json);
      assert.deepEqual(await shown('order[id]=desc&itemsPerPage=100'), all.toReversed());
      assert.deepEqual(await shown(`id[]=${all[3]}&id[]=${all[1]}&order[id]=asc`), [all[1], all[3]]);
      assert.deepEqual(await shown('itemsPerPage=2&page=2&order[id]=asc'), all.slice(2, 4));
      for (const query of ['colour=red', 'order[colour]=asc', 'id=x'])
        assertProblem(await store.get(`${path}?${query}`), 400);
    });

    test('return 404 for an unknown or malformed id', async () => {
      for (const id of ['999999', '0', '01', 'P', 'Q']) {
        assertProblem(await store.get(`${path}/${id}`), 404);
        assertProblem(await store.patch(`${path}/${id}`, { name: 'N' }), 404);
        assertProblem(await store.delete(`${path}/${id}`), 404);
      }
    });

    test('reject writes with a read-only key', () =>
      assertUnchanged(store, async () => {
        const key = READ_ONLY_KEY;
        assert.equal((await store.request('GET', path, { key })).status, 200);
        assertProblem(await store.request('POST', path, { key, body: { code: 'RO', name: 'N' } }), 403);
        assertProblem(await store.request('PATCH', `${path}/1`, { key, body: { name: 'N' } }), 403);
        assertProblem(await store.request('DELETE', `${path}/1`, { key }), 403);
      }));

    test('support their methods, as do the statuses of an order', async () => {
      const { id } = await placed(store);
      for (const [target, supported] of [
        [path, ['GET', 'HEAD', 'POST']],
        [`${path}/1`, ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']],
        [`/api/orders/${id}/${field}`, ['GET', 'HEAD', 'PUT']],
      ] as const)
        for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'].filter((each) => !supported.includes(each as never))) {
          const response = await store.request(method, target, {
            body: method === 'DELETE' ? undefined : { code: 'P' },
          });
          assertProblem(response, 405);
          const allowed = response.headers.allow!.split(', ').filter((each) => each !== 'OPTIONS');
          assert.deepEqual(allowed.sort(), supported.toSorted());
        }
    });
  });

onEachDatabase('custom status codes', {}, (store) => {
  before(async () => {
    await store.made('/api/payment_statuses', { code: 'LOAN', name: 'On account' });
    await store.made('/api/shipping_statuses', { code: 'PICK', name: 'Being picked' });
  });

  /** Of ten units in stock the order has three; `moves` are status changes and the stock after each. */
  const rows: [title: string, fields: Json, left: number, ...moves: [path: string, code: string, left: number][]][] = [
    ['a payment code reserves stock like P', { payment_status: 'LOAN' }, 7],
    ['a shipping code reserves stock like N', { shipping_status: 'PICK' }, 7],
    [
      'a payment code with shipping status R reserves stock like P',
      { payment_status: 'LOAN', shipping_status: 'R' },
      7,
    ],
    ['a shipping code with payment status R reserves no stock', { payment_status: 'R', shipping_status: 'PICK' }, 10],
    ['a shipping code with payment status C reserves no stock', { payment_status: 'C', shipping_status: 'PICK' }, 10],
    [
      'codes do not change reserved stock',
      {},
      7,
      ['payment_status', 'LOAN', 7],
      ['shipping_status', 'PICK', 7],
      ['payment_status', 'P', 7],
      ['shipping_status', 'S', 7],
      ['shipping_status', 'PICK', 7],
    ],
    [
      'a payment code reserves stock after C and D, which release it',
      { payment_status: 'C' },
      10,
      ['payment_status', 'LOAN', 7],
      ['payment_status', 'D', 10],
      ['payment_status', 'LOAN', 7],
      ['payment_status', 'C', 10],
    ],
    [
      'a payment code combines with shipping statuses like P',
      { payment_status: 'LOAN' },
      7,
      ['shipping_status', 'WND', 7],
      ['shipping_status', 'R', 7],
      ['shipping_status', 'D', 7],
    ],
    [
      'a shipping code combines with payment statuses like N',
      { shipping_status: 'PICK' },
      7,
      ['payment_status', 'R', 10],
      ['shipping_status', 'S', 7],
      ['shipping_status', 'PICK', 10],
      ['payment_status', 'LOAN', 7],
    ],
  ];
  for (const [title, fields, left, ...moves] of rows)
    test(title, async () => {
      const product = await counted(store, 10);
      const { id } = await placed(store, { ...fields, items: [{ product_id: product.id, amount: 3 }] });
      assert.equal(await stockOf(store, product.id), left);
      for (const [path, code, then] of moves) {
        const response = await store.put(`/api/orders/${id}/${path}`, { code });
        assert.deepEqual([response.status, response.json.code], [200, code], response.text);
        assert.equal(await stockOf(store, product.id), then, `${path} ${code}`);
      }
    });

  test('are shown, filtered and recorded in the history like built-in ones', async () => {
    const order = await placed(store);
    const path = `/api/orders/${order.id}`;
    const written = await codesWritten(store, order.id, () => store.put(`${path}/payment_status`, { code: 'LOAN' }));
    assert.deepEqual(written, ['CHANGE PAYMENT STATUS ORDER']);
    const { data, description } = (await historyOf(store, order.id)).at(-1);
    assert.deepEqual([data.oldStatusCode, data.newStatusCode], ['Q', 'LOAN']);
    assert.ok(description.includes('On account'), description);
    const status = await statusOf(store, 'payment_statuses', 'LOAN');
    assert.deepEqual((await store.get(`${path}/payment_status`)).json, status);
    assert.deepEqual((await store.get(path)).json.payment_status, status);
    const found = await store.get('/api/orders?paymentStatus.code=LOAN&itemsPerPage=100');
    assert.ok(idsOf(found.json).includes(order.id));
  });

  for (const [field, codes] of Object.entries({
    payment_status: ['XX', '', 'loan', 'LOANS', 'PICK', 'NBA'],
    shipping_status: ['XX', '', 'pick', 'PICKS', 'LOAN', 'Q'],
  }))
    for (const code of codes)
      test(`are rejected with 422 if unknown: ${field} ${JSON.stringify(code)}`, async () => {
        const { id, items } = await placed(store);
        await assertUnchanged(store, async () => {
          const response = await store.put(`/api/orders/${id}/${field}`, { code });
          assertProblem(response, 422);
          assert.equal(response.json.violations[0].propertyPath, 'code');
          const [{ product_id }] = items;
          const body = { email: 'a@b.co', items: [{ product_id, amount: 1 }], [field]: code };
          const created = await store.post('/api/orders', body);
          assertProblem(created, 422);
          assert.equal(created.json.violations[0].propertyPath, field);
        });
      });
});

const MOVES = {
  PAYMENT_STATUS_MOVES: 'Q>A,P,C; P>R; C>',
  SHIPPING_STATUS_MOVES: 'N>P,S;D>',
};

onEachDatabase('restricted status changes', MOVES, (store) => {
  before(() => store.made('/api/payment_statuses', { code: 'LOAN', name: 'On account' }));

  type Field = 'payment_status' | 'shipping_status';
  const accepted: [field: Field, from: string, to: string][] = [
    ['payment_status', 'Q', 'A'],
    ['payment_status', 'Q', 'P'],
    ['payment_status', 'Q', 'C'],
    ['payment_status', 'Q', 'Q'],
    ['payment_status', 'P', 'R'],
    ['payment_status', 'P', 'P'],
    ['payment_status', 'C', 'C'],
    ['payment_status', 'A', 'D'],
    ['payment_status', 'A', 'Q'],
    ['payment_status', 'D', 'LOAN'],
    ['payment_status', 'LOAN', 'Q'],
    ['payment_status', 'R', 'PP'],
    ['shipping_status', 'N', 'P'],
    ['shipping_status', 'N', 'S'],
    ['shipping_status', 'P', 'N'],
    ['shipping_status', 'S', 'D'],
    ['shipping_status', 'D', 'D'],
    ['shipping_status', 'NBA', 'WFA'],
  ];
  for (const [field, from, to] of accepted)
    test(`allow ${field} ${from} to ${to}`, async () => {
      const order = await placed(store, { [field]: from });
      const codes = await codesWritten(store, order.id, async () => {
        const response = await store.put(`/api/orders/${order.id}/${field}`, { code: to });
        assert.deepEqual([response.status, response.json.code], [200, to], response.text);
        return response;
      });
      if (from === to) assert.deepEqual(codes, []);
      else assert.ok(codes.includes(`CHANGE ${field.replace('_', ' ').toUpperCase()} ORDER`), codes.join());
      assert.equal((await store.get(`/api/orders/${order.id}`)).json[field].code, to);
    });

  const rejected: [field: Field, from: string, to: string, allowed: string[]][] = [
    ['payment_status', 'Q', 'D', ['A', 'P', 'C']],
    ['payment_status', 'Q', 'PP', ['A', 'P', 'C']],
    ['payment_status', 'Q', 'R', ['A', 'P', 'C']],
    ['payment_status', 'Q', 'LOAN', ['A', 'P', 'C']],
    ['payment_status', 'P', 'Q', ['R']],
    ['payment_status', 'P', 'C', ['R']],
    ['payment_status', 'C', 'Q', []],
    ['payment_status', 'C', 'P', []],
    ['shipping_status', 'N', 'D', ['P', 'S']],
    ['shipping_status', 'N', 'NBA', ['P', 'S']],
    ['shipping_status', 'D', 'R', []],
    ['shipping_status', 'D', 'N', []],
  ];
  for (const [field, from, to, allowed] of rejected)
    test(`reject ${field} ${from} to ${to} and name ${allowed.join(', ') || 'no allowed code'}`, async () => {
      const product = await counted(store, 10);
      const order = await placed(store, { [field]: from, items: [{ product_id: product.id, amount: 3 }] });
      await assertUnchanged(store, async () => {
        const response = await store.put(`/api/orders/${order.id}/${field}`, { code: to });
        assertProblem(response, 409);
        for (const code of allowed) assert.match(response.json.detail, new RegExp(`\\b${code}\\b`));
      });
    });

  test('return 422 for an unknown code and 404 for an unknown order', async () => {
    const { id } = await placed(store);
    await assertUnchanged(store, async () =>
      assertViolations(await store.put(`/api/orders/${id}/payment_status`, { code: 'XX' }), ['code', 'unknown_link']),
    );
    assertProblem(await store.put('/api/orders/999999/payment_status', { code: 'D' }), 404);
  });

  test('are checked after If-Match', async () => {
    const { id } = await placed(store);
    const response = await store.put(`/api/orders/${id}/payment_status`, { code: 'D' }, { 'if-match': '"0-stale"' });
    assertProblem(response, 412);
  });

  test('are checked against the current status in concurrent requests', async () => {
    const { id } = await placed(store);
    const path = `/api/orders/${id}/payment_status`;
    const responses: HttpResponse[] = await Promise.all([
      store.put(path, { code: 'C' }),
      store.put(path, { code: 'P' }),
    ]);
    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 409]);
  });
});

describe('invalid status change settings', () => {
  let folder: Folder;
  before(async () => {
    folder = await Folder.make();
  });
  after(() => folder.remove());

  for (const name of ['PAYMENT_STATUS_MOVES', 'SHIPPING_STATUS_MOVES'])
    for (const value of ['Q-A', 'Q>A>P', '>A', 'Q>A B', 'TOOLONG>A'])
      test(`reject ${name}=${value} with one line of output`, async () => {
        const { code, stdout, stderr } = await folder.run(['serve'], { [name]: value });
        assert.deepEqual([code, stdout], [1, '']);
        assert.ok(stderr.startsWith(name), stderr);
        assert.equal(stderr.trim().split('\n').length, 1, stderr);
      });
});
