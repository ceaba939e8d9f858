/** Scalar's script for browsers. Read when the reference is first opened, and kept, also as it comes: compressed. */
import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import { keepEncoded } from '../responses/encodings.ts';
import { type PublicFile, publicFile } from './public-files.ts';

let script: Promise<PublicFile> | undefined;

export function scalarScript(): Promise<PublicFile> {
  script ??= load().catch((error) => {
    // The next visitor tries again.
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
  keepEncoded(file.bytes, 'gzip', compressed);
  return file;
}
