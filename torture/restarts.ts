/**
 * Stops that are asked for, under load, one after another: what was begun is answered, the server ends with 0, and what
 * got no connection is sent again to the next one.
 */
import { join } from 'node:path';
import { Checker } from './check.ts';
import { Broken, Ledger } from './ledger.ts';
import { Load, stockUp } from './load.ts';
import { Random } from './random.ts';
import type { Run } from './report.ts';
import { placeIn, Server } from './server.ts';

export interface RestartsResult {
  readonly acknowledged: number;
  /** Requests that were cut off: the connection was open and idle, and both sides moved at once. */
  readonly cutOff: number;
}

export async function restarts({ seed, folder, say }: Run, { cycles }: { cycles: number }): Promise<RestartsResult> {
  const random = new Random(seed, 'restarts');
  const place = placeIn(folder);
  const ledger = new Ledger(join(folder, 'ledger.jsonl'));
  const load = new Load(ledger, seed, 6);
  const checker = new Checker(ledger, place);
  let server = new Server(place);
  try {
    let address = await server.ready();
    await stockUp(address);
    await checker.check(address, true);
    for (let cycle = 1; cycle <= cycles; cycle += 1) {
      const running = load.run(address);
      await Promise.race([load.acknowledged(random.whole(1, 80)), running]);
      const { code, signal, output } = await server.end('SIGTERM');
      await running;
      if (code !== 0) throw new Broken(`A server that was asked to stop ended with ${code ?? signal}:\n${output}`);
      server = new Server(place);
      address = await server.ready();
      await load.retryOpen(address, false);
      await checker.check(address, cycle === cycles);
    }
    const { code } = await server.end('SIGTERM');
    if (code !== 0) throw new Broken(`A server that was asked to stop ended with ${code}.`);
  } finally {
    server.signal('SIGKILL');
    await server.ended.catch(() => {});
  }
  const swept = await checker.checkSweep();
  const { ok, unknown, refused } = ledger.counts;
  say(
    `${cycles} stops: ${ok} writes acknowledged, ${unknown} cut off without an answer (${ledger.unknownKept} of them done), ` +
      `${refused} found nobody listening, ${swept} orphans swept, nothing lost.`,
  );
  return { acknowledged: ok, cutOff: unknown };
}
