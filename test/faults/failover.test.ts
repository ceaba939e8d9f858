/** Failover to a PostgreSQL standby after the primary is killed; `npm run torture -- failover` is the long run. */
import assert from 'node:assert/strict';
import { failover } from '../../torture/failover.ts';
import { stressTest } from '../support/stress-test.ts';

stressTest('two failovers to a synchronous standby lose no acknowledged write', async (run) => {
  const { acknowledged, lost } = await failover(run, { cycles: 2, synchronous: true });
  assert.ok(acknowledged > 2, `${acknowledged} writes were acknowledged`);
  assert.equal(lost, 0);
});

stressTest('two failovers to an asynchronous standby leave a consistent earlier state of the store', (run) =>
  failover(run, { cycles: 2, synchronous: false }),
);
