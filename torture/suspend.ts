/**
 * A machine that sleeps under load and wakes: the process stands still, the clock goes on, and on PostgreSQL the
 * connections are dead. The server answers the open requests, and serves as before.
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
  /** Clients give up after 60. */
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
      if (ahead !== cycle) throw new Broken(`After sleep ${cycle} the server's clock is ${ahead} hours ahead.`);
      const { ok, unknown } = ledger.counts;
      say(`sleep ${cycle}: ${ok} writes acknowledged, ${unknown} open or told to come again, ${retried} sent again`);
    }
    await stop(server);
  } finally {
    server.signal('SIGKILL');
    await server.ended.catch(() => {});
  }
  await checker.checkSweep();
  const { ok, unknown } = ledger.counts;
  say(
    `${cycles} sleeps of ${seconds} s on ${postgresUrl === undefined ? 'SQLite' : `PostgreSQL, ${cut} connections dead`}: ` +
      `${ok} writes acknowledged, ${unknown} without or told to come again (${ledger.unknownDone} of them done), nothing lost.`,
  );
}

/** @returns how many */
async function endConnections(url: string): Promise<number> {
  const administrator = new pg.Client({ connectionString: url });
  await administrator.connect();
  const { rowCount } = await administrator.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await administrator.end();
  return rowCount!;
}
