/** An item of an order: a product as it was sold (orders.md §1). Made with the order, and never changed. */
import {
  decimal,
  type Group,
  integer,
  partOf,
  recorded,
  reference,
  resource,
  text,
  timestamp,
} from '../engine/vocabulary.ts';

const ONCE: readonly Group[] = ['all', 'read', 'insert'];
const OUTPUT_ONLY: readonly Group[] = ['all', 'read'];

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
      kept: true,
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
    amount: integer({ required: true, min: 1, max: 1_000_000, groups: ONCE, description: 'Pieces.', example: 2 }),
    backordered_amount: integer({ groups: OUTPUT_ONLY, description: 'Pieces that the stock still owes.' }),
    surcharges: recorded({
      schema: { type: 'array', items: { output: 'Surcharge' } },
      default: [],
      description: 'Always empty.',
    }),
    taken: integer({ groups: [], description: 'Pieces that leave the stock with the order and come back with it.' }),
  },
  places: [
    {
      path: '/orders/{order_id}/items/{item_id}',
      operations: ['list', 'read'],
      parents: { order_id: 'order' },
      unknownParent: 'not-found',
    },
  ],
});
