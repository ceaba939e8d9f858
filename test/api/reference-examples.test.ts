/**
 * The examples of the reference are real: the test creates a store from the examples, sends each request as
 * documented, and compares the response with the documented one except for timestamps.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ExampleEnvironment, FAILING_MAILS } from '../support/example-environment.ts';
import { LINES } from '../support/lines.ts';
import { expanded, type Json, operationsOf } from '../support/openapi.ts';
import { Store } from '../support/store.ts';

/** The same base address for all stores, so that their documents are equal. */
const SETTINGS = { LANGUAGES: '', BASE_URL: 'https://shop.example', ...FAILING_MAILS };

const document = await documentOfAStore();
const OTHERS = new Set(['/statistics', '/feeds', '/scopes']);
const METHODS = ['post', 'get', 'patch', 'put', 'delete'];
/**
 * Links are random, and these paths need the session of a user: test/http/users.test.ts covers them. Hashes of the audit are
 * random too: test/api/audit.test.ts.
 */
const ELSEWHERE = /^\/users\/(?:me\b|\{id\}\/)|^\/audit\b|\/(?:audit|restore)$/;
/**
 * test/api/bulk.test.ts covers bodies of JSON Lines. Statistics depend on the current day, feeds and files on the settings. The
 * list of all scopes is long.
 */
const documented = operationsOf(document).filter(
  ({ path, operation }) =>
    !operation.requestBody?.content[LINES] && !OTHERS.has(path) && !ELSEWHERE.test(path) && !path.endsWith('/file'),
);
const byPath = Map.groupBy(documented, ({ path }) => path);

/** Media types and tags with at least one compared example. */
const compared = new Set<string>();

describe('examples of the reference', { concurrency: 2 }, () => {
  for (const [path, operations] of byPath)
    test(`the examples of ${path} equal the real responses`, async () => {
      const store = new Store('sqlite', SETTINGS);
      await store.start();
      try {
        const environment = new ExampleEnvironment(store, document);
        operations.sort((one, other) => METHODS.indexOf(one.method) - METHODS.indexOf(other.method));
        for (const { method, operation } of operations) {
          const { responses } = document.paths[path][method];
          // Of two successes, the first is that of a dry run.
          const [status, success] = Object.entries<Json>(responses).findLast(([each]) => each.startsWith('2'))!;
          for (const type of ['application/ld+json', 'application/json']) {
            // A second POST would create another record or be rejected; a second DELETE would return 404.
            if (type === 'application/ld+json' && method !== 'get' && method !== 'put') continue;
            if (success.content && !success.content[type]) continue;
            const address = await environment.prepare(path, method);
            const body = environment.exampleOf(path, method);
            const headers = type === 'application/json' ? {} : { accept: type };
            const response = await store.request(method.toUpperCase(), address, body ? { body, headers } : { headers });
            assert.equal(response.status, Number(status), `${method} ${address} ${response.text}`);
            if (method === 'post' && response.headers.location) environment.register(path, response.headers.location);
            if (success.content === undefined) continue;
            const { example } = success.content[type];
            // Paths with the same output share the JSON-LD example of the first one, whose addresses differ.
            const json = path.startsWith('/keys') ? withExampleId(response.text) : response.json;
            if (json['@id'] !== example['@id']) continue;
            compared.add(`${type} ${operation.tags[0]}`);
            const shown = comparable(example);
            const got = reduceToExample(comparable(json), shown);
            const where = `${operation.operationId} ${type}`;
            assert.deepEqual(got, shown, where);
            assert.equal(JSON.stringify(got), JSON.stringify(shown), `the order of ${where}`);
          }
        }
      } finally {
        await store.stop();
      }
    });
});

test('the JSON-LD example of every kind of record equals a real response', () => {
  for (const { operation, method } of documented) {
    const linked = Object.values<Json>(operation.responses)[0].content?.['application/ld+json'];
    if (method === 'get' && linked?.example?.['@id'])
      assert.ok(compared.has(`application/ld+json ${operation.tags[0]}`), operation.operationId);
  }
});

test('JSON is the first media type of every response', () => {
  for (const { path, method, operation } of documented)
    for (const [status, { content }] of Object.entries<Json>(operation.responses))
      if (content && status.startsWith('2'))
        assert.equal(Object.keys(content)[0], 'application/json', `${method} ${path} ${status}`);
});

/** The ids of new keys are random (version 4). */
function withExampleId(text: string): Json {
  const { id } = document.paths['/keys'].post.responses['201'].content['application/json'].example;
  return JSON.parse(text.replace(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, id));
}

async function documentOfAStore(): Promise<Json> {
  const store = new Store('sqlite', SETTINGS);
  await store.start();
  const { json } = await store.get('/api/openapi.json');
  await store.stop();
  return expanded(json);
}

/**
 * Reduces a response to the parts in the example: one record of a list, also if new stores contain others, without the
 * links to pages and the search parameters.
 */
function reduceToExample(got: Json, shown: Json): Json {
  if (Array.isArray(shown)) {
    assert.equal(shown.length, 1);
    return got.filter((record: Json) => isSameRecord(record, shown[0]));
  }
  // Audit entries of a person have random hashes.
  if (shown.records)
    return { ...got, records: got.records.filter((each: Json) => !each.path.startsWith('/api/audit/')) };
  if (shown['hydra:member'] === undefined) return got;
  assert.ok(got['hydra:totalItems'] >= shown['hydra:totalItems']);
  const { 'hydra:view': view, 'hydra:search': search, ...page } = got;
  // Lists that a view returns have no pages.
  assert.ok((view?.['hydra:first'] && search['hydra:mapping']) || /\/(?:price_history|coverage)$/.test(got['@id']));
  return {
    ...page,
    'hydra:member': reduceToExample(got['hydra:member'], shown['hydra:member']),
    'hydra:totalItems': shown['hydra:totalItems'],
  };
}

function isSameRecord(one: Json, other: Json): boolean {
  return ['@id', 'id', 'code', 'product_id', 'name', 'language'].every((name) => one[name] === other[name]);
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+\d\d:\d\d$/;

const REPLACED = new Map([
  ['profile_name', 'a key'],
  ['cursor', 'a cursor'],
  // Deliveries to the address of the example fail after a varying number of attempts.
  ['message_id', 'an id'],
  ['attempts', 'attempts'],
  ['key', 'a key'],
  // The input of a calculation contains its time and the whole product.
  ['input', 'an input'],
]);

/** Replaces values that differ by store: timestamps, key names and cursors. */
function comparable(value: Json): Json {
  if (typeof value === 'string' && value.startsWith('whsec_')) return 'a secret';
  if (typeof value === 'string') return TIMESTAMP.test(value) ? 'a timestamp' : value;
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  if (value.message_id !== undefined && value.status !== 'a status')
    return comparable({ ...value, status: 'a status' });
  return Object.fromEntries(
    Object.entries(value).map(([name, inside]) => [name, REPLACED.get(name) ?? comparable(inside)]),
  );
}
