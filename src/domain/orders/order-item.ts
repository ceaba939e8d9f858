/**
 * An item of an order: a product as it was sold (orders.md §1). Made with the order or by an edit of it; afterwards only
 * its counters change, and by edits its amount and price.
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

/** Of one line. */
const OPTIONS_MAX = 100;
const TEXT_MAX = 4000;

/** Derived from the documents of the order; no input sets it. */
function counter(description: string): Field {
  return integer({ min: 0, groups: OUTPUT_ONLY, sum: true, description });
}

export const orderItem = resource({
  name: 'OrderItem',
  group: 'Orders',
  description: 'A product in an order, as it was sold.',
  fields: {
    order: partOf('Order'),
    product_id: reference({
      to: 'Product',
      nullable: true,
      groups: ONCE,
      onDelete: 'set null',
      description: 'This or `sku` is required; both mean the same product. null once the product is gone.',
      example: 1,
    }),
    sku: text({ lengthMax: 32, groups: ONCE, description: 'As it was sold.', shownExample: 'TSHIRT-1' }),
    update_date: timestamp({ stamped: 'changed' }),
    name: text({
      lengthMax: 255,
      groups: OUTPUT_ONLY,
      description: 'As it was sold; renaming the product does not change it.',
      shownExample: 'T-shirt',
    }),
    price: decimal({
      min: 0,
      default: null,
      preservedOnReplace: true,
      groups: ONCE,
      description: 'Of one piece. Left out, it is the product’s, its sale applied.',
      shownExample: 19.99,
    }),
    item_net_price: decimal({ groups: OUTPUT_ONLY, sum: true, shownExample: 19.99 }),
    discounted_subtotal: decimal({
      groups: OUTPUT_ONLY,
      sum: true,
      description: '`price` × `amount`.',
      shownExample: 39.98,
    }),
    amount: integer({
      required: true,
      min: 1,
      minOfPast: 0,
      max: 1_000_000,
      groups: ONCE,
      description: 'Pieces that the order has now.',
      example: 2,
    }),
    backordered_amount: integer({ groups: OUTPUT_ONLY, description: 'Pieces that the stock still owes.' }),
    surcharges: recorded({
      schema: { type: 'array', items: { output: 'Surcharge' } },
      default: [],
      description: 'Always empty.',
    }),
    variant: reference({
      to: 'Variant',
      nullable: true,
      groups: ONCE,
      onDelete: 'set null',
      description:
        'A variant, which needs no `product_id`; of a product with variants, this or a variant’s `sku` is required. null without one, and once it is gone.',
    }),
    weight: decimal({ groups: OUTPUT_ONLY, description: 'Of one piece, as it was sold.' }),
    options: list(
      {
        attribute_id: integer({ min: 1, required: true, description: 'The attribute.' }),
        name: text({ groups: OUTPUT_ONLY, description: 'The attribute’s.' }),
        value_id: integer({ min: 1, nullable: true, description: 'A value of the product; null for a text.' }),
        text: text({ transient: true, groups: ['insert'], lengthMax: TEXT_MAX, description: 'Of an editable text.' }),
        value: text({ groups: OUTPUT_ONLY, description: 'The text of the option, or the one that was written.' }),
        price_modifier: decimal({ groups: OUTPUT_ONLY }),
        price_modifier_type: choice(['absolute', 'percent'], { groups: OUTPUT_ONLY, default: 'percent' }),
        weight_modifier: decimal({ groups: OUTPUT_ONLY }),
        weight_modifier_type: choice(['absolute', 'percent'], { groups: OUTPUT_ONLY, default: 'percent' }),
        price_effect: decimal({ groups: OUTPUT_ONLY, description: 'Added to the price, before a sale in percent.' }),
      },
      {
        countMax: OPTIONS_MAX,
        tells: matchesOptions,
        personal: eraseCustomerTexts,
        groups: ONCE,
        description:
          'The customer’s choices, as they were sold. An attribute that is left out has its default; one without a default must be chosen.',
      },
    ),
    ordered_amount: sumOf(['amount', 'cancelled_amount'], {
      description: 'Pieces that were ever ordered: those of now, and those that an edit took away.',
      shownExample: 2,
    }),
    shipped_amount: counter('Pieces in shipments, at most `amount`.'),
    cancelled_amount: counter('Pieces that edits of the order took away.'),
    returned_amount: counter('Pieces in returns that were received, at most `shipped_amount`.'),
    restocked_amount: counter('Those of the returned pieces that can be sold again.'),
    refunded_value: decimal({
      min: 0,
      groups: OUTPUT_ONLY,
      sum: true,
      description: 'Paid back for this line, by the lines of refunds that succeeded.',
    }),
    of_variant: flag({ groups: [], description: 'The pieces were taken of a variant’s own stock.' }),
    taken: integer({ groups: [], description: 'Pieces that leave the stock with the order and come back with it.' }),
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
