/** The change feed as its readers see it (sync.md §1). */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { isProblem, save } from '../../src/engine/index.ts';
import type { Database, Row } from '../../src/engine/ports.ts';
import { ownRequestOptions, routeOf, targetAt } from '../../src/store/own-requests.ts';
import { readConfig } from '../../src/wiring/config.ts';
import { openStore } from '../../src/wiring/open.ts';
import { type DatabaseName, databaseNames, type FreshDatabase, freshDatabase } from '../support/databases.ts';
import { EventStream, now, page, pages, type Told } from '../support/feed.ts';
import { entriesAfter, versionsIn } from '../support/journal.ts';
import { onEachDatabase, READ_ONLY_KEY, READ_WRITE_KEY, type Settings, Store } from '../support/store.ts';

const get = (store: Store) => (path: string) => store.get(path);
const told = (entries: readonly Told[]): unknown[] =>
  entries.map(({ resource, id, action, version }) => `${resource} ${id} ${action} ${version}`);

onEachDatabase('the change feed', {}, (store) => {
  test('begins with every living record once, in the order of its last change, and goes on with what changed', async () => {
    const [one, two, three] = [await store.product(), await store.product(), await store.product()];
    await store.patch(`/api/products/${one.id}`, { price: 1 });
    await store.delete(`/api/products/${two.id}`);
    const query = 'resource[]=Product&resource[]=Language';
    const first = await page(get(store), `?limit=1&${query}`);
    const rest: Told[] = [...first.entries];
    await store.patch(`/api/products/${three.id}`, { price: 2 });
    const fourth = await store.product();
    // A page that is not full has told all that there was, the changes since the beginning too.
    const snapshot = await pages(get(store), `${query}&after=${first.cursor}`, 50);
    rest.push(...snapshot.entries);
    const products = rest.filter(({ resource }) => resource === 'Product');
    assert.deepEqual(
      told(products),
      [`Product ${one.id} updated 2`, `Product ${three.id} updated 2`, `Product ${fourth.id} created 1`],
      'the third changed meanwhile, and is told behind the others',
    );
    assert.deepEqual(new Set(rest.map(({ id }) => id)).size, rest.length);
    const oneByOne: Told[] = [];
    for (let after = first.cursor; oneByOne.length < snapshot.entries.length; ) {
      const { entries, cursor } = await page(get(store), `?limit=1&${query}&after=${after}`);
      oneByOne.push(...entries);
      after = cursor;
    }
    assert.deepEqual(told(oneByOne), told(snapshot.entries));
    const changes = await pages(get(store), `${query}&after=${snapshot.cursor}`);
    assert.deepEqual(told(changes.entries), []);
  });

  test('tells each change once, with its path, its version and the fields that changed', async () => {
    const cursor = await now(get(store));
    const { id } = await store.product();
    await store.patch(`/api/products/${id}`, { price: 5, name: 'Renamed' });
    await store.patch(`/api/products/${id}`, { price: 5 });
    await store.delete(`/api/products/${id}`);
    const { entries } = await pages(get(store), `after=${cursor}`, 2);
    assert.deepEqual(told(entries), [`Product ${id} created 1`, `Product ${id} updated 2`, `Product ${id} deleted 3`]);
    assert.deepEqual([...entries[1]!.fields].sort(), ['name', 'price']);
    for (const { path, date, fields, action } of entries) {
      assert.equal(path, `/api/products/${id}`);
      assert.match(date, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
      if (action !== 'updated') assert.deepEqual(fields, []);
    }
    // Each entry’s own cursor leads to the entries behind it.
    for (const [index, { cursor: own }] of entries.entries())
      assert.deepEqual((await page(get(store), `?after=${own}`)).entries, entries.slice(index + 1));
  });

  test('has the records as they are now where they are asked for', async () => {
    const german = { 'accept-language': 'de' };
    const { id: productClass } = await store.made('/api/product_classes', { name: 'Included' });
    const cursor = await now(get(store));
    const { id } = await store.product();
    const gone = await store.product();
    await store.patch(`/api/products/${id}`, { name: 'Deutsch' }, german);
    const select = await store.made(`/api/product_classes/${productClass}/attributes_select`, { name: 'Size' });
    const path = `/api/product_classes/${productClass}/attributes_select/${select.id}/options`;
    const option = await store.made(path, { value: 'XL' });
    await store.delete(`/api/products/${gone.id}`);
    const { json, headers } = await store.get(`/api/changes?include=record&after=${cursor}`, german);
    assert.equal(headers['content-language'], 'de');
    for (const { path: at, record, action } of json as Told[]) {
      const { status, json: current } = await store.get(at, german);
      assert.deepEqual(record, status === 200 ? current : null, at);
      if (action === 'deleted') assert.equal(record, null);
    }
    const paths = (json as Told[]).map(({ path: at }) => at);
    for (const at of [`/api/products/${id}`, `/api/products/${gone.id}`, `${path}/${option.id}`])
      assert.ok(paths.includes(at), at);
    assert.equal((json as Told[]).find(({ resource }) => resource === 'Product')!.record.name, 'Deutsch');
    const without = await page(get(store), `?after=${cursor}`);
    assert.ok(without.entries.every((entry) => !('record' in entry)));
  });

  test('goes forward where nothing is told of the resources that are asked for', async () => {
    const cursor = await now(get(store));
    await store.product();
    const { entries, cursor: next } = await page(get(store), `?resource[]=Tag&after=${cursor}`);
    assert.deepEqual(entries, []);
    assert.notEqual(next, cursor);
    assert.deepEqual((await page(get(store), `?after=${next}`)).entries, []);
  });

  const refusals: readonly (readonly [query: string, detail: RegExp])[] = [
    ['limit=0', /"limit" should be a whole number from 1 to 1000; it is "0"/],
    ['limit=1001', /"limit" .* it is "1001"/],
    ['limit=1e2', /"limit"/],
    ['limit=', /"limit"/],
    ['limit=1&limit=2', /"limit" stands more than once/],
    ['wait=31', /"wait" should be a whole number from 0 to 30/],
    ['wait=-1', /"wait"/],
    ['wait=0.5', /"wait"/],
    ['include=everything', /"include" should be "record"/],
    ['include=record&include=record', /"include" stands more than once/],
    ['resource[]=Products', /"resource\[\]" should be one of .*Product.*; it is "Products"/],
    ['resource[]=ProductImage', /Parts are told as changes of what they belong to/],
    ['resource=Product', /Unknown parameter "resource"; the nearest here is "resource\[\]"/],
    ['since=now', /Unknown parameter "since"/],
    ['after=', /"after" must be a cursor/],
    ['after=12', /"after" must be a cursor/],
    ['after=%00', /NUL/],
    [`after=${'a'.repeat(200)}`, /"after" must be a cursor/],
    ['after=now&after=now', /"after" stands more than once/],
    ['%FF=1', /percent-encoded/],
  ];
  for (const [query, detail] of refusals)
    test(`refuses ${query.slice(0, 40)}`, async () => {
      const { status, json } = await store.get(`/api/changes?${query}`);
      assert.equal(status, 400, query);
      assert.match(json.detail, detail);
    });

  test('takes every value at its limits', async () => {
    for (const query of ['limit=1', 'limit=1000', 'wait=0', 'wait=30', 'resource[]=Tag&resource[0]=Tag'])
      assert.equal((await store.get(`/api/changes?${query}`)).status, 200, query);
  });

  test('passes over unknown parameters where the client asks for leniency, and never over its own', async () => {
    const lenient = { prefer: 'handling=lenient' };
    const passed = await store.get('/api/changes?since=1&after=now', lenient);
    assert.deepEqual([passed.status, passed.json, passed.headers['preference-applied']], [200, [], 'handling=lenient']);
    assert.equal((await store.get('/api/changes?after=then', lenient)).status, 400);
  });

  test('is read with any key, in JSON or as a stream, and is changed by nobody', async () => {
    assert.equal((await store.request('GET', '/api/changes', { key: READ_ONLY_KEY })).status, 200);
    assert.equal((await store.request('GET', '/api/changes', { key: null })).status, 401);
    assert.equal((await store.get('/api/changes', { accept: 'application/ld+json' })).status, 406);
    assert.equal((await store.post('/api/changes', {})).status, 405);
    const { status, text, headers } = await store.request('HEAD', '/api/changes?limit=1');
    assert.deepEqual([status, text], [200, '']);
    assert.ok(headers['changes-cursor']);
  });

  test('waits for a change as long as it is asked to', async () => {
    const cursor = await now(get(store));
    const waiting = page(get(store), `?wait=30&after=${cursor}`);
    const { id } = await store.product();
    assert.deepEqual(told((await waiting).entries), [`Product ${id} created 1`]);
    const last = await now(get(store));
    assert.deepEqual(await page(get(store), `?wait=1&after=${last}`), { entries: [], cursor: last });
  });

  test('waits on while others’ changes pass by', async () => {
    const waiting = page(get(store), '?wait=30&resource[]=Tag&after=now');
    await store.product();
    const tag = await store.made('/api/tags', { name: 'Awaited' });
    assert.deepEqual(told((await waiting).entries), [`Tag ${tag.id} created 1`]);
  });

  test('streams the same entries, and goes on where a client was cut off', async () => {
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
    assert.deepEqual(told([(await stream.next())!]), [`Product ${id} updated 2`]);
    const { lastId } = stream;
    stream.close();
    await store.patch(`/api/products/${id}`, { price: 2 });
    const again = await open(`after=${cursor}&include=record`, { 'last-event-id': lastId });
    const next = (await again.next())!;
    assert.deepEqual(told([next]), [`Product ${id} updated 3`]);
    assert.equal(next.record.price, 2);
    again.close();
  });

  test('gives a stream its place before the first event', { timeout: 60_000 }, async () => {
    const url = `${store.address}/api/changes?after=now`;
    const stream = await EventStream.open(url, { 'x-auth-token': READ_WRITE_KEY });
    while (stream.lastId === '') await sleep(5);
    assert.deepEqual([stream.comments, stream.caughtUpAfter], [0, 0], 'the place comes first, and not after a silence');
    stream.close();
    const { id } = await store.product();
    const again = await EventStream.open(url, { 'x-auth-token': READ_WRITE_KEY, 'last-event-id': stream.lastId });
    assert.deepEqual(told([(await again.next())!]), [`Product ${id} created 1`]);
    again.close();
  });

  test('streams a whole store, however many pages it has', async () => {
    for (let number = 0; number < 120; number += 1) await store.made('/api/tags', { name: `Streamed ${number}` });
    const all = await pages(get(store), 'resource[]=Tag');
    const url = `${store.address}/api/changes?resource[]=Tag`;
    const stream = await EventStream.open(url, { 'x-auth-token': READ_WRITE_KEY });
    const streamed: Told[] = [];
    while (streamed.length < all.entries.length) streamed.push((await stream.next())!);
    assert.deepEqual(told(streamed), told(all.entries));
    while (stream.caughtUpAfter === undefined) await sleep(5);
    assert.equal(stream.caughtUpAfter, all.entries.length, 'it says where the beginning ends');
    await store.made('/api/tags', { name: 'Streamed later' });
    await stream.next();
    assert.equal(stream.caughtUpAfter, all.entries.length, 'and says it once');
    stream.close();
  });

  test('refuses a stream what only pages have', async () => {
    for (const query of ['wait=5', 'limit=5']) {
      const answer = await store.get(`/api/changes?${query}`, { accept: 'text/event-stream' });
      assert.equal(answer.status, 400);
      assert.match(answer.json.detail, /has no meaning in a stream/);
    }
    const lost = await store.get('/api/changes', { accept: 'text/event-stream', 'last-event-id': 'nothing' });
    assert.match(lost.json.detail, /"Last-Event-ID" must be a cursor/);
  });
});

onEachDatabase('readers that wait', { CHANGES_READERS_MAX: '3', CHANGES_READERS_PER_KEY_MAX: '2' }, (store) => {
  const stream = (key: string) => EventStream.open(`${store.address}/api/changes?after=now`, { 'x-auth-token': key });

  /** Until the server has heard that a reader has gone. */
  async function untilLetIn(key: string): Promise<EventStream> {
    for (;;) {
      const one = await stream(key);
      if (one.status === 200) return one;
      await one.next();
    }
  }

  const few = 'are few, of one key and of all; others are told to come again, and who does not wait is answered';
  test(few, { timeout: 60_000 }, async () => {
    const own = [await stream(READ_WRITE_KEY), await stream(READ_WRITE_KEY)];
    const refused = await store.get('/api/changes?after=now&wait=30');
    assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '5']);
    assert.match(refused.json.detail, /This key already has 2 waiting readers/);
    const other = await stream(READ_ONLY_KEY);
    assert.equal(other.status, 200);
    const full = await store.request('GET', '/api/changes?after=now&wait=30', { key: READ_ONLY_KEY });
    assert.equal(full.status, 503);
    assert.match(full.json.detail, /^The server already has 3 waiting readers/);
    assert.equal((await store.get('/api/changes?after=now')).status, 200);
    for (const each of own) each.close();
    (await untilLetIn(READ_WRITE_KEY)).close();
    other.close();
  });

  test('hear what is written meanwhile', { timeout: 60_000 }, async () => {
    const own = [await untilLetIn(READ_WRITE_KEY), await untilLetIn(READ_WRITE_KEY)];
    const { id } = await store.product();
    for (const each of own) assert.deepEqual(told([(await each.next())!]), [`Product ${id} created 1`]);
    for (const each of own) each.close();
  });
});

/** A store whose database is at hand. */
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

  /** As another process on the same database writes: an import, say. */
  async writeElsewhere(sku: string): Promise<void> {
    const { service, close } = await openStore(readConfig(this.#settings));
    const product = targetAt(routeOf(service, 'Product'));
    const made = await save(service, ownRequestOptions('en'), product, 'create', { sku, name: sku });
    assert.ok(!isProblem(made));
    await close();
  }

  /** Makes what is told so far older than anything is kept, and lets a start of the server forget. */
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
  describe(`the feed of a store whose database is at hand (${name})`, () => {
    let opened: Opened;
    let store: Store;
    before(async () => {
      opened = await Opened.start(name);
      ({ store } = opened);
    });
    after(() => opened.stop());

    test('wakes its readers for what another process writes', async () => {
      const cursor = await now(get(store));
      const waiting = page(get(store), `?wait=30&after=${cursor}`);
      const stream = await EventStream.open(`${store.address}/api/changes?after=${cursor}`, {
        'x-auth-token': READ_WRITE_KEY,
      });
      const silence = page(get(store), `?wait=10&resource[]=Tag&after=${cursor}`);
      // Past the look that a reader takes when it begins to wait.
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

    test('keeps the newest entry of each living record, and says so to whoever would miss the others', async () => {
      const start = await now(get(store));
      const kept = await store.product();
      const gone = await store.product();
      const mid = await now(get(store));
      await store.patch(`/api/products/${kept.id}`, { price: 1 });
      await store.patch(`/api/products/${kept.id}`, { price: 2 });
      await store.delete(`/api/products/${gone.id}`);
      const last = await store.product();
      const newest = await store.product();
      await store.delete(`/api/products/${newest.id}`);
      const end = await now(get(store));
      const living = await versionsIn(opened.database);
      await opened.forgetAllOld();
      const entries = await entriesAfter(opened.database, 0);
      const { record, kind } = entries.pop()!;
      assert.deepEqual([record, kind], [String(newest.id), 'deleted'], 'no position is given twice');
      assert.deepEqual(new Map(entries.map((one) => [`${one.resource} ${one.record}`, one.version])), living);
      assert.equal(entries.length, living.size, 'of each record one, and no tombstone');
      for (const cursor of [start, mid]) {
        const { status, json } = await store.get(`/api/changes?after=${cursor}`);
        assert.deepEqual([status, json.type.split('/').at(-1)], [410, 'cursor-gone']);
        const stream = await store.get(`/api/changes?after=${cursor}`, { accept: 'text/event-stream' });
        assert.equal(stream.status, 410);
      }
      assert.deepEqual((await page(get(store), `?after=${end}`)).entries, [], 'nothing behind it was forgotten');
      const { id } = await store.product();
      assert.deepEqual(told((await page(get(store), `?after=${end}`)).entries), [`Product ${id} created 1`]);
      const all = await pages(get(store), 'resource[]=Product');
      const ids = all.entries.map((entry) => entry.id);
      assert.deepEqual(ids.slice(-3), [kept.id, last.id, id]);
      assert.ok(!ids.includes(gone.id));
    });

    test('forgets nothing that is newer than it is to be kept', async () => {
      const cursor = await now(get(store));
      const { id } = await store.product();
      await store.patch(`/api/products/${id}`, { price: 1 });
      await store.restart();
      await sleep(100);
      const { entries } = await page(get(store), `?after=${cursor}`);
      assert.deepEqual(told(entries), [`Product ${id} created 1`, `Product ${id} updated 2`]);
    });

    test('goes on with a snapshot while what is older is forgotten', async () => {
      const { id } = await store.product();
      await store.patch(`/api/products/${id}`, { price: 1 });
      const tag = await store.made('/api/tags', { name: 'The last of the snapshot' });
      const first = await page(get(store), '?limit=2');
      await opened.run(sql`delete from ${sql.table('setting')} where name = 'forgotten changes'`);
      await opened.forgetAllOld();
      const rest = await pages(get(store), `after=${first.cursor}`);
      assert.deepEqual(told(rest.entries).slice(-2), [`Product ${id} updated 2`, `Tag ${tag.id} created 1`]);
    });

    test('knows the cursors of another history: of a copy that was put back, and of another store', async () => {
      const { id } = await store.product();
      const before = await now(get(store));
      const [epoch, position, mark] = Buffer.from(before, 'base64url').toString().split(',');
      const cursorOf = (...fields: unknown[]): string => Buffer.from(fields.join()).toString('base64url');
      const status = async (cursor: string): Promise<number> =>
        (await store.get(`/api/changes?after=${cursor}`)).status;
      assert.equal(await status(cursorOf(epoch, position, mark)), 200);
      assert.equal(await status(cursorOf(epoch, position, Number(mark) + 1)), 410, 'another entry stands there');
      assert.equal(await status(cursorOf(epoch, Number(position) + 1, mark)), 410, 'the history is shorter');
      assert.equal(await status(cursorOf(`0${epoch}`, position, mark)), 410, 'another epoch');
      assert.equal(await status(cursorOf(epoch, position, Number(mark) + 1, 1)), 410, 'a snapshot of another history');
      // As if the store had been set back to before the change, and had gone on another way.
      await store.settled();
      const at = Number(position);
      await opened.run(sql`delete from ${sql.table('change')} where position = ${sql.lit(at)}`);
      await store.patch(`/api/products/${id}`, { price: 9 });
      await store.settled();
      assert.equal((await entriesAfter(opened.database, at - 1))[0]!.position, at);
      assert.equal(await status(before), 410);
    });

    test('ends all waiting when the server stops', { timeout: 60_000 }, async () => {
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

test('a silent stream tells every quarter of a minute how far it has come, and ends where its key is gone', async () => {
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
  // One that is never silent ends as well.
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

test('an inbox that was carried to SQLite is put in order', async () => {
  const opened = await Opened.start('sqlite');
  const cursor = await now(get(opened.store));
  await opened.run(sql`insert into ${sql.table('change_inbox')} (resource, record, path, kind, version, fields, key_name, at, mark)
    values ('Tag', '77', '/api/tags/77', 'deleted', 2, '[]', 'purveyor', 5, 6), ('Tag', '78', '/api/tags/78', 'deleted', 3, '[]', 'purveyor', 5, 6)`);
  const { entries } = await page(get(opened.store), `?after=${cursor}`);
  assert.deepEqual(told(entries), ['Tag 77 deleted 2', 'Tag 78 deleted 3']);
  await opened.stop();
});
