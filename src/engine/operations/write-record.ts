/**
 * A complete write of one record: parses the body, prepares its images, and opens a unit in which the record is created
 * or changed.
 */

import type { Problem } from '../errors.ts';
import { carriesTexts, readBody, type WriteMode } from '../request/body.ts';
import {
  type Condition,
  type RequestOptions,
  readingOf,
  type Service,
  type Target,
  type Written,
} from '../unit/service.ts';
import { inTrial, inUnit, type Unit } from '../unit/unit.ts';
import { create } from './create.ts';
import { type Surroundings, withImages } from './images/images.ts';
import { withoutSecrets } from './secrets.ts';
import { update } from './update.ts';

interface WriteRecordOptions extends Surroundings {
  readonly condition?: Condition | undefined;
}

/** @param work runs in the unit around the write, and may run again */
export async function writeRecord<T = Written>(
  service: Service,
  requestOptions: RequestOptions,
  target: Target,
  mode: WriteMode,
  sent: Readonly<Record<string, unknown>>,
  { condition, ...surroundings }: WriteRecordOptions = {},
  work: (unit: Unit, saved: () => Promise<Written | Problem>) => Promise<T | Problem> = (_, saved) =>
    saved() as Promise<T | Problem>,
): Promise<T | Problem> {
  if (requestOptions.unknownLanguage && carriesTexts(target.route, mode, sent)) return requestOptions.unknownLanguage;
  const read = readBody(target.route, mode, sent, readingOf(service, requestOptions, surroundings.form !== undefined));
  const body = await withoutSecrets(service, target.route, read, surroundings);
  const begin = surroundings.isTrial ? inTrial : inUnit;
  return withImages(service, requestOptions, target, { body, operation: mode }, surroundings, (prepared) =>
    begin(service, requestOptions, (unit) =>
      work(unit, () =>
        mode === 'create'
          ? create(unit, target, body, prepared, condition)
          : update(unit, target, mode, body, prepared, condition),
      ),
    ),
  );
}
