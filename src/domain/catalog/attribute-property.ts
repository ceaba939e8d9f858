/** Positions of attributes on a product (catalog.md §9). */
import { integer, partOf, reference, resource } from '../../engine/vocabulary.ts';
import { attributeOfProduct } from '../rules/catalog/attribute-scopes.ts';

export const attributeProperty = resource({
  name: 'AttributeProperty',
  group: 'Catalog',
  description: 'The position of an attribute among the attributes of one product.',
  fields: {
    product: partOf('Product'),
    attribute: reference({ to: 'Attribute', groups: [], onDelete: 'cascade' }),
    position: integer({ description: 'Sort order among the product’s attributes.' }),
  },
  routes: [
    {
      path: '/products/{product_id}/attributes/{attribute_id}/property',
      single: true,
      again: 'conflict',
      parents: { product_id: 'product', attribute_id: 'attribute' },
      admission: attributeOfProduct(),
      operations: ['read', 'create', 'replace', 'patch'],
    },
  ],
  uniqueTogether: ['product', 'attribute'],
});
