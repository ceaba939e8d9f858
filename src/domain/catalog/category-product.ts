/** Links between categories and products (catalog.md §4). Deleting the category or the product deletes the link. */
import { integer, partOf, reference, resource } from '../../engine/vocabulary.ts';
import { FORMER_LINK, recordedSince } from '../rules/pricing/former-values.ts';

export const categoryProduct = resource({
  name: 'CategoryProduct',
  description: 'A link between a category and a product that it shows.',
  tag: 'Category',
  fields: {
    category: partOf('Category'),
    product_id: reference({
      to: 'Product',
      required: true,
      nullable: false,
      groups: ['all', 'read', 'insert'],
      onDelete: 'cascade',
      description: 'Id of the product.',
      example: 1,
    }),
    position: integer({
      description:
        'Sort order among the category’s products. Unchanged if it is omitted from a POST for a product that is already linked.',
    }),
    recorded_since: recordedSince(),
  },
  formerValues: FORMER_LINK,
  routes: [
    {
      path: '/categories/{category_id}/products/{product_id}',
      item: 'product_id',
      again: 'keep',
      respondsWithOwner: true,
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
