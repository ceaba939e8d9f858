/** Group commit of SQLite: waiting transactions share a commit. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, type TestContext } from 'node:test';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import {
  type Database,
  DatabaseUnavailable,
  type Migration,
  type Row,
  type Transaction,
} from '../../src/engine/ports.ts';
import { column, create, run, runQuery, scenario } from '../support/database-scenario.ts';
import type { FreshDatabase } from '../support/databases.ts';

describe('a shared commit of SQLite', () => {
  scenario('sqlite', 'combines transactions that wait at the same time', async ({ database, fresh, context }) => {
    await database.migrate([things]);
    holdClock(context);
    const before = commitsIn(fresh);
    await Promise.all([1, 2, 3, 4, 5].map((id) => run(database, insert(id))));
    assert.equal(commitsIn(fresh) - before, 1);
    assert.deepEqual(await idsIn(database), [1, 2, 3, 4, 5]);
  });

  scenario('sqlite', 'is durable before success or failure is reported', async ({ database, open, context }) => {
    await database.migrate([things]);
    holdClock(context);
    const other = await open();
    const reported: unknown[] = [];
    const report = (name: string) => async (): Promise<void> => {
      const seen = other.query(other.dialect.compile(ids), {});
      reported.push([name, (await seen).flat()]);
    };
    await Promise.all([
      run(database, insert(1)).then(report('success')),
      failing(database, insert(2)).catch(report('failure')),
      run(database, insert(3)).then(report('another success')),
    ]);
    assert.deepEqual(reported, [
      ['success', [1, 3]],
      ['failure', [1, 3]],
      ['another success', [1, 3]],
    ]);
  });

  scenario(
    'sqlite',
    'shows each transaction the earlier ones and rolls back only failed ones',
    async ({ database, fresh, context }) => {
      await database.migrate([things]);
      holdClock(context);
      const before = commitsIn(fresh);
      const seeing = (id: number): Promise<unknown[]> =>
        database.transaction(async (transaction) => {
          const seen = (await through(database, transaction, ids)).flat();
          await through(database, transaction, insert(id));
          return seen;
        });
      const outcomes = await Promise.allSettled([
        seeing(1),
        failing(database, insert(2)),
        seeing(3),
        // Its second statement fails: SQLite rolls back the statement, and the adapter the whole transaction.
        database.transaction(async (transaction) => {
          await through(database, transaction, insert(4));
          await through(database, transaction, insert(3));
        }),
        seeing(5),
      ]);
      assert.deepEqual(
        outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : (outcome.reason as Error).message)),
        [[], 'refused', [1], 'UNIQUE constraint failed: thing.id', [1, 3]],
      );
      assert.deepEqual(await idsIn(database), [1, 3, 5]);
      assert.equal(commitsIn(fresh) - before, 1);
    },
  );

  scenario('sqlite', 'fails all transactions if it fails, and the next one succeeds', async ({ database, context }) => {
    await database.migrate([things, parts]);
    holdClock(context);
    const lost = database.transaction(async (transaction) => {
      // The reference is checked by the commit.
      await through(database, transaction, sql`pragma defer_foreign_keys = on`);
      await through(database, transaction, sql`insert into part (id, thing) values (1, 99)`);
    });
    const outcomes = await Promise.allSettled([
      run(database, insert(1)),
      failing(database, insert(2)),
      lost,
      run(database, insert(3)),
    ]);
    for (const outcome of outcomes)
      assert.match(String(outcome.status === 'rejected' && outcome.reason), /FOREIGN KEY constraint failed/);
    assert.deepEqual(await idsIn(database), []);
    await run(database, insert(4));
    assert.deepEqual(await idsIn(database), [4]);
  });

  scenario('sqlite', 'fails the affected transactions if SQLite rolls it back', async ({ database, context }) => {
    await database.migrate([things]);
    holdClock(context);
    await run(database, sql`pragma max_page_count = 1`);
    const large = sql`insert into thing (id, text) values (2, ${'x'.repeat(100_000)})`;
    const outcomes = await Promise.allSettled([
      run(database, insert(1)),
      run(database, large),
      run(database, insert(3)),
      run(database, insert(4)),
    ]);
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status === 'fulfilled' || (outcome.reason as Error).message),
      [
        'The database rolled this back together with another transaction that failed.',
        'The database file cannot be used at present: database or disk is full.',
        true,
        true,
      ],
    );
    for (const outcome of outcomes.slice(0, 2))
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof DatabaseUnavailable);
    assert.deepEqual(await idsIn(database), [3, 4]);
  });

  scenario('sqlite', 'does not wait for work that awaits something else', async ({ database, context }) => {
    await database.migrate([things]);
    holdClock(context);
    const gate = Promise.withResolvers<void>();
    let runs = 0;
    const quick = run(database, insert(1));
    const slow = database.transaction(async (transaction) => {
      runs += 1;
      const seen = (await through(database, transaction, ids)).flat();
      await through(database, transaction, insert(2));
      await gate.promise;
      await through(database, transaction, insert(20));
      return seen;
    });
    const last = run(database, insert(3));
    try {
      await Promise.race([quick, sleep(LONG_MS, undefined, { ref: false })]);
      assert.deepEqual(await idsIn(database), [1], 'no row of the slow one is committed');
    } finally {
      gate.resolve();
    }
    assert.deepEqual(await slow, [1]);
    await last;
    assert.equal(runs, 2, 'it was rolled back and ran again');
    assert.deepEqual(await idsIn(database), [1, 2, 3, 20]);
  });

  scenario(
    'sqlite',
    'reports the failure of rolled back work only if it fails again',
    async ({ database, context }) => {
      await database.migrate([things]);
      holdClock(context);
      const failingAtFirst = (failures: number): Promise<unknown> => {
        let left = failures;
        return database.transaction(async (transaction) => {
          await sleep(2 * LONGER_THAN_IT_TAKES_MS);
          left -= 1;
          if (left >= 0) throw new Error('refused');
          return through(database, transaction, insert(2));
        });
      };
      const outcomes = await Promise.allSettled([run(database, insert(1)), failingAtFirst(1), failingAtFirst(2)]);
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ['fulfilled', 'fulfilled', 'rejected'],
      );
      assert.deepEqual(await idsIn(database), [1, 2]);
    },
  );

  scenario('sqlite', 'does not include a migration', async ({ database, fresh, context }) => {
    await database.migrate([things]);
    holdClock(context);
    const before = commitsIn(fresh);
    const earlier = [1, 2].map((id) => run(database, insert(id)));
    const migrated = database.migrate([things, parts]);
    await Promise.all([...earlier, migrated, ...[3, 4].map((id) => run(database, insert(id)))]);
    assert.equal(commitsIn(fresh) - before, 3);
  });

  scenario('sqlite', 'ends after a limit to let the event loop run', async ({ database, fresh }) => {
    await database.migrate([things]);
    const before = commitsIn(fresh);
    const many = Promise.all(Array.from({ length: MORE_THAN_IT_TAKES }, (_, id) => run(database, insert(id))));
    await many;
    assert.ok(commitsIn(fresh) - before > 1, 'more than one commit for many transactions');

    const events: string[] = [];
    const takingLong = (id: number): Promise<unknown> =>
      database.transaction((transaction) => {
        const until = performance.now() + LONGER_THAN_IT_TAKES_MS;
        while (performance.now() < until);
        return through(database, transaction, insert(1000 + id));
      });
    const all = Promise.all([1, 2, 3].map(async (id) => takingLong(id).then(() => events.push(`commit ${id}`))));
    let isOver = false;
    const turning = (async () => {
      for (; !isOver; await nextTurn()) if (events.at(-1) !== 'turn') events.push('turn');
    })();
    await all;
    isOver = true;
    await turning;
    assert.deepEqual(events.filter((event, index) => index > 0 || event !== 'turn').slice(0, 5), [
      'commit 1',
      'turn',
      'commit 2',
      'turn',
      'commit 3',
    ]);
  });

  scenario('sqlite', 'lets the event loop run between long transactions', async ({ database }) => {
    await database.migrate([things]);
    const ended: number[] = [];
    let turns = 0;
    const all = [1, 2, 3].map((id) =>
      database.transaction(async (transaction) => {
        const until = performance.now() + LONGER_THAN_UNBROKEN_MS;
        while (performance.now() < until);
        ended.push(turns);
        return through(database, transaction, insert(id));
      }),
    );
    let isOver = false;
    const turning = (async () => {
      for (; !isOver; await nextTurn()) turns += 1;
    })();
    await Promise.all(all);
    isOver = true;
    await turning;
    assert.ok(ended[0]! < ended[1]! && ended[1]! < ended[2]!, String(ended));
  });

  scenario('sqlite', 'does not change the generation if no transaction succeeds', async ({ database }) => {
    await database.migrate([things]);
    const generation = database.generation();
    const outcomes = await Promise.allSettled([1, 2, 3].map((id) => failing(database, insert(id))));
    assert.ok(outcomes.every(({ status }) => status === 'rejected'));
    assert.equal(database.generation(), generation, 'cached responses remain valid');
  });

  scenario('sqlite', 'releases the lock to another process under continuous load', async (scene) => {
    const { database, fresh } = scene;
    await database.migrate([things]);
    let id = 1000;
    let isOver = false;
    const writers = Array.from({ length: 32 }, async () => {
      while (!isOver) await run(database, insert(id++));
    });
    const child = fork(new URL('../support/other-writer.ts', import.meta.url), [fileOf(fresh), String(OTHERS)]);
    const [code] = await once(child, 'exit').finally(() => {
      isOver = true;
    });
    await Promise.all(writers);
    assert.equal(code, 0, 'none of its transactions was rejected');
    assert.deepEqual((await idsIn(database)).slice(0, OTHERS), [...Array(OTHERS).keys()]);
  });
});

const things: Migration = {
  name: '0001-things',
  steps: [create('thing', [column('id', 'integer'), column('text', 'text')])],
};
const parts: Migration = {
  name: '0002-parts',
  steps: [
    create('part', [
      column('id', 'integer'),
      { ...column('thing', 'integer'), references: { table: 'thing', onDelete: 'no action' } },
    ]),
  ],
};
const insert = (id: number) => sql`insert into thing (id) values (${id})`;
const ids = sql`select id from thing order by id`;

const MORE_THAN_IT_TAKES = 65;
const LONGER_THAN_IT_TAKES_MS = 35;
const LONGER_THAN_UNBROKEN_MS = 9;
const OTHERS = 20;

/** A test that waits longer fails. */
const LONG_MS = 10_000;

/** Freezes the clock during the test, so that a pause of the machine does not end a shared commit. */
function holdClock({ mock }: TestContext): void {
  const now = performance.now();
  mock.method(performance, 'now', () => now);
}

async function idsIn(database: Database): Promise<unknown[]> {
  return (await runQuery(database, ids)).flat();
}

function through(database: Database, transaction: Transaction, query: RawBuilder<unknown>): Promise<Row[]> {
  return transaction.run(database.dialect.compile(query), {});
}

/** A transaction that writes, then fails. */
function failing(database: Database, query: RawBuilder<unknown>): Promise<unknown> {
  return database.transaction(async (transaction) => {
    await through(database, transaction, query);
    throw new Error('refused');
  });
}

/**
 * Number of commits in the write-ahead log since its last restart, i.e. commit frames
 * (https://sqlite.org/fileformat2.html#walformat).
 */
function commitsIn(fresh: FreshDatabase): number {
  const log = readFileSync(`${fileOf(fresh)}-wal`);
  const pageBytes = log.readUInt32BE(8);
  const salts = log.subarray(16, 24);
  let commits = 0;
  for (let frame = 32; frame + 24 <= log.length; frame += 24 + pageBytes)
    if (log.subarray(frame + 8, frame + 16).equals(salts) && log.readUInt32BE(frame + 4) > 0) commits += 1;
  return commits;
}

function fileOf({ url }: FreshDatabase): string {
  return url.slice('sqlite:'.length);
}
