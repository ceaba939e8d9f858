/** Rows F6 and F7 of docs/reliability/f-storage.md: `purveyor check` reports damage, and reports no faults in an intact store. */
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
  describe(`check of ${name}`, () => {
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

    test('check reports no faults in an intact store, whether it is being served or not', async () => {
      assertWhole(await shop.run('check'));
      const orphan = pathOf(shop, `${'ab'.repeat(32)}.png`);
      await mkdir(dirname(orphan), { recursive: true });
      await writeFile(orphan, 'of nobody');
      const { stdout } = assertWhole(await shop.run('check'));
      assert.match(stdout, /^1 file without a record; the hourly cleanup removes old ones\.$/m);
      await shop.stop();
      assertWhole(await shop.run('check'));
      await shop.serve();
    });

    test('check names each lost image with its product, and reports no faults after the images are uploaded again', async () => {
      const [flipped, short, gone] = images as [Image, Image, Image];
      const whole = await Promise.all([flipped, short, gone].map(({ file }) => readFile(file)));
      flipByte(flipped.file, 50);
      await truncate(short.file, 40);
      await rm(gone.file);
      const { stdout } = assertFaults(await shop.run('check'), 3);
      const assertReported = (image: Image, fault: string) =>
        assert.match(
          stdout,
          new RegExp(`^The image ${nameIn(image)} of product ${image.id} is lost: ${fault}\\.$`, 'm'),
        );
      assertReported(flipped, 'its content is not what was uploaded');
      assertReported(short, 'its content is not what was uploaded');
      assertReported(gone, 'there is no such file');
      for (const bytes of whole)
        await shop.made('/api/products/5/images', { attachment: bytes.toString('base64'), filename: 'again.png' });
      assertWhole(await shop.run('check'));
    });

    test('check reports differences between the journal and the tables', async () => {
      const product = await shop.made('/api/products', { sku: 'TOLD', name: 'Told' });
      const tag = await shop.made('/api/tags', { name: 'Told' });
      assertWhole(await shop.run('check'));
      await forceSql(shop, `UPDATE product SET version = version + 1 WHERE id = ${product.id}`);
      assert.match(
        assertFaults(await shop.run('check'), 1).stdout,
        faultPattern(`records version 1 of Product ${product.id}, but it has version 2`),
      );
      await forceSql(shop, `UPDATE product SET version = version - 1 WHERE id = ${product.id}`);
      // The tag's entry is the last one, so its position is deleted too and there is no gap.
      await forceSql(shop, `DELETE FROM change WHERE resource = 'Tag' AND record = '${tag.id}'`);
      assert.match(assertFaults(await shop.run('check'), 1).stdout, faultPattern(`has no entry for Tag ${tag.id}`));
      await shop.request('PATCH', `/api/tags/${tag.id}`, { body: { name: 'Told again' } });
      // Assigns a position to the tag's entry before the product's entry is deleted.
      await shop.request('GET', '/api/changes?after=now');
      await forceSql(shop, `DELETE FROM change WHERE resource = 'Product' AND record = '${product.id}'`);
      const { stdout } = assertFaults(await shop.run('check'), 2);
      assert.match(stdout, faultPattern(`has no entry for Product ${product.id}`));
      assert.match(stdout, /^The journal has a gap between the positions \d+ and \d+\. Missing entries: 1\.$/m);
      await forceSql(shop, "UPDATE change SET kind = 'deleted' WHERE resource = 'Tag'");
      assert.match(
        assertFaults(await shop.run('check')).stdout,
        faultPattern(`records Tag ${tag.id} as deleted, but it exists`),
      );
      await forceSql(shop, "UPDATE change SET record = '99' , kind = 'created' WHERE resource = 'Tag'");
      assert.match(assertFaults(await shop.run('check')).stdout, faultPattern('records Tag 99, which does not exist'));
      // A running server would assign it a position.
      await shop.stop();
      await forceSql(
        shop,
        `INSERT INTO change_inbox (resource, record, path, kind, version, fields, key_name, at, mark)
        VALUES ('Tag', '1', '', 'updated', 2, '[]', 'x', 1, 1)`,
      );
      assert.match(assertFaults(await shop.run('check')).stdout, /^Changes not in the journal yet: 1\. /m);
      await shop.serve();
    });

    test('check reports audit entries that were changed, swapped or deleted', async () => {
      const user = await shop.made('/api/users', { email: 'ada@example.com', name: 'Ada', role_ids: [3] });
      const role = await shop.made('/api/roles', { name: 'Audited', scopes: ['tags:read'] });
      const key = await shop.made('/api/keys', { name: 'Audited', kind: 'scoped', scopes: ['tags:read'] });
      const { id } = await shop.made('/api/tags', { name: 'Audited' });
      await shop.request('PATCH', `/api/tags/${id}`, { body: { name: 'Audited again' } });
      const last = (await shop.request('GET', '/api/audit/head')).json as { id: number; hash: string };
      const copy = `${last.id}:${last.hash}`;
      // The journal has the faults of the test before, and the index may have the changed values.
      const audit = async (...more: string[]): Promise<string[]> =>
        (await shop.run('check', ...more)).stdout
          .split('\n')
          .filter((line) => line.includes('audit') && !line.includes('index'));
      assert.deepEqual(await audit('--audit-head', copy), []);
      const wrongHash = (entry: number): string =>
        `The hash of audit entry ${entry} does not match its content and the hash of entry ${entry - 1}.`;

      const grant = async (scopes: string, roles: string): Promise<void> => {
        for (const table of ['api_key', 'staff_role'])
          await forceSql(shop, `UPDATE ${table} SET scopes = '${scopes}' WHERE name = 'Audited'`);
        await forceSql(shop, `UPDATE staff_user SET role_ids = '${roles}' WHERE id = ${user.id}`);
      };
      await grant('["*:*"]', '[1]');
      await forceSql(shop, `UPDATE audit_entry SET changes = replace(changes, 'again', 'agaim') WHERE id = ${last.id}`);
      assert.deepEqual(await audit(), [
        `The changes of audit entry ${last.id} do not match its changes_hash.`,
        `Tag ${id}: the value of name.en differs from that of the last audit entry.`,
        `User ${user.id}: the value of role_ids differs from that of the last audit entry.`,
        `Role ${role.id}: the value of scopes differs from that of the last audit entry.`,
        `Key ${key.id}: the value of scopes differs from that of the last audit entry.`,
      ]);
      await grant('["tags:read"]', '[3]');
      await forceSql(shop, `UPDATE audit_entry SET changes = replace(changes, 'agaim', 'again') WHERE id = ${last.id}`);

      const salt = `(SELECT salt FROM audit_entry WHERE id = ${last.id})`;
      await forceSql(shop, `CREATE TABLE salt_copy AS SELECT ${salt} AS salt`);
      await forceSql(shop, `UPDATE audit_entry SET salt = null WHERE id = ${last.id}`);
      assert.deepEqual(
        await audit(),
        [`The changes of audit entry ${last.id} do not match its changes_hash.`],
        'as if personal values were erased',
      );
      await forceSql(shop, `CREATE TABLE changes_copy AS SELECT changes FROM audit_entry WHERE id = ${last.id}`);
      const erased = `'{"name.en":{"after":{"erased":true},"before":null}}'`;
      await forceSql(shop, `UPDATE audit_entry SET changes = ${erased} WHERE id = ${last.id}`);
      assert.deepEqual(
        await audit(),
        [`The changes of audit entry ${last.id} do not match its changes_hash.`],
        'an erasure does not change names of tags',
      );
      const copied = ['salt', 'changes'].map((column) => `${column} = (SELECT ${column} FROM ${column}_copy)`);
      await forceSql(shop, `UPDATE audit_entry SET ${copied.join()} WHERE id = ${last.id}`);
      for (const column of ['salt', 'changes']) await forceSql(shop, `DROP TABLE ${column}_copy`);

      await forceSql(shop, `UPDATE audit_entry SET actor_id = 'x' WHERE id = ${last.id - 1}`);
      assert.deepEqual(await audit(), [wrongHash(last.id - 1)]);
      const actor = `(SELECT actor_id FROM audit_entry WHERE id = ${last.id})`;
      await forceSql(shop, `UPDATE audit_entry SET actor_id = ${actor} WHERE id = ${last.id - 1}`);

      const swap = [`id = -1 WHERE id = ${last.id}`, `id = ${last.id} WHERE id = ${last.id - 1}`];
      for (const set of [...swap, `id = ${last.id - 1} WHERE id = -1`])
        await forceSql(shop, `UPDATE audit_entry SET ${set}`);
      assert.equal((await audit())[0], wrongHash(last.id - 1));
      for (const set of [...swap, `id = ${last.id - 1} WHERE id = -1`])
        await forceSql(shop, `UPDATE audit_entry SET ${set}`);
      assert.deepEqual(await audit('--audit-head', copy), []);

      await forceSql(shop, `DELETE FROM audit_entry WHERE id = ${last.id}`);
      assert.match(
        (await audit('--audit-head', copy)).join(),
        new RegExp(`^The audit has no entry ${last.id} with the hash `),
      );
      await forceSql(shop, `DELETE FROM audit_entry WHERE id = ${last.id - 2}`);
      assert.equal((await audit())[0], `The audit has a gap between the entries ${last.id - 3} and ${last.id - 1}.`);
    });

    test('check reports rows that refer to a missing record', async () => {
      await forceSql(shop, 'DELETE FROM product WHERE id = 6');
      const { stdout } = assertFaults(await shop.run('check'));
      assert.match(stdout, /^In the table product_text, \d+ of the rows refer to a product that does not exist\.$/m);
    });

    test('check reports a value of the wrong type', async () => {
      const [change, column] = OTHER_FORM[name];
      await forceSql(shop, `UPDATE product SET ${change} WHERE id = 5`);
      const { stdout } = assertFaults(await shop.run('check'));
      assert.match(stdout, new RegExp(`^In the table product, row 5 has no ${column}\\.$`, 'm'));
    });

    test('check reports a schema that lacks a migration', async () => {
      const other = await Shop.make(name);
      await other.run('migrate');
      assertWhole(await other.run('check'));
      const newest = readMigrations().at(-1)!.name;
      await forceSql(other, `DELETE FROM migration WHERE name = '${newest}'`);
      const { stdout } = assertFaults(await other.run('check'), 1);
      assert.ok(stdout.includes(`The schema lacks the migration ${newest}. Run “npx purveyor migrate”.\n`), stdout);
      await other.remove();
    });

    test('check fails with a message if the images or the database are not accessible', async () => {
      const other = await Shop.make(name);
      assertFails(await other.run('check'), /^The image folder \S+ does not exist\. Check IMAGES_URL\.\n$/);
      await mkdir(other.imagesFolder);
      assertFails(await other.run('check'), /^There is no store to check: .*\n$/);
      await other.remove();
      assertFails(await shop.folder.run(['check'], { ...shop.environment, DATABASE_URL: UNREACHABLE[name] }), /.\n$/);
    });

    test('check reports a damaged page, and checks everything else', async () => {
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

/** URLs without a database. */
const UNREACHABLE = { sqlite: 'sqlite:/nowhere/store.db', postgres: 'postgres://127.0.0.1:1/nothing' };

function assertWhole(ended: Ended): Ended {
  assert.match(ended.stdout, /^Checked \d+ rows and \d+ images: no faults found\.$/m, ended.stdout + ended.stderr);
  assert.equal(ended.code, 0);
  return ended;
}

function assertFaults(ended: Ended, count?: number): Ended {
  const [, faultPattern] =
    /^Checked \d+ rows and \d+ images: (\d+) faults? found, listed above\.$/m.exec(ended.stdout) ?? [];
  assert.ok(faultPattern !== undefined, ended.stdout + ended.stderr);
  if (count !== undefined) assert.equal(Number(faultPattern), count, ended.stdout);
  assert.equal(ended.code, 2);
  return ended;
}

function faultPattern(fault: string): RegExp {
  return new RegExp(`^The journal ${fault}\\.$`, 'm');
}

function assertFails({ code, stdout, stderr }: Ended, reason: RegExp): void {
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

/** Runs a statement without the checks of foreign keys. */
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

/** Flips a byte in the header of a table's first page on disk. */
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
