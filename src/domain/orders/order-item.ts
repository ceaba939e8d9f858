/**
 * Items of orders (orders.md §1). They are created with the order or by an edit. Afterwards only edits change amount and
 * price, and the order's documents change the counters.
 */

import {
  choice,
  decimal,
  type Field,
  flag,
  type Group,
  integer,
  list,
  partOf,
  recorded,
  reference,
  resource,
  sumOf,
  text,
  timestamp,
} from '../../engine/vocabulary.ts';
import { eraseCustomerTexts, matchesOptions } from '../rules/orders/order-options.ts';

const ONCE: readonly Group[] = ['all', 'read', 'insert'];
const OUTPUT_ONLY: readonly Group[] = ['all', 'read'];

/** Options of one item. */
const OPTIONS_MAX = 100;
const TEXT_MAX = 4000;

/** A read-only count derived from the order's documents. */
function counter(description: string): Field {
  return integer({ min: 0, groups: OUTPUT_ONLY, sum: true, description });
}

export const orderItem = resource({
  name: 'OrderItem',
  group: 'Orders',
  description: 'An item of an order: a product as it was sold. Later changes of the product do not affect it.',
  fields: {
    order: partOf('Order'),
    product_id: reference({
      to: 'Product',
      nullable: true,
      groups: ONCE,
      onDelete: 'set null',
      description:
        'Id of the product; null if it was deleted. An item needs `product_id`, `sku` or `variant`; several must refer to the same product.',
      example: 1,
    }),
    sku: text({
      searchable: true,
      lengthMax: 32,
      groups: ONCE,
      finds: { Product: ['sku'], Variant: ['sku'] },
      description: 'SKU of the product or variant at the time of sale.',
      shownExample: 'TSHIRT-1',
    }),
    update_date: timestamp({ stamped: 'changed' }),
    name: text({
      lengthMax: 255,
      groups: OUTPUT_ONLY,
      description: 'Name of the product at the time of sale.',
      shownExample: 'T-shirt',
    }),
    price: decimal({
      min: 0,
      default: null,
      preservedOnReplace: true,
      groups: ONCE,
      description: 'Price of one unit. If omitted, computed from product, variant, sale and options.',
      shownExample: 19.99,
    }),
    item_net_price: decimal({ groups: OUTPUT_ONLY, sum: true, description: 'Same as `price`.', shownExample: 19.99 }),
    discounted_subtotal: decimal({
      groups: OUTPUT_ONLY,
      sum: true,
      description: '`price` × `amount`, rounded to the currency’s decimals.',
      shownExample: 39.98,
    }),
    amount: integer({
      synonyms: ['qty', 'quantity', 'count'],
      required: true,
      min: 1,
      importMin: 0,
      max: 1_000_000,
      groups: ONCE,
      description: 'Number of units in the order, without canceled ones.',
      example: 2,
    }),
    backordered_amount: integer({ groups: OUTPUT_ONLY, description: 'Number of backordered units.' }),
    surcharges: recorded({
      schema: { type: 'array', items: { output: 'Surcharge' } },
      default: [],
      description:
        'The item’s shares of the discounts and taxes of a calculated order. Each has the id of the order’s surcharge. Otherwise empty.',
    }),
    variant: reference({
      to: 'Variant',
      nullable: true,
      groups: ONCE,
      onDelete: 'set null',
      description:
        'Id of the variant; null if the item has none or it was deleted. A product with variants requires `variant` or a variant’s `sku`.',
    }),
    weight: decimal({ groups: OUTPUT_ONLY, description: 'Weight of one unit at the time of sale.' }),
    options: list(
      {
        attribute_id: integer({ min: 1, required: true, description: 'Id of the attribute.' }),
        name: text({ groups: OUTPUT_ONLY, description: 'Name of the attribute.' }),
        value_id: integer({ min: 1, nullable: true, description: 'Id of the product’s value; null for a text.' }),
        text: text({
          transient: true,
          groups: ['insert'],
          lengthMax: TEXT_MAX,
          description: 'The customer’s text for an editable text attribute.',
        }),
        value: text({ groups: OUTPUT_ONLY, description: 'Name of the chosen option, or the text.' }),
        price_modifier: decimal({ groups: OUTPUT_ONLY }),
        price_modifier_type: choice(['absolute', 'percent'], { groups: OUTPUT_ONLY, default: 'percent' }),
        weight_modifier: decimal({ groups: OUTPUT_ONLY }),
        weight_modifier_type: choice(['absolute', 'percent'], { groups: OUTPUT_ONLY, default: 'percent' }),
        price_effect: decimal({
          groups: OUTPUT_ONLY,
          description: 'Amount added to the price, before a percentage sale is applied.',
        }),
      },
      {
        countMax: OPTIONS_MAX,
        covers: matchesOptions,
        personal: eraseCustomerTexts,
        groups: ONCE,
        description:
          'The customer’s choices at the time of sale. An omitted attribute uses its default value; an attribute without a default is required.',
      },
    ),
    ordered_amount: sumOf(['amount', 'cancelled_amount'], {
      description: 'Number of units ever ordered: `amount` + `cancelled_amount`.',
      shownExample: 2,
    }),
    shipped_amount: counter('Number of units in shipments, at most `amount`.'),
    cancelled_amount: counter('Number of units canceled by edits of the order.'),
    returned_amount: counter('Number of units in received returns, at most `shipped_amount`.'),
    restocked_amount: counter('Number of returned units that can be sold again, at most `returned_amount`.'),
    refunded_value: decimal({
      min: 0,
      groups: OUTPUT_ONLY,
      sum: true,
      description: 'Amount refunded for this item by successful refunds with lines.',
    }),
    of_variant: flag({ groups: [], description: 'Whether the units were taken from a variant’s own stock.' }),
    taken: integer({ groups: [], description: 'Number of units that status changes move out of and into the stock.' }),
  },
  routes: [
    {
      path: '/orders/{order_id}/items/{item_id}',
      operations: ['list', 'read'],
      parents: { order_id: 'order' },
      unknownParent: 'not-found',
    },
  ],
});
