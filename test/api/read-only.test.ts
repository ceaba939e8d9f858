/** Read-only fields are not silently dropped: a body with another value is rejected (http.md §9). */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { assertUnchanged, assertViolations } from '../support/expect.ts';
import { attached, png } from '../support/images.ts';
import { type Json, onOneDatabase } from '../support/store.ts';

const LENIENT = { prefer: 'handling=lenient' };

onOneDatabase('read-only fields in POST', {}, (store) => {
  before(async () => {
    await store.product({ sku: 'SOLD', name: 'Sold', price: 10 });
  });

  const values: [field: string, value: unknown][] = [
    ['id', 1],
    ['id', 77777],
    ['id', '1'],
    ['create_date', '2000-01-01T00:00:00+00:00'],
    ['update_date', 5],
  ];
  for (const [field, value] of values)
    test(`reject ${field} ${JSON.stringify(value)}`, async () => {
      await assertUnchanged(store, async () => {
        const body = { sku: 'NEW', name: 'New', tags: ['Never made'], [field]: value };
        assertViolations(await store.post('/api/products', body), [field, 'read_only']);
      });
      const sku = `L-${field}-${String(value)}`;
      const { json } = await store.post('/api/products', { sku, name: 'L', [field]: value }, LENIENT);
      assert.notEqual(json[field], value);
    });

  test('accept empty values', async () => {
    for (const empty of [null, '', [], {}]) await store.product({ id: empty, create_date: empty, update_date: empty });
    await store.product({ id: 0 });
  });

  test('are reported together with other violations', () =>
    assertUnchanged(store, async () => {
      const body = { id: 5, create_date: '2000-01-01', name: '', colour: 'red' };
      assertViolations(
        await store.post('/api/products', body),
        ['id', 'read_only'],
        ['create_date', 'read_only'],
        ['sku', 'required'],
        ['name', 'blank'],
        ['colour', 'unknown_field'],
      );
    }));

  test('include the images of a category', () =>
    assertUnchanged(store, async () => {
      const body = { name: 'Pictured', icon: { alt: 'An icon' }, banner: null };
      assertViolations(await store.post('/api/categories', body), ['icon', 'read_only']);
    }));

  test('include the size and URL of an image file', async () => {
    const { id } = await store.product();
    const path = `/api/products/${id}/images`;
    const image = await attached(png(3, 4));
    assertViolations(
      await store.post(path, { ...image, width: 4, height: 4, url: 'https://elsewhere.example/x.png' }),
      ['width', 'read_only'],
      ['url', 'read_only'],
    );
    assert.deepEqual((await store.get(path)).json, []);
    const { width, height, url } = await store.made(path, { ...image, width: 3, height: 4 });
    assert.deepEqual([width, height], [3, 4]);
    await store.made(path, { ...image, url });
  });

  test('accept order totals that equal the computed ones', async () => {
    const order = { email: 'ada@example.com', items: [{ product_id: 1, amount: 2 }] };
    const made = await store.made('/api/orders', { ...order, total: 20, sub_total: 20, stock_status: 'reduced' });
    assert.equal(made.total, 20);
    const count = (await store.get('/api/orders')).headers['x-total-count'];
    assertViolations(
      await store.post('/api/orders', { ...order, total: 15, sub_total: 0, order_profile_id: 3, stock_status: '' }),
      ['total', 'read_only'],
      ['sub_total', 'read_only'],
      ['order_profile_id', 'read_only'],
    );
    assertViolations(await store.post('/api/orders', { ...order, tracking_numbers: [{ value: '1Z' }] }), [
      'tracking_numbers',
      'read_only',
    ]);
    // Totals are not checked while items are invalid.
    assertViolations(await store.post('/api/orders', { ...order, items: [{ product_id: 1, amount: 0 }], total: 15 }), [
      'items[0].amount',
      'range',
    ]);
    assert.equal((await store.get('/api/orders')).headers['x-total-count'], count);
    assert.equal((await store.get('/api/products/1')).json.amount, 998);
  });

  test('are checked in order items and surcharges', async () => {
    const place = (item: Json, surcharge: Json = {}) =>
      store.post('/api/orders', {
        email: 'ada@example.com',
        items: [{ product_id: 1, amount: 1, ...item }],
        surcharges: [{ type: 'tax', value: 1, ...surcharge }],
      });
    assertViolations(
      await place(
        { id: 5, item_net_price: 1, name: 'Other', backordered_amount: 7, surcharges: [{}] },
        { available: false },
      ),
      ['items[0].id', 'read_only'],
      ['items[0].item_net_price', 'read_only'],
      ['items[0].name', 'read_only'],
      ['items[0].backordered_amount', 'read_only'],
      ['items[0].surcharges', 'read_only'],
      ['surcharges[0].available', 'read_only'],
    );
    const shown = { item_net_price: 10, discounted_subtotal: 10, name: 'Sold', backordered_amount: 0, surcharges: [] };
    const response = await place({ id: null, ...shown }, { available: true });
    assert.equal(response.status, 201, response.text);
  });

  test('accept the positions of list elements in a transaction', async () => {
    const { id } = await store.made('/api/orders', { email: 'a@example.com', items: [{ product_id: 1, amount: 1 }] });
    const path = `/api/orders/${id}/payment_transactions`;
    const data = (...ids: unknown[]) => ids.map((each) => ({ id: each, name: 'n', value: 'v' }));
    assertViolations(await store.post(path, { value: 1, data: data(1, 3) }), ['data[1].id', 'read_only']);
    assert.equal((await store.made(path, { value: 1, data: data(1, 2, 0, null) })).data.length, 4);
  });
});

onOneDatabase('read-only fields in PUT and PATCH', {}, (store) => {
  const PATH = '/api/products/1';
  before(async () => {
    await store.product({ sku: 'P', name: 'Pictured', tags: ['One'] });
    for (const alt of ['First', 'Second']) await store.made(`${PATH}/images`, { ...(await attached(png(2, 2))), alt });
  });

  const accepted: [title: string, images: (shown: Json[]) => unknown][] = [
    ['as they were read', (shown) => shown],
    ['with fields in another order', (shown) => shown.map((one) => Object.fromEntries(Object.entries(one).reverse()))],
    ['with some of their fields', (shown) => shown.map(({ id, alt }) => ({ id, alt }))],
  ];
  for (const [title, images] of accepted)
    test(`accept images ${title}`, async () => {
      const read = await store.get(PATH);
      for (const method of ['PUT', 'PATCH']) {
        const body = { ...read.json, images: images(read.json.images) };
        const back = await store.request(method, PATH, { body });
        assert.deepEqual([back.status, back.headers.etag], [200, read.headers.etag], back.text);
      }
    });

  const rejected: [title: string, images: (shown: Json[]) => unknown][] = [
    ['as an empty list', () => []],
    ['as null', () => null],
    ['without one of them', (shown) => shown.slice(1)],
    ['in another order', (shown) => shown.toReversed()],
    ['with another text', (shown) => shown.map((one) => ({ ...one, alt: 'Changed' }))],
    ['with a new one', (shown) => [...shown, { externalUrl: 'https://images.example/x.png' }]],
    ['with an unknown field', (shown) => shown.map((one) => ({ ...one, externalUrl: 'x' }))],
    ['as a text', () => 'x'],
  ];
  for (const [title, images] of rejected)
    test(`reject images ${title}`, async () => {
      const { json } = await store.get(PATH);
      const body = { ...json, name: 'Never written', images: images(json.images) };
      await assertUnchanged(store, async () => {
        for (const method of ['PUT', 'PATCH'])
          assertViolations(await store.request(method, PATH, { body }), ['images', 'read_only']);
      });
      const lenient = await store.patch(PATH, { images: images(json.images) }, LENIENT);
      assert.deepEqual(lenient.json.images, json.images);
    });

  test('reject outdated images after another client has added one', async () => {
    const { id } = await store.product();
    const path = `/api/products/${id}`;
    const { json: read } = await store.get(path);
    await store.made(`${path}/images`, await attached(png(1, 1)));
    assertViolations(await store.put(path, read), ['images', 'read_only']);
    const { images, ...rest } = read;
    assert.equal(images.length, 0);
    assert.equal((await store.put(path, rest)).json.images.length, 1);
  });

  describe('of an order', () => {
    before(async () => {
      await store.made('/api/orders', {
        email: 'ada@example.com',
        order_number: 'N-1',
        items: [{ product_id: 1, amount: 1 }],
      });
    });

    test('ignore outdated totals and timestamps, also in items', async () => {
      const read = await store.get('/api/orders/1');
      const items = read.json.items.map((item: Json) => ({
        ...item,
        update_date: '2000-01-01T00:00:00+00:00',
        item_net_price: 5,
        discounted_subtotal: 5,
      }));
      const back = await store.patch('/api/orders/1', {
        ...read.json,
        items,
        total: 5,
        sub_total: 5,
        update_date: 'x',
      });
      assert.deepEqual([back.status, back.headers.etag], [200, read.headers.etag], back.text);
    });

    const values: [field: string, value: unknown][] = [
      ['order_number', 'N-2'],
      ['customer_id', 5],
      ['currency', 'EUR'],
      ['payment_status', 'P'],
      ['payment_status', { id: 1, code: 'P' }],
      ['create_date', '2000-01-01'],
      ['items', []],
      ['items', [{ product_id: 1, amount: 2 }]],
      ['items', [{ amount: 1, colour: 'red' }]],
      ['stock_status', 'increased'],
      ['tracking_numbers', [{ value: '1Z' }]],
    ];
    for (const [field, value] of values)
      test(`reject ${field} ${JSON.stringify(value)}`, async () => {
        const before = await store.get('/api/orders/1');
        const response = await store.patch('/api/orders/1', { notes: 'Never written', [field]: value });
        assertViolations(response, [field, 'read_only']);
        assert.equal((await store.get('/api/orders/1')).text, before.text);
      });
  });

  test('include a status code after its creation', async () => {
    const { id } = await store.made('/api/payment_statuses', { code: 'LOAN', name: 'On account' });
    const path = `/api/payment_statuses/${id}`;
    assertViolations(await store.patch(path, { code: 'DEBT' }), ['code', 'read_only']);
    assert.equal((await store.put(path, { code: 'LOAN', name: 'Owed' })).json.name, 'Owed');
  });

  test('report an id that differs from the path as a conflict', async () => {
    for (const method of ['PUT', 'PATCH'])
      assertViolations(await store.request(method, PATH, { body: { sku: 'P', name: 'N', id: 2 } }), ['id', 'conflict']);
  });

  test('of an action accept its previous response', async () => {
    const { json } = await store.get('/api/orders/1/payment_status');
    const response = await store.put('/api/orders/1/payment_status', { ...json, code: 'P' });
    assert.deepEqual([response.status, response.json.code], [200, 'P'], response.text);
  });
});

onOneDatabase('read-only fields with COMPATIBILITY=5.5', { COMPATIBILITY: '5.5' }, (store) => {
  test('are ignored', async () => {
    const product = await store.product({ id: 5, create_date: '2000-01-01', images: [{ id: 1 }] });
    assert.deepEqual([product.id, product.images], [1, []]);
    const back = await store.put('/api/products/1', { ...product, images: [{ id: 1 }] });
    assert.deepEqual(back.json, product);
  });
});
