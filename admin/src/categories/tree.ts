/** The categories as a tree, and where a moved one comes to stand. */
import type { CategoryOutput } from 'purveyor/client';
import { store } from '../store/client.ts';

export interface Node {
  readonly category: CategoryOutput;
  readonly depth: number;
  readonly hasChildren: boolean;
}

export async function readCategories(): Promise<CategoryOutput[]> {
  const found: CategoryOutput[] = [];
  for await (const one of store.list('/categories', { filter: { parent: 'all' } })) found.push(one);
  return found;
}

const inOrder = (a: CategoryOutput, b: CategoryOutput): number => a.position - b.position || a.id - b.id;

export function childrenOf(all: readonly CategoryOutput[], parent: number | null): CategoryOutput[] {
  return all.filter((one) => one.parent === parent).sort(inOrder);
}

/** The rows to show, parents before their children; those below a closed one are left out. */
export function rowsOf(all: readonly CategoryOutput[], closed: ReadonlySet<number>): Node[] {
  const byParent = Map.groupBy(all, ({ parent }) => parent);
  const rows: Node[] = [];
  const add = (parent: number | null, depth: number): void => {
    for (const category of [...(byParent.get(parent) ?? [])].sort(inOrder)) {
      const hasChildren = byParent.has(category.id);
      rows.push({ category, depth, hasChildren });
      if (hasChildren && !closed.has(category.id)) add(category.id, depth + 1);
    }
  };
  add(null, 0);
  return rows;
}

/** A category cannot go below itself. */
export function isWithin(all: readonly CategoryOutput[], id: number, possiblyAbove: number): boolean {
  const one = all.find((category) => category.id === id);
  if (!one) return false;
  return one.id === possiblyAbove || (one.parent !== null && isWithin(all, one.parent, possiblyAbove));
}

export type Place = 'before' | 'inside' | 'after';

/**
 * The moves that put a category there; siblings are numbered anew only where there is no room between two of them.
 * @returns `{ id, parent, position }` of each `/move`
 */
export function movesTo(all: readonly CategoryOutput[], id: number, target: CategoryOutput, place: Place) {
  const parent = place === 'inside' ? target.id : target.parent;
  const siblings = childrenOf(all, parent).filter((one) => one.id !== id);
  const at =
    place === 'inside'
      ? siblings.length
      : siblings.findIndex((one) => one.id === target.id) + (place === 'after' ? 1 : 0);
  const [before, after] = [siblings[at - 1]?.position, siblings[at]?.position];
  if (after === undefined) return [{ id, parent, position: before === undefined ? 0 : before + 10 }];
  const low = before ?? after - 20;
  if (after - low > 1) return [{ id, parent, position: low + Math.floor((after - low) / 2) }];
  const order = [...siblings.slice(0, at).map((one) => one.id), id, ...siblings.slice(at).map((one) => one.id)];
  return order.map((one, index) => ({ id: one, parent, position: (index + 1) * 10 }));
}
