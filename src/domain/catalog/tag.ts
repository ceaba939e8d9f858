/** Product tags (catalog.md §11). Sending an unknown name with a product creates a tag. */
import { resource, text } from '../../engine/vocabulary.ts';

export const tag = resource({
  name: 'Tag',
  group: 'Store',
  description: 'A tag of products.',
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
