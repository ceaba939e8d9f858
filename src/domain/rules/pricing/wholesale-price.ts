/** Rules of wholesale prices (pricing.md §1). */
import { collected, type Draft, integer, text, type UnitOfWork, type Value } from '../../../engine/vocabulary.ts';
import { afterWrite } from '../after-write.ts';
import { checkPercent } from './value.ts';

/** Maximum number of rows of one product or variant. */
const ROWS_MAX = 500;

/** The smallest quantity of a row for every buyer. Rows for a membership may begin at 1. */
const QUANTITY_MIN = 2;

export const USES_OF_WHOLESALE_PRICE = {
  own: [
    ...(['type', 'price', 'quantity_range_begin', 'membership'] as const),
    ...(['product_id', 'variant_id', 'owner_key', 'membership_key'] as const),
  ],
  WholesalePrice: ['owner_key', 'membership_key', 'quantity_range_begin'],
} as const;

type WholesaleDraft = Draft<(typeof USES_OF_WHOLESALE_PRICE.own)[number]>;

/** Identifies the owner: a variant, or a product. */
export function ownerKey(product: Value, variant: Value): string {
  return variant === null ? `p${product}` : `v${variant}`;
}

/** Sets the columns of the unique index, which must not be null. The membership is not resolved yet. */
export function deriveWholesaleKeys({ operation, values }: WholesaleDraft): void {
  if (operation === 'create') values.owner_key = ownerKey(values.product_id!, values.variant_id ?? null);
  if (values.membership === undefined) return;
  const membership = values.membership as { readonly id: number } | null;
  values.membership_key = membership?.id ?? 0;
}

export async function checkWholesalePrice(
  draft: WholesaleDraft,
  unit: UnitOfWork<typeof USES_OF_WHOLESALE_PRICE>,
): Promise<void> {
  const { stored, values, violations } = draft;
  const { type, price, quantity_range_begin: quantity, membership } = afterWrite(draft);
  if (type === 'percent') checkPercent(price, 'price', violations);
  if (typeof quantity === 'number' && quantity < QUANTITY_MIN && membership === null)
    violations.add(
      'quantity_range_begin',
      'range',
      `This value should be at least ${QUANTITY_MIN}. With a membership it can be 1.`,
    );
  const { owner_key } = values;
  if (!stored && (await unit.count('WholesalePrice', { owner_key: owner_key! })) >= ROWS_MAX)
    violations.add(
      '',
      'too_long',
      `A product or variant can have at most ${ROWS_MAX} wholesale prices. Delete one first.`,
    );
}

/** Bulk writes identify a row by the SKU of its owner, its membership and its quantity. */
export const wholesaleBulk = collected(
  { Product: ['sku'], Variant: ['sku', 'product_id'], WholesalePrice: USES_OF_WHOLESALE_PRICE.WholesalePrice },
  {
    path: '/wholesale_prices/{id}',
    key: {
      sku: text({ required: true, notBlank: true, lengthMax: 32, description: 'SKU of the product or variant.' }),
      membership: integer({ nullable: true, min: 1 }),
      quantity_range_begin: integer({ required: true, min: 1 }),
    },
    async locate({ sku, membership, quantity_range_begin }, reads) {
      const [product] = await reads.list('Product', { sku: sku! });
      const [variant] = product ? [] : await reads.list('Variant', { sku: sku! });
      if (!product && !variant) return undefined;
      const links = { product_id: product?.id ?? variant!.product_id, variant_id: variant?.id ?? null };
      const [row] = await reads.list('WholesalePrice', {
        owner_key: ownerKey(links.product_id, links.variant_id),
        membership_key: membership ?? 0,
        quantity_range_begin: quantity_range_begin!,
      });
      return { links, id: row?.id };
    },
  },
);
