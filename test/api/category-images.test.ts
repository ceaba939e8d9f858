/** The icon and the banner of a category: one image each, created or replaced by POST (catalog.md §5). */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { sendRequest } from '../support/client.ts';
import { assertProblem, assertViolations } from '../support/expect.ts';
import { type Json, onEachDatabase, onOneDatabase, type Store } from '../support/store.ts';

const KINDS = ['icon', 'banner'] as const;

const versionOf = (etag: string | undefined): number => Number(etag!.slice(1).split('-')[0]);

let colors = 0;

/** Creates unique image bytes. */
function bytesOf(width = 4, height = 3): Promise<Buffer> {
  colors += 1;
  const background = { r: colors % 256, g: Math.floor(colors / 256), b: 160 };
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
}

const attached = (bytes: Buffer, fields: Json = {}): Json => ({
  attachment: bytes.toString('base64'),
  filename: 'picture.png',
  ...fields,
});

const newCategory = async (store: Store): Promise<string> =>
  `/api/categories/${(await store.made('/api/categories', { name: 'Category' })).id}`;

/** Fetches an image as a shopper does: without a key. */
async function fetched(url: string) {
  const { origin, pathname } = new URL(url);
  return sendRequest(origin, 'GET', pathname, {});
}

for (const which of KINDS)
  onEachDatabase(`${which} of a category`, {}, (store) => {
    const other = which === 'icon' ? 'banner' : 'icon';

    test('is created with 201 at its own address', async () => {
      const category = await newCategory(store);
      const path = `${category}/${which}`;
      const bytes = await bytesOf(20, 10);
      const response = await store.post(path, attached(bytes, { alt: 'Alt' }));
      assert.equal(response.status, 201, response.text);
      const { id, url, ...rest } = response.json;
      assert.deepEqual(rest, { alt: 'Alt', width: 20, height: 10 });
      assert.ok(Number.isInteger(id));
      assert.ok(url.startsWith(`${store.address}/images/`), url);
      assert.equal(response.headers.location, `${store.address}${path}`);
      const read = await store.get(path);
      assert.deepEqual([read.status, read.text, read.headers.etag], [200, response.text, response.headers.etag]);
      const file = await fetched(url);
      assert.equal(file.status, 200);
      assert.deepEqual(file.bytes, bytes);
      assert.equal(file.headers['content-type'], 'image/png');
      assert.equal(file.headers['x-content-type-options'], 'nosniff');
      assertProblem(await store.get(`${category}/${other}`), 404);
    });

    test('is embedded in the category without its id', async () => {
      const category = await newCategory(store);
      const earlier = await store.get(category);
      assert.equal(earlier.json[which], null);
      const { id: _, ...shown } = await store.made(`${category}/${which}`, attached(await bytesOf(), { alt: 'A' }));
      const later = await store.get(category);
      // A new image changes the category, and the markup names it.
      const { og_meta_tags, update_date } = later.json;
      assert.deepEqual(later.json, { ...earlier.json, og_meta_tags, update_date, [which]: shown });
      const [listed] = (await store.get(`/api/categories?id=${later.json.id}`)).json;
      assert.deepEqual(listed, later.json);
    });

    test('changes the version of its category only if it changes', async () => {
      const category = await newCategory(store);
      const path = `${category}/${which}`;
      const [one, two] = [attached(await bytesOf(), { alt: 'One' }), attached(await bytesOf())];
      const steps: [title: string, act: () => Promise<unknown>, isChange: boolean][] = [
        ['created', () => store.made(path, one), true],
        ['the same again', () => store.made(path, one), false],
        ['another alt', () => store.made(path, { ...one, alt: 'Two' }), true],
        ['other bytes', () => store.made(path, two), true],
        ['rejected', () => store.post(path, {}), false],
        ['deleted', () => store.delete(path), true],
        ['deleted again', () => store.delete(path), false],
      ];
      for (const [title, act, isChange] of steps) {
        const earlier = versionOf((await store.get(category)).headers.etag);
        await act();
        const later = versionOf((await store.get(category)).headers.etag);
        assert.equal(later > earlier, isChange, title);
      }
    });

    test('is read-only in the body of its category', async () => {
      const category = await newCategory(store);
      await store.made(`${category}/${which}`, attached(await bytesOf()));
      const earlier = await store.get(category);
      const back = await store.put(category, { ...earlier.json, [which]: earlier.json[which] });
      assert.deepEqual([back.status, back.text, back.headers.etag], [200, earlier.text, earlier.headers.etag]);
      for (const value of [null, { alt: 'Changed' }, { externalUrl: 'https://images.example/x.png' }, 'x']) {
        assertViolations(await store.put(category, { ...earlier.json, [which]: value }), [which, 'read_only']);
        assert.equal((await store.get(category)).text, earlier.text);
      }
    });

    test('is replaced by a second POST, which deletes the old file', async () => {
      const path = `${await newCategory(store)}/${which}`;
      const first = await store.made(path, attached(await bytesOf(20, 10), { alt: 'First' }));
      const second = await store.post(path, attached(await bytesOf(5, 6)));
      assert.equal(second.status, 201, second.text);
      const { alt, width, height, url } = second.json;
      assert.deepEqual([alt, width, height], ['', 5, 6]);
      assert.notEqual(url, first.url);
      assert.equal(second.headers.location, `${store.address}${path}`);
      await store.settled();
      assert.equal((await fetched(first.url)).status, 404);
      assert.equal((await fetched(url)).status, 200);
      assert.deepEqual((await store.get(path)).json, second.json);
    });

    test('is deleted with 204 together with its file', async () => {
      const category = await newCategory(store);
      const path = `${category}/${which}`;
      const { url } = await store.made(path, attached(await bytesOf()));
      const response = await store.delete(path);
      assert.deepEqual([response.status, response.text], [204, '']);
      assertProblem(await store.get(path), 404);
      assertProblem(await store.delete(path), 404);
      assert.equal((await store.get(category)).json[which], null);
      await store.settled();
      assert.equal((await fetched(url)).status, 404);
      assert.equal((await store.post(path, attached(await bytesOf()))).status, 201);
    });

    test('is deleted together with its category', async () => {
      const category = await newCategory(store);
      const { url } = await store.made(`${category}/${which}`, attached(await bytesOf()));
      await store.delete(category);
      await store.settled();
      assert.equal((await fetched(url)).status, 404);
      assertProblem(await store.get(`${category}/${which}`), 400);
    });

    test('shares its file with every image of the same bytes', async () => {
      const [one, two] = [await newCategory(store), await newCategory(store)];
      const { id } = await store.product();
      const bytes = await bytesOf();
      const paths = [`${one}/icon`, `${one}/banner`, `${two}/${which}`];
      const urls: string[] = [];
      for (const path of [...paths, `/api/products/${id}/images`])
        urls.push((await store.made(path, attached(bytes))).url);
      assert.equal(new Set(urls).size, 1);
      for (const path of paths) {
        assert.equal((await store.delete(path)).status, 204);
        assert.equal((await fetched(urls[0]!)).status, 200);
      }
      await store.delete(`/api/products/${id}`);
      await store.settled();
      assert.equal((await fetched(urls[0]!)).status, 404);
    });

    test('stores one of eight concurrent POSTs and deletes the other files', async () => {
      const category = await newCategory(store);
      const filesEarlier = (await store.imageFiles()).length;
      const bodies = await Promise.all(Array.from({ length: 8 }, async () => attached(await bytesOf())));
      const responses = await Promise.all(bodies.map((body) => store.post(`${category}/${which}`, body)));
      for (const { status, text } of responses) assert.equal(status, 201, text);
      const { url } = (await store.get(`${category}/${which}`)).json;
      assert.ok(responses.some(({ json }) => json.url === url));
      assert.equal((await store.imageFiles()).length, filesEarlier + 1);
      assert.equal((await fetched(url)).status, 200);
    });

    test('supports conditional reads and rejects list parameters', async () => {
      const path = `${await newCategory(store)}/${which}`;
      const { etag } = (await store.post(path, attached(await bytesOf()))).headers;
      assert.equal((await store.get(path, { 'if-none-match': etag })).status, 304);
      for (const query of ['page=1', 'itemsPerPage=1', 'order[id]=asc', 'id=1', 'alt=x'])
        assertProblem(await store.get(`${path}?${query}`), 400);
    });

    test('rejects PUT and PATCH with 405', async () => {
      const path = `${await newCategory(store)}/${which}`;
      for (const method of ['PUT', 'PATCH']) {
        const response = await store.request(method, path, { body: { alt: 'A' } });
        assertProblem(response, 405);
        const allowed = String(response.headers.allow).split(/, */);
        for (const offered of ['GET', 'POST', 'DELETE']) assert.ok(allowed.includes(offered), allowed.join());
        for (const missing of ['PUT', 'PATCH']) assert.ok(!allowed.includes(missing), allowed.join());
      }
      assertProblem(await store.get(`${path}/1`), 404);
    });

    test('rejects wrong read-only fields', async () => {
      const path = `${await newCategory(store)}/${which}`;
      const sent = attached(await bytesOf(6, 5), { id: 999999, url: 'http://127.0.0.1/x', width: 1, height: 1 });
      assertViolations(
        await store.post(path, sent),
        ...['id', 'url', 'width', 'height'].map((field): [string, string] => [field, 'read_only']),
      );
      assertProblem(await store.get(path), 404);
      const json = await store.made(path, attached(await bytesOf(6, 5), { width: 6, height: 5 }));
      assert.deepEqual([json.width, json.height], [6, 5]);
      assert.ok(json.url.startsWith(`${store.address}/images/`));
    });

    test('returns the same headers for HEAD as for GET', async () => {
      const path = `${await newCategory(store)}/${which}`;
      await store.made(path, attached(await bytesOf()));
      const [get, head] = [await store.get(path), await store.request('HEAD', path)];
      assert.deepEqual([head.status, head.text, head.headers.etag], [200, '', get.headers.etag]);
    });

    test('checks If-Match on DELETE', async () => {
      const path = `${await newCategory(store)}/${which}`;
      const { etag } = (await store.post(path, attached(await bytesOf()))).headers;
      await store.made(path, attached(await bytesOf()));
      assertProblem(await store.delete(path, { 'if-match': etag }), 412);
      assert.equal((await store.delete(path, { 'if-match': (await store.get(path)).headers.etag })).status, 204);
    });

    test('returns 400 for an unknown or malformed category', async () => {
      for (const category of ['999999', 'abc']) {
        const path = `/api/categories/${category}/${which}`;
        assertProblem(await store.get(path), 400);
        assertProblem(await store.post(path, attached(await bytesOf())), 400);
        assertProblem(await store.delete(path), 400);
      }
    });
  });

for (const which of KINDS)
  onOneDatabase(`sources of the ${which}`, { IMAGE_BYTES_MAX: '5000', IMAGE_PIXELS_MAX: '10000' }, (store) => {
    let category: string;
    let path: string;
    let server: Server;
    let address: string;
    let bytes: Buffer;
    before(async () => {
      bytes = await bytesOf(7, 8);
      server = createServer((request, response) => {
        if (request.url === '/picture') response.setHeader('content-type', 'image/png').end(bytes);
        else if (request.url === '/text') response.end('no picture');
        else response.writeHead(404).end();
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      category = await newCategory(store);
      path = `${category}/${which}`;
      await store.made(path, attached(await bytesOf(), { alt: 'Stays' }));
    });
    after(() => server.close());

    const rejected: [title: string, body: () => Json | Promise<Json>, field: RegExp][] = [
      ['no source', () => ({}), /^(attachment|externalUrl)$/],
      ['empty texts', () => ({ externalUrl: '', attachment: '', filename: '' }), /^(attachment|externalUrl)$/],
      ['two sources', () => attached(bytes, { externalUrl: `${address}/picture` }), /^(attachment|externalUrl)$/],
      ['no file name', () => attached(bytes, { filename: '' }), /^filename$/],
      ['a file name of another type', () => attached(bytes, { filename: 'picture.txt' }), /^filename$/],
      ['malformed base64', () => attached(bytes, { attachment: 'iVBO*Rw==' }), /^attachment$/],
      ['base64 without padding', () => attached(bytes, { attachment: 'iVBORw' }), /^attachment$/],
      ['bytes that are not an image', () => attached(Buffer.from('GIF89a no picture')), /^attachment$/],
      [
        'SVG',
        () => attached(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), { filename: 'a.svg' }),
        /^attachment$/,
      ],
      ['half an image', () => attached(bytes.subarray(0, bytes.length / 2)), /^attachment$/],
      ['too many pixels', async () => attached(await bytesOf(101, 100)), /^attachment$/],
      ['an address without an image', () => ({ externalUrl: `${address}/text` }), /^externalUrl$/],
      ['an address that answers 404', () => ({ externalUrl: `${address}/nothing` }), /^externalUrl$/],
      ['a file address', () => ({ externalUrl: 'file:///etc/passwd' }), /^externalUrl$/],
      ['an alt of 256 characters', () => attached(bytes, { alt: 'a'.repeat(256) }), /^alt$/],
      ['null for alt', () => attached(bytes, { alt: null }), /^alt$/],
      ['a position', () => attached(bytes, { position: 1 }), /^position$/],
    ];
    for (const [title, body, field] of rejected)
      test(`rejects a body with ${title}`, async () => {
        const earlier = [
          (await store.get(path)).text,
          (await store.get(category)).headers.etag,
          await store.imageFiles(),
        ];
        const response = await store.post(path, await body());
        assertProblem(response, 422);
        assert.ok(response.json.violations.length > 0);
        for (const { propertyPath } of response.json.violations) assert.match(propertyPath, field);
        assert.deepEqual(
          [(await store.get(path)).text, (await store.get(category)).headers.etag, await store.imageFiles()],
          earlier,
        );
      });

    test('rejects an image over the size limit with 413', async () => {
      const noise = await sharp(crypto.getRandomValues(new Uint8Array(60 * 60 * 3)), {
        raw: { width: 60, height: 60, channels: 3 },
      })
        .png()
        .toBuffer();
      assertProblem(await store.post(path, attached(noise)), 413);
    });

    test('accepts an external address', async () => {
      const json = await store.made(path, { externalUrl: `${address}/picture`, attachment: '', alt: 'Far' });
      assert.deepEqual([json.alt, json.width, json.height], ['Far', 7, 8]);
      assert.ok(json.url.startsWith(`${store.address}/images/`));
      assert.deepEqual((await fetched(json.url)).bytes, bytes);
    });

    test('accepts a file name with a path and another extension', async () => {
      const json = await store.made(
        path,
        attached(await bytesOf(9, 2), { filename: 'C:\\pictures/icon.jpg', externalUrl: '' }),
      );
      assert.deepEqual([json.width, json.height], [9, 2]);
      assert.equal((await fetched(json.url)).headers['content-type'], 'image/png');
    });

    test('rejects an unknown field', async () =>
      assertViolations(await store.post(path, attached(bytes, { title: 'T' })), ['title', 'unknown_field']));
  });
