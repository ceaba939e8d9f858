/**
 * kill -9 under load, again and again on one store. After each kill the store is started again (and now and then killed
 * while it starts), what had no answer is sent again with its key, and everything is compared with the ledger.
 */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Checker } from './check.ts';
import { Broken, Ledger } from './ledger.ts';
import { createStock, Load } from './load.ts';
import { Random } from './random.ts';
import type { Run } from './report.ts';
import { placeIn, Server, type StoreLocation, stop } from './server.ts';

export interface Kill9Options {
  readonly cycles: number;
  /** Each waits for its answer. */
  readonly clients?: number;
  /** Rows in PostgreSQL; the server process is killed all the same. */
  readonly postgresUrl?: string;
  /** With several, half of the kills are of one of them, and the server goes on. */
  readonly workers?: number;
}

export interface Kill9Result {
  readonly acknowledged: number;
  readonly unanswered: number;
  readonly unansweredDone: number;
  readonly retried: number;
  readonly workersKilled: number;
  readonly killedAtStart: number;
  readonly swept: number;
}

/** Enough for images to be among them; a decoder needs half a second to start. */
const ACKNOWLEDGED_MAX = 60;
const FULL_CHECK_EVERY = 25;
const WORKERS_END_MS = 300;

/** The heap's limit ends a process with SIGABRT; the kernel, short of memory, with SIGKILL. */
const SIGNALS = { SIGKILL: 9, SIGABRT: 1 } as const;

export async function kill9(
  { seed, folder, say }: Run,
  { cycles, clients, postgresUrl, workers }: Kill9Options,
): Promise<Kill9Result> {
  const random = new Random(seed, 'kill9');
  const location = placeIn(folder, postgresUrl, workers);
  const ledger = new Ledger(join(folder, 'ledger.jsonl'));
  const load = new Load(ledger, seed, clients);
  const checker = new Checker(ledger, location);
  let retried = 0;
  let killedAtStart = 0;
  let withoutLog = 0;
  let workersKilled = 0;
  const first = new Server(location);
  await first.ready();
  await stop(first);
  let server = new Server(location);
  let address = await server.ready();
  await createStock(address);
  await checker.check(address, true);
  try {
    for (let cycle = 1; cycle <= cycles; cycle += 1) {
      const running = load.run(address);
      await Promise.race([load.acknowledged(random.whole(1, ACKNOWLEDGED_MAX)), running]);
      if (location.workers > 1 && random.chance(0.5)) {
        workersKilled += 1;
        await killWorker(server, random);
        load.stop();
        await running;
      } else {
        await server.end(random.weighted(SIGNALS));
        await running;
        if (location.file !== undefined && random.chance(0.2)) {
          withoutLog += 1;
          await refusedWithoutLog(location);
        }
        while (random.chance(0.2)) {
          killedAtStart += 1;
          const doomed = new Server(location);
          const started = doomed.ready().catch(() => {});
          // By chance somewhere between the first instruction and the first request.
          await Promise.race([started, sleep(random.whole(20, 700 * location.workers))]);
          await doomed.end('SIGKILL');
        }
        server = new Server(location);
        address = await server.ready();
      }
      const isChecked = random.chance(0.5);
      if (isChecked) await checker.check(address);
      retried += await load.retryOpen(address, isChecked);
      await checker.check(address, cycle % FULL_CHECK_EVERY === 0 || cycle === cycles);
      if (cycle % FULL_CHECK_EVERY === 0) say(`${cycle} kills: ${tell()}`);
    }
    await stop(server);
  } finally {
    server.signal('SIGKILL');
    await server.ended.catch(() => {});
  }
  const swept = await checker.checkSweep();
  say(
    `${cycles} kills${workersKilled > 0 ? ` (${workersKilled} of a worker)` : ''} and ${killedAtStart} during starts: ` +
      `${tell()}, ${swept} orphans swept, ` +
      `${withoutLog} starts without the log refused, nothing lost.`,
  );
  return {
    acknowledged: ledger.counts.ok,
    unanswered: ledger.counts.unknown,
    unansweredDone: ledger.unknownDone,
    retried,
    workersKilled,
    killedAtStart,
    swept,
  };

  function tell(): string {
    const { ok, unknown } = ledger.counts;
    return `${ok} writes acknowledged, ${unknown} without an response (${ledger.unknownDone} of them done), ${retried} sent again, ${checker.files} images whole`;
  }
}

/** The others go on under load for a moment, and another one comes in its place. */
async function killWorker(server: Server, random: Random): Promise<void> {
  process.kill(random.pick(server.workers()), random.weighted(SIGNALS));
  await sleep(random.whole(0, 1500));
  if (server.hasEnded) throw new Broken(`The server ended with its worker:\n${server.output}`);
}

/** Of a killed server's store: without its log it would be older. */
async function refusedWithoutLog(location: StoreLocation): Promise<void> {
  const log = `${location.file}-wal`;
  // The workers of a server whose first process was killed end in this moment.
  await sleep(WORKERS_END_MS * (location.workers - 1));
  renameSync(log, `${log}.away`);
  const server = new Server(location);
  const isRefused = await server.ready().then(
    () => false,
    ({ message }) => /log \S+ is missing/.test(message),
  );
  await server.end('SIGKILL');
  if (!isRefused) throw new Broken(`The server should have missed the log:\n${server.output}`);
  renameSync(`${log}.away`, log);
}
