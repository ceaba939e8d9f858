/** Returns of orders (orders.md §12). Stock moves when a return is received, and only for units that can be sold again. */
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
  isFinal: true,
  group: 'Orders',
  description: 'A return of units of an order by the customer.',
  fields: {
    order: partOf('Order'),
    lines: parts('OrderReturnLine', { required: true, written: { countMin: 1, countMax: LINES_MAX } }),
    status: choice(RETURN_STATUSES, {
      default: 'requested',
      description:
        'Changes once, from `requested` to `received` or `refused`. Only units of received returns count as returned.',
      example: 'received',
    }),
    date: timestamp({ stamped: 'created', groups: ONCE, description: 'Date of the return. Now if omitted.' }),
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
  description: 'Units of one item in a return.',
  fields: {
    return: partOf('OrderReturn'),
    item_id: reference({
      to: 'OrderItem',
      required: true,
      groups: ONCE,
      onDelete: 'cascade',
      description: 'Id of an item of the order. At least `amount` units of it must have been shipped.',
      example: 1,
    }),
    amount: integer({
      synonyms: ['qty', 'quantity', 'count'],
      required: true,
      min: 1,
      max: 1_000_000,
      groups: ONCE,
      description: 'Number of units.',
      example: 1,
    }),
    restock: flag({
      groups: ONCE,
      description: 'Whether the units go back into stock when the return is received. If false, they are written off.',
      example: true,
    }),
    reason: text({
      personal: true,
      lengthMax: 255,
      groups: ONCE,
      description: 'Reason for the return.',
      example: 'Too small',
    }),
  },
  routes: [],
});
