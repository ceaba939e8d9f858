/**
 * A machine that is suspended under load and resumed: the process stops while the clock advances, and its connections to
 * PostgreSQL are closed. Afterwards the server must complete the open requests and work as before.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Checker } from './check.ts';
import { Client } from './client.ts';
import { settableClock } from './clock.ts';
import { Broken, Ledger } from './ledger.ts';
import { createStock, Load } from './load.ts';
import type { Run } from './report.ts';
import { placeIn, Server, stop } from './server.ts';

export interface SuspendOptions {
  readonly cycles: number;
  /** Less than 60, after which clients give up. */
  readonly seconds: number;
  readonly postgresUrl?: string;
}

const OPERATIONS_MAX = 60;

/** J7 */
export async function suspends({ seed, folder, say }: Run, { cycles, seconds, postgresUrl }: SuspendOptions) {
  const { set, environment } = settableClock(folder);
  const location = placeIn(folder, postgresUrl);
  const ledger = new Ledger(join(folder, 'ledger.jsonl'));
  const load = new Load(ledger, seed);
  const checker = new Checker(ledger, location);
  const server = new Server(location, { environment });
  let cut = 0;
  try {
    const address = await server.ready();
    await createStock(address);
    await checker.check(address, true);
    for (let cycle = 1; cycle <= cycles; cycle += 1) {
      const running = load.run(address, OPERATIONS_MAX);
      await load.acknowledged(cycle * 7);
      server.signal('SIGSTOP');
      set(`+${cycle}h`);
      if (postgresUrl !== undefined) cut += await endConnections(postgresUrl);
      await sleep(seconds * 1000);
      server.signal('SIGCONT');
      await running;
      const retried = await load.retryOpen(address, false);
      await checker.check(address, cycle === cycles);
      const client = new Client(address);
      const { headers } = await client.expect('GET', '/readyz');
      client.close();
      const ahead = Math.round((Date.parse(headers.date!) - Date.now()) / 3600_000);
      if (ahead !== cycle) throw new Broken(`After suspend ${cycle} the server's clock is ${ahead} hours ahead.`);
      const { ok, unknown } = ledger.counts;
      say(`suspend ${cycle}: ${ok} writes acknowledged, ${unknown} got a 503 or no response, ${retried} retried`);
    }
    await stop(server);
  } finally {
    server.signal('SIGKILL');
    await server.ended.catch(() => {});
  }
  await checker.checkSweep();
  const { ok, unknown } = ledger.counts;
  say(
    `${cycles} suspends of ${seconds} s on ${postgresUrl === undefined ? 'SQLite' : `PostgreSQL, ${cut} connections closed`}: ` +
      `${ok} writes acknowledged, ${unknown} got a 503 or no response (${ledger.unknownDone} of them done), none lost.`,
  );
}

/** Terminates all connections to the database. @returns their number */
async function endConnections(url: string): Promise<number> {
  const administrator = new pg.Client({ connectionString: url });
  await administrator.connect();
  const { rowCount } = await administrator.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await administrator.end();
  return rowCount!;
}
