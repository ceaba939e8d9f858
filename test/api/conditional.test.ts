/** ETags of records and lists, conditional reads, and conditional writes (http.md §10). */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertProblem, assertUnchanged } from '../support/expect.ts';
import { attached, noisePng, png } from '../support/images.ts';
import { onEachDatabase, type Store } from '../support/store.ts';

const de = { 'accept-language': 'de' };

/** The part of a record's ETag that counts its changes. */
function versionOf(etag: string | undefined): number {
  const match = /^"(\d+)-[^"]+"$/.exec(etag ?? '');
  assert.ok(match, `${etag} is "<version>-<digest>"`);
  return Number(match[1]);
}

onEachDatabase('record ETags', {}, (store) => {
  test('are the same at every read', async () => {
    const created = await store.post('/api/products', { sku: 'A', name: 'A' });
    const path = `/api/products/${created.json.id}`;
    const reads = [await store.get(path), await store.get(path), await store.request('HEAD', path)];
    for (const { headers } of reads) assert.equal(headers.etag, created.headers.etag);
    versionOf(created.headers.etag);
  });

  test('contain a version that counts changes', async () => {
    const { id } = await store.product({ name: 'First' });
    const path = `/api/products/${id}`;
    const first = versionOf((await store.get(path)).headers.etag);
    const changes: [number, string, string, object, object?][] = [
      [1, 'PATCH', path, { price: 1 }],
      [1, 'PATCH', path, { price: 1 }],
      [2, 'PATCH', path, { tags: ['Red'] }],
      [3, 'PATCH', path, { name: 'Erster' }, de],
      [3, 'PATCH', path, {}],
      [4, 'POST', `${path}/stock`, { delta: -1 }],
      [5, 'PUT', path, { sku: 'COUNTED', name: 'Counted' }],
      [5, 'PUT', path, { sku: 'COUNTED', name: 'Counted' }],
    ];
    for (const [count, method, target, body, headers] of changes) {
      const response = await store.request(method, target, { body, headers: headers as never });
      assert.equal(response.status, 200, response.text);
      assert.equal(versionOf(response.headers.etag), first + count, `${method} ${JSON.stringify(body)}`);
      assert.equal((await store.get(path, headers as never)).headers.etag, response.headers.etag);
    }
  });

  test('depend on the language of the request', async () => {
    const created = await store.post('/api/products', { sku: 'B', name: 'B' });
    const path = `/api/products/${created.json.id}`;
    const patched = await store.patch(path, { name: 'B auf Deutsch' }, de);
    const [german, english] = [await store.get(path, de), await store.get(path)];
    assert.equal(patched.headers.etag, german.headers.etag);
    assert.notEqual(english.headers.etag, german.headers.etag);
    assert.equal(versionOf(english.headers.etag), versionOf(german.headers.etag));
  });

  for (const [title, change] of Object.entries<(store: Store, id: number) => Promise<unknown>>({
    'renaming a linked record': (one, id) => one.patch(`/api/memberships/${id}`, { name: `Renamed ${id}` }),
    'deleting a linked record': (one, id) => one.delete(`/api/memberships/${id}`),
  }))
    test(`${title} changes the digest but not the version or update_date`, async () => {
      const membership = await store.made('/api/memberships', { name: title });
      const { id, sku } = await store.product({ memberships: [membership.id] });
      const path = `/api/products/${id}`;
      const before = await store.get(path);
      await change(store, membership.id);
      const after = await store.get(path);
      assert.notEqual(after.headers.etag, before.headers.etag);
      assert.equal(versionOf(after.headers.etag), versionOf(before.headers.etag));
      assert.equal(after.json.update_date, before.json.update_date);
      assert.equal((await store.get(path, { 'if-none-match': before.headers.etag })).status, 200);
      await assertUnchanged(store, async () => {
        const response = await store.put(path, { sku, name: 'Never' }, { 'if-match': before.headers.etag });
        assertProblem(response, 412);
        assert.equal(response.headers.etag, after.headers.etag);
      });
      assert.equal((await store.patch(path, { price: 1 }, { 'if-match': after.headers.etag })).status, 200);
    });
});

onEachDatabase('list ETags', {}, (store) => {
  test('change with the listed records and with the total', async () => {
    await store.product();
    const path = '/api/products?itemsPerPage=1';
    const one = await store.get(path);
    assert.match(one.headers.etag!, /^"[^"]+"$/);
    assert.equal((await store.get(path)).headers.etag, one.headers.etag);
    const { id } = await store.product();
    const two = await store.get(path);
    assert.equal(two.text, one.text);
    assert.notEqual(two.headers.etag, one.headers.etag, 'the total differs');
    await store.patch('/api/products/1', { price: 5 });
    const changed = await store.get(path);
    assert.notEqual(changed.headers.etag, two.headers.etag);
    await store.patch(`/api/products/${id}`, { price: 5 });
    assert.equal((await store.get(path)).headers.etag, changed.headers.etag, 'a change on another page keeps the ETag');
  });

  test('differ by language if texts differ', async () => {
    await store.patch('/api/products/1', { name: 'Deutsch' }, de);
    assert.notEqual(
      (await store.get('/api/products', de)).headers.etag,
      (await store.get('/api/products')).headers.etag,
    );
  });
});

onEachDatabase('If-None-Match', {}, (store) => {
  let path: string;
  before(async () => {
    path = `/api/products/${(await store.product()).id}`;
  });

  const matching: Record<string, (etag: string) => string> = {
    'the tag': (etag) => etag,
    'the tag, weak': (etag) => `W/${etag}`,
    'the tag among others': (etag) => `"a", W/"b",${etag} , "c"`,
    'any tag': () => '*',
  };
  const other: Record<string, (etag: string) => string> = {
    'another tag': () => '"1-other"',
    'the tag without quotes': (etag) => etag.slice(1, -1),
    'the beginning of the tag': (etag) => `${etag.slice(0, -2)}"`,
    'the tag and more': (etag) => `${etag.slice(0, -1)}x"`,
    'an empty header': () => '',
  };
  for (const collection of [false, true]) {
    const target = () => (collection ? '/api/products?enabled=true' : path);
    const what = collection ? 'a list' : 'a record';
    for (const [title, header] of Object.entries(matching))
      test(`returns 304 for ${title} of ${what}`, async () => {
        const { headers } = await store.get(target());
        for (const method of ['GET', 'HEAD']) {
          const response = await store.request(method, target(), {
            headers: { 'if-none-match': header(headers.etag!) },
          });
          assert.deepEqual([response.status, response.text], [304, '']);
          for (const name of ['etag', 'vary', 'cache-control', 'content-language', 'link', 'x-total-count'])
            assert.equal(response.headers[name], headers[name], name);
          assert.equal(response.headers['content-type'], undefined);
        }
      });
    for (const [title, header] of Object.entries(other))
      test(`returns 200 for ${title} of ${what}`, async () => {
        const { headers, text } = await store.get(target());
        const response = await store.get(target(), { 'if-none-match': header(headers.etag!) });
        assert.deepEqual([response.status, response.text], [200, text]);
      });
  }

  test('returns 404 for an unknown record', async () => {
    assertProblem(await store.get('/api/products/999999', { 'if-none-match': '*' }), 404);
  });

  test('distinguishes languages', async () => {
    await store.patch(path, { name: 'Deutsch' }, de);
    const { headers } = await store.get(path, de);
    assert.equal((await store.get(path, { ...de, 'if-none-match': headers.etag })).status, 304);
    assert.equal((await store.get(path, { 'if-none-match': headers.etag })).status, 200);
  });

  test('recognizes every write immediately', async () => {
    for (let price = 1; price <= 20; price += 1) {
      const { headers } = await store.get(path);
      await store.patch(path, { price });
      const response = await store.get(path, { 'if-none-match': headers.etag });
      assert.deepEqual([response.status, response.json.price], [200, price]);
    }
  });
});

onEachDatabase('If-Match', {}, (store) => {
  const holds: Record<string, (etag: string) => string> = {
    'the tag': (etag) => etag,
    'the tag among others': (etag) => `"1-a", ${etag}`,
    'the tag, weak': (etag) => `W/${etag}`,
    'the tag of an encoding': (etag) => `${etag.slice(0, -1)};gz"`,
    'the tag of an encoding, weak, among others': (etag) => `"1-a", W/${etag.slice(0, -1)};zst"`,
    'any tag': () => '*',
  };
  const fails: Record<string, (etag: string) => string> = {
    'another tag': () => '"99-other"',
    'the version with another digest': (etag) => etag.replace(/-.*/, '-AAAAAAAAAAAAAAAAAAAAAA"'),
    'the digest with another version': (etag) => etag.replace(/^"\d+/, '"999'),
    'the tag without quotes': (etag) => etag.slice(1, -1),
    'the tag with one quote': (etag) => etag.slice(0, -1),
    'the tag in capitals': (etag) => etag.toUpperCase(),
    'the version alone': (etag) => etag.replace(/-.*/, '"'),
    'an empty tag': () => '""',
    'an empty header': () => '',
    'a star in quotes': () => '"*"',
    'an unknown encoding': (etag) => `${etag.slice(0, -1)};xz"`,
  };
  const writes: [method: string, path: string, body?: object][] = [
    ['PUT', '', { sku: 'WRITTEN', name: 'Written', clean_url: 'written' }],
    ['PATCH', '', { name: 'Written' }],
    ['PATCH', '', {}],
    ['POST', '/stock', { delta: 1 }],
    ['DELETE', ''],
  ];
  for (const [method, suffix, body] of writes) {
    const what = `${method}${suffix && ` ${suffix}`}${body && Object.keys(body).length === 0 ? ' without fields' : ''}`;
    for (const [title, header] of Object.entries(holds))
      test(`${what} succeeds with ${title}`, async () => {
        const { id } = await store.product();
        const path = `/api/products/${id}`;
        const etag = (await store.get(path)).headers.etag!;
        const response = await store.request(method, path + suffix, { body, headers: { 'if-match': header(etag) } });
        assert.equal(response.status, method === 'DELETE' ? 204 : 200, response.text);
        if (method !== 'DELETE') await store.delete(path);
      });
    for (const [title, header] of Object.entries(fails))
      test(`${what} returns 412 and the current ETag for ${title}`, async () => {
        const { id } = await store.product();
        const path = `/api/products/${id}`;
        const etag = (await store.get(path)).headers.etag!;
        await assertUnchanged(store, async () => {
          const response = await store.request(method, path + suffix, { body, headers: { 'if-match': header(etag) } });
          assertProblem(response, 412);
          assert.equal(response.headers.etag, etag);
        });
        await store.delete(path);
      });
    test(`${what} returns 404 for an unknown record`, async () => {
      for (const tag of ['*', '"1-a"']) {
        const headers = { 'if-match': tag };
        assertProblem(await store.request(method, `/api/products/999999${suffix}`, { body, headers }), 404);
      }
    });
  }

  test('compares the ETag in the language of the request', async () => {
    const { id } = await store.product({ name: 'English' });
    const path = `/api/products/${id}`;
    await store.patch(path, { name: 'Deutsch' }, de);
    const [english, german] = [await store.get(path), await store.get(path, de)];
    await assertUnchanged(store, async () => {
      const response = await store.patch(path, { price: 1 }, { 'if-match': german.headers.etag });
      assertProblem(response, 412);
      assert.equal(response.headers.etag, english.headers.etag);
    });
    assert.equal((await store.patch(path, { price: 1 }, { ...de, 'if-match': german.headers.etag })).status, 200);
  });

  test('matches the ETag of the previous write', async () => {
    const { id } = await store.product();
    const path = `/api/products/${id}`;
    let { etag } = (await store.get(path)).headers;
    for (let price = 1; price <= 5; price += 1) {
      const response = await store.patch(path, { price }, { 'if-match': etag });
      assert.equal(response.status, 200);
      assertProblem(await store.patch(path, { price: 99 }, { 'if-match': etag }), 412);
      etag = response.headers.etag;
    }
  });

  test('is rejected on a list with 400', () =>
    assertUnchanged(store, async () => {
      for (const tag of ['*', '"1-a"'])
        assertProblem(
          await store.post('/api/products', { sku: 'NEW', name: 'New' }, { 'if-match': tag }),
          400,
          /If-Match/,
        );
    }));
});

onEachDatabase('If-None-Match on a write', {}, (store) => {
  const writes: [method: string, path: string, body?: object][] = [
    ['PUT', '', { sku: 'WRITTEN', name: 'Written', clean_url: 'written' }],
    ['PATCH', '', { name: 'Written' }],
    ['PATCH', '', {}],
    ['POST', '/stock', { delta: 1 }],
    ['DELETE', ''],
  ];
  const failing: Record<string, (etag: string) => string> = {
    'any tag': () => '*',
    'the tag': (etag) => etag,
    'the tag, weak': (etag) => `W/${etag}`,
    'the tag among others': (etag) => `"1-a", ${etag}`,
    'the tag of an encoding': (etag) => `${etag.slice(0, -1)};br"`,
  };
  const passing: Record<string, (etag: string) => string> = {
    'another tag': () => '"99-other"',
    'the version with another digest': (etag) => etag.replace(/-.*/, '-AAAAAAAAAAAAAAAAAAAAAA"'),
    'a star in quotes': () => '"*"',
    'an empty header': () => '',
  };
  for (const [method, suffix, body] of writes) {
    const what = [method, suffix, JSON.stringify(body)].filter(Boolean).join(' ');
    test(`${what} returns 412 and the current ETag for an existing record`, async () => {
      const { id } = await store.product();
      const path = `/api/products/${id}`;
      const etag = (await store.get(path)).headers.etag!;
      for (const [title, header] of Object.entries(failing))
        await assertUnchanged(store, async () => {
          const headers = { 'if-none-match': header(etag) };
          const response = await store.request(method, path + suffix, { body, headers });
          assertProblem(response, 412, /If-None-Match/);
          assert.equal(response.headers.etag, etag, title);
        });
      await store.delete(path);
    });
    for (const [title, header] of Object.entries(passing))
      test(`${what} succeeds with ${title}`, async () => {
        const { id } = await store.product();
        const path = `/api/products/${id}`;
        const headers = { 'if-none-match': header((await store.get(path)).headers.etag!) };
        const response = await store.request(method, path + suffix, { body, headers });
        assert.equal(response.status, method === 'DELETE' ? 204 : 200, response.text);
        await store.delete(path);
      });
    test(`${what} returns 404 for an unknown record`, async () => {
      const headers = { 'if-none-match': '*' };
      assertProblem(await store.request(method, `/api/products/999999${suffix}`, { body, headers }), 404);
    });
  }

  test('is checked after If-Match, and both must hold', async () => {
    const { id } = await store.product();
    const path = `/api/products/${id}`;
    const etag = (await store.get(path)).headers.etag!;
    await assertUnchanged(store, async () => {
      const both = { 'if-match': etag, 'if-none-match': etag };
      assertProblem(await store.patch(path, { price: 1 }, both), 412, /If-None-Match/);
      const stale = { 'if-match': '"1-a"', 'if-none-match': '*' };
      assertProblem(await store.patch(path, { price: 1 }, stale), 412, /[Rr]ead it again/);
    });
    const response = await store.patch(path, { price: 1 }, { 'if-match': etag, 'if-none-match': '"1-a"' });
    assert.equal(response.status, 200, response.text);
  });

  test('is checked before the rules of the body', async () => {
    const { id } = await store.product();
    assertProblem(await store.patch(`/api/products/${id}`, { price: 'x' }, { 'if-none-match': '*' }), 412);
  });

  test('is rejected on a list with 400', () =>
    assertUnchanged(store, async () => {
      for (const tag of ['*', '"1-a"'])
        assertProblem(
          await store.post('/api/products', { sku: 'NEW', name: 'New' }, { 'if-none-match': tag }),
          400,
          /If-None-Match/,
        );
    }));

  test('creates a singleton only if it does not exist', async () => {
    const { id } = await store.made('/api/categories', { name: 'With an icon' });
    const path = `/api/categories/${id}/icon`;
    const once = { 'if-none-match': '*' };
    const made = await store.post(path, await attached(png()), once);
    assert.equal(made.status, 201, made.text);
    await assertUnchanged(store, async () => {
      for (const tag of ['*', made.headers.etag!]) {
        const again = await store.post(path, await attached(noisePng(3, 3)), { 'if-none-match': tag });
        assertProblem(again, 412, /If-None-Match/);
        assert.equal(again.headers.etag, made.headers.etag);
      }
    });
    assert.equal((await store.get(path)).text, made.text);
    const replaced = await store.post(path, await attached(noisePng(3, 3)), { 'if-none-match': '"1-a"' });
    assert.equal(replaced.status, 201, replaced.text);
  });
});
