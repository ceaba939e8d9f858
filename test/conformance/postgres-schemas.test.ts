/**
 * Stores in schemas of one PostgreSQL database (`DATABASE_SCHEMA`). Their connections have a `search_path` without these schemas, so
 * that a statement that does not name its schema fails.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { openPostgres } from '../../src/adapters/postgres/database.ts';
import type { Database } from '../../src/engine/ports.ts';
import { readMigrations } from '../../src/wiring/open.ts';
import { databaseNames, type FreshDatabase, freshDatabase } from '../support/databases.ts';
import { ExampleEnvironment } from '../support/example-environment.ts';
import { expanded, type Json, operationsOf } from '../support/openapi.ts';
import { fill, Shop } from '../support/shop.ts';
import { Store } from '../support/store.ts';

describe('stores in schemas of one database', { skip: !databaseNames.includes('postgres') }, () => {
  let fresh: FreshDatabase;
  let url: string;

  before(async () => {
    fresh = await freshDatabase('postgres');
    const elsewhere = new URL(fresh.url);
    elsewhere.searchParams.set('options', '-c search_path=pg_catalog');
    url = elsewhere.href;
  });

  after(() => fresh.remove());

  test('every operation of the reference names its schema', async () => {
    const store = new Store('postgres', { DATABASE_URL: url, DATABASE_SCHEMA: 'every_operation' });
    await store.start();
    try {
      const document = expanded((await store.get('/api/openapi.json')).json) as Json;
      const environment = new ExampleEnvironment(store, document);
      let sent = 0;
      for (const { path, method, operation } of operationsOf(document)) {
        // A deleted record would be missing for the next operations. Other tests send lines and files, and have sessions of users.
        const sendsOthers = operation.requestBody && !operation.requestBody.content['application/json'];
        if (method === 'delete' || sendsOthers || path.endsWith('/file') || path.includes('/sessions')) continue;
        const address = await environment.prepare(path, method).catch((error: Error) => {
          // In one store for all operations, the record may exist already.
          assert.match(error.message, /"status":4\d\d/);
        });
        if (address === undefined) continue;
        sent += 1;
        const body = environment.exampleOf(path, method);
        const response = await store.request(method.toUpperCase(), address, body ? { body } : {});
        assert.ok(response.status < 500, `${method} ${address} ${response.text}`);
      }
      assert.ok(sent > 250, `${sent} operations`);
      for (const path of [
        '/statistics',
        '/products?search=shirt&order[name]=asc',
        '/changes?include=record',
        '/orders?search=a',
      ])
        assert.equal((await store.get(`/api${path}`)).status, 200, path);
      assert.ok((await store.get('/api/changes')).json.length > 50);
    } finally {
      await store.stop();
    }
  });

  test('do not share records, numbers or locks', async () => {
    const [one, other] = await Promise.all(['one', 'other'].map((schema) => migrated(url, schema)));
    const held = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const first = one!.transaction(async (transaction) => {
      await transaction.lock('a name');
      locked.resolve();
      await held.promise;
    });
    await locked.promise;
    await other!.transaction((transaction) => transaction.lock('a name'));
    held.resolve();
    await first;
    await Promise.all([one!.close(), other!.close()]);

    const stores = ['one', 'other'].map(
      (DATABASE_SCHEMA) => new Store('postgres', { DATABASE_URL: url, DATABASE_SCHEMA }),
    );
    for (const store of stores) {
      await store.start();
      const { status, json } = await store.post('/api/tags', { name: 'New' });
      assert.deepEqual([status, json.id], [201, 1]);
    }
    for (const store of stores) {
      assert.equal((await store.get('/api/tags')).json.length, 1);
      await store.stop();
    }
    assert.deepEqual(await tablesOutside(fresh.url, ['every_operation', 'one', 'other']), []);
  });

  test('are checked, backed up and restored', async () => {
    const environment = (schema: string) => ({ DATABASE_URL: url, DATABASE_SCHEMA: schema });
    const shop = await Shop.make('postgres', environment('shop'));
    const copy = await Shop.make('postgres', environment('copy'));
    try {
      await shop.serve();
      await fill(shop);
      const responses = await shop.responses();
      await shop.stop();
      assert.equal((await shop.run('check')).code, 0);
      const folder = shop.path('backup');
      const backup = await shop.run('backup', folder);
      assert.equal(backup.code, 0, backup.stderr);
      const restored = await copy.run('restore', folder);
      assert.equal(restored.code, 0, restored.stderr);
      const checked = await copy.run('check');
      assert.equal(checked.code, 0, checked.stderr);
      await copy.serve();
      assert.equal(await copy.responses(), responses);
    } finally {
      await shop.remove();
      await copy.remove();
    }
  });

  test('a role with rights on an existing schema only can serve a store', async () => {
    const role = `role_${crypto.randomUUID().replaceAll('-', '')}`;
    await queried(fresh.url, [
      `create role ${role} login password 'secret'`,
      `create schema own authorization ${role}`,
    ]);
    const limited = new URL(url);
    [limited.username, limited.password] = [role, 'secret'];
    try {
      const store = new Store('postgres', { DATABASE_URL: limited.href, DATABASE_SCHEMA: 'own' });
      await store.start();
      try {
        assert.equal((await store.post('/api/tags', { name: 'New' })).status, 201);
      } finally {
        await store.stop();
      }
      await assert.rejects(migrated(limited.href, 'missing'), { code: '42501' });
    } finally {
      await queried(fresh.url, [`drop owned by ${role} cascade`, `drop role ${role}`]);
    }
  });

  test('an existing store is moved with its tables and its function', async () => {
    const old = await freshDatabase('postgres', 'migrated');
    const search = '/api/orders?search=Sm%C3%AFth';
    try {
      const before = new Store('postgres', { DATABASE_URL: old.url });
      await before.start();
      await before.post('/api/tags', { name: 'Before' });
      assert.equal((await before.get(search)).status, 200);
      await before.stop();
      const [tables] = await queried(old.url, [
        "select format('alter table %I set schema berlin', tablename) as move from pg_tables where schemaname = 'public'",
      ]);
      await queried(old.url, ['create schema berlin', ...tables!.map(({ move }) => move as string)]);
      const moved = new Store('postgres', { DATABASE_URL: old.url, DATABASE_SCHEMA: 'berlin' });
      await moved.start();
      try {
        assert.equal((await moved.get(search)).status, 500, 'the function is in the old schema');
        await queried(old.url, ['alter function purveyor_trigrams(text) set schema berlin']);
        assert.equal((await moved.get(search)).status, 200);
        assert.deepEqual(
          (await moved.post('/api/tags', { name: 'After' })).json.id,
          2,
          'numbers continue after those of the old schema',
        );
      } finally {
        await moved.stop();
      }
      assert.deepEqual(await tablesOutside(old.url, ['berlin']), []);
    } finally {
      await old.remove();
    }
  });
});

async function migrated(url: string, schema: string): Promise<Database> {
  const database = await openPostgres(url, schema);
  await database.migrate(readMigrations());
  return database;
}

async function tablesOutside(url: string, schemas: readonly string[]): Promise<unknown[]> {
  const [tables] = await queried(url, [
    `select schemaname, tablename from pg_tables where schemaname !~ '^pg_|^information_schema$'
      and not schemaname in (${schemas.map((schema) => `'${schema}'`).join()})`,
  ]);
  return tables!;
}

/** Runs statements on a connection of their own. @returns the rows of each */
async function queried(url: string, statements: readonly string[]): Promise<Record<string, unknown>[][]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const all = [];
    for (const statement of statements) all.push((await client.query(statement)).rows);
    return all;
  } finally {
    await client.end();
  }
}
