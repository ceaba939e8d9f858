/** Sample stores of earlier versions (`test/data/stores`), and a migration that is killed between two steps. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { replay } from '../../src/engine/model/migrations.ts';
import type { Database } from '../../src/engine/ports.ts';
import { readRows } from '../../src/engine/sql/table-rows.ts';
import { readMigrations } from '../../src/wiring/open.ts';
import { Shop } from './shop.ts';

const STORES = fileURLToPath(new URL('../data/stores/', import.meta.url));

/** Names of the sample stores: their last migration, and optionally a peculiarity, as in `0003-orders-with-twins`. */
export const oldStores = async (): Promise<string[]> => (await readdir(STORES)).sort();

/** The responses of the version that wrote the store, by path and optionally language. */
export async function oldResponses(name: string): Promise<[string, unknown][]> {
  return Object.entries(JSON.parse(await readFile(`${STORES}${name}/answers.json`, 'utf8')));
}

/** Unpacks the files of a sample store into a shop that was not opened yet. */
export async function unpackOldStore(name: string, settings: Record<string, string> = {}): Promise<Shop> {
  const shop = await Shop.make('sqlite', settings);
  const file = shop.database.url.slice('sqlite:'.length);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, gunzipSync(await readFile(`${STORES}${name}/store.db.gz`)));
  await cp(`${STORES}${name}/images`, shop.imagesFolder, { recursive: true });
  return shop;
}

/** The applied migrations, and a hash of all rows of all tables that they create. */
export async function contentOf(database: Database): Promise<{ migrations: readonly string[]; hash: string }> {
  return database.storeSnapshot(async ({ migrations, run }) => {
    const hash = createHash('sha256');
    const { tables } = replay(readMigrations().filter(({ name }) => migrations.includes(name)));
    for (const table of tables)
      for await (const row of readRows(database.dialect, table, run))
        hash.update(`${table.name} ${JSON.stringify(row)}\n`);
    return { migrations, hash: hash.digest('hex') };
  });
}

/**
 * Migrates to the newest schema in a process that kills itself with SIGKILL after `stepsDone` steps.
 * @returns whether the process was killed; false if there are fewer steps
 */
export async function migrateAndDie(url: string, stepsDone: number): Promise<boolean> {
  const program = `
    import { openDatabase, readMigrations } from '${import.meta.resolve('../../src/wiring/open.ts')}';
    let left = ${stepsDone};
    const dieBetween = function* (steps) {
      for (const step of steps) {
        if (left-- === 0) process.kill(process.pid, 'SIGKILL');
        yield step;
      }
      if (left === 0) process.kill(process.pid, 'SIGKILL');
    };
    const database = await openDatabase({ databaseUrl: ${JSON.stringify(url)}, databaseSchema: '' });
    await database.migrate(readMigrations().map(({ name, steps }) => ({ name, steps: { [Symbol.iterator]: () => dieBetween(steps) } })));
    await database.close();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code, signal] = await once(child, 'exit');
  if (signal !== 'SIGKILL' && code !== 0) throw new Error(`The migration exited with code ${code}.`);
  return signal === 'SIGKILL';
}

/** The schema from the database's own catalog, for comparison. */
export async function schemaIn(database: Database): Promise<unknown> {
  const statement =
    database.dialect.name === 'sqlite'
      ? "select name, sql from sqlite_schema where name not like 'sqlite_%' order by name"
      : `select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
          where table_schema = 'public' order by 1, 2
          `;
  return database.query({ sql: statement, placeholders: [] }, {});
}
