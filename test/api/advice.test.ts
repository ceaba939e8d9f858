/** Advice in error messages: typical wrong requests and the hint that each response gives. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { onOneDatabase } from '../support/store.ts';

onOneDatabase('advice in problems', {}, (store) => {
  let product: number;
  let select: string;
  let values: string;
  let option: number;
  before(async () => {
    product = (await store.product({ name: 'Advised' })).id;
    const { id } = await store.made('/api/attributes_select', { name: 'Size' });
    select = `/api/attributes_select/${id}`;
    values = `/api/products/${product}/attributes_select/${id}/values`;
    option = (await store.made(`${select}/options`, { value: 'Large' })).id;
  });

  describe('query parameters', () => {
    for (const [query, advice] of [
      ['enabled=true&enabled=false', '"enabled" is given more than once. Send it once.'],
      ['page=1&page=2', '"page" is given more than once. Send it once.'],
      ['itemsPerPage=1&itemsPerPage=2', '"itemsPerPage" is given more than once. Send it once.'],
      ['price[gte]=1&price[gte]=2', '"price[gte]" is given more than once. Send it once.'],
      ['order[price]=asc&order[price]=desc', '"order[price]" is given more than once. Send it once.'],
      ['sku=A&sku=B', 'For a list, send "sku[]=…" for each value.'],
      ['order=price', '"order" should name the field in brackets: "order[price]=asc".'],
      ['order=-price', '"order[price]=desc"'],
      ['order=prise', '"order[price]=asc"'],
      ['sort=price&sort=name', 'Unknown parameter "sort"'],
    ] as const)
      test(`rejects ?${query} with a hint unless the client is lenient`, async () => {
        const response = await store.get(`/api/products?${query}`);
        assert.equal(response.status, 400, response.text);
        assert.ok(response.json.detail.includes(advice), response.json.detail);
        assert.equal((await store.get(`/api/products?${query}`, { prefer: 'handling=lenient' })).status, 200);
      });

    test('accepts the queries that the hints recommend', async () => {
      for (const query of ['order[price]=asc', 'order[price]=desc', 'sku[]=A&sku[]=B'])
        assert.equal((await store.get(`/api/products?${query}`)).status, 200, query);
    });
  });

  describe('unknown names', () => {
    const ADDRESS = 'orders with an address';
    for (const [where, body, path, hint] of [
      ['products', { sku: 'A', name: 'A', prise: 1 }, 'prise', 'Did you mean "price"?'],
      ['products', { sku: 'A', name: 'A', qty: 1 }, 'qty', 'Did you mean "amount"?'],
      ['products', { sku: 'A', name: 'A', stock_quantity: 1 }, 'stock_quantity', 'Did you mean "amount"?'],
      ['products', { sku: 'A', name: 'A', TaxClass: null }, 'TaxClass', 'Did you mean "tax_class"?'],
      ['products', { sku: 'A', name: 'A', slug: 'a' }, 'slug', 'Did you mean "clean_url"?'],
      [ADDRESS, { zip: '1' }, 'shipping_address.zip', 'Did you mean "zipcode"?'],
      [ADDRESS, { country: 'DE' }, 'shipping_address.country', 'Did you mean "country_code"?'],
      [ADDRESS, { streat: 'A' }, 'shipping_address.streat', 'Did you mean "street"?'],
      [
        ADDRESS,
        { planet: 'Earth' },
        'shipping_address.planet',
        'Valid fields: is_billing, is_shipping, is_work, type, title, firstname, lastname, company, phone, street, city, zipcode, country_code, state, state_name, custom_fields.',
      ],
      ['tags', { name: 'A', xy: 1 }, 'xy', 'Valid fields: name.'],
      ['keys', { name: 'A', kind: 'read-only', expiresAt: null }, 'expiresAt', 'Did you mean "expires_at"?'],
      [
        'keys',
        { name: 'A', kind: 'read-only', colour: 1 },
        'colour',
        'Valid fields: name, kind, expires_at, key, scopes, masks, networks, origins.',
      ],
    ] as const)
      test(`the unknown field ${path} of ${where} gets the hint: ${hint.slice(0, 40)}`, async () => {
        const response =
          where === ADDRESS
            ? await store.post('/api/orders', { email: 'a@example.com', items: [], shipping_address: body })
            : await store.post(`/api/${where}`, body);
        assert.equal(response.status, 422, response.text);
        const found = response.json.violations.find((each: { propertyPath: string }) => each.propertyPath === path);
        assert.equal(found?.message, `Unknown field "${path.split('.').at(-1)}". ${hint}`, response.text);
        assert.equal(found.code, 'unknown_field');
      });

    test('an unknown field of a large object lists 40 names and the number of the others', async () => {
      const response = await store.post('/api/products', { sku: 'A', name: 'A', unheard_of: 1 });
      const [{ message }] = response.json.violations;
      const [, names = '', more] = /Valid fields: (.*?)(?: and (\d+) more)?\.$/.exec(message)!;
      const count = names.split(', ').length;
      assert.ok(count === 40 || more === undefined, message);
      assert.ok(names.startsWith('sku, name, description'), message);
    });

    for (const [query, hint] of [
      ['prise=5', 'Did you mean "price"?'],
      ['prise[gte]=5', 'Did you mean "price[gte]"?'],
      ['price[get]=5', undefined],
      ['qty[gte]=5', 'Did you mean "amount[gte]"?'],
      ['quantity=5', 'Did you mean "amount"?'],
      ['limit=5', 'Did you mean "itemsPerPage"?'],
      ['q=shirt', 'Did you mean "search"?'],
      ['order[prise]=asc', 'Did you mean "order[price]"?'],
      ['order[xyz]=asc', 'Valid parameters: order[id], '],
      ['arrival-date[before]=2026-01-01', 'Did you mean "arrival_date[before]"?'],
      ['pagination=false', 'Valid parameters: page, itemsPerPage, fields, search, cursor, id, '],
    ] as const)
      test(`rejects ?${query} of a list with ${hint ?? 'the operators of the filter'}`, async () => {
        const { status, json } = await store.get(`/api/products?${query}`);
        assert.equal(status, 400);
        if (hint !== undefined) assert.ok(json.detail.includes(hint), json.detail);
      });

    test('the list of valid parameters has 40 names and the number of the others', async () => {
      const { json } = await store.get('/api/products?pagination=false');
      const [, names = '', more] = /Valid parameters: (.*) and (\d+) more\.$/.exec(json.detail)!;
      assert.equal(names.split(', ').length, 40);
      assert.ok(Number(more) > 0);
      assert.doesNotMatch(json.detail, /arrivalDate/, 'deprecated names are not listed');
    });

    for (const [path, hint] of [
      ['statistics?lowstock=5', 'Did you mean "low_stock"?'],
      ['statistics?since=5', 'Valid parameters: low_stock, days.'],
      ['changes?afer=x', 'Did you mean "after"?'],
      ['changes?cursor=x', 'Valid parameters: after, resource[], limit, wait, include.'],
      ['keys?limit=5', 'Valid parameters: page, itemsPerPage, order[id].'],
      ['tags/1?field=name', 'Did you mean "fields"?'],
      ['tags?fields=nome', 'Did you mean "name"?'],
      ['tags?fields=colour', 'Valid fields: id, name.'],
      ['openapi.json?version=3', 'Valid parameters: spec_version, group.'],
      ['openapi.json?specversion=3', 'Did you mean "spec_version"?'],
    ] as const)
      test(`rejects /${path} with the hint: ${hint}`, async () => {
        const { status, json } = await store.get(`/api/${path}`);
        assert.equal(status, 400);
        assert.ok(json.detail.includes(hint), json.detail);
      });

    test('the hint for an unknown parameter of a bulk or an action lists its parameters', async () => {
      const headers = { 'content-type': 'application/x-ndjson' };
      const bulk = await store.post('/api/tags/bulk?mood=x', '{"name":"A"}\n', headers);
      assert.equal(bulk.status, 400);
      assert.match(bulk.json.detail, /Did you mean "mode"\?/);
      const trial = await store.post('/api/orders/1/edit?try=1', {});
      assert.equal(trial.status, 400);
      assert.match(trial.json.detail, /Unknown parameter "try"\. Valid parameters: dry_run\./);
    });
  });

  test('quotes the sent path if a record of it does not exist', async () => {
    const response = await store.get('/api/orders/999/items');
    assert.equal(response.status, 404);
    assert.match(response.json.detail, /There is no order at \/orders\/999\. In the path, /);
    assert.doesNotMatch(response.json.detail, /[{}]/);
    const below = await store.get(`/api/products/${product}/attributes_select/none/values`);
    assert.match(below.json.detail, new RegExp(`/products/${product}/attributes_select/none`));
  });

  test('rejects an option named by its value and asks for its id', async () => {
    const named = await store.post(values, { option: 'Large' });
    assert.deepEqual([named.status, named.json.violations.length], [422, 1]);
    const [violation] = named.json.violations;
    assert.deepEqual([violation.propertyPath, violation.code], ['option', 'unknown_link']);
    assert.match(violation.message, /named by its id/);
    const none = await store.post(values, {});
    assert.match(none.json.violations[0].message, /option_id or option/);
    const empty = await store.post(values, { option: null });
    assert.equal(empty.json.violations[0].propertyPath, 'option');
    assert.deepEqual((await store.get(values)).json, []);
    assert.equal((await store.post(values, { option })).status, 201);
  });

  test('rejects an order item without product_id and sku', async () => {
    const { 'x-total-count': count } = (await store.get('/api/orders')).headers;
    const rejected = await store.post('/api/orders', { email: 'ada@example.com', items: [{ amount: 1 }] });
    assert.equal(rejected.status, 422);
    assert.deepEqual(rejected.json.violations, [
      {
        propertyPath: 'items[0].product_id',
        message: 'The item needs a product. Send product_id or sku.',
        code: 'required',
      },
    ]);
    assert.equal((await store.get('/api/orders')).headers['x-total-count'], count);
  });
});
