/**
 * Every example of the reference is what the shown request gets: a store is made of the examples, the request of each
 * operation is sent as the document shows it, and the answer is the document's, but for moments.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ExampleEnvironment } from '../support/example-environment.ts';
import { LINES } from '../support/lines.ts';
import { type Json, operationsOf } from '../support/openapi.ts';
import { Store } from '../support/store.ts';

/** With one address for all stores, so that they have one document. */
const SETTINGS = { LANGUAGES: '', BASE_URL: 'https://shop.example' };

const document = await documentOfAStore();
const METHODS = ['post', 'get', 'patch', 'put', 'delete'];
/** Bodies of lines are written out in test/api/bulk.test.ts. Figures of the day are of the day on which they are read. */
const exampled = operationsOf(document).filter(
  ({ path, operation }) => !operation.requestBody?.content[LINES] && path !== '/statistics',
);
const byPath = Map.groupBy(exampled, ({ path }) => path);

describe('examples of the reference', { concurrency: 2 }, () => {
  for (const [path, operations] of byPath)
    test(path, async () => {
      const store = new Store('sqlite', SETTINGS);
      await store.start();
      try {
        const environment = new ExampleEnvironment(store, document);
        operations.sort((one, other) => METHODS.indexOf(one.method) - METHODS.indexOf(other.method));
        for (const { method, operation } of operations) {
          const [status, success] = Object.entries<Json>(document.paths[path][method].responses)[0]!;
          for (const type of ['application/ld+json', 'application/json']) {
            // A second POST would be another record, or refused; a second DELETE a 404.
            if (type === 'application/ld+json' && method !== 'get' && method !== 'put') continue;
            if (success.content && !success.content[type]) continue;
            const address = await environment.prepare(path, method);
            const body = environment.exampleOf(path, method);
            const headers = type === 'application/json' ? {} : { accept: type };
            const answer = await store.request(method.toUpperCase(), address, body ? { body, headers } : { headers });
            assert.equal(answer.status, Number(status), `${method} ${address} ${answer.text}`);
            if (method === 'post' && answer.headers.location) environment.register(path, answer.headers.location);
            if (success.content === undefined) continue;
            const shown = comparable(success.content[type].example);
            const got = likeTheExample(comparable(answer.json), shown);
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

test('JSON is the first of every answer’s types', () => {
  for (const { path, method, operation } of exampled)
    for (const [status, { content }] of Object.entries<Json>(operation.responses))
      if (content && !('$ref' in content))
        assert.equal(Object.keys(content)[0], 'application/json', `${method} ${path} ${status}`);
});

async function documentOfAStore(): Promise<Json> {
  const store = new Store('sqlite', SETTINGS);
  await store.start();
  const { json } = await store.get('/api/openapi.json');
  await store.stop();
  return json;
}

/** A list has one record in the example, also where every store begins with some, and one of the ways to search it. */
function likeTheExample(got: Json, shown: Json): Json {
  if (Array.isArray(shown)) {
    assert.equal(shown.length, 1);
    return got.filter((record: Json) => isSameRecord(record, shown[0]));
  }
  if (shown['hydra:member'] === undefined) return got;
  assert.ok(got['hydra:totalItems'] >= shown['hydra:totalItems']);
  const [way] = shown['hydra:search']['hydra:mapping'];
  assert.ok(
    !way || got['hydra:search']['hydra:mapping'].some((each: Json) => JSON.stringify(each) === JSON.stringify(way)),
  );
  return {
    ...got,
    'hydra:member': likeTheExample(got['hydra:member'], shown['hydra:member']),
    'hydra:totalItems': shown['hydra:totalItems'],
    'hydra:search': shown['hydra:search'],
  };
}

function isSameRecord(one: Json, other: Json): boolean {
  return ['@id', 'id', 'code', 'product_id'].every((name) => one[name] === other[name]);
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+\d\d:\d\d$/;

const OWN = new Map([
  ['profile_name', 'a key'],
  ['cursor', 'a cursor'],
  // The example's address takes nothing, sooner or later.
  ['message_id', 'an id'],
  ['attempts', 'attempts'],
  ['key', 'a key'],
]);

/** Moments, the name that a key has in this store, and cursors of its feed are the answer's own. */
function comparable(value: Json): Json {
  if (typeof value === 'string' && value.startsWith('whsec_')) return 'a secret';
  if (typeof value === 'string') return MOMENT.test(value) ? 'a moment' : value;
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  if (value.message_id !== undefined && value.status !== 'a status')
    return comparable({ ...value, status: 'a status' });
  return Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, OWN.get(name) ?? comparable(inside)]));
}
