/** The figures of a shop's day: by the store's calendar, in exact sums, and of one moment (http.md §21). */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Service } from '../../src/engine/unit/service.ts';
import { databaseNames } from '../support/databases.ts';
import { INJECT_KEY, serverOf } from '../support/injected-server.ts';
import { type OpenedStore, openedStore, withOverrides } from '../support/opened-store.ts';

/** The Sunday on which Berlin's clocks go forward: it has 23 hours. */
const NOW = Date.UTC(2030, 2, 31, 12) / 1000;

for (const name of databaseNames)
  describe(`statistics (${name})`, () => {
    let opened: OpenedStore;
    let service: Service;
    let app: FastifyInstance;
    let statements = 0;

    before(async () => {
      opened = await openedStore(name);
      const { database } = opened.service;
      const environment = { ...opened.service.environment, baseUrl: 'http://localhost', timeZone: 'Europe/Berlin' };
      const search: typeof database.search = (statement, values) => {
        statements += 1;
        return database.search(statement, values);
      };
      const clock = { ...opened.service.clock, now: () => NOW };
      service = { ...opened.service, environment, clock, database: withOverrides(database, { search }) };
      app = await serverOf(service);
      await post('/api/products', { sku: 'GIFT', name: 'Gift', inventory_traceable: false });
    });
    after(async () => {
      await app.close();
      await opened.remove();
    });

    const get = (path = '', headers: Record<string, string> = {}) =>
      app.inject({ url: `/api/statistics${path}`, headers: { 'x-auth-token': INJECT_KEY, ...headers } });
    const post = async (path: string, payload: object): Promise<ReturnType<typeof JSON.parse>> => {
      const response = await app.inject({
        ...{ method: 'POST', url: path, payload },
        headers: { 'x-auth-token': INJECT_KEY },
      });
      assert.equal(response.statusCode, 201, response.body);
      return response.json();
    };
    const order = (create_date: string, price: number, more: object = {}) =>
      post('/api/orders', {
        ...{ email: 'a@example.com', create_date, currency: 'USD', ...more },
        items: [{ sku: 'GIFT', amount: 1, price }],
      });

    test('returns zeros for a store without orders', async () => {
      const { statusCode, headers, json } = await get();
      assert.equal(statusCode, 200);
      const nothing = { orders: 0, totals: [{ currency: 'USD', total: 0 }] };
      const { days, ...rest } = json();
      assert.deepEqual(rest, {
        time_zone: 'Europe/Berlin',
        today: { date: '2030-03-31', ...nothing },
        week: { date: '2030-03-25', ...nothing },
        previous: { ...nothing, units: 0 },
        best_sellers: [],
        to_ship: 0,
        backordered: 0,
        low_stock: { limit: 5, count: 0, items: [] },
        webhooks: { failing: 0, paused: 0 },
      });
      assert.deepEqual(
        [days.length, days[0], days[29].date],
        [30, { date: '2030-03-02', ...nothing, units: 0 }, '2030-03-31'],
      );
      assert.equal((await get('', { 'if-none-match': headers.etag as string })).statusCode, 304);
    });

    test('counts orders by day in the time zone of the store, with exact totals, and omits canceled, declined and refunded ones', async () => {
      await order('2030-03-31T00:00:00', 0.1);
      await order('2030-03-31T23:59:59', 0.2);
      await order('2030-03-31T12:00:00', 7, { currency: 'EUR' });
      await order('2030-03-30T23:59:59', 1);
      await order('2030-03-25T00:00:00', 2);
      await order('2030-03-24T23:59:59', 4);
      await order('2030-03-02T00:00:00', 8);
      await order('2030-03-01T23:59:59', 1000);
      await order('2030-04-01T00:00:00', 1000);
      for (const status of ['C', 'D', 'R']) await order('2030-03-31T09:00:00', 500, { payment_status: status });
      statements = 0;
      const { body, json } = await get();
      assert.equal(statements, 1);
      const { today, week, days } = json();
      const usd = (total: number) => ({ currency: 'USD', total });
      const eur = { currency: 'EUR', total: 7 };
      assert.deepEqual(today, { date: '2030-03-31', orders: 3, totals: [usd(0.3), eur] });
      assert.deepEqual(week, { date: '2030-03-25', orders: 5, totals: [usd(3.3), eur] });
      assert.deepEqual(
        days
          .filter(({ orders }: { orders: number }) => orders > 0)
          .map((day: Record<string, unknown>) => [day.date, day.totals]),
        [
          ['2030-03-02', [usd(8)]],
          ['2030-03-24', [usd(4)]],
          ['2030-03-25', [usd(2)]],
          ['2030-03-30', [usd(1)]],
          ['2030-03-31', [usd(0.3), eur]],
        ],
      );
      assert.match(body, /"total":0\.3\b/);
    });

    test('covers 7, 30 or 90 days, compared with as many days before', async () => {
      const covered = async (days: number) => {
        const { json } = await get(`?days=${days}`);
        const { days: all, previous } = json();
        const sum = (of: (day: Record<string, number>) => number) =>
          all.reduce((total: number, day: Record<string, number>) => total + of(day), 0);
        return [all.length, all[0].date, sum(({ orders }) => orders!), sum(({ units }) => units!), previous];
      };
      const totals = (total: number) => [{ currency: 'USD', total }];
      assert.deepEqual(await covered(7), [7, '2030-03-25', 5, 5, { orders: 1, units: 1, totals: totals(4) }]);
      assert.deepEqual(await covered(30), [30, '2030-03-02', 7, 7, { orders: 1, units: 1, totals: totals(1000) }]);
      assert.deepEqual(await covered(90), [90, '2030-01-01', 8, 8, { orders: 0, units: 0, totals: totals(0) }]);
    });

    test('lists the products with the most units sold, by their current names', async () => {
      const products: { readonly id: number; readonly sku: string }[] = [];
      for (let number = 1; number <= 11; number += 1)
        products.push(
          await post('/api/products', { sku: `BEST-${number}`, name: `Best ${number}`, inventory_traceable: false }),
        );
      const sell = (sku: string, amount: number, more: object = {}) =>
        post('/api/orders', {
          ...{ email: 'a@example.com', create_date: '2030-03-20', currency: 'USD', ...more },
          items: [{ sku, amount, price: 1.5 }],
        });
      for (const [index, { sku }] of products.entries()) await sell(sku, 100 - index);
      await sell('BEST-3', 7, { currency: 'EUR' });
      await sell('BEST-4', 1000, { payment_status: 'R' });
      await sell('BEST-5', 1000, { create_date: '2030-01-20' });
      const renamed = { method: 'PATCH', headers: { 'x-auth-token': INJECT_KEY } } as const;
      await app.inject({
        ...renamed,
        url: `/api/products/${products[2]!.id}`,
        payload: { name: 'Renamed', sku: 'NEW-3' },
      });
      await app.inject({ ...renamed, method: 'DELETE', url: `/api/products/${products[1]!.id}` });
      const best = (await get()).json().best_sellers;
      assert.equal(best.length, 10);
      assert.deepEqual(best.slice(0, 3), [
        {
          ...{ product_id: products[2]!.id, sku: 'NEW-3', name: 'Renamed', units: 105 },
          totals: [
            { currency: 'USD', total: 147 },
            { currency: 'EUR', total: 10.5 },
          ],
        },
        {
          ...{ product_id: products[0]!.id, sku: 'BEST-1', name: 'Best 1', units: 100 },
          totals: [{ currency: 'USD', total: 150 }],
        },
        { product_id: null, sku: 'BEST-2', name: 'Best 2', units: 99, totals: [{ currency: 'USD', total: 148.5 }] },
      ]);
      const [first] = (await get('?days=90')).json().best_sellers;
      assert.deepEqual([first.sku, first.units], ['BEST-5', 1096]);
      for (const { sku } of (await get('?days=7')).json().best_sellers) assert.equal(sku, 'GIFT');
    });

    test('returns totals with more digits than a double', async () => {
      const { id } = await order('2030-03-10T12:00:00', 1);
      const { dialect } = service.database;
      const largest = 9_999_999_999.9999;
      const copies = sql`insert into "order" (order_number, email, email_key, create_date, update_date, payment_status_id,
          shipping_status_id, currency, total)
        with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 1001)
        select 'copy ' || n, email, email_key, create_date, update_date, payment_status_id, shipping_status_id, currency, ${sql.lit(
          name === 'sqlite' ? Math.round(largest * 10_000) : largest,
        )} from "order", numbers where id = ${sql.lit(id)} returning id`;
      await service.database.transaction((transaction) => transaction.run(dialect.compile(copies), {}));
      // 1,001 times 9999999999.9999, and 1.
      assert.match(
        (await get()).body,
        /"date":"2030-03-10","orders":1002,"totals":\[\{"currency":"USD","total":10010000000000\.8999\}\]/,
      );
      const remove = sql`delete from "order" where order_number like 'copy %' returning id`;
      await service.database.transaction((transaction) => transaction.run(dialect.compile(remove), {}));
    });

    test('counts orders to ship, and backordered ones, like the filtered lists of orders', async () => {
      for (const [payment_status, shipping_status] of [
        ['P', 'N'],
        ['P', 'P'],
        ['P', 'NBA'],
        ['P', 'S'],
        ['P', 'WFA'],
        ['Q', 'N'],
        ['A', 'P'],
      ])
        await order('2029-01-01', 1, { payment_status, shipping_status });
      const paidWith = async (statuses: string): Promise<unknown> => {
        const url = `/api/orders?payment_status=P&${statuses}`;
        return (await app.inject({ url, headers: { 'x-auth-token': INJECT_KEY } })).headers['x-total-count'];
      };
      const { to_ship, backordered } = (await get()).json();
      assert.deepEqual([to_ship, await paidWith('shipping_status[]=N&shipping_status[]=P')], [2, '2']);
      assert.deepEqual([backordered, await paidWith('shipping_status=NBA')], [1, '1']);
    });

    test('lists products and variants with low stock, lowest first', async () => {
      const product = (sku: string, amount: number, more: object = {}) =>
        post('/api/products', { sku, name: sku, amount, ...more });
      const [two] = [await product('TWO', 2), await product('SIX', 6), await product('ONE', 1)];
      await product('OFF', 0, { enabled: false });
      await product('ANY', 0, { inventory_traceable: false });
      const low = async (path = '') => (await get(path)).json().low_stock;
      const { limit, count, items } = await low();
      assert.deepEqual(
        [limit, count, items.map(({ sku, amount }: { sku: string; amount: number }) => [sku, amount])],
        [
          5,
          2,
          [
            ['ONE', 1],
            ['TWO', 2],
          ],
        ],
      );
      assert.deepEqual(items[1], { product_id: two.id, variant_id: null, sku: 'TWO', amount: 2 });
      assert.equal((await low('?low_stock=6')).count, 3);
      assert.equal((await low('?low_stock=1')).count, 1);
      for (let number = 0; number < 10; number += 1) await product(`MORE-${number}`, 1);
      const many = await low();
      assert.deepEqual([many.count, many.items.length], [12, 10]);
      const shirt = await product('SHIRT', 0);
      const shares = name === 'sqlite' ? '1' : 'true';
      const own = name === 'sqlite' ? '0' : 'false';
      const variant = (sku: string | null, amount: number, whose: string) =>
        sql`insert into variant (product_id, combination, sku, amount, default_amount)
          values (${sql.lit(shirt.id)}, ${sql.lit(`${sku}`)}, ${sql.lit(sku)},
          ${sql.lit(amount)}, ${sql.raw(whose)}) returning id`;
      const add = (insert: ReturnType<typeof variant>) =>
        service.database.transaction((transaction) => transaction.run(service.database.dialect.compile(insert), {}));
      await add(variant('SHIRT-S', 0, own));
      await add(variant(null, 0, own));
      await add(variant('SHIRT-L', 9, own));
      const [small, plain, next] = (await low()).items;
      assert.deepEqual([small.product_id, small.sku, plain.sku], [shirt.id, 'SHIRT-S', 'SHIRT']);
      assert.ok(small.variant_id < plain.variant_id && next.variant_id === null && next.sku !== 'SHIRT');
      await add(variant('SHIRT-M', 0, shares));
      const [whole] = (await low()).items;
      assert.deepEqual([whole.sku, whole.variant_id], ['SHIRT', null], 'a variant shares its stock');
    });

    test('rejects unknown and invalid parameters and requests without a key', async () => {
      for (const [path, detail] of [
        ['?low_stock=-1', /"low_stock" must be a whole number/],
        ['?low_stock=', /"low_stock" must be a whole number/],
        ['?low_stock=1&low_stock=2', /more than once/],
        ['?days=8', /"days" must be 7, 30 or 90/],
        ['?days=7&days=30', /more than once/],
        ['?page=1', /Valid parameters: low_stock, days\./],
      ] as const) {
        const response = await get(path);
        assert.equal(response.statusCode, 400, path);
        assert.match(response.json().detail, detail);
      }
      const preferred = { prefer: 'handling=lenient' };
      assert.equal((await get('?low_stock=x', preferred)).statusCode, 400, 'known parameters are never ignored');
      const lenient = await get('?page=1', preferred);
      assert.deepEqual([lenient.statusCode, lenient.headers['preference-applied']], [200, 'handling=lenient']);
      const linked = (await get('', { accept: 'application/ld+json' })).json();
      assert.deepEqual(
        [linked['@context'], linked['@id'], linked['@type']],
        ['/api/contexts/Statistics', '/api/statistics', 'Statistics'],
      );
      assert.equal((await app.inject('/api/statistics')).statusCode, 401);
    });
  });
