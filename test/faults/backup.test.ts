/** Rows K5 to K9 of docs/reliability/k-upgrade.md: backups, what may be wrong with them, and their restore. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import {
  appendFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { lockStore } from '../../src/adapters/sqlite/lock.ts';
import { restore } from '../../src/transfer/backup/restore.ts';
import { readConfig } from '../../src/wiring/config.ts';
import type { Ended, Running } from '../cli/program.ts';
import { databaseNames } from '../support/databases.ts';
import { filesBelow } from '../support/files.ts';
import { fill, Shop } from '../support/shop.ts';

for (const name of databaseNames)
  describe(`a backup of ${name}`, () => {
    let shop: Shop;
    let backup: string;
    let cursor: string;
    const shops: Shop[] = [];
    const emptyShop = async (database = name): Promise<Shop> => {
      const made = await Shop.make(database);
      shops.push(made);
      return made;
    };
    before(async () => {
      shop = await Shop.make(name);
      await shop.serve();
      await fill(shop);
      backup = shop.path('backup');
      cursor = String((await shop.request('GET', '/api/changes?after=now')).headers['changes-cursor']);
      const { code, stdout, stderr } = await shop.run('backup', 'backup');
      assert.equal(code, 0, stderr);
      assert.match(stdout, /^Backed up \d+ rows and 6 images as of \d{4}-\S+Z to backup\.\n$/);
      assert.match(stderr, /\d+ of \d+ tables\n/);
    });
    after(() => Promise.all([shop, ...shops].map((each) => each.remove())));

    for (const target of databaseNames)
      test(`comes back on ${target}: the same answers, the same images, no number given again`, async () => {
        const other = await emptyShop(target);
        const { code, stdout, stderr } = await other.run('restore', backup);
        assert.equal(code, 0, stderr);
        assert.match(stdout, /^Restored \d+ rows and 6 images as of \d{4}-\S+Z\.\n$/);
        await other.serve();
        assert.equal(await other.answers(), await shop.answers());
        const past = await other.request('GET', `/api/changes?after=${cursor}`);
        assert.equal(past.status, 410, 'the restored store goes on by itself: its history is another');
        const told = async (from: Shop): Promise<string[]> =>
          (await from.request('GET', '/api/changes?limit=1000')).json.map(
            ({ path, version }: { path: string; version: number }) => `${path} ${version}`,
          );
        assert.deepEqual(await told(other), await told(shop), 'and begins with every record');
        for (const { images } of (await other.request('GET', '/api/products')).json)
          for (const { url } of images) assert.equal(sha256(await other.imageBytes(url)), hashIn(url));
        const product = await other.made('/api/products', { sku: 'NEXT', name: 'Next' });
        assert.equal(product.id, 8, 'the seventh was deleted before the backup');
        const order = { email: 'eve@example.com', items: [{ product_id: 1, amount: 1 }] };
        const { id, order_number } = await other.made('/api/orders', order);
        assert.deepEqual([id, order_number], [3, '3']);
        const again = { email: 'ada@example.com', items: [{ product_id: 1, amount: 2 }] };
        const kept = await other.made('/api/orders', again, { 'idempotency-key': 'ada@example.com' });
        assert.equal(kept.order_number, '1', 'an answer that was kept for a retry is kept still');
      });

    test('is the same, byte by byte, of the store that was restored from it on the other database', async () => {
      const other = await emptyShop(name === 'sqlite' ? 'postgres' : 'sqlite');
      assert.equal((await other.run('restore', backup)).code, 0);
      assert.equal((await other.run('backup', 'again')).code, 0);
      for (const part of ['tables', 'images']) {
        const names = await filesBelow(join(backup, part));
        assert.deepEqual(await filesBelow(other.path(`again/${part}`)), names);
      }
      for (const table of await readdir(join(backup, 'tables')))
        assert.equal(
          await readFile(other.path(`again/tables/${table}`), 'utf8'),
          await readFile(join(backup, 'tables', table), 'utf8'),
          table,
        );
    });

    test('is refused where a folder is taken, and a store where there is one already', async () => {
      const taken = await shop.run('backup', 'backup');
      assert.deepEqual([taken.code, taken.stdout], [1, '']);
      assert.match(taken.stderr, /^\S+backup is not empty\. Give a folder that is empty or does not exist\.\n$/);
      const before = await shop.answers();
      const { code, stderr } = await shop.run('restore', 'backup');
      assert.equal(code, 1);
      assert.match(stderr, /^The database of DATABASE_URL already contains a store\..*\n$/);
      assert.equal(await shop.answers(), before);
      const empty = await (await emptyShop()).run('backup', 'backup');
      assert.equal(empty.code, 1);
      assert.match(empty.stderr, /^There is no store to back up: .*\n$/);
    });

    test('goes on after kill -9 wherever it hits; what is left is never taken for one, and goes in time', async () => {
      const folder = shop.path('killed');
      await mkdir(folder);
      const drafted = (): string | undefined => readdirSync(folder).find((each) => UNFINISHED.test(each));
      const partsIn = (part: string): number => filesIn(join(folder, drafted() ?? 'none', part));
      const moments: [string, () => boolean][] = [
        ['begun', () => drafted() !== undefined],
        ['some tables', () => partsIn('tables') > 20],
        ['some images', () => partsIn('images') > 2],
        ['the manifest', () => partsIn('.') > 0],
      ];
      for (const [moment, isReached] of moments) {
        const path = `killed/${moment.replace(' ', '-')}`;
        await killAt(shop.start('backup', path), isReached);
        const isWhole = existsSync(shop.path(path));
        assert.equal((await restored(shop, shop.path(path), true)).code, isWhole ? 0 : 1, moment);
        for (const each of readdirSync(folder).filter((each) => UNFINISHED.test(each)))
          await rename(join(folder, each), shop.path(each));
      }
      assert.equal((await shop.run('backup', 'next')).code, 0);
      const leftBehind = (): string[] => readdirSync(shop.folder.path).filter((each) => UNFINISHED.test(each));
      assert.ok(leftBehind().length > 0);
      for (const each of leftBehind()) await utimes(shop.path(each), 0, 0);
      assert.equal((await shop.run('backup', 'last')).code, 0);
      assert.deepEqual(leftBehind(), []);
    });

    test('stopped by SIGTERM leaves nothing', async () => {
      const folder = shop.path('stopped');
      const begin = () => killAt(shop.start('backup', 'stopped/now'), () => filesIn(folder) > 5, 'SIGTERM');
      let { code, stderr } = await begin();
      // It may have been done before the signal came.
      for (let tries = 1; code === 0 && tries < 10; tries += 1) {
        await rm(shop.path('stopped/now'), { recursive: true });
        ({ code, stderr } = await begin());
      }
      assert.equal(code, 1);
      assert.match(stderr, /Interrupted\. No backup was made\.\n$/);
      assert.deepEqual(await readdir(folder), []);
    });

    test('is restored after kill -9 of the restore, wherever it hits', async () => {
      const other = await emptyShop();
      const log = `${other.database.url.slice('sqlite:'.length)}-wal`;
      const moments: [string, () => boolean][] = [
        ['the images begin', () => existsSync(other.imagesFolder)],
        ['some images are there', () => filesIn(other.imagesFolder) > 3],
      ];
      if (name === 'sqlite') moments.unshift(['the database is opened', () => existsSync(log)]);
      let isWhole = false;
      for (const [moment, isReached] of moments) {
        await killAt(other.start('restore', backup), isReached);
        const { code, stderr } = await other.run('backup', `after ${moment}`);
        // It may have been done before it was killed.
        isWhole = code === 0;
        if (isWhole) break;
        assert.equal(code, 1, moment);
        assert.match(stderr, /There is no store to back up/);
      }
      if (!isWhole) assert.equal((await other.run('restore', backup)).code, 0);
      await other.serve();
      assert.equal(await other.answers(), await shop.answers());
      assert.equal((await other.imageFiles()).filter((file) => /\.png$/.test(file)).length, 6);
    });

    test('tells of images that the store had lost, and carries all the others', async () => {
      const other = await emptyShop();
      await other.run('restore', backup);
      const [lost, damaged] = (await other.imageFiles()).filter((file) => /\.png$/.test(file)) as [string, string];
      const pathOf = (file: string): string => join(other.imagesFolder, file.slice(0, 2), file.slice(2, 4), file);
      await rm(pathOf(lost));
      await truncate(pathOf(damaged), 40);
      const { code, stdout } = await other.run('backup', 'without');
      assert.equal(code, 2);
      assert.match(stdout, new RegExp(`^The image ${lost} is not in the backup: there is no such file\\.$`, 'm'));
      assert.match(stdout, new RegExp(`^The image ${damaged} is not in the backup: its content is not what`, 'm'));
      assert.match(stdout, /^Backed up \d+ rows and 4 images/m);
      const third = await emptyShop();
      const restored = await third.run('restore', other.path('without'));
      assert.equal(restored.code, 2);
      assert.match(
        restored.stdout,
        new RegExp(`^The image ${lost} is not in the backup: it was missing when the backup was made\\.$`, 'm'),
      );
    });

    test('whose rows contradict each other is refused by the database: no rows, no images', async () => {
      const damaged = await copyOf(backup);
      await changeLine(damaged, 'product_text', 0, ([, ...rest]) => [999, ...rest]);
      const other = await emptyShop();
      const { code, stdout } = await other.run('restore', damaged);
      assert.deepEqual([code, stdout], [1, '']);
      assert.deepEqual(await other.imageFiles(), []);
      assert.equal((await restored(other, backup)).code, 0, 'nothing is in the way of a good one');
      await rm(join(damaged, '..'), { recursive: true });
    });
  });

describe('a backup is refused before anything is touched', () => {
  let shop: Shop;
  let backup: string;
  let damaged: string;
  before(async () => {
    shop = await Shop.make('sqlite');
    await shop.serve();
    await fill(shop);
    backup = shop.path('backup');
    assert.equal((await shop.run('backup', 'backup')).code, 0);
  });
  after(() => shop.remove());
  const line = (table: string, number: number, change: (row: unknown[]) => unknown) => () =>
    changeLine(damaged, table, number, change);
  const described = (change: (manifest: Record<string, unknown>) => void) => (): Promise<void> => sign(damaged, change);
  const images = async (): Promise<string[]> =>
    (await filesBelow(join(damaged, 'images'))).map((file) => join(damaged, 'images', file.slice(0, 2), file));
  const flip = async (path: string): Promise<void> => {
    const bytes = await readFile(path);
    bytes[Math.floor(bytes.length / 2)]! ^= 1;
    await writeFile(path, bytes);
  };
  const cases: [string, () => Promise<unknown>, RegExp][] = [
    ['no folder', () => rm(damaged, { recursive: true }), /not a complete backup: there is no manifest\.json in it/],
    ['half a backup', () => rm(join(damaged, 'manifest.json.sha256')), /there is no manifest\.json\.sha256/],
    [
      'a truncated manifest',
      () => truncate(join(damaged, 'manifest.json'), 900),
      /is damaged: manifest\.json does not/,
    ],
    ['a flipped bit in the manifest', () => flip(join(damaged, 'manifest.json')), /damaged/],
    ['a truncated table', () => truncate(join(damaged, 'tables/product.jsonl'), 300), /damaged|bytes/],
    ['a flipped bit in a table', () => flip(join(damaged, 'tables/setting.jsonl')), /damaged/],
    ['a row too many', () => appendFile(join(damaged, 'tables/tag.jsonl'), '[9,1]\n'), /damaged|bytes/],
    ['a missing table', () => rm(join(damaged, 'tables/tag.jsonl')), /ENOENT/],
    ['a truncated image', async () => truncate((await images())[2]!, 30), /is not the file that was written/],
    ['a flipped bit in an image', async () => flip((await images())[3]!), /is not the file that was written/],
    ['a missing image', async () => rm((await images())[4]!), /cannot be read: ENOENT/],
    ['a newer format', described((manifest) => Object.assign(manifest, { format: 2 })), /made by a newer Purveyor/],
    [
      'a newer store',
      described((manifest) => (manifest.migrations as string[]).push('0999-from-the-future')),
      /newer Purveyor \(\S+, migration 0999-from-the-future\)/,
    ],
    ['a store with a gap', described((manifest) => (manifest.migrations as string[]).shift()), /its migrations are/],
    ['other tables', described((manifest) => (manifest.tables as unknown[]).pop()), /its tables do not match/],
    ['a form of its own', described((manifest) => Object.assign(manifest, { images: 7 })), /is not a backup manifest/],
    [
      'an image less, hashes made anew',
      described((manifest) => (manifest.images as unknown[]).pop()),
      /has no image [0-9a-f]{64}\.png, which a row of product_image names/,
    ],
    [
      'a way out of the folder',
      described((manifest) => ((manifest.images as { name: string }[])[0]!.name = '../../../etc/passwd')),
      /is not a backup manifest/,
    ],
    ['a value too many, hashes made anew', line('tag', 0, (row) => [...row, 1]), /line 1, has \d+ values/],
    ['a text for a number, hashes made anew', line('product', 1, () => ['1']), /line 2, has 1 values/],
    [
      'another type, hashes made anew',
      line('product', 0, ([, ...rest]) => ['1', ...rest]),
      /has no integer in the column id/,
    ],
    ['no row, hashes made anew', line('product', 0, () => ({})), /line 1, is not an array/],
  ];
  for (const [title, damage, message] of cases)
    test(title, async () => {
      damaged = await copyOf(backup);
      await damage();
      const empty = await Shop.make('sqlite');
      const { code, stdout, message: words } = await restored(empty, damaged);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(words, message);
      assert.ok(!words.includes('\n'), words);
      assert.deepEqual(await filesBelow(empty.folder.path), []);
      assert.deepEqual(readdirSync(join(fileOf(empty), '..')), []);
      await empty.remove();
      await rm(join(damaged, '..'), { recursive: true });
    });
});

test('a restore into SQLite waits for no server: it is refused while one has the folder, even an empty one', async () => {
  const shop = await Shop.make('sqlite');
  try {
    await shop.serve();
    await fill(shop, 1);
    assert.equal((await shop.run('backup', 'backup')).code, 0);
    await shop.stop();
    const file = fileOf(shop);
    for (const end of ['', '-wal', '-shm']) await rm(`${file}${end}`, { force: true });
    // As a server does, which would notice that its file is gone, and end, while the restore begins.
    const unlock = lockStore(file);
    const { code, stderr } = await shop.run('restore', 'backup');
    unlock();
    assert.equal(code, 1);
    assert.match(stderr, /Another Purveyor already serves/);
  } finally {
    await shop.remove();
  }
});

const UNFINISHED = /\.unfinished-/;

/** Kills it as soon as this is so; it may be too quick for that. */
async function killAt(running: Running, isReached: () => boolean, signal: NodeJS.Signals = 'SIGKILL'): Promise<Ended> {
  let hasEnded = false;
  void running.ended.then(() => {
    hasEnded = true;
  });
  while (!hasEnded && !isReached()) await sleep(1);
  running.signal(signal);
  return running.ended;
}

function filesIn(folder: string): number {
  if (!existsSync(folder)) return 0;
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile()).length;
  } catch {
    return 0; // It has been renamed while it was read.
  }
}

/** As the command does it, in this process. */
async function restored(shop: Shop, backup: string, dryRun = false) {
  const stdout = new PassThrough({ encoding: 'utf8' });
  const terminal = { stdout, stderr: new PassThrough().resume() };
  try {
    const code = await restore(readConfig(shop.environment), backup, { dryRun }, terminal);
    return { code, stdout: stdout.read() ?? '', message: '' };
  } catch (error) {
    return { code: 1, stdout: stdout.read() ?? '', message: (error as Error).message };
  }
}

function fileOf(shop: Shop): string {
  return shop.database.url.slice('sqlite:'.length);
}

async function copyOf(backup: string): Promise<string> {
  const copy = join(await mkdtemp(join(tmpdir(), 'purveyor-damaged-')), 'backup');
  await cp(backup, copy, { recursive: true });
  return copy;
}

/** Changes one row and makes every hash anew. */
async function changeLine(
  backup: string,
  table: string,
  number: number,
  change: (row: unknown[]) => unknown,
): Promise<void> {
  const path = join(backup, 'tables', `${table}.jsonl`);
  const lines = (await readFile(path, 'utf8')).split('\n');
  lines[number] = JSON.stringify(change(JSON.parse(lines[number]!)));
  await writeFile(path, lines.join('\n'));
  await sign(backup);
}

/** Makes the hashes of a backup true again, as somebody who tampers with care would. */
async function sign(backup: string, change: (manifest: Record<string, unknown>) => void = () => {}): Promise<void> {
  const path = join(backup, 'manifest.json');
  const manifest = JSON.parse(await readFile(path, 'utf8'));
  for (const table of manifest.tables) {
    const bytes = await readFile(join(backup, 'tables', `${table.name}.jsonl`));
    Object.assign(table, { bytes: bytes.length, sha256: sha256(bytes) });
  }
  change(manifest);
  const text = JSON.stringify(manifest);
  await writeFile(path, text);
  await writeFile(`${path}.sha256`, `${sha256(Buffer.from(text))}  manifest.json\n`);
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The hash that an image's address carries. */
function hashIn(url: string): string {
  return /([0-9a-f]{64})\.\w+$/.exec(url)![1]!;
}
