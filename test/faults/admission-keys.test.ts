/** Every route checks the key before it reads a body, and no log contains a key (reliability, group B). */
import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { after, before, describe, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { CacheValidator } from '../../src/http/cache/cache-validator.ts';
import { createServer } from '../../src/http/server/server.ts';
import { ShopDocuments } from '../../src/shop/shop-documents.ts';
import { FeedWatch } from '../../src/store/feed-watch.ts';
import { digestOf } from '../../src/store/keys.ts';
import { Sessions } from '../../src/store/sessions.ts';
import { readCursorKey } from '../../src/store/settings.ts';
import { readConfig } from '../../src/wiring/config.ts';
import { fillSettings } from '../../src/wiring/first-start.ts';
import { feedSettings, openStore, storefrontSettings } from '../../src/wiring/open.ts';
import { Folder, type Running } from '../cli/program.ts';
import { sendRequest } from '../support/client.ts';
import { assertProblem } from '../support/expect.ts';
import { routesOf } from '../support/printed-routes.ts';
import { head, sendRaw } from '../support/raw-request.ts';
import { startOf } from '../support/start-line.ts';
import { onOneDatabase, READ_ONLY_KEY, READ_WRITE_KEY } from '../support/store.ts';

describe('routes', () => {
  let folder: Folder;
  let app: FastifyInstance;
  let close: () => Promise<void>;
  const routes: [method: string, url: string][] = [];

  before(async () => {
    folder = await Folder.make();
    const environment = {
      DATABASE_URL: `sqlite:${folder.path}/store.db`,
      IMAGES_URL: `file:${folder.path}/images`,
      FAILED_KEYS_PER_MINUTE: '0',
      LOG_LEVEL: 'silent',
    };
    const config = readConfig(environment);
    const store = await openStore(config);
    close = store.close;
    await fillSettings(store.service, config);
    const { service } = store;
    const keys = [{ name: 'reader', kind: 'read-only', digest: digestOf(READ_ONLY_KEY) }] as const;
    app = await createServer({
      ...config,
      service,
      keys,
      limits: config,
      shopDocuments: new ShopDocuments(feedSettings(config)),
      storefront: storefrontSettings(config),
      cacheValidator: new CacheValidator(service),
      feedWatch: new FeedWatch(service),
      cursorKey: await readCursorKey(service),
      followsHost: false,
      admin: { sessions: new Sessions(service), folder: `${folder.path}/none`, allowsPlainHttp: false },
      version: '0',
    });
    await app.ready();
    for (const url of new Set([...routesOf(app.printRoutes())].map(({ path }) => path)))
      for (const method of METHODS) if (method !== 'CONNECT') routes.push([method, url]);
  });
  after(async () => {
    await app.close();
    await close();
    await folder.remove();
  });

  const isPublic = (url: string): boolean =>
    /^\/(admin|admin\/\*|admin\/forgot|admin\/session\/(confirm|passkey|confirm\/passkey)|admin\/oidc(\/\w+)?|healthz|readyz|images\/.*|files\/.*|sitemap\.xml|sitemaps\/.*|feeds\/.*|storefront|storefront\/openapi\.json|api|api\/docs|api\/(openapi|docs)\.json(ld)?|api\/contexts\/.*|api\/_reference\/.*)$/.test(
      url,
    );

  /** Checks the key or session itself, after it has checked that the request comes from the admin page. */
  const signsIn = (method: string, url: string): boolean =>
    /^POST \/admin\/(forgot|session(\/confirm)?(\/passkey)?)$|^DELETE \/admin\/session$/.test(`${method} ${url}`);

  const addressOf = (url: string): string => url.replace(/:\w+/g, '1').replace('*', 'x');

  test('the walk over the printed routes finds every route', () => {
    const found = new Set(routes.map(([, url]) => url));
    for (const url of ['/healthz', '/api', '/api/products', '/api/products/:product_id', '/images/:name'])
      assert.ok(
        [...found].some((each) => each.replace(/:\w+/g, ':') === url.replace(/:\w+/g, ':')),
        url,
      );
    assert.ok(found.size > 60, `${found.size} paths`);
    assert.ok(routes.length > 1000, `${routes.length} routes`);
  });

  test('only reads of public paths work without a key and with a wrong key', async () => {
    for (const [method, url] of routes) {
      if (method === 'OPTIONS') continue;
      for (const headers of [{}, { 'x-auth-token': 'wrong-key-of-the-tests' }]) {
        const { statusCode } = await app.inject({ method: method as 'GET', url: addressOf(url), headers });
        const isRead = /^(GET|HEAD)$/.test(method);
        if (signsIn(method, url)) assert.equal(statusCode, 403, `${method} ${url}`);
        else if (isPublic(url) && isRead) assert.notEqual(statusCode, 401, `${method} ${url}`);
        else if (isPublic(url) || (url.startsWith('/admin/session') && !isRead))
          assert.equal(statusCode, 405, `${method} ${url}`);
        else assert.equal(statusCode, 401, `${method} ${url}`);
      }
    }
  });

  test('every write returns 403 or 405 with a read-only key, and OPTIONS needs no key', async () => {
    for (const [method, url] of routes) {
      const headers = { 'x-auth-token': READ_ONLY_KEY, 'x-http-method-override': 'GET' };
      const { statusCode } = await app.inject({ method: method as 'GET', url: addressOf(url), headers });
      if (/^(POST|PUT|PATCH|DELETE)$/.test(method))
        assert.ok(statusCode === 403 || statusCode === 405, `${method} ${url}: ${statusCode}`);
      const preflight = await app.inject({ method: 'OPTIONS', url: addressOf(url) });
      assert.equal(preflight.statusCode, 204, url);
    }
  });
});

onOneDatabase('rejections before the body', {}, (store) => {
  const announced = ['Content-Type: application/json', 'Content-Length: 1000', 'Connection: close'];
  const rejections: [title: string, status: number, line: string, ...headers: string[]][] = [
    ['no key', 401, 'POST /api/tags'],
    ['a wrong key', 401, 'POST /api/tags', 'X-Auth-Token: wrong-key-of-the-tests'],
    ['an unknown path', 404, 'POST /api/nothing', `X-Auth-Token: ${READ_WRITE_KEY}`],
    ['another method', 405, 'PUT /api/tags', `X-Auth-Token: ${READ_WRITE_KEY}`],
    ['a read-only key', 403, 'POST /api/tags', `X-Auth-Token: ${READ_ONLY_KEY}`],
    ['an unsupported Accept header', 406, 'POST /api/tags', `X-Auth-Token: ${READ_WRITE_KEY}`, 'Accept: text/csv'],
    ['an unknown parameter', 400, 'POST /api/tags?x=1', `X-Auth-Token: ${READ_WRITE_KEY}`],
  ];
  for (const [title, status, line, ...headers] of rejections)
    test(`${title} gets a ${status} before the body is sent`, async () => {
      const response = await sendRaw(store.address, head(line, ...headers, ...announced));
      assert.match(response, new RegExp(`^HTTP/1\\.1 ${status} `));
    });

  test('an upload without a key gets a 401 before the body is sent', async () => {
    const line = `POST /api/products/1/images`;
    const large = ['Content-Type: application/json', 'Content-Length: 20000000', 'Connection: close'];
    assert.match(await sendRaw(store.address, head(line, ...large)), /^HTTP\/1\.1 401 /);
  });
});

describe('log at level trace', () => {
  const KEY = 'the-key-that-no-log-may-hold';
  const WRONG = 'wrong-key-that-no-log-may-hold';
  let folder: Folder;
  let server: Running;
  let address: string;

  before(async () => {
    folder = await Folder.make();
    server = folder.start(['serve'], { API_KEY_READ_WRITE: KEY, LOG_LEVEL: 'trace', FAILED_KEYS_PER_MINUTE: '3' });
    address = (await startOf(server)).address;
  });
  after(() => folder.remove());

  test('the log contains no key, session or sign-in token, wherever clients send it', async () => {
    const send = (method: string, path: string, key: string | null, headers = {}, body?: unknown) =>
      sendRequest(address, method, path, { key, headers, body });
    const own = { 'sec-fetch-site': 'same-origin' };
    const signedIn = await send('POST', '/admin/session', null, own, { key: KEY });
    const [cookie, session] = /^[^=]+=([^;]+)/.exec(signedIn.headers['set-cookie']![0]!)!;
    const link = await folder.run(['admin', 'link'], { API_KEY_READ_WRITE: KEY });
    const token = link.stdout.trim().split('#token=')[1]!;
    assert.equal((await send('GET', '/api/tags', null, { cookie })).status, 200);
    assert.equal((await send('POST', '/admin/session', null, own, { token })).status, 200);
    const secrets = [KEY, WRONG, session!, token];
    for (const key of secrets) {
      assert.ok((await send('GET', '/api/tags', key)).status < 500);
      await send('POST', '/api/tags', key, {}, { name: key, 'X-Auth-Token': key });
      await send('POST', '/api/tags', key, {}, `{"name": ${key}`);
      await send('GET', `/api/tags?X-Auth-Token=${key}`, KEY);
      await send('GET', `/api/tags?key=${key}`, null);
      for (const path of ['/api/tags/', '/api/', '/', '/images/', '/api/products/', '/api/languages/'])
        for (const sent of [key, KEY, null]) await send('GET', `${path}${key}`, sent);
      for (const path of ['/admin/', '/admin/session/', '/admin?token=', '/admin/session?key='])
        await send('GET', `${path}${key}`, null, { cookie });
      await send('POST', '/admin/session', null, own, { key, token: key, [key]: key });
      await send('POST', '/admin/session', null, { cookie: `${cookie.split('=')[0]}=${key}` }, { token: key });
      await send('GET', `/api/%zz${key}`, KEY);
      await send('GET', '/api/tags', null, { authorization: `Bearer ${key}`, cookie: `key=${key}`, 'x-api-key': key });
      await send('GET', '/api/tags', KEY, { accept: key, prefer: key, 'if-match': key, 'x-forwarded-for': key });
      await send('POST', '/api/tags', KEY, { 'idempotency-key': key }, { name: 'Once' });
      await send('GET', '/api/tags', key, { 'x-request-id': key, traceparent: key, tracestate: `key=${key}` });
      await send('BREW', '/api/tags', key).catch(() => {});
      await sendRaw(address, `GET /api/tags HTTP/1.1\r\nHost: x\r\nX-Auth-Token : ${key}\r\n\r\n`);
      await sendRaw(address, `${key} nonsense\r\n\r\n`);
      await sendRaw(address, head(`CONNECT ${key}:443`, `X-Auth-Token: ${key}`));
    }
    server.signal('SIGTERM');
    const { stdout, stderr, code } = await server.ended;
    assert.equal(code, 0);
    assert.match(stdout, /"route":"\/api\/tags\/\{id\}"/, 'the log has requests');
    for (const key of secrets) assert.ok(!`${stdout}${stderr}`.includes(key), `the log contains ${key}`);
  });
});

onOneDatabase('response to a wrong key', {}, (store) => {
  test('a wrong key gets the same response for existing and missing paths', async () => {
    const shape = async (path: string) => {
      const response = await store.request('GET', path, { key: 'wrong-key-of-the-tests' });
      assertProblem(response, 401);
      const { instance: _, ...rest } = response.json;
      return JSON.stringify(rest);
    };
    assert.equal(await shape('/api/tags'), await shape('/api/nothing'));
  });
});
