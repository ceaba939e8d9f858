/**
 * Programs that the shell blocks of the guides call and a test run lacks, or that would block it. Called as
 * `node stand-ins.ts NAME ARG…` by scripts of these names on the PATH (`terminal.ts`).
 *
 * - `npm start` and `serve-in-background` return when the server is ready; `npm ci` links the packages of this checkout;
 *   `npm pack` copies the package that the test has made.
 * - `apt-get install cron` makes the folder that this package brings.
 * - `systemctl` and `systemd-run` run what units and options say, as their user and with their environment only.
 * - `docker compose` runs the commands of the image in the clone, with the image's settings.
 * - `curl` fails if the response is an error.
 */
import { type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Folder with the state of this terminal's services, the port of its server, and the real programs. */
const { STATE = '', PORT = '', CHECKOUT = '', REAL_PATH = '', PACKED = '' } = process.env;
/** The database of the containers, and the one that `createdb` makes. */
const { CONTAINER_DATABASE = '', SECOND_DATABASE = '' } = process.env;

const SECONDS_MAX = 120;
const UNITS = '/etc/systemd/system';

const programs: Record<string, (args: string[]) => Promise<number>> = {
  npm,
  systemctl,
  'systemd-run': systemdRun,
  docker,
  curl: async (args) =>
    real(
      'curl',
      args.some((arg) => /^-s?f/.test(arg)) ? args : ['--fail-with-body', '--silent', '--show-error', ...args],
    ),
  'serve-in-background': async ([program, ...args]) => serve(program!, args, { env: process.env }),
  'stop-server': async () => stop(),
  'apt-get': async (args) => {
    if (args.join(' ') !== 'install --yes cron') return 1;
    mkdirSync('/etc/cron.d', { recursive: true });
    return 0;
  },
};

const [name, ...args] = process.argv.slice(2);
process.exitCode = await programs[name!]!(args);

async function npm(args: string[]): Promise<number> {
  const [command, ...rest] = args;
  if (command === 'start') return serve('sh', ['bin/node.sh', 'bin/purveyor.js', 'serve'], { env: process.env });
  // .ci/run installs the packages of a clone, and runs the tests.
  if (command === 'test') return 0;
  if (command === 'ci') {
    if (!existsSync('node_modules')) symlinkSync(join(CHECKOUT, 'node_modules'), 'node_modules');
    return 0;
  }
  if (command === 'pack') {
    for (const file of globSync('purveyor-*.tgz', { cwd: PACKED })) cpSync(join(PACKED, file), file);
    return 0;
  }
  const options = ['--no-audit', '--no-fund', '--no-update-notifier'];
  return real('npm', command === 'install' ? [command, '--prefer-offline', ...options, ...rest] : args);
}

/** Runs the program that the stand-in replaces. */
function real(program: string, args: string[]): number {
  return spawnSync(program, args, { stdio: 'inherit', env: { ...process.env, PATH: REAL_PATH } }).status ?? 1;
}

/** Starts the server. @returns 0 when it is ready; its exit code if it exits before */
async function serve(program: string, args: string[], options: SpawnOptions): Promise<number> {
  if (running() !== undefined)
    throw new Error('A server is running already. The page must say that it is to be stopped.');
  const log = openSync(join(STATE, 'server.log'), 'a');
  const child = spawn(program, args, { ...options, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  writeFileSync(join(STATE, 'server.pid'), String(child.pid));
  for (let waited = 0; waited < SECONDS_MAX * 10; waited += 1) {
    if (child.exitCode !== null) break;
    const response = await fetch(`http://127.0.0.1:${PORT}/readyz`).catch(() => undefined);
    if (response?.ok) {
      child.unref();
      return 0;
    }
    await sleep(100);
  }
  console.error(readFileSync(join(STATE, 'server.log'), 'utf8'));
  return child.exitCode ?? 1;
}

/** The process group of the running server. */
function running(): number | undefined {
  const file = join(STATE, 'server.pid');
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined;
}

async function stop(): Promise<number> {
  const pid = running();
  if (pid === undefined) return 0;
  process.kill(-pid, 'SIGTERM');
  for (let waited = 0; isAlive(pid) && waited < SECONDS_MAX * 10; waited += 1) await sleep(100);
  rmSync(join(STATE, 'server.pid'));
  return 0;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(-pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function systemctl(args: string[]): Promise<number> {
  const [verb, unit] = args.filter((arg) => !arg.startsWith('-'));
  if (verb === 'daemon-reload') return 0;
  if (verb === 'stop' || verb === 'restart') await stop();
  if (verb === 'stop') return 0;
  const lines = readFileSync(join(UNITS, `${unit}.service`), 'utf8').split('\n');
  const valuesOf = (key: string): string[] =>
    lines.filter((line) => line.startsWith(`${key}=`)).map((line) => line.slice(key.length + 1));
  const [user] = valuesOf('User');
  for (const [key, parent] of Object.entries({ StateDirectory: '/var/lib', CacheDirectory: '/var/cache' }))
    for (const folder of valuesOf(key)) {
      mkdirSync(join(parent, folder), { recursive: true, mode: 0o700 });
      real('chown', [`${user}:`, join(parent, folder)]);
    }
  const command = valuesOf('ExecStart')[0]!.split(' ');
  return as(
    user!,
    valuesOf('Environment').flatMap((line) => line.split(' ')),
    valuesOf('EnvironmentFile'),
    {
      command,
      cwd: valuesOf('WorkingDirectory')[0]!,
      isService: true,
    },
  );
}

async function systemdRun(args: string[]): Promise<number> {
  const properties = new Map<string, string>();
  const environment: string[] = [];
  while (args[0]?.startsWith('-')) {
    const option = args.shift()!;
    if (option === '-E') environment.push(args.shift()!);
    if (option !== '-p') continue;
    const [key, ...value] = args.shift()!.split('=');
    properties.set(key!, value.join('='));
  }
  // systemd-run looks for the program on the PATH of its caller.
  const [name = '', ...rest] = args;
  const program = process.env.PATH?.split(':')
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
  if (program === undefined) throw new Error(`Failed to find executable ${name}`);
  const files = properties.has('EnvironmentFile') ? [properties.get('EnvironmentFile')!] : [];
  return as(properties.get('User')!, environment, files, {
    command: [program, ...rest],
    cwd: properties.get('WorkingDirectory')!,
    isService: false,
  });
}

interface Job {
  readonly command: string[];
  readonly cwd: string;
  readonly isService: boolean;
}

/** Runs a command as systemd does: as the user, and only with this environment. Files override single values. */
async function as(
  user: string,
  environment: string[],
  files: string[],
  { command, cwd, isService }: Job,
): Promise<number> {
  const read = (file: string): string[] => {
    const path = file.replace(/^-/, '');
    return existsSync(path) || path === file
      ? readFileSync(path, 'utf8')
          .split('\n')
          .filter((line) => line.includes('='))
      : [];
  };
  const values = [...environment, ...files.flatMap(read)].map((line) => {
    const [key, ...value] = line.split('=');
    return [key!, value.join('=')];
  });
  const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin', ...Object.fromEntries(values) };
  const options = [`--reuid=${user}`, `--regid=${user}`, '--init-groups', ...command];
  if (isService) return serve('setpriv', options, { cwd, env });
  return spawnSync('setpriv', options, { cwd, env, stdio: 'inherit' }).status ?? 1;
}

/** The image has the program in `/app` and the volume at `/data`; the clone and a folder of the terminal replace them. */
async function docker(args: string[]): Promise<number> {
  const files = args.includes('-f')
    ? args[args.indexOf('-f') + 1]!
    : (process.env.COMPOSE_FILE ?? 'compose.yaml:compose.override.yaml');
  const isPostgres = files.includes('compose.postgres.yaml');
  const [, verb, ...rest] = args.filter((arg, index) => arg !== '-f' && args[index - 1] !== '-f');
  const data = join(STATE, 'data');
  mkdirSync(data, { recursive: true });
  const inClone = (text: string): string =>
    text
      .replace(/(^|:)\/data\b/, `$1${data}`)
      .replace(/^\/app\b/, resolve('.'))
      .replace(/^postgres:.*@database\/before_0_2_0$/, SECOND_DATABASE);
  const [, override = ''] = files.split(':');
  const settings = existsSync(override) ? readFileSync(override, 'utf8') : '';
  const env: NodeJS.ProcessEnv = {
    ...{ PATH: REAL_PATH, HOST: '127.0.0.1', PORT, BASE_URL: process.env.BASE_URL },
    DATABASE_URL: isPostgres ? CONTAINER_DATABASE : `sqlite:${data}/store.db`,
    IMAGES_URL: `file:${data}/images`,
    ...Object.fromEntries(
      [...settings.matchAll(/^ {6}(\w+): (.*)$/gm)].map(([, key, value]) => [key, inClone(value!)]),
    ),
  };
  const node = (parts: string[]): number =>
    spawnSync(process.execPath, parts.map(inClone), { env, stdio: 'inherit' }).status ?? 1;
  switch (verb) {
    case 'build':
      return 0;
    case 'stop':
      return stop();
    case 'up':
      await stop();
      return serve(process.execPath, ['bin/purveyor.js', 'serve'], { env });
    case 'exec':
      if (rest[0] === 'database') return 0;
      return node(rest.slice(rest.indexOf('node') + 1));
    case 'run':
      return node(['bin/purveyor.js', ...rest.slice(rest.findIndex((arg) => /^store(-1)?$/.test(arg)) + 1)]);
    default:
      throw new Error(`There is no stand-in for docker compose ${verb}.`);
  }
}
