/** The combinations of values that have no variant yet. */

/** A product may have so many variants (catalog.md §12). */
const VARIANTS_MAX = 1000;

/**
 * @param axes the values of each attribute that a product may be told apart by
 * @param present the values of each variant that is there; the attributes of the first are those of all others
 */
export function missingCombinations(
  axes: readonly (readonly string[])[],
  present: readonly (readonly string[])[],
): { missing: string[][]; isTooMany: boolean } {
  const [first] = present;
  // Nothing is told apart by an attribute with one value, unless the variants already are.
  const used = axes.filter((values) => (first ? values.some((key) => first.includes(key)) : values.length > 1));
  if (used.length === 0) return { missing: [], isTooMany: false };
  const count = used.reduce((product, values) => product * values.length, 1);
  if (count > VARIANTS_MAX) return { missing: [], isTooMany: true };
  const known = new Set(present.map((keys) => [...keys].sort().join()));
  const all = used.reduce<string[][]>(
    (sets, values) => sets.flatMap((set) => values.map((key) => [...set, key])),
    [[]],
  );
  return { missing: all.filter((keys) => !known.has([...keys].sort().join())), isTooMany: false };
}
