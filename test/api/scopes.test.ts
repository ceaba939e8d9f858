/** Keys of the kind `scoped`: what they are created with, and what they may do and see (access.md). */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { isStillValid } from '../../src/http/admission/authentication.ts';
import type { HttpOptions } from '../../src/http/server/context.ts';
import { createKey, hashOf, revokeKey } from '../../src/store/keys.ts';
import { Sessions } from '../../src/store/sessions.ts';
import { makeToken } from '../../src/store/sign-in-tokens.ts';
import { readStoreState } from '../../src/store/state.ts';
import { databaseNames } from '../support/databases.ts';
import { serverOf } from '../support/injected-server.ts';
import { ACTOR } from '../support/opened-store.ts';
import { type Answer, type ScopedStore, scopedStore } from '../support/scoped-keys.ts';

const UUID_8 = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

for (const name of databaseNames)
  describe(`scoped keys (${name})`, () => {
    let store: ScopedStore;
    before(async () => {
      store = await scopedStore(name, { FAILED_KEYS_PER_MINUTE: '100' });
      await created('/tags', { name: 'Hidden tag' });
      await created('/products', {
        sku: 'A',
        name: 'Mug',
        price: 5,
        amount: 3,
        backorder_limit: 0,
        available_for_backorder: false,
        tags: ['Hidden tag'],
      });
      await created('/products', { sku: 'B', name: 'Cup', price: 7 });
      await created('/orders', { email: 'ada@example.com', items: [{ product_id: 2, amount: 1 }] });
    });
    after(() => store.stop());

    async function created(path: string, body: unknown): Promise<Answer> {
      const response = await store.send('POST', path, { body });
      assert.equal(response.status, 201, response.text);
      return response;
    }
    const forbidden = (response: Answer, ...missing: string[]): void => {
      assert.equal(response.status, 403, response.text);
      assert.match(response.json.type, /insufficient-scope$/);
      assert.deepEqual([response.json.missing_scopes, response.json.masked_fields], [missing, []]);
    };
    const dropped = ({ status, json, text }: Answer, ...masks: string[]): void =>
      assert.deepEqual([status, json.missing_scopes, json.masked_fields], [403, [], masks], text);
    const invalid = (response: Answer, ...violations: [path: string, code: string][]): void => {
      assert.equal(response.status, 422, response.text);
      const found = response.json.violations.map(({ propertyPath, code }: Record<string, string>) => [
        propertyPath,
        code,
      ]);
      assert.deepEqual(found, violations);
    };
    const newKey = (body: object, key?: string): Promise<Answer> => store.send('POST', '/keys', { body, key });

    test('have their scopes as a set, their networks and the key that created them', async () => {
      const scopes = ['tags:read', 'products:*', 'tags:read'];
      const response = await newKey({ name: 'Fields', kind: 'scoped', scopes, networks: ['127.0.0.0/8'] });
      assert.equal(response.status, 201, response.text);
      assert.match(response.json.key, /^pv_sc_[\w-]{32}$/);
      const { key: _, ...shown } = response.json;
      assert.deepEqual(shown.scopes, ['products:*', 'tags:read']);
      assert.deepEqual([shown.kind, shown.networks], ['scoped', ['127.0.0.0/8']]);
      const { id, ...creator } = shown.created_by;
      assert.match(id, UUID_8);
      assert.deepEqual(creator, { type: 'key', name: 'tests' });
      assert.deepEqual((await store.send('GET', `/keys/${shown.id}`)).json, shown);
      const configured = (await store.send('GET', '/keys')).json[0];
      assert.deepEqual([configured.scopes, configured.networks, configured.created_by], [['*:*'], [], null]);
      const readOnly = (await newKey({ name: 'Preset', kind: 'read-only' })).json;
      assert.deepEqual(readOnly.scopes, ['*:export', '*:read', 'privacy:export']);
    });

    test('are rejected with unknown scopes, without scopes, and with malformed networks', async () => {
      const scoped = (more: object) => newKey({ name: 'Invalid', kind: 'scoped', ...more });
      const unknown = ['lamps:read', '*:lamp', 'lamps:*', 'products:refund', 'products', 'products:read:x', ''];
      invalid(
        await scoped({ scopes: unknown }),
        ...unknown.map((_, index): [string, string] => [`scopes[${index}]`, 'choice']),
      );
      invalid(await scoped({}), ['scopes', 'conflict']);
      invalid(await scoped({ scopes: [] }), ['scopes', 'too_short']);
      invalid(await scoped({ scopes: 'products:read' }), ['scopes', 'type']);
      invalid(await scoped({ scopes: ['products:read', 1] }), ['scopes[1]', 'type']);
      invalid(await scoped({ scopes: Array(101).fill('products:read') }), ['scopes', 'too_long']);
      invalid(await newKey({ name: 'Invalid', kind: 'read-write', scopes: ['*:*'] }), ['scopes', 'conflict']);
      const networks = ['10.0.0.1', '10/8', '10.0.0.0/33', '0x7f.0.0.1/8', '::1/129', 'any', '10.0.0.0/8/8'];
      const faults = networks.map((_, index): [string, string] => [`networks[${index}]`, 'format']);
      invalid(await scoped({ scopes: ['*:*'], networks }), ...faults);
      const fields = ['Product.cost_price', 'Product.id', 'Product.unknown', 'ProductImage.product_id', 'Webhook.url'];
      invalid(
        await scoped({ scopes: ['*:*'], masks: fields }),
        ...[1, 2, 3, 4].map((index): [string, string] => [`masks[${index}]`, 'choice']),
      );
      invalid(await newKey({ name: 'Invalid', kind: 'read-write', masks: [] }), ['masks', 'conflict']);
    });

    test('grant no scope that they lack, and revoke no key with more rights', async () => {
      const manager = await store.keyWith('keys:manage', 'products:*', '*:read');
      const grant = (scopes: string[]) => newKey({ name: `Granted ${scopes}`, kind: 'scoped', scopes }, manager);
      forbidden(await grant(['products:read', 'tags:write', 'orders:refund']), 'orders:refund', 'tags:write');
      forbidden(await grant(['*:*']), '*:*');
      forbidden(await grant(['tags:*']), 'tags:*');
      forbidden(await newKey({ name: 'Full', kind: 'read-write' }, manager), '*:*');
      forbidden(await newKey({ name: 'Reader', kind: 'read-only' }, manager), '*:export', 'privacy:export');
      const made = await grant(['products:write', '*:read', 'keys:manage']);
      assert.equal(made.status, 201, made.text);
      const stronger = (await newKey({ name: 'Stronger', kind: 'scoped', scopes: ['tags:write'] })).json;
      forbidden(await store.send('DELETE', `/keys/${stronger.id}`, { key: manager }), 'tags:write');
      assert.equal((await store.send('DELETE', `/keys/${made.json.id}`, { key: manager })).status, 204);
      const wildcard = await store.keyWith('keys:manage', 'tags:read', 'tags:write', 'tags:export');
      forbidden(await newKey({ name: 'Wider', kind: 'scoped', scopes: ['tags:*'] }, wildcard), 'tags:*');
    });

    test('read no calculation that repeats a masked field of the order', async () => {
      const { id } = (await store.send('POST', '/products', { body: { sku: 'CALC', name: 'Cup', price: 5 } })).json;
      const body = { email: 'ada@example.com', items: [{ product_id: id, amount: 1 }], calculate: true };
      const order = (await store.send('POST', '/orders', { body })).json;
      const path = `/orders/${order.id}/calculation`;
      assert.equal((await store.send('GET', path, { key: await store.keyWith('orders:read') })).status, 200);
      for (const mask of ['Order.total', 'OrderItem.price', 'Surcharge.value', 'UsedCoupon.code', 'Order.vat_id'])
        dropped(await store.send('GET', path, { key: await store.maskedKey(mask) }), mask);
    });

    test('neither find records by masked fields nor try what depends on them', async () => {
      const { json } = await store.send('POST', '/products', { body: { sku: 'MASKED-SKU', name: 'Masked', price: 1 } });
      const order = (item: object) => ({ email: 'a@example.com', items: [{ amount: 1, ...item }] });
      const bySku = order({ sku: 'MASKED-SKU' });
      const { json: placed } = await store.send('POST', '/orders', { body: bySku });
      for (const mask of ['Product.sku', 'Variant.sku']) {
        const key = await store.maskedKey(mask);
        for (const [path, body] of [
          ['/orders', bySku],
          ['/orders', order({ sku: 'UNKNOWN-SKU' })],
          [`/orders/${placed.id}/edit`, { add: bySku.items }],
        ] as const)
          dropped(await store.send('POST', path, { key, body }), mask);
        const lines = await store.send('POST', '/orders/bulk', {
          ...{ key, body: JSON.stringify(bySku), headers: { 'content-type': 'application/x-ndjson' } },
        });
        assert.match(lines.text, new RegExp(`"status":403.*"masked_fields":\\["${mask}"\\]`));
        const byId = await store.send('POST', '/orders', { key, body: order({ product_id: json.id }) });
        assert.equal(byId.status, 201, byId.text);
      }
      const path = `/orders/${placed.id}`;
      for (const [mask, action, body] of [
        ['Product.amount', '/settle?dry_run=1', { payment_status: 'C' }],
        ['PaymentStatus.code', '/settle', { payment_status: 'C' }],
        ['ShippingStatus.code', '/shipments', { lines: [{ item_id: 1, amount: 1 }], shipping_status: 'S' }],
        ['OrderItem.price', '/edit', { change: [{ item_id: 1, amount: 2 }] }],
        ['Surcharge.value', '/edit?dry_run=1', { surcharges: [] }],
      ] as const)
        dropped(await store.send('POST', `${path}${action}`, { key: await store.maskedKey(mask), body }), mask);
      // Other orders of the buyer are uses of the coupon.
      const key = await store.maskedKey('Order.payment_status');
      const quote = (coupons: string[]) =>
        store.send('POST', '/orders/quote', { key, body: { ...order({ product_id: json.id }), coupons } });
      dropped(await quote(['ONCE']), 'Order.payment_status');
      assert.equal((await quote([])).status, 200);
    });

    test('clear no text that they cannot see', async () => {
      const { json } = await store.send('POST', '/products', { body: { sku: 'TEXTS', name: 'Texts', price: 1 } });
      const key = await store.maskedKey('Product.meta_description');
      const body = { meta_description_type: 'A' };
      dropped(await store.send('PATCH', `/products/${json.id}`, { key, body }), 'Product.meta_description');
    });

    test('neither change mails that sign in users nor confirm masked personal data', async () => {
      const path = '/mail_templates/staff_reset/en';
      const template = { subject: 'Password', text: '{{link}}', html: '{{link}}' };
      const manager = await store.keyWith('*:read', '*:write');
      forbidden(await store.send('PUT', path, { key: manager, body: template }), '*:*');
      forbidden(await store.send('DELETE', path, { key: manager }), '*:*');
      const ofCustomers = { key: await store.keyWith('mail_templates:write'), body: template };
      forbidden(await store.send('PUT', '/mail_templates/reset/en', ofCustomers), 'profiles:write');
      const shop = { key: await store.keyWith('store:write'), body: { shop_url: 'https://shop.example' } };
      forbidden(await store.send('PATCH', '/store', shop), 'profiles:write');
      assert.equal((await store.send('PATCH', '/store', { ...shop, body: { tax_number: '1' } })).status, 200);
      assert.equal((await store.send('PUT', path, { body: template })).status, 200);
      assert.equal((await store.send('DELETE', path)).status, 204);
      for (const mask of ['Mail.to', 'Review.profile'])
        dropped(
          await store.send('POST', '/privacy/export', {
            key: await store.maskedKey(mask),
            body: { email: 'a@b.example' },
          }),
          mask,
        );
    });

    test('drop none of their masks when they create or delete keys', async () => {
      const manager = await store.maskedKey('Product.cost_price');
      let names = 0;
      const grant = (scopes: string[], masks: string[], key?: string): Promise<Answer> => {
        names += 1;
        return newKey({ name: `Masks ${names}`, kind: 'scoped', scopes, masks }, key);
      };
      const remove = ({ json }: Answer) => store.send('DELETE', `/keys/${json.id}`, { key: manager });
      dropped(await grant(['products:write'], ['Product.price'], manager), 'Product.cost_price');
      dropped(await newKey({ name: 'Every field', kind: 'read-write' }, manager), 'Product.cost_price');
      // Keys that cannot read products, or have the mask and others.
      for (const [scopes, masks] of [
        [['tags:*'], []],
        [['products:*'], ['Product.cost_price', 'Product.price']],
      ] as const) {
        const made = await grant([...scopes], [...masks], manager);
        assert.deepEqual([made.status, made.json.masks], [201, masks], made.text);
        assert.equal((await remove(made)).status, 204);
      }
      const other = await grant(['*:read'], []);
      dropped(await remove(other), 'Product.cost_price');
      assert.equal((await store.send('DELETE', `/keys/${other.json.id}`)).status, 204);
    });

    test('name their creator until it is deleted', async () => {
      const first = (await newKey({ name: 'Creator', kind: 'scoped', scopes: ['*:*'] })).json;
      const second = (await newKey({ name: 'Created', kind: 'read-write' }, first.key)).json;
      assert.deepEqual(second.created_by, { type: 'key', id: first.id, name: 'Creator' });
      assert.equal((await store.send('DELETE', `/keys/${first.id}`)).status, 204);
      const { created_by } = (await store.send('GET', `/keys/${second.id}`)).json;
      assert.deepEqual(created_by, { type: 'key', id: first.id, name: null });
    });

    test('are accepted only from their networks', async () => {
      const networks = ['192.0.2.0/24', '2001:db8::/32'];
      const { key } = (await newKey({ name: 'Networks', kind: 'scoped', scopes: ['tags:read'], networks })).json;
      const from = async (remoteAddress: string) => store.send('GET', '/tags', { key, remoteAddress });
      for (const address of ['192.0.2.7', '::ffff:192.0.2.7', '2001:db8::1'])
        assert.equal((await from(address)).status, 200, address);
      for (const address of ['192.0.3.7', '::ffff:10.0.0.1', '2001:db9::1', '127.0.0.1']) {
        const response = await from(address);
        assert.equal(response.status, 403, address);
        assert.match(response.json.type, /network-not-allowed$/);
      }
      const full = (await newKey({ name: 'Full network', kind: 'read-write', networks })).json.key;
      assert.equal((await store.send('GET', '/tags', { key: full, remoteAddress: '192.0.3.7' })).status, 403);
    });

    test('count as wrong keys outside their networks', async () => {
      const networks = ['192.0.2.0/24'];
      const { key } = (await newKey({ name: 'Counted', kind: 'scoped', scopes: ['tags:read'], networks })).json;
      const statuses = new Set<number>();
      for (let count = 0; count < 110; count += 1)
        statuses.add((await store.send('GET', '/tags', { key, remoteAddress: '198.51.100.9' })).status);
      assert.deepEqual([...statuses], [403, 429]);
    });

    test('need orders:refund for refunds, and nothing else for them', async () => {
      const refund = await store.keyWith('orders:refund');
      const write = await store.keyWith('orders:write');
      const both = await store.keyWith('orders:refund', 'orders:write', 'payment_statuses:read');
      const path = '/orders/1/payment_transactions';
      const send = (key: string, method: string, to: string, body: unknown) => store.send(method, to, { key, body });
      forbidden(await send(write, 'POST', path, { type: 'refund', value: 1 }), 'orders:refund');
      forbidden(await send(refund, 'POST', path, { type: 'sale', value: 1 }), 'orders:write');
      const sale = await send(write, 'POST', path, { type: 'sale', value: 5, status: 'S' });
      assert.equal(sale.status, 201, sale.text);
      const made = await send(refund, 'POST', path, { type: 'refundPart', value: 1 });
      assert.equal(made.status, 201, made.text);
      forbidden(await send(write, 'PATCH', `${path}/${made.json.id}`, { status: 'S' }), 'orders:refund');
      forbidden(await send(refund, 'PATCH', `${path}/${sale.json.id}`, { status: 'S' }), 'orders:write');
      assert.equal((await send(refund, 'PATCH', `${path}/${made.json.id}`, { status: 'S' })).status, 200);
      assert.equal((await send(write, 'PATCH', `${path}/999`, { status: 'S' })).status, 404);
      forbidden(await send(write, 'POST', '/orders/1/invoices', { kind: 'credit_note', of: 1 }), 'orders:refund');
      assert.equal((await send(write, 'POST', '/orders/1/invoices', {})).status, 201);
      const statuses = await store.keyWith('orders:write', 'payment_statuses:read');
      for (const code of ['R', 'r', ' R'])
        forbidden(await send(statuses, 'PUT', '/orders/1/payment_status', { code }), 'orders:refund');
      assert.equal((await send(statuses, 'PUT', '/orders/1/payment_status', { code: 'P' })).status, 200);
      const order = { email: 'ada@example.com', items: [{ product_id: 2, amount: 1 }], payment_status: 'R' };
      forbidden(await send(statuses, 'POST', '/orders', order), 'orders:refund');
      const lines = (
        await store.send('POST', '/orders/bulk', {
          ...{ key: statuses, headers: { 'content-type': 'application/x-ndjson' } },
          body: `${JSON.stringify({ ...order, order_number: 'X-1' })}\n`,
        })
      ).text.split('\n');
      assert.deepEqual(JSON.parse(lines[0]!).problem.missing_scopes, ['orders:refund']);
      const settled = { transaction: { type: 'refund', value: 1 }, shipping_status: 'S' };
      forbidden(await send(write, 'POST', '/orders/1/settle', settled), 'orders:refund');
      forbidden(await send(refund, 'POST', '/orders/1/settle', settled), 'orders:write');
      const done = await send(both, 'PUT', '/orders/1/payment_status', { code: 'R' });
      assert.equal(done.status, 200, done.text);
    });

    test('see no records of other families inside others, in any form', async () => {
      const key = await store.keyWith('products:*');
      assert.equal((await store.send('GET', '/products/1')).json.tags[0].name, 'Hidden tag');
      for (const accept of ['application/json', 'application/ld+json', 'application/x-ndjson']) {
        const response = await store.send('GET', '/products', { key, headers: { accept } });
        assert.equal(response.status, 200);
        assert.ok(response.text.includes('Mug') && !response.text.includes('"tags":'), response.text);
      }
      const one = await store.send('GET', '/products/1', { key });
      assert.ok(!('tags' in one.json) && 'stickers' in one.json);
      assert.equal(
        (await store.send('GET', '/products/1', { key, headers: { 'if-none-match': String(one.headers.etag) } }))
          .status,
        304,
      );
      for (const query of [
        'fields=id,tags',
        'tags=Hidden tag',
        'tags.name=x',
        'tags.id=1',
        'tags[exists]=true',
        'unknown=1&tags=x',
      ])
        forbidden(await store.send('GET', `/products?${query}`, { key }), 'tags:read');
      forbidden(
        await store.send('GET', '/products/1?fields=tags', { key, headers: { prefer: 'handling=lenient' } }),
        'tags:read',
      );
      forbidden(await store.send('GET', '/products?category=1', { key }), 'categories:read');
      for (const query of [
        'price_for[membership]=1',
        'price_for[quantity]=2&order[price_for]=asc',
        'fields=id,price_for',
      ]) {
        const { status, json } = await store.send('GET', `/products?${query}`, { key });
        assert.equal(status, 403, query);
        assert.ok(json.missing_scopes.includes('sale_discounts:read'), query);
      }
      const more = await store.keyWith('products:*', 'tags:read');
      assert.equal((await store.send('GET', '/products/1', { key: more })).json.tags[0].name, 'Hidden tag');
    });

    test('leave fields unchanged that they cannot see', async () => {
      const key = await store.keyWith('products:*');
      const { etag } = (await store.send('GET', '/products/1', { key })).headers;
      const body = { sku: 'A', name: 'Mug again', price: 6, amount: 3, available_for_backorder: false };
      const replaced = await store.send('PUT', '/products/1', { key, body, headers: { 'if-match': String(etag) } });
      assert.deepEqual([replaced.status, 'tags' in replaced.json], [200, false], replaced.text);
      assert.equal((await store.send('GET', '/products/1')).json.tags[0].name, 'Hidden tag');
      forbidden(await store.send('PATCH', '/products/1', { key, body: { tags: [] } }), 'tags:read');
      forbidden(await store.send('POST', '/products', { key, body: { tags: [1], unknown: 1 } }), 'tags:read');
      // The same for a known and for an unknown name.
      for (const tags of [['Hidden tag'], ['x'], [1, { name: 'x' }]])
        forbidden(await store.send('PATCH', '/products/1', { key, body: { tags } }), 'tags:read', 'tags:write');
      const bulk = await store.send('POST', '/products/bulk', {
        ...{ key, headers: { 'content-type': 'application/x-ndjson' } },
        body: '{"sku":"A","price":9}\n{"sku":"A","tags":[]}\n{"op":"upsert","key":"A","body":{"tags":[]}}\n',
      });
      const statuses = bulk.text
        .trim()
        .split('\n')
        .slice(0, 3)
        .map((line) => JSON.parse(line).status);
      assert.deepEqual(statuses, [200, 403, 403], bulk.text);
    });

    test('get the codes of rules that read other families, but not their reasons', async () => {
      const order = { email: 'ada@example.com', items: [{ product_id: 1, amount: 50 }] };
      const full = await store.send('POST', '/orders', { body: order });
      const limited = await store.send('POST', '/orders', { body: order, key: await store.keyWith('orders:write') });
      assert.deepEqual([full.status, limited.status], [422, 422], full.text);
      const codes = ({ json }: Answer) =>
        json.violations.map(({ propertyPath, code }: Record<string, string>) => [propertyPath, code]);
      assert.deepEqual(codes(limited), codes(full));
      assert.match(limited.json.violations[0].message, /records that the key cannot read/);
      assert.notEqual(full.json.violations[0].message, limited.json.violations[0].message);
    });

    const sendLines = (key: string, path: string, ...lines: object[]): Promise<Answer> =>
      store.send('POST', path, {
        ...{ key, headers: { 'content-type': 'application/x-ndjson', prefer: 'handling=lenient' } },
        body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
      });
    const resultsOf = ({ text }: Answer) =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
        .filter(({ summary }) => summary === undefined);

    test('cannot bypass the checks of a bulk by a member that the line does not use', async () => {
      const order = { email: 'ada@example.com', items: [{ product_id: 2, amount: 1 }], payment_status: 'R', body: {} };
      const key = await store.keyWith('orders:write', 'payment_statuses:read');
      const refund = resultsOf(await sendLines(key, '/orders/bulk', { ...order, order_number: 'X-2' }));
      assert.deepEqual(refund[0].problem.missing_scopes, ['orders:refund']);
      const products = await store.keyWith('products:write');
      const results = resultsOf(
        await sendLines(
          products,
          '/products/bulk',
          { sku: 'A', tags: [], body: {} },
          { op: 'upsert', key: 'A', body: { tags: [] } },
          { op: 'upsert', key: 'A', tags: [], body: { price: 6 } },
        ),
      );
      assert.deepEqual(
        results.map(({ status }) => status),
        [403, 403, 200],
      );
      assert.equal((await store.send('GET', '/products/1')).json.tags[0].name, 'Hidden tag');
    });

    test('write no field that a mask hides, in a line of a bulk and in the texts of a language', async () => {
      const key = await store.maskedKey('Product.cost_price', 'Product.name');
      const lines = [
        { sku: 'B', brief_description: 'One' },
        { sku: 'B', brief_description: 'Two', cost_price: 1 },
        { op: 'upsert', key: 'B', body: { name: 'Jug' } },
        { op: 'upsert', key: 'B', body: { meta_title: 'Three' } },
      ];
      const body = lines.map((line) => JSON.stringify(line)).join('\n');
      const headers = { 'content-type': 'application/x-ndjson' };
      const { text } = await store.send('POST', '/products/bulk', { key, headers, body });
      const results = text
        .trim()
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line));
      assert.deepEqual(
        results.map(({ status, problem }) => [status, problem?.masked_fields]),
        [
          [200, undefined],
          [403, ['Product.cost_price']],
          [403, ['Product.name']],
          [200, undefined],
        ],
      );
      const { json } = await store.send('GET', '/products/2');
      const { name, cost_price, brief_description, meta_title } = json;
      assert.deepEqual([name, cost_price, brief_description, meta_title], ['Cup', 0, 'One', 'Three']);

      const at = '/products/2/translations';
      dropped(await store.send('PUT', `${at}/en`, { key, body: { name: 'Jug' } }), 'Product.name');
      const written = await store.send('PUT', `${at}/en`, { key, body: { meta_title: 'Four' } });
      assert.equal(written.status, 200, written.text);
      const { json: seen } = await store.send('GET', at, { key });
      assert.deepEqual(seen.en, written.json);
      assert.deepEqual([seen.en.meta_title, 'name' in seen.en], ['Four', false]);
      const { json: all } = await store.send('GET', at);
      // `og_meta_tags` is derived from the name.
      assert.deepEqual(all, { en: { ...seen.en, name: 'Cup', og_meta_tags: '' } });
    });

    test('calculate no order from records that they cannot read', async () => {
      const items = [{ product_id: 2, amount: 1 }];
      const order = { email: 'ada@example.com', items };
      const key = await store.keyWith('orders:write');
      const send = (path: string, body: object, scoped = key) => store.send('POST', path, { body, key: scoped });
      for (const [path, body] of [
        ['/orders/quote', { items }],
        ['/orders', { ...order, calculate: true }],
        ['/orders?dry_run=1', { ...order, calculate: true }],
        ['/orders/1/edit', { add: items, calculate: true }],
        ['/orders/1/edit?dry_run=1', { add: items, calculate: true }],
      ] as const) {
        const { status, json } = await send(path, body);
        assert.equal(status, 403, path);
        assert.ok(json.missing_scopes.includes('tax_rates:read'), path);
      }
      const shipping = { method_id: 1 };
      const families = [
        'products',
        'attributes',
        'wholesale_prices',
        'categories',
        'sale_discounts',
        'volume_discounts',
      ];
      const others = ['coupons', 'zones', 'tax_settings', 'tax_rates', 'tax_classes', 'memberships', 'profiles'];
      const all = [...families, ...others, 'payment_statuses'].map((family) => `${family}:read`);
      const withoutShipping = await store.keyWith('orders:write', ...all);
      assert.equal((await send('/orders/quote', { items }, withoutShipping)).status, 200);
      forbidden(await send('/orders/quote', { items, shipping }, withoutShipping), 'shipping_methods:read');
      forbidden(await send('/orders/quote?shipping_options=1', { items }, withoutShipping), 'shipping_methods:read');
      forbidden(
        await send('/orders', { ...order, calculate: true, shipping }, withoutShipping),
        'shipping_methods:read',
      );
      const [line] = resultsOf(await sendLines(key, '/orders/bulk?dry_run=1', { ...order, calculate: true }));
      assert.equal(line.status, 403);
      forbidden(await send('/orders?dry_run=1', order), 'attributes:read', 'products:read');
      forbidden(await send('/orders/1/edit?dry_run=1', { add: items }), 'attributes:read', 'products:read');
      const settled = await send('/orders/1/settle?dry_run=1', { shipment: { lines: [] } });
      assert.notEqual(settled.status, 403, settled.text);
      const statuses = await store.keyWith('orders:write', 'payment_statuses:read');
      const paid = { payment_status: 'P' };
      forbidden(await send('/orders/1/settle?dry_run=1', paid, statuses), 'products:read');
      assert.equal((await send('/orders/1/settle', {}, statuses)).status, 200);
      assert.equal((await send('/orders', { ...order, calculate: false })).status, 201);
      const more = await store.keyWith('orders:write', 'products:read', 'attributes:read');
      assert.equal((await send('/orders?dry_run=1', order, more)).status, 200);
      assert.equal((await send('/orders/quote', { items }, await store.keyWith('*:read', 'orders:write'))).status, 200);
    });

    test('are checked for each parameter, whatever its value contains', async () => {
      const key = await store.keyWith('products:*');
      forbidden(await store.send('GET', '/products?tags=price_for', { key }), 'tags:read');
      forbidden(await store.send('GET', '/products?tags[price_for]=x', { key }), 'tags:read');
      const { json } = await store.send('GET', '/products?fields=price_for,tags', { key });
      assert.ok(json.missing_scopes.includes('tags:read') && json.missing_scopes.includes('sale_discounts:read'));
      const searched = await store.send('GET', '/products?search=Mug', { key });
      forbidden(await store.send('GET', '/products?search=price_for', { key }), ...searched.json.missing_scopes);
      assert.equal((await store.send('GET', '/products?name=price_for', { key })).status, 200);
    });

    test('see no messages of rules that have the code of a missing field', async () => {
      await created('/attributes_select', { name: 'Secret colour' });
      await created('/attributes_select/1/options', { value: 'Red' });
      await created('/attributes_select/1/options', { value: 'Blue' });
      await created('/products', { sku: 'OPTIONS', name: 'Shirt', price: 5 });
      const product_id = (await store.send('GET', '/products?sku=OPTIONS')).json[0].id;
      for (const option_id of [1, 2])
        await created(`/products/${product_id}/attributes_select/1/values`, { option_id });
      const order = { email: 'ada@example.com', items: [{ product_id, amount: 1 }] };
      const full = await store.send('POST', '/orders', { body: order });
      const key = await store.keyWith('orders:write');
      const limited = await store.send('POST', '/orders', { body: order, key });
      invalid(full, ['items[0].options', 'required']);
      invalid(limited, ['items[0].options', 'required']);
      assert.match(full.text, /Secret colour/);
      assert.doesNotMatch(limited.text, /Secret colour/);
      // The parser reads no records, so its messages are shown.
      const malformed = await store.send('POST', '/orders', { body: { email: 1, items: [{ amount: 'x' }] }, key });
      assert.match(malformed.json.violations[0].message, /type string/);
    });

    test('link records of unreadable families only by id', async () => {
      await created('/stickers', { name: 'Clearance' });
      const key = await store.keyWith('products:write');
      const patch = (stickers: unknown) => store.send('PATCH', '/products/2', { key, body: { stickers } });
      for (const stickers of [['Clearance'], ['None'], [1, 'None'], [{ id: 1, name: 'Clearance' }], ['1'], [{}]])
        forbidden(await patch(stickers), 'stickers:read');
      for (const stickers of [[1], [{ id: 1 }], ['/api/stickers/1'], []])
        assert.equal((await patch(stickers)).status, 200, JSON.stringify(stickers));
      const more = await store.keyWith('products:write', 'stickers:read');
      const named = await store.send('PATCH', '/products/2', { key: more, body: { stickers: ['Clearance'] } });
      assert.equal(named.status, 200, named.text);
    });

    test('create tags by name only with tags:write', async () => {
      const key = await store.keyWith('products:write', 'tags:read');
      const patch = (tags: unknown, scoped = key) =>
        store.send('PATCH', '/products/2', { key: scoped, body: { tags } });
      assert.equal((await patch(['Hidden tag'])).status, 200);
      forbidden(await patch(['Hidden tag', 'Unknown tag']), 'tags:write');
      forbidden(
        await store.send('POST', '/products', { key, body: { name: 'T', sku: 'T', price: 1, tags: ['U'] } }),
        'tags:write',
      );
      const [line] = resultsOf(await sendLines(key, '/products/bulk', { sku: 'B', tags: ['Unknown tag'] }));
      assert.deepEqual(line.problem.missing_scopes, ['tags:write']);
      assert.equal((await patch(['New tag'], await store.keyWith('products:write', 'tags:write'))).status, 200);
    });

    test('grant a wildcard only if they have it, not if they can read every family', async () => {
      const { scopes } = (await store.send('GET', '/scopes')).json;
      const reads = scopes
        .map(({ scope }: { scope: string }) => scope)
        .filter((scope: string) => scope.endsWith(':read'));
      const key = await store.keyWith('keys:manage', ...reads);
      forbidden(await newKey({ name: 'Reads all', kind: 'scoped', scopes: ['*:read'] }, key), '*:read');
    });

    test('create keys only for their own networks and time', async () => {
      const limits = { networks: ['127.0.0.0/8', '2001:db8::/32'], expires_at: '2027-06-01T00:00:00Z' };
      const key = (await newKey({ name: 'Limited', kind: 'scoped', scopes: ['*:*'], ...limits })).json.key;
      const make = (name: string, more: object) =>
        newKey({ name, kind: 'scoped', scopes: ['tags:read'], ...more }, key);
      const inherited = await make('Inherits', {});
      assert.equal(inherited.status, 201, inherited.text);
      assert.deepEqual(inherited.json.networks, limits.networks);
      assert.equal(Date.parse(inherited.json.expires_at), Date.parse(limits.expires_at));
      const narrower = { networks: ['127.0.0.1/32', '2001:db8:1::/48'], expires_at: '2027-05-01T00:00:00Z' };
      assert.equal((await make('Narrower', narrower)).status, 201);
      for (const networks of [[], ['127.0.0.0/7'], ['10.0.0.0/8'], ['127.0.0.1/32', '::/0']])
        invalid(await make('Wider', { networks }), ['networks', 'conflict']);
      for (const expires_at of [null, '2027-06-01T00:00:01Z'])
        invalid(await make('Longer', { expires_at }), ['expires_at', 'range']);
    });

    test('accept sign-ins and sessions only from their networks, without spending the token', async () => {
      const networks = ['192.0.2.0/24'];
      const { key } = (await newKey({ name: 'Signs in', kind: 'scoped', scopes: ['tags:read'], networks })).json;
      const token = await makeToken(store.service, { id: 'any', hash: hashOf(key) }, ACTOR);
      const admin = { sessions: new Sessions(store.service), folder: 'none', allowsPlainHttp: true };
      const app = await serverOf(store.service, {}, undefined, admin, { followsHost: true });
      after(() => app.close());
      const session = (method: 'GET' | 'POST', remoteAddress: string, cookie = '') =>
        app.inject({
          ...{ method, url: '/admin/session', remoteAddress },
          headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie },
          ...(method === 'POST' ? { payload: JSON.stringify({ token }) } : {}),
        });
      const rejected = await session('POST', '127.0.0.1');
      assert.equal(rejected.statusCode, 403, rejected.body);
      assert.match(rejected.body, /network-not-allowed/);
      const accepted = await session('POST', '192.0.2.7');
      assert.equal(accepted.statusCode, 200, accepted.body);
      assert.equal((await session('POST', '192.0.2.7')).statusCode, 401);
      const cookie = String(accepted.headers['set-cookie']).split(';', 1)[0]!;
      assert.equal((await session('GET', '192.0.2.7', cookie)).statusCode, 200);
      assert.equal((await session('GET', '127.0.0.1', cookie)).statusCode, 403);
    });

    test('end long requests if another key with other rights has the same text', async () => {
      const text = 'a-key-that-changes-its-rights';
      const add = (name: string, more: object) =>
        createKey(
          store.service,
          { name, kind: 'scoped', scopes: ['tags:read'], networks: [], key: text, ...more },
          ACTOR,
        );
      const check = () => readStoreState(store.service);
      const options = { keys: [], service: store.service, cacheValidator: { check } } as unknown as HttpOptions;
      await add('First', {});
      const key = (await check()).keys.find(({ name }) => name === 'First');
      const requestFrom = (ip: string) =>
        ({ headers: { 'x-auth-token': text }, ip, requestContext: { key } }) as unknown as FastifyRequest;
      const isValid = () => isStillValid(requestFrom('127.0.0.1'), options);
      assert.equal(await isValid(), true);
      for (const [index, more] of [
        { scopes: ['tags:write'] },
        { networks: ['127.0.0.0/8'] },
        { kind: 'read-write', scopes: undefined },
      ].entries()) {
        await revokeKey(store.service, index === 0 ? 'First' : `Other ${index - 1}`, ACTOR);
        assert.equal(await isValid(), false);
        await add(`Other ${index}`, more);
        assert.equal(await isValid(), false, JSON.stringify(more));
      }
    });

    test('read only the entries of their families in the change feed', async () => {
      const key = await store.keyWith('products:read');
      const entries = (await store.send('GET', '/changes?include=record', { key })).json;
      const resources = new Set(entries.map(({ resource }: { resource: string }) => resource));
      assert.deepEqual([...resources].sort(), ['Product', 'StoreInfo']);
      assert.ok(entries.every(({ record }: Record<string, object>) => !('tags' in record!)));
      assert.deepEqual((await store.send('GET', '/changes?resource[]=Tag', { key })).json, []);
      const cursor = (await store.send('GET', '/changes?after=now', { key })).headers['changes-cursor'];
      await store.send('PATCH', '/products/1', { body: { tags: [], name: 'Third name' } });
      const [changed] = (await store.send('GET', `/changes?after=${cursor}`, { key })).json;
      assert.ok(changed.fields.includes('name') && !changed.fields.includes('tags'), JSON.stringify(changed));
      await store.send('PATCH', '/products/1', { body: { tags: ['Hidden tag'] } });
    });

    test('reuse no response that an Idempotency-Key stored with other scopes or masks', async () => {
      const text = 'a-key-that-is-replaced-01';
      const headers = { 'idempotency-key': 'once' };
      const post = () => store.send('POST', '/tags', { key: text, headers, body: { name: 'Once' } });
      await createKey(store.service, { name: 'Replaced', kind: 'scoped', scopes: ['tags:*'], key: text }, ACTOR);
      assert.equal((await post()).status, 201);
      assert.equal((await post()).headers['idempotency-replayed'], 'true');
      const { json } = await store.send('GET', '/keys');
      const { id } = json.find((each: { name: string }) => each.name === 'Replaced');
      assert.equal((await store.send('DELETE', `/keys/${id}`)).status, 204);
      for (const [index, rights] of [
        { scopes: ['tags:write'] },
        { scopes: ['tags:*'], masks: ['Product.price'] },
      ].entries()) {
        const made = { name: `Replacement ${index}`, kind: 'scoped', ...rights, key: text } as const;
        await createKey(store.service, made, ACTOR);
        const other = await post();
        assert.equal(other.status, 409, other.text);
        assert.ok(!other.text.includes('Once'));
        await revokeKey(store.service, made.name, ACTOR);
      }
      await createKey(store.service, { name: 'The same rights', kind: 'scoped', scopes: ['tags:*'], key: text }, ACTOR);
      assert.equal((await post()).headers['idempotency-replayed'], 'true');
    });

    test('see disabled languages only with languages:write', async () => {
      await created('/languages', { code: 'fr', name: 'French', enabled: false });
      const read = async (...scopes: string[]) =>
        store.send('GET', '/products/1/translations/fr', { key: await store.keyWith(...scopes) });
      assert.equal((await read('products:read', 'languages:read')).status, 404);
      const other = await read('products:read', 'languages:write');
      assert.ok(!other.text.includes('no language'), other.text);
    });

    test('share cached responses only with keys that can read the same families', async () => {
      const limited = await store.keyWith('products:read');
      const full = await store.keyWith('*:read');
      for (let round = 0; round < 3; round += 1)
        for (const path of ['/products/1', '/products', '/products?itemsPerPage=2', '/categories?fields=id']) {
          const [seen, all] = [
            await store.send('GET', path, { key: limited }),
            await store.send('GET', path, { key: full }),
          ];
          if (path.startsWith('/categories')) assert.deepEqual([seen.status, all.status], [403, 200]);
          else
            assert.deepEqual(
              [seen, all].map(({ text }) => text.includes('"tags":')),
              [false, true],
              path,
            );
        }
    });
  });
