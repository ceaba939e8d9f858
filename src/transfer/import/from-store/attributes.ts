/**
 * Attributes with their options and groups, of the whole store, of a class or of a product: found by their names, and made where
 * they are missing. `values.ts` gives products their values.
 */
import { nameMatch } from '../../../engine/index.ts';
import type { ApiRecord } from '../../api/store-api.ts';
import { type Ids, idOf, picked, type StoreCopy } from './store-copy.ts';

type Kind = 'select' | 'text' | 'checkbox' | 'hidden';

/** An attribute of the other store, and the same one here. */
export interface Attribute {
  readonly kind: Kind;
  readonly there: number;
  readonly here: number;
  /** Of select and hidden ones. */
  readonly options: Ids;
}

interface Scope {
  /** Before `/attributes_select`: empty, or the path of the owner. */
  readonly prefix: string;
  readonly kinds: readonly Kind[];
  readonly hasGroups: boolean;
}

export const SCOPES = {
  store: { prefix: '', kinds: ['select', 'text', 'checkbox', 'hidden'], hasGroups: true },
  class: { prefix: '/product_classes/{class_id}', kinds: ['select', 'text', 'checkbox'], hasGroups: true },
  product: { prefix: '/products/{product_id}', kinds: ['select', 'text', 'checkbox'], hasGroups: false },
} as const satisfies Record<string, Scope>;

/** @param owner its identifiers there and here; none of the whole store */
export async function copyAttributes(
  storeCopy: StoreCopy,
  { prefix, kinds, hasGroups }: Scope,
  owner: { readonly there: readonly number[]; readonly here: readonly number[] },
): Promise<Attribute[]> {
  const copied: Attribute[] = [];
  const groups = hasGroups
    ? await copyList(storeCopy, `${prefix}/attribute_groups`, owner, 'name', (group) =>
        picked(group, ['name', 'position']),
      )
    : new Map<number, number>();
  for (const kind of kinds) {
    const path = `${prefix}/attributes_${kind}`;
    const ids = await copyList(storeCopy, path, owner, 'name', (attribute) => ({
      ...picked(attribute, kind === 'select' ? ['name', 'position', 'displayMode'] : ['name', 'position']),
      ...groupOf(attribute, groups),
    }));
    for (const [there, here] of ids) {
      const both = { there: [...owner.there, there], here: [...owner.here, here] };
      const options =
        kind === 'select' || kind === 'hidden'
          ? await copyList(storeCopy, `${path}/{attribute_id}/options`, both, 'value', (option) =>
              picked(option, ['value', 'position']),
            )
          : new Map<number, number>();
      copied.push({ kind, there, here, options });
    }
  }
  return copied;
}

function groupOf(attribute: ApiRecord, groups: Ids): { groupId?: number } {
  const group = groups.get(idOf(attribute.groupId) ?? 0);
  return group === undefined ? {} : { groupId: group };
}

/** Records of one list, known by a field. */
async function copyList(
  storeCopy: StoreCopy,
  path: string,
  owner: { readonly there: readonly number[]; readonly here: readonly number[] },
  by: 'name' | 'value',
  input: (record: ApiRecord) => ApiRecord,
): Promise<Ids> {
  const { source, target } = storeCopy;
  const ids: Ids = new Map();
  const there = await Array.fromAsync(source.list(path, owner.there));
  if (there.length === 0) return ids;
  const known = new Map<string, number>();
  for await (const record of target.list(path, owner.here))
    known.set(nameMatch(record[by] as string), record.id as number);
  for (const record of there) {
    const name = nameMatch(record[by] as string);
    const found = known.get(name);
    const made = found === undefined ? await target.post(path, owner.here, input(record)) : undefined;
    const kind = path.split('/').at(-1)!.replaceAll('_', ' ');
    if (made && !made.ok) storeCopy.failure(kind, record[by] as string, made);
    else {
      const id = found ?? (made as { id: number }).id;
      known.set(name, id);
      ids.set(record.id as number, id);
      if (made) storeCopy.row(kind, record[by] as string, 'created');
    }
  }
  return ids;
}
