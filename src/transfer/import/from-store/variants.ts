/** The variants of a product, which release 5.5 does not show. One with the same values is there already, and keeps its stock. */
import type { ApiRecord } from '../../api/store-api.ts';
import { picked, type StoreCopy } from './store-copy.ts';

const PATH = '/products/{product_id}/variants';

/** A field counts where the variant has one of its own. */
const OWN: readonly (readonly [field: string, isOwners: string])[] = [
  ['price', 'default_price'],
  ['amount', 'default_amount'],
  ['weight', 'default_weight'],
];

/** @param values which select and checkbox values are which @returns how many are new or changed */
export async function copyVariants(
  storeCopy: StoreCopy,
  name: string,
  product: { readonly there: number; readonly here: number },
  values: ReadonlyMap<string, number>,
): Promise<number> {
  const there = await Array.fromAsync(storeCopy.source.list(PATH, [product.there]));
  if (there.length === 0) return 0;
  const known = new Map<string, ApiRecord>();
  for await (const variant of storeCopy.target.list(PATH, [product.here])) known.set(madeOf(variant), variant);
  let saved = 0;
  for (const variant of there) {
    const told = `${variant.sku ?? variant.id} of ${name}`;
    if (!isWhole(variant, values)) {
      // With fewer values it would be another variant, and the first one decides which attributes all have.
      storeCopy.failure('variants', told, VALUES_MISSING);
      continue;
    }
    const input = {
      ...picked(variant, ['sku', 'default_variant']),
      ...Object.fromEntries(
        OWN.map(([field, isOwners]) => (variant[isOwners] === false ? [field, variant[field]] : [isOwners, true])),
      ),
      attribute_select_values: here(variant, 'select', values),
      attribute_checkbox_values: here(variant, 'checkbox', values),
    };
    const found = known.get(madeOf(input));
    const changes = found && changesOf(found, input);
    if (changes && Object.keys(changes).length === 0) continue;
    const { url, alt = '' } = (variant.image ?? {}) as ApiRecord;
    const image = typeof url === 'string' ? { image: { externalUrl: url, alt } } : {};
    const outcome = await (changes
      ? storeCopy.target.patch(`${PATH}/{id}`, [product.here, found!.id as number], changes)
      : storeCopy.target.post(PATH, [product.here], { ...input, ...image }));
    if (outcome.ok) saved += 1;
    else storeCopy.failure('variants', told, outcome);
  }
  return saved;
}

const VALUES_MISSING = {
  status: 422,
  problems: [{ path: '', message: 'some of its values could not be copied: without them it would be another variant' }],
};

function isWhole(variant: ApiRecord, values: ReadonlyMap<string, number>): boolean {
  return (['select', 'checkbox'] as const).every(
    (kind) => here(variant, kind, values).length === idsIn(variant, kind).length,
  );
}

/** Fields in which a variant differs that is here already. Its stock belongs to this store: it may sell already. */
function changesOf(found: ApiRecord, input: ApiRecord): ApiRecord {
  const own = OWN.filter(([field]) => field !== 'amount');
  const changed = own.filter(([field, isOwners]) =>
    field in input ? found[isOwners] !== false || found[field] !== input[field] : found[isOwners] === false,
  );
  const names = ['sku', 'default_variant'].filter((name) => name in input && found[name] !== input[name]);
  return picked(input, [...names, ...changed.flat()]);
}

function here(variant: ApiRecord, kind: 'select' | 'checkbox', values: ReadonlyMap<string, number>): number[] {
  return idsIn(variant, kind).flatMap((id) => values.get(`${kind} ${id}`) ?? []);
}

function madeOf(variant: ApiRecord): string {
  const sorted = (kind: 'select' | 'checkbox') => idsIn(variant, kind).sort((one, other) => one - other);
  return JSON.stringify([sorted('select'), sorted('checkbox')]);
}

function idsIn(variant: ApiRecord, kind: 'select' | 'checkbox'): number[] {
  return [...((variant[`attribute_${kind}_values`] ?? []) as number[])];
}
