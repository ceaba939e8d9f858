/** Tax classes (catalog.md §3). Products of a deleted class have none. */
import { resource, rules, text } from '../../engine/vocabulary.ts';
import { taxClassNamed, USES_OF_PRICING_RULES } from '../rules/pricing/named-records.ts';

export const taxClass = resource({
  name: 'TaxClass',
  group: 'Catalog',
  description: 'A class of products that are taxed alike. Deleting it does not delete its products.',
  fields: {
    name: text({
      required: true,
      notBlank: true,
      lengthMax: 255,
      translated: true,
      unique: true,
      searchable: true,
      example: 'Reduced rate',
    }),
  },
  bulk: { by: 'name' },
  routes: [{ path: '/tax_classes/{id}', operations: ['list', 'create', 'read', 'replace', 'patch', 'remove'] }],
  filters: [{ field: 'name', partial: true }],
  orders: ['name'],
  defaultOrder: ['name'],
  rules: rules({ own: [], ...USES_OF_PRICING_RULES }, { checkRemoval: taxClassNamed }),
});
