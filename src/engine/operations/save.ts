/**
 * A write from what was sent to its outcome: reads the body, makes its pictures ready, and opens a unit in which the record
 * is created or changed. For callers who write one record at a time.
 */

import type { Problem } from '../errors.ts';
import { carriesTexts, readBody, type WriteMode } from '../request/body.ts';
import { type Caller, type Condition, readingOf, type Service, type Target, type Written } from '../unit/service.ts';
import { inUnit, type Unit } from '../unit/unit.ts';
import { create } from './create.ts';
import { type Surroundings, withPictures } from './images/images.ts';
import { withoutSecrets } from './secrets.ts';
import { update } from './update.ts';

interface Saving extends Surroundings {
  readonly condition?: Condition | undefined;
}

/** @param work what is done in the unit around the saving; it may run again */
export async function save<T = Written>(
  service: Service,
  caller: Caller,
  target: Target,
  mode: WriteMode,
  sent: Readonly<Record<string, unknown>>,
  { condition, ...surroundings }: Saving = {},
  work: (unit: Unit, saved: () => Promise<Written | Problem>) => Promise<T | Problem> = (_, saved) =>
    saved() as Promise<T | Problem>,
): Promise<T | Problem> {
  if (caller.unknownLanguage && carriesTexts(target.place, mode, sent)) return caller.unknownLanguage;
  const read = readBody(target.place, mode, sent, readingOf(service, caller, surroundings.form !== undefined));
  const body = await withoutSecrets(service, target.place, read, surroundings);
  return withPictures(service, caller, target, { body, operation: mode }, surroundings, (prepared) =>
    inUnit(service, caller, (unit) =>
      work(unit, () =>
        mode === 'create'
          ? create(unit, target, body, prepared, condition)
          : update(unit, target, mode, body, prepared, condition),
      ),
    ),
  );
}
