/** Wrong clocks, time zones and suspended machines (docs/reliability/j-clock.md). */
import { clockJumps, oddStarts, zones } from '../../torture/clock.ts';
import { suspends } from '../../torture/suspend.ts';
import { freshDatabase } from '../support/databases.ts';
import { stressTest } from '../support/stress-test.ts';

stressTest('a clock that jumps or stops loses no data, repeats no version and invalidates no key', clockJumps);
stressTest('the server starts and writes with a clock in another century', oddStarts);
stressTest('responses do not depend on the time zone of the process', zones);

stressTest('a store on SQLite continues after its machine was suspended under load', (run) =>
  suspends(run, { cycles: 2, seconds: 2 }),
);
stressTest('a store continues after a suspension in which its connections to PostgreSQL died', async (run) => {
  const { url, remove } = await freshDatabase('postgres');
  await suspends(run, { cycles: 2, seconds: 2, postgresUrl: url });
  await remove();
});
