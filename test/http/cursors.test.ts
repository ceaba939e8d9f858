/**
 * Cursors and estimated totals (finding.md §3): pages that follow each other by cursors contain what numbered pages contain, in
 * every order of the interface. A walk returns every record exactly once although others are created and deleted meanwhile.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { strictReading } from '../../src/engine/field.ts';
import { list } from '../../src/engine/operations/reads/list.ts';
import { type ListQuery, readListQuery } from '../../src/engine/request/list-query.ts';
import type { Service } from '../../src/engine/unit/service.ts';
import { pageLinks } from '../../src/http/responses/headers.ts';
import { routeOf, targetAt } from '../../src/store/own-requests.ts';
import { Random } from '../../torture/random.ts';
import { type DatabaseName, databaseNames } from '../support/databases.ts';
import { INJECT_KEY, serverOf } from '../support/injected-server.ts';
import {
  changed,
  made,
  newKey,
  type OpenedStore,
  openedStore,
  REQUEST_OPTIONS,
  removed,
} from '../support/opened-store.ts';
import { rounds } from '../support/rounds.ts';

type Headers = Readonly<Record<string, string>>;

const ROUNDS: Record<DatabaseName, number> = { sqlite: rounds(40, 600), postgres: rounds(15, 300) };
const PRODUCTS = 40;
const GERMAN = { ...REQUEST_OPTIONS, language: 'de' };
const ORDERS = ['id', 'sku', 'name', 'price', 'amount', 'arrival_date', 'create_date', 'update_date'];

test('links that would be too long have a page instead of a cursor, and after a cursor only the next page', () => {
  const linksFor = (length: number, listQuery: Partial<ListQuery>) => {
    const extent = { total: 9, hasNext: true, cursor: 'c'.repeat(500) };
    const url = `/api/products?name=${'a'.repeat(length)}`;
    return linksOf({ headers: { link: pageLinks('', url, { page: 1, itemsPerPage: 2, ...listQuery }, extent) } });
  };
  assert.match(linksFor(3700, {}).next!, /&cursor=c{500}$/);
  assert.match(linksFor(3900, {}).next!, /&page=2$/);
  assert.deepEqual(linksFor(4000, {}), {});
  assert.deepEqual(Object.keys(linksFor(5000, { after: [1] })), ['first', 'next']);
  const { next, ...others } = linksFor(6000, { after: [1] });
  assert.match(next!, /&cursor=c{500}$/);
  assert.deepEqual(others, {});
});

for (const name of databaseNames)
  describe(`cursors (${name})`, { timeout: 300_000 }, () => {
    let opened: OpenedStore;
    let service: Service;
    let cached: FastifyInstance;
    let uncached: FastifyInstance;
    let [tag, membership] = [0, 0];
    const random = new Random(28);
    let number = 0;

    /** Many values are equal, also in their sort keys, and some are missing. */
    const addProduct = async (): Promise<number> => {
      number += 1;
      const { record } = await made(service, 'Product', {
        sku: `${random.pick(['ä', 'A', 'b'])}-${number}`,
        name: random.pick(['Blue mug', 'blue mug', 'Blüe mug', 'Shirt', '😀', 'Mug']),
        price: random.pick([0, 1, 1.5, 9_999_999_999.9999]),
        amount: random.whole(0, 3),
        enabled: random.chance(0.8),
        arrival_date: random.pick(['1969-12-31', '2026-01-01', '2030-01-01']),
        tags: random.chance(0.6) ? [{ id: tag }] : [],
      });
      const id = record.id as number;
      if (random.chance(0.4))
        await changed(service, 'Product', id, { name: random.pick(['Becher', 'becher']) }, GERMAN);
      if (random.chance(0.3)) await forgetArrival(id);
      return id;
    };
    /** The API fills the date in, but earlier versions did not. */
    const forgetArrival = (id: number) =>
      service.database.transaction((transaction) =>
        transaction.run(
          service.database.dialect.compile(sql`update ${sql.table('product')} set arrival_date = null
            where id = ${sql.lit(id)} returning 1`),
          {},
        ),
      );

    const get = (app: FastifyInstance, url: string, headers: Headers = {}) =>
      app.inject({ url, headers: { 'x-auth-token': INJECT_KEY, ...headers } });
    const found = async (app: FastifyInstance, url: string, headers?: Headers) => {
      const response = await get(app, url, headers);
      assert.equal(response.statusCode, 200, `${url}: ${response.body}`);
      const body = response.json();
      const ids: number[] = (body.products ?? body).map(({ id }: { id: number }) => id);
      return {
        ids,
        body,
        total: response.headers['x-total-count'],
        links: linksOf(response),
        headers: response.headers,
      };
    };
    const rejected = async (url: string, detail: RegExp, headers: Headers = {}, status = 400) => {
      for (const app of [cached, uncached]) {
        const response = await get(app, url, headers);
        assert.equal(response.statusCode, status, `${url}: ${response.body}`);
        assert.match(response.json().detail, detail, url);
      }
    };

    before(async () => {
      opened = await openedStore(name);
      service = opened.service;
      tag = (await made(service, 'Tag', { name: 'Sale' })).record.id as number;
      membership = (await made(service, 'Membership', { name: 'Dealer' })).record.id as number;
      for (let index = 0; index < PRODUCTS; index += 1) await addProduct();
      cached = await serverOf(service);
      uncached = await serverOf(service, { RESPONSE_CACHE_BYTES_MAX: '0' });
    });
    after(async () => {
      await cached?.close();
      await uncached?.close();
      await opened?.remove();
    });

    /** A list whose pages have cursors, without its page. */
    const randomList = (): { readonly path: string; readonly query: string; readonly headers: Headers } => {
      const orders = ORDERS.filter(() => random.chance(0.25)).sort(() => random.pick([-1, 1]));
      const filters = ['enabled=true', 'name=mug', 'search=mug', `tags.id=${tag}`, 'price[lt]=2'];
      const query = [
        ...orders.map((order) => `order[${order}]=${random.pick(['asc', 'desc'])}`),
        ...filters.filter(() => random.chance(0.2)),
        ...(random.chance(0.1) ? [`price_for[membership]=${membership}`] : []),
      ];
      return {
        path: random.pick(['/api/products', '/api/products', '/api/products/search']),
        query: query.join('&'),
        headers: {
          'accept-language': random.pick(['en', 'de']),
          ...(random.chance(0.2) && { prefer: 'count=estimated' }),
        },
      };
    };

    test('pages after cursors contain what numbered pages contain', async () => {
      let cursors = 0;
      for (let round = 0; round < ROUNDS[name]; round += 1) {
        const { path, query, headers } = randomList();
        const whole = await found(uncached, `${path}?${query}&itemsPerPage=100`, headers);
        const size = random.whole(1, 15);
        // The second walk of the caching server uses its whole list, if it has read that meanwhile.
        for (const app of [uncached, cached, cached]) {
          const ids: number[] = [];
          const from = random.chance(0.3) ? 2 : 1;
          let url: string | undefined = `${path}?${query}&itemsPerPage=${size}${from === 2 ? '&page=2' : ''}`;
          while (url !== undefined) {
            const page = await found(app, url, headers);
            assert.equal(page.total, whole.total, url);
            ids.push(...page.ids);
            if (url.includes('cursor=')) {
              assert.deepEqual(Object.keys(page.links), page.links.next ? ['first', 'next'] : ['first'], url);
              assert.match(page.links.first!, /[?&]page=1$/);
              cursors += 1;
            }
            url = page.links.next;
            if (url !== undefined) assert.match(url, /^(?!.*[?&]page=).*[?&]cursor=[\w-]+$/);
          }
          assert.deepEqual(ids, whole.ids.slice((from - 1) * size), `${path}?${query} ${JSON.stringify(headers)}`);
        }
      }
      assert.ok(cursors > 3 * ROUNDS[name], `${cursors}`);
    });

    test('a walk returns every other record once while records are created, deleted and moved', async () => {
      for (let round = 0; round < ROUNDS[name] / 2; round += 1) {
        const { path, query, headers } = randomList();
        const before = (await found(uncached, `${path}?${query}&itemsPerPage=100`, headers)).ids;
        const [deleted, moved] = [new Set<number>(), new Set<number>()];
        const seen: number[] = [];
        let url: string | undefined = `${path}?${query}&itemsPerPage=${random.whole(2, 9)}`;
        while (url !== undefined) {
          const page = await found(random.pick([cached, uncached]), url, headers);
          seen.push(...page.ids);
          url = page.links.next;
          // Often the record of the cursor itself.
          const victim = random.chance(0.5) ? page.ids.at(-1) : random.pick(before);
          if (victim !== undefined && !deleted.has(victim) && random.chance(0.7)) {
            const isMoved = random.chance(0.5);
            (isMoved ? moved : deleted).add(victim);
            if (isMoved)
              await changed(service, 'Product', victim, { price: random.pick([0, 2]), amount: random.whole(0, 3) });
            else await removed(service, 'Product', victim);
          }
          if (random.chance(0.4)) await addProduct();
        }
        const others = seen.filter((id) => !moved.has(id));
        assert.equal(new Set(others).size, others.length, `${path}?${query}: ${seen}`);
        const lasting = before.filter((id) => !deleted.has(id) && !moved.has(id));
        assert.deepEqual(
          seen.filter((id) => lasting.includes(id)),
          lasting,
          `${path}?${query}`,
        );
        while (Number((await found(uncached, '/api/products?itemsPerPage=1')).total) < PRODUCTS) await addProduct();
      }
    });

    test('a cached list continues at the position of the cursor, also if its record has moved', async () => {
      const url = '/api/products?order[price]=asc&order[sku]=desc&itemsPerPage=3';
      for (let round = 0; round < 4; round += 1) {
        // After some pages the server reads the whole list in the background.
        for (let page = 1; page <= 8; page += 1) await found(cached, `${url}&page=${page}`);
        await sleep(100);
        const { ids, links } = await found(cached, url);
        await changed(service, 'Product', ids.at(-1)!, { price: 9_999_999_999 });
        const [one, other] = [await found(cached, links.next!), await found(uncached, links.next!)];
        assert.equal(one.ids.length, 3);
        assert.deepEqual([one.ids, one.headers.link], [other.ids, other.headers.link]);
      }
    });

    const LIST = '/api/products?enabled=true&search=mug&order[price]=desc';
    const cursorOf = async (url: string, headers?: Headers): Promise<string> =>
      /cursor=([\w-]+)$/.exec((await found(uncached, `${url}&itemsPerPage=2`, headers)).links.next!)![1]!;

    test('rejects a cursor that was changed, is of another list, or has a page', async () => {
      const cursor = await cursorOf(LIST);
      for (let index = 0; index < cursor.length; index += 1) {
        const other = cursor[index] === 'A' ? 'B' : 'A';
        const response = await get(
          uncached,
          `${LIST}&cursor=${cursor.slice(0, index)}${other}${cursor.slice(index + 1)}`,
        );
        assert.equal(response.statusCode, 400, `character ${index}`);
      }
      const foreign = /does not belong to this list.*Omit "cursor"/;
      for (const text of ['', 'x', cursor.slice(0, -1), `${cursor}A`, `${cursor}=`, '%F0%9F%98%80'])
        await rejected(`${LIST}&cursor=${text}`, foreign);
      const german = { 'accept-language': 'de' };
      await rejected(`${LIST}&cursor=${cursor}`, foreign, german);
      for (const [from, to] of [
        ['/products', '/products/search'],
        ['enabled=true&', ''],
        ['enabled=true', 'enabled=false'],
        ['search=mug', 'search=shirt'],
        ['order[price]=desc', 'order[price]=asc'],
        ['order[price]=desc', 'order[amount]=desc'],
        ['order[price]=desc', ''],
        ['order[price]=desc', 'order[price]=desc&order[name]=asc'],
      ] as const)
        await rejected(`${LIST.replace(from, to)}&cursor=${cursor}`, foreign);
      const lenient = { prefer: 'handling=lenient' };
      for (const headers of [{}, lenient]) {
        await rejected(`${LIST}&page=1&cursor=${cursor}`, /"page" and "cursor" exclude each other/, headers);
        await rejected(`${LIST}&cursor=x`, foreign, headers);
      }
      await rejected(`${LIST}&cursor=${cursor}&cursor=${cursor}`, /given more than once/);
      await rejected(`/api/products?cursor=${cursor}`, /"cursor" does not apply to an export/, {
        accept: 'application/jsonl',
      });
      await rejected(`/api/tags?cursor=${cursor}`, /Unknown parameter "cursor"/);
    });

    test('accepts a cursor with other fields, sizes and facets, another order of parameters and another key', async () => {
      const whole = await found(uncached, `${LIST}&itemsPerPage=100`);
      const cursor = await cursorOf(LIST);
      const key = await newKey(service, { name: `other ${name}`, kind: 'read-only' });
      const url = `/api/products?cursor=${cursor}&search=mug&order%5Bprice%5D=DESC&itemsPerPage=100&fields=id&enabled=true`;
      const page = await found(cached, url, { 'x-auth-token': key });
      assert.deepEqual(page.ids, whole.ids.slice(2));
      const searched = LIST.replace('products', 'products/search');
      const faceted = await found(cached, `${searched}&facets=tags&cursor=${await cursorOf(searched)}`);
      assert.deepEqual(faceted.ids, whole.ids.slice(2, 32));
      const first = await found(cached, `${searched}&facets=tags`);
      assert.deepEqual(faceted.body.facets, first.body.facets);
    });

    test('a key without the sorted field cannot use a cursor, which does not show its values', async () => {
      const url = '/api/products?order[price]=asc';
      const cursor = await cursorOf(url);
      const bytes = Buffer.from(cursor, 'base64url').toString('latin1');
      const [, last] = (await found(uncached, `${url}&itemsPerPage=2`)).body;
      assert.equal(bytes.includes(JSON.stringify([last.price, last.id])), false);
      assert.equal(cursor, await cursorOf(url), 'equal positions have equal cursors');
      const scopes = ['products:read', 'tags:read', 'categories:read'];
      const masked = await newKey(service, {
        ...{ name: `masked ${name}`, kind: 'scoped', scopes, masks: ['Product.price'] },
      });
      await rejected(`${url}&cursor=${cursor}`, /Product\.price/, { 'x-auth-token': masked }, 403);
    });

    test('a list that calculated prices sort or filter has numbered pages', async () => {
      for (const query of ['order[price_for]=asc', 'price_for[gte]=0&order[name]=asc']) {
        const url = `/api/products?price_for[membership]=${membership}&${query}`;
        const { links } = await found(cached, `${url}&itemsPerPage=2`);
        assert.match(links.next!, /[?&]page=2$/);
        await rejected(`${url}&cursor=${await cursorOf(LIST)}`, /has no cursors.*Use "page"/);
      }
    });

    test('JSON-LD names pages by number, and pages after a cursor by cursor', async () => {
      const headers = { accept: 'application/ld+json' };
      const page = await get(cached, '/api/products?itemsPerPage=2', headers);
      assert.match(page.json()['hydra:view']['hydra:next'], /[?&]page=2$/);
      const { next } = linksOf(page);
      const after = await get(cached, next!, headers);
      const view = after.json()['hydra:view'];
      assert.deepEqual([view['@id'], view['hydra:next']], [next, linksOf(after).next]);
      assert.deepEqual(Object.keys(view), ['@id', '@type', 'hydra:first', 'hydra:next']);
      assert.equal(after.json()['hydra:totalItems'], page.json()['hydra:totalItems']);
    });

    test('an estimated total stops counting above 10,000, and caches do not mix it with the exact one', async () => {
      const { dialect } = service.database;
      await service.database.transaction((transaction) =>
        transaction.run(
          dialect.compile(sql`insert into ${sql.table('product')}
              (sku, sku_key, clean_url, create_date, update_date, arrival_date, discount_type, weight)
            with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < 10050)
            select 'N' || number, 'n' || number, 'n' || number, 0, 0, 0, 'sale_percent', number from numbers returning 1`),
          {},
        ),
      );
      const scale = name === 'sqlite' ? 10_000 : 1;
      const estimated = { prefer: 'return=minimal, count=estimated' };
      const server = await serverOf(service);
      try {
        for (const round of [1, 2, 3])
          for (const path of ['/api/products?', '/api/products/search?', '/api/products?order[name]=desc&'])
            for (const [count, headers] of [
              [10_001, {}],
              [10_001, estimated],
              [10_000, estimated],
              [10_001, { prefer: 'count=exact' }],
            ] as const) {
              const url = `${path}weight[between]=${1 / scale}..${count / scale}&itemsPerPage=100&page=3`;
              const { total, links, ids, headers: sent } = await found(server, url, headers);
              const isBound = headers === estimated && count > 10_000;
              const about = `${round} ${url} ${JSON.stringify(headers)}`;
              assert.equal(total, isBound ? '10000' : String(count), about);
              assert.equal(sent['x-total-count-relation'], isBound ? 'at-least' : undefined, about);
              assert.equal(sent['preference-applied'], isBound ? 'count=estimated' : undefined, about);
              assert.deepEqual(Object.keys(links), ['first', 'prev', 'next', ...(isBound ? [] : ['last'])], about);
              assert.match(String(sent['access-control-expose-headers']), /\bX-Total-Count-Relation\b/);
              const unchanged = await get(server, url, { ...headers, 'if-none-match': String(sent.etag) });
              assert.deepEqual(
                [unchanged.statusCode, unchanged.headers['x-total-count-relation']],
                [304, sent['x-total-count-relation']],
                about,
              );
              const next = await found(server, links.next!, headers);
              assert.deepEqual(next.ids, (await found(server, url.replace('page=3', 'page=4'))).ids, about);
              assert.deepEqual([next.total, ids.length], [total, 100], about);
            }
        const end = `/api/products?weight[between]=${1 / scale}..${10_050 / scale}&itemsPerPage=100&page=101`;
        const last = await found(server, end, estimated);
        assert.deepEqual([last.ids.length, Object.keys(last.links)], [50, ['first', 'prev']]);
      } finally {
        await server.close();
      }
      const route = routeOf(service, 'Product');
      const read = readListQuery(route, 'sku=N&itemsPerPage=1', strictReading(service.environment)) as ListQuery;
      for (const [query, expected] of [
        ['', 10_001],
        ['search=n', 10_001],
      ] as const) {
        const listQuery = readListQuery(route, query, strictReading(service.environment)) as ListQuery;
        const page = await list(service, REQUEST_OPTIONS, targetAt(route), {
          ...read,
          ...listQuery,
          isEstimated: true,
        });
        assert.ok(!('problem' in page));
        assert.equal(page.total, expected, query);
      }
    });
  });

/** Path and query of the links to pages, in their order. */
function linksOf({ headers }: { readonly headers: { readonly link?: unknown } }): Record<string, string> {
  const links = [...String(headers.link).matchAll(/<[^>]*?(\/api\/[^>]*)>; rel="(first|prev|next|last)"/g)];
  return Object.fromEntries(links.map(([, url, relation]) => [relation!, url!]));
}
