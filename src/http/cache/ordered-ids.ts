/**
 * The identifiers of a list, in its order. Finds where changed records belong by asking for the order of some of them, so it
 * knows nothing of how lists are sorted.
 */

/** Gives those of some records that the list has, in its order. */
export type Among = (ids: readonly number[]) => Promise<readonly number[]>;

/** A new order: what goes from which position, and what comes before which. */
interface Edits {
  readonly gone: readonly number[];
  readonly come: readonly { readonly id: number; readonly before: number }[];
}

/** So many identifiers are asked about at once, besides those that are looked for. */
const PROBES_MAX = 256;

/** So many identifiers are found one by one, which the processor does faster than comparing each with a set. */
const FEW = 8;

/** The greatest identifier that fits. */
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

  slice(from: number, to: number): number[] {
    return [...this.#ids.subarray(from, to)];
  }

  /**
   * Where changed records belong now, by questions about what has not changed. Changes nothing.
   * @returns undefined where an answer shows that more has changed
   */
  async editsFor(changed: ReadonlySet<number>, among: Among): Promise<Edits | undefined> {
    const coming = await among([...changed]);
    const positions = coming.map((id) => ({ id, from: 0, to: this.#ids.length }));
    for (;;) {
      const probes = this.#probes(positions, changed);
      if (probes.size === 0) break;
      const order = await among([...coming, ...probes.keys()]);
      if (order.length !== coming.length + probes.size || !areInOrder(order, probes)) return undefined;
      narrow(positions, probes, order);
    }
    return { gone: this.#positionsOf(changed), come: positions.map(({ id, from }) => ({ id, before: from })) };
  }

  apply({ gone, come }: Edits): void {
    const length = this.#ids.length - gone.length + come.length;
    const ids = new Uint32Array(length);
    const steps = [
      ...come.map(({ id, before }) => ({ index: before, id })),
      ...gone.map((index) => ({ index, id: undefined })),
    ].sort((one, other) => one.index - other.index);
    let [taken, made] = [0, 0];
    const takeUntil = (index: number): void => {
      ids.set(this.#ids.subarray(taken, index), made);
      made += index - taken;
      taken = index;
    };
    for (const { index, id } of steps) {
      takeUntil(index);
      if (id === undefined) taken += 1;
      else {
        ids[made] = id;
        made += 1;
      }
    }
    takeUntil(this.#ids.length);
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

  /** Positions to ask about, by identifier: some of each place, spread evenly, and none that changed. */
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

/** A record belongs before one of the positions `from` to `to`. */
interface Position {
  readonly id: number;
  from: number;
  to: number;
}

/** Whether the kept identifiers are in the order in which they are kept. Otherwise narrowing might come to no end. */
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
