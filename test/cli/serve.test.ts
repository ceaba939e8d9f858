/** `purveyor serve` as a person meets it: the first screen, the keys, stopping, what it refuses. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Folder } from './program.ts';

let folder: Folder;
beforeEach(async () => {
  folder = await Folder.make();
});
afterEach(() => folder.remove());

const ADDRESS = /API\s+(http:\/\/127\.0\.0\.1:\d+)\/api/;

describe('the very first start', () => {
  test('prints the address, the reference, the data, two keys and a curl that works', async () => {
    const server = folder.start(['serve']);
    const [screen] = await server.says(/[\s\S]*Stop with Ctrl\+C/);
    const base = ADDRESS.exec(screen)![1]!;
    const readWrite = /read\/write\s+(\S+)/.exec(screen)![1]!;
    const readOnly = /read-only\s+(\S+)/.exec(screen)![1]!;
    assert.match(screen, /Reference\s+http:\/\/127\.0\.0\.1:\d+\/api\n/);
    assert.match(screen, /Data\s+\S*store\.db/);
    const [, address, key] = /curl (\S+) -H 'X-Auth-Token: (\S+)'\n/.exec(screen)!;
    assert.equal(key, readWrite);
    const read = await fetch(address!, { headers: { 'x-auth-token': key! } });
    assert.deepEqual(
      ((await read.json()) as { code: string }[]).map(({ code }) => code),
      ['en'],
    );
    // As the README goes on, with the very SKU of its first product.
    const post = (key: string) =>
      fetch(`${base}/api/products`, {
        method: 'POST',
        body: '{"sku": "SHIRT-1", "name": "T-shirt", "price": 19.99}',
        headers: { 'x-auth-token': key, 'content-type': 'application/json' },
      });
    assert.equal((await post(readOnly)).status, 403);
    const made = await post(readWrite);
    assert.deepEqual([made.status, made.headers.get('location')], [201, `${base}/api/products/1`]);
    assert.equal((await fetch(`${base}/api/products`, { headers: { 'x-auth-token': readOnly } })).status, 200);
    server.signal('SIGTERM');
    const { code, stderr } = await server.ended;
    assert.equal(code, 0);
    assert.ok(!stderr.includes(readWrite), 'no key goes to the log');
  });

  test('makes no keys when the environment speaks of one, even an empty one', async () => {
    const server = folder.start(['serve'], { API_KEY_READ_ONLY: '' });
    const [screen] = await server.says(/[\s\S]*Stop with Ctrl\+C/);
    assert.doesNotMatch(screen, /pv_rw_/);
    assert.match(screen, /No API key is set up/);
    const base = ADDRESS.exec(screen)![1]!;
    assert.equal((await fetch(`${base}/api/products`, { headers: { 'x-auth-token': '' } })).status, 401);
    assert.equal((await fetch(`${base}/api/products`)).status, 401);
  });

  test('shows keys once: not on the second start, though there is none any more', async () => {
    const first = folder.start(['serve']);
    await first.says(/pv_rw_/);
    first.signal('SIGTERM');
    await first.ended;
    for (const name of ['first read/write', 'first read-only'])
      assert.equal((await folder.run(['keys', 'revoke', name])).code, 0);
    const second = folder.start(['serve'], { STORE_CURRENCY: 'EUR', LANGUAGES: 'de' });
    const [screen] = await second.says(/[\s\S]*Stop with Ctrl\+C/);
    assert.doesNotMatch(screen, /pv_rw_/);
    assert.match(screen, /STORE_CURRENCY is EUR; the store keeps its own, USD/);
    assert.match(screen, /LANGUAGES names de; the store has en/);
  });
});

test('a first start that fails on a busy port does not use up the showing of the keys', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const refused = await folder.run(['serve'], { PORT: String(port) });
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, new RegExp(`${port}`));
  assert.equal(refused.stderr.trim().split('\n').length, 1);
  other.close();
  await folder.start(['serve']).says(/pv_rw_/);
});

describe('keys', () => {
  test('are made, listed and revoked while the server runs', async () => {
    const server = folder.start(['serve'], { API_KEY_READ_WRITE: '' });
    const base = (await server.says(ADDRESS))[1]!;
    const read = (key: string) => fetch(`${base}/api/tags`, { headers: { 'x-auth-token': key } });
    const made = await folder.run(['keys', 'create', 'night script', '--read-only']);
    assert.equal(made.code, 0);
    const key = made.stdout.trim();
    assert.equal((await read(key)).status, 200);
    const twice = await folder.run(['keys', 'create', 'night script']);
    assert.equal(twice.code, 1);
    assert.match(twice.stderr, /There is a key “night script” already/);
    const listed = await folder.run(['keys', 'list']);
    assert.match(listed.stdout, /^\d{4}-\d{2}-\d{2} {2}read-only {3}night script\n$/);
    assert.ok(!listed.stdout.includes(key));
    assert.equal((await folder.run(['keys', 'revoke', 'night script'])).code, 0);
    assert.equal((await read(key)).status, 401);
    assert.equal((await folder.run(['keys', 'revoke', 'night script'])).code, 1);
  });
});

describe('a wrong setting is refused in one line, before anything is made', () => {
  const cases: [Record<string, string>, RegExp][] = [
    [{ PORT: 'http' }, /^PORT should be a whole number from 0 to 65535; it is "http"\.\n$/],
    [{ PORT: '65536' }, /^PORT should be/],
    [{ DATABASE_URL: 'mysql://x' }, /^DATABASE_URL should be sqlite:FILE or postgres/],
    [{ IMAGES_URL: 's3://bucket' }, /^IMAGES_URL should be file:FOLDER/],
    [{ BASE_URL: 'shop.example' }, /^BASE_URL should be an http or https address/],
    [{ DEFAULT_LANGUAGE: 'english' }, /^DEFAULT_LANGUAGE should be a language code/],
    [{ LANGUAGES: 'de,FR' }, /^LANGUAGES should be a language code/],
    [{ STORE_TIME_ZONE: 'Mars/Olympus' }, /^STORE_TIME_ZONE should be an IANA time zone/],
    [{ STORE_CURRENCY: 'euro' }, /^STORE_CURRENCY should be three capital letters/],
    [{ COMPATIBILITY: '5.4' }, /^COMPATIBILITY should be one of none, 5\.5/],
    [{ TRUST_PROXY: '10.0.0.0/99' }, /^TRUST_PROXY should be/],
    [{ IMAGE_DOWNLOAD_ALLOW: 'localhost' }, /^IMAGE_DOWNLOAD_ALLOW should be/],
    [{ IMAGE_BYTES_MAX: '-1' }, /^IMAGE_BYTES_MAX should be a whole number from 0/],
    [
      { API_KEY_READ_WRITE: 'short' },
      /^API_KEY_READ_WRITE should be 8 to 200 visible ASCII characters without a comma; it is not\.\n$/,
    ],
    [
      { API_KEY_READ_WRITE: 'the-same-key', API_KEY_READ_ONLY: 'the-same-key' },
      /^API_KEY_READ_WRITE and API_KEY_READ_ONLY should differ/,
    ],
  ];
  for (const [environment, line] of cases)
    test(JSON.stringify(environment), async () => {
      const { code, stdout, stderr } = await folder.run(['serve'], environment);
      assert.equal(code, 1);
      assert.equal(stdout, '');
      assert.match(stderr, line);
      assert.equal(stderr.trim().split('\n').length, 1);
      assert.deepEqual(readdirSync(folder.path), []);
    });
});

test('a second server on the same data is refused; after kill -9 the next one starts', async () => {
  const first = folder.start(['serve']);
  await first.says(ADDRESS);
  const second = await folder.run(['serve']);
  assert.equal(second.code, 1);
  assert.match(second.stderr, /Another Purveyor already serves .*store\.db/);
  first.signal('SIGKILL');
  await first.ended;
  await folder.start(['serve']).says(ADDRESS);
});

test('a database that is away is told in one line', async () => {
  const { code, stderr } = await folder.run(['serve'], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
  assert.equal(code, 1);
  assert.equal(stderr.trim().split('\n').length, 1);
});

test('SIGTERM finishes what runs, then exits 0', async () => {
  const server = folder.start(['serve'], { API_KEY_READ_WRITE: 'test-key-1' });
  const base = new URL((await server.says(ADDRESS))[1]!);
  const socket = connect(Number(base.port), base.hostname);
  const body = JSON.stringify({ name: 'Slow' });
  socket.write(
    `POST /api/tags HTTP/1.1\r\nHost: x\r\nX-Auth-Token: test-key-1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  );
  // The server has the head of the request once it has answered another one behind it.
  await fetch(new URL('/healthz', base));
  server.signal('SIGTERM');
  socket.write(body.slice(5));
  const [answer] = await once(socket, 'data');
  assert.match(String(answer), /^HTTP\/1\.1 201/);
  socket.destroy();
  assert.equal((await server.ended).code, 0);
});

test('serve --help lists every setting and makes nothing', async () => {
  const { code, stdout } = await folder.run(['serve', '--help']);
  assert.equal(code, 0);
  for (const name of ['DATABASE_URL', 'STORE_TIME_ZONE', 'IMAGE_DOWNLOAD_ALLOW', 'RESPONSE_CACHE_BYTES_MAX'])
    assert.ok(stdout.includes(name), name);
  assert.ok(!existsSync(join(folder.path, 'data')));
});
