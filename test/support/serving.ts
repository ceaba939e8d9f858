/** Serves a store as `purveyor serve` does, but with fast password hashes. */
import { createSecrets } from '../../src/adapters/secrets/scrypt.ts';
import { type RunningServer, serve } from '../../src/cli/serve.ts';
import { readConfig } from '../../src/wiring/config.ts';
import { NO_OUTPUT } from './start-line.ts';

/** A hash takes some milliseconds of CPU time instead of 0.3 s. `REAL_PASSWORD_HASHES` selects the real cost. */
const FAST = { cost: 2 ** 10, blockSize: 8, parallelization: 1 };

export function serveStore(environment: Readonly<Record<string, string | undefined>>): Promise<RunningServer> {
  const secrets = environment.TEST_SECRETS === 'real' ? undefined : createSecrets(FAST);
  return serve(readConfig(environment), environment, NO_OUTPUT, secrets);
}
