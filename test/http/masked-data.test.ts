/**
 * Two stores that differ only in the values of one field give a key that cannot see it the same responses, byte for byte
 * (access.md §2). Generated over the texts and numbers that PATCH can set, and over the routes that show them.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { withDerived } from '../../src/access/derived-fields.ts';
import { maskableFields } from '../../src/access/masks.ts';
import type { ModelField, ModelRoute } from '../../src/engine/index.ts';
import { databaseNames } from '../support/databases.ts';
import { type Answer, type ScopedStore, scopedStore } from '../support/scoped-keys.ts';
import {
  at,
  fill,
  fillWebhooks,
  firstDifference,
  NEWEST_AUDIT_ENTRY,
  requestsAt,
  requestsOf,
  SECRETS,
  type Sent,
  WRITES,
} from '../support/two-stores.ts';

/** Values of the two stores, and the value of both afterwards. */
const VALUES: Readonly<Record<string, readonly [unknown, unknown, unknown]>> = {
  string: ['Alpenglow', 'Bluebell', 'Common'],
  number: [11.5, 22.5, 5],
  integer: [11, 22, 5],
};

/** What is masked is decided before the database; only its conditions differ. So PostgreSQL has one of six masks. */
const STEP = { sqlite: 1, postgres: 6 };

/** Masks with every request of the interface; the others have those of the routes that show the field. */
const WITH_ALL_REQUESTS = {
  sqlite: ['Product.price', 'Product.name', 'Tag.name', 'Category.position'],
  postgres: ['Product.name'],
};

/** More units than one of the stores has. */
const QUOTE = { customer_id: 1, items: [{ variant: 1, amount: 12 }] };

interface Masked {
  readonly mask: string;
  readonly field: ModelField;
  /** A record that has the field. */
  readonly path: string;
  readonly values: readonly [unknown, unknown, unknown];
}

function routesTo({ resource, name }: ModelField): ModelRoute | undefined {
  return resource.routes.find(
    (route) => route.operations.has('patch') && [...route.updates].some((field) => field.name === name),
  );
}

function masksOf({ service: { model } }: ScopedStore): Masked[] {
  return [...maskableFields(model)].flatMap(([mask, field]) => {
    const route = routesTo(field);
    const types = [(field.field.inputSchema as { type?: unknown }).type].flat();
    const values = VALUES[String(types.find((type) => VALUES[String(type)]))];
    return route && values ? [{ mask, field, path: at(route.path), values }] : [];
  });
}

/** Requests of the routes that show a masked field or what is derived from it, and of the feed. */
function requestsFor({ service: { model } }: ScopedStore, { field, path }: Masked): Sent[] {
  const shown = new Set([...withDerived(model, [field])].map(({ resource }) => resource));
  const showing = model.routes.filter(({ resource, outputs }) => {
    const embedded = outputs.some(({ target, storage }) => target && shown.has(target) && storage.in !== 'link');
    return shown.has(resource) || embedded;
  });
  const reads = showing.flatMap((route) => {
    const isOwn = route.resource === field.resource;
    return requestsAt(route).filter(({ path: each }) => isOwn || !/[?&](?:fields|order|\w+(?:\[|%5B|=))/.test(each));
  });
  // The history of an order has copies of values, which are not masked.
  const resources = [...shown].filter(({ routes }) => routes.length > 0).map(({ name }) => `&resource[]=${name}`);
  const { isPublishedByOwner, owner } = field.resource;
  const audited = isPublishedByOwner ? owner!.target! : field.resource;
  return [
    ...reads,
    { method: 'GET', path: `/changes?include=record${resources.join('')}` },
    { method: 'GET', path: '/statistics' },
    { method: 'GET', path: `${NEWEST_AUDIT_ENTRY}&resource=${audited.name}` },
    { method: 'PATCH', path, body: {} },
    { method: 'POST', path: `${path}/restore`, body: { version: 1 } },
    // Rejected without enough stock, although nothing is saved.
    ...(path.startsWith('/products/') ? [{ method: 'POST', path: '/orders/quote', body: QUOTE }] : []),
  ];
}

for (const name of databaseNames)
  describe(`two stores with other values of a field (${name})`, () => {
    let stores: [ScopedStore, ScopedStore];
    const differences: string[] = [];
    let compared = 0;

    before(async () => {
      stores = (await Promise.all([scopedStore(name), scopedStore(name)])) as typeof stores;
      for (const [index, store] of stores.entries()) {
        await fill(store, [], '');
        await fillWebhooks(store, SECRETS[index]!);
      }
    });
    after(() => Promise.all(stores.map((store) => store.stop())));

    /** Sets the field in both stores. Each field has its own texts, because some are unique. */
    async function set({ mask, path, field, values }: Masked, choose: (index: number) => number): Promise<Answer[]> {
      const own = [...maskableFields(stores[0].service.model).keys()].indexOf(mask);
      const valueFor = (index: number): unknown => {
        const value = values[choose(index)];
        return typeof value === 'string' ? `${value}${own}` : value;
      };
      const sent = await Promise.all(
        stores.map((store, index) => store.send('PATCH', path, { body: { [field.name]: valueFor(index) } })),
      );
      // Otherwise the stores would also differ in this field later.
      assert.equal(sent[0]!.status, sent[1]!.status, `${mask}: ${sent.map(({ text }) => text).join()}`);
      return sent;
    }

    async function compare(masked: Masked, requests: readonly Sent[]): Promise<number> {
      const keys = await Promise.all(stores.map((store) => store.maskedKey(masked.mask)));
      let rejected = 0;
      for (const { method, path, ...options } of requests) {
        // Responses that another key has cached must not be reused.
        if (method === 'GET' && !path.includes('?'))
          for (const store of stores) await store.send(method, path, options);
        const headers = path.endsWith('/bulk') ? { 'content-type': 'application/x-ndjson' } : options.headers;
        const [one, other] = (await Promise.all(
          stores.map((store, index) =>
            store.send(method, path, { ...options, ...(headers && { headers }), key: keys[index] }),
          ),
        )) as [Answer, Answer];
        const difference = firstDifference(one, other);
        if (difference) differences.push(`${masked.mask}: ${method} ${path} ${difference}`);
        assert.notEqual(one.status, 500, `${masked.mask}: ${method} ${path} ${one.text}`);
        if (one.status === 403) rejected += 1;
      }
      return rejected;
    }

    test('give a key that cannot see it the same responses to all requests', async () => {
      for (const masked of masksOf(stores[0]).filter(({ mask }) => WITH_ALL_REQUESTS[name].includes(mask))) {
        await set(masked, (index) => index);
        await compare(masked, [...requestsOf(stores[0]), ...WRITES]);
        await set(masked, () => 2);
      }
      assert.deepEqual(differences, []);
    });

    test('give it the same responses of the routes that show the field', async () => {
      for (const masked of masksOf(stores[0]).filter((_, index) => index % STEP[name] === 0)) {
        const sent = await set(masked, (index) => index);
        // Some fields have other forms, and some paths have no record.
        if (sent.some(({ status }) => status !== 200)) continue;
        compared += 1;
        const { mask, field, path, values } = masked;
        const rejected = await compare(masked, requestsFor(stores[0], masked));
        assert.ok(rejected > 0, `${mask}: naming the field is rejected`);
        const key = await stores[0].maskedKey(mask);
        const refused = await stores[0].send('PATCH', path, { key, body: { [field.name]: values[0] } });
        assert.deepEqual([refused.status, refused.json.masked_fields], [403, [mask]], refused.text);
        const seen = await stores[0].send('GET', path, { key });
        if (seen.status === 200) assert.ok(!(field.name in seen.json), `${mask}: ${seen.text}`);
        await set(masked, () => 2);
      }
      assert.deepEqual(differences, []);
      assert.ok(compared > 70 / STEP[name], `${compared} fields were compared`);
    });
  });
