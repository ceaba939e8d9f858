/** Shipments of orders (orders.md §11). A shipment does not move stock, because the order has already taken the units. */
import {
  type Group,
  integer,
  partOf,
  parts,
  reference,
  resource,
  text,
  texts,
  timestamp,
} from '../../engine/vocabulary.ts';
import { shipmentRules } from '../rules/orders/order-shipment.ts';
import { packingSlip } from '../rules/orders/order-shipment-printed.ts';
import { TRACKING_NUMBER_FORM } from '../rules/orders/order-tracking-number.ts';

const ONCE: readonly Group[] = ['all', 'read', 'insert'];

const LINES_MAX = 1000;
const TRACKING_NUMBERS_MAX = 50;

export const orderShipment = resource({
  name: 'OrderShipment',
  isFinal: true,
  group: 'Orders',
  description: 'A shipment of units of an order to the customer.',
  fields: {
    order: partOf('Order'),
    lines: parts('OrderShipmentLine', { required: true, written: { countMin: 1, countMax: LINES_MAX } }),
    carrier: text({ lengthMax: 255, personal: true, example: 'UPS' }),
    tracking_numbers: texts({
      countMin: 0,
      countMax: TRACKING_NUMBERS_MAX,
      personal: true,
      form: TRACKING_NUMBER_FORM,
      description: 'Tracking numbers of the carrier. The order’s `tracking_numbers` include them.',
      example: ['1Z999AA10123456784'],
    }),
    date: timestamp({ stamped: 'created', groups: ONCE, description: 'Date of the shipment. Now if omitted.' }),
    note: text({ personal: true, description: 'Internal note of the store.' }),
    shipping_status: text({
      transient: true,
      groups: ['insert'],
      lengthMin: 1,
      lengthMax: 4,
      finds: { ShippingStatus: ['code'] },
      description: 'Code of the shipping status to set on the order. Unchanged if omitted.',
      example: 'S',
    }),
  },
  routes: [
    {
      path: '/orders/{order_id}/shipments/{shipment_id}',
      operations: ['list', 'create', 'read', 'patch', 'remove'],
      parents: { order_id: 'order' },
      unknownParent: 'not-found',
    },
  ],
  rules: shipmentRules,
  printed: packingSlip,
});

export const orderShipmentLine = resource({
  name: 'OrderShipmentLine',
  description: 'Units of one item in a shipment.',
  fields: {
    shipment: partOf('OrderShipment'),
    item_id: reference({
      to: 'OrderItem',
      required: true,
      groups: ONCE,
      onDelete: 'cascade',
      description: 'Id of an item of the order.',
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
  },
  routes: [],
});
