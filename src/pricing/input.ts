/**
 * Input of the calculation (pricing.md §4). It has plain values only, so that it can be stored as JSON, except a function for
 * shipping. Names are those of the contract.
 *
 * - Prices, values, percentages and weights are numbers with at most 4 decimals. A percentage of 8.25 % is 8.25.
 * - Times are Unix times in seconds and may have decimals. Null is an open end.
 * - All amounts are in the store's currency, `rules.currency`.
 * - Lists may have any order. The calculation sorts by id where the contract says so.
 * - The caller has validated the input by the tables of the contract. In particular, an `amount` is an integer, and ids are
 *   unique in their list. A `$` value of a discount and the value of a charge have at most the decimals of the currency. While
 *   prices include taxes, no rate has the type `$`.
 */

import type { Rounding } from './arithmetic.ts';
import type { MatchedZone } from './zones.ts';

/** The arguments of `calculate` (pricing.md §4). */
export interface Input {
  /** At least one line. */
  readonly lines: readonly Line[];
  readonly buyer: Buyer;
  /** The zones that match the buyer's address, or a missing address (pricing.md §4): the result of `matchedZones`. */
  readonly address: readonly MatchedZone[];
  /** The time at which rules must be active. */
  readonly time: number;
  /** The coupons that the buyer gives, each at most once. Coupons that do not apply have no effect. */
  readonly coupons: readonly Coupon[];
  /** Charges, or a pure function that returns them. */
  readonly shipping: readonly Charge[] | ((basis: ShippingBasis) => readonly Charge[]);
  readonly rules: Rules;
  /** Whether the result has an explanation. The default is false. */
  readonly explain?: boolean;
}

/** A line of an order, with the facts of its product (pricing.md §4). */
export interface Line {
  readonly product: ProductFacts;
  /** Null if the line has no variant. */
  readonly variant: VariantFacts | null;
  /** Number of units; 0 only for a line whose units an edit has canceled (orders.md §13). */
  readonly amount: number;
  /** A `price` in the body, at least 0. It replaces steps 1 to 4. Null: the calculation finds the price. */
  readonly price: number | null;
  /** Weight of one unit, options included (orders.md §9). */
  readonly weight: number;
  /** Modifiers of the chosen options, without those that determine the variant (orders.md §9). */
  readonly options: readonly PriceModifier[];
  /**
   * Only of a line that an edit has added (pricing.md §5): ids of the coupons whose `products` contained the product at that
   * time. It replaces `products` of the coupons, which has the time of the order.
   */
  readonly listed_by?: readonly number[];
}

/** The effect of an option on the price: an amount, or a percentage of the base price (orders.md §9). Can be negative. */
export interface PriceModifier {
  readonly price_modifier: number;
  readonly price_modifier_type: 'percent' | 'absolute';
}

/** The fields of a product that determine prices (catalog.md §1). */
export interface ProductFacts {
  readonly id: number;
  readonly price: number;
  /** Enables the own sale of the product and of its variants. */
  readonly participate_sale: boolean;
  readonly discount_type: 'sale_price' | 'sale_percent';
  readonly sale_price_value: number;
  readonly apply_sale_to_wholesale: boolean;
  readonly taxable: boolean;
  readonly free_shipping: boolean;
  readonly tax_class: number | null;
  readonly product_class: number | null;
  /** Ids of the memberships that may buy the product. `[]`: everyone. */
  readonly memberships: readonly number[];
  /** Ids of the product's categories and of all categories above them. */
  readonly categories: readonly number[];
  /** The product's own rows, not those of its variants. */
  readonly wholesale_prices: readonly WholesalePrice[];
}

/** The fields of a variant that determine prices (catalog.md §12; pricing.md §2). */
export interface VariantFacts {
  readonly id: number;
  /** Whether the price is the product's. */
  readonly default_price: boolean;
  /** The own price. Unused if `default_price` is true. */
  readonly price: number;
  /** Whether `sale_discount_type` and `sale_price_value` are the product's. */
  readonly default_sale_price: boolean;
  readonly sale_discount_type: 'sale_price' | 'sale_percent';
  readonly sale_price_value: number;
  readonly wholesale_prices: readonly WholesalePrice[];
}

/** A wholesale row (pricing.md §1). */
export interface WholesalePrice {
  readonly id: number;
  readonly type: 'price' | 'percent';
  /** A unit price, or a percentage off. */
  readonly price: number;
  readonly quantity_range_begin: number;
  /** Null: every buyer. */
  readonly membership: number | null;
}

/** The buyer (pricing.md §4; profiles.md §1). */
export interface Buyer {
  /** The id of the buyer's membership. Null for none, and for a disabled membership. */
  readonly membership: number | null;
  readonly tax_exempt: boolean;
  /** `""` for none. */
  readonly vat_id: string;
}

/** A range of time: `date_range_begin` ≤ time < `date_range_end`. */
export interface DateRange {
  readonly date_range_begin: number | null;
  readonly date_range_end: number | null;
}

/** Restrictions to products (pricing.md §2). `[]` is no restriction, except `products` with `specific_products`. */
export interface ProductRestrictions {
  readonly specific_products: boolean;
  readonly products: readonly number[];
  readonly product_classes: readonly number[];
  readonly categories: readonly number[];
}

/** A sale discount (pricing.md §2). `value` is a percentage. */
export interface SaleDiscount extends DateRange, ProductRestrictions {
  readonly id: number;
  readonly enabled: boolean;
  readonly value: number;
  readonly memberships: readonly number[];
  readonly apply_to_wholesale: boolean;
}

/** A volume discount (pricing.md §2). */
export interface VolumeDiscount extends DateRange {
  readonly id: number;
  readonly type: '%' | '$';
  readonly value: number;
  readonly subtotal_range_begin: number;
  /** Null: every buyer. */
  readonly membership: number | null;
  readonly zones: readonly number[];
}

/** A coupon with its uses so far (pricing.md §2). */
export interface Coupon extends DateRange, ProductRestrictions {
  readonly id: number;
  readonly code: string;
  readonly enabled: boolean;
  /** `S` is free shipping. */
  readonly type: '%' | '$' | 'S';
  readonly value: number;
  readonly memberships: readonly number[];
  readonly zones: readonly number[];
  readonly total_range_begin: number;
  /** 0: no end. */
  readonly total_range_end: number;
  /** 0: no limit. */
  readonly uses_limit: number;
  readonly uses_limit_per_user: number;
  readonly single_use: boolean;
  readonly uses: number;
  /** Uses by this buyer. Null if the buyer has neither a `customer_id` nor an e-mail: the limit is then not checked. */
  readonly uses_by_user: number | null;
}

/** A charge for shipping or handling (pricing.md §4). */
export interface Charge {
  readonly type: string;
  readonly code: string;
  readonly name: string;
  readonly tax_class: number | null;
  /** At least 0. */
  readonly value: number;
}

/** What charges may depend on (pricing.md §4, step 8): the lines without `free_shipping`. */
export interface ShippingBasis {
  /** Number of units. */
  readonly items: number;
  readonly weight: number;
  /** Sum of the line subtotals. */
  readonly total: number;
  /** Sum of the line subtotals, less their discounts. */
  readonly discounted_total: number;
  /** Whether a coupon of the type `S` applies. */
  readonly free_by_coupon: boolean;
}

/** A tax rate (pricing.md §3). */
export interface TaxRate extends DateRange {
  readonly id: number;
  /** The code of the tax. A line pays one rate per code. */
  readonly tax: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly position: number;
  readonly zone: number | null;
  readonly tax_class: number | null;
  readonly membership: number | null;
  /** `$` is an amount per unit of a line, or per charge. */
  readonly type: '%' | '$';
  readonly value: number;
  readonly base: 'subtotal' | 'discounted_subtotal' | 'shipping';
}

/** The store's tax settings (pricing.md §3), without those that `addressForTaxes` and `matchedZones` use. */
export interface TaxSettings {
  readonly prices_include_tax: boolean;
  readonly outside_zone: 'net' | 'gross';
  readonly shipping: 'rates' | 'proportional';
  readonly rounding: Rounding;
  readonly rounding_target: 'unit' | 'line' | 'total';
  readonly vat_id_exempt_zone: number | null;
}

/** Discounts, rates and settings (pricing.md §4). */
export interface Rules {
  /** ISO 4217 code of the store's currency. */
  readonly currency: string;
  readonly sale_discounts: readonly SaleDiscount[];
  readonly volume_discounts: readonly VolumeDiscount[];
  readonly tax_rates: readonly TaxRate[];
  readonly tax_settings: TaxSettings;
  /** The zones that match a missing address. They determine the taxes that included prices contain (pricing.md §4). */
  readonly missing_address: readonly MatchedZone[];
}
