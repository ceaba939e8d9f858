/**
 * The lines, surcharges and totals of a credit note (orders.md §14; pricing.md §5). They depend only on the stored content of the
 * invoice and of its earlier credit notes, so a preview and its credit note are equal.
 */
import type { Value, Violations } from '../../../engine/vocabulary.ts';
import { decimalsOf } from '../../../pricing/currencies.ts';
import { creditedPart } from '../../../pricing/index.ts';
import { amountOf, isStorable, rounded, sum, unitsOf } from '../../../pricing/money.ts';
import { totalsOfParts } from '../orders/order-placing.ts';
import { countOfUnits } from '../orders/order-stock.ts';

/** A line of an invoice: as output shows it, or as the client sent it. */
export type Line = Record<string, Value> & { readonly item_id: number };

/** A surcharge of an invoice. */
type InvoicedSurcharge = Readonly<Record<string, Value>>;

/** The part of a surcharge that belongs to an item. */
export interface Share {
  readonly item_id: number;
  /** Position of the surcharge in the invoice. */
  readonly surcharge: number;
  readonly value: number;
}

/** What an invoice or credit note contains. */
export interface InvoiceContent {
  readonly lines: readonly Line[];
  readonly surcharges: readonly InvoicedSurcharge[];
  readonly shares: readonly Share[];
  readonly sub_total: number;
  readonly total: number;
  readonly currency: string;
}

/** What is credited. */
interface Credited {
  readonly invoice: InvoiceContent;
  /** The earlier credit notes of the invoice. */
  readonly earlier: readonly InvoiceContent[];
  /** What messages call the invoice. */
  readonly name: 'invoice' | 'order';
}

type Credit = Pick<InvoiceContent, 'lines' | 'surcharges'>;

/** Credits a whole invoice with its surcharges. */
export function creditAll({ lines, surcharges }: InvoiceContent): Credit {
  return { lines, surcharges };
}

/** Computes the totals of a credit note. Adds a violation if all credit notes together would exceed the invoice. */
export function totalsOfCredit(
  { lines, surcharges }: Credit,
  { invoice, earlier, name }: Credited,
  violations: Violations,
): Pick<InvoiceContent, 'sub_total' | 'total'> | undefined {
  const totals = totalsOfParts(
    lines.map(({ subtotal }) => unitsOf((subtotal ?? 0) as number)),
    surcharges,
  );
  const before = sum(earlier.map(({ total }) => unitsOf(total)));
  if (isStorable(totals.total) && before + totals.total <= unitsOf(invoice.total))
    return { sub_total: amountOf(totals.sub_total), total: amountOf(totals.total) };
  violations.add(
    'lines',
    'range',
    `This credit note of ${amountOf(totals.total)} is too high: the ${name} total is ${invoice.total}, of which ${amountOf(before)} has been credited. Send fewer units or a lower price.`,
  );
  return undefined;
}

/**
 * Returns what is left of an invoice whose lines cost more than its total, because of a discount without shares. The total is
 * that of the invoice less what has been credited. Without earlier credit notes this credits the whole invoice.
 *
 * @param credit all lines that can still be credited
 */
export function creditRest(
  { lines }: Credit,
  { invoice, earlier }: Pick<Credited, 'invoice' | 'earlier'>,
): Omit<InvoiceContent, 'shares' | 'currency'> {
  const total = amountOf(unitsOf(invoice.total) - sum(earlier.map((note) => unitsOf(note.total))));
  if (total <= 0) return { lines: [], surcharges: [], sub_total: 0, total: 0 };
  const subTotal = amountOf(sum(lines.map(({ subtotal }) => unitsOf(subtotal as number))));
  return { lines, surcharges: invoice.surcharges, sub_total: subTotal, total };
}

/** Returns a line for each item of which units can still be credited, with all of these units. */
export function creditableLines({ invoice, earlier }: Pick<Credited, 'invoice' | 'earlier'>): Line[] {
  const credited = creditedBefore(earlier);
  return invoice.lines.flatMap(({ item_id, amount }) => {
    const left = (amount as number) - (credited.get(item_id) ?? NOTHING_CREDITED).amount;
    return left > 0 ? [{ item_id, amount: left }] : [];
  });
}

/**
 * Credits units of an invoice with their parts of discounts and taxes. Adds violations for lines that it cannot credit.
 *
 * @param sent lines with `item_id`, `amount` and possibly `price`
 */
export function creditLines(
  sent: readonly Line[],
  { invoice, earlier: notes, name }: Credited,
  violations: Violations,
): Credit {
  const invoiced = new Map(invoice.lines.map((line) => [line.item_id, line]));
  const credited = creditedBefore(notes);
  if (sent.length === 0) violations.add('lines', 'too_short', 'A credit note needs at least one line.');
  const creditedShares = new Map<number, number>();
  const lines = sent.map((line, index) => {
    const path = `lines[${index}]`;
    const original = invoiced.get(line.item_id);
    if (!original) {
      violations.add(`${path}.item_id`, 'unknown_link', `The ${name} has no line for item ${line.item_id}.`);
      return line;
    }
    const earlier = credited.get(line.item_id) ?? NOTHING_CREDITED;
    const copy = creditedLine(line, original, earlier, { currency: invoice.currency, name, path, violations });
    for (const [position, value] of creditShares(invoice, original, earlier, copy))
      creditedShares.set(position, amountOf(unitsOf(creditedShares.get(position) ?? 0) + unitsOf(value)));
    count(copy, credited);
    rejectOtherValues(line, copy, path, violations);
    return copy;
  });
  const surcharges = invoice.surcharges.flatMap((surcharge, position) => {
    const value = creditedShares.get(position) ?? 0;
    return value === 0 ? [] : [{ ...surcharge, value }];
  });
  return { lines, surcharges };
}

/** What earlier lines have credited of one item. */
interface CreditedItem {
  readonly amount: number;
  /** Ten-thousandths. */
  readonly value: bigint;
}

function creditedBefore(notes: readonly InvoiceContent[]): Map<Value, CreditedItem> {
  const credited = new Map<Value, CreditedItem>();
  for (const note of notes) for (const line of note.lines) count(line, credited);
  return credited;
}

/** Adds what a line credits. */
function count({ item_id, amount, subtotal }: Line, credited: Map<Value, CreditedItem>): void {
  const earlier = credited.get(item_id) ?? NOTHING_CREDITED;
  credited.set(item_id, {
    amount: earlier.amount + (amount as number),
    value: earlier.value + unitsOf(subtotal as number),
  });
}

/** Computes the parts of a line's shares that a line of a credit note takes back, by surcharge (pricing.md §5). */
function creditShares(
  { shares, currency }: InvoiceContent,
  original: Line,
  earlier: CreditedItem,
  now: Line,
): readonly (readonly [position: number, value: number])[] {
  const isFree = original.subtotal === 0;
  const line = isFree
    ? { whole: original.amount as number, before: earlier.amount, now: now.amount as number }
    : { whole: original.subtotal as number, before: amountOf(earlier.value), now: now.subtotal as number };
  return shares
    .filter(({ item_id }) => item_id === original.item_id)
    .map(({ surcharge, value }) => {
      const part = creditedPart(Math.abs(value), line, currency);
      return [surcharge, value < 0 ? -part : part];
    });
}

const NOTHING_CREDITED: CreditedItem = { amount: 0, value: 0n };

/** Checks a line of a credit note against the invoice's line and completes it. */
function creditedLine(
  line: Line,
  original: Line,
  earlier: CreditedItem,
  {
    currency,
    name,
    path,
    violations,
  }: {
    readonly currency: string;
    readonly name: Credited['name'];
    readonly path: string;
    readonly violations: Violations;
  },
): Line {
  const left = (original.amount as number) - earlier.amount;
  const invoicedValue = unitsOf(original.subtotal as number);
  const valueLeft = earlier.value < invoicedValue ? invoicedValue - earlier.value : 0n;
  const price = (line.price ?? original.price) as number;
  if ((line.amount as number) > left)
    violations.add(
      `${path}.amount`,
      'range',
      `The ${name} has ${countOfUnits(original.amount!)} of item ${line.item_id}. Only ${left} can still be credited.`,
    );
  if (price > (original.price as number))
    violations.add(`${path}.price`, 'range', `The price must be at most ${original.price}, the price on the ${name}.`);
  const whole = rounded(unitsOf(price) * BigInt(line.amount as number), decimalsOf(currency));
  const isTooMuch = whole > valueLeft;
  if (isTooMuch && line.price !== undefined && line.price !== null)
    violations.add(
      `${path}.price`,
      'range',
      `The subtotal of this ${name} line is ${original.subtotal}. Only ${amountOf(valueLeft)} can still be credited. Omit the price or send a lower one.`,
    );
  // Without a price the rest is credited: the invoice line may be less than price × amount (discount, rounding).
  const value = isTooMuch ? valueLeft : whole;
  return { ...original, amount: line.amount!, price, subtotal: isStorable(value) ? amountOf(value) : 0 };
}

function rejectOtherValues(line: Line, copy: Line, path: string, violations: Violations): void {
  for (const name of ['name', 'sku', 'options', 'subtotal'] as const)
    if (line[name] !== undefined && JSON.stringify(line[name]) !== JSON.stringify(copy[name]))
      violations.add(`${path}.${name}`, 'read_only', 'This value is set by the store. Omit it.');
}
