/** Rules of sale discounts, volume discounts and coupons (pricing.md §2). */
import { type Draft, type Field, flag, links, timestamp } from '../../../engine/vocabulary.ts';
import { afterWrite } from '../after-write.ts';
import { checkDateRange, checkMoney, checkPercent, DATE_RANGE, MONEY, PERCENT } from './value.ts';

/** Maximum number of sale discounts, and of volume discounts. */
export const DISCOUNTS_MAX = 1000;

const PRODUCTS_MAX = 10_000;

/** The coupon type for free shipping. Its value is 0. */
export const FREE_SHIPPING = 'S';

export const DISCOUNT_FIELDS = ['value', 'type', ...DATE_RANGE] as const;
export const COUPON_FIELDS = [...DISCOUNT_FIELDS, 'total_range_begin', 'total_range_end'] as const;

export function dateRangeFields(): Readonly<Record<(typeof DATE_RANGE)[number], Field>> {
  return {
    date_range_begin: timestamp({ nullable: true, description: 'Start of the period; null is open.' }),
    date_range_end: timestamp({
      nullable: true,
      example: '2026-02-28T09:30:00+00:00',
      description: 'End of the period (exclusive); null is open. Must be after `date_range_begin`.',
    }),
  };
}

/** The restrictions that sale discounts and coupons have. */
export function restrictionFields() {
  return {
    specific_products: flag({
      description: 'Whether only the products in `products` match. Otherwise that list has no effect.',
    }),
    products: links({
      to: 'Product',
      shown: 'ids',
      elementsMax: PRODUCTS_MAX,
      description: 'Ids of products. An empty list matches none if `specific_products` is true.',
    }),
    product_classes: links({
      to: 'ProductClass',
      shown: 'ids',
      description: 'Ids of product classes; an empty list is no restriction.',
    }),
    categories: links({
      to: 'Category',
      shown: 'ids',
      description: 'Ids of categories, which include those below them; an empty list is no restriction.',
    }),
    memberships: links({
      to: 'Membership',
      shown: 'ids',
      description: 'Ids of memberships of buyers; an empty list is no restriction.',
    }),
  };
}

export function zonesField(): Field {
  return links({
    to: 'Zone',
    shown: 'ids',
    description: 'Ids of zones that the buyer’s address can be in; an empty list is no restriction.',
  });
}

export function checkDiscount(draft: Draft<(typeof DISCOUNT_FIELDS)[number]>): void {
  checkDateRange(draft);
  const { violations } = draft;
  const { value, type } = afterWrite(draft);
  if (type === PERCENT) checkPercent(value, 'value', violations);
  if (type === MONEY) checkMoney(value, 'value', draft);
}

export function checkCoupon(draft: Draft<(typeof COUPON_FIELDS)[number]>): void {
  checkDiscount(draft);
  const { violations } = draft;
  const { value, type, total_range_begin: begin, total_range_end: end } = afterWrite(draft);
  if (type === FREE_SHIPPING && typeof value === 'number' && value !== 0)
    violations.add('value', 'range', `The value of a coupon of the type ${FREE_SHIPPING} must be 0.`);
  if (typeof begin === 'number' && typeof end === 'number' && end !== 0 && end < begin)
    violations.add('total_range_end', 'conflict', 'The end must be at least total_range_begin. Send 0 for no end.');
}
