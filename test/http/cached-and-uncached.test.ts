/**
 * A server with a cache and one without return the same bytes and headers at every path after every kind of write: a cached
 * response is never used after a write that changes it, directly or through other records.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { openApiDocument } from '../../src/describe/openapi.ts';
import type { Service } from '../../src/engine/unit/service.ts';
import { INJECT_KEY, serverOf } from '../support/injected-server.ts';
import type { Json } from '../support/openapi.ts';
import { openedStore } from '../support/opened-store.ts';
import { Records } from '../support/operation-records.ts';

/** After each write one in `STRIDE` responses is compared, in turn; after every `ALL_AFTER` writes all are. */
const STRIDE = 16;
const ALL_AFTER = 30;

const FORMS: readonly Readonly<Record<string, string>>[] = [
  {},
  { accept: 'application/ld+json' },
  { 'accept-language': 'de' },
];

// SQLite is enough: the dependencies come from the declarations, and other tests check that both databases report every change.
test('cached responses equal uncached ones at every path after every kind of write', async (context) => {
  const { service, remove } = await openedStore('sqlite');
  const cached = await serverOf(service);
  const uncached = await serverOf(service, { RESPONSE_CACHE_BYTES_MAX: '0' });
  try {
    const comparison = new Comparison(cached, uncached);
    const document = documentOf(service);
    const records = new Records(makerAt(cached), document);
    await comparison.find(records, document);
    await comparison.compareAll('at first');
    await comparison.compareAll('a second time');
    let [writes, done] = [0, 0];
    for (const [method, path] of writesOf(document)) {
      const { parameters, body } = await records.prepare(path, method);
      // If this path has a compared record, write that one.
      const url = comparison.urls.get(path) ?? urlOf(path, parameters);
      const { statusCode } = await cached.inject(requestOf(method, url, body));
      writes += 1;
      if (statusCode < 300) done += 1;
      const where = `after ${method} ${url}: ${statusCode}`;
      if (writes % ALL_AFTER === 0) await comparison.compareAll(where);
      else await comparison.compareSome(where, STRIDE, writes);
    }
    await comparison.compareAll('at the end');
    assert.ok(done > writes / 2, `${done} of ${writes} writes were done`);
    context.diagnostic(
      `${done} kinds of writes, ${comparison.urls.size} paths, ${comparison.compared} responses compared`,
    );
  } finally {
    await cached.close();
    await uncached.close();
    await remove();
  }
});

class Comparison {
  /** For each path with GET, the URL of a record or a collection. */
  readonly urls = new Map<string, string>();
  compared = 0;
  readonly #cached: FastifyInstance;
  readonly #uncached: FastifyInstance;

  constructor(cached: FastifyInstance, uncached: FastifyInstance) {
    this.#cached = cached;
    this.#uncached = uncached;
  }

  async find(records: Records, document: Json): Promise<void> {
    for (const [path, methods] of Object.entries<Json>(document.paths)) {
      if (!methods.get) continue;
      const { parameters } = await records.prepare(path, 'get');
      this.urls.set(path, urlOf(path, parameters));
    }
  }

  compareAll(where: string): Promise<void> {
    return this.compareSome(where, 1, 0);
  }

  async compareSome(where: string, stride: number, turn: number): Promise<void> {
    let index = turn;
    for (const url of this.urls.values())
      for (const headers of FORMS) {
        index += 1;
        if (index % stride === 0) await this.#compare(url, headers, where);
      }
  }

  async #compare(url: string, headers: Readonly<Record<string, string>>, where: string): Promise<void> {
    const request = { ...requestOf('get', url), headers: { 'x-auth-token': INJECT_KEY, ...headers } };
    const [one, other] = [await this.#cached.inject(request), await this.#uncached.inject(request)];
    this.compared += 1;
    const about = `GET ${url} ${JSON.stringify(headers)} ${where}`;
    assert.equal(one.statusCode, other.statusCode, about);
    // A problem names its own request.
    if (one.statusCode !== 200) return;
    assert.equal(one.body, other.body, about);
    const own = { date: '', 'x-request-id': '' };
    assert.deepEqual({ ...one.headers, ...own }, { ...other.headers, ...own }, about);
  }
}

/** All writes: creating and changing ones first, then deletions. */
function writesOf(document: Json): [method: string, path: string][] {
  const writes = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => ['post', 'put', 'patch', 'delete'].includes(method))
      .map((method): [string, string] => [method, path]),
  );
  // Parts are deleted before their owners.
  const depth = (path: string): number => path.split('/').length;
  const removals = writes.filter(([method]) => method === 'delete').sort(([, a], [, b]) => depth(b) - depth(a));
  return [...writes.filter(([method]) => method !== 'delete'), ...removals];
}

function documentOf({ model }: Service): Json {
  return openApiDocument(model, { baseUrl: '', programVersion: 'test', specVersion: '3.1.0' }) as Json;
}

function urlOf(path: string, parameters: Readonly<Record<string, string>>): string {
  return `/api${path.replace(/\{(\w+)\}/g, (_, name) => parameters[name]!)}`;
}

function requestOf(method: string, url: string, body?: unknown): InjectOptions {
  const headers = { 'x-auth-token': INJECT_KEY, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  return {
    method: method as 'GET',
    url,
    headers,
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  };
}

/** Creates records through the server. */
function makerAt(app: FastifyInstance): ConstructorParameters<typeof Records>[0] {
  const send = async (method: string, path: string, body?: unknown) => {
    const { statusCode, headers, body: text, rawPayload } = await app.inject(requestOf(method, path, body));
    return {
      status: statusCode,
      headers: headers as Record<string, string>,
      text,
      bytes: rawPayload,
      get json() {
        return JSON.parse(text);
      },
    };
  };
  return {
    get: (path) => send('get', path),
    post: (path, body) => send('post', path, body),
    put: (path, body) => send('put', path, body),
    delete: (path) => send('delete', path),
    async made(path, body) {
      const response = await send('post', path, body);
      assert.equal(response.status, 201, response.text);
      return response.json;
    },
  };
}
