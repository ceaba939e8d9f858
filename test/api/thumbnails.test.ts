/** Image thumbnails: created on request, stored, and removed with their image (catalog.md §2). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import type { RequestOptions } from '../support/client.ts';
import { assertProblem } from '../support/expect.ts';
import { attached, fileAt, noise, png, testImage } from '../support/images.ts';
import { onOneDatabase } from '../support/store.ts';

const BROWSER = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';

onOneDatabase('thumbnails', {}, (store) => {
  const add = async (bytes: Buffer) => {
    const { id } = await store.product();
    return { id, ...(await store.made(`/api/products/${id}/images`, await attached(bytes))) };
  };
  const thumbnail = async (url: string, query: string, headers: RequestOptions['headers'] = {}) => {
    const { pathname } = new URL(url);
    return store.request('GET', `${pathname}?${query}`, { key: null, headers });
  };

  test('use the format that the client prefers, otherwise the format of the image', async () => {
    const { url } = await add(await testImage(900, 600).jpeg().toBuffer());
    const formats: [string | undefined, string][] = [
      [undefined, 'jpeg'],
      ['*/*', 'jpeg'],
      ['image/*', 'jpeg'],
      ['text/html', 'jpeg'],
      ['image/webp,*/*', 'webp'],
      ['image/webp;q=0.5,*/*', 'jpeg'],
      [BROWSER, 'avif'],
      ['image/png,image/webp;q=0.9', 'webp'],
    ];
    for (const [accept, format] of formats) {
      const { status, headers, bytes } = await thumbnail(url, 'width=320', { accept });
      assert.deepEqual([status, headers['content-type']], [200, `image/${format}`], String(accept));
      assert.deepEqual([headers.vary, headers['cache-control']], ['Accept', 'public, max-age=31536000, immutable']);
      const found = await sharp(bytes).metadata();
      assert.deepEqual([found.width, found.height], [320, 213], String(accept));
    }
  });

  test('are at most as wide as the image, rotated like it, and show one frame of an animation', async () => {
    const small = await add(await png(100, 50));
    const narrow = await sharp((await thumbnail(small.url, 'width=640')).bytes).metadata();
    assert.deepEqual([narrow.width, narrow.height], [100, 50]);

    const rotated = await add(await testImage(800, 400).jpeg().withMetadata({ orientation: 6 }).toBuffer());
    const upright = await sharp((await thumbnail(rotated.url, 'width=160')).bytes).metadata();
    assert.deepEqual([upright.width, upright.height, upright.orientation], [160, 320, undefined]);

    const tall = await add(await testImage(2, 16_500).png().toBuffer());
    const { height } = await sharp((await thumbnail(tall.url, 'width=160', { accept: 'image/webp' })).bytes).metadata();
    assert.equal(height, 16_000);

    const frames = noise(200, 200).gif();
    const animated = await add(await frames.toBuffer());
    const still = await sharp((await thumbnail(animated.url, 'width=160', { accept: 'image/webp' })).bytes).metadata();
    assert.deepEqual([still.width, still.height, still.pages], [160, 160, undefined]);
  });

  test('of unsupported widths are rejected with the supported ones', async () => {
    const { url } = await add(await png());
    for (const query of [
      'width=',
      'width=0',
      'width=321',
      'width=320&width=320',
      'width=320px',
      'width=1e3',
      'width=-160',
    ])
      assertProblem(await thumbnail(url, query), 400, /160, 320, 640, 1280/);
    assert.equal((await thumbnail(url, 'height=100')).headers['content-type'], 'image/png');
    const missing = `${new URL(url).origin}/images/${'0'.repeat(64)}.png`;
    assertProblem(await thumbnail(missing, 'width=320'), 404);
    // The files themselves have no address.
    assert.equal((await fileAt(store, `${url}.320.png`)).status, 404);
  });

  test('support HEAD, ranges and their own ETags like other files', async () => {
    const { url } = await add(await noise(700, 300).png().toBuffer());
    const { pathname } = new URL(url);
    const head = await store.request('HEAD', `${pathname}?width=640`, { key: null });
    const whole = await thumbnail(url, 'width=640');
    assert.equal(head.headers['content-length'], String(whole.bytes.length));
    const { etag } = whole.headers;
    assert.notEqual(etag, (await fileAt(store, url)).headers.etag);
    assert.notEqual(etag, (await thumbnail(url, 'width=640', { accept: 'image/webp' })).headers.etag);
    assert.equal((await thumbnail(url, 'width=640', { 'if-none-match': etag })).status, 304);
    const part = await thumbnail(url, 'width=640', { range: 'bytes=10-19' });
    assert.equal(part.status, 206);
    assert.deepEqual(part.bytes, whole.bytes.subarray(10, 20));
    assert.equal((await thumbnail(url, 'width=640', { range: 'bytes=9999999-' })).status, 416);
  });

  test('are created once for concurrent requests, stored, and removed with their image', async () => {
    const { id, url } = await add(await testImage(1300, 300).png().toBuffer());
    const name = new URL(url).pathname.split('/').at(-1)!;
    const responses = await Promise.all(
      Array.from({ length: 30 }, () => thumbnail(url, 'width=1280', { accept: 'image/webp' })),
    );
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]));
    await thumbnail(url, 'width=160');
    const files = (await store.imageFiles()).filter((file) => file.startsWith(name));
    assert.deepEqual(files, [name, `${name}.1280.webp`, `${name}.160.png`]);
    await store.delete(`/api/products/${id}`);
    assert.deepEqual(
      (await store.imageFiles()).filter((file) => file.startsWith(name)),
      [],
    );
    assertProblem(await thumbnail(url, 'width=160'), 404);
  });
});
