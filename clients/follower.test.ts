/**
 * `follower.py`, written from the contract's page alone, keeps copies of a store in step while servers and followers are
 * killed and the store is restored (`npm run torture -- followers` is the long run).
 */
import assert from 'node:assert/strict';
import { torture } from '../test/support/torture.ts';
import { followers } from '../torture/followers.ts';

for (const [name, isPostgres] of [
  ['two servers that take turns on one file', false],
  ['two servers on one PostgreSQL', true],
] as const)
  torture(`a program of its own follows ${name}`, async (run) => {
    const { acknowledged, kills, killedFollowers, interruptions, gone, compared } = await followers(run, {
      seconds: 20,
      isPostgres,
    });
    assert.ok(kills > 0 && killedFollowers > 0 && interruptions > 0, `${kills}, ${killedFollowers}, ${interruptions}`);
    assert.ok(acknowledged > 20 && compared > 40, `${acknowledged} acknowledged, ${compared} compared`);
    assert.ok(gone >= 2, 'each follower was told that its cursor is gone');
  });
