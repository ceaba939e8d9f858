/**
 * A store that reaches PostgreSQL through PgBouncer, as it is set up when nothing but its mode is said (reliability, row
 * L14). Where there is no PgBouncer on the machine there is nothing to test.
 */
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { openPostgres } from '../../src/adapters/postgres/database.ts';
import { needTools } from '../../torture/disk.ts';
import { history } from '../../torture/history.ts';
import { freshDatabase } from '../support/databases.ts';
import { PgBouncer, type PoolMode } from '../support/pgbouncer.ts';
import { stressTest } from '../support/stress-test.ts';

async function through(mode: PoolMode, play: (url: string) => Promise<void>): Promise<void> {
  needTools({ pgbouncer: 'pgbouncer' });
  const database = await freshDatabase('postgres');
  const bouncer = await PgBouncer.before(database.url, mode);
  try {
    await play(bouncer.url);
  } finally {
    await bouncer.remove();
    await database.remove();
  }
}

for (const mode of ['session', 'transaction'] as const) {
  stressTest(`a history of two servers through PgBouncer in ${mode} mode is right, with connections cut`, (run) =>
    through(mode, async (postgresUrl) => {
      const { outcomes } = await history(run, { operations: 400, postgresUrl, servers: 2, faults: true });
      for (const expected of ['read ok', 'write ok', 'write stale'])
        assert.ok(outcomes[expected], `there was “${expected}”`);
    }),
  );

  stressTest(`a write through PgBouncer in ${mode} mode waits no longer than one without`, () =>
    through(mode, async (url) => {
      const database = await openPostgres(url);
      const show = database.dialect.compile(sql`show lock_timeout`);
      assert.deepEqual(await database.transaction((transaction) => transaction.run(show, {})), [['5s']]);
      assert.deepEqual(await database.query(show, {}), [['0']], 'and leaves nothing to the next one');
      await database.close();
    }),
  );
}
