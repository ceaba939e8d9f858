/** Rules of products: defaults, clean URLs, page texts, sales and stock (catalog.md §1). */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertProblem, assertUnchanged, assertViolations } from '../support/expect.ts';
import { whole } from '../support/fields.ts';
import { nextSecond } from '../support/next-second.ts';
import { type Json, onEachDatabase, onOneDatabase } from '../support/store.ts';

onEachDatabase('new products', {}, (store) => {
  test('have the defaults', async () => {
    const { create_date, update_date, arrival_date, og_meta_tags, ...product } = await store.product({
      sku: 'A',
      name: 'T-shirt',
    });
    const typed = {
      id: 1,
      sku: 'A',
      name: 'T-shirt',
      description: '',
      brief_description: '',
      meta_tags: '',
      meta_description: '',
      meta_title: '',
      clean_url: 't-shirt',
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
      amount: 1000,
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
      images: [],
    };
    const elsewhere = ['create_date', 'update_date', 'arrival_date', 'og_meta_tags'];
    assert.deepEqual(product, whole('Product', typed, ...elsewhere));
    assert.ok(Math.abs(Date.parse(create_date) - Date.now()) < 5000);
    assert.deepEqual([update_date, arrival_date], [create_date, create_date]);
    assert.match(og_meta_tags, /^<meta property="og:title" content="T-shirt" \/>/);
  });

  test('get an id that no product had before', async () => {
    const { id } = await store.product();
    await store.delete(`/api/products/${id}`);
    assert.ok((await store.product()).id > id);
  });
});

onEachDatabase('clean_url of a product', {}, (store) => {
  const made: [name: string, url: string | RegExp][] = [
    ['Blue Jeans 501', 'blue-jeans-501'],
    ['Blue Jeans 501', 'blue-jeans-501-1'],
    ['blue / JEANS -- 501', 'blue-jeans-501-2'],
    ['Größe Ölçü Ñandú', /^gr(o|oe)sse?-(o|oe)lcu-nandu$/],
    ['日本', /^[a-z0-9]+(-[a-z0-9]+)*$/],
    ['Чай', /^[a-z0-9]+(-[a-z0-9]+)*$/],
    ['!!!', 'product'],
    ['???', 'product-1'],
    ['l'.repeat(255), 'l'.repeat(255)],
    ['l'.repeat(255), `${'l'.repeat(253)}-1`],
    ['a&amp;b', 'a-amp-b'],
  ];
  for (const [name, url] of made)
    test(`of ${name.slice(0, 30)} is generated as ${String(url).slice(0, 30)}`, async () => {
      const { clean_url } = await store.product({ name });
      if (typeof url === 'string') assert.equal(clean_url, url);
      else assert.match(clean_url, url);
    });

  test('is generated with a suffix for each product of the same name', async () => {
    const urls = new Set<string>();
    for (let count = 0; count < 12; count += 1)
      urls.add((await store.product({ name: 'Twelve', clean_url: '' })).clean_url);
    assert.deepEqual([...urls], ['twelve', ...Array.from({ length: 11 }, (_, index) => `twelve-${index + 1}`)]);
  });

  test('is generated from the name in the language of the request', async () => {
    const { id, clean_url } = await store.product({ name: 'Birne' }, { 'accept-language': 'de' });
    assert.equal(clean_url, 'birne');
    const { json } = await store.patch(`/api/products/${id}`, { name: 'Pear' });
    assert.equal(json.clean_url, 'birne');
  });

  test('does not change with the name or if sent empty', async () => {
    const { id, sku, clean_url } = await store.product({ name: 'Staying' });
    const path = `/api/products/${id}`;
    for (const response of [
      await store.patch(path, { name: 'Moving' }),
      await store.patch(path, { clean_url: '' }),
      await store.put(path, { sku, name: 'Again', clean_url: '' }),
      await store.put(path, { sku, name: 'Once more' }),
    ])
      assert.equal(response.json.clean_url, clean_url);
  });

  test('is stored exactly as sent', async () => {
    for (const clean_url of ['Given', 'given', 'GIVEN.html', 'gïven'])
      assert.equal((await store.product({ clean_url })).clean_url, clean_url);
  });

  test('is free after it was changed or its product was deleted', async () => {
    const { id } = await store.product({ clean_url: 'first-address' });
    await store.patch(`/api/products/${id}`, { clean_url: 'second-address' });
    const next = await store.product({ clean_url: 'first-address' });
    await store.delete(`/api/products/${next.id}`);
    assert.equal((await store.product({ name: 'First address' })).clean_url, 'first-address');
  });

  test('is rejected while another product uses it', async () => {
    await store.product({ clean_url: 'taken' });
    const { id } = await store.product({ clean_url: 'mine' });
    const path = `/api/products/${id}`;
    assertViolations(await store.patch(path, { clean_url: 'taken' }), ['clean_url', 'not_unique']);
    assert.equal((await store.patch(path, { clean_url: 'mine' })).status, 200);
    assert.equal((await store.patch(path, { clean_url: 'theirs' })).status, 200);
    assert.equal((await store.patch(path, { clean_url: 'mine' })).status, 200);
  });
});

onOneDatabase('page texts without SHOP_URL', {}, (store) => {
  test('og_meta_tags contain no URL', async () => {
    const { og_meta_tags } = await store.product({ name: 'One', clean_url: 'one' });
    assert.equal(og_meta_tags, '<meta property="og:title" content="One" />');
  });
});

onEachDatabase('page texts', { SHOP_URL: 'https://shop.example/' }, (store) => {
  const title = (text: string) => `<meta property="og:title" content="${text}" />`;

  test('og_meta_tags defaults to one escaped element per line', async () => {
    const { og_meta_tags, clean_url } = await store.product({
      name: '"A" & <b>\'s',
      meta_description: 'Say "hi" <now>',
    });
    const lines = og_meta_tags.split('\n');
    assert.match(
      lines[0],
      /^<meta property="og:title" content="&quot;A&quot; &amp; &lt;b&gt;(&#39;|&apos;|'|&#x27;)s" \/>$/,
    );
    assert.equal(lines[1], '<meta property="og:description" content="Say &quot;hi&quot; &lt;now&gt;" />');
    assert.equal(lines[2], `<meta property="og:url" content="https://shop.example/${clean_url}" />`);
    assert.equal(lines.length, 3);
  });

  test('automatic og_meta_tags follow the fields they contain', async () => {
    const { id } = await store.product({ name: 'One' });
    const path = `/api/products/${id}`;
    const { json } = await store.patch(path, { name: 'Two' });
    assert.ok(json.og_meta_tags.startsWith(title('Two')));
    const german = await store.patch(path, { name: 'Zwei' }, { 'accept-language': 'de' });
    assert.ok(german.json.og_meta_tags.startsWith(title('Zwei')));
    assert.ok((await store.get(path)).json.og_meta_tags.startsWith(title('Two')));
  });

  test('custom og_meta_tags are shown as sent until they are emptied', async () => {
    const own = '<meta property="og:title" content="Own">\n<script>';
    const { id, og_meta_tags } = await store.product({ name: 'Name', og_meta_tags: own });
    const path = `/api/products/${id}`;
    assert.equal(og_meta_tags, own);
    assert.equal((await store.patch(path, { name: 'Other' })).json.og_meta_tags, own);
    assert.ok((await store.patch(path, { og_meta_tags: '' })).json.og_meta_tags.startsWith(title('Other')));
  });

  const types: [title: string, body: object, description: string, markup: 'made' | 'own'][] = [
    ['no types and texts', { meta_description: 'D', og_meta_tags: 'own' }, 'D', 'own'],
    ['no types and empty texts', { meta_description: '', og_meta_tags: '' }, '', 'made'],
    [
      'A and texts',
      { meta_description: 'D', meta_description_type: 'A', og_meta_tags: 'own', og_meta_tags_type: 'A' },
      '',
      'made',
    ],
    [
      'C and texts',
      { meta_description: 'D', meta_description_type: 'C', og_meta_tags: 'own', og_meta_tags_type: 'C' },
      'D',
      'own',
    ],
    ['A alone', { meta_description_type: 'A', og_meta_tags_type: 'A' }, '', 'made'],
  ];
  for (const [what, body, description, markup] of types)
    test(`meta types are applied: ${what}`, async () => {
      const before = { description: 'Long', meta_description: 'Before', og_meta_tags: 'before' };
      const { id, sku } = await store.product(before);
      const responses = [
        await store.put(`/api/products/${id}`, { sku, name: 'Name', ...body }),
        await store.patch(`/api/products/${(await store.product(before)).id}`, body),
        await store.post('/api/products', { sku: `${sku}-new`, name: 'Name', ...body }),
      ];
      for (const { json } of responses) {
        assert.equal(json.meta_description, description);
        if (markup === 'own') assert.equal(json.og_meta_tags, 'own');
        else assert.match(json.og_meta_tags, /^<meta property="og:title"/);
        assert.ok(!('meta_description_type' in json) && !('og_meta_tags_type' in json));
      }
    });

  test('type C stores the automatic text as a custom text', async () => {
    const { id, og_meta_tags } = await store.product({ name: 'Before' });
    const path = `/api/products/${id}`;
    await store.patch(path, { og_meta_tags, og_meta_tags_type: 'C' });
    assert.equal((await store.patch(path, { name: 'After' })).json.og_meta_tags, og_meta_tags);
  });
});

onEachDatabase('sale prices of a product', {}, (store) => {
  const rejected: [title: string, stored: Json, patch: object][] = [
    ['over 100 percent', {}, { sale_price_value: 100.5 }],
    [
      'a price that becomes a percentage',
      { discount_type: 'sale_price', sale_price_value: 150 },
      { discount_type: 'sale_percent' },
    ],
    [
      'a new type with an invalid percentage',
      { discount_type: 'sale_price', sale_price_value: 5 },
      { discount_type: 'sale_percent', sale_price_value: 101 },
    ],
  ];
  for (const [title, stored, body] of rejected)
    test(`reject ${title}`, async () => {
      const { id } = await store.product(stored);
      await assertUnchanged(store, async () =>
        assertViolations(await store.patch(`/api/products/${id}`, body), ['sale_price_value', 'range']),
      );
    });

  const accepted: [title: string, stored: Json, patch: object][] = [
    ['100 percent', {}, { sale_price_value: 100 }],
    ['a price over 100', {}, { discount_type: 'sale_price', sale_price_value: 150 }],
    ['the maximum price of a price sale', { discount_type: 'sale_price' }, { sale_price_value: 9999999999.9999 }],
    [
      'a percentage with a new value in place of a price',
      { discount_type: 'sale_price', sale_price_value: 150 },
      { discount_type: 'sale_percent', sale_price_value: 15 },
    ],
  ];
  for (const [title, stored, body] of accepted)
    test(`accept ${title}`, async () => {
      const { id } = await store.product(stored);
      const response = await store.patch(`/api/products/${id}`, body);
      assert.equal(response.status, 200, response.text);
    });

  test('are percentages in a PUT that omits the type', async () => {
    const { id, sku } = await store.product({ discount_type: 'sale_price', sale_price_value: 150 });
    const response = await store.put(`/api/products/${id}`, { sku, name: 'N', sale_price_value: 150 });
    assertViolations(response, ['sale_price_value', 'range']);
  });
});

onEachDatabase('arrival_date', {}, (store) => {
  test('is the creation time if null', async () => {
    const { arrival_date, create_date } = await store.product({ arrival_date: null });
    assert.equal(arrival_date, create_date);
  });

  test('becomes the time of a PUT that sets it to null', async () => {
    const { id, sku, create_date } = await store.product({ arrival_date: '2040-01-01T10:00:00Z' });
    await nextSecond();
    const { json } = await store.put(`/api/products/${id}`, { sku, name: 'Name', arrival_date: null });
    assert.equal(json.arrival_date, json.update_date);
    assert.notEqual(json.arrival_date, create_date);
  });

  test('is not null in PATCH', async () => {
    const { id } = await store.product();
    assertViolations(await store.patch(`/api/products/${id}`, { arrival_date: null }), ['arrival_date', 'null']);
  });

  test('is stored with its time of day', async () => {
    const { arrival_date } = await store.product({ arrival_date: '2040-01-01T10:11:12Z' });
    assert.equal(arrival_date, '2040-01-01T10:11:12+00:00');
  });
});

onEachDatabase('stock of a product', {}, (store) => {
  const backorder = { available_for_backorder: true, backorder_limit: 5 };
  const added: [title: string, stored: Json, delta: number, amount: number][] = [
    ['increases', { amount: 10 }, 5, 15],
    ['decreases', { amount: 10 }, -3, 7],
    ['decreases to 0', { amount: 10 }, -10, 0],
    ['decreases to the backorder limit', { amount: 0, ...backorder }, -5, -5],
    ['decreases below 0', { amount: 2, ...backorder }, -7, -5],
    ['increases to the largest integer', { amount: 1 }, 2 ** 53 - 2, 2 ** 53 - 1],
  ];
  for (const [title, stored, delta, amount] of added)
    test(title, async () => {
      const product = await store.product(stored);
      const path = `/api/products/${product.id}`;
      const response = await store.post(`${path}/stock`, { delta });
      assert.equal(response.status, 200, response.text);
      assert.deepEqual(response.json, { ...product, amount, update_date: response.json.update_date });
      const read = await store.get(path);
      assert.deepEqual([read.text, read.headers.etag], [response.text, response.headers.etag]);
      assert.equal(response.headers.location, undefined);
    });

  const rejected: [title: string, stored: Json, body: object, code: string, field?: string][] = [
    ['an amount below 0', { amount: 2 }, { delta: -3 }, 'range'],
    [
      'an amount below 0 with a backorder limit of 0',
      { amount: 2, available_for_backorder: true },
      { delta: -3 },
      'range',
    ],
    [
      'an amount below 0 without backorders',
      { amount: 2, ...backorder, available_for_backorder: false },
      { delta: -3 },
      'range',
    ],
    ['an amount below the backorder limit', { amount: 2, ...backorder }, { delta: -8 }, 'range'],
    ['a delta of 0', {}, { delta: 0 }, 'range'],
    ['no delta', {}, {}, 'required'],
    ['a delta of null', {}, { delta: null }, 'null'],
    ['a text as delta', {}, { delta: '1' }, 'type'],
    ['a fraction as delta', {}, { delta: 0.5 }, 'type'],
    ['an amount above the largest integer', { amount: 2 }, { delta: 2 ** 53 - 1 }, 'range'],
    ['an unknown field', {}, { delta: 1, reason: 'x' }, 'unknown_field', 'reason'],
  ];
  for (const [title, stored, body, code, field = 'delta'] of rejected)
    test(`rejects ${title}`, async () => {
      const { id } = await store.product(stored);
      await assertUnchanged(store, async () =>
        assertViolations(await store.post(`/api/products/${id}/stock`, body), [field, code]),
      );
    });

  test('returns 404 for an unknown product', async () => {
    assertProblem(await store.post('/api/products/999999/stock', { delta: 1 }), 404);
    assertProblem(await store.post('/api/products/1/stock?delta=1', { delta: 1 }), 400);
  });
});

onEachDatabase('deleted products', {}, (store) => {
  let id: number;
  before(async () => {
    await store.made('/api/memberships', { name: 'Gold' });
    ({ id } = await store.product({ sku: 'GONE', clean_url: 'gone', tags: ['Red'], memberships: ['Gold'] }));
    await store.patch(`/api/products/${id}`, { name: 'Weg' }, { 'accept-language': 'de' });
    assert.equal((await store.delete(`/api/products/${id}`)).status, 204);
  });

  test('are not found by any request', async () => {
    assertProblem(await store.get(`/api/products/${id}`), 404);
    assert.deepEqual((await store.get('/api/products')).json, []);
    assert.equal((await store.get('/api/products')).headers['x-total-count'], '0');
    for (const query of ['sku=GONE', 'tags=red', 'memberships=gold', 'name=weg'])
      assert.deepEqual((await store.get(`/api/products?${query}`, { 'accept-language': 'de' })).json, []);
  });

  test('free their SKU and clean URL', async () => {
    const product = await store.product({ sku: 'GONE', clean_url: 'gone' });
    assert.notEqual(product.id, id);
    assert.deepEqual(product.tags, []);
    assert.equal((await store.get(`/api/products/${product.id}`, { 'accept-language': 'de' })).json.name, product.name);
  });

  test('retain the records they were linked to', async () => {
    assert.equal((await store.get('/api/memberships/1')).status, 200);
    assert.equal((await store.get('/api/tags')).json[0].name, 'Red');
  });
});
