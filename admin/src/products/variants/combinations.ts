/** The combinations of attribute values for which a product has no variant yet. */

/** The maximum number of variants of a product (catalog.md §12). */
const VARIANTS_MAX = 1000;

/**
 * @param axes the values of each attribute
 * @param existing the values of each variant; all variants have values of the same attributes
 */
export function missingCombinations(
  axes: readonly (readonly string[])[],
  existing: readonly (readonly string[])[],
): { missing: string[][]; isTooMany: boolean } {
  const [first] = existing;
  const used = axes.filter((values) => (first ? values.some((key) => first.includes(key)) : values.length > 0));
  if (used.length === 0) return { missing: [], isTooMany: false };
  const count = used.reduce((product, values) => product * values.length, 1);
  if (count > VARIANTS_MAX) return { missing: [], isTooMany: true };
  const known = new Set(existing.map((keys) => [...keys].sort().join()));
  const all = used.reduce<string[][]>(
    (sets, values) => sets.flatMap((set) => values.map((key) => [...set, key])),
    [[]],
  );
  return { missing: all.filter((keys) => !known.has([...keys].sort().join())), isTooMany: false };
}
