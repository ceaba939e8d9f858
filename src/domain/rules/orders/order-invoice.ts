/**
 * Writing an invoice or a credit note (orders.md §14). It copies what it shows, so nothing that happens later changes it. A
 * credit note takes back no more than its invoice has.
 */
import { type Draft, rules, type Stored, type UnitOfWork, type Value } from '../../../engine/vocabulary.ts';
import { decimalsOf } from './currencies.ts';
import { amountOf, isStorable, rounded, sum, unitsOf } from './money.ts';
import { record, USES_OF_HISTORY } from './order-history.ts';
import { totalsOfParts } from './order-placing.ts';

export const INVOICE_KINDS = ['invoice', 'credit_note'];

/** The beginning of each kind's numbers, so that no two documents have the same. */
const PREFIXES: Readonly<Record<string, string>> = { invoice: 'INV-', credit_note: 'CN-' };

const INVOICE_FIELDS = [
  'order',
  'number',
  'kind',
  'of',
  'seller',
  'billing_address',
  'shipping_address',
  'lines',
  'surcharges',
  'sub_total',
  'total',
  'currency',
] as const;

const USES = {
  ...USES_OF_HISTORY,
  own: INVOICE_FIELDS,
  Order: ['billing_address', 'shipping_address', 'sub_total', 'total', 'currency'],
  OrderItem: ['order', 'name', 'sku', 'options', 'amount', 'price', 'discounted_subtotal'],
  Surcharge: ['order', 'type', 'name', 'include', 'available', 'value', 'weight'],
  OrderInvoice: INVOICE_FIELDS,
  InvoiceSeries: ['kind', 'last'],
} as const;

type Unit = UnitOfWork<typeof USES>;
type InvoiceDraft = Draft<(typeof INVOICE_FIELDS)[number]>;
type Invoice = Stored<(typeof INVOICE_FIELDS)[number]>;

/** A line of an invoice, as output shows it; of an input what a client said. */
type Line = Record<string, Value> & { readonly item_id: number };

export const invoiceRules = rules(USES, {
  async check(draft, unit): Promise<{ readonly id: Value; readonly next: number } | undefined> {
    const { values, environment } = draft;
    const order = (await unit.read('Order', values.order!))!;
    values.seller = environment.settings.seller ?? '';
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

/** Held until the transaction ends: who is refused or fails later uses none up. */
async function lockSeries(unit: Unit, kind: string): Promise<{ readonly id: Value; readonly next: number }> {
  const [id] = (await unit.identify('InvoiceSeries', 'kind', [kind])).values();
  const [series] = await unit.hold('InvoiceSeries', [id!]);
  return { id: series!.id, next: (series!.last as number) + 1 };
}

async function fillFromOrder(
  { values, violations }: InvoiceDraft,
  unit: Unit,
  order: Stored<'sub_total' | 'total'>,
): Promise<void> {
  if (((values.lines ?? []) as Line[]).length > 0)
    violations.add('lines', 'conflict', 'An invoice has all lines of its order; leave lines out.');
  if (values.of !== null && values.of !== undefined)
    violations.add('of', 'conflict', 'Only a credit note is of an invoice; leave it out.');
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
  const surcharges = (await unit.list('Surcharge', { order: order.id })).filter(({ available }) => available === true);
  values.surcharges = surcharges
    .sort((one, other) => (one.weight as number) - (other.weight as number))
    .map(({ type, name, include, value }) => ({ type, name, include, value }));
  values.sub_total = order.sub_total;
  values.total = order.total;
}

async function fillFromInvoice(draft: InvoiceDraft, unit: Unit): Promise<void> {
  const { values, sent, violations } = draft;
  if (violations.list.length > 0) return;
  if (values.of === null || values.of === undefined) {
    violations.add('of', 'required', 'A credit note takes an invoice back; say which.');
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
      `The invoice comes to ${invoice.total}, of which credit notes have taken ${amountOf(before)} back; this one would take ${amountOf(totals.total)}.`,
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
      `The credit note ${others[0]!.number} has taken back a part of this invoice; say which lines this one takes back.`,
    );
}

function copyLines({ values, violations }: InvoiceDraft, invoice: Invoice, others: readonly Invoice[]): void {
  const billed = new Map((invoice.lines as Line[]).map((line) => [line.item_id, line]));
  const taken = new Map<Value, { readonly amount: number; readonly units: bigint }>();
  const takenOf = (item: Value) => taken.get(item) ?? { amount: 0, units: 0n };
  const count = ({ item_id, amount, subtotal }: Line): void => {
    const earlier = takenOf(item_id);
    taken.set(item_id, {
      amount: earlier.amount + (amount as number),
      units: earlier.units + unitsOf(subtotal as number),
    });
  };
  for (const other of others) for (const line of other.lines as Line[]) count(line);
  const said = (values.lines ?? []) as Line[];
  if (said.length === 0) violations.add('lines', 'too_short', 'A credit note has one line or more.');
  values.surcharges = [];
  values.lines = said.map((line, index) => {
    const at = `lines[${index}]`;
    const own = billed.get(line.item_id);
    if (!own) {
      violations.add(`${at}.item_id`, 'unknown_link', `The invoice has no line of the item ${line.item_id}.`);
      return line;
    }
    const before = takenOf(line.item_id);
    const left = (own.amount as number) - before.amount;
    const billedUnits = unitsOf(own.subtotal as number);
    const unitsLeft = before.units < billedUnits ? billedUnits - before.units : 0n;
    const price = (line.price ?? own.price) as number;
    if ((line.amount as number) > left)
      violations.add(
        `${at}.amount`,
        'range',
        `Of item ${line.item_id} the invoice has ${own.amount}, of which ${left} are left to be taken back.`,
      );
    if (price > (own.price as number))
      violations.add(`${at}.price`, 'range', `This value should be at most ${own.price}, as on the invoice.`);
    const whole = rounded(unitsOf(price) * BigInt(line.amount as number), decimalsOf(invoice.currency as string));
    const isTooMuch = whole > unitsLeft;
    // The line may come to less than its price says: it has a discount, or was rounded as a whole.
    const units = isTooMuch ? unitsLeft : whole;
    if (isTooMuch && line.price !== undefined && line.price !== null)
      violations.add(
        `${at}.price`,
        'range',
        `The invoice's line comes to ${own.subtotal}, of which ${amountOf(unitsLeft)} are left to be taken back; leave the price out, or say a lower one.`,
      );
    const copy: Line = { ...own, amount: line.amount!, price, subtotal: isStorable(units) ? amountOf(units) : 0 };
    count(copy);
    for (const name of ['name', 'sku', 'options', 'subtotal'] as const)
      if (line[name] !== undefined && JSON.stringify(line[name]) !== JSON.stringify(copy[name]))
        violations.add(`${at}.${name}`, 'read_only', 'The store sets this value, not the client; leave it out.');
    return copy;
  });
}
