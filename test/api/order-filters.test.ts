/**
 * Filters, sorting and pages of orders in the field names of both interfaces, and the number of statements of a list
 * (orders.md §1).
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { store as declarations } from '../../src/domain/index.ts';
import type { Database } from '../../src/engine/ports.ts';
import { freshDatabases } from '../support/databases.ts';
import { assertProblem, assertSameResponses } from '../support/expect.ts';
import { type Fixture, serveDeclarations } from '../support/fixture.ts';
import { nextSecond } from '../support/next-second.ts';
import { idsOf, placed, type Shown } from '../support/order-parts.ts';
import { type Json, onBothDatabases, onEachDatabase, type Store } from '../support/store.ts';

/** Orders by id, starting with 1. Dates, totals and numbers sort differently. */
const ORDERS: Json[] = [
  {
    order_number: 'B_3',
    email: 'bob@example.com',
    items: [{ sku: 'CUP', amount: 4 }],
    surcharges: [{ type: 'discount', value: -2.5 }],
    payment_status: 'P',
    create_date: '2026-01-02T00:00:00Z',
  },
  {
    order_number: 'A-1',
    email: 'ann@example.com',
    items: [{ sku: 'MUG', amount: 1 }],
    customer_id: 7,
    create_date: '2026-01-01T00:00:00Z',
  },
  {
    order_number: '9',
    email: 'zoe_x@shop.test',
    items: [{ sku: 'MUG', amount: 1, price: 9999999999.99 }],
    customer_id: 9,
    currency: 'GBP',
    payment_status: 'R',
    shipping_status: 'D',
    create_date: '2026-03-01T10:00:00+02:00',
  },
  {
    order_number: 'a-1',
    email: 'Ann.B@Example.org',
    items: [
      { sku: 'MUG', amount: 2 },
      { sku: 'CUP', amount: 1 },
    ],
    surcharges: [{ type: 'shipping', value: 5 }],
    customer_id: 8,
    currency: 'EUR',
    payment_status: 'P',
    shipping_status: 'S',
    create_date: '2026-01-01T12:00:00Z',
  },
  {
    order_number: '1005',
    email: "o'hara_100%@example.com",
    items: [{ sku: 'Ä%_', amount: 1 }],
    customer_id: 7,
    currency: 'EUR',
    payment_status: 'C',
    shipping_status: 'WND',
    create_date: '2026-01-02T23:59:59Z',
  },
];

const ALL = [1, 2, 3, 4, 5];

async function fill(store: Store): Promise<void> {
  for (const [sku, price] of Object.entries({ MUG: 10, CUP: 2.5, 'Ä%_': 0.01 }))
    await store.product({ sku, name: `The ${sku}`, price, inventory_traceable: false });
  for (let id = 1; id <= 9; id += 1) await store.made('/api/profiles', { login: `customer-${id}@example.com` });
  for (const order of ORDERS) await placed(store, order);
}

/** Filters with two names are listed under the first one. */
const FOUND: [query: string, ids: number[]][] = [
  ['', ALL],
  ['id=2', [2]],
  ['id[]=5&id[]=2', [2, 5]],
  ['id[0]=5&id[1]=2&id[2]=999999', [2, 5]],
  ['id=/api/orders/3', [3]],
  ['id=999999', []],

  ['order_number=A-1', [2]],
  ['order_number=a-1', [4]],
  ['order_number=A-', []],
  ['order_number=9', [3]],
  ['order_number=09', []],
  ['order_number=', []],
  ['order_number[]=A-1&order_number[]=1005&order_number[]=none', [2, 5]],

  ['email=ann', [2, 4]],
  ['email=EXAMPLE.C', [1, 2, 5]],
  ['email=ann@example.com', [2]],
  ['email=@', ALL],
  ['email=', ALL],
  ["email=o'hara", [5]],
  ['email=%25', [5]],
  ['email=_', [3, 5]],
  ['email=nobody', []],
  ['email[]=bob&email[]=zoe', [1, 3]],

  ['total=7.5', [1]],
  ['total=7.50', [1]],
  ['total=10', [2]],
  ['total=9999999999.99', [3]],
  ['total=0.01', [5]],
  ['total=7', []],
  ['total[]=7.5&total[]=27.5', [1, 4]],
  ['total[gt]=10', [3, 4]],
  ['total[gte]=10', [2, 3, 4]],
  ['total[lt]=10', [1, 5]],
  ['total[lte]=10', [1, 2, 5]],
  ['total[between]=7.5..27.5', [1, 2, 4]],
  ['total[between]=27.5..7.5', []],
  ['total[gt]=0.01&total[lt]=10', [1]],
  ['sub_total=10', [1, 2]],
  ['sub_total=22.5', [4]],
  ['sub_total=27.5', []],
  ['sub_total[]=22.5&sub_total[]=0.01', [4, 5]],
  ['sub_total[gt]=10', [3, 4]],
  ['sub_total[lte]=10', [1, 2, 5]],
  ['sub_total[between]=10..22.5', [1, 2, 4]],

  ['currency=EUR', [4, 5]],
  ['currency=USD', [1, 2]],
  ['currency=eur', []],
  ['currency[]=EUR&currency[]=GBP', [3, 4, 5]],
  ['customer_id=7', [2, 5]],
  ['customer_id=1', []],
  ['customer_id[]=8&customer_id[]=9', [3, 4]],

  ['create_date=2026-01-01', [2, 4]],
  ['create_date=2026-01-02', [1, 5]],
  ['create_date=2026-01-01T12:00:00Z', [4]],
  ['create_date=2026-03-01T08:00:00Z', [3]],
  ['create_date=2026-03-01T10:00:00+02:00', [3]],
  ['create_date[]=2026-01-01T12:00:00Z&create_date[]=2026-01-02', [1, 4, 5]],
  ['create_date[after]=2026-01-02', [1, 3, 5]],
  ['create_date[strictly_after]=2026-01-02', [3, 5]],
  ['create_date[before]=2026-01-02', [1, 2, 4]],
  ['create_date[strictly_before]=2026-01-02', [2, 4]],
  ['create_date[after]=2026-01-01T12:00:00Z&create_date[before]=2026-01-02', [1, 4]],
  ['create_date[before]=2020-01-01', []],

  ['update_date[after]=2020-01-01', ALL],
  ['update_date[before]=2020-01-01', []],
  ['update_date[strictly_after]=2020-01-01&update_date[strictly_before]=9999-12-31', ALL],

  ['payment_status=P', [1, 4]],
  ['payment_status=Q', [2]],
  ['payment_status=PP', []],
  ['payment_status=p', []],
  ['payment_status=ZZZZ', []],
  ['payment_status[]=R&payment_status[]=C', [3, 5]],
  ['shipping_status=N', [1, 2]],
  ['shipping_status=WND', [5]],
  ['shipping_status=NBA', []],
  ['shipping_status[]=S&shipping_status[]=D&shipping_status[]=none', [3, 4]],

  ['sku=MUG', [2, 3, 4]],
  ['sku=CUP', [1, 4]],
  ['sku=cup', []],
  ['sku=MU', []],
  ['sku=%C3%84%25_', [5]],
  ['sku[]=CUP&sku[]=%C3%84%25_', [1, 4, 5]],
  ['sku[]=CUP&sku[]=MUG', [1, 2, 3, 4]],

  ['payment_status=P&shipping_status=S', [4]],
  ['payment_status=P&shipping_status=D', []],
  ['payment_status[]=P&payment_status[]=Q&currency=USD&total[lt]=10', [1]],
  ['sku=MUG&currency=EUR&email=ann', [4]],
  ['create_date=2026-01-01&customer_id=7&order_number=A-1&sub_total=10&id=2', [2]],
  ['payment_status=P&order[total]=desc', [4, 1]],

  ['order[id]=desc', [5, 4, 3, 2, 1]],
  ['order[create_date]=asc', [2, 4, 1, 5, 3]],
  ['order[create_date]=desc', [3, 5, 1, 4, 2]],
  ['order[total]=asc', [5, 1, 2, 4, 3]],
  ['order[total]=DESC', [3, 4, 2, 1, 5]],
  ['order[total]', [5, 1, 2, 4, 3]],
  ['order[create_date]=desc&id[]=1&id[]=2', [1, 2]],
  ['sku=CUP&order[create_date]=asc', [4, 1]],
];

const REJECTED: [query: string, detail: RegExp][] = [
  ['status=P', /status/],
  ['paymentStatus=P', /paymentStatus/],
  ['paymentStatus.id=1', /paymentStatus\.id/],
  ['payment_status.colour=P', /payment_status\.colour/],
  ['shippingStatus.name=New', /shippingStatus\.name/],
  ['payment_status[gt]=P', /payment_status/],
  ['payment_status=', /payment_status/],
  ['profile=ann', /profile/],
  ['profile.email=ann', /profile\.email/],
  ['profile.login[gt]=ann', /profile\.login/],
  ['login=ann', /login/],
  ['e_mail=ann', /e_mail.*"email"/],
  ['email[gt]=ann', /email/],
  ['email=ann&email=bob', /email/],
  ['total=ten', /total/],
  ['total=', /total/],
  ['total=1.00001', /total/],
  ['total[between]=1', /total/],
  ['total[before]=1', /total/],
  ['subtotal=10', /subtotal.*"sub_total"/],
  ['customer_id=x', /customer_id/],
  ['id=x', /id/],
  ['id=/api/products/1', /id/],
  ['id[gt]=1', /id/],
  ['order_number[gt]=1', /order_number/],
  ['create_date=today', /create_date/],
  ['create_date[gt]=2026-01-01', /create_date/],
  ['date=2026-02-30', /date/],
  ['date[gt]=2026-01-01', /date/],
  ['lastRenewDate[since]=2026-01-01', /lastRenewDate/],
  ['createDate=2026-01-01', /createDate/],
  ['sku[gt]=A', /sku/],
  ['items=1', /items/],
  ['items.sku=MUG', /items\.sku/],
  ['notes=x', /notes/],
  ['admin_notes=x', /admin_notes/],
  ['stock_status=reduced', /stock_status/],
  ['shipping_id=0', /shipping_id/],
  ['order[email]=asc', /order\[email\]/],
  ['order[sub_total]=asc', /order\[sub_total\].*order\[total\]/],
  ['order[order_number]=asc', /order\[order_number\]/],
  ['order[payment_status]=asc', /order\[payment_status\]/],
  ['order[paymentStatus.code]=asc', /order/],
  ['order[total]=up', /order\[total\]/],
  ['order[date]=asc&order[date]=desc', /order\[date\]/],
  ['page=0', /page/],
  ['itemsPerPage=0', /itemsPerPage/],
  ['pagination=false', /pagination/],
];

/** Names of these filters in the public interface of release 5.5. */
const ALIASES: [name: RegExp, alias: string][] = [
  [/(?<![a-z_])create_date/g, 'date'],
  [/update_date/g, 'lastRenewDate'],
  [/payment_status/g, 'paymentStatus.code'],
  [/shipping_status/g, 'shippingStatus.code'],
  [/email/g, 'profile.login'],
];

function withAliases(query: string): string {
  return ALIASES.reduce((text, [name, alias]) => text.replace(name, alias), query);
}

const QUERIES: [query: string, ids: number[]][] = [
  ...FOUND,
  ...FOUND.map(([query, ids]) => [withAliases(query), ids] as [string, number[]]).filter(
    ([query], index) => query !== FOUND[index]![0],
  ),
];

onEachDatabase('order filters', {}, (store) => {
  before(() => fill(store));

  for (const [query, ids] of QUERIES)
    test(`?${query} finds ${ids.join(' ') || 'no order'}`, async () => {
      const response = await store.get(`/api/orders?${query}`);
      assert.equal(response.status, 200, response.text);
      assert.deepEqual(idsOf(response.json), ids);
      assert.equal(response.headers['x-total-count'], String(ids.length));
    });

  for (const [query, detail] of REJECTED)
    test(`?${query} is rejected with 400`, async () =>
      assertProblem(await store.get(`/api/orders?${query}`), 400, detail));

  test('a list shows each order like a read of the order alone', async () => {
    const { json } = await store.get('/api/orders');
    for (const order of json) assert.deepEqual(order, (await store.get(`/api/orders/${order.id}`)).json);
  });

  test('unknown parameters are ignored with handling=lenient', async () => {
    const query = 'colour=red&payment_status=P&order[email]=asc';
    const response = await store.get(`/api/orders?${query}`, { prefer: 'handling=lenient' });
    assert.equal(response.status, 200, response.text);
    assert.deepEqual(idsOf(response.json), [1, 4]);
    assert.match(String(response.headers['preference-applied']), /handling=lenient/);
  });

  test('pages contain every order once, with page links and the total of the filter', async () => {
    for (const query of ['', 'order[total]=desc&', 'order[date]=asc&', 'email=example&']) {
      const all = idsOf((await store.get(`/api/orders?${query}`)).json);
      const pages: number[] = [];
      for (let page = 1; page <= 3; page += 1) {
        const response = await store.get(`/api/orders?${query}itemsPerPage=2&page=${page}`);
        assert.equal(response.headers['x-total-count'], String(all.length));
        const links = String(response.headers.link);
        assert.equal(/rel="next"/.test(links), page * 2 < all.length, links);
        assert.equal(/rel="prev"/.test(links), page > 1, links);
        pages.push(...idsOf(response.json));
      }
      assert.deepEqual(pages, all);
    }
    assert.deepEqual((await store.get('/api/orders?page=9')).json, []);
  });

  test('query parameters of lists are rejected for a single order', async () => {
    for (const query of ['id=1', 'page=1', 'order[id]=asc', 'payment_status=P', 'x=1'])
      for (const path of ['/api/orders/1', '/api/orders/1/payment_status', '/api/orders/1/shipping_status'])
        assertProblem(await store.get(`${path}?${query}`), 400);
  });
});

onEachDatabase('orders by update date', {}, (store) => {
  let orders: Shown[];
  before(async () => {
    await fill(store);
    await nextSecond();
    await store.patch('/api/orders/2', { notes: 'changed' });
    await nextSecond();
    await store.put('/api/orders/5/payment_status', { code: 'Q' });
    orders = (await store.get('/api/orders')).json;
  });

  const compare: Record<string, (date: string, bound: string) => boolean> = {
    '': (date, bound) => date === bound,
    '[before]': (date, bound) => date <= bound,
    '[strictly_before]': (date, bound) => date < bound,
    '[after]': (date, bound) => date >= bound,
    '[strictly_after]': (date, bound) => date > bound,
  };

  test('have three different dates in these tests', () => {
    const [first, second, third] = [orders[0], orders[1], orders[4]].map(({ update_date }) => update_date);
    assert.ok(first < second && second < third);
    assert.deepEqual(
      ORDERS.map((_, index) => Date.parse(orders[index].create_date)),
      ORDERS.map(({ create_date }) => Date.parse(create_date as string)),
      'the creation time does not change',
    );
  });

  for (const name of ['update_date', 'lastRenewDate'])
    for (const [operator, holds] of Object.entries(compare))
      test(`are found by ${name}${operator}`, async () => {
        for (const { update_date: bound } of orders) {
          const response = await store.get(`/api/orders?${name}${operator}=${encodeURIComponent(bound)}`);
          const expected = orders.filter(({ update_date }) => holds(update_date, bound));
          assert.deepEqual(response.json, expected, response.text);
        }
      });

  for (const name of ['update_date', 'lastRenewDate'])
    test(`are sorted by order[${name}]`, async () => {
      const byDate = (one: Shown, other: Shown) => Date.parse(one.update_date) - Date.parse(other.update_date);
      const sorted = orders.toSorted(byDate);
      assert.deepEqual((await store.get(`/api/orders?order[${name}]=asc`)).json, sorted);
      assert.deepEqual(
        (await store.get(`/api/orders?order[${name}]=desc`)).json,
        orders.toSorted((one, other) => byDate(other, one)),
        'equal dates are sorted by ascending id',
      );
    });
});

onEachDatabase('order filters after changes', {}, (store) => {
  before(() => fill(store));

  const found = async (query: string) => idsOf((await store.get(`/api/orders?${query}`)).json);

  test('find an order by its new status', async () => {
    assert.equal((await store.put('/api/orders/2/payment_status', { code: 'PP' })).status, 200);
    assert.equal((await store.put('/api/orders/2/shipping_status', { code: 'P' })).status, 200);
    assert.deepEqual(await found('payment_status=PP'), [2]);
    assert.deepEqual(await found('shippingStatus.code=P'), [2]);
    assert.deepEqual(await found('paymentStatus.code=Q'), []);
  });

  test('find an order by its new email address', async () => {
    await store.patch('/api/orders/1', { email: 'robert@example.net' });
    assert.deepEqual(await found('email=ROBERT'), [1]);
    assert.deepEqual(await found('profile.login=bob'), []);
  });

  test('find orders of a deleted product by SKU', async () => {
    const [{ id }] = (await store.get('/api/products?sku=MUG')).json;
    assert.equal((await store.delete(`/api/products/${id}`)).status, 204);
    assert.deepEqual(await found('sku=MUG'), [2, 3, 4]);
  });
});

onBothDatabases('order filters', {}, (stores) => {
  before(() => Promise.all(stores.map(fill)));

  test('have the same results and rejections on both databases', () => {
    const queries = [...QUERIES, ...REJECTED].map(([query]) => query);
    return assertSameResponses(
      stores,
      queries.map((query) => ['GET', `/api/orders?${query}`]),
    );
  });

  test('have the same response for odd values on both databases', async () => {
    const values = ['', '%', '_', "'", '\\', '\0', '-1', '1e3', '9'.repeat(100), 'İ', 'ß', '👩‍👩‍👧', ' ', '0001-01-01'];
    const names = ['order_number', 'email', 'profile.login', 'sku', 'currency', 'payment_status', 'customer_id'];
    for (const name of [...names, 'total', 'date[after]', 'lastRenewDate', 'order[date]'])
      for (const value of values) {
        const path = `/api/orders?${name}=${encodeURIComponent(value)}`;
        assert.ok((await stores[0]!.get(path)).status < 500, path);
        await assertSameResponses(stores, [['GET', path]]);
      }
  });
});

/** The database, and the statements that are read from it. */
function counting(database: Database): { database: Database; statements: string[] } {
  const statements: string[] = [];
  const query: Database['query'] = (statement, values) => {
    statements.push(statement.sql);
    return database.query(statement, values);
  };
  const watched = new Proxy(database, {
    get: (target, name) => {
      if (name === 'query') return query;
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { database: watched, statements };
}

for (const fresh of await freshDatabases())
  describe(`statements of an order list (${fresh.name})`, () => {
    let fixture: Fixture;
    let statements: string[];

    before(async () => {
      const watched = counting(await fresh.open());
      statements = watched.statements;
      const others = declarations.filter(({ name }) => name !== 'Language');
      fixture = await serveDeclarations(others, watched.database);
      const statuses: [path: string, code: string][] = [
        ['payment_statuses', 'Q'],
        ['shipping_statuses', 'N'],
      ];
      for (const [path, code] of statuses) {
        const { status, json } = await fixture.request('POST', `/api/${path}`, { code, name: `Status ${code}` });
        assert.equal(status, 201, JSON.stringify(json));
      }
      const items = [];
      for (let number = 0; number < 20; number += 1) {
        const product = { sku: `S${number}`, name: `Shirt ${number}`, inventory_traceable: false };
        const { json } = await fixture.request('POST', '/api/products', product);
        items.push({ product_id: json.id, amount: number + 1 });
      }
      const surcharges = [
        { type: 'shipping', value: 5 },
        { type: 'tax', value: 1, include: true },
      ];
      for (let number = 0; number < 30; number += 1) {
        const order = {
          email: `ann-${number}@example.com`,
          currency: 'USD',
          items: number === 0 ? items.slice(0, 1) : items,
          surcharges: number === 0 ? [] : surcharges,
          billing_address: { city: 'Rome', custom_fields: [{ name: 'Floor', value: '2' }] },
        };
        const { status, json } = await fixture.request('POST', '/api/orders', order);
        assert.equal(status, 201, JSON.stringify(json));
        if (number > 0)
          await fixture.request('POST', `/api/orders/${json.id}/tracking_numbers`, { value: `1Z ${number}` });
      }
    });
    after(async () => {
      await fixture.stop();
      await fresh.remove();
    });

    const costOf = async (path: string): Promise<number> => {
      statements.length = 0;
      assert.equal((await fixture.request('GET', path)).status, 200);
      return statements.length;
    };

    test('are at most two for any number of orders and items', async () => {
      await costOf('/api/orders');
      const costs: number[] = [];
      for (const query of ['id=1', 'itemsPerPage=1&page=2', 'itemsPerPage=10', 'itemsPerPage=30', 'sku=S5&total[gt]=1'])
        costs.push(await costOf(`/api/orders?${query}`));
      assert.equal(new Set(costs).size, 1, `lists cost ${costs.join(', ')} statements`);
      assert.ok(costs[0]! <= 2, `a list costs ${costs[0]} statements`);
      const { json } = await fixture.request('GET', '/api/orders?itemsPerPage=30');
      assert.deepEqual([json.length, json[0].items.length, json[29].items.length], [30, 1, 20]);
    });

    test('are at most three for an order and its items', async () => {
      for (const path of ['/api/orders/2', '/api/orders/2/items', '/api/orders/2/items?itemsPerPage=1'])
        assert.ok((await costOf(path)) <= 3, `${path} cost ${statements.length} statements`);
    });
  });
