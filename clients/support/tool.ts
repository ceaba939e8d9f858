/**
 * Runs a tool of `clients/node_modules` as its command line would, on the Node that runs the test, and tells what it
 * said. Folders for what tools generate are in here, so that what is generated finds the packages.
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
  /** Both, for messages of assertions. */
  readonly said: string;
}

export interface ToolOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const MINUTES_MAX = 5;

/** No tool asks for a newer version of itself, counts its users, or colours what is read here. */
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
    child.once('close', (code) => resolve({ code, ...texts, said: `${texts.stdout}\n${texts.stderr}` }));
  });
}

/** An empty folder, kept afterwards for a person to look into. */
export async function emptyFolder(name: string): Promise<string> {
  const folder = join(CLIENTS, 'generated', name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  return folder;
}

export interface RunningTool {
  /** The tool's output until now. */
  said(): string;
  stop(): Promise<void>;
}

/** Starts a tool that stays. @param ready what it says once it can be used */
export async function startTool(name: string, args: readonly string[], ready: RegExp): Promise<RunningTool> {
  const child = spawn(process.execPath, [join(CLIENTS, 'node_modules/.bin', name), ...args], {
    cwd: CLIENTS,
    env: { ...process.env, ...QUIET },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => reject(new Error(`${name} stopped: ${said}`)));
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        if (ready.test(said)) resolve();
      });
  });
  return {
    said: () => said,
    async stop() {
      child.kill();
      await closed;
    },
  };
}

/** A port of this machine that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
