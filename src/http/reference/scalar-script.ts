/** Scalar's script for browsers, plain and compressed with gzip. Made when the reference is first opened, and kept. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import { type PublicFile, publicFile } from './public-files.ts';

export interface ScalarScript {
  readonly gzip: PublicFile;
  readonly identity: PublicFile;
}

let script: Promise<ScalarScript> | undefined;

export function scalarScript(): Promise<ScalarScript> {
  script ??= load().catch((error) => {
    // The next visitor tries again.
    script = undefined;
    throw error;
  });
  return script;
}

const TYPE = 'text/javascript; charset=utf-8';

async function load(): Promise<ScalarScript> {
  const worker = new Worker(new URL('./scalar-worker.ts', import.meta.url));
  const [message] = await once(worker, 'message');
  const bytes = Buffer.from(message);
  return { gzip: publicFile(bytes, TYPE), identity: publicFile(gunzipSync(bytes), TYPE) };
}
