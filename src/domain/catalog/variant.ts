/** Product variants (catalog.md §12). */
import {
  action,
  choice,
  decimal,
  flag,
  type Group,
  integer,
  linkedValues,
  links,
  partOf,
  resource,
  rules,
  text,
} from '../../engine/vocabulary.ts';
import { embeddedImage, prepareEmbeddedImage } from '../rules/catalog/image.ts';
import {
  changeVariantStock,
  checkVariant,
  deriveVariant,
  moveDefaultVariant,
  optionTexts,
  USES_OF_VARIANT,
} from '../rules/catalog/variant.ts';
import { VARIANTS_MAX } from '../rules/catalog/variants-max.ts';
import { FORMER_VARIANT, recordedSince } from '../rules/pricing/former-values.ts';
import { historyOfVariant, lowestPriceField, lowestPricesOfVariants } from '../rules/pricing/price-history.ts';
import { priceOfVariant } from '../rules/pricing/price-view.ts';

const ONCE: readonly Group[] = ['all', 'read', 'insert'];

export const variant = resource({
  name: 'Variant',
  family: 'products',
  group: 'Catalog',
  description:
    'A variant of a product: one combination of attribute values, such as red and M. Price, stock and weight are inherited from the product unless the variant has its own.',
  fields: {
    price: decimal({
      min: 0,
      inheritedWhile: 'default_price',
      description: 'Price of one unit; the product’s if `default_price` is true.',
      shownExample: 19.99,
    }),
    default_price: flag({
      default: true,
      description: 'Whether the price is inherited from the product. If omitted, false if `price` is sent, else true.',
    }),
    amount: integer({
      synonyms: ['qty', 'quantity', 'stock', 'inventory', 'stockquantity', 'inventoryquantity'],
      preservedOnReplace: true,
      preservedOnRestore: true,
      inheritedWhile: 'default_amount',
      description: 'Units in stock; negative if units are backordered. The product’s if `default_amount` is true.',
      shownExample: 1000,
    }),
    default_amount: flag({
      default: true,
      preservedOnReplace: true,
      preservedOnRestore: true,
      description:
        'Whether the stock is shared with the product. If omitted from a POST, false if `amount` is sent, else true.',
    }),
    weight: decimal({
      min: 0,
      inheritedWhile: 'default_weight',
      description: 'Weight of one unit; the product’s if `default_weight` is true.',
    }),
    default_weight: flag({
      default: true,
      description:
        'Whether the weight is inherited from the product. If omitted, false if `weight` is sent, else true.',
    }),
    default_variant: flag({
      description: 'Whether this is the product’s default variant. Setting it to true unsets the previous one.',
    }),
    sku: text({
      nullable: true,
      notBlank: true,
      lengthMax: 32,
      unique: true,
      distinct: 'loosely',
      namespace: 'sku',
      description: 'Stock keeping unit, unique among products and variants.',
      example: 'TSHIRT-1-M',
    }),
    image: embeddedImage({
      description: 'Image of the variant. null removes it. `alt` can be changed without sending a new file.',
    }),
    attribute_checkbox_values: links({
      to: 'AttributeValueCheckbox',
      shown: 'ids',
      groups: ONCE,
      description: 'Ids of checkbox values of the product, at most one of each attribute.',
    }),
    attribute_select_values: links({
      to: 'AttributeValueSelect',
      shown: 'ids',
      groups: ONCE,
      description: 'Ids of select values of the product, at most one of each attribute.',
      example: [1],
    }),
    product_id: partOf('Product', { shown: true, description: 'Id of the product.' }),
    options: linkedValues({
      members: {
        attribute_id: integer({ description: 'Id of the attribute.' }),
        name: text({ description: 'Name of the attribute, in the language of the request.' }),
        value_id: integer({ description: 'Id of the product’s value.' }),
        value: text({
          description: 'The option, in the language of the request; `Yes` or `No` for a checkbox attribute.',
        }),
      },
      sets: [
        {
          links: 'attribute_checkbox_values',
          members: { attribute_id: 'attribute', name: 'attribute.name', value_id: 'id', value: 'value' },
        },
        {
          links: 'attribute_select_values',
          members: { attribute_id: 'attribute', name: 'attribute.name', value_id: 'id', value: 'option.value' },
        },
      ],
      show: optionTexts,
      description:
        'The values that distinguish the variant, with their texts: first the checkbox values, then the select values, each by id.',
      shownExample: [{ attribute_id: 1, name: 'Size', value_id: 1, value: 'Large' }],
    }),
    sale_discount_type: choice(['sale_price', 'sale_percent'], {
      default: 'sale_percent',
      preservedOnReplace: true,
      inheritedWhile: 'default_sale_price',
      inheritedFrom: 'discount_type',
      description:
        '`sale_price`: `sale_price_value` is the price. `sale_percent`: it is the percentage off. The product’s `discount_type` if `default_sale_price` is true.',
    }),
    sale_price_value: decimal({
      min: 0,
      preservedOnReplace: true,
      inheritedWhile: 'default_sale_price',
      description:
        'Sale price or percentage off; the product’s if `default_sale_price` is true. The product’s `participate_sale` enables both.',
    }),
    default_sale_price: flag({
      default: true,
      preservedOnReplace: true,
      description:
        'Whether the sale is inherited from the product. If omitted, false if one of its two values is sent.',
    }),
    lowest_price_30_days: lowestPriceField('variant'),
    attributes: text({ groups: [] }),
    combination: text({ groups: [] }),
    recorded_since: recordedSince(),
  },
  evaluations: { lowest_price_30_days: lowestPricesOfVariants },
  formerValues: FORMER_VARIANT,
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
    message: `A product can have at most ${VARIANTS_MAX} variants. Delete one first.`,
  },
  rules: rules(USES_OF_VARIANT, {
    prepare: prepareEmbeddedImage('image'),
    derive: deriveVariant,
    check: checkVariant,
    within: moveDefaultVariant,
  }),
  actions: [
    action(USES_OF_VARIANT, {
      name: 'stock',
      method: 'POST',
      summary: 'Add to or subtract from the stock of a variant',
      input: {
        delta: integer({
          required: true,
          transient: true,
          description:
            'Number of units to add; negative to subtract. Must not be 0. Changes the product’s stock if `default_amount` is true.',
          example: -3,
        }),
      },
      bulk: { instead: ['amount'] },
      exampleShows: { amount: 997 },
      run: changeVariantStock,
    }),
  ],
  views: [priceOfVariant, historyOfVariant],
});
