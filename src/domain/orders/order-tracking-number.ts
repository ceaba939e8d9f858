/** Tracking numbers of orders (orders.md §1). */
import { partOf, reference, resource, rules, text, timestamp } from '../../engine/vocabulary.ts';
import {
  TRACKING_NUMBER_FORM,
  trackingNumberRules,
  USES_OF_TRACKING_NUMBER,
} from '../rules/orders/order-tracking-number.ts';

export const orderTrackingNumber = resource({
  name: 'OrderTrackingNumber',
  group: 'Orders',
  description: 'A carrier’s tracking number for a parcel of the order.',
  fields: {
    order: partOf('Order'),
    date: timestamp({ stamped: 'created', description: 'Time when it was added.' }),
    value: text({
      required: true,
      notBlank: true,
      lengthMax: 255,
      form: TRACKING_NUMBER_FORM,
      example: '1Z999AA10123456784',
    }),
    shipment: reference({ to: 'OrderShipment', nullable: true, groups: [], onDelete: 'cascade' }),
  },
  personal: true,
  routes: [
    {
      path: '/orders/{order_id}/tracking_numbers/{tracking_id}',
      operations: ['list', 'create', 'read', 'replace', 'patch', 'remove'],
      parents: { order_id: 'order' },
      unknownParent: 'not-found',
    },
  ],
  rules: rules(USES_OF_TRACKING_NUMBER, trackingNumberRules),
});
