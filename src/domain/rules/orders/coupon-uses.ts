/**
 * Uses of coupons by orders (pricing.md §5). An order counts as one use of each of its coupons, unless its payment status is
 * `C` or `D`. The row of a coupon is locked before its uses change, after the products of the order.
 */
import type { Draft, Reads, Stored, UnitOfWork, Value } from '../../../engine/vocabulary.ts';
import { type Coupon, hasUsesLeft, type Result } from '../../../pricing/index.ts';
import { couponFacts, USES_OF_CALCULATION } from '../pricing/calculation-facts.ts';

export const USES_OF_COUPONS = {
  Coupon: USES_OF_CALCULATION.Coupon,
  UsedCoupon: ['order', 'code', 'value', 'type', 'coupon_id', 'is_counted', 'buyer'],
  PaymentStatus: ['code'],
} as const;

/** What decides which orders count as uses of a coupon, and by which buyer. `UsedCoupon` has copies of it. */
export const USES_OF_BUYERS = { Order: ['payment_status', 'customer_id', 'email'] } as const;

type Unit = UnitOfWork<typeof USES_OF_COUPONS>;
type CouponsDraft = Pick<
  Draft<'coupons' | 'customer_id' | 'email' | 'payment_status'>,
  'sent' | 'values' | 'violations' | 'quote'
>;

/** The e-mail of a quote that has none. It belongs to no buyer. */
export const QUOTE_EMAIL = 'quote@example.invalid';

/** A coupon of a new order, as it is stored. */
export interface UsedCoupon {
  readonly code: string;
  readonly value: number;
  readonly type: string;
  readonly coupon_id: number;
  readonly is_counted: boolean;
  readonly buyer: string;
  /** Uses of the coupon before this order. */
  readonly uses: number;
}

/**
 * Finds the coupons of a new order by their codes, and locks them until the transaction ends.
 *
 * @returns the coupons in the order of the codes in the request, without unknown ones, each with its uses so far
 */
export async function claimCoupons(draft: CouponsDraft, unit: Unit): Promise<Coupon[]> {
  const { sent, violations } = draft;
  const codes = (sent.coupons ?? []) as string[];
  const ids = await unit.named('Coupon', codes);
  const held = new Map((await unit.hold('Coupon', [...new Set(ids.values())])).map((coupon) => [coupon.id, coupon]));
  const claimed = new Map<Value, Coupon>();
  for (const [index, code] of codes.entries()) {
    const stored = held.get(ids.get(code) ?? null);
    const at = `coupons[${index}]`;
    if (!stored) violations.add(at, 'unknown_link', unknownCoupon(code));
    else if (claimed.has(stored.id))
      violations.add(at, 'conflict', 'This coupon is already in the list. Send it once.');
    else claimed.set(stored.id, couponFacts(stored, await usesByBuyer(unit, stored, buyerOf(draft))));
  }
  return [...claimed.values()];
}

/** Formats the violation message of an unknown code. */
export function unknownCoupon(code: string): string {
  return `There is no coupon with the code ${JSON.stringify(code)}. Check the code or remove it.`;
}

/** Returns the coupons of a new order, as the order stores them. */
export async function usedCouponsOf(
  draft: CouponsDraft,
  unit: Unit,
  result: Result,
  coupons: readonly Coupon[],
): Promise<UsedCoupon[]> {
  if (coupons.length === 0) return [];
  const status = await unit.read('PaymentStatus', draft.values.payment_status!);
  return coupons.map(({ id, code, type, uses }) => ({
    code,
    type,
    coupon_id: id,
    value: result.discounts.find((discount) => discount.kind === 'coupon' && discount.id === id)!.value,
    is_counted: isCounted(status!.code as string),
    buyer: buyerOf(draft) ?? '',
    uses,
  }));
}

/** Counts the uses of a new order. The coupons are locked. */
export async function countUses(unit: Unit, coupons: readonly UsedCoupon[]): Promise<void> {
  const counted = coupons.filter(({ is_counted }) => is_counted);
  await unit.updateAll('Coupon', new Map(counted.map(({ coupon_id, uses }) => [coupon_id, { uses: uses + 1 }])));
}

/** How a change of the payment status changes the uses of an order's coupons. */
export interface UsesChange {
  readonly coupons: ReadonlyMap<Value, { readonly uses: number }>;
  readonly used: ReadonlyMap<Value, { readonly is_counted: boolean }>;
}

/**
 * Decides how a change of the payment status changes uses. A use that would exceed a limit of its coupon is a conflict.
 *
 * @returns undefined if no use changes
 */
export async function checkUses(
  unit: Unit,
  order: Value,
  [from, to]: readonly [string, string],
  conflicts: Draft['conflicts'],
): Promise<UsesChange | undefined> {
  if (isCounted(from) === isCounted(to)) return undefined;
  const used = (await unit.list('UsedCoupon', { order })).filter(
    ({ is_counted, coupon_id }) => is_counted !== isCounted(to) && coupon_id !== null,
  );
  const held = new Map(
    (
      await unit.hold(
        'Coupon',
        used.map(({ coupon_id }) => coupon_id),
      )
    ).map((each) => [each.id, each]),
  );
  const coupons = new Map<Value, { readonly uses: number }>();
  for (const { coupon_id, buyer, code } of used) {
    const stored = held.get(coupon_id);
    // The coupon was deleted meanwhile.
    if (!stored) continue;
    const known = isCounted(to) ? (buyer as string) || null : null;
    const coupon = couponFacts(stored, await usesByBuyer(unit, stored, known));
    if (isCounted(to) && !hasUsesLeft(coupon))
      conflicts.push(`Coupon ${code} has no uses left, so the order cannot use it again. Raise its limit first.`);
    coupons.set(coupon_id, { uses: coupon.uses + (isCounted(to) ? 1 : -1) });
  }
  return { coupons, used: new Map(used.map(({ id }) => [id, { is_counted: isCounted(to) }])) };
}

export async function applyUses(unit: Unit, { coupons, used }: UsesChange): Promise<void> {
  await unit.updateAll('Coupon', coupons);
  await unit.updateAll('UsedCoupon', used);
}

/** Whether an order with this payment status counts as a use of its coupons. */
function isCounted(payment: string): boolean {
  return payment !== 'C' && payment !== 'D';
}

/** Identifies the buyer. Null in a quote without an e-mail. */
function buyerOf({ values, quote }: CouponsDraft): string | null {
  const { customer_id, email } = values;
  return buyerBy(customer_id ?? null, quote && email === QUOTE_EMAIL ? null : email!);
}

/** Identifies a buyer by the profile, else by the e-mail regardless of case. Null if neither is known. */
export function buyerBy(profile: Value, email: Value): string | null {
  if (typeof profile === 'number') return `profile ${profile}`;
  return email === null ? null : buyerNamed(email);
}

function buyerNamed(email: Value): string {
  return `email ${String(email).toLowerCase()}`;
}

/** Moves the uses of an order by a guest to the new e-mail of the order. */
export async function moveUses(unit: Unit, order: Value, email: Value): Promise<void> {
  const used = (await unit.list('UsedCoupon', { order })).filter(({ buyer }) => String(buyer).startsWith('email '));
  await unit.updateAll('UsedCoupon', new Map(used.map(({ id }) => [id, { buyer: buyerNamed(email) }])));
}

/** Counts the uses of a coupon by a buyer. Null if the buyer is not known, or if the coupon has no limit for one buyer. */
export async function usesByBuyer(
  reads: Pick<Reads<typeof USES_OF_COUPONS>, 'count'>,
  { id, uses_limit_per_user }: Stored<'uses_limit_per_user'>,
  buyer: string | null,
): Promise<number | null> {
  if (buyer === null || uses_limit_per_user === 0) return null;
  return reads.count('UsedCoupon', { coupon_id: id, buyer, is_counted: true });
}
