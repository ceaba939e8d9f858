/**
 * A disk without free bytes or inodes: writes that need space get a 503, reads continue, no partial write remains, and
 * everything works again without a restart when there is space.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Checker } from './check.ts';
import { Client, type HttpResponse } from './client.ts';
import { needRoot, SmallDisk } from './disk.ts';
import { randomImage } from './images.ts';
import { Broken, Ledger } from './ledger.ts';
import { createStock, Load } from './load.ts';
import { Random } from './random.ts';
import { STOCK_PATH } from './recovery.ts';
import type { Run } from './report.ts';
import { placeIn, Server, stop } from './server.ts';

export interface DiskFullResult {
  readonly acknowledged: number;
  readonly unavailable: number;
}

const SIZES = { bytes: 'size=48m', names: 'size=64m,nr_inodes=150' };
const ROUNDS_MAX = 100;

export async function diskFull({ seed, folder, say }: Run, of: keyof typeof SIZES): Promise<DiskFullResult> {
  needRoot('A disk that can be filled');
  const disk = await SmallDisk.make(folder, SIZES[of]);
  const location = placeIn(join(disk.folder, 'data'));
  const ledger = new Ledger(join(folder, 'ledger.jsonl'));
  const load = new Load(ledger, seed);
  const checker = new Checker(ledger, location);
  const server = new Server(location);
  try {
    const address = await server.ready();
    await createStock(address);
    await load.run(address, 20);
    await checker.check(address);

    const ballast = fill(disk.folder, of);
    const client = new Client(address);
    const random = new Random(seed, 'until full');
    const upload = await untilUnavailable(client, server, ['POST', `${STOCK_PATH}/images`], () => ({
      attachment: randomImage(random, 96).bytes.toString('base64'),
      filename: 'a.png',
      alt: 'while the disk is full',
    }));
    if (of === 'bytes')
      await untilUnavailable(client, server, ['PATCH', STOCK_PATH], () => ({
        description: `${random.next()}`.repeat(20_000),
      }));
    else await client.expect('POST', '/api/tags', { name: 'a row needs no new name on the disk' });
    await client.expect('GET', '/api/products?itemsPerPage=100');
    await client.expect('GET', '/healthz');
    await load.run(address, 15);
    await checker.check(address);

    for (const path of ballast) rmSync(path);
    const retried = await load.retryOpen(address, true);
    await load.run(address, 20);
    await checker.check(address, true);
    await client.expect('POST', '/api/tags', { name: 'there is room again' });
    client.close();
    await stop(server);
    const swept = await checker.checkSweep();
    const { ok, unknown } = ledger.counts;
    say(
      `Disk without free ${of === 'bytes' ? 'bytes' : 'inodes'}: ${ok} writes acknowledged, ${unknown} got a 503, ` +
        `${retried} retried with free space, ${swept} orphaned files swept; the disk was full after ${upload} uploads.`,
    );
    return { acknowledged: ok, unavailable: unknown };
  } finally {
    server.signal('SIGKILL');
    await server.ended.catch(() => {});
    await disk.unmount();
  }
}

/**
 * Writes until the server responds with 503: existing files may still have some space.
 * @returns the number of writes that succeeded
 */
export async function untilUnavailable(
  client: Client,
  server: Server,
  [method, path]: readonly [string, string],
  body: () => unknown,
): Promise<number> {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const response = (await client.send(method, path, body())) as HttpResponse;
    if (response.status === 503 && response.headers['retry-after'] !== undefined) return round;
    if (response.status !== 201 && response.status !== 200)
      throw new Broken(`${method} ${path} on a full disk: ${response.status} ${response.text ?? ''}\n${server.output}`);
  }
  throw new Broken(`${method} ${path} succeeded ${ROUNDS_MAX} times on a full disk.`);
}

/** Fills the disk. @returns the files to delete to free it again */
export function fill(folder: string, of: 'bytes' | 'names'): string[] {
  const ballast: string[] = [];
  const file = of === 'bytes' ? Buffer.alloc(64 * 1024) : Buffer.alloc(0);
  for (;;) {
    const path = join(folder, `ballast-${ballast.length}`);
    try {
      writeFileSync(path, file);
      ballast.push(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      // The part of the last file that was written fills the rest.
      return of === 'bytes' ? [...ballast, path] : ballast;
    }
  }
}
