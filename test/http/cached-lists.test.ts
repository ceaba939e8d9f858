/**
 * The cache of whole lists: after random writes, every page of every list equals, byte for byte, the page of a server without
 * a cache, and needs no search through all records.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Value } from '../../src/engine/ports.ts';
import type { Service } from '../../src/engine/unit/service.ts';
import { Random } from '../../torture/random.ts';
import { databaseNames } from '../support/databases.ts';
import { INJECT_KEY, serverOf } from '../support/injected-server.ts';
import {
  blockReads,
  changed,
  made,
  type OpenedStore,
  openedStore,
  REQUEST_OPTIONS,
  type ReadBlocker,
  removed,
  withOverrides,
} from '../support/opened-store.ts';
import { rounds } from '../support/rounds.ts';

const LISTS = [
  'products?',
  'products?order[price]=desc',
  'products?order[name]=asc',
  'products?order[name]=desc&order[price]=asc',
  'products?order[arrival_date]=desc',
  'products?enabled=false&order[amount]=desc',
  'products?name=shirt',
  'products?price[gt]=20&order[sku]=desc',
  'products?price[between]=10..30&enabled=true',
  'products?tags[]=red&order[price]=asc',
  'products?category=1',
  'products?tags[exists]=true',
  'products?search=shirt',
  'products?search=blue shirt&order[price]=desc',
  'tags?order[name]=asc',
  'tags?name=re',
];

/** A change of one category can move others, so these are not cached whole. */
const OTHER_LISTS = ['categories?', 'categories?order[name]=desc'];

const WORDS = ['Shirt', 'shirt', 'Blue', 'red', 'Élan', 'ß', '衬衫', 'Рубашка', '%', 'z'];
const TAGS = ['red', 'blue', 'green'];

for (const name of databaseNames)
  describe(`the cache of whole lists (${name})`, { timeout: 300_000 }, () => {
    let opened: OpenedStore;
    let service: Service;
    let hold: ReadBlocker;
    let cached: FastifyInstance;
    let uncached: FastifyInstance;
    /** Statements of the server with the cache that searched through all records of a list. */
    let searches = 0;
    before(async () => {
      opened = await openedStore(name);
      service = opened.service;
      const search: Service['database']['search'] = (statement, values) => {
        if (statement.sql.includes('limit')) searches += 1;
        return service.database.search(statement, values);
      };
      hold = blockReads({ ...service, database: withOverrides(service.database, { search }) });
      cached = await serverOf(hold.service);
      uncached = await serverOf(service, { RESPONSE_CACHE_BYTES_MAX: '0' });
    });
    after(async () => {
      await cached.close();
      await uncached.close();
      await opened.remove();
    });

    const get = async (app: FastifyInstance, path: string, language = 'en') => {
      const headers = { 'x-auth-token': INJECT_KEY, 'accept-language': language };
      const response = await app.inject({ url: `/api/${path}`, headers });
      assert.equal(response.statusCode, 200, `${path}: ${response.body}`);
      return response;
    };
    const same = async (path: string, language?: string): Promise<void> => {
      const [one, other] = [await get(cached, path, language), await get(uncached, path, language)];
      assert.equal(one.body, other.body, path);
      assert.equal(one.headers['x-total-count'], other.headers['x-total-count'], path);
      assert.equal(one.headers.etag, other.headers.etag, path);
    };
    /** Requests a list until it is cached. */
    const cacheList = async (list: string, language?: string): Promise<void> => {
      for (let page = 1000; page < 3000; page += 1) {
        const before = searches;
        await get(cached, `${list}&itemsPerPage=3&page=${page}`, language);
        if (searches === before) return;
        await sleep(5);
      }
      assert.fail(`${list} is not cached`);
    };

    test('returns what the store contains after every write', async () => {
      const random = new Random(12);
      const products: Value[] = [];
      const categories: Value[] = [];
      const bodyOf = (): Record<string, Value> => ({
        name: Array.from({ length: random.whole(1, 3) }, () => random.pick(WORDS)).join(' '),
        price: random.whole(0, 40),
        amount: random.whole(0, 5),
        enabled: random.chance(0.5),
        tags: TAGS.filter(() => random.chance(0.3)),
        arrival_date: random.pick([
          '2025-12-01T00:00:00+00:00',
          '2026-01-01T00:00:00+00:00',
          '2026-02-01T00:00:00+00:00',
        ]),
      });
      const write: Readonly<Record<string, () => Promise<unknown>>> = {
        create: async () => {
          const sku = `S${random.whole(0, 1e9)}`;
          products.push((await made(service, 'Product', { sku, ...bodyOf() })).record.id!);
        },
        change: () => changed(service, 'Product', random.pick(products), bodyOf()),
        translate: () =>
          changed(
            service,
            'Product',
            random.pick(products),
            { name: random.pick(WORDS) },
            { ...REQUEST_OPTIONS, language: 'de' },
          ),
        remove: async () => {
          if (products.length < 20) return;
          const [id] = products.splice(random.whole(0, products.length - 1), 1);
          await removed(service, 'Product', id!);
        },
        order: async () => {
          const id = random.pick(products);
          await changed(service, 'Product', id, { amount: 3, enabled: true });
          await made(service, 'Order', { email: 'ada@example.com', items: [{ product_id: id, amount: 2 }] });
        },
        category: async () => {
          categories.push((await made(service, 'Category', { name: random.pick(WORDS) })).record.id!);
        },
        renameCategory: () => changed(service, 'Category', random.pick(categories), { name: random.pick(WORDS) }),
        assign: () =>
          made(service, 'CategoryProduct', { id: random.pick(products) as number }, [random.pick(categories)]).catch(
            () => undefined,
          ),
        tag: () => made(service, 'Tag', { name: `re${random.whole(0, 1e9)}` }),
        renameTag: async () => {
          const [tag] = (await get(uncached, 'tags?itemsPerPage=1')).json();
          await changed(service, 'Tag', tag.id, { name: `${random.pick(TAGS)}${random.whole(0, 1e6)}` });
        },
        removeTag: async () => {
          const tags = (await get(uncached, 'tags?itemsPerPage=100')).json();
          if (tags.length > 3) await removed(service, 'Tag', random.pick<{ id: number }>(tags).id);
        },
      };
      for (let count = 0; count < 2; count += 1) await write.category!();
      for (let count = 0; count < 60; count += 1) await write.create!();
      for (const list of LISTS) await cacheList(list);
      searches = 0;
      const often = ['create', 'change', 'change', 'translate', 'remove'];
      let compared = 0;
      for (let round = 0; round < rounds(40, 120); round += 1) {
        const kinds = random.chance(0.7) ? often : Object.keys(write);
        for (let count = random.pick([1, 1, 1, 4]); count > 0; count -= 1) await write[random.pick(kinds)]!();
        for (let count = 0; count < 8; count += 1) {
          const size = random.pick([3, 10, 100]);
          const path = `${random.pick([...LISTS, ...OTHER_LISTS])}&itemsPerPage=${size}&page=${random.whole(1, Math.ceil(80 / size))}`;
          await same(path, random.chance(0.2) ? 'de' : 'en');
          compared += 1;
        }
      }
      for (const list of [...LISTS, ...OTHER_LISTS]) await same(`${list}&itemsPerPage=100`);
      assert.ok(
        searches < compared / 2,
        `${searches} of ${compared} responses searched through all records of their list`,
      );
    });

    test('returns any page without a search through all records', async () => {
      const list = 'products?order[price]=asc&name=s';
      await cacheList(list);
      searches = 0;
      await same(`${list}&itemsPerPage=4&page=2`);
      const { record } = await made(service, 'Product', { sku: 'COUNTED', name: 'shirts', price: 0 });
      await same(`${list}&itemsPerPage=4&page=3`);
      await changed(service, 'Product', record.id!, { price: 1000 });
      await same(`${list}&itemsPerPage=4&page=4`);
      assert.equal(searches, 0);
    });

    test('includes a change made while the list was read', async () => {
      const list = 'products?order[price]=asc&price[gte]=0';
      await get(cached, `${list}&itemsPerPage=2`);
      hold.blockNext('row_number');
      await get(cached, `${list}&itemsPerPage=3`);
      await hold.reached();
      await made(service, 'Product', { sku: 'MEANWHILE', name: 'Mug', price: 0 });
      hold.release();
      await cacheList(list);
      await same(`${list}&itemsPerPage=4`);
    });

    test('includes a change made while other changes were evaluated', async () => {
      const list = 'products?order[price]=asc&price[gte]=1';
      await cacheList(list);
      const { record } = await made(service, 'Product', { sku: 'FIRST', name: 'Mug', price: 1 });
      hold.blockNext('select "f"."id" from', 'after');
      const reading = get(cached, `${list}&itemsPerPage=100`);
      await hold.reached();
      await made(service, 'Product', { sku: 'SECOND', name: 'Mug', price: 1 });
      await changed(service, 'Product', record.id!, { price: 0 });
      hold.release();
      const skus = (await reading).json().map(({ sku }: { sku: string }) => sku);
      assert.deepEqual([skus.includes('FIRST'), skus.includes('SECOND')], [false, true], 'a single snapshot');
      await same(`${list}&itemsPerPage=99`);
    });

    test('includes a change of the records that a list is filtered by', async () => {
      const { record: tag } = await made(service, 'Tag', { name: 'pine' });
      await made(service, 'Product', { sku: 'PINE', name: 'Shelf', price: 1, tags: ['pine'] });
      for (const change of [
        () => changed(service, 'Tag', tag.id!, { name: 'oak' }),
        () => removed(service, 'Tag', tag.id!),
      ]) {
        for (const list of ['products?tags[]=pine', 'products?tags[]=oak', `products?tags.id=${tag.id}`])
          await cacheList(list);
        await change();
        for (const list of ['products?tags[]=pine', 'products?tags[]=oak', `products?tags.id=${tag.id}`])
          await same(list);
      }
      const { record: parent } = await made(service, 'Category', { name: 'Before' });
      await made(service, 'Category', { name: 'Child', parent: parent.id! });
      for (let page = 1; page < 9; page += 1) {
        await get(cached, `categories?parent.name=Before&page=${page}`);
        await sleep(5);
      }
      await changed(service, 'Category', parent.id!, { name: 'After' });
      await same('categories?parent.name=Before&itemsPerPage=5');
    });

    test('includes the deletion of a linked record and of a record whose text was found', async () => {
      const { record: kind } = await made(service, 'ProductClass', { name: 'Shelves' });
      const { record: attribute } = await made(service, 'Attribute', { name: 'Wood' }, [], '/attributes_text');
      const { record } = await made(service, 'Product', {
        sku: 'WOOD',
        name: 'Rack',
        price: 1,
        product_class: 'Shelves',
      });
      await made(service, 'AttributeValueText', { value: 'cherry' }, [record.id!, attribute.id!]);
      const lists = [
        'products?product_class=Shelves',
        `products?product_class.id=${kind.id}`,
        'products?product_class[exists]=true',
        'products?product_class[exists]=false&order[price]=asc',
        'products?search=cherry',
      ];
      const removals = [
        () => removed(service, 'Attribute', attribute.id!, '/attributes_text'),
        () => removed(service, 'ProductClass', kind.id!),
      ];
      for (const remove of removals) {
        for (const list of lists) await cacheList(list);
        await remove();
        for (const list of lists) await same(`${list}&itemsPerPage=50`);
      }
    });

    if (name === 'sqlite')
      test('does not cache lists with identifiers above 32 bits', async () => {
        const list = 'products?order[price]=desc&amount[gte]=0';
        await cacheList(list);
        const count = (from: number): Promise<unknown> => {
          const sql = `update sqlite_sequence set seq = ${from} where name = 'product'`;
          return service.database.transaction((transaction) => transaction.run({ sql, placeholders: [] }, {}));
        };
        await count(2 ** 32 + 1);
        for (const sku of ['LARGE1', 'LARGE2']) {
          const { record } = await made(service, 'Product', { sku, name: 'Mug', price: 999 });
          for (const size of [10, 9]) await same(`${list}&itemsPerPage=${size}`);
          await removed(service, 'Product', record.id!);
          for (const size of [8, 7]) await same(`${list}&itemsPerPage=${size}`);
        }
        await count(1000);
      });

    test('rarely reads lists that are invalidated before they are used', async () => {
      let read = 0;
      const query: Service['database']['query'] = (statement, values) => {
        if (statement.sql.includes('row_number')) read += 1;
        return service.database.query(statement, values);
      };
      const app = await serverOf({ ...service, database: withOverrides(service.database, { query, scan: query }) });
      for (let round = 0; round < 40; round += 1) {
        // A new tag may be the one that the filter names.
        await made(service, 'Tag', { name: `unrelated ${round}` });
        await get(app, `products?tags[]=red&itemsPerPage=${1 + round}`);
        await sleep(2);
      }
      await app.close();
      assert.ok(read > 0 && read <= 5, `${read} times`);
    });

    test('evicts lists when its memory is full', async () => {
      const tight = await serverOf(service, { RESPONSE_CACHE_BYTES_MAX: '12000' });
      for (let round = 0; round < 4; round += 1) {
        await made(service, 'Product', { sku: `TIGHT${round}`, name: 'Mug', price: 1 });
        for (const list of LISTS) {
          const path = `${list}&itemsPerPage=5&page=${1 + round}`;
          assert.equal((await get(tight, path)).body, (await get(uncached, path)).body, path);
        }
      }
      await tight.close();
    });

    test('reads a list again after more changes than it evaluates', async () => {
      const list = 'products?order[sku]=asc&amount[lte]=1000';
      await cacheList(list);
      for (let many = 0; many < 501; many += 1)
        await made(service, 'Product', { sku: `MANY${many}`, name: 'Mug', price: 1 });
      await same(`${list}&itemsPerPage=100&page=3`);
    });
  });
