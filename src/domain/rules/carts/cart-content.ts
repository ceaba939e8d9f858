/** What a cart contains, and what its calculation returns (storefront.md §5). */
import type { Languages, Value } from '../../../engine/vocabulary.ts';
import type { PostalAddress } from '../../../pricing/index.ts';
import type { ShippingOption } from '../pricing/shipping-costs.ts';

/**
 * A choice of the shopper: a value or a text. A line stores its choices sorted by attribute, without values that the
 * variant determines and unchanged texts of the product. Lines with the same choices therefore have equal options.
 */
export type CartOption = {
  readonly attribute_id: number;
  readonly value_id?: number;
  readonly text?: string;
};

/** A line of a new cart or of a request, after its form was checked. It has a product, a variant or an SKU. */
export interface SentLine {
  readonly product_id?: number | null;
  readonly variant?: number | null;
  readonly sku?: string | null;
  readonly amount: number;
  readonly options?: readonly Readonly<Partial<Record<string, Value>>>[];
}

/** A line without its id in the cart. */
export interface ResolvedLine {
  readonly product_id: number;
  readonly variant: number | null;
  readonly options: readonly CartOption[];
  readonly amount: number;
}

/** A line as the cart stores it. */
export interface CartLine extends ResolvedLine {
  readonly id: number;
}

export interface CartContent {
  readonly lines: readonly CartLine[];
  /** Id of the profile; null for a guest. */
  readonly customer: number | null;
  /** '' or null: not known. */
  readonly email: string | null;
  readonly billing_address: PostalAddress | null;
  readonly shipping_address: PostalAddress | null;
  /** Codes, as `resolveCoupons` returns them. */
  readonly coupons: readonly string[];
  readonly shipping: { readonly method_id: number } | null;
}

export interface CartContext extends Languages {
  /** ISO 4217 code of the store. */
  readonly currency: string;
  /** Seconds since 1970. */
  readonly now: number;
  /** CART_LINE_AMOUNT_MAX. */
  readonly lineAmountMax: number;
}

/** What lines are resolved for. */
export interface LineContext extends Languages {
  readonly currency: string;
  /** Id of the profile; null for a guest. */
  readonly customer: number | null;
  /** Path of a line in the body: `lines[0]`, `[0]`, or '' if the body is the line. */
  readonly pathOf: (index: number) => string;
}

export interface CalculatedLine {
  readonly id: number;
  readonly product_id: number;
  readonly variant: number | null;
  /** Null if the product or the variant was deleted. */
  readonly sku: string | null;
  readonly name: string | null;
  readonly options: readonly CalculatedOption[];
  readonly amount: number;
  /** Null if the line does not count. */
  readonly price: number | null;
  /** 0 if the line does not count. */
  readonly discounted_subtotal: number;
  /** Units that can be ordered, at most `lineAmountMax`. 0 if the product is not available. */
  readonly available: number;
}

/** An option as customers see it in an order. */
export interface CalculatedOption {
  readonly attribute_id: number;
  readonly name: string;
  readonly value_id: number | null;
  readonly value: string;
  readonly price_effect: number;
}

/** A surcharge as customers see it in an order. */
export interface CartSurcharge {
  readonly type: string;
  readonly code: string;
  readonly name: string;
  readonly value: number;
  readonly include: boolean;
}

type ProblemCode =
  | 'empty'
  | 'unavailable'
  | 'option-invalid'
  | 'variant-required'
  | 'insufficient-stock'
  | 'coupon-invalid'
  | 'shipping-unavailable';

export interface CartProblem {
  /** `lines`, `lines[0]`, `lines[0].variant`, `lines[0].options`, `lines[0].amount`, `coupons[0]` or `shipping`. */
  readonly path: string;
  readonly code: ProblemCode;
  readonly message: string;
  /** `{available}`, `{reason}` or `{attribute_id}`; null for the other codes, and if the options make the price negative. */
  readonly data: Readonly<Record<string, number | string>> | null;
}

export interface CalculatedCart {
  readonly lines: readonly CalculatedLine[];
  readonly surcharges: readonly CartSurcharge[];
  /** All codes of the cart, also those with a problem. */
  readonly coupons: readonly string[];
  /** Can exceed DECIMAL_MAX, the largest storable amount. An order of such a cart would be a 422. */
  readonly sub_total: number;
  readonly total: number;
  /** Whether the address and the shipping method are known, or not needed. */
  readonly is_final: boolean;
  readonly problems: readonly CartProblem[];
}

/** Methods that the shopper can choose, by position. Empty for a cart without a line that counts. */
export type CartShippingOptions = readonly ShippingOption[];
