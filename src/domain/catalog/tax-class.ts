/** Tax classes: how a product is taxed (catalog.md §3). Deleting one leaves its products without. */
import { resource, text } from '../../engine/vocabulary.ts';

export const taxClass = resource({
  name: 'TaxClass',
  group: 'Catalog',
  description: 'How products are taxed.',
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
});
