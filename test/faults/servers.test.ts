/** A short run of `npm run torture -- servers`: three servers behind a proxy, killed in turn (docs/scale.md). */
import assert from 'node:assert/strict';
import { openDatabase } from '../../src/wiring/open.ts';
import { serversTrial } from '../../torture/servers.ts';
import { assertReplayable } from '../support/audit.ts';
import { freshDatabase } from '../support/databases.ts';
import { stressTest } from '../support/stress-test.ts';

stressTest('kills of servers behind a proxy lose no acknowledged write and cause no stale read', async (run) => {
  const { url, remove } = await freshDatabase('postgres');
  const { acknowledged, kills } = await serversTrial(run, { postgresUrl: url, minutes: 0.3 });
  const database = await openDatabase({ databaseUrl: url, databaseSchema: '' });
  await assertReplayable(database).finally(() => database.close());
  await remove();
  assert.ok(acknowledged > 10 && kills >= 2, `${acknowledged} writes, ${kills} kills`);
});
