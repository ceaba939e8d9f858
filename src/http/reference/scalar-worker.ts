/**
 * Gets Scalar's script for browsers out of its Fastify plugin, which keeps it to itself, and posts it compressed. A thread
 * of its own: the module takes 45 MB and a fifth of a second to load, and both are given back when the thread ends.
 */
import { parentPort } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import scalar from '@scalar/fastify-api-reference';
import { fastify } from 'fastify';

const app = fastify();
// The plugin serves nothing without a document; the one here is never asked for.
await app.register(scalar, { configuration: { content: {} } });
const { rawPayload, statusCode } = await app.inject('/reference/js/scalar.js');
if (statusCode !== 200) throw new Error(`The plugin does not serve its script: ${statusCode}.`);
parentPort!.postMessage(gzipSync(rawPayload));
