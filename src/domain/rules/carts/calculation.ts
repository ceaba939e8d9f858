/** Prices and problems of a cart (storefront.md §5). The totals are those of `POST /orders/quote` for the lines that count. */
import type { Reads, Violations } from '../../../engine/vocabulary.ts';
import { USES_OF_CALCULATION } from '../pricing/calculation-facts.ts';
import { USES_OF_SHIPPING } from '../pricing/shipping-costs.ts';
import type {
  CalculatedCart,
  CartContent,
  CartContext,
  CartShippingOptions,
  LineContext,
  ResolvedLine,
  SentLine,
} from './cart-content.ts';

export const USES_OF_CART = { ...USES_OF_CALCULATION, ...USES_OF_SHIPPING } as const;

type CartReads = Reads<typeof USES_OF_CART>;

/** Calculates a cart. The number of SQL statements does not depend on the number of lines. */
export async function calculateCart(
  _reads: CartReads,
  _content: CartContent,
  _context: CartContext,
): Promise<CalculatedCart> {
  throw new Error('not implemented yet');
}

/** Returns the shipping methods that the shopper can choose, with their costs (shipping.md §4). */
export async function cartShippingOptions(
  _reads: CartReads,
  _content: CartContent,
  _context: CartContext,
): Promise<CartShippingOptions> {
  throw new Error('not implemented yet');
}

/**
 * Finds the products and variants of lines, and completes their options. Adds the violations of orders.md §9. A product that
 * the customer cannot see is unknown.
 *
 * @returns undefined after a violation
 */
export async function resolveLines(
  _reads: CartReads,
  _lines: readonly SentLine[],
  _context: LineContext,
  _violations: Violations,
): Promise<ResolvedLine[] | undefined> {
  throw new Error('not implemented yet');
}

/**
 * Finds coupons. Adds the violation `unknown_link` for an unknown or disabled one.
 *
 * @param pathOf path of a code in the body
 * @returns their codes as the store spells them, each once; without those that have violations
 */
export async function resolveCoupons(
  _reads: CartReads,
  _codes: readonly string[],
  _pathOf: (index: number) => string,
  _violations: Violations,
): Promise<string[]> {
  throw new Error('not implemented yet');
}
