/** Why each rule won or lost (pricing.md §4, *Explanation*). Uses the conditions of the steps; it makes no decisions. */

import { amountOfMinorUnits } from './arithmetic.ts';
import { type Candidate, reasonAgainstSale, reasonAgainstSaleOfLine } from './candidates.ts';
import type { Charge, Input, Line, TaxRate } from './input.ts';
import { amountOf, sum } from './money.ts';
import type { Explanation, Reason } from './result.ts';
import type { PricedLine, Steps } from './steps.ts';
import {
  comparePrecedence,
  isFor,
  reasonAgainstRate,
  reasonAgainstTaxClass,
  type TaxedKind,
  type TaxSituation,
} from './tax-rates.ts';
import { reasonAgainstVolumeDiscount, volumeAmountOf } from './volume-discount.ts';
import { compareRows, reasonAgainstRow, type WholesaleRows, wholesaleRowsOf } from './wholesale.ts';

/**
 * Lists the candidates of each line, the volume discounts, the coupons, and the tax rates of each line and charge.
 *
 * A line with a `price` in the body has no candidates. A combination is listed if both its row and its sale are candidates. A
 * rate is listed for lines or for charges, by its base; with `proportional`, charges list the rates of their lines.
 */
export function explain(input: Input, steps: Steps): Explanation[] {
  const wholesale = wholesaleRowsOf(input.lines);
  return [
    ...steps.lines.flatMap((priced, index) =>
      explainPrice(input.lines[index]!, index, priced, input, wholesale[index]!),
    ),
    ...explainVolumeDiscounts(input, steps),
    ...explainCoupons(input, steps),
    ...input.lines.flatMap((line, index) => explainTaxesOfLine(line, index, input, steps)),
    ...steps.charges.flatMap((charge, index) => explainTaxesOfCharge(charge, index, input, steps)),
  ];
}

function lost(scope: string, kind: Explanation['kind'], id: number | null, reason: Reason): Explanation {
  return { scope, kind, id, value: null, won: false, reason };
}

function explainPrice(
  line: Line,
  index: number,
  { candidates, winner }: PricedLine,
  { rules, buyer, time }: Input,
  { rows, quantity }: WholesaleRows,
): Explanation[] {
  if (!winner) return [];
  const scope = `items[${index}]`;
  const explained = Map.groupBy(
    candidates.map((candidate) => explainCandidate(scope, candidate, winner)),
    ({ kind }) => kind,
  );
  const shown = (kind: Explanation['kind']): Explanation[] => explained.get(kind) ?? [];
  const bySale = new Map(shown('sale_discount').map((each) => [each.id, each]));
  const byRow = new Map(shown('wholesale_price').map((each) => [each.id, each]));
  const sales = [...rules.sale_discounts].sort((one, other) => one.id - other.id);
  return [
    ...shown('regular'),
    ...(line.product.participate_sale ? shown('own_sale') : [lost(scope, 'own_sale', null, 'disabled')]),
    ...sales.map((sale) => {
      const reason = reasonAgainstSale(sale, buyer, time) ?? reasonAgainstSaleOfLine(sale, line.product);
      return reason ? lost(scope, 'sale_discount', sale.id, reason) : bySale.get(sale.id)!;
    }),
    ...[...rows].sort(compareRows).map((row) => {
      const reason = reasonAgainstRow(row, quantity, buyer);
      return reason ? lost(scope, 'wholesale_price', row.id, reason) : byRow.get(row.id)!;
    }),
    ...shown('combination'),
  ];
}

function explainCandidate(scope: string, candidate: Candidate, winner: Candidate): Explanation {
  const { kind, rowId, saleId, price } = candidate;
  const shared = { scope, kind, id: kind === 'sale_discount' ? saleId : rowId, value: amountOf(price) };
  if (candidate === winner) return { ...shared, won: true, reason: 'won' };
  return { ...shared, won: false, reason: price > winner.price ? 'higher_price' : 'tie' };
}

function explainVolumeDiscounts(input: Input, { lines, volume, currency }: Steps): Explanation[] {
  const whole = sum(lines.map(({ subtotal }) => subtotal));
  return [...input.rules.volume_discounts]
    .sort((one, other) => one.id - other.id)
    .map((discount): Explanation => {
      const reason = reasonAgainstVolumeDiscount(discount, input, whole, currency);
      if (reason) return lost('order', 'volume_discount', discount.id, reason);
      const amount = volumeAmountOf(discount, whole, currency);
      const won = discount === volume?.discount;
      const isTie = amount === volume?.amount;
      return {
        scope: 'order',
        kind: 'volume_discount',
        id: discount.id,
        value: amountOfMinorUnits(amount, currency),
        won,
        reason: won ? 'won' : isTie ? 'tie' : 'smaller_discount',
      };
    });
}

function explainCoupons(input: Input, { coupons, currency }: Steps): Explanation[] {
  return [...input.coupons]
    .sort((one, other) => one.id - other.id)
    .map((coupon): Explanation => {
      const reason = coupons.reasons.get(coupon);
      if (reason) return lost('order', 'coupon', coupon.id, reason);
      const { amount } = coupons.applied.find(({ discount }) => discount === coupon)!;
      const value = amountOfMinorUnits(amount, currency);
      return { scope: 'order', kind: 'coupon', id: coupon.id, value, won: true, reason: 'won' };
    });
}

function explainTaxesOfLine(line: Line, index: number, input: Input, steps: Steps): Explanation[] {
  const { product } = line;
  const selected = steps.ratesOfLine(line).all;
  return ratesFor('line', input).map((rate): Explanation => {
    const scope = `items[${index}]`;
    if (selected.includes(rate)) return wonTax(scope, rate, 'shares', index, steps);
    return lost(
      scope,
      'tax_rate',
      rate.id,
      reasonAgainstTax(rate, product.tax_class, product.taxable, selected, steps),
    );
  });
}

function explainTaxesOfCharge(charge: Charge, index: number, input: Input, steps: Steps): Explanation[] {
  const scope = `charges[${index}]`;
  if (input.rules.tax_settings.shipping === 'proportional')
    return steps.taxes
      .filter(({ rate }) => rate.type === '%')
      .map(({ rate }) => wonTax(scope, rate, 'chargeShares', index, steps));
  const selected = steps.ratesOfCharge(charge).all;
  return ratesFor('charge', input).map((rate): Explanation => {
    if (selected.includes(rate)) return wonTax(scope, rate, 'chargeShares', index, steps);
    return lost(scope, 'tax_rate', rate.id, reasonAgainstTax(rate, charge.tax_class, true, selected, steps));
  });
}

function ratesFor(kind: TaxedKind, { rules }: Input): TaxRate[] {
  return rules.tax_rates.filter((rate) => isFor(rate, kind)).sort((one, other) => one.id - other.id);
}

function wonTax(
  scope: string,
  rate: TaxRate,
  shares: 'shares' | 'chargeShares',
  index: number,
  { taxes, currency }: Steps,
): Explanation {
  const amount = taxes.find((tax) => tax.rate === rate)?.[shares][index] ?? 0n;
  const value = amountOfMinorUnits(amount, currency);
  return { scope, kind: 'tax_rate', id: rate.id, value, won: true, reason: 'won' };
}

/** A rate that could apply loses to the selected rate of its code: by `position`, or by its id (`tie`). */
function reasonAgainstTax(
  rate: TaxRate,
  taxClass: number | null,
  isTaxable: boolean,
  selected: readonly TaxRate[],
  { situation, isExempt }: { readonly situation: TaxSituation; readonly isExempt: boolean },
): Reason {
  const reason = reasonAgainstRate(rate, situation) ?? reasonAgainstTaxClass(rate, taxClass);
  if (reason) return reason;
  if (!isTaxable) return 'not_taxable';
  if (isExempt) return 'exempt';
  const winner = selected.find(({ tax }) => tax === rate.tax)!;
  return comparePrecedence(winner, rate, situation) === 0 ? 'tie' : 'position';
}
