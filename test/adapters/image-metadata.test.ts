/** Cleaning of images: picture data remains byte by byte, embedded metadata is removed. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { clean } from '../../src/adapters/image-decoder/clean/index.ts';
import { createImageDecoder } from '../../src/adapters/image-decoder/index.ts';
import type { DecodedImage } from '../../src/engine/ports.ts';

const imageDecoder = createImageDecoder({ bytesMax: 0, pixelsMax: 50_000_000, downloadSecondsMax: 5, allow: [] });
after(() => imageDecoder.close());

const SCRIPT = '<script>alert(1)</script>';
const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf>${SCRIPT}</rdf></x:xmpmeta>`;
const EXIF = { IFD0: { Copyright: SCRIPT }, IFD3: { GPSLatitude: '52/1 30/1 0/1', GPSLatitudeRef: 'N' } };

const KINDS = ['jpeg', 'png', 'gif', 'webp', 'avif'] as const;
type Kind = (typeof KINDS)[number];
const EXTENSION: Record<Kind, string> = { jpeg: 'jpg', png: 'png', gif: 'gif', webp: 'webp', avif: 'avif' };

const pixels = createHash('shake256', { outputLength: 60 * 40 * 3 })
  .update('pixels')
  .digest();
const photo = sharp(pixels, { raw: { width: 60, height: 40, channels: 3 } });
const plain = Object.fromEntries(
  await Promise.all(KINDS.map(async (kind) => [kind, await photo.clone()[kind]().toBuffer()])),
) as Record<Kind, Buffer>;

describe('files without metadata', () => {
  const files: Record<string, () => Promise<Buffer>> = {
    ...Object.fromEntries(KINDS.map((kind) => [kind, async () => plain[kind]])),
    'a progressive JPEG': () => photo.clone().jpeg({ progressive: true }).toBuffer(),
    'a CMYK JPEG with its profile': () => photo.clone().toColourspace('cmyk').withIccProfile('cmyk').jpeg().toBuffer(),
    'a grey JPEG': () => photo.clone().greyscale().jpeg().toBuffer(),
    'a JPEG with a profile': () => photo.clone().withIccProfile('p3').jpeg().toBuffer(),
    'a PNG with a profile': () => photo.clone().withIccProfile('p3').png().toBuffer(),
    'a WebP with a profile': () => photo.clone().withIccProfile('p3').webp().toBuffer(),
    'an AVIF with a profile': () => photo.clone().withIccProfile('p3').avif().toBuffer(),
    'an interlaced PNG with a palette': () => photo.clone().png({ progressive: true, palette: true }).toBuffer(),
    'a 16-bit PNG with alpha': () => photo.clone().ensureAlpha(0.5).toColourspace('rgb16').png().toBuffer(),
    'a lossless WebP with alpha': () => photo.clone().ensureAlpha(0.5).webp({ lossless: true }).toBuffer(),
    'a WebP with alpha': () => photo.clone().ensureAlpha(0.5).webp().toBuffer(),
    'an AVIF with alpha': () => photo.clone().ensureAlpha(0.5).avif().toBuffer(),
    'a GIF with alpha': () => photo.clone().ensureAlpha(0).gif().toBuffer(),
    'an animated GIF': () => animation('gif'),
    'an animated WebP': () => animation('webp'),
  };
  for (const [title, make] of Object.entries(files))
    test(title, async () => {
      const bytes = await make();
      const decoded = await decodedSafely(bytes);
      assert.ok(bytes.equals(decoded.bytes), `${bytes.length} bytes became ${decoded.bytes.length}`);
    });
});

describe('trailing data', () => {
  const trailers: Record<string, Buffer> = {
    HTML: Buffer.from(SCRIPT),
    'a ZIP': Buffer.from(`PK\x03\x04${SCRIPT}PK\x05\x06`, 'latin1'),
    'a PDF': Buffer.from(`%PDF-1.7 ${SCRIPT}`),
    'one byte': Buffer.from('x'),
    zeros: Buffer.alloc(5000),
    'another picture': plain.jpeg,
    'a megabyte': Buffer.alloc(1_000_000, SCRIPT),
    'what looks like a box': Buffer.concat([Buffer.from([0, 0, 0, 8 + SCRIPT.length]), Buffer.from(`mdaX${SCRIPT}`)]),
  };
  for (const kind of KINDS)
    for (const [title, trailer] of Object.entries(trailers))
      test(`removes ${title} after the end of a ${kind}`, async () => {
        const decoded = await decodedSafely(Buffer.concat([plain[kind], trailer]));
        assert.ok(plain[kind].equals(decoded.bytes), `${decoded.bytes.length} instead of ${plain[kind].length}`);
      });
  for (const kind of ['gif', 'webp'] as const)
    test(`removes HTML after the end of an animated ${kind}, which stays animated`, async () => {
      const bytes = await animation(kind);
      assert.ok(bytes.equals((await decodedSafely(Buffer.concat([bytes, Buffer.from(SCRIPT)]))).bytes));
    });
});

describe('embedded metadata', () => {
  for (const kind of ['jpeg', 'png', 'webp', 'avif'] as const) {
    test(`removes GPS, copyright and XMP from a ${kind}`, async () => {
      const tagged = await photo.clone().withExif(EXIF).withXmp(XMP)[kind]().toBuffer();
      assert.ok(tagged.includes('<script>'));
      const decoded = await decodedSafely(tagged);
      const { exif, xmp } = await sharp(decoded.bytes).metadata();
      assert.deepEqual(
        [exif?.some((byte) => byte !== 0) ?? false, xmp?.some((byte) => byte !== 0) ?? false],
        [false, false],
      );
      await assertSamePixels(decoded.bytes, tagged);
      if (kind !== 'avif') assert.ok(plain[kind].length + 20 > decoded.bytes.length);
    });

    test(`removes 10 MB of XMP from a ${kind} but not its color profile`, {
      skip: kind === 'jpeg' && 'a segment has 64 KB',
    }, async () => {
      const long = XMP.replace(SCRIPT, SCRIPT.repeat(400_000));
      const tagged = await photo.clone().withIccProfile('p3').withXmp(long)[kind]().toBuffer();
      assert.ok(tagged.length > (kind === 'png' ? 10_000 : 10_000_000)); // PNG packs it.
      const decoded = await decodedSafely(tagged);
      const { icc } = await sharp(decoded.bytes).metadata();
      assert.deepEqual(icc, (await sharp(tagged).metadata()).icc);
      assert.ok(icc!.length > 400);
    });
  }

  for (const kind of ['jpeg', 'png', 'webp'] as const)
    for (const orientation of [2, 3, 6, 8])
      test(`preserves orientation ${orientation} of a ${kind}`, async () => {
        const tagged = await photo.clone().withExif(EXIF).withMetadata({ orientation })[kind]().toBuffer();
        assert.ok(tagged.includes('<script>'));
        const decoded = await decodedSafely(tagged);
        const { exif, ...header } = await sharp(decoded.bytes).metadata();
        assert.equal(header.orientation, orientation);
        assert.ok(exif!.length <= 32, 'more of EXIF than the one tag');
        assert.deepEqual([decoded.width, decoded.height], orientation >= 5 ? [40, 60] : [60, 40]);
        await assertSamePixels(decoded.bytes, tagged);
      });

  const jpegParts: Record<string, Buffer> = {
    'a comment': segment(0xfe, SCRIPT),
    "another program's segment": segment(0xed, `Photoshop 3.0\0${SCRIPT}`),
    'further pictures': segment(0xe2, `MPF\0${SCRIPT}`),
    'a profile that is none': segment(0xe2, `ICC_PROFILE\0\x01\x01${SCRIPT.repeat(20)}`),
    'a thumbnail': segment(0xe0, `JFXX\0\x10${SCRIPT}`),
    'EXIF that is none': segment(0xe1, `Exif\0\0${SCRIPT}`),
  };
  for (const [title, part] of Object.entries(jpegParts))
    test(`removes ${title} from a JPEG`, async () => {
      const decoded = await decodedSafely(Buffer.concat([plain.jpeg.subarray(0, 2), part, plain.jpeg.subarray(2)]));
      assert.ok(plain.jpeg.equals(decoded.bytes));
    });

  test('removes a thumbnail from the JFIF segment', async () => {
    const rest = plain.jpeg.subarray(2);
    const jfif = segment(0xe0, `JFIF\0\x01\x01\0\0\x01\0\x01\x01\x09${'<script>'.repeat(4).slice(0, 27)}`);
    const { bytes } = await decodedSafely(Buffer.concat([plain.jpeg.subarray(0, 2), jfif, rest]));
    assert.equal(bytes.byteLength, plain.jpeg.length + 18);
  });

  const pngParts: Record<string, Buffer> = {
    text: chunk('tEXt', Buffer.from(`Comment\0${SCRIPT}`)),
    'packed text': chunk(
      'zTXt',
      Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(9_000_000, SCRIPT))]),
    ),
    'international text': chunk('iTXt', Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${XMP}`)),
    'a private chunk': chunk('scRp', Buffer.from(SCRIPT)),
    'a suggested palette': chunk('sPLT', Buffer.from(`${SCRIPT}\0\x08`)),
    'a gamma that is too long': chunk('gAMA', Buffer.from(SCRIPT)),
    'a profile that unpacks to 100 MB': chunk(
      'iCCP',
      Buffer.concat([Buffer.from('icc\0\0'), deflateSync(Buffer.alloc(100_000_000))]),
    ),
  };
  for (const [title, part] of Object.entries(pngParts))
    test(`removes ${title} from a PNG`, async () => {
      const bytes = Buffer.concat([plain.png.subarray(0, 33), part, plain.png.subarray(33)]);
      assert.ok(plain.png.equals((await decodedSafely(bytes)).bytes));
    });

  test("removes the name and trailing data of a PNG's color profile", async () => {
    const { icc } = await sharp(await photo.clone().withIccProfile('p3').png().toBuffer()).metadata();
    const named = chunk('iCCP', Buffer.concat([Buffer.from(`${SCRIPT}\0\0`), deflateSync(icc!), Buffer.from(SCRIPT)]));
    const { bytes } = await decodedSafely(Buffer.concat([plain.png.subarray(0, 33), named, plain.png.subarray(33)]));
    assert.deepEqual((await sharp(bytes).metadata()).icc, icc);
  });

  test('decodes all frames of an animated PNG and removes frames that are not shown', async () => {
    const animated = (second: Buffer) => apng(2, second);
    const sound = animated(idatOf(plain.png));
    assert.ok(sound.equals((await decodedSafely(sound)).bytes));
    const broken = Buffer.from(idatOf(plain.png));
    broken[Math.floor(broken.length / 2)]! ^= 1;
    for (const second of [broken, Buffer.from(SCRIPT)]) {
      const response = await imageDecoder.fromBytes(animated(second));
      assert.ok('refused' in response && /a PNG image, but it is damaged/.test(response.message));
    }
    assert.ok(plain.png.equals((await decodedSafely(apng(0, Buffer.from(SCRIPT)))).bytes));
  });

  const gifParts: Record<string, Buffer> = {
    'a comment': Buffer.from(`\x21\xfe${String.fromCharCode(SCRIPT.length)}${SCRIPT}\0`, 'latin1'),
    XMP: Buffer.from(`\x21\xff\x0bXMP DataXMP${String.fromCharCode(SCRIPT.length)}${SCRIPT}\0`, 'latin1'),
    'more in the loop': Buffer.from(
      `\x21\xff\x0bNETSCAPE2.0\x03\x01\x02\0${String.fromCharCode(SCRIPT.length)}${SCRIPT}\0`,
      'latin1',
    ),
  };
  for (const [title, part] of Object.entries(gifParts))
    test(`removes ${title} from an animated GIF`, async () => {
      const bytes = await animation('gif');
      const start = 13 + (bytes[10]! & 0x80 ? 3 * 2 ** ((bytes[10]! & 7) + 1) : 0);
      const tagged = Buffer.concat([bytes.subarray(0, start), part, bytes.subarray(start)]);
      const decoded = await decodedSafely(tagged);
      assert.equal((await sharp(decoded.bytes).metadata()).pages, 3);
      await assertSamePixels(decoded.bytes, tagged);
    });

  for (const kind of ['VP8X', 'simple'] as const)
    test(`removes an unknown chunk from a WebP (${kind})`, async () => {
      const base = kind === 'VP8X' ? await animation('webp') : plain.webp;
      const tagged = Buffer.concat([base, riff('evil', Buffer.from(SCRIPT))]);
      tagged.writeUInt32LE(tagged.length - 8, 4);
      assert.ok(base.equals((await decodedSafely(tagged)).bytes));
    });

  test('removes unknown boxes from an AVIF', async () => {
    const box = Buffer.concat([Buffer.from([0, 0, 0, 8 + SCRIPT.length]), Buffer.from(`uuid${SCRIPT}`)]);
    const { bytes } = await decodedSafely(Buffer.concat([plain.avif, box, box]));
    assert.ok(plain.avif.equals(bytes));
  });
});

describe('the file structure', () => {
  for (const kind of KINDS) {
    test(`returns a clean ${kind} unchanged, and cleans in one pass`, async () => {
      assert.deepEqual(clean(EXTENSION[kind], plain[kind], 1), plain[kind]);
      const tagged = Buffer.concat([
        await photo.clone().withExif(EXIF).withXmp(XMP)[kind]().toBuffer(),
        Buffer.from(SCRIPT),
      ]);
      const once = clean(EXTENSION[kind], tagged, 6)!;
      assert.deepEqual(clean(EXTENSION[kind], once, 6), once);
    });

    test(`cleans or rejects 2,000 mutated ${kind} files without throwing`, async () => {
      const tagged = await photo.clone().resize(16).withExif(EXIF).withXmp(XMP)[kind]().toBuffer();
      let random = 1;
      const next = (below: number) => {
        random = (random * 48_271) % 0x7fffffff;
        return random % below;
      };
      for (let round = 0; round < 2000; round += 1) {
        const bytes = Buffer.from(tagged.subarray(0, next(3) ? tagged.length : next(tagged.length)));
        for (let flip = next(6); flip >= 0 && bytes.length > 20; flip -= 1)
          bytes[12 + next(bytes.length - 12)] = next(256);
        const once = clean(EXTENSION[kind], bytes, 6);
        if (once) assert.ok(once.length <= bytes.length + 40);
      }
    });
  }
});

/** Decodes an image, and asserts that it is named after its content and that the script is gone. */
async function decodedSafely(bytes: Buffer): Promise<DecodedImage> {
  const decoded = await imageDecoder.fromBytes(bytes);
  assert.ok(!('refused' in decoded), JSON.stringify(decoded));
  assert.ok(!Buffer.from(decoded.bytes).includes('<script'), 'the script is still there');
  assert.equal(decoded.name.split('.')[0], createHash('sha256').update(decoded.bytes).digest('hex'));
  return decoded;
}

async function assertSamePixels(one: Uint8Array, other: Uint8Array): Promise<void> {
  const [first, second] = await Promise.all(
    [one, other].map((bytes) => sharp(bytes, { pages: -1 }).autoOrient().raw().toBuffer()),
  );
  assert.ok(first!.equals(second!), 'other pixels');
}

async function animation(kind: 'gif' | 'webp'): Promise<Buffer> {
  const frames = createHash('shake256', { outputLength: 20 * 60 * 3 })
    .update('frames')
    .digest();
  const raw = { width: 20, height: 60, channels: 3 as const, pageHeight: 20 };
  return sharp(frames, { raw })
    [kind]({ effort: 1, delay: [50, 100, 150], loop: 2 })
    .toBuffer();
}

/** Two frames; with 0 the file is not declared as animated. */
function apng(frames: number, second: Buffer): Buffer {
  const number = (value: number) => Buffer.from([0, 0, 0, value]);
  const control = (sequence: number) =>
    chunk('fcTL', Buffer.concat([...[sequence, 60, 40, 0, 0].map(number), Buffer.from([0, 1, 0, 10, 0, 0])]));
  return Buffer.concat([
    plain.png.subarray(0, 33),
    ...(frames > 0 ? [chunk('acTL', Buffer.concat([number(frames), number(0)]))] : []),
    control(0),
    plain.png.subarray(33, -12),
    control(1),
    chunk('fdAT', Buffer.concat([number(2), second])),
    plain.png.subarray(-12),
  ]);
}

function idatOf(png: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  return Buffer.concat(parts);
}

function segment(marker: number, text: string): Buffer {
  const payload = Buffer.from(text, 'latin1');
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(payload.length + 2, 2);
  return Buffer.concat([head, payload]);
}

function chunk(kind: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(kind), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

function riff(kind: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(kind), length, data, Buffer.alloc(data.length % 2)]);
}
