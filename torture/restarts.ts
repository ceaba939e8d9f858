/**
 * Repeated SIGTERM under load: the server must finish all running requests and exit with 0. Requests without a connection are
 * retried on the next server. In addition to the writers, readers open a new connection for each request.
 */
import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { Checker } from './check.ts';
import { Broken, Ledger } from './ledger.ts';
import { createStock, Load } from './load.ts';
import { Random } from './random.ts';
import type { Run } from './report.ts';
import { KEY, placeIn, Server } from './server.ts';

export interface RestartsResult {
  readonly acknowledged: number;
  /** Requests of writers and readers that had a connection but got no response. */
  readonly cutOff: number;
}

const READERS = 6;

export async function restarts(
  { seed, folder, say }: Run,
  { cycles, workers }: { cycles: number; workers?: number },
): Promise<RestartsResult> {
  const random = new Random(seed, 'restarts');
  const location = placeIn(folder, undefined, workers);
  const ledger = new Ledger(join(folder, 'ledger.jsonl'));
  const load = new Load(ledger, seed, 6);
  const checker = new Checker(ledger, location);
  const reads: Reads = { responded: 0, cutOff: 0 };
  let server = new Server(location);
  try {
    let address = await server.ready();
    await createStock(address);
    await checker.check(address, true);
    for (let cycle = 1; cycle <= cycles; cycle += 1) {
      const readers = Array.from({ length: READERS }, () => readOn(address, reads));
      const running = load.run(address);
      await Promise.race([load.acknowledged(random.whole(1, 80)), running]);
      const { code, signal, output } = await server.end('SIGTERM');
      await Promise.all([running, ...readers]);
      if (code !== 0) throw new Broken(`The server exited with ${code ?? signal} after SIGTERM:\n${output}`);
      server = new Server(location);
      address = await server.ready();
      await load.retryOpen(address, false);
      await checker.check(address, cycle === cycles);
    }
    const { code } = await server.end('SIGTERM');
    if (code !== 0) throw new Broken(`The server exited with ${code} after SIGTERM.`);
  } finally {
    server.signal('SIGKILL');
    await server.ended.catch(() => {});
  }
  const swept = await checker.checkSweep();
  const { ok, unknown, refused } = ledger.counts;
  say(
    `${cycles} stops: ${ok} writes acknowledged, ${unknown} cut off without a response (${ledger.unknownDone} of them done), ` +
      `${refused} got no connection, ${swept} orphaned files swept, no acknowledged write lost; ` +
      `${reads.cutOff} of ${reads.responded + reads.cutOff} reads on new connections were cut off.`,
  );
  return { acknowledged: ok, cutOff: unknown + reads.cutOff };
}

interface Reads {
  responded: number;
  cutOff: number;
}

/** Reads on new connections until they are refused. */
async function readOn(address: string, reads: Reads): Promise<void> {
  for (;;) {
    const outgoing = request(`${address}/api/products/1`, { agent: false, headers: { 'x-auth-token': KEY } }).end();
    try {
      const [incoming] = await once(outgoing, 'response');
      await incoming.resume().toArray();
      reads.responded += 1;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') return;
      reads.cutOff += 1;
    }
  }
}
