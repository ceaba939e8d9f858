/** Custom name-value pairs of orders (orders.md §5). */
import { partOf, resource, text } from '../../engine/vocabulary.ts';
import { recordedAs } from '../rules/orders/order-history.ts';

export const orderDetail = resource({
  name: 'OrderDetail',
  group: 'Orders',
  description: 'A custom name-value pair of an order.',
  fields: {
    order: partOf('Order'),
    name: text({ required: true, notBlank: true, lengthMax: 255, example: 'Gift wrap' }),
    value: text({ example: 'red' }),
  },
  personal: true,
  routes: [
    {
      path: '/orders/{order_id}/details/{detail_id}',
      operations: ['list', 'create', 'read', 'replace', 'patch', 'remove'],
      parents: { order_id: 'order' },
      unknownParent: 'not-found',
    },
  ],
  rules: recordedAs('ORDER EDITED', ({ name }) => ({ fields: ['details'], detail: name! })),
});
