/** The image decoder: accepted and rejected files, and isolation from harmful images. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { createDecoder } from '../../src/adapters/image-decoder/decoder.ts';
import { createImageDecoder } from '../../src/adapters/image-decoder/index.ts';
import { type DecodedImage, type FileRejection, Overloaded } from '../../src/engine/ports.ts';

const bytesMax = 3_000_000;
const pixelsMax = 1_000_000;
const imageDecoder = createImageDecoder({ bytesMax, pixelsMax, downloadSecondsMax: 5, allow: [] });

const photo = sharp(noise(60 * 40 * 3), { raw: { width: 60, height: 40, channels: 3 } });
const jpeg = await photo.clone().jpeg().toBuffer();
const png = await photo.clone().png().toBuffer();
const gif = await photo.clone().gif().toBuffer();
const webp = await photo.clone().webp().toBuffer();
const avif = await photo.clone().avif().toBuffer();
const progressiveJpeg = await photo.clone().jpeg({ progressive: true }).toBuffer();
const cmykJpeg = await photo.clone().toColourspace('cmyk').jpeg().toBuffer();
const interlacedPng = await photo.clone().png({ progressive: true }).toBuffer();
const deepPng = await photo.clone().toColourspace('rgb16').png().toBuffer();
const alphaPng = await photo.clone().ensureAlpha(0.5).png().toBuffer();
const losslessWebp = await photo.clone().webp({ lossless: true }).toBuffer();
const tiff = await photo.clone().tiff().toBuffer();

describe('accepted images', () => {
  const files = {
    'a JPEG': { bytes: jpeg, extension: 'jpg' },
    'a progressive JPEG': { bytes: progressiveJpeg, extension: 'jpg' },
    'a CMYK JPEG': { bytes: cmykJpeg, extension: 'jpg' },
    'a PNG': { bytes: png, extension: 'png' },
    'an interlaced PNG': { bytes: interlacedPng, extension: 'png' },
    'a 16-bit PNG': { bytes: deepPng, extension: 'png' },
    'a PNG with alpha': { bytes: alphaPng, extension: 'png' },
    'a GIF': { bytes: gif, extension: 'gif' },
    'a WebP': { bytes: webp, extension: 'webp' },
    'a lossless WebP': { bytes: losslessWebp, extension: 'webp' },
    'an AVIF': { bytes: avif, extension: 'avif' },
  };
  for (const [title, { bytes, extension }] of Object.entries(files)) {
    test(title, async () => {
      const decoded = accepted(await imageDecoder.fromBytes(bytes));
      assert.equal(decoded.name, `${createHash('sha256').update(bytes).digest('hex')}.${extension}`);
      assert.ok(bytes.equals(decoded.bytes), 'the bytes are kept as they came');
      assert.deepEqual([decoded.width, decoded.height], [60, 40]);
    });
  }

  for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
    test(`applies EXIF orientation ${orientation} to the dimensions`, async () => {
      const turned = await photo.clone().jpeg().withMetadata({ orientation }).toBuffer();
      const { width, height } = accepted(await imageDecoder.fromBytes(turned));
      assert.deepEqual([width, height], orientation >= 5 ? [40, 60] : [60, 40]);
    });
  }

  for (const kind of ['gif', 'webp'] as const) {
    test(`measures an animated ${kind} by its first frame`, async () => {
      const { width, height } = accepted(await imageDecoder.fromBytes(await animation(kind, 5)));
      assert.deepEqual([width, height], [60, 40]);
    });
  }

  test('accepts an image of one pixel', async () => {
    const pixel = await sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const { width, height } = accepted(await imageDecoder.fromBytes(pixel));
    assert.deepEqual([width, height], [1, 1]);
  });

  test('accepts a view of a larger buffer', async () => {
    const whole = joined('before', png, 'after');
    const view = new Uint8Array(whole.buffer, whole.byteOffset + 6, png.length);
    assert.match(
      accepted(await imageDecoder.fromBytes(view)).name,
      new RegExp(createHash('sha256').update(png).digest('hex')),
    );
  });
});

describe('files of other types', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
  const bomb = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa">${[...'bcdefghi']
    .map((name, index) => `<!ENTITY ${name} "${`&${'abcdefgh'[index]};`.repeat(10)}">`)
    .join('')}]><svg xmlns="http://www.w3.org/2000/svg"><text>&i;</text></svg>`;
  const files: [title: string, bytes: Buffer, found: string][] = [
    ['nothing', Buffer.alloc(0), 'an empty file'],
    ['one byte', Buffer.from([0xff]), 'plain text'],
    ['one NUL', Buffer.from([0]), 'a file of an unknown kind'],
    ['BMP', bmp(), 'a BMP image'],
    ['TIFF', tiff, 'a TIFF image'],
    ['HEIC', joined('\0\0\0\x18ftypheic\0\0\0\0mif1heic', Buffer.alloc(100)), 'a HEIC image'],
    ['SVG', Buffer.from(svg), 'an SVG image'],
    ['SVG with a byte order mark', joined('\xef\xbb\xbf', svg), 'an SVG image'],
    ['SVG behind a comment', joined('<!-- <html> -->\n', svg), 'an SVG image'],
    ['SVG bomb', Buffer.from(bomb), 'an SVG image'],
    ['HTML', Buffer.from('<!DOCTYPE html><title>Not found</title>'), 'an HTML page'],
    ['XML', Buffer.from('<?xml version="1.0"?><products/>'), 'an XML document'],
    ['PDF', Buffer.from('%PDF-1.7\n%\xe2\xe3'), 'a PDF document'],
    ['ZIP', joined('PK\x03\x04', Buffer.alloc(50)), 'a ZIP archive'],
    ['gzip of a PNG', joined('\x1f\x8b\x08\0', png), 'a compressed archive'],
    ['icon', Buffer.from([0, 0, 1, 0, 1, 0, 16, 16]), 'an icon or cursor file'],
    ['JPEG XL', Buffer.from([0xff, 0x0a, 0xfa, 0x7f]), 'a JPEG XL image'],
    ['MP4', Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp41'), 'a video'],
    ['text', Buffer.from('BMW, GIF and PNG are words.\n'), 'plain text'],
    ['base64 of a PNG', Buffer.from(png.toString('base64')), 'plain text'],
    ['PNG with a byte before it', joined('\0', png), 'a file of an unknown kind'],
    ['noise', joined('\0\x01', noise(500)), 'a file of an unknown kind'],
  ];
  for (const [title, bytes, found] of files) {
    test(title, async () => {
      const message = `This is ${found}; JPEG, PNG, GIF, WebP and AVIF are accepted.`;
      assert.deepEqual(await imageDecoder.fromBytes(bytes), { refused: 'file', message });
    });
  }

  test('are not opened by the decoder itself', async () => {
    const decoder = createDecoder({ pixelsMax });
    const hugeSvg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9999" height="9999"></svg>');
    const hugeTiff = await blank(2000, 2000).tiff().toBuffer();
    try {
      // If it were opened, it would have too many pixels.
      for (const bytes of [hugeSvg, hugeTiff, tiff, Buffer.from(svg), Buffer.from(bomb), bmp()]) {
        assert.deepEqual(await decoder.decode(bytes), { outcome: 'damaged' });
      }
      assert.equal((await decoder.decode(png)).outcome, 'decoded');
    } finally {
      await decoder.close();
    }
  });
});

describe('damaged images', () => {
  const whole = { JPEG: jpeg, PNG: png, GIF: gif, WebP: webp, AVIF: avif };
  for (const [kind, bytes] of Object.entries(whole)) {
    test(`rejects a ${kind} truncated at any position`, async () => {
      // The decoder does not need the last bytes of a PNG, its end chunk.
      const end = kind === 'PNG' ? bytes.length - 16 : bytes.length;
      const lengths = Array.from({ length: 40 }, (_, index) => Math.floor(((index + 1) * end) / 41));
      for (const length of [...lengths, end - 1]) {
        const refusal = refused(await imageDecoder.fromBytes(bytes.subarray(0, length)));
        assert.equal(refusal.refused, 'file', `${length} of ${bytes.length} bytes`);
        if (length > 32) assert.match(refusal.message, new RegExp(`${kind} image, but it is damaged or incomplete`));
      }
    });
  }

  for (const kind of ['gif', 'webp'] as const) {
    test(`rejects an animated ${kind} truncated in its last frame`, async () => {
      const bytes = await animation(kind, 5);
      assert.match(refused(await imageDecoder.fromBytes(bytes.subarray(0, bytes.length * 0.9))).message, /damaged/);
    });
  }

  test('rejects an animated WebP overwritten in its last frame', async () => {
    const bytes = await animation('webp', 5);
    bytes.fill(0xff, Math.floor(bytes.length * 0.9), Math.floor(bytes.length * 0.9) + 300);
    assert.match(refused(await imageDecoder.fromBytes(bytes)).message, /a WebP image, but it is damaged/);
  });

  test('rejects a PNG with one wrong bit in its pixels', async () => {
    for (const place of [0.2, 0.5, 0.9]) {
      const bytes = Buffer.from(png);
      bytes[Math.floor(bytes.length * place)]! ^= 1;
      assert.match(refused(await imageDecoder.fromBytes(bytes)).message, /a PNG image, but it is damaged/);
    }
  });

  test('rejects a JPEG overwritten in the middle', async () => {
    const bytes = Buffer.from(jpeg);
    const middle = Math.floor(bytes.length / 2);
    bytes.fill(0xff, middle, middle + 40);
    assert.match(refused(await imageDecoder.fromBytes(bytes)).message, /a JPEG image, but it is damaged/);
  });

  test('rejects files that consist only of a signature', async () => {
    for (const beginning of ['\xff\xd8\xff', '\x89PNG\r\n\x1a\n', 'GIF89a', 'RIFF\0\0\0\0WEBP', '\0\0\0\x1cftypavif']) {
      const bytes = Buffer.from(beginning, 'latin1');
      assert.match(refused(await imageDecoder.fromBytes(bytes)).message, /damaged or incomplete/);
      assert.match(refused(await imageDecoder.fromBytes(joined(bytes, noise(500)))).message, /damaged or incomplete/);
    }
  });

  test('responds to mutated images, and accepts an intact image after them', async () => {
    let taken = 0;
    for (let round = 0; round < 300; round += 1) {
      const bytes = Buffer.from([jpeg, png, gif, webp, avif][round % 5]!);
      for (let flip = 0; flip < 8; flip += 1) bytes[(round * 7919 + flip * 104_729) % bytes.length]! ^= 1 << (flip % 8);
      const response = await imageDecoder.fromBytes(bytes);
      if ('refused' in response) assert.equal(response.refused, 'file');
      else taken += 1;
    }
    assert.ok(taken < 300);
    accepted(await imageDecoder.fromBytes(png));
  });
});

describe('limits', () => {
  test('rejects one byte more than allowed, and accepts the limit', async () => {
    const atLimit = joined(jpeg, Buffer.alloc(bytesMax - jpeg.length));
    accepted(await imageDecoder.fromBytes(atLimit));
    assert.deepEqual(await imageDecoder.fromBytes(joined(atLimit, 'x')), {
      refused: 'too_large',
      message: 'The file has 3,000,001 bytes; at most 3,000,000 are accepted.',
    });
  });

  test('rejects one pixel more than allowed, and accepts the limit', async () => {
    accepted(await imageDecoder.fromBytes(await blank(1000, 1000).png().toBuffer()));
    assert.deepEqual(await imageDecoder.fromBytes(await blank(1000, 1001).png().toBuffer()), {
      refused: 'file',
      message: 'This is a PNG image of 1,001,000 pixels; at most 1,000,000 are accepted.',
    });
  });

  test('rejects a huge number of pixels by the header', async () => {
    const message = /4,294,836,225 pixels; at most 1,000,000 are accepted/;
    assert.match(refused(await imageDecoder.fromBytes(pngOf(65535, 65535))).message, message);
  });

  for (const kind of ['gif', 'webp'] as const) {
    test(`counts the pixels of all frames of an animated ${kind}`, async () => {
      accepted(await imageDecoder.fromBytes(await animation(kind, 4, 500)));
      const { message } = refused(await imageDecoder.fromBytes(await animation(kind, 5, 500)));
      assert.match(message, /of 1,250,000 pixels; at most 1,000,000/);
    });
  }

  test('counts the pixels of all frames of an animated PNG', async () => {
    const frames = (count: number) => chunk('acTL', Buffer.from([0, 0, 0, count, 0, 0, 0, 0]));
    const animated = (count: number) => joined(png.subarray(0, 33), frames(count), png.subarray(33));
    accepted(await imageDecoder.fromBytes(animated(200)));
    assert.match(refused(await createdWithin(100_000, animated(200))).message, /of 480,000 pixels; at most 100,000/);
  });

  test('treats 0 as no limit', async () => {
    const unlimited = createImageDecoder({ bytesMax: 0, pixelsMax: 0, downloadSecondsMax: 5, allow: [] });
    try {
      const large = joined(await blank(3000, 3000).jpeg().toBuffer(), Buffer.alloc(bytesMax));
      assert.equal(accepted(await unlimited.fromBytes(large)).width, 3000);
    } finally {
      await unlimited.close();
    }
  });

  test('rejects images beyond the queue limit', async () => {
    const responses = await Promise.allSettled(Array.from({ length: 40 }, () => imageDecoder.fromBytes(png)));
    const failed = responses.filter((response) => response.status === 'rejected');
    assert.equal(failed.length, 40 - 2 - 16);
    for (const { reason } of failed) assert.ok(reason instanceof Overloaded);
    for (const response of responses) if (response.status === 'fulfilled') accepted(response.value);
    accepted(await imageDecoder.fromBytes(png));
  });
});

describe('the decoder process', { skip: process.platform !== 'linux' && 'children are found in /proc' }, () => {
  before(() => imageDecoder.close()); // From here on each child is of the decoder that the test has made.

  test('is ended and replaced if it hangs', async () => {
    // Enough for a decoder that yields to busy processes.
    const decoder = createDecoder({ pixelsMax, secondsMax: 10 });
    try {
      assert.equal((await decoder.decode(png)).outcome, 'decoded');
      const [hanging] = decodersOf(process.pid);
      process.kill(hanging!, 'SIGSTOP');
      assert.deepEqual(await decoder.decode(png), { outcome: 'too slow' });
      assert.equal((await decoder.decode(png)).outcome, 'decoded');
      assert.ok(!decodersOf(process.pid).includes(hanging!));
    } finally {
      await decoder.close();
    }
  });

  test('is read even if it responds while its parent is blocked', async () => {
    const decoder = createDecoder({ pixelsMax, secondsMax: 2 });
    try {
      await decoder.decode(png);
      const response = decoder.decode(png);
      // Right before the timers of the event loop, so that they expire before anything is read.
      await new Promise((resolve) => setImmediate(resolve));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4000);
      assert.equal((await response).outcome, 'decoded');
    } finally {
      await decoder.close();
    }
  });

  test('is replaced if it dies while decoding', async () => {
    const decoder = createDecoder({ pixelsMax });
    try {
      assert.equal((await decoder.decode(png)).outcome, 'decoded');
      const [dying] = decodersOf(process.pid);
      process.kill(dying!, 'SIGSTOP');
      const response = decoder.decode(png);
      await new Promise((resolve) => setTimeout(resolve, 100));
      process.kill(dying!, 'SIGKILL');
      assert.deepEqual(await response, { outcome: 'died' });
      assert.equal((await decoder.decode(png)).outcome, 'decoded');
    } finally {
      await decoder.close();
    }
  });

  test('is replaced without an error if it dies while idle', async () => {
    const decoder = createDecoder({ pixelsMax });
    try {
      await decoder.decode(png);
      const [dying] = decodersOf(process.pid);
      process.kill(dying!, 'SIGKILL');
      while (decodersOf(process.pid).includes(dying!)) await new Promise((resolve) => setTimeout(resolve, 20));
      // Until this process has noticed.
      await new Promise((resolve) => setTimeout(resolve, 1000));
      assert.equal((await decoder.decode(png)).outcome, 'decoded');
    } finally {
      await decoder.close();
    }
  });

  test('runs at most twice', async () => {
    const decoder = createDecoder({ pixelsMax });
    try {
      await Promise.all(Array.from({ length: 18 }, () => decoder.decode(webp)));
      assert.equal(decodersOf(process.pid).length, 2);
    } finally {
      await decoder.close();
    }
    assert.deepEqual(decodersOf(process.pid), []);
  });

  test('ends when the decoder is closed, which then rejects images', async () => {
    const decoder = createDecoder({ pixelsMax });
    const response = assert.rejects(decoder.decode(avif), Overloaded);
    await decoder.close();
    await response;
    await assert.rejects(decoder.decode(png), Overloaded);
    assert.deepEqual(decodersOf(process.pid), []);
  });

  for (const ending of ['', "await imageDecoder.close(); console.log('closed');"]) {
    test(`does not keep the program running when idle (${ending || 'not closed'})`, async () => {
      const child = program(`
        for (const bytes of ['${png.toString('base64')}', '${gif.toString('base64')}']) {
          console.log((await imageDecoder.fromBytes(Buffer.from(bytes, 'base64'))).width);
        }
        ${ending}
      `);
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
      const [code] = await once(child, 'close');
      assert.deepEqual([code, output], [0, ending ? '60\n60\nclosed\n' : '60\n60\n']);
    });
  }

  test('ignores signals to the process group', async () => {
    const decoder = createDecoder({ pixelsMax });
    try {
      await decoder.decode(png);
      const working = decodersOf(process.pid);
      for (const signal of ['SIGINT', 'SIGTERM']) process.kill(working[0]!, signal);
      await new Promise((resolve) => setTimeout(resolve, 200));
      assert.equal((await decoder.decode(png)).outcome, 'decoded');
      assert.deepEqual(decodersOf(process.pid), working);
    } finally {
      await decoder.close();
    }
  });

  test('ends when its parent is killed', async () => {
    const child = program(`
      await imageDecoder.fromBytes(Buffer.from('${png.toString('base64')}', 'base64'));
      console.log('ready');
      setInterval(() => {}, 1000);
    `);
    await once(child.stdout, 'data');
    const [orphan] = decodersOf(child.pid!);
    assert.ok(orphan);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const deadline = Date.now() + 10_000;
    while (isRunning(orphan) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(isRunning(orphan), false);
  });
});

/** Runs code with `imageDecoder` in a separate process. */
function program(code: string) {
  const from = JSON.stringify(new URL('../../src/adapters/image-decoder/index.ts', import.meta.url).href);
  const options = '{ bytesMax: 0, pixelsMax: 0, downloadSecondsMax: 5, allow: [] }';
  const start = `import { createImageDecoder } from ${from}; const imageDecoder = createImageDecoder(${options});`;
  return spawn(process.execPath, ['--input-type=module', '-e', start + code], { stdio: ['ignore', 'pipe', 'inherit'] });
}

function accepted(response: DecodedImage | FileRejection): DecodedImage {
  assert.ok(!('refused' in response), JSON.stringify(response));
  return response;
}

function refused(response: DecodedImage | FileRejection): FileRejection {
  assert.ok('refused' in response, 'accepted as an image');
  return response;
}

async function createdWithin(limit: number, bytes: Buffer): Promise<DecodedImage | FileRejection> {
  const strict = createImageDecoder({ bytesMax, pixelsMax: limit, downloadSecondsMax: 5, allow: [] });
  try {
    return await strict.fromBytes(bytes);
  } finally {
    await strict.close();
  }
}

/** The same in every run, so that a failure can be reproduced. */
function noise(length: number): Buffer {
  return createHash('shake256', { outputLength: length }).update('noise').digest();
}

/** Latin-1, so that one character is one byte. */
function joined(...parts: (Buffer | string)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
}

function blank(width: number, height: number) {
  return sharp({ create: { width, height, channels: 3, background: 'white' } });
}

async function animation(kind: 'gif' | 'webp', frames: number, side?: number): Promise<Buffer> {
  const [width, height] = side ? [side, side] : [60, 40];
  const pixels = side ? Buffer.alloc(width * height * frames * 3) : noise(width * height * frames * 3);
  // Identical frames would be merged.
  for (let frame = 0; frame < frames; frame += 1) pixels[frame * width * height * 3] = frame * 50;
  const raw = { width, height: height * frames, channels: 3 as const, pageHeight: height };
  return sharp(pixels, { raw })[kind]({ effort: 1 }).toBuffer();
}

function bmp(): Buffer {
  const header = Buffer.alloc(54);
  header.write('BM');
  header.writeUInt32LE(58, 2);
  header.writeUInt32LE(54, 10);
  header.writeUInt32LE(40, 14);
  header.writeInt32LE(1, 18);
  header.writeInt32LE(1, 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(24, 28);
  return joined(header, Buffer.alloc(4));
}

/** A PNG that declares a size and contains almost no data. */
function pngOf(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.alloc(100));
  return joined('\x89PNG\r\n\x1a\n', chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0)));
}

function chunk(kind: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const named = joined(kind, data);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return joined(length, named, check);
}

function decodersOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8');
        return (
          status.includes(`\nPPid:\t${parent}\n`) &&
          !status.includes('\nState:\tZ') &&
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('decoder-process.ts')
        );
      } catch {
        return false; // It ended meanwhile.
      }
    });
}

function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/status`, 'utf8').includes('\nState:\tZ');
  } catch {
    return false;
  }
}
