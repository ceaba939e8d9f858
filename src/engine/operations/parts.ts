/** Applies the rules of their own resource to parts that are created together with their record. */
import { Violations } from '../errors.ts';
import type { Value } from '../ports.ts';
import type { Draft } from '../rules.ts';
import type { PendingWrite } from './pending-write.ts';

/** Derives and checks each part as if it was created alone. Violations are reported with its path in the list. */
export async function deriveParts({ unit, body, prepared, draft }: PendingWrite): Promise<void> {
  for (const [{ name, target }, parts] of body.parts) {
    const { rules } = target!.declaration;
    if (!rules) continue;
    const all: Record<string, Value>[] = [];
    for (const one of parts) {
      if (!one) {
        all.push({});
        continue;
      }
      const { path, sent } = one;
      const values = { ...sent };
      const violations = new Violations();
      const part: Draft = {
        ...draft,
        operation: 'create',
        sent,
        values,
        literal: new Set(),
        stored: undefined,
        shown: undefined,
        file: prepared.ofParts.get(path),
        violations,
      };
      const derived = await rules.derive?.(part, unit);
      await rules.check?.(part, unit, derived);
      draft.violations.addAll(violations, path);
      all.push(values);
    }
    draft.values[name] = all;
  }
}
