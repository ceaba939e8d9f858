/** The files of the admin page as a browser gets them: kept, compressed, held to the policy, and no others (http.md §20). */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync, zstdDecompressSync } from 'node:zlib';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { Sessions } from '../../src/store/sessions.ts';
import { INJECT_KEY, serverOf } from '../support/injected-server.ts';
import { type OpenedStore, openedStore } from '../support/opened-store.ts';

const SCRIPT = `export const page = ${JSON.stringify('x'.repeat(4000))};`;
const STYLE = `.a { color: red }\n`.repeat(200);
const HTML = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta property="csp-nonce" content="" />
    <script type="module" crossorigin src="/admin/assets/index-abc.js"></script>
    <link rel="stylesheet" nonce="__PLACE__" crossorigin href="/admin/assets/index-abc.css">
    <style nonce>body { margin: 0 }</style>
  </head>
  <body><div id="root"></div></body>
</html>
`;
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

describe('admin page', () => {
  let opened: OpenedStore;
  let app: FastifyInstance;
  let inBucket: FastifyInstance;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'purveyor-admin-'));
    const dist = join(folder, 'dist');
    await mkdir(join(dist, 'assets'), { recursive: true });
    await writeFile(join(folder, 'secret.js'), 'secret');
    for (const [name, content] of [
      ['index.html', HTML],
      ['icon.svg', '<svg/>'],
      ['assets/index-abc.js', SCRIPT],
      ['assets/index-abc.js.br', brotliCompressSync(SCRIPT)],
      ['assets/index-abc.js.gz', gzipSync(SCRIPT)],
      ['assets/index-abc.css', STYLE],
      ['notes.text', 'not for browsers'],
    ] as const)
      await writeFile(join(dist, name), content);
    opened = await openedStore('sqlite');
    const service = {
      ...opened.service,
      environment: { ...opened.service.environment, baseUrl: 'https://shop.example' },
    };
    const admin = { sessions: new Sessions(service), folder: dist, allowsPlainHttp: false };
    app = await serverOf(service, { TRUST_PROXY: '10.0.0.1' }, undefined, admin);
    const images = {
      IMAGES_URL: 's3://pictures',
      IMAGES_PUBLIC_URL: 'https://pictures.example/shop',
      AWS_ACCESS_KEY_ID: 'x',
      AWS_SECRET_ACCESS_KEY: 'x',
    };
    inBucket = await serverOf(service, images, undefined, admin);
  });
  after(async () => {
    await app.close();
    await inBucket.close();
    await opened.remove();
    await rm(folder, { recursive: true });
  });

  const get = (url: string, headers: Record<string, string> = {}, more: InjectOptions = {}) =>
    app.inject({ method: 'GET', url, ...more, headers: { host: 'shop.example', ...headers } });

  test('sends a new CSP nonce with each response and allows only scripts and styles with this nonce', async () => {
    const seen = new Set<string>();
    for (const url of ['/admin', '/admin/orders/5', '/admin?x=1', '/admin']) {
      const { statusCode, headers, body } = await get(url, { accept: BROWSER });
      assert.equal(statusCode, 200, url);
      const [, nonce] = /script-src 'nonce-([\w+/]{22}==)';/.exec(headers['content-security-policy'] as string)!;
      seen.add(nonce!);
      assert.equal(
        headers['content-security-policy'],
        `default-src 'self'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
      );
      assert.equal(body.split(nonce!).length - 1, 5);
      assert.match(body, new RegExp(`<meta property="csp-nonce" content="${nonce!.replace(/\+/g, '\\+')}" nonce="`));
      assert.ok(!body.includes('__PLACE__') && !body.includes('<style nonce>'), body);
      assert.match(headers['content-type'] as string, /^text\/html; charset=utf-8$/);
      const { 'cache-control': kept, 'referrer-policy': referrer, 'x-content-type-options': sniff } = headers;
      assert.deepEqual([kept, referrer, sniff], ['private, no-cache', 'no-referrer', 'nosniff']);
      assert.deepEqual([headers['access-control-allow-origin'], headers.etag], [undefined, undefined]);
    }
    assert.equal(seen.size, 4);
    const elsewhere = await get('/admin', { host: 'localhost:8080' });
    assert.match(
      elsewhere.headers['content-security-policy'] as string,
      /img-src 'self' data: blob: https:\/\/shop\.example;/,
    );
    assert.match(
      (await inBucket.inject({ url: '/admin', headers: { host: 'shop.example' } })).headers[
        'content-security-policy'
      ] as string,
      /img-src 'self' data: blob: https:\/\/pictures\.example;/,
    );
    const headOnly = await get('/admin', {}, { method: 'HEAD' });
    assert.deepEqual([headOnly.statusCode, headOnly.body], [200, '']);
  });

  test('serves the compressed assets of the build with immutable caching', async () => {
    const url = '/admin/assets/index-abc.js';
    const plain = await get(url);
    assert.deepEqual([plain.statusCode, plain.body], [200, SCRIPT]);
    assert.equal(plain.headers['content-type'], 'text/javascript; charset=utf-8');
    assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal(plain.headers.vary, 'Accept-Encoding');
    for (const [accepted, coding, decode] of [
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['zstd', 'zstd', zstdDecompressSync],
    ] as const) {
      const response = await get(url, { 'accept-encoding': accepted });
      assert.equal(response.headers['content-encoding'], coding, accepted);
      assert.equal(decode(response.rawPayload).toString(), SCRIPT);
      const again = await get(url, { 'accept-encoding': accepted, 'if-none-match': response.headers.etag as string });
      assert.deepEqual([again.statusCode, again.body], [304, '']);
    }
    const style = await get('/admin/assets/index-abc.css', { 'accept-encoding': 'gzip, br, zstd' });
    assert.deepEqual(
      [style.headers['content-encoding'], style.headers['content-type']],
      ['zstd', 'text/css; charset=utf-8'],
    );
    const icon = await get('/admin/icon.svg');
    assert.deepEqual([icon.headers['cache-control'], icon.body], ['public, no-cache', '<svg/>']);
  });

  test('serves no files outside the build and rejects path traversal', async () => {
    for (const url of [
      '/admin/../secret.js',
      '/admin/%2e%2e/secret.js',
      '/admin/..%2fsecret.js',
      '/admin/..%5csecret.js',
      '/admin/assets/../../secret.js',
      '/admin/assets/..%2f..%2fsecret.js',
      '/admin//etc/passwd',
      '/admin/%2fetc%2fpasswd',
      '/admin/assets/index-abc.js%00',
      '/admin/assets/index-abc.js.br',
      '/admin/assets/none.js',
      '/admin/notes.text',
      '/admin/index.html',
      '/admin/constructor',
      '/admin/__proto__',
      `/admin/${'x'.repeat(5000)}`,
    ]) {
      const { statusCode, body } = await get(url);
      assert.ok(
        statusCode === 404 || (statusCode === 401 && !url.startsWith('/admin/assets/none')),
        `${url} ${statusCode}`,
      );
      assert.ok(!/secret|root:|not for browsers/.test(body.replace(url, '')), body);
    }
    const missing = await get('/admin/assets/none.js', { accept: BROWSER });
    assert.equal(missing.statusCode, 404, 'a script that is gone is no page');
    for (const accept of ['*/*', 'application/json', 'image/png'])
      assert.equal((await get('/admin/orders', { accept })).statusCode, 404, accept);
    for (const method of ['POST', 'PUT', 'DELETE'] as const) {
      assert.equal((await get('/admin', {}, { method })).statusCode, 405);
      const withKey = await get('/admin/orders', { 'x-auth-token': INJECT_KEY }, { method });
      assert.deepEqual([withKey.statusCode, withKey.headers.allow], [405, 'GET, HEAD, OPTIONS']);
    }
  });

  test('redirects browsers from / to the admin page and rejects other clients at /', async () => {
    const led = await get('/', { accept: BROWSER });
    assert.deepEqual([led.statusCode, led.headers.location, led.body], [303, '/admin', '']);
    assert.equal((await get('/?from=mail', { accept: 'text/html' })).statusCode, 303);
    for (const accept of ['*/*', 'application/json', 'text/html;q=0'])
      assert.equal((await get('/', { accept })).statusCode, 401);
    assert.equal((await get('/')).statusCode, 401);
    assert.equal((await get('/', { 'x-auth-token': INJECT_KEY })).statusCode, 404);
    assert.equal((await get('/', { accept: BROWSER }, { method: 'POST' })).statusCode, 401);
    assert.equal((await get('/other', { accept: BROWSER })).statusCode, 401);
  });

  test('returns 403 with an explanation over plain HTTP from another machine', async () => {
    const far = { remoteAddress: '203.0.113.9' };
    const { statusCode, headers, body } = await get('/admin', { accept: BROWSER }, far);
    assert.deepEqual([statusCode, headers['content-type']], [403, 'text/html; charset=utf-8']);
    assert.match(body, /<h1>HTTPS required<\/h1>/);
    assert.match(headers['content-security-policy'] as string, /^default-src 'none'/);
    assert.equal((await get('/admin', {}, far)).json().status, 403);
  });

  test('returns 404 with the build command if the admin page is not built', async () => {
    const admin = { sessions: new Sessions(opened.service), folder: join(folder, 'none'), allowsPlainHttp: true };
    const environment = { ...opened.service.environment, baseUrl: 'http://localhost' };
    const other = await serverOf({ ...opened.service, environment }, {}, undefined, admin);
    const { statusCode, body } = await other.inject({ url: '/admin', headers: { accept: BROWSER } });
    assert.equal(statusCode, 404);
    assert.match(body, /The admin page is not built. Run “npm run admin:build”/);
    assert.equal((await other.inject('/admin/assets/x.js')).statusCode, 404);
    await other.close();
  });
});
