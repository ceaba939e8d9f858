/** Invoices and credit notes (orders.md §14): immutable copies of the order. */
import {
  choice,
  decimal,
  type Group,
  integer,
  list,
  partOf,
  recorded,
  reference,
  resource,
  text,
  timestamp,
  type Value,
} from '../../engine/vocabulary.ts';
import { LINE_FIELDS, LINES_EXAMPLE, SURCHARGES_SCHEMA } from '../rules/invoices/invoice-content.ts';
import { INVOICE_KINDS, invoiceRules } from '../rules/invoices/order-invoice.ts';
import { invoicePage } from '../rules/invoices/order-invoice-printed.ts';
import { address } from '../rules/orders/address.ts';
import { refundWrite } from '../rules/orders/refund-scope.ts';
import { partialReturnTutorial } from '../tutorials/partial-return.ts';

const ONCE: readonly Group[] = ['all', 'read', 'insert'];
const OUTPUT_ONLY: readonly Group[] = ['all', 'read'];

const LINES_MAX = 1000;

export const orderInvoice = resource({
  name: 'OrderInvoice',
  isFinal: true,
  namedWrite: refundWrite(({ kind }) => (kind === 'credit_note' ? 'all' : 'none')),
  group: 'Orders',
  description:
    'An invoice or a credit note. It is a copy of the order at the time of creation, and can be neither changed nor deleted.',
  fields: {
    order: partOf('Order'),
    number: text({
      groups: OUTPUT_ONLY,
      unique: true,
      description: 'Document number. Invoices and credit notes have separate series without gaps.',
      shownExample: 'INV-1',
    }),
    kind: choice(INVOICE_KINDS, { groups: ONCE, default: 'invoice', example: 'invoice' }),
    of: reference({
      to: 'OrderInvoice',
      nullable: true,
      groups: ONCE,
      onDelete: 'set null',
      description: 'Id of the invoice that a credit note credits in whole or in part. Required for credit notes.',
    }),
    date: timestamp({ stamped: 'created' }),
    seller: text({ groups: OUTPUT_ONLY, description: 'Name and address of the store at that time.' }),
    tax_number: text({ groups: OUTPUT_ONLY, description: 'Tax number of the store at that time.' }),
    billing_address: { ...address('billing'), groups: OUTPUT_ONLY },
    shipping_address: { ...address('shipping'), groups: OUTPUT_ONLY },
    lines: list(LINE_FIELDS, {
      countMax: LINES_MAX,
      groups: ONCE,
      // Options can contain text written by the customer.
      personal: (lines) => (lines as Record<string, Value>[]).map((line) => ({ ...line, options: [] })),
      description:
        'Lines of the document. An invoice always has all lines of its order. A credit note without lines credits the whole invoice.',
      shownExample: LINES_EXAMPLE,
    }),
    surcharges: recorded({
      schema: SURCHARGES_SCHEMA,
      default: [],
      description:
        'Surcharges of the order. A credit note of selected lines has the parts of discounts and taxes that belong to them, if the order was calculated.',
    }),
    shares: recorded({ schema: { type: 'array' }, default: [], groups: [] }),
    sub_total: decimal({ groups: OUTPUT_ONLY, shownExample: 39.98 }),
    total: decimal({ groups: OUTPUT_ONLY, shownExample: 39.98 }),
    currency: text({ groups: OUTPUT_ONLY, shownExample: 'USD' }),
  },
  routes: [
    {
      path: '/orders/{order_id}/invoices/{invoice_id}',
      operations: ['list', 'create', 'read'],
      parents: { order_id: 'order' },
      unknownParent: 'not-found',
    },
  ],
  filters: ['kind'],
  retention: { setting: 'invoice_keep_years', from: 'date' },
  tutorial: partialReturnTutorial,
  rules: invoiceRules,
  createsWithoutBody: true,
  printed: invoicePage,
});

/** The last number of each kind. The row is locked while a document is created, so the series has no gaps or duplicates. */
export const invoiceSeries = resource({
  name: 'InvoiceSeries',
  description: 'The number series of invoices and credit notes.',
  unpublished: true,
  fields: {
    kind: text({ groups: [], unique: true }),
    last: integer({ groups: [] }),
  },
  seeds: INVOICE_KINDS.map((kind) => ({ kind, last: 0 })),
  routes: [],
});
