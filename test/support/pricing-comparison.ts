/** Compares `calculate` with the oracle, and checks what must hold for every result (pricing.md §8, item 1). */
import { isDeepStrictEqual } from 'node:util';
import fc, { type Arbitrary } from 'fast-check';
import { evaluate, type Input, type Rejection, type Result } from '../../src/pricing/index.ts';
import { cart } from './pricing-carts.ts';
import { type Allocation, type OracleAnswer, oracle, type Winner } from './pricing-oracle.ts';
import { Rational } from './rational.ts';

export interface Comparison {
  /** The first difference, or null. */
  readonly difference: string | null;
  /** Whether a unit price is below 0. Such an order is rejected, so only the rejections of its lines are compared. */
  readonly isNegative: boolean;
  readonly answer: OracleAnswer;
  readonly result: Result;
}

/** A random input, one in five with ranges that begin or end exactly at its subtotal. */
export function comparedCart(): Arbitrary<Input> {
  return fc.oneof({ weight: 4, arbitrary: cart() }, { weight: 1, arbitrary: cart().map(atBounds) });
}

function atBounds(input: Input): Input {
  const subtotal = oracle(input).result.totals.sub_total;
  // An end of 0 would be none, and ranges have no negative bounds.
  if (subtotal <= 0) return input;
  const { coupons, rules } = input;
  return {
    ...input,
    coupons: coupons.map((coupon, index) => ({
      ...coupon,
      total_range_begin: index % 2 === 0 ? 0 : subtotal,
      total_range_end: index % 2 === 0 ? subtotal : 0,
    })),
    rules: {
      ...rules,
      volume_discounts: rules.volume_discounts.map((one) => ({ ...one, subtotal_range_begin: subtotal })),
    },
  };
}

/** @param input `explain` adds the comparison of the candidates and of the rules that won */
export function compared(input: Input): Comparison {
  const answer = oracle(input);
  const { result, rejections } = evaluate(input);
  const isNegative = answer.rejections.some(({ reason }) => reason === 'negative_price');
  const shown = (all: readonly Rejection[]): Rejection[] =>
    all
      .filter(({ path }) => !isNegative || path.startsWith('items'))
      .sort((one, other) => (one.path < other.path ? -1 : 1));
  const difference =
    differenceAt('rejections', shown(rejections), shown(answer.rejections)) ??
    (isNegative ? null : differenceOfResults(input, result, answer));
  return { difference, isNegative, answer, result };
}

function differenceOfResults(input: Input, result: Result, answer: OracleAnswer): string | null {
  const { explanation, ...rest } = result;
  return (
    differenceAt('result', rest, answer.result) ??
    (input.explain ? differenceOfExplanations(result, answer) : null) ??
    violationOf(input, result, answer.allocations)
  );
}

function differenceOfExplanations(result: Result, answer: OracleAnswer): string | null {
  return (
    differenceAt('winners', winnersOf(result), sorted(answer.winners)) ??
    differenceAt('candidates', candidatesOf(result), answer.candidates)
  );
}

/** The candidates whose prices were compared. Rules that do not apply have other reasons. */
function candidatesOf({ explanation }: Result): OracleAnswer['candidates'] {
  return explanation!
    .filter(({ scope, kind }) => scope.startsWith('items') && kind !== 'tax_rate')
    .filter(({ reason }) => reason === 'won' || reason === 'tie' || reason === 'higher_price')
    .map(({ scope, kind, id, value, reason }) => ({ scope, kind, id, value, reason }));
}

function winnersOf({ explanation }: Result): Winner[] {
  const won = explanation!.filter((entry) => entry.won);
  return sorted(won.map(({ scope, kind, id, value }) => ({ scope, kind, id, value })));
}

function sorted(winners: readonly Winner[]): Winner[] {
  const key = ({ scope, kind, id }: Winner): string => `${scope} ${kind} ${id}`;
  return [...winners].sort((one, other) => (key(one) < key(other) ? -1 : 1));
}

/** Returns the path of the first difference, with both values. */
function differenceAt(path: string, actual: unknown, expected: unknown): string | null {
  if (isDeepStrictEqual(actual, expected)) return null;
  if (isObject(actual) && isObject(expected)) {
    for (const key of new Set([...Object.keys(actual), ...Object.keys(expected)])) {
      const difference = differenceAt(`${path}.${key}`, actual[key], expected[key]);
      if (difference !== null) return difference;
    }
  }
  return `${path}: calculate has ${JSON.stringify(actual)}, the oracle ${JSON.stringify(expected)}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Returns an invariant that the result violates, or null. */
function violationOf(input: Input, result: Result, allocations: readonly Allocation[]): string | null {
  const { totals, discounts, taxes } = result;
  const shares = [
    ...discounts.map(({ value, shares }, index) => ({ name: `discounts.${index}`, value, parts: shares })),
    ...taxes.map(({ value, ...tax }, index) => ({
      ...{ name: `taxes.${index}`, value, parts: [...tax.shares, ...tax.charge_shares] },
    })),
  ];
  for (const { name, value, parts } of shares)
    if (!isSum(value, parts)) return `The shares of ${name} do not sum to ${value}.`;
  for (const allocation of allocations) {
    const violation = violationOfAllocation(input, result, allocation);
    if (violation !== null) return violation;
  }
  const off = discounts.map(({ value }) => -value);
  const isValid =
    isSum(
      totals.sub_total,
      result.lines.map(({ subtotal }) => subtotal),
    ) &&
    isSum(-totals.discounts, off) &&
    isSum(
      totals.charges,
      result.charges.map(({ value }) => value),
    ) &&
    isSum(
      totals.added_taxes,
      taxes.flatMap(({ include, value }) => (include ? [] : [value])),
    ) &&
    isSum(
      totals.included_taxes,
      taxes.flatMap(({ include, value }) => (include ? [value] : [])),
    ) &&
    isSum(totals.total, [totals.sub_total, -totals.discounts, totals.charges, totals.added_taxes]) &&
    totals.total >= 0;
  return isValid ? null : `The totals are not the sums of their parts: ${JSON.stringify(totals)}`;
}

/** A share must differ from D·wᵢ/Σw by less than a minor unit. */
function violationOfAllocation({ lines, rules }: Input, result: Result, allocation: Allocation): string | null {
  const { of, index, weights, unit } = allocation;
  const { value } = result[of][index]!;
  const shares =
    of === 'taxes'
      ? [...result.taxes[index]!.shares, ...result.taxes[index]!.charge_shares]
      : result.discounts[index]!.shares;
  const sum = Rational.sum(weights);
  if (sum.isZero) return null;
  // A charge that is taxed in proportion has several allocated parts, so only the lines have one each.
  const count = rules.tax_settings.shipping === 'proportional' ? lines.length : weights.length;
  for (let part = 0; part < count; part += 1) {
    const exact = Rational.of(value).times(weights[part]!).over(sum);
    const difference = exact.minus(Rational.of(shares[part]!));
    if (difference.compare(unit) >= 0 || difference.plus(unit).compare(Rational.zero) <= 0)
      return `Share ${part} of ${of}.${index} is ${shares[part]}, not ${exact}.`;
  }
  return null;
}

function isSum(sum: number, parts: readonly number[]): boolean {
  return Rational.sum(parts.map((part) => Rational.of(part))).compare(Rational.of(sum)) === 0;
}
