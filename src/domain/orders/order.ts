/** Orders: placed by clients, kept whole, never deleted (orders.md §1). */
import {
  type Action,
  action,
  choice,
  decimal,
  type Group,
  integer,
  link,
  linkedBy,
  list,
  parts,
  reference,
  resource,
  type Tag,
  text,
  timestamp,
  type View,
} from '../../engine/vocabulary.ts';
import { EMAIL_FORM, ERASED_EMAIL } from '../rules/customers/email.ts';
import { address } from '../rules/orders/address.ts';
import { currency } from '../rules/orders/currency.ts';
import { orderRules, setStatus, USES_OF_ORDER } from '../rules/orders/order.ts';
import { applyEdit, decideEdit, type Edit, ITEMS_MAX, USES_OF_EDIT } from '../rules/orders/order-edit.ts';
import type { StatusField } from '../rules/orders/order-statuses.ts';
import { orderStory } from '../rules/orders/order-story.ts';

/** Set when the order is placed, and then no more. */
const ONCE: readonly Group[] = ['all', 'read', 'insert'];
const OUTPUT_ONLY: readonly Group[] = ['all', 'read'];

/** Printable characters, the first of which can be seen; spaces only between others. No path can end with `.` or `..`. */
const ORDER_NUMBER = /^(?!\.{1,2}$)[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}](?: *[^\p{C}\p{Z} ])*$/u;

const SURCHARGES_MAX = 100;

export const order = resource({
  name: 'Order',
  group: 'Orders',
  description:
    'An order: the items, the customer, the sums, and how far it is paid and shipped. It is never deleted; it is cancelled.',
  fields: {
    order_number: text({
      numbered: true,
      default: null,
      preservedOnReplace: true,
      groups: ONCE,
      unique: true,
      lengthMin: 1,
      lengthMax: 64,
      form: {
        pattern: ORDER_NUMBER,
        told: /^\S(?:.*\S)?$/,
        expected: 'made of printable characters, without white space at its ends',
      },
      description:
        'Printable characters, such as `2024/1` or `#1001`, without white space at the ends. Left out, it is the next number of the store.',
    }),
    total: decimal({
      groups: OUTPUT_ONLY,
      sum: true,
      description: 'The items, and every surcharge that is available and not included.',
      shownExample: 39.98,
    }),
    sub_total: decimal({ groups: OUTPUT_ONLY, sum: true, description: 'The items.', shownExample: 39.98 }),
    email: text({
      required: true,
      lengthMax: 128,
      form: EMAIL_FORM,
      searchable: true,
      personal: () => ERASED_EMAIL,
      example: 'ada@example.com',
    }),
    items: parts('OrderItem', { required: true, written: { countMin: 1, countMax: ITEMS_MAX } }),
    billing_address: address('billing'),
    shipping_address: address('shipping'),
    create_date: timestamp({ stamped: 'created', groups: ONCE, description: 'Now, unless it is given.' }),
    update_date: timestamp({ stamped: 'changed', description: 'Changes of its parts count too.' }),
    payment_status: link({ to: 'PaymentStatus', nullable: false, default: 'Q', groups: ONCE, onDelete: 'restrict' }),
    shipping_status: link({
      to: 'ShippingStatus',
      nullable: false,
      default: 'N',
      groups: ONCE,
      onDelete: 'restrict',
      description: 'Left out, it is `NBA` when something is backordered.',
    }),
    customer_id: reference({
      to: 'Profile',
      nullable: true,
      zeroIsNull: true,
      onlyHere: true,
      groups: ONCE,
      onDelete: 'set null',
      description: 'A profile. null once that is gone, and of past orders.',
    }),
    order_profile_id: integer({ nullable: true, groups: OUTPUT_ONLY, description: 'Always null.' }),
    shipping_id: integer({ min: 0, groups: ONCE, description: '0 when there is none.' }),
    shipping_method_name: text({ nullable: true, lengthMax: 255, personal: true }),
    notes: text({ personal: true, description: 'The customer’s.' }),
    admin_notes: text({ personal: true, description: 'The store’s own.' }),
    currency: currency({ groups: ONCE, description: 'Left out, it is the store’s.' }),
    stock_status: choice(['', 'reduced', 'increased'], { groups: OUTPUT_ONLY, default: '', shownExample: 'reduced' }),
    surcharges: parts('Surcharge', { written: { countMin: 0, countMax: SURCHARGES_MAX } }),
    tracking_numbers: parts('OrderTrackingNumber'),
    sku: linkedBy('OrderItem', 'order', 'sku', 'string'),
  },
  bulk: { by: 'order_number', createsOnly: true },
  ofDataSubject: { link: 'customer_id', named: 'email' },
  routes: [
    { path: '/orders/{id}', operations: ['list', 'create', 'read', 'patch'] },
    { path: '/orders/by_number/{orderNumber}', operations: ['read'], item: 'order_number' },
  ],
  filters: [
    'order_number',
    { field: 'email', partial: true, aliases: ['profile.login'] },
    'total',
    'sub_total',
    'currency',
    'customer_id',
    { field: 'create_date', aliases: ['date'] },
    { field: 'update_date', aliases: ['lastRenewDate'] },
    { field: 'payment_status', aliases: ['paymentStatus.code'] },
    { field: 'shipping_status', aliases: ['shippingStatus.code'] },
    'sku',
  ],
  orders: [{ field: 'create_date', aliases: ['date'] }, { field: 'update_date', aliases: ['lastRenewDate'] }, 'total'],
  story: orderStory,
  rules: orderRules,
  ...actionsAndViews(
    ['payment_status', { name: 'Payment', description: 'The payment status of an order.' }],
    ['shipping_status', { name: 'Shipping', description: 'The shipping status of an order.' }],
  ),
});

/** A status has a path of its own below its order, where it is read and set by its code. */
function actionsAndViews(...all: readonly (readonly [StatusField, Tag])[]): { actions: Action[]; views: View[] } {
  return {
    views: all.map(([name, tag]) => ({
      name,
      tag,
      shows: name,
      summary: `Read the ${name.replace('_', ' ')} of an order`,
    })),
    actions: [
      edit(),
      ...all.map(([name, tag]) =>
        action(USES_OF_ORDER, {
          name,
          tag,
          shows: name,
          method: 'PUT',
          summary: `Set the ${name.replace('_', ' ')} of an order`,
          input: {
            code: text({
              required: true,
              transient: true,
              lengthMin: 1,
              lengthMax: 4,
              description: 'The code of a status that the store has.',
              example: name === 'payment_status' ? 'P' : 'S',
            }),
          },
          run: setStatus(name),
        }),
      ),
    ],
  };
}

/** Lines and surcharges of an order that was placed. */
function edit(): Action {
  return action<typeof USES_OF_EDIT, Edit>(USES_OF_EDIT, {
    name: 'edit',
    method: 'POST',
    trial: true,
    summary: 'Change the lines and surcharges of an order',
    input: {
      add: parts('OrderItem', {
        written: { countMin: 0, countMax: ITEMS_MAX },
        description: 'Further lines, as a new order has them.',
      }),
      change: list(
        {
          item_id: integer({ min: 1, required: true, groups: ['insert'], description: 'An item of the order.' }),
          amount: integer({
            min: 0,
            max: 1_000_000,
            groups: ['insert'],
            description: 'Pieces from now on, at least those that were shipped. Left out, they stay.',
          }),
          price: decimal({ min: 0, groups: ['insert'], description: 'Of one piece. Left out, it stays.' }),
        },
        {
          countMax: ITEMS_MAX,
          description: 'Lines that are others from now on.',
          example: [{ item_id: 1, amount: 3 }],
        },
      ),
      surcharges: parts('Surcharge', {
        written: { countMin: 0, countMax: SURCHARGES_MAX },
        description: 'The whole new list. Left out, the surcharges stay.',
      }),
    },
    exampleShows: {
      total: 59.97,
      sub_total: 59.97,
      items: [{ discounted_subtotal: 59.97, amount: 3, ordered_amount: 3 }],
    },
    run: decideEdit,
    within: applyEdit,
  });
}
