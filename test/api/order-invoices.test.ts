/** Invoices and credit notes (orders.md §14): immutable copies, numbers without gaps, and printable pages. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem, assertViolations } from '../support/expect.ts';
import { assertBroken, eventsOf, orderItem, placed, statuses, times } from '../support/orders.ts';
import { head, sendRaw } from '../support/raw-request.ts';
import { type Json, onEachDatabase, READ_WRITE_KEY } from '../support/store.ts';

const SELLER = { INVOICE_SELLER: 'Mug Shop|1 Main Street', LANGUAGES: 'de,fr,es,pt-BR' };

onEachDatabase('invoices', SELLER, (store) => {
  const ordered = async (fields: Json = {}) => {
    const product = await store.product({ price: 10, amount: 100 });
    const order = await placed(store, [orderItem(product, 3), orderItem(product, 1, { price: 2.5 })], {
      surcharges: [{ type: 'shipping', value: 5 }],
      shipping_address: { firstname: 'Ada', city: 'London' },
      ...fields,
    });
    const [item, other] = order.items.map(({ id }: Json) => id) as [number, number];
    return { product, order, item, other, path: `/api/orders/${order.id}/invoices` };
  };
  const last = (number: string) => Number(number.replace(/^\w+-/, ''));

  test('copy the order and do not change later', async () => {
    const { order, item, path, product } = await ordered();
    const events = await eventsOf(store, order.id, () => store.made(path, { kind: 'invoice' }));
    assert.deepEqual(
      events.map(({ code }) => code),
      ['INVOICE'],
    );
    const [invoice] = (await store.get(path)).json;
    assert.deepEqual(
      [invoice.kind, invoice.of, invoice.seller, invoice.currency, invoice.sub_total, invoice.total],
      ['invoice', null, 'Mug Shop\n1 Main Street', 'USD', 32.5, 37.5],
    );
    assert.deepEqual([invoice.billing_address, invoice.shipping_address], [null, order.shipping_address]);
    assert.deepEqual(invoice.surcharges, [{ type: 'shipping', name: 'SHIPPING', include: false, value: 5 }]);
    const { name, sku } = product;
    assert.deepEqual(invoice.lines[0], { item_id: item, name, sku, options: [], amount: 3, price: 10, subtotal: 30 });
    await store.post(`/api/orders/${order.id}/edit`, { change: [{ item_id: item, amount: 1 }], surcharges: [] });
    await store.patch(`/api/orders/${order.id}`, { shipping_address: { city: 'Paris' } });
    await store.patch(`/api/products/${product.id}`, { name: 'Renamed' });
    const one = `${path}/${invoice.id}`;
    assert.deepEqual((await store.get(one)).json, invoice);
    const second = await store.made(path, {});
    assert.deepEqual([second.total, second.lines[0].amount], [12.5, 1]);
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      assertProblem(await store.request(method, one, { body: method === 'DELETE' ? undefined : {} }), 405);
  });

  test('need no body, and reject an empty list of lines', async () => {
    const { order, path } = await ordered();
    const { status, json } = await store.request('POST', path, {});
    assert.deepEqual([status, json.total], [201, 37.5]);
    assertViolations(await store.post(path, { lines: [] }), ['lines', 'conflict']);
    assertViolations(await store.post(path, { kind: 'credit_note', of: json.id, lines: [] }), ['lines', 'too_short']);
    assert.equal((await store.get(path)).json.length, 1);
    const edited = await store.request('POST', `/api/orders/${order.id}/edit`, {});
    assert.deepEqual([edited.status, edited.json.total], [200, 37.5], edited.text);
    const untyped = head(`POST ${path}`, `X-Auth-Token: ${READ_WRITE_KEY}`, 'Content-Length: 2', 'Connection: close');
    assert.match(await sendRaw(store.address, `${untyped}{}`), /^HTTP\/1\.1 415 /);
  });

  test('have numbers without gaps per kind under concurrent and rejected requests', async () => {
    const [one, other] = [await ordered(), await ordered()];
    const before = await store.made(one.path, {});
    const responses = await times(12, (index) =>
      store.post(index % 2 === 0 ? one.path : other.path, index % 3 === 0 ? { of: 1 } : {}),
    );
    assert.deepEqual(statuses(responses), { 201: 8, 422: 4 });
    const numbers = responses.filter(({ status }) => status === 201).map(({ json }) => last(json.number));
    numbers.sort((a, b) => a - b);
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => last(before.number) + 1 + index),
    );
    const note = await store.made(one.path, { kind: 'credit_note', of: before.id });
    assert.match(note.number, /^CN-\d+$/);
    assert.match(before.number, /^INV-\d+$/);
  });

  test('are credited in whole or in part up to their amounts', async () => {
    const { item, other, path } = await ordered();
    const invoice = await store.made(path, {});
    const note = (lines: readonly Json[] | undefined, fields: Json = {}) => ({
      kind: 'credit_note',
      of: invoice.id,
      ...(lines ? { lines } : {}),
      ...fields,
    });
    const part = await store.made(path, note([{ item_id: item, amount: 1 }]));
    assert.deepEqual([part.total, part.of, part.surcharges, part.lines.length], [10, invoice.id, [], 1]);
    assert.deepEqual([part.lines[0].name, part.lines[0].subtotal], [invoice.lines[0].name, 10]);
    const rejected: [body: Json, path: string, code: string][] = [
      [note([{ item_id: item, amount: 3 }]), 'lines[0].amount', 'range'],
      [note([{ item_id: item, amount: -1 }]), 'lines[0].amount', 'range'],
      [note([{ item_id: other, amount: 1, price: 3 }]), 'lines[0].price', 'range'],
      [note([{ item_id: other, amount: 1, name: 'Other' }]), 'lines[0].name', 'read_only'],
      [note([{ item_id: 999_999, amount: 1 }]), 'lines[0].item_id', 'unknown_link'],
      [note([]), 'lines', 'too_short'],
      [note(undefined), 'lines', 'required'],
      [{ kind: 'credit_note' }, 'of', 'required'],
      [note([{ item_id: item, amount: 1 }], { of: part.id }), 'of', 'unknown_link'],
      [note([{ item_id: item, amount: 1 }], { kind: 'invoice' }), 'of', 'conflict'],
      [{ lines: [{ item_id: item, amount: 1 }] }, 'lines', 'conflict'],
      [{ kind: 'bill' }, 'kind', 'choice'],
      [{ number: 'INV-1' }, 'number', 'read_only'],
    ];
    for (const [body, at, code] of rejected) {
      const more = body.kind === 'invoice' ? ([['lines', 'conflict']] as const) : [];
      assertBroken(await store.post(path, body), [at, code], ...more);
    }
    const notes = await times(4, () => store.post(path, note([{ item_id: item, amount: 1, price: 4 }])));
    assert.deepEqual(statuses(notes), { 201: 2, 422: 2 });
    const whole = await store.made(path, {});
    const back = await store.made(path, note(undefined, { of: whole.id }));
    assert.deepEqual([back.total, back.lines, back.surcharges], [whole.total, whole.lines, whole.surcharges]);
    assert.deepEqual((await store.get(`${path}?kind=credit_note&order[id]=desc&itemsPerPage=1`)).json, [back]);
  });

  test('are credited per line up to the total of the line', async () => {
    const product = await store.product({ amount: 100 });
    const order = await placed(store, [orderItem(product, 3, { price: 3.335 }), orderItem(product, 1, { price: 50 })]);
    const [item] = order.items.map(({ id }: Json) => id);
    const path = `/api/orders/${order.id}/invoices`;
    const invoice = await store.made(path, {});
    assert.equal(invoice.lines[0].subtotal, 10.01);
    const note = (...lines: Json[]) => ({
      ...{ kind: 'credit_note', of: invoice.id },
      lines: lines.map((line) => ({ item_id: item, amount: 1, ...line })),
    });
    // The line was rounded as a whole; the sum of individually rounded units would be larger.
    assertBroken(await store.post(path, note({}, {}, { price: 3.335 })), ['lines[2].price', 'range']);
    const first = await store.made(path, note({}, {}));
    assert.deepEqual([first.total, first.lines[0].subtotal], [6.68, 3.34]);
    assertBroken(await store.post(path, note({ price: 3.335 })), [
      'lines[0].price',
      'range',
      /Only 3\.33 can still be credited/,
    ]);
    assert.equal((await store.made(path, note({}))).total, 3.33);
    assertBroken(await store.post(path, note({})), ['lines[0].amount', 'range']);
  });

  test('are printable pages with escaped texts', async () => {
    const markup = '<script>alert("x")</script>&\'';
    const { path, order } = await ordered({ shipping_address: { company: markup, city: 'Köln', country_code: 'DE' } });
    const { id, number } = await store.made(path, {});
    const one = `${path}/${id}`;
    const page = await store.get(one, { accept: 'text/html', 'accept-language': 'de' });
    assert.deepEqual([page.status, page.headers['content-type']], [200, 'text/html; charset=utf-8'], page.text);
    assert.match(String(page.headers['content-security-policy']), /^default-src 'none'; style-src 'sha256-/);
    assert.ok(page.text.includes(`<title>Rechnung ${number}</title>`), page.text);
    assert.ok(page.text.includes('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;&#39;'));
    assert.ok(!/<script|<img|<link|javascript:|on\w+=/i.test(page.text));
    assert.match(page.text, /@media print/);
    const shown = ['Mug Shop\n1 Main Street', 'Köln\nDeutschland', '37.50 USD', `Bestellung: ${order.order_number}`];
    for (const text of shown) assert.ok(page.text.includes(text), text);
    assert.equal((await store.get(one, { accept: 'text/html', 'if-none-match': page.headers.etag! })).status, 200);
    const again = { accept: 'text/html', 'accept-language': 'de', 'if-none-match': page.headers.etag! };
    assert.equal((await store.get(one, again)).status, 304);
    assert.equal((await store.get(one, { accept: '*/*' })).json.number, number);
    assertProblem(await store.get(path, { accept: 'text/html' }), 406);
    assertProblem(await store.get(`${one}?fields=number`, { accept: 'text/html' }), 400, /fields/);
    assertProblem(await store.get(`${path}/999999`, { accept: 'text/html' }), 404);
  });

  test("are pages in each supported language and otherwise in the store's default language", async () => {
    const { path } = await ordered({
      billing_address: { firstname: 'Ada' },
      surcharges: [
        { type: 'tax', name: 'VAT', value: 2, include: true },
        { type: 'shipping', value: 4 },
      ],
    });
    const invoice = await store.made(path, {});
    const note = await store.made(path, { kind: 'credit_note', of: invoice.id });
    const english = ['Invoice', 'Credit note', 'Date', 'Seller', 'Bill to', 'Ship to', 'Item', 'SKU', 'Quantity'];
    const spoken: Record<string, string[]> = {
      en: [...english, 'Price', 'Amount', 'Subtotal', 'VAT (included)', 'Shipping', 'Total'],
      de: [
        ...[
          'Rechnung',
          'Gutschrift',
          'Datum',
          'Verkäufer',
          'Rechnungsadresse',
          'Lieferadresse',
          'Artikel',
          'Artikelnr.',
        ],
        ...['Menge', 'Preis', 'Betrag', 'Zwischensumme', 'VAT (enthalten)', 'Versand', 'Summe'],
      ],
      fr: [
        ...['Facture', 'Avoir', 'Date', 'Vendeur', 'Facturé à', 'Livré à', 'Article', 'Référence', 'Quantité'],
        ...['Prix', 'Montant', 'Sous-total', 'VAT (compris)', 'Livraison', 'Total'],
      ],
      es: [
        ...['Factura', 'Nota de crédito', 'Fecha', 'Vendedor', 'Facturar a', 'Enviar a', 'Artículo', 'Referencia'],
        ...['Cantidad', 'Precio', 'Importe', 'Subtotal', 'VAT (incluido)', 'Envío', 'Total'],
      ],
    };
    const pageOf = async (id: number, language: string) =>
      (await store.get(`${path}/${id}`, { accept: 'text/html', 'accept-language': language })).text;
    for (const [language, [title, creditTitle, ...words]] of Object.entries(spoken)) {
      const page = await pageOf(invoice.id, language);
      assert.ok(page.includes(`<html lang="${language}">`), page);
      assert.ok(page.includes(`<title>${title} ${invoice.number}</title>`), page);
      for (const word of words) assert.ok(page.includes(word), `${word}: ${page}`);
      const creditPage = await pageOf(note.id, language);
      assert.ok(creditPage.includes(`<title>${creditTitle} ${note.number}</title>`));
      assert.ok(creditPage.includes(`: ${invoice.number}\n`), 'a credit note names its invoice');
    }
    for (const language of ['pt-BR', 'it'])
      assert.ok((await pageOf(invoice.id, language)).includes('<html lang="en">'), language);
  });
});
