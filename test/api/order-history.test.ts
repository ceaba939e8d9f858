/** The history of an order: every change with its author, described in the reader's language (orders.md §4). */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Folder } from '../cli/program.ts';
import type { HttpResponse } from '../support/client.ts';
import { databaseNames, type FreshDatabase, freshDatabase } from '../support/databases.ts';
import { assertProblem, assertUnchanged } from '../support/expect.ts';
import { outputNames } from '../support/fields.ts';
import { codesWritten, counted, historyOf, idsOf, placed, type Shown } from '../support/order-parts.ts';
import { type Json, onEachDatabase, Store } from '../support/store.ts';

const PLACED = 'PLACE ORDER';
const PAYMENT = 'CHANGE PAYMENT STATUS ORDER';
const SHIPPING = 'CHANGE SHIPPING STATUS ORDER';
const ADMIN_NOTES = 'CHANGE NOTES ORDER';
const NOTES = 'CHANGE CUSTOMER NOTES ORDER';
const AMOUNT = 'CHANGE PRODUCT AMOUNT';
const TRANSACTION = 'TRANSACTION';
const TRACKING = 'ORDER TRACKING';
const EDITED = 'ORDER EDITED';

type Row = [title: string, method: string, path: string, body: Json | undefined, codes: string[]];

/** Changes of one order in sequence, whose parts have the id 1; `codes` are the events of each. */
const CAUSES: Row[] = [
  ['a payment status', 'PUT', '/payment_status', { code: 'A' }, [PAYMENT]],
  ['another payment status', 'PUT', '/payment_status', { code: 'P' }, [PAYMENT]],
  ['the same payment status', 'PUT', '/payment_status', { code: 'P' }, []],
  ['a shipping status', 'PUT', '/shipping_status', { code: 'S' }, [SHIPPING]],
  ['the same shipping status', 'PUT', '/shipping_status', { code: 'S' }, []],
  ['notes of the customer', 'PATCH', '', { notes: 'Ring twice' }, [NOTES]],
  ['the same notes', 'PATCH', '', { notes: 'Ring twice' }, []],
  ['no notes any more', 'PATCH', '', { notes: '' }, [NOTES]],
  ['notes of the shop', 'PATCH', '', { admin_notes: 'A regular' }, [ADMIN_NOTES]],
  ['the same notes of the shop', 'PATCH', '', { admin_notes: 'A regular' }, []],
  ['both notes', 'PATCH', '', { notes: 'a', admin_notes: 'b' }, [NOTES, ADMIN_NOTES]],
  ['an e-mail address', 'PATCH', '', { email: 'new@example.com' }, [EDITED]],
  ['the same e-mail address', 'PATCH', '', { email: 'new@example.com' }, []],
  ['a billing address', 'PATCH', '', { billing_address: { city: 'Rome' } }, [EDITED]],
  ['a member of the billing address', 'PATCH', '', { billing_address: { city: 'Bari' } }, [EDITED]],
  ['the same billing address', 'PATCH', '', { billing_address: { city: 'Bari' } }, []],
  ['a shipping address', 'PATCH', '', { shipping_address: { city: 'Oslo', state: 5 } }, [EDITED]],
  ['no shipping address any more', 'PATCH', '', { shipping_address: null }, [EDITED]],
  ['a shipping method', 'PATCH', '', { shipping_method_name: 'Courier' }, [EDITED]],
  ['no shipping method any more', 'PATCH', '', { shipping_method_name: null }, [EDITED]],
  ['notes and a shipping method', 'PATCH', '', { notes: 'c', shipping_method_name: 'Bike' }, [NOTES, EDITED]],
  ['nothing', 'PATCH', '', {}, []],
  ['a detail', 'POST', '/details', { name: 'Wrap', value: 'red' }, [EDITED]],
  ['a changed detail', 'PATCH', '/details/1', { value: 'blue' }, [EDITED]],
  ['the same detail', 'PATCH', '/details/1', { value: 'blue' }, []],
  ['a replaced detail', 'PUT', '/details/1', { name: 'Box', value: 'oak' }, [EDITED]],
  ['the same detail replaced', 'PUT', '/details/1', { name: 'Box', value: 'oak' }, []],
  ['a deleted detail', 'DELETE', '/details/1', undefined, [EDITED]],
  ['a tracking number', 'POST', '/tracking_numbers', { value: '1Z 1' }, [TRACKING]],
  ['a changed tracking number', 'PATCH', '/tracking_numbers/1', { value: '1Z 2' }, [TRACKING]],
  ['the same tracking number', 'PATCH', '/tracking_numbers/1', { value: '1Z 2' }, []],
  ['a replaced tracking number', 'PUT', '/tracking_numbers/1', { value: '1Z 3' }, [TRACKING]],
  ['a deleted tracking number', 'DELETE', '/tracking_numbers/1', undefined, [TRACKING]],
  ['a transaction', 'POST', '/payment_transactions', { value: 10 }, [TRANSACTION]],
  ['a status of a transaction', 'PATCH', '/payment_transactions/1', { status: 'S' }, [TRANSACTION]],
  ['the same status of a transaction', 'PATCH', '/payment_transactions/1', { status: 'S' }, []],
];

onEachDatabase('causes of order history events', {}, (store) => {
  let order: Shown;
  before(async () => {
    order = await placed(store);
  });

  test('an order without stock records its creation only', async () => {
    const [event, ...others] = await historyOf(store, order.id);
    assert.deepEqual([event.code, others], [PLACED, []]);
  });

  for (const [title, method, path, body, codes] of CAUSES)
    test(`${title} records ${codes.join(' and ') || 'no event'}`, async () => {
      const target = `/api/orders/${order.id}${path}`;
      const written = await codesWritten(store, order.id, () => store.request(method, target, { body }));
      assert.deepEqual(written, codes.toSorted());
    });

  test('PATCH of an unchanged order records no event', async () => {
    const { json } = await store.get(`/api/orders/${order.id}`);
    await assertUnchanged(store, async () => {
      const response = await store.patch(`/api/orders/${order.id}`, json);
      assert.deepEqual([response.status, response.json], [200, json], response.text);
    });
  });

  test('each order has its own history', async () => {
    const other = await placed(store);
    assert.deepEqual(
      (await historyOf(store, other.id)).map(({ code }) => code),
      [PLACED],
    );
    const ids = [...idsOf(await historyOf(store, order.id)), ...idsOf(await historyOf(store, other.id))];
    assert.equal(new Set(ids).size, ids.length);
  });

  test('changes of products, statuses and other orders record no event', async () => {
    const product = await store.product({ inventory_traceable: false });
    const { id } = await placed(store, { items: [{ product_id: product.id, amount: 1 }] });
    const earlier = await historyOf(store, id);
    await store.patch(`/api/products/${product.id}`, { name: 'Renamed' });
    await store.delete(`/api/products/${product.id}`);
    await placed(store);
    assert.deepEqual(await historyOf(store, id), earlier);
  });
});

onEachDatabase('stock in the order history', {}, (store) => {
  test('records taken and returned stock with its cause', async () => {
    const product = await counted(store, 10);
    const { id, stock_status } = await placed(store, { items: [{ product_id: product.id, amount: 3 }] });
    assert.equal(stock_status, 'reduced');
    const codes = (await historyOf(store, id)).map(({ code }) => code);
    assert.deepEqual(codes.sort(), [AMOUNT, PLACED]);
    const moves: [path: string, code: string, codes: string[]][] = [
      ['payment_status', 'P', [PAYMENT]],
      ['shipping_status', 'S', [SHIPPING]],
      ['shipping_status', 'R', [SHIPPING]],
      ['payment_status', 'R', [AMOUNT, PAYMENT]],
      ['shipping_status', 'S', [AMOUNT, SHIPPING]],
      ['payment_status', 'C', [AMOUNT, PAYMENT]],
      ['payment_status', 'D', [PAYMENT]],
      ['payment_status', 'Q', [AMOUNT, PAYMENT]],
    ];
    for (const [path, code, expected] of moves) {
      const written = await codesWritten(store, id, () => store.put(`/api/orders/${id}/${path}`, { code }));
      assert.deepEqual(written, expected.toSorted(), `${path} ${code}`);
    }
  });

  test('records no stock event for an initial status without stock', async () => {
    const product = await counted(store, 10);
    const { id } = await placed(store, { items: [{ product_id: product.id, amount: 3 }], payment_status: 'C' });
    assert.deepEqual(
      (await historyOf(store, id)).map(({ code }) => code),
      [PLACED],
    );
  });

  test('records no event for a shortage', async () => {
    const product = await counted(store, 3);
    const items = [{ product_id: product.id, amount: 3 }];
    const { id } = await placed(store, { items, payment_status: 'C' });
    await placed(store, { items });
    await assertUnchanged(store, async () =>
      assertProblem(await store.put(`/api/orders/${id}/payment_status`, { code: 'Q' }), 409),
    );
  });
});

onEachDatabase('rejected requests', {}, (store) => {
  let order: Shown;
  before(async () => {
    order = await placed(store);
    await store.made(`/api/orders/${order.id}/details`, { name: 'Stays' });
    await store.made(`/api/orders/${order.id}/payment_transactions`, { value: 1 });
  });

  const rejected: [status: number, method: string, path: string, body?: Json, headers?: Record<string, string>][] = [
    [422, 'PUT', '/payment_status', { code: 'XX' }],
    [422, 'PUT', '/shipping_status', {}],
    [422, 'PATCH', '', { notes: 'New', email: 'no address' }],
    [422, 'PATCH', '', { notes: 5 }],
    [422, 'PATCH', '', { notes: 'New', order_number: 'OTHER' }],
    [412, 'PATCH', '', { notes: 'New' }, { 'if-match': '"0-stale"' }],
    [412, 'PUT', '/payment_status', { code: 'P' }, { 'if-match': '"0-stale"' }],
    [422, 'POST', '/details', {}],
    [422, 'PATCH', '/details/1', { name: null }],
    [404, 'DELETE', '/details/2'],
    [422, 'POST', '/payment_transactions', { value: 1, type: 'x' }],
    [422, 'PATCH', '/payment_transactions/1', { status: 'X' }],
    [422, 'PATCH', '/payment_transactions/1', { status: 'S', value: 2 }],
    [422, 'POST', '/tracking_numbers', { value: 5 }],
    [404, 'DELETE', '/tracking_numbers/1'],
    [405, 'DELETE', ''],
  ];
  for (const [status, method, path, body, headers] of rejected)
    test(`record no event: ${method} ${path} ${JSON.stringify(body)} ${status}`, () =>
      assertUnchanged(store, async () => {
        const target = `/api/orders/${order.id}${path}`;
        assertProblem(await store.request(method, target, { body, headers }), status);
      }));
});

onEachDatabase('order history events', {}, (store) => {
  let order: Shown;
  let path: string;
  before(async () => {
    order = await placed(store);
    path = `/api/orders/${order.id}/history`;
  });

  test('have their fields in the specified order', async () => {
    await store.patch(`/api/orders/${order.id}`, { notes: 'New' });
    const { json: events, headers } = await store.get(path);
    assert.equal(events.length, 2);
    assert.equal(headers['x-total-count'], '2');
    for (const event of events) {
      assert.deepEqual(Object.keys(event), outputNames('OrderHistoryEvents'));
      assert.ok(Number.isInteger(event.id));
      assert.match(event.date, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
      assert.ok(Math.abs(Date.parse(event.date) - Date.now()) < 5000);
      assert.ok(event.description.trim());
      assert.ok(event.data && typeof event.data === 'object' && !Array.isArray(event.data));
      assert.equal(typeof event.comment, 'string');
      assert.equal(typeof event.profile_name, 'string');
      assert.equal(event.ip, '127.0.0.1');
      assert.ok(Array.isArray(event.details));
      for (const detail of event.details) assert.deepEqual(Object.keys(detail), ['id', 'name', 'value']);
    }
  });

  const moves: [path: string, code: string, from: string, to: string][] = [
    ['payment_status', PAYMENT, 'Q', 'PP'],
    ['payment_status', PAYMENT, 'PP', 'R'],
    ['shipping_status', SHIPPING, 'N', 'WFA'],
    ['shipping_status', SHIPPING, 'WFA', 'D'],
  ];
  for (const [status, code, from, to] of moves)
    test(`of a status contain the old and the new status: ${from} to ${to}`, async () => {
      assert.equal((await store.put(`/api/orders/${order.id}/${status}`, { code: to })).status, 200);
      const { code: written, data, description } = (await historyOf(store, order.id)).at(-1);
      assert.equal(written, code);
      const keys = ['newStatus', 'newStatusCode', 'oldStatus', 'oldStatusCode', 'orderId'];
      assert.deepEqual(Object.keys(data).sort(), keys);
      assert.deepEqual([data.orderId, data.oldStatusCode, data.newStatusCode], [order.id, from, to]);
      const { json: statuses } = await store.get(`/api/${status}es`);
      for (const each of [from, to]) {
        const { name } = statuses.find((one: Shown) => one.code === each);
        assert.ok(description.includes(name), `“${description}” names ${name}`);
      }
    });

  test('are read-only for clients', async () => {
    const [{ id }] = (await store.get(path)).json;
    await assertUnchanged(store, async () => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const body = method === 'DELETE' ? undefined : { code: PLACED, comment: 'x' };
        const response = await store.request(method, path, { body });
        assertProblem(response, 405);
        const allowed = response.headers.allow!.split(', ').filter((each) => each !== 'OPTIONS');
        assert.deepEqual(allowed.sort(), ['GET', 'HEAD']);
        const status = (await store.request(method, `${path}/${id}`, { body })).status;
        assert.ok(status === 404 || status === 405, `${method} of one event is ${status}`);
      }
    });
  });

  test('return 404 for an unknown or malformed order', async () => {
    for (const id of ['999999', 'abc', '01', '0']) assertProblem(await store.get(`/api/orders/${id}/history`), 404);
    assertProblem(await store.get('/api/orders/999999/history?page=2'), 404);
  });

  test('are listed in order of creation, 30 per page', async () => {
    const { id } = await placed(store);
    const history = `/api/orders/${id}/history`;
    for (let count = 1; count <= 34; count += 1)
      assert.equal((await store.patch(`/api/orders/${id}`, { notes: `Note ${count}` })).status, 200);
    const all = idsOf(await historyOf(store, id));
    assert.equal(all.length, 35);
    assert.deepEqual(
      all,
      all.toSorted((one, other) => one - other),
    );
    const first = await store.get(history);
    assert.deepEqual(idsOf(first.json), all.slice(0, 30));
    assert.equal(first.headers['x-total-count'], '35');
    assert.match(String(first.headers.link), /rel="?next"?/);
    assert.deepEqual(idsOf((await store.get(`${history}?page=2`)).json), all.slice(30));
    assert.deepEqual((await store.get(`${history}?page=3`)).json, []);
    assert.deepEqual(idsOf((await store.get(`${history}?itemsPerPage=10&page=4`)).json), all.slice(30));
    assert.deepEqual(idsOf((await store.get(`${history}?order[id]=desc&itemsPerPage=2`)).json), [all[34], all[33]]);
    assert.deepEqual(idsOf((await store.get(`${history}?id[]=${all[7]}&id[]=${all[3]}`)).json), [all[3], all[7]]);
    for (const query of ['colour=red', 'order[colour]=asc', 'page=0'])
      assertProblem(await store.get(`${history}?${query}`), 400);
  });
});

onEachDatabase('descriptions of order history events', {}, (store) => {
  const NAMES: Record<string, [path: string, code: string, name: string][]> = {
    de: [
      ['payment_statuses', 'Q', 'Wartet auf Zahlung'],
      ['payment_statuses', 'P', 'Bezahlt'],
      ['shipping_statuses', 'N', 'Neu eingegangen'],
      ['shipping_statuses', 'S', 'Verschickt'],
    ],
  };
  let order: Shown;

  before(async () => {
    for (const [path, code, name] of NAMES.de!) {
      const [{ id }] = (await store.get(`/api/${path}?itemsPerPage=100`)).json.filter(
        (one: Shown) => one.code === code,
      );
      const method = code === 'Q' ? 'PUT' : 'PATCH';
      const body = code === 'Q' ? { code, name } : { name };
      const response = await store.request(method, `/api/${path}/${id}`, {
        body,
        headers: { 'accept-language': 'de' },
      });
      assert.equal(response.status, 200, response.text);
    }
    const product = await counted(store, 10);
    order = await placed(store, { items: [{ product_id: product.id, amount: 2 }] });
    const path = `/api/orders/${order.id}`;
    const responses: HttpResponse[] = [
      await store.put(`${path}/payment_status`, { code: 'P' }),
      await store.put(`${path}/shipping_status`, { code: 'S' }),
      await store.patch(path, { notes: 'a', admin_notes: 'b', email: 'new@example.com' }),
      await store.post(`${path}/tracking_numbers`, { value: '1Z {value} {0} %s' }),
      await store.post(`${path}/payment_transactions`, { value: 10, name: 'Card' }),
    ];
    for (const { status, text } of responses) assert.ok(status < 300, text);
  });

  test('exist in English and German without unfilled placeholders', async () => {
    const [english, german] = [await historyOf(store, order.id, 'en'), await historyOf(store, order.id, 'de')];
    const codes = [PLACED, PAYMENT, SHIPPING, ADMIN_NOTES, NOTES, AMOUNT, TRANSACTION, TRACKING, EDITED];
    assert.deepEqual(english.map(({ code }) => code).sort(), codes.sort());
    for (const [index, { description, ...event }] of english.entries()) {
      const { description: translated, ...same } = german[index];
      assert.deepEqual(same, event, 'only the description is translated');
      assert.notEqual(translated, description);
      for (const text of [description, translated]) {
        assert.ok(text.trim());
        // The number that the client sent contains braces itself.
        if (event.code !== TRACKING) assert.doesNotMatch(text, /[{}]|%s|undefined|null|\[object/);
      }
    }
  });

  test('contain status names in the language of the reader', async () => {
    for (const [language, code, names] of [
      ['en', PAYMENT, ['Awaiting payment', 'Paid']],
      ['en', SHIPPING, ['New', 'Shipped']],
      ['de', PAYMENT, ['Wartet auf Zahlung', 'Bezahlt']],
      ['de', SHIPPING, ['Neu eingegangen', 'Verschickt']],
      ['de-AT', PAYMENT, ['Wartet auf Zahlung', 'Bezahlt']],
    ] as const) {
      const events = await historyOf(store, order.id, language);
      const { description } = events.find((event) => event.code === code)!;
      for (const name of names) assert.ok(description.includes(name), `${language}: ${description}`);
    }
  });

  test('exist in every language and fall back to the default language', async () => {
    const english = await historyOf(store, order.id, 'en');
    assert.deepEqual(await historyOf(store, order.id, 'it'), english);
    for (const language of ['fr', 'pt-BR'])
      for (const event of await historyOf(store, order.id, language)) assert.ok(event.description.trim());
  });

  test('have Content-Language and a different ETag per language', async () => {
    const path = `/api/orders/${order.id}/history`;
    const [english, german] = [await store.get(path), await store.get(path, { 'accept-language': 'de' })];
    assert.equal(german.headers['content-language'], 'de');
    assert.notEqual(german.headers.etag, english.headers.etag);
  });

  test('are not affected by placeholders in the texts of clients', async () => {
    const { id } = await placed(store);
    await store.put(`/api/orders/${id}/payment_status`, { code: 'A' });
    for (const notes of ['{oldStatus}', '%s', '{{orderId}}', '<script>', '__proto__', '$& $1'])
      assert.equal((await store.patch(`/api/orders/${id}`, { notes })).json.notes, notes);
    const events = await historyOf(store, id);
    assert.equal(events.length, 8);
    for (const event of events) assert.ok(event.description.trim());
  });
});

for (const name of databaseNames)
  describe(`author of order history events (${name})`, () => {
    let database: FreshDatabase;
    let images: string;
    let folder: Folder;
    let store: Store;
    let settings: Record<string, string>;
    before(async () => {
      database = await freshDatabase(name);
      images = await mkdtemp(join(tmpdir(), 'purveyor-history-'));
      folder = await Folder.make();
      settings = { DATABASE_URL: database.url, IMAGES_URL: `file:${images}` };
      store = new Store(name, { ...settings, TRUST_PROXY: '127.0.0.1/32' });
      await store.start();
    });
    after(async () => {
      await store.stop();
      await folder.remove();
      await database.remove();
      await rm(images, { recursive: true });
    });

    async function keyNamed(title: string): Promise<string> {
      const { code, stdout, stderr } = await folder.run(['keys', 'create', title], settings);
      assert.equal(code, 0, stderr);
      return stdout.trim();
    }

    test('is the name of the key, even after the key was revoked', async () => {
      const [night, till] = [await keyNamed('night script'), await keyNamed('Kasse 2 – “Süd”')];
      const { id: product } = await store.product({ inventory_traceable: false });
      const body = { email: 'ann@example.com', items: [{ product_id: product, amount: 1 }] };
      const created = await store.request('POST', '/api/orders', { key: night, body });
      assert.equal(created.status, 201, created.text);
      const path = `/api/orders/${created.json.id}`;
      const requests: [key: string, method: string, path: string, body: Json][] = [
        [till, 'PUT', `${path}/payment_status`, { code: 'P' }],
        [night, 'PATCH', path, { notes: 'New' }],
        [till, 'POST', `${path}/tracking_numbers`, { value: '1Z' }],
        [night, 'POST', `${path}/payment_transactions`, { value: 1 }],
        [till, 'POST', `${path}/details`, { name: 'D' }],
      ];
      for (const [key, method, target, sent] of requests) {
        const response = await store.request(method, target, { key, body: sent });
        assert.ok(response.status < 300, response.text);
      }
      const names = async () => (await historyOf(store, created.json.id)).map((event) => event.profile_name);
      const expected = [
        'night script',
        ...requests.map(([key]) => (key === till ? 'Kasse 2 – “Süd”' : 'night script')),
      ];
      assert.deepEqual(await names(), expected);
      assert.ok(
        !JSON.stringify(await historyOf(store, created.json.id)).includes(night),
        'the history does not contain the key',
      );
      assert.equal((await folder.run(['keys', 'revoke', 'night script'], settings)).code, 0);
      assert.deepEqual(await names(), expected);
    });

    test('includes the address behind a trusted proxy', async () => {
      const { id } = await placed(store);
      await store.patch(`/api/orders/${id}`, { notes: 'a' }, { 'x-forwarded-for': '203.0.113.7' });
      const [first, second] = await historyOf(store, id);
      assert.deepEqual([first.ip, second.ip], ['127.0.0.1', '203.0.113.7']);
    });
  });

onEachDatabase('author of order history events without a trusted proxy', {}, (store) => {
  test('has the address of the connection, not of X-Forwarded-For', async () => {
    const { id } = await placed(store);
    await store.patch(`/api/orders/${id}`, { notes: 'a' }, { 'x-forwarded-for': '203.0.113.7' });
    assert.equal((await historyOf(store, id)).at(-1).ip, '127.0.0.1');
  });
});
