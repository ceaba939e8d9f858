/** The surcharges of a calculated order or cart: its discounts, charges and taxes (pricing.md §5). */
import type { Value } from '../../../engine/vocabulary.ts';
import type { DiscountResult, Input, Result, TaxResult } from '../../../pricing/index.ts';

type Surcharge = Record<string, Value>;

/** Sort order of the surcharges of a calculated order. */
const WEIGHTS = { volume_discount: 10, coupon: 20, shipping: 30, handling: 40, tax: 50 } as const;

/** The types of charges that a client can send. */
export const CHARGES = ['shipping', 'handling'] as const;

/** The sort order of a charge. */
export function chargeWeight(type: Value): number {
  return WEIGHTS[type as (typeof CHARGES)[number]];
}

/** For each item, its shares of surcharges: the index of a surcharge of the order, and the item's part of the value. */
export type Shares = readonly (readonly { readonly surcharge: number; readonly value: number }[])[];

/** Returns the surcharges of a calculated order with their values, and the shares of each item. */
export function surchargesOfResult(
  sent: readonly Readonly<Surcharge>[],
  input: Input,
  result: Result,
): { readonly surcharges: readonly Surcharge[]; readonly shares: Shares } {
  const charges = sent
    .map((charge) => ({ ...charge, weight: chargeWeight(charge.type!) }))
    .sort((one, other) => one.weight - other.weight);
  const discounts = result.discounts.map((discount) => discountSurcharge(discount, input));
  const taxes = result.taxes.map((tax) => taxSurcharge(tax, input));
  const firstTax = discounts.length + charges.length;
  return {
    // In the order of output, so that a client can send them back to an edit.
    surcharges: [...discounts, ...charges, ...taxes],
    shares: result.lines.map((_, line) => [
      ...sharesOf(result.discounts, line, 0).map((share) => ({ ...share, value: -share.value })),
      ...sharesOf(result.taxes, line, firstTax),
    ]),
  };
}

/** The shares of a line that are not 0, each with the position of its surcharge. @param first position of the first part */
function sharesOf(parts: readonly { readonly shares: readonly number[] }[], line: number, first: number) {
  return parts.flatMap(({ shares }, index) => {
    const value = shares[line]!;
    return value === 0 ? [] : [{ surcharge: first + index, value }];
  });
}

function discountSurcharge({ kind, id, code, value }: DiscountResult, { rules, coupons }: Input): Surcharge {
  const rule = (kind === 'coupon' ? coupons : rules.volume_discounts).find((each) => each.id === id)!;
  return {
    type: 'discount',
    code: kind === 'coupon' ? 'COUPON' : 'VOLUME',
    name: kind === 'coupon' ? `Coupon ${code}` : 'Volume discount',
    value: value === 0 ? 0 : -value,
    weight: WEIGHTS[kind],
    source: {
      kind,
      id,
      type: rule.type,
      value: rule.value,
      base: null,
      rounding: null,
      rounding_target: null,
    },
  };
}

function taxSurcharge({ id, code, name, include, value }: TaxResult, { rules }: Input): Surcharge {
  const rate = rules.tax_rates.find((each) => each.id === id)!;
  const { rounding, rounding_target } = rules.tax_settings;
  return {
    type: 'tax',
    code,
    name,
    include,
    value,
    weight: WEIGHTS.tax,
    source: { kind: 'tax_rate', id, type: rate.type, value: rate.value, base: rate.base, rounding, rounding_target },
  };
}
