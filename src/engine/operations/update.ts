/** Replaces (PUT) or partially updates (PATCH) a record in an open unit. */

import { isProblem, type Problem } from '../errors.ts';
import type { Body } from '../request/body.ts';
import type { Condition, Target, Written } from '../unit/service.ts';
import type { Unit } from '../unit/unit.ts';
import { NOTHING_PREPARED, type Prepared } from './images/images.ts';
import { startWrite } from './pending-write.ts';
import { readBefore } from './read.ts';
import { runRulesAndStore } from './run-rules-and-store.ts';

export async function update(
  unit: Unit,
  target: Target,
  mode: 'replace' | 'patch',
  body: Body,
  prepared: Prepared = NOTHING_PREPARED,
  condition?: Condition,
  isTerse = false,
): Promise<Written | Problem> {
  const before = await readBefore(unit, target, condition);
  if (isProblem(before)) return before;
  const write = startWrite({ unit, target, body, before, prepared }, mode);
  return runRulesAndStore(write, undefined, isTerse);
}
