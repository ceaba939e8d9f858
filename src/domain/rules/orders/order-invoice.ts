/**
 * Creating invoices and credit notes (orders.md §14). A document copies everything that it shows, so later changes of the
 * order do not affect it. The credit notes of an invoice together never exceed the invoice.
 */
import { type Draft, rules, type Stored, type UnitOfWork, type Value } from '../../../engine/vocabulary.ts';
import { decimalsOf } from '../../../pricing/currencies.ts';
import { creditedPart } from '../../../pricing/index.ts';
import { amountOf, isStorable, rounded, sum, unitsOf } from '../../../pricing/money.ts';
import { readStore, USES_OF_STORE } from '../store/store-info.ts';
import { record, USES_OF_HISTORY } from './order-history.ts';
import { totalsOfParts } from './order-placing.ts';
import { countOfUnits } from './order-stock.ts';

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
  Order: ['billing_address', 'shipping_address', 'sub_total', 'total', 'currency'],
  OrderItem: ['order', 'name', 'sku', 'options', 'amount', 'price', 'discounted_subtotal', 'surcharges'],
  Surcharge: ['order', 'type', 'name', 'include', 'available', 'value', 'weight'],
  OrderInvoice: INVOICE_FIELDS,
  InvoiceSeries: ['kind', 'last'],
} as const;

type Unit = UnitOfWork<typeof USES>;
type InvoiceDraft = Draft<(typeof INVOICE_FIELDS)[number]>;
type Invoice = Stored<(typeof INVOICE_FIELDS)[number]>;

/** A line of an invoice: as output shows it, or as the client sent it. */
type Line = Record<string, Value> & { readonly item_id: number };

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
  order: Stored<'sub_total' | 'total'>,
): Promise<void> {
  if (sent.lines !== undefined)
    violations.add('lines', 'conflict', 'An invoice always has all lines of its order. Omit lines.');
  if (values.of !== null && values.of !== undefined)
    violations.add('of', 'conflict', 'Only a credit note refers to an invoice. Omit of.');
  const items = await unit.list('OrderItem', { order: order.id });
  values.lines = items
    .filter(({ amount }) => (amount as number) > 0)
    .map(({ id, name, sku, options, amount, price, discounted_subtotal }) => ({
      item_id: id,
      name,
      sku,
      options: (options as Record<string, Value>[]).map((option) => ({ name: option.name!, value: option.value! })),
      amount,
      price,
      subtotal: discounted_subtotal,
    }));
  const surcharges = (await unit.list('Surcharge', { order: order.id }))
    .filter(({ available }) => available === true)
    .sort((one, other) => (one.weight as number) - (other.weight as number));
  values.surcharges = surcharges.map(({ type, name, include, value }) => ({ type, name, include, value }));
  values.shares = sharesOf(items, surcharges) as unknown as Value;
  values.sub_total = order.sub_total;
  values.total = order.total;
}

/** The part of a surcharge that belongs to an item. */
interface Share {
  readonly item_id: number;
  /** Position of the surcharge in the invoice. */
  readonly surcharge: number;
  readonly value: number;
}

/** Lists the shares of the items of a calculated order (pricing.md §5). */
function sharesOf(items: readonly Stored<'surcharges'>[], surcharges: readonly Stored<never>[]): Share[] {
  const positions = new Map(surcharges.map(({ id }, position) => [id, position]));
  return items.flatMap(({ id, surcharges: own }) =>
    (own as { readonly id: number; readonly value: number }[]).flatMap(({ id: surcharge, value }) => {
      const position = positions.get(surcharge);
      return position === undefined ? [] : [{ item_id: id as number, surcharge: position, value }];
    }),
  );
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
  if (sent.lines === undefined) copyAllLines(draft, invoice, others);
  else copyLines(draft, invoice, others);
  if (violations.list.length > 0) return;
  const totals = totalsOfParts(
    (values.lines as Line[]).map(({ subtotal }) => unitsOf((subtotal ?? 0) as number)),
    (values.surcharges ?? []) as Record<string, Value>[],
  );
  const before = sum(others.map(({ total }) => unitsOf(total as number)));
  if (!isStorable(totals.total) || before + totals.total > unitsOf(invoice.total as number))
    violations.add(
      'lines',
      'range',
      `The invoice total is ${invoice.total} and ${amountOf(before)} has been credited. This credit note of ${amountOf(totals.total)} would exceed it.`,
    );
  else Object.assign(values, { sub_total: amountOf(totals.sub_total), total: amountOf(totals.total) });
}

function copyAllLines({ values, violations }: InvoiceDraft, invoice: Invoice, others: readonly Invoice[]): void {
  values.lines = invoice.lines;
  values.surcharges = invoice.surcharges;
  if (others.length > 0)
    violations.add(
      'lines',
      'required',
      `Credit note ${others[0]!.number} already covers a part of this invoice. Send the lines to credit.`,
    );
}

/** What earlier lines have credited of one item. */
interface Credited {
  readonly amount: number;
  /** Ten-thousandths. */
  readonly value: bigint;
}

function copyLines({ values, violations }: InvoiceDraft, invoice: Invoice, others: readonly Invoice[]): void {
  const invoiced = new Map((invoice.lines as Line[]).map((line) => [line.item_id, line]));
  const credited = new Map<Value, Credited>();
  const count = ({ item_id, amount, subtotal }: Line): void => {
    const earlier = credited.get(item_id) ?? NOTHING_CREDITED;
    credited.set(item_id, {
      amount: earlier.amount + (amount as number),
      value: earlier.value + unitsOf(subtotal as number),
    });
  };
  for (const other of others) for (const line of other.lines as Line[]) count(line);
  const sent = (values.lines ?? []) as Line[];
  if (sent.length === 0) violations.add('lines', 'too_short', 'A credit note needs at least one line.');
  const creditedShares = new Map<number, number>();
  values.lines = sent.map((line, index) => {
    const path = `lines[${index}]`;
    const original = invoiced.get(line.item_id);
    if (!original) {
      violations.add(`${path}.item_id`, 'unknown_link', `The invoice has no line for item ${line.item_id}.`);
      return line;
    }
    const earlier = credited.get(line.item_id) ?? NOTHING_CREDITED;
    const copy = creditedLine(line, original, earlier, { currency: invoice.currency as string, path, violations });
    for (const [position, value] of creditShares(invoice, original, earlier, copy))
      creditedShares.set(position, amountOf(unitsOf(creditedShares.get(position) ?? 0) + unitsOf(value)));
    count(copy);
    rejectOtherValues(line, copy, path, violations);
    return copy;
  });
  values.surcharges = (invoice.surcharges as Record<string, Value>[]).flatMap((surcharge, position) => {
    const value = creditedShares.get(position) ?? 0;
    return value === 0 ? [] : [{ ...surcharge, value }];
  });
}

/** Computes the parts of a line's shares that a line of a credit note takes back, by surcharge (pricing.md §5). */
function creditShares(
  { shares, currency }: Invoice,
  original: Line,
  earlier: Credited,
  now: Line,
): readonly (readonly [position: number, value: number])[] {
  const isFree = original.subtotal === 0;
  const line = isFree
    ? { whole: original.amount as number, before: earlier.amount, now: now.amount as number }
    : { whole: original.subtotal as number, before: amountOf(earlier.value), now: now.subtotal as number };
  return (shares as unknown as Share[])
    .filter(({ item_id }) => item_id === original.item_id)
    .map(({ surcharge, value }) => {
      const part = creditedPart(Math.abs(value), line, currency as string);
      return [surcharge, value < 0 ? -part : part];
    });
}

const NOTHING_CREDITED: Credited = { amount: 0, value: 0n };

/** Checks a line of a credit note against the invoice's line and completes it. */
function creditedLine(
  line: Line,
  original: Line,
  earlier: Credited,
  {
    currency,
    path,
    violations,
  }: { readonly currency: string; readonly path: string; readonly violations: InvoiceDraft['violations'] },
): Line {
  const left = (original.amount as number) - earlier.amount;
  const invoicedValue = unitsOf(original.subtotal as number);
  const valueLeft = earlier.value < invoicedValue ? invoicedValue - earlier.value : 0n;
  const price = (line.price ?? original.price) as number;
  if ((line.amount as number) > left)
    violations.add(
      `${path}.amount`,
      'range',
      `The invoice has ${countOfUnits(original.amount!)} of item ${line.item_id}. Only ${left} can still be credited.`,
    );
  if (price > (original.price as number))
    violations.add(`${path}.price`, 'range', `The price must be at most ${original.price}, the price on the invoice.`);
  const whole = rounded(unitsOf(price) * BigInt(line.amount as number), decimalsOf(currency));
  const isTooMuch = whole > valueLeft;
  if (isTooMuch && line.price !== undefined && line.price !== null)
    violations.add(
      `${path}.price`,
      'range',
      `The invoice line is ${original.subtotal}. Only ${amountOf(valueLeft)} can still be credited. Omit the price or send a lower one.`,
    );
  // Without a price the rest is credited: the invoice line may be less than price × amount (discount, rounding).
  const value = isTooMuch ? valueLeft : whole;
  return { ...original, amount: line.amount!, price, subtotal: isStorable(value) ? amountOf(value) : 0 };
}

function rejectOtherValues(line: Line, copy: Line, path: string, violations: InvoiceDraft['violations']): void {
  for (const name of ['name', 'sku', 'options', 'subtotal'] as const)
    if (line[name] !== undefined && JSON.stringify(line[name]) !== JSON.stringify(copy[name]))
      violations.add(`${path}.${name}`, 'read_only', 'This value is set by the store. Omit it.');
}
