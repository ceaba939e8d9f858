/** How taxes are calculated (pricing.md §3). A single object that always exists. */
import { choice, type Field, flag, link, resource, rules } from '../../engine/vocabulary.ts';
import { lockPricingRules } from '../rules/pricing/named-records.ts';
import { checkTaxSettings, USES_OF_TAX_SETTINGS } from '../rules/pricing/taxes.ts';

const zoneLink = (description: string): Field => link({ to: 'Zone', shown: 'id', onDelete: 'restrict', description });

export const taxSettings = resource({
  name: 'TaxSettings',
  group: 'Pricing',
  description: 'How the store calculates taxes.',
  fields: {
    prices_include_tax: flag({
      description: 'Whether prices include the taxes of `default_zone`, which is then required.',
    }),
    default_zone: zoneLink('Id of the zone of buyers whose address is not known.'),
    outside_zone: choice(['net', 'gross'], {
      default: 'net',
      description:
        'At other rates than those of `default_zone`: `net` converts prices that include taxes, `gross` does not.',
    }),
    address: choice(['shipping', 'billing'], {
      default: 'shipping',
      description: 'The address that determines taxes and discounts. If that address is null, the other one is used.',
    }),
    shipping: choice(['rates', 'proportional'], {
      default: 'rates',
      description: 'Taxes of charges: by rates with the base `shipping`, or `proportional` to the rates of the items.',
    }),
    rounding: choice(['half_up', 'half_even', 'half_down', 'down'], {
      default: 'half_up',
      example: 'half_up',
      description: 'How taxes are rounded; `half_up` is away from zero.',
    }),
    rounding_target: choice(['unit', 'line', 'total'], {
      default: 'line',
      description: 'Which taxes are rounded: of each unit, of each line, or of the whole order.',
    }),
    vat_id_exempt_zone: zoneLink('Id of the zone in which buyers with a VAT id pay no tax; null for none.'),
  },
  seeds: [{}],
  routes: [{ path: '/tax_settings', single: true, operations: ['read', 'replace', 'patch'], without: ['id'] }],
  rules: rules(USES_OF_TAX_SETTINGS, { derive: lockPricingRules, check: checkTaxSettings }),
});
