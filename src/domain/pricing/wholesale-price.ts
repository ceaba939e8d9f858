/** Wholesale prices of products and variants (pricing.md §1). A change of them does not change the product's version. */
import {
  choice,
  decimal,
  integer,
  linkedText,
  type Operation,
  partOf,
  reference,
  resource,
  rules,
  text,
} from '../../engine/vocabulary.ts';
import {
  checkWholesalePrice,
  deriveWholesaleKeys,
  USES_OF_WHOLESALE_PRICE,
  wholesaleBulk,
} from '../rules/pricing/wholesale-price.ts';

const ALL: readonly Operation[] = ['list', 'create', 'read', 'replace', 'patch', 'remove'];

export const wholesalePrice = resource({
  name: 'WholesalePrice',
  group: 'Pricing',
  description: 'A price of a product or variant from a minimum quantity, for all buyers or for a membership.',
  fields: {
    type: choice(['price', 'percent'], {
      default: 'price',
      description: '`price`: the price of one unit. `percent`: the percentage off.',
    }),
    price: decimal({ min: 0, description: 'Price of one unit, or percentage off (at most 100).', example: 15 }),
    quantity_range_begin: integer({
      min: 1,
      default: 2,
      description:
        'Minimum quantity: at least 2, or 1 with a membership. Unique among the rows of the product or variant for the membership.',
      example: 10,
    }),
    membership: reference({
      to: 'Membership',
      nullable: true,
      onDelete: 'cascade',
      description: 'Id of the membership of the buyer; null is every buyer.',
    }),
    product_id: partOf('Product', { shown: true, isIndependent: true, description: 'Id of the product.' }),
    variant_id: reference({
      to: 'Variant',
      nullable: true,
      groups: ['all', 'read'],
      onDelete: 'cascade',
      description: 'Id of the variant; null for a price of the product.',
    }),
    sku: linkedText(['variant_id', 'product_id'], 'sku', {
      description: 'SKU of the variant, or of the product for a price of the product.',
    }),
    owner_key: text({ groups: [] }),
    membership_key: integer({ groups: [] }),
  },
  bulk: { by: 'sku', collected: wholesaleBulk },
  routes: [
    {
      path: '/products/{product_id}/wholesale_prices/{id}',
      parents: { product_id: 'product_id' },
      fixed: { variant_id: null },
      operations: ALL,
    },
    {
      path: '/products/{product_id}/variants/{variant_id}/wholesale_prices/{id}',
      parents: { product_id: 'product_id', variant_id: 'variant_id' },
      operations: ALL,
    },
    {
      path: '/wholesale_prices/{id}',
      operations: ['list'],
      filters: ['product_id', 'variant_id', 'membership', 'type', 'quantity_range_begin'],
    },
  ],
  filters: ['membership', 'type', 'quantity_range_begin'],
  orders: ['quantity_range_begin', 'price'],
  defaultOrder: ['quantity_range_begin'],
  uniqueTogether: ['owner_key', 'membership_key', 'quantity_range_begin'],
  rules: rules(USES_OF_WHOLESALE_PRICE, { derive: deriveWholesaleKeys, check: checkWholesalePrice }),
});
