/** Clocks that are wrong (docs/reliability/j-clock.md). */
import { clockJumps, oddStarts, zones } from '../../torture/clock.ts';
import { suspends } from '../../torture/suspend.ts';
import { freshDatabase } from '../support/databases.ts';
import { stressTest } from '../support/stress-test.ts';

stressTest('a clock that jumps and stands still: versions grow, keys are known, nothing is lost', clockJumps);
stressTest('a start in another century', oddStarts);
stressTest('the time zone of the process changes no answer', zones);

stressTest('a machine that sleeps under load and wakes', (run) => suspends(run, { cycles: 2, seconds: 2 }));
stressTest('a machine that sleeps, and its connections to PostgreSQL are dead when it wakes', async (run) => {
  const { url, remove } = await freshDatabase('postgres');
  await suspends(run, { cycles: 2, seconds: 2, postgresUrl: url });
  await remove();
});
