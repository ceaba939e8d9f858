/** Serves a store as `purveyor serve` does, but for hashes of passwords: these are quick. */
import { createSecrets } from '../../src/adapters/secrets/scrypt.ts';
import { type RunningServer, serve } from '../../src/cli/serve.ts';
import { readConfig } from '../../src/wiring/config.ts';
import { UNHEARD } from './start-line.ts';

/** At its usual cost a hash takes a processor 0.3 s; at this, some milliseconds. Tests of hashes ask for the usual: `USUAL_SECRETS`. */
const QUICK = { cost: 2 ** 10, blockSize: 8, parallelization: 1 };

export function serveStore(environment: Readonly<Record<string, string | undefined>>): Promise<RunningServer> {
  const secrets = environment.TEST_SECRETS === 'usual' ? undefined : createSecrets(QUICK);
  return serve(readConfig(environment), environment, UNHEARD, secrets);
}
