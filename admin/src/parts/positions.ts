/** Positions of sorted records, so that a move is one request wherever there is room between two others. */

export interface Placed {
  readonly id: number;
  readonly position: number;
}

const STEP = 10;

/** Behind all others. */
export function positionAtEnd(others: readonly Placed[]): number {
  return Math.max(0, ...others.map(({ position }) => position + STEP));
}

/**
 * @param sorted the records in their order
 * @returns the positions to write, and only those; a moved record goes between its neighbours where an integer is free there
 */
export function positionsAfterMove(sorted: readonly Placed[], from: number, to: number): Placed[] {
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
    .filter((placed) => sorted.find(({ id }) => id === placed.id)!.position !== placed.position);
}
