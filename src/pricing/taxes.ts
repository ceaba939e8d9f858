/** Step 9: taxes of lines and charges (pricing.md §4). Amounts are in minor units. */

import {
  allocate,
  type Currency,
  type Fraction,
  minorUnitsOf,
  rounded,
  toCommonDenominator,
  WHOLE,
} from './arithmetic.ts';
import { smaller } from './discounts.ts';
import type { Charge, Line, TaxRate, TaxSettings } from './input.ts';
import { sum, unitsOf } from './money.ts';
import type { LineAmounts } from './shipping.ts';
import type { SelectedRates } from './tax-rates.ts';

/** What is taxed: a line, a charge, or the share of a charge that belongs to a line. */
interface TaxedPart {
  /** The line or charge that the tax belongs to. */
  readonly owner: { readonly kind: 'line' | 'charge'; readonly index: number };
  readonly subtotal: bigint;
  /** What the discounts leave. */
  readonly rest: bigint;
  /** Number of units; 1 for a charge or a share. */
  readonly amount: bigint;
  /** By id. */
  readonly rates: readonly TaxRate[];
  /** The sum of the rates in percent. */
  readonly totalRate: bigint;
}

/** A rate that applies to at least one part. */
export interface AppliedTax {
  readonly rate: TaxRate;
  readonly amount: bigint;
  readonly shares: readonly bigint[];
  readonly chargeShares: readonly bigint[];
}

/** What is to be taxed, and by which rates. */
interface Taxation {
  readonly lines: readonly Line[];
  readonly amounts: LineAmounts;
  readonly charges: readonly Charge[];
  readonly ratesOfLine: (line: Line) => SelectedRates;
  readonly ratesOfCharge: (charge: Charge) => SelectedRates;
  readonly settings: TaxSettings;
  readonly currency: Currency;
}

/** Computes the tax of every rate that applies, by id. */
export function taxesOf(taxation: Taxation): AppliedTax[] {
  const byRate = new Map<TaxRate, TaxedPart[]>();
  for (const part of taxedPartsOf(taxation))
    for (const rate of part.rates) {
      const parts = byRate.get(rate);
      if (parts) parts.push(part);
      else byRate.set(rate, [part]);
    }
  return [...byRate].sort(([one], [other]) => one.id - other.id).map(([rate, parts]) => taxOf(rate, parts, taxation));
}

/** Lists the lines that have units, then the charges, or with `proportional` their shares. */
function taxedPartsOf(taxation: Taxation): TaxedPart[] {
  const { lines, amounts, charges, settings, ratesOfLine } = taxation;
  const lineParts = lines.map((line, index): TaxedPart => {
    const { all, total } = ratesOfLine(line);
    return {
      owner: { kind: 'line', index },
      subtotal: amounts.subtotals[index]!,
      rest: amounts.rests[index]!,
      amount: BigInt(line.amount),
      rates: all,
      totalRate: total,
    };
  });
  const chargeParts =
    settings.shipping === 'proportional'
      ? charges.flatMap((charge, index) => sharesOfCharge(charge, index, taxation))
      : charges.map((charge, index) => wholeCharge(charge, index, taxation));
  return [...lineParts.filter(({ amount }) => amount > 0n), ...chargeParts];
}

function wholeCharge(charge: Charge, index: number, { ratesOfCharge, currency }: Taxation): TaxedPart {
  const { all, total } = ratesOfCharge(charge);
  const value = minorUnitsOf(charge.value, currency);
  return {
    owner: { kind: 'charge', index },
    subtotal: value,
    rest: value,
    amount: 1n,
    rates: all,
    totalRate: total,
  };
}

/**
 * Divides a charge among the lines in proportion to what discounts leave of them. Each share has its line's `%` rates. A line
 * without units has no share, unless there are only such lines.
 */
function sharesOfCharge(
  charge: Charge,
  index: number,
  { lines, ratesOfLine, amounts, currency }: Taxation,
): TaxedPart[] {
  const lineNumbers = lines.map((_line, number) => number);
  const withUnits = lineNumbers.filter((number) => lines[number]!.amount > 0);
  const sharing = withUnits.length > 0 ? withUnits : lineNumbers;
  const shares = allocate(
    minorUnitsOf(charge.value, currency),
    sharing.map((number) => amounts.rests[number]!),
  );
  return shares.map((share, part) => {
    const { percentages, total } = ratesOfLine(lines[sharing[part]!]!);
    const owner = { kind: 'charge', index } as const;
    return { owner, subtotal: share, rest: share, amount: 1n, rates: percentages, totalRate: total };
  });
}

function taxOf(rate: TaxRate, parts: readonly TaxedPart[], taxation: Taxation): AppliedTax {
  const taxes = roundedTaxes(rate, parts, taxation);
  const shares = taxation.lines.map(() => 0n);
  const chargeShares = taxation.charges.map(() => 0n);
  for (const [index, { owner }] of parts.entries())
    (owner.kind === 'line' ? shares : chargeShares)[owner.index]! += taxes[index]!;
  return { rate, amount: sum(taxes), shares, chargeShares };
}

/**
 * Rounds the tax of each part, by `rounding_target`. An included tax is at most its base after rounding; with the target `total`
 * this holds for the tax as a whole, and needs no check: it is below its base, which is whole minor units.
 */
function roundedTaxes(rate: TaxRate, parts: readonly TaxedPart[], { settings, currency }: Taxation): bigint[] {
  const { rounding, rounding_target, prices_include_tax } = settings;
  const value = unitsOf(rate.value);
  const exact = parts.map((part) => exactTaxOf(rate, value, part, prices_include_tax, currency));
  if (rounding_target === 'total') {
    const { numerators, denominator } = toCommonDenominator(exact);
    return allocate(rounded({ numerator: sum(numerators), denominator }, rounding), numerators);
  }
  return parts.map((part, index) => {
    const perUnits = rounding_target === 'unit' ? part.amount : 1n;
    const { numerator, denominator } = exact[index]!;
    const tax = rounded({ numerator, denominator: denominator * perUnits }, rounding) * perUnits;
    return prices_include_tax ? smaller(tax, part.rest) : tax;
  });
}

/**
 * Added: base × rate, or `$` × amount. Included: base × rate ÷ (1 + sum of the part's rates).
 *
 * @param value the rate's, in ten-thousandths
 */
function exactTaxOf(rate: TaxRate, value: bigint, part: TaxedPart, isIncluded: boolean, { step }: Currency): Fraction {
  if (rate.type === '$') return { numerator: value * part.amount, denominator: step };
  if (isIncluded) return { numerator: part.rest * value, denominator: WHOLE + part.totalRate };
  return { numerator: (rate.base === 'subtotal' ? part.subtotal : part.rest) * value, denominator: WHOLE };
}
