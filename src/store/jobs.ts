/** Background jobs: ordering of changes, removal of released files, deletion of expired records. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Clock,
  chainAudit,
  forgetAudit,
  forgetChanges,
  indexAudit,
  orderChanges,
  releaseLeftFiles,
  type Service,
  sweepFiles,
} from '../engine/index.ts';
import { dailyAuditHead } from './audit/audit-head.ts';
import { countFailedSignIns } from './audit/failed-sign-in-entries.ts';
import { expireCarts } from './carts/expiry.ts';
import { retainedRecordsEraser, scrubErasures } from './erase-data-subject.ts';
import { type FormerValueRetention, forgetFormerValues } from './former-values.ts';
import { deleteOldIdempotencyRecords } from './idempotency-records.ts';
import { forgetMails } from './mails/outbox-rows.ts';
import { jobRequestOptions } from './own-requests.ts';
import { ServedHours } from './served-hours.ts';
import { forgetSessions } from './sessions.ts';
import { forgetCounts } from './shoppers/counted.ts';
import { forgetOneTimeTokens } from './shoppers/one-time-tokens.ts';
import { forgetShopperSessions } from './shoppers/sessions.ts';
import { forgetFailedSignIns } from './users/failed-sign-ins.ts';
import { forgetDeliveries } from './webhooks/forget.ts';

const SWEEP_INTERVAL_MS = 3600 * 1000;
const SECONDS_PER_DAY = 24 * 3600;

/** Interval for ordering changes of other processes, such as imports or a server that has ended. */
const ORDER_INTERVAL_MS = 1000;

/**
 * Changes made within this time are ordered together. Readers of the journal order it first, so they do not depend on
 * it.
 */
const ORDER_PAUSE_MS = 50;

/** Interval for chaining audit entries. Readers of the audit chain them first. */
const CHAIN_INTERVAL_MS = 1000;

/**
 * Interval for recording failed sign-ins, and for adding audit entries to the index tables. Until then, readers scan each
 * entry.
 */
const AUDIT_INTERVAL_MS = 10_000;

interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

interface Jobs {
  /** Resolves when everything committed so far is ordered and indexed, and the files it released are removed. */
  settled(): Promise<void>;
  /** Resolves when running jobs have ended; no further ones start. */
  stop(): Promise<void>;
}

interface Options {
  /** Days for which the change feed reports changes that newer ones have replaced. */
  readonly changesKeepDays: number;
  /** Days for which audit entries are stored; 0: forever. */
  readonly auditKeepDays: number;
  /** Retention of earlier values of products and rules; undefined retains all. */
  readonly formerValues?: FormerValueRetention;
  /** Whether this process also deletes expired records and files; default: true. One worker of a server is enough. */
  readonly tidiesUp?: boolean | undefined;
  /** Whether the end of the audit is logged now, and not only after a day; default: true. */
  readonly logsAuditHead?: boolean | undefined;
}

export function startJobs(
  service: Service,
  log: Log,
  { changesKeepDays, auditKeepDays, formerValues, tidiesUp = true, logsAuditHead = true }: Options,
): Jobs {
  const stopped = new AbortController();
  const { signal } = stopped;
  const steady = { ...service, clock: neverAhead(service.clock) };
  const hours = new ServedHours(steady);
  const eraseRetained = retainedRecordsEraser(steady, jobRequestOptions('retention'));
  const warn = (message: string) => (error: unknown) => log.warn({ err: error }, message);

  const order = oneAtATime(() =>
    orderChanges(service).catch(warn('cannot assign journal positions; retrying with the next change')),
  );
  const chain = oneAtATime(() => chainAudit(service).catch(warn('cannot chain audit entries; retrying in a second')));
  const fillAudit = oneAtATime(() => countAndIndex(steady, signal, warn));
  const orderSoon = oneAtATime(async () => {
    await sleep(ORDER_PAUSE_MS, undefined, { signal }).catch(() => {});
    await order();
  });
  const sweeping = oneAtATime(async () => {
    const removed = await sweepFiles(service, signal);
    if (removed > 0) log.info({ count: removed }, 'removed image files without a record');
  });
  const sweep = (): Promise<void> => sweeping().catch(warn('cannot remove released image files'));
  const forgetOld = (): Promise<void> =>
    forgetChanges(steady, steady.clock.now() - changesKeepDays * SECONDS_PER_DAY, signal);
  const logAuditHead = dailyAuditHead(steady, log, logsAuditHead);
  const forgetOldAudit = async (): Promise<void> => {
    if (auditKeepDays > 0) await forgetAudit(steady, steady.clock.now() - auditKeepDays * SECONDS_PER_DAY, signal);
  };
  // Sequential: concurrent jobs would each occupy a connection.
  const tidyUp = oneAtATime(async () => {
    const chores = [
      logAuditHead,
      () => forgetSessions(steady),
      () => forgetShopperSessions(steady),
      () => forgetFailedSignIns(steady),
      () => forgetCounts(steady).then(() => expireCarts(steady)),
      () => forgetMails(steady).then(() => forgetOneTimeTokens(steady)),
      async () => logErased(log, await eraseRetained(signal)),
      () => scrubErasures(steady),
      () => hours.dayAgo().then((dayAgo) => deleteOldIdempotencyRecords(steady, dayAgo, signal)),
      // Last, because these may take long: there may be many entries and files.
      async () => formerValues && forgetFormerValues(steady, jobRequestOptions('price history'), formerValues, signal),
      () => forgetDeliveries(steady, jobRequestOptions('webhooks'), signal),
      forgetOld,
      forgetOldAudit,
      () => releaseLeftFiles(service, signal).then(sweep),
    ];
    for (const chore of chores) if (!signal.aborted) await chore().catch(warn('cannot delete expired data'));
  });

  const stopListening = service.commits.listen(({ changes, releasesFiles }) => {
    if (changes.length > 0 && !service.database.dialect.writesInTurn) void orderSoon();
    if (releasesFiles) void sweep();
  });
  const timers = tidiesUp ? [setInterval(() => void tidyUp(), SWEEP_INTERVAL_MS)] : [];
  if (!service.database.dialect.writesInTurn) timers.push(setInterval(() => void orderSoon(), ORDER_INTERVAL_MS));
  if (tidiesUp) timers.push(setInterval(() => void chain(), CHAIN_INTERVAL_MS));
  if (tidiesUp) timers.push(setInterval(() => void fillAudit(), AUDIT_INTERVAL_MS));
  void order();
  if (tidiesUp) void tidyUp();
  const settled = async (): Promise<void> => {
    await Promise.all([order(), chain().then(fillAudit), sweep()]);
  };
  return {
    settled,
    async stop() {
      stopListening();
      for (const timer of timers) clearInterval(timer);
      stopped.abort();
      // No further chore starts, so tidying up only waits for the running one.
      await Promise.all([orderSoon(), chain(), fillAudit(), sweep(), ...(tidiesUp ? [tidyUp()] : [])]);
    },
  };
}

function logErased(log: Log, count: number): void {
  if (count > 0) log.info({ count }, 'erased records whose retention period after an erasure has ended');
}

async function countAndIndex(
  service: Service,
  stopped: AbortSignal,
  warn: (message: string) => (error: unknown) => void,
): Promise<void> {
  await countFailedSignIns(service).catch(warn('cannot record failed sign-ins; retrying later'));
  await indexAudit(service, stopped).catch(warn('cannot index audit entries; retrying later'));
}

/** Prevents concurrent runs. All calls during a run share one run after it. Resolves when that run has ended. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  let isWaiting = false;
  const start = (): Promise<void> => {
    isWaiting = false;
    return work();
  };
  return () => {
    if (!isWaiting) last = last.then(start, start);
    isWaiting = true;
    return last;
  };
}

/** Returns a clock that never runs ahead of elapsed time, so that setting the system clock forward expires no data. */
function neverAhead(clock: Clock): Clock {
  const [startTime, startedAt] = [clock.now(), performance.now()];
  const elapsed = (): number => Math.floor((performance.now() - startedAt) / 1000);
  return { ...clock, now: () => Math.min(clock.now(), startTime + elapsed()) };
}
