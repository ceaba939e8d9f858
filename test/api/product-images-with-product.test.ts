/** Images created in one request with their product: all of them or none. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertProblem, assertUnchanged, assertViolations } from '../support/expect.ts';
import { attached, fileAt, noisePng, png } from '../support/images.ts';
import { type Json, onEachDatabase } from '../support/store.ts';

let count = 0;

function product(images: unknown, fields: Json = {}): Json {
  count += 1;
  return { sku: `PICTURED-${count}`, name: 'Pictured', price: 5, images, ...fields };
}

onEachDatabase('images created with a product', { IMAGE_BYTES_MAX: '400000' }, (store) => {
  let host: Server;
  let address: string;
  let bytes: Buffer;
  /** Fetched addresses, and the maximum number of concurrent downloads. */
  let fetched: string[] = [];
  let atOnceMax = 0;
  /** Withheld responses. */
  let withheld: (() => void)[] = [];
  before(async () => {
    bytes = await png(50, 30);
    let atOnce = 0;
    host = createServer((request, response) => {
      fetched.push(request.url!);
      if (request.url!.startsWith('/held/')) {
        withheld.push(() => response.end(bytes));
        return;
      }
      atOnce += 1;
      atOnceMax = Math.max(atOnceMax, atOnce);
      setTimeout(() => {
        atOnce -= 1;
        if (request.url!.endsWith('.png')) response.end(bytes);
        else response.writeHead(404).end();
      }, 50);
    });
    await new Promise<void>((listening) => host.listen(0, '127.0.0.1', listening));
    address = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  });
  after(() => {
    host.closeAllConnections();
    host.close();
  });

  test('are shown by position, then in sent order, in the product and at their own path', async () => {
    const [one, other] = [await png(10, 20), await png(30, 40)];
    const created = await store.post(
      '/api/products',
      product([
        await attached(one, { position: 7, alt: 'One' }),
        { externalUrl: `${address}/a.png`, alt: 'Far' },
        await attached(other, { alt: 'Other', id: null, url: '', width: null, height: null }),
      ]),
    );
    assert.equal(created.status, 201, created.text);
    const { id, images, create_date, update_date } = created.json;
    assert.deepEqual(
      images.map(({ position, alt, width, height }: Json) => [position, alt, width, height]),
      [
        [0, 'Far', 50, 30],
        [0, 'Other', 30, 40],
        [7, 'One', 10, 20],
      ],
    );
    assert.equal(create_date, update_date);
    assert.match(created.headers.etag!, /^"1-/);
    assert.equal(created.headers.location, `${store.address}/api/products/${id}`);
    const files = await Promise.all(images.map(({ url }: { url: string }) => fileAt(store, url)));
    assert.ok([bytes, other, one].every((each, index) => each.equals(files[index].bytes)));
    const read = await store.get(`/api/products/${id}`);
    assert.deepEqual([read.text, read.headers.etag], [created.text, created.headers.etag]);
    assert.deepEqual((await store.get(`/api/products/${id}/images`)).json, images);
    assert.equal((await store.delete(`/api/products/${id}/images/${images[0].id}`)).status, 204);
    assert.equal((await store.get(`/api/products/${id}`)).json.images.length, 2);
  });

  test('are none if the list is empty or omitted', async () => {
    assert.deepEqual((await store.made('/api/products', product([]))).images, []);
    const { images: _, ...bare } = product([]);
    assert.deepEqual((await store.made('/api/products', bare)).images, []);
  });

  test('share a file within a product and between products', async () => {
    const image = await attached(png(11, 12));
    const body = () => product([image, { ...image, alt: 'Again' }]);
    const made = await Promise.all([1, 2, 3, 4].map(() => store.made('/api/products', body())));
    const urls = new Set(made.flatMap(({ images }) => images.map(({ url }: Json) => url)));
    assert.equal(urls.size, 1);
    for (const { id } of made.slice(1)) await store.delete(`/api/products/${id}`);
    assert.equal((await fileAt(store, made[0]!.images[0].url)).status, 200);
    await store.delete(`/api/products/${made[0]!.id}`);
    assert.equal((await fileAt(store, made[0]!.images[0].url)).status, 404);
  });

  test('may exceed the limit of other bodies, also in a chunked request', async () => {
    const large = await noisePng(320, 320);
    const body = product(await Promise.all([1, 2, 3].map(() => attached(large))));
    assert.ok(JSON.stringify(body).length > 1_048_576);
    assert.equal((await store.made('/api/products', body)).images.length, 3);
    const chunked = { 'content-length': undefined, 'transfer-encoding': 'chunked' };
    const again = product(body.images);
    const created = await store.post('/api/products', again, chunked);
    assert.equal(created.status, 201, created.text);
    const files = await Promise.all(created.json.images.map(({ url }: { url: string }) => fileAt(store, url)));
    assert.ok(files.every((file) => file.bytes.equals(large)));
  });

  test('may be 250, of which at most eight are downloaded concurrently', async () => {
    atOnceMax = 0;
    const remote = Array.from({ length: 12 }, (_, position) => ({
      externalUrl: `${address}/${position}.png`,
      position,
    }));
    const local = await attached(png());
    const body = product([...remote, ...Array.from({ length: 238 }, () => local)]);
    const created = await store.made('/api/products', body);
    assert.equal(created.images.length, 250);
    assert.ok(atOnceMax > 1 && atOnceMax <= 8, String(atOnceMax));
    assertViolations(await store.post(`/api/products/${created.id}/images`, local), ['images', 'too_long']);
    await assertUnchanged(store, async () => {
      const response = await store.post(
        '/api/products',
        product([...remote, ...Array.from({ length: 239 }, () => local)]),
      );
      assertViolations(response, ['images', 'too_long']);
    });
  });

  test('are reported with every violation of the product and of each image', async () => {
    const whole = await attached(png());
    const sent = [
      whole,
      {},
      { externalUrl: `${address}/nothing` },
      { ...whole, externalUrl: `${address}/a.png` },
      { ...whole, filename: 'a.exe' },
      { attachment: 'x', filename: 'a.png' },
      await attached(Buffer.from('no picture')),
      { ...whole, position: 1.5, alt: 'x'.repeat(256), title: 'x' },
      { ...whole, id: 4, url: 'http://x/y.png', width: 1, height: 2 },
      'a.png',
      null,
    ];
    await assertUnchanged(store, async () => {
      const response = await store.post('/api/products', product(sent, { name: '', price: -1 }));
      assertViolations(
        response,
        ['name', 'blank'],
        ['price', 'range'],
        ['images[1].attachment', 'required'],
        ['images[2].externalUrl', 'download'],
        ['images[3].externalUrl', 'conflict'],
        ['images[4].filename', 'format'],
        ['images[5].attachment', 'format'],
        ['images[6].attachment', 'file'],
        ['images[7].position', 'type'],
        ['images[7].alt', 'too_long'],
        ['images[7].title', 'unknown_field'],
        ...['id', 'url', 'width', 'height'].map((name) => [`images[8].${name}`, 'read_only'] as const),
        ['images[9]', 'type'],
        ['images[10]', 'null'],
      );
    });
  });

  const rejected: [title: string, fields: () => Promise<Json>, path: string, code: string][] = [
    ['a text as images', async () => ({ images: 'a.png' }), 'images', 'type'],
    ['an object as images', async () => ({ images: await attached(png()) }), 'images', 'type'],
    ['an unknown link', async () => ({ tax_class: 9999 }), 'tax_class', 'unknown_link'],
    ['a used SKU', async () => ({ sku: (await store.product()).sku }), 'sku', 'not_unique'],
  ];
  for (const [title, fields, path, code] of rejected)
    test(`leave no record and no file behind after ${title}`, async () => {
      const changed = product([await attached(png()), await attached(png())], await fields());
      await assertUnchanged(store, async () => {
        assertViolations(await store.post('/api/products', changed), [path, code]);
      });
    });

  test('are rejected together with 413 if one attachment is too large', async () => {
    const large = await attached(noisePng(420, 420));
    const small = await attached(png());
    await assertUnchanged(store, async () => {
      assertProblem(await store.post('/api/products', product([small, large])), 413, /^images\[1\]: .*400,000/);
    });
  });

  test('leave the file of another product in place when they are rejected', async () => {
    const image = await attached(png());
    const { images } = await store.made('/api/products', product([image]));
    assertProblem(await store.post('/api/products', product([image, {}])), 422);
    assert.equal((await fileAt(store, images[0].url)).status, 200);
  });

  test('are downloaded once with an Idempotency-Key', async () => {
    const body = product([{ externalUrl: `${address}/once.png` }, { externalUrl: `${address}/twice.png` }]);
    const headers = { 'idempotency-key': `pictures-${count}` };
    fetched = [];
    const [first, second] = await Promise.all([1, 2].map(() => store.post('/api/products', body, headers)));
    const third = await store.post('/api/products', body, headers);
    for (const response of [first!, second!, third]) {
      assert.equal(response.status, 201, response.text);
      assert.equal(response.text, first!.text);
    }
    assert.deepEqual(fetched.sort(), ['/once.png', '/twice.png']);
    assert.equal((await store.get(`/api/products?sku=${body.sku}`)).json.length, 1);
    assert.equal((await store.get(`/api/products/${first!.json.id}/images`)).json.length, 2);
  });

  test('are accepted as JSON-LD with its keywords', async () => {
    const body = product([{ '@type': 'ProductImage', ...(await attached(png(21, 22))), alt: 'Linked' }]);
    const response = await store.post(
      '/api/products',
      { '@type': 'Product', ...body },
      {
        'content-type': 'application/ld+json',
        accept: 'application/ld+json',
      },
    );
    assert.equal(response.status, 201, response.text);
    const [image] = response.json.images;
    assert.deepEqual([image['@type'], image.alt, image.width], ['ProductImage', 'Linked', 21]);
    assert.equal((await store.get(image['@id'])).status, 200);
  });

  test('are read-only in PUT and PATCH of the product', async () => {
    const made = await store.made('/api/products', product([await attached(png())]));
    const path = `/api/products/${made.id}`;
    const { images } = made;
    const lenient = { prefer: 'handling=lenient' };
    assert.equal((await store.put(path, { ...made, images })).status, 200);
    assert.equal((await store.patch(path, { images })).status, 200);
    assertViolations(await store.put(path, { ...made, images: [] }), ['images', 'read_only']);
    assertViolations(await store.patch(path, { images: [] }), ['images', 'read_only']);
    assert.equal((await store.patch(path, { images: [] }, lenient)).status, 200);
    assert.deepEqual((await store.get(path)).json.images, images);
  });

  test('may be null, and invalid ones are ignored with handling=lenient', async () => {
    assert.deepEqual((await store.made('/api/products', product([], { images: null }))).images, []);
    const lenient = { prefer: 'handling=lenient' };
    for (const images of ['none', [{ url: 'http://store.example/x.png', alt: 'Copied' }]]) {
      const body = product([], { images });
      assertProblem(await store.post('/api/products', body), 422);
      assert.deepEqual((await store.made('/api/products', body, lenient)).images, []);
    }
  });

  test('are validated separately from invalid ones in the list', async () => {
    const response = await store.post(
      '/api/products',
      product([5, await attached(png(3, 2), { width: 3, height: 2 })]),
    );
    assertViolations(response, ['images[0]', 'type']);
  });

  test('are not copied from the output of another product with handling=lenient', async () => {
    const {
      id: _,
      sku: __,
      clean_url: ___,
      ...read
    } = await store.made('/api/products', product([await attached(png())]));
    assertProblem(await store.post('/api/products', { ...read, sku: `PICTURED-AGAIN-${count}` }), 422);
    const copied = await store.post(
      '/api/products',
      { ...read, sku: `PICTURED-AGAIN-${count}` },
      { prefer: 'handling=lenient' },
    );
    assert.equal(copied.status, 201, copied.text);
    assert.deepEqual(copied.json.images, []);
  });

  test('do not block other writes during slow downloads', async () => {
    withheld = [];
    const images = [{ externalUrl: `${address}/held/a.png` }];
    const waiting = Array.from({ length: 12 }, () => store.post('/api/products', product(images)));
    while (withheld.length < 8) await sleep(10);
    const plain = await Promise.all(Array.from({ length: 20 }, () => store.post('/api/products', product([]))));
    assert.ok(plain.every(({ status }) => status === 201));
    const release = setInterval(() => {
      for (const go of withheld.splice(0)) go();
    }, 10);
    for (const response of await Promise.all(waiting)) assert.equal(response.status, 201, response.text);
    clearInterval(release);
  });

  test('leave files and rows consistent under concurrent creation, rejection and deletion', async () => {
    const productImages = await Promise.all([1, 2, 3].map(() => attached(png())));
    const stored: Json[] = [];
    const rounds = Array.from({ length: 30 }, async (_, index) => {
      const order = index % 2 === 0 ? productImages : productImages.toReversed();
      if (index % 3 === 0) return assertProblem(await store.post('/api/products', product([...order, {}])), 422);
      const made = await store.made('/api/products', product(order));
      if (index % 3 === 1) assert.equal((await store.delete(`/api/products/${made.id}`)).status, 204);
      else stored.push(made);
    });
    await Promise.all(rounds);
    assert.equal(stored.length, 10);
    for (const { images } of stored)
      for (const { url } of images as { url: string }[]) assert.equal((await fileAt(store, url)).status, 200);
    const before = (await store.imageFiles()).length;
    for (const { id } of stored) await store.delete(`/api/products/${id}`);
    assert.equal((await store.imageFiles()).length, before - 3);
  });
});
