/**
 * `follower.py`, which was written only from the contract, synchronizes copies of a store while servers and followers are
 * killed and the store is restored (`npm run torture -- followers` is the long run).
 */
import assert from 'node:assert/strict';
import { databaseNames } from '../test/support/databases.ts';
import { stressTest } from '../test/support/stress-test.ts';
import { followers } from '../torture/followers.ts';

const SERVERS = { sqlite: 'two alternating servers on one file', postgres: 'two servers on one PostgreSQL' };

for (const database of databaseNames)
  stressTest(`follower.py maintains an exact copy of a store with ${SERVERS[database]}`, async (run) => {
    const { acknowledged, kills, killedFollowers, interruptions, gone, compared } = await followers(run, {
      seconds: 20,
      isPostgres: database === 'postgres',
    });
    assert.ok(kills > 0 && killedFollowers > 0 && interruptions > 0, `${kills}, ${killedFollowers}, ${interruptions}`);
    assert.ok(acknowledged > 20 && compared > 40, `${acknowledged} acknowledged, ${compared} compared`);
    assert.ok(gone >= 2, 'each follower received “Cursor expired”');
  });
