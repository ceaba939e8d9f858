/** Result of the calculation (pricing.md §4). Amounts have no sign. They are exact up to the largest storable amount. */
import type { Charge } from './input.ts';

export interface Result {
  readonly currency: string;
  /** In the order of the input. */
  readonly lines: readonly LineResult[];
  /** The volume discount, then the coupons that apply by id, also those of 0. */
  readonly discounts: readonly DiscountResult[];
  /** The charges as given, or as the function returned them. */
  readonly charges: readonly Charge[];
  /** By id of the rate. */
  readonly taxes: readonly TaxResult[];
  readonly totals: Totals;
  /** Null without `explain`. */
  readonly explanation: readonly Explanation[] | null;
}

export interface LineResult {
  /** Unit price after step 4. */
  readonly price: number;
  /** The candidate *regular*, converted; `price` if the body has one. */
  readonly regular_price: number;
  readonly amount: number;
  readonly subtotal: number;
  /** The row of the candidate that won, alone or combined with a sale. Null if there is none. */
  readonly wholesale_price_id: number | null;
  /** The sale discount of the candidate that won, alone or combined with a row. Null if there is none. */
  readonly sale_discount_id: number | null;
}

export interface DiscountResult {
  readonly kind: 'volume_discount' | 'coupon';
  readonly id: number;
  /** Null for a volume discount. */
  readonly code: string | null;
  readonly value: number;
  /** One amount per line. */
  readonly shares: readonly number[];
}

/** A tax rate that applies to at least one line or charge, also if the tax is 0. */
export interface TaxResult {
  readonly id: number;
  /** The `tax` of the rate. */
  readonly code: string;
  readonly name: string;
  /** Whether the prices include the tax. */
  readonly include: boolean;
  readonly value: number;
  /** One amount per line. */
  readonly shares: readonly number[];
  /** One amount per charge. */
  readonly charge_shares: readonly number[];
}

export interface Totals {
  readonly sub_total: number;
  readonly discounts: number;
  readonly charges: number;
  readonly added_taxes: number;
  readonly included_taxes: number;
  readonly total: number;
}

/** Why a rule won or lost. The reason is the first that holds, in this order (pricing.md §4). */
export type Reason =
  | 'disabled'
  | 'dates'
  | 'membership'
  | 'zone'
  | 'not_listed'
  | 'quantity'
  | 'subtotal'
  | 'uses'
  | 'own_sale'
  | 'not_combinable'
  | 'not_taxable'
  | 'exempt'
  | 'position'
  | 'higher_price'
  | 'smaller_discount'
  | 'tie'
  | 'won';

/** One rule that was considered (pricing.md §4). */
export interface Explanation {
  /** `items[0]`, `charges[0]`, or `order`. */
  readonly scope: string;
  readonly kind:
    | 'regular'
    | 'own_sale'
    | 'sale_discount'
    | 'wholesale_price'
    | 'combination'
    | 'volume_discount'
    | 'coupon'
    | 'tax_rate';
  /** Null for `regular` and `own_sale`. The id of a combination is its row's. */
  readonly id: number | null;
  /** Unit price before conversion, discount or tax. Null if the rule does not apply. */
  readonly value: number | null;
  readonly won: boolean;
  readonly reason: Reason;
}

/** Why an order with this input must be rejected with 422 (pricing.md §§4, 5). The result is then not valid for an order. */
export interface Rejection {
  /** Path in the body of the order, such as `items[0].options` or `coupons[1]`. */
  readonly path: string;
  readonly code: 'range' | 'conflict';
  /** `negative_price` at `items[i].options`; `membership` at `items[i]`; why the coupon does not apply at `coupons[i]`. */
  readonly reason: Reason | 'negative_price';
}
