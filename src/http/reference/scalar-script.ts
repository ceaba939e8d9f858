/** Scalar's browser script, loaded when the reference is first opened and cached with its compressed form. */
import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import { addEncoded } from '../responses/encodings.ts';
import { type PublicFile, publicFile } from './public-files.ts';

let script: Promise<PublicFile> | undefined;

export function scalarScript(): Promise<PublicFile> {
  script ??= load().catch((error) => {
    // The next request tries again.
    script = undefined;
    throw error;
  });
  return script;
}

const TYPE = 'text/javascript; charset=utf-8';

async function load(): Promise<PublicFile> {
  const worker = new Worker(new URL(`./scalar-worker${extname(import.meta.url)}`, import.meta.url));
  const [message] = await once(worker, 'message');
  const compressed = Buffer.from(message);
  const file = publicFile(gunzipSync(compressed), TYPE);
  addEncoded(file.bytes, 'gzip', compressed);
  return file;
}
