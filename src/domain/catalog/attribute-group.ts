/** Groups of attributes: global ones, and those of a product class (catalog.md §6). The two are disjoint. */
import { integer, type Operation, reference, resource, text } from '../../engine/vocabulary.ts';

const ALL: readonly Operation[] = ['list', 'create', 'read', 'replace', 'patch', 'remove'];

export const attributeGroup = resource({
  name: 'AttributeGroup',
  group: 'Catalog',
  description: 'A heading under which attributes stand. Deleting it leaves its attributes without one.',
  fields: {
    name: text({
      required: true,
      notBlank: true,
      lengthMax: 255,
      translated: true,
      searchable: true,
      example: 'Sizes',
    }),
    position: integer(),
    product_class: reference({ to: 'ProductClass', nullable: true, groups: [], onDelete: 'cascade' }),
  },
  routes: [
    { path: '/attribute_groups/{id}', operations: ALL, fixed: { product_class: null } },
    {
      path: '/product_classes/{class_id}/attribute_groups/{id}',
      operations: ALL,
      parents: { class_id: 'product_class' },
    },
  ],
  orders: ['position'],
  defaultOrder: ['position'],
});
