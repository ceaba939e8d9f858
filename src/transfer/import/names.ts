/**
 * Finds records by name in the lists of a catalog, and makes those that are missing, behind the others. A list is read
 * once in a run: what somebody else adds to it meanwhile is not seen.
 */
import { nameMatch } from '../../engine/text-forms.ts';
import type { Catalog, NameList, NameListKind, Saved } from './catalog.ts';

export interface Names {
  /** The first of this name, as the store compares names; `changed` says whether it was made now. */
  findOrMake(list: NameList, name: string): Promise<Saved>;
  /** How many were made in lists of these kinds. */
  made(...kinds: NameListKind[]): number;
}

export function namesOf(catalog: Catalog): Names {
  const lists = new Map<string, { ids: Map<string, number>; lastPosition: number }>();
  const made: NameListKind[] = [];

  async function read(list: NameList): Promise<{ ids: Map<string, number>; lastPosition: number }> {
    const known = lists.get(keyOf(list));
    if (known) return known;
    const ids = new Map<string, number>();
    let lastPosition = 0;
    for (const { id, name, position } of await catalog.readNames(list)) {
      if (!ids.has(nameMatch(name))) ids.set(nameMatch(name), id);
      lastPosition = Math.max(lastPosition, position);
    }
    const fresh = { ids, lastPosition };
    lists.set(keyOf(list), fresh);
    return fresh;
  }

  return {
    async findOrMake(list, name) {
      const known = await read(list);
      const id = known.ids.get(nameMatch(name));
      if (id !== undefined) return { ok: true, id, changed: false };
      const saved = await catalog.addName(list, name, known.lastPosition + 1);
      if (!saved.ok) {
        // Somebody else may have been faster.
        lists.delete(keyOf(list));
        const other = (await read(list)).ids.get(nameMatch(name));
        return other === undefined ? saved : { ok: true, id: other, changed: false };
      }
      known.ids.set(nameMatch(name), saved.id);
      known.lastPosition += 1;
      made.push(list.kind);
      return saved;
    },
    made: (...kinds) => made.filter((kind) => kinds.includes(kind)).length,
  };
}

function keyOf({ kind, parents }: NameList): string {
  return `${kind} ${parents.join(' ')}`;
}
