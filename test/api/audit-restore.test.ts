/** Restoring records from the audit (access.md §4). */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { type RawBuilder, sql } from 'kysely';
import type { Transaction } from '../../src/engine/ports.ts';
import { ERASURES_LOCK } from '../../src/engine/unit/audit/erase-audit.ts';
import { openDatabase } from '../../src/wiring/open.ts';
import { assertReplayable } from '../support/audit.ts';
import { databaseNames, freshDatabase } from '../support/databases.ts';
import { png } from '../support/images.ts';
import { Store } from '../support/store.ts';
import { madeVariant, varied } from '../support/variants.ts';

// biome-ignore lint/suspicious/noExplicitAny: the form of the response is what the tests check
type Json = any;

for (const name of databaseNames)
  describe(`restoring from the audit (${name})`, () => {
    let fresh: Awaited<ReturnType<typeof freshDatabase>>;
    let store: Store;

    before(async () => {
      fresh = await freshDatabase(name, 'migrated');
      store = new Store(name, { DATABASE_URL: fresh.url });
      await store.start();
    });
    after(async () => {
      await store.stop();
      await fresh.remove();
    });

    const restore = (path: string, version: number, headers = {}) =>
      store.post(`${path}/restore`, { version }, headers);

    test('restores the fields and all texts of a version, and records the restore', async () => {
      const { id } = await store.product({ price: 10, description: 'First' });
      const path = `/api/products/${id}`;
      const before = await outputs(store, path);
      await store.patch(path, { price: 12, name: 'Second', description: '' });
      await store.patch(path, { name: 'Zwei' }, { 'accept-language': 'de' });
      const { json, headers } = await store.get(path);
      assert.equal((await restore(path, 1, { 'if-match': '"1-x"' })).status, 412);
      const restored = await restore(path, 1, { 'if-match': headers.etag! });
      assert.equal(restored.status, 200, restored.text);
      assert.deepEqual(await outputs(store, path), before);
      assert.deepEqual(restored.json, (await store.get(path)).json);
      const [entry] = (await store.get(`${path}/audit`)).json;
      assert.equal(entry.action, 'restored');
      assert.deepEqual(entry.changes['name.de'], { before: 'Zwei', after: null });
      assert.deepEqual(entry.changes.price, { before: 12, after: 10 });
      // Restoring the version before it reverts it.
      assert.equal((await restore(path, 3)).status, 200);
      assert.deepEqual({ ...(await store.get(path)).json, update_date: '' }, { ...json, update_date: '' });
    });

    test('leaves the stock of products and variants as it is, and restores it with a deleted record', async () => {
      const { id } = await store.product({ price: 13, amount: 10 });
      const path = `/api/products/${id}`;
      await store.patch(path, { price: 0.5 });
      await store.made('/api/orders', { email: 'a@example.com', items: [{ product_id: id, amount: 3 }] });
      const restored = await restore(path, 1);
      assert.deepEqual([restored.json.price, restored.json.amount], [13, 7], restored.text);
      const [entry] = (await store.get(`${path}/audit`)).json;
      assert.deepEqual(entry.changes, { price: { before: 0.5, after: 13 } });
      await store.delete(path);
      const [deleted] = (await store.get(`${path}/audit`)).json;
      assert.equal((await store.post(`/api/audit/${deleted.id}/restore`, {})).json.amount, 7);
      const shirt = await varied(store);
      const variant = `${shirt.variants}/${(await madeVariant(store, shirt, ['S', 'red'], { amount: 5 })).id}`;
      await store.patch(variant, { price: 4, amount: 6 });
      await store.post(`${variant}/stock`, { delta: -2 });
      const shown = (await restore(variant, 1)).json;
      assert.deepEqual([shown.default_price, shown.amount, shown.default_amount], [true, 4, false]);
    });

    test('rejects unknown versions, lost links and invalid bodies', async () => {
      const { id: tag } = await store.made('/api/tags', { name: 'lost' });
      const { id } = await store.product({ tags: [tag] });
      const path = `/api/products/${id}`;
      await store.patch(path, { tags: [] });
      for (const version of [3, 99]) assert.equal((await restore(path, version)).status, 404);
      for (const body of [{}, { version: '1' }, { version: 0 }, { version: 1, colour: 'red' }])
        assert.equal((await store.post(`${path}/restore`, body)).status, 422, JSON.stringify(body));
      await store.delete(`/api/tags/${tag}`);
      const { status, json } = await restore(path, 1);
      assert.deepEqual([status, json.violations[0].code], [422, 'unknown_link']);
      assert.equal((await restore('/api/products/999999', 1)).status, 404);
      assert.equal((await store.get(`${path}/audit`)).json.length, 2);
    });

    test('a retry with the same Idempotency-Key does not restore again', async () => {
      const { id } = await store.made('/api/zones', { name: 'Once', elements: [] });
      const path = `/api/zones/${id}`;
      await store.patch(path, { name: 'Twice' });
      const headers = { 'idempotency-key': 'restore-zone' };
      const first = await restore(path, 1, headers);
      await store.patch(path, { name: 'Third' });
      const again = await restore(path, 1, headers);
      assert.deepEqual([again.status, again.text], [first.status, first.text]);
      assert.equal((await store.get(path)).json.name, 'Third');
    });

    test('transactions, shipments, returns and invoices cannot be restored', async () => {
      for (const path of ['payment_transactions/1', 'shipments/1', 'returns/1', 'invoices/1'])
        assert.equal((await restore(`/api/orders/1/${path}`, 1)).status, 404, path);
    });

    test('creates a deleted record with a new id, and lists what it could not restore', async () => {
      const { id: gone } = await store.made('/api/tags', { name: 'gone' });
      const { id: kept } = await store.made('/api/tags', { name: 'kept' });
      const sent = { price: 7, tags: [gone, kept], clean_url: 'taken' };
      const { id, ...product } = await store.product(sent);
      await store.made(`/api/products/${id}/reviews`, { rating: 1, reviewer_name: 'Ada' });
      await store.patch(`/api/products/${id}`, { name: 'Becher' }, { 'accept-language': 'de' });
      const { json: before } = await store.get(`/api/products/${id}`);
      await store.delete(`/api/products/${id}`);
      await store.delete(`/api/tags/${gone}`);
      await store.product({ clean_url: 'taken' });
      const [entry, other] = (await store.get(`/api/products/${id}/audit`)).json;
      assert.equal((await store.post(`/api/audit/${other.id}/restore`, {})).status, 409);
      const headers = { 'idempotency-key': 'restore-product' };
      const { status, json, headers: sentBack, text } = await store.post(`/api/audit/${entry.id}/restore`, {}, headers);
      assert.equal(status, 201, text);
      assert.notEqual(json.id, id);
      assert.equal(sentBack.location, `${store.address}/api/products/${json.id}`);
      // Two products of the same second have the same date.
      const missing = json.not_restored.filter((each: string) => each !== 'create_date');
      assert.deepEqual(missing.sort(), ['clean_url', 'reviews', 'tags']);
      const { not_restored: _, ...record } = json;
      assert.deepEqual(record, (await store.get(`/api/products/${json.id}`)).json);
      assert.deepEqual([record.price, record.sku, record.tags.length], [7, product.sku, 1]);
      assert.equal(record.name, before.name);
      assert.equal((await store.get(`/api/products/${json.id}`, { 'accept-language': 'de' })).json.name, 'Becher');
      assert.equal((await store.get(`/api/products/${json.id}/audit`)).json[0].action, 'restored');
      assert.equal((await store.post(`/api/audit/${entry.id}/restore`, {}, headers)).text, text);
      // The SKU is taken by the restored product.
      const path = `/api/products/${json.id}`;
      const again = () => store.post(`/api/audit/${entry.id}/restore`, {});
      const { status: taken, json: rejection } = await again();
      assert.deepEqual([taken, rejection.violations[0].code], [422, 'not_unique']);
      assert.deepEqual(rejection.restored_as, { id: json.id, path });
      assert.match(rejection.detail, new RegExp(`The record has already been restored as ${path}\\.$`));
      await store.delete(path);
      const namesake = await store.product({ sku: json.sku });
      const { json: ofOther } = await again();
      assert.deepEqual([ofOther.violations[0].code, ofOther.restored_as], ['not_unique', undefined]);
      await store.delete(`/api/products/${namesake.id}`);
      assert.equal((await again()).status, 201);
      assert.equal((await store.post('/api/audit/999999/restore', {})).status, 404);
    });

    test('rejects restoring a part whose owner is deleted', async () => {
      const { id } = await store.product();
      const path = `/api/products/${id}/reviews`;
      const review = await store.made(path, { rating: 1, reviewer_name: 'Ada' });
      await store.delete(`${path}/${review.id}`);
      const [entry] = (await store.get(`${path}/${review.id}/audit`)).json;
      await store.delete(`/api/products/${id}`);
      assert.equal((await store.post(`/api/audit/${entry.id}/restore`, {})).status, 409);
    });

    test('an image comes back with its file, and is a conflict without it', async () => {
      const logo = (name: string, attachment: string) => ({ logo: { attachment, filename: `${name}.png`, alt: name } });
      const [one, other] = [await png(3, 2), await png(5, 4)].map((bytes) => bytes.toString('base64'));
      const version = () => versionOf(store, '/api/store');
      await store.patch('/api/store', logo('one', one!));
      const [first, { json: shown }] = [await version(), await store.get('/api/store')];
      await store.patch('/api/store', { logo: { alt: 'described' } });
      assert.equal((await restore('/api/store', first)).status, 200);
      assert.deepEqual((await store.get('/api/store')).json, shown);
      await store.patch('/api/store', logo('other', other!));
      await store.settled();
      assert.equal((await restore('/api/store', first)).status, 409);
      assert.notEqual((await store.get('/api/store')).json.logo.url, shown.logo.url);
    });

    test('masked fields are neither read nor written', async () => {
      const { id } = await store.product({ cost_price: 1, price: 1 });
      const path = `/api/products/${id}`;
      await store.patch(path, { cost_price: 2, price: 2 });
      const scopes = ['products:read', 'products:write', 'audit:read'];
      const grant = { name: `masked ${name}`, kind: 'scoped', scopes, masks: ['Product.cost_price'] };
      const { key } = await store.made('/api/keys', grant);
      // Responses with hidden fields do not have the form of the document.
      const withKey = async (at: string, body: Json): Promise<{ status: number; json: Json }> => {
        const headers = { 'x-auth-token': key, 'content-type': 'application/json' };
        const response = await fetch(store.address + at, { method: 'POST', headers, body: JSON.stringify(body) });
        return { status: response.status, json: await response.json() };
      };
      assert.equal((await withKey(`${path}/restore`, { version: 1 })).status, 200);
      const { price, cost_price } = (await store.get(path)).json;
      assert.deepEqual([price, cost_price], [1, 2]);
      await store.delete(path);
      const [entry] = (await store.get(`${path}/audit`)).json;
      const { status, json } = await withKey(`/api/audit/${entry.id}/restore`, {});
      assert.equal(status, 201);
      assert.equal((await store.get(`/api/products/${json.id}`)).json.cost_price, 0);
      assert.ok(!json.not_restored.includes('cost_price'));
      // The SKU is taken by the restored product. The reason could also be a record that the key cannot read.
      const taken = await withKey(`/api/audit/${entry.id}/restore`, {});
      await store.patch(`/api/products/${json.id}`, { sku: `new-${json.sku}` });
      await store.product({ sku: json.sku });
      for (const { status: rejected, json: problem } of [
        taken,
        await withKey(`/api/products/${json.id}/restore`, { version: 1 }),
      ]) {
        assert.deepEqual([rejected, problem.violations[0].code], [422, 'not_unique']);
        assert.match(problem.violations[0].message, /^A rule rejects this value/);
      }
    });

    test('after random writes, each version can be restored as it was', async () => {
      const kinds = Object.keys(KINDS) as (keyof typeof KINDS)[];
      const write = fc.record({ language: fc.constantFrom('en', 'de'), seed: fc.integer({ min: 0, max: 999 }) });
      const run = fc.record({
        kind: fc.constantFrom(...kinds),
        writes: fc.array(write, { minLength: 1, maxLength: 6 }),
        to: fc.nat(),
      });
      const links = await LINKS(store);
      let next = 0;
      await fc.assert(
        fc.asyncProperty(run, async ({ kind, writes, to }) => {
          next += 1;
          const { path: collection, create, change } = KINDS[kind];
          const { id } = await store.made(collection, create(next, links));
          const path = `${collection}/${id}`;
          const states = new Map<number, Json>();
          const record = async () => states.set(await versionOf(store, path), await outputs(store, path));
          await record();
          for (const { language, seed } of writes) {
            const body = change(seed, next, links);
            const { status, text } = await store.patch(path, body, { 'accept-language': language });
            assert.equal(status, 200, text);
            await record();
          }
          const versions = [...states.keys()];
          const version = versions[to % versions.length]!;
          const { en, de } = await outputs(store, path);
          const { status, text } = await restore(path, version);
          assert.equal(status, 200, text);
          const expected = withStockOf({ en, de }, states.get(version));
          assert.deepEqual(await outputs(store, path), expected, `${path} as of ${version}`);
        }),
        { numRuns: 40 },
      );
      const database = await openDatabase({ databaseUrl: fresh.url, databaseSchema: '' });
      await assertReplayable(database).finally(() => database.close());
    });

    // Last, because erased values cannot be replayed.
    test('responds with 410 to versions and deletions whose values were erased', async () => {
      const login = 'erased-restore@example.com';
      const profile = await store.made('/api/profiles', { login, status_comment: 'one' });
      const path = `/api/profiles/${profile.id}`;
      await store.patch(path, { status_comment: 'two' });
      assert.equal((await restore(path, 1)).status, 200);
      assert.equal((await store.get(path)).json.status_comment, 'one');
      const { id } = await store.product();
      const items = [{ product_id: id, amount: 1, price: 1 }];
      const order = await store.made('/api/orders', { email: login, customer_id: profile.id, items });
      assert.equal((await store.post(`${path}/erase`, {})).status, 200);
      const [entry] = (await store.get(`${path}/audit`)).json;
      const { status, json } = await store.post(`/api/audit/${entry.id}/restore`, {});
      assert.deepEqual([status, json.type.split('/').at(-1)], [410, 'version-erased']);
      assert.equal((await restore(`/api/orders/${order.id}`, 1)).status, 410);
    });

    test('a deleted record does not come back while its values are erased', async () => {
      const entry = await deletedZone(store, 'Erased meanwhile');
      const response = await whileWriting(fresh.url, async (transaction, run) => {
        await transaction.lock(ERASURES_LOCK);
        const restoring = store.post(`/api/audit/${entry.id}/restore`, {});
        // The request has read the entry before the erasure changes it.
        await sleep(300);
        const changes = JSON.stringify({ name: { after: null, before: { erased: true } } });
        await run(sql`update ${sql.table('audit_entry')} set changes = ${sql.lit(changes)}, salt = null
          where id = ${sql.lit(entry.id)}`);
        return { restoring };
      });
      const { status, text } = await response.restoring;
      assert.equal(status, 410, text);
    });

    test('a retry of a restore gets the first response after the entry has expired', async () => {
      const entry = await deletedZone(store, 'Expired meanwhile');
      const headers = { 'idempotency-key': 'restore-expired' };
      const first = await store.post(`/api/audit/${entry.id}/restore`, {}, headers);
      assert.equal(first.status, 201, first.text);
      await whileWriting(fresh.url, (_, run) =>
        run(sql`delete from ${sql.table('audit_entry')} where id = ${sql.lit(entry.id)}`),
      );
      const again = await store.post(`/api/audit/${entry.id}/restore`, {}, headers);
      assert.deepEqual([again.status, again.text], [201, first.text]);
    });
  });

/** The entry of the deletion of a new zone. */
async function deletedZone(store: Store, name: string): Promise<Json> {
  const { id } = await store.made('/api/zones', { name, elements: [] });
  await store.delete(`/api/zones/${id}`);
  return (await store.get(`/api/zones/${id}/audit`)).json[0];
}

/** Runs work in a transaction of another process. */
async function whileWriting<T>(
  databaseUrl: string,
  work: (transaction: Transaction, run: (statement: RawBuilder<unknown>) => Promise<unknown>) => Promise<T>,
): Promise<T> {
  const database = await openDatabase({ databaseUrl, databaseSchema: '' });
  const inTransaction = (transaction: Transaction) =>
    work(transaction, (statement) => transaction.run(database.dialect.compile(statement), {}));
  return database.transaction(inTransaction).finally(() => database.close());
}

/** Output in both languages and all texts, without the time of the change. */
async function outputs(store: Store, path: string): Promise<Json> {
  const inLanguage = async (language: string) => {
    const { update_date: _, ...rest } = (await store.get(path, { 'accept-language': language })).json;
    return rest;
  };
  const texts = await store.get(`${path}/translations`);
  return { en: await inLanguage('en'), de: await inLanguage('de'), texts: texts.status === 200 ? texts.json : null };
}

/** A restore does not change the stock. */
function withStockOf(now: Json, { en, de, texts }: Json): Json {
  const stockOf = ({ amount }: Json) => (amount === undefined ? {} : { amount });
  return { en: { ...en, ...stockOf(now.en) }, de: { ...de, ...stockOf(now.de) }, texts };
}

async function versionOf(store: Store, path: string): Promise<number> {
  return Number(/^"(\d+)-/.exec((await store.get(path)).headers.etag!)![1]);
}

type Links = Readonly<Record<'tags' | 'memberships' | 'categories' | 'products', readonly number[]>>;

async function LINKS(store: Store): Promise<Links> {
  const many = async (path: string) =>
    Promise.all([1, 2, 3].map(async (each) => (await store.made(path, { name: `Linked ${each}` })).id as number));
  return {
    tags: await many('/api/tags'),
    memberships: await many('/api/memberships'),
    categories: await many('/api/categories'),
    products: [(await store.product()).id, (await store.product()).id],
  };
}

/** Some of the values, chosen by a number. */
function some<T>(values: readonly T[], seed: number): T[] {
  return values.filter((_, index) => (seed >> index) % 2 === 1);
}

interface Kind {
  readonly path: string;
  readonly create: (next: number, links: Links) => Json;
  readonly change: (seed: number, next: number, links: Links) => Json;
}

function chosen(all: readonly Json[], seed: number): Json {
  return Object.assign({}, all[seed % all.length], all[(seed * 7) % all.length]);
}

const KINDS: Readonly<Record<'product' | 'category' | 'discount' | 'zone' | 'attribute', Kind>> = {
  product: {
    path: '/api/products',
    create: (next, { tags }) => ({ sku: `RESTORE-${next}`, name: `Product ${next}`, price: 5, tags: some(tags, next) }),
    change: (seed, next, { tags, memberships }) =>
      chosen(
        [
          { price: seed / 10, market_price: seed },
          { name: `Name ${seed}`, description: seed % 3 === 0 ? '' : `Text ${seed}` },
          { tags: some(tags, seed), memberships: some(memberships, seed >> 2) },
          { sku: `RESTORE-${next}-${seed}`, amount: seed, enabled: seed % 2 === 0 },
          { clean_url: `restore-${next}-${seed}`, meta_description: `Meta ${seed}`, meta_title: '' },
          { participate_sale: true, discount_type: 'sale_percent', sale_price_value: seed % 100 },
          { arrival_date: '2026-05-01T10:00:00+02:00', weight: seed / 4, og_meta_tags: seed % 2 ? '' : '<meta>' },
        ],
        seed,
      ),
  },
  category: {
    path: '/api/categories',
    create: (next) => ({ name: `Category ${next}` }),
    change: (seed, next, { categories, memberships }) =>
      chosen(
        [
          { name: `Category ${next} ${seed}`, description: `Text ${seed}` },
          { parent: categories[seed % 3], position: seed },
          { memberships: some(memberships, seed), clean_url: `restore-category-${next}-${seed}` },
          { enabled: seed % 2 === 0, meta_title: `Title ${seed}` },
        ],
        seed,
      ),
  },
  discount: {
    path: '/api/sale_discounts',
    create: (next) => ({ name: `Discount ${next}`, value: 5 }),
    change: (seed, _, { products, categories }) =>
      chosen(
        [
          { value: seed % 100, name: `Discount ${seed}` },
          { specific_products: true, products: some(products, seed) },
          { categories: some(categories, seed), date_range_begin: '2026-01-01T00:00:00+00:00' },
        ],
        seed,
      ),
  },
  zone: {
    path: '/api/zones',
    create: (next) => ({ name: `Zone ${next}`, elements: [] }),
    change: (seed, next) =>
      chosen(
        [{ name: `Zone ${next} ${seed}` }, { elements: seed % 5 ? [{ countries: [seed % 2 ? 'DE' : 'FR'] }] : [] }],
        seed,
      ),
  },
  attribute: {
    path: '/api/attributes_select',
    create: (next) => ({ name: `Attribute ${next}` }),
    change: (seed) => chosen([{ name: `Attribute ${seed}` }, { position: seed }], seed),
  },
};
