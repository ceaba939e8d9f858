/** How a run tells what it does and, when a promise was not kept, what is needed to see it again. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Broken, shown } from './ledger.ts';

export interface Run {
  readonly seed: number;
  readonly folder: string;
  readonly say: (line: string) => void;
}

/** Something that this machine lacks; the run counts as one that does not apply here. */
export class DoesNotApply extends Error {
  override readonly name = 'DoesNotApply';
}

/** Gives the work a folder, which stays when it fails. @throws what the work threw, after telling it */
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
      say(`The ledger and the store are kept in ${folder}.`);
      throw error;
    }
    rmSync(folder, { recursive: true });
    throw error;
  }
  rmSync(folder, { recursive: true });
}
