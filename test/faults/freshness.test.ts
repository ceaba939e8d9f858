/**
 * Cached responses are never stale: writers and readers of one store, through several servers and directly on the database
 * (`npm run torture -- freshness` is the long run).
 */
import assert from 'node:assert/strict';
import { freshness } from '../../torture/freshness.ts';
import { freshDatabase } from '../support/databases.ts';
import { stressTest } from '../support/stress-test.ts';

const WRITES = 400;

stressTest(
  'every response contains all acknowledged writes and is a single snapshot (one server on SQLite)',
  async (run) => {
    const { reads } = await freshness(run, { writes: WRITES, servers: 1 });
    assert.ok(reads > WRITES, `${reads} reads`);
  },
);

stressTest(
  'every response contains all acknowledged writes and is a single snapshot (three servers on PostgreSQL)',
  async (run) => {
    const { url, remove } = await freshDatabase('postgres');
    const { reads } = await freshness(run, { writes: WRITES, servers: 3, postgresUrl: url });
    await remove();
    assert.ok(reads > WRITES, `${reads} reads`);
  },
);
