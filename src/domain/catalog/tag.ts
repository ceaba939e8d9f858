/** Tags: words that products are marked with (catalog.md §11). Naming a new one on a product makes it. */
import { resource, text } from '../../engine/vocabulary.ts';

export const tag = resource({
  name: 'Tag',
  group: 'Store',
  description: 'A word that products are marked with.',
  fields: {
    name: text({
      required: true,
      notBlank: true,
      lengthMax: 255,
      translated: true,
      unique: true,
      searchable: true,
      example: 'Summer',
    }),
  },
  bulk: { by: 'name' },
  routes: [
    {
      path: '/tags/{id}',
      aliases: ['/product_tags/{id}'],
      operations: ['list', 'create', 'read', 'replace', 'patch', 'remove'],
    },
  ],
  filters: [{ field: 'name', partial: true }],
  orders: ['name'],
  defaultOrder: ['name'],
});
