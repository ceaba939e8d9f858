/** Pieces of an order that a customer sends back (orders.md §12). Stock moves once they are received, and only to be sold again. */
import {
  choice,
  flag,
  type Group,
  integer,
  partOf,
  parts,
  reference,
  resource,
  text,
  timestamp,
} from '../../engine/vocabulary.ts';
import { RETURN_STATUSES, returnRules } from '../rules/orders/order-return.ts';

const ONCE: readonly Group[] = ['all', 'read', 'insert'];

const LINES_MAX = 1000;

export const orderReturn = resource({
  name: 'OrderReturn',
  group: 'Orders',
  description: 'Pieces of an order that the customer sends back.',
  fields: {
    order: partOf('Order'),
    lines: parts('OrderReturnLine', { required: true, written: { countMin: 1, countMax: LINES_MAX } }),
    status: choice(RETURN_STATUSES, {
      default: 'requested',
      description: 'Moves once, from `requested` to `received` or `refused`. Only received pieces count as returned.',
      example: 'received',
    }),
    date: timestamp({ stamped: 'created', groups: ONCE, description: 'Now, unless it is given.' }),
  },
  routes: [
    {
      path: '/orders/{order_id}/returns/{return_id}',
      operations: ['list', 'create', 'read', 'patch'],
      parents: { order_id: 'order' },
      unknownParent: 'not-found',
    },
  ],
  filters: ['status'],
  rules: returnRules,
});

export const orderReturnLine = resource({
  name: 'OrderReturnLine',
  description: 'Pieces of one item in a return.',
  fields: {
    return: partOf('OrderReturn'),
    item_id: reference({
      to: 'OrderItem',
      required: true,
      groups: ONCE,
      onDelete: 'cascade',
      description: 'An item of the order, of which so many pieces were shipped.',
      example: 1,
    }),
    amount: integer({ required: true, min: 1, max: 1_000_000, groups: ONCE, description: 'Pieces.', example: 1 }),
    restock: flag({
      groups: ONCE,
      description: 'They can be sold again, so they go back into stock. Else they are written off for good.',
      example: true,
    }),
    reason: text({
      personal: true,
      lengthMax: 255,
      groups: ONCE,
      description: 'Why they came back.',
      example: 'Too small',
    }),
  },
  routes: [],
});
