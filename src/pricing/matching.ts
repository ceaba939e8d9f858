/** Conditions of rules: dates, restriction lists, the buyer (pricing.md, introduction and §§2 to 4). */
import type { Buyer, DateRange, ProductFacts, ProductRestrictions, TaxSettings } from './input.ts';
import type { MatchedZone } from './zones.ts';

/** Whether a rule is active: `date_range_begin` ≤ time < `date_range_end` (pricing.md, introduction). */
export function isActive({ date_range_begin: begin, date_range_end: end }: DateRange, time: number): boolean {
  return (begin === null || begin <= time) && (end === null || time < end);
}

/** Whether a restriction list holds: one element is enough, and `[]` is no restriction (pricing.md, introduction and §4). */
function allows(list: readonly number[], ids: readonly number[]): boolean {
  return list.length === 0 || ids.some((id) => list.includes(id));
}

/** Like `allows`, for one id. Null is in no list. */
function allowsId(list: readonly number[], id: number | null): boolean {
  return list.length === 0 || (id !== null && list.includes(id));
}

/** Whether a discount's restrictions to products hold (pricing.md §2). With `specific_products`, `[]` matches none. */
export function matchesProduct(
  discount: ProductRestrictions,
  product: Pick<ProductFacts, 'id' | 'product_class' | 'categories'>,
): boolean {
  return (
    (!discount.specific_products || discount.products.includes(product.id)) &&
    allowsId(discount.product_classes, product.product_class) &&
    allows(discount.categories, product.categories)
  );
}

/** Whether a restriction list of memberships contains the buyer's (pricing.md §2). A buyer without one is in no list. */
export function allowsMembership(memberships: readonly number[], { membership }: Buyer): boolean {
  return allowsId(memberships, membership);
}

/** Whether a restriction list of zones contains one of the address's (pricing.md §§2, 4). */
export function allowsZones(zones: readonly number[], address: readonly MatchedZone[]): boolean {
  return allows(
    zones,
    address.map(({ id }) => id),
  );
}

/** Whether a link that may be null matches. Null matches all (pricing.md §§1–3). */
export function matchesLink(link: number | null, id: number | null): boolean {
  return link === null || link === id;
}

/** Whether the buyer pays no tax: `tax_exempt`, or a `vat_id` and an address in `vat_id_exempt_zone` (pricing.md §4). */
export function isExempt(buyer: Buyer, address: readonly MatchedZone[], settings: TaxSettings): boolean {
  if (buyer.tax_exempt) return true;
  return buyer.vat_id !== '' && address.some(({ id }) => id === settings.vat_id_exempt_zone);
}
