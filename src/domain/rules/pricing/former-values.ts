/** Which values are stored before they change, because public prices depend on them (pricing.md §6). */
import { type Field, timestamp } from '../../../engine/vocabulary.ts';

/** Time since which earlier values of a record are known. 0: since before the record's product. */
export function recordedSince(): Field {
  return timestamp({ groups: [], stamped: 'created', default: 0 });
}

export const PRODUCT_VALUES = [
  'price',
  'participate_sale',
  'discount_type',
  'sale_price_value',
  'product_class',
] as const;
export const VARIANT_VALUES = [
  'default_price',
  'price',
  'default_sale_price',
  'sale_discount_type',
  'sale_price_value',
] as const;
export const LINK_VALUES = ['category', 'recorded_since'] as const;
export const CATEGORY_VALUES = ['parent'] as const;
export const SALE_VALUES = [
  ...(['enabled', 'value', 'date_range_begin', 'date_range_end', 'specific_products'] as const),
  ...(['product_classes', 'categories', 'memberships', 'recorded_since'] as const),
] as const;

export const FORMER_PRODUCT = { to: 'ProductFormerValue', fields: PRODUCT_VALUES, named: { product: 'id' } } as const;
export const FORMER_VARIANT = {
  to: 'ProductFormerValue',
  fields: VARIANT_VALUES,
  named: { product: 'product_id', variant: 'id' },
} as const;
export const FORMER_LINK = {
  to: 'ProductFormerValue',
  fields: LINK_VALUES,
  named: { product: 'product_id' },
  onRemoval: true,
} as const;
export const FORMER_CATEGORY = {
  to: 'RuleFormerValue',
  fields: CATEGORY_VALUES,
  named: { record: 'id' },
  onRemoval: true,
} as const;
export const FORMER_SALE = {
  to: 'RuleFormerValue',
  fields: SALE_VALUES,
  // Stored with the product: a list can have thousands of products, and a history needs only one of them.
  long: { field: 'products', to: 'ProductFormerValue', link: 'product' },
  named: { record: 'id' },
  onRemoval: true,
} as const;
