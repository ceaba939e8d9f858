/** Command-line interface. Each command imports its implementation only when it runs. */
import { Command } from 'commander';
import { version } from '../wiring/version.ts';
import { addAccessCommands } from './commands/access.ts';
import { addExportCommands } from './commands/collections.ts';
import { addImportCommands } from './commands/import.ts';
import { addMaintenanceCommands } from './commands/maintenance.ts';
import { EXIT_FAILURE } from './commands/run.ts';
import { addServerCommands } from './commands/server.ts';
import { addUserCommands } from './commands/users.ts';

// The reader of the output may stop early (`| head`).
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : EXIT_FAILURE));

const program = new Command('purveyor')
  .description('A self-hosted store REST API')
  .version(version)
  .showHelpAfterError('(run with --help for usage)');

addServerCommands(program);
addAccessCommands(program);
addUserCommands(program);
addImportCommands(program);
addExportCommands(program);
addMaintenanceCommands(program);

await program.parseAsync();
