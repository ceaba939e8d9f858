/** The categories as a tree, and moves in it. */
import type { CategoryOutput } from 'purveyor/client';
import { store } from '../api/client.ts';

export async function readCategories(): Promise<CategoryOutput[]> {
  const all: CategoryOutput[] = [];
  for await (const category of store.list('/categories', { filter: { parent: 'all' } })) all.push(category);
  return all;
}

const byPosition = (a: CategoryOutput, b: CategoryOutput): number => a.position - b.position || a.id - b.id;

export function childrenOf(all: readonly CategoryOutput[], parent: number | null): CategoryOutput[] {
  return all.filter((category) => category.parent === parent).sort(byPosition);
}

/** Whether a category is `ancestor` or below it. A category cannot be moved into its own subtree. */
export function isSelfOrDescendant(all: readonly CategoryOutput[], id: number, ancestor: number): boolean {
  const category = all.find((one) => one.id === id);
  if (!category) return false;
  return category.id === ancestor || (category.parent !== null && isSelfOrDescendant(all, category.parent, ancestor));
}

/** The parent of the categories without a parent. */
export const ROOT = 'root';

type DropPosition = 'before' | 'inside' | 'after';

export interface Drop {
  readonly target: CategoryOutput;
  readonly position: DropPosition;
}

/** Returns where Alt and an arrow key move a category: up, down, out of its parent, or into the sibling above it. */
export function keyboardDrop(
  key: string,
  all: readonly CategoryOutput[],
  { id, parent }: CategoryOutput,
): Drop | undefined {
  const siblings = childrenOf(all, parent);
  const index = siblings.findIndex((sibling) => sibling.id === id);
  const drop = (target: CategoryOutput | undefined, position: DropPosition): Drop | undefined =>
    target && { target, position };
  switch (key) {
    case 'ArrowUp':
      return drop(siblings[index - 1], 'before');
    case 'ArrowDown':
      return drop(siblings[index + 1], 'after');
    case 'ArrowLeft':
      return drop(
        all.find((category) => category.id === parent),
        'after',
      );
    case 'ArrowRight':
      return drop(siblings[index - 1], 'inside');
    default:
      return undefined;
  }
}

const POSITION_STEP = 10;

/**
 * Returns the `/move` requests that put a category there. Siblings are renumbered only if no integer is free between the two new
 * neighbors.
 */
export function movesFor(all: readonly CategoryOutput[], id: number, { target, position }: Drop) {
  const parent = position === 'inside' ? target.id : target.parent;
  const siblings = childrenOf(all, parent).filter((category) => category.id !== id);
  const index =
    position === 'inside'
      ? siblings.length
      : siblings.findIndex((category) => category.id === target.id) + (position === 'after' ? 1 : 0);
  const [before, after] = [siblings[index - 1]?.position, siblings[index]?.position];
  if (after === undefined) return [{ id, parent, position: before === undefined ? 0 : before + POSITION_STEP }];
  const low = before ?? after - 2 * POSITION_STEP;
  if (after - low > 1) return [{ id, parent, position: low + Math.floor((after - low) / 2) }];
  const ids = siblings.map((category) => category.id);
  return ids.toSpliced(index, 0, id).map((one, at) => ({ id: one, parent, position: (at + 1) * POSITION_STEP }));
}

/**
 * Returns where a category is dropped between others.
 * @param index among the children of the parent, without the dragged category
 */
export function dropBetween(
  all: readonly CategoryOutput[],
  id: number,
  parent: CategoryOutput | undefined,
  index: number,
): Drop | undefined {
  const siblings = childrenOf(all, parent?.id ?? null).filter((category) => category.id !== id);
  const [before, after] = [siblings[index - 1], siblings[index]];
  if (before) return { target: before, position: 'after' };
  if (after) return { target: after, position: 'before' };
  return parent && { target: parent, position: 'inside' };
}
