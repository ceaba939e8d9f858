/** Changing the information about the store (http.md §22), and where documents and pages show it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpResponse } from '../support/client.ts';
import { assertProblem, assertUnchanged, assertViolations } from '../support/expect.ts';
import { attached, fileAt, png } from '../support/images.ts';
import { orderItem, placed } from '../support/orders.ts';
import { type Json, onEachDatabase, READ_ONLY_KEY } from '../support/store.ts';

const STORE = '/api/store';
const SETTINGS = {
  ...{ INVOICE_SELLER: 'Mug Shop|1 Main Street', SHOP_URL: 'https://mugs.example' },
  ...{ STORE_CURRENCY: 'EUR', STORE_TIME_ZONE: 'Europe/Berlin', WEIGHT_UNIT: 'lb' },
};

onEachDatabase('information about the store', SETTINGS, (store) => {
  const changed = async (body: Json): Promise<HttpResponse['json']> => {
    const response = await store.patch(STORE, body);
    assert.equal(response.status, 200, response.text);
    assert.deepEqual((await store.get(STORE)).json, response.json);
    return response.json;
  };

  test('has the texts of the settings until they are changed, and again after null', async () => {
    const before = await store.get(STORE);
    assert.deepEqual(
      [before.json.seller, before.json.shop_url, before.json.tax_number],
      ['Mug Shop\n1 Main Street', 'https://mugs.example', ''],
    );
    const { currency, time_zone, weight_unit, invoice_keep_years } = before.json;
    assert.deepEqual([currency, time_zone, weight_unit, invoice_keep_years], ['EUR', 'Europe/Berlin', 'lb', 10]);
    const own = { seller: 'Cup Shop\n2 Side Street', tax_number: 'GB 1', shop_url: 'https://cups.example/' };
    const response = await store.patch(STORE, own);
    assert.deepEqual(response.json, { ...before.json, ...own, shop_url: 'https://cups.example' });
    assert.notEqual(response.headers.etag, before.headers.etag);
    assert.equal((await store.get(STORE)).headers.etag, response.headers.etag);
    const empty = await changed({ seller: '', shop_url: '' });
    assert.deepEqual([empty.seller, empty.shop_url], ['', '']);
    assert.deepEqual(await changed({ seller: null, tax_number: null, shop_url: null }), before.json);
  });

  test('is changed with If-Match by a read/write key only, and by PATCH only', async () => {
    const { headers } = await store.get(STORE);
    const body = { invoice_footer: 'Payable in 14 days' };
    const first = await store.request('PATCH', STORE, { body, headers: { 'if-match': headers.etag! } });
    assert.equal(first.status, 200, first.text);
    await assertUnchanged(store, async () => {
      const second = { body: { invoice_footer: 'Other' }, headers: { 'if-match': headers.etag! } };
      assertProblem(await store.request('PATCH', STORE, second), 412);
      assertProblem(await store.request('PATCH', STORE, { body, key: READ_ONLY_KEY }), 403);
      assertProblem(await store.put(STORE, body), 405);
      assertProblem(await store.delete(STORE), 405);
      assert.equal((await store.patch(STORE, body)).status, 200, 'an equal value is no change');
    });
  });

  test('rejects invalid values and other fields', async () => {
    await assertUnchanged(store, async () => {
      const long = (length: number) => 'x'.repeat(length + 1);
      assertViolations(
        await store.patch(STORE, {
          ...{ seller: long(2000), tax_number: long(64), invoice_header: long(5000), invoice_footer: long(5000) },
          ...{ email_header: long(5000), email_footer: long(5000), address: { country_code: 'gb' } },
          ...{ logo: { attachment: 'AA==' }, shop_url: 'ftp://shop.example', currency: 'JPY', name: 'Shop' },
        }),
        ...['seller', 'tax_number', 'invoice_header', 'invoice_footer', 'email_header', 'email_footer'].map(
          (name) => [name, 'too_long'] as const,
        ),
        ['address.country_code', 'format'],
        ['logo.filename', 'required'],
        ['shop_url', 'format'],
        ['currency', 'read_only'],
        ['name', 'unknown_field'],
      );
      for (const shop_url of ['shop.example', 'https://user:secret@shop.example', 'https://shop.example/?a=b'])
        assertViolations(await store.patch(STORE, { shop_url }), ['shop_url', 'format']);
    });
  });

  test('keeps an address and a logo, whose file is removed with it', async () => {
    const address = { company: 'Cup Shop', city: 'London', country_code: 'GB' };
    const before = await changed({ address });
    assert.deepEqual([before.address.company, before.address.city, before.address.street], ['Cup Shop', 'London', '']);
    const merged = await changed({ address: { street: '2 Side Street' } });
    assert.deepEqual([merged.address.company, merged.address.street], ['Cup Shop', '2 Side Street']);
    const { logo } = await changed({ logo: { ...(await attached(png())), alt: 'A cup' } });
    assert.deepEqual([logo.alt, logo.width > 0], ['A cup', true]);
    assert.equal((await fileAt(store, logo.url)).status, 200);
    assert.equal((await changed({ logo: { alt: 'Two cups' } })).logo.url, logo.url);
    assert.deepEqual(await changed({ address: null, logo: null }), { ...merged, address: null, logo: null });
    assertViolations(await store.patch(STORE, { logo: { alt: 'None' } }), ['logo.attachment', 'required']);
  });

  test('is copied to new invoices, while logo and texts are printed as they are today', async () => {
    const product = await store.product({ amount: 10, name: 'Mug' });
    const order = await placed(store, [orderItem(product, 1)]);
    const invoices = `/api/orders/${order.id}/invoices`;
    await changed({ seller: 'First Shop', tax_number: 'GB 1', invoice_footer: 'First terms' });
    const first = await store.made(invoices, {});
    await changed({
      seller: 'Second <Shop>',
      tax_number: null,
      invoice_header: 'Thank you',
      invoice_footer: 'Terms & more',
    });
    const second = await store.made(invoices, {});
    assert.deepEqual([first.seller, first.tax_number], ['First Shop', 'GB 1']);
    assert.deepEqual([second.seller, second.tax_number], ['Second <Shop>', '']);
    await changed({ logo: { ...(await attached(png())), alt: 'A "cup"' } });
    const print = (id: number) => store.get(`${invoices}/${id}`, { accept: 'text/html' });
    const page = await print(first.id);
    for (const part of ['First Shop', 'Tax number', 'GB 1', 'Thank you', 'Terms &amp; more', 'alt="A &quot;cup&quot;"'])
      assert.ok(page.text.includes(part), `${part}: ${page.text}`);
    assert.match(page.text, /src="data:image\/png;base64,[A-Za-z0-9+/=]+"/);
    assert.match(String(page.headers['content-security-policy']), /img-src data:/);
    assert.doesNotMatch((await print(second.id)).text, /Tax number|GB 1/);
    await changed({ logo: null, invoice_header: null, invoice_footer: null });
    const later = await print(first.id);
    assert.notEqual(later.headers.etag, page.headers.etag);
    assert.doesNotMatch(later.text, /<img|Thank you|terms/i);
  });

  test('determines the shop in generated Open Graph markup at once, also in cached responses', async () => {
    const { id } = await store.product({ name: 'Cup', clean_url: 'cup' });
    const markup = async (): Promise<string> => {
      const [one] = (await store.get(`/api/products?id=${id}&fields=og_meta_tags`)).json;
      const { json } = await store.get(`/api/products/${id}`);
      assert.equal(one.og_meta_tags, json.og_meta_tags);
      return json.og_meta_tags;
    };
    assert.match(await markup(), /https:\/\/mugs\.example\/cup/);
    await changed({ shop_url: 'https://cups.example' });
    assert.match(await markup(), /https:\/\/cups\.example\/cup/);
    await changed({ shop_url: '' });
    assert.doesNotMatch(await markup(), /og:url/);
    await changed({ shop_url: null });
    assert.match(await markup(), /https:\/\/mugs\.example\/cup/);
  });

  test('has an entry in the change feed when it changes', async () => {
    const { headers } = await store.get('/api/changes');
    const cursor = headers['changes-cursor'] ?? (await store.get('/api/products')).headers['changes-cursor'];
    await changed({ email_header: 'Hello' });
    const { json } = await store.get(`/api/changes?after=${cursor}`);
    const [last] = json.slice(-1);
    assert.deepEqual([last.resource, last.action, last.path], ['StoreInfo', 'updated', '/api/store']);
  });
});
