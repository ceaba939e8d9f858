/** The OpenAPI document and the reference page of `/storefront`: complete, valid, and what the server really returns. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { validate } from '@scalar/openapi-parser';
import { storefrontDocument } from '../../src/describe/storefront.ts';
import { linkedOrder, OWN_ORDERS } from '../../src/shop/customers/orders.ts';
import { VIEWS } from '../../src/shop/storefront/views.ts';
import { storeModel } from '../../src/wiring/open.ts';
import type { HttpResponse } from '../support/client.ts';
import { assertProblem } from '../support/expect.ts';
import { serverOf } from '../support/injected-server.ts';
import { type DescribedOperation, type Json, operationsOf, responseOf, schemaChecker } from '../support/openapi.ts';
import { openedStore } from '../support/opened-store.ts';
import { routesOf } from '../support/printed-routes.ts';
import { onOneDatabase, type Store } from '../support/store.ts';

const BASE_URL = 'https://shop.example';

const documentOf = (specVersion: '3.1.0' | '3.0.3'): Json =>
  storefrontDocument(
    storeModel(),
    { catalog: VIEWS, orders: OWN_ORDERS },
    { baseUrl: BASE_URL, programVersion: '0', specVersion },
  );

for (const version of ['3.1.0', '3.0.3'] as const)
  describe(`the document of the storefront, OpenAPI ${version}`, () => {
    const document = documentOf(version);
    const operations = operationsOf(document);

    test('is valid, with valid examples of all bodies and parameters', async () => {
      const { valid, errors } = await validate(structuredClone(document));
      assert.deepEqual([errors ?? [], valid, document.openapi], [[], true, version]);
      const check = schemaChecker(document);
      for (const { path, operation } of operations) {
        for (const { name, schema, example } of operation.parameters)
          assert.equal(check(schema, example), undefined, `${path} ${name}`);
        for (const { content = {} } of Object.values<Json>(operation.responses))
          for (const { schema, example } of Object.values<Json>(content))
            assert.equal(check(schema, example), undefined, path);
        for (const { schema, examples } of Object.values<Json>(operation.requestBody?.content ?? {}))
          assert.equal(check(schema, examples.default.value), undefined, path);
      }
    });

    test('describes every operation in full, and has no unused component', () => {
      const ids = operations.map(({ operation }) => operation.operationId);
      assert.equal(new Set(ids).size, ids.length);
      for (const { path, operation } of operations) {
        for (const part of ['summary', 'description', 'tags', 'security'])
          assert.ok(operation[part], `${path} ${part}`);
        for (const { name, description } of operation.parameters) assert.ok(description, `${path} ${name}`);
        const inPath = operation.parameters.filter((each: Json) => each.in === 'path');
        const names = inPath.map(({ name }: Json) => `{${name}}`);
        assert.deepEqual(names, path.match(/\{\w+\}/g) ?? []);
        for (const status of ['400', '401', '403', '404', '406', '429', '500', '503'])
          assert.match(operation.responses.default.description, new RegExp(`\\*\\*${status} `), `${path} ${status}`);
      }
      const schemas = Object.values<Json>(document.components.schemas);
      for (const { properties = {} } of schemas)
        for (const [name, { description, $ref }] of Object.entries<Json>(properties))
          assert.ok(description ?? $ref, name);
      const referred = new Set(JSON.stringify(document).match(/(?<="#\/components\/)[^"]+/g));
      const existing = Object.entries<Json>(document.components)
        .filter(([section]) => section !== 'securitySchemes')
        .flatMap(([section, parts]) => Object.keys(parts).map((name) => `${section}/${name}`));
      assert.deepEqual([...referred].sort(), existing.sort());
    });
  });

/** Paths that serve the description itself. */
const UNDESCRIBED = ['GET /storefront', 'GET /storefront/openapi.json'];

test('every route of the storefront is described, and every described one exists', async () => {
  const { service, remove } = await openedStore('sqlite');
  const app = await serverOf(service);
  try {
    await app.ready();
    const unnamed = (path: string): string => path.replace(/:\w+|\{\w+\}/g, '{}');
    const registered = [...routesOf(app.printRoutes())]
      .filter(({ path }) => path.startsWith('/storefront'))
      .flatMap(({ path, methods }) => methods.map((method) => `${method} ${unnamed(path)}`))
      .filter((each) => !each.startsWith('HEAD ') && !UNDESCRIBED.includes(each));
    const described = operationsOf(documentOf('3.1.0')).map(
      ({ path, method }) => `${method.toUpperCase()} /storefront${unnamed(path)}`,
    );
    assert.deepEqual(registered.sort(), described.sort());
  } finally {
    await app.close();
    await remove();
  }
});

/** Creates the records of the examples. Each is the first of its resource. */
async function makeExamples(store: Store): Promise<void> {
  const { json: document } = await store.get('/api/openapi.json');
  const posts = new Map<string, Json>();
  for (const { path, method, operation } of operationsOf(document))
    if (method === 'post') posts.set(path, operation.requestBody?.content['application/json']?.examples.default.value);
  const make = async (path: string, more: Json = {}): Promise<Json> => {
    const template = path.replace('/1/', '/{product_id}/');
    return store.made(`/api${path}`, { ...posts.get(template), ...more });
  };
  await make('/categories');
  const sticker = await make('/stickers');
  // Without it, the store generates markup, which names the image.
  const og_meta_tags = '<meta property="og:title" content="T-shirt" />';
  await make('/products', { stickers: [sticker.id], og_meta_tags });
  // While the product has no variants, because an order would have to choose one.
  const customer = await make('/profiles');
  const order = await make('/orders', { customer_id: customer.id });
  await store.made(`/api/orders/${order.id}/tracking_numbers`, { value: '1Z999AA10123456784' });
  await make('/products/1/images');
  await store.made('/api/categories/1/products', { product_id: 1 });
  const attribute = async (name: string, ...values: string[]): Promise<void> => {
    const { id } = await store.made('/api/attributes_select', { name });
    for (const [index, value] of values.entries()) {
      const option = await store.made(`/api/attributes_select/${id}/options`, { value });
      const body = { option_id: option.id, is_default: index === 0 };
      await store.made(`/api/products/1/attributes_select/${id}/values`, body);
    }
  };
  await attribute('Size', 'Large', 'Small');
  await attribute('Material', 'Cotton');
  await make('/products/1/variants');
  await make('/coupons');
}

const METHODS = ['post', 'get', 'put', 'patch', 'delete'];

/** Posts make what other requests read, and the customer is deleted last. */
function rankOf({ path, method }: DescribedOperation): number {
  return METHODS.indexOf(method) + (method === 'delete' && path === '/me' ? 1 : 0);
}

/** Tokens of other requests are only in mails. Their tests are elsewhere. */
const isMailed = ({ path, operation }: DescribedOperation): boolean =>
  operation.responses[202] !== undefined || /^\/(?:account|password|order_links)\b/.test(path);

/** Replaces what differs between the example and the response: times and tokens. */
function comparable(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value)
      .replaceAll(/"\d{4}-\d\d-\d\dT[^"]+"/g, '"time"')
      .replaceAll(/"pv_c[st]_[^"]+"/g, '"token"')
      .replaceAll(/"id":\d+,"state"/g, '"id":1,"state"'),
  );
}

/** Headers that the introduction describes, or that HTTP defines for every response. */
const GENERAL = new Set([
  ...['access-control-allow-origin', 'access-control-expose-headers', 'x-request-id', 'x-content-type-options'],
  ...['cache-control', 'vary'],
  ...['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'content-encoding'],
]);

onOneDatabase('the documented storefront', { LANGUAGES: '', BASE_URL }, (store) => {
  let key: string;
  const document = documentOf('3.1.0');
  const check = schemaChecker(document);
  const visit = (path: string, headers: Record<string, string> = {}): Promise<HttpResponse> =>
    store.request('GET', path, { key: null, headers });
  const shop = (path: string, headers: Record<string, string> = {}): Promise<HttpResponse> =>
    store.request('GET', `/storefront${path}`, { key, headers });

  before(async () => {
    const body = { name: 'Shop', kind: 'publishable', origins: [BASE_URL] };
    key = (await store.made('/api/keys', body)).key;
    await makeExamples(store);
  });

  /** The header of the customer's session, while there is one. */
  let session: Record<string, string> | undefined;
  const useSession = ({ json }: HttpResponse): Record<string, string> => {
    session = { authorization: `Bearer ${json.token}` };
    return session;
  };
  const testedHere = operationsOf(document)
    .filter((described) => !isMailed(described))
    .sort((one, other) => rankOf(one) - rankOf(other));
  const login = testedHere.find(({ path }) => path === '/session')!;
  /** The headers of a request that needs a session. */
  const sessionFor = async ({ security }: Json): Promise<Record<string, string>> => {
    if (security.some((each: Json) => Object.keys(each).length === 1)) return {};
    return session ?? useSession(await send(login, {}));
  };
  /** The token of the last cart. */
  let cart = '';
  const addressOf = ({ path, operation }: Json): string => {
    const inPath = new Map(operation.parameters.map(({ name, example }: Json) => [`{${name}}`, example]));
    if (path.startsWith('/carts/')) inPath.set('{token}', cart);
    return path.replace(/\{\w+\}/g, (name: string) => String(inPath.get(name)));
  };
  const cartCreation = testedHere.find(({ path }) => path === '/carts')!;
  /** Creates the cart of the examples, which other requests have not changed yet. */
  const makeCart = async ({ path }: DescribedOperation): Promise<void> => {
    cart = (await send(cartCreation, {})).json.token;
    const body = { code: 'SUMMER10' };
    if (path.endsWith('/{code}')) await store.request('POST', `/storefront/carts/${cart}/coupons`, { key, body });
  };
  const send = (described: DescribedOperation, headers: Record<string, string>): Promise<HttpResponse> => {
    const { method, operation } = described;
    const body = operation.requestBody?.content['application/json'].examples.default.value;
    return store.request(method.toUpperCase(), `/storefront${addressOf(described)}`, { key, headers, body });
  };

  const assertDescribed = ({ responses }: Json, response: HttpResponse): void => {
    const { status, headers, text } = response;
    const [expected, { content, headers: named = {} }] = Object.entries<Json>(responses)[0]!;
    assert.equal(String(status), expected, text);
    if (content) {
      const { schema, example } = content['application/json'];
      const { json } = response;
      assert.equal(check(schema, json), undefined);
      assert.deepEqual(comparable(Array.isArray(json) ? json.slice(0, 1) : json), comparable(example));
    }
    const described = Object.keys(named).map((name) => name.toLowerCase());
    for (const name of Object.keys(headers)) assert.ok(GENERAL.has(name) || described.includes(name), name);
    if (!described.includes('cache-control')) assert.equal(headers['cache-control'], 'private, no-store');
    for (const name of described) assert.ok(headers[name] || name === 'set-cookie', name);
  };

  /** Checks the parameters and problems of a read. */
  const assertRead = async (described: DescribedOperation, etag: string, own: Record<string, string>) => {
    const { path, operation } = described;
    const address = addressOf(described);
    if (operation.responses[304]) {
      const { status, headers } = await shop(address, { ...own, 'if-none-match': etag });
      assert.equal(status, 304);
      for (const name of Object.keys(operation.responses[304].headers)) assert.ok(headers[name.toLowerCase()], name);
    }
    const inQuery: Json[] = operation.parameters.filter((each: Json) => each.in === 'query');
    for (const { name, example: value } of inQuery) {
      // The value of a parameter for several names is an object.
      const isNamed = typeof value === 'object' && !Array.isArray(value);
      const [[written, first]] = Object.entries<Json>(isNamed ? value : { [name]: value }) as [[string, Json]];
      const sent = encodeURIComponent(Array.isArray(first) ? first.join() : String(first));
      const others = name === 'state_name' ? 'country=US&' : '';
      const headers = name === 'for' ? await sessionFor({ security: [] }) : own;
      const filtered = await shop(`${address}?${others}${encodeURIComponent(written)}=${sent}`, headers);
      assert.equal(filtered.status, 200, `${name}: ${filtered.text}`);
    }
    const wrong = [await shop(`${address}?unknown=1`, own), await visit(`/storefront${address}`)];
    for (const { status, json, text } of wrong) {
      const problems = responseOf(operation, status).content['application/problem+json'];
      assert.equal(check(problems.schema, json), undefined, `${path} ${text}`);
    }
  };

  test('the described order of a link is what a link shows', async () => {
    const { operation } = operationsOf(document).find(({ path }) => path === '/order_links/{token}')!;
    const { schema, example } = operation.responses[200].content['application/json'];
    const shown = linkedOrder((await store.get('/api/orders/1')).json);
    assert.equal(check({ ...schema, unevaluatedProperties: false }, shown), undefined);
    assert.deepEqual(shown, example);
  });

  for (const described of testedHere)
    test(`${described.method.toUpperCase()} ${described.path} returns what the document says`, async () => {
      const own = await sessionFor(described.operation);
      if (described.path.startsWith('/carts/')) await makeCart(described);
      const response = await send(described, own);
      assertDescribed(described.operation, response);
      if (response.status === 204) session = undefined;
      else if (response.json.token && described.path !== '/carts') useSession(response);
      if (described.method === 'get') await assertRead(described, response.headers.etag as string, own);
    });

  test('the document and its page are public', async () => {
    for (const [asked, version] of [
      ['', '3.1.0'],
      ['?spec_version=3.0', '3.0.3'],
    ] as const) {
      const response = await visit(`/storefront/openapi.json${asked}`);
      assert.equal(response.status, 200);
      const { info, ...served } = response.json;
      const { info: _, ...expected } = documentOf(version);
      assert.deepEqual(served, JSON.parse(JSON.stringify(expected)));
      assert.match(info['x-purveyor-version'], /^\d/);
      const { etag, 'cache-control': caching } = response.headers;
      assert.equal(caching, 'public, no-cache');
      assert.equal((await visit(`/storefront/openapi.json${asked}`, { 'if-none-match': etag as string })).status, 304);
    }
    assertProblem(await visit('/storefront/openapi.json?group=Catalog'), 400, /spec_version/);
    assertProblem(await store.request('POST', '/storefront', { key: null }), 405);
    const page = await visit('/storefront', { accept: 'text/html' });
    assert.match(page.text, /<title>Storefront API<\/title>/);
    const files = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file!);
    assert.ok(files.length > 4);
    for (const file of files) assert.equal((await visit(`/${file}`)).status, 200, file);
    for (const { path, operation } of operationsOf(document))
      assert.ok(page.text.includes(`<td><code>${path}</code></td><td>${operation.summary}</td>`), path);
    assert.equal((await visit('/storefront')).json.openapi, '3.1.0');
  });
});
