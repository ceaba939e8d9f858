/** Which products a category shows (catalog.md §4). Deleting the category or the product unlinks them. */
import { integer, partOf, reference, resource } from '../../engine/vocabulary.ts';

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
      groups: ['all', 'read', 'insert'],
      onDelete: 'cascade',
      description: 'A product.',
      example: 1,
    }),
    position: integer({
      description:
        'Order among the category’s products. Left out of a POST of a product that is linked already, it stays.',
    }),
  },
  routes: [
    {
      path: '/categories/{category_id}/products/{product_id}',
      item: 'product_id',
      again: 'keep',
      answersOwner: true,
      without: ['id'],
      parents: { category_id: 'category' },
      operations: ['list', 'create', 'read', 'patch', 'remove'],
    },
  ],
  filters: ['product_id'],
  orders: ['product_id'],
  defaultOrder: ['position', 'product_id'],
  uniqueTogether: ['category', 'product_id'],
  joins: true,
});
