/** Creates a record in a unit that its caller has opened: checks it, saves it, and reads it as it is then. */

import type { Problem } from '../errors.ts';
import type { Body } from '../request/body.ts';
import type { Condition, Target, Written } from '../unit/service.ts';
import type { Unit } from '../unit/unit.ts';
import { lockParents, readExisting } from './before.ts';
import { startWrite } from './draft.ts';
import { NOTHING_PREPARED, type Prepared } from './pictures.ts';
import { finishWrite } from './write.ts';

/** @param condition what must hold of a record that is there already, at a path of a single one */
export async function create(
  unit: Unit,
  target: Target,
  body: Body,
  prepared: Prepared = NOTHING_PREPARED,
  condition?: Condition,
): Promise<Written | Problem> {
  const unknown = await lockParents(unit, target);
  if (unknown) return unknown;
  const isReplaced = target.place.declaration.again === 'replace';
  const existing = isReplaced || condition ? await readExisting(unit, target) : undefined;
  const failed = existing && condition?.(existing);
  if (failed) return failed;
  const before = isReplaced ? existing : undefined;
  return finishWrite(startWrite({ unit, target, body, before, prepared }, 'create'));
}
