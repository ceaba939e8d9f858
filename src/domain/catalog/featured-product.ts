/** Products that the page of a category, or the front page, presents first (catalog.md §14). */
import {
  type Field,
  integer,
  partOf,
  type Resource,
  type Route,
  reference,
  resource,
} from '../../engine/vocabulary.ts';

const FEATURED_MAX = 250;

export const featuredProduct = featured({
  name: 'FeaturedProduct',
  tag: 'Category',
  description: 'A product that the page of a category presents first. It may be outside the category.',
  owner: { category: partOf('Category') },
  path: '/categories/{category_id}/featured',
  declared: { uniqueTogether: ['category', 'product_id'], joins: 'featured' },
});

export const frontPageProduct = featured({
  name: 'FrontPageProduct',
  description: 'A product that the front page of the shop presents.',
  owner: {},
  path: '/front_page/featured',
  declared: { group: 'Catalog', uniqueTogether: ['product_id'], serialized: true },
});

interface Featured extends Pick<Resource, 'name' | 'tag' | 'description'> {
  /** The field of the record whose page it is, named like its path parameter. */
  readonly owner: Readonly<Record<string, Field>>;
  /** Path of the list. */
  readonly path: string;
  readonly declared: Pick<Resource, 'group' | 'uniqueTogether' | 'joins' | 'serialized'>;
}

function featured({ owner, path, declared, ...about }: Featured): Resource {
  const parents: Route['parents'] = Object.fromEntries(Object.keys(owner).map((name) => [`${name}_id`, name]));
  return resource({
    ...about,
    ...declared,
    fields: {
      ...owner,
      product_id: reference({
        to: 'Product',
        required: true,
        groups: ['all', 'read', 'insert'],
        onDelete: 'cascade',
        description: 'Id of the product.',
        example: 1,
      }),
      position: integer({
        description: 'Sort order. Unchanged if it is omitted from a POST for a product that is already featured.',
      }),
    },
    routes: [
      {
        path: `${path}/{product_id}`,
        item: 'product_id',
        again: 'keep',
        without: ['id'],
        parents,
        operations: ['list', 'create', 'read', 'patch', 'remove'],
      },
    ],
    filters: ['product_id'],
    // Clients of Hydra sort every collection by `id`.
    orders: [{ field: 'product_id', aliases: ['id'] }],
    defaultOrder: ['position', 'product_id'],
    siblingsMax: {
      count: FEATURED_MAX,
      field: 'product_id',
      message: `A page can feature at most ${FEATURED_MAX} products. Delete one first.`,
    },
  });
}
