/** The fields that a person changed, as a merge patch says them. */

export type Values = Readonly<Record<string, unknown>>;

/**
 * The values of `now` that differ from those of `before`, of the fields that `before` has. Fields that begin with `$` are the
 * page's own and are left out. A field that a form emptied is null or undefined there and is sent as `emptied` says, else as null.
 */
export function changedFields(before: Values, now: Values, emptied: Values = {}): Record<string, unknown> {
  const changed: Record<string, unknown> = {};
  for (const name of Object.keys(before)) {
    if (name.startsWith('$')) continue;
    const value = now[name] ?? (name in emptied ? emptied[name] : null);
    if (!isSame(before[name] ?? null, value)) changed[name] = value;
  }
  return changed;
}

/** Whether two JSON values say the same; the order of an object's members says nothing. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [names, others] = [Object.keys(one), Object.keys(other)];
  return (
    names.length === others.length && names.every((name) => isSame((one as Values)[name], (other as Values)[name]))
  );
}
