/** Starts s3rver, an S3 server from npm. `swift.ts` starts the other S3 server of the tests. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './postgres-server.ts';
import type { Settings } from './store.ts';

export interface S3Server {
  readonly endpoint: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  stop(): Promise<void>;
}

export const BUCKET = 'pictures';

/** Settings of a store with its images below this prefix of the bucket. */
export function s3Settings({ endpoint, credentials }: Omit<S3Server, 'stop'>, prefix: string): Settings {
  return {
    IMAGES_URL: `s3://${BUCKET}/${prefix}?endpoint=${endpoint}`,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
}

/** Starts s3rver with an empty bucket. */
export async function startS3rver(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'purveyor-s3rver-'));
  await mkdir(join(folder, BUCKET));
  const port = await freePort();
  const options = { directory: folder, address: '127.0.0.1', port, silent: true };
  // The package does not contain the command that its package.json names.
  const program = `new (require('@20minutes/s3rver'))(${JSON.stringify(options)}).run()`;
  const child = spawn(process.execPath, ['--eval', program], { stdio: ['ignore', 'ignore', 'inherit'] });
  process.once('exit', () => child.kill());
  const endpoint = `http://127.0.0.1:${port}`;
  await waitUntilReady(endpoint, child);
  return {
    endpoint,
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    async stop() {
      await ended(child);
      await rm(folder, { recursive: true });
    },
  };
}

export async function waitUntilReady(endpoint: string, child: ChildProcess, secondsMax = 60): Promise<void> {
  for (const from = Date.now(); Date.now() - from < secondsMax * 1000; await sleep(100)) {
    if (child.exitCode !== null) throw new Error(`The S3 server exited with ${child.exitCode}.`);
    const responds = await fetch(endpoint).then(
      (response) => response.body?.cancel().then(() => true),
      () => false,
    );
    if (responds !== false) return;
  }
  throw new Error(`No server responds at ${endpoint}.`);
}

export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill();
  await exit;
}
