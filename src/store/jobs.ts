/** The jobs of a serving process beside answering: to order changes, remove released files, forget old answers, changes and kept records. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Clock,
  forgetChanges,
  orderChanges,
  releaseLeftFiles,
  type Service,
  sweepFiles,
} from '../engine/index.ts';
import { keptForgetter } from './erase-data-subject.ts';
import { forgetAnswers } from './idempotency-records.ts';
import { ownRequestOptions } from './own-requests.ts';
import { ServedHours } from './served-hours.ts';
import { forgetSessions } from './sessions.ts';
import { forgetDeliveries } from './webhooks/forget.ts';

const SWEEP_INTERVAL_MS = 3600 * 1000;
const SECONDS_PER_DAY = 24 * 3600;

/** Changes of a process that ended, or of an import, are put in order by whoever serves the store. */
const ORDER_INTERVAL_MS = 1000;

/** Changes of so long are put in order together, which costs little more than one. Whoever reads the journal orders it first. */
const ORDER_PAUSE_MS = 50;

interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

interface Jobs {
  /** Resolves when what was committed so far is in order, and the files that it released are removed. */
  settled(): Promise<void>;
  /** Ends them, once those that are under way have ended. */
  stop(): Promise<void>;
}

interface Options {
  /** So long the change feed tells what newer changes have replaced. */
  readonly changesKeepDays: number;
  /** Whether this process looks for what is old and left behind; it does when not said. Of a server's workers, one is enough. */
  readonly tidiesUp?: boolean | undefined;
}

export function startJobs(service: Service, log: Log, { changesKeepDays, tidiesUp = true }: Options): Jobs {
  const stopped = new AbortController();
  const { signal } = stopped;
  const unhurried = { ...service, clock: neverAhead(service.clock) };
  const hours = new ServedHours(unhurried);
  const forgetKept = keptForgetter(unhurried, ownRequestOptions(''));
  const warn = (message: string) => (error: unknown) => log.warn({ err: error }, message);

  const order = oneAtATime(() =>
    orderChanges(service).catch(warn('changes could not be put in order; the next change tries again')),
  );
  const orderSoon = oneAtATime(async () => {
    await sleep(ORDER_PAUSE_MS, undefined, { signal }).catch(() => {});
    await order();
  });
  const sweeping = oneAtATime(async () => {
    const removed = await sweepFiles(service, signal);
    if (removed > 0) log.info({ count: removed }, 'image files that no record names were removed');
  });
  const sweep = (): Promise<void> => sweeping().catch(warn('released image files could not be removed'));
  const forgetOld = (): Promise<void> =>
    forgetChanges(unhurried, unhurried.clock.now() - changesKeepDays * SECONDS_PER_DAY, signal);
  // One after the other: all at once would take a connection each.
  const tidyUp = oneAtATime(async () => {
    const chores = [
      () => forgetSessions(unhurried),
      () =>
        forgetKept(signal).then((count) => {
          if (count > 0) log.info({ count }, 'kept records of erased persons were emptied, as their years are over');
        }),
      () => hours.dayAgo().then((dayAgo) => forgetAnswers(unhurried, dayAgo, signal)),
      // These may be long: of many entries, of many files.
      () => forgetDeliveries(unhurried, ownRequestOptions(''), signal),
      forgetOld,
      () => releaseLeftFiles(service, signal).then(sweep),
    ];
    for (const chore of chores)
      if (!signal.aborted) await chore().catch(warn('what is no longer needed could not be swept'));
  });

  const stopListening = service.commits.listen(({ changes, releasesFiles }) => {
    if (changes.length > 0 && !service.database.dialect.writesInTurn) void orderSoon();
    if (releasesFiles) void sweep();
  });
  const timers = tidiesUp ? [setInterval(() => void tidyUp(), SWEEP_INTERVAL_MS)] : [];
  if (!service.database.dialect.writesInTurn) timers.push(setInterval(() => void orderSoon(), ORDER_INTERVAL_MS));
  void order();
  if (tidiesUp) void tidyUp();
  const settled = async (): Promise<void> => {
    await Promise.all([order(), sweep()]);
  };
  return {
    settled,
    async stop() {
      stopListening();
      for (const timer of timers) clearInterval(timer);
      stopped.abort();
      // No further chore begins: tidying up only waits for the one that runs.
      await Promise.all([orderSoon(), sweep(), ...(tidiesUp ? [tidyUp()] : [])]);
    },
  };
}

/** Never two runs at once: all calls during a run share one run after it. Resolves when that run has ended. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  let isWaiting = false;
  const begin = (): Promise<void> => {
    isWaiting = false;
    return work();
  };
  return () => {
    if (!isWaiting) last = last.then(begin, begin);
    isWaiting = true;
    return last;
  };
}

/** A clock that goes no faster than time passes: setting the system's clock forward makes nothing old. */
function neverAhead(clock: Clock): Clock {
  const [begun, begunAt] = [clock.now(), performance.now()];
  return { ...clock, now: () => Math.min(clock.now(), begun + Math.floor((performance.now() - begunAt) / 1000)) };
}
