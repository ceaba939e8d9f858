/** Forgets a person everywhere: in the records, in answers that are kept for retries, in notes of deliveries. */
import { sql } from 'kysely';
import {
  dueParts,
  emptyRecords,
  type Forgotten,
  forget,
  inUnit,
  type RequestOptions,
  type Roots,
  type Service,
  type Unit,
} from '../engine/index.ts';
import { type ErasedIds, noteErasure } from './erasures.ts';
import { eraseAnswersAbout } from './idempotency-records.ts';
import { readSetting, settingsOf } from './settings.ts';
import { eraseDeliveriesAbout } from './webhooks/forget.ts';

/** @param file of the erasures, beside the store. @param rootsOf finds the person's records in the unit that forgets them */
export async function eraseDataSubject(
  service: Service,
  requestOptions: RequestOptions,
  file: string,
  rootsOf: (unit: Unit) => Promise<Roots>,
): Promise<Forgotten> {
  const forgotten = await inUnit(service, requestOptions, async (unit) => {
    // Of two erasures of one person the second finds nothing any more.
    await unit.lock(ERASURES_TURN);
    return forgetAll(unit, file, await rootsOf(unit));
  });
  await service.database.scrub();
  return forgotten;
}

const ERASURES_TURN = 'erasures';

async function forgetAll(unit: Unit, file: string, roots: Roots): Promise<Forgotten> {
  if ([...roots.values()].some((ids) => ids.length > 0)) noteErasure(file, unit.now, roots);
  const forgotten = await forget(unit, roots);
  await eraseAnswersAbout(unit, forgotten.paths);
  await eraseDeliveriesAbout(unit, forgotten.paths);
  return forgotten;
}

const FORGOTTEN_AT_ONCE = 200;
/** Erasures that were under way at the last look, and clocks that disagree, are looked at again. */
const OVERLAP_SECONDS = 24 * 3600;

/** Forgets what was kept of forgotten persons, once its years are over: all of it at the first call, then what is due since. */
export function keptForgetter(
  service: Service,
  requestOptions: RequestOptions,
): (stopped: AbortSignal) => Promise<number> {
  let earlier: number | undefined;
  return async (stopped) => {
    const now = service.clock.now();
    const due = await dueParts(service, requestOptions, earlier);
    let count = 0;
    for (const [resource, parts] of Map.groupBy(due, (part) => part.resource))
      for (let at = 0; at < parts.length && !stopped.aborted; at += FORGOTTEN_AT_ONCE) {
        const some = parts.slice(at, at + FORGOTTEN_AT_ONCE);
        count += await inUnit(service, requestOptions, async (unit) => {
          await unit.hold(resource.owner!.target!.name, [...new Set(some.map(({ owner }) => owner))]);
          const ids = some.map(({ id }) => id);
          return (await emptyRecords(unit, resource, ids)).changed;
        });
      }
    if (count > 0) await service.database.scrub();
    if (!stopped.aborted) earlier = now - OVERLAP_SECONDS;
    return count;
  };
}

/** Under this name a restored store has what was forgotten since its backup, until it is forgotten again. */
export const PENDING_ERASURES_SETTING = 'pending_erasures';

/** Before anybody asks a restored store for anything. */
export async function forgetAgain(service: Service, requestOptions: RequestOptions, file: string): Promise<void> {
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
