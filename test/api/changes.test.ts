/** The change feed as its readers see it (sync.md §1). */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { isProblem, writeRecord } from '../../src/engine/index.ts';
import type { Database, Row } from '../../src/engine/ports.ts';
import { ownRequestOptions, routeOf, targetAt } from '../../src/store/own-requests.ts';
import { readConfig } from '../../src/wiring/config.ts';
import { openStore } from '../../src/wiring/open.ts';
import { type DatabaseName, databaseNames, type FreshDatabase, freshDatabase } from '../support/databases.ts';
import { EventStream, type FeedEntry, now, page, pages } from '../support/feed.ts';
import { entriesAfter, versionsIn } from '../support/journal.ts';
import { onEachDatabase, READ_ONLY_KEY, READ_WRITE_KEY, type Settings, Store } from '../support/store.ts';

const get = (store: Store) => (path: string) => store.get(path);
const summaries = (entries: readonly FeedEntry[]): unknown[] =>
  entries.map(({ resource, id, action, version }) => `${resource} ${id} ${action} ${version}`);

onEachDatabase('change feed', {}, (store) => {
  test('starts with every living record in the order of its last change and continues with changes', async () => {
    const [one, two, three] = [await store.product(), await store.product(), await store.product()];
    await store.patch(`/api/products/${one.id}`, { price: 1 });
    await store.delete(`/api/products/${two.id}`);
    const query = 'resource[]=Product&resource[]=Language';
    const first = await page(get(store), `?limit=1&${query}`);
    const rest: FeedEntry[] = [...first.entries];
    await store.patch(`/api/products/${three.id}`, { price: 2 });
    const fourth = await store.product();
    // A page that is not full contains all changes up to now, including those since the first page.
    const snapshot = await pages(get(store), `${query}&after=${first.cursor}`, 50);
    rest.push(...snapshot.entries);
    const products = rest.filter(({ resource }) => resource === 'Product');
    assert.deepEqual(
      summaries(products),
      [`Product ${one.id} updated 2`, `Product ${three.id} updated 2`, `Product ${fourth.id} created 1`],
      'the third product changed during the snapshot and comes last',
    );
    assert.deepEqual(new Set(rest.map(({ id }) => id)).size, rest.length);
    const oneByOne: FeedEntry[] = [];
    for (let after = first.cursor; oneByOne.length < snapshot.entries.length; ) {
      const { entries, cursor } = await page(get(store), `?limit=1&${query}&after=${after}`);
      oneByOne.push(...entries);
      after = cursor;
    }
    assert.deepEqual(summaries(oneByOne), summaries(snapshot.entries));
    const changes = await pages(get(store), `${query}&after=${snapshot.cursor}`);
    assert.deepEqual(summaries(changes.entries), []);
  });

  test('records each change once with its path, version and changed fields', async () => {
    const cursor = await now(get(store));
    const { id } = await store.product();
    await store.patch(`/api/products/${id}`, { price: 5, name: 'Renamed' });
    await store.patch(`/api/products/${id}`, { price: 5 });
    await store.delete(`/api/products/${id}`);
    const { entries } = await pages(get(store), `after=${cursor}`, 2);
    assert.deepEqual(summaries(entries), [
      `Product ${id} created 1`,
      `Product ${id} updated 2`,
      `Product ${id} deleted 3`,
    ]);
    assert.deepEqual([...entries[1]!.fields].sort(), ['name', 'price']);
    for (const { path, date, fields, action } of entries) {
      assert.equal(path, `/api/products/${id}`);
      assert.match(date, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
      if (action !== 'updated') assert.deepEqual(fields, []);
    }
    // The cursor of each entry leads to the entries after it.
    for (const [index, { cursor: own }] of entries.entries())
      assert.deepEqual((await page(get(store), `?after=${own}`)).entries, entries.slice(index + 1));
  });

  test('includes the current records on request', async () => {
    const german = { 'accept-language': 'de' };
    const { id: productClass } = await store.made('/api/product_classes', { name: 'Included' });
    const cursor = await now(get(store));
    const { id } = await store.product();
    const deleted = await store.product();
    await store.patch(`/api/products/${id}`, { name: 'Deutsch' }, german);
    const select = await store.made(`/api/product_classes/${productClass}/attributes_select`, { name: 'Size' });
    const path = `/api/product_classes/${productClass}/attributes_select/${select.id}/options`;
    const option = await store.made(path, { value: 'XL' });
    await store.delete(`/api/products/${deleted.id}`);
    const { json, headers } = await store.get(`/api/changes?include=record&after=${cursor}`, german);
    assert.equal(headers['content-language'], 'de');
    for (const { path: at, record, action } of json as FeedEntry[]) {
      const { status, json: current } = await store.get(at, german);
      assert.deepEqual(record, status === 200 ? current : null, at);
      if (action === 'deleted') assert.equal(record, null);
    }
    const paths = (json as FeedEntry[]).map(({ path: at }) => at);
    for (const at of [`/api/products/${id}`, `/api/products/${deleted.id}`, `${path}/${option.id}`])
      assert.ok(paths.includes(at), at);
    assert.equal((json as FeedEntry[]).find(({ resource }) => resource === 'Product')!.record.name, 'Deutsch');
    const without = await page(get(store), `?after=${cursor}`);
    assert.ok(without.entries.every((entry) => !('record' in entry)));
  });

  test('includes large records in pages and streams, in order and exactly once', async () => {
    const cursor = await now(get(store));
    const skus: string[] = [];
    // Parts contain more of the small records and fewer of the large ones.
    for (let number = 0; number < 30; number += 1) {
      const sku = `SIZE-${number}`;
      const og_meta_tags = 'x'.repeat(number < 20 || number % 4 === 0 ? 10 : 700_000);
      await store.made('/api/products', { sku, name: sku, og_meta_tags_type: 'C', og_meta_tags });
      skus.push(sku);
    }
    const query = `resource[]=Product&include=record&after=${cursor}`;
    const { entries, cursor: end } = await page(get(store), `?limit=30&${query}`);
    const skuOf = ({ record }: FeedEntry): string => record.sku;
    assert.deepEqual(entries.map(skuOf), skus);
    assert.equal(entries.at(-1)!.cursor, end);
    const stream = await EventStream.open(`${store.address}/api/changes?${query}`, { 'x-auth-token': READ_ONLY_KEY });
    const streamed: FeedEntry[] = [];
    while (streamed.length < skus.length) streamed.push((await stream.next())!);
    assert.deepEqual(streamed, entries);
    while (stream.caughtUpAfter === undefined) await sleep(5);
    assert.equal(stream.caughtUpAfter, skus.length);
    stream.close();
  });

  test('advances the cursor if no requested resource has changed', async () => {
    const cursor = await now(get(store));
    await store.product();
    const { entries, cursor: next } = await page(get(store), `?resource[]=Tag&after=${cursor}`);
    assert.deepEqual(entries, []);
    assert.notEqual(next, cursor);
    assert.deepEqual((await page(get(store), `?after=${next}`)).entries, []);
  });

  const rejections: readonly (readonly [query: string, detail: RegExp])[] = [
    ['limit=0', /"limit" should be a whole number from 1 to 1000; it is "0"/],
    ['limit=1001', /"limit" .* it is "1001"/],
    ['limit=1e2', /"limit"/],
    ['limit=', /"limit"/],
    ['limit=1&limit=2', /"limit" is given more than once/],
    ['wait=31', /"wait" should be a whole number from 0 to 30/],
    ['wait=-1', /"wait"/],
    ['wait=0.5', /"wait"/],
    ['include=everything', /"include" should be "record"/],
    ['include=record&include=record', /"include" is given more than once/],
    ['resource[]=Products', /"resource\[\]" should be one of .*Product.*; it is "Products"/],
    ['resource[]=ProductImage', /Changes of parts are reported as changes of their owner/],
    ['resource=Product', /Unknown parameter "resource"\. Did you mean "resource\[\]"/],
    ['since=now', /Unknown parameter "since"/],
    ['after=', /"after" must be a cursor/],
    ['after=12', /"after" must be a cursor/],
    ['after=%00', /NUL/],
    [`after=${'a'.repeat(200)}`, /"after" must be a cursor/],
    ['after=now&after=now', /"after" is given more than once/],
    ['%FF=1', /percent-encoded/],
  ];
  for (const [query, detail] of rejections)
    test(`rejects ?${query.slice(0, 40)}`, async () => {
      const { status, json } = await store.get(`/api/changes?${query}`);
      assert.equal(status, 400, query);
      assert.match(json.detail, detail);
    });

  test('accepts the limits of every parameter', async () => {
    for (const query of ['limit=1', 'limit=1000', 'wait=0', 'wait=30', 'resource[]=Tag&resource[0]=Tag'])
      assert.equal((await store.get(`/api/changes?${query}`)).status, 200, query);
  });

  test('ignores unknown parameters but not invalid values with handling=lenient', async () => {
    const lenient = { prefer: 'handling=lenient' };
    const passed = await store.get('/api/changes?since=1&after=now', lenient);
    assert.deepEqual([passed.status, passed.json, passed.headers['preference-applied']], [200, [], 'handling=lenient']);
    for (const query of ['after=then', 'resource=Product', 'resource[x]=Product'])
      assert.equal((await store.get(`/api/changes?${query}`, lenient)).status, 400, query);
  });

  test('is readable with every key as JSON or a stream, and is read-only', async () => {
    assert.equal((await store.request('GET', '/api/changes', { key: READ_ONLY_KEY })).status, 200);
    assert.equal((await store.request('GET', '/api/changes', { key: null })).status, 401);
    assert.equal((await store.get('/api/changes', { accept: 'application/ld+json' })).status, 406);
    assert.equal((await store.post('/api/changes', {})).status, 405);
    const { status, text, headers } = await store.request('HEAD', '/api/changes?limit=1');
    assert.deepEqual([status, text], [200, '']);
    assert.ok(headers['changes-cursor']);
  });

  test('waits for a change no longer than requested', async () => {
    const cursor = await now(get(store));
    const waiting = page(get(store), `?wait=30&after=${cursor}`);
    const { id } = await store.product();
    assert.deepEqual(summaries((await waiting).entries), [`Product ${id} created 1`]);
    const last = await now(get(store));
    assert.deepEqual(await page(get(store), `?wait=1&after=${last}`), { entries: [], cursor: last });
  });

  test('continues to wait during changes of other resources', async () => {
    const waiting = page(get(store), '?wait=30&resource[]=Tag&after=now');
    await store.product();
    const tag = await store.made('/api/tags', { name: 'Awaited' });
    assert.deepEqual(summaries((await waiting).entries), [`Tag ${tag.id} created 1`]);
  });

  test('streams the same entries and resumes after a disconnect', async () => {
    const cursor = await now(get(store));
    const { id } = await store.product();
    const open = (query: string, headers: Readonly<Record<string, string>> = {}) =>
      EventStream.open(`${store.address}/api/changes?${query}`, { 'x-auth-token': READ_ONLY_KEY, ...headers });
    const stream = await open(`after=${cursor}`);
    assert.deepEqual([stream.status, stream.type], [200, 'text/event-stream']);
    const first = await stream.next();
    const { entries } = await page(get(store), `?after=${cursor}`);
    assert.deepEqual(first, entries[0]);
    await store.patch(`/api/products/${id}`, { price: 1 });
    assert.deepEqual(summaries([(await stream.next())!]), [`Product ${id} updated 2`]);
    const { lastId } = stream;
    stream.close();
    await store.patch(`/api/products/${id}`, { price: 2 });
    const again = await open(`after=${cursor}&include=record`, { 'last-event-id': lastId });
    const next = (await again.next())!;
    assert.deepEqual(summaries([next]), [`Product ${id} updated 3`]);
    assert.equal(next.record.price, 2);
    again.close();
  });

  test('sends no change that follows a change of rights', async () => {
    const text = 'a-key-that-loses-a-scope';
    const newKey = (name: string, scopes: readonly string[]) =>
      store.made('/api/keys', { name, kind: 'scoped', scopes, key: text });
    const wide = await newKey('Wide', ['products:read', 'tags:read']);
    const { id } = await store.product();
    const cursor = await now(get(store));
    const waiting = store.request('GET', `/api/changes?wait=30&after=${cursor}`, { key: text });
    const url = `${store.address}/api/changes?after=${cursor}`;
    const stream = await EventStream.open(url, { 'x-auth-token': text });
    while (stream.caughtUpAfter === undefined) await sleep(5);
    assert.equal((await store.request('DELETE', `/api/keys/${wide.id}`)).status, 204);
    await newKey('Narrow', ['tags:read']);
    await store.patch(`/api/products/${id}`, { price: 1 });
    assert.equal(await stream.next(), undefined);
    const { status, json, headers } = await waiting;
    assert.deepEqual([status, json, headers['changes-cursor']], [200, [], cursor]);
  });

  test('sends the cursor of a stream before the first event', { timeout: 60_000 }, async () => {
    const url = `${store.address}/api/changes?after=now`;
    const stream = await EventStream.open(url, { 'x-auth-token': READ_WRITE_KEY });
    while (stream.lastId === '') await sleep(5);
    assert.deepEqual([stream.comments, stream.caughtUpAfter], [0, 0], 'the cursor comes before any heartbeat');
    stream.close();
    const { id } = await store.product();
    const again = await EventStream.open(url, { 'x-auth-token': READ_WRITE_KEY, 'last-event-id': stream.lastId });
    assert.deepEqual(summaries([(await again.next())!]), [`Product ${id} created 1`]);
    again.close();
  });

  test('streams every page of a store', async () => {
    for (let number = 0; number < 120; number += 1) await store.made('/api/tags', { name: `Streamed ${number}` });
    const all = await pages(get(store), 'resource[]=Tag');
    const url = `${store.address}/api/changes?resource[]=Tag`;
    const stream = await EventStream.open(url, { 'x-auth-token': READ_WRITE_KEY });
    const streamed: FeedEntry[] = [];
    while (streamed.length < all.entries.length) streamed.push((await stream.next())!);
    assert.deepEqual(summaries(streamed), summaries(all.entries));
    while (stream.caughtUpAfter === undefined) await sleep(5);
    assert.equal(stream.caughtUpAfter, all.entries.length, 'the stream marks the end of the snapshot');
    await store.made('/api/tags', { name: 'Streamed later' });
    await stream.next();
    assert.equal(stream.caughtUpAfter, all.entries.length, 'the stream marks the end once');
    stream.close();
  });

  test('rejects parameters of pages in a stream', async () => {
    for (const query of ['wait=5', 'limit=5']) {
      const response = await store.get(`/api/changes?${query}`, { accept: 'text/event-stream' });
      assert.equal(response.status, 400);
      assert.match(response.json.detail, /does not apply to a stream/);
    }
    const lost = await store.get('/api/changes', { accept: 'text/event-stream', 'last-event-id': 'nothing' });
    assert.match(lost.json.detail, /"Last-Event-ID" must be a cursor/);
  });
});

onEachDatabase('waiting readers', { CHANGES_READERS_MAX: '3', CHANGES_READERS_PER_KEY_MAX: '2' }, (store) => {
  const stream = (key: string) => EventStream.open(`${store.address}/api/changes?after=now`, { 'x-auth-token': key });

  /** Retries until the server has noticed that a reader has disconnected. */
  async function admittedStream(key: string): Promise<EventStream> {
    for (;;) {
      const one = await stream(key);
      if (one.status === 200) return one;
      await one.next();
    }
  }

  const limits =
    'are limited per key and in total; further waits get 503 with Retry-After, reads without a wait succeed';
  test(limits, { timeout: 60_000 }, async () => {
    const own = [await stream(READ_WRITE_KEY), await stream(READ_WRITE_KEY)];
    const rejected = await store.get('/api/changes?after=now&wait=30');
    assert.deepEqual([rejected.status, rejected.headers['retry-after']], [503, '5']);
    assert.match(rejected.json.detail, /This key already has 2 waiting readers/);
    const other = await stream(READ_ONLY_KEY);
    assert.equal(other.status, 200);
    const full = await store.request('GET', '/api/changes?after=now&wait=30', { key: READ_ONLY_KEY });
    assert.equal(full.status, 503);
    assert.match(full.json.detail, /^The server already has 3 waiting readers/);
    assert.equal((await store.get('/api/changes?after=now')).status, 200);
    for (const each of own) each.close();
    (await admittedStream(READ_WRITE_KEY)).close();
    other.close();
  });

  test('receive changes that are written while they wait', { timeout: 60_000 }, async () => {
    const own = [await admittedStream(READ_WRITE_KEY), await admittedStream(READ_WRITE_KEY)];
    const { id } = await store.product();
    for (const each of own) assert.deepEqual(summaries([(await each.next())!]), [`Product ${id} created 1`]);
    for (const each of own) each.close();
  });
});

/** A store with direct access to its database. */
class Opened {
  readonly store: Store;
  readonly fresh: FreshDatabase;
  readonly database: Database;
  readonly #settings: Settings;

  private constructor(store: Store, fresh: FreshDatabase, database: Database, settings: Settings) {
    this.store = store;
    this.fresh = fresh;
    this.database = database;
    this.#settings = settings;
  }

  static async start(name: DatabaseName): Promise<Opened> {
    const fresh = await freshDatabase(name, 'migrated');
    const settings = {
      DATABASE_URL: fresh.url,
      IMAGES_URL: `file:${await mkdtemp(join(tmpdir(), 'purveyor-images-'))}`,
    };
    const store = new Store(name, settings);
    await store.start();
    return new Opened(store, fresh, await fresh.open(), settings);
  }

  async run(statement: RawBuilder<unknown>): Promise<Row[]> {
    const compiled = this.database.dialect.compile(statement);
    return this.database.transaction((transaction) => transaction.run(compiled, {}));
  }

  /** Writes as another process on the same database does, for example an import. */
  async writeElsewhere(sku: string): Promise<void> {
    const { service, close } = await openStore(readConfig(this.#settings));
    const product = targetAt(routeOf(service, 'Product'));
    const made = await writeRecord(service, ownRequestOptions('en'), product, 'create', { sku, name: sku });
    assert.ok(!isProblem(made));
    await close();
  }

  /** Ages all entries beyond the retention period and restarts the server, which deletes them. */
  async forgetAllOld(): Promise<void> {
    await this.store.settled();
    await this.run(sql`update ${sql.table('change')} set at = 1`);
    const before = await this.store.get('/api/changes?after=now');
    await this.store.restart();
    for (;;) {
      const [row] = await this.run(sql`select value from ${sql.table('setting')} where name = 'forgotten changes'`);
      if (row) break;
      await sleep(20);
    }
    assert.equal(before.status, 200);
  }

  async stop(): Promise<void> {
    await this.database.close();
    await this.store.stop();
    await this.fresh.remove();
  }
}

for (const name of databaseNames)
  describe(`change feed of a store with direct database access (${name})`, () => {
    let opened: Opened;
    let store: Store;
    before(async () => {
      opened = await Opened.start(name);
      ({ store } = opened);
    });
    after(() => opened.stop());

    test('wakes its readers for writes of another process', async () => {
      const cursor = await now(get(store));
      const waiting = page(get(store), `?wait=30&after=${cursor}`);
      const stream = await EventStream.open(`${store.address}/api/changes?after=${cursor}`, {
        'x-auth-token': READ_WRITE_KEY,
      });
      const silence = page(get(store), `?wait=10&resource[]=Tag&after=${cursor}`);
      // Wait until the reader has made its first check of the journal.
      await sleep(500);
      await opened.writeElsewhere('ELSEWHERE');
      const first = await Promise.race([waiting.then(() => 'the change'), silence.then(() => 'the end of a wait')]);
      assert.equal(first, 'the change');
      const { entries } = await waiting;
      assert.deepEqual(
        entries.map(({ resource, action }) => [resource, action]),
        [['Product', 'created']],
      );
      assert.deepEqual(await stream.next(), entries[0]);
      stream.close();
    });

    test('retains the newest entry of each living record and rejects cursors of deleted entries', async () => {
      const start = await now(get(store));
      const retained = await store.product();
      const deleted = await store.product();
      const mid = await now(get(store));
      await store.patch(`/api/products/${retained.id}`, { price: 1 });
      await store.patch(`/api/products/${retained.id}`, { price: 2 });
      await store.delete(`/api/products/${deleted.id}`);
      const last = await store.product();
      const newest = await store.product();
      await store.delete(`/api/products/${newest.id}`);
      const end = await now(get(store));
      const living = await versionsIn(opened.database);
      await opened.forgetAllOld();
      const entries = await entriesAfter(opened.database, 0);
      const { record, kind } = entries.pop()!;
      assert.deepEqual([record, kind], [String(newest.id), 'deleted'], 'positions are unique');
      assert.deepEqual(new Map(entries.map((one) => [`${one.resource} ${one.record}`, one.version])), living);
      assert.equal(entries.length, living.size, 'one entry per record and no deletions');
      for (const cursor of [start, mid]) {
        const { status, json } = await store.get(`/api/changes?after=${cursor}`);
        assert.deepEqual([status, json.type.split('/').at(-1)], [410, 'cursor-gone']);
        const stream = await store.get(`/api/changes?after=${cursor}`, { accept: 'text/event-stream' });
        assert.equal(stream.status, 410);
      }
      assert.deepEqual((await page(get(store), `?after=${end}`)).entries, [], 'no later entry was deleted');
      const { id } = await store.product();
      assert.deepEqual(summaries((await page(get(store), `?after=${end}`)).entries), [`Product ${id} created 1`]);
      const all = await pages(get(store), 'resource[]=Product');
      const ids = all.entries.map((entry) => entry.id);
      assert.deepEqual(ids.slice(-3), [retained.id, last.id, id]);
      assert.ok(!ids.includes(deleted.id));
    });

    test('retains entries within the retention period', async () => {
      const cursor = await now(get(store));
      const { id } = await store.product();
      await store.patch(`/api/products/${id}`, { price: 1 });
      await store.restart();
      await sleep(100);
      const { entries } = await page(get(store), `?after=${cursor}`);
      assert.deepEqual(summaries(entries), [`Product ${id} created 1`, `Product ${id} updated 2`]);
    });

    test('continues a snapshot while older entries are deleted', async () => {
      const { id } = await store.product();
      await store.patch(`/api/products/${id}`, { price: 1 });
      const tag = await store.made('/api/tags', { name: 'The last of the snapshot' });
      const first = await page(get(store), '?limit=2');
      await opened.run(sql`delete from ${sql.table('setting')} where name = 'forgotten changes'`);
      await opened.forgetAllOld();
      const rest = await pages(get(store), `after=${first.cursor}`);
      assert.deepEqual(summaries(rest.entries).slice(-2), [`Product ${id} updated 2`, `Tag ${tag.id} created 1`]);
    });

    test('rejects cursors of a restored copy and of another store', async () => {
      const { id } = await store.product();
      const before = await now(get(store));
      const [epoch, position, mark] = Buffer.from(before, 'base64url').toString().split(',');
      const cursorOf = (...fields: unknown[]): string => Buffer.from(fields.join()).toString('base64url');
      const status = async (cursor: string): Promise<number> =>
        (await store.get(`/api/changes?after=${cursor}`)).status;
      assert.equal(await status(cursorOf(epoch, position, mark)), 200);
      assert.equal(await status(cursorOf(epoch, position, Number(mark) + 1)), 410, 'another entry has this position');
      assert.equal(await status(cursorOf(epoch, Number(position) + 1, mark)), 410, 'the history is shorter');
      assert.equal(await status(cursorOf(`0${epoch}`, position, mark)), 410, 'another epoch');
      assert.equal(await status(cursorOf(epoch, position, Number(mark) + 1, 1)), 410, 'a snapshot of another history');
      // Simulates a store that was restored to a state before the change and has continued differently.
      await store.settled();
      const at = Number(position);
      await opened.run(sql`delete from ${sql.table('change')} where position = ${sql.lit(at)}`);
      await store.patch(`/api/products/${id}`, { price: 9 });
      await store.settled();
      assert.equal((await entriesAfter(opened.database, at - 1))[0]!.position, at);
      assert.equal(await status(before), 410);
    });

    test('ends all waits when the server stops', { timeout: 60_000 }, async () => {
      const other = await Opened.start(name);
      const cursor = await now(get(other.store));
      const url = `${other.store.address}/api/changes?after=${cursor}`;
      const stream = await EventStream.open(url, { 'x-auth-token': READ_WRITE_KEY });
      const waiting = page(get(other.store), `?wait=30&after=${cursor}`);
      await other.store.restart();
      assert.deepEqual(await waiting, { entries: [], cursor });
      assert.equal(await stream.next(), undefined);
      await other.stop();
    });
  });

test('a silent stream sends its cursor every 15 seconds and ends when its key is revoked', async () => {
  const opened = await Opened.start('sqlite');
  const { store } = opened;
  const hash = createHash('sha256').update('a-key-that-is-revoked').digest('hex');
  await opened.run(sql`insert into ${sql.table('api_key')} (name, kind, hash, created)
    values ('revoked', 'read-only', ${sql.lit(hash)}, 1)`);
  const url = `${store.address}/api/changes?resource[]=Tag&after=now`;
  const revoked = await EventStream.open(url.replace('resource[]=Tag&', ''), {
    'x-auth-token': 'a-key-that-is-revoked',
  });
  const stream = await EventStream.open(url, { 'x-auth-token': READ_WRITE_KEY });
  assert.deepEqual([revoked.status, stream.status], [200, 200]);
  await opened.run(sql`delete from ${sql.table('api_key')}`);
  // A stream with traffic ends as well.
  for (let price = 1, { id } = await store.product(); !revoked.isEnded; price += 1) {
    await store.patch(`/api/products/${id}`, { price });
    await sleep(500);
  }
  const end = await now(get(store));
  while (stream.lastId !== end) await sleep(20);
  assert.equal(stream.isEnded, false);
  stream.close();
  await opened.stop();
});

test('processes a change inbox that was copied to SQLite', async () => {
  const opened = await Opened.start('sqlite');
  const cursor = await now(get(opened.store));
  await opened.run(sql`insert into ${sql.table('change_inbox')} (resource, record, path, kind, version, fields, key_name, at, mark)
    values ('Tag', '77', '/api/tags/77', 'deleted', 2, '[]', 'purveyor', 5, 6), ('Tag', '78', '/api/tags/78', 'deleted', 3, '[]', 'purveyor', 5, 6)`);
  const { entries } = await page(get(opened.store), `?after=${cursor}`);
  assert.deepEqual(summaries(entries), ['Tag 77 deleted 2', 'Tag 78 deleted 3']);
  await opened.stop();
});
