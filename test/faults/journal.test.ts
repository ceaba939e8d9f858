/**
 * Eight writers on few records while servers are killed: the journal agrees with the tables, in order and without gaps, and
 * clients of the change feed have an exact copy (`npm run torture -- journal` is the long run).
 */
import assert from 'node:assert/strict';
import { journal } from '../../torture/journal.ts';
import { freshDatabase } from '../support/databases.ts';
import { stressTest } from '../support/stress-test.ts';

const SHORT = { operations: 300, killEvery: 100 };

stressTest('the journal records every change once and in order despite kills (one server on SQLite)', async (run) => {
  const { kills, acknowledged, interruptions } = await journal(run, SHORT);
  assert.ok(kills > 0 && acknowledged > 50, `${kills} kills, ${acknowledged} acknowledged`);
  assert.ok(interruptions > 0, 'no follower of the feed was interrupted');
});

stressTest(
  'the journal records every change once and in order despite kills (two servers on PostgreSQL)',
  async (run) => {
    const { url, remove } = await freshDatabase('postgres');
    const { kills, acknowledged, interruptions } = await journal(run, { ...SHORT, postgresUrl: url });
    await remove();
    assert.ok(kills > 0 && acknowledged > 50, `${kills} kills, ${acknowledged} acknowledged`);
    assert.ok(interruptions > 0, 'no follower of the feed was interrupted');
  },
);
