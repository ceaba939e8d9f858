/** A PostgreSQL that is killed and whose standby takes its place; `npm run torture -- failover` does it by the score. */
import assert from 'node:assert/strict';
import { failover } from '../../torture/failover.ts';
import { stressTest } from '../support/stress-test.ts';

stressTest('two failovers to a synchronous standby: nothing acknowledged is lost', async (run) => {
  const { acknowledged, lost } = await failover(run, { cycles: 2, synchronous: true });
  assert.ok(acknowledged > 2, `${acknowledged} writes were acknowledged`);
  assert.equal(lost, 0);
});

stressTest('two failovers to an asynchronous standby: what is left is a state that the store was in', (run) =>
  failover(run, { cycles: 2, synchronous: false }),
);
