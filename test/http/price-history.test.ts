/** Price histories and the lowest price of 30 days (pricing.md §6), with a clock that the tests set. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { productsPerUnit } from '../../src/domain/rules/pricing/price-history-retention.ts';
import { readAll } from '../../src/engine/operations/reads/list.ts';
import type { Value } from '../../src/engine/ports.ts';
import { lowestPriceOf30Days, type PriceChange } from '../../src/pricing/index.ts';
import { forgetFormerValues } from '../../src/store/former-values.ts';
import { priceHistoryRetention } from '../../src/wiring/price-history.ts';
import { type ClockedStore, clockedStore, type Output } from '../support/clocked-store.ts';
import { databaseNames } from '../support/databases.ts';
import { REQUEST_OPTIONS, withOverrides } from '../support/opened-store.ts';
import { randomFrom } from '../support/random.ts';

const DAY = 86_400;
const SETTINGS = { price_history_days: '400', price_reduction_start: 'each' };

/** Midnight of a day in 2030, in seconds since 1970. */
const on = (month: number, day: number): number => Date.UTC(2030, month - 1, day) / 1000;
const shown = (time: number): string => `${new Date(time * 1000).toISOString().slice(0, 19)}+00:00`;
const changes = (...all: readonly (readonly [number, number, number])[]): Output =>
  all.map(([time, price, regular_price]) => ({ date: shown(time), price, regular_price }));

const historyOf = (store: ClockedStore, path: string): Promise<Output> => store.send('GET', `${path}/price_history`);
const lowestOf = async (store: ClockedStore, path: string): Promise<number | null> =>
  (await store.send('GET', `${path}?fields=lowest_price_30_days`)).lowest_price_30_days;

/** Deletes expired values as the background job does. */
function expire({ service }: ClockedStore, retention = priceHistoryRetention(service)): Promise<void> {
  return forgetFormerValues(service, REQUEST_OPTIONS, retention, new AbortController().signal);
}

/** What is stored of earlier values of a product: the resources whose values these are. */
async function formerValuesOf(
  { service: { database, statements } }: ClockedStore,
  product: number,
): Promise<unknown[]> {
  const stored = sql`select resource from ${sql.table('product_former_value')} where product_id = ${sql.lit(product)}`;
  return (
    await database.query(
      statements.get(`former values of ${product}`, () => stored),
      {},
    )
  ).map(([each]) => each);
}

let products = 0;
async function newProduct(store: ClockedStore, fields: object = {}): Promise<{ id: number; path: string }> {
  products += 1;
  const body = { sku: `P-${products}`, name: `Product ${products}`, ...fields };
  const { id } = await store.send('POST', '/api/products', body);
  return { id, path: `/api/products/${id}` };
}

async function newDiscount(store: ClockedStore, fields: object): Promise<string> {
  const { id } = await store.send('POST', '/api/sale_discounts', { name: 'Sale', ...fields });
  return `/api/sale_discounts/${id}`;
}

async function newVariant(store: ClockedStore, path: string, fields: object): Promise<string> {
  const attribute = await store.send('POST', `${path}/attributes_select`, { name: `Attribute of ${path}` });
  const option = await store.send('POST', `${path}/attributes_select/${attribute.id}/options`, { value: 'Large' });
  const values = `${path}/attributes_select/${attribute.id}/values`;
  const value = await store.send('POST', values, { option_id: option.id });
  const body = { attribute_select_values: [value.id], ...fields };
  return `${path}/variants/${(await store.send('POST', `${path}/variants`, body)).id}`;
}

for (const name of databaseNames)
  describe(`price history (${name})`, () => {
    let store: ClockedStore;
    before(async () => {
      store = await clockedStore(name, on(1, 1));
    });
    after(() => store.remove());
    const at = (time: number): void => {
      store.now = time;
      store.set(SETTINGS);
    };

    test('has each change, and the lowest price of 30 days (example 10)', async () => {
      at(on(1, 1));
      const { id, path } = await newProduct(store, { price: 100 });
      at(on(3, 1));
      await store.send('PATCH', path, { price: 90 });
      at(on(3, 10));
      await store.send('PATCH', path, { price: 100 });
      const sale = await newDiscount(store, {
        ...{ value: 20, specific_products: true, products: [id], date_range_begin: shown(on(3, 20)) },
      });
      assert.equal(await lowestOf(store, path), 90);
      at(on(3, 21));
      const early = [[on(3, 20), 80, 100] as const, [on(3, 10), 100, 100] as const, [on(3, 1), 90, 90] as const];
      assert.deepEqual(await historyOf(store, path), changes(...early, [on(1, 1), 100, 100]));
      assert.equal(await lowestOf(store, path), 90);
      at(on(3, 25));
      await store.send('PATCH', sale, { value: 30 });
      assert.equal(await lowestOf(store, path), 80);
      store.set({ price_reduction_start: 'first' });
      assert.equal(await lowestOf(store, path), 90);
      at(on(3, 26));
      await store.send('DELETE', sale);
      const late = [[on(3, 26), 100, 100] as const, [on(3, 25), 70, 100] as const];
      assert.deepEqual(await historyOf(store, path), changes(...late, ...early, [on(1, 1), 100, 100]));
    });

    test('is that of the variant below variants, and both have the field in lists', async () => {
      at(on(4, 1));
      const { id, path } = await newProduct(store, { price: 10 });
      at(on(4, 2));
      const variant = await newVariant(store, path, { price: 20 });
      at(on(4, 3));
      await store.send('PATCH', path, { price: 9, participate_sale: true, sale_price_value: 50 });
      at(on(4, 4));
      await store.send('PATCH', variant, { sale_price_value: 25, sale_discount_type: 'sale_percent' });
      assert.deepEqual(await historyOf(store, path), changes([on(4, 3), 4.5, 9], [on(4, 1), 10, 10]));
      const own = changes([on(4, 4), 15, 20], [on(4, 3), 10, 20], [on(4, 2), 20, 20]);
      assert.deepEqual(await historyOf(store, variant), own);
      const list = await store.send('GET', `/api/products?id=${id}&fields=id,lowest_price_30_days`);
      assert.deepEqual(list, [{ id, lowest_price_30_days: 10 }]);
      const variants = await store.send('GET', `${path}/variants?fields=lowest_price_30_days`);
      assert.deepEqual(variants, [{ lowest_price_30_days: 20 }]);
      assert.ok(!('lowest_price_30_days' in (await store.send('GET', path))));
    });

    test('follows the category tree and product classes, and ends with the product', async () => {
      at(on(5, 1));
      const [top, below, other] = await Promise.all(
        ['Top', 'Below', 'Other'].map(
          async (title) => (await store.send('POST', '/api/categories', { name: title })).id,
        ),
      );
      await store.send('PUT', `/api/categories/${below}/move`, { parent: top });
      const { id: product_class } = await store.send('POST', '/api/product_classes', { name: 'Class' });
      await newDiscount(store, { value: 10, categories: [top, other] });
      const { id: ofClass } = await store.send('POST', '/api/product_classes', { name: 'Kept' });
      await newDiscount(store, { value: 20, product_classes: [product_class, ofClass] });
      const { id, path } = await newProduct(store, { price: 100 });
      at(on(5, 2));
      await store.send('POST', `/api/categories/${below}/products`, { product_id: id });
      at(on(5, 3));
      await store.send('PUT', `/api/categories/${below}/move`, { parent: null });
      at(on(5, 4));
      await store.send('PATCH', path, { product_class });
      at(on(5, 5));
      await store.send('DELETE', `/api/product_classes/${product_class}`);
      at(on(5, 6));
      await store.send('PUT', `/api/categories/${below}/move`, { parent: top });
      at(on(5, 7));
      await store.send('DELETE', `/api/categories/${top}`);
      const all = [
        ...([
          [on(5, 7), 100, 100],
          [on(5, 6), 90, 100],
          [on(5, 5), 100, 100],
          [on(5, 4), 80, 100],
        ] as const),
        ...([
          [on(5, 3), 100, 100],
          [on(5, 2), 90, 100],
          [on(5, 1), 100, 100],
        ] as const),
      ];
      assert.deepEqual(await historyOf(store, path), changes(...all));
      await store.send('DELETE', path);
      await store.send('GET', `${path}/price_history`, undefined, 404);
      assert.deepEqual(await formerValuesOf(store, id), []);
    });

    test('is retained for PRICE_HISTORY_DAYS, plus the newest older change', async () => {
      at(on(6, 1));
      const { id, path } = await newProduct(store, { price: 10 });
      const { path: sold } = await newProduct(store, { price: 10 });
      const variant = await newVariant(store, path, { price: 20 });
      const sale = await newDiscount(store, { value: 50, specific_products: true, products: [id] });
      at(on(6, 2));
      await store.send('PATCH', sale, { value: 40 });
      at(on(6, 3));
      await store.send('DELETE', sale);
      at(on(6, 4));
      await store.send('PATCH', path, { price: 12 });
      const { id: product_class } = await store.send('POST', '/api/product_classes', { name: 'Late' });
      at(on(6, 5));
      await store.send('PATCH', path, { product_class });
      at(on(6, 3) + 400 * DAY);
      const expected = changes([on(6, 4), 12, 12], [on(6, 3), 10, 10], [on(6, 2), 6, 10]);
      const ofVariant = changes([on(6, 3), 20, 20], [on(6, 2), 12, 20]);
      for (const days of [0, 1, 2, 100]) {
        at(on(6, 3) + (400 + days) * DAY);
        for (const isExpired of [false, true]) {
          if (isExpired) await expire(store);
          assert.deepEqual(await historyOf(store, path), expected.slice(0, days === 0 ? 3 : days === 1 ? 2 : 1));
          assert.deepEqual(await historyOf(store, variant), ofVariant.slice(0, days === 0 ? 2 : 1));
          assert.deepEqual(await historyOf(store, sold), changes([on(6, 1), 10, 10]));
        }
      }
      assert.deepEqual(new Set(await formerValuesOf(store, id)), new Set(['PriceChange']));
    });

    test('stores only the products by which the list of a discount changes', async () => {
      at(on(7, 1));
      const ids: number[] = [];
      for (let count = 0; count < 3; count += 1) ids.push((await newProduct(store, { price: 10 })).id);
      const [listed, added, unlisted] = ids as [number, number, number];
      const sale = await newDiscount(store, { value: 50, specific_products: true, products: [listed] });
      const rows = (table: string): Promise<unknown[]> =>
        store.service.database.query(
          store.service.statements.get(`all ${table}`, () => sql`select id from ${sql.table(table)}`),
          {},
        );
      const rules = (await rows('rule_former_value')).length;
      at(on(7, 2));
      await store.send('PATCH', sale, { products: [listed, added] });
      assert.deepEqual(await Promise.all(ids.map((id) => formerValuesOf(store, id))), [[], ['SaleDiscount'], []]);
      assert.equal((await rows('rule_former_value')).length, rules);
      at(on(7, 3));
      await store.send('DELETE', sale);
      const history = (id: number): Promise<Output> => historyOf(store, `/api/products/${id}`);
      assert.deepEqual(await history(listed), changes([on(7, 3), 10, 10], [on(7, 1), 5, 10]));
      assert.deepEqual(await history(added), changes([on(7, 3), 10, 10], [on(7, 2), 5, 10], [on(7, 1), 10, 10]));
      assert.deepEqual(await history(unlisted), changes([on(7, 1), 10, 10]));
      assert.deepEqual(await formerValuesOf(store, unlisted), []);
    });

    test('replaces values of only those products that depend on expired rules', async () => {
      at(on(7, 10));
      const { id: category } = await store.send('POST', '/api/categories', { name: 'Reduced' });
      const sale = await newDiscount(store, { value: 50, categories: [category] });
      const [linked, other] = [await newProduct(store, { price: 10 }), await newProduct(store, { price: 10 })];
      at(on(7, 11));
      await store.send('POST', `/api/categories/${category}/products`, { product_id: linked.id });
      at(on(7, 12));
      await store.send('DELETE', sale);
      at(on(7, 12) + (400 + 31) * DAY);
      const expected = changes([on(7, 12), 10, 10]);
      assert.deepEqual(await historyOf(store, linked.path), expected);
      const replaced: Value[] = [];
      const retention = priceHistoryRetention(store.service);
      await expire(store, {
        ...retention,
        expire(unit, ids, expiry) {
          replaced.push(...ids);
          return retention.expire(unit, ids, expiry);
        },
      });
      assert.deepEqual(
        [linked.id, other.id].map((id) => replaced.includes(id)),
        [true, false],
      );
      assert.deepEqual(await formerValuesOf(store, linked.id), ['PriceChange']);
      assert.deepEqual(await formerValuesOf(store, other.id), []);
      assert.deepEqual(await historyOf(store, linked.path), expected);
    });

    test('takes as many statements for a page as for one product', async () => {
      at(on(8, 1));
      const statements: string[] = [];
      const { database } = store.service;
      const query: typeof database.query = (statement, values) => {
        statements.push(statement.sql);
        return database.query(statement, values);
      };
      const service = { ...store.service, database: withOverrides(database, { query }) };
      const route = service.model.resources.get('Product')!.routes[0]!;
      const fields = [route.resource.fields.get('lowest_price_30_days')!];
      const counted = async (ids: number[]): Promise<number> => {
        statements.length = 0;
        await readAll(service, REQUEST_OPTIONS, { route, parents: [], fields }, ids);
        return statements.length;
      };
      const ids: number[] = [];
      for (let index = 0; index < 5; index += 1) ids.push((await newProduct(store, { price: index })).id);
      assert.equal(await counted(ids), await counted(ids.slice(0, 1)));
      assert.notEqual(statements.length, 0);
      const readTexts = statements.filter((statement) => statement.includes('_text"'));
      assert.deepEqual(readTexts, [], 'reads no translated texts');
    });

    for (const seed of [1, 2])
      test(`equals the prices at each time after random writes (seed ${seed})`, async () => {
        const random = randomFrom(seed);
        const days = 90;
        const first = on(9, 1) + seed * 1000 * DAY;
        at(first);
        store.set({ price_history_days: String(RANDOM_DAYS) });
        const writer = await RandomWriter.create(store, random, first, days);
        const seen = new Map<string, PriceChange[]>(writer.paths.map((path) => [path, []]));
        for (let day = 0; day < days; day += 1) {
          store.now = first + day * DAY;
          if (day > 0) await writer.write();
          for (const [path, known] of seen) {
            const { price, regular_price } = await store.send('GET', `${path}/price`);
            const last = known.at(-1);
            if (last?.price !== price || last?.regular_price !== regular_price)
              known.push({ time: store.now, price, regular_price });
          }
          if (day % 9 === 8) await expire(store);
          if (day % 5 === 4) for (const [path, known] of seen) await assertHistory(store, path, known);
        }
      });
  });

test('values of at most 200 products and variants are replaced in one unit', async () => {
  const variants = { 1: 99, 2: 99, 3: 1, 4: 500, 5: 0 };
  const list = async () =>
    Object.entries(variants).flatMap(([id, count]) =>
      Array.from({ length: count }, (_, variant) => ({ id: variant, product_id: Number(id) })),
    );
  const units = await productsPerUnit({ list } as unknown as Parameters<typeof productsPerUnit>[0], [1, 2, 3, 4, 5]);
  assert.deepEqual(units, [[1, 2], [3], [4], [5]]);
});

/** The shortest retention, so that values expire during the test. */
const RANDOM_DAYS = 31;

async function assertHistory(store: ClockedStore, path: string, all: readonly PriceChange[]): Promise<void> {
  const begin = store.now - RANDOM_DAYS * DAY;
  const known = all.slice(
    Math.max(
      0,
      all.findLastIndex(({ time }) => time < begin),
    ),
  );
  const expected = known.map(({ time, ...prices }) => ({ date: shown(time), ...prices })).reverse();
  assert.deepEqual(await historyOf(store, path), expected, path);
  for (const start of ['each', 'first'] as const) {
    store.set({ price_reduction_start: start });
    assert.equal(await lowestOf(store, path), lowestPriceOf30Days(known, store.now, start), `${path}, ${start}`);
  }
}

/** Writes random changes of all records that prices depend on. */
class RandomWriter {
  readonly paths: string[] = [];
  readonly #store: ClockedStore;
  readonly #random: () => number;
  readonly #dates: (string | null)[];
  readonly #products: number[] = [];
  #variants: string[] = [];
  #categories: number[] = [];
  #classes: number[] = [];
  #discounts: string[] = [];

  private constructor(store: ClockedStore, random: () => number, dates: (string | null)[]) {
    this.#store = store;
    this.#random = random;
    this.#dates = dates;
  }

  static async create(store: ClockedStore, random: () => number, first: number, days: number): Promise<RandomWriter> {
    const dates = Array.from({ length: days }, (_, day) => shown(first + day * DAY));
    const writer = new RandomWriter(store, random, [null, null, ...dates]);
    for (let count = 0; count < 3; count += 1) {
      const { id, path } = await newProduct(store, { price: 100 * (count + 1) });
      writer.#products.push(id);
      const variant = await newVariant(store, path, count === 0 ? {} : { price: 55 });
      writer.#variants.push(variant);
      writer.paths.push(path, variant);
    }
    for (let count = 0; count < 4; count += 1) await writer.#newCategory();
    for (let count = 0; count < 2; count += 1) await writer.#newClass();
    return writer;
  }

  write(): Promise<void> {
    const writes = [
      () => this.#patchProduct(),
      () => this.#patchVariant(),
      () => this.#link(),
      () => this.#moveCategory(),
      () => this.#discount(),
      () => this.#discount(),
      () => this.#patchDiscount(),
      () => this.#remove(),
      async () => {},
    ];
    return this.#one(writes)();
  }

  #one<T>(all: readonly T[]): T {
    return all[Math.floor(this.#random() * all.length)]!;
  }

  #some<T>(all: readonly T[]): T[] {
    return all.filter(() => this.#random() < 0.4);
  }

  async #newCategory(): Promise<void> {
    const parent = this.#random() < 0.5 && this.#categories.length > 0 ? this.#one(this.#categories) : null;
    this.#categories.push((await this.#store.send('POST', '/api/categories', { name: 'Category', parent })).id);
  }

  async #newClass(): Promise<void> {
    products += 1;
    this.#classes.push((await this.#store.send('POST', '/api/product_classes', { name: `Class ${products}` })).id);
  }

  async #patchProduct(): Promise<void> {
    await this.#store.send('PATCH', `/api/products/${this.#one(this.#products)}`, {
      price: this.#one([100, 120, 150]),
      participate_sale: this.#random() < 0.3,
      sale_price_value: this.#one([10, 25]),
      discount_type: this.#one(['sale_price', 'sale_percent']),
    });
    // Changing the class of a product with variants is restricted.
  }

  async #patchVariant(): Promise<void> {
    const price = this.#one([{ default_price: true }, { default_price: false, price: this.#one([80, 90]) }]);
    const sale = this.#one([{ default_sale_price: true }, { default_sale_price: false, sale_price_value: 33 }]);
    const body = { ...price, ...sale, ...('sale_price_value' in sale ? { sale_discount_type: 'sale_percent' } : {}) };
    await this.#store.send('PATCH', this.#one(this.#variants), body);
  }

  async #link(): Promise<void> {
    if (this.#categories.length === 0) return this.#newCategory();
    const product_id = this.#one(this.#products);
    const path = `/api/categories/${this.#one(this.#categories)}/products`;
    const linked = (await this.#store.send('GET', path)) as { product_id: number }[];
    if (linked.some((link) => link.product_id === product_id))
      await this.#store.send('DELETE', `${path}/${product_id}`);
    else await this.#store.send('POST', path, { product_id });
  }

  async #moveCategory(): Promise<void> {
    if (this.#categories.length < 3) return this.#newCategory();
    const [id, parent] = [this.#one(this.#categories), this.#one([null, ...this.#categories])];
    const { path } = parent === null ? { path: [] } : await this.#store.send('GET', `/api/categories/${parent}`);
    if ((path as { id: number }[]).some((each) => each.id === id)) return;
    await this.#store.send('PUT', `/api/categories/${id}/move`, { parent });
  }

  #discountFields(): object {
    const [begin, end] = [this.#one(this.#dates), this.#one(this.#dates)];
    const isRange = begin === null || end === null || begin < end;
    return {
      ...{ enabled: this.#random() < 0.9, value: this.#one([5, 15, 40]) },
      ...{ date_range_begin: begin, date_range_end: isRange ? end : null },
      ...{ specific_products: this.#random() < 0.4, products: this.#some(this.#products) },
      ...{ product_classes: this.#some(this.#classes.slice(0, 1)), categories: this.#some(this.#categories) },
    };
  }

  async #discount(): Promise<void> {
    if (this.#discounts.length > 4) return this.#patchDiscount();
    this.#discounts.push(await newDiscount(this.#store, this.#discountFields()));
  }

  async #patchDiscount(): Promise<void> {
    if (this.#discounts.length > 0) await this.#store.send('PATCH', this.#one(this.#discounts), this.#discountFields());
  }

  async #remove(): Promise<void> {
    if (this.#random() < 0.6 && this.#discounts.length > 0) {
      const path = this.#one(this.#discounts);
      this.#discounts = this.#discounts.filter((each) => each !== path);
      await this.#store.send('DELETE', path);
      return;
    }
    const [id] = this.#categories;
    if (id === undefined) return;
    // A category that is the last element of a restriction list cannot be deleted.
    for (const path of this.#discounts) await this.#store.send('PATCH', path, { categories: [] });
    await this.#store.send('DELETE', `/api/categories/${id}`);
    const left = (await this.#store.send('GET', '/api/categories?parent=all&itemsPerPage=100')) as { id: number }[];
    this.#categories = this.#categories.filter((each) => left.some((category) => category.id === each));
  }
}
