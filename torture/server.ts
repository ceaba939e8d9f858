/** Starts, kills and stops the real program as a child process. Never ends other processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bareEnvironment } from '../test/support/compiled.ts';
import { startLineIn } from '../test/support/start-line.ts';

export const KEY = 'torture-read-write-key';

const PROGRAM = fileURLToPath(new URL('../bin/purveyor.js', import.meta.url));

export interface StoreLocation {
  readonly databaseUrl: string;
  readonly imagesFolder: string;
  /** The SQLite file; undefined on PostgreSQL. */
  readonly file: string | undefined;
  /** Worker processes of each server. */
  readonly workers: number;
}

/** Locates a store in a folder, with its rows in SQLite or PostgreSQL. */
export function placeIn(folder: string, postgresUrl?: string, workers = 1): StoreLocation {
  const file = join(folder, 'store.db');
  const imagesFolder = join(folder, 'images');
  return postgresUrl === undefined
    ? { databaseUrl: `sqlite:${file}`, imagesFolder, file, workers }
    : { databaseUrl: postgresUrl, imagesFolder, file: undefined, workers };
}

export interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
}

export interface StartOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** A command prefix that replaces itself with the server (`sh -c 'ulimit …; exec …'`). */
  readonly through?: readonly string[];
  readonly nodeArguments?: readonly string[];
}

/** Servers to kill when this process exits. */
const started = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of started) child.kill('SIGKILL');
});

export class Server {
  readonly ended: Promise<End>;
  readonly #child: ChildProcess;
  /** The listening address, if BASE_URL is a different one. */
  readonly #address: string | undefined;
  #output = '';
  #hasEnded = false;

  constructor(location: StoreLocation, { environment = {}, through = [], nodeArguments = [] }: StartOptions = {}) {
    const [command, ...rest] = [...through, process.execPath, ...nodeArguments, PROGRAM, 'serve'];
    this.#address = environment.BASE_URL === undefined ? undefined : `http://127.0.0.1:${environment.PORT}`;
    this.#child = spawn(command!, rest, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...bareEnvironment(),
        HOST: '127.0.0.1',
        PORT: '0',
        LOG_LEVEL: 'error',
        DATABASE_URL: location.databaseUrl,
        IMAGES_URL: `file:${location.imagesFolder}`,
        API_KEY_READ_WRITE: KEY,
        WORKERS: String(location.workers),
        ...environment,
      },
    });
    started.add(this.#child);
    const keep = (text: Buffer): void => {
      this.#output = (this.#output + text.toString()).slice(-OUTPUT_MAX);
    };
    this.#child.stdout!.on('data', keep);
    this.#child.stderr!.on('data', keep);
    this.ended = new Promise((resolve, reject) => {
      this.#child.once('error', reject);
      this.#child.once('exit', (code, signal) => {
        this.#hasEnded = true;
        started.delete(this.#child);
        // Not `close`: a decoder process that exits later holds the pipe open. The last output may still be in it.
        setImmediate(() => resolve({ code, signal, output: this.#output }));
      });
    });
    this.ended.catch(() => {});
  }

  get pid(): number {
    return this.#child.pid!;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get output(): string {
    return this.#output;
  }

  /** Waits until the server is ready. @returns its address @throws {Error} with its output, if it exits instead */
  ready(): Promise<string> {
    return new Promise((resolve, reject) => {
      const check = (): void => {
        const start = startLineIn(this.#output);
        if (start) resolve(this.#address ?? start.address);
      };
      this.#child.stdout!.on('data', check);
      this.ended.then(
        ({ code, signal, output }) =>
          reject(new Error(`The server exited (${code ?? signal}) during its start:\n${output}`)),
        reject,
      );
      check();
    });
  }

  signal(name: NodeJS.Signals): void {
    if (!this.#hasEnded) this.#child.kill(name);
  }

  /** @returns the process ids of the workers; requires Linux */
  workers(): number[] {
    const children = readFileSync(`/proc/${this.pid}/task/${this.pid}/children`, 'utf8');
    return children.split(' ').filter(Boolean).map(Number);
  }

  async end(name: NodeJS.Signals): Promise<End> {
    this.signal(name);
    return this.ended;
  }
}

/** Stops a server with SIGTERM. @throws {Error} if its exit code is not 0 */
export async function stop(server: Server): Promise<void> {
  const { code, signal, output } = await server.end('SIGTERM');
  if (code !== 0) throw new Error(`The server exited with ${code ?? signal} after SIGTERM:\n${output}`);
}

const OUTPUT_MAX = 20_000;
