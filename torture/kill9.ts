/**
 * kill -9 under load, again and again on one store. After each kill the store is started again (and now and then killed
 * while it starts), what had no answer is sent again with its key, and everything is compared with the ledger.
 */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { Checker } from './check.ts';
import { Broken, Ledger } from './ledger.ts';
import { Load, stockUp } from './load.ts';
import { Random } from './random.ts';
import type { Run } from './report.ts';
import { type Place, placeIn, Server, stop } from './server.ts';

export interface Kill9Options {
  readonly cycles: number;
  /** Each waits for its answer. */
  readonly clients?: number;
  /** Rows in PostgreSQL; the server process is killed all the same. */
  readonly postgresUrl?: string;
}

export interface Kill9Result {
  readonly acknowledged: number;
  readonly unanswered: number;
  readonly unansweredKept: number;
  readonly retried: number;
  readonly killedAtStart: number;
  readonly swept: number;
}

/** Enough for images to be among them; a decoder needs half a second to start. */
const ACKNOWLEDGED_MAX = 60;
const FULL_CHECK_EVERY = 25;

/** The heap's limit ends a process with SIGABRT; the kernel, short of memory, with SIGKILL. */
const SIGNALS = { SIGKILL: 9, SIGABRT: 1 } as const;

export async function kill9(
  { seed, folder, say }: Run,
  { cycles, clients, postgresUrl }: Kill9Options,
): Promise<Kill9Result> {
  const random = new Random(seed, 'kill9');
  const place = placeIn(folder, postgresUrl);
  const ledger = new Ledger(join(folder, 'ledger.jsonl'));
  const load = new Load(ledger, seed, clients);
  const checker = new Checker(ledger, place);
  let retried = 0;
  let killedAtStart = 0;
  let withoutLog = 0;
  const first = new Server(place);
  await first.ready();
  await stop(first);
  let server = new Server(place);
  let address = await server.ready();
  await stockUp(address);
  await checker.check(address, true);
  try {
    for (let cycle = 1; cycle <= cycles; cycle += 1) {
      const running = load.run(address);
      await Promise.race([load.acknowledged(random.whole(1, ACKNOWLEDGED_MAX)), running]);
      await server.end(random.weighted(SIGNALS));
      await running;
      if (place.file !== undefined && random.chance(0.2)) {
        withoutLog += 1;
        await refusedWithoutLog(place);
      }
      while (random.chance(0.2)) {
        killedAtStart += 1;
        const doomed = new Server(place);
        const started = doomed.ready().catch(() => {});
        // By chance somewhere between the first instruction and the first request.
        await Promise.race([started, new Promise((resolve) => setTimeout(resolve, random.whole(20, 700)))]);
        await doomed.end('SIGKILL');
      }
      server = new Server(place);
      address = await server.ready();
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
    `${cycles} kills and ${killedAtStart} during starts: ${tell()}, ${swept} orphans swept, ` +
      `${withoutLog} starts without the log refused, nothing lost.`,
  );
  return {
    acknowledged: ledger.counts.ok,
    unanswered: ledger.counts.unknown,
    unansweredKept: ledger.unknownKept,
    retried,
    killedAtStart,
    swept,
  };

  function tell(): string {
    const { ok, unknown } = ledger.counts;
    return `${ok} writes acknowledged, ${unknown} without an answer (${ledger.unknownKept} of them done), ${retried} sent again, ${checker.files} images whole`;
  }
}

/** Of a killed server's store: without its log it would be older. */
async function refusedWithoutLog(place: Place): Promise<void> {
  const log = `${place.file}-wal`;
  renameSync(log, `${log}.away`);
  const server = new Server(place);
  const isRefused = await server.ready().then(
    () => false,
    ({ message }) => /log \S+ is missing/.test(message),
  );
  await server.end('SIGKILL');
  if (!isRefused) throw new Broken(`The server should have missed the log:\n${server.output}`);
  renameSync(`${log}.away`, log);
}
