/** Product classes (catalog.md §3). Deleting a class deletes its attributes; its products then have no class. */
import { resource, rules, text } from '../../engine/vocabulary.ts';
import { classInUse, USES_OF_VALUES_IN_USE } from '../rules/catalog/variants-in-use.ts';
import { productClassNamed, USES_OF_PRICING_RULES } from '../rules/pricing/named-records.ts';

export const productClass = resource({
  name: 'ProductClass',
  group: 'Catalog',
  description: 'A class of products that share attributes. Deleting it deletes its attributes, but no products.',
  fields: {
    name: text({
      required: true,
      notBlank: true,
      lengthMax: 255,
      translated: true,
      unique: true,
      searchable: true,
      example: 'Shirts',
    }),
  },
  bulk: { by: 'name' },
  routes: [{ path: '/product_classes/{id}', operations: ['list', 'create', 'read', 'replace', 'patch', 'remove'] }],
  filters: [{ field: 'name', partial: true }],
  orders: ['name'],
  defaultOrder: ['name'],
  rules: rules(
    { own: [], ...USES_OF_VALUES_IN_USE, ...USES_OF_PRICING_RULES },
    { checkRemoval: async (stored, unit) => (await classInUse(stored, unit)) ?? productClassNamed(stored, unit) },
  ),
});
