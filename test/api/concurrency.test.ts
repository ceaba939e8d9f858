/** Concurrent clients: no lost changes, no duplicates, no partial reads (reliability, group H). */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { HttpResponse } from '../support/client.ts';
import { attached, fileAt, png } from '../support/images.ts';
import { rounds } from '../support/rounds.ts';
import { type Json, onEachDatabase } from '../support/store.ts';

const times = <T>(count: number, act: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)));

/** Counts the responses per status. A server error fails the test at once. */
function statuses(responses: readonly HttpResponse[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status, text } of responses) {
    assert.ok(status < 500, text);
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

onEachDatabase('concurrent creation', {}, (store) => {
  test('50 clients create one product with the same SKU', async () => {
    const responses = await times(50, (index) => store.post('/api/products', { sku: 'ONE', name: `Name ${index}` }));
    assert.deepEqual(statuses(responses), { 201: 1, 422: 49 });
    for (const { status, json } of responses)
      if (status === 422)
        assert.deepEqual(
          json.violations.map(({ propertyPath, code }: Record<string, string>) => `${propertyPath} ${code}`),
          ['sku not_unique'],
        );
    const found = await store.get('/api/products?sku=ONE');
    assert.deepEqual(found.json, [responses.find(({ status }) => status === 201)!.json]);
  });

  test('20 clients create one product with the same clean URL', async () => {
    const responses = await times(20, (index) =>
      store.post('/api/products', { sku: `URL-${index}`, name: `Url ${index}`, clean_url: 'one-url' }),
    );
    assert.deepEqual(statuses(responses), { 201: 1, 422: 19 });
    assert.equal((await store.get('/api/products?clean_url=one-url')).json.length, 1);
  });

  test('30 clients create 30 clean URLs from one name', async () => {
    const responses = await times(30, (index) =>
      store.post('/api/products', { sku: `SAME-${index}`, name: 'Same name' }),
    );
    assert.deepEqual(statuses(responses), { 201: 30 });
    const urls = responses.map(({ json }) => json.clean_url);
    assert.equal(new Set(urls).size, 30);
    for (const url of urls) assert.match(url, /^same-name(-\d+)?$/);
  });

  test('20 products create one tag of a new name', async () => {
    const responses = await times(20, (index) =>
      store.post('/api/products', {
        sku: `TAG-${index}`,
        name: `Tagged ${index}`,
        tags: [index % 2 ? 'Shared' : ' SHARED '],
      }),
    );
    assert.deepEqual(statuses(responses), { 201: 20 });
    assert.equal(new Set(responses.map(({ json }) => json.tags[0].id)).size, 1);
    assert.equal((await store.get('/api/tags?name=shared')).json.length, 1);
  });

  test('products with the same new tags in a different order do not deadlock', async () => {
    const tags = Array.from({ length: 10 }, (_, index) => `Many ${index}`);
    const responses = await times(20, (index) =>
      store.post('/api/products', {
        sku: `MANY-${index}`,
        name: `Many ${index}`,
        tags: index % 2 ? tags : tags.toReversed(),
      }),
    );
    assert.deepEqual(statuses(responses), { 201: 20 });
    assert.equal((await store.get('/api/tags?name=many')).json.length, 10);
  });

  for (const collection of ['tags', 'memberships', 'tax_classes', 'product_classes', 'stickers'])
    test(`20 clients create one of ${collection} with the same name`, async () => {
      const responses = await times(20, (index) =>
        store.post(`/api/${collection}`, { name: index % 2 ? 'Only one' : 'ONLY ONE ' }),
      );
      assert.deepEqual(statuses(responses), { 201: 1, 422: 19 });
      assert.equal((await store.get(`/api/${collection}?name=only`)).json.length, 1);
    });

  test('20 clients create one language with the same code', async () => {
    const responses = await times(20, () => store.post('/api/languages', { code: 'it', name: 'Italiano' }));
    assert.deepEqual(statuses(responses), { 201: 1, 422: 19 });
  });
});

onEachDatabase('concurrent changes', {}, (store) => {
  test('of different fields are all stored', async () => {
    await store.made('/api/memberships', { name: 'Gold' });
    const product = await store.product();
    const path = `/api/products/${product.id}`;
    const changes = [
      { price: 1.5 },
      { weight: 2.5 },
      { amount: 3 },
      { enabled: false },
      { description: 'Text' },
      { meta_title: 'Title' },
      { tags: ['Red'] },
      { memberships: ['Gold'] },
      { clean_url: 'changed' },
      { arrival_date: '2030-01-01T00:00:00+00:00' },
    ];
    assert.deepEqual(statuses(await Promise.all(changes.map((body) => store.patch(path, body)))), { 200: 10 });
    const { json } = await store.get(path);
    for (const [field, value] of Object.entries(Object.assign({}, ...changes) as Record<string, unknown>))
      if (field !== 'tags' && field !== 'memberships') assert.deepEqual(json[field], value, field);
    assert.deepEqual([json.tags[0].name, json.memberships[0].name], ['Red', 'Gold']);
  });

  test('of texts in different languages are all stored', async () => {
    const { id } = await store.product();
    const languages = ['en', 'de', 'fr', 'pt-BR'];
    await Promise.all(
      languages.map((language) =>
        store.patch(`/api/products/${id}`, { name: `Name ${language}` }, { 'accept-language': language }),
      ),
    );
    for (const language of languages)
      assert.equal(
        (await store.get(`/api/products/${id}`, { 'accept-language': language })).json.name,
        `Name ${language}`,
      );
  });

  test('of 20 clients with the same ETag succeed once', async () => {
    const { id } = await store.product();
    const path = `/api/products/${id}`;
    const { etag } = (await store.get(path)).headers;
    const responses = await times(20, (index) => store.patch(path, { amount: index }, { 'if-match': etag }));
    assert.deepEqual(statuses(responses), { 200: 1, 412: 19 });
    const won = responses.find(({ status }) => status === 200)!;
    const read = await store.get(path);
    assert.deepEqual([read.text, read.headers.etag], [won.text, won.headers.etag]);
    for (const { status, headers } of responses) if (status === 412) assert.equal(headers.etag, read.headers.etag);
  });

  test('of 20 retrying clients form a sequence without lost updates', async () => {
    const { id } = await store.product({ amount: 0 });
    const path = `/api/products/${id}`;
    const amounts = await times(20, async () => {
      for (;;) {
        const read = await store.get(path);
        const amount = read.json.amount + 1;
        const { status } = await store.patch(path, { amount }, { 'if-match': read.headers.etag });
        if (status === 200) return amount;
        assert.equal(status, 412);
      }
    });
    assert.deepEqual(
      amounts.toSorted((one, other) => one - other),
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
    assert.equal((await store.get(path)).json.amount, 20);
  });

  test('of whole records are not mixed', async () => {
    const { id, sku } = await store.product();
    const path = `/api/products/${id}`;
    await times(20, (index) =>
      store.put(path, { sku, name: `N${index}`, price: index, description: `N${index}`, tags: [`N${index}`] }),
    );
    const { json } = await store.get(path);
    assert.deepEqual(
      [json.name, json.description, json.tags[0].name],
      [`N${json.price}`, `N${json.price}`, `N${json.price}`],
    );
  });

  test('are never read partially', async () => {
    const { id, sku } = await store.product({ name: 'N0', price: 0, tags: ['N0'] });
    const path = `/api/products/${id}`;
    let writing = true;
    const write = async () => {
      for (let price = 1; price <= 40; price += 1)
        assert.equal((await store.put(path, { sku, name: `N${price}`, price, tags: [`N${price}`] })).status, 200);
      writing = false;
    };
    const read = async () => {
      while (writing) {
        const [one, [many]] = [(await store.get(path)).json, (await store.get(`/api/products?id=${id}`)).json];
        for (const { name, price, tags } of [one, many])
          assert.deepEqual([name, tags[0].name, tags.length], [`N${price}`, `N${price}`, 1]);
      }
    };
    await Promise.all([write(), read(), read(), read()]);
  });

  test('of two tags to each other’s name never produce duplicates', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [a, b] = [`Left ${round}`, `Right ${round}`];
      const ids = [(await store.made('/api/tags', { name: a })).id, (await store.made('/api/tags', { name: b })).id];
      const responses = await Promise.all([
        store.patch(`/api/tags/${ids[0]}`, { name: b }),
        store.patch(`/api/tags/${ids[1]}`, { name: a }),
      ]);
      statuses(responses);
      const names = await Promise.all(ids.map(async (id) => (await store.get(`/api/tags/${id}`)).json.name));
      assert.notEqual(names[0], names[1]);
    }
  });
});

onEachDatabase('concurrent stock changes', {}, (store) => {
  test('of 30 clients sell 20 units to 20 of them', async () => {
    const { id } = await store.product({ amount: 20 });
    const responses = await times(30, () => store.post(`/api/products/${id}/stock`, { delta: -1 }));
    assert.deepEqual(statuses(responses), { 200: 20, 422: 10 });
    assert.equal((await store.get(`/api/products/${id}`)).json.amount, 0);
    const left = responses.filter(({ status }) => status === 200).map(({ json }) => json.amount);
    assert.equal(new Set(left).size, 20);
  });

  test('add up while other fields change', async () => {
    const { id } = await store.product({ amount: 0 });
    const path = `/api/products/${id}`;
    const responses = await times(60, (index) =>
      index % 3 ? store.post(`${path}/stock`, { delta: index }) : store.patch(path, { price: index }),
    );
    assert.deepEqual(statuses(responses), { 200: 60 });
    const sum = Array.from({ length: 60 }, (_, index) => (index % 3 ? index : 0)).reduce((one, other) => one + other);
    assert.equal((await store.get(path)).json.amount, sum);
  });
});

onEachDatabase('concurrent deletion', {}, (store) => {
  test('by 10 clients succeeds once', async () => {
    const { id } = await store.product();
    const responses = await times(10, () => store.delete(`/api/products/${id}`));
    assert.deepEqual(statuses(responses), { 204: 1, 404: 9 });
  });

  test('during a replacement does not restore the record', async () => {
    for (let round = 0; round < rounds(5, 15); round += 1) {
      const { id, sku } = await store.product({ clean_url: `round-${round}` });
      const path = `/api/products/${id}`;
      const put = (name: string) => store.put(path, { sku, name, tags: [name] });
      const [one, deleted, two, three] = await Promise.all([
        put('A'),
        store.delete(path),
        put('B'),
        store.patch(path, { price: 1 }),
      ]);
      assert.equal(deleted.status, 204);
      for (const { status, text } of [one, two, three]) assert.ok(status === 200 || status === 404, text);
      assert.equal((await store.get(path)).status, 404);
      assert.equal((await store.get(`/api/products?sku=${sku}`)).json.length, 0);
      await store.made('/api/products', { sku, name: 'Next', clean_url: `round-${round}` });
    }
  });

  test('during a link leaves no product with the link', async () => {
    for (let round = 0; round < rounds(5, 15); round += 1) {
      const { id } = await store.made('/api/memberships', { name: `Round ${round}` });
      const { id: classId } = await store.made('/api/product_classes', { name: `Round ${round}` });
      const product = await store.product();
      const [deleted, goneClass, ...linked] = await Promise.all([
        store.delete(`/api/memberships/${id}`),
        store.delete(`/api/product_classes/${classId}`),
        store.patch(`/api/products/${product.id}`, { memberships: [id] }),
        store.patch(`/api/products/${product.id}`, { product_class: classId }),
        store.post('/api/products', {
          sku: `LINK-${round}`,
          name: `Link ${round}`,
          memberships: [`Round ${round}`],
          product_class: classId,
        }),
      ]);
      assert.deepEqual([deleted.status, goneClass.status], [204, 204]);
      for (const { status, text } of linked) assert.ok([200, 201, 422].includes(status), text);
      const { json } = await store.get('/api/products?itemsPerPage=100&order[id]=desc');
      for (const { memberships, product_class } of json) assert.deepEqual([memberships, product_class], [[], null]);
    }
  });
});

onEachDatabase('concurrent image changes', {}, (store) => {
  let body: Json;
  before(async () => {
    body = await attached(png());
  });

  test('adding and deleting the same bytes retains the file of the remaining image', async () => {
    const [one, other] = [(await store.product()).id, (await store.product()).id];
    for (let round = 0; round < 10; round += 1) {
      const image = await store.made(`/api/products/${one}/images`, body);
      const [deleted, added] = await Promise.all([
        store.delete(`/api/products/${one}/images/${image.id}`),
        store.post(`/api/products/${other}/images`, body),
      ]);
      assert.deepEqual([deleted.status, added.status], [204, 201]);
      assert.equal((await fileAt(store, added.json.url)).status, 200);
      assert.equal((await store.delete(`/api/products/${other}/images/${added.json.id}`)).status, 204);
      assert.equal((await fileAt(store, added.json.url)).status, 404);
    }
    assert.deepEqual(await store.imageFiles(), []);
  });

  test('deleting a product while images are added leaves no file', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await store.product();
      const [deleted, ...added] = await Promise.all([
        store.delete(`/api/products/${id}`),
        ...Array.from({ length: 5 }, () => store.post(`/api/products/${id}/images`, body)),
      ]);
      assert.equal(deleted.status, 204);
      for (const { status, text } of added) assert.ok(status === 201 || status === 400, text);
      assert.deepEqual(await store.imageFiles(), []);
    }
  });
});
