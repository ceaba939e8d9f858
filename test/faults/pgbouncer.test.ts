/**
 * A store with PostgreSQL behind PgBouncer with default settings except for the pool mode (reliability, row L14). Skipped if
 * PgBouncer is not installed.
 */
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { openPostgres } from '../../src/adapters/postgres/database.ts';
import { needTools } from '../../torture/disk.ts';
import { history } from '../../torture/history.ts';
import { freshDatabase } from '../support/databases.ts';
import { PgBouncer, type PoolMode } from '../support/pgbouncer.ts';
import { stressTest } from '../support/stress-test.ts';

async function withPgBouncer(mode: PoolMode, play: (url: string) => Promise<void>): Promise<void> {
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
  stressTest(`the history of two servers behind PgBouncer in ${mode} mode with cut connections is valid`, (run) =>
    withPgBouncer(mode, async (postgresUrl) => {
      const { outcomes } = await history(run, { operations: 400, postgresUrl, servers: 2, faults: true });
      for (const expected of ['read ok', 'write ok', 'write stale'])
        assert.ok(outcomes[expected], `no outcome “${expected}”`);
    }),
  );

  stressTest(`a write behind PgBouncer in ${mode} mode has the same lock timeout as one without`, () =>
    withPgBouncer(mode, async (url) => {
      const database = await openPostgres(url);
      const show = database.dialect.compile(sql`show lock_timeout`);
      assert.deepEqual(await database.transaction((transaction) => transaction.run(show, {})), [['5s']]);
      assert.deepEqual(await database.query(show, {}), [['0']], 'the timeout ends with its transaction');
      await database.close();
    }),
  );
}
