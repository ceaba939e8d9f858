/** Tax rates (pricing.md §3). */
import { choice, decimal, flag, integer, link, resource, rules, text } from '../../engine/vocabulary.ts';
import { dateRangeFields } from '../rules/pricing/discounts.ts';
import { lockPricingRules } from '../rules/pricing/named-records.ts';
import { checkTaxRate, USES_OF_TAX_RATE } from '../rules/pricing/taxes.ts';
import { DATE_RANGE, MONEY, PERCENT } from '../rules/pricing/value.ts';

const RATES_MAX = 1000;

export const taxRate = resource({
  name: 'TaxRate',
  group: 'Pricing',
  description: 'A rate of a tax. An item pays the first matching rate of each tax.',
  fields: {
    tax: text({
      required: true,
      lengthMin: 1,
      lengthMax: 32,
      form: { pattern: /^[A-Z0-9_]*$/, expected: 'made of A–Z, 0–9 and _' },
      searchable: true,
      description: 'Code of the tax. An item pays at most one rate of each code.',
      example: 'VAT',
    }),
    name: text({
      required: true,
      notBlank: true,
      lengthMax: 255,
      translated: true,
      description: 'Name of the tax on orders and invoices.',
      example: 'VAT 19 %',
    }),
    enabled: flag({ default: true, description: 'Whether the rate is in use.' }),
    position: integer({ description: 'Order in which the rates of one tax are tried.' }),
    ...dateRangeFields(),
    zone: link({
      to: 'Zone',
      shown: 'id',
      onDelete: 'restrict',
      description: 'Id of the zone that the buyer’s address must be in; null matches all.',
    }),
    tax_class: link({
      to: 'TaxClass',
      shown: 'id',
      onDelete: 'restrict',
      description: 'Id of the tax class of the product; null matches all.',
    }),
    membership: link({
      to: 'Membership',
      shown: 'id',
      onDelete: 'restrict',
      description: 'Id of the membership of the buyer; null matches all.',
    }),
    type: choice([PERCENT, MONEY], {
      default: PERCENT,
      description: '`%` percentage, `$` amount for each unit or charge.',
    }),
    value: decimal({ required: true, min: 0, description: 'Percentage (at most 1000) or amount.', example: 19 }),
    base: choice(['subtotal', 'discounted_subtotal', 'shipping'], {
      default: 'discounted_subtotal',
      description: 'What is taxed: items before or after discounts, or charges such as shipping.',
    }),
  },
  bulk: { by: 'id' },
  routes: [{ path: '/tax_rates/{id}', operations: ['list', 'create', 'read', 'replace', 'patch', 'remove'] }],
  filters: ['tax', 'enabled', 'zone', 'tax_class', 'membership', 'type', 'base', ...DATE_RANGE],
  orders: ['tax', 'position'],
  defaultOrder: ['position'],
  serialized: true,
  siblingsMax: {
    count: RATES_MAX,
    field: '',
    message: `A store can have at most ${RATES_MAX} tax rates. Delete one first.`,
  },
  rules: rules(USES_OF_TAX_RATE, { derive: lockPricingRules, check: checkTaxRate }),
});
