/** Rows K1 to K4 and K10 of docs/reliability/k-upgrade.md: old stores become new ones, whatever happens on the way. */
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
import { databaseNames, freshDatabase } from '../support/databases.ts';
import { assertAllTold } from '../support/journal.ts';
import { contentOf, migrateAndDie, oldResponses, oldStores, schemaIn, unpackOldStore } from '../support/old-stores.ts';
import { Shop } from '../support/shop.ts';

const migrations = readMigrations();
const newest = migrations.at(-1)!.name;

describe('stores of every schema before this one', async () => {
  test('are there: whoever writes a migration adds the store that it changes', async () => {
    const kept = await oldStores();
    // The first two were written before any program could be started.
    for (const { name } of migrations.slice(1)) assert.ok(kept.includes(name), name);
  });

  for (const name of await oldStores())
    for (const target of databaseNames)
      test(`${name} is opened${target === 'sqlite' ? '' : ', carried to PostgreSQL'} and answers what it answered then`, async () => {
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
            const [at, language] = path.split(' ') as [string, string?];
            const answer = await shop.request('GET', at, { headers: { 'accept-language': language } });
            assertHolds(JSON.parse(answer.text.replaceAll(shop.address, 'http://store')), expected, path);
          }
          for (const { url } of (await shop.request('GET', '/api/products/1/images')).json) await shop.imageBytes(url);
          assert.equal(
            (await shop.made('/api/products', { sku: 'NEXT', name: 'Next' })).id,
            5,
            'the fourth was deleted',
          );
          const database = await shop.database.open();
          await assertAllTold(database).finally(() => database.close());
        } finally {
          await old.remove();
          if (shop !== old) await shop.remove();
        }
      });
});

for (const name of databaseNames)
  describe(`a migration of ${name}`, () => {
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

    test('killed between steps has done nothing; the next one does all of it', async () => {
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
      const fresh = await freshDatabase(name);
      const other = await fresh.open();
      await other.migrate(migrations);
      assert.deepEqual(await schemaIn(database), await schemaIn(other), 'as a store that was made today');
      await other.close();
      await fresh.remove();
      await shop.serve();
      assert.equal((await shop.request('GET', '/api/products')).json.length, 3);
      await shop.stop();
    });

    test('is done once by servers that start together', async () => {
      const fresh = await freshDatabase(name);
      const both = [await fresh.open(), await fresh.open()];
      const applied = await Promise.all(both.map((each) => each.migrate(migrations)));
      assert.deepEqual(applied.map(({ length }) => length).sort(), [0, migrations.length]);
      for (const each of both) await each.close();
      await fresh.remove();
    });

    test('of a newer program makes this one refuse, in one line, whatever it is asked to do', async () => {
      await run(database, sql`insert into migration values ('0999-from-the-future', 0)`);
      for (const command of [['serve'], ['migrate'], ['keys', 'list'], ['backup', 'new']]) {
        const { code, stdout, stderr } = await shop.run(...command);
        assert.deepEqual([code, stdout], [1, ''], command.join(' '));
        assert.match(
          stderr,
          /^This store was last opened by a newer Purveyor \(migration 0999-from-the-future\);.*\n$/,
        );
      }
      await run(database, sql`delete from migration where name = '0999-from-the-future'`);
    });

    test('leaves room for programs of the version before, which go on meanwhile', () => {
      // The steps that a running program does not notice. One that takes away waits for the release after next.
      for (const { name: migration, steps } of migrations.slice(3)) {
        const isNew = (table: string): boolean =>
          steps.some((each) => each.step === 'create table' && each.table.name === table);
        // One that points elsewhere from now on: the version before goes on with a column of that name and type.
        const isReplaced = (table: string, column: string): boolean =>
          steps.some((each) => each.step === 'add column' && each.table === table && each.column.name === column);
        const isMadeAgain = (index: string): boolean =>
          steps.some((each) => each.step === 'create index' && each.index.name === index);
        for (const step of steps) {
          const isAdded =
            (step.step === 'drop column' && isReplaced(step.table, step.column)) ||
            (step.step === 'drop index' && isMadeAgain(step.index)) ||
            step.step === 'create table' ||
            step.step === 'create text index' ||
            (step.step === 'create index' && (!step.index.unique || isNew(step.index.table))) ||
            step.step === 'tell records' ||
            (step.step === 'add column' && (step.column.nullable || step.column.default !== undefined)) ||
            // Of a column that it has just added.
            (step.step === 'fill column' &&
              steps.some((each) => each.step === 'add column' && each.column.name === step.column));
          assert.ok(isAdded, `${migration}: ${step.step}`);
        }
      }
    });
  });

test('a migration that finds the disk full leaves the old store as it was', { skip: withoutMounts() }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'purveyor-full-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder]);
  try {
    const file = join(folder, 'store.db');
    const old = await openSqlite(file);
    await old.migrate(migrations.slice(0, 2));
    const content = await contentOf(old);
    const schema = await schemaIn(old);
    await old.close();
    let refusals = 0;
    for (const roomBytes of [0, 30_000, 40_000, 60_000, 80_000, 100_000]) {
      const { bavail, bsize } = await statfs(folder);
      await writeFile(join(folder, 'ballast'), Buffer.alloc(Math.max(0, bavail * bsize - roomBytes)));
      const full = await openSqlite(file).catch((error) => error);
      if (full instanceof Error) assert.ok(full instanceof DatabaseUnavailable);
      else {
        await assert.rejects(full.migrate(migrations), DatabaseUnavailable);
        refusals += 1;
        await full.close();
      }
      await rm(join(folder, 'ballast'));
    }
    assert.ok(refusals > 0, 'the migration itself has found the disk full');
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
  return process.getuid?.() === 0 && process.platform === 'linux' ? false : 'only root may mount a small disk';
}

async function appliedIn(shop: Shop): Promise<readonly string[]> {
  const database = await shop.database.open();
  try {
    return await database.storeSnapshot(async (storeSnapshot) => storeSnapshot.migrations);
  } finally {
    await database.close();
  }
}

function indexOf(name: string): number {
  return migrations.findIndex((each) => name === each.name || name.startsWith(`${each.name}-with-`));
}

/** Everything that was said is said still; more may have come. */
function assertHolds(actual: unknown, expected: unknown, where: string): void {
  if (expected === null || typeof expected !== 'object') {
    assert.equal(actual, expected, where);
    return;
  }
  if (Array.isArray(expected)) assert.equal((actual as unknown[]).length, expected.length, where);
  for (const [key, value] of Object.entries(expected))
    assertHolds((actual as Record<string, unknown>)[key], value, `${where}.${key}`);
}
