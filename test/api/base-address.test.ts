/** The base address in responses: the configured one, or the one of each request (configuration.md). */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { fastify } from 'fastify';
import { sha256 } from '../../src/adapters/secrets/sha256.ts';
import { callableAddress } from '../../src/cli/own-address.ts';
import { serve } from '../../src/cli/serve.ts';
import type { AttachmentReader, Database, ImageDecoder, ImageStore, Secrets } from '../../src/engine/ports.ts';
import { createService, type Service } from '../../src/engine/unit/service.ts';
import { addressing } from '../../src/http/server/base-address.ts';
import { readConfig } from '../../src/wiring/config.ts';
import { environmentOf, storeModel } from '../../src/wiring/open.ts';
import { freshDatabase } from '../support/databases.ts';
import { assertProblem } from '../support/expect.ts';
import { attached, png } from '../support/images.ts';
import { head, sendRaw } from '../support/raw-request.ts';
import { onOneDatabase, READ_WRITE_KEY, type Settings, type Store } from '../support/store.ts';

/** A name of 127.0.0.1 that the store treats as reachable from other machines. */
const ELSEWHERE = { HOST: '127.1' };

/** The store of these settings reads nothing of the provider before the first sign-in. */
const OIDC_ONLY = {
  OIDC_ISSUER: 'https://id.example',
  OIDC_CLIENT_ID: 'shop',
  OIDC_CLIENT_SECRET: 'secret',
  OIDC_ONLY: '1',
};

/** Asserts that every address of the store in responses begins with `base`. */
async function assertAddressed(store: Store, headers: Readonly<Record<string, string>>, base: string): Promise<void> {
  const made = await store.post('/api/categories', { name: `At ${JSON.stringify(headers)}` }, headers);
  assert.equal(made.status, 201, made.text);
  assert.equal(made.headers.location, `${base}/api/categories/${made.json.id}`);
  const imageRoute = await store.post(`/api/categories/${made.json.id}/icon`, await attached(png()), headers);
  assert.ok(imageRoute.json.url.startsWith(`${base}/images/`), imageRoute.text);
  const product = await store.product({}, headers);
  await store.made(`/api/products/${product.id}/images`, await attached(png()), headers);
  for (const target of [`/api/products/${product.id}`, `/api/products?id=${product.id}`]) {
    const read = await store.get(target, headers);
    const [shown] = [read.json].flat();
    assert.ok(shown.images[0].url.startsWith(`${base}/images/`), read.text);
    assert.ok(shown.og_meta_tags.includes(`${base}/`), read.text);
    assert.ok(!read.text.replaceAll(base, '').includes('://'), read.text);
  }
  const page = await store.get('/api/products?itemsPerPage=1', headers);
  const links = [...String(page.headers.link).matchAll(/<([^>]*)>; rel="(\w+)"/g)];
  assert.ok(links.length > 1);
  for (const [, address, relation] of links)
    if (relation !== 'http') assert.ok(address!.startsWith(`${base}/api/`), page.text);
  const rejected = await store.get('/api/products/999999', headers);
  assert.ok(rejected.json.type.startsWith(`${base}/api/_reference/problems/`), rejected.text);
  const document = await store.get('/api/openapi.json', headers);
  assert.equal(document.json.servers[0].url, `${base}/api`);
  const linked = await store.get('/api/docs.jsonld', headers);
  assert.ok(linked.text.includes(`"${base}/api/docs.jsonld#"`));
  for (const { text } of [document, linked]) assert.ok(!text.includes('.invalid'));
}

onOneDatabase('base address of a public store without BASE_URL', ELSEWHERE, (store) => {
  for (const [host, base] of [
    ['shop.example', 'http://shop.example'],
    ['Shop.Example:8443', 'http://shop.example:8443'],
    ['my_store:80', 'http://my_store'],
    ['192.0.2.7:8080', 'http://192.0.2.7:8080'],
    ['[2001:db8::1]:8080', 'http://[2001:db8::1]:8080'],
  ] as const)
    test(`uses the Host ${host} of the request`, () => assertAddressed(store, { host }, base));

  test('ignores forwarded headers of untrusted proxies', () =>
    assertAddressed(
      store,
      {
        host: 'shop.example',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
        'x-forwarded-port': '99',
        forwarded: 'host=evil.example',
      },
      'http://shop.example',
    ));

  test('does not reuse a cached response for another host', async () => {
    const { id } = await store.product();
    await store.made(`/api/products/${id}/images`, await attached(png()));
    const [one, other] = [{ host: 'one.example' }, { host: 'other.example' }];
    for (const path of [`/api/products/${id}`, `/api/products?id=${id}`, '/api/openapi.json', '/api/docs.jsonld']) {
      const [first, second] = [await store.get(path, one), await store.get(path, other)];
      assert.ok(first.text.includes('one.example'));
      assert.equal(second.text, first.text.replaceAll('one.example', 'other.example'));
      // Clients send ETags back under any name of the store.
      const isRecord = path.endsWith(`/${id}`);
      (isRecord ? assert.equal : assert.notEqual)(first.headers.etag, second.headers.etag);
      const again = [(await store.get(path, one)).text, (await store.get(path, other)).text];
      assert.deepEqual(again, [first.text, second.text]);
      const status = isRecord ? 304 : 200;
      assert.equal((await store.get(path, { ...other, 'if-none-match': first.headers.etag })).status, status);
      assert.equal((await store.get(path, { ...other, 'if-none-match': second.headers.etag })).status, 304);
    }
  });

  const [READ, WRITTEN] = [{ host: 'read.example:8080' }, { host: '192.0.2.7' }];

  for (const kind of ['products', 'categories'] as const)
    for (const type of ['application/json', 'application/ld+json'])
      test(`accepts ${kind} as ${type} under another host than they were read from`, async () => {
        const { id } = await (kind === 'products' ? store.product() : store.made('/api/categories', { name: 'Read' }));
        const path = `/api/${kind}/${id}`;
        const imageRoute = kind === 'products' ? 'images' : 'icon';
        await store.made(`${path}/${imageRoute}`, await attached(png()));
        const [reading, writing] = [
          { ...READ, accept: type },
          { ...WRITTEN, accept: type, 'content-type': type },
        ];
        for (const name of ['Whole', 'Without pictures', 'Whole']) {
          const { json: read, headers } = await store.get(path, reading);
          assert.equal(read.og_meta_tags.includes(READ.host), kind === 'products');
          const { [imageRoute]: shown, ...others } = read;
          const body = { ...others, ...(name === 'Whole' ? { [imageRoute]: shown } : {}), name };
          const put = await store.put(path, body, { ...writing, 'if-match': headers.etag });
          assert.equal(put.status, 200, put.text);
          // The text remains automatic: it has the new name and the host of the reader.
          const { text, json } = await store.get(path, { host: 'third.example' });
          assert.ok(!text.includes(READ.host) && !text.includes(WRITTEN.host), text);
          assert.ok(json.og_meta_tags.includes(`"${name}"`), text);
        }
        const { json, headers } = await store.get(path, reading);
        const unchanged = await store.put(path, json, writing);
        assert.equal(unchanged.headers.etag, headers.etag, unchanged.text);
      });

  test('stores a text that differs from the automatic one by more than hosts or is declared custom', async () => {
    const { id } = await store.product();
    const path = `/api/products/${id}`;
    await store.made(`${path}/images`, await attached(png()));
    const { og_meta_tags: made } = (await store.get(path, READ)).json;
    for (const body of [
      { og_meta_tags: `${made} ` },
      { og_meta_tags: made.replace('/', '') },
      { og_meta_tags: made, og_meta_tags_type: 'C' },
      { og_meta_tags: made.replace('http://read', 'https://cdn'), og_meta_tags_type: 'C' },
    ]) {
      assert.equal((await store.patch(path, body, WRITTEN)).json.og_meta_tags, body.og_meta_tags);
      // A custom text is stored as sent, even if only its host differs.
      const own = body.og_meta_tags.replace('.example', '.test');
      assert.equal((await store.patch(path, { og_meta_tags: own }, WRITTEN)).json.og_meta_tags, own);
      assert.ok(
        (await store.patch(path, { og_meta_tags: '' }, WRITTEN)).json.og_meta_tags.includes(`//${WRITTEN.host}/`),
      );
    }
  });

  test('rejects changed images of a record under any host', async () => {
    const { id } = await store.product();
    const path = `/api/products/${id}`;
    await store.made(`${path}/images`, await attached(png()));
    const { json, headers } = await store.get(path, READ);
    const [image] = json.images;
    for (const url of [image.url.replace('/images/', '/images/0'), `${image.url}/`, new URL(image.url).pathname]) {
      const rejected = await store.put(path, { ...json, images: [{ ...image, url }] }, WRITTEN);
      assertProblem(rejected, 422);
      assert.equal(rejected.json.violations[0].code, 'read_only', rejected.text);
    }
    assert.equal((await store.get(path, READ)).headers.etag, headers.etag);
  });

  test('rejects an outdated ETag under any host', async () => {
    const { id } = await store.product();
    const path = `/api/products/${id}`;
    const { etag } = (await store.get(path, READ)).headers;
    assert.equal((await store.patch(path, { name: 'Changed' }, { ...WRITTEN, 'if-match': etag })).status, 200);
    assertProblem(await store.patch(path, { name: 'Lost' }, { ...WRITTEN, 'if-match': etag }), 412);
    assertProblem(await store.patch(path, { name: 'Lost' }, { ...READ, 'if-match': etag }), 412);
    assert.equal((await store.get(path, READ)).json.name, 'Changed');
  });

  test('uses the host in rejections of Expect and CONNECT', async () => {
    const rejected = await store.post('/api/tags', { name: 'Never' }, { ...READ, expect: 'miracles' });
    assertProblem(rejected, 417);
    assert.ok(rejected.json.type.startsWith(`http://${READ.host}/`), rejected.text);
    assert.ok(String(rejected.headers.link).startsWith(`<http://${READ.host}/`));
    const tunnel = await sendRaw(store.address, `CONNECT other:443 HTTP/1.1\r\nHost: ${READ.host}\r\n\r\n`);
    assert.match(tunnel, /"type":"http:\/\/read\.example:8080\//);
  });

  test('replays the response to a retry under any host', async () => {
    const key = `key-${crypto.randomUUID()}`;
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        store.post('/api/tags', { name: 'Once' }, { 'idempotency-key': key, host: `host-${index}.example` }),
      ),
    );
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([201]));
    assert.equal(new Set(responses.map(({ headers }) => headers.location)).size, 1);
    assert.equal(responses.filter(({ headers }) => headers['idempotency-replayed'] === undefined).length, 1);
  });

  test('accepts record addresses under the requested host', async () => {
    const parent = await store.made('/api/categories', { name: 'Parent' });
    const body = { name: 'Child', parent: `http://shop.example/api/categories/${parent.id}` };
    const headers = { host: 'shop.example', 'content-type': 'application/ld+json' };
    const child = await store.post('/api/categories', body, headers);
    assert.equal(child.json.parent, parent.id, child.text);
  });

  const malformed = ['a b', 'shop.example/x', 'user@shop.example', 'shop.example:99999', 'shop.example:0', '<b>', '-'];
  for (const host of [...malformed, '"', '[::1', 'a,b', 'shop.example:', 'a'.repeat(300)])
    test(`rejects the malformed host ${host.slice(0, 20)}`, async () => {
      const lines = [`GET /api/tags HTTP/1.1`, `Host: ${host}`, `X-Auth-Token: ${READ_WRITE_KEY}`, 'Connection: close'];
      const response = await sendRaw(store.address, `${lines.join('\r\n')}\r\n\r\n`);
      assert.match(response, /^HTTP\/1\.1 400 [\s\S]*malformed-request/);
      assert.ok(!response.includes(`//${host}`), response);
    });

  test('accepts HTTP/1.0 requests without Host', async () => {
    const key = `X-Auth-Token: ${READ_WRITE_KEY}`;
    assert.match(await sendRaw(store.address, `GET /api/tags HTTP/1.0\r\n${key}\r\n\r\n`), /^HTTP\/1\.1 200 /);
    const twice = head('GET /api/tags', 'Host: other', key);
    assert.match(await sendRaw(store.address, twice), /^HTTP\/1\.1 400 /);
  });

  test('responds to 100 hosts, each with its own address', async () => {
    for (let index = 0; index < 100; index += 1) {
      const response = await store.get('/api/nothing', { host: `host-${index}.example` });
      assertProblem(response, 404);
      assert.ok(response.json.type.startsWith(`http://host-${index}.example/`));
    }
  });
});

onOneDatabase('base address behind a trusted proxy', { ...ELSEWHERE, TRUST_PROXY: '127.0.0.0/8' }, (store) => {
  for (const [headers, base] of [
    [{ 'x-forwarded-host': 'shop.example' }, 'http://shop.example'],
    [{ 'x-forwarded-host': 'shop.example', 'x-forwarded-proto': 'https' }, 'https://shop.example'],
    [{ 'x-forwarded-host': 'evil.example, shop.example', 'x-forwarded-proto': 'http, https' }, 'https://shop.example'],
    [{ host: 'shop.example', 'x-forwarded-proto': 'https', 'x-forwarded-port': '443' }, 'https://shop.example'],
    [{ host: 'shop.example', 'x-forwarded-proto': 'https', 'x-forwarded-port': '8443' }, 'https://shop.example:8443'],
    [{ 'x-forwarded-host': 'shop.example:81', 'x-forwarded-port': '8443' }, 'http://shop.example:81'],
    [{ host: 'shop.example', 'x-forwarded-host': 'ev/il', 'x-forwarded-proto': 'gopher' }, 'http://shop.example'],
    [{ host: 'shop.example' }, 'http://shop.example'],
  ] as [Record<string, string>, string][])
    test(`derives ${base} from ${JSON.stringify(headers)}`, () => assertAddressed(store, headers, base));
});

for (const [title, settings, base, methods] of [
  [
    'with BASE_URL',
    { ...ELSEWHERE, BASE_URL: 'https://set.example/shop', STORE_NAME: 'Mug <Shop>' },
    'https://set.example/shop',
    ['key', 'password', 'passkey'],
  ],
  [
    'with BASE_URL and OIDC_ONLY',
    { BASE_URL: 'https://set.example', ...OIDC_ONLY },
    'https://set.example',
    ['key', 'oidc'],
  ],
  ['reachable only from this machine', {}, undefined, ['key', 'password']],
] as [string, Settings, string | undefined, string[]][])
  onOneDatabase(`base address of a store ${title}`, { ...settings, TRUST_PROXY: '127.0.0.1' }, (store) => {
    let expected: string;
    before(() => {
      expected = base ?? store.address;
    });
    test('does not depend on the host of a request', () =>
      assertAddressed(store, { host: 'evil.example', 'x-forwarded-host': 'worse.example' }, expected));
    test('reports the ways to sign in, passkeys only at a host name, and its name', async () => {
      const headers = { 'sec-fetch-site': 'same-origin' };
      const { status, json } = await store.request('GET', '/admin/session', { key: null, headers });
      assert.deepEqual([status, json.sign_in, json.store_name], [401, methods, settings.STORE_NAME ?? null]);
    });
    test('stores the automatic text with another host as a custom text', async () => {
      const { id, og_meta_tags: made } = await store.product();
      const own = made.replaceAll(expected, 'https://www.example');
      const path = `/api/products/${id}`;
      assert.equal((await store.patch(path, { og_meta_tags: own })).json.og_meta_tags, own);
      assert.equal((await store.get(path)).json.og_meta_tags, own);
    });
  });

test('caches only the services of requests that were admitted', async () => {
  const service = createService({
    ...{
      model: storeModel(),
      environment: environmentOf(readConfig({})),
      clock: { now: () => 0, pause: async () => {} },
      uuid: () => crypto.randomUUID(),
      randomToken: (bytes) => 'A'.repeat(bytes),
      sha256,
    },
    // No code under test queries the store; using these values must fail.
    database: { dialect: undefined } as unknown as Database,
    images: undefined as unknown as ImageStore,
    imageDecoder: undefined as unknown as ImageDecoder,
    attachments: undefined as unknown as AttachmentReader,
    secrets: undefined as unknown as Secrets,
  });
  const addresses = addressing(service, true, []);
  const app = fastify();
  const services: Service[] = [];
  app.decorateRequest('service');
  app.get('/:passes', async (request) => {
    addresses.address(request);
    if ((request.params as { passes: string }).passes === 'passes') addresses.remember(request);
    services.push(request.service);
  });
  const send = (host: string, path: string) => app.inject({ path, headers: { host } });
  await send('shop.example', '/passes');
  for (let index = 0; index < 40; index += 1) await send(`host-${index}.example`, '/fails');
  await send('shop.example', '/passes');
  assert.equal(services.at(-1), services[0]);
  assert.equal(services[0]!.environment.baseUrl, 'http://shop.example');
  await send('host-39.example', '/fails');
  assert.notEqual(services.at(-1), services.at(-3));
});

test('the start message shows an address that can be called', () => {
  for (const [host, address] of [
    ['0.0.0.0', 'http://127.0.0.1:8080'],
    ['::', 'http://127.0.0.1:8080'],
    ['::1', 'http://[::1]:8080'],
    ['192.0.2.7', 'http://192.0.2.7:8080'],
    ['store.local', 'http://store.local:8080'],
  ] as const)
    assert.equal(callableAddress(host, 8080), address);
});

test('the start warns only if the address is a guess', async () => {
  for (const [settings, warns] of [
    [ELSEWHERE, true],
    [{ ...ELSEWHERE, BASE_URL: 'https://shop.example' }, false],
    [{}, false],
    [{ HOST: 'localhost' }, false],
  ] as [Settings, boolean][]) {
    const [database, images] = [await freshDatabase('sqlite'), await mkdtemp(join(tmpdir(), 'purveyor-images-'))];
    const environment = {
      ...{ PORT: '0', DATABASE_URL: database.url, IMAGES_URL: `file:${images}`, LOG_LEVEL: 'silent' },
      ...{ API_KEY_READ_WRITE: READ_WRITE_KEY, ...settings },
    };
    let screen = '';
    const server = await serve(readConfig(environment), environment, {
      write(text) {
        screen += text;
      },
    });
    await server.stop();
    await database.remove();
    await rm(images, { recursive: true });
    assert.equal(/BASE_URL is not set/.test(screen), warns, screen);
  }
});
