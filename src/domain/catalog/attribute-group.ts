/** Attribute groups (catalog.md §6). Global groups and those of product classes are separate collections. */
import { integer, type Operation, reference, resource, text } from '../../engine/vocabulary.ts';

const ALL: readonly Operation[] = ['list', 'create', 'read', 'replace', 'patch', 'remove'];

export const attributeGroup = resource({
  name: 'AttributeGroup',
  family: 'attributes',
  group: 'Catalog',
  description: 'A heading for a group of attributes. Deleting a group does not delete its attributes.',
  fields: {
    name: text({
      required: true,
      notBlank: true,
      lengthMax: 255,
      translated: true,
      searchable: true,
      example: 'Sizes',
    }),
    position: integer({ description: 'Sort order.' }),
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
