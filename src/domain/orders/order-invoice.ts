/** Invoices and credit notes of an order (orders.md §14): copies of the moment when they were written, never changed. */
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
import { address } from '../rules/orders/address.ts';
import { INVOICE_KINDS, invoiceRules } from '../rules/orders/order-invoice.ts';
import { printedInvoice } from '../rules/orders/order-invoice-printed.ts';
import { returnStory } from '../rules/orders/return-story.ts';

const ONCE: readonly Group[] = ['all', 'read', 'insert'];
const OUTPUT_ONLY: readonly Group[] = ['all', 'read'];

const LINES_MAX = 1000;

export const orderInvoice = resource({
  name: 'OrderInvoice',
  group: 'Orders',
  description:
    'An invoice or a credit note: a copy of the order as it was then. It is never changed and never deleted.',
  fields: {
    order: partOf('Order'),
    number: text({
      groups: OUTPUT_ONLY,
      unique: true,
      description: 'Each kind has a series of its own, without gaps.',
      shownExample: 'INV-1',
    }),
    kind: choice(INVOICE_KINDS, { groups: ONCE, default: 'invoice', example: 'invoice' }),
    of: reference({
      to: 'OrderInvoice',
      nullable: true,
      groups: ONCE,
      onDelete: 'set null',
      description: 'Of a credit note, and required there: the invoice that it takes back, in whole or in part.',
    }),
    date: timestamp({ stamped: 'created' }),
    seller: text({ groups: OUTPUT_ONLY, description: 'The store, as its settings called it then.' }),
    billing_address: { ...address('billing'), groups: OUTPUT_ONLY },
    shipping_address: { ...address('shipping'), groups: OUTPUT_ONLY },
    lines: list(
      {
        item_id: integer({ min: 1, required: true, description: 'An item of the invoice.' }),
        name: text({ groups: OUTPUT_ONLY }),
        sku: text({ groups: OUTPUT_ONLY }),
        options: recorded({
          schema: {
            type: 'array',
            items: {
              type: 'object',
              properties: { name: { schema: { type: 'string' } }, value: { schema: { type: 'string' } } },
              required: ['name', 'value'],
            },
          },
          default: [],
        }),
        amount: integer({ min: 1, max: 1_000_000, required: true, description: 'Pieces.' }),
        price: decimal({ min: 0, description: 'Of one piece. Left out of a credit note, it is the invoice’s.' }),
        subtotal: decimal({ groups: OUTPUT_ONLY }),
      },
      {
        countMax: LINES_MAX,
        groups: ONCE,
        // The customer may have written some of them.
        personal: (lines) => (lines as Record<string, Value>[]).map((line) => ({ ...line, options: [] })),
        description:
          'An invoice has all lines of its order. Of a credit note they are chosen; left out, it takes the whole invoice back.',
        shownExample: [
          { item_id: 1, name: 'T-shirt', sku: 'TSHIRT-1', options: [], amount: 2, price: 19.99, subtotal: 39.98 },
        ],
      },
    ),
    surcharges: recorded({
      schema: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            type: { schema: { type: 'string' } },
            name: { schema: { type: 'string' } },
            include: { schema: { type: 'boolean' } },
            value: { schema: { type: 'number' } },
          },
          required: ['type', 'name', 'include', 'value'],
        },
      },
      default: [],
      description: 'Those of the order; a credit note of chosen lines has none.',
    }),
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
  story: returnStory,
  rules: invoiceRules,
  printed: printedInvoice,
});

/** The last number of each kind; the row is held while an invoice is written, so none is left out and none comes twice. */
export const invoiceSeries = resource({
  name: 'InvoiceSeries',
  description: 'The numbers of invoices and credit notes.',
  unpublished: true,
  fields: {
    kind: text({ groups: [], unique: true }),
    last: integer({ groups: [] }),
  },
  seeds: INVOICE_KINDS.map((kind) => ({ kind, last: 0 })),
  routes: [],
});
