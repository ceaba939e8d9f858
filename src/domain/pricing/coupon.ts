/** Coupons: discounts that buyers claim with a code (pricing.md §2). */
import { choice, decimal, flag, integer, resource, rules, text } from '../../engine/vocabulary.ts';
import {
  COUPON_FIELDS,
  checkCoupon,
  dateRangeFields,
  FREE_SHIPPING,
  restrictionFields,
  zonesField,
} from '../rules/pricing/discounts.ts';
import { lockPricingRules } from '../rules/pricing/named-records.ts';
import { DATE_RANGE, MONEY, PERCENT } from '../rules/pricing/value.ts';

export const coupon = resource({
  name: 'Coupon',
  group: 'Pricing',
  description: 'A discount, or free shipping, that buyers claim with a code.',
  fields: {
    code: text({
      required: true,
      lengthMin: 4,
      lengthMax: 16,
      form: { pattern: /^[!-~]*$/, expected: 'made of printable ASCII characters without spaces' },
      unique: true,
      distinct: 'loosely',
      searchable: true,
      description: 'Unique regardless of case.',
      example: 'SUMMER10',
    }),
    enabled: flag({ default: true, description: 'Whether the coupon can be used.' }),
    value: decimal({
      min: 0,
      description: 'Percentage, or amount in the store’s currency; 0 for the type `S`.',
      example: 10,
    }),
    type: choice([PERCENT, MONEY, FREE_SHIPPING], {
      default: PERCENT,
      description: '`%` percentage, `$` amount, `S` free shipping.',
    }),
    ...dateRangeFields(),
    total_range_begin: decimal({ min: 0, description: 'Minimum subtotal of the matching items.' }),
    total_range_end: decimal({ min: 0, description: 'Maximum subtotal of the matching items; 0 is no limit.' }),
    uses_limit: integer({ min: 0, description: 'Number of orders that can use the coupon; 0 is no limit.' }),
    uses_limit_per_user: integer({
      min: 0,
      description: 'Number of orders of one customer that can use the coupon; 0 is no limit.',
    }),
    single_use: flag({ description: 'Whether the coupon cannot be combined with other coupons.' }),
    ...restrictionFields(),
    zones: zonesField(),
    comment: text({ lengthMax: 255, description: 'Internal note of the store.' }),
    uses: integer({
      groups: ['all', 'read'],
      unpublished: true,
      description: 'Number of orders that use the coupon. A use does not change the coupon’s version.',
    }),
  },
  naming: 'code',
  bulk: { by: 'code' },
  routes: [{ path: '/coupons/{id}', operations: ['list', 'create', 'read', 'replace', 'patch', 'remove'] }],
  filters: ['code', 'enabled', { field: 'memberships', aliases: ['membership'] }, ...DATE_RANGE],
  orders: ['code', 'value', ...DATE_RANGE],
  rules: rules({ own: COUPON_FIELDS }, { derive: lockPricingRules, check: checkCoupon }),
});
