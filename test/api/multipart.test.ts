/** Image uploads as forms (multipart/form-data): accepted and rejected forms. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertProblem, assertUnchanged, assertViolations, type ExpectedViolation } from '../support/expect.ts';
import { whole } from '../support/fields.ts';
import { attached, fileAt, noisePng, png } from '../support/images.ts';
import { head, sendRaw } from '../support/raw-request.ts';
import { onOneDatabase, READ_WRITE_KEY } from '../support/store.ts';

type Entry = readonly [name: string, value: string | Buffer, filename?: string];

/** A form as a browser encodes it. */
async function form(...entries: Entry[]): Promise<{ body: Buffer; headers: Record<string, string> }> {
  const data = new FormData();
  for (const [name, value, filename] of entries) {
    if (typeof value === 'string') data.append(name, value);
    else data.append(name, new Blob([new Uint8Array(value)]), filename ?? 'picture.png');
  }
  const response = new Response(data);
  return {
    body: Buffer.from(await response.arrayBuffer()),
    headers: { 'content-type': response.headers.get('content-type')! },
  };
}

/** A form encoded by hand. */
function formOf(...parts: readonly (string | Buffer)[]): { body: Buffer; headers: Record<string, string> } {
  const segments = parts.flatMap((part) => ['--b\r\n', part, '\r\n']);
  return {
    body: Buffer.concat([...segments, '--b--\r\n'].map((segment) => Buffer.from(segment))),
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  };
}

const FILE = 'Content-Disposition: form-data; name="file"; filename="a.png"\r\n';

onOneDatabase('image upload as a form', { IMAGE_BYTES_MAX: '400000' }, (store) => {
  let images: string;
  before(async () => {
    images = `/api/products/${(await store.product()).id}/images`;
  });

  test('stores the same image as JSON does', async () => {
    const bytes = await noisePng(60, 40);
    const created = await store.request(
      'POST',
      images,
      await form(['file', bytes], ['position', '3'], ['alt', 'Größe']),
    );
    assert.equal(created.status, 201, created.text);
    const { id, url, ...shown } = created.json;
    const typed = { position: 3, alt: 'Größe', width: 60, height: 40 };
    assert.deepEqual(shown, whole('ProductImage', typed, 'id', 'url'));
    assert.equal(created.headers.location, `${store.address}${images}/${id}`);
    assert.ok((await fileAt(store, url)).bytes.equals(bytes));
    const same = await store.made(images, await attached(bytes));
    assert.equal(same.url, url);
    const read = await store.get(`${images}/${id}`);
    assert.deepEqual([read.text, read.headers.etag], [created.text, created.headers.etag]);
    assert.match(read.headers['accept-patch'] as string, /multipart\/form-data/);
  });

  test('requires only the file, whose name may contain a path and quotes', async () => {
    for (const filename of ['a.png', 'größe 1.PNG', 'C:\\folder\\a.png', '../../a.jpg', 'a"b.gif']) {
      const image = (await store.request('POST', images, await form(['file', await png(), filename]))).json;
      assert.deepEqual([image.position, image.alt, image.width], [0, '', 60], filename);
    }
  });

  test('replaces and patches an image with or without a file', async () => {
    const made = (await store.request('POST', images, await form(['file', await png()], ['alt', 'One']))).json;
    const path = `${images}/${made.id}`;
    const patched = (await store.request('PATCH', path, await form(['position', '-2']))).json;
    assert.deepEqual(patched, { ...made, position: -2 });
    const put = (await store.request('PUT', path, await form(['file', await png(9, 8)], ['alt', '']))).json;
    assert.deepEqual([put.id, put.position, put.alt, put.width], [made.id, 0, '', 9]);
    assert.equal((await fileAt(store, made.url)).status, 404);
  });

  test('sets the icon and the banner of a category', async () => {
    const { id } = await store.made('/api/categories', { name: 'Formed' });
    for (const noun of ['icon', 'banner']) {
      const response = await store.request(
        'POST',
        `/api/categories/${id}/${noun}`,
        await form(['file', await png(7, 6)]),
      );
      assert.deepEqual([response.status, response.json.width], [201, 7], response.text);
    }
  });

  test('with an Idempotency-Key is stored once for any boundary and order of parts', async () => {
    const bytes = await png();
    const send = async (key: string, ...entries: Entry[]) => {
      const { body, headers } = await form(...entries);
      return store.request('POST', images, { body, headers: { ...headers, 'idempotency-key': key } });
    };
    const count = async () => (await store.get(`${images}?itemsPerPage=100`)).json.length;
    const first = await send('form-1', ['file', bytes], ['alt', 'Once'], ['position', '1']);
    assert.equal(first.status, 201, first.text);
    const before = await count();
    const again = await send('form-1', ['position', '1'], ['alt', 'Once'], ['file', bytes]);
    assert.deepEqual([again.status, again.text], [201, first.text]);
    assertProblem(await send('form-1', ['file', bytes], ['alt', 'Other'], ['position', '1']), 422);
    assertProblem(await send('form-1', ['file', await png()], ['alt', 'Once'], ['position', '1']), 422);
    assert.equal(await count(), before);
  });

  const rejected: [title: string, entries: () => Promise<Entry[]>, ...violations: ExpectedViolation[]][] = [
    ['no file', async () => [['alt', 'x']], ['file', 'required']],
    ['no file chosen', async () => [['file', Buffer.alloc(0), '']], ['file', 'required']],
    ['an empty file', async () => [['file', Buffer.alloc(0), 'a.png']], ['file', 'file']],
    ['no part at all', async () => [], ['file', 'required']],
    ['a file that is a text', async () => [['file', 'text']], ['file', 'required']],
    ['a file name of a web page', async () => [['file', await png(), 'a.html']], ['file', 'format']],
    ['a file name without an extension', async () => [['file', await png(), 'blob']], ['file', 'format']],
    ['a file that is not an image', async () => [['file', Buffer.from('no picture')]], ['file', 'file']],
    [
      'invalid fields and unknown parts',
      async () => [
        ['file', await png()],
        ['position', 'first'],
        ['alt', 'x'.repeat(256)],
        ['title', 'x'],
        ['externalUrl', 'http://127.0.0.1/a.png'],
        ['attachment', 'iVBORw=='],
      ],
      ['position', 'type'],
      ['alt', 'too_long'],
      ...['title', 'externalUrl', 'attachment'].map((name) => [name, 'unknown_field'] as const),
    ],
    [
      'a fraction for an integer',
      async () => [
        ['file', await png()],
        ['position', '1.5'],
      ],
      ['position', 'type'],
    ],
    [
      'an empty number',
      async () => [
        ['file', await png()],
        ['position', ''],
      ],
      ['position', 'type'],
    ],
    [
      'a list for an integer',
      async () => [
        ['file', await png()],
        ['position', '[1]'],
      ],
      ['position', 'type'],
    ],
    [
      'an unknown field',
      async () => [
        ['file', await png()],
        ['colour', 'red'],
      ],
      ['colour', 'unknown_field'],
    ],
  ];
  for (const [title, entries, ...violations] of rejected)
    test(`with ${title} is rejected with 422`, async () => {
      const sent = await form(...(await entries()));
      await assertUnchanged(store, async () => {
        assertViolations(await store.request('POST', images, sent), ...violations);
      });
    });

  const malformed: [title: string, make: () => Promise<ReturnType<typeof formOf>>, detail: RegExp][] = [
    ['two files', async () => form(['file', await png()], ['file', await png()]), /two parts named "file"/],
    ['a text twice', async () => form(['file', await png()], ['alt', 'x'], ['alt', 'y']), /two parts named "alt"/],
    ['a part called __proto__', async () => form(['file', await png()], ['__proto__', 'x']), /__proto__/],
    ['a part without a name', async () => formOf('Content-Disposition: form-data\r\n\r\nx'), /Content-Disposition/],
    ['a part without headers', async () => formOf('\r\nx'), /Content-Disposition/],
    [
      'a part that is an attachment',
      async () => formOf('Content-Disposition: attachment; name="a"\r\n\r\nx'),
      /form-data/,
    ],
    [
      'a broken Content-Disposition',
      async () => formOf('Content-Disposition: form-data; name="a\r\n\r\nx'),
      /form-data/,
    ],
    ['huge headers', async () => formOf(`${FILE}X-Large: ${'x'.repeat(90_000)}\r\n\r\nx`), /headers of a part/],
    [
      'many headers',
      async () => formOf(`${FILE}${Array.from({ length: 1000 }, (_, index) => `X-${index}: x`).join('\r\n')}\r\n\r\nx`),
      /headers of a part/,
    ],
    [
      'many parts',
      async () => form(...Array.from({ length: 21 }, (_, index) => [`p${index}`, 'x'] as const)),
      /more than 20 parts/,
    ],
    [
      'a text that is not UTF-8',
      async () =>
        formOf(Buffer.concat([Buffer.from('Content-Disposition: form-data; name="alt"\r\n\r\n'), Buffer.from([0xff])])),
      /UTF-8/,
    ],
    [
      'a part in base64',
      async () => formOf(`${FILE}Content-Transfer-Encoding: base64\r\n\r\niVBO`),
      /Content-Transfer-Encoding/,
    ],
    [
      'another boundary than declared',
      async () => ({
        ...(await form(['file', await png()])),
        headers: { 'content-type': 'multipart/form-data; boundary=other' },
      }),
      /truncated/,
    ],
    [
      'no boundary',
      async () => ({ ...(await form(['file', await png()])), headers: { 'content-type': 'multipart/form-data' } }),
      /boundary/,
    ],
    ['an empty body', async () => ({ ...formOf(), body: Buffer.alloc(0) }), /truncated/],
    [
      'a truncated file',
      async () => {
        const whole = await form(['alt', 'x'], ['file', await noisePng(60, 40)]);
        return { ...whole, body: whole.body.subarray(0, whole.body.length - 3000) };
      },
      /truncated/,
    ],
    [
      'truncated part headers',
      async () => ({ ...formOf(), body: Buffer.from('--b\r\nContent-Disposition: form-data; na') }),
      /truncated/,
    ],
  ];
  for (const [title, make, detail] of malformed)
    test(`with ${title} is rejected with 400 and does not close the connection`, async () => {
      const sent = await make();
      await assertUnchanged(store, async () => {
        assertProblem(await store.request('POST', images, sent), 400, detail);
      });
    });

  test('with a too large file or text is rejected with 413', async () => {
    const large = await form(['file', await noisePng(420, 420)]);
    const long = await form(['file', await png()], ['alt', 'x'.repeat(70_000)]);
    await assertUnchanged(store, async () => {
      assertProblem(await store.request('POST', images, large), 413, /400,000/);
      assertProblem(await store.request('POST', images, long), 413, /“alt”/);
    });
  });

  test('is rejected for its size before the body is complete', async () => {
    const announced = [
      'Content-Type: multipart/form-data; boundary=b',
      'Content-Length: 30000000',
      'Connection: close',
    ];
    const truncated = `${head(`POST ${images}`, `X-Auth-Token: ${READ_WRITE_KEY}`, ...announced)}--b\r\n${FILE}\r\n`;
    assert.match(await sendRaw(store.address, truncated + 'x'.repeat(400_001)), /^HTTP\/1\.1 413 /);
  });

  test('is accepted byte by byte and in chunks that end within boundaries', async () => {
    const bytes = await png();
    const { body, headers } = await form(['alt', '\r\n--b'], ['file', bytes], ['position', '1']);
    const lengths = [1, 7, body.length];
    for (const length of lengths) {
      const slices = Array.from({ length: Math.ceil(body.length / length) }, (_, index) =>
        body.subarray(index * length, (index + 1) * length),
      );
      const chunks = slices.map((slice) => `${slice.length.toString(16)}\r\n${slice.toString('latin1')}\r\n`).join('');
      const start = head(
        `POST ${images}`,
        `X-Auth-Token: ${READ_WRITE_KEY}`,
        `Content-Type: ${headers['content-type']}`,
        'Connection: close',
        'Transfer-Encoding: chunked',
      );
      const response = await sendRaw(store.address, Buffer.from(`${start}${chunks}0\r\n\r\n`, 'latin1'));
      assert.match(response, /^HTTP\/1\.1 201 /);
      const image = (await store.get(`${images}?order[id]=desc&itemsPerPage=1`)).json[0];
      assert.deepEqual([image.alt, image.position], ['\r\n--b', 1]);
      assert.ok((await fileAt(store, image.url)).bytes.equals(bytes));
    }
  });

  test('ignores a preamble and an epilogue', async () => {
    const bytes = await png();
    const { body, headers } = formOf(Buffer.concat([Buffer.from(`${FILE}\r\n`), bytes]));
    const sent = { body: Buffer.concat([Buffer.from('before\r\n'), body, Buffer.from('behind')]), headers };
    const response = await store.request('POST', images, sent);
    assert.equal(response.status, 201, response.text);
    assert.ok((await fileAt(store, response.json.url)).bytes.equals(bytes));
  });

  test('is rejected with 415 where images are not accepted', async () => {
    const sent = await form(['file', await png()], ['name', 'x'], ['sku', 'FORMED']);
    await assertUnchanged(store, async () => {
      for (const [method, path] of [
        ['POST', '/api/products'],
        ['PUT', '/api/products/1'],
        ['POST', '/api/tags'],
      ] as const)
        assertProblem(await store.request(method, path, sent), 415);
    });
  });

  test('may have unknown parts with handling=lenient', async () => {
    const { body, headers } = await form(['file', await png()], ['title', 'x'], ['filename', 'x']);
    const response = await store.request('POST', images, { body, headers: { ...headers, prefer: 'handling=lenient' } });
    assert.equal(response.status, 201, response.text);
  });
});
