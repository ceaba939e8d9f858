/**
 * The identifiers of a list in its order. It finds the positions of changed records by querying the order of some records, so
 * it does not need to know the sort order.
 */

/** Returns those of the given records that are in the list, in its order. */
export type OrderQuery = (ids: readonly number[]) => Promise<readonly number[]>;

/** Positions to remove, and identifiers to insert before a position. */
interface Edits {
  readonly removed: readonly number[];
  readonly inserted: readonly { readonly id: number; readonly before: number }[];
}

/** Identifiers in one query, besides those of changed records. */
const PROBES_MAX = 256;

/** Up to this number, searching each identifier is faster than testing every element against a set. */
const FEW = 8;

const ID_MAX = 2 ** 32 - 1;

export class OrderedIds {
  #ids: Uint32Array;

  /** @param ids integers from 0 to 2^32 − 1 */
  constructor(ids: readonly number[]) {
    this.#ids = Uint32Array.from(ids);
  }

  static fits(ids: readonly unknown[]): ids is readonly number[] {
    return ids.every((id) => Number.isInteger(id) && (id as number) >= 0 && (id as number) <= ID_MAX);
  }

  get length(): number {
    return this.#ids.length;
  }

  /** @returns -1 if the list does not contain it */
  indexOf(id: number): number {
    return this.#ids.indexOf(id);
  }

  slice(from: number, to: number): number[] {
    return [...this.#ids.subarray(from, to)];
  }

  /**
   * Finds the positions of changed records by querying their order among unchanged ones. Does not modify the list.
   * @returns undefined if a result shows that other records have changed too
   */
  async editsFor(changed: ReadonlySet<number>, query: OrderQuery): Promise<Edits | undefined> {
    const members = await query([...changed]);
    const positions = members.map((id) => ({ id, from: 0, to: this.#ids.length }));
    for (;;) {
      const probes = this.#probes(positions, changed);
      if (probes.size === 0) break;
      const order = await query([...members, ...probes.keys()]);
      if (order.length !== members.length + probes.size || !areInOrder(order, probes)) return undefined;
      narrow(positions, probes, order);
    }
    return { removed: this.#positionsOf(changed), inserted: positions.map(({ id, from }) => ({ id, before: from })) };
  }

  apply({ removed, inserted }: Edits): void {
    const length = this.#ids.length - removed.length + inserted.length;
    const ids = new Uint32Array(length);
    const steps = [
      ...inserted.map(({ id, before }) => ({ index: before, id })),
      ...removed.map((index) => ({ index, id: undefined })),
    ].sort((one, other) => one.index - other.index);
    let [read, written] = [0, 0];
    const copyUntil = (index: number): void => {
      ids.set(this.#ids.subarray(read, index), written);
      written += index - read;
      read = index;
    };
    for (const { index, id } of steps) {
      copyUntil(index);
      if (id === undefined) read += 1;
      else {
        ids[written] = id;
        written += 1;
      }
    }
    copyUntil(this.#ids.length);
    this.#ids = ids;
  }

  /** In ascending order. */
  #positionsOf(ids: ReadonlySet<number>): number[] {
    if (ids.size <= FEW) {
      const found = [...ids].map((id) => this.#ids.indexOf(id)).filter((index) => index >= 0);
      return found.sort((one, other) => one - other);
    }
    const found: number[] = [];
    for (let index = 0; index < this.#ids.length; index += 1) if (ids.has(this.#ids[index]!)) found.push(index);
    return found;
  }

  /** Unchanged records to query, by identifier: evenly spread over each range that is still open. */
  #probes(positions: readonly Position[], changed: ReadonlySet<number>): ReadonlyMap<number, number> {
    const open = new Map(
      positions.filter(({ from, to }) => from < to).map((position) => [`${position.from} ${position.to}`, position]),
    );
    const each = Math.max(1, Math.floor(PROBES_MAX / open.size));
    const probes = new Map<number, number>();
    const firstUnchanged = (from: number, to: number): number => {
      let index = from;
      while (index < to && changed.has(this.#ids[index]!)) index += 1;
      return index;
    };
    for (const { from, to } of open.values()) {
      const step = Math.ceil((to - from) / (each + 1));
      let index = firstUnchanged(from + step - 1, to);
      if (index === to) index = firstUnchanged(from, to);
      for (; index < to; index = firstUnchanged(index + step, to)) probes.set(this.#ids[index]!, index);
    }
    return probes;
  }
}

/** A record belongs before a position from `from` to `to`. */
interface Position {
  readonly id: number;
  from: number;
  to: number;
}

/** Whether unchanged records are still in the list's order. Otherwise narrowing might not terminate. */
function areInOrder(order: readonly number[], probes: ReadonlyMap<number, number>): boolean {
  const indexes = order.flatMap((id) => probes.get(id) ?? []);
  return indexes.every((index, at) => at === 0 || index > indexes[at - 1]!);
}

function narrow(positions: readonly Position[], probes: ReadonlyMap<number, number>, order: readonly number[]): void {
  const byId = new Map(positions.map((position) => [position.id, position]));
  let before = 0;
  let waiting: Position[] = [];
  for (const id of order) {
    const probe = probes.get(id);
    if (probe === undefined) {
      const position = byId.get(id)!;
      position.from = Math.max(position.from, before);
      waiting.push(position);
    } else {
      for (const position of waiting) position.to = Math.min(position.to, probe);
      waiting = [];
      before = probe + 1;
    }
  }
}
