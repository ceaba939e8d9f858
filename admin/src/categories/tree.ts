/** The categories as a tree: visible rows, keyboard navigation and moves. */
import type { CategoryOutput } from 'purveyor/client';
import { store } from '../api/client.ts';

export interface TreeRow {
  readonly category: CategoryOutput;
  readonly depth: number;
  readonly hasChildren: boolean;
}

export async function readCategories(): Promise<CategoryOutput[]> {
  const all: CategoryOutput[] = [];
  for await (const category of store.list('/categories', { filter: { parent: 'all' } })) all.push(category);
  return all;
}

const byPosition = (a: CategoryOutput, b: CategoryOutput): number => a.position - b.position || a.id - b.id;

function childrenOf(all: readonly CategoryOutput[], parent: number | null): CategoryOutput[] {
  return all.filter((category) => category.parent === parent).sort(byPosition);
}

/** Returns the visible rows, parents before their children. The children of collapsed categories are left out. */
export function rowsOf(all: readonly CategoryOutput[], collapsed: ReadonlySet<number>): TreeRow[] {
  const byParent = Map.groupBy(all, ({ parent }) => parent);
  const rows: TreeRow[] = [];
  const add = (parent: number | null, depth: number): void => {
    for (const category of [...(byParent.get(parent) ?? [])].sort(byPosition)) {
      const hasChildren = byParent.has(category.id);
      rows.push({ category, depth, hasChildren });
      if (hasChildren && !collapsed.has(category.id)) add(category.id, depth + 1);
    }
  };
  add(null, 0);
  return rows;
}

/** Whether a category is `ancestor` or below it. A category cannot be moved into its own subtree. */
export function isSelfOrDescendant(all: readonly CategoryOutput[], id: number, ancestor: number): boolean {
  const category = all.find((one) => one.id === id);
  if (!category) return false;
  return category.id === ancestor || (category.parent !== null && isSelfOrDescendant(all, category.parent, ancestor));
}

export type KeyAction =
  | { readonly type: 'focus'; readonly row: TreeRow | undefined }
  | { readonly type: 'toggle' | 'choose' };

/** Returns what a key does on a row of a tree (WAI-ARIA tree view pattern). */
export function keyActionOf(
  key: string,
  rows: readonly TreeRow[],
  index: number,
  collapsed: ReadonlySet<number>,
): KeyAction | undefined {
  const { category, hasChildren } = rows[index]!;
  const isExpanded = hasChildren && !collapsed.has(category.id);
  const focus = (row: TreeRow | undefined): KeyAction => ({ type: 'focus', row });
  switch (key) {
    case 'ArrowDown':
      return focus(rows[index + 1]);
    case 'ArrowUp':
      return focus(rows[index - 1]);
    case 'Home':
      return focus(rows[0]);
    case 'End':
      return focus(rows.at(-1));
    case 'ArrowRight':
      if (!hasChildren) return undefined;
      return isExpanded ? focus(rows[index + 1]) : { type: 'toggle' };
    case 'ArrowLeft':
      return isExpanded ? { type: 'toggle' } : focus(rows.find((row) => row.category.id === category.parent));
    case 'Enter':
    case ' ':
      return { type: 'choose' };
    default:
      return undefined;
  }
}

export type DropPosition = 'before' | 'inside' | 'after';

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
