/** Products that a product’s page recommends (catalog.md §14). The relation has one direction. */
import { type Draft, integer, partOf, reference, resource, rules } from '../../engine/vocabulary.ts';

const RELATED_MAX = 100;

const USES = { own: ['owner', 'product_id'] } as const;

export const relatedProduct = resource({
  name: 'RelatedProduct',
  group: 'Catalog',
  description: 'A product that the page of another product recommends.',
  fields: {
    product_id: reference({
      to: 'Product',
      required: true,
      onDelete: 'cascade',
      description: 'Id of the related product.',
      // The first product is the owner in the examples of the reference.
      example: 2,
    }),
    position: integer({ description: 'Sort order among the related products.' }),
    owner: partOf('Product'),
  },
  routes: [
    {
      path: '/products/{product_id}/related_products/{id}',
      parents: { product_id: 'owner' },
      operations: ['list', 'create', 'read', 'replace', 'patch', 'remove'],
    },
  ],
  filters: ['product_id'],
  defaultOrder: ['position'],
  uniqueTogether: ['owner', 'product_id'],
  siblingsMax: {
    count: RELATED_MAX,
    field: 'product_id',
    message: `A product can have at most ${RELATED_MAX} related products. Delete one first.`,
  },
  joins: 'related_products',
  rules: rules(USES, { check: rejectItself }),
});

function rejectItself({ values, stored, violations }: Draft<(typeof USES.own)[number]>): void {
  if (values.product_id !== undefined && values.product_id === (stored?.owner ?? values.owner))
    violations.add('product_id', 'conflict', 'A product cannot be related to itself. Send the id of another product.');
}
