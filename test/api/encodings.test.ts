/** Compressed responses: content negotiation, encodings and ETags (RFC 9110 §§8.4 and 12.5.3). */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { HttpResponse } from '../support/client.ts';
import { assertProblem, assertUnchanged } from '../support/expect.ts';
import { attached, fileAt, noisePng } from '../support/images.ts';
import { onOneDatabase } from '../support/store.ts';

const LIST = '/api/products?itemsPerPage=100';
const SUFFIXES: Readonly<Record<string, string>> = { zstd: 'zst', gzip: 'gz', br: 'br' };

/** The ETag of the uncompressed response with the suffix of the encoding. */
const encodedTag = (etag: string, coding: string): string => `${etag.slice(0, -1)};${SUFFIXES[coding]}"`;

onOneDatabase('compressed responses', {}, (store) => {
  let path: string;
  before(async () => {
    for (let count = 0; count < 20; count += 1) await store.product();
    path = `/api/products/${(await store.product({ description: 'Long. '.repeat(1000) })).id}`;
  });

  const choices: [accepted: string | undefined, coding: string | undefined][] = [
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['br', 'br'],
    ['zstd', 'zstd'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['br, gzip', 'gzip'],
    ['br;q=1.0, gzip;q=0.8', 'br'],
    ['gzip;q=0.5, br ; q=0.501', 'br'],
    ['*', 'gzip'],
    ['*;q=0.1', 'gzip'],
    ['*, zstd;q=0', 'gzip'],
    ['*, gzip;q=0', undefined],
    ['*;q=0', undefined],
    ['gzip;q=0', undefined],
    ['gzip;q=0.5, identity', undefined],
    ['gzip;q=0.5, identity;q=0.4', 'gzip'],
    ['identity;q=0, deflate', undefined],
    ['identity;q=0, *', 'gzip'],
    ['deflate', undefined],
    ['gzip;q=2', undefined],
    ['gzip;q=x', undefined],
    [',;,=', undefined],
  ];
  for (const [accepted, coding] of choices)
    test(`Accept-Encoding ${accepted ?? '(absent)'} selects ${coding ?? 'the uncompressed body'}`, async () => {
      for (const target of [LIST, path]) {
        const plain = await store.get(target);
        const response = await store.get(target, { 'accept-encoding': accepted });
        assert.equal(response.headers['content-encoding'], coding);
        assert.equal(response.text, plain.text);
        assert.equal(
          response.headers.etag,
          coding === undefined ? plain.headers.etag : encodedTag(plain.headers.etag!, coding),
        );
        assert.equal(Number(response.headers['content-length']), response.bytes.length);
        assert.equal(response.bytes.length < plain.bytes.length / 2, coding !== undefined);
        assert.match(response.headers.vary!, /\bAccept-Encoding\b/);
      }
    });

  test('have the same headers for HEAD as for GET', async () => {
    for (const coding of Object.keys(SUFFIXES)) {
      const [got, head] = [
        await store.get(LIST, { 'accept-encoding': coding }),
        await store.request('HEAD', LIST, { headers: { 'accept-encoding': coding } }),
      ];
      for (const name of ['etag', 'content-encoding', 'content-length', 'content-type', 'vary'])
        assert.equal(head.headers[name], got.headers[name], name);
    }
  });

  test('exclude small bodies and images', async () => {
    const accept = { 'accept-encoding': 'gzip, br, zstd' };
    const tag = await store.post('/api/tags', { name: 'Small' }, accept);
    assert.deepEqual([tag.status, tag.headers['content-encoding']], [201, undefined]);
    assert.equal((await store.get(`/api/tags/${tag.json.id}`)).headers.etag, tag.headers.etag);
    const { id } = await store.product();
    const image = await store.made(`/api/products/${id}/images`, await attached(noisePng(60, 60)));
    const file = await fileAt(store, image.url, accept);
    assert.deepEqual([file.status, file.headers['content-encoding'], file.headers.vary], [200, undefined, undefined]);
    assert.equal(file.headers.etag, (await fileAt(store, image.url)).headers.etag);
  });

  test('include writes, problems, JSON-LD and documents', async () => {
    const accept = { 'accept-encoding': 'gzip' };
    const written = await store.patch(path, {}, accept);
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`unknown_${index}`, 1]));
    const rejected = await store.patch(path, many, accept);
    assertProblem(rejected, 422);
    const responses: Record<string, HttpResponse> = {
      written,
      rejected,
      linked: await store.get(LIST, { ...accept, accept: 'application/ld+json' }),
      document: await store.get('/api/openapi.json', accept),
      documentation: await store.get('/api/docs.jsonld', accept),
      script: await store.get('/api/_reference/scalar.js', accept),
    };
    for (const [what, response] of Object.entries(responses)) {
      assert.equal(response.headers['content-encoding'], 'gzip', what);
      assert.match(response.headers.vary!, /\bAccept-Encoding\b/, what);
    }
    const again = await store.get('/api/openapi.json', accept);
    assert.ok(again.bytes.equals(responses.document!.bytes));
    assert.equal(again.text, (await store.get('/api/openapi.json')).text);
  });

  test('have ETags that all match in If-None-Match, and 304 returns the ETag of the requested encoding', async () => {
    for (const target of [LIST, path, '/api/openapi.json']) {
      const { etag } = (await store.get(target)).headers;
      const tags = [etag!, ...Object.keys(SUFFIXES).map((coding) => encodedTag(etag!, coding))];
      for (const tag of [...tags, ...tags.map((each) => `W/${each}`)])
        for (const [accepted, expected] of [
          [undefined, etag],
          ['gzip', encodedTag(etag!, 'gzip')],
          ['br', encodedTag(etag!, 'br')],
        ]) {
          const response = await store.get(target, { 'if-none-match': tag, 'accept-encoding': accepted });
          assert.deepEqual([response.status, response.headers.etag], [304, expected], tag);
          assert.equal(response.headers['content-encoding'], undefined);
        }
    }
  });

  test('have ETags that match in If-Match unless outdated', async () => {
    for (const coding of Object.keys(SUFFIXES)) {
      const { etag } = (await store.get(path, { 'accept-encoding': coding })).headers;
      const stale = { 'if-match': etag, 'accept-encoding': coding };
      const response = await store.patch(path, { price: Number(coding.length) }, stale);
      assert.equal(response.status, 200, response.text);
      if (response.headers.etag !== etag)
        await assertUnchanged(store, async () => assertProblem(await store.patch(path, { price: 9 }, stale), 412));
    }
  });

  test('are replayed in the encoding of the retry', async () => {
    const body = { sku: 'REPLAYED', name: 'Replayed', description: 'Long. '.repeat(1000) };
    const headers = { 'idempotency-key': `key-${crypto.randomUUID()}` };
    const first = await store.post('/api/products', body, { ...headers, 'accept-encoding': 'br' });
    assert.deepEqual([first.status, first.headers['content-encoding']], [201, 'br']);
    for (const accepted of [undefined, 'gzip', 'br']) {
      const again = await store.post('/api/products', body, { ...headers, 'accept-encoding': accepted });
      assert.equal(again.headers['idempotency-replayed'], 'true');
      assert.equal(again.headers['content-encoding'], accepted);
      assert.equal(again.text, first.text);
      const plain = (await store.get(new URL(first.headers.location!).pathname)).headers.etag!;
      assert.equal(again.headers.etag, accepted === undefined ? plain : encodedTag(plain, accepted));
    }
  });
});
