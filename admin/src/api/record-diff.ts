/** Compares versions of a record, for merge patches. */

export type Values = Readonly<Record<string, unknown>>;

/** Returns a field whose name is only known at run time. */
export const fieldOf = (record: object, field: string): unknown => (record as Values)[field];

/**
 * Returns the fields of `before` whose value differs in `now`. Fields that begin with `$` belong to the page and are skipped.
 * @param emptyValues what to send for fields that a form emptied (null or undefined in `now`); null for fields it does not name
 */
export function changedFields(before: Values, now: Values, emptyValues: Values = {}): Record<string, unknown> {
  const changed: Record<string, unknown> = {};
  for (const name of Object.keys(before)) {
    if (name.startsWith('$')) continue;
    const value = now[name] ?? (name in emptyValues ? emptyValues[name] : null);
    if (!isSame(before[name] ?? null, value)) changed[name] = value;
  }
  return changed;
}

/** Compares two JSON values; the order of object members is ignored. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [names, others] = [Object.keys(one), Object.keys(other)];
  return (
    names.length === others.length && names.every((name) => isSame((one as Values)[name], (other as Values)[name]))
  );
}
