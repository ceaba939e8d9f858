/** PUT replaces, PATCH merges, and output can be sent back without a change (http.md §9). */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertProblem, assertUnchanged, assertViolations } from '../support/expect.ts';
import { whole } from '../support/fields.ts';
import { nextSecond } from '../support/next-second.ts';
import { type Json, onEachDatabase, type Store } from '../support/store.ts';

/** Every optional field with a non-default value. */
const FILLED: Json = {
  description: '<p>Long</p>',
  brief_description: 'Short',
  meta_tags: 'a, b',
  meta_description: 'Description',
  meta_title: 'Title',
  og_meta_tags: '<meta property="og:title" content="Own" />',
  price: 19.99,
  market_price: 25,
  cost_price: 3.0001,
  sale_price_value: 15.5,
  participate_sale: true,
  discount_type: 'sale_price',
  apply_sale_to_wholesale: true,
  enabled: false,
  weight: 0.25,
  free_shipping: true,
  taxable: false,
  inventory_traceable: false,
  available_for_backorder: false,
  backorder_limit: 7,
  pin_codes_enabled: true,
  auto_pin_codes: true,
  facebook_marketing_enabled: false,
  google_feed_enabled: false,
};

/** Fields that PUT retains when omitted. */
const RETAINED: Json = { amount: 5, clean_url: 'own-url', arrival_date: '2030-01-01T00:00:00+00:00' };

const DEFAULTS: Json = {
  description: '',
  brief_description: '',
  meta_tags: '',
  meta_description: '',
  meta_title: '',
  price: 0,
  market_price: 0,
  cost_price: 0,
  sale_price_value: 0,
  participate_sale: false,
  discount_type: 'sale_percent',
  apply_sale_to_wholesale: false,
  enabled: true,
  weight: 0,
  free_shipping: false,
  taxable: true,
  inventory_traceable: true,
  available_for_backorder: true,
  backorder_limit: 0,
  pin_codes_enabled: false,
  auto_pin_codes: false,
  facebook_marketing_enabled: true,
  google_feed_enabled: true,
  stickers: [],
  tags: [],
  memberships: [],
  product_class: null,
  tax_class: null,
};

const LINKS: Json = {
  stickers: [1],
  tags: ['Red', 'Big'],
  memberships: ['Gold'],
  product_class: 'Shirts',
  tax_class: 'Full',
};

async function fill(store: Store): Promise<void> {
  await store.made('/api/stickers', { name: 'New' });
  await store.made('/api/memberships', { name: 'Gold' });
  await store.made('/api/product_classes', { name: 'Shirts' });
  await store.made('/api/tax_classes', { name: 'Full' });
}

onEachDatabase('round trip of a product', {}, (store) => {
  const made: Record<string, Json> = {
    'a bare product': {},
    'a filled product': { ...FILLED, ...RETAINED },
    'a linked product': LINKS,
    'a product with everything': { ...FILLED, ...LINKS, amount: 0, clean_url: 'everything' },
  };
  before(() => fill(store));

  for (const [title, fields] of Object.entries(made))
    for (const language of ['en', 'de'])
      for (const read of ['en', 'de'])
        test(`changes nothing for ${title} created in ${language} and sent back in ${read}`, async () => {
          const { id } = await store.product({ ...fields, clean_url: '' }, { 'accept-language': language });
          const path = `/api/products/${id}`;
          const headers = { 'accept-language': read };
          const before = await store.get(path, headers);
          await assertUnchanged(store, async () => {
            for (const method of ['PUT', 'PATCH', 'PUT']) {
              const back = await store.request(method, path, { body: before.text, headers });
              assert.equal(back.status, 200, back.text);
              assert.equal(back.text, before.text);
              assert.equal(back.headers.etag, before.headers.etag);
            }
          });
        });

  test('accepts an unchanged negative amount', async () => {
    const { id } = await store.product({ amount: 0, backorder_limit: 5 });
    const path = `/api/products/${id}`;
    assert.equal((await store.post(`${path}/stock`, { delta: -3 })).json.amount, -3);
    const before = await store.get(path);
    const back = await store.put(path, before.text);
    assert.equal(back.headers.etag, before.headers.etag, back.text);
    assertViolations(await store.patch(path, { amount: -2 }), ['amount', 'range']);
    assert.equal((await store.patch(path, { amount: -3, price: 1 })).json.amount, -3);
  });

  test('does not store automatic markup that is sent back with a change', async () => {
    const { id } = await store.product({ name: 'Before' });
    const path = `/api/products/${id}`;
    const { json } = await store.get(path);
    const changed = await store.put(path, { ...json, name: 'After' });
    assert.match(changed.json.og_meta_tags, /content="After"/);
    assert.doesNotMatch(changed.json.og_meta_tags, /Before/);
  });

  test('ignores outdated timestamps', async () => {
    const product = await store.product();
    const path = `/api/products/${product.id}`;
    for (const method of ['PUT', 'PATCH']) {
      const before = await store.get(path);
      const body = { ...product, create_date: '2000-01-01', update_date: 5 };
      const response = await store.request(method, path, { body });
      assert.equal(response.text, before.text);
      assert.equal(response.headers.etag, before.headers.etag);
    }
  });

  test('rejects an id that differs from the path', async () => {
    const product = await store.product();
    const path = `/api/products/${product.id}`;
    await assertUnchanged(store, async () => {
      for (const id of [product.id + 1, String(product.id), null, 0, [product.id]])
        for (const method of ['PUT', 'PATCH']) {
          const response = await store.request(method, path, { body: { ...product, name: 'Changed', id } });
          assertProblem(response, 422);
          assert.deepEqual(
            response.json.violations.map((each: Json) => each.propertyPath),
            ['id'],
            `${method} ${id}`,
          );
        }
    });
    assert.equal((await store.put(path, { ...product, name: 'Changed' })).json.name, 'Changed');
  });
});

onEachDatabase('PUT', {}, (store) => {
  before(() => fill(store));

  test('resets omitted fields and retains those that the store maintains', async () => {
    const { id, sku, create_date } = await store.product({ ...FILLED, ...LINKS, ...RETAINED });
    const replaced = await store.put(`/api/products/${id}`, { sku, name: 'Replaced' });
    assert.equal(replaced.status, 200, replaced.text);
    const { og_meta_tags, update_date, images, ...rest } = replaced.json;
    const typed = { ...DEFAULTS, ...RETAINED, id, sku, name: 'Replaced', create_date };
    assert.deepEqual(rest, whole('Product', typed, 'og_meta_tags', 'update_date', 'images'));
    assert.match(og_meta_tags, /content="Replaced"/);
    assert.deepEqual(images, []);
    assert.deepEqual((await store.get(`/api/products/${id}`)).json, replaced.json);
  });

  for (const [field, fallback] of Object.entries(DEFAULTS))
    test(`resets an omitted ${field} to the default ${JSON.stringify(fallback)}`, async () => {
      const { [field]: filled, ...others } = { ...FILLED, ...LINKS };
      if (field === 'discount_type') Object.assign(others, { sale_price_value: 5 });
      if (field === 'price') Object.assign(others, { sale_price_value: 0 });
      if (field === 'sale_price_value') Object.assign(others, { participate_sale: false });
      const { id, sku } = await store.product({ ...others, [field]: filled });
      const { json } = await store.put(`/api/products/${id}`, { sku, name: 'Name', ...others });
      assert.deepEqual(json[field], fallback);
      assert.equal(json.weight, field === 'weight' ? 0 : 0.25);
      assert.deepEqual((await store.product(others))[field], fallback);
    });

  test('sets sent fields that it retains otherwise', async () => {
    const { id, sku } = await store.product({ ...RETAINED, clean_url: 'first-url' });
    const body = { sku, name: 'Name', amount: 9, clean_url: 'other-url', arrival_date: '2031-02-03' };
    const { json } = await store.put(`/api/products/${id}`, body);
    assert.deepEqual([json.amount, json.clean_url, json.arrival_date], [9, 'other-url', '2031-02-03T00:00:00+00:00']);
  });

  test('retains the clean URL if sent empty', async () => {
    const { id, sku } = await store.product({ clean_url: 'given-url' });
    const { json } = await store.put(`/api/products/${id}`, { sku, name: 'Another name', clean_url: '' });
    assert.equal(json.clean_url, 'given-url');
  });

  test('requires every required field', async () => {
    const { id } = await store.product(FILLED);
    await assertUnchanged(store, async () => {
      assertViolations(await store.put(`/api/products/${id}`, {}), ['sku', 'required'], ['name', 'required']);
      assertViolations(await store.put(`/api/products/${id}`, FILLED), ['sku', 'required'], ['name', 'required']);
    });
  });

  test('rejects a merge patch with 415', async () => {
    const { id, sku } = await store.product();
    const headers = { 'content-type': 'application/merge-patch+json' };
    await assertUnchanged(store, async () => {
      assertProblem(await store.put(`/api/products/${id}`, { sku, name: 'N' }, headers), 415);
      assertProblem(await store.post('/api/products', { sku: 'N', name: 'N' }, headers), 415);
    });
  });
});

onEachDatabase('PATCH', {}, (store) => {
  before(() => fill(store));

  for (const type of [
    'application/json',
    'application/merge-patch+json',
    'Application/Merge-Patch+JSON; charset=utf-8',
  ])
    test(`with ${type} changes only the sent fields`, async () => {
      const created = await store.product({ ...FILLED, ...LINKS });
      const response = await store.patch(`/api/products/${created.id}`, { price: 16 }, { 'content-type': type });
      assert.equal(response.status, 200, response.text);
      assert.deepEqual(response.json, { ...created, price: 16, update_date: response.json.update_date });
    });

  for (const [field, value] of Object.entries({ ...FILLED, ...RETAINED }))
    test(`of ${field} changes this field only`, async () => {
      const created = await store.product({ price: 20, discount_type: 'sale_price', sale_price_value: 10 });
      const body = field === 'discount_type' ? { discount_type: 'sale_percent' } : { [field]: value };
      const { json } = await store.patch(`/api/products/${created.id}`, body);
      const { og_meta_tags: _, ...expected } = { ...created, ...body, update_date: json.update_date };
      const { og_meta_tags: markup, ...others } = json;
      assert.deepEqual(others, expected);
      if (field === 'og_meta_tags') assert.equal(markup, value);
    });

  test('of {} changes nothing', async () => {
    const { id } = await store.product(FILLED);
    const before = await store.get(`/api/products/${id}`);
    await assertUnchanged(store, async () => {
      const response = await store.patch(`/api/products/${id}`, {});
      assert.deepEqual(
        [response.status, response.text, response.headers.etag],
        [200, before.text, before.headers.etag],
      );
    });
  });

  test('clears nullable fields with null', async () => {
    const { id } = await store.product(LINKS);
    const { json } = await store.patch(`/api/products/${id}`, { product_class: null, tax_class: null });
    assert.deepEqual([json.product_class, json.tax_class], [null, null]);
    assert.deepEqual(json.memberships.length, 1);
  });

  test('replaces lists as a whole', async () => {
    const { id } = await store.product(LINKS);
    const { json } = await store.patch(`/api/products/${id}`, { tags: ['Small'], stickers: [] });
    assert.deepEqual(
      json.tags.map(({ name }: { name: string }) => name),
      ['Small'],
    );
    assert.deepEqual(json.stickers, []);
    assert.equal(json.memberships.length, 1);
  });

  test('replaces a link that is sent as an object', async () => {
    const other = await store.made('/api/product_classes', { name: 'Hats' });
    const { id } = await store.product(LINKS);
    const { json } = await store.patch(`/api/products/${id}`, { product_class: { id: other.id } });
    assert.deepEqual(json.product_class, other);
  });

  test('requires a JSON object', async () => {
    const { id } = await store.product();
    await assertUnchanged(store, async () => {
      for (const body of ['null', '[]', '[{"op":"replace","path":"/name","value":"x"}]', '"x"', '1'])
        assertProblem(await store.patch(`/api/products/${id}`, body), 400);
      const headers = { 'content-type': 'application/json-patch+json' };
      assertProblem(await store.patch(`/api/products/${id}`, '[]', headers), 415);
    });
  });

  test('is announced in every response with one record', async () => {
    const created = await store.post('/api/tags', { name: 'One' });
    const path = `/api/tags/${created.json.id}`;
    const responses = [
      created,
      await store.get(path),
      await store.put(path, { name: 'Two' }),
      await store.patch(path, {}),
    ];
    for (const { headers } of responses)
      assert.match(String(headers['accept-patch']), /application\/merge-patch\+json/);
  });
});

onEachDatabase('unchanged records', {}, (store) => {
  before(() => fill(store));

  test('retain ETag and update_date, which a change updates', async () => {
    const { id } = await store.product({ ...FILLED, ...LINKS });
    const path = `/api/products/${id}`;
    const before = await store.get(path);
    await nextSecond();
    const same = [
      await store.patch(path, { price: 19.99, tags: ['Big', 'RED'], product_class: ' shirts ', enabled: false }),
      await store.patch(path, { memberships: ['gold', 1, { id: 1 }], stickers: [1, 1] }),
      await store.put(path, before.text),
    ];
    for (const response of same)
      assert.deepEqual([response.text, response.headers.etag], [before.text, before.headers.etag]);
    const changed = await store.patch(path, { price: 20 });
    assert.notEqual(changed.headers.etag, before.headers.etag);
    assert.ok(changed.json.update_date > before.json.update_date);
    assert.equal(changed.json.create_date, before.json.create_date);
  });

  test('change with a translation', async () => {
    const { id } = await store.product({ name: 'Name' });
    const path = `/api/products/${id}`;
    const before = await store.get(path);
    await nextSecond();
    await store.patch(path, { name: 'Name auf Deutsch' }, { 'accept-language': 'de' });
    const after = await store.get(path);
    assert.equal(after.json.name, 'Name');
    assert.ok(after.json.update_date > before.json.update_date);
    assert.notEqual(after.headers.etag, before.headers.etag);
  });
});
