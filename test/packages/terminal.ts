/** A shell that runs the blocks of a Markdown page in order, as a reader pastes them. Variables remain between blocks. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMPILED } from '../support/compiled.ts';
import { freePort } from '../support/postgres-server.ts';

const STAND_INS = [
  'apt-get',
  'npm',
  'systemctl',
  'systemd-run',
  'docker',
  'curl',
  'serve-in-background',
  'stop-server',
];
const PROGRAM = fileURLToPath(new URL('stand-ins.ts', import.meta.url));
const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));
const PATH = process.env.PATH ?? '';

/** A fenced block of a page. */
export interface Block {
  readonly page: string;
  /** Of the opening fence, from 1. */
  readonly line: number;
  /** `sh`, or empty. */
  readonly language: string;
  readonly text: string;
}

/** @returns the blocks of a page, without the indentation of lists */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(page, 'utf8');
  return [...text.matchAll(/^( *)```(\w*)\n(.*?)^\1```$/gms)].map(({ index, 1: indent, 2: language, 3: block }) => ({
    page,
    line: text.slice(0, index).split('\n').length,
    language: language!,
    text: block!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));
}

/** Folders that a terminal of a new machine has for itself. */
const OWN_FOLDERS = ['/opt', '/var/lib', '/var/backups', '/var/cache', '/usr/local/bin', '/usr/local/sbin'];

/** Whether this process may have folders such as `/etc` for itself, which needs root and Linux. */
export const canBeNewMachine = process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;

export class Terminal {
  readonly #shell: ChildProcess;
  readonly #folder: string;
  #output = '';
  #isClosed = false;
  /** Called after each output, and when the shell has exited. */
  #notify = (): void => {};

  private constructor(folder: string, shell: ChildProcess) {
    this.#folder = folder;
    this.#shell = shell;
    for (const stream of [shell.stdout!, shell.stderr!])
      stream.on('data', (chunk) => {
        this.#output += chunk;
        this.#notify();
      });
    shell.on('close', () => {
      this.#isClosed = true;
      this.#notify();
    });
  }

  /**
   * @param cwd the folder in which the reader is
   * @param options.isNewMachine with its own, empty `/opt` and the like, and its own `/etc`, for commands that root runs
   */
  static async open(
    cwd: string,
    { isNewMachine = false, env = {} }: { isNewMachine?: boolean; env?: Record<string, string> } = {},
  ): Promise<Terminal> {
    const folder = mkdtempSync(join(tmpdir(), 'purveyor-terminal-'));
    // The user of a service needs access.
    chmodSync(folder, 0o755);
    const standIns = join(folder, 'bin');
    mkdirSync(standIns);
    for (const name of STAND_INS) {
      const script = `#!/bin/sh\nSTATE='${folder}' CHECKOUT='${CHECKOUT}' REAL_PATH='${PATH}' exec '${process.execPath}' '${PROGRAM}' ${name} "$@"\n`;
      writeFileSync(join(standIns, name), script, { mode: 0o755 });
    }
    const port = String(await freePort());
    const environment = {
      ...ownEnvironment(),
      PATH: [standIns, dirname(process.execPath), PATH].join(':'),
      PORT: port,
      LOG_LEVEL: 'warn',
      ...env,
    };
    const command = isNewMachine ? ['unshare', '--mount', '--propagation', 'private', 'sh'] : ['sh'];
    const shell = spawn(command[0]!, command.slice(1), { cwd, env: environment, stdio: 'pipe' });
    const terminal = new Terminal(folder, shell);
    if (isNewMachine) await terminal.run(ownFolders(folder));
    return terminal;
  }

  /** Runs a script in the shell. @returns its output @throws {Error} with the output if a command of it fails */
  async run(script: string): Promise<string> {
    const file = join(this.#folder, 'block.sh');
    writeFileSync(file, script);
    this.#output = '';
    this.#shell.stdin!.write(`set -e; . ${file} </dev/null; set +e; echo; echo '${END}'\n`);
    await new Promise<void>((resolve, reject) => {
      const giveUp = setTimeout(() => fail('takes too long'), BLOCK_MS_MAX);
      const fail = (why: string): void => {
        clearTimeout(giveUp);
        reject(new Error(`The block ${why}:\n${script}\n${this.#output}`));
      };
      this.#notify = () => {
        if (this.#isClosed) return fail('fails');
        if (!this.#output.includes(END)) return;
        clearTimeout(giveUp);
        resolve();
      };
      this.#notify();
    });
    return this.#output.replace(`\n${END}\n`, '');
  }

  async close(): Promise<void> {
    if (!this.#isClosed) this.#shell.kill();
    spawnSync(join(this.#folder, 'bin', 'stop-server'), { env: { PATH } });
    rmSync(this.#folder, { recursive: true });
  }

  /** The port of the server that the reader starts; the pages say 8080. */
  async port(): Promise<string> {
    return (await this.run('echo "$PORT"')).trim();
  }

  /** Runs a line of `crontab` or, with the name of a user in it, of `/etc/cron.d`, as cron does. */
  async runCron(table: string, isSystem: boolean): Promise<string> {
    const settings = table.split('\n').filter((line) => /^[A-Z]+=/.test(line));
    const jobs = table.split('\n').filter((line) => /^[\d*]/.test(line));
    let output = '';
    for (const job of jobs) {
      const [, command = ''] = (isSystem ? /^(?:\S+\s+){5}root\s+(.*)$/ : /^(?:\S+\s+){5}(.*)$/).exec(job) ?? [];
      writeFileSync(join(this.#folder, 'job'), command.replaceAll('\\%', '%'));
      const path = settings.find((line) => line.startsWith('PATH='))?.slice('PATH='.length) ?? '/usr/bin:/bin';
      const own = `PATH='${this.#folder}/bin:${path}' HOME=/root SHELL=/bin/sh PORT="$PORT"`;
      output += await this.run(`env -i ${own} sh -c "$(cat '${this.#folder}/job')"\n`);
    }
    return output;
  }
}

/** Longer than any block takes on a busy machine. */
const BLOCK_MS_MAX = 300_000;

/** The environment of this process, for example for npm's configuration, without what its npm script and runner have set. */
export function ownEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_(?!EXTRA_CA_CERTS)|TEST_)/.test(name));
  return { ...Object.fromEntries(own), ...COMPILED };
}

const END = '<<< end of the block >>>';

/** Replaces folders by private ones; only processes of this shell see them. */
function ownFolders(folder: string): string {
  const mounts = OWN_FOLDERS.map((own) => `mount -t tmpfs -o mode=755 tmpfs ${own}`);
  return `${[
    `cp -a /etc '${folder}/etc'`,
    `mount --bind '${folder}/etc' /etc`,
    `cp '${process.execPath}' '${folder}/node'`,
    ...mounts,
    'mkdir -p /etc/systemd/system',
    // A minimal Debian has no cron.
    'rm -rf /etc/cron.d',
    // Scripts with a PATH of their own find it too.
    `cp '${folder}/bin/systemd-run' /usr/local/sbin/`,
    // Node.js for all users.
    `mv '${folder}/node' /usr/local/bin/node`,
  ].join('\n')}\n`;
}
