/** Runs the command line in a child process with its own folder and environment. */
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bareEnvironment } from '../support/compiled.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/purveyor.js', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  /** Resolves with the first match of the pattern in standard output. Rejects if the program ends without it. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  signal(name: NodeJS.Signals): void;
  readonly ended: Promise<Ended>;
}

/** Longer than any start takes on a busy machine; ends tests that wait in vain. */
const SAYS_MS_MAX = 180_000;

export class Folder {
  readonly path: string;
  readonly #program: string;
  readonly #running: Running[] = [];

  private constructor(path: string, program: string) {
    this.path = path;
    this.#program = program;
  }

  /** @param program default: the one of this repository */
  static async make(program = PROGRAM): Promise<Folder> {
    return new Folder(await mkdtemp(join(tmpdir(), 'purveyor-cli-')), program);
  }

  write(name: string, content: string): Promise<void> {
    return writeFile(join(this.path, name), content);
  }

  async files(): Promise<string[]> {
    return (await readdir(this.path)).sort();
  }

  start(args: readonly string[], environment: Record<string, string> = {}): Running {
    const child = spawn(process.execPath, [this.#program, ...args], {
      cwd: this.path,
      env: { ...bareEnvironment(), PORT: '0', ...environment },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const ended = new Promise<Ended>((resolve) => {
      child.on('close', (code) => resolve({ code, stdout, stderr }));
    });
    const running: Running = {
      ended,
      signal: (name) => void child.kill(name),
      says: (pattern) =>
        new Promise((resolve, reject) => {
          const check = (): void => {
            const match = pattern.exec(stdout);
            if (match) resolve(match);
          };
          child.stdout.on('data', check);
          const late = (): void => reject(new Error(`no output matches ${pattern}:\n${stdout}${stderr}`));
          setTimeout(late, SAYS_MS_MAX).unref();
          ended.then(() =>
            reject(new Error(`the program ended, and no output matches ${pattern}:\n${stdout}${stderr}`)),
          );
          check();
        }),
    };
    this.#running.push(running);
    return running;
  }

  run(args: readonly string[], environment: Record<string, string> = {}): Promise<Ended> {
    return this.start(args, environment).ended;
  }

  async remove(): Promise<void> {
    for (const running of this.#running) running.signal('SIGKILL');
    await Promise.all(this.#running.map(({ ended }) => ended));
    await rm(this.path, { recursive: true });
  }
}
