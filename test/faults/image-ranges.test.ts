/** Range requests for image files, and readers that disconnect (reliability A23, A24). */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readRange } from '../../src/http/responses/byte-range.ts';
import { attached, fileAt, noisePng } from '../support/images.ts';
import { head } from '../support/raw-request.ts';
import { IN_PROCESS, onOneDatabase } from '../support/store.ts';

describe('Range header for a file of 100 bytes', () => {
  const cases: [string | undefined, ReturnType<typeof readRange>][] = [
    [undefined, undefined],
    ['bytes=0-99', { first: 0, last: 99 }],
    ['bytes=0-0', { first: 0, last: 0 }],
    ['bytes=10-', { first: 10, last: 99 }],
    ['bytes=-1', { first: 99, last: 99 }],
    ['bytes=-1000', { first: 0, last: 99 }],
    ['bytes=50-1000', { first: 50, last: 99 }],
    ['Bytes=1-2', { first: 1, last: 2 }],
    ['bytes=100-', 'none'],
    ['bytes=100-200', 'none'],
    ['bytes=-0', 'none'],
    ['bytes=5-4', undefined],
    ['bytes=-', undefined],
    ['bytes=', undefined],
    ['bytes=0-1,5-6', undefined],
    ['bytes= 0-1', undefined],
    ['bytes=0x1-2', undefined],
    ['bytes=-1-2', undefined],
    ['bytes=99999999999999999999-', undefined],
    ['items=0-1', undefined],
  ];
  for (const [header, expected] of cases)
    test(`Range: ${header} selects ${JSON.stringify(expected)}`, () =>
      assert.deepEqual(readRange(header, 100), expected));
});

onOneDatabase('image download', IN_PROCESS, (store) => {
  let url: string;
  let bytes: Buffer;
  before(async () => {
    bytes = await noisePng(700, 700);
    const { id } = await store.product();
    ({ url } = await store.made(`/api/products/${id}/images`, await attached(bytes)));
  });

  test('GET returns the complete image with its length, and HEAD the same headers without a body', async () => {
    const whole = await fileAt(store, url);
    assert.equal(whole.status, 200);
    assert.ok(whole.bytes.equals(bytes));
    assert.equal(whole.headers['accept-ranges'], 'bytes');
    const head = await store.request('HEAD', new URL(url).pathname, { key: null, headers: { range: 'bytes=0-1' } });
    assert.deepEqual([head.status, head.bytes.length], [200, 0]);
    for (const name of ['content-length', 'content-type', 'etag', 'cache-control', 'content-security-policy'])
      assert.equal(head.headers[name], whole.headers[name], name);
    assert.equal(head.headers['content-length'], String(bytes.length));
  });

  test('a range request returns a 206 with these bytes', async () => {
    for (const [range, first, last] of [
      ['bytes=0-0', 0, 0],
      ['bytes=70000-139999', 70_000, 139_999],
      ['bytes=-5', bytes.length - 5, bytes.length - 1],
      [`bytes=${bytes.length - 1}-`, bytes.length - 1, bytes.length - 1],
    ] as const) {
      const part = await fileAt(store, url, { range });
      assert.equal(part.status, 206);
      assert.equal(part.headers['content-range'], `bytes ${first}-${last}/${bytes.length}`);
      assert.ok(part.bytes.equals(bytes.subarray(first, last + 1)));
    }
  });

  test('a range that starts after the end of the image gets a 416', async () => {
    const none = await fileAt(store, url, { range: `bytes=${bytes.length}-` });
    assert.equal(none.status, 416);
    assert.equal(none.headers['content-range'], `bytes */${bytes.length}`);
    assert.equal(none.bytes.length, 0);
  });

  test('a request for 1,000 ranges gets the complete image once', async () => {
    const ranges = Array.from({ length: 1000 }, (_, index) => `${index}-`).join(',');
    const many = await fileAt(store, url, { range: `bytes=${ranges}` });
    assert.equal(many.status, 200);
    assert.ok(many.bytes.equals(bytes));
  });

  test('If-Range with another entity tag gets the complete image', async () => {
    const etag = (await fileAt(store, url)).headers.etag!;
    const statuses = [];
    for (const ifRange of [etag, `W/${etag}`, '"other"', 'Sat, 21 Nov 2026 09:00:00 GMT'])
      statuses.push((await fileAt(store, url, { range: 'bytes=0-9', 'if-range': ifRange })).status);
    assert.deepEqual(statuses, [206, 200, 200, 200]);
    assert.equal((await fileAt(store, url, { range: 'bytes=0-9', 'if-none-match': etag })).status, 304);
  });

  const OPEN_FILES = '/proc/self/fd';
  test('the image file is closed when its reader disconnects', {
    skip: !existsSync(OPEN_FILES) && `${OPEN_FILES} does not exist`,
  }, async () => {
    const { hostname, port } = new URL(store.address);
    const open = () => readdirSync(OPEN_FILES).length;
    const file = await fileAt(store, url);
    assert.equal(file.status, 200);
    const before = open();
    for (let round = 0; round < 50; round += 1) {
      const socket = connect(Number(port), hostname);
      socket.write(head(`GET ${new URL(url).pathname}`));
      if (round % 2 === 0) await once(socket, 'data');
      socket.destroy();
      await once(socket, 'close');
    }
    // The server closes files asynchronously, so the test polls.
    for (let polls = 0; open() > before && polls < 200; polls += 1) await sleep(20);
    assert.ok(open() <= before, `${open()} descriptors are open, ${before} before`);
  });
});
