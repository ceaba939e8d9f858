/** The second format of responses and bodies: JSON-LD with Hydra (http.md §§1, 3, 7, 9 and 10). */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { HttpResponse, RequestOptions } from '../support/client.ts';
import { expanded } from '../support/openapi.ts';
import { onOneDatabase, READ_ONLY_KEY, type Store } from '../support/store.ts';

const LD = 'application/ld+json';
const ACCEPTS = { accept: LD };
const SENDS = { ...ACCEPTS, 'content-type': LD };

function assertLinked(response: HttpResponse, status = 200): void {
  assert.equal(response.status, status, response.text);
  assert.equal(response.headers['content-type'], `${LD}; charset=utf-8`);
}

/** The value without JSON-LD keywords at any depth. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => !name.startsWith('@'));
  return Object.fromEntries(entries.map(([name, inside]) => [name, plain(inside)]));
}

onOneDatabase('JSON-LD items', {}, (store) => {
  /** Creates a record of every kind of address. @returns path, `@id` and `@type` */
  const records: [title: string, make: () => Promise<[path: string, id: string, type: string]>][] = [
    ['a product', async () => itself(`/api/products/${(await store.product()).id}`, 'Product')],
    ['a language', async () => itself('/api/languages/de', 'Language')],
    [
      'an image below its product',
      async () => {
        const { id } = await store.product();
        const image = await store.made(`/api/products/${id}/images`, PIXEL);
        return itself(`/api/products/${id}/images/${image.id}`, 'ProductImage');
      },
    ],
    [
      'the icon of a category',
      async () => {
        const { id } = await store.made('/api/categories', { name: 'C' });
        await store.made(`/api/categories/${id}/icon`, PIXEL);
        return itself(`/api/categories/${id}/icon`, 'CategoryIcon');
      },
    ],
    [
      'an option below a class and its attribute',
      async () => {
        const made = await store.made('/api/product_classes', { name: `Class ${Math.random()}` });
        const attributes = `/api/product_classes/${made.id}/attributes_select`;
        const attribute = await store.made(attributes, { name: 'Size' });
        const option = await store.made(`${attributes}/${attribute.id}/options`, { value: 'Large' });
        return itself(`${attributes}/${attribute.id}/options/${option.id}`, 'AttributeOption');
      },
    ],
    [
      'a view',
      async () => {
        const { id } = await store.made('/api/categories', { name: 'C' });
        return itself(`/api/categories/${id}/stats`, 'CategoryStats');
      },
    ],
    [
      'an order found by its number',
      async () => {
        const order = await placed(store);
        return [`/api/orders/by_number/${order.order_number}`, `/api/orders/${order.id}`, 'Order'];
      },
    ],
    [
      'the status of an order',
      async () => {
        const order = await placed(store);
        const id = order.payment_status.id;
        return [`/api/orders/${order.id}/payment_status`, `/api/payment_statuses/${id}`, 'PaymentStatus'];
      },
    ],
  ];
  for (const [title, make] of records)
    test(`${title} starts with @context, @id and @type and otherwise equals JSON`, async () => {
      const [path, id, type] = await make();
      const response = await store.get(path, ACCEPTS);
      assertLinked(response);
      assert.deepEqual(Object.keys(response.json).slice(0, 3), ['@context', '@id', '@type']);
      const { '@context': context, '@id': ownId, '@type': ownType } = response.json;
      assert.deepEqual([context, ownId, ownType], [`/api/contexts/${type}`, id, type]);
      assert.equal((await store.get(context)).status, 200);
      const json = await store.get(path);
      assert.deepEqual(plain(response.json), json.json);
      assert.equal(JSON.stringify(plain(response.json)), json.text);
    });

  test('embedded records have their type and address', async () => {
    const tax = await store.made('/api/tax_classes', { name: 'Full' });
    const { id } = await store.product({ tags: ['Inside'], tax_class: 'Full' });
    const image = await store.made(`/api/products/${id}/images`, PIXEL);
    const { json } = await store.get(`/api/products/${id}`, ACCEPTS);
    const [tag] = json.tags;
    assert.deepEqual(json.tax_class, { '@id': `/api/tax_classes/${tax.id}`, '@type': 'TaxClass', ...tax });
    assert.deepEqual([tag['@id'], tag['@type']], [`/api/tags/${tag.id}`, 'Tag']);
    assert.equal(json.images[0]['@id'], `/api/products/${id}/images/${image.id}`);
    assert.equal(json.product_class, null);
    for (const inside of [json.tax_class, tag, json.images[0]]) {
      assert.equal(Object.hasOwn(inside, '@context'), false);
      assertLinked(await store.get(inside['@id'], ACCEPTS));
    }
    const order = await placed(store, { surcharges: [{ type: 'shipping', value: 1 }] });
    const shown = (await store.get(`/api/orders/${order.id}`, ACCEPTS)).json;
    assert.equal(shown.items[0]['@id'], `/api/orders/${order.id}/items/${shown.items[0].id}`);
    // The item can be read within its order only.
    assert.deepEqual([shown.surcharges[0]['@id'], shown.surcharges[0]['@type']], [undefined, 'Surcharge']);
    const category = await store.made('/api/categories', { name: 'C' });
    await store.made(`/api/categories/${category.id}/icon`, PIXEL);
    const { icon, banner } = (await store.get(`/api/categories/${category.id}`, ACCEPTS)).json;
    assert.deepEqual([icon['@id'], banner], [`/api/categories/${category.id}/icon`, null]);
  });

  test('an attribute has the address at which it can be changed in every list', async () => {
    const attribute = await store.made('/api/attributes_select', { name: 'Size' });
    const { json } = await store.get(`/api/attributes?id=${attribute.id}`, ACCEPTS);
    assert.equal(json['hydra:member'][0]['@id'], `/api/attributes_select/${attribute.id}`);
  });

  test('writes return the same body and ETag as a GET with the same Accept', async () => {
    const tag = await store.post('/api/tags', { name: 'Written' }, ACCEPTS);
    const path = `/api/tags/${tag.json.id}`;
    const responses = [
      [201, tag],
      [200, await store.patch(path, { name: 'Patched' }, ACCEPTS)],
      [200, await store.put(path, { name: 'Put' }, ACCEPTS)],
    ] as const;
    for (const [status, response] of responses) {
      assertLinked(response, status);
      assert.equal(response.json['@id'], path);
    }
    const read = await store.get(path, ACCEPTS);
    assert.deepEqual([read.text, read.headers.etag], [responses[2][1].text, responses[2][1].headers.etag]);
    const { id } = await store.product();
    const stocked = await store.post(`/api/products/${id}/stock`, { delta: 1 }, ACCEPTS);
    assertLinked(stocked);
    assert.equal(stocked.json['@id'], `/api/products/${id}`);
    const category = await store.made('/api/categories', { name: 'C' });
    const linked = await store.post(`/api/categories/${category.id}/products`, { product_id: id }, ACCEPTS);
    assertLinked(linked, 201);
    assert.equal(linked.json['@id'], `/api/categories/${category.id}`);
    assert.equal((await store.delete(path, ACCEPTS)).status, 204);
  });

  test('HEAD returns the headers of GET', async () => {
    const path = `/api/products/${(await store.product()).id}`;
    const [get, head] = [await store.get(path, ACCEPTS), await store.request('HEAD', path, { headers: ACCEPTS })];
    assert.equal(head.text, '');
    for (const name of ['content-type', 'etag', 'link', 'vary']) assert.equal(head.headers[name], get.headers[name]);
  });

  test('JSON and JSON-LD have different ETags that match their own format only', async () => {
    const path = `/api/products/${(await store.product()).id}`;
    const [json, linked] = [await store.get(path), await store.get(path, ACCEPTS)];
    assert.notEqual(json.headers.etag, linked.headers.etag);
    assert.match(String(linked.headers.vary), /Accept/);
    const conditional = { 'if-none-match': linked.headers.etag! };
    assert.equal((await store.get(path, { ...ACCEPTS, ...conditional })).status, 304);
    assert.equal((await store.get(path, conditional)).status, 200);
    const matching = { 'if-match': linked.headers.etag! };
    assert.equal((await store.patch(path, { price: 1 }, matching)).status, 412);
    const changed = await store.patch(path, { price: 1 }, { ...ACCEPTS, ...matching });
    assertLinked(changed);
    const stale = await store.patch(path, { price: 2 }, { ...ACCEPTS, ...matching });
    assertLinked(stale, 412);
    assert.equal(stale.headers.etag, changed.headers.etag);
  });

  test('cached responses in JSON and JSON-LD are separate', async () => {
    const path = `/api/products/${(await store.product()).id}`;
    for (const target of [path, '/api/products', path])
      for (const accept of [undefined, LD, undefined, LD]) {
        const response = await store.get(target, { accept });
        assert.equal(response.text.includes('"@context"'), accept === LD);
        assert.ok(response.headers['content-type']!.startsWith(accept ?? 'application/json'));
      }
  });

  test('a retry is replayed in the format of the first response', async () => {
    const headers = { ...ACCEPTS, 'idempotency-key': `key-${Math.random()}` };
    const first = await store.post('/api/tags', { name: 'Once' }, headers);
    const again = await store.post('/api/tags', { name: 'Once' }, { ...headers, accept: undefined });
    assertLinked(again, 201);
    assert.equal(again.text, first.text);
  });
});

onOneDatabase('JSON-LD collections', {}, (store) => {
  before(async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await store.made('/api/tags', { name });
  });

  const pages: [query: string, self: string, previous: string | undefined, next: string | undefined, last: string][] = [
    ['', '?page=1', undefined, undefined, '?page=1'],
    ['?itemsPerPage=2', '?itemsPerPage=2&page=1', undefined, '?itemsPerPage=2&page=2', '?itemsPerPage=2&page=3'],
    [
      '?page=2&itemsPerPage=2',
      '?itemsPerPage=2&page=2',
      '?itemsPerPage=2&page=1',
      '?itemsPerPage=2&page=3',
      '?itemsPerPage=2&page=3',
    ],
    ['?itemsPerPage=2&page=9', '?itemsPerPage=2&page=9', '?itemsPerPage=2&page=3', undefined, '?itemsPerPage=2&page=3'],
    [
      '?name=a&order[name]=DESC',
      '?name=a&order%5Bname%5D=DESC&page=1',
      undefined,
      undefined,
      '?name=a&order%5Bname%5D=DESC&page=1',
    ],
  ];
  for (const [query, self, previous, next, last] of pages)
    test(`/api/tags${query} has its members, total and page links`, async () => {
      const [response, json] = [await store.get(`/api/tags${query}`, ACCEPTS), await store.get(`/api/tags${query}`)];
      assertLinked(response);
      const { '@context': context, '@id': id, '@type': type, ...page } = response.json;
      assert.deepEqual([context, id, type], ['/api/contexts/Tag', '/api/tags', 'hydra:Collection']);
      assert.equal(page['hydra:totalItems'], Number(json.headers['x-total-count']));
      assert.deepEqual(plain(page['hydra:member']), json.json);
      for (const member of page['hydra:member']) {
        assert.deepEqual(Object.keys(member).slice(0, 2), ['@id', '@type']);
        assert.equal(member['@id'], `/api/tags/${member.id}`);
      }
      const at = (address: string | undefined): string | undefined => address && `/api/tags${address}`;
      const view = page['hydra:view'];
      assert.deepEqual([view['@id'], view['@type']], [at(self), 'hydra:PartialCollectionView']);
      assert.deepEqual(
        [view['hydra:previous'], view['hydra:next'], view['hydra:last']],
        [previous, next, last].map(at),
      );
      assert.equal(response.headers.link, json.headers.link);
      assert.equal(response.headers['x-total-count'], json.headers['x-total-count']);
      assert.notEqual(response.headers.etag, json.headers.etag);
    });

  test('hydra:search has one mapping per filter and sort order', async () => {
    const { 'hydra:search': search } = (await store.get('/api/products', ACCEPTS)).json;
    assert.equal(search['@type'], 'hydra:IriTemplate');
    assert.equal(search['hydra:variableRepresentation'], 'BasicRepresentation');
    const mappings: { variable: string; property: string }[] = search['hydra:mapping'];
    const variables = mappings.map(({ variable }) => variable);
    assert.equal(search['hydra:template'], `/api/products{?${variables.join(',')}}`);
    assert.equal(new Set(variables).size, variables.length);
    const property = (variable: string) => mappings.find((mapping) => mapping.variable === variable);
    for (const [variable, of] of [
      ['id', 'id'],
      ['id[]', 'id'],
      ['price[between]', 'price'],
      ['create_date[strictly_after]', 'create_date'],
      ['enabled', 'enabled'],
      ['order[id]', 'id'],
      ['order[arrivalDate]', 'arrival_date'],
    ])
      assert.deepEqual(property(variable!), {
        '@type': 'IriTemplateMapping',
        variable,
        property: of,
        required: false,
      });
    const { parameters } = expanded((await store.get('/api/openapi.json')).json).paths['/products'].get;
    // Names such as `attributes.12` are not known before the request, so the template does not have them.
    const described: string[] = parameters
      .filter(
        (parameter: { in: string; schema: object }) =>
          parameter.in === 'query' && !('additionalProperties' in parameter.schema),
      )
      .map(({ name }: { name: string }) => name);
    const unpaged = described.filter((name) => !['page', 'itemsPerPage', 'cursor', 'fields'].includes(name));
    assert.deepEqual(variables.toSorted(), unpaged.toSorted());
  });

  test('a collection below a record has its own address', async () => {
    const { id } = await store.product();
    const { json } = await store.get(`/api/products/${id}/images`, ACCEPTS);
    assert.equal(json['@id'], `/api/products/${id}/images`);
    assert.ok(json['hydra:search']['hydra:template'].startsWith(`/api/products/${id}/images{?`));
    assert.deepEqual([json['hydra:member'], json['hydra:totalItems']], [[], 0]);
  });

  const queries: [query: string, names: string[]][] = [
    ['order[id]=ASC', ['a', 'b', 'c', 'd', 'e']],
    ['order[id]=DESC', ['e', 'd', 'c', 'b', 'a']],
    ['order[id]=Desc&itemsPerPage=2', ['e', 'd']],
    ['id[0]=/api/tags/1&id[1]=/api/tags/3', ['a', 'c']],
    ['id=STORE/api/tags/2', ['b']],
  ];
  for (const [query, names] of queries)
    test(`?${query} has the same result in JSON and JSON-LD`, async () => {
      const path = `/api/tags?${query.replace('STORE', store.address)}`;
      const { json } = await store.get(path, ACCEPTS);
      assert.deepEqual(
        json['hydra:member'].map(({ name }: { name: string }) => name),
        names,
      );
      assert.deepEqual(
        (await store.get(path)).json.map(({ name }: { name: string }) => name),
        names,
      );
    });

  test('languages are filtered and sorted by code', async () => {
    const codes = async (query: string) =>
      (await store.get(`/api/languages?${query}`, ACCEPTS)).json['hydra:member'].map(
        ({ code }: { code: string }) => code,
      );
    assert.deepEqual(await codes('order[id]=ASC'), ['de', 'en', 'fr', 'pt-BR']);
    assert.deepEqual(await codes('order[id]=DESC&itemsPerPage=1'), ['pt-BR']);
    assert.deepEqual(await codes('id=de'), ['de']);
    assert.deepEqual(await codes('id[]=/api/languages/de&id[]=/api/languages/pt-BR'), ['de', 'pt-BR']);
    assert.deepEqual(await codes('code=/api/languages/fr'), ['fr']);
  });
});

onOneDatabase('JSON-LD problems', {}, (store) => {
  const responses: [status: number, method: string, path: string, options?: RequestOptions][] = [
    [400, 'GET', '/api/products?page=0'],
    [400, 'POST', '/api/products', { body: '{' }],
    [401, 'GET', '/api/products', { key: null }],
    [401, 'GET', '/api/nothing', { key: null }],
    [403, 'POST', '/api/tags', { body: { name: 'x' }, key: READ_ONLY_KEY }],
    [404, 'GET', '/api/products/999999'],
    [404, 'GET', '/api/nothing'],
    [405, 'DELETE', '/api/products'],
    [409, 'DELETE', '/api/languages/en'],
    [413, 'POST', '/api/tags', { body: ' '.repeat(1_048_577) }],
    [415, 'POST', '/api/products', { body: 'x', headers: { 'content-type': 'text/plain' } }],
    [417, 'POST', '/api/products', { body: '{}', headers: { expect: '200-ok' } }],
  ];
  for (const [status, method, path, options] of responses)
    test(`describe ${status} of ${method} ${path}`, async () => {
      const response = await store.request(method, path, { ...options, headers: { ...ACCEPTS, ...options?.headers } });
      assertLinked(response, status);
      const { json } = response;
      assert.deepEqual([json['@context'], json['@type']], ['/api/contexts/Error', 'hydra:Error']);
      assert.equal(json.status, status);
      assert.ok(json['hydra:title'] && json['hydra:description']);
      assert.ok(String(response.headers.link).includes('/api/docs.jsonld>; rel="http://www.w3.org/ns/hydra/core#api'));
    });

  test('contain every violation of a body', async () => {
    const response = await store.post('/api/products', { sku: '', price: -1 }, ACCEPTS);
    assertLinked(response, 422);
    const { json } = response;
    assert.deepEqual(
      [json['@context'], json['@type'], json.status],
      ['/api/contexts/ConstraintViolationList', 'ConstraintViolationList', 422],
    );
    assert.ok(json['hydra:title'] && json['hydra:description']);
    const plainResponse = await store.post('/api/products', { sku: '', price: -1 });
    assert.deepEqual(json.violations, plainResponse.json.violations);
  });

  const accepted: [accept: string | undefined, type: string][] = [
    [undefined, 'application/problem+json'],
    ['*/*', 'application/problem+json'],
    ['application/json', 'application/problem+json'],
    ['text/csv', 'application/problem+json'],
    [LD, LD],
    [`${LD};q=0.5, text/html;q=0.9`, LD],
    [`${LD}, application/json`, LD],
    [`application/json, ${LD};q=0.9`, 'application/problem+json'],
  ];
  for (const [accept, type] of accepted)
    test(`have the type ${type} for Accept ${accept ?? '(absent)'}`, async () => {
      const { headers } = await store.get('/api/products/999999', { accept });
      assert.equal(headers['content-type'], `${type}; charset=utf-8`);
    });

  test('of a 406 name both formats', async () => {
    const { status, json } = await store.get('/api/products', { accept: 'text/csv' });
    assert.equal(status, 406);
    assert.match(json.detail, /application\/json, application\/ld\+json/);
  });
});

onOneDatabase('JSON-LD bodies', {}, (store) => {
  before(async () => {
    for (const name of ['one', 'two']) await store.made('/api/tags', { name });
    await store.made('/api/tax_classes', { name: 'Full' });
    await store.made('/api/stickers', { name: 'New' });
  });

  test('an IRI is accepted as an id', async () => {
    const { json } = await store.post(
      '/api/products',
      {
        '@context': '/api/contexts/Product',
        '@type': 'Product',
        originId: '5',
        sku: `S-${Math.random()}`,
        name: 'Linked',
        tags: ['/api/tags/1', `${store.address}/api/tags/2`, { '@id': '/api/tags/2', '@type': 'Tag' }],
        tax_class: { '@id': '/api/tax_classes/1' },
        stickers: ['/api/stickers/1', 1],
      },
      SENDS,
    );
    assert.deepEqual(
      json.tags.map(({ name }: { name: string }) => name),
      ['one', 'two'],
    );
    assert.equal(json.tax_class.name, 'Full');
    assert.deepEqual(json.stickers, [1]);
  });

  test('references, actions and tree filters accept an IRI', async () => {
    const parent = await store.made('/api/categories', { name: 'Above' });
    const other = await store.made('/api/categories', { name: 'Beside' });
    const child = await store.post('/api/categories', { name: 'C', parent: `/api/categories/${parent.id}` }, SENDS);
    assert.equal(child.json.parent, parent.id);
    const moved = await store.put(
      `/api/categories/${child.json.id}/move`,
      { parent: `/api/categories/${other.id}`, '@type': 'x' },
      SENDS,
    );
    assertLinked(moved);
    assert.equal(moved.json.parent, other.id);
    const { id } = await store.product();
    const linked = await store.post(
      `/api/categories/${parent.id}/products`,
      { product_id: `/api/products/${id}` },
      SENDS,
    );
    assert.equal(linked.headers.location, `${store.address}/api/categories/${parent.id}/products/${id}`);
  });

  test('order items accept an IRI of a product', async () => {
    const { id } = await store.product({ price: 2 });
    const items = [{ '@type': 'OrderItem', product_id: `/api/products/${id}`, amount: 2 }];
    const { status, json, text } = await store.post('/api/orders', { email: 'ada@example.com', items }, SENDS);
    assert.equal(status, 201, text);
    assert.deepEqual([json.items[0].product_id, json.total], [id, 4]);
  });

  test('a record that was read can be sent back and changes nothing', async () => {
    const made = await store.product({ tags: ['one'], tax_class: 'Full' });
    const order = await placed(store);
    const paths = [`/api/products/${made.id}`, '/api/languages/de', '/api/tags/1', `/api/orders/${order.id}`];
    for (const path of paths) {
      const read = await store.get(path, ACCEPTS);
      const own = { id: read.json['@id'], originId: '1' };
      const methods = path.includes('orders') ? ['PATCH'] : ['PUT', 'PATCH'];
      for (const method of methods)
        for (const body of [read.json, { ...read.json, ...own }, { ...read.json, id: `${store.address}${path}` }]) {
          const response = await store.request(method, path, { headers: SENDS, body });
          assertLinked(response);
          assert.equal(response.text, read.text);
          assert.equal(response.headers.etag, read.headers.etag);
        }
    }
  });

  test('an attribute property, which has no id in its path, can be sent back', async () => {
    const { id } = await store.product();
    const attribute = await store.made('/api/attributes_text', { name: 'Wool' });
    const path = `/api/products/${id}/attributes/${attribute.id}/property`;
    await store.made(path, { position: 3 });
    const read = await store.get(path, ACCEPTS);
    const response = await store.put(path, { ...read.json, id: path }, SENDS);
    assertLinked(response);
    assert.equal(response.text, read.text);
  });

  const others: [what: string, id: string][] = [
    ['another record', '/api/tags/2'],
    ['a record of another kind', '/api/stickers/1'],
    ['no record', '/api/tags/x'],
    ['another store', 'https://elsewhere.example/api/tags/1'],
  ];
  for (const [what, id] of others)
    test(`the id of ${what} is rejected with 422`, async () => {
      const response = await store.put('/api/tags/1', { id, name: 'one' }, SENDS);
      assertLinked(response, 422);
      assert.deepEqual(
        response.json.violations.map(({ propertyPath }: { propertyPath: string }) => propertyPath),
        ['id'],
      );
    });

  test('PATCH accepts JSON-LD as a merge patch, and a merge patch with Accept JSON-LD', async () => {
    const { id } = await store.product({ tags: ['one'] });
    const path = `/api/products/${id}`;
    const one = await store.patch(path, { '@id': path, tax_class: '/api/tax_classes/1' }, SENDS);
    assert.deepEqual([one.json.tax_class.id, one.json.tags.length], [1, 1]);
    assert.match(String(one.headers['accept-patch']), /application\/ld\+json/);
    const merge = { 'content-type': 'application/merge-patch+json' };
    const other = await store.patch(path, { '@id': path, id: path, tax_class: null }, { ...merge, ...ACCEPTS });
    assertLinked(other);
    assert.equal(other.json.tax_class, null);
    assert.equal((await store.patch(path, { '@id': path }, merge)).status, 422);
  });

  test('a text that is not a valid IRI is a name or rejected, as in plain JSON', async () => {
    const elsewhere = 'https://elsewhere.example/api/tags/1';
    const { json } = await store.post('/api/products', { sku: 'N-1', name: 'N', tags: [elsewhere] }, SENDS);
    assert.equal(json.tags[0].name, elsewhere);
    const other = await store.post('/api/products', { sku: 'N-3', name: 'N', tags: ['/api/stickers/1'] }, SENDS);
    assertLinked(other, 422);
    assert.equal(other.json.violations[0].code, 'unknown_link');
    const unknown = await store.post('/api/products', { sku: 'N-2', name: 'N', tags: ['/api/tags/999999'] }, SENDS);
    assertLinked(unknown, 422);
    assert.equal(unknown.json.violations[0].code, 'unknown_link');
    const wrong = await store.post('/api/categories', { name: 'C', parent: '/api/tags/1' }, SENDS);
    assertLinked(wrong, 422);
    assert.deepEqual([wrong.json.violations[0].propertyPath, wrong.json.violations[0].code], ['parent', 'type']);
  });

  test('unknown fields and inexact numbers are rejected', async () => {
    const response = await store.post('/api/tags', { name: 'Strict', '@other': 1, nmae: 'x', originId: 'x' }, SENDS);
    assertLinked(response, 422);
    assert.deepEqual(
      response.json.violations.map(({ propertyPath }: { propertyPath: string }) => propertyPath),
      ['@other', 'nmae'],
    );
    const exact = await store.post('/api/products', '{"sku":"L-1","name":"L","price":9007199254740993}', SENDS);
    assertLinked(exact, 422);
    assert.equal((await store.post('/api/tags', '[]', SENDS)).status, 400);
  });

  test('plain JSON accepts addresses of links and rejects JSON-LD keywords', async () => {
    const { json } = await store.post('/api/products', { sku: 'J-1', name: 'J', tags: ['/api/tags/1'] });
    assert.deepEqual([json.tags[0].id, json.tags[0].name], [1, 'one']);
    const response = await store.post('/api/tags', { '@id': '/api/tags/9', originId: '9', name: 'Plain' }, ACCEPTS);
    assertLinked(response, 422);
    assert.equal(response.json.violations.length, 2);
  });

  for (const type of ['application/ld+json; charset=utf-8', 'Application/LD+JSON', 'application/ld+json;profile="x"'])
    test(`the content type ${type} is accepted`, async () => {
      const headers = { 'content-type': type };
      const { status, headers: sent } = await store.post('/api/tags', { '@type': 'Tag', name: type }, headers);
      assert.equal(status, 201);
      // Only Accept determines the format of the response.
      assert.match(sent['content-type']!, /^application\/json/);
    });
});

describe('JSON-LD settings', () => {
  onOneDatabase('with BASE_URL', { BASE_URL: 'https://shop.example' }, (store) => {
    test('@ids are paths, and bodies accept addresses below BASE_URL', async () => {
      const tag = await store.made('/api/tags', { name: 'One' });
      const tags = [`https://shop.example/api/tags/${tag.id}`];
      const { json, headers } = await store.post('/api/products', { sku: 'B', name: 'B', tags }, SENDS);
      assert.equal(json['@id'], `/api/products/${json.id}`);
      assert.equal(json.tags[0].id, tag.id);
      assert.equal(headers.location, `https://shop.example/api/products/${json.id}`);
      const context = (await store.get(json['@context'])).json['@context'];
      assert.equal(context['@vocab'], 'https://shop.example/api/docs.jsonld#');
    });
  });

  onOneDatabase('with COMPATIBILITY=5.5', { COMPATIBILITY: '5.5' }, (store) => {
    test('JSON and JSON-LD are lenient', async () => {
      const response = await store.post('/api/tags', { '@id': '/api/tags/1', name: 'One', more: 1 }, SENDS);
      assertLinked(response, 201);
      assertLinked(await store.get('/api/tags?unknown=1', ACCEPTS));
    });
  });
});

function itself(path: string, type: string): [string, string, string] {
  return [path, path, type];
}

async function placed(store: Store, fields: object = {}): Promise<HttpResponse['json']> {
  const { id } = await store.product({ price: 3 });
  return store.made('/api/orders', { email: 'ada@example.com', items: [{ product_id: id, amount: 1 }], ...fields });
}

const PIXEL = {
  attachment: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  filename: 'pixel.png',
};
