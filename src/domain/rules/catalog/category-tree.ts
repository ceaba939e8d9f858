/** Trees stay trees: no category is its own ancestor, whatever happens at the same time (catalog.md §4). */

import type { Draft, Reads } from '../../../engine/vocabulary.ts';

/** The engine lets every change of the tree wait for the others, so each is checked against what it will be. */
export async function checkBranch(
  { values, stored, violations }: Draft<'parent'>,
  reads: Reads<{ Category: readonly ['parent'] }>,
): Promise<void> {
  const { parent } = values;
  if (!stored || typeof parent !== 'number' || parent === stored.parent) return;
  if ((await reads.ancestors('Category', parent)).includes(stored.id))
    violations.add('parent', 'conflict', 'This category is the category itself or below it; choose another parent.');
}

export function moveCategory({ sent, values }: Draft<'parent' | 'position'>): void {
  if (sent.parent !== undefined) values.parent = sent.parent;
  if (sent.position !== undefined) values.position = sent.position;
}
