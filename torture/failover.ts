/**
 * Kills PostgreSQL under load and promotes its standby at the same address. A synchronous standby has all acknowledged writes.
 * An asynchronous one may miss the last ones, by PostgreSQL's design: lost writes are counted, and the remaining state must be
 * one that the store was in.
 */
import { join } from 'node:path';
import pg from 'pg';
import { ChaosProxy } from '../test/support/chaos-proxy.ts';
import { PostgresServer } from '../test/support/postgres-server.ts';
import { Checker } from './check.ts';
import { Client } from './client.ts';
import { Broken, canonical, Ledger } from './ledger.ts';
import { createStock, Load } from './load.ts';
import { Random } from './random.ts';
import { STOCK_PATH, untilReadable, untilWritable } from './recovery.ts';
import { DoesNotApply, type Run } from './report.ts';
import { placeIn, Server, stop } from './server.ts';

export interface FailoverOptions {
  readonly cycles: number;
  readonly synchronous: boolean;
}

export interface FailoverResult {
  readonly acknowledged: number;
  /** Records that differ from their acknowledged state. */
  readonly lost: number;
}

const ACKNOWLEDGED_MAX = 60;

export async function failover(
  { seed, folder, say }: Run,
  { cycles, synchronous }: FailoverOptions,
): Promise<FailoverResult> {
  if (process.platform !== 'linux') throw new DoesNotApply('/proc, which names the processes to kill, is of Linux.');
  const random = new Random(seed, 'failover');
  const pair = await Pair.make(synchronous);
  const proxy = await ChaosProxy.to(pair.primary.url);
  const location = placeIn(folder, proxy.url);
  const ledger = new Ledger(join(folder, 'ledger.jsonl'));
  const load = new Load(ledger, seed);
  const server = new Server(location);
  const missing = synchronous ? undefined : new Set<string>();
  let checker = new Checker(ledger, location, missing);
  let [forgotten, lost, retried] = [0, 0, 0];
  try {
    const address = await server.ready();
    await createStock(address);
    const client = new Client(address);
    for (let cycle = 1; cycle <= cycles; cycle += 1) {
      await checker.check(address, true);
      const { 'changes-cursor': cursor } = (await client.expect('GET', '/api/changes?after=now')).headers;
      const running = load.run(address);
      await Promise.race([load.acknowledged(random.whole(1, ACKNOWLEDGED_MAX)), running]);
      await pair.primary.kill();
      load.stop();
      await running;
      proxy.redirectTo(pair.standby.url);
      await expectReadOnly(client);
      await expectStatus(client, `/api/changes?after=${cursor}`, 503);
      await pair.promote();
      await untilWritable(client);
      // The standby may lack published entries, so cursors from before the failover expire.
      await expectStatus(client, `/api/changes?after=${cursor}`, 410);
      await expectStatus(client, '/api/changes', 200);
      if (synchronous) await checker.check(address);
      else {
        const allowed = new Map(ledger.touched().map((subject) => [subject, ledger.possible(subject).map(canonical)]));
        forgotten += ledger.discardResponsesSince(0n);
        // Identifiers of lost records may be assigned again.
        checker = new Checker(ledger, location, missing);
        await checker.check(address);
        for (const [subject, states] of allowed)
          if (!states.includes(canonical(ledger.subjects.get(subject)?.found ?? null))) lost += 1;
      }
      retried += await load.retryOpen(address, true);
      await pair.restore();
      await untilWritable(client);
    }
    await checker.check(address, true);
    client.close();
    await stop(server);
  } finally {
    server.signal('SIGKILL');
    await server.ended.catch(() => {});
    proxy.close();
    await pair.remove();
  }
  const acknowledged = ledger.counts.ok + forgotten;
  say(
    `${cycles} failovers to ${synchronous ? 'a synchronous' : 'an asynchronous'} standby: ${acknowledged} writes ` +
      `acknowledged, ${ledger.counts.unknown - forgotten} without a response, ${retried} retried; ${lost} records differ ` +
      `from their acknowledged state, ${missing?.size ?? 0} of their image files are missing.`,
  );
  return { acknowledged, lost };
}

/** A primary and its standby. */
class Pair {
  primary: PostgresServer;
  standby: PostgresServer;
  readonly #synchronous: boolean;

  private constructor(primary: PostgresServer, standby: PostgresServer, synchronous: boolean) {
    this.primary = primary;
    this.standby = standby;
    this.#synchronous = synchronous;
  }

  static async make(synchronous: boolean): Promise<Pair> {
    const pair = new Pair(await PostgresServer.make(), await PostgresServer.make(), synchronous);
    await pair.standby.stop();
    await pair.#start();
    return pair;
  }

  /** Promotes the standby after the primary was killed. */
  async promote(): Promise<void> {
    [this.primary, this.standby] = [this.standby, this.primary];
    await this.#ask('alter system reset synchronous_standby_names');
    await this.#ask('select pg_promote()');
  }

  /** Starts the killed server as the new standby. */
  async restore(): Promise<void> {
    await this.#start();
  }

  async remove(): Promise<void> {
    await this.primary.remove();
    await this.standby.remove();
  }

  async #start(): Promise<void> {
    await this.primary.stop();
    await this.standby.follow(this.primary);
    await this.primary.start();
    await this.standby.start();
    if (this.#synchronous) {
      await this.#ask(`alter system set synchronous_standby_names = '*'`);
      await this.#ask('select pg_reload_conf()');
    }
    const wanted = this.#synchronous ? 'sync' : 'async';
    while ((await this.#ask('select sync_state from pg_stat_replication'))[0]?.sync_state !== wanted)
      await new Promise((resolve) => setTimeout(resolve, 20));
  }

  async #ask(sql: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.primary.url });
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }
}

async function expectStatus(client: Client, path: string, status: number): Promise<void> {
  const response = await client.send('GET', path);
  if (response.status !== status) throw new Broken(`GET ${path}: ${response.status}, not ${status}`);
}

/** Checks that reads work on the standby and writes get a 503. */
async function expectReadOnly(client: Client): Promise<void> {
  await untilReadable(client);
  const { status } = await client.send('PATCH', STOCK_PATH, { name: 'to a standby' });
  if (status !== 503) throw new Broken(`A write to a standby returned ${status}.`);
}
