/** Coupons that an order uses (pricing.md §5). They are copies, because a coupon can change or be deleted later. */
import { choice, decimal, flag, partOf, reference, resource, text } from '../../engine/vocabulary.ts';
import { FREE_SHIPPING } from '../rules/pricing/discounts.ts';
import { MONEY, PERCENT } from '../rules/pricing/value.ts';

export const usedCoupon = resource({
  name: 'UsedCoupon',
  description: 'A coupon that an order uses.',
  fields: {
    order: partOf('Order'),
    code: text({ groups: ['all', 'read'], shownExample: 'SUMMER10' }),
    value: decimal({ groups: ['all', 'read'], description: 'Amount that the coupon takes off.', shownExample: 4 }),
    type: choice([PERCENT, MONEY, FREE_SHIPPING], {
      groups: ['all', 'read'],
      default: PERCENT,
      description: 'Type of the coupon: `%` percentage, `$` amount, `S` free shipping.',
    }),
    coupon_id: reference({
      to: 'Coupon',
      nullable: true,
      groups: ['read'],
      onDelete: 'set null',
      description: 'Id of the coupon; null if it was deleted, and for a past order.',
    }),
    is_counted: flag({ groups: [], description: 'Whether the order counts as a use of the coupon.' }),
    buyer: text({
      groups: [],
      personal: true,
      description: 'Identifies the buyer for the limit of uses by one customer; empty after erasure.',
    }),
  },
  foundTogether: [['coupon_id', 'buyer']],
  routes: [],
});
