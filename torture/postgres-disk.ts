/**
 * PostgreSQL on a full disk. If its tables have no space, writes get a 503 and reads continue. If its log has none, PostgreSQL
 * exits, and all requests fail until there is space and it is restarted. In both cases no acknowledged write is lost, and the
 * store recovers without a restart.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresServer, unprivilegedAccount } from '../test/support/postgres-server.ts';
import { Checker } from './check.ts';
import { Client } from './client.ts';
import { needRoot, SmallDisk } from './disk.ts';
import { fill, untilUnavailable } from './disk-full.ts';
import { Ledger } from './ledger.ts';
import { createStock, Load } from './load.ts';
import { Random } from './random.ts';
import { STOCK_PATH, untilWritable } from './recovery.ts';
import type { Run } from './report.ts';
import { placeIn, Server, stop } from './server.ts';

export interface PostgresDiskResult {
  readonly acknowledged: number;
  readonly unavailable: number;
}

/** Space for an empty cluster and some writes. */
const SIZES = { tables: '64m', log: '32m' };
/** Length of random texts, which do not compress. */
const TEXT_BYTES = 300_000;

export async function postgresDisk(
  { seed, folder, say }: Run,
  of: keyof typeof SIZES,
  perWorker: number,
): Promise<PostgresDiskResult> {
  needRoot('A disk that can be filled');
  const { uid, gid } = unprivilegedAccount()!;
  // The folder of the run is not accessible to the account of PostgreSQL.
  const open = mkdtempSync(join(tmpdir(), 'purveyor-postgres-disk-'));
  chmodSync(open, 0o711);
  const disk = await SmallDisk.make(open, `size=${SIZES[of]},uid=${uid},gid=${gid},mode=700`);
  const postgres = await PostgresServer.make(
    of === 'tables'
      ? { dataFolder: join(disk.folder, 'data') }
      : { logFolder: join(disk.folder, 'log'), settings: ['min_wal_size=2MB', 'max_wal_size=8MB'] },
  );
  const location = placeIn(folder, postgres.url);
  const ledger = new Ledger(join(folder, 'ledger.jsonl'));
  const load = new Load(ledger, seed);
  const checker = new Checker(ledger, location);
  const server = new Server(location);
  try {
    const address = await server.ready();
    await createStock(address);
    await load.run(address, perWorker);
    await checker.check(address);

    const ballast = fill(disk.folder, 'bytes');
    const client = new Client(address);
    const random = new Random(seed, 'until full');
    const description = () => Buffer.from(Array.from({ length: TEXT_BYTES }, () => random.whole(33, 126))).toString();
    const written = await untilUnavailable(client, server, ['PATCH', STOCK_PATH], () => ({
      description: description(),
    }));
    await load.run(address, perWorker);
    if (of === 'tables') {
      await client.expect('GET', '/api/products?itemsPerPage=100');
      await client.expect('GET', '/readyz');
      await checker.check(address);
    } else {
      // After a panic PostgreSQL recovers automatically, which may need space too.
      while (!postgres.hasEnded && (await client.send('GET', STOCK_PATH)).status === 503)
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await client.expect('GET', '/healthz');

    for (const path of ballast) rmSync(path);
    let starts = 0;
    await untilWritable(client, async () => {
      if (!postgres.hasEnded) return;
      // Acts as the supervisor of PostgreSQL.
      starts += 1;
      await postgres.start();
    });
    const retried = await load.retryOpen(address, of === 'tables');
    await load.run(address, perWorker);
    await checker.check(address, true);
    client.close();
    await stop(server);
    const swept = await checker.checkSweep();
    const { ok, unknown } = ledger.counts;
    say(
      `No space for PostgreSQL's ${of}: ${ok} writes acknowledged, ${unknown} got a 503 or no response ` +
        `(${ledger.unknownDone} of them done), ${retried} retried with space, ${swept} orphaned files swept; ` +
        `the disk was full after ${written} long texts; ` +
        `PostgreSQL exited ${starts} times.`,
    );
    return { acknowledged: ok, unavailable: unknown };
  } finally {
    server.signal('SIGKILL');
    await server.ended.catch(() => {});
    await postgres.remove();
    await disk.unmount();
    rmSync(open, { recursive: true });
  }
}
