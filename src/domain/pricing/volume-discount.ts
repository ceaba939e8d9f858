/** Volume discounts: discounts on orders with a minimum subtotal (pricing.md §2). */
import { choice, decimal, link, resource, rules } from '../../engine/vocabulary.ts';
import {
  checkDiscount,
  DISCOUNT_FIELDS,
  DISCOUNTS_MAX,
  dateRangeFields,
  zonesField,
} from '../rules/pricing/discounts.ts';
import { lockPricingRules } from '../rules/pricing/named-records.ts';
import { DATE_RANGE, MONEY, PERCENT } from '../rules/pricing/value.ts';

export const volumeDiscount = resource({
  name: 'VolumeDiscount',
  group: 'Pricing',
  description: 'A discount on orders with a minimum subtotal. The largest matching discount applies.',
  fields: {
    value: decimal({ min: 0, description: 'Percentage, or amount in the store’s currency.', example: 5 }),
    type: choice([PERCENT, MONEY], { default: PERCENT, description: '`%` percentage, `$` amount.' }),
    subtotal_range_begin: decimal({ min: 0, description: 'Minimum subtotal of an order.', example: 100 }),
    membership: link({
      to: 'Membership',
      shown: 'id',
      onDelete: 'restrict',
      description: 'Id of the membership of the buyer; null is every buyer.',
    }),
    ...dateRangeFields(),
    zones: zonesField(),
  },
  bulk: { by: 'id' },
  routes: [{ path: '/volume_discounts/{id}', operations: ['list', 'create', 'read', 'replace', 'patch', 'remove'] }],
  filters: ['membership', ...DATE_RANGE],
  orders: ['subtotal_range_begin', 'value', ...DATE_RANGE],
  serialized: true,
  siblingsMax: {
    count: DISCOUNTS_MAX,
    field: '',
    message: `A store can have at most ${DISCOUNTS_MAX} volume discounts. Delete one first.`,
  },
  rules: rules({ own: DISCOUNT_FIELDS }, { derive: lockPricingRules, check: checkDiscount }),
});
