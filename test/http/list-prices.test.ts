/**
 * Prices in lists of products (`price_for`, pricing.md §5): after random writes and as time passes, they equal the prices of the
 * single products, and filters and orders equal those of a plain sort, with and without a cache.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import type { Value } from '../../src/engine/ports.ts';
import type { Service } from '../../src/engine/unit/service.ts';
import { Random } from '../../torture/random.ts';
import { databaseNames } from '../support/databases.ts';
import { INJECT_KEY, serverOf } from '../support/injected-server.ts';
import { changed, made, type OpenedStore, openedStore, removed, withOverrides } from '../support/opened-store.ts';
import { rounds } from '../support/rounds.ts';

interface Listed {
  readonly id: number;
  readonly amount: number;
  readonly enabled: boolean;
  readonly price_for: number;
}

const START = 1_900_000_000;
const HOUR = 3600;

const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', '+00:00');

for (const name of databaseNames)
  describe(`prices in lists of products (${name})`, { timeout: 300_000 }, () => {
    let opened: OpenedStore;
    let service: Service;
    let cached: FastifyInstance;
    let uncached: FastifyInstance;
    let now = START;
    const random = new Random(29);
    const products: Value[] = [];
    const categories: Value[] = [];
    const classes: Value[] = [];
    const memberships: Value[] = [];
    const discounts: Value[] = [];

    const get = async (app: FastifyInstance, path: string, headers: Readonly<Record<string, string>> = {}) =>
      app.inject({ url: `/api/${path}`, headers: { 'x-auth-token': INJECT_KEY, ...headers } });
    const found = async (app: FastifyInstance, path: string, headers?: Readonly<Record<string, string>>) => {
      const response = await get(app, path, headers);
      assert.equal(response.statusCode, 200, `${path}: ${response.body}`);
      return response;
    };
    const rejected = async (path: string, detail: RegExp): Promise<void> => {
      for (const app of [cached, uncached]) {
        const response = await get(app, path);
        assert.equal(response.statusCode, 400, `${path}: ${response.body}`);
        assert.match(response.json().detail, detail, path);
      }
    };
    const some = (ids: readonly Value[], probability: number): Value[] => ids.filter(() => random.chance(probability));

    const productBody = (): Record<string, unknown> => ({
      name: random.pick(['Mug', 'mug', 'Shirt']),
      price: random.chance(0.3) ? random.whole(0, 300_000) / 10_000 : random.whole(0, 30),
      amount: random.whole(0, 3),
      enabled: random.chance(0.8),
      participate_sale: random.chance(0.3),
      discount_type: 'sale_percent',
      sale_price_value: random.whole(0, 1000) / 10,
      apply_sale_to_wholesale: random.chance(0.5),
      product_class: random.chance(0.7) ? { id: random.pick(classes) } : null,
    });
    const discountBody = (): Record<string, unknown> => ({
      name: 'Sale',
      enabled: random.chance(0.8),
      value: random.whole(0, 1000) / 10,
      ...(random.chance(0.5) && { date_range_begin: isoOf(now + random.whole(-5, 5) * HOUR) }),
      ...(random.chance(0.5) && { date_range_end: isoOf(now + random.whole(6, 12) * HOUR) }),
      specific_products: random.chance(0.3),
      products: some(products, 0.3),
      product_classes: random.chance(0.3) ? some(classes, 0.5) : [],
      categories: random.chance(0.4) ? some(categories, 0.3) : [],
      memberships: random.chance(0.3) ? some(memberships, 0.5) : [],
      apply_to_wholesale: random.chance(0.5),
    });
    const rowBody = (): Record<string, unknown> => {
      const membership = random.chance(0.5) ? random.pick(memberships) : null;
      const type = random.pick(['price', 'percent']);
      const price = type === 'percent' ? random.whole(0, 1000) / 10 : random.whole(0, 250_000) / 10_000;
      return { type, price, membership, quantity_range_begin: random.whole(membership === null ? 2 : 1, 6) };
    };
    const write: Readonly<Record<string, () => Promise<unknown>>> = {
      create: async () => {
        const sku = `S${random.whole(0, 1e9)}`;
        products.push((await made(service, 'Product', { sku, ...productBody() })).record.id!);
      },
      change: () => changed(service, 'Product', random.pick(products), productBody()),
      remove: async () => {
        if (products.length < 15) return;
        const [id] = products.splice(random.whole(0, products.length - 1), 1);
        // The last product of a discount cannot be deleted.
        await removed(service, 'Product', id!).catch(() => products.push(id!));
      },
      // A second row of the same quantity is rejected.
      row: () => made(service, 'WholesalePrice', rowBody(), [random.pick(products)]).catch(() => {}),
      category: async () => {
        const parent = categories.length > 0 && random.chance(0.7) ? random.pick(categories) : null;
        categories.push((await made(service, 'Category', { name: `C${categories.length}`, parent })).record.id!);
      },
      assign: () =>
        made(service, 'CategoryProduct', { id: random.pick(products) }, [random.pick(categories)]).catch(() => {}),
      discount: async () => {
        discounts.push((await made(service, 'SaleDiscount', discountBody())).record.id!);
      },
      changeDiscount: () => changed(service, 'SaleDiscount', random.pick(discounts), discountBody()),
      membership: () => changed(service, 'Membership', random.pick(memberships), { enabled: random.chance(0.7) }),
      wait: async () => {
        now += random.whole(0, 3) * HOUR;
      },
    };

    before(async () => {
      opened = await openedStore(name);
      service = { ...opened.service, clock: { ...opened.service.clock, now: () => now } };
      cached = await serverOf(service);
      uncached = await serverOf(service, { RESPONSE_CACHE_BYTES_MAX: '0' });
      for (let count = 0; count < 3; count += 1) {
        memberships.push((await made(service, 'Membership', { name: `M${count}`, enabled: count < 2 })).record.id!);
        classes.push((await made(service, 'ProductClass', { name: `K${count}` })).record.id!);
      }
      for (let count = 0; count < 6; count += 1) await write.category!();
      for (let count = 0; count < 30; count += 1) await write.create!();
      for (let count = 0; count < 60; count += 1) await write.row!();
      for (let count = 0; count < 30; count += 1) await write.assign!();
      for (let count = 0; count < 8; count += 1) await write.discount!();
    });
    after(async () => {
      await cached.close();
      await uncached.close();
      await opened.remove();
    });

    /** Lists all products with their prices, and compares these with the prices of the single products. */
    const priced = async (membership: Value, quantity: number): Promise<Listed[]> => {
      const path = `products?price_for[membership]=${membership}&price_for[quantity]=${quantity}&itemsPerPage=100`;
      const [one, other] = [await found(cached, path), await found(uncached, path)];
      assert.equal(one.body, other.body, path);
      const all: Listed[] = one.json();
      assert.equal(all.length, products.length);
      for (const { id, price_for } of all) {
        const { price } = (
          await found(uncached, `products/${id}/price?membership=${membership}&quantity=${quantity}`)
        ).json();
        assert.equal(price_for, price, `product ${id}, membership ${membership}, quantity ${quantity}`);
      }
      return all;
    };

    /** A random filter and order, with the same in JavaScript. */
    const query = (all: readonly Listed[]): { parameters: string; expected: Listed[] } => {
      const bound = random.chance(0.7) ? random.pick(all).price_for : random.whole(0, 300) / 10;
      const end = Math.round((bound + 5) * 10_000) / 10_000;
      const filters: [string, (listed: Listed) => boolean][] = [
        [`price_for[gt]=${bound}`, ({ price_for }) => price_for > bound],
        [`price_for[gte]=${bound}`, ({ price_for }) => price_for >= bound],
        [`price_for[lt]=${bound}`, ({ price_for }) => price_for < bound],
        [`price_for[lte]=${bound}`, ({ price_for }) => price_for <= bound],
        [`price_for[between]=${bound}..${end}`, ({ price_for }) => price_for >= bound && price_for <= end],
        ['enabled=true', ({ enabled }) => enabled],
      ];
      const orders = ['price_for', 'amount', 'enabled'].map((field) => [field, random.pick(['asc', 'desc'])] as const);
      const used = filters.filter(() => random.chance(0.2));
      const chosen = [orders.slice(0, 1), orders.slice(0, 2), [orders[1]!, orders[0]!], []][random.whole(0, 3)]!;
      const keyOf = (listed: Listed, field: string): number => Number(listed[field as keyof Listed]);
      const sorted = all.toSorted((one, two) => {
        for (const [field, direction] of [...chosen, ['id', 'asc'] as const]) {
          const difference = keyOf(one, field) - keyOf(two, field);
          if (difference !== 0) return direction === 'asc' ? difference : -difference;
        }
        return 0;
      });
      return {
        parameters: [...used.map(([text]) => text), ...chosen.map(([field, way]) => `order[${field}]=${way}`)].join(
          '&',
        ),
        expected: sorted.filter((listed) => used.every(([, holds]) => holds(listed))),
      };
    };

    test('equal those of single products, and filter and sort as numbers', async () => {
      for (let round = 0; round < rounds(20, 80); round += 1) {
        for (let count = random.whole(0, 3); count > 0; count -= 1) await write[random.pick(Object.keys(write))]!();
        const membership = random.pick([0, ...memberships]);
        const quantity = random.pick([1, 2, 3, 6]);
        const all = await priced(membership, quantity);
        for (let count = 0; count < 4; count += 1) {
          const { parameters, expected } = query(all);
          const size = random.pick([3, 10, 100]);
          const page = random.whole(1, Math.ceil(products.length / size));
          const path = `products?price_for[quantity]=${quantity}&${parameters}&price_for[membership]=${membership}&itemsPerPage=${size}&page=${page}`;
          const wanted = expected.slice((page - 1) * size, page * size).map(({ id }) => id);
          const etags = new Set<unknown>();
          for (const app of [cached, cached, uncached]) {
            const response = await found(app, path);
            assert.deepEqual(
              response.json().map(({ id }: Listed) => id),
              wanted,
              path,
            );
            assert.equal(response.headers['x-total-count'], String(expected.length), path);
            etags.add(response.headers.etag);
          }
          assert.equal(etags.size, 1, path);
        }
      }
    });

    test('change when a discount begins or ends, without a write', async () => {
      for (const id of discounts) await changed(service, 'SaleDiscount', id, { enabled: false });
      const { record } = await made(service, 'Product', { sku: 'DATED', name: 'Dated', price: 10_000 });
      products.push(record.id!);
      await made(service, 'SaleDiscount', {
        ...{ name: 'Dated', value: 99.9, specific_products: true, products: [record.id] },
        ...{ date_range_begin: isoOf(now + 10), date_range_end: isoOf(now + 20) },
      });
      const paths = [
        `products?price_for[membership]=0&id=${record.id}`,
        'products?price_for[membership]=0&order[price_for]=desc&itemsPerPage=1',
        'products?price_for[membership]=0&price_for[gte]=9999&itemsPerPage=1',
      ];
      const pricesNow = async (): Promise<unknown[]> => {
        const read = async (path: string) => (await found(cached, path)).json().map((one: Listed) => one.price_for)[0];
        return [await read(paths[0]!), await read(paths[1]!), await read(paths[2]!)];
      };
      for (let count = 0; count < 3; count += 1) assert.deepEqual(await pricesNow(), [10_000, 10_000, 10_000]);
      now += 10;
      const during = await pricesNow();
      assert.deepEqual([during[0], during[2]], [10, undefined]);
      assert.ok((during[1] as number) < 10_000);
      now += 10;
      assert.deepEqual(await pricesNow(), [10_000, 10_000, 10_000]);
    });

    test('are in every form of a list', async () => {
      const list = 'products?price_for[membership]=0&order[price_for]=desc&itemsPerPage=2';
      const records: Listed[] = (await found(cached, list)).json();
      const linked = await found(cached, list, { accept: 'application/ld+json' });
      assert.deepEqual(
        linked.json()['hydra:member'].map(({ id, price_for }: Listed) => [id, price_for]),
        records.map(({ id, price_for }) => [id, price_for]),
      );
      assert.equal(linked.json()['hydra:totalItems'], products.length);
      const context = await found(cached, 'contexts/Product');
      assert.equal(context.json()['@context'].price_for, 'Product/price_for');
      assert.equal(Object.keys(records[0]!).at(-1), 'price_for');
      const only = await found(cached, `${list}&fields=price_for,id`);
      assert.deepEqual(
        only.json(),
        records.map(({ id, price_for }) => ({ id, price_for })),
      );
      assert.deepEqual(
        (await found(cached, `${list}&fields=id`)).json(),
        records.map(({ id }) => ({ id })),
      );
      const head = await cached.inject({
        ...{ method: 'HEAD', url: `/api/${list}` },
        headers: { 'x-auth-token': INJECT_KEY },
      });
      assert.equal(head.statusCode, 200);
      assert.equal(head.headers['x-total-count'], String(products.length));
      assert.match(String(head.headers.link), /price_for%5Bmembership%5D=0|price_for\[membership\]=0/);
    });

    test('are in exports', async () => {
      const all = await priced(0, 2);
      const bound = all.map(({ price_for }) => price_for).sort((one, two) => one - two)[10]!;
      const path = `products?price_for[membership]=0&price_for[quantity]=2&price_for[lte]=${bound}&fields=id,price_for`;
      const exported = await found(cached, path, { accept: 'application/x-ndjson' });
      const lines = exported.body.trim().split('\n');
      const expected = all.filter(({ price_for }) => price_for <= bound);
      assert.deepEqual(
        lines.map((line) => JSON.parse(line)),
        expected.map(({ id, price_for }) => ({ id, price_for })),
      );
      assert.equal(exported.headers['x-total-count'], String(expected.length));
    });

    test('are computed for a whole list once, in every form of its pages', async () => {
      let snapshots = 0;
      const snapshot: Service['database']['snapshot'] = (work) => {
        snapshots += 1;
        return service.database.snapshot(work);
      };
      const app = await serverOf({ ...service, database: withOverrides(service.database, { snapshot }) });
      const list = 'products?price_for[membership]=0&order[price_for]=desc&itemsPerPage=3';
      const linked = { accept: 'application/ld+json' };
      const same = async (path: string, headers: Readonly<Record<string, string>>): Promise<void> =>
        assert.equal((await found(app, path, headers)).body, (await found(uncached, path, headers)).body, path);
      await same(list, linked);
      assert.equal(snapshots, 1);
      await same(`${list}&page=2`, linked);
      await same(`${list}&page=3`, {});
      await changed(service, 'Product', random.pick(products), { price: 7777 });
      await same(`${list}&page=1`, linked);
      await same(`${list}&page=2`, linked);
      assert.equal(snapshots, 1);
      await app.close();
    });

    test('do not wait for a whole list if a page only shows them', async () => {
      const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      let snapshots = 0;
      let onPage: (() => Promise<unknown>) | undefined;
      const snapshot: Service['database']['snapshot'] = async (work) => {
        snapshots += 1;
        if (snapshots === 1) {
          reached.resolve();
          await gate.promise;
        }
        return service.database.snapshot(work);
      };
      const search: Service['database']['search'] = async (statement, values) => {
        const rows = await service.database.search(statement, values);
        const write = onPage;
        onPage = undefined;
        await write?.();
        return rows;
      };
      const app = await serverOf({ ...service, database: withOverrides(service.database, { snapshot, search }) });
      const whole = found(app, 'products?price_for[membership]=0&order[price_for]=asc');
      await reached.promise;
      const [id] = products;
      onPage = () => changed(service, 'Product', id!, { price: 5 });
      const shown = await found(app, 'products?price_for[membership]=0&itemsPerPage=5');
      assert.equal(snapshots, 2, 'the page was read in a snapshot after the change');
      assert.equal(shown.json()[0].price, 5);
      gate.resolve();
      await whole;
      await app.close();
    });

    test('are not shown for records that stop matching while the list is sorted', async () => {
      const path =
        'products?price_for[membership]=0&enabled=true&order[amount]=asc&order[price_for]=asc&itemsPerPage=5';
      const before: Listed[] = (await found(uncached, path)).json();
      const { id } = before[1]!;
      let isChanged = false;
      const search: Service['database']['search'] = async (statement, values) => {
        const rows = await service.database.search(statement, values);
        if (!isChanged && statement.sql.includes('row_number')) {
          isChanged = true;
          await changed(service, 'Product', id, { enabled: false });
        }
        return rows;
      };
      const app = await serverOf({ ...service, database: withOverrides(service.database, { search }) });
      const response = await found(app, path);
      assert.ok(isChanged);
      const expected = await found(uncached, path);
      assert.equal(response.body, expected.body);
      assert.equal(response.headers['x-total-count'], expected.headers['x-total-count']);
      await changed(service, 'Product', id, { enabled: true });
      const restored = await found(app, path);
      assert.equal(restored.body, (await found(uncached, path)).body);
      assert.deepEqual(
        restored.json().map((one: Listed) => one.id),
        before.map((one) => one.id),
      );
      await app.close();
    });

    test('need a membership that exists', async () => {
      for (const parameters of [
        'price_for[lte]=5',
        'order[price_for]=asc',
        'price_for[quantity]=2',
        'fields=id,price_for',
      ])
        await rejected(
          `products?${parameters}`,
          /"price_for" needs the parameter "price_for\[membership\]"\. Send "price_for\[membership\]" too\.$/,
        );
      await rejected('products?price_for[membership]=999999', /"price_for\[membership\]" is 999999/);
      await rejected('products?price_for[membership]=x', /price_for\[membership\]/);
      await rejected('products?price_for[membership]=0&price_for[membership]=1', /more than once/);
      await rejected('products?price_for[membership]=0&price_for[quantity]=0', /price_for\[quantity\]/);
      await rejected('products?price_for[membership]=0&price_for[lte]=x', /price_for\[lte\]/);
      await rejected('products?price_for[membership]=0&order[price_for]=up', /asc or desc/);
      await rejected('products?price_for[membershp]=0', /price_for\[membership\]/);
      await rejected('products?price_for=5', /Unknown parameter/);
      await rejected(`products/${products[0]}?price_for[membership]=0`, /Unknown parameter/);
      await rejected('tags?price_for[membership]=0', /Unknown parameter/);
      const deleted = (await made(service, 'Membership', { name: 'Deleted' })).record.id!;
      const path = `products?price_for[membership]=${deleted}`;
      for (let count = 0; count < 3; count += 1) await found(cached, path);
      await removed(service, 'Membership', deleted);
      await rejected(path, /there is no membership/);
    });
  });
