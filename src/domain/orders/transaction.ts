/** Payment transactions of orders (orders.md §5). They record payments and never change the payment status. */
import {
  choice,
  decimal,
  type Field,
  type Group,
  integer,
  list,
  partOf,
  resource,
  rules,
  text,
  timestamp,
} from '../../engine/vocabulary.ts';
import { currency } from '../rules/orders/currency.ts';
import { recordedAs, USES_OF_HISTORY } from '../rules/orders/order-history.ts';
import { isRefund, refundWrite } from '../rules/orders/refund-scope.ts';
import {
  checkMoneyMoved,
  checkRefundedLines,
  countRefunded,
  deriveCurrency,
  USES_OF_TRANSACTION,
} from '../rules/orders/transaction.ts';

const ONCE: readonly Group[] = ['all', 'read', 'insert'];

const TYPES = [
  'auth',
  'sale',
  'capture',
  'capturePart',
  'captureMulti',
  'void',
  'voidPart',
  'voidMulti',
  'refund',
  'refundPart',
  'refundMulti',
  'getInfo',
  'accept',
  'decline',
  'test',
];

const recorded = recordedAs<'type' | 'value' | 'currency' | 'status'>(
  'TRANSACTION',
  ({ type, value, currency, status }) => ({ type: type!, value: value!, currency: currency!, status: status! }),
);

/** Initialized, in progress, success, pending, failed, canceled, void. */
const STATUSES = ['I', 'P', 'S', 'W', 'F', 'C', 'V'];

const LISTED_MAX = 100;
const LINES_MAX = 1000;

export const transaction = resource({
  name: 'Transaction',
  isFinal: true,
  namedWrite: refundWrite((sent, stored) => (isRefund(stored ?? sent) ? 'all' : 'none')),
  group: 'Orders',
  description:
    'A payment transaction of an order, such as a charge or a refund. It does not change the payment status.',
  fields: {
    order: partOf('Order'),
    public_id: text({ groups: ONCE, personal: true, lengthMax: 255 }),
    public_txn_id: text({ groups: ONCE, personal: true, nullable: true, lengthMax: 16 }),
    method_id: integer({ groups: ONCE, nullable: true }),
    type: choice(TYPES, { groups: ONCE, default: 'sale' }),
    date: timestamp({ stamped: 'created', groups: ONCE, description: 'Date of the transaction. Now if omitted.' }),
    status: choice(STATUSES, {
      default: 'I',
      description: '`I` initialized, `P` in progress, `S` success, `W` pending, `F` failed, `C` canceled, `V` void.',
      example: 'S',
    }),
    name: text({
      groups: ONCE,
      personal: true,
      lengthMax: 128,
      description: 'Name of the payment method.',
      example: 'Invoice',
    }),
    local_name: text({ groups: ONCE, personal: true, lengthMax: 255 }),
    currency: currency({ groups: ONCE, description: 'The order’s currency if omitted.' }),
    value: decimal({ required: true, min: 0, groups: ONCE, example: 19.99 }),
    note: text({ groups: ONCE, personal: true, lengthMax: 255 }),
    lines: list(
      {
        item_id: integer({ min: 1, required: true, description: 'Id of an item of the order.' }),
        amount: integer({ min: 0, max: 1_000_000, description: 'Number of units refunded; 0 for none.' }),
        value: decimal({ required: true, min: 0, description: 'Amount refunded for the item.' }),
      },
      {
        groups: ONCE,
        countMax: LINES_MAX,
        description:
          'Items of a refund. Their values add up to at most the refund’s `value`, and no item can have more units refunded than were ordered. Refunds do not move stock.',
      },
    ),
    data: data(ONCE),
    backend_transactions: list(
      {
        type: choice(TYPES, { default: 'sale' }),
        date: timestamp({ nullable: true }),
        status: choice(STATUSES, { default: 'I' }),
        value: decimal({ required: true }),
        data: data(),
      },
      {
        groups: ONCE,
        personal: true,
        countMax: LISTED_MAX,
        numbered: true,
        description: 'Requests to the payment service.',
      },
    ),
  },
  routes: [
    {
      path: '/orders/{order_id}/payment_transactions/{transaction_id}',
      operations: ['list', 'create', 'read', 'patch'],
      parents: { order_id: 'order' },
      unknownParent: 'not-found',
    },
  ],
  filters: ['status', 'type', 'date'],
  orders: ['date'],
  rules: rules(
    { ...USES_OF_TRANSACTION, ...USES_OF_HISTORY },
    {
      derive: deriveCurrency,
      async check(draft, unit) {
        await checkRefundedLines(draft, unit);
        await checkMoneyMoved(draft, unit);
      },
      async within(draft, unit) {
        await recorded.within(draft, unit);
        await countRefunded(draft, unit);
      },
    },
  ),
});

/** Data returned by a payment service. */
function data(groups?: readonly Group[]): Field {
  return list(
    {
      name: text({ required: true, notBlank: true, lengthMax: 255 }),
      label: text({ lengthMax: 255 }),
      value: text(),
      access_level: choice(['A', 'C'], {
        default: 'A',
        description: '`A`: visible to the store. `C`: visible to the customer too.',
      }),
    },
    { countMax: LISTED_MAX, numbered: true, personal: true, ...(groups ? { groups } : {}) },
  );
}
