/**
 * Facets (finding.md §2): in random stores and with random filters, each count equals the total of the list with that value selected
 * instead of the facet's own selection. Lists with filters on options equal those that the test computes itself.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import type { Value } from '../../src/engine/ports.ts';
import type { Service } from '../../src/engine/unit/service.ts';
import { Random } from '../../torture/random.ts';
import { databaseNames } from '../support/databases.ts';
import { INJECT_KEY, serverOf } from '../support/injected-server.ts';
import { changed, made, newKey, type OpenedStore, openedStore, removed } from '../support/opened-store.ts';
import { rounds } from '../support/rounds.ts';

interface Product {
  readonly id: number;
  /** Options by attribute. */
  readonly options: Record<number, number[]>;
  readonly variants: Record<number, number[]>;
}

interface Counted {
  readonly values: readonly { id: number; name: string; count: number; selected: boolean }[];
  readonly more: boolean;
}

interface Ranged {
  readonly min: number | null;
  readonly max: number | null;
  readonly ranges: readonly { from: number | null; to: number | null; count: number }[];
}

/** Small, so that facets have more values. */
const LIMIT = 3;
const ROUNDS = rounds(10, 200);

for (const name of databaseNames)
  describe(`facets (${name})`, { timeout: 300_000 }, () => {
    let opened: OpenedStore;
    let service: Service;
    let cached: FastifyInstance;
    let uncached: FastifyInstance;
    const random = new Random(27);
    const products = new Map<number, Product>();
    const tags: number[] = [];
    const categories: number[] = [];
    const classes: number[] = [];
    /** Options by attribute. */
    const attributes = new Map<number, number[]>();
    const some = <T>(of: readonly T[], probability: number): T[] => of.filter(() => random.chance(probability));

    const get = async (app: FastifyInstance, path: string, headers: Readonly<Record<string, string>> = {}) =>
      app.inject({ url: `/api/${path}`, headers: { 'x-auth-token': INJECT_KEY, ...headers } });
    const found = async (app: FastifyInstance, path: string) => {
      const response = await get(app, path);
      assert.equal(response.statusCode, 200, `${path}: ${response.body}`);
      return response;
    };
    const totalOf = async (path: string): Promise<number> =>
      Number((await found(cached, path)).headers['x-total-count']);
    const rejected = async (path: string, detail: RegExp, headers?: Readonly<Record<string, string>>) => {
      for (const app of [cached, uncached]) {
        const response = await get(app, path, headers);
        assert.equal(response.statusCode, 400, `${path}: ${response.body}`);
        assert.match(response.json().detail, detail, path);
      }
    };
    const idOf = async (...of: Parameters<typeof made> extends [unknown, ...infer Rest] ? Rest : never) =>
      (await made(service, ...of)).record.id as number;

    const addProduct = async (): Promise<void> => {
      const id = await idOf('Product', {
        sku: `S${random.whole(0, 1e9)}`,
        name: random.pick(['Blue mug', 'Red mug', 'Shirt']),
        price: random.chance(0.3) ? random.whole(0, 300_000) / 10_000 : random.whole(0, 30),
        enabled: random.chance(0.8),
        tags: some(tags, 0.3).map((tag) => ({ id: tag })),
        product_class: random.chance(0.7) ? { id: random.pick(classes) } : null,
      });
      const product: Product = { id, options: {}, variants: {} };
      const values: { attribute: number; option: number; value: number }[] = [];
      for (const [attribute, options] of attributes)
        for (const option of some(options, 0.4)) {
          const parents: Value[] = [id, attribute];
          const path = '/products/{product_id}/attributes_select/{attribute_id}/values';
          const value = await idOf('AttributeValueSelect', { option_id: option }, parents, path);
          values.push({ attribute, option, value });
          product.options[attribute] = [...(product.options[attribute] ?? []), option];
        }
      // All variants of a product have values of the same attributes.
      const axes = some([...attributes.keys()], 0.6);
      let combinations: (typeof values)[] = axes.length > 0 ? [[]] : [];
      for (const axis of axes)
        combinations = combinations.flatMap((chosen) =>
          values.filter(({ attribute }) => attribute === axis).map((each) => [...chosen, each]),
        );
      for (const combination of some(combinations, 0.4)) {
        await made(service, 'Variant', { attribute_select_values: combination.map(({ value }) => value) }, [id]);
        for (const { attribute, option } of combination)
          product.variants[attribute] = [...(product.variants[attribute] ?? []), option];
      }
      for (const category of some(categories, 0.3))
        await made(service, 'CategoryProduct', { product_id: id }, [category]);
      products.set(id, product);
    };

    /** A filter as a parameter, by the facet that it belongs to. */
    const filterOf = (facet: string): string => {
      const [kind, attribute] = facet.split('.') as [string, string | undefined];
      if (kind === 'price') {
        return random.pick(['price[gte]=5', 'price[lt]=20', 'price[between]=3..12', 'price[]=7&price[]=8']);
      }
      if (attribute) {
        const options = attributes.get(Number(attribute))!;
        return random.pick([
          `${facet}[]=${random.pick(options)}&${facet}[]=${random.pick(options)}`,
          `${facet}=${random.pick(options)}`,
          `${facet}[exists]=${random.chance(0.5)}`,
        ]);
      }
      const ids = { tags, category: categories, product_class: classes }[kind]!;
      return random.pick([
        `${kind}.id=${random.pick(ids)}`,
        `${kind}.id[]=${random.pick(ids)}&${kind}.id[]=${random.pick(ids)}`,
        `${kind}[exists]=true`,
      ]);
    };

    before(async () => {
      opened = await openedStore(name);
      service = opened.service;
      cached = await serverOf(service);
      uncached = await serverOf(service, { RESPONSE_CACHE_BYTES_MAX: '0' });
      for (let index = 0; index < 4; index += 1) {
        tags.push(await idOf('Tag', { name: `Tag ${index}` }));
        categories.push(await idOf('Category', { name: `Category ${index}`, enabled: index > 0 }));
      }
      for (let index = 0; index < 2; index += 1) {
        classes.push(await idOf('ProductClass', { name: `Class ${index}` }));
        const attribute = await idOf('Attribute', { name: `Attribute ${index}` }, [], '/attributes_select');
        const options: number[] = [];
        for (let option = 0; option < 5; option += 1)
          options.push(
            await idOf(
              'AttributeOption',
              { value: `Option ${option}` },
              [attribute],
              '/attributes_select/{attribute_id}/options',
            ),
          );
        attributes.set(attribute, options);
      }
      for (let index = 0; index < 25; index += 1) await addProduct();
    });
    after(async () => {
      await cached?.close();
      await uncached?.close();
      await opened?.remove();
    });

    const facetNames = (): string[] => [
      'category',
      'tags',
      'product_class',
      'price',
      ...[...attributes.keys()].flatMap((id) => [`attributes.${id}`, `variants.${id}`]),
    ];

    /** Compares one response with lists. @returns the number of comparisons */
    async function compare(filters: ReadonlyMap<string, string>, others: readonly string[], facets: readonly string[]) {
      const query = [...filters.values(), ...others].join('&');
      const asked = facets.map((facet) => (facet === 'price' ? 'price:..10|5..15|10..' : facet)).join();
      const path = `products/search?${query}&facets=${asked}&facets.limit=${LIMIT}`;
      const [response, plain, list] = [
        await found(cached, path),
        await found(uncached, path),
        await found(uncached, `products?${query}`),
      ];
      assert.deepEqual(response.json(), plain.json(), path);
      const body = response.json();
      assert.deepEqual(body.products, list.json(), path);
      assert.equal(response.headers['x-total-count'], list.headers['x-total-count'], path);
      assert.deepEqual(Object.keys(body.facets), facets);
      let comparisons = 0;
      for (const facet of facets) {
        const rest = [...[...filters].flatMap(([own, filter]) => (own === facet ? [] : filter)), ...others].join('&');
        const listed = (own: string) => totalOf(`products?${rest}&${own}&itemsPerPage=1`);
        if (facet === 'price') {
          const { ranges, min, max } = body.facets.price as Ranged;
          for (const { from, to, count } of ranges) {
            const own = [...(from === null ? [] : [`price[gte]=${from}`]), ...(to === null ? [] : [`price[lt]=${to}`])];
            assert.equal(count, await listed(own.join('&')), `${path}: price ${from}..${to}`);
            comparisons += 1;
          }
          for (const [end, direction] of [
            [min, 'asc'],
            [max, 'desc'],
          ]) {
            const sorted = rest.replace('order[name]=desc', '');
            const page = `products?${sorted}&order[price]=${direction}&fields=price&itemsPerPage=1`;
            assert.equal(end, (await found(uncached, page)).json()[0]?.price ?? null, path);
          }
          continue;
        }
        const { values, more } = body.facets[facet] as Counted;
        const sizes = new Map<number, number>();
        const known =
          { tags, category: categories, product_class: classes }[facet] ?? attributes.get(Number(facet.split('.')[1]))!;
        for (const id of known) {
          const own = facet.includes('.') ? `${facet}=${id}` : `${facet}.id=${id}`;
          sizes.set(id, await listed(own));
          comparisons += 1;
        }
        const ordered = known.filter((id) => sizes.get(id)! > 0).sort((a, b) => sizes.get(b)! - sizes.get(a)! || a - b);
        const own = filters.get(facet) ?? '';
        const selected = own.includes('exists') ? [] : [...own.matchAll(/=(\d+)/g)].map(([, id]) => Number(id));
        const first = ordered.slice(0, LIMIT);
        const late = [...new Set(selected)].filter((id) => !first.includes(id));
        late.sort((a, b) => sizes.get(b)! - sizes.get(a)! || a - b);
        assert.deepEqual(
          values.map(({ id, count, selected: isSelected }) => [id, count, isSelected]),
          [...first, ...late].map((id) => [id, sizes.get(id), selected.includes(id)]),
          `${path}: ${facet}`,
        );
        assert.equal(
          more,
          ordered.some((id) => !first.includes(id) && !selected.includes(id)),
          `${path}: ${facet}`,
        );
      }
      return comparisons;
    }

    test('each count equals the total of the list with that value', async () => {
      let comparisons = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        if (random.chance(0.5)) await addProduct();
        if (random.chance(0.3)) {
          const id = random.pick([...products.keys()]);
          await changed(service, 'Product', id, {
            price: random.whole(0, 30),
            tags: some(tags, 0.3).map((tag) => ({ id: tag })),
          });
        }
        if (random.chance(0.2)) {
          const id = random.pick([...products.keys()]);
          await removed(service, 'Product', id);
          products.delete(id);
        }
        const all = facetNames();
        const filters = new Map(some(all, 0.25).map((facet) => [facet, filterOf(facet)]));
        const others = some(['enabled=true', 'name=mug', 'search=mug', 'order[name]=desc'], 0.25);
        comparisons += await compare(filters, others, all);
      }
      assert.ok(comparisons >= ROUNDS * 20, `${comparisons}`);
    });

    test('filters on options find the products that have them, and caches follow changes', async () => {
      for (let round = 0; round < 2 * ROUNDS; round += 1) {
        if (round % 4 === 0) await addProduct();
        const wanted = [...attributes].flatMap(([id, options]) =>
          some(['options', 'variants'] as const, 0.5).map((kind) => ({ id, kind, options: some(options, 0.4) })),
        );
        const used = wanted.filter(({ options }) => options.length > 0);
        const query = used.map(({ id, kind, options }) => {
          const filter = kind === 'options' ? `attributes.${id}[]` : `variants.${id}[]`;
          return options.map((option) => `${filter}=${option}`).join('&');
        });
        const expected = [...products.values()]
          .filter((product) =>
            used.every(({ id, kind, options }) => (product[kind][id] ?? []).some((option) => options.includes(option))),
          )
          .map(({ id }) => id);
        for (const app of [cached, uncached, cached]) {
          const response = await found(app, `products?${query.join('&')}&itemsPerPage=100&fields=id`);
          const ids = response.json().map(({ id }: { id: number }) => id);
          assert.deepEqual(
            ids.sort((a: number, b: number) => a - b),
            expected.sort((a, b) => a - b),
            query.join('&'),
          );
        }
      }
    });

    test('facets follow renamed and deleted values', async () => {
      const path = 'products/search?facets=tags,category';
      const id = await idOf('Tag', { name: 'Sale' });
      await changed(service, 'Product', [...products.keys()][0]!, { tags: [{ id }] });
      const nameOf = async (): Promise<string | undefined> =>
        (await found(cached, path)).json().facets.tags.values.find((value: { id: number }) => value.id === id)?.name;
      assert.equal(await nameOf(), 'Sale');
      await changed(service, 'Tag', id, { name: 'Bargains' });
      assert.equal(await nameOf(), 'Bargains');
      await removed(service, 'Tag', id);
      assert.equal(await nameOf(), undefined);
    });

    test('counts prices for a membership as their filter selects them', async () => {
      const membership = await idOf('Membership', { name: 'Dealer' });
      const rest = `price_for[membership]=${membership}&price_for[lte]=15`;
      const body = (
        await found(cached, `products/search?${rest}&facets=tags&tags.id=${tags[0]}&order[price_for]=asc`)
      ).json();
      for (const { id, count } of body.facets.tags.values)
        assert.equal(count, await totalOf(`products?${rest}&tags.id=${id}`), `tag ${id}`);
      assert.ok(body.facets.tags.values.length > 1);
    });

    test('has four members, and no facets unless they are requested', async () => {
      const body = (await found(cached, 'products/search?itemsPerPage=1&fields=id')).json();
      assert.deepEqual(Object.keys(body), ['products', 'facets', 'highlights', 'search']);
      assert.deepEqual(body.facets, {});
      assert.deepEqual(body.highlights, {});
      assert.equal(body.search, null);
      assert.deepEqual(Object.keys(body.products[0]), ['id']);
      const searched = (await found(cached, 'products/search?search=mug')).json();
      assert.deepEqual(searched.search, { corrected: {} });
      const empty = (await found(cached, 'products/search?sku=none&facets=price:0..1,tags')).json();
      assert.deepEqual(empty.facets.price, { min: null, max: null, ranges: [{ from: 0, to: 1, count: 0 }] });
      assert.deepEqual(empty.facets.tags, { values: [], more: false });
    });

    test('answers in JSON-LD with addresses, and not as JSON Lines', async () => {
      const linked = await get(cached, 'products/search?itemsPerPage=1&facets=tags', { accept: 'application/ld+json' });
      const body = linked.json();
      assert.equal(body['@id'], '/api/products/search');
      assert.equal(body['@type'], 'ProductSearch');
      assert.equal(body.products[0]['@id'], `/api/products/${body.products[0].id}`);
      assert.equal(body.products[0]['@type'], 'Product');
      const context = await cached.inject({ url: body['@context'] });
      assert.equal(context.statusCode, 200);
      const lines = await get(cached, 'products/search', { accept: 'application/x-ndjson' });
      assert.equal(lines.statusCode, 406);
    });

    test('rejects facets that show records which a key cannot read', async () => {
      const [attribute] = attributes.keys();
      const key = await newKey(service, { kind: 'scoped', name: 'facets', scopes: ['products:read', 'tags:read'] });
      const send = (query: string) => get(cached, `products/search?${query}`, { 'x-auth-token': key });
      assert.equal((await send('facets=tags,price:0..1')).statusCode, 200);
      for (const [query, missing] of [
        ['facets=category', ['categories:read']],
        ['facets=tags,product_class', ['product_classes:read']],
        [`facets=attributes.${attribute}`, ['attributes:read']],
        [`variants.${attribute}=1`, ['attributes:read']],
        ['category.id=1&facets=tags', ['categories:read']],
      ] as const) {
        const response = await send(query);
        assert.equal(response.statusCode, 403, query);
        assert.deepEqual(response.json().missing_scopes, missing, query);
      }
    });

    test('rejects facets and filters that show masked names and links', async () => {
      const [attribute] = attributes.keys();
      for (const [mask, ...queries] of [
        ['Category.name', 'facets=category'],
        ['AttributeOption.value', `facets=attributes.${attribute}`, `facets=variants.${attribute}`],
        ['AttributeValueSelect.option', `facets=attributes.${attribute}`, `attributes.${attribute}=1`],
        ['Variant.attribute_select_values', `facets=variants.${attribute}`, `variants.${attribute}=1`],
      ] as const) {
        const key = await newKey(service, { kind: 'scoped', name: mask, scopes: ['*:*'], masks: [mask] });
        for (const query of queries) {
          const response = await get(cached, `products/search?${query}`, { 'x-auth-token': key });
          assert.equal(response.statusCode, 403, `${mask} ${query}`);
          assert.deepEqual(response.json().masked_fields, [mask], query);
        }
      }
    });

    test('rejects unknown, malformed, repeated and too many facets', async () => {
      await rejected('products/search?facets=tag', /Unknown facet "tag"\. Did you mean "tags"\?/);
      await rejected('products/search?facets=tag', /Did you mean "tags"/, { prefer: 'handling=lenient' });
      await rejected('products/search?facets=', /one is empty/);
      await rejected('products/search?facets=tags,tags', /more than once/);
      await rejected('products/search?facets=tags&facets=price', /once/);
      await rejected('products/search?facets[]=tags', /without brackets/);
      await rejected('products/search?facets=tags:1..2', /takes no ranges/);
      await rejected('products/search?facets=tags.id', /Unknown facet/);
      await rejected('products/search?facets=attributes', /Unknown facet/);
      await rejected(
        `products/search?facets=${Array.from({ length: 11 }, (_, at) => `attributes.${at + 1}`)}`,
        /at most 10/,
      );
      for (const range of ['5', '5..1', '5..5', '..', '0..1.23456', '-1..2', '', '0..1|'])
        await rejected(`products/search?facets=price:${range}`, /should be like/);
      await rejected(`products/search?facets=price:${Array(21).fill('0..1').join('|')}`, /at most 20 ranges/);
      for (const limit of ['0', '101', 'x', ''])
        await rejected(`products/search?facets.limit=${limit}`, /from 1 to 100/);
      await rejected('products?facets=tags', /\/products\/search/);
      await rejected('products?facets=tags', /\/products\/search/, { prefer: 'handling=lenient' });
      await rejected('products/search?highlight=name', /Unknown parameter/);
      for (const path of ['products', 'products/search']) {
        await rejected(`${path}?attributes[]=5`, /id of an attribute, such as "attributes\.12/);
        await rejected(`${path}?attributes.x[]=5`, /id of an attribute/, { prefer: 'handling=lenient' });
        await rejected(`${path}?attributes.1[]=red`, /should be an id/);
        await rejected(`${path}?variants.1[gt]=5`, /Unknown operator/);
        await rejected(`${path}?variants.1=5&variants.1=6`, /For a list/);
      }
    });
  });
