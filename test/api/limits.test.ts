/** Limits of size and format: addresses, headers, bodies and their types (http.md §§2 and 10). */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { assertProblem, assertUnchanged } from '../support/expect.ts';
import { head, sendRaw } from '../support/raw-request.ts';
import { onOneDatabase, READ_WRITE_KEY } from '../support/store.ts';

const JSON_MAX = 2000;
const ATTACHMENT_MAX = 20_000;

/** Returns a JSON object of exactly this many bytes. */
function sized(bytes: number, sku = 'SIZED'): string {
  const empty = JSON.stringify({ sku, name: 'Sized', description: '' });
  return JSON.stringify({ sku, name: 'Sized', description: 'x'.repeat(bytes - empty.length) });
}

const KEY = `X-Auth-Token: ${READ_WRITE_KEY}`;

const settings = { JSON_BODY_BYTES_MAX: String(JSON_MAX), ATTACHMENT_BODY_BYTES_MAX: String(ATTACHMENT_MAX) };

onOneDatabase('body size limits', settings, (store) => {
  before(() => store.product());

  test('accept a body of exactly the limit and reject one byte more', async () => {
    assert.equal((await store.put('/api/products/1', sized(JSON_MAX))).status, 200);
    await assertUnchanged(store, async () => {
      for (const [method, path] of [
        ['PUT', '/api/products/1'],
        ['PATCH', '/api/products/1'],
        ['POST', '/api/products/1/stock'],
        ['POST', '/api/tags'],
      ] as const)
        assertProblem(await store.request(method, path, { body: sized(JSON_MAX + 1, 'LARGE') }), 413, /2000/);
    });
  });

  test('count bytes, not characters', () =>
    assertUnchanged(store, async () => {
      const body = JSON.stringify({ sku: 'BYTES', name: '😀'.repeat(JSON_MAX / 4) });
      assertProblem(await store.put('/api/products/1', body), 413);
    }));

  test('are separate for bodies with images', async () => {
    const large = await store.post('/api/products', sized(ATTACHMENT_MAX, 'WITH-PICTURES'));
    assert.equal(large.status, 201, large.text);
    await assertUnchanged(store, async () => {
      const images = '/api/products/1/images';
      assertProblem(await store.post(images, sized(JSON_MAX + 1)), 422);
      assertProblem(await store.post(images, sized(ATTACHMENT_MAX)), 422);
      assertProblem(await store.post(images, sized(ATTACHMENT_MAX + 1)), 413);
      assertProblem(await store.post('/api/products', sized(ATTACHMENT_MAX + 1)), 413);
    });
  });

  test('apply while a body without Content-Length arrives', async () => {
    const chunked = (body: string, length: number) =>
      `${head('PUT /api/products/1', KEY, 'Content-Type: application/json', 'Connection: close', 'Transfer-Encoding: chunked')}${body
        .match(new RegExp(`.{1,${length}}`, 'g'))!
        .map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`)
        .join('')}0\r\n\r\n`;
    for (const length of [100, 1]) {
      const whole = chunked(sized(JSON_MAX, `CHUNKED-${length}`), length);
      assert.match(await sendRaw(store.address, whole), /^HTTP\/1\.1 200 /);
      await assertUnchanged(store, async () => {
        const larger = chunked(sized(JSON_MAX + 1, `LARGE-${length}`), length);
        assert.match(await sendRaw(store.address, larger), /^HTTP\/1\.1 413 /);
      });
    }
  });

  test('reject an announced body before it is sent', async () => {
    const announced = ['Content-Type: application/json', 'Content-Length: 999999999', 'Connection: close'];
    assert.match(await sendRaw(store.address, head('POST /api/products', KEY, ...announced)), /^HTTP\/1\.1 413 /);
    const wrongKey = head('POST /api/products', KEY, ...announced).replace(READ_WRITE_KEY, 'wrong-key-of-the-tests');
    assert.match(await sendRaw(store.address, wrongKey), /^HTTP\/1\.1 401 /);
  });
});

onOneDatabase('a disabled body size limit', { JSON_BODY_BYTES_MAX: '0' }, (store) => {
  test('accepts a large body', async () => {
    const description = 'x'.repeat(3_000_000);
    const { id } = await store.product({ description });
    assert.equal((await store.get(`/api/products/${id}`)).json.description, description);
  });
});

onOneDatabase('address and header limits', {}, (store) => {
  const address = (bytes: number) => `/api/tags/1?x=${'x'.repeat(bytes - '/api/tags/1?x='.length)}`;

  test('accept an address of 16 KiB and reject one byte more', async () => {
    assertProblem(await store.get(address(16_384)), 400);
    assert.equal((await store.get(`/api/tags?name=${'x'.repeat(2000)}`)).status, 200);
    assertProblem(await store.get(address(16_385)), 414);
    assertProblem(await store.get(`/api/${'x'.repeat(17_000)}`), 414);
    assertProblem(await store.delete(address(16_385)), 414);
  });

  test('accept headers of 8 KiB in total', async () => {
    assert.equal((await store.get('/api/tags', { 'x-long': 'x'.repeat(7000) })).status, 200);
    assertProblem(await store.get('/api/tags', { 'x-long': 'x'.repeat(8193) }), 431);
    const response = await sendRaw(
      store.address,
      head('GET /api/tags', KEY, `X-Long: ${'x'.repeat(30_000)}`, 'Connection: close'),
    );
    assert.match(response, /^HTTP\/1\.1 431 /);
    assert.match(response, /application\/problem\+json/);
  });

  test('accept 100 headers', async () => {
    const some = (count: number) => Array.from({ length: count - 3 }, (_, index) => `X-${index}: x`);
    const send = (count: number) =>
      sendRaw(store.address, head('GET /api/tags', KEY, 'Connection: close', ...some(count)));
    assert.match(await send(100), /^HTTP\/1\.1 200 /);
    assert.match(await send(101), /^HTTP\/1\.1 431 /);
    assert.match(await send(1000), /^HTTP\/1\.1 431 /);
  });
});

onOneDatabase('body types', {}, (store) => {
  before(() => store.made('/api/tags', { name: 'First' }));

  const rejected: [title: string, headers: Record<string, string | undefined>, body?: Buffer][] = [
    ['no type', { 'content-type': undefined }],
    ...[
      ...['', 'text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'],
      ...[
        'text/json',
        'application/jsonp',
        'application/json5',
        'json',
        'application/',
        '*/*',
        'application/json, text/plain',
      ],
      ...['application/json; charset=utf-16', 'application/json; charset=iso-8859-1', 'application/octet-stream'],
    ].map((type): [string, Record<string, string>] => [`type ${type}`, { 'content-type': type }]),
    ['gzip', { 'content-encoding': 'gzip' }, gzipSync('{"name":"Packed"}')],
    ['deflate', { 'content-encoding': 'deflate' }, deflateSync('{"name":"Packed"}')],
    ['brotli', { 'content-encoding': 'br' }, brotliCompressSync('{"name":"Packed"}')],
    ['a decompression bomb', { 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(50_000_000))],
    ['an unknown encoding', { 'content-encoding': 'x-unknown' }],
  ];
  for (const [title, headers, body = Buffer.from('{"name":"New"}')] of rejected)
    test(`reject ${title} with 415`, () =>
      assertUnchanged(store, async () => {
        assertProblem(await store.request('POST', '/api/tags', { body, headers }), 415);
        assertProblem(await store.request('PUT', '/api/tags/1', { body, headers }), 415);
        assertProblem(await store.request('PATCH', '/api/tags/1', { body, headers }), 415);
      }));

  const accepted = [
    ...['application/json', 'Application/JSON', 'application/json; charset=utf-8', 'application/json;charset=UTF-8'],
    ...['application/json; charset="utf-8"', 'application/json ; charset=utf-8'],
  ];
  for (const [index, type] of accepted.entries())
    test(`accept ${type}`, async () => {
      const { status } = await store.post('/api/tags', { name: `Tag ${index}` }, { 'content-type': type });
      assert.equal(status, 201);
    });

  test('are ignored on reads', async () => {
    const headers = { 'content-type': 'text/plain', 'content-encoding': 'gzip' };
    assert.equal((await store.get('/api/tags', headers)).status, 200);
  });
});

onOneDatabase('Expect header', {}, (store) => {
  test('other than 100-continue is rejected with 417', () =>
    assertUnchanged(store, async () => {
      for (const expect of ['200-ok', 'miracles', '100-continues'])
        assertProblem(await store.post('/api/tags', { name: 'Never' }, { expect }), 417);
    }));

  test('100-continue is accepted', async () => {
    const body = JSON.stringify({ name: 'Expected' });
    const headers = ['Content-Type: application/json', 'Expect: 100-continue', 'Connection: close'];
    const request = head('POST /api/tags', KEY, ...headers, `Content-Length: ${body.length}`);
    assert.match(await sendRaw(store.address, request + body), /HTTP\/1\.1 201 /);
  });

  test('100-continue without a valid key gets 401 before the body is sent', async () => {
    const headers = [
      'Content-Type: application/json',
      'Expect: 100-continue',
      'Content-Length: 1000',
      'Connection: close',
    ];
    const request = head('POST /api/tags', KEY, ...headers).replace(READ_WRITE_KEY, 'wrong-key-of-the-tests');
    assert.match(await sendRaw(store.address, request), /^(HTTP\/1\.1 100 Continue\r\n\r\n)?HTTP\/1\.1 401 /);
  });
});
