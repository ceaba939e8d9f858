/** Variants: a product in red and M, with what differs from the product (catalog.md §12). */
import {
  action,
  decimal,
  flag,
  type Group,
  integer,
  links,
  partOf,
  resource,
  rules,
  text,
} from '../../engine/vocabulary.ts';
import { imageInside, prepareImageInside } from '../rules/catalog/image.ts';
import {
  changeVariantStock,
  checkVariant,
  deriveVariant,
  moveDefaultVariant,
  USES_OF_VARIANT,
} from '../rules/catalog/variant.ts';
import { VARIANTS_MAX } from '../rules/catalog/variants-max.ts';

const ONCE: readonly Group[] = ['all', 'read', 'insert'];

export const variant = resource({
  name: 'Variant',
  group: 'Catalog',
  description:
    'A product with one value of each attribute that tells its variants apart, such as red and M. A number that it does not have itself is the product’s.',
  fields: {
    price: decimal({ min: 0, inheritedWhile: 'default_price', shownExample: 19.99 }),
    default_price: flag({
      default: true,
      description: 'The price is the product’s. Left out, it is true, or false where `price` is sent.',
    }),
    amount: integer({
      preservedOnReplace: true,
      inheritedWhile: 'default_amount',
      description: 'Pieces in stock. Negative while pieces are owed to backorders.',
      shownExample: 1000,
    }),
    default_amount: flag({
      default: true,
      preservedOnReplace: true,
      description: 'The stock is the product’s. Left out of a POST, it is true, or false where `amount` is sent.',
    }),
    weight: decimal({ min: 0, inheritedWhile: 'default_weight' }),
    default_weight: flag({
      default: true,
      description: 'The weight is the product’s. Left out, it is true, or false where `weight` is sent.',
    }),
    default_variant: flag({ description: 'A product has at most one; true makes this it in place of another.' }),
    sku: text({
      nullable: true,
      notBlank: true,
      lengthMax: 32,
      unique: true,
      distinct: 'loosely',
      namespace: 'sku',
      description: 'No product and no other variant has it.',
      example: 'TSHIRT-1-M',
    }),
    image: imageInside({
      description: 'null takes the picture away. Its own `alt` may be changed without a new file.',
    }),
    attribute_checkbox_values: links({
      to: 'AttributeValueCheckbox',
      shown: 'ids',
      groups: ONCE,
      description: 'Ids of checkbox values of the product.',
    }),
    attribute_select_values: links({
      to: 'AttributeValueSelect',
      shown: 'ids',
      groups: ONCE,
      description: 'Ids of select values of the product. With the checkbox values one of each attribute.',
      example: [1],
    }),
    product_id: partOf('Product', { shown: true, description: 'The product.' }),
    attributes: text({ groups: [] }),
    combination: text({ groups: [] }),
  },
  bulk: { by: 'sku' },
  routes: [
    {
      path: '/products/{product_id}/variants/{id}',
      parents: { product_id: 'product_id' },
      operations: ['list', 'create', 'read', 'replace', 'patch', 'remove'],
    },
    { path: '/variants/{id}', operations: ['list'] },
  ],
  filters: ['sku'],
  uniqueTogether: ['product_id', 'combination'],
  siblingsMax: {
    count: VARIANTS_MAX,
    field: '',
    message: `A product has at most ${VARIANTS_MAX} variants; delete one first.`,
  },
  rules: rules(USES_OF_VARIANT, {
    prepare: prepareImageInside,
    derive: deriveVariant,
    check: checkVariant,
    within: moveDefaultVariant,
  }),
  actions: [
    action(USES_OF_VARIANT, {
      name: 'stock',
      method: 'POST',
      summary: 'Add to the stock of a variant in one step',
      input: {
        delta: integer({
          required: true,
          transient: true,
          description:
            'Pieces to add; negative takes away. Not 0. While `default_amount` is true, they are the product’s.',
          example: -3,
        }),
      },
      bulk: { instead: ['amount'] },
      exampleShows: { amount: 997 },
      run: changeVariantStock,
    }),
  ],
});
