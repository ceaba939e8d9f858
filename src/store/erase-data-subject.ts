/** Erases a data subject from records, idempotency records and webhook delivery logs. */
import { sql } from 'kysely';
import {
  BindParam,
  dueParts,
  ERASURES_LOCK,
  eraseDueParts,
  type Forgotten,
  forget,
  inUnit,
  type RequestOptions,
  type Roots,
  type Service,
  type Unit,
} from '../engine/index.ts';
import { type ErasedIds, logErasure } from './erasures.ts';
import { eraseIdempotencyRecords } from './idempotency-records.ts';
import { readSetting, replaceSetting, settingsOf } from './settings.ts';
import { eraseDeliveriesAbout } from './webhooks/forget.ts';

/**
 * Erases a data subject, also from the unused parts of database files.
 * @param file erasure log next to the store
 * @param rootsOf finds the data subject's records, within the unit that erases them
 */
export async function eraseDataSubject(
  service: Service,
  requestOptions: RequestOptions,
  file: string,
  rootsOf: (unit: Unit) => Promise<Roots>,
): Promise<Forgotten> {
  const forgotten = await inUnit(service, requestOptions, (unit) => eraseRoots(unit, file, rootsOf));
  await service.database.scrub();
  return forgotten;
}

/** Setting with a random value, while the unused parts of database files may contain data of erased customers. */
const SCRUB_SETTING = 'scrub due';

/**
 * Like `eraseDataSubject`, but leaves the unused parts of database files to `scrubErasures`. Otherwise every customer could
 * start a rewrite of the whole database.
 */
export async function eraseOwnData(...[service, requestOptions, file, rootsOf]: Parameters<typeof eraseDataSubject>) {
  return inUnit(service, requestOptions, async (unit) => {
    const forgotten = await eraseRoots(unit, file, rootsOf);
    if (forgotten.erased.length > 0) await replaceSetting(unit, SCRUB_SETTING, service.uuid());
    return forgotten;
  });
}

/** Removes the data of all customers erased by `eraseOwnData` since the last call from the unused parts of database files. */
export async function scrubErasures({ database, statements }: Service): Promise<void> {
  const value = await readSetting(settingsOf({ database, statements }), SCRUB_SETTING);
  if (value === undefined) return;
  await database.scrub();
  // A later erasure has another value, and remains due.
  const done = statements.get(
    'erasures are scrubbed',
    ({ placeholder }) => sql`delete from ${sql.table('setting')} where name = ${sql.lit(SCRUB_SETTING)}
      and value = ${placeholder(new BindParam('value', 'text'))} returning 1`,
  );
  await database.transaction((transaction) => transaction.run(done, { value }));
}

async function eraseRoots(unit: Unit, file: string, rootsOf: (unit: Unit) => Promise<Roots>): Promise<Forgotten> {
  // Serialized: the second of two erasures of the same person finds no records.
  await unit.lock(ERASURES_LOCK);
  return forgetAll(unit, file, await rootsOf(unit));
}

async function forgetAll(unit: Unit, file: string, roots: Roots): Promise<Forgotten> {
  if ([...roots.values()].some((ids) => ids.length > 0)) logErasure(file, unit.now, roots);
  const forgotten = await forget(unit, roots);
  await eraseIdempotencyRecords(unit, forgotten.paths);
  await eraseDeliveriesAbout(unit, forgotten.paths);
  return forgotten;
}

const RECORDS_PER_UNIT = 200;
/** Repeats the last day, for erasures that were in progress during the previous call and for clocks that disagree. */
const OVERLAP_SECONDS = 24 * 3600;

/**
 * Returns a function that empties records of erased people once their retention period is over. Its first call covers
 * all records, later calls those that have become due since. It resolves with the number of changed records.
 */
export function retainedRecordsEraser(
  service: Service,
  requestOptions: RequestOptions,
): (stopped: AbortSignal) => Promise<number> {
  let earlier: number | undefined;
  return async (stopped) => {
    const now = service.clock.now();
    const due = await dueParts(service, requestOptions, earlier);
    let count = 0;
    for (const [resource, parts] of Map.groupBy(due, (part) => part.resource))
      for (let at = 0; at < parts.length && !stopped.aborted; at += RECORDS_PER_UNIT) {
        const some = parts.slice(at, at + RECORDS_PER_UNIT);
        count += await inUnit(service, requestOptions, async (unit) => {
          await unit.hold(resource.owner!.target!.name, [...new Set(some.map(({ owner }) => owner))]);
          const ids = some.map(({ id }) => id);
          return eraseDueParts(unit, resource, ids);
        });
      }
    if (count > 0) await service.database.scrub();
    if (!stopped.aborted) earlier = now - OVERLAP_SECONDS;
    return count;
  };
}

/** Setting with the erasures made since the backup that a store was restored from, until they are repeated. */
export const PENDING_ERASURES_SETTING = 'pending_erasures';

/** Repeats erasures made since the backup that the store was restored from. Must be called before any other request. */
export async function repeatErasures(service: Service, requestOptions: RequestOptions, file: string): Promise<void> {
  const pending = await readSetting(settingsOf(service), PENDING_ERASURES_SETTING);
  if (pending === undefined) return;
  const known = Object.entries(JSON.parse(pending) as ErasedIds).filter(([name]) => service.model.resources.has(name));
  await inUnit(service, requestOptions, async (unit) => {
    await forgetAll(unit, file, new Map(known));
    await unit.query(
      'erasures are done',
      () => sql`delete from ${sql.table('setting')} where name = ${sql.lit(PENDING_ERASURES_SETTING)}`,
      {},
    );
  });
  await service.database.scrub();
}
