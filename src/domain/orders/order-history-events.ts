/** An event of an order, by whom and when (orders.md §4). Written by the service in the change's transaction. */
import { type Group, integer, partOf, recorded, resource, text, timestamp, told } from '../../engine/vocabulary.ts';
import { describe, eraseTexts } from '../rules/orders/order-history.ts';

const OUTPUT_ONLY: readonly Group[] = ['all', 'read'];

export const orderHistoryEvents = resource({
  name: 'OrderHistoryEvents',
  group: 'Orders',
  description: 'Something that happened to an order. Clients never write these.',
  fields: {
    order: partOf('Order'),
    date: timestamp({ stamped: 'created' }),
    code: text({ groups: OUTPUT_ONLY, example: 'PLACE ORDER' }),
    description: told(describe, { example: 'The order 1 was placed.' }),
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
      description: 'The name of the API key that did it.',
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
