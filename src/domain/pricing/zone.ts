/** Zones: sets of addresses that taxes and discounts are restricted to (pricing.md §3). */
import { resource, rules, text } from '../../engine/vocabulary.ts';
import { lockPricingRules, USES_OF_PRICING_RULES, zoneNamed } from '../rules/pricing/named-records.ts';
import { checkZone, elementsField, ZONE_FIELDS } from '../rules/pricing/zone.ts';

const ZONES_MAX = 1000;

export const zone = resource({
  name: 'Zone',
  group: 'Pricing',
  description: 'A set of addresses, such as a country or a state, that taxes and discounts are restricted to.',
  fields: {
    name: text({
      required: true,
      notBlank: true,
      lengthMax: 255,
      unique: true,
      searchable: true,
      description: 'Unique name.',
      example: 'Texas',
    }),
    elements: elementsField(),
  },
  naming: 'name',
  bulk: { by: 'name' },
  routes: [{ path: '/zones/{id}', operations: ['list', 'create', 'read', 'replace', 'patch', 'remove'] }],
  filters: [{ field: 'name', partial: true }],
  orders: ['name'],
  defaultOrder: ['name'],
  serialized: true,
  siblingsMax: {
    count: ZONES_MAX,
    field: '',
    message: `A store can have at most ${ZONES_MAX} zones. Delete one first.`,
  },
  rules: rules(
    { own: ZONE_FIELDS, ...USES_OF_PRICING_RULES },
    { derive: lockPricingRules, check: checkZone, checkRemoval: zoneNamed },
  ),
});
