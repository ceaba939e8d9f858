/** Short runs of what `torture/` does for hours. A seed of TORTURE_SEED is used again; else each run has a new one. */
import { type TestContext, test } from 'node:test';
import { DoesNotApply, type Run, runWith } from '../../torture/report.ts';

export function torture(title: string, work: (run: Run) => Promise<unknown>): void {
  test(title, async (context: TestContext) => {
    const seed = Number(process.env.TORTURE_SEED ?? Math.floor(Math.random() * 1e9));
    const say = (line: string): void => context.diagnostic(line);
    try {
      await runWith('test', seed, async (run) => void (await work(run)), say);
    } catch (error) {
      if (!(error instanceof DoesNotApply))
        throw new Error(`with TORTURE_SEED=${seed}: ${(error as Error).message}`, { cause: error });
      context.skip(`does not apply here: ${error.message}`);
    }
  });
}
