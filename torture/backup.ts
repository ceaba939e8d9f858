/**
 * Backups and migrations for hours (docs/reliability/k-upgrade.md): copies under load, killed and made again, restored on
 * either database through kills; every step of every migration killed; disks that are full on the way.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readMigrations } from '../src/wiring/open.ts';
import { type DatabaseName, databaseNames } from '../test/support/databases.ts';
import { filesBelow } from '../test/support/files.ts';
import { assertSnapshot, writeUnderLoad } from '../test/support/load.ts';
import { contentOf, migrateAndDie, oldStores, schemaIn, unpackOldStore } from '../test/support/old-stores.ts';
import { fill, Shop } from '../test/support/shop.ts';
import { Random } from './random.ts';
import type { Run } from './report.ts';

const WRITERS = 3;
const STEPS_BETWEEN_DRILLS = 15;
/** Longer than a backup or a restore of these stores takes here. */
const KILL_MS_MAX = 2500;

/** Row K8: backup under load, restore and comparison. Half of the backups and some restores are killed first. */
export async function backupDrills({ seed, say }: Run, { cycles }: { cycles: number }): Promise<void> {
  const random = new Random(seed, 'backup');
  let killed = 0;
  for (const name of databaseNames) {
    const shop = await Shop.make(name);
    await shop.serve();
    await fill(shop, 20);
    const load = writeUnderLoad(shop, WRITERS);
    try {
      for (let cycle = 1; cycle <= cycles; cycle += 1) {
        const enough = load.writers.reduce((sum, { length }) => sum + length, 0) + STEPS_BETWEEN_DRILLS;
        while (load.writers.reduce((sum, { length }) => sum + length, 0) < enough) await sleep(5);
        if (random.chance(0.5)) killed += await killBackup(shop, `killed-${cycle}`, random);
        const began = performance.now();
        const { code, stderr } = await shop.run('backup', `drill-${cycle}`);
        assert.equal(code, 0, stderr);
        const copy = await Shop.make(random.pick(databaseNames));
        killed += await restoreThroughKills(copy, shop.path(`drill-${cycle}`), random);
        await copy.serve();
        await assertSnapshot(copy, load, began);
        await copy.remove();
        await rm(shop.path(`drill-${cycle}`), { recursive: true });
        say(`${name}: ${cycle} drills, ${killed} kills, ${load.writers.map(({ length }) => length).join('+')} changes`);
      }
    } finally {
      await load.stop();
      await shop.remove();
    }
  }
}

async function killBackup(shop: Shop, folder: string, random: Random): Promise<number> {
  const doomed = shop.start('backup', folder);
  await sleep(random.whole(200, KILL_MS_MAX));
  doomed.signal('SIGKILL');
  const { code } = await doomed.ended;
  const isWhole = existsSync(shop.path(folder));
  if (code === 0) assert.ok(isWhole);
  // A folder with its final name is complete, even if the process was killed before it exited.
  assert.equal((await shop.run('restore', folder, '--dry-run')).code, isWhole ? 0 : 1);
  return code === 0 ? 0 : 1;
}

async function restoreThroughKills(copy: Shop, backup: string, random: Random): Promise<number> {
  let kills = 0;
  while (random.chance(0.6)) {
    const doomed = copy.start('restore', backup);
    await sleep(random.whole(200, KILL_MS_MAX));
    doomed.signal('SIGKILL');
    const { code } = await doomed.ended;
    if (code === 0) return kills;
    kills += 1;
    if (await holdsStore(copy)) return kills;
  }
  const { code, stderr } = await copy.run('restore', backup);
  assert.equal(code, 0, stderr);
  return kills;
}

async function holdsStore(shop: Shop): Promise<boolean> {
  const database = await shop.database.open();
  try {
    return await database.storeSnapshot(async ({ migrations }) => migrations.length > 0);
  } finally {
    await database.close();
  }
}

/** Row K1: every step of every migration after every old store, on both databases; then kills at any time. */
export async function migrationKills({ seed, say }: Run, { cycles }: { cycles: number }): Promise<void> {
  const migrations = readMigrations();
  const random = new Random(seed, 'migrations');
  for (const store of await oldStores())
    for (const name of databaseNames) {
      const from = migrations.findIndex((each) => each.name === store) + 1;
      const steps = migrations.slice(from).flatMap((each) => each.steps).length;
      if (steps === 0) continue;
      const shop = await oldShop(store, name);
      const database = await shop.database.open();
      const [content, schema] = [await contentOf(database), await schemaIn(database)];
      for (let done = 0; done <= steps; done += 1) {
        assert.ok(await migrateAndDie(shop.database.url, done));
        assert.deepEqual([await contentOf(database), await schemaIn(database)], [content, schema], `step ${done}`);
      }
      say(`${store} on ${name}: killed at each of ${steps} steps and before the commit; the store was never changed.`);
      let old = 0;
      await database.close();
      await shop.remove();
      for (let cycle = 1; cycle <= cycles; cycle += 1) old += await killAnyTime(store, name, random);
      say(`${store} on ${name}: killed ${cycles} times at random, ${old} of them before the commit.`);
    }
}

async function killAnyTime(store: string, name: DatabaseName, random: Random): Promise<number> {
  const migrations = readMigrations();
  const shop = await oldShop(store, name);
  const before = await shop.database.open();
  const old = await contentOf(before);
  await before.close();
  const doomed = shop.start('migrate');
  await sleep(random.whole(200, KILL_MS_MAX));
  doomed.signal('SIGKILL');
  await doomed.ended;
  const after = await shop.database.open();
  const found = await contentOf(after);
  await after.close();
  const isOld = found.migrations.length === old.migrations.length;
  if (isOld) assert.deepEqual(found, old);
  else assert.equal(found.migrations.length, migrations.length);
  assert.equal((await shop.run('migrate')).code, 0);
  await shop.remove();
  return isOld ? 1 : 0;
}

async function oldShop(store: string, name: DatabaseName): Promise<Shop> {
  const old = await unpackOldStore(store);
  if (name === 'sqlite') return old;
  assert.equal((await old.run('backup', 'backup')).code, 0);
  const shop = await Shop.make(name);
  assert.equal((await shop.run('restore', old.path('backup'))).code, 0);
  await old.remove();
  return shop;
}

/** Fills the disk at any point of a backup and of a restore. No file may remain that looks like a backup or a store. */
export async function fullDisks({ folder, say }: Run): Promise<void> {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') return say('Skipped: mounting a disk requires root.');
  const shop = await Shop.make('sqlite');
  await shop.serve();
  await fill(shop, 20);
  const disk = join(folder, 'small');
  await mkdir(disk);
  assert.equal((await shop.run('backup', 'whole')).code, 0);
  let refused = 0;
  for (let kilobytes = 16; ; kilobytes += 40) {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', disk]);
    try {
      const { code } = await shop.run('backup', join(disk, 'backup'));
      if (code === 0) break;
      refused += 1;
      assert.equal(code, 1);
      assert.deepEqual(await filesBelow(disk), [], `${kilobytes} KB`);
    } finally {
      execFileSync('umount', ['--lazy', disk]);
    }
  }
  say(`${refused} disks were too small for the backup. All of them were left empty.`);
  refused = 0;
  for (let kilobytes = 200; ; kilobytes += 200) {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', disk]);
    const target = await Shop.make('sqlite', {
      DATABASE_URL: `sqlite:${disk}/store.db`,
      IMAGES_URL: `file:${disk}/images`,
    });
    try {
      const { code } = await target.run('restore', shop.path('whole'));
      if (code === 0) break;
      refused += 1;
      assert.equal(code, 1);
      const left = await stat(join(disk, 'store.db')).catch(() => undefined);
      if (left) assert.equal((await target.run('backup', 'of-nothing')).code, 1);
    } finally {
      await target.remove();
      execFileSync('umount', ['--lazy', disk]);
    }
  }
  say(`${refused} disks were too small for the restore. None of them was left with a store.`);
  await shop.remove();
}
