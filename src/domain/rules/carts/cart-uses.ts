/** The fields that the calculation of carts reads. */
import type { Reads } from '../../../engine/vocabulary.ts';
import { USES_OF_COUPONS } from '../orders/coupon-uses.ts';
import { USES_OF_OPTIONS } from '../orders/order-options.ts';
import { USES_OF_STOCK } from '../orders/order-stock.ts';
import { USES_OF_CALCULATION } from '../pricing/calculation-facts.ts';
import { USES_OF_SHIPPING } from '../pricing/shipping-costs.ts';

export const USES_OF_CART = {
  ...USES_OF_CALCULATION,
  ...USES_OF_SHIPPING,
  ...USES_OF_OPTIONS,
  Product: [...USES_OF_CALCULATION.Product, ...USES_OF_STOCK.Product, 'enabled'],
  Variant: [...USES_OF_CALCULATION.Variant, ...USES_OF_STOCK.Variant],
  UsedCoupon: USES_OF_COUPONS.UsedCoupon,
} as const;

export type CartReads = Pick<
  Reads<typeof USES_OF_CART>,
  'count' | 'identify' | 'linkedTo' | 'list' | 'named' | 'read' | 'texts'
>;
