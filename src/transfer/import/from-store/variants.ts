/** The variants of a product, which release 5.5 does not show. One with the same values is there already and stays. */
import type { Shown } from '../../api/store-api.ts';
import { type Course, picked } from './course.ts';

const PATH = '/products/{product_id}/variants';

/** A field counts where the variant has one of its own. */
const OWN: readonly (readonly [field: string, isOwners: string])[] = [
  ['price', 'default_price'],
  ['amount', 'default_amount'],
  ['weight', 'default_weight'],
];

/** @param values which select and checkbox values are which @returns how many are new */
export async function copyVariants(
  course: Course,
  name: string,
  product: { readonly there: number; readonly here: number },
  values: ReadonlyMap<string, number>,
): Promise<number> {
  const there = await Array.fromAsync(course.source.list(PATH, [product.there]));
  if (there.length === 0) return 0;
  const known = new Set<string>();
  for await (const variant of course.target.list(PATH, [product.here])) known.add(madeOf(variant));
  let made = 0;
  for (const variant of there) {
    const input = {
      ...picked(variant, ['sku', 'default_variant']),
      ...Object.fromEntries(
        OWN.map(([field, isOwners]) => (variant[isOwners] === false ? [field, variant[field]] : [isOwners, true])),
      ),
      attribute_select_values: here(variant, 'select', values),
      attribute_checkbox_values: here(variant, 'checkbox', values),
    };
    if (known.has(madeOf(input))) continue;
    const { url, alt = '' } = (variant.image ?? {}) as Shown;
    const image = typeof url === 'string' ? { image: { externalUrl: url, alt } } : {};
    const saved = await course.target.post(PATH, [product.here], { ...input, ...image });
    if (saved.ok) made += 1;
    else course.failure('variants', `${variant.sku ?? variant.id} of ${name}`, saved);
  }
  return made;
}

function here(variant: Shown, kind: 'select' | 'checkbox', values: ReadonlyMap<string, number>): number[] {
  return idsIn(variant, kind).flatMap((id) => values.get(`${kind} ${id}`) ?? []);
}

function madeOf(variant: Shown): string {
  const sorted = (kind: 'select' | 'checkbox') => idsIn(variant, kind).sort((one, other) => one - other);
  return JSON.stringify([sorted('select'), sorted('checkbox')]);
}

function idsIn(variant: Shown, kind: 'select' | 'checkbox'): number[] {
  return [...((variant[`attribute_${kind}_values`] ?? []) as number[])];
}
