/** Rows F6 and F7 of docs/reliability/f-storage.md: `purveyor check` finds what is damaged, and nothing where all is whole. */
import assert from 'node:assert/strict';
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { readMigrations } from '../../src/wiring/open.ts';
import type { Ended } from '../cli/program.ts';
import { databaseNames } from '../support/databases.ts';
import { fill, Shop } from '../support/shop.ts';

for (const name of databaseNames)
  describe(`a check of ${name}`, () => {
    let shop: Shop;
    let images: Image[];
    before(async () => {
      shop = await Shop.make(name);
      await shop.serve();
      await fill(shop);
      const products = (await shop.request('GET', '/api/products')).json;
      images = products.map((product: { id: number; images: { url: string }[] }) => ({
        id: product.id,
        file: pathOf(shop, product.images[0]!.url.split('/').at(-1)!),
      }));
    });
    after(() => shop.remove());

    test('finds nothing where all is whole, while it is served and after', async () => {
      assertWhole(await shop.run('check'));
      const orphan = pathOf(shop, `${'ab'.repeat(32)}.png`);
      await mkdir(dirname(orphan), { recursive: true });
      await writeFile(orphan, 'of nobody');
      const { stdout } = assertWhole(await shop.run('check'));
      assert.match(stdout, /^1 image file without a record; the hourly cleanup removes old ones\.$/m);
      await shop.stop();
      assertWhole(await shop.run('check'));
      await shop.serve();
    });

    test('names each image that is lost with its product; sent again, it is whole', async () => {
      const [flipped, short, gone] = images as [Image, Image, Image];
      const whole = await Promise.all([flipped, short, gone].map(({ file }) => readFile(file)));
      flipByte(flipped.file, 50);
      await truncate(short.file, 40);
      await rm(gone.file);
      const { stdout } = assertFaults(await shop.run('check'), 3);
      const told = (image: Image, fault: string) =>
        assert.match(
          stdout,
          new RegExp(`^The image ${nameIn(image)} of product ${image.id} is lost: ${fault}\\.$`, 'm'),
        );
      told(flipped, 'its bytes are not those that were uploaded');
      told(short, 'its bytes are not those that were uploaded');
      told(gone, 'there is no such file');
      for (const bytes of whole)
        await shop.made('/api/products/5/images', { attachment: bytes.toString('base64'), filename: 'again.png' });
      assertWhole(await shop.run('check'));
    });

    test('tells where the change feed is not what the store holds', async () => {
      const product = await shop.made('/api/products', { sku: 'TOLD', name: 'Told' });
      const tag = await shop.made('/api/tags', { name: 'Told' });
      assertWhole(await shop.run('check'));
      await forceSql(shop, `UPDATE product SET version = version + 1 WHERE id = ${product.id}`);
      assert.match(
        assertFaults(await shop.run('check'), 1).stdout,
        told(`tells version 1 of Product ${product.id}, and it has version 2`),
      );
      await forceSql(shop, `UPDATE product SET version = version - 1 WHERE id = ${product.id}`);
      // The tag's entry is the last: its position is gone with it.
      await forceSql(shop, `DELETE FROM change WHERE resource = 'Tag' AND record = '${tag.id}'`);
      assert.match(assertFaults(await shop.run('check'), 1).stdout, told(`does not tell Tag ${tag.id}`));
      await shop.request('PATCH', `/api/tags/${tag.id}`, { body: { name: 'Told again' } });
      // Its entry has its position before the product's is gone.
      await shop.request('GET', '/api/changes?after=now');
      await forceSql(shop, `DELETE FROM change WHERE resource = 'Product' AND record = '${product.id}'`);
      const { stdout } = assertFaults(await shop.run('check'), 2);
      assert.match(stdout, told(`does not tell Product ${product.id}`));
      assert.match(
        stdout,
        /^The journal has a gap: between the positions \d+ and \d+, entries that are missing: 1\.$/m,
      );
      await forceSql(shop, "UPDATE change SET kind = 'deleted' WHERE resource = 'Tag'");
      assert.match(
        assertFaults(await shop.run('check')).stdout,
        told(`tells that Tag ${tag.id} is deleted, and it is there`),
      );
      await forceSql(shop, "UPDATE change SET record = '99' , kind = 'created' WHERE resource = 'Tag'");
      assert.match(assertFaults(await shop.run('check')).stdout, told('tells Tag 99, which is not there'));
      // A server would give it a place.
      await shop.stop();
      await forceSql(
        shop,
        `INSERT INTO change_inbox (resource, record, path, kind, version, fields, key_name, at, mark)
        VALUES ('Tag', '1', '', 'updated', 2, '[]', 'x', 1, 1)`,
      );
      assert.match(
        assertFaults(await shop.run('check')).stdout,
        /^Changes that have no place in the journal yet: 1\. /m,
      );
      await shop.serve();
    });

    test('tells of rows whose record is gone', async () => {
      await forceSql(shop, 'DELETE FROM product WHERE id = 6');
      const { stdout } = assertFaults(await shop.run('check'));
      assert.match(stdout, /^In the table product_text, \d+ of the rows refer to a product that does not exist\.$/m);
    });

    test('tells of a value that is not of its column’s form', async () => {
      const [change, column] = OTHER_FORM[name];
      await forceSql(shop, `UPDATE product SET ${change} WHERE id = 5`);
      const { stdout } = assertFaults(await shop.run('check'));
      assert.match(stdout, new RegExp(`^In the table product, row 5 has no ${column}\\.$`, 'm'));
    });

    test('tells of a schema that is not the newest', async () => {
      const other = await Shop.make(name);
      await other.run('migrate');
      assertWhole(await other.run('check'));
      const newest = readMigrations().at(-1)!.name;
      await forceSql(other, `DELETE FROM migration WHERE name = '${newest}'`);
      const { stdout } = assertFaults(await other.run('check'), 1);
      assert.ok(stdout.includes(`The schema lacks the migration ${newest}. Run “npx purveyor migrate”.\n`), stdout);
      await other.remove();
    });

    test('says so where it could not look', async () => {
      const other = await Shop.make(name);
      assertNot(await other.run('check'), /^The image folder \S+ does not exist\. Check IMAGES_URL\.\n$/);
      await mkdir(other.imagesFolder);
      assertNot(await other.run('check'), /^There is no store to check: .*\n$/);
      await other.remove();
      assertNot(await shop.folder.run(['check'], { ...shop.environment, DATABASE_URL: AWAY[name] }), /.\n$/);
    });

    test('tells of a page that makes no sense, and looks at all else', async () => {
      await shop.stop();
      await damagePage(shop, 'product_image');
      const { stdout } = assertFaults(await shop.run('check'));
      assert.match(stdout, /^The table product_image cannot be read to its end: .+$/m);
      if (name === 'sqlite') assert.match(stdout, /^The database file is damaged: .+$/m);
    });
  });

interface Image {
  readonly id: number;
  readonly file: string;
}

/** A value that a flipped bit might leave in a column, and the column. */
const OTHER_FORM = {
  sqlite: ['sku = char(83, 0)', 'text in the column sku'],
  postgres: ['amount = 9007199254740993', 'integer in the column amount'],
};

/** Where there is no database that could be read. */
const AWAY = { sqlite: 'sqlite:/nowhere/store.db', postgres: 'postgres://127.0.0.1:1/nothing' };

function assertWhole(ended: Ended): Ended {
  assert.match(ended.stdout, /^Checked \d+ rows and \d+ images: no faults found\.$/m, ended.stdout + ended.stderr);
  assert.equal(ended.code, 0);
  return ended;
}

function assertFaults(ended: Ended, count?: number): Ended {
  const [, told] = /^Checked \d+ rows and \d+ images: (\d+) faults? found, listed above\.$/m.exec(ended.stdout) ?? [];
  assert.ok(told !== undefined, ended.stdout + ended.stderr);
  if (count !== undefined) assert.equal(Number(told), count, ended.stdout);
  assert.equal(ended.code, 2);
  return ended;
}

function told(fault: string): RegExp {
  return new RegExp(`^The journal ${fault}\\.$`, 'm');
}

function assertNot({ code, stdout, stderr }: Ended, reason: RegExp): void {
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, reason);
}

function pathOf(shop: Shop, file: string): string {
  return join(shop.imagesFolder, file.slice(0, 2), file.slice(2, 4), file);
}

function nameIn({ file }: Image): string {
  return file.split('/').at(-1)!;
}

function flipByte(path: string, offset: number): void {
  const file = openSync(path, 'r+');
  const byte = Buffer.alloc(1);
  readSync(file, byte, 0, 1, offset);
  byte[0]! ^= 0x10;
  writeSync(file, byte, 0, 1, offset);
  closeSync(file);
}

/** Past what the database would enforce. */
async function forceSql(shop: Shop, statement: string): Promise<void> {
  if (shop.database.name === 'sqlite') {
    const database = new DatabaseSync(sqliteFile(shop), { enableForeignKeyConstraints: false, timeout: 5000 });
    database.exec(statement);
    database.close();
  } else await onServer(shop, 'SET session_replication_role = replica', statement);
}

async function onServer(shop: Shop, ...statements: string[]): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: shop.database.url });
  await client.connect();
  let last: Record<string, string> = {};
  for (const statement of statements) [last] = (await client.query(statement)).rows;
  await client.end();
  return last;
}

/** One byte in the head of a table's first page, where it lies on the disk. */
async function damagePage(shop: Shop, table: string): Promise<void> {
  if (shop.database.name === 'sqlite') {
    const database = new DatabaseSync(sqliteFile(shop));
    const select = database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?');
    const { rootpage } = select.get(table) as { rootpage: number };
    database.close();
    flipByte(sqliteFile(shop), (rootpage - 1) * SQLITE_PAGE_BYTES);
  } else {
    const { path } = await onServer(
      shop,
      'CREATE EXTENSION pg_buffercache',
      'CHECKPOINT',
      `SELECT current_setting('data_directory') || '/' || pg_relation_filepath('${table}') AS path`,
    );
    flipByte(path!, POSTGRES_TUPLES_OFFSET);
    await onServer(shop, `SELECT pg_buffercache_evict_relation('${table}')`);
  }
}

const SQLITE_PAGE_BYTES = 4096;
const POSTGRES_TUPLES_OFFSET = 8000;

function sqliteFile(shop: Shop): string {
  return shop.database.url.slice('sqlite:'.length);
}
