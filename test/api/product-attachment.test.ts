/** Attachments of products (catalog.md §15): types by content, access, downloads. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, test } from 'node:test';
import { attachedFile, FILES, MISLABELED, POLYGLOTS } from '../support/attachments.ts';
import { sendRequest } from '../support/client.ts';
import { assertProblem, assertUnchanged, assertViolations } from '../support/expect.ts';
import { now, pages } from '../support/feed.ts';
import { outputNames } from '../support/fields.ts';
import { onEachDatabase, onOneDatabase, READ_ONLY_KEY } from '../support/store.ts';

const TEXT = Buffer.from('Read the manual.');
const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const idsOf = (records: readonly { id: number }[]): number[] => records.map(({ id }) => id);

onEachDatabase('attachments', {}, (store) => {
  let product: number;
  let path: string;
  before(async () => {
    product = (await store.product()).id;
    path = `/api/products/${product}/attachments`;
  });
  const attach = (fields: object = {}, filename = 'manual.txt', bytes: Uint8Array | undefined = TEXT, at = path) =>
    store.made(at, attachedFile(filename, bytes, fields));

  test('are created with their defaults, read, replaced, updated and deleted with their file', async () => {
    const made = await store.post(path, attachedFile('C:\\docs\\Größe 1.TXT', TEXT, { title: 'Manual' }));
    assert.equal(made.status, 201, made.text);
    const { id } = made.json;
    assert.deepEqual(Object.keys(made.json), outputNames('ProductAttachment'));
    assert.deepEqual(made.json, {
      ...{ id, title: 'Manual', description: '', position: 0, access: 'A' },
      url: `${store.address}/files/${hashOf(TEXT)}/Gr%C3%B6%C3%9Fe%201.TXT`,
      ...{ filename: 'Größe 1.TXT', size: 16, mime_type: 'text/plain' },
    });
    const one = `${path}/${id}`;
    assert.equal(made.headers.location, `${store.address}${one}`);
    const back = await store.put(one, made.json);
    assert.deepEqual([back.text, back.headers.etag], [made.text, made.headers.etag]);
    const changed = await store.patch(one, { title: 'Guide', position: 2, description: 'Long' });
    assert.deepEqual(changed.json, { ...made.json, title: 'Guide', position: 2, description: 'Long' });
    assert.deepEqual((await store.put(one, { title: 'Short' })).json, { ...made.json, title: 'Short' });
    await store.patch(one, { title: 'Handbuch' }, { 'accept-language': 'de' });
    assert.equal((await store.get(one, { 'accept-language': 'de' })).json.title, 'Handbuch');
    const url = made.json.url.slice(store.address.length);
    assert.equal((await store.get(url)).status, 200);
    assert.equal((await store.delete(one)).status, 204);
    assertProblem(await store.get(url), 404);
    assert.ok(!(await store.imageFiles()).some((name) => name.includes(hashOf(TEXT))));
  });

  test('are listed by position, then id', async () => {
    const own = `/api/products/${(await store.product()).id}/attachments`;
    const last = await attach({ position: 5 }, 'a.txt', TEXT, own);
    const first = await attach({}, 'b.txt', TEXT, own);
    const second = await attach({}, 'c.txt', Buffer.from('C'), own);
    assert.deepEqual(idsOf((await store.get(own)).json), [first.id, second.id, last.id]);
    assert.deepEqual(idsOf((await store.get(`${own}?order[id]=asc&fields=id`)).json), [last.id, first.id, second.id]);
    assert.deepEqual((await store.get(`${own}/${last.id}?fields=url`)).json, { url: last.url });
    const lines = await store.get(own, { accept: 'application/x-ndjson' });
    assert.equal(lines.text.trim().split('\n').length, 3);
  });

  test('reject invalid values and sources at their fields, and change nothing', () =>
    assertUnchanged(store, async () => {
      const { attachment } = attachedFile('a.txt', TEXT);
      const cases: [body: object, ...expected: [string, string][]][] = [
        [{}, ['title', 'required'], ['attachment', 'required']],
        [{ title: ' ', attachment, filename: 'a.txt' }, ['title', 'blank']],
        [
          { title: 'x'.repeat(129), description: 'x'.repeat(129), attachment, filename: 'a.txt' },
          ['title', 'too_long'],
          ['description', 'too_long'],
        ],
        [{ title: 'T', attachment }, ['filename', 'required']],
        [
          { title: 'T', attachment, filename: 'a.txt', external_url: 'http://127.0.0.1/a.txt' },
          ['external_url', 'conflict'],
        ],
        [{ title: 'T', attachment: 'no_base64!', filename: 'a.txt' }, ['attachment', 'format']],
        [{ title: 'T', attachment, filename: `${'x'.repeat(252)}.txt` }, ['filename', 'too_long']],
        [{ title: 'T', attachment, filename: 'a\u0007.txt' }, ['filename', 'format']],
        [{ title: 'T', attachment, filename: 'noextension' }, ['filename', 'file']],
        [{ title: 'T', attachment, filename: 'page.html' }, ['filename', 'file']],
        [{ title: 'T', attachment, filename: 'a.txt/' }, ['filename', 'required']],
        [{ title: 'T', external_url: 'http://127.0.0.1/' }, ['filename', 'required']],
        [{ title: 'T', external_url: 'http://127.0.0.1:1/a.txt' }, ['external_url', 'download']],
        [{ title: 'T', attachment, filename: 'a.txt', access: 'B' }, ['access', 'format']],
        [{ title: 'T', attachment, filename: 'a.txt', access: '999999' }, ['access', 'unknown_link']],
        [{ title: 'T', attachment, filename: 'a.txt', size: 3 }, ['size', 'read_only']],
      ];
      for (const [body, ...expected] of cases) assertViolations(await store.post(path, body), ...expected);
    }));

  test('never replace their file', async () => {
    const { id } = await attach();
    const { attachment } = attachedFile('b.txt', Buffer.from('Other'));
    for (const method of ['put', 'patch'] as const) {
      const change = { title: 'T', attachment, filename: 'b.txt' };
      assertViolations(
        await store[method](`${path}/${id}`, change),
        ['attachment', 'read_only'],
        ['filename', 'read_only'],
      );
      const other = { title: 'T', external_url: 'http://127.0.0.1/b.txt' };
      assertViolations(await store[method](`${path}/${id}`, other), ['external_url', 'read_only']);
    }
  });

  test('with access for some have a URL that needs a key, and a change applies to the next request', async () => {
    const { id: membership } = await store.made('/api/memberships', { name: 'Dealers' });
    const made = await attach({}, 'price list.pdf', FILES.pdf);
    const shared = await attach({ access: 'R' }, 'other.pdf', FILES.pdf);
    const publicUrl = made.url.slice(store.address.length);
    const withoutKey = (url: string, headers = {}) => sendRequest(store.address, 'GET', url, { headers });
    const open = await withoutKey(publicUrl);
    assert.deepEqual([open.status, open.headers['cache-control']], [200, 'no-cache']);
    assertProblem(await withoutKey(publicUrl.replace('price%20list', 'other')), 404);
    const one = `${path}/${made.id}`;
    for (const access of ['R', String(membership)]) {
      const narrowed = (await store.patch(one, { access })).json;
      assert.equal(narrowed.url, `${store.address}${one}/file`);
      assertProblem(await withoutKey(publicUrl, { 'if-none-match': open.headers.etag }), 404);
      assertProblem(await withoutKey(`${one}/file`), 401);
      const kept = await store.request('GET', `${one}/file`, { key: READ_ONLY_KEY });
      assert.deepEqual([kept.status, kept.headers['cache-control']], [200, 'private, no-store']);
    }
    assertProblem(await store.delete(`/api/memberships/${membership}`), 409, /attachments/);
    await store.patch(one, { access: 'A' });
    assert.equal((await withoutKey(publicUrl)).status, 200);
    assert.equal((await store.get(`${one}/file`)).headers['cache-control'], 'no-cache');
    assert.equal((await store.delete(`/api/memberships/${membership}`)).status, 204);
    const other = (await store.product()).id;
    assertProblem(await store.get(`/api/products/${other}/attachments/${made.id}/file`), 404);
    assertProblem(await store.get(`/api/products/999999/attachments/${made.id}/file`), 400);
    assert.equal((await store.get(`${path}/${shared.id}/file`)).status, 200);
  });

  test('are served with safe headers, an entity tag and ranges', async () => {
    const { id, url } = await attach({}, "it's (1)*.csv", FILES.csv);
    for (const address of [url.slice(store.address.length), `${path}/${id}/file`]) {
      const whole = await store.get(address, { accept: 'application/xml' });
      assert.equal(whole.status, 200, whole.text);
      assert.equal(whole.text, FILES.csv!.toString());
      const { headers } = whole;
      assert.equal(headers['content-type'], 'text/csv; charset=utf-8');
      assert.equal(headers['content-disposition'], "attachment; filename*=UTF-8''it%27s%20%281%29%2A.csv");
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['content-security-policy'], "sandbox; default-src 'none'");
      assert.equal(headers['accept-ranges'], 'bytes');
      assert.equal(headers.etag, `"${hashOf(FILES.csv!)}"`);
      assert.equal((await store.get(address, { 'if-none-match': headers.etag })).status, 304);
      const part = await store.get(address, { range: 'bytes=2-4' });
      assert.deepEqual([part.status, part.text, part.headers['content-range']], [206, 'b\n1', 'bytes 2-4/8']);
      const end = await store.get(address, { range: 'bytes=100-' });
      assert.deepEqual([end.status, end.headers['content-range']], [416, 'bytes */8']);
      const head = await store.request('HEAD', address);
      assert.deepEqual([head.status, head.headers['content-length'], head.text], [200, '8', '']);
    }
  });

  test('share the file of equal bytes until the last of them is deleted', async () => {
    const bytes = Buffer.from(`Shared by ${store.database}`);
    const text = await attach({}, 'same.txt', bytes);
    const table = await attach({}, 'same.csv', bytes);
    const other = await attach({}, 'same.txt', bytes, `/api/products/${(await store.product()).id}/attachments`);
    const files = async () => (await store.imageFiles()).filter((name) => name.includes(hashOf(bytes)));
    assert.equal((await files()).length, 1);
    assert.match((await store.get(table.url.slice(store.address.length))).headers['content-type']!, /^text\/csv/);
    await store.delete(`${path}/${text.id}`);
    await store.delete(`${path}/${table.id}`);
    assert.equal((await files()).length, 1);
    assert.equal((await store.get(other.url.slice(store.address.length))).text, bytes.toString());
    assertProblem(await store.get(table.url.slice(store.address.length)), 404);
  });

  test('have entries of their own in the feed, and are deleted with their product', async () => {
    const { id } = await store.product();
    const before = (await store.get(`/api/products/${id}`)).headers.etag;
    const cursor = await now((url) => store.get(url));
    const made = await attach({}, 'gone.txt', Buffer.from('Gone'), `/api/products/${id}/attachments`);
    const { entries } = await pages((url) => store.get(url), `after=${cursor}`);
    assert.deepEqual(
      entries.map(({ resource, path: at }) => [resource, at]),
      [['ProductAttachment', `/api/products/${id}/attachments/${made.id}`]],
    );
    assert.equal((await store.get(`/api/products/${id}`)).headers.etag, before);
    await store.delete(`/api/products/${id}`);
    assertProblem(await store.get(made.url.slice(store.address.length)), 404);
    assert.ok(!(await store.imageFiles()).some((name) => name.includes(hashOf(Buffer.from('Gone')))));
  });

  test('are at most 100 of a product', async () => {
    const own = `/api/products/${(await store.product()).id}/attachments`;
    for (let count = 0; count < 99; count += 1) await attach({}, 'a.txt', TEXT, own);
    const two = await Promise.all([1, 2].map(() => store.post(own, attachedFile('a.txt', TEXT))));
    assert.deepEqual(two.map(({ status }) => status).sort(), [201, 422]);
    assertViolations(await store.post(own, attachedFile('a.txt', TEXT)), ['title', 'too_long']);
  });

  test('lose no race between access for a membership and its deletion', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await store.made('/api/memberships', { name: `Raced ${round}` });
      const [made, deleted] = await Promise.all([
        store.post(path, attachedFile('raced.txt', TEXT, { access: String(id) })),
        store.delete(`/api/memberships/${id}`),
      ]);
      assert.ok((made.status === 201) !== (deleted.status === 204), `${made.status} ${deleted.status}`);
      if (made.status === 201) await store.delete(`${path}/${made.json.id}`);
    }
  });
});

onOneDatabase('files of attachments', { FILE_BYTES_MAX: '60000' }, (store) => {
  let path: string;
  before(async () => {
    path = `/api/products/${(await store.product()).id}/attachments`;
  });

  for (const [extension, bytes] of Object.entries(FILES))
    test(`are accepted as .${extension} in any case, and served as that type`, async () => {
      const name = `file.${extension.toUpperCase()}`;
      const made = await store.made(path, attachedFile(name, bytes));
      assert.equal(made.size, bytes.length);
      const { headers, bytes: served } = await store.get(made.url.slice(store.address.length));
      assert.equal(headers['content-type']!.split(';')[0], made.mime_type);
      assert.ok(served.equals(bytes));
      await store.delete(`${path}/${made.id}`);
    });

  for (const [name, bytes] of Object.entries(MISLABELED))
    test(`are rejected if the content of ${name} is of another type`, () =>
      assertUnchanged(store, async () =>
        assertViolations(await store.post(path, attachedFile(name, bytes)), ['attachment', 'file']),
      ));

  for (const [name, bytes] of Object.entries(POLYGLOTS))
    test(`${name} is served only as the type of its extension`, async () => {
      const { url, mime_type } = await store.made(path, attachedFile(name, bytes));
      const { headers } = await store.get(url.slice(store.address.length), { accept: 'text/html' });
      assert.equal(headers['content-type']!.split(';')[0], mime_type);
      assert.match(String(headers['content-disposition']), /^attachment;/);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.match(String(headers['content-security-policy']), /^sandbox;/);
    });

  test('are accepted as jpeg, and as an animated png', async () => {
    await store.made(path, attachedFile('photo.jpeg', FILES.jpg!));
    const animated = Buffer.concat([
      FILES.png!.subarray(0, 33),
      Buffer.from('0000000861634 54c0000000200000000'.replace(' ', ''), 'hex'),
      Buffer.alloc(4),
      FILES.png!.subarray(33),
    ]);
    const made = await store.made(path, attachedFile('animation.png', animated));
    assert.equal(made.mime_type, 'image/png');
  });

  test('are not empty, and at most as large as the limit', async () => {
    assertViolations(
      await store.post(path, attachedFile('empty.txt', Buffer.alloc(1).subarray(1), { attachment: '' })),
      ['attachment', 'required'],
    );
    const form = (bytes: Buffer) => {
      const body = new FormData();
      body.append('title', 'Form');
      body.append('file', new Blob([new Uint8Array(bytes)]), 'form.txt');
      return body;
    };
    const send = async (body: FormData) => {
      const encoded = new Response(body);
      return store.request('POST', path, {
        body: Buffer.from(await encoded.arrayBuffer()),
        headers: { 'content-type': encoded.headers.get('content-type')! },
      });
    };
    assertViolations(await send(form(Buffer.alloc(0))), ['file', 'file']);
    assert.equal((await send(form(Buffer.alloc(60_000, 'a')))).status, 201);
    assertProblem(await send(form(Buffer.alloc(60_001, 'a'))), 413);
    assertProblem(await store.post(path, attachedFile('large.txt', Buffer.alloc(60_001, 'a'))), 413);
  });

  test('are taken from forms with position and access, but not by PUT', async () => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ title: 'Form', description: 'D', position: '7', access: 'R' }))
      body.append(name, value);
    body.append('file', new Blob([new Uint8Array(FILES.pdf!)]), 'Handbuch für Ada.pdf');
    const encoded = new Response(body);
    const sent = {
      body: Buffer.from(await encoded.arrayBuffer()),
      headers: { 'content-type': encoded.headers.get('content-type')! },
    };
    const { status, json, text } = await store.request('POST', path, sent);
    assert.equal(status, 201, text);
    const { id, title, description, position, access, filename, size, mime_type } = json;
    assert.deepEqual(
      [title, description, position, access, filename, size, mime_type],
      ['Form', 'D', 7, 'R', 'Handbuch für Ada.pdf', FILES.pdf!.length, 'application/pdf'],
    );
    assertProblem(await store.request('PUT', `${path}/${id}`, sent), 415);
  });
});

onOneDatabase('accepted types of attachments', { FILE_TYPES: 'txt, PDF tiff' }, (store) => {
  test('are those of the setting', async () => {
    const path = `/api/products/${(await store.product()).id}/attachments`;
    await store.made(path, attachedFile('a.pdf', FILES.pdf!));
    assertViolations(await store.post(path, attachedFile('a.png', FILES.png!)), ['filename', 'file', /txt, pdf, tif/]);
  });
});
