/** Uploaded product images: accepted files, how they are served, and the reasons of rejections (catalog.md §2). */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import sharp from 'sharp';
import { assertProblem, assertUnchanged, assertViolations } from '../support/expect.ts';
import { outputNames, whole } from '../support/fields.ts';
import { attached, fileAt, noise, noisePng, png, testImage } from '../support/images.ts';
import { type Json, onOneDatabase } from '../support/store.ts';

onOneDatabase('uploaded images', {}, (store) => {
  let images: string;
  before(async () => {
    images = `/api/products/${(await store.product()).id}/images`;
  });

  test('are shown with their size and served at their URL', async () => {
    const bytes = await png(60, 40);
    const created = await store.post(images, await attached(bytes, { position: 3, alt: 'A picture' }));
    assert.equal(created.status, 201, created.text);
    const { id, url, ...shown } = created.json;
    assert.deepEqual(Object.keys(created.json), outputNames('ProductImage'));
    const typed = { position: 3, alt: 'A picture', width: 60, height: 40 };
    assert.deepEqual(shown, whole('ProductImage', typed, 'id', 'url'));
    assert.equal(created.headers.location, `${store.address}${images}/${id}`);
    const read = await store.get(`${images}/${id}`);
    assert.deepEqual([read.text, read.headers.etag], [created.text, created.headers.etag]);
    assert.ok(url.startsWith(`${store.address}/images/`));

    const file = await fileAt(store, url);
    assert.equal(file.status, 200);
    assert.ok(file.bytes.equals(bytes));
    assert.equal(file.headers['content-type'], 'image/png');
    assert.equal(file.headers['x-content-type-options'], 'nosniff');
    assert.match(file.headers['cache-control']!, /public.*max-age=31536000.*immutable/);
    assert.match(String(file.headers['content-security-policy']), /default-src 'none'/);
    const again = await fileAt(store, url, { 'if-none-match': file.headers.etag });
    assert.deepEqual([again.status, again.bytes.length], [304, 0]);
  });

  const formats: [filename: string, make: () => Promise<Buffer>, type: string][] = [
    ['a.jpg', () => testImage().jpeg().toBuffer(), 'image/jpeg'],
    ['a.jpeg', () => testImage().jpeg({ progressive: true }).toBuffer(), 'image/jpeg'],
    ['a.png', () => testImage().png().toBuffer(), 'image/png'],
    ['a.gif', () => testImage().gif().toBuffer(), 'image/gif'],
    ['a.webp', () => testImage().webp().toBuffer(), 'image/webp'],
    ['a.avif', () => testImage().avif().toBuffer(), 'image/avif'],
    ['A.PNG', () => testImage().png().toBuffer(), 'image/png'],
    ['really-a-png.jpg', () => testImage().png().toBuffer(), 'image/png'],
    ['really-a-jpeg.gif', () => testImage().jpeg().toBuffer(), 'image/jpeg'],
    ['../../../etc/a.png', () => testImage().png().toBuffer(), 'image/png'],
    ['C:\\folder\\a.png', () => testImage().png().toBuffer(), 'image/png'],
    ['a.php.png', () => testImage().png().toBuffer(), 'image/png'],
    ['größe 1.png', () => testImage().png().toBuffer(), 'image/png'],
  ];
  for (const [filename, make, type] of formats)
    test(`${filename} is served as ${type}`, async () => {
      const image = await store.made(images, await attached(make(), { filename }));
      assert.deepEqual([image.width, image.height], [60, 40]);
      const file = await fileAt(store, image.url);
      assert.deepEqual([file.status, file.headers['content-type']], [200, type]);
      assert.match(image.url, /^[^?#]*\/images\/[^/]+\.(jpe?g|png|gif|webp|avif)$/);
      assert.ok(image.url.includes(type === 'image/jpeg' ? '.jp' : `.${type.slice(6)}`), image.url);
    });

  test('are measured as displayed: rotated by EXIF, and by the first frame of an animation', async () => {
    const rotated = await testImage(60, 40).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    const image = await store.made(images, await attached(rotated, { filename: 'a.jpg' }));
    assert.deepEqual([image.width, image.height], [40, 60]);
    const frames = await Promise.all([noisePng(30, 20), noisePng(30, 20), noisePng(30, 20)]);
    const animation = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    const moving = await store.made(images, await attached(animation, { filename: 'a.gif' }));
    assert.deepEqual([moving.width, moving.height], [30, 20]);
  });

  test('may be larger than the limit of other bodies', async () => {
    const bytes = await noisePng(900, 800);
    assert.ok(bytes.length > 1_500_000);
    const image = await store.made(images, await attached(bytes));
    assert.ok((await fileAt(store, image.url)).bytes.equals(bytes));
  });

  test('have defaults and store texts as sent', async () => {
    const bare = await store.made(images, await attached(png()));
    assert.deepEqual([bare.position, bare.alt], [0, '']);
    const full = await store.made(
      images,
      await attached(png(), { alt: '😀'.repeat(255), position: -5, externalUrl: '' }),
    );
    assert.deepEqual([full.position, full.alt], [-5, '😀'.repeat(255)]);
  });

  const rejected: [title: string, body: () => Promise<Json>, paths: string[]][] = [
    ['no source', async () => ({ alt: 'x' }), []],
    ['an empty body', async () => ({}), []],
    ['empty sources', async () => ({ externalUrl: '', attachment: '', filename: '' }), []],
    ['a file name alone', async () => ({ filename: 'a.png' }), []],
    ['both sources', () => attached(png(), { externalUrl: 'http://127.0.0.1:1/a.png' }), []],
    ['an empty file name', () => attached(png(), { filename: '' }), ['filename']],
    ['an attachment without a file name', async () => ({ attachment: (await png()).toString('base64') }), ['filename']],
    ['a file name without an extension', () => attached(png(), { filename: 'picture' }), ['filename']],
    ['a file name of a web page', () => attached(png(), { filename: 'a.html' }), ['filename']],
    ['a file name of a program', () => attached(png(), { filename: 'a.png.exe' }), ['filename']],
    ['a folder as a file name', () => attached(png(), { filename: 'a.png/' }), ['filename']],
    ['a NUL in the file name', () => attached(png(), { filename: 'a.php\u0000.png' }), ['filename']],
    ['a number as a file name', () => attached(png(), { filename: 5 }), ['filename']],
    ['null as an attachment', async () => ({ attachment: null, filename: 'a.png' }), ['attachment']],
    ['a long alt', () => attached(png(), { alt: 'x'.repeat(256) }), ['alt']],
    ['a fractional position', () => attached(png(), { position: 1.5 }), ['position']],
    ['an unknown field', () => attached(png(), { title: 'x' }), ['title']],
  ];
  for (const [title, body, paths] of rejected)
    test(`reject uploads with ${title}`, () =>
      assertUnchanged(store, async () => {
        const response = await store.post(images, await body());
        assertProblem(response, 422);
        const found = response.json.violations.map(({ propertyPath }: { propertyPath: string }) => propertyPath);
        if (paths.length > 0) assert.deepEqual(found, paths, response.text);
        else for (const path of found) assert.match(path, /^(externalUrl|attachment|filename|)$/);
      }));

  const spacings: Record<string, (base64: string) => string> = {
    'lines of 76, as in mail': (text) => text.replace(/.{76}/g, '$&\r\n'),
    'lines of 64, as in PEM': (text) => `${text.replace(/.{64}/g, '$&\n')}\n`,
    'a space at both ends': (text) => ` ${text} `,
    'tabs between all characters': (text) => [...text].join('\t'),
    'white space inside its padding': (text) => text.replace(/=+$/, (padding) => ` ${[...padding].join('\n')} `),
    'no padding': (text) => text.replace(/=+$/, ''),
    'the URL-safe alphabet': (text) => text.replaceAll('+', '-').replaceAll('/', '_'),
    'the URL-safe alphabet and no padding': (text) => Buffer.from(text, 'base64').toString('base64url'),
    'a data: URL in front': (text) => `data:image/png;base64,${text}`,
    'a data: URL of another accepted type': (text) => ` DATA:image/jpg;charset=utf-8;BASE64,${text}`,
    'a percent-encoded data: URL': (text) => `data:image/png;base64,${encodeURIComponent(text)}`,
    'much white space in one place': (text) => `${text.slice(0, 5)}${' '.repeat(200_000)}${text.slice(5)}`,
  };
  for (const [title, space] of Object.entries(spacings))
    for (const [name, make] of Object.entries({ small: () => png(), large: () => noisePng(200, 150) }))
      test(`accept base64 of a ${name} image with ${title}`, async () => {
        const bytes = await make();
        const base64 = withRareCharacters(bytes).toString('base64');
        assert.match(base64, /\+.*\/.*=$/);
        const image = await store.made(images, { attachment: space(base64), filename: 'a.png' });
        assert.ok((await fileAt(store, image.url)).bytes.equals(bytes));
      });

  const encodings: Record<string, (base64: string) => string> = {
    'a form feed': (text) => `${text.slice(0, 76)}\f${text.slice(76)}`,
    'a no-break space': (text) => `${text.slice(0, 76)}\u00a0${text.slice(76)}`,
    'padding in the middle': (text) => `${Buffer.alloc(70_000).toString('base64')}\n${text}`,
    'a data: URL of SVG': (text) => `data:image/svg+xml;base64,${text}`,
    'a data: URL without a type': (text) => `data:;base64,${text}`,
    'a data: URL that does not say base64': (text) => `data:image/png,${text}`,
    'a data: URL inside another': (text) => `data:image/png;base64,data:image/png;base64,${text}`,
    'too much padding': (text) => `${text}=`,
    'half of its padding': (text) => text.replace(/=+$/, '') + (text.endsWith('==') ? '=' : '=='),
    'trailing characters': (text) => `${text}!!<script>`,
    'an invalid character': (text) => `${text.slice(0, 10)}*${text.slice(10)}`,
  };
  for (const [title, corrupt] of Object.entries(encodings))
    test(`reject base64 with ${title}`, () =>
      assertUnchanged(store, async () => {
        const attachment = corrupt(withRareCharacters(await png()).toString('base64'));
        assertViolations(await store.post(images, { attachment, filename: 'a.png' }), ['attachment', 'format']);
      }));

  const invalidFiles: Record<string, () => Promise<Buffer>> = {
    text: async () => Buffer.from('This is no picture.'),
    'one byte': async () => Buffer.from([0x89]),
    'a web page': async () => Buffer.from('<!doctype html><script>alert(1)</script>'),
    SVG: async () =>
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'),
    BMP: async () => Buffer.concat([Buffer.from('BM'), Buffer.alloc(60)]),
    TIFF: () => testImage().tiff().toBuffer(),
    PDF: async () => Buffer.from('%PDF-1.7\n%%EOF'),
    ZIP: async () => Buffer.from('PK\u0003\u0004 and so on'),
    'half a PNG': async () => (await noisePng(60, 40)).subarray(0, 3000),
    'half a JPEG': async () => (await noise(60, 40).jpeg().toBuffer()).subarray(0, 1500),
    'a header alone': async () => (await png()).subarray(0, 33),
  };
  for (const [title, make] of Object.entries(invalidFiles))
    test(`reject ${title} and list the accepted formats`, () =>
      assertUnchanged(store, async () => {
        const response = await store.post(images, await attached(make()));
        assertViolations(response, ['attachment', 'file']);
        if (!title.startsWith('half') && title !== 'a header alone')
          assert.match(response.json.violations[0].message, /JPEG.*PNG.*GIF.*WebP.*AVIF/);
      }));
});

onOneDatabase('pixel limit', { IMAGE_PIXELS_MAX: '2400' }, (store) => {
  test('applies to all frames together', async () => {
    const { id } = await store.product();
    const images = `/api/products/${id}/images`;
    assert.equal((await store.post(images, await attached(png(60, 40)))).status, 201);
    await assertUnchanged(store, async () => {
      assertViolations(await store.post(images, await attached(png(61, 40))), ['attachment', 'file']);
      const frames = await Promise.all([noisePng(40, 40), noisePng(40, 40)]);
      const animation = await sharp(frames, { join: { animated: true } })
        .gif()
        .toBuffer();
      assertViolations(await store.post(images, await attached(animation)), ['attachment', 'file']);
    });
  });
});

/** Appends data, which the store removes, so that the base64 of the file has `+`, `/` and padding. */
function withRareCharacters(bytes: Buffer): Buffer {
  const whole = Buffer.concat([bytes, Buffer.alloc((3 - (bytes.length % 3)) % 3)]);
  return Buffer.concat([whole, Buffer.from([0xfb, 0xef, 0xbe, 0xff, 0xff, 0xff, 1])]);
}
