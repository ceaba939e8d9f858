/** Runs an action of one record (`/products/{id}/stock`): its rule computes changes, which are saved like a PATCH. */

import { isProblem, type Problem } from '../errors.ts';
import { type Body, readActionBody } from '../request/body.ts';
import type { Action } from '../rules.ts';
import {
  type Condition,
  type RequestOptions,
  readingOf,
  type Service,
  type Target,
  type Written,
} from '../unit/service.ts';
import type { Unit } from '../unit/unit.ts';
import { NOTHING_PREPARED } from './images/images.ts';
import { startWrite } from './pending-write.ts';
import { readBefore } from './read.ts';
import { showing } from './reads/view.ts';
import { runRulesAndStore } from './run-rules-and-store.ts';

/** Parses the input of an action. Fields of its output may be sent back. */
export function readAction(
  service: Service,
  requestOptions: RequestOptions,
  { route }: Target,
  action: Action,
  sent: Readonly<Record<string, unknown>>,
): Body {
  const linked = action.shows === undefined ? undefined : route.resource.fields.get(action.shows)!.target;
  const shown = new Set(linked?.outputs.map(({ name }) => name));
  return readActionBody(service.model, action, shown, sent, readingOf(service, requestOptions));
}

/** Whether an action has no required input. */
export function needsNoBody({ input }: Action): boolean {
  return Object.values(input).every(({ required }) => !required);
}

/** @returns the record after the action, or only the field that the action shows */
export async function act(
  unit: Unit,
  target: Target,
  action: Action,
  body: Body,
  condition?: Condition,
): Promise<Written | Problem> {
  const shownTarget = showing(target, action.shows);
  const before = await readBefore(unit, shownTarget, condition);
  if (isProblem(before)) return before;
  const write = startWrite({ unit, target: shownTarget, body, before, prepared: NOTHING_PREPARED }, 'action');
  const decided = await action.run(write.draft, unit);
  return runRulesAndStore(write, undefined, false, async (id) => action.within?.(write.draft, unit, id, decided));
}
