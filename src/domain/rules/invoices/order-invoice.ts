/**
 * Creating invoices and credit notes (orders.md §14). A document copies everything that it shows, so later changes of the
 * order do not affect it. The credit notes of an invoice together never exceed the invoice.
 */
import { type Draft, rules, type Stored, type UnitOfWork, type Value } from '../../../engine/vocabulary.ts';
import { record, USES_OF_HISTORY } from '../orders/order-history.ts';
import { readStore, USES_OF_STORE } from '../store/store-info.ts';
import { creditAll, creditLines, type InvoiceContent, type Line, totalsOfCredit } from './credit-note.ts';
import { contentOfOrder, USES_OF_CONTENT } from './invoice-content.ts';

export const INVOICE_KINDS = ['invoice', 'credit_note'];

/** Number prefix of each kind. The prefixes make numbers unique across both series. */
const PREFIXES: Readonly<Record<string, string>> = { invoice: 'INV-', credit_note: 'CN-' };

const INVOICE_FIELDS = [
  'order',
  'number',
  'kind',
  'of',
  'seller',
  'tax_number',
  'billing_address',
  'shipping_address',
  'lines',
  'surcharges',
  'shares',
  'sub_total',
  'total',
  'currency',
] as const;

const USES = {
  ...USES_OF_HISTORY,
  ...USES_OF_STORE,
  own: INVOICE_FIELDS,
  ...USES_OF_CONTENT,
  Order: [...USES_OF_CONTENT.Order, 'billing_address', 'shipping_address'],
  OrderInvoice: INVOICE_FIELDS,
  InvoiceSeries: ['kind', 'last'],
} as const;

type Unit = UnitOfWork<typeof USES>;
type InvoiceDraft = Draft<(typeof INVOICE_FIELDS)[number]>;

export const invoiceRules = rules(USES, {
  async check(draft, unit): Promise<{ readonly id: Value; readonly next: number } | undefined> {
    const { values, environment } = draft;
    const order = (await unit.read('Order', values.order!))!;
    const { seller, tax_number } = await readStore(unit, environment);
    Object.assign(values, { seller, tax_number });
    values.currency = order.currency;
    values.billing_address = order.billing_address;
    values.shipping_address = order.shipping_address;
    if (values.kind === 'credit_note') await fillFromInvoice(draft, unit);
    else await fillFromOrder(draft, unit, order);
    if (draft.violations.list.length > 0) return undefined;
    const series = await lockSeries(unit, values.kind as string);
    values.number = `${PREFIXES[values.kind as string]}${series.next}`;
    return series;
  },
  async within(draft, unit, id, series) {
    await unit.update('InvoiceSeries', series!.id, { last: series!.next });
    const { number, kind, order } = draft.values;
    await record(unit, draft, order!, 'INVOICE', { invoice: id, kind: kind!, number: number! });
  },
});

/** Locks the series until the transaction ends. If the transaction fails, its number is not used up. */
async function lockSeries(unit: Unit, kind: string): Promise<{ readonly id: Value; readonly next: number }> {
  const [id] = (await unit.identify('InvoiceSeries', 'kind', [kind])).values();
  const [series] = await unit.hold('InvoiceSeries', [id!]);
  return { id: series!.id, next: (series!.last as number) + 1 };
}

async function fillFromOrder(
  { sent, values, violations }: InvoiceDraft,
  unit: Unit,
  order: Stored<(typeof USES_OF_CONTENT.Order)[number]>,
): Promise<void> {
  if (sent.lines !== undefined)
    violations.add('lines', 'conflict', 'An invoice always has all lines of its order. Omit lines.');
  if (values.of !== null && values.of !== undefined)
    violations.add('of', 'conflict', 'Only a credit note refers to an invoice. Omit of.');
  Object.assign(values, await contentOfOrder(unit, order));
}

async function fillFromInvoice(draft: InvoiceDraft, unit: Unit): Promise<void> {
  const { values, sent, violations } = draft;
  if (violations.list.length > 0) return;
  if (values.of === null || values.of === undefined) {
    violations.add('of', 'required', 'A credit note needs the id of an invoice of the order.');
    return;
  }
  const invoice = await unit.read('OrderInvoice', values.of);
  if (!invoice || invoice.order !== values.order || invoice.kind !== 'invoice') {
    violations.add('of', 'unknown_link', `The order has no invoice with the id ${values.of}.`);
    return;
  }
  const others = await unit.list('OrderInvoice', { of: invoice.id });
  for (const name of ['seller', 'billing_address', 'shipping_address', 'currency'] as const)
    values[name] = invoice[name];
  const content = invoice as unknown as InvoiceContent;
  const earlier = others as unknown as InvoiceContent[];
  const credit =
    sent.lines === undefined
      ? creditAll(content)
      : creditLines((values.lines ?? []) as Line[], { invoice: content, earlier, name: 'invoice' }, violations);
  if (sent.lines === undefined && others.length > 0)
    violations.add(
      'lines',
      'required',
      `Credit note ${others[0]!.number} already covers a part of this invoice. Send the lines to credit.`,
    );
  Object.assign(values, credit);
  if (violations.list.length > 0) return;
  Object.assign(values, totalsOfCredit(credit, { invoice: content, earlier, name: 'invoice' }, violations));
}
