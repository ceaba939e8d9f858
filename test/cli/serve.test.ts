/** `purveyor serve`: start screen, first keys, key management, invalid settings, stop. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { serve } from '../../src/cli/serve.ts';
import { readConfig } from '../../src/wiring/config.ts';
import { settings } from '../../src/wiring/settings/index.ts';
import { startOf } from '../support/start-line.ts';
import { Folder } from './program.ts';

let folder: Folder;
beforeEach(async () => {
  folder = await Folder.make();
});
afterEach(() => folder.remove());

describe('the first start', () => {
  test('shows addresses, data location, two keys and a working curl command on a terminal', async () => {
    const settings = {
      ...{ PORT: '0', DATABASE_URL: `sqlite:${folder.path}/store.db`, IMAGES_URL: `file:${folder.path}/images` },
      LOG_LEVEL: 'silent',
    };
    let screen = '';
    const write = (text: string): void => {
      screen += text;
    };
    const server = await serve(readConfig(settings), settings, { isTTY: true, write });
    try {
      const base = /API\s+(http:\/\/127\.0\.0\.1:\d+)\/api/.exec(screen)![1]!;
      const readWrite = /read\/write\s+(\S+)/.exec(screen)![1]!;
      const readOnly = /read-only\s+(\S+)/.exec(screen)![1]!;
      assert.match(screen, /Reference\s+http:\/\/127\.0\.0\.1:\d+\/api\n/);
      assert.match(screen, /Data\s+\S*store\.db/);
      assert.match(screen, /Press Ctrl\+C to stop\.\n$/);
      const [, address, key] = /curl (\S+) -H 'X-Auth-Token: (\S+)'\n/.exec(screen)!;
      assert.equal(key, readWrite);
      const read = await fetch(address!, { headers: { 'x-auth-token': key! } });
      assert.deepEqual(
        ((await read.json()) as { code: string }[]).map(({ code }) => code),
        ['en'],
      );
      const [, admin, token] = /^ {2}(\S+\/admin)#token=(\S+)$/m.exec(screen)!;
      assert.equal(admin, `${base}/admin`);
      const signedIn = await fetch(`${admin}/session`, {
        ...{ method: 'POST', body: JSON.stringify({ token }) },
        headers: { 'content-type': 'application/json', origin: base },
      });
      assert.equal(signedIn.status, 200, await signedIn.text());
      await createFirstProduct(base, { readWrite, readOnly });
      assert.deepEqual(
        readdirSync(folder.path).filter((name) => /key/.test(name)),
        [],
        'no file has the keys',
      );
    } finally {
      await server.stop();
    }
  });

  test('writes JSON lines, and the keys to a private file, without a terminal', async () => {
    const server = folder.start(['serve']);
    const { address, firstKeysFile, startLine } = await startOf(server);
    assert.equal(firstKeysFile, join(realpathSync(folder.path), 'data/first-keys.txt'));
    assert.match(String(startLine.data), /store\.db$/);
    assert.equal(startLine.reference, `${address}/api`);
    assert.equal(startLine.admin, `${address}/admin`);
    const [readWrite, readOnly, token] = keysIn(firstKeysFile!);
    await createFirstProduct(address, { readWrite: readWrite!, readOnly: readOnly! });
    server.signal('SIGTERM');
    const { code, stdout, stderr } = await server.ended;
    assert.equal(code, 0);
    for (const line of stdout.trim().split('\n')) assert.equal(typeof JSON.parse(line).msg, 'string');
    for (const key of [readWrite!, readOnly!, token!])
      assert.ok(!`${stdout}${stderr}`.includes(key), 'no key is in the log');
    assert.deepEqual(notPrivate(folder.path), []);
  });

  test('replaces the file of FIRST_KEYS_FILE, and creates no keys if it cannot be written', async () => {
    mkdirSync(join(folder.path, 'secrets'), { mode: 0o700 });
    const file = join(folder.path, 'secrets/keys');
    writeFileSync(file, 'read-write pv_rw_of-a-store-that-is-gone\n', { mode: 0o644 });
    const refused = await folder.run(['serve'], { FIRST_KEYS_FILE: join(folder.path, 'secrets') });
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /^The first keys cannot be written to \S+secrets: .* Set FIRST_KEYS_FILE to a writable file, .*\n$/,
    );
    const server = folder.start(['serve'], { FIRST_KEYS_FILE: file });
    const { firstKeysFile, address } = await startOf(server);
    assert.equal(firstKeysFile, file);
    const [readWrite] = keysIn(file);
    assert.equal((await fetch(`${address}/api/tags`, { headers: { 'x-auth-token': readWrite! } })).status, 200);
    assert.deepEqual(notPrivate(folder.path), []);
  });

  test('creates no keys if the environment names a key, even an empty one', async () => {
    const server = folder.start(['serve'], { API_KEY_READ_ONLY: '' });
    const { address, firstKeysFile, said } = await startOf(server);
    assert.equal(firstKeysFile, undefined);
    assert.match(said, /There is no API key/);
    assert.equal((await fetch(`${address}/api/products`, { headers: { 'x-auth-token': '' } })).status, 401);
    assert.equal((await fetch(`${address}/api/products`)).status, 401);
  });

  test('shows keys only once, even if all keys are revoked before the second start', async () => {
    const first = folder.start(['serve']);
    const { firstKeysFile } = await startOf(first);
    first.signal('SIGTERM');
    await first.ended;
    rmSync(firstKeysFile!);
    for (const name of ['first read/write', 'first read-only'])
      assert.equal((await folder.run(['keys', 'revoke', name])).code, 0);
    const second = folder.start(['serve'], { STORE_CURRENCY: 'EUR', LANGUAGES: 'de' });
    const { firstKeysFile: again, said } = await startOf(second);
    assert.deepEqual([again, existsSync(firstKeysFile!)], [undefined, false]);
    assert.match(said, /STORE_CURRENCY is EUR, but the store uses USD/);
    assert.match(said, /LANGUAGES names de, but the store has en/);
  });
});

/** Creates the first product of the README. */
async function createFirstProduct(base: string, keys: { readWrite: string; readOnly: string }): Promise<void> {
  const post = (key: string) =>
    fetch(`${base}/api/products`, {
      method: 'POST',
      body: '{"sku": "SHIRT-1", "name": "T-shirt", "price": 19.99}',
      headers: { 'x-auth-token': key, 'content-type': 'application/json' },
    });
  assert.equal((await post(keys.readOnly)).status, 403);
  const made = await post(keys.readWrite);
  assert.deepEqual([made.status, made.headers.get('location')], [201, `${base}/api/products/1`]);
  assert.equal((await fetch(`${base}/api/products`, { headers: { 'x-auth-token': keys.readOnly } })).status, 200);
}

/** @returns the read/write key, the read-only one, and the token that signs in to the admin page */
function keysIn(file: string): string[] {
  const lines = /^read-write (pv_rw_\S+)\nread-only (pv_ro_\S+)\nsign-in \S+\/admin#token=(pv_si_\S+)\n$/;
  return lines.exec(readFileSync(file, 'utf8'))!.slice(1);
}

/** Returns files and folders below the path that others than their owner can read. */
function notPrivate(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((each) => (statSync(each).mode & 0o077) !== 0);
}

test('a first start that fails on a busy port does not use up the first keys', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const refused = await folder.run(['serve'], { PORT: String(port) });
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, new RegExp(`${port}`));
  assert.equal(refused.stderr.trim().split('\n').length, 1);
  other.close();
  assert.ok((await startOf(folder.start(['serve']))).firstKeysFile);
});

describe('the keys command', () => {
  test('creates, lists and revokes keys while the server runs', async () => {
    const server = folder.start(['serve'], { API_KEY_READ_WRITE: '' });
    const base = (await startOf(server)).address;
    const read = (key: string) => fetch(`${base}/api/tags`, { headers: { 'x-auth-token': key } });
    const made = await folder.run(['keys', 'create', 'night script', '--read-only']);
    assert.equal(made.code, 0);
    const key = made.stdout.trim();
    assert.equal((await read(key)).status, 200);
    const twice = await folder.run(['keys', 'create', 'night script']);
    assert.equal(twice.code, 1);
    assert.match(twice.stderr, /A key “night script” already exists/);
    const listed = await folder.run(['keys', 'list']);
    assert.match(
      listed.stdout,
      /^\d{4}-\d{2}-\d{2} {2}read-only {4}night script \((?:never used|last used [\d-]{10})\)\n$/,
    );
    assert.ok(!listed.stdout.includes(key));
    assert.equal((await folder.run(['keys', 'revoke', 'night script'])).code, 0);
    assert.equal((await read(key)).status, 401);
    assert.equal((await folder.run(['keys', 'revoke', 'night script'])).code, 1);
    const scoped = ['keys', 'create', 'scoped', '--scopes', 'tags:read,products:read', '--masks', 'Product.cost_price'];
    assert.equal((await folder.run(scoped)).code, 0);
    const shown = /scoped {7}scoped \(never used; scopes products:read tags:read; masks Product\.cost_price\)/;
    assert.match((await folder.run(['keys', 'list'])).stdout, shown);
    for (const [wrong, message] of [
      [['--scopes', 'product:read'], /There is no scope “product:read”\. Did you mean “products:read”\?/],
      [['--scopes', '*:read', '--masks', 'cost_price'], /“cost_price” .* Did you mean “Product\.cost_price”\?/],
    ] as const)
      assert.match((await folder.run(['keys', 'create', 'no', ...wrong])).stderr, message);
    const all = (await folder.run(['keys', 'scopes'])).stdout;
    assert.match(all, /^ {2}products:read +\S[\s\S]*^ {2}Product\.cost_price$/m);
    const ofShop = ['--kind', 'publishable', '--origins', 'https://shop.example'];
    assert.match((await folder.run(['keys', 'create', 'shop', ...ofShop])).stdout, /^pv_pk_\S+\n$/);
    assert.match(
      (await folder.run(['keys', 'create', 'x', '--read-only', ...ofShop])).stderr,
      /Use only one of --kind/,
    );
    assert.equal((await folder.run(['keys', 'revoke', 'shop'])).code, 0);
  });

  test('rotates a key under the same name, and accepts the old one for the given time', async () => {
    const server = folder.start(['serve'], { API_KEY_READ_WRITE: '' });
    const { address } = await startOf(server);
    const read = async (key: string) =>
      (await fetch(`${address}/api/tags`, { headers: { 'x-auth-token': key } })).status;
    const keyOf = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await folder.run(['keys', ...args]);
      assert.equal(code, 0, stderr);
      return stdout.trim();
    };
    const first = await keyOf('create', 'till', '--expires', '2999-01-01');
    const second = await keyOf('rotate', 'till', '--hours', '2');
    assert.match(second, /^pv_rw_/);
    assert.deepEqual([await read(first), await read(second)], [200, 200]);
    assert.match(
      (await folder.run(['keys', 'list'])).stdout,
      /till \(expires 2999-01-01T00:00:00Z, previous key valid until \d/,
    );
    const third = await keyOf('rotate', 'till', '--hours', '0');
    assert.deepEqual([await read(first), await read(second), await read(third)], [401, 401, 200]);
    for (const [args, message] of [
      [['rotate', 'nobody'], /^There is no valid key “nobody”/],
      [['rotate', 'till', '--hours', 'some'], /^--hours must be a whole number/],
      [['create', ' '], /^name: This value should not be blank\./],
      [['create', 'old', '--expires', '2001-01-01'], /^expires_at: The time must be in the future\./],
    ] as const) {
      const { code, stderr } = await folder.run(['keys', ...args]);
      assert.equal(code, 1);
      assert.match(stderr, message);
    }
  });
});

describe('invalid settings', () => {
  const cases: [Record<string, string>, RegExp][] = [
    [{ PORT: 'http' }, /^PORT must be a whole number from 0 to 65535; it is "http"\.\n$/],
    [{ PORT: '65536' }, /^PORT must be/],
    [{ HOST: 'https://user:password@shop.example' }, /^HOST must be a host name or an IP address\.\n$/],
    [{ DATABASE_URL: 'mysql://x' }, /^DATABASE_URL must be sqlite:FILE or postgres/],
    [{ DATABASE_SCHEMA: 'Shop' }, /^DATABASE_SCHEMA must be 1 to 63 of a-z, 0-9 and _/],
    [{ DATABASE_SCHEMA: 'pg_shop' }, /^DATABASE_SCHEMA must be/],
    [{ DATABASE_SCHEMA: 'shop' }, /^DATABASE_SCHEMA must be empty if DATABASE_URL names a SQLite file/],
    [{ IMAGES_URL: 's3:bucket' }, /^IMAGES_URL must be file:FOLDER/],
    [{ BASE_URL: 'shop.example' }, /^BASE_URL must be an http or https address/],
    [{ SHOP_URL: 'https://shop.example/?lang=en' }, /^SHOP_URL must be an http or https address without .*query/],
    [{ BASE_URL: 'https://shop.example/#top' }, /^BASE_URL must be an http or https address without .*fragment/],
    [{ DEFAULT_LANGUAGE: 'english' }, /^DEFAULT_LANGUAGE must be a language code/],
    [{ LOG_REQUESTS: 'yes' }, /^LOG_REQUESTS must be one of 0, 1; it is "yes"/],
    [{ METRICS_PORT: '99999' }, /^METRICS_PORT must be a whole number from 0 to 65535/],
    [{ LANGUAGES: 'de,FR' }, /^LANGUAGES must be a language code/],
    [{ STORE_TIME_ZONE: 'Mars/Olympus' }, /^STORE_TIME_ZONE must be an IANA time zone/],
    [{ STORE_CURRENCY: 'euro' }, /^STORE_CURRENCY must be three capital letters/],
    [{ COMPATIBILITY: '5.4' }, /^COMPATIBILITY must be one of none, 5\.5/],
    [{ TRUST_PROXY: '10.0.0.0/99' }, /^TRUST_PROXY must be/],
    [{ IMAGE_DOWNLOAD_ALLOW: 'localhost' }, /^IMAGE_DOWNLOAD_ALLOW must be/],
    [{ IMAGE_BYTES_MAX: '-1' }, /^IMAGE_BYTES_MAX must be a whole number from 0/],
    [
      { API_KEY_READ_WRITE: 'short' },
      /^API_KEY_READ_WRITE must be 8 to 200 visible ASCII characters without a comma\.\n$/,
    ],
    [
      { API_KEY_READ_WRITE: 'the-same-key', API_KEY_READ_ONLY: 'the-same-key' },
      /^API_KEY_READ_WRITE and API_KEY_READ_ONLY must differ/,
    ],
  ];
  for (const [environment, line] of cases)
    test(`rejects ${JSON.stringify(environment)} in one line, before creating files`, async () => {
      const { code, stdout, stderr } = await folder.run(['serve'], environment);
      assert.equal(code, 1);
      assert.equal(stdout, '');
      assert.match(stderr, line);
      assert.equal(stderr.trim().split('\n').length, 1);
      assert.deepEqual(readdirSync(folder.path), []);
    });
});

describe('credentials in settings', () => {
  const MARKER = 'marker-of-the-test';
  const WRONG = [
    `s3://bucket/?endpoint=http://127.0.0.1:1&secret=${MARKER}`,
    `x://user:${MARKER}@host`,
    `postgres:/user:${MARKER}@host`,
    `https://user:${MARKER}@shop.example`,
    `https://shop.example/?token=${MARKER}`,
  ];

  for (const { name } of Object.values(settings))
    test(`are not printed if ${name} is wrong`, () => {
      const isKey = /^(?:API_KEY|AWS)_/.test(name);
      for (const text of isKey ? [`${MARKER}, with a comma`] : WRONG)
        try {
          readConfig({ [name]: text });
        } catch (error) {
          assert.doesNotMatch((error as Error).message, new RegExp(MARKER));
        }
    });

  test('are not printed by commands whose database or remote store is unreachable', async () => {
    const DATABASE_URL = `postgres://nobody:${MARKER}@127.0.0.1:1/none?password=${MARKER}`;
    const store = `http://user:${MARKER}@127.0.0.1:1`;
    for (const args of [
      ['serve'],
      ['check'],
      ['backup', 'copy'],
      ['keys', 'list'],
      ['export', 'products', '-', '--store', store, '--key', MARKER],
      ['export', 'products', '-', '--store', store],
      ['import', 'store', store, '--key', MARKER],
    ])
      for (const LOG_LEVEL of ['info', 'debug']) {
        const { code, stdout, stderr } = await folder.run(args, { DATABASE_URL, LOG_LEVEL });
        assert.notEqual(code, 0, args.join(' '));
        assert.ok(!`${stdout}${stderr}`.includes(MARKER), `${args.join(' ')}: ${stderr}`);
      }
  });
});

test('the reference lists every setting with its default', () => {
  const [, tables] = readFileSync('docs/reference/configuration.md', 'utf8').split(/^## .*$/m);
  const documented = [...tables!.matchAll(/^\| (`[A-Z].*?) \| (.*?) \|/gm)].flatMap(([, names, fallback]) =>
    [...names!.matchAll(/`(\w+)`/g)].map(([, name]) => [name!, fallback!.replaceAll('`', '')] as const),
  );
  const defaults = new Map(documented);
  assert.equal(defaults.size, documented.length);
  for (const { name, default: fallback, isSecret } of Object.values(settings)) {
    const shown = defaults.get(name);
    assert.ok(shown !== undefined && (fallback === '' || shown === fallback), `${name}: ${shown}`);
    defaults.delete(name);
    if (isSecret) assert.ok(defaults.delete(`${name}_FILE`), name);
  }
  assert.deepEqual([...defaults.keys()], []);
});

test('rejects a second server on the same data, and starts after kill -9', async () => {
  const first = folder.start(['serve']);
  await startOf(first);
  const second = await folder.run(['serve']);
  assert.equal(second.code, 1);
  assert.match(second.stderr, /Another Purveyor already serves .*store\.db/);
  first.signal('SIGKILL');
  await first.ended;
  await startOf(folder.start(['serve']));
});

test('reports an unreachable database in one line', async () => {
  const { code, stderr } = await folder.run(['serve'], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
  assert.equal(code, 1);
  assert.equal(stderr.trim().split('\n').length, 1);
});

test('SIGTERM finishes running requests, then exits 0', async () => {
  const server = folder.start(['serve'], { API_KEY_READ_WRITE: 'test-key-1' });
  const base = new URL((await startOf(server)).address);
  const socket = connect(Number(base.port), base.hostname);
  const body = JSON.stringify({ name: 'Slow' });
  socket.write(
    `POST /api/tags HTTP/1.1\r\nHost: x\r\nX-Auth-Token: test-key-1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  );
  // Once the server has responded to a later request, it has received the head of this one.
  await fetch(new URL('/healthz', base));
  server.signal('SIGTERM');
  socket.write(body.slice(5));
  const [response] = await once(socket, 'data');
  assert.match(String(response), /^HTTP\/1\.1 201/);
  socket.destroy();
  assert.equal((await server.ended).code, 0);
});

test('serve --help lists every setting and creates no files', async () => {
  const { code, stdout } = await folder.run(['serve', '--help']);
  assert.equal(code, 0);
  for (const { name } of Object.values(settings)) assert.ok(stdout.includes(`  ${name} `), name);
  assert.ok(!existsSync(join(folder.path, 'data')));
});
