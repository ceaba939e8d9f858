/** Rows K1 to K4 and K10 of docs/reliability/k-upgrade.md: migrations of old stores, with kills, full disks and newer programs. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { openSqlite } from '../../src/adapters/sqlite/database.ts';
import { type Database, DatabaseUnavailable } from '../../src/engine/ports.ts';
import { readMigrations } from '../../src/wiring/open.ts';
import { run } from '../support/database-scenario.ts';
import { type DatabaseName, databaseNames, freshDatabase } from '../support/databases.ts';
import { assertJournalIsComplete } from '../support/journal.ts';
import { contentOf, migrateAndDie, oldResponses, oldStores, schemaIn, unpackOldStore } from '../support/old-stores.ts';
import { Shop } from '../support/shop.ts';

const migrations = readMigrations();
const newest = migrations.at(-1)!.name;

describe('sample stores of earlier schemas', async () => {
  test('there is a sample store for every migration', async () => {
    const names = await oldStores();
    // The first migrations were written before any program could be started.
    for (const { name } of migrations.slice(1)) assert.ok(names.includes(name), name);
  });

  for (const name of await oldStores())
    for (const target of databaseNames.filter((each) => each === 'sqlite' || isMoved(name)))
      test(`the old store ${name} ${target === 'sqlite' ? 'is opened' : 'is moved to PostgreSQL'} and returns the same responses as before`, async () => {
        const old = await unpackOldStore(name);
        let shop = old;
        try {
          if (target === 'postgres') {
            assert.equal((await old.run('backup', 'backup')).code, 0);
            assert.deepEqual(
              await appliedIn(old),
              migrations.slice(0, indexOf(name) + 1).map((each) => each.name),
            );
            shop = await Shop.make('postgres');
            const { code, stderr } = await shop.run('restore', old.path('backup'));
            assert.equal(code, 0, stderr);
          }
          await shop.serve();
          assert.equal((await appliedIn(shop)).at(-1), newest);
          for (const [path, expected] of await oldResponses(name)) {
            const [url, language] = path.split(' ') as [string, string?];
            const response = await shop.request('GET', url, { headers: { 'accept-language': language } });
            assertHolds(JSON.parse(response.text.replaceAll(shop.address, 'http://store')), expected, path);
          }
          for (const { url } of (await shop.request('GET', '/api/products/1/images')).json) await shop.imageBytes(url);
          assert.equal(
            (await shop.made('/api/products', { sku: 'NEXT', name: 'Next' })).id,
            5,
            'the fourth product was deleted',
          );
          const database = await shop.database.open();
          try {
            await assertJournalIsComplete(database);
            // Otherwise a migration was changed after it had landed.
            assert.deepEqual(comparable(await schemaIn(database)), comparable(await newSchema(target)));
          } finally {
            await database.close();
          }
        } finally {
          await old.remove();
          if (shop !== old) await shop.remove();
        }
      });
});

/** Migration 0010 was changed after the sample store of 0011 was made. This part of the default of a column has no effect. */
function comparable(schema: Awaited<ReturnType<typeof schemaIn>>): unknown {
  return JSON.parse(JSON.stringify(schema).replaceAll(String.raw`\"own\":0,`, ''));
}

async function newSchema(name: DatabaseName): Promise<Awaited<ReturnType<typeof schemaIn>>> {
  const fresh = await freshDatabase(name, 'migrated');
  const database = await fresh.open();
  try {
    return await schemaIn(database);
  } finally {
    await database.close();
    await fresh.remove();
  }
}

for (const name of databaseNames)
  describe(`migration of ${name}`, () => {
    let shop: Shop;
    let database: Database;
    before(async () => {
      shop = await unpackOldStore('0002-the-whole-catalogue');
      if (name === 'postgres') {
        const old = shop;
        await old.run('backup', 'backup');
        shop = await Shop.make(name);
        await shop.run('restore', old.path('backup'));
        await old.remove();
      }
      database = await shop.database.open();
    });
    after(async () => {
      await database.close();
      await shop.remove();
    });

    test(`a migration of ${name} that is killed between steps changes nothing, and the next one completes it`, async () => {
      const steps = migrations.slice(2).flatMap((each) => each.steps).length;
      const old = await contentOf(database);
      const schema = await schemaIn(database);
      for (const done of [0, 1, Math.floor(steps / 2), steps - 1, steps]) {
        assert.ok(await migrateAndDie(shop.database.url, done));
        assert.deepEqual(await contentOf(database), old, `after ${done} steps`);
        assert.deepEqual(await schemaIn(database), schema, `after ${done} steps`);
      }
      assert.equal(await migrateAndDie(shop.database.url, Number.MAX_SAFE_INTEGER), false);
      assert.deepEqual(
        (await contentOf(database)).migrations,
        migrations.map((each) => each.name),
      );
      assert.deepEqual(await schemaIn(database), await newSchema(name), 'the schema equals that of a new store');
      await shop.serve();
      assert.equal((await shop.request('GET', '/api/products')).json.length, 3);
      await shop.stop();
    });

    test(`two processes that migrate ${name} at once apply each migration once`, async () => {
      const fresh = await freshDatabase(name);
      const both = [await fresh.open(), await fresh.open()];
      const applied = await Promise.all(both.map((each) => each.migrate(migrations)));
      assert.deepEqual(applied.map(({ length }) => length).sort(), [0, migrations.length]);
      for (const each of both) await each.close();
      await fresh.remove();
    });

    test(`every command rejects a ${name} store with a migration of a newer program in one line`, async () => {
      await run(database, sql`insert into migration values ('0999-from-the-future', 0)`);
      for (const command of [['serve'], ['migrate'], ['keys', 'list'], ['backup', 'new']]) {
        const { code, stdout, stderr } = await shop.run(...command);
        assert.deepEqual([code, stdout], [1, ''], command.join(' '));
        assert.match(
          stderr,
          /^This store was last opened by a newer Purveyor \(migration 0999-from-the-future\)\. .*\n$/,
        );
      }
      await run(database, sql`delete from migration where name = '0999-from-the-future'`);
    });
  });

test('every migration step keeps the previous version working', () => {
  // Steps that do not affect a running program. Removals must wait for the release after next.
  for (const { name: migration, steps } of migrations.slice(3)) {
    const isNew = (table: string): boolean =>
      steps.some((each) => each.step === 'create table' && each.table.name === table);
    // A column that is replaced by one of the same name and type still works for the previous version.
    const isReplaced = (table: string, column: string): boolean =>
      steps.some((each) => each.step === 'add column' && each.table === table && each.column.name === column);
    // The previous version leaves such a column null, and null is equal to no other value.
    const isNewAndNullable = (table: string, column: string): boolean =>
      steps.some(
        (each) =>
          each.step === 'add column' &&
          each.table === table &&
          each.column.name === column &&
          each.column.nullable &&
          each.column.default === undefined,
      );
    // Also with further columns, which serve the same queries.
    const isRecreated = (index: string): boolean =>
      steps.some(
        (each) =>
          each.step === 'create index' && (each.index.name === index || each.index.name.startsWith(`${index}_`)),
      );
    for (const step of steps) {
      const isCompatible =
        (step.step === 'drop column' && isReplaced(step.table, step.column)) ||
        (step.step === 'drop index' && isRecreated(step.index)) ||
        step.step === 'create table' ||
        step.step === 'create text index' ||
        (step.step === 'create index' &&
          (!step.index.unique ||
            isNew(step.index.table) ||
            step.index.columns.some((column) => isNewAndNullable(step.index.table, column)))) ||
        step.step === 'tell records' ||
        (step.step === 'add column' && (step.column.nullable || step.column.default !== undefined)) ||
        // Only for a column of the same migration.
        (step.step === 'fill column' &&
          steps.some((each) => each.step === 'add column' && each.column.name === step.column));
      assert.ok(isCompatible, `${migration}: ${step.step}`);
    }
  }
});

test('a migration on a full disk leaves the old store unchanged', { skip: withoutMounts() }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'purveyor-full-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder]);
  try {
    const file = join(folder, 'store.db');
    const old = await openSqlite(file);
    await old.migrate(migrations.slice(0, 2));
    const content = await contentOf(old);
    const schema = await schemaIn(old);
    await old.close();
    let failures = 0;
    for (const freeBytes of [0, 30_000, 40_000, 60_000, 80_000, 100_000]) {
      const { bavail, bsize } = await statfs(folder);
      await writeFile(join(folder, 'ballast'), Buffer.alloc(Math.max(0, bavail * bsize - freeBytes)));
      const full = await openSqlite(file).catch((error) => error);
      if (full instanceof Error) assert.ok(full instanceof DatabaseUnavailable);
      else {
        await assert.rejects(full.migrate(migrations), DatabaseUnavailable);
        failures += 1;
        await full.close();
      }
      await rm(join(folder, 'ballast'));
    }
    assert.ok(failures > 0, 'the disk was full during a migration');
    const again = await openSqlite(file);
    assert.deepEqual(await contentOf(again), content);
    assert.deepEqual(await schemaIn(again), schema);
    assert.deepEqual(
      await again.migrate(migrations),
      migrations.slice(2).map((each) => each.name),
    );
    await again.close();
  } finally {
    execFileSync('umount', ['--lazy', folder]);
    await rm(folder, { recursive: true });
  }
});

function withoutMounts(): string | false {
  return process.getuid?.() === 0 && process.platform === 'linux' ? false : 'mounting a small disk needs root';
}

async function appliedIn(shop: Shop): Promise<readonly string[]> {
  const database = await shop.database.open();
  try {
    return await database.storeSnapshot(async (storeSnapshot) => storeSnapshot.migrations);
  } finally {
    await database.close();
  }
}

const STEPS_ON_ROWS: readonly string[] = ['fill column', 'tell records', 'drop column'];

/**
 * Whether a sample store is also moved to PostgreSQL: the oldest, the newest, and those before a migration that computes from
 * their rows. The rows of the others are in later sample stores too; `npm run torture -- backup` moves every one.
 */
function isMoved(name: string): boolean {
  const index = indexOf(name);
  const next = migrations[index + 1];
  return index === 1 || next === undefined || next.steps.some(({ step }) => STEPS_ON_ROWS.includes(step));
}

function indexOf(name: string): number {
  return migrations.findIndex((each) => name === each.name || name.startsWith(`${each.name}-with-`));
}

/** Asserts that all expected members are in the actual value, which may have more. */
function assertHolds(actual: unknown, expected: unknown, where: string): void {
  if (expected === null || typeof expected !== 'object') {
    assert.equal(actual, expected, where);
    return;
  }
  if (Array.isArray(expected)) assert.equal((actual as unknown[]).length, expected.length, where);
  for (const [key, value] of Object.entries(expected))
    assertHolds((actual as Record<string, unknown>)[key], value, `${where}.${key}`);
}
