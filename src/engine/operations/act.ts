/** Runs an action of one record (`/products/{id}/stock`): its rule computes changes, which are saved like a PATCH. */

import { isProblem, type Problem, Violations } from '../errors.ts';
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
import { create } from './create.ts';
import { NOTHING_PREPARED } from './images/images.ts';
import { type PendingWrite, startWrite } from './pending-write.ts';
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
  const rejection = await createParts(write);
  if (rejection) return rejection;
  const decided = await action.run(write.ruleDraft, unit);
  return runRulesAndStore(write, undefined, false, async (id) => action.within?.(write.ruleDraft, unit, id, decided));
}

/**
 * Creates the parts in the action's input. A rejected part adds its violations and conflicts to those of the action, so
 * that one response reports them all.
 */
async function createParts({ unit, body, before, draft }: PendingWrite): Promise<Problem | undefined> {
  const rejected = new Set<string>();
  for (const { name, after, route, body: own } of body.created ?? []) {
    if (after !== undefined && rejected.has(after)) {
      draft.violations.addAll(own.violations, name);
      continue;
    }
    const outcome = await create(
      unit,
      { route, parents: [before!.id], id: null },
      own,
      NOTHING_PREPARED,
      undefined,
      true,
    );
    if (!isProblem(outcome)) continue;
    rejected.add(name);
    if (outcome.problem === 'conflict') draft.conflicts.push(outcome.detail);
    else if (outcome.violations) draft.violations.addAll(new Violations(outcome.violations), name);
    else return outcome;
  }
  return undefined;
}
