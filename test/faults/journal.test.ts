/**
 * Eight writers on few records, servers killed meanwhile: the journal tells what the tables hold, in order and without gaps, and
 * who follows the feed has the store (`npm run torture -- journal` is the long run).
 */
import assert from 'node:assert/strict';
import { journal } from '../../torture/journal.ts';
import { freshDatabase } from '../support/databases.ts';
import { stressTest } from '../support/stress-test.ts';

const SHORT = { operations: 300, killEvery: 100 };

stressTest('the journal of a server that is killed tells every change once and in order (SQLite)', async (run) => {
  const { kills, acknowledged, interruptions } = await journal(run, SHORT);
  assert.ok(kills > 0 && acknowledged > 50, `${kills} kills, ${acknowledged} acknowledged`);
  assert.ok(interruptions > 0, 'no follower of the feed was cut off');
});

stressTest('so does that of two servers on one PostgreSQL', async (run) => {
  const { url, remove } = await freshDatabase('postgres');
  const { kills, acknowledged, interruptions } = await journal(run, { ...SHORT, postgresUrl: url });
  await remove();
  assert.ok(kills > 0 && acknowledged > 50, `${kills} kills, ${acknowledged} acknowledged`);
  assert.ok(interruptions > 0, 'no follower of the feed was cut off');
});
