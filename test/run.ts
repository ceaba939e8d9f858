/**
 * Runs a test suite with Node's test runner: `sh bin/node.sh test/run.ts SUITE [OPTION…]`. Further options go to the runner,
 * for example `--test-name-pattern`.
 */
import { spawn } from 'node:child_process';
import { filesToRun, SUITES } from './support/suites.ts';

const [name, ...options] = process.argv.slice(2);
const suite = Object.entries(SUITES).find(([known]) => known === name)?.[1];
if (!suite) {
  console.error(`Unknown suite "${name}". Use one of: ${Object.keys(SUITES).join(', ')}.`);
  process.exit(2);
}
const runner = spawn(
  process.execPath,
  [
    ...['--test', `--test-concurrency=${suite.concurrency}`, '--test-timeout=900000'],
    ...['--test-global-setup=test/support/global-setup.ts', ...options, ...filesToRun(suite)],
  ],
  { stdio: 'inherit', env: { ...process.env, ...suite.env } },
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => runner.kill(signal));
runner.on('exit', (code) => process.exit(code ?? 1));
