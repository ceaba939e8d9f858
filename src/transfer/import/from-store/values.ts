/** The values of a product. One that is there already follows the other store, and stays its value here. */
import type { ApiRecord } from '../../api/store-api.ts';
import type { Attribute } from './attributes.ts';
import { idOf, picked, type StoreCopy } from './store-copy.ts';

const PRICED = [
  'price_modifier',
  'price_modifier_type',
  'weight_modifier',
  'weight_modifier_type',
  'is_default',
] as const;

/** Where values of a kind are, what tells one from another, and their input; undefined where it cannot be said here. */
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

/** @returns how many values are new or changed; of select and checkbox values which is which, for variants */
export async function copyValues(
  storeCopy: StoreCopy,
  name: string,
  product: { readonly there: number; readonly here: number },
  attributes: readonly Attribute[],
): Promise<{ set: number; ids: Map<string, number> }> {
  let set = 0;
  const ids = new Map<string, number>();
  for (const { kind, there, here, options } of attributes) {
    const path = `/products/{product_id}/attributes_${kind}/{attribute_id}/values`;
    const values = await valuesAt(storeCopy.source, kind, path, [product.there, there]);
    if (values.length === 0) continue;
    const own = [product.here, here];
    const { fields, key } = FORMS[kind];
    const known = new Map((await valuesAt(storeCopy.target, kind, path, own)).map((value) => [key(value), value]));
    for (const value of values) {
      const option = options.get(idOf(value.option) ?? 0);
      const input: ApiRecord = { ...picked(value, fields), ...('option' in value ? { option_id: option } : {}) };
      const found = known.get('option' in value ? option : key(value));
      if (found) ids.set(`${kind} ${value.id}`, found.id as number);
      const changed = found && fields.filter((field) => field in input && found[field] !== input[field]);
      if (changed?.length === 0) continue;
      const saved = await (changed
        ? storeCopy.target.patch(...valueRoute(found!, kind, path, own), picked(value, changed))
        : storeCopy.target.post(path, own, input));
      if (saved.ok) {
        set += 1;
        ids.set(`${kind} ${value.id}`, saved.id);
      } else storeCopy.failure('values', `${kind} of ${name}`, saved);
    }
  }
  return { set, ids };
}

/** Of these a product has one value, without a list. */
const SINGLE: ReadonlySet<string> = new Set(['hidden', 'text']);

function valueRoute(found: ApiRecord, kind: string, path: string, own: number[]): [path: string, ids: number[]] {
  return SINGLE.has(kind) ? [path, own] : [`${path}/{id}`, [...own, found.id as number]];
}

async function valuesAt(api: StoreCopy['source'], kind: string, path: string, ids: number[]): Promise<ApiRecord[]> {
  if (!SINGLE.has(kind)) return Array.fromAsync(api.list(path, ids));
  const one = await api.find(path, ids);
  return one ? [one].flat() : [];
}
