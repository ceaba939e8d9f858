/** Image downloads from forbidden addresses, in a network namespace (docs/reliability/e-images.md, E14 to E18, E24, E25). */
import assert from 'node:assert/strict';
import { ssrf } from '../../torture/ssrf/run.ts';
import { stressTest } from '../support/stress-test.ts';

stressTest('no SSRF payload reaches a forbidden address, and allowed addresses work', async (run) => {
  const { payloads, arrivals, attempts, unguarded } = await ssrf(run);
  assert.deepEqual({ arrivals, attempts }, { arrivals: 0, attempts: 0 });
  assert.ok(payloads >= 90, `${payloads} payloads`);
  assert.ok(unguarded >= 80, `only ${unguarded} would reach a canary without the guard`);
});
