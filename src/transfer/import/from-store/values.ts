/** Copies the attribute values of a product. Existing values are updated, so their identifiers remain valid. */
import type { ApiRecord } from '../../api/store-api.ts';
import type { Attribute } from './attributes.ts';
import { idOf, type ProductIds, picked, type StoreCopy } from './store-copy.ts';

const PRICED = [
  'price_modifier',
  'price_modifier_type',
  'weight_modifier',
  'weight_modifier_type',
  'is_default',
] as const;

/** The fields to copy for a kind of value, and the key by which the same value is found in both stores. */
interface Form {
  readonly fields: readonly string[];
  readonly key: (value: ApiRecord) => unknown;
}

const FORMS: Readonly<Record<Attribute['kind'], Form>> = {
  select: { fields: ['position', ...PRICED], key: ({ option }) => idOf(option) },
  hidden: { fields: [], key: ({ option }) => idOf(option) },
  checkbox: { fields: ['value', ...PRICED], key: ({ value }) => value },
  text: { fields: ['value', 'editable'], key: () => 'text' },
};

/**
 * Copies the values of all attributes of a product.
 * @returns the number of created or changed values, and the identifiers of select and checkbox values for its variants
 */
export async function copyValues(
  storeCopy: StoreCopy,
  name: string,
  product: ProductIds,
  attributes: readonly Attribute[],
): Promise<{ set: number; ids: Map<string, number> }> {
  let set = 0;
  const ids = new Map<string, number>();
  for (const attribute of attributes) set += await copyAttributeValues(storeCopy, name, product, attribute, ids);
  return { set, ids };
}

/** @param ids receives the identifiers of the values @returns the number of created or changed values */
async function copyAttributeValues(
  storeCopy: StoreCopy,
  name: string,
  product: ProductIds,
  { kind, sourceId, targetId, options }: Attribute,
  ids: Map<string, number>,
): Promise<number> {
  const path = `/products/{product_id}/attributes_${kind}/{attribute_id}/values`;
  const values = await valuesAt(storeCopy.source, kind, path, [product.sourceId, sourceId]);
  if (values.length === 0) return 0;
  const targetIds = [product.targetId, targetId];
  const { fields, key } = FORMS[kind];
  const known = new Map((await valuesAt(storeCopy.target, kind, path, targetIds)).map((value) => [key(value), value]));
  let set = 0;
  for (const value of values) {
    const option = options.get(idOf(value.option) ?? 0);
    const input: ApiRecord = { ...picked(value, fields), ...('option' in value ? { option_id: option } : {}) };
    const found = known.get('option' in value ? option : key(value));
    if (found) ids.set(`${kind} ${value.id}`, found.id as number);
    const changed = found && fields.filter((field) => field in input && found[field] !== input[field]);
    if (changed?.length === 0) continue;
    const saved = await (changed
      ? storeCopy.target.patch(...valueRoute(found!, kind, path, targetIds), picked(value, changed))
      : storeCopy.target.post(path, targetIds, input));
    if (saved.ok) {
      set += 1;
      ids.set(`${kind} ${value.id}`, saved.id);
    } else storeCopy.failure('values', `${kind} of ${name}`, saved);
  }
  return set;
}

/** Kinds of attribute with at most one value per product, without a list. */
const SINGLE: ReadonlySet<string> = new Set(['hidden', 'text']);

function valueRoute(found: ApiRecord, kind: string, path: string, ids: number[]): [path: string, ids: number[]] {
  return SINGLE.has(kind) ? [path, ids] : [`${path}/{id}`, [...ids, found.id as number]];
}

async function valuesAt(api: StoreCopy['source'], kind: string, path: string, ids: number[]): Promise<ApiRecord[]> {
  if (!SINGLE.has(kind)) return Array.fromAsync(api.list(path, ids));
  const one = await api.find(path, ids);
  return one ? [one].flat() : [];
}
