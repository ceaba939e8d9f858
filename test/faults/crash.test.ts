/** A few kills, power cuts and stops; `npm run torture` runs hundreds of them (docs/reliability/g-crash.md). */
import assert from 'node:assert/strict';
import { kill9 } from '../../torture/kill9.ts';
import { powerCuts } from '../../torture/power-cut.ts';
import { restarts } from '../../torture/restarts.ts';
import { freshDatabase } from '../support/databases.ts';
import { stressTest } from '../support/stress-test.ts';

stressTest('five kills (kill -9) under load lose no acknowledged write', async (run) => {
  const { acknowledged } = await kill9(run, { cycles: 5 });
  assert.ok(acknowledged > 5, `${acknowledged} writes were acknowledged`);
});

stressTest('two kills (kill -9) under load with PostgreSQL lose no acknowledged write', async (run) => {
  const { url, remove } = await freshDatabase('postgres');
  await kill9(run, { cycles: 2, postgresUrl: url });
  await remove();
});

stressTest('two power cuts under load lose no acknowledged write', async (run) => {
  const { acknowledged } = await powerCuts(run, { cycles: 2 });
  assert.ok(acknowledged > 2, `${acknowledged} writes were acknowledged`);
});

stressTest('stops under load exit with 0 and lose no acknowledged write', async (run) => {
  await restarts(run, { cycles: 2 });
});
