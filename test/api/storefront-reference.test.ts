/** The OpenAPI document and the reference page of `/storefront`: complete, valid, and what the server really returns. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { validate } from '@scalar/openapi-parser';
import { storefrontDocument } from '../../src/describe/storefront.ts';
import { VIEWS } from '../../src/shop/storefront/views.ts';
import { storeModel } from '../../src/wiring/open.ts';
import type { HttpResponse } from '../support/client.ts';
import { assertProblem } from '../support/expect.ts';
import { serverOf } from '../support/injected-server.ts';
import { type Json, operationsOf, responseOf, schemaChecker } from '../support/openapi.ts';
import { openedStore } from '../support/opened-store.ts';
import { routesOf } from '../support/printed-routes.ts';
import { onOneDatabase, type Store } from '../support/store.ts';

const BASE_URL = 'https://shop.example';

const documentOf = (specVersion: '3.1.0' | '3.0.3'): Json =>
  storefrontDocument(storeModel(), VIEWS, { baseUrl: BASE_URL, programVersion: '0', specVersion });

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

/** The paths of customers are not described yet (storefront.md). */
const OF_CUSTOMERS = /^\/storefront\/(?:sessions?|me)(?:\/|$)/;

/** Paths that serve the description itself. */
const UNDESCRIBED = ['GET /storefront', 'GET /storefront/openapi.json'];

test('every route of the storefront is described, and every described one exists', async () => {
  const { service, remove } = await openedStore('sqlite');
  const app = await serverOf(service);
  try {
    await app.ready();
    const unnamed = (path: string): string => path.replace(/:\w+|\{\w+\}/g, '{}');
    const registered = [...routesOf(app.printRoutes())]
      .filter(({ path }) => path.startsWith('/storefront') && !OF_CUSTOMERS.test(path))
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
}

/** Headers that the introduction describes, or that HTTP defines for every response. */
const GENERAL = new Set([
  ...['access-control-allow-origin', 'access-control-expose-headers', 'x-request-id', 'x-content-type-options'],
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

  /** Their tests are elsewhere: the token of an example is not valid. */
  const isTestedHere = ({ path, method }: Json): boolean => method === 'get' && path !== '/order_links/{token}';

  for (const { path, method, operation } of operationsOf(document).filter(isTestedHere))
    test(`${method.toUpperCase()} ${path} returns what the document says`, async () => {
      const inPath = new Map(operation.parameters.map(({ name, example }: Json) => [`{${name}}`, example]));
      const address = path.replace(/\{\w+\}/g, (name) => String(inPath.get(name)));
      const { status, headers, json, text } = await shop(address);
      assert.equal(status, 200, text);
      const { schema, example } = operation.responses[200].content['application/json'];
      assert.equal(check(schema, json), undefined);
      assert.deepEqual(Array.isArray(example) ? json.slice(0, 1) : json, example);
      const described = Object.keys(operation.responses[200].headers).map((name) => name.toLowerCase());
      for (const name of Object.keys(headers)) assert.ok(GENERAL.has(name) || described.includes(name), name);
      for (const name of described) assert.ok(headers[name], name);
      const unchanged = await shop(address, { 'if-none-match': headers.etag as string });
      const ofUnchanged = Object.keys(operation.responses[304].headers).map((name) => name.toLowerCase());
      assert.equal(unchanged.status, 304);
      for (const name of ofUnchanged) assert.ok(unchanged.headers[name], name);
      const inQuery: Json[] = operation.parameters.filter((each: Json) => each.in === 'query');
      for (const { name, example: value } of inQuery) {
        const sent = encodeURIComponent(Array.isArray(value) ? value.join() : String(value));
        const others = name === 'state_name' ? 'country=US&' : '';
        const response = await shop(`${address}?${others}${encodeURIComponent(name)}=${sent}`);
        assert.equal(response.status, 200, `${name}: ${response.text}`);
      }
      for (const response of [await shop(`${address}?unknown=1`), await visit(`/storefront${address}`)]) {
        const problems = responseOf(operation, response.status).content['application/problem+json'];
        assert.equal(check(problems.schema, response.json), undefined, response.text);
      }
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
