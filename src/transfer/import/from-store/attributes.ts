/**
 * Copies the attributes of the store, a class or a product, with their groups and options. Existing ones are found by name.
 * `values.ts` copies the values of products.
 */
import { nameMatch } from '../../../engine/index.ts';
import type { ApiRecord } from '../../api/store-api.ts';
import { type Ids, idOf, picked, type StoreCopy } from './store-copy.ts';

type Kind = 'select' | 'text' | 'checkbox' | 'hidden';

/** An attribute in both stores. */
export interface Attribute {
  readonly kind: Kind;
  readonly sourceId: number;
  readonly targetId: number;
  /** Only select and hidden attributes have options. */
  readonly options: Ids;
}

interface Scope {
  /** The path of the owner; empty for the whole store. */
  readonly prefix: string;
  readonly kinds: readonly Kind[];
  readonly hasGroups: boolean;
}

export const SCOPES = {
  store: { prefix: '', kinds: ['select', 'text', 'checkbox', 'hidden'], hasGroups: true },
  class: { prefix: '/product_classes/{class_id}', kinds: ['select', 'text', 'checkbox'], hasGroups: true },
  product: { prefix: '/products/{product_id}', kinds: ['select', 'text', 'checkbox'], hasGroups: false },
} as const satisfies Record<string, Scope>;

/** The identifiers in the path of an owner, in both stores. */
interface Owner {
  readonly source: readonly number[];
  readonly target: readonly number[];
}

export const NO_OWNER: Owner = { source: [], target: [] };

/** Copies the attributes of one scope. @param owner the class or product; `NO_OWNER` for the whole store */
export async function copyAttributes(
  storeCopy: StoreCopy,
  { prefix, kinds, hasGroups }: Scope,
  owner: Owner,
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
    for (const [sourceId, targetId] of ids) {
      const attribute = { source: [...owner.source, sourceId], target: [...owner.target, targetId] };
      const options =
        kind === 'select' || kind === 'hidden'
          ? await copyList(storeCopy, `${path}/{attribute_id}/options`, attribute, 'value', (option) =>
              picked(option, ['value', 'position']),
            )
          : new Map<number, number>();
      copied.push({ kind, sourceId, targetId, options });
    }
  }
  return copied;
}

function groupOf(attribute: ApiRecord, groups: Ids): { groupId?: number } {
  const group = groups.get(idOf(attribute.groupId) ?? 0);
  return group === undefined ? {} : { groupId: group };
}

/** Copies the records of one list, which are identified by a name or value. Existing ones are not changed. */
async function copyList(
  storeCopy: StoreCopy,
  path: string,
  owner: Owner,
  by: 'name' | 'value',
  input: (record: ApiRecord) => ApiRecord,
): Promise<Ids> {
  const { source, target } = storeCopy;
  const ids: Ids = new Map();
  const records = await Array.fromAsync(source.list(path, owner.source));
  if (records.length === 0) return ids;
  const known = new Map<string, number>();
  for await (const record of target.list(path, owner.target))
    known.set(nameMatch(record[by] as string), record.id as number);
  for (const record of records) {
    const name = nameMatch(record[by] as string);
    const found = known.get(name);
    const created = found === undefined ? await target.post(path, owner.target, input(record)) : undefined;
    const kind = path.split('/').at(-1)!.replaceAll('_', ' ');
    if (created && !created.ok) storeCopy.failure(kind, record[by] as string, created);
    else {
      const id = found ?? (created as { id: number }).id;
      known.set(name, id);
      ids.set(record.id as number, id);
      if (created) storeCopy.row(kind, record[by] as string, 'created');
    }
  }
  return ids;
}
