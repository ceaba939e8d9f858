/** Scenarios specific to SQLite: locks between processes, and failing files. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { describe } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { openSqlite } from '../../src/adapters/sqlite/database.ts';
import { sqliteDialect } from '../../src/adapters/sqlite/dialect.ts';
import { DatabaseUnavailable, type Migration, SearchGivenUp } from '../../src/engine/ports.ts';
import { column, create, placeholder, run, runQuery, scenario, search } from '../support/database-scenario.ts';
import type { FreshDatabase } from '../support/databases.ts';

describe('the SQLite adapter', () => {
  scenario('sqlite', 'waits for the lock of another process without blocking the event loop', async (scene) => {
    const { database, fresh } = scene;
    await database.migrate([things]);
    const holder = await holdLock(fresh);
    let turns = 0;
    const ticking = setInterval(() => {
      turns += 1;
    }, 10);
    const insert = run(database, insertThing);
    assert.deepEqual(await runQuery(database, countThings), [[0]], 'readers do not wait');
    while (turns <= 20) await sleep(10);
    clearInterval(ticking);
    holder.commit();
    await insert;
    await holder.exit;
    assert.deepEqual(await runQuery(database, countThings), [[2]], 'both processes have written');
  });

  scenario('sqlite', 'is unavailable for all waiting writes if a lock is held too long', async (scene) => {
    const { database, fresh } = scene;
    await database.migrate([things]);
    const holder = await holdLock(fresh);
    const started = performance.now();
    const waiting = await Promise.allSettled([1, 2, 3].map(() => run(database, insertThing)));
    for (const outcome of waiting) {
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof DatabaseUnavailable);
    }
    assert.ok(performance.now() - started < 10_000);

    holder.process.kill('SIGKILL');
    await holder.exit;
    await run(database, insertThing);
    assert.deepEqual(await runQuery(database, countThings), [[1]], 'the killed process has written no row');
  });

  scenario('sqlite', 'is migrated once by many concurrent processes', async ({ fresh }) => {
    const program = `
      import { openSqlite } from '${import.meta.resolve('../../src/adapters/sqlite/database.ts')}';
      const database = await openSqlite(process.argv[1]);
      console.log((await database.migrate(${JSON.stringify([things])})).length);
      await database.close();`;
    const start = () => execute(process.execPath, ['--input-type=module', '-e', program, file(fresh)]);
    const outputs = await Promise.all(Array.from({ length: 6 }, start));
    assert.deepEqual(outputs.map(({ stdout }) => stdout.trim()).sort(), ['0', '0', '0', '0', '0', '1']);
  });

  scenario('sqlite', 'preserves its data on a full disk and writes again after space is freed', async (scene) => {
    const { database } = scene;
    await database.migrate([things]);
    await run(database, insertThing);
    await run(database, sql`pragma max_page_count = 1`);
    const large = sql`insert into thing (text) values (${'x'.repeat(100_000)})`;
    await assert.rejects(run(database, large), DatabaseUnavailable);
    assert.deepEqual(await runQuery(database, countThings), [[1]]);
    await run(database, sql`pragma max_page_count = 1000000`);
    await run(database, large);
    assert.deepEqual(await runQuery(database, countThings), [[2]]);
  });

  scenario('sqlite', 'rejects a file that is not a database', async ({ database, fresh }) => {
    await database.migrate([things]);
    const copy = { ...fresh, url: `${fresh.url}.txt` };
    await writeFile(file(copy), 'a shopping list, which does not begin like a database file. '.repeat(100));
    await assert.rejects(openSqlite(file(copy)), DatabaseUnavailable);
  });

  for (const suffix of ['', '-wal'])
    scenario('sqlite', `rejects writes but serves reads after store.db${suffix} was replaced`, async (scene) => {
      const { database, fresh } = scene;
      await database.migrate([things]);
      await run(database, insertThing);
      await rename(file(fresh) + suffix, `${file(fresh)}.away`);
      await writeFile(file(fresh) + suffix, '');
      await assert.rejects(run(database, insertThing), DatabaseUnavailable);
      assert.match((await database.broken).message, /store\.db\S* was deleted or replaced while it was open/);
      await assert.rejects(run(database, insertThing), /accepts no more writes/);
      assert.equal((await runQuery(database, countThings)).length, 1);
    });

  scenario('sqlite', 'rejects writes after reading a damaged page', async ({ fresh }) => {
    const path = `${file(fresh)}.damaged`;
    const whole = await openSqlite(path);
    await whole.migrate([things]);
    for (let count = 0; count < 20; count += 1)
      await run(whole, sql`insert into thing (text) values (${'x'.repeat(3000)})`);
    await whole.close();
    const bytes = await readFile(path);
    await writeFile(path, bytes.fill(0xff, PAGE_BYTES * 5, PAGE_BYTES * 12));
    const damaged = await openSqlite(path);
    await assert.rejects(runQuery(damaged, sql`select sum(length(text)) from thing`), DatabaseUnavailable);
    assert.match((await damaged.broken).message, /malformed/);
    await assert.rejects(run(damaged, insertThing), /accepts no more writes/);
  });

  scenario('sqlite', 'checkpoints the log of a killed process', async ({ database, fresh, open }) => {
    await database.migrate([things]);
    const child = spawn(process.execPath, ['--input-type=module', '-e', WRITE_AND_DIE, file(fresh)]);
    await once(child, 'exit');
    await assert.rejects(inFileAlone(fresh, countThings), /no such table/, 'all data is in the log');
    const next = await open();
    assert.deepEqual(await inFileAlone(fresh, countThings), [[1]]);
    assert.deepEqual(await runQuery(next, countThings), [[1]]);
  });

  scenario('sqlite', 'runs searches that were slow before in a worker', async ({ database }) => {
    await database.migrate([things]);
    await run(database, insertThing);
    const slow = (rows: number) => search(database, slowSearch(rows));
    assert.deepEqual(await slow(SLOW_ROWS), [[SLOW_ROWS, 1]]);
    let turns = 0;
    const ticking = setInterval(() => {
      turns += 1;
    });
    const searching = slow(SLOW_ROWS);
    assert.deepEqual(
      await search(database, countThings),
      [[1]],
      'waits in the queue of the worker, since it is not known to be fast',
    );
    assert.deepEqual(await searching, [[SLOW_ROWS, 1]]);
    clearInterval(ticking);
    assert.ok(turns > 0, 'the event loop was blocked');

    await run(database, insertThing);
    assert.deepEqual(await slow(SLOW_ROWS), [[SLOW_ROWS, 2]], 'sees later commits');
    const wrong = sql`select json('{') from thing`;
    const local = await runQuery(database, wrong).catch((error) => error);
    await assert.rejects(search(database, wrong), { message: local.message, errcode: local.errcode });
  });

  scenario('sqlite', 'aborts a search that takes too long, then continues with others', async ({ database, fresh }) => {
    await database.migrate([things]);
    const hasty = await openSqlite(file(fresh), { searchSecondsMax: 1 });
    await search(hasty, slowSearch(SLOW_ROWS));
    const [endless, other] = await Promise.allSettled([search(hasty, ENDLESS), search(hasty, countThings)]);
    assert.ok(endless.status === 'rejected' && endless.reason instanceof SearchGivenUp);
    assert.deepEqual(other, { status: 'fulfilled', value: [[0]] });
    const order: string[] = [];
    const scanning = hasty.scan(hasty.dialect.compile(countThings), {}).then(() => order.push('scan'));
    for (const one of [search(hasty, countThings), search(hasty, countThings)])
      void one.then(() => order.push('search'));
    await scanning;
    assert.deepEqual(order, ['search', 'search', 'scan'], 'searches do not wait for a scan');
    const searching = search(hasty, ENDLESS).catch((error) => error);
    await hasty.close();
    assert.ok((await searching) instanceof DatabaseUnavailable, 'closing does not wait for a search');
  });

  scenario('sqlite', 'runs a search in a worker if it is slow for some words only', async (scene) => {
    const { database, fresh } = scene;
    await database.migrate([things]);
    const hasty = await openSqlite(file(fresh), { searchSecondsMax: 1 });
    const counting = sql`with recursive numbers (number) as
      (select 1 union all select number + 1 from numbers where number < ${placeholder(hasty, 'max', 'integer')})
      select count(*) from numbers`;
    const count = (max: number) => search(hasty, counting, { max });
    await count(SLOW_ROWS);
    for (let rare = 0; rare < 9; rare += 1) assert.deepEqual(await count(rare + 1), [[rare + 1]]);
    // In the main process it could not be aborted.
    await assert.rejects(count(100_000_000), SearchGivenUp);
    await hasty.close();
  });

  scenario('sqlite', 'checkpoints its log while it runs', async ({ database, fresh }) => {
    await database.migrate([things]);
    const generationOfOthers = database.generationOfOthers();
    for (let count = 0; count < 300; count += 1) await run(database, insertThing);
    assert.equal(database.generationOfOthers(), generationOfOthers, 'cached responses remain valid');
    const [[folded]] = (await inFileAlone(fresh, countThings)) as [[number]];
    assert.ok(folded >= 200, `${folded} of 300 are in the file`);
    const { size } = await stat(`${file(fresh)}-wal`);
    assert.ok(size < 200 * 3 * PAGE_BYTES, `the log has ${size} bytes, but restarts after each checkpoint`);
  });

  scenario('sqlite', 'does not checkpoint after transactions without changes', async ({ database }) => {
    await database.migrate([things]);
    await run(database, insertThing);
    const generation = database.generation();
    for (let count = 0; count < 300; count += 1) await run(database, countThings);
    assert.equal(database.generation(), generation, 'cached responses remain valid');
  });

  scenario('sqlite', 'warns about log growth only if another program causes it', async ({ database, fresh }) => {
    await database.migrate([things]);
    const large = sql`insert into thing (text) values (hex(zeroblob(400000)))`;
    const growing = async () => {
      for (let count = 0; count < 100; count += 1) await run(database, large);
      return Promise.race([database.warning, 'no warning']);
    };
    assert.equal(await growing(), 'no warning');
    const reader = new DatabaseSync(file(fresh), { readOnly: true });
    reader.exec('BEGIN; SELECT count(*) FROM thing');
    assert.match(await growing(), /larger than 64 MiB because another program/);
    reader.close();
  });

  scenario('sqlite', 'applies its settings to readers and the writer', async ({ database }) => {
    const settings = ['journal_mode', 'synchronous', 'foreign_keys', 'trusted_schema', 'cell_size_check'];
    for (const through of [runQuery, run]) {
      const values = [];
      for (const setting of settings) values.push((await through(database, sql.raw(`pragma ${setting}`))).flat());
      assert.deepEqual(values.flat(), ['wal', 2, 1, 0, 1]);
    }
    await assert.rejects(runQuery(database, sql`create table thing (id integer)`), DatabaseUnavailable);
  });
});

const things: Migration = {
  name: '0001-things',
  steps: [create('thing', [column('id', 'integer'), column('text', 'text')])],
};
const insertThing = sql`insert into thing (text) values ('x')`;
const countThings = sql`select count(*) from thing`;

/** Slow on any machine. */
const SLOW_ROWS = 1_000_000;

const slowSearch = (rows: number) => sql`
  with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < ${rows})
  select count(*), (select count(*) from thing) from numbers`;

const ENDLESS = sql`
  with recursive numbers (number) as (select 1 union all select number + 1 from numbers)
  select count(*) from numbers`;

const PAGE_BYTES = 4096;

/** A process that is killed right after its commit. */
const WRITE_AND_DIE = `
  import { DatabaseSync } from 'node:sqlite';
  new DatabaseSync(process.argv[1]).exec("INSERT INTO thing (text) VALUES ('z')");
  process.kill(process.pid, 'SIGKILL');`;

/** Reads the database file without its log. */
async function inFileAlone(fresh: FreshDatabase, query: typeof countThings): Promise<unknown[][]> {
  const copy = `${file(fresh)}.copy`;
  await copyFile(file(fresh), copy);
  const database = new DatabaseSync(copy);
  const rows = database.prepare(sqliteDialect.compile(query).sql);
  rows.setReturnArrays(true);
  const found = rows.all() as unknown as unknown[][];
  database.close();
  await rm(copy);
  return found;
}

const execute = promisify(execFile);

function file(fresh: FreshDatabase): string {
  return fresh.url.slice('sqlite:'.length);
}

interface Holder {
  readonly process: ChildProcess;
  /** Registered at the start, because the process may exit before it is awaited. */
  readonly exit: Promise<unknown>;
  commit(): void;
}

/** Starts another process that writes, and holds the lock until `commit`. */
async function holdLock(fresh: FreshDatabase): Promise<Holder> {
  const program = `
    const database = new (require('node:sqlite').DatabaseSync)(process.argv[1]);
    database.exec("BEGIN IMMEDIATE; INSERT INTO thing (text) VALUES ('y')");
    console.log('held');
    process.stdin.once('data', () => database.exec('COMMIT'));`;
  const child = spawn(process.execPath, ['-e', program, file(fresh)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  await once(child.stdout, 'data');
  return { process: child, exit, commit: () => child.stdin.end('commit') };
}
