/** Image files that would cost much memory or time, or contain additional data (docs/reliability/e-images.md). */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { createImageDecoder } from '../../src/adapters/image-decoder/index.ts';
import { assertProblem, assertUnchanged, assertViolations } from '../support/expect.ts';
import { attached, fileAt, png, testImage } from '../support/images.ts';
import { onOneDatabase } from '../support/store.ts';

describe('images with too many pixels', () => {
  const imageDecoder = createImageDecoder({ bytesMax: 0, pixelsMax: 50_000_000, downloadSecondsMax: 5, allow: [] });
  after(() => imageDecoder.close());
  const sizes = [65_535, 30_000, 16_000];
  for (const side of sizes)
    test(`rejects a PNG of ${side} × ${side} pixels by its header (E5, E6)`, async () => {
      const bytes = headerOnly(side, side);
      const response = await imageDecoder.fromBytes(bytes);
      assert.ok('refused' in response && /pixels; at most 50,000,000/.test(response.message), JSON.stringify(response));
    });

  test('accepts 10,000 frames of one pixel, and rejects 10,000 frames with too many pixels in total (E10)', async () => {
    const frame = Buffer.from('21f904000a0000002c0000000001000100000202440100', 'hex');
    const table = Buffer.from('47494638396101000100800000000000ffffff', 'hex');
    const small = Buffer.concat([table, ...Array<Buffer>(10_000).fill(frame), Buffer.from([0x3b])]);
    const accepted = await imageDecoder.fromBytes(small);
    assert.ok(!('refused' in accepted), JSON.stringify(accepted));
    const large = Buffer.from(small);
    large.writeUInt16LE(100, 6);
    large.writeUInt16LE(100, 8);
    const refused = await imageDecoder.fromBytes(large);
    assert.ok('refused' in refused && /100,000,000 pixels/.test(refused.message), JSON.stringify(refused));
  });

  test('removes a color profile of 6 MB and accepts the image (E9)', async () => {
    const plain = await testImage().jpeg().toBuffer();
    const profile = Buffer.alloc(6_000_000);
    profile.writeUInt32BE(profile.length);
    profile.write('acsp', 36);
    const parts = Array.from({ length: 100 }, (_, index) => {
      const head = Buffer.from('ffe20000', 'hex');
      const part = profile.subarray(index * 60_000, (index + 1) * 60_000);
      head.writeUInt16BE(part.length + 16, 2);
      return Buffer.concat([head, Buffer.from(`ICC_PROFILE\0`), Buffer.from([index + 1, 100]), part]);
    });
    const response = await imageDecoder.fromBytes(Buffer.concat([plain.subarray(0, 2), ...parts, plain.subarray(2)]));
    assert.ok(!('refused' in response), JSON.stringify(response));
    assert.ok(plain.equals(response.bytes));
  });
});

onOneDatabase('uploaded image files', {}, (store) => {
  const script = '<script>alert(document.domain)</script>';

  test('removes data after the image before it is stored (E8)', async () => {
    const images = `/api/products/${(await store.product()).id}/images`;
    for (const kind of ['jpeg', 'png', 'gif', 'webp', 'avif'] as const) {
      const plain = await testImage()[kind]().toBuffer();
      const image = await store.made(images, await attached(Buffer.concat([plain, Buffer.from(script)])));
      const clean = await store.made(images, await attached(plain));
      assert.equal(image.url, clean.url, 'the name is the hash of the stored bytes, so both uploads are one file');
      const file = await fileAt(store, image.url);
      assert.ok(file.bytes.equals(plain));
      assert.equal(image.url.split('/').at(-1).split('.')[0], createHash('sha256').update(file.bytes).digest('hex'));
      assert.equal(file.headers['x-content-type-options'], 'nosniff');
      assert.match(String(file.headers['content-security-policy']), /default-src 'none'/);
    }
    assert.equal((await store.imageFiles()).length, 5);
  });

  test('removes the GPS position of a photo (E9)', async () => {
    const images = `/api/products/${(await store.product()).id}/images`;
    const photo = await testImage()
      .withExif({ IFD0: { Make: 'Telephone' }, IFD3: { GPSLatitude: '52/1 30/1 0/1', GPSLatitudeRef: 'N' } })
      .jpeg()
      .toBuffer();
    assert.ok((await sharp(photo).metadata()).exif);
    const { url } = await store.made(images, await attached(photo));
    const { bytes } = await fileAt(store, url);
    assert.equal((await sharp(bytes).metadata()).exif, undefined);
    assert.ok(!bytes.includes('Telephone'));
  });

  for (const filename of [`${'a'.repeat(300)}.png`, 'a\u202egnp.exe.png', '/etc/x.png'])
    test(`uses only the extension of the file name ${JSON.stringify(filename.slice(0, 30))} (E3)`, async () => {
      const images = `/api/products/${(await store.product()).id}/images`;
      const response = await store.post(images, await attached(png(), { filename }));
      assert.equal(response.status, 201, response.text);
      assert.match(response.json.url, /\/images\/[0-9a-f]{64}\.png$/);
      assert.ok(!response.text.includes('gnp'));
    });

  for (const filename of ['a.php', 'a.phtml', 'a\u0000.png.sh', '.', '..'])
    test(`rejects the file name ${JSON.stringify(filename)} (E3)`, async () => {
      const images = `/api/products/${(await store.product()).id}/images`;
      await assertUnchanged(store, async () => {
        assertProblem(await store.post(images, await attached(png(), { filename })), 422);
      });
    });

  test('rejects an SVG with the file name of a PNG (E4, E7)', async () => {
    const images = `/api/products/${(await store.product()).id}/images`;
    await assertUnchanged(store, async () => {
      const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`);
      assertViolations(await store.post(images, await attached(svg)), ['attachment', 'file']);
    });
  });
});

function headerOnly(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    ...[chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.alloc(9))), chunk('IEND', Buffer.alloc(0))],
  ]);
}

function chunk(kind: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(kind), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
