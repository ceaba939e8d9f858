/** The calculation of an order (pricing.md §4). Pure: it uses no database, clock or environment. */

import { amountOfMinorUnits, type Currency } from './arithmetic.ts';
import type { AppliedDiscount } from './discounts.ts';
import { explain } from './explanation.ts';
import type { Coupon, Input, Line, ShippingBasis, VolumeDiscount } from './input.ts';
import { allowsMembership } from './matching.ts';
import { amountOf, sum, unitsOf } from './money.ts';
import type { DiscountResult, LineResult, Rejection, Result, TaxResult, Totals } from './result.ts';
import { type PricedLine, type Steps, stepsOf } from './steps.ts';
import type { AppliedTax } from './taxes.ts';

/** The result, and why an order with it must be rejected. */
export interface Evaluation {
  readonly result: Result;
  readonly rejections: readonly Rejection[];
  /** What charges may depend on. */
  readonly shippingBasis: ShippingBasis;
}

/** Calculates prices, discounts, charges and taxes (pricing.md §4). Coupons that do not apply have no effect. */
export function calculate(input: Input): Result {
  return resultOf(input, stepsOf(input));
}

/**
 * Calculates as `calculate` does, and finds the reasons for a 422 (pricing.md §§4, 5). A unit price below 0 counts as 0 in the
 * result; such an order is always rejected.
 */
export function evaluate(input: Input): Evaluation {
  const steps = stepsOf(input);
  const { shippingBasis } = steps;
  return { result: resultOf(input, steps), rejections: rejectionsOf(input, steps), shippingBasis };
}

/** Step 10, in the form of the contract. */
function resultOf(input: Input, steps: Steps): Result {
  const { currency } = steps;
  const isIncluded = input.rules.tax_settings.prices_include_tax;
  const discounts: DiscountResult[] = [
    ...(steps.volume ? [discountResult('volume_discount', null, steps.volume, currency)] : []),
    ...steps.coupons.applied.map((applied) => discountResult('coupon', applied.discount.code, applied, currency)),
  ];
  return {
    currency: currency.code,
    lines: steps.lines.map((line, index) => lineResult(input.lines[index]!, line, currency)),
    discounts,
    charges: steps.charges,
    taxes: steps.taxes.map((tax) => taxResult(tax, isIncluded, currency)),
    totals: totalsOf(steps, isIncluded),
    explanation: input.explain === true ? explain(input, steps) : null,
  };
}

function lineResult({ amount }: Line, line: PricedLine, currency: Currency): LineResult {
  return {
    price: amountOf(line.price),
    regular_price: amountOf(line.regularPrice),
    amount,
    subtotal: amountOfMinorUnits(line.subtotal, currency),
    wholesale_price_id: line.winner?.rowId ?? null,
    sale_discount_id: line.winner?.saleId ?? null,
  };
}

function discountResult(
  kind: DiscountResult['kind'],
  code: string | null,
  { discount, amount, shares }: AppliedDiscount<VolumeDiscount | Coupon>,
  currency: Currency,
): DiscountResult {
  return {
    kind,
    id: discount.id,
    code,
    value: amountOfMinorUnits(amount, currency),
    shares: amountsOf(shares, currency),
  };
}

function taxResult(
  { rate, amount, shares, chargeShares }: AppliedTax,
  include: boolean,
  currency: Currency,
): TaxResult {
  return {
    id: rate.id,
    code: rate.tax,
    name: rate.name,
    include,
    value: amountOfMinorUnits(amount, currency),
    shares: amountsOf(shares, currency),
    charge_shares: amountsOf(chargeShares, currency),
  };
}

/** Step 10: `total` = S − discounts + charges + added taxes. */
function totalsOf({ currency, lines, volume, coupons, charges, taxes }: Steps, isIncluded: boolean): Totals {
  const { step } = currency;
  const subTotal = sum(lines.map(({ subtotal }) => subtotal));
  const discounts = (volume?.amount ?? 0n) + sum(coupons.applied.map(({ amount }) => amount));
  const ofCharges = sum(charges.map(({ value }) => unitsOf(value))) / step;
  const ofTaxes = sum(taxes.map(({ amount }) => amount));
  const added = isIncluded ? 0n : ofTaxes;
  return {
    sub_total: amountOfMinorUnits(subTotal, currency),
    discounts: amountOfMinorUnits(discounts, currency),
    charges: amountOfMinorUnits(ofCharges, currency),
    added_taxes: amountOfMinorUnits(added, currency),
    included_taxes: amountOfMinorUnits(isIncluded ? ofTaxes : 0n, currency),
    total: amountOfMinorUnits(subTotal - discounts + ofCharges + added, currency),
  };
}

function amountsOf(shares: readonly bigint[], currency: Currency): number[] {
  return shares.map((share) => amountOfMinorUnits(share, currency));
}

/** Finds lines with a price below 0, products that the buyer may not buy, and coupons that do not apply. */
function rejectionsOf(input: Input, steps: Steps): Rejection[] {
  return [
    ...input.lines.flatMap((line, index) => rejectionsOfLine(line, index, steps.lines[index]!, input)),
    ...input.coupons.flatMap((coupon, index): Rejection[] => {
      const reason = steps.coupons.reasons.get(coupon);
      return reason === undefined ? [] : [{ path: `coupons[${index}]`, code: 'conflict', reason }];
    }),
  ];
}

function rejectionsOfLine(line: Line, index: number, { winner }: PricedLine, { buyer }: Input): Rejection[] {
  return [
    ...(winner && winner.price < 0n
      ? [{ path: `items[${index}].options`, code: 'range', reason: 'negative_price' } as const]
      : []),
    ...(allowsMembership(line.product.memberships, buyer)
      ? []
      : [{ path: `items[${index}]`, code: 'conflict', reason: 'membership' } as const]),
  ];
}
