/** The public paths under `/api`: the documents, the page and its files, the pages of the problems. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { problemTypes } from '../../src/engine/errors.ts';
import type { RequestOptions } from '../support/client.ts';
import { assertProblem } from '../support/expect.ts';
import { expanded, type Json, operationsOf, resolved, responseOf, schemaChecker } from '../support/openapi.ts';
import { nameItems } from '../support/order-parts.ts';
import { Store } from '../support/store.ts';

const store = new Store('sqlite');
const decoded = (html: string): string =>
  html.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');
describe('API reference', () => {
  before(() => store.start());
  after(() => store.stop());

  /** As a visitor without a key. */
  function visit(path: string, headers: RequestOptions['headers'] = {}, method = 'GET') {
    return store.request(method, path, { key: null, headers });
  }

  describe('GET /api', () => {
    for (const accept of [undefined, '*/*', 'application/json', 'application/vnd.openapi+json'])
      test(`returns the OpenAPI document for Accept ${accept ?? '(absent)'}`, async () => {
        const response = await visit('/api', { accept });
        assert.equal(response.status, 200);
        const type = accept === 'application/vnd.openapi+json' ? accept : 'application/json';
        assert.equal(response.headers['content-type'], `${type}; charset=utf-8`);
        const { openapi, info, servers } = response.json;
        assert.equal(openapi, '3.1.0');
        assert.equal(info.version, '5.5.1');
        assert.match(info['x-purveyor-version'], /^\d+\.\d+\.\d+/);
        assert.equal(servers[0].url, `${store.address}/api`);
      });

    for (const accept of ['text/html', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'])
      test(`returns the reference page for Accept ${accept}`, async () => {
        const response = await visit('/api', { accept });
        assert.equal(response.status, 200);
        assert.equal(response.headers['content-type'], 'text/html; charset=utf-8');
        assert.match(response.text, /<title>Store REST API<\/title>/);
      });

    test('/api/docs returns the same as /api', async () => {
      for (const accept of [undefined, 'application/vnd.openapi+json', 'application/ld+json']) {
        const [response, old] = [await visit('/api', { accept }), await visit('/api/docs', { accept })];
        assert.deepEqual([old.status, old.text], [200, response.text]);
        assert.equal(old.headers['content-type'], response.headers['content-type']);
      }
      assertProblem(await visit('/api/docs', {}, 'POST'), 405);
      assertProblem(await visit('/api/docs?page=1'), 400, /page/);
    });

    test('the files of the reference page are found from /api and from /api/docs', async () => {
      for (const path of ['/api', '/api/docs']) {
        const { text, headers } = await visit(path, { accept: 'text/html' });
        assert.equal(headers['content-type'], 'text/html; charset=utf-8');
        const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file!);
        assert.ok(files.length > 4);
        const admin = path === '/api' ? 'admin' : '../admin';
        assert.ok(files.includes(admin), 'the way to the admin page, which has files of its own');
        for (const file of files.filter((each) => each !== admin)) {
          const { pathname, search } = new URL(file, `${store.address}${path}`);
          assert.equal((await visit(`${pathname}${search}`)).status, 200, file);
        }
      }
    });

    test('the page lists every operation before its scripts are loaded', async () => {
      const { json } = await visit('/api/openapi.json');
      for (const path of ['/api', '/api/docs']) {
        const { text } = await visit(path, { accept: 'text/html' });
        const rows = [
          ...text.matchAll(/<tr><td><code>(\w+)<\/code><\/td><td><code>([^<]+)<\/code><\/td><td>(.+?)<\/td>/g),
        ];
        const listed = rows.map(([, method, address, summary]) => `${method} ${address} ${summary}`).sort();
        const described = operationsOf(json).map(
          ({ method, path: address, operation }) => `${method.toUpperCase()} ${address} ${operation.summary}`,
        );
        assert.deepEqual(listed.map(decoded), described.sort());
      }
    });

    test('returns 406 with the available types for another Accept', async () => {
      const response = await visit('/api', { accept: 'text/csv' });
      assertProblem(response, 406, /application\/json, application\/vnd\.openapi\+json, text\/html/);
    });

    test('rejects query parameters with 400', async () => {
      assertProblem(await visit('/api?spec_version=3'), 400, /spec_version/);
    });
  });

  describe('OpenAPI documents', () => {
    for (const path of ['/api/openapi.json', '/api/docs.json']) {
      for (const [asked, version] of [
        ['', '3.1.0'],
        ['?spec_version=3.1', '3.1.0'],
        ['?spec_version=3.1.0', '3.1.0'],
        ['?spec_version=3', '3.0.3'],
        ['?spec_version=3.0', '3.0.3'],
        ['?spec_version=3.0.3', '3.0.3'],
      ])
        test(`${path}${asked} returns OpenAPI ${version}`, async () => {
          const response = await visit(`${path}${asked}`);
          assert.equal(response.status, 200);
          assert.equal(response.headers['content-type'], 'application/json; charset=utf-8');
          assert.equal(response.json.openapi, version);
        });

      for (const query of ['spec_version=2', 'spec_version=', 'spec_version=3.1.1', 'spec_version[]=3', 'version=3'])
        test(`${path}?${query} returns 400`, async () => {
          assertProblem(await visit(`${path}?${query}`), 400, /spec_version/);
        });

      test(`${path} rejects a repeated parameter and an unavailable format`, async () => {
        assertProblem(await visit(`${path}?spec_version=3&spec_version=3.1`), 400, /more than once/);
        assertProblem(await visit(path, { accept: 'text/html' }), 406);
      });
    }

    test('returns the documents with Cache-Control: no-cache, and 304 for their ETag', async () => {
      for (const path of ['/api', '/api/openapi.json', '/api/openapi.json?spec_version=3.0.3']) {
        const { headers } = await visit(path);
        assert.equal(headers['cache-control'], 'public, no-cache');
        assert.match(headers.etag!, /^"[\w-]{22}"$/);
        const again = await visit(path, { 'if-none-match': headers.etag! });
        assert.equal(again.status, 304);
        assert.equal(again.text, '');
        assert.equal(again.headers.etag, headers.etag);
      }
    });

    test('are sent compressed, in less than an eighth of their size', async () => {
      for (const version of ['3.1', '3.0.3']) {
        const path = `/api/openapi.json?spec_version=${version}`;
        const plain = await visit(path);
        for (const [coding, decode] of [
          ['gzip', gunzipSync],
          ['br', brotliDecompressSync],
          ['zstd', zstdDecompressSync],
        ] as const) {
          const compressed = await visit(path, { 'accept-encoding': coding });
          assert.equal(compressed.headers['content-encoding'], coding);
          assert.ok(compressed.bytes.length < plain.bytes.length / 8, `${coding}: ${compressed.bytes.length} bytes`);
          assert.ok(decode(compressed.bytes).equals(plain.bytes));
          const again = await visit(path, { 'if-none-match': compressed.headers.etag!, 'accept-encoding': coding });
          assert.equal(again.status, 304);
        }
      }
    });

    for (const path of ['/api/openapi.json', '/api/docs.json'])
      test(`${path} returns one group of the document`, async () => {
        const { json: whole, bytes } = await visit(path);
        for (const { name, tags } of whole['x-tagGroups']) {
          const response = await visit(`${path}?group=${name}&spec_version=3.0.3`);
          assert.equal(response.status, 200, response.text);
          assert.equal(response.json.openapi, '3.0.3');
          assert.ok(response.bytes.length < bytes.length * 0.6, `${name}: ${response.bytes.length} bytes`);
          const used = new Set<string>(operationsOf(response.json).map(({ operation }) => operation.tags[0]));
          for (const tag of tags) assert.ok(used.has(tag), `${name} ${tag}`);
          const cached = await visit(`${path}?group=${name}&spec_version=3.0.3`, {
            'if-none-match': response.headers.etag!,
          });
          assert.equal(cached.status, 304);
        }
        for (const group of ['catalog', '', 'Products', 'Catalog,Orders'])
          assertProblem(
            await visit(`${path}?group=${group}`),
            400,
            /"group" should be one of Catalog, Orders, Profiles, Pricing, Store, Webhooks/,
          );
        assertProblem(await visit(`${path}?group=Catalog&group=Orders`), 400, /"group" is given more than once/);
      });

    test('ignore unknown parameters in lenient mode only', async () => {
      for (const path of ['/api', '/api/openapi.json', '/api/docs.jsonld']) {
        assertProblem(await visit(`${path}?colour=blue`), 400, /Unknown parameter "colour"/);
        const lenient = await visit(`${path}?colour=blue`, { prefer: 'handling=lenient' });
        assert.equal(lenient.status, 200, path);
        assert.equal(lenient.text, (await visit(path)).text, path);
      }
      const lenient = { prefer: 'handling=lenient' };
      assert.equal((await visit('/api/docs.json?spec_version=3.1&spec_version=3', lenient)).json.openapi, '3.0.3');
      assertProblem(await visit('/api/docs.json?group=x', lenient), 400, /"group" should be one of/);
    });

    test('returns no body for HEAD and 405 for write methods', async () => {
      const head = await visit('/api/openapi.json', {}, 'HEAD');
      assert.equal(head.status, 200);
      assert.equal(head.text, '');
      for (const path of ['/api', '/api/openapi.json', '/api/docs.json', '/api/_reference/scalar.js'])
        for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
          const response = await store.request(method, path);
          assertProblem(response, 405);
          assert.equal(response.headers.allow, 'GET, HEAD, OPTIONS');
        }
    });
  });

  describe('reference page', () => {
    test('allows connections only to its own host and names no other host', async () => {
      const { text, headers } = await visit('/api', { accept: 'text/html' });
      const policy = headers['content-security-policy'] as string;
      assert.match(policy, /default-src 'none'/);
      assert.match(policy, /script-src 'self';/);
      assert.match(policy, /connect-src 'self';/);
      assert.doesNotMatch(policy, /https?:|\*|unsafe-eval/);
      assert.doesNotMatch(text, /https?:\/\//);
    });

    test('returns every file of the reference page', async () => {
      const { text } = await visit('/api', { accept: 'text/html' });
      const addresses = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address]) => address!);
      assert.ok(addresses.length > 5);
      for (const address of addresses.filter((each) => each !== 'admin')) {
        const { status, headers } = await visit(new URL(address, 'http://store/api').href.replace('http://store', ''));
        assert.equal(status, 200, address);
        assert.equal(headers['cache-control'], 'public, no-cache');
      }
    });

    test('returns the script compressed if the browser accepts gzip', async () => {
      const plain = await visit('/api/_reference/scalar.js');
      const compressed = await visit('/api/_reference/scalar.js', { 'accept-encoding': 'gzip, br' });
      assert.equal(plain.headers['content-encoding'], undefined);
      assert.equal(compressed.headers['content-encoding'], 'gzip');
      assert.match(compressed.headers.vary!, /Accept-Encoding/);
      assert.notEqual(compressed.headers.etag, plain.headers.etag);
      assert.ok(gunzipSync(compressed.bytes).equals(plain.bytes));
      assert.match(plain.headers['content-type']!, /^text\/javascript/);
    });

    test('returns 404 for other files under /api/_reference', async () => {
      for (const path of ['/api/_reference/page.html', '/api/_reference/..%2freference.ts'])
        assertProblem(await visit(path), 404);
    });
  });

  describe('pages of problem types', () => {
    test('every problem type has a page and a link in the list', async () => {
      const list = await visit('/api/_reference/problems', { accept: 'text/html' });
      assert.equal(list.status, 200);
      for (const [type, { status, title }] of Object.entries(problemTypes)) {
        const page = await visit(`/api/_reference/problems/${type}`);
        assert.equal(page.status, 200);
        assert.match(page.headers['content-type']!, /^text\/html/);
        assert.ok(page.text.includes(title) && page.text.includes(String(status)), type);
        assert.ok(list.text.includes(`href="problems/${type}"`), type);
      }
    });

    test('the type of a problem response is the address of its page', async () => {
      const { json } = await visit('/api/products');
      assert.match((await visit(json.type.slice(store.address.length))).text, /X-Auth-Token/);
      const { json: document } = await visit('/api/openapi.json');
      for (const { operation } of operationsOf(document))
        for (const response of Object.values<Json>(operation.responses)) {
          const problem = resolved(document, response).content?.['application/problem+json'];
          if (problem)
            assert.equal(
              (await visit(problem.example.type.slice(store.address.length))).status,
              200,
              problem.example.type,
            );
        }
    });
  });

  describe('conformance to the OpenAPI document', () => {
    let document: Json;
    let check: ReturnType<typeof schemaChecker>;
    before(async () => {
      document = expanded((await visit('/api/openapi.json')).json);
      check = schemaChecker(document);
    });

    /** The status, body and headers of the response are described. */
    function assertDescribed(path: string, method: string, response: Json): void {
      const where = `${method} ${path} ${response.status} ${response.text}`;
      const described = responseOf(document.paths[path][method.toLowerCase()], response.status);
      assert.ok(described, where);
      const [type] = (response.headers['content-type'] ?? '').split(';');
      assert.equal(Boolean(described.content), response.text !== '', where);
      if (described.content) assert.equal(check(described.content[type].schema, response.json), undefined, where);
    }

    /** How many records were made; what must be unique has the number in it. */
    let made = 0;

    const exampleOf = (operation: Json): Json =>
      operation.requestBody.content['application/json'].examples.default.value;

    const unique = (body: Json): Json => (body.name ? { ...body, name: `${body.name} again ${made}` } : body);

    /** The example of a POST, made unique, and naming records that are there. */
    async function bodyOf(path: string, url: string): Promise<Json> {
      made += 1;
      const body = structuredClone(exampleOf(document.paths[path].post));
      await nameItems(store, url, body);
      if (path === '/languages') body.code = `x${String.fromCharCode(96 + (made % 26))}`;
      if (path.endsWith('_statuses')) body.code = `x${made}`.slice(-4);
      if (body.items) body.items = [{ ...body.items[0], product_id: Number(await make('/products')) }];
      if (body.sku) body.sku = `${body.sku}-${made}`;
      if (body.clean_url) body.clean_url = `${body.clean_url}-${made}`;
      if (body.name) body.name = `${body.name} ${made}`;
      if (body.product_id) body.product_id = Number(await make('/products'));
      if (body.zone_id) body.zone_id = Number(await make('/zones'));
      if (body.option_id) {
        const attribute = url.slice(0, url.lastIndexOf('/'));
        const own = attribute.replace(/^\/products\/\d+(?=\/attributes_hidden)/, '');
        const option = await store.post(`/api${own}/options`, { value: `Option ${made}` });
        assert.equal(option.status, 201, option.text);
        body.option_id = option.json.id;
      }
      if (body.attribute_select_values) {
        const attributes = `/api${url.replace('variants', 'attributes_select')}`;
        const { id } = await store.made(attributes, { name: 'Size' });
        const option = await store.made(`${attributes}/${id}/options`, { value: 'M' });
        body.attribute_select_values = [(await store.made(`${attributes}/${id}/values`, { option_id: option.id })).id];
      }
      return body;
    }

    /** Makes a record with the path's example, and whatever its path needs first. @returns its identifier */
    async function make(path: string): Promise<string> {
      const url = await resolve(path);
      const created = await store.post(`/api${url}`, await bodyOf(path, url));
      assert.equal(created.status, 201, `${path} ${created.text}`);
      return created.headers.location!.split('/').at(-1)!;
    }

    /** The path with identifiers of new records for its parameters. */
    async function resolve(path: string): Promise<string> {
      let url = '';
      let template = '';
      for (const segment of path.split('/').slice(1)) {
        const isParameter = segment.startsWith('{');
        // Attributes below a product may be global ones, which are made elsewhere.
        const kind = template.split('/').at(-1)!;
        const isOwn = document.paths[template]?.post !== undefined;
        const parent =
          isParameter &&
          (isOwn ? await makeAt(template, url) : await make(kind === 'attributes' ? '/attributes_text' : `/${kind}`));
        url += `/${parent || segment}`;
        template += `/${segment}`;
      }
      return url;
    }

    async function makeAt(template: string, url: string): Promise<string> {
      const created = await store.post(`/api${url}`, await bodyOf(template, url));
      assert.equal(created.status, 201, `${template} ${created.text}`);
      return created.headers.location!.split('/').at(-1)!;
    }

    test('the server accepts every example, and every response matches the document', async () => {
      for (const [path, { post, get }] of Object.entries<Json>(document.paths)) {
        // An action is tried with its record.
        if (!post || !get) continue;
        // Keys have no account; `users.test.ts` sends these requests in sessions.
        if (path.startsWith('/users/me/')) continue;
        const url = await resolve(path);
        const created = await store.post(`/api${url}`, await bodyOf(path, url));
        assert.equal(created.status, 201, `${path} ${created.text}`);
        assertDescribed(path, 'POST', created);
        assertDescribed(path, 'POST', await store.post(`/api${url}`, { no: 1 }));
        assertDescribed(path, 'GET', await store.get(`/api${url}`));

        const address = created.headers.location!.slice(store.address.length);
        const isItem = (each: string): boolean =>
          each.startsWith(`${path}/{`) && !each.slice(path.length + 1).includes('/');
        const item = Object.keys(document.paths).find(isItem) ?? path;
        const { put, patch, delete: remove } = document.paths[item];
        const read = await store.get(address);
        assertDescribed(item, 'GET', read);
        assertDescribed(item, 'GET', await store.get(address, { 'if-none-match': read.headers.etag! }));
        if (put) {
          const written = Object.keys(exampleOf(put));
          const body = Object.entries(await bodyOf(path, url)).filter(([name]) => written.includes(name));
          const replaced = await store.put(address, Object.fromEntries(body));
          assertDescribed(item, 'PUT', replaced);
          assert.equal(replaced.status, 200, `${item} ${replaced.text}`);
        }
        for (const type of Object.keys(patch?.requestBody.content ?? {})) {
          if (type === 'multipart/form-data') continue;
          const example = exampleOf(patch);
          const patched = await store.patch(address, example.option_id || example.zone_id ? {} : unique(example), {
            'content-type': type,
          });
          assert.equal(patched.status, 200, `${item} ${patched.text}`);
          assertDescribed(item, 'PATCH', patched);
        }
        if (patch) assertDescribed(item, 'PATCH', await store.patch(address, {}, { 'if-match': '"0-other"' }));
        for (const [method, action] of [
          ['post', 'stock'],
          ['put', 'move'],
          ['put', 'payment_status'],
          ['put', 'shipping_status'],
        ] as const) {
          const operation = document.paths[`${item}/${action}`]?.[method];
          if (!operation) continue;
          const body = { ...exampleOf(operation) };
          delete body.parent;
          assertDescribed(`${item}/${action}`, method.toUpperCase(), await store[method](`${address}/${action}`, body));
        }
        for (const view of ['stats', 'payment_status', 'shipping_status'])
          if (document.paths[`${item}/${view}`])
            assertDescribed(`${item}/${view}`, 'GET', await store.get(`${address}/${view}`));
        if (!remove) continue;
        assertDescribed(item, 'DELETE', await store.delete(address));
        assertDescribed(item, 'DELETE', await store.delete(address));
        assertDescribed(item, 'GET', await visit(address));
      }
    });

    test('the server accepts every documented collection parameter with its example', async () => {
      await store.product({ clean_url: 't-shirt' });
      for (const { path, method, operation } of operationsOf(document)) {
        if (method !== 'get' || path.endsWith('}')) continue;
        for (const parameter of operation.parameters) {
          // Only the store can make a cursor.
          if (parameter.in !== 'query' || parameter.name === 'cursor') continue;
          const needed = /Needs `(.+?)`/.exec(parameter.description)?.[1];
          const others = operation.parameters.filter(({ name }: { name: string }) => name === needed);
          const sent = [parameter, ...others].flatMap(({ name, example }) =>
            // The members of an object are parameters of their own.
            typeof example === 'object' && !Array.isArray(example) && path.startsWith('/products')
              ? Object.entries<string>(example)
              : [example].flat().map((value) => [name, value]),
          );
          const query = new URLSearchParams(sent).toString();
          const response = await store.get(`/api${path.replaceAll(/\{\w+\}/g, '1')}?${query}`);
          // There may be no record of that identifier above it; then it is refused for that.
          if (!path.includes('{')) assert.equal(response.status, 200, `${path}?${query} ${response.text}`);
          else assert.doesNotMatch(response.text, /parameter/, `${path}?${query}`);
        }
      }
    });
  });
});
