/** Which products a category shows (catalog.md §4). Deleting the category or the product unlinks them. */
import { partOf, reference } from '../engine/fields/link.ts';
import { resource } from '../engine/resource.ts';

export const categoryProduct = resource({
  name: 'CategoryProduct',
  description: 'A product that a category shows.',
  tag: 'Category',
  fields: {
    category: partOf('Category'),
    product_id: reference({
      to: 'Product',
      required: true,
      nullable: false,
      onDelete: 'cascade',
      description: 'A product.',
      example: 1,
    }),
  },
  places: [
    {
      path: '/categories/{category_id}/products/{product_id}',
      item: 'product_id',
      again: 'keep',
      answersOwner: true,
      without: ['id'],
      parents: { category_id: 'category' },
      operations: ['list', 'create', 'read', 'remove'],
    },
  ],
  filters: ['product_id'],
  orders: ['product_id'],
  defaultOrder: ['product_id'],
  uniqueTogether: ['category', 'product_id'],
});
