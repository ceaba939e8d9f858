/**
 * Finds records by name in the lists of a catalog and creates missing ones at the end of the list. Each list is read once
 * per run, so concurrent additions by other clients are noticed only when a name conflicts.
 */
import { nameMatch } from '../../engine/text-forms.ts';
import type { Catalog, NameList, NameListKind, Saved } from './catalog.ts';

export interface Names {
  /** Returns the first record with this name, by the store's comparison; `changed` if it was created. */
  findOrCreate(list: NameList, name: string): Promise<Saved>;
  /** Counts the records created in lists of these kinds. */
  created(...kinds: NameListKind[]): number;
}

export function namesOf(catalog: Catalog): Names {
  const lists = new Map<string, { ids: Map<string, number>; lastPosition: number }>();
  const created: NameListKind[] = [];

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
    async findOrCreate(list, name) {
      const known = await read(list);
      const id = known.ids.get(nameMatch(name));
      if (id !== undefined) return { ok: true, id, changed: false };
      const saved = await catalog.addName(list, name, known.lastPosition + 1);
      if (!saved.ok) {
        // Another client may have created the record since the list was read.
        lists.delete(keyOf(list));
        const other = (await read(list)).ids.get(nameMatch(name));
        return other === undefined ? saved : { ok: true, id: other, changed: false };
      }
      known.ids.set(nameMatch(name), saved.id);
      known.lastPosition += 1;
      created.push(list.kind);
      return saved;
    },
    created: (...kinds) => created.filter((kind) => kinds.includes(kind)).length,
  };
}

function keyOf({ kind, parents }: NameList): string {
  return `${kind} ${parents.join(' ')}`;
}
