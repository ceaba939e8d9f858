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

export const SERVER_NAMES = ['bare', 'stub', 'purveyor', 'purveyor + cache'] as const;
export type ServerName = (typeof SERVER_NAMES)[number];

export interface RunningServer {
  readonly name: ServerName;
  readonly address: string;
  readonly pid: number;
  /** From the start of the process to its first answer. */
  readonly firstAnswerMs: number;
  residentBytes(): number;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 30_000;
const POLL_MS = 5;

/** Starts the server on a fresh copy of the seeded store, with further settings where it takes any, on the first core or where `placed` says. */
export async function startServer(
  name: ServerName,
  settings: Readonly<Record<string, string>> = {},
  placed = (command: readonly string[]): [string, string[]] => onCore(0, command),
): Promise<RunningServer> {
  const port = await freePort();
  const storeFile = `${FOLDER}${name.replace(/\W+/g, '-')}.db`;
  for (const ending of ['', '-wal', '-shm', '.lock']) await rm(`${storeFile}${ending}`, { force: true });
  await copyFile(STORE_FILE, storeFile);
  const { file, options, environment } = commandOf(name, port, storeFile);
  const [program, rest] = placed([process.execPath, fileURLToPath(new URL(file, import.meta.url)), ...options]);
  const startedAt = performance.now();
  const child = spawn(program, rest, {
    env: { PATH: process.env.PATH, ...environment, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // A run that fails leaves no server behind.
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  const address = `http://127.0.0.1:${port}`;
  await untilAnswers(address, child, name);
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

async function untilAnswers(address: string, child: ChildProcess, name: ServerName): Promise<void> {
  const giveUpAt = performance.now() + START_TIMEOUT_MS;
  while (child.exitCode === null && performance.now() < giveUpAt) {
    const answer = await ask(address, '/api/products/1').catch(() => undefined);
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
export async function ask(address: string, path: string, body?: string): Promise<Answer> {
  const headers = { 'x-auth-token': KEY, 'content-type': 'application/json' };
  const sending = request(`${address}${path}`, { method: body === undefined ? 'GET' : 'POST', headers });
  sending.end(body);
  const [response] = await once(sending, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, body: Buffer.concat(chunks).toString() };
}
