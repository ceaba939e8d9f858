/** Scenarios specific to PostgreSQL: lost connections, and servers with unsuitable settings. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { describe } from 'node:test';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { POOL_SETTINGS } from '../../src/adapters/postgres/connection.ts';
import { openPostgres } from '../../src/adapters/postgres/database.ts';
import {
  BindParam,
  type Database,
  DatabaseUnavailable,
  type Migration,
  SearchGivenUp,
} from '../../src/engine/ports.ts';
import { column, create, run, runQuery, scenario, search } from '../support/database-scenario.ts';

describe('the PostgreSQL adapter', () => {
  scenario('postgres', 'reconnects after its idle connections are closed', async ({ database, open }) => {
    await Promise.all([1, 2, 3].map(() => runQuery(database, sql`select pg_sleep(0.05)`)));
    const other = await open();
    await endConnections(other);
    const left = sql`select count(*) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;
    while (Number((await runQuery(other, left))[0]![0]) > 0) await sleep(10);
    // Wait until the client has read the closing messages.
    await sleep(50);
    await nextTurn();
    assert.deepEqual(await runQuery(database, sql`select 1`), [[1]]);
  });

  scenario('postgres', 'is unavailable if a connection is lost during a transaction', async ({ database, open }) => {
    await database.migrate([things]);
    const other = await open();
    const idle = database.transaction(async (transaction) => {
      await transaction.run(database.dialect.compile(insertThing), {});
      await endConnections(other);
      await sleep(50);
      await transaction.run(database.dialect.compile(insertThing), {});
    });
    await assert.rejects(idle, DatabaseUnavailable);

    const busy = run(database, sql`select pg_sleep(5)`);
    const sleeping = sql`select count(*) from pg_stat_activity
      where datname = current_database() and state = 'active' and query like 'select pg_sleep%'`;
    while (Number((await runQuery(other, sleeping))[0]![0]) === 0) await sleep(10);
    await Promise.all([endConnections(other), assert.rejects(busy, DatabaseUnavailable)]);

    assert.deepEqual(await runQuery(database, countThings), [[0]]);
    await run(database, insertThing);
    assert.deepEqual(await runQuery(database, countThings), [[1]]);
  });

  scenario(
    'postgres',
    'maintains text indexes if its tables are not on the search_path, as in pg_restore',
    async (scene) => {
      const { database } = scene;
      const index = { name: 'thing_texts', table: 'thing', columns: ['text'], record: 'id' };
      const notes = create('thing', [column('id', 'integer'), column('text', 'text')]);
      await database.migrate([{ name: '0001-texts', steps: [notes, { step: 'create text index', index }] }]);
      await run(database, sql`insert into thing values (1, 'tea')`);
      const client = new pg.Client({ connectionString: scene.fresh.url });
      await client.connect();
      try {
        await client.query(
          "set search_path = ''; insert into public.thing values (2, 'team'); reindex table public.thing",
        );
      } finally {
        await client.end();
      }
      const query = database.dialect.havingTrigrams(index, new BindParam('trigrams', 'json', true));
      assert.deepEqual(await runQuery(database, query, { trigrams: [['tea']] }), [[1], [2]]);
    },
  );

  for (const [time, committed] of [
    ['before', 0],
    ['after', 1],
  ] as const) {
    scenario('postgres', `reports an unknown result if the connection breaks ${time} the commit`, async (scene) => {
      const { database, fresh } = scene;
      await database.migrate([things]);
      const proxy = await cutAtCommit(fresh.url, time);
      const through = await openPostgres(proxy.url);
      await assert.rejects(
        run(through, insertThing),
        (error) => error instanceof DatabaseUnavailable && /result is unknown/.test(error.message),
      );
      await through.close();
      proxy.close();
      assert.deepEqual(await runQuery(database, countThings), [[committed]], 'the work did not run again');
    });
  }

  scenario('postgres', 'serves reads while writes wait, and limits their wait', async ({ database }) => {
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const occupied = Array.from({ length: POOL_SETTINGS.max! }, () => database.transaction(() => finished));
    const rejected = assert.rejects(
      database.transaction(async () => {}),
      DatabaseUnavailable,
    );
    assert.deepEqual(await runQuery(database, sql`select 1`), [[1]]);
    await rejected;
    finish();
    await Promise.all(occupied);
    await database.transaction(async () => {});
  });

  scenario('postgres', 'is unavailable if a lock is not acquired in time', async ({ database }) => {
    const waiting = database.transaction(async (transaction) => {
      await transaction.lock('the lock');
      await database.transaction(async (inner) => {
        await inner.run(database.dialect.compile(sql`set local lock_timeout = '50ms'`), {});
        await inner.lock('the lock');
      });
    });
    await assert.rejects(waiting, DatabaseUnavailable);
  });

  scenario('postgres', 'is unavailable after repeated conflicts', async ({ database }) => {
    let attempts = 0;
    const hopeless = database.transaction(async (transaction) => {
      attempts += 1;
      const conflict = sql`do 'begin raise exception using errcode = 40001; end'`;
      await transaction.run(database.dialect.compile(conflict), {});
    });
    await assert.rejects(hopeless, DatabaseUnavailable);
    assert.equal(attempts, 4);
  });

  scenario('postgres', 'is unavailable without a server', async ({ fresh }) => {
    const nowhere = new URL(fresh.url);
    nowhere.port = '1';
    await assert.rejects(openPostgres(nowhere.href), DatabaseUnavailable);
  });

  scenario('postgres', 'reports invalid constraints and disabled triggers', async ({ database }) => {
    await run(database, sql`create table thing (id bigint primary key, next bigint references thing)`);
    await run(database, sql`insert into thing (id) values (1)`);
    assert.deepEqual(await database.faults(), []);
    await run(database, sql`alter table thing add constraint odd check (id > 1) not valid`);
    await run(database, sql`alter table thing disable trigger all`);
    await run(database, sql`insert into thing (id, next) values (2, 7), (3, 8), (4, 4)`);
    assert.deepEqual(await database.faults(), [
      'In the table thing, the constraint odd does not hold for all rows.',
      'In the table thing, references are not enforced: triggers are off.',
      'In the table thing, 2 of the rows refer to a thing that does not exist.',
    ]);
  });

  scenario('postgres', 'rejects a server with asynchronous commits', async ({ database, fresh }) => {
    await run(database, sql.raw(`alter database ${new URL(fresh.url).pathname.slice(1)} set synchronous_commit = off`));
    await assert.rejects(fresh.open(), /synchronous_commit = off/);
  });

  scenario('postgres', 'rejects a database whose encoding is not UTF-8', async ({ database, fresh }) => {
    const ascii = new URL(fresh.url);
    ascii.pathname += '_ascii';
    const options = `encoding 'SQL_ASCII' locale_provider libc locale 'C' template template0`;
    await runQuery(database, sql.raw(`create database ${ascii.pathname.slice(1)} ${options}`));
    await assert.rejects(openPostgres(ascii.href), /encoding SQL_ASCII/);
    await runQuery(database, sql.raw(`drop database ${ascii.pathname.slice(1)}`));
  });

  scenario('postgres', 'sets timeouts, and turns the compiler of statements off', async ({ database }) => {
    assert.deepEqual(await runQuery(database, sql`show jit`), [['off']]);
    for (const setting of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']) {
      assert.notDeepEqual(await runQuery(database, sql.raw(`show ${setting}`)), [['0']]);
    }
  });

  scenario('postgres', 'closes without waiting for a scan', async ({ database, fresh }) => {
    const leaving = await openPostgres(fresh.url);
    const scanning = leaving.scan(database.dialect.compile(sql`select pg_sleep(3600)`), {}).catch((error) => error);
    const active = sql`select 1 from pg_stat_activity
      where datname = current_database() and state = 'active' and query like 'select pg_sleep%'`;
    while ((await runQuery(database, active)).length === 0);
    await leaving.close();
    assert.equal((await scanning).name, 'DatabaseUnavailable');
    await runQuery(
      database,
      sql`select pg_terminate_backend(pid) from pg_stat_activity where query like 'select pg_sleep%'`,
    );
  });

  scenario('postgres', 'distinguishes an aborted search from an unresponsive server', async ({ database, open }) => {
    const searching = search(database, sql`select pg_sleep(3600)`).catch((error) => error);
    const other = await open();
    const cancel = sql`select count(pg_cancel_backend(pid)) from pg_stat_activity
      where datname = current_database() and state = 'active' and query like 'select pg_sleep%'`;
    // The search may not have started yet.
    while (Number((await runQuery(other, cancel))[0]![0]) === 0);
    assert.ok((await searching) instanceof SearchGivenUp);
    await assert.rejects(search(database, sql`select pg_terminate_backend(pg_backend_pid())`), {
      name: 'DatabaseUnavailable',
    });
  });
});

const things: Migration = { name: '0001-things', steps: [create('thing', [column('text', 'text')])] };
const insertThing = sql`insert into thing (text) values (gen_random_uuid()::text)`;
const countThings = sql`select count(*) from thing`;

/** Closes all other connections to the same database. */
async function endConnections(through: Database): Promise<void> {
  await runQuery(
    through,
    sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
  );
}

/** Starts a proxy that closes the connection on COMMIT, before forwarding it or before returning the response. */
async function cutAtCommit(url: string, time: 'before' | 'after'): Promise<{ url: string; close(): void }> {
  const target = new URL(url);
  const proxy = createServer((client) => {
    const server = connect(Number(target.port), target.hostname);
    let cut = false;
    client.on('data', (bytes) => {
      cut ||= bytes.includes('COMMIT\0');
      if (cut && time === 'before') client.destroy();
      else server.write(bytes);
    });
    server.on('data', (bytes) => {
      if (cut) client.destroy();
      else client.write(bytes);
    });
    client.on('close', () => server.destroy()).on('error', () => {});
    server.on('close', () => client.destroy()).on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = new URL(url);
  address.port = String((proxy.address() as AddressInfo).port);
  return { url: address.href, close: () => proxy.close() };
}
