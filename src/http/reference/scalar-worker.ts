/**
 * Gets Scalar's browser script from its Fastify plugin, which does not export it, and posts it compressed. It runs in a worker
 * thread because loading the module takes 45 MB and 200 ms; the memory is released when the thread ends.
 */
import { parentPort } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import scalar from '@scalar/fastify-api-reference';
import { fastify } from 'fastify';

const app = fastify();
// The plugin requires a document, which is never requested.
await app.register(scalar, { configuration: { content: {} } });
const { rawPayload, statusCode } = await app.inject('/reference/js/scalar.js');
if (statusCode !== 200) throw new Error(`The plugin does not serve its script: ${statusCode}.`);
parentPort!.postMessage(gzipSync(rawPayload));
