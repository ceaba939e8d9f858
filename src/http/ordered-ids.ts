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

/** The share of free room in a new array. */
const SPARE = 1 / 16;

const SPARE_MIN = 64;

/** The greatest identifier that fits. */
const ID_MAX = 2 ** 32 - 1;

export class OrderedIds {
  #ids: Uint32Array;
  #length: number;

  /** @param ids integers from 0 to 2^32 − 1 */
  constructor(ids: readonly number[]) {
    this.#ids = withSpare(ids);
    this.#length = ids.length;
  }

  static fits(ids: readonly unknown[]): ids is readonly number[] {
    return ids.every((id) => Number.isInteger(id) && (id as number) >= 0 && (id as number) <= ID_MAX);
  }

  get length(): number {
    return this.#length;
  }

  get bytes(): number {
    return this.#ids.byteLength;
  }

  slice(from: number, to: number): number[] {
    return [...this.#ids.subarray(Math.min(from, this.#length), Math.min(to, this.#length))];
  }

  /**
   * Where changed records belong now, by questions about what has not changed. Changes nothing.
   * @returns undefined where an answer shows that more has changed
   */
  async editsFor(changed: ReadonlySet<number>, among: Among): Promise<Edits | undefined> {
    const coming = await among([...changed]);
    const places = coming.map((id) => ({ id, from: 0, to: this.#length }));
    for (;;) {
      const probes = this.#probes(places, changed);
      if (probes.size === 0) break;
      const order = await among([...coming, ...probes.keys()]);
      if (order.length !== coming.length + probes.size) return undefined;
      narrow(places, probes, order);
    }
    const all = this.#ids.subarray(0, this.#length);
    const gone = [...changed].map((id) => all.indexOf(id)).filter((index) => index >= 0);
    return { gone, come: places.map(({ id, from }) => ({ id, before: from })) };
  }

  apply({ gone, come }: Edits): void {
    const steps = [
      ...gone.map((index) => ({ index, ids: [] as number[], isGone: true })),
      ...Map.groupBy(come, ({ before }) => before)
        .entries()
        .map(([index, each]) => ({ index, ids: each.map(({ id }) => id), isGone: false })),
    ];
    // From the end, so that the positions before stay as they are.
    steps.sort((one, other) => other.index - one.index || Number(other.isGone) - Number(one.isGone));
    for (const { index, ids, isGone } of steps) this.#replace(index, isGone ? 1 : 0, ids);
  }

  #replace(index: number, count: number, ids: readonly number[]): void {
    const length = this.#length - count + ids.length;
    if (length > this.#ids.length) this.#ids = withSpare(this.#ids.subarray(0, this.#length), ids.length);
    this.#ids.copyWithin(index + ids.length, index + count, this.#length);
    this.#ids.set(ids, index);
    this.#length = length;
  }

  /** Positions to ask about, by identifier: some of each place, spread evenly, and none that changed. */
  #probes(places: readonly Place[], changed: ReadonlySet<number>): ReadonlyMap<number, number> {
    const open = new Map(
      places.filter(({ from, to }) => from < to).map((place) => [`${place.from} ${place.to}`, place]),
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
interface Place {
  readonly id: number;
  from: number;
  to: number;
}

function narrow(places: readonly Place[], probes: ReadonlyMap<number, number>, order: readonly number[]): void {
  const byId = new Map(places.map((place) => [place.id, place]));
  let before = 0;
  let waiting: Place[] = [];
  for (const id of order) {
    const probe = probes.get(id);
    if (probe === undefined) {
      const place = byId.get(id)!;
      place.from = Math.max(place.from, before);
      waiting.push(place);
    } else {
      for (const place of waiting) place.to = Math.min(place.to, probe);
      waiting = [];
      before = probe + 1;
    }
  }
}

function withSpare(ids: ArrayLike<number>, more = 0): Uint32Array {
  const grown = new Uint32Array(ids.length + more + Math.max(SPARE_MIN, Math.ceil(ids.length * SPARE)));
  grown.set(ids);
  return grown;
}
