/** `GET /orders/{id}/refundable`: the credit note for units of an order, without creating it (pricing.md §5). */
import {
  decimal,
  integer,
  list,
  numbersById,
  type Problem,
  problem,
  type Reads,
  recorded,
  type Value,
  type View,
  type ViewContext,
  Violations,
  view,
} from '../../../engine/vocabulary.ts';
import { UNLIMITED } from '../pricing/result-fields.ts';
import {
  creditableLines,
  creditLines,
  creditRest,
  type InvoiceContent,
  type Line,
  totalsOfCredit,
} from './credit-note.ts';
import { contentOfOrder, LINE_FIELDS, LINES_EXAMPLE, SURCHARGES_SCHEMA, USES_OF_CONTENT } from './invoice-content.ts';

const USES_OF_REFUNDABLE = {
  ...USES_OF_CONTENT,
  OrderInvoice: ['order', 'kind', 'of', 'lines', 'surcharges', 'shares', 'sub_total', 'total', 'currency'],
} as const;

/** Items of one invoice. */
const ITEMS_MAX = 1000;

export const refundable: View = view(USES_OF_REFUNDABLE, {
  name: 'refundable',
  summary: 'Preview a credit note of selected items',
  description:
    'Returns the credit note for these units of the latest invoice, or of the order if it has no invoice. It does not create the credit note. A refund has the same total, unless shipping is paid back too.',
  parameters: {
    items: numbersById({
      min: 1,
      max: 1_000_000,
      countMax: ITEMS_MAX,
      synonyms: ['lines', 'item', 'itemid'],
      description:
        'Number of units by the id of the item, such as `items[7]=1`. If omitted, everything that can still be credited.',
      example: { 7: 1 },
    }),
    invoice: integer({
      min: 0,
      description: 'Id of an invoice of the order. If omitted or 0, the latest one.',
      example: 0,
    }),
  },
  output: {
    lines: list(LINE_FIELDS, { ...UNLIMITED, description: 'Lines of the credit note.', shownExample: LINES_EXAMPLE }),
    surcharges: recorded({
      schema: SURCHARGES_SCHEMA,
      default: [],
      description: 'The parts of discounts and taxes that belong to the lines, if the order was calculated.',
    }),
    sub_total: decimal({ description: 'Sum of the lines.', shownExample: 39.98 }),
    total: decimal({ description: 'Total of the credit note.', shownExample: 39.98 }),
  },
  isInSnapshot: true,
  read: previewOfCredit,
});

async function previewOfCredit(
  id: Value,
  reads: Reads<typeof USES_OF_REFUNDABLE>,
  { parameters }: ViewContext,
): Promise<Record<string, Value> | Problem> {
  const order = (await reads.read('Order', id))!;
  const documents = await reads.list('OrderInvoice', { order: id });
  const wanted = parameters.invoice as number;
  const latest = documents.findLast(({ id: document, kind }) => kind === 'invoice' && [0, document].includes(wanted));
  if (!latest && wanted > 0)
    return problem('invalid-argument', `"invoice" is ${wanted}. The order has no such invoice.`);
  const invoice = (latest as InvoiceContent | undefined) ?? (await contentOfOrder(reads, order));
  const earlier = latest ? documents.filter(({ of }) => of === latest.id) : [];
  const credited = {
    invoice,
    earlier: earlier as unknown as InvoiceContent[],
    name: latest ? 'invoice' : 'order',
  } as const;
  const sent = parameters.items as readonly (readonly [item: number, amount: number])[] | undefined;
  const lines = sent?.map(([item_id, amount]): Line => ({ item_id, amount })) ?? creditableLines(credited);
  if (lines.length === 0) return { lines: [], surcharges: [], sub_total: 0, total: 0 };
  const violations = new Violations();
  const credit = creditLines(lines, credited, violations);
  const totals = violations.list.length > 0 ? undefined : totalsOfCredit(credit, credited, violations);
  if (totals) return { ...(credit as unknown as Record<string, Value>), ...totals };
  if (!sent) return creditRest(credit, credited) as unknown as Record<string, Value>;
  const { propertyPath, message } = violations.list[0]!;
  const line = lines[Number(/^lines\[(\d+)\]/.exec(propertyPath)?.[1])];
  return problem('invalid-argument', line ? `"items[${line.item_id}]" is ${line.amount}. ${message}` : message);
}
