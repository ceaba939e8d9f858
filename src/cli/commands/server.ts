/** Commands that run or check the server, migrate its database, and describe its interface. */
import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describeSettings } from '../../wiring/config.ts';
import type { RunningServer } from '../serve.ts';
import { WORKER_VARIABLE } from '../workers/messages.ts';
import { run, withStore } from './run.ts';

export function addServerCommands(program: Command): void {
  program
    .command('serve')
    .description('start the server')
    .addHelpText('after', `\n${describeSettings()}`)
    .action(
      run(async (config) => {
        const number = process.env[WORKER_VARIABLE];
        if (number !== undefined) {
          const { runWorker } = await import('../workers/worker.ts');
          return runWorker(config, Number(number));
        }
        const { runUntilSignal } = await import('../run-until-signal.ts');
        const until = (starting: Promise<RunningServer>) => runUntilSignal(starting, config, process.stdout.isTTY);
        if (config.workers === 1) {
          const { serve } = await import('../serve.ts');
          await until(serve(config, process.env, process.stdout));
        } else {
          const { serveByWorkers } = await import('../workers/primary.ts');
          await until(serveByWorkers(config, process.env, process.stdout));
        }
      }),
    );

  program
    .command('health')
    .description('check whether the server at HOST and PORT is ready; exit code 1 if it is not')
    .action(
      run(async (config) => {
        const { checkHealth } = await import('../health.ts');
        console.log(await checkHealth(config));
      }),
    );

  program
    .command('migrate')
    .description('migrate the database to the current schema; “serve” does this automatically')
    .action(
      run(
        withStore(async ({ service, migrated }) => {
          const { noticesAfter } = await import('../post-migration-notices.ts');
          console.log(migrated.length === 0 ? 'The schema is up to date.' : `Applied ${migrated.join(', ')}.`);
          for (const notice of await noticesAfter(migrated, service.database)) console.log(notice);
        }),
      ),
    );

  program
    .command('openapi')
    .description('write the OpenAPI document')
    .option('--spec-version <version>', '3.1.0 or 3.0.3', '3.1.0')
    .option('--output <file>', 'output file; default: standard output')
    .action(
      run(async ({ baseUrl, host, port }, { specVersion, output }: { specVersion: string; output?: string }) => {
        const { openApiText } = await import('../openapi.ts');
        const text = openApiText(specVersion, baseUrl || `http://${host}:${port}`);
        if (output === undefined) process.stdout.write(text);
        else writeFileSync(output, text);
      }),
    );
}
