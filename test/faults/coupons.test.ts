/** Limits of coupons hold for concurrent orders while servers are killed (`npm run torture -- coupons` is the long run). */
import assert from 'node:assert/strict';
import { coupons } from '../../torture/coupons.ts';
import { freshDatabase } from '../support/databases.ts';
import { stressTest } from '../support/stress-test.ts';

const SHORT = { seconds: 5, killEvery: 2 };

stressTest('uses of coupons equal the orders that count after a kill (one server on SQLite)', async (run) => {
  const { acknowledged, refused } = await coupons(run, { ...SHORT, servers: 1 });
  assert.ok(acknowledged > 0 && refused > 0, `${acknowledged} acknowledged, ${refused} refused`);
});

stressTest('uses of coupons equal the orders that count after kills (three servers on PostgreSQL)', async (run) => {
  const { url, remove } = await freshDatabase('postgres');
  const { acknowledged, refused } = await coupons(run, { ...SHORT, servers: 3, postgresUrl: url });
  await remove();
  assert.ok(acknowledged > 0 && refused > 0, `${acknowledged} acknowledged, ${refused} refused`);
});
