/** Positions of manually sorted records. Gaps between them let most moves change a single record. */

export interface Positioned {
  readonly id: number;
  readonly position: number;
}

const STEP = 10;

/** Returns a position after all others. */
export function positionAtEnd(others: readonly Positioned[]): number {
  return Math.max(0, ...others.map(({ position }) => position + STEP));
}

/**
 * @param sorted the records in their order
 * @returns only the positions that change; just the moved record's if an integer is free between its new neighbors
 */
export function positionsAfterMove(sorted: readonly Positioned[], from: number, to: number): Positioned[] {
  const moved = [...sorted];
  const [one] = moved.splice(from, 1);
  if (!one || from === to) return [];
  moved.splice(to, 0, one);
  const before = moved[to - 1]?.position;
  const after = moved[to + 1]?.position;
  const isSorted = moved.every(
    ({ position }, at) => at === to || at === 0 || at - 1 === to || position > moved[at - 1]!.position,
  );
  if (isSorted) {
    if (after === undefined && before !== undefined) return [{ id: one.id, position: before + STEP }];
    if (before === undefined && after !== undefined && after > 0)
      return [{ id: one.id, position: Math.floor(after / 2) }];
    if (before !== undefined && after !== undefined && after - before > 1)
      return [{ id: one.id, position: before + Math.floor((after - before) / 2) }];
  }
  return moved
    .map(({ id }, at) => ({ id, position: (at + 1) * STEP }))
    .filter((renumbered) => sorted.find(({ id }) => id === renumbered.id)!.position !== renumbered.position);
}

/**
 * Moves several records together, in their order, to the place of the record at `to`.
 * @returns only the positions that change
 */
export function positionsOf(sorted: readonly Positioned[], moved: readonly Positioned[], to: number): Positioned[] {
  const ids = new Set(moved.map(({ id }) => id));
  const target = sorted[to]!;
  const rest = sorted.filter(({ id }) => !ids.has(id));
  const isDown = sorted.indexOf(target) > sorted.findIndex(({ id }) => id === moved[0]!.id);
  const found = rest.findIndex(({ id }) => id === target.id);
  const at = found === -1 ? Math.min(to, rest.length) : found + (isDown ? 1 : 0);
  const result = [...rest.slice(0, at), ...moved, ...rest.slice(at)];
  return result
    .map(({ id }, index) => ({ id, position: (index + 1) * STEP }))
    .filter((renumbered) => sorted.find(({ id }) => id === renumbered.id)!.position !== renumbered.position);
}
