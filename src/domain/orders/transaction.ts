/** Money that moved, or should have (orders.md §5). A transaction records it and never changes a payment status. */
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
  group: 'Orders',
  description: 'Money that moved for an order. It changes no payment status by itself.',
  fields: {
    order: partOf('Order'),
    public_id: text({ groups: ONCE, personal: true, lengthMax: 255 }),
    public_txn_id: text({ groups: ONCE, personal: true, nullable: true, lengthMax: 16 }),
    method_id: integer({ groups: ONCE, nullable: true }),
    type: choice(TYPES, { groups: ONCE, default: 'sale' }),
    date: timestamp({ stamped: 'created', groups: ONCE, description: 'Now, unless it is given.' }),
    status: choice(STATUSES, {
      default: 'I',
      description: '`I` initialized, `P` in progress, `S` success, `W` pending, `F` failed, `C` canceled, `V` void.',
      example: 'S',
    }),
    name: text({
      groups: ONCE,
      personal: true,
      lengthMax: 128,
      description: 'The payment method.',
      example: 'Invoice',
    }),
    local_name: text({ groups: ONCE, personal: true, lengthMax: 255 }),
    currency: currency({ groups: ONCE, description: 'Left out, it is the order’s.' }),
    value: decimal({ required: true, min: 0, groups: ONCE, example: 19.99 }),
    note: text({ groups: ONCE, personal: true, lengthMax: 255 }),
    lines: list(
      {
        item_id: integer({ min: 1, required: true, description: 'An item of the order.' }),
        amount: integer({ min: 0, max: 1_000_000, description: 'Pieces that are paid back; 0 for none.' }),
        value: decimal({ required: true, min: 0, description: 'The money that is paid back for the line.' }),
      },
      {
        groups: ONCE,
        countMax: LINES_MAX,
        description:
          'Of a refund: what it pays back. Together they are at most its `value`; never more pieces than were ordered. It moves no stock.',
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
        description: 'The requests to the payment service.',
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

/** Data that a payment service told. */
function data(groups?: readonly Group[]): Field {
  return list(
    {
      name: text({ required: true, notBlank: true, lengthMax: 255 }),
      label: text({ lengthMax: 255 }),
      value: text(),
      access_level: choice(['A', 'C'], { default: 'A', description: '`A` for the store, `C` for the customer too.' }),
    },
    { countMax: LISTED_MAX, numbered: true, personal: true, ...(groups ? { groups } : {}) },
  );
}
