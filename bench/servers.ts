/** Starts the compared servers: each is a process on the same core with its own copy of the store. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../test/support/postgres-server.ts';
import { BASE_URL, FOLDER, IMAGES_FOLDER, KEY, STORE_FILE } from './constants.ts';
import { onCore } from './load.ts';
import { residentBytes } from './machine.ts';
import { CREDENTIALS, type Credentials } from './scenarios.ts';

export const SERVER_NAMES = ['bare', 'stub', 'purveyor', 'purveyor + cache'] as const;
export type ServerName = (typeof SERVER_NAMES)[number];

export interface RunningServer<Name extends string = ServerName> {
  readonly name: Name;
  readonly address: string;
  readonly pid: number;
  /** Milliseconds from the start of the process to its first response. */
  readonly firstResponseMs: number;
  residentBytes(): number;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 120_000;
const POLL_MS = 5;

/**
 * Starts a server on a fresh copy of the seeded store.
 * @param settings additional environment variables
 * @param wrap turns the command into the one to run; by default it runs on the first core
 */
export async function startServer(
  name: ServerName,
  settings: Readonly<Record<string, string>> = {},
  wrap = (command: readonly string[]): [string, string[]] => onCore(0, command),
): Promise<RunningServer> {
  const port = await freePort();
  const storeFile = await copyStore(STORE_FILE, name);
  const { file, options, environment } = commandOf(name, port, storeFile);
  const command = wrap([process.execPath, fileURLToPath(new URL(file, import.meta.url)), ...options]);
  const address = `http://127.0.0.1:${port}`;
  return startProcess({ name, command, environment: { ...environment, ...settings }, address });
}

/** Copies a store file for the server of this name, replacing its previous copy. */
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
  /** Working directory, if it is not that of this process. */
  readonly folder?: string;
  /** The server counts as started when this path responds with 200. */
  readonly probe?: string;
  readonly credentials?: Credentials;
}

/** Starts a program and waits for its first response. */
export async function startProcess<Name extends string>(program: Process<Name>): Promise<RunningServer<Name>> {
  const { name, command, environment, address, folder } = program;
  const startedAt = performance.now();
  const child = spawn(...command, {
    cwd: folder,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // Stops the server if the run fails.
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  await waitForResponse(program, child);
  return {
    name,
    address,
    pid: child.pid!,
    firstResponseMs: performance.now() - startedAt,
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
          SHOP_URL: BASE_URL,
          DATABASE_URL: `sqlite:${storeFile}`,
          IMAGES_URL: `file:${IMAGES_FOLDER}`,
          API_KEY_READ_WRITE: KEY,
          ...(name === 'purveyor' ? { RESPONSE_CACHE_BYTES_MAX: '0' } : {}),
        },
      };
  }
}

async function waitForResponse(program: Process<string>, child: ChildProcess): Promise<void> {
  const { name, address, probe = '/api/products/1', credentials } = program;
  const giveUpAt = performance.now() + START_TIMEOUT_MS;
  while (child.exitCode === null && performance.now() < giveUpAt) {
    const response = await send(address, probe, undefined, credentials).catch(() => undefined);
    if (response?.status === 200) return;
    await sleep(POLL_MS);
  }
  child.kill('SIGKILL');
  throw new Error(`The server “${name}” did not respond within ${START_TIMEOUT_MS / 1000} s.`);
}

export interface HttpResponse {
  readonly status: number;
  readonly body: string;
}

/** Sends a GET request, or a POST request if there is a body. */
export async function send(
  address: string,
  path: string,
  body?: string,
  [header, key]: Credentials = CREDENTIALS,
): Promise<HttpResponse> {
  const headers = { [header]: key, 'content-type': 'application/json' };
  const sending = request(`${address}${path}`, { method: body === undefined ? 'GET' : 'POST', headers });
  sending.end(body);
  const [response] = await once(sending, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, body: Buffer.concat(chunks).toString() };
}
