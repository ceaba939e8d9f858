/** An S3 server that is slow, fails, cuts connections, is away or lists objects late (docs/reliability/f-storage.md, F18 to F24). */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, mock, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readS3Address } from '../../src/adapters/images-s3/address.ts';
import { openS3Images } from '../../src/adapters/images-s3/index.ts';
import { ImagesUnavailable } from '../../src/engine/ports.ts';
import { type DatabaseName, databaseNames } from '../support/databases.ts';
import { assertProblem } from '../support/expect.ts';
import { file, namesIn } from '../support/image-store-contract.ts';
import { attached, fileAt, noisePng, png } from '../support/images.ts';
import { S3Proxy } from '../support/s3-proxy.ts';
import { s3Settings, startS3rver } from '../support/s3-server.ts';
import { Store } from '../support/store.ts';

const server = await startS3rver();
const proxy = await S3Proxy.to(server.endpoint);
after(async () => {
  proxy.close();
  await server.stop();
});

const isImage = (_: string, url: string): boolean => /\/[0-9a-f]{64}\./.test(url);
const isOf =
  (wanted: string) =>
  (method: string, url: string): boolean =>
    method === wanted && isImage(method, url);

describe('image store on S3', () => {
  const open = () =>
    openS3Images(readS3Address(s3Settings({ ...server, endpoint: proxy.endpoint }, randomUUID()).IMAGES_URL!)!, {
      ...server.credentials,
      settleMs: 20,
    });
  after(() => {
    proxy.fault = undefined;
  });

  for (const response of [500, 502, 503, 429, 'cut before', 'cut after'] as const)
    test(`the image store on S3 retries every operation after two faults of type ${response}`, async () => {
      proxy.fault = undefined;
      const store = open();
      const { name, bytes } = file('png');
      const failTwice = () => {
        proxy.fault = { response: response, times: 2 };
      };
      failTwice();
      await store.put(name, bytes);
      failTwice();
      assert.ok(bytes.equals((await store.get(name))!));
      failTwice();
      assert.equal(await store.sizeOf(name), bytes.length);
      failTwice();
      assert.deepEqual(await namesIn(store), [name]);
      failTwice();
      await store.remove(name);
      assert.equal(await store.has(name), false);
    });

  test('the image store on S3 resumes a download where the connection was cut', async () => {
    proxy.fault = undefined;
    const store = open();
    const { name, bytes } = file('png', await noisePng(400, 300));
    await store.put(name, bytes);
    for (const part of [undefined, { first: 1000, last: 300_000 }]) {
      proxy.fault = { matches: isOf('GET'), cutAfterBytes: 100_000, times: 2 };
      const image = (await store.open(name, part))!;
      const read = Buffer.concat(await Array.fromAsync(image.read()));
      assert.ok(read.equals(part ? bytes.subarray(part.first, part.last + 1) : bytes));
    }
    proxy.fault = { matches: isOf('GET'), cutAfterBytes: 100, times: 100 };
    const image = (await store.open(name))!;
    await assert.rejects(Array.fromAsync(image.read()));
  });

  test('the image store on S3 gives up within 15 s and reports the reason', async () => {
    const store = open();
    const { name, bytes } = file('png');
    proxy.fault = { response: 503 };
    const began = Date.now();
    await assert.rejects(store.put(name, bytes), (error) => {
      assert.ok(error instanceof ImagesUnavailable);
      assert.match(error.message, /^The S3 store s3:\/\/pictures\/.* at http:.* returned 503/);
      return true;
    });
    assert.ok(Date.now() - began < 15_000);
    proxy.fault = { response: 'cut before' };
    await assert.rejects(store.get(name), /does not respond/);
    await assert.rejects(store.check(), /does not respond/);
    proxy.fault = undefined;
    await store.check();
  });

  test('the image store on S3 reports a wrong key, bucket or endpoint', async () => {
    proxy.fault = undefined;
    const address = readS3Address(`s3://pictures/?endpoint=${server.endpoint}`)!;
    const wrongs = [
      [address, { accessKeyId: 'nobody' }, /InvalidAccessKeyId.*Check AWS_ACCESS_KEY_ID/],
      [address, { secretAccessKey: 'wrong' }, /SignatureDoesNotMatch.*AWS_SECRET_ACCESS_KEY, and the region/],
      [{ ...address, bucket: 'nowhere' }, {}, /NoSuchBucket.*Create the bucket first/],
      [{ ...address, endpoint: 'http://127.0.0.1:1' }, {}, /does not respond: .*ECONNREFUSED/],
    ] as const;
    for (const [wrongAddress, credentials, message] of wrongs) {
      const store = openS3Images(wrongAddress, { ...server.credentials, ...credentials });
      await assert.rejects(store.check(), message);
      await assert.rejects(store.get(file('png').name), message);
    }
  });

  test('the image store on S3 waits for slow responses and retries after a missing one', async () => {
    proxy.fault = undefined;
    const store = open();
    const { name, bytes } = file('png');
    await store.put(name, bytes);
    proxy.fault = { response: 'silence', times: 1 };
    assert.ok(bytes.equals((await store.get(name))!));
    proxy.fault = { delayMs: 1000 };
    assert.ok(bytes.equals((await store.get(name))!));
  });

  test('the image store on S3 adopts the time of the S3 server if the local clock is wrong', async () => {
    proxy.fault = undefined;
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 3 * 3600 * 1000 });
    try {
      const store = open();
      const { name, bytes } = file('png');
      await store.put(name, bytes);
      assert.ok(bytes.equals((await store.get(name))!));
      for await (const { ageSeconds } of store.list()) assert.ok(ageSeconds < 60, `${ageSeconds}`);
    } finally {
      mock.timers.reset();
    }
  });

  test('a thumbnail that S3 does not list yet is removed with the next removal of its image', async () => {
    proxy.fault = undefined;
    const store = open();
    const { name, bytes } = file('png');
    await store.put(name, bytes);
    await store.put(`${name}.320.png`, bytes);
    const contents = /<Contents>.*?<\/Contents>/gs;
    proxy.fault = {
      matches: (method, url) => method === 'GET' && url.includes('list-type'),
      rewrite: (xml) => xml.replace(contents, ''),
    };
    assert.deepEqual(await namesIn(store), []);
    await store.remove(name);
    proxy.fault = undefined;
    assert.deepEqual(await namesIn(store), [name]);
    await store.remove(name);
    assert.deepEqual(await namesIn(store), []);
    assert.equal(await store.has(`${name}.320.png`), false);
  });
});

for (const database of databaseNames) describe(`store on S3 (${database})`, () => declareStoreTests(database));

function declareStoreTests(database: DatabaseName): void {
  // Each store has a separate prefix, because the second would not start with that of the first.
  const store = new Store(database, s3Settings({ ...server, endpoint: proxy.endpoint }, database));
  const add = async (bytes: Buffer) => {
    const { id } = await store.product();
    return { product: id, image: await store.made(`/api/products/${id}/images`, await attached(bytes)) };
  };
  before(async () => {
    proxy.fault = undefined;
    await store.start();
  });
  after(() => store.stop());

  test('a store on S3 stores, serves and removes images and thumbnails', async () => {
    proxy.fault = undefined;
    const bytes = await noisePng(300, 200);
    const { product, image } = await add(bytes);
    const { pathname } = new URL(image.url);
    const whole = await fileAt(store, image.url);
    assert.deepEqual([whole.status, whole.headers['content-type']], [200, 'image/png']);
    assert.ok(whole.bytes.equals(bytes));
    const part = await fileAt(store, image.url, { range: 'bytes=100-199' });
    assert.deepEqual([part.status, part.headers['content-range']], [206, `bytes 100-199/${bytes.length}`]);
    assert.ok(part.bytes.equals(bytes.subarray(100, 200)));
    assert.equal((await fileAt(store, image.url, { 'if-none-match': whole.headers.etag })).status, 304);
    const head = await store.request('HEAD', pathname, { key: null });
    assert.equal(head.headers['content-length'], String(bytes.length));
    const small = await store.request('GET', `${pathname}?width=160`, { headers: { accept: 'image/webp' } });
    assert.deepEqual([small.status, small.headers['content-type']], [200, 'image/webp']);
    proxy.seen.length = 0;
    await store.request('GET', `${pathname}?width=160`, { headers: { accept: 'image/webp' } });
    assert.deepEqual(proxy.seen, [`GET /pictures/${database}${pathname.slice('/images'.length)}.160.webp`]);
    await store.delete(`/api/products/${product}`);
    await store.settled();
    assert.equal((await fileAt(store, image.url)).status, 404);
    const left = await fetch(`${server.endpoint}/pictures?prefix=${database}/${pathname.slice('/images/'.length)}`);
    assert.doesNotMatch(await left.text(), /<Contents>/);
  });

  test('an unavailable S3 server causes a 503 for images, and the store is unchanged', async () => {
    proxy.fault = undefined;
    const { image } = await add(await png());
    const { id } = await store.product();
    proxy.fault = { matches: isImage, response: 503 };
    assertProblem(await store.post(`/api/products/${id}/images`, await attached(png())), 503, /image files/);
    assertProblem(await fileAt(store, image.url), 503, /image files/);
    proxy.fault = { response: 503 };
    // The result of the last check is cached for a short time.
    let ready = await store.get('/readyz');
    for (; ready.json.warnings === undefined; ready = await store.get('/readyz')) await sleep(200);
    assert.equal(ready.status, 200);
    assert.deepEqual((await store.get(`/api/products/${id}`)).json.images, []);
    proxy.fault = undefined;
    assert.equal((await fileAt(store, image.url)).status, 200);
    assert.equal((await store.post(`/api/products/${id}/images`, await attached(png()))).status, 201);
  });

  test('a single S3 fault is invisible to clients', async () => {
    for (const response of [500, 'cut after', 'cut before'] as const) {
      proxy.fault = { matches: isImage, response: response, times: 1 };
      const { image } = await add(await png());
      proxy.fault = { matches: isImage, response: response, times: 1 };
      assert.equal((await fileAt(store, image.url)).status, 200);
    }
  });

  test('a retry of a rejected upload succeeds as soon as S3 is available again', async () => {
    proxy.fault = undefined;
    const bytes = await png();
    const { id } = await store.product();
    const path = `/api/products/${id}/images`;
    const body = await attached(bytes);
    const outage = Promise.withResolvers<void>();
    proxy.fault = { response: 'cut before' };
    // At the end of the outage, S3 has also rejected the removal of what it may have stored.
    setTimeout(outage.resolve, 2500);
    assertProblem(await store.post(path, body), 503, /image files/);
    await outage.promise;
    await store.settled();
    proxy.fault = undefined;
    assert.equal((await store.post(path, body)).status, 201);
  });

  test('a removal without a response blocks uploads of the same image until it cannot be executed any more', async () => {
    proxy.fault = undefined;
    const bytes = await png();
    const { product, image } = await add(bytes);
    proxy.fault = { matches: isOf('DELETE'), response: 'silence' };
    await store.delete(`/api/products/${product}`);
    await store.settled();
    proxy.fault = undefined;
    const again = await store.product();
    assertProblem(await store.post(`/api/products/${again.id}/images`, await attached(bytes)), 503);
    assert.equal((await fileAt(store, image.url)).status, 200);
  });

  test('an image that S3 failed to remove stays available, and can be uploaded again', async () => {
    proxy.fault = undefined;
    const bytes = await png();
    const { product, image } = await add(bytes);
    proxy.fault = { matches: isOf('DELETE'), response: 500 };
    await store.delete(`/api/products/${product}`);
    await store.settled();
    proxy.fault = undefined;
    const again = await store.product();
    const { url } = await store.made(`/api/products/${again.id}/images`, await attached(bytes));
    await store.settled();
    assert.deepEqual([url, (await fileAt(store, image.url)).status], [image.url, 200]);
  });
}
