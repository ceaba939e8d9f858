/** What customers see and change in the shop: addresses, orders, the catalog for members, privacy (storefront.md §§2 and 3). */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { OWN_ORDERS } from '../../src/shop/customers/orders.ts';
import { storeModel } from '../../src/wiring/open.ts';
import type { HttpResponse } from '../support/client.ts';
import { assertProblem, assertViolations } from '../support/expect.ts';
import { type Json, onEachDatabase } from '../support/store.ts';

/** Fields of orders and their parts that customers never see. A new field must be shown, or be added here. */
const DENIED: Readonly<Record<string, string>> = {
  Order:
    'id update_date customer_id order_profile_id shipping_id admin_notes stock_status used_coupons vat_id calculate coupons ' +
    'shipping expected_total sku',
  OrderItem:
    'id order update_date item_net_price backordered_amount surcharges weight ordered_amount cancelled_amount ' +
    'returned_amount restocked_amount refunded_value of_variant taken',
  Surcharge: 'id order class available weight source tax_class',
};

function assertComplete(resource: string, shown: readonly string[]): void {
  const denied = DENIED[resource]!.split(' ');
  const fields = [...storeModel().resources.get(resource)!.fields.keys()];
  assert.deepEqual([...denied, ...shown].sort(), fields.sort(), resource);
}

onEachDatabase('customers in the shop', { STORE_CURRENCY: 'EUR' }, (store) => {
  let key: string;
  let profile: number;
  let gold: number;
  let ada: { readonly authorization: string };
  let bob: { readonly authorization: string };
  const shop = (method: string, path: string, { body, ...headers }: Record<string, unknown> = {}) =>
    store.request(method, `/storefront${path}`, { key, body, headers: headers as Record<string, string> });
  const read = async (path: string, headers: Json = ada): Promise<HttpResponse['json']> => {
    const response = await shop('GET', path, headers);
    assert.equal(response.status, 200, response.text);
    return response.json;
  };
  const session = async (login: string): Promise<{ authorization: string }> => {
    const begun = await shop('POST', '/session', { body: { login, password: 'correct horse' } });
    assert.equal(begun.status, 200, begun.text);
    return { authorization: `Bearer ${begun.json.token}` };
  };
  const customer = async (login: string, others: Json = {}): Promise<number> =>
    (await store.made('/api/profiles', { login, password: 'correct horse', ...others })).id;

  before(async () => {
    key = (await store.made('/api/keys', { name: 'Shop', kind: 'publishable', origins: ['https://a.example'] })).key;
    gold = (await store.made('/api/memberships', { name: 'Gold' })).id;
    profile = await customer('ada@example.com', { membership_id: gold });
    await customer('bob@example.com');
    [ada, bob] = [await session('ada@example.com'), await session('bob@example.com')];
  });

  test('have an address book of their own', async () => {
    const body = { firstname: 'Ada', city: 'Berlin', country_code: 'DE', is_shipping: true };
    const made = await shop('POST', '/me/addresses', { ...ada, body });
    assert.equal(made.status, 201, made.text);
    assert.equal(made.headers['content-language'], 'en');
    assert.match(made.headers['access-control-expose-headers'] as string, /Location/);
    const { id } = made.json;
    const one = `/me/addresses/${id}`;
    assert.match(made.headers.location as string, new RegExp(`/storefront${one}$`));
    assert.deepEqual([await read(one), await read('/me/addresses')], [made.json, [made.json]]);
    assert.deepEqual((await store.get(`/api/profiles/${profile}/addresses/${id}`)).json, made.json);
    assert.equal((await shop('PATCH', one, { ...ada, body: { city: 'Bonn' } })).json.firstname, 'Ada');
    assertProblem(await shop('PATCH', one, { ...ada, body: {}, 'if-match': made.headers.etag }), 412);
    assert.equal((await shop('PUT', one, { ...ada, body: { country_code: 'DE', is_shipping: true } })).json.city, '');
    assertViolations(await shop('POST', '/me/addresses', { ...ada, body: { x: 1 } }), ['x', 'unknown_field']);
    for (const method of ['GET', 'PATCH', 'DELETE'])
      assertProblem(await shop(method, one, { ...bob, ...(method === 'PATCH' ? { body: {} } : {}) }), 404);
    assert.deepEqual(await read('/me/addresses', bob), []);
    const second = await shop('POST', '/me/addresses', { ...ada, body: {} });
    assert.equal((await shop('DELETE', `/me/addresses/${second.json.id}`, ada)).status, 204);
    const [entry] = (await store.get(`/api/profiles/${profile}/addresses/${id}/audit`)).json;
    assert.deepEqual([entry.actor, entry.address], [{ type: 'customer', id: profile, name: null }, null]);
  });

  test('see their own orders without internal data', async () => {
    const { sku, id: product_id } = await store.product({ price: 10, amount: 50 });
    const order = (customer_id: number | null, others: Json = {}) =>
      store.made('/api/orders', { email: 'ada@example.com', customer_id, items: [{ sku, amount: 2 }], ...others });
    const surcharges = [{ type: 'shipping', code: 'post', name: 'Post', value: 5 }];
    const { id, order_number } = await order(profile, { admin_notes: 'LEAK', notes: 'Please wrap', surcharges });
    await store.made(`/api/orders/${id}/tracking_numbers`, { value: 'TN-1' });
    const second = await order(profile);
    const guest = await order(null);
    const [status] = (await store.get('/api/payment_statuses?code=Q')).json;
    await store.patch(`/api/payment_statuses/${status.id}`, { customer_name: 'Please pay' });
    await store.patch(
      `/api/payment_statuses/${status.id}`,
      { customer_name: 'Bitte zahlen' },
      { 'accept-language': 'de' },
    );
    const list = await shop('GET', '/me/orders', ada);
    assert.deepEqual([list.status, list.headers['x-total-count']], [200, '2'], list.text);
    assert.deepEqual(
      list.json.map((each: Json) => each.order_number),
      [second.order_number, order_number],
    );
    assert.doesNotMatch(list.text, /LEAK/);
    const shown = await read(`/me/orders/${order_number}`);
    assert.deepEqual(list.json[1], shown);
    assert.deepEqual(Object.keys(shown), OWN_ORDERS.fields);
    assert.deepEqual([shown.total, shown.payment_status, shown.tracking_numbers], [25, 'Please pay', ['TN-1']]);
    const [item] = shown.items;
    assert.deepEqual(
      [item.sku, item.product_id, item.amount, item.discounted_subtotal, item.options],
      [sku, product_id, 2, 20, []],
    );
    const [surcharge] = shown.surcharges;
    assert.deepEqual(surcharge, { ...surcharges[0], include: false });
    assertComplete('Order', Object.keys(shown));
    assertComplete('OrderItem', Object.keys(item));
    assertComplete('Surcharge', Object.keys(surcharge));
    assert.deepEqual(await read('/me/orders?language=de&itemsPerPage=1&fields=payment_status'), [
      { payment_status: 'Bitte zahlen' },
    ]);
    for (const number of [guest.order_number, 'unknown', '%00'])
      assertProblem(await shop('GET', `/me/orders/${number}`, ada), 404);
    assertProblem(await shop('GET', `/me/orders/${order_number}`, bob), 404);
    for (const query of ['email=a', 'customer_id=1', 'fields=admin_notes', 'for=me', 'order[total]=asc'])
      assertProblem(await shop('GET', `/me/orders?${query}`, ada), 400);
  });

  test('see the catalog and the prices of their membership and address with for=me', async () => {
    const germany = (await store.made('/api/zones', { name: 'DE', elements: [{ countries: ['DE'] }] })).id;
    const france = (await store.made('/api/zones', { name: 'FR', elements: [{ countries: ['FR'] }] })).id;
    await store.made('/api/tax_rates', { tax: 'VAT', name: 'VAT', zone: germany, value: 19 });
    await store.patch('/api/tax_settings', { prices_include_tax: true, default_zone: germany });
    const open = await store.product({ price: 119, tags: ['Open'] });
    const secret = await store.product({ price: 119, memberships: ['Gold'], tags: ['Secret'] });
    await store.product({ memberships: ['Gold'], enabled: false, tags: ['Draft'] });
    const category = (await store.made('/api/categories', { name: 'Members', memberships: ['Gold'] })).id;
    for (const { id } of [open, secret]) await store.made(`/api/categories/${category}/products`, { product_id: id });
    const wholesale = { price: 59.5, membership: gold, quantity_range_begin: 1 };
    await store.made(`/api/products/${open.id}/wholesale_prices`, wholesale);
    const ids = async (path: string, headers: Json): Promise<number[]> =>
      (await read(path, headers)).map(({ id }: { id: number }) => id);
    const only = `id[]=${open.id}&id[]=${secret.id}`;
    for (const [headers, query, found] of [
      [ada, '&for=me', [open.id, secret.id]],
      [bob, '&for=me', [open.id]],
      [ada, '', [open.id]],
    ] as const) {
      assert.deepEqual(await ids(`/products?${only}${query}`, headers), found, query);
      assert.deepEqual(await ids(`/categories?fields=id${query}`, headers), found.length === 2 ? [category] : []);
      assert.equal(
        (await ids(`/products?category_ids=${category}${query}`, headers)).length,
        found.length === 2 ? 2 : 0,
      );
      const tags = (await read(`/tags?fields=name${query}`, headers)).map(({ name }: { name: string }) => name);
      assert.deepEqual([tags.includes('Secret'), tags.includes('Draft')], [found.length === 2, false]);
      const path = `/products/${secret.id}?fields=id${query}`;
      assert.equal((await shop('GET', path, headers)).status, found.length === 2 ? 200 : 404);
    }
    const below = (await store.made('/api/categories', { name: 'Below', parent: category })).id;
    const hidden = (await store.made('/api/categories', { name: 'Hidden', parent: below, enabled: false })).id;
    const children = `/categories?fields=id&parent=${category}&for=me`;
    assert.deepEqual([await ids(children, ada), await ids(children, bob)], [[below], []]);
    const { clean_url } = await store
      .patch(`/api/products/${secret.id}`, { clean_url: 'secret' })
      .then(({ json }) => json);
    for (const [path, status, ofBob] of [
      [`/categories/${below}`, 200, 404],
      [`/categories/${hidden}`, 404, 404],
      [`/products/by_url/${clean_url}`, 200, 404],
      [`/products/${open.id}`, 200, 200],
    ] as const) {
      assert.equal((await shop('GET', `${path}?for=me`, ada)).status, status, path);
      assert.equal((await shop('GET', `${path}?for=me`, bob)).status, ofBob, path);
    }
    const price = async (query: string, headers: Json = ada): Promise<number> =>
      (await read(`/products/${open.id}?fields=price${query}`, headers)).price;
    assert.deepEqual([await price(''), await price('&for=me'), await price('&for=me', bob)], [119, 59.5, 119]);
    await store.made(`/api/profiles/${profile}/addresses`, { is_shipping: true, country_code: 'FR' });
    assert.equal(await price('&for=me'), 59.5);
    assert.deepEqual([await price('&for=me&country=FR'), await price('&country=FR')], [50, 100]);
    const own = await shop('GET', `/products/${open.id}?for=me`, { ...ada, origin: 'https://a.example' });
    const { headers } = own;
    assert.deepEqual(
      [headers['cache-control'], headers['access-control-allow-origin'], headers.etag],
      ['private, no-store', 'https://a.example', undefined],
    );
    assertProblem(await shop('GET', '/products?for=me', { ...ada, origin: 'https://evil.example' }), 403);
    assertProblem(await shop('GET', '/products?for=me'), 401);
    assertProblem(await shop('GET', '/products?for=you', ada), 400);
    const preflight = { key: undefined, headers: { origin: 'https://evil.example' } };
    assertProblem(await store.request('OPTIONS', '/storefront/products?for=me', preflight), 403);
    await store.patch(`/api/memberships/${gold}`, { enabled: false });
    assert.deepEqual(await ids(`/products?${only}&for=me`, ada), [open.id]);
    await store.delete(`/api/zones/${france}`);
  });

  test('export and erase their data', async () => {
    const login = 'eve@example.com';
    const id = await customer(login);
    const eve = await session(login);
    await shop('POST', '/me/addresses', { ...eve, body: { firstname: 'Eve' } });
    const { sku } = await store.product({ price: 10, amount: 50 });
    const order = await store.made('/api/orders', { email: login, customer_id: id, items: [{ sku, amount: 1 }] });
    const { records } = await read('/me/export', eve);
    assert.deepEqual(
      records.map(({ resource }: Json) => resource),
      ['profile', 'profile_address', 'order', 'session'],
    );
    assert.deepEqual(records[2].record, await read(`/me/orders/${order.order_number}`, eve));
    const ofStaff = (await store.get(`/api/profiles/${id}/export`)).json.records;
    assert.equal(ofStaff.filter(({ resource }: Json) => resource === 'shopper_session').length, 1);
    assertViolations(await shop('DELETE', '/me', { ...eve, body: { current: 'wrong horse' } }), [
      'current',
      'conflict',
    ]);
    assert.equal((await shop('DELETE', '/me', { ...eve, body: { current: 'correct horse' } })).status, 204);
    assertProblem(await shop('GET', '/me', eve), 401);
    assertProblem(await store.get(`/api/profiles/${id}`), 404);
    assert.equal((await store.get(`/api/orders/${order.id}`)).json.email, 'erased@customer.invalid');
    assert.ok(
      !(await store.rows()).some((row) => row.startsWith('shopper_session') && row.includes(`"profile_id":${id},`)),
    );
  });
});
