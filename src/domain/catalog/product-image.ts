/** The pictures of a product, in the order in which a shop shows them (catalog.md §2). */
import { flag, integer, partOf, resource } from '../../engine/vocabulary.ts';
import { decodeOne, IMAGES_MAX, imageRules, imageUpload } from '../rules/catalog/image.ts';

export const productImage = resource({
  name: 'ProductImage',
  group: 'Catalog',
  description: 'A picture of a product. The service keeps its own copy of the file and serves it at `url`.',
  fields: {
    product: partOf('Product'),
    position: integer({ description: 'Order among the product’s images.' }),
    ...decodeOne(),
    once: flag({
      groups: ['all', 'insert'],
      transient: true,
      description:
        'With `externalUrl`: a 409, and no download, where the product was given the image of this address with this before, even if it was deleted since.',
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
    message: `A product has at most ${IMAGES_MAX} images; delete one first.`,
  },
  upload: { ...imageUpload, insteadOf: [...imageUpload.insteadOf, 'once'] },
  rules: {
    ...imageRules,
    check({ sent, values, violations }) {
      // A part that is made with its product has none yet.
      const isAdded = sent.externalUrl && values.product !== undefined;
      if (sent.once === true && !isAdded)
        violations.add(
          'once',
          'contradiction',
          'Only an externalUrl that is added to a product by itself is taken once.',
        );
    },
  },
});
