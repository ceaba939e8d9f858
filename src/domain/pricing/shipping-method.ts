/** Shipping methods (shipping.md §1). */
import { choice, decimal, flag, integer, link, resource, rules, text } from '../../engine/vocabulary.ts';
import { lockPricingRules } from '../rules/pricing/named-records.ts';
import { checkShippingMethod, coverage, METHOD_FIELDS, pickupAddress } from '../rules/pricing/shipping-method.ts';

const METHODS_MAX = 1000;
const TEXT_MAX = 255;

export const shippingMethod = resource({
  name: 'ShippingMethod',
  group: 'Pricing',
  description: 'A way to send or hand over an order. Its rates determine what it costs.',
  fields: {
    name: text({
      synonyms: ['title'],
      required: true,
      notBlank: true,
      lengthMax: TEXT_MAX,
      translated: true,
      searchable: true,
      description: 'Name of the method, for buyers.',
      example: 'Parcel',
    }),
    delivery_time: text({
      translated: true,
      lengthMax: TEXT_MAX,
      description: 'When the order arrives, for buyers.',
      example: '2–3 days',
    }),
    enabled: flag({ default: true, description: 'Whether the method is offered.' }),
    position: integer({ description: 'Order in which methods are offered.' }),
    carrier: text({ lengthMax: TEXT_MAX, description: 'Name of the carrier.', example: 'UPS' }),
    code: text({ lengthMax: TEXT_MAX, description: 'The carrier’s code of its service.' }),
    tax_class: link({
      to: 'TaxClass',
      shown: 'id',
      onDelete: 'restrict',
      description: 'Id of the tax class of the charge; null for none.',
    }),
    handling_fee: decimal({ min: 0, description: 'Added to the cost, unless shipping is free.' }),
    processor: choice(['offline', 'pickup'], {
      default: 'offline',
      description: '`offline`: sent to the shipping address. `pickup`: handed over at `pickup_address`.',
    }),
    free_from: decimal({
      nullable: true,
      min: 0,
      description: 'Total of the items after discounts from which shipping is free; null for never.',
      example: 50,
    }),
    free_by_coupon: flag({ default: true, description: 'Whether a coupon for free shipping makes this method free.' }),
    pickup_address: pickupAddress(),
  },
  bulk: { by: 'id' },
  routes: [{ path: '/shipping_methods/{id}', operations: ['list', 'create', 'read', 'replace', 'patch', 'remove'] }],
  filters: [{ field: 'name', partial: true }, 'enabled', 'carrier', 'code', 'tax_class', 'processor'],
  orders: ['name', 'position'],
  defaultOrder: ['position'],
  serialized: true,
  siblingsMax: {
    count: METHODS_MAX,
    field: '',
    message: `A store can have at most ${METHODS_MAX} shipping methods. Delete one first.`,
  },
  views: [coverage],
  rules: rules({ own: METHOD_FIELDS }, { derive: lockPricingRules, check: checkShippingMethod }),
});
