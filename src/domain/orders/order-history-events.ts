/** The history of orders (orders.md §4). Events are recorded in the transaction of the change. */
import { type Group, integer, partOf, recorded, resource, sentence, text, timestamp } from '../../engine/vocabulary.ts';
import { describe, eraseTexts } from '../rules/orders/order-history.ts';

const OUTPUT_ONLY: readonly Group[] = ['all', 'read'];

export const orderHistoryEvents = resource({
  name: 'OrderHistoryEvents',
  group: 'Orders',
  description: 'An event in the history of an order. Events are recorded by the store; clients can only read them.',
  fields: {
    order: partOf('Order'),
    date: timestamp({ stamped: 'created' }),
    code: text({ groups: OUTPUT_ONLY, example: 'PLACE ORDER' }),
    description: sentence(describe, { completedFrom: ['code', 'data'], example: 'The order 1 was placed.' }),
    data: recorded({
      personal: eraseTexts,
      schema: { type: 'object' },
      default: {},
      shownExample: { orderId: 1, orderNumber: '1' },
    }),
    comment: text({ groups: OUTPUT_ONLY, personal: true }),
    profile_id: integer({ groups: OUTPUT_ONLY, nullable: true }),
    profile_name: text({
      groups: OUTPUT_ONLY,
      description: 'Name of the API key that made the change.',
      shownExample: 'read/write',
    }),
    ip: text({ groups: OUTPUT_ONLY, personal: true, shownExample: '127.0.0.1' }),
    details: recorded({
      personal: true,
      schema: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            id: { schema: { type: 'integer' } },
            name: { schema: { type: 'string' } },
            value: { schema: { type: 'string' } },
          },
          required: ['id', 'name', 'value'],
        },
      },
      default: [],
    }),
  },
  routes: [
    {
      path: '/orders/{order_id}/history/{event_id}',
      operations: ['list', 'read'],
      parents: { order_id: 'order' },
      unknownParent: 'not-found',
    },
  ],
});
