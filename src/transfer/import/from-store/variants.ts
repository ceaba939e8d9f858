/**
 * Copies the variants of a product, which release 5.5 does not show. An existing variant is found by its values; its stock is
 * not overwritten.
 */
import type { ApiRecord } from '../../api/store-api.ts';
import { type Ids, type ProductIds, picked, type StoreCopy } from './store-copy.ts';

const PATH = '/products/{product_id}/variants';

/** Fields for which a variant has its own value or the default of the product. */
const OWN: readonly (readonly [field: string, defaultFlag: string])[] = [
  ['price', 'default_price'],
  ['amount', 'default_amount'],
  ['weight', 'default_weight'],
];

/** Fields of a variant with a sale price of its own. */
const SALE = ['sale_discount_type', 'sale_price_value', 'default_sale_price'];

/**
 * @param values identifiers of select and checkbox values in both stores
 * @returns the number of created or changed variants, and the identifiers of all in both stores
 */
export async function copyVariants(
  storeCopy: StoreCopy,
  name: string,
  product: ProductIds,
  values: ReadonlyMap<string, number>,
): Promise<{ readonly saved: number; readonly ids: Ids }> {
  const ids: Ids = new Map();
  const variants = await Array.fromAsync(storeCopy.source.list(PATH, [product.sourceId]));
  if (variants.length === 0) return { saved: 0, ids };
  const known = new Map<string, ApiRecord>();
  for await (const variant of storeCopy.target.list(PATH, [product.targetId])) known.set(valuesKey(variant), variant);
  let saved = 0;
  for (const variant of variants) {
    const label = `${variant.sku ?? variant.id} of ${name}`;
    if (!hasAllValues(variant, values)) {
      // With fewer values it would be another variant. Also, the first variant defines the attributes of all.
      storeCopy.failure('variants', label, VALUES_MISSING);
      continue;
    }
    const input = inputOf(variant, values);
    const found = known.get(valuesKey(input));
    const changes = found && changesOf(found, input);
    if (found) ids.set(variant.id as number, found.id as number);
    if (changes && Object.keys(changes).length === 0) continue;
    const { url, alt = '' } = (variant.image ?? {}) as ApiRecord;
    const image = typeof url === 'string' ? { image: { externalUrl: url, alt } } : {};
    const outcome = await (changes
      ? storeCopy.target.patch(`${PATH}/{id}`, [product.targetId, found!.id as number], changes)
      : storeCopy.target.post(PATH, [product.targetId], { ...input, ...image }));
    if (outcome.ok) {
      saved += 1;
      ids.set(variant.id as number, outcome.id);
    } else storeCopy.failure('variants', label, outcome);
  }
  return { saved, ids };
}

/** The variant's own sale, or that it has the product's. Release 5.5.0 has neither. */
function saleOf(variant: ApiRecord): ApiRecord {
  return variant.default_sale_price === false ? picked(variant, SALE) : picked(variant, ['default_sale_price']);
}

function inputOf(variant: ApiRecord, values: ReadonlyMap<string, number>): ApiRecord {
  return {
    ...picked(variant, ['sku', 'default_variant']),
    ...saleOf(variant),
    ...Object.fromEntries(
      OWN.map(([field, defaultFlag]) =>
        variant[defaultFlag] === false ? [field, variant[field]] : [defaultFlag, true],
      ),
    ),
    attribute_select_values: mappedIds(variant, 'select', values),
    attribute_checkbox_values: mappedIds(variant, 'checkbox', values),
  };
}

const VALUES_MISSING = {
  status: 422,
  problems: [{ path: '', message: 'Some of its attribute values could not be copied. Fix those and import again.' }],
};

function hasAllValues(variant: ApiRecord, values: ReadonlyMap<string, number>): boolean {
  return (['select', 'checkbox'] as const).every(
    (kind) => mappedIds(variant, kind, values).length === idsIn(variant, kind).length,
  );
}

/** Returns the fields to update in an existing variant. Never its stock: the target store may already sell it. */
function changesOf(found: ApiRecord, input: ApiRecord): ApiRecord {
  const own = OWN.filter(([field]) => field !== 'amount');
  const changed = own.filter(([field, defaultFlag]) =>
    field in input ? found[defaultFlag] !== false || found[field] !== input[field] : found[defaultFlag] === false,
  );
  const differs = (name: string): boolean => name in input && found[name] !== input[name];
  const names = ['sku', 'default_variant'].filter(differs);
  return picked(input, [...names, ...(SALE.some(differs) ? SALE : []), ...changed.flat()]);
}

function mappedIds(variant: ApiRecord, kind: 'select' | 'checkbox', values: ReadonlyMap<string, number>): number[] {
  return idsIn(variant, kind).flatMap((id) => values.get(`${kind} ${id}`) ?? []);
}

/** Returns a text that is equal for variants with the same values. */
function valuesKey(variant: ApiRecord): string {
  const sorted = (kind: 'select' | 'checkbox') => idsIn(variant, kind).sort((one, other) => one - other);
  return JSON.stringify([sorted('select'), sorted('checkbox')]);
}

function idsIn(variant: ApiRecord, kind: 'select' | 'checkbox'): number[] {
  return [...((variant[`attribute_${kind}_values`] ?? []) as number[])];
}
