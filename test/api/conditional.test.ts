/** Tags of records and collections, reads that ask for news, and writes that refuse to overwrite them (http.md §10). */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertProblem, assertUnchanged } from '../support/expect.ts';
import { attached, noisePng, png } from '../support/pictures.ts';
import { onEachDatabase, type Store } from '../support/store.ts';

const de = { 'accept-language': 'de' };

/** The part of a record's tag that counts its changes. */
function versionOf(etag: string | undefined): number {
  const match = /^"(\d+)-[^"]+"$/.exec(etag ?? '');
  assert.ok(match, `${etag} is "<version>-<digest>"`);
  return Number(match[1]);
}

onEachDatabase('tags of records', {}, (store) => {
  test('are of the record, the same at every read', async () => {
    const created = await store.post('/api/products', { sku: 'A', name: 'A' });
    const path = `/api/products/${created.json.id}`;
    const reads = [await store.get(path), await store.get(path), await store.request('HEAD', path)];
    for (const { headers } of reads) assert.equal(headers.etag, created.headers.etag);
    versionOf(created.headers.etag);
  });

  test('count the changes', async () => {
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
      const answer = await store.request(method, target, { body, headers: headers as never });
      assert.equal(answer.status, 200, answer.text);
      assert.equal(versionOf(answer.headers.etag), first + count, `${method} ${JSON.stringify(body)}`);
      assert.equal((await store.get(path, headers as never)).headers.etag, answer.headers.etag);
    }
  });

  test('are those that a read in the same language answers', async () => {
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
    test(`${title} moves the digest, never the version or update_date`, async () => {
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
        const answer = await store.put(path, { sku, name: 'Never' }, { 'if-match': before.headers.etag });
        assertProblem(answer, 412);
        assert.equal(answer.headers.etag, after.headers.etag);
      });
      assert.equal((await store.patch(path, { price: 1 }, { 'if-match': after.headers.etag })).status, 200);
    });
});

onEachDatabase('tags of collections', {}, (store) => {
  test('change with what is shown and with the count', async () => {
    await store.product();
    const path = '/api/products?itemsPerPage=1';
    const one = await store.get(path);
    assert.match(one.headers.etag!, /^"[^"]+"$/);
    assert.equal((await store.get(path)).headers.etag, one.headers.etag);
    const { id } = await store.product();
    const two = await store.get(path);
    assert.equal(two.text, one.text);
    assert.notEqual(two.headers.etag, one.headers.etag, 'the count is another');
    await store.patch('/api/products/1', { price: 5 });
    const changed = await store.get(path);
    assert.notEqual(changed.headers.etag, two.headers.etag);
    await store.patch(`/api/products/${id}`, { price: 5 });
    assert.equal((await store.get(path)).headers.etag, changed.headers.etag, 'another page changed');
  });

  test('differ by language where texts do', async () => {
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

  const unchanged: Record<string, (etag: string) => string> = {
    'the tag': (etag) => etag,
    'the tag, weak': (etag) => `W/${etag}`,
    'the tag among others': (etag) => `"a", W/"b",${etag} , "c"`,
    'any tag': () => '*',
  };
  const news: Record<string, (etag: string) => string> = {
    'another tag': () => '"1-other"',
    'the tag without quotes': (etag) => etag.slice(1, -1),
    'the beginning of the tag': (etag) => `${etag.slice(0, -2)}"`,
    'the tag and more': (etag) => `${etag.slice(0, -1)}x"`,
    nothing: () => '',
  };
  for (const collection of [false, true]) {
    const target = () => (collection ? '/api/products?enabled=true' : path);
    const what = collection ? 'a collection' : 'a record';
    for (const [title, header] of Object.entries(unchanged))
      test(`${title} of ${what} is 304`, async () => {
        const { headers } = await store.get(target());
        for (const method of ['GET', 'HEAD']) {
          const answer = await store.request(method, target(), { headers: { 'if-none-match': header(headers.etag!) } });
          assert.deepEqual([answer.status, answer.text], [304, '']);
          for (const name of ['etag', 'vary', 'cache-control', 'content-language', 'link', 'x-total-count'])
            assert.equal(answer.headers[name], headers[name], name);
          assert.equal(answer.headers['content-type'], undefined);
        }
      });
    for (const [title, header] of Object.entries(news))
      test(`${title} of ${what} is 200`, async () => {
        const { headers, text } = await store.get(target());
        const answer = await store.get(target(), { 'if-none-match': header(headers.etag!) });
        assert.deepEqual([answer.status, answer.text], [200, text]);
      });
  }

  test('finds no record that is not there', async () => {
    assertProblem(await store.get('/api/products/999999', { 'if-none-match': '*' }), 404);
  });

  test('tells languages apart', async () => {
    await store.patch(path, { name: 'Deutsch' }, de);
    const { headers } = await store.get(path, de);
    assert.equal((await store.get(path, { ...de, 'if-none-match': headers.etag })).status, 304);
    assert.equal((await store.get(path, { 'if-none-match': headers.etag })).status, 200);
  });

  test('sees every write at once', async () => {
    for (let price = 1; price <= 20; price += 1) {
      const { headers } = await store.get(path);
      await store.patch(path, { price });
      const answer = await store.get(path, { 'if-none-match': headers.etag });
      assert.deepEqual([answer.status, answer.json.price], [200, price]);
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
    nothing: () => '',
    'a star in quotes': () => '"*"',
    'an encoding that there is not': (etag) => `${etag.slice(0, -1)};xz"`,
  };
  const writes: [method: string, path: string, body?: object][] = [
    ['PUT', '', { sku: 'WRITTEN', name: 'Written', clean_url: 'written' }],
    ['PATCH', '', { name: 'Written' }],
    ['PATCH', '', {}],
    ['POST', '/stock', { delta: 1 }],
    ['DELETE', ''],
  ];
  for (const [method, suffix, body] of writes) {
    const what = `${method} ${suffix}${body && Object.keys(body).length === 0 ? ' of nothing' : ''}`.trim();
    for (const [title, header] of Object.entries(holds))
      test(`${what}: ${title} holds`, async () => {
        const { id } = await store.product();
        const path = `/api/products/${id}`;
        const etag = (await store.get(path)).headers.etag!;
        const answer = await store.request(method, path + suffix, { body, headers: { 'if-match': header(etag) } });
        assert.equal(answer.status, method === 'DELETE' ? 204 : 200, answer.text);
        if (method !== 'DELETE') await store.delete(path);
      });
    for (const [title, header] of Object.entries(fails))
      test(`${what}: ${title} is 412 with the current tag`, async () => {
        const { id } = await store.product();
        const path = `/api/products/${id}`;
        const etag = (await store.get(path)).headers.etag!;
        await assertUnchanged(store, async () => {
          const answer = await store.request(method, path + suffix, { body, headers: { 'if-match': header(etag) } });
          assertProblem(answer, 412);
          assert.equal(answer.headers.etag, etag);
        });
        await store.delete(path);
      });
    test(`${what}: an unknown record is 404`, async () => {
      for (const tag of ['*', '"1-a"']) {
        const headers = { 'if-match': tag };
        assertProblem(await store.request(method, `/api/products/999999${suffix}`, { body, headers }), 404);
      }
    });
  }

  test('is of the language of the request', async () => {
    const { id } = await store.product({ name: 'English' });
    const path = `/api/products/${id}`;
    await store.patch(path, { name: 'Deutsch' }, de);
    const [english, german] = [await store.get(path), await store.get(path, de)];
    await assertUnchanged(store, async () => {
      const answer = await store.patch(path, { price: 1 }, { 'if-match': german.headers.etag });
      assertProblem(answer, 412);
      assert.equal(answer.headers.etag, english.headers.etag);
    });
    assert.equal((await store.patch(path, { price: 1 }, { ...de, 'if-match': german.headers.etag })).status, 200);
  });

  test('holds for what a write answered, write after write', async () => {
    const { id } = await store.product();
    const path = `/api/products/${id}`;
    let { etag } = (await store.get(path)).headers;
    for (let price = 1; price <= 5; price += 1) {
      const answer = await store.patch(path, { price }, { 'if-match': etag });
      assert.equal(answer.status, 200);
      assertProblem(await store.patch(path, { price: 99 }, { 'if-match': etag }), 412);
      etag = answer.headers.etag;
    }
  });

  test('has no meaning on a collection: 400', () =>
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
  const refuses: Record<string, (etag: string) => string> = {
    'any tag': () => '*',
    'the tag': (etag) => etag,
    'the tag, weak': (etag) => `W/${etag}`,
    'the tag among others': (etag) => `"1-a", ${etag}`,
    'the tag of an encoding': (etag) => `${etag.slice(0, -1)};br"`,
  };
  const passes: Record<string, (etag: string) => string> = {
    'another tag': () => '"99-other"',
    'the version with another digest': (etag) => etag.replace(/-.*/, '-AAAAAAAAAAAAAAAAAAAAAA"'),
    'a star in quotes': () => '"*"',
    nothing: () => '',
  };
  for (const [method, suffix, body] of writes) {
    const what = `${method} ${suffix} ${JSON.stringify(body)}`;
    test(`${what}: is a 412 with the current tag where there is such a record`, async () => {
      const { id } = await store.product();
      const path = `/api/products/${id}`;
      const etag = (await store.get(path)).headers.etag!;
      for (const [title, header] of Object.entries(refuses))
        await assertUnchanged(store, async () => {
          const headers = { 'if-none-match': header(etag) };
          const answer = await store.request(method, path + suffix, { body, headers });
          assertProblem(answer, 412, /If-None-Match/);
          assert.equal(answer.headers.etag, etag, title);
        });
      await store.delete(path);
    });
    for (const [title, header] of Object.entries(passes))
      test(`${what}: ${title} lets it through`, async () => {
        const { id } = await store.product();
        const path = `/api/products/${id}`;
        const headers = { 'if-none-match': header((await store.get(path)).headers.etag!) };
        const answer = await store.request(method, path + suffix, { body, headers });
        assert.equal(answer.status, method === 'DELETE' ? 204 : 200, answer.text);
        await store.delete(path);
      });
    test(`${what}: an unknown record is 404`, async () => {
      const headers = { 'if-none-match': '*' };
      assertProblem(await store.request(method, `/api/products/999999${suffix}`, { body, headers }), 404);
    });
  }

  test('comes after If-Match, and both must hold', async () => {
    const { id } = await store.product();
    const path = `/api/products/${id}`;
    const etag = (await store.get(path)).headers.etag!;
    await assertUnchanged(store, async () => {
      const both = { 'if-match': etag, 'if-none-match': etag };
      assertProblem(await store.patch(path, { price: 1 }, both), 412, /If-None-Match/);
      const stale = { 'if-match': '"1-a"', 'if-none-match': '*' };
      assertProblem(await store.patch(path, { price: 1 }, stale), 412, /[Rr]ead it again/);
    });
    const answer = await store.patch(path, { price: 1 }, { 'if-match': etag, 'if-none-match': '"1-a"' });
    assert.equal(answer.status, 200, answer.text);
  });

  test('comes before the rules of the body', async () => {
    const { id } = await store.product();
    assertProblem(await store.patch(`/api/products/${id}`, { price: 'x' }, { 'if-none-match': '*' }), 412);
  });

  test('has no meaning on a collection: 400', () =>
    assertUnchanged(store, async () => {
      for (const tag of ['*', '"1-a"'])
        assertProblem(
          await store.post('/api/products', { sku: 'NEW', name: 'New' }, { 'if-none-match': tag }),
          400,
          /If-None-Match/,
        );
    }));

  test('a POST at a single record’s path makes it only where there is none', async () => {
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
