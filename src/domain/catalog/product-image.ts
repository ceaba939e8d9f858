/** Images of products (catalog.md §2). */
import { flag, integer, partOf, resource } from '../../engine/vocabulary.ts';
import { IMAGES_MAX, imageFields, imageRules, imageUpload } from '../rules/catalog/image.ts';

export const productImage = resource({
  name: 'ProductImage',
  group: 'Catalog',
  description: 'An image of a product. The store saves a copy of the file and serves it at `url`.',
  fields: {
    product: partOf('Product'),
    position: integer({ description: 'Sort order among the product’s images.' }),
    ...imageFields(),
    once: flag({
      groups: ['all', 'insert'],
      transient: true,
      description:
        'With `externalUrl`: adds the image only once. Returns 409 without a download if the product was given an image of this URL with `once` before, even if the image has since been deleted or replaced.',
    }),
  },
  routes: [
    {
      path: '/products/{product_id}/images/{image_id}',
      parents: { product_id: 'product' },
      operations: ['list', 'create', 'read', 'replace', 'patch', 'remove'],
    },
  ],
  defaultOrder: ['position'],
  createdOnce: {
    flag: 'once',
    source: 'externalUrl',
    message: 'The image at this address was already added to this product. Omit "once" to add it again.',
  },
  siblingsMax: {
    count: IMAGES_MAX,
    field: 'images',
    message: `A product can have at most ${IMAGES_MAX} images. Delete one first.`,
  },
  upload: { ...imageUpload, insteadOf: [...imageUpload.insteadOf, 'once'] },
  rules: {
    ...imageRules,
    check({ sent, values, violations }) {
      // An image created together with its product has no product yet.
      const isAdded = sent.externalUrl && values.product !== undefined;
      if (sent.once === true && !isAdded)
        violations.add('once', 'contradiction', 'Use once only to add an externalUrl to an existing product.');
    },
  },
});
