/**
 * The search of shoppers (storefront.md §2): in random stores and with random filters, each count of a facet equals the total of the
 * list with that value, for guests and for members. What a shopper cannot see changes no count and is no value of a facet.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { SearchGivenUp } from '../../src/engine/index.ts';
import type { Service } from '../../src/engine/unit/service.ts';
import { digestOf } from '../../src/store/keys.ts';
import { Random } from '../../torture/random.ts';
import { databaseNames } from '../support/databases.ts';
import { INJECT_KEY, serverOf } from '../support/injected-server.ts';
import { changed, made, type OpenedStore, openedStore, removed } from '../support/opened-store.ts';
import { rounds } from '../support/rounds.ts';

const SHOP_KEY = 'pv_pk_of-the-search-tests';
const KEYS = [
  { name: 'tests', kind: 'read-write', digest: digestOf(INJECT_KEY) },
  { name: 'shop', kind: 'publishable', digest: digestOf(SHOP_KEY) },
];

/** Small, so that facets have more values. */
const LIMIT = 2;
const ROUNDS = rounds(4, 100);

interface Product {
  readonly id: number;
  readonly price: number;
  /** Null: none. */
  readonly memberPrice: number | null;
  readonly enabled: boolean;
  readonly isForMembers: boolean;
  readonly tags: readonly number[];
  readonly categories: readonly number[];
  /** Options by attribute. */
  readonly options: ReadonlyMap<number, readonly number[]>;
  readonly variants: ReadonlyMap<number, readonly number[]>;
}

interface Viewer {
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly sees: (product: Product) => boolean;
  readonly priceOf: (product: Product) => number;
  readonly categories: ReadonlySet<number>;
}

interface Ranged {
  readonly min: number | null;
  readonly max: number | null;
  readonly ranges: readonly { from: number | null; to: number | null; count: number }[];
}

interface Counted {
  readonly values: readonly { id: number; name: string; count: number; selected: boolean }[];
  readonly more: boolean;
}

for (const database of databaseNames)
  describe(`the search of shoppers (${database})`, { timeout: 300_000 }, () => {
    let opened: OpenedStore;
    let service: Service;
    let app: FastifyInstance;
    const random = new Random(28);
    const products: Product[] = [];
    const tags = new Map<number, string>();
    const categories: number[] = [];
    /** Options by attribute. */
    const attributes = new Map<number, number[]>();
    const viewers: Viewer[] = [];
    let gold: number;
    const some = <T>(of: readonly T[], probability: number): T[] => of.filter(() => random.chance(probability));
    const idOf = async (...of: Parameters<typeof made> extends [unknown, ...infer Rest] ? Rest : never) =>
      (await made(service, ...of)).record.id as number;

    const get = (path: string, { query, headers }: Viewer) =>
      app.inject({
        url: `/storefront/${path}${path.includes('?') ? '&' : '?'}${query}`,
        headers: { 'x-auth-token': SHOP_KEY, ...headers },
      });
    const found = async (path: string, viewer: Viewer) => {
      const response = await get(path, viewer);
      assert.equal(response.statusCode, 200, `${path}: ${response.body}`);
      return response;
    };

    const addProduct = async (): Promise<void> => {
      const [enabled, isForMembers] = [random.chance(0.8), random.chance(0.3)];
      const price = random.whole(0, 30);
      const memberPrice = random.chance(0.5) ? random.whole(0, price) : null;
      const ofProduct = some([...tags.keys()], 0.3);
      const id = await idOf('Product', {
        sku: `S${random.whole(0, 1e9)}`,
        name: random.pick(['Blue mug', 'Red mug', 'Shirt']),
        price,
        ...{ enabled, memberships: isForMembers ? [{ id: gold }] : [] },
        tags: ofProduct.map((tag) => ({ id: tag })),
      });
      const wholesale = { price: memberPrice, membership: gold, quantity_range_begin: 1 };
      if (memberPrice !== null) await made(service, 'WholesalePrice', wholesale, [id]);
      const options = new Map<number, number[]>();
      const variants = new Map<number, number[]>();
      for (const [attribute, all] of attributes) {
        const own = some(all, 0.4);
        const path = '/products/{product_id}/attributes_select/{attribute_id}/values';
        const values: number[] = [];
        for (const option_id of own)
          values.push(await idOf('AttributeValueSelect', { option_id }, [id, attribute], path));
        options.set(attribute, own);
        // All variants of a product have values of the same attributes.
        if (options.size < attributes.size) continue;
        const ofVariants = some(own, 0.5);
        for (const option of ofVariants)
          await made(service, 'Variant', { attribute_select_values: [values[own.indexOf(option)]!] }, [id]);
        variants.set(attribute, ofVariants);
      }
      const linked = some(categories, 0.4);
      for (const category of linked) await made(service, 'CategoryProduct', { product_id: id }, [category]);
      products.push({
        id,
        price,
        memberPrice,
        enabled,
        isForMembers,
        tags: ofProduct,
        categories: linked,
        options,
        variants,
      });
    };

    before(async () => {
      opened = await openedStore(database);
      service = opened.service;
      app = await serverOf(service, {}, undefined, undefined, { keys: KEYS as never });
      gold = await idOf('Membership', { name: 'Gold' });
      for (let index = 0; index < 4; index += 1) {
        const name = `Tag ${index}`;
        tags.set(await idOf('Tag', { name }), name);
      }
      const category = (name: string, more: object = {}) => idOf('Category', { name, ...more });
      const open = await category('Open');
      const disabled = await category('Secret', { enabled: false });
      const below = await category('Below secret', { parent: disabled });
      const members = await category('Members', { memberships: [{ id: gold }] });
      const inner = await category('Inner', { parent: members });
      categories.push(open, disabled, below, members, inner, await category('Mugs', { parent: open }));
      for (let index = 0; index < 2; index += 1) {
        const attribute = await idOf('Attribute', { name: `Attribute ${index}` }, [], '/attributes_select');
        const options: number[] = [];
        const path = '/attributes_select/{attribute_id}/options';
        for (let at = 0; at < 4; at += 1)
          options.push(await idOf('AttributeOption', { value: `Option ${at}` }, [attribute], path));
        attributes.set(attribute, options);
      }
      for (let index = 0; index < 20; index += 1) await addProduct();
      const login = { login: 'ada@example.com', password: 'correct horse battery' };
      await made(service, 'Profile', { ...login, membership_id: gold });
      const session = await app.inject({
        ...{ method: 'POST', url: '/storefront/session', payload: login },
        headers: { 'x-auth-token': SHOP_KEY },
      });
      assert.equal(session.statusCode, 200, session.body);
      const forAll = new Set([open, categories.at(-1)!]);
      viewers.push(
        {
          query: '',
          headers: {},
          categories: forAll,
          sees: (each) => each.enabled && !each.isForMembers,
          priceOf: ({ price }) => price,
        },
        {
          query: 'for=me',
          headers: { authorization: `Bearer ${session.json().token}` },
          categories: new Set([...forAll, members, inner]),
          sees: ({ enabled }) => enabled,
          priceOf: ({ price, memberPrice }) => memberPrice ?? price,
        },
      );
    });
    after(async () => {
      await app?.close();
      await opened?.remove();
    });

    /** The identifiers that values of a facet can have, and those that a product has. */
    const valuesOf = (facet: string): [all: readonly number[], of: (product: Product) => readonly number[]] => {
      if (facet === 'tags') return [[...tags.keys()], (product) => product.tags];
      if (facet === 'category') return [categories, (product) => product.categories];
      const [kind, key] = facet.split('.') as [string, string];
      const options = kind === 'attributes' ? 'options' : 'variants';
      return [attributes.get(Number(key))!, (product) => product[options].get(Number(key)) ?? []];
    };
    const parameterOf = (facet: string): string => (facet === 'category' ? 'category_ids' : facet);
    const selecting = (facet: string, ids: readonly number[]): string => {
      const written = ids.map((id) => (facet === 'tags' ? tags.get(id)! : id));
      if (written.length === 1) return `${parameterOf(facet)}=${written[0]}`;
      return written.map((each) => `${parameterOf(facet)}[]=${each}`).join('&');
    };
    const facetNames = (): string[] => [
      ...['category', 'tags'],
      ...[...attributes.keys()].flatMap((id) => [`attributes.${id}`, `variants.${id}`]),
    ];

    const RANGES = ['..10', '5..15', '10..'];
    const boundsOf = (from: number | null, to: number | null): string =>
      [...(from === null ? [] : [`price[gte]=${from}`]), ...(to === null ? [] : [`price[lt]=${to}`])].join('&');

    /** Compares the counts of prices with lists. @param rest all filters except those on the price */
    async function comparePrices(viewer: Viewer, { min, max, ranges }: Ranged, rest: string): Promise<void> {
      for (const { from, to, count } of ranges) {
        const listed = await found(`products?${rest}&${boundsOf(from, to)}&itemsPerPage=1&fields=id`, viewer);
        assert.equal(count, Number(listed.headers['x-total-count']), `${rest}: ${from}..${to}`);
      }
      const unsorted = rest.replace('order[name]=desc', '').replace('order[price]=desc', '');
      const priced = products.filter(viewer.sees);
      for (const [end, direction] of [
        [min, 'asc'],
        [max, 'desc'],
      ] as const) {
        const path = `products?${unsorted}&order[price]=${direction}&fields=id&itemsPerPage=1`;
        const [first] = (await found(path, viewer)).json() as { id: number }[];
        const product = priced.find(({ id }) => id === first?.id);
        assert.equal(end, product ? viewer.priceOf(product) : null, path);
      }
    }

    async function compare(
      viewer: Viewer,
      selections: ReadonlyMap<string, readonly number[]>,
      prices: string,
      others: readonly string[],
    ) {
      const facets = facetNames();
      const filters = new Map([...selections].map(([facet, ids]) => [facet, selecting(facet, ids)]));
      const query = [...filters.values(), prices, ...others].join('&');
      const asked = `price:${RANGES.join('|')},${facets.join()}`;
      const path = `products/search?${query}&facets=${asked}&facets.limit=${LIMIT}`;
      const [response, list] = [await found(path, viewer), await found(`products?${query}`, viewer)];
      const body = response.json();
      assert.deepEqual(body.products, list.json(), path);
      for (const name of ['x-total-count', 'cache-control', 'vary'])
        assert.equal(response.headers[name], list.headers[name], `${path}: ${name}`);
      assert.deepEqual(Object.keys(body.facets), ['price', ...facets]);
      await comparePrices(viewer, body.facets.price, [...filters.values(), ...others].join('&'));
      const visible = products.filter(viewer.sees);
      for (const facet of facets) {
        const [all, of] = valuesOf(facet);
        const rest = [...[...filters].flatMap(([own, each]) => (own === facet ? [] : each)), prices, ...others].join(
          '&',
        );
        const sizes = new Map<number, number>();
        for (const id of all) {
          const listed = await found(`products?${rest}&${selecting(facet, [id])}&itemsPerPage=1&fields=id`, viewer);
          sizes.set(id, Number(listed.headers['x-total-count']));
        }
        const isShown = (id: number): boolean =>
          facet === 'category' ? viewer.categories.has(id) : visible.some((product) => of(product).includes(id));
        for (const id of all) assert.ok(isShown(id) || sizes.get(id) === 0, `${path}: ${facet} ${id}`);
        const order = (a: number, b: number): number => sizes.get(b)! - sizes.get(a)! || a - b;
        const ordered = all.filter((id) => sizes.get(id)! > 0).sort(order);
        const selected = (selections.get(facet) ?? []).filter(isShown);
        const first = ordered.slice(0, LIMIT);
        const late = selected.filter((id) => !first.includes(id)).sort(order);
        const { values, more } = body.facets[facet] as Counted;
        assert.deepEqual(
          values.map(({ id, count, selected: isSelected }) => [id, count, isSelected]),
          [...first, ...late].map((id) => [id, sizes.get(id), selected.includes(id)]),
          `${path}: ${facet}`,
        );
        const isMore = ordered.some((id) => !first.includes(id) && !selected.includes(id));
        assert.equal(more, isMore, `${path}: ${facet}`);
      }
    }

    test('counts equal totals of lists, for guests and members', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        if (random.chance(0.3)) await addProduct();
        const selections = new Map(
          some(facetNames(), 0.3).map((facet) => [
            facet,
            [...new Set([0, 1].map(() => random.pick(valuesOf(facet)[0])))],
          ]),
        );
        const prices = random.chance(0.5) ? random.pick(['price[gte]=5', 'price[lt]=20', 'price[between]=3..12']) : '';
        const others = some(['name=mug', 'search=mug', 'order[name]=desc', 'order[price]=desc'], 0.25);
        for (const viewer of viewers) await compare(viewer, selections, prices, others);
      }
    });

    test('counts and totals are those of visible products only', async () => {
      for (const viewer of viewers) {
        const visible = products.filter(viewer.sees);
        const response = await found('products/search?facets=tags,category&search=mug shirt&itemsPerPage=1', viewer);
        assert.deepEqual([response.json().products, response.json().search], [[], { corrected: {} }]);
        const all = (await found('products/search?facets=tags,category&fields=id&itemsPerPage=1', viewer)).json();
        for (const facet of ['tags', 'category']) {
          const [ids, of] = valuesOf(facet);
          const sizes = ids
            .map((id) => [id, visible.filter((product) => of(product).includes(id)).length] as const)
            .filter(([id, size]) => size > 0 && (facet === 'tags' || viewer.categories.has(id)));
          const sorted = sizes.toSorted(([a, one], [b, other]) => other - one || a - b);
          assert.deepEqual(
            all.facets[facet].values.map(({ id, count }: { id: number; count: number }) => [id, count]),
            sorted,
            facet,
          );
        }
      }
    });

    test('filters and sorts by the price of the shopper', async () => {
      for (const viewer of viewers) {
        const prices = products.filter(viewer.sees).map((product) => [viewer.priceOf(product), product.id] as const);
        const sorted = prices.filter(([price]) => price > 5 && price <= 20).sort(([a, x], [b, y]) => b - a || x - y);
        const path = 'products?price[gt]=5&price[lte]=20&order[price]=desc&fields=id';
        const all = sorted.map(([, id]) => ({ id }));
        assert.deepEqual((await found(`${path}&itemsPerPage=100`, viewer)).json(), all);
        const second = await found(`${path}&itemsPerPage=2&page=2`, viewer);
        assert.deepEqual(second.json(), all.slice(2, 4));
        assert.equal(second.headers['x-total-count'], String(all.length));
      }
    });

    test('a list sorted by price is read once, and follows changes and discounts that begin', async (t) => {
      const snapshot = t.mock.method(service.database, 'snapshot');
      let now = service.clock.now();
      const server = await serverOf(
        { ...service, clock: { ...service.clock, now: () => now } },
        {},
        undefined,
        undefined,
        {
          keys: KEYS as never,
        },
      );
      t.after(() => server.close());
      const idsAt = async (query: string): Promise<[number[], string]> => {
        const url = `/storefront/products?order[price]=desc&fields=id&${query}`;
        const { statusCode, body, headers } = await server.inject({ url, headers: { 'x-auth-token': SHOP_KEY } });
        assert.equal(statusCode, 200, body);
        return [JSON.parse(body).map(({ id }: { id: number }) => id), String(headers['cache-control'])];
      };
      const [all, caching] = await idsAt('itemsPerPage=100');
      assert.equal(caching, 'public, max-age=60, stale-while-revalidate=30');
      const reads = snapshot.mock.callCount();
      const last = all.at(-1)!;
      await changed(service, 'Product', last, { price: 1000 });
      assert.deepEqual((await idsAt('itemsPerPage=2'))[0], [last, all[0]]);
      assert.equal(snapshot.mock.callCount(), reads);
      const sale = { name: 'Sale', value: 99.99, specific_products: true, products: [last] };
      const date_range_begin = new Date((now + 40) * 1000).toISOString();
      const { record } = await made(service, 'SaleDiscount', { ...sale, date_range_begin });
      const [begun, until] = await idsAt('itemsPerPage=3');
      assert.deepEqual([begun[0], until], [last, 'public, max-age=39, stale-while-revalidate=0']);
      now += 41;
      assert.notEqual((await idsAt('itemsPerPage=3'))[0][0], last);
      await removed(service, 'SaleDiscount', record.id as number);
      assert.equal((await idsAt('itemsPerPage=3'))[0][0], last);
    });

    test('lists and counts of prices that take too long are a 503', async (t) => {
      t.mock.method(service.database, 'snapshot', async () => {
        throw new SearchGivenUp('A list was not read.');
      });
      for (const path of ['products?order[price]=asc&price[gt]=0.5', 'products/search?facets=price:1..2'])
        for (const viewer of viewers) {
          const { statusCode, headers } = await get(path, viewer);
          const caching = headers['cache-control'];
          assert.deepEqual([statusCode, headers['retry-after'], caching], [503, '10', 'private, no-store'], path);
        }
    });

    test('a tag or an option of hidden products only is no value, even if a filter names it', async () => {
      const tag = await idOf('Tag', { name: 'LEAK' });
      const [attribute] = attributes.keys();
      const path = '/attributes_select/{attribute_id}/options';
      const option_id = await idOf('AttributeOption', { value: 'LEAK' }, [attribute!], path);
      const hidden = products.find(({ enabled }) => !enabled)!;
      const before = await Promise.all(viewers.map((viewer) => found('products/search?facets=tags', viewer)));
      await changed(service, 'Product', hidden.id, { tags: [{ id: tag }], description: 'LEAK' });
      const values = '/products/{product_id}/attributes_select/{attribute_id}/values';
      await made(service, 'AttributeValueSelect', { option_id }, [hidden.id, attribute!], values);
      const secret = await idOf('Attribute', { name: 'Supplier' }, [], '/attributes_hidden');
      const supplier = await idOf('AttributeOption', { value: 'LEAK' }, [secret], path.replace('select', 'hidden'));
      const shown = products.find(({ enabled, isForMembers }) => enabled && !isForMembers)!;
      const hiddenValues = values.replace('select', 'hidden');
      await made(service, 'AttributeValueHidden', { option_id: supplier }, [shown.id, secret], hiddenValues);
      for (const [index, viewer] of viewers.entries()) {
        const unchanged = await found('products/search?facets=tags', viewer);
        assert.deepEqual(unchanged.json(), before[index]!.json());
        assert.equal(unchanged.headers.etag, before[index]!.headers.etag);
        const ofSupplier = `attributes.${secret}=${supplier}&facets.limit=5`;
        for (const query of ['tags=LEAK', `attributes.${attribute}=${option_id}`, 'search=LEAK', ofSupplier]) {
          const facets = `facets=tags,category,attributes.${attribute},variants.${attribute},attributes.${secret}`;
          const { body, headers } = await found(`products/search?${query}&${facets}`, viewer);
          assert.equal(headers['x-total-count'], '0', query);
          assert.doesNotMatch(body, /LEAK|Secret/, query);
        }
      }
    });

    test('rejects what shoppers cannot count or filter by', async () => {
      const [guest] = viewers as [Viewer];
      for (const [query, detail] of [
        ['facets=product_class', /Unknown facet "product_class".*category/],
        ['facets=category_ids', /Unknown facet/],
        ['facets=tags,tags', /more than once/],
        ['facets.limit=101', /from 1 to 100/],
        ['facets=tags&highlight=name', /Unknown parameter/],
        ['cursor=x', /Unknown parameter/],
        ['attributes=5', /id of an attribute/],
        ['enabled=false', /Unknown parameter/],
        ['price=5', /Unknown parameter "price"\. .*price\[gt\]/],
        ['price[gt]=x', /"price\[gt\]" should be a number/],
        ['price_for[membership]=1', /Unknown parameter/],
        ['product_class=1', /Unknown parameter/],
      ] as const) {
        const response = await get(`products/search?${query}`, guest);
        assert.equal(response.statusCode, 400, `${query}: ${response.body}`);
        assert.match(response.json().detail, detail, query);
      }
      const response = await get('products?facets=tags', guest);
      assert.match(response.json().detail, /parameter of \/storefront\/products\/search/);
    });
  });
