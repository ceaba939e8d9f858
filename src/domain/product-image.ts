/** The pictures of a product, in the order in which a shop shows them (catalog.md §2). */
import { integer, partOf, resource } from '../engine/vocabulary.ts';
import { IMAGES_MAX, picture, pictureRules, pictureUpload } from './rules/picture.ts';

export const productImage = resource({
  name: 'ProductImage',
  group: 'Catalog',
  description: 'A picture of a product. The service keeps its own copy of the file and serves it at `url`.',
  fields: {
    product: partOf('Product'),
    position: integer({ description: 'Order among the product’s images.' }),
    ...picture(),
  },
  places: [
    {
      path: '/products/{product_id}/images/{image_id}',
      parents: { product_id: 'product' },
      operations: ['list', 'create', 'read', 'replace', 'patch', 'remove'],
    },
  ],
  defaultOrder: ['position'],
  siblingsMax: {
    count: IMAGES_MAX,
    field: 'images',
    message: `A product has at most ${IMAGES_MAX} images; delete one first.`,
  },
  upload: pictureUpload,
  rules: pictureRules,
});
