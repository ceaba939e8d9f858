/** Short runs of the stress tests of `torture/`, which `npm run torture` runs for hours. */
import { type TestContext, test } from 'node:test';
import { DoesNotApply, type Run, runWith } from '../../torture/report.ts';

/** Declares a stress test. The seed is `TORTURE_SEED`, by default a random one, which the error of a failure names. */
export function stressTest(title: string, work: (run: Run) => Promise<unknown>): void {
  test(title, async (context: TestContext) => {
    const seed = Number(process.env.TORTURE_SEED ?? Math.floor(Math.random() * 1e9));
    const report = (line: string): void => context.diagnostic(line);
    try {
      await runWith('test', seed, async (run) => void (await work(run)), report);
    } catch (error) {
      if (!(error instanceof DoesNotApply))
        throw new Error(`with TORTURE_SEED=${seed}: ${(error as Error).message}`, { cause: error });
      context.skip(`does not apply on this machine: ${error.message}`);
    }
  });
}
