/** `GET /api/lookup`: records of several resources that a text finds (access.md §5). */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { databaseNames } from '../support/databases.ts';
import { type Answer, type ScopedStore, scopedStore } from '../support/scoped-keys.ts';

for (const name of databaseNames)
  describe(`lookup (${name})`, () => {
    let store: ScopedStore;
    before(async () => {
      store = await scopedStore(name);
      for (let number = 1; number <= 7; number++)
        await created('/products', { sku: `MUG-${number}`, name: `Ada mug ${number}`, price: 5 });
      const { id } = (await created('/categories', { name: 'Cups of Ada' })).json;
      await created('/categories', { name: 'Ada, small', parent: id });
      await created('/profiles', { login: 'ada@example.com' });
      await created('/orders', { email: 'ada@example.com', items: [{ product_id: 2, amount: 1 }] });
    });
    after(() => store.stop());

    async function created(path: string, body: unknown): Promise<Answer> {
      const response = await store.send('POST', path, { body });
      assert.equal(response.status, 201, response.text);
      return response;
    }
    const look = (q: string, key?: string): Promise<Answer> =>
      store.send('GET', `/lookup?q=${encodeURIComponent(q)}`, { key });
    const found = ({ json }: Answer) => json.map(({ path, title }: Record<string, string>) => [path, title]);

    test('products, categories, orders and profiles are found, five of each at most', async () => {
      const response = await look(' ada ');
      assert.equal(response.status, 200, response.text);
      const products = response.json.slice(0, 5);
      assert.ok(
        products.every(({ resource, title }: Record<string, string>) => resource === 'Product' && /^Ada/.test(title!)),
      );
      const { order_number } = (await store.send('GET', '/orders/1')).json;
      assert.deepEqual(found(response).slice(5), [
        ['/api/categories/1', 'Cups of Ada'],
        ['/api/categories/2', 'Ada, small'],
        ['/api/orders/1', order_number],
        ['/api/profiles/1', 'ada@example.com'],
      ]);
      assert.deepEqual(response.json[5], {
        resource: 'Category',
        id: 1,
        path: '/api/categories/1',
        title: 'Cups of Ada',
      });
      const cached = { 'if-none-match': String(response.headers.etag) };
      assert.equal((await store.send('GET', '/lookup?q=ada', { headers: cached })).status, 304);
      assert.deepEqual(found(await look('MUG-3')), [['/api/products/3', 'Ada mug 3']]);
      assert.deepEqual(found(await look('nothing')), []);
    });

    test('a key finds only records that it may read', async () => {
      assert.deepEqual(found(await look('ada', await store.keyWith('profiles:read'))), [
        ['/api/profiles/1', 'ada@example.com'],
      ]);
      // The texts of attributes are not searched without attributes:read.
      assert.deepEqual(found(await look('MUG-3', await store.keyWith('products:read'))), [
        ['/api/products/3', 'Ada mug 3'],
      ]);
      assert.deepEqual(found(await look('ada', await store.keyWith('tags:read'))), []);
    });

    test('other texts and parameters are rejected', async () => {
      for (const [query, detail] of [
        ['', /"q" must have 2 to 100 characters/],
        ['?q=a', /"q" must have 2 to 100 characters/],
        ['?q=%20a%20', /"q" must have 2 to 100 characters/],
        [`?q=${'a'.repeat(101)}`, /"q" must have 2 to 100 characters/],
        ['?q=1+2+3+4+5+6+7+8+9+10+11', /"q" must have 1 to 10 words/],
        ['?q=mug&limit=3', /Unknown parameter "limit"/],
        ['?q=mug&q=cup', /"q" is given more than once/],
      ] as const) {
        const { status, json } = await store.send('GET', `/lookup${query}`);
        assert.equal(status, 400, query);
        assert.match(json.detail, detail);
      }
    });
  });
