/**
 * The journal records what each write changed, record by record, including cascades. The databases of these stores
 * have no `on delete` actions: the unit of work must find and delete dependents by itself.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import sharp from 'sharp';
import { type RunningServer, serve } from '../../src/cli/serve.ts';
import type { Database } from '../../src/engine/ports.ts';
import { readConfig } from '../../src/wiring/config.ts';
import { assertReplayable } from '../support/audit.ts';
import { type HttpResponse, type RequestOptions, sendRequest } from '../support/client.ts';
import { databaseNames, type FreshDatabase, freshDatabase } from '../support/databases.ts';
import { type FeedEntry, now, pages } from '../support/feed.ts';
import { assertInOrder, assertJournaled, type Entry, entriesAfter, versionsIn } from '../support/journal.ts';
import { NO_OUTPUT } from '../support/start-line.ts';

const KEY = 'key-of-the-journal';

/** Disables the cascades of the database, so that a forgotten dependent is detected. */
async function withoutCascades({ name, url }: FreshDatabase): Promise<void> {
  if (name === 'sqlite') {
    const database = new DatabaseSync(url.slice('sqlite:'.length), { defensive: false });
    database.exec(`PRAGMA writable_schema = on;
      update sqlite_schema set sql = replace(replace(sql, 'on delete cascade', 'on delete no action'), 'on delete set null', 'on delete no action');
      PRAGMA writable_schema = reset;`);
    const [left] = database
      .prepare(`select count(*) as n from sqlite_schema where sql like '%on delete cascade%'`)
      .all();
    assert.equal(left!.n, 0);
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(`select conrelid::regclass as owner, conname, pg_get_constraintdef(oid) as text
    from pg_constraint where contype = 'f' and confdeltype in ('c', 'n')`);
  assert.ok(rows.length > 10);
  for (const { owner, conname, text } of rows) {
    const plain = text.replace(/ ON DELETE (CASCADE|SET NULL)/, '');
    await client.query(`alter table ${owner} drop constraint "${conname}", add constraint "${conname}" ${plain}`);
  }
  await client.end();
}

/** A store with access to its journal. */
class JournaledStore {
  #fresh!: FreshDatabase;
  #server!: RunningServer;
  #database!: Database;
  #images!: string;
  #number = 0;

  async start(name: (typeof databaseNames)[number]): Promise<void> {
    this.#fresh = await freshDatabase(name, 'migrated');
    await withoutCascades(this.#fresh);
    this.#images = await mkdtemp(join(tmpdir(), 'purveyor-images-'));
    const environment = {
      PORT: '0',
      API_KEY_READ_WRITE: KEY,
      LANGUAGES: 'de',
      LOG_LEVEL: 'silent',
      DATABASE_URL: this.#fresh.url,
      IMAGES_URL: `file:${this.#images}`,
    };
    this.#server = await serve(readConfig(environment), environment, NO_OUTPUT);
    this.#database = await this.#fresh.open();
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
    await this.#database?.close();
    await this.#fresh?.remove();
    await rm(this.#images, { recursive: true });
  }

  async send(method: string, path: string, options: RequestOptions = {}): Promise<HttpResponse> {
    const response = await sendRequest(this.#server.address, method, `/api${path}`, { key: KEY, ...options });
    assert.ok(response.status < 300, `${method} ${path}: ${response.status} ${response.text}`);
    return response;
  }

  async made(path: string, body: object): Promise<number> {
    return (await this.send('POST', path, { body })).json.id;
  }

  /** Sends a request and returns its journal entries after comparing them with the tables and the feed. */
  async entriesOf(method: string, path: string, options: RequestOptions = {}): Promise<Entry[]> {
    await this.#server.settled();
    const versions = await versionsIn(this.#database);
    const position = (await entriesAfter(this.#database, 0)).at(-1)?.position ?? 0;
    const get = (feed: string): Promise<HttpResponse> => this.send('GET', feed.replace('/api', ''));
    const cursor = await now(get);
    await this.send(method, path, options);
    // Read the feed before any other request processes the changes: they must be visible to the client immediately.
    const { entries: fed } = await pages(get, `after=${cursor}`);
    await this.#server.settled();
    const entries = await entriesAfter(this.#database, position);
    assertJournaled(versions, await versionsIn(this.#database), entries);
    assert.deepEqual(fed.map(inFeed), entries.map(inJournal), 'the feed has the same entries');
    return entries;
  }

  async assertComplete(): Promise<void> {
    await this.#server.settled();
    assertInOrder(await entriesAfter(this.#database, 0), await versionsIn(this.#database));
    await assertReplayable(this.#database);
  }

  /** Asserts that each record is at the path of its last entry and that deleted ones are gone. */
  async assertPaths(): Promise<void> {
    const last = new Map(
      (await entriesAfter(this.#database, 0)).map((entry) => [`${entry.resource} ${entry.record}`, entry]),
    );
    for (const [name, { path, kind, record, resource }] of last) {
      const { status, json } = await sendRequest(this.#server.address, 'GET', path, { key: KEY });
      assert.equal(status === 200, kind !== 'deleted', `${name} at ${path}: ${status}`);
      if (status === 200 && !SINGLE.has(resource)) assert.equal(String(json.id ?? json.code), record, path);
    }
  }

  /** Creates a product with every kind of dependent record. @returns ids by name */
  async createFixture(): Promise<Readonly<Record<string, number>>> {
    this.#number += 1;
    const n = this.#number;
    const taxClass = await this.made('/tax_classes', { name: `Tax ${n}` });
    const productClass = await this.made('/product_classes', { name: `Class ${n}` });
    const group = await this.made(`/product_classes/${productClass}/attribute_groups`, { name: `Group ${n}` });
    const sticker = await this.made('/stickers', { name: `Sticker ${n}` });
    const membership = await this.made('/memberships', { name: `Member ${n}` });
    const image = { attachment: await pixel(), filename: 'pixel.png' };
    const product = await this.made('/products', {
      sku: `SKU-${n}`,
      name: `Product ${n}`,
      product_class: `Class ${n}`,
      tax_class: `Tax ${n}`,
      tags: [`Tag ${n}`, `Other ${n}`],
      stickers: [sticker],
      memberships: [`Member ${n}`],
      images: [image, image],
    });
    await this.send('PATCH', `/products/${product}`, {
      body: { name: `Produkt ${n}` },
      headers: { 'accept-language': 'de' },
    });
    const select = await this.made(`/product_classes/${productClass}/attributes_select`, {
      name: `Size ${n}`,
      groupId: group,
    });
    const option = await this.made(`/product_classes/${productClass}/attributes_select/${select}/options`, {
      value: 'XL',
    });
    const own = await this.made(`/products/${product}/attributes_text`, { name: `Own ${n}` });
    const global = await this.made('/attributes_checkbox', { name: `Global ${n}` });
    await this.made(`/products/${product}/attributes_select/${select}/values`, { option_id: option });
    await this.send('POST', `/products/${product}/attributes_text/${own}/values`, { body: { value: 'Text' } });
    await this.send('POST', `/products/${product}/attributes_checkbox/${global}/values`, { body: {} });
    for (const attribute of [select, own, global])
      await this.send('POST', `/products/${product}/attributes/${attribute}/property`, { body: { position: 1 } });
    const root = await this.made('/categories', { name: `Root ${n}`, memberships: [`Member ${n}`] });
    const branch = await this.made('/categories', { name: `Branch ${n}`, parent: root });
    for (const category of [root, branch]) {
      await this.send('POST', `/categories/${category}/products`, { body: { product_id: product } });
      await this.send('POST', `/categories/${category}/icon`, { body: image });
      await this.send('POST', `/categories/${category}/banner`, { body: image });
    }
    const order = await this.made('/orders', {
      email: 'ada@example.com',
      items: [{ product_id: product, amount: 2 }],
      surcharges: [{ type: 'shipping', value: 4.9 }],
    });
    await this.made(`/orders/${order}/details`, { name: 'gift', value: 'yes' });
    await this.made(`/orders/${order}/payment_transactions`, { value: 1 });
    const number = await this.made(`/orders/${order}/tracking_numbers`, { value: '1Z' });
    return {
      n,
      taxClass,
      productClass,
      group,
      sticker,
      membership,
      product,
      select,
      option,
      own,
      global,
      root,
      branch,
      order,
      number,
    };
  }
}

async function pixel(): Promise<string> {
  const background = { r: 1, g: 2, b: 3 };
  return (
    await sharp({ create: { width: 2, height: 2, channels: 3, background } })
      .png()
      .toBuffer()
  ).toString('base64');
}

const inFeed = ({ resource, id, path, action, version, fields }: FeedEntry): unknown[] => [
  ...[resource, String(id), path, action, version],
  fields,
];
const inJournal = ({ resource, record, path, kind, version, fields }: Entry): unknown[] => [
  ...[resource, record, path, kind, version],
  fields,
];

/** Records without an id in their path. */
const SINGLE = new Set(['StoreInfo', 'AttributeProperty', 'AttributeValueHidden', 'AttributeValueText', 'TaxSettings']);

const kinds = (entries: readonly Entry[]): string[] =>
  entries.map(({ resource, kind }) => `${resource} ${kind}`).sort();

for (const name of databaseNames)
  describe(`journal (${name})`, () => {
    const store = new JournaledStore();
    before(() => store.start(name));
    after(() => store.stop());

    const deletions: readonly (readonly [
      of: string,
      path: (ids: Readonly<Record<string, number>>) => string,
      entries: readonly string[],
    ])[] = [
      ['a tax class', ({ taxClass }) => `/tax_classes/${taxClass}`, ['TaxClass deleted']],
      ['a sticker', ({ sticker }) => `/stickers/${sticker}`, ['Sticker deleted']],
      ['a membership', ({ membership }) => `/memberships/${membership}`, ['Membership deleted']],
      [
        'a group',
        ({ productClass, group }) => `/product_classes/${productClass}/attribute_groups/${group}`,
        ['AttributeGroup deleted'],
      ],
      [
        'an option',
        ({ productClass, select, option }) =>
          `/product_classes/${productClass}/attributes_select/${select}/options/${option}`,
        ['Attribute updated', 'AttributeOption deleted', 'AttributeValueSelect deleted'],
      ],
      [
        'an attribute',
        ({ global }) => `/attributes_checkbox/${global}`,
        ['Attribute deleted', 'AttributeProperty deleted', 'AttributeValueCheckbox deleted'],
      ],
      [
        'a class',
        ({ productClass }) => `/product_classes/${productClass}`,
        [
          'Attribute deleted',
          'AttributeGroup deleted',
          'AttributeOption deleted',
          'AttributeProperty deleted',
          'AttributeValueSelect deleted',
          'ProductClass deleted',
        ],
      ],
      ['a tree of categories', ({ root }) => `/categories/${root}`, ['Category deleted', 'Category deleted']],
      [
        'a link from a category to a product',
        ({ branch, product }) => `/categories/${branch}/products/${product}`,
        ['Category updated'],
      ],
      ['an icon', ({ branch }) => `/categories/${branch}/icon`, ['Category updated']],
      [
        'a tracking number',
        ({ order, number }) => `/orders/${order}/tracking_numbers/${number}`,
        ['Order updated', 'OrderHistoryEvents created'],
      ],
      [
        'a product',
        ({ product }) => `/products/${product}`,
        [
          'Attribute deleted',
          'AttributeProperty deleted',
          'AttributeProperty deleted',
          'AttributeProperty deleted',
          'AttributeValueCheckbox deleted',
          'AttributeValueSelect deleted',
          'AttributeValueText deleted',
          'Product deleted',
        ],
      ],
    ];
    for (const [of, path, expected] of deletions)
      test(`records the deletion of ${of} and of its dependents`, async () => {
        const ids = await store.createFixture();
        assert.deepEqual(kinds(await store.entriesOf('DELETE', path(ids))), [...expected]);
      });

    test('records changed fields, and changes of parts as changes of their owner', async () => {
      const { product, order, n } = await store.createFixture();
      const fields = async (method: string, path: string, options: RequestOptions): Promise<readonly unknown[]> =>
        (await store.entriesOf(method, path, options)).map(({ resource, fields: of }) => [resource, ...[...of].sort()]);
      const german = { 'accept-language': 'de' };
      const image = { attachment: await pixel(), filename: 'pixel.png' };
      assert.deepEqual(await fields('PATCH', `/products/${product}`, { body: { price: 3, name: `Product ${n}` } }), [
        ['Product', 'price'],
      ]);
      assert.deepEqual(await fields('PATCH', `/products/${product}`, { body: { price: 3 } }), []);
      assert.deepEqual(
        await fields('PATCH', `/products/${product}`, { body: { meta_title: 'Titel' }, headers: german }),
        [['Product', 'meta_title']],
      );
      assert.deepEqual(await fields('DELETE', `/products/${product}/translations/de`, {}).then((all) => all.length), 1);
      assert.deepEqual(await fields('POST', `/products/${product}/stock`, { body: { delta: 1 } }), [
        ['Product', 'amount'],
      ]);
      assert.deepEqual(await fields('POST', `/products/${product}/images`, { body: image }), [['Product', 'images']]);
      assert.deepEqual(await fields('PATCH', `/products/${product}`, { body: { tags: ['Fresh', `Tag ${n}`] } }), [
        ['Tag'],
        ['Product', 'tags'],
      ]);
      assert.deepEqual(await fields('PUT', `/orders/${order}/payment_status`, { body: { code: 'C' } }), [
        ['Order', 'payment_status', 'stock_status'],
        ['OrderHistoryEvents'],
        ['Product', 'amount'],
        ['OrderHistoryEvents'],
      ]);
    });

    test('does not record a rejected write', async () => {
      const { product } = await store.createFixture();
      await assert.rejects(store.entriesOf('PATCH', `/products/${product}`, { body: { price: -1 } }), /422/);
      await assert.rejects(store.entriesOf('DELETE', '/languages/en'), /409/);
    });

    test('records every write of these tests in order', () => store.assertComplete());

    test('records the path of every record', () => store.assertPaths());
  });
