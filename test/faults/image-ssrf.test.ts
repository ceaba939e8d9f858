/** Image downloads that are led to forbidden addresses, in a network of their own (docs/reliability/e-images.md, E14 to E18, E24, E25). */
import assert from 'node:assert/strict';
import { ssrf } from '../../torture/ssrf/run.ts';
import { stressTest } from '../support/stress-test.ts';

stressTest('no payload reaches a canary, and good addresses pass', async (run) => {
  const { payloads, arrivals, attempts, unguarded } = await ssrf(run);
  assert.deepEqual({ arrivals, attempts }, { arrivals: 0, attempts: 0 });
  assert.ok(payloads >= 90, `${payloads} payloads`);
  assert.ok(unguarded >= 80, `only ${unguarded} would reach a canary without the guard`);
});
