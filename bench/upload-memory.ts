/**
 * `npm run bench:upload-memory`: sends 40 images of 10 MB at once, three times. Prints the response statuses and the sampled
 * memory of the server and its decoder processes. Asserts no sizes.
 */
import { execFileSync } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { KEY } from './constants.ts';
import { describeMachine } from './machine.ts';
import { seedStore } from './seed.ts';
import { send, startServer } from './servers.ts';

const UPLOADS = 40;
const ROUNDS = 3;
const SIDE = 1830;
const SAMPLE_MS = 100;

await seedStore(console.log);
const pixels = randomFillSync(Buffer.alloc(SIDE * SIDE * 3));
const png = await sharp(pixels, { raw: { width: SIDE, height: SIDE, channels: 3 } })
  .png({ compressionLevel: 0 })
  .toBuffer();
const attachment = png.toString('base64');
const body = Buffer.from(JSON.stringify({ attachment, filename: 'noise.png' }));
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0);
console.log(`${describeMachine()}; ${UPLOADS} at once, each an image of ${megabytes(png.length)} MB.\n`);

for (const [limits, settings] of [
  ['default', {}],
  ['without a limit', { UPLOADS_AT_ONCE_MAX: '0' }],
] as const) {
  const server = await startServer('purveyor + cache', settings);
  await send(server.address, '/api/products');
  const idle = memoryOf(server.pid);
  let peak = idle;
  let isOver = false;
  const sampling = (async () => {
    while (!isOver) {
      const now = memoryOf(server.pid);
      peak = { server: Math.max(peak.server, now.server), decoders: Math.max(peak.decoders, now.decoders) };
      await sleep(SAMPLE_MS);
    }
  })();
  const counts: Record<string, number> = {};
  for (let round = 0; round < ROUNDS; round += 1)
    for (const status of await Promise.all(
      Array.from({ length: UPLOADS }, (_, index) => upload(server.address, index)),
    ))
      counts[status] = (counts[status] ?? 0) + 1;
  isOver = true;
  await sampling;
  console.log(
    `${limits}: ${JSON.stringify(counts)}; server ${megabytes(idle.server)} MB idle, ${megabytes(peak.server)} MB at most; decoders ${megabytes(peak.decoders)} MB at most`,
  );
  await server.stop();
}

function upload(address: string, index: number): Promise<string> {
  const headers = { 'x-auth-token': KEY, 'content-type': 'application/json', 'content-length': body.length };
  return new Promise((resolve) => {
    const sending = request(`${address}/api/products/${index + 1}/images`, { method: 'POST', headers, agent: false });
    sending.on('response', (response) => {
      response.resume();
      response.on('end', () => resolve(String(response.statusCode)));
    });
    sending.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sending.end(body);
  });
}

/** @returns resident memory in bytes, including shared pages, so the total of the decoders is an upper bound */
function memoryOf(pid: number): { server: number; decoders: number } {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,rss='], { encoding: 'utf8' }).trim().split('\n');
  let [server, decoders] = [0, 0];
  for (const [own, parent, kilobytes] of rows.map((row) => row.trim().split(/\s+/).map(Number))) {
    if (own === pid) server = kilobytes! * 1024;
    if (parent === pid) decoders += kilobytes! * 1024;
  }
  return { server, decoders };
}
