/** Tabs that every product page shows, such as “Shipping” (catalog.md §14). */
import { resource, text } from '../../engine/vocabulary.ts';

export const customProductTab = resource({
  name: 'CustomProductTab',
  group: 'Catalog',
  description: 'A tab of every product page, such as “Shipping”.',
  fields: {
    name: text({
      required: true,
      notBlank: true,
      lengthMax: 255,
      translated: true,
      description: 'Title of the tab.',
      example: 'Shipping',
    }),
    content: text({
      required: true,
      notBlank: true,
      translated: true,
      description: 'Text or HTML, stored as sent.',
      example: '<p>We ship within two days.</p>',
    }),
    brief_info: text({ translated: true, description: 'Short text that shops show before the tab is opened.' }),
  },
  routes: [{ path: '/custom_product_tabs/{id}', operations: ['list', 'create', 'read', 'replace', 'patch', 'remove'] }],
});
