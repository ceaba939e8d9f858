/** The printable page of an invoice or a credit note (orders.md §14). */
import { printedPage, type Value } from '../../../engine/vocabulary.ts';
import { decimalsOf } from '../../../pricing/currencies.ts';
import { isFiner } from '../../../pricing/money.ts';
import {
  addressLines,
  type Lines,
  labelsFor,
  nameWithOptions,
  surchargeName,
  withoutEmpty,
} from '../orders/order-printed.ts';
import { readStore, USES_OF_STORE } from '../store/store-info.ts';

const USES = {
  ...USES_OF_STORE,
  OrderInvoice: ['order', 'of', 'number'],
  Order: ['order_number'],
} as const;

/** Prints an invoice with the store's logo, header and footer of today. */
export const invoicePage = printedPage(USES, async (record, reads, context) => {
  const [language, labels] = labelsFor(context);
  const { logo, invoice_header, invoice_footer } = await readStore(reads, context.environment);
  const invoice = (await reads.read('OrderInvoice', record.id!))!;
  const order = (await reads.read('Order', invoice.order))!;
  const credited = invoice.of === null ? undefined : await reads.read('OrderInvoice', invoice.of);
  const isCredit = record.kind === 'credit_note';
  const currency = record.currency as string;
  const money = (value: Value): string => `${withDecimals(value as number, decimalsOf(currency))} ${currency}`;
  const totals: [string, Value][] = [[labels.sub_total, record.sub_total!]];
  for (const surcharge of record.surcharges as Lines) {
    const name = surchargeName(surcharge, labels);
    totals.push([surcharge.include === true ? `${name} (${labels.included})` : name, surcharge.value!]);
  }
  totals.push([labels.total, record.total!]);
  return {
    language,
    title: `${isCredit ? labels.credit_note : labels.invoice} ${record.number}`,
    image: logo,
    blocks: withoutEmpty([
      {
        lines: [
          `${labels.order}: ${order.order_number}`,
          ...(credited ? [`${labels.of}: ${credited.number}`] : []),
          `${labels.date}: ${(record.date as string).slice(0, 10)}`,
        ],
      },
      { heading: labels.seller, lines: (record.seller as string).split('\n') },
      { heading: labels.tax_number, lines: [record.tax_number as string] },
      { heading: labels.billing, lines: addressLines(record.billing_address!, language) },
      { heading: labels.shipping, lines: addressLines(record.shipping_address!, language) },
      { lines: invoice_header.split('\n') },
      {
        columns: [
          { heading: labels.item },
          { heading: labels.sku },
          { heading: labels.amount, isNumber: true },
          { heading: labels.price, isNumber: true },
          { heading: labels.subtotal, isNumber: true },
        ],
        rows: (record.lines as Lines).map((line) => [
          ...[nameWithOptions(line), String(line.sku), String(line.amount)],
          ...[money(line.price!), money(line.subtotal!)],
        ]),
      },
      {
        columns: [{ heading: '' }, { heading: '', isNumber: true }],
        rows: totals.map(([name, value]) => [name, money(value)]),
      },
      { lines: invoice_footer.split('\n') },
    ]),
  };
});

/** Formats an amount with at least `decimals` decimals. A price can have more. */
function withDecimals(amount: number, decimals: number): string {
  return isFiner(amount, decimals) ? String(amount) : amount.toFixed(decimals);
}
