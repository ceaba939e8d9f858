/** A few of the kills, power cuts and stops that `npm run torture` makes by the hundred (docs/reliability/g-crash.md). */
import assert from 'node:assert/strict';
import { kill9 } from '../../torture/kill9.ts';
import { powerCuts } from '../../torture/power-cut.ts';
import { restarts } from '../../torture/restarts.ts';
import { freshDatabase } from '../support/databases.ts';
import { stressTest } from '../support/stress-test.ts';

stressTest('five times kill -9 under load, and nothing acknowledged is lost', async (run) => {
  const { acknowledged } = await kill9(run, { cycles: 5 });
  assert.ok(acknowledged > 5, `${acknowledged} writes were acknowledged`);
});

stressTest('kill -9 with the rows in PostgreSQL', async (run) => {
  const { url, remove } = await freshDatabase('postgres');
  await kill9(run, { cycles: 2, postgresUrl: url });
  await remove();
});

stressTest('two power cuts under load, and nothing acknowledged is lost', async (run) => {
  const { acknowledged } = await powerCuts(run, { cycles: 2 });
  assert.ok(acknowledged > 2, `${acknowledged} writes were acknowledged`);
});

stressTest('stops under load end with 0 and lose nothing', async (run) => {
  await restarts(run, { cycles: 2 });
});
