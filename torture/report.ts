/** Runs a stress test in a temporary folder. After a failure, prints what is needed to reproduce it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Broken, shown } from './ledger.ts';

export interface Run {
  readonly seed: number;
  readonly folder: string;
  readonly say: (line: string) => void;
}

/** This machine lacks something that the run requires. The run is skipped. */
export class DoesNotApply extends Error {
  override readonly name = 'DoesNotApply';
}

/** Runs `work` in a new folder, which is deleted only on success. @throws the error of `work`, after reporting it */
export async function runWith(
  name: string,
  seed: number,
  work: (run: Run) => Promise<void>,
  say: (line: string) => void = console.log,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), `purveyor-torture-${name}-`));
  try {
    await work({ seed, folder, say });
  } catch (error) {
    if (!(error instanceof DoesNotApply)) {
      say(`FAILED with --seed ${seed}: ${(error as Error).message}`);
      if (error instanceof Broken) for (const entry of error.entries) say(`  ${shown(entry)}`);
      say(`The ledger and the store are in ${folder}.`);
      throw error;
    }
    rmSync(folder, { recursive: true });
    throw error;
  }
  rmSync(folder, { recursive: true });
}
