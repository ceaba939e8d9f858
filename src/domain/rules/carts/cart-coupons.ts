/** The coupons of a cart (storefront.md §5). */
import type { Stored, Value, Violations } from '../../../engine/vocabulary.ts';
import type { Coupon } from '../../../pricing/index.ts';
import { buyerBy, unknownCoupon, usesByBuyer } from '../orders/coupon-uses.ts';
import { couponFacts } from '../pricing/calculation-facts.ts';
import type { CartContent } from './cart-content.ts';
import type { CartReads, USES_OF_CART } from './cart-uses.ts';

/** A code of a cart. */
export interface CartCoupon {
  readonly code: string;
  /** Undefined if it was deleted or disabled. */
  readonly coupon: Coupon | undefined;
}

type StoredCoupon = Stored<(typeof USES_OF_CART.Coupon)[number]>;

/** Finds enabled coupons. @returns one for each code */
async function enabledCoupons(
  reads: CartReads,
  codes: readonly string[],
  products: readonly Value[],
): Promise<(StoredCoupon | undefined)[]> {
  const ids = await reads.named('Coupon', codes);
  const id = [...new Set(ids.values())];
  const among = { products: [...products] };
  const stored = id.length === 0 ? [] : await reads.list('Coupon', { id, enabled: true }, { among });
  const byId = new Map(stored.map((coupon) => [coupon.id, coupon]));
  return codes.map((code) => byId.get(ids.get(code) ?? null));
}

/** Reads the coupons of a cart, each once. */
export async function readCoupons(
  reads: CartReads,
  { coupons: codes, customer, email, lines }: CartContent,
): Promise<CartCoupon[]> {
  const products = lines.map(({ product_id }) => product_id);
  const stored = codes.length === 0 ? [] : await enabledCoupons(reads, codes, products);
  const buyer = buyerBy(customer, email || null);
  const found: CartCoupon[] = [];
  for (const [index, code] of codes.entries()) {
    const coupon = stored[index];
    // Codes are compared regardless of case, so two of them can be the same.
    if (coupon && stored.indexOf(coupon) !== index) continue;
    const uses = coupon && (await usesByBuyer(reads, coupon, buyer));
    found.push(
      coupon ? { code: coupon.code as string, coupon: couponFacts(coupon, uses ?? null) } : { code, coupon: undefined },
    );
  }
  return found;
}

/**
 * Finds coupons. Adds the violation `unknown_link` for an unknown or disabled one.
 *
 * @param pathOf path of a code in the body
 * @returns their codes as the store spells them, each once; without those that have violations
 */
export async function resolveCoupons(
  reads: CartReads,
  codes: readonly string[],
  pathOf: (index: number) => string,
  violations: Violations,
): Promise<string[]> {
  const stored = codes.length === 0 ? [] : await enabledCoupons(reads, codes, []);
  for (const [index, code] of codes.entries())
    if (!stored[index]) violations.add(pathOf(index), 'unknown_link', unknownCoupon(code));
  return [...new Set(stored.flatMap((coupon) => (coupon ? [coupon.code as string] : [])))];
}
