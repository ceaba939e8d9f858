/**
 * Runs tools of `clients/node_modules` with the Node.js that runs the test, and returns their output. Generated files are
 * inside of `clients/`, so that they can import its packages.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';

export const CLIENTS = join(import.meta.dirname, '..');

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output and standard error, for assertion messages. */
  readonly output: string;
}

export interface ToolOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const MINUTES_MAX = 5;

/** Disables update checks, telemetry and colors. */
const QUIET = { CI: 'true', NO_COLOR: '1', FORCE_COLOR: '0', DO_NOT_TRACK: '1', REDOCLY_TELEMETRY: 'off' };

export function runTool(name: string, args: readonly string[], options: ToolOptions = {}): Promise<Outcome> {
  return runNode([join(CLIENTS, 'node_modules/.bin', name), ...args], options);
}

export function runNode(args: readonly string[], options: ToolOptions = {}): Promise<Outcome> {
  return runProgram(process.execPath, args, options);
}

export function runProgram(
  program: string,
  args: readonly string[],
  { cwd = CLIENTS, env = {} }: ToolOptions = {},
): Promise<Outcome> {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...QUIET, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: MINUTES_MAX * 60_000,
  });
  const texts = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      texts[stream] += text;
    });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...texts, output: `${texts.stdout}\n${texts.stderr}` }));
  });
}

/** Creates an empty folder, which is not removed, so that its content can be inspected. */
export async function emptyFolder(name: string): Promise<string> {
  const folder = join(CLIENTS, 'generated', name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  return folder;
}

export interface RunningTool {
  /** The output so far. */
  output(): string;
  stop(): Promise<void>;
}

/** Starts a tool that runs in the background. @param ready matches its output when it is ready */
export async function startTool(name: string, args: readonly string[], ready: RegExp): Promise<RunningTool> {
  const child = spawn(process.execPath, [join(CLIENTS, 'node_modules/.bin', name), ...args], {
    cwd: CLIENTS,
    env: { ...process.env, ...QUIET },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => reject(new Error(`${name} exited: ${output}`)));
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (ready.test(output)) resolve();
      });
  });
  return {
    output: () => output,
    async stop() {
      child.kill();
      await closed;
    },
  };
}

/** Finds a free port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
