/** The servers that are compared, each a process of its own on the same core, with a store file of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../test/support/postgres-server.ts';
import { onCore } from './load.ts';
import { residentBytes } from './machine.ts';
import { BASE_URL, FOLDER, IMAGES_FOLDER, KEY, STORE_FILE } from './places.ts';
import { CREDENTIALS, type Credentials } from './scenarios.ts';

export const SERVER_NAMES = ['bare', 'stub', 'purveyor', 'purveyor + cache'] as const;
export type ServerName = (typeof SERVER_NAMES)[number];

export interface RunningServer<Name extends string = ServerName> {
  readonly name: Name;
  readonly address: string;
  readonly pid: number;
  /** From the start of the process to its first answer. */
  readonly firstAnswerMs: number;
  residentBytes(): number;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 120_000;
const POLL_MS = 5;

/** Starts the server on a fresh copy of the seeded store, with further settings where it takes any, on the first core or where `placed` says. */
export async function startServer(
  name: ServerName,
  settings: Readonly<Record<string, string>> = {},
  placed = (command: readonly string[]): [string, string[]] => onCore(0, command),
): Promise<RunningServer> {
  const port = await freePort();
  const storeFile = await copyStore(STORE_FILE, name);
  const { file, options, environment } = commandOf(name, port, storeFile);
  const command = placed([process.execPath, fileURLToPath(new URL(file, import.meta.url)), ...options]);
  const address = `http://127.0.0.1:${port}`;
  return startProcess({ name, command, environment: { ...environment, ...settings }, address });
}

/** A copy of a store file for the server of this name, in place of the one that it had. */
export async function copyStore(file: string, name: string): Promise<string> {
  const copy = `${FOLDER}${name.replace(/\W+/g, '-')}.db`;
  for (const ending of ['', '-wal', '-shm', '.lock']) await rm(`${copy}${ending}`, { force: true });
  await copyFile(file, copy);
  return copy;
}

export interface Process<Name extends string> {
  readonly name: Name;
  readonly command: readonly [program: string, options: string[]];
  readonly environment: Readonly<Record<string, string>>;
  readonly address: string;
  /** Where it runs; none: here. */
  readonly folder?: string;
  /** Started when this address answers 200. */
  readonly probe?: string;
  readonly credentials?: Credentials;
}

/** Starts a program and waits for its first answer. */
export async function startProcess<Name extends string>(program: Process<Name>): Promise<RunningServer<Name>> {
  const { name, command, environment, address, folder } = program;
  const startedAt = performance.now();
  const child = spawn(...command, {
    cwd: folder,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // A run that fails leaves no server behind.
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  await untilAnswers(program, child);
  return {
    name,
    address,
    pid: child.pid!,
    firstAnswerMs: performance.now() - startedAt,
    residentBytes: () => residentBytes(child.pid!),
    async stop() {
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
      process.off('exit', end);
    },
  };
}

function commandOf(name: ServerName, port: number, storeFile: string) {
  const none = {};
  switch (name) {
    case 'bare':
      return { file: 'bare.ts', options: [String(port)], environment: none };
    case 'stub':
      return { file: 'stub.ts', options: [storeFile, String(port)], environment: none };
    case 'purveyor':
    case 'purveyor + cache':
      return {
        file: '../bin/purveyor.js',
        options: ['serve'],
        environment: {
          PORT: String(port),
          BASE_URL,
          DATABASE_URL: `sqlite:${storeFile}`,
          IMAGES_URL: `file:${IMAGES_FOLDER}`,
          API_KEY_READ_WRITE: KEY,
          ...(name === 'purveyor' ? { RESPONSE_CACHE_BYTES_MAX: '0' } : {}),
        },
      };
  }
}

async function untilAnswers(program: Process<string>, child: ChildProcess): Promise<void> {
  const { name, address, probe = '/api/products/1', credentials } = program;
  const giveUpAt = performance.now() + START_TIMEOUT_MS;
  while (child.exitCode === null && performance.now() < giveUpAt) {
    const answer = await ask(address, probe, undefined, credentials).catch(() => undefined);
    if (answer?.status === 200) return;
    await sleep(POLL_MS);
  }
  child.kill('SIGKILL');
  throw new Error(`The server “${name}” did not answer.`);
}

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** One request; with a body it is a POST. */
export async function ask(
  address: string,
  path: string,
  body?: string,
  [header, key]: Credentials = CREDENTIALS,
): Promise<Answer> {
  const headers = { [header]: key, 'content-type': 'application/json' };
  const sending = request(`${address}${path}`, { method: body === undefined ? 'GET' : 'POST', headers });
  sending.end(body);
  const [response] = await once(sending, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, body: Buffer.concat(chunks).toString() };
}
