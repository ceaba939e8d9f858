/** Rows K5 to K9 of docs/reliability/k-upgrade.md: backups, damaged backups, and restores. */
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
  describe(`backup of ${name}`, () => {
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
      test(`a backup of ${name} is restored on ${target} with equal responses and images, and without reusing numbers`, async () => {
        const other = await emptyShop(target);
        const { code, stdout, stderr } = await other.run('restore', backup);
        assert.equal(code, 0, stderr);
        assert.match(stdout, /^Restored \d+ rows and 6 images as of \d{4}-\S+Z\.\n$/);
        await other.serve();
        assert.equal(await other.responses(), await shop.responses());
        const past = await other.request('GET', `/api/changes?after=${cursor}`);
        assert.equal(past.status, 410, 'the restored store has a new history');
        const published = async (from: Shop): Promise<string[]> =>
          (await from.request('GET', '/api/changes?limit=1000')).json.map(
            ({ path, version }: { path: string; version: number }) => `${path} ${version}`,
          );
        assert.deepEqual(await published(other), await published(shop), 'the new history begins with every record');
        for (const { images } of (await other.request('GET', '/api/products')).json)
          for (const { url } of images) assert.equal(sha256(await other.imageBytes(url)), hashIn(url));
        const product = await other.made('/api/products', { sku: 'NEXT', name: 'Next' });
        assert.equal(product.id, 8, 'the seventh product was deleted before the backup');
        const order = { email: 'eve@example.com', items: [{ product_id: 1, amount: 1 }] };
        const { id, order_number } = await other.made('/api/orders', order);
        assert.deepEqual([id, order_number], [3, '3']);
        const again = { email: 'ada@example.com', items: [{ product_id: 1, amount: 2 }] };
        const replayed = await other.made('/api/orders', again, { 'idempotency-key': 'ada@example.com' });
        assert.equal(replayed.order_number, '1', 'idempotency records are in the backup');
      });

    test(`a backup of ${name} and a backup of its restored copy on the other database are identical`, async () => {
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

    test('rejects a backup into a folder with files, a restore over an existing store, and a backup without a store', async () => {
      const taken = await shop.run('backup', 'backup');
      assert.deepEqual([taken.code, taken.stdout], [1, '']);
      assert.match(taken.stderr, /^\S+backup is not empty\. Give a folder that is empty or does not exist\.\n$/);
      const before = await shop.responses();
      const { code, stderr } = await shop.run('restore', 'backup');
      assert.equal(code, 1);
      assert.match(stderr, /^The database of DATABASE_URL already contains a store\..*\n$/);
      assert.equal(await shop.responses(), before);
      const empty = await (await emptyShop()).run('backup', 'backup');
      assert.equal(empty.code, 1);
      assert.match(empty.stderr, /^There is no store to back up: .*\n$/);
    });

    test('a killed backup leaves no restorable incomplete backup, and later backups remove its files', async () => {
      const folder = shop.path('killed');
      await mkdir(folder);
      const unfinished = (): string | undefined => readdirSync(folder).find((each) => UNFINISHED.test(each));
      const partsIn = (part: string): number => filesIn(join(folder, unfinished() ?? 'none', part));
      const stages: [string, () => boolean][] = [
        ['started', () => unfinished() !== undefined],
        ['some tables', () => partsIn('tables') > 20],
        ['some images', () => partsIn('images') > 2],
        ['the manifest', () => partsIn('.') > 0],
      ];
      for (const [stage, isReached] of stages) {
        const path = `killed/${stage.replace(' ', '-')}`;
        await killAt(shop.start('backup', path), isReached);
        const isWhole = existsSync(shop.path(path));
        assert.equal((await restored(shop, shop.path(path), true)).code, isWhole ? 0 : 1, stage);
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

    test('a backup stopped by SIGTERM leaves no files', async () => {
      const folder = shop.path('stopped');
      const begin = () => killAt(shop.start('backup', 'stopped/now'), () => filesIn(folder) > 5, 'SIGTERM');
      let { code, stderr } = await begin();
      // The backup may have finished before the signal arrived.
      for (let tries = 1; code === 0 && tries < 10; tries += 1) {
        await rm(shop.path('stopped/now'), { recursive: true });
        ({ code, stderr } = await begin());
      }
      assert.equal(code, 1);
      assert.match(stderr, /Interrupted\. No backup was made\.\n$/);
      assert.deepEqual(await readdir(folder), []);
    });

    test('a restore succeeds after earlier restores were killed at any stage', async () => {
      const other = await emptyShop();
      const log = `${other.database.url.slice('sqlite:'.length)}-wal`;
      const stages: [string, () => boolean][] = [
        ['the images begin', () => existsSync(other.imagesFolder)],
        ['some images are there', () => filesIn(other.imagesFolder) > 3],
      ];
      if (name === 'sqlite') stages.unshift(['the database is opened', () => existsSync(log)]);
      let isWhole = false;
      for (const [stage, isReached] of stages) {
        await killAt(other.start('restore', backup), isReached);
        const { code, stderr } = await other.run('backup', `after ${stage}`);
        // The restore may have finished before it was killed.
        isWhole = code === 0;
        if (isWhole) break;
        assert.equal(code, 1, stage);
        assert.match(stderr, /There is no store to back up/);
      }
      if (!isWhole) assert.equal((await other.run('restore', backup)).code, 0);
      await other.serve();
      assert.equal(await other.responses(), await shop.responses());
      assert.equal((await other.imageFiles()).filter((file) => /\.png$/.test(file)).length, 6);
    });

    test('a backup reports lost and damaged images, and contains all others', async () => {
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

    test('a restore of contradicting rows is rejected by the database and leaves no rows and no images', async () => {
      const damaged = await copyOf(backup);
      await changeLine(damaged, 'product_text', 0, ([, ...rest]) => [999, ...rest]);
      const other = await emptyShop();
      const { code, stdout } = await other.run('restore', damaged);
      assert.deepEqual([code, stdout], [1, '']);
      assert.deepEqual(await other.imageFiles(), []);
      assert.equal((await restored(other, backup)).code, 0, 'a valid backup can be restored afterwards');
      await rm(join(damaged, '..'), { recursive: true });
    });
  });

describe('damaged backup', () => {
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
    [
      'a missing folder',
      () => rm(damaged, { recursive: true }),
      /not a complete backup: there is no manifest\.json in it/,
    ],
    [
      'a backup without a signature of its manifest',
      () => rm(join(damaged, 'manifest.json.sha256')),
      /there is no manifest\.json\.sha256/,
    ],
    [
      'a truncated manifest',
      () => truncate(join(damaged, 'manifest.json'), 900),
      /is damaged: manifest\.json does not/,
    ],
    ['a flipped bit in the manifest', () => flip(join(damaged, 'manifest.json')), /damaged/],
    ['a truncated table', () => truncate(join(damaged, 'tables/product.jsonl'), 300), /damaged|bytes/],
    ['a flipped bit in a table', () => flip(join(damaged, 'tables/setting.jsonl')), /damaged/],
    ['a table with an additional row', () => appendFile(join(damaged, 'tables/tag.jsonl'), '[9,1]\n'), /damaged|bytes/],
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
    [
      'a backup with a missing migration',
      described((manifest) => (manifest.migrations as string[]).shift()),
      /its migrations are/,
    ],
    [
      'a manifest without one of the tables',
      described((manifest) => (manifest.tables as unknown[]).pop()),
      /its tables do not match/,
    ],
    [
      'a manifest with an invalid field',
      described((manifest) => Object.assign(manifest, { images: 7 })),
      /is not a backup manifest/,
    ],
    [
      'a manifest without one of the images, with recomputed hashes',
      described((manifest) => (manifest.images as unknown[]).pop()),
      /has no image [0-9a-f]{64}\.png, which a row of product_image names/,
    ],
    [
      'an image name with a path out of the folder',
      described((manifest) => ((manifest.images as { name: string }[])[0]!.name = '../../../etc/passwd')),
      /is not a backup manifest/,
    ],
    [
      'a row with an additional value, with recomputed hashes',
      line('tag', 0, (row) => [...row, 1]),
      /line 1, has \d+ values/,
    ],
    ['a row with too few values, with recomputed hashes', line('product', 1, () => ['1']), /line 2, has 1 values/],
    [
      'a value of another type, with recomputed hashes',
      line('product', 0, ([, ...rest]) => ['1', ...rest]),
      /has no integer in the column id/,
    ],
    ['a line that is not a row, with recomputed hashes', line('product', 0, () => ({})), /line 1, is not an array/],
  ];
  for (const [title, damage, message] of cases)
    test(`a restore rejects ${title} before it writes`, async () => {
      damaged = await copyOf(backup);
      await damage();
      const empty = await Shop.make('sqlite');
      const { code, stdout, message: text } = await restored(empty, damaged);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(text, message);
      assert.ok(!text.includes('\n'), text);
      assert.deepEqual(await filesBelow(empty.folder.path), []);
      assert.deepEqual(readdirSync(join(fileOf(empty), '..')), []);
      await empty.remove();
      await rm(join(damaged, '..'), { recursive: true });
    });
});

test('a restore into SQLite is rejected while a server has locked the database file, even if the file is missing', async () => {
  const shop = await Shop.make('sqlite');
  try {
    await shop.serve();
    await fill(shop, 1);
    assert.equal((await shop.run('backup', 'backup')).code, 0);
    await shop.stop();
    const file = fileOf(shop);
    for (const end of ['', '-wal', '-shm']) await rm(`${file}${end}`, { force: true });
    // A real server would notice the missing file and exit while the restore begins, so the test holds its lock.
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

/** Sends the signal as soon as the condition is true; the process may exit before. */
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
    return 0; // The folder was renamed while it was read.
  }
}

/** Runs the restore command in this process. */
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

/** Changes one row and recomputes every hash. */
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

/** Recomputes the hashes of a modified backup, as a careful attacker would. */
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

/** The hash in an image's URL. */
function hashIn(url: string): string {
  return /([0-9a-f]{64})\.\w+$/.exec(url)![1]!;
}
