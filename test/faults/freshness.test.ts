/**
 * Answers that servers keep are never used too long: writers and readers of one store, through several servers and past them
 * (`npm run torture -- freshness` is the long run).
 */
import assert from 'node:assert/strict';
import { freshness } from '../../torture/freshness.ts';
import { freshDatabase } from '../support/databases.ts';
import { stressTest } from '../support/stress-test.ts';

const WRITES = 400;

stressTest(
  'whatever was acknowledged is in every answer from then on, and answers are of one moment (SQLite)',
  async (run) => {
    const { reads } = await freshness(run, { writes: WRITES, servers: 1 });
    assert.ok(reads > WRITES, `${reads} reads`);
  },
);

stressTest('so it is with three servers of one PostgreSQL', async (run) => {
  const { url, remove } = await freshDatabase('postgres');
  const { reads } = await freshness(run, { writes: WRITES, servers: 3, postgresUrl: url });
  await remove();
  assert.ok(reads > WRITES, `${reads} reads`);
});
