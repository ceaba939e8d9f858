/** Rates of shipping methods (shipping.md §2). */
import { decimal, type Field, integer, link, partOf, resource, rules } from '../../engine/vocabulary.ts';
import { lockPricingRules } from '../rules/pricing/named-records.ts';
import { checkShippingRate, USES_OF_SHIPPING_RATE } from '../rules/pricing/shipping-rate.ts';

const RATES_MAX = 1000;

const least = (of: string): Field => decimal({ min: 0, description: `Minimum ${of}, inclusive.` });
const most = (of: string): Field =>
  decimal({ nullable: true, min: 0, description: `Maximum ${of}, inclusive; null for no limit.` });
const markup = (of: string, example: number): Field => decimal({ min: 0, description: `${of}.`, example });

export const shippingRate = resource({
  name: 'ShippingRate',
  group: 'Pricing',
  description: 'What a shipping method costs in a zone, for orders in these ranges.',
  fields: {
    method: partOf('ShippingMethod'),
    zone_id: link({
      to: 'Zone',
      shown: 'id',
      nullable: false,
      required: true,
      onDelete: 'restrict',
      description: 'Id of the zone that the address must be in.',
      example: 1,
    }),
    min_weight: least('weight'),
    max_weight: { ...most('weight'), example: 30 },
    min_total: least('total before discounts'),
    max_total: most('total before discounts'),
    min_discounted_total: least('total after discounts'),
    max_discounted_total: most('total after discounts'),
    min_items: integer({ min: 0, description: 'Minimum number of units, inclusive.' }),
    max_items: integer({
      nullable: true,
      min: 0,
      description: 'Maximum number of units, inclusive; null for no limit.',
    }),
    markup_flat: markup('Amount for the order', 4.9),
    markup_percent: markup('Percentage of the total after discounts', 0),
    markup_per_item: markup('Amount for each unit', 0),
    markup_per_weight: markup('Amount for each unit of weight', 0.5),
  },
  bulk: { by: 'id' },
  routes: [
    {
      path: '/shipping_methods/{method_id}/rates/{id}',
      operations: ['list', 'create', 'read', 'replace', 'patch', 'remove'],
      parents: { method_id: 'method' },
      unknownParent: 'not-found',
    },
  ],
  filters: ['zone_id'],
  orders: ['zone_id', 'min_weight', 'min_total', 'min_discounted_total', 'min_items'],
  siblingsMax: {
    count: RATES_MAX,
    field: '',
    message: `A shipping method can have at most ${RATES_MAX} rates. Delete one first.`,
  },
  rules: rules(USES_OF_SHIPPING_RATE, { derive: lockPricingRules, check: checkShippingRate }),
});
