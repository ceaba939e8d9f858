/** Rules of the category tree: no category is its own ancestor, even after concurrent moves (catalog.md §4). */

import type { Draft, Reads } from '../../../engine/vocabulary.ts';

/** Checks a new parent. The engine serializes changes of the tree, so no concurrent move can invalidate the check. */
export async function checkBranch(
  { values, stored, violations }: Draft<'parent'>,
  reads: Reads<{ Category: readonly ['parent'] }>,
): Promise<void> {
  const { parent } = values;
  if (!stored || typeof parent !== 'number' || parent === stored.parent) return;
  if ((await reads.ancestors('Category', parent)).includes(stored.id))
    violations.add('parent', 'conflict', 'A category cannot be moved below itself. Choose another parent.');
}

export function moveCategory({ sent, values }: Draft<'parent' | 'position'>): void {
  if (sent.parent !== undefined) values.parent = sent.parent;
  if (sent.position !== undefined) values.position = sent.position;
}
