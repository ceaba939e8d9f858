/** Limits of new carts and of guessed coupon codes (storefront.md §10). */
import { type Problem, problem, type Unit, type Violations } from '../../engine/index.ts';
import { addCounts, type Counted, type Exceeded, lockBelow, PERIOD_SECONDS } from '../../store/shoppers/counted.ts';
import type { CartWriting } from './settings.ts';

/** A rejection whose unit commits, so that what was counted is stored. */
export interface Rejection {
  readonly rejected: Problem;
}

/** The limit that a new cart counts toward. */
export function countedCart({ settings, address }: CartWriting): Counted {
  return { subject: `cart from ${address}`, max: settings.newMax };
}

/** The limits that an unknown code counts toward. @param cart id; undefined for a new cart */
export function countedCode({ settings, address }: CartWriting, cart?: number): Counted[] {
  const ofCart = { subject: `coupon of cart ${cart}`, max: settings.wrongCodesOfCart };
  return [{ subject: `coupon from ${address}`, max: settings.wrongCodes }, ...(cart === undefined ? [] : [ofCart])];
}

/**
 * Locks the counts that a request may increase, before it locks a record.
 * @returns a problem if a limit is reached: codes are then rejected whether they are known or not
 */
export async function rejectBeyond(unit: Unit, counted: readonly Counted[]): Promise<Problem | undefined> {
  const exceeded = await lockBelow(unit.service, unit, counted);
  return exceeded && tooMany(exceeded);
}

/** Counts the unknown codes among these violations. @returns the problem, in a form that commits what was counted */
export async function countUnknown(
  unit: Unit,
  rejected: Problem,
  violations: Violations,
  counted: readonly Counted[],
): Promise<Problem | Rejection> {
  const unknown = violations.list.filter(
    ({ propertyPath, code }) => code === 'unknown_link' && /^(?:code|coupons\[)/.test(propertyPath),
  );
  for (const _ of unknown) await addCounts(unit.service, unit, counted);
  return unknown.length === 0 ? rejected : { rejected };
}

function tooMany({ counted: { subject, max }, seconds }: Exceeded): Problem {
  const isCart = subject.startsWith('cart ');
  const name = isCart ? 'carts' : 'coupons';
  const detail = isCart
    ? 'Too many new carts from this address within an hour. Use an existing cart, or retry later.'
    : 'Too many unknown coupon codes within an hour. Continue without coupons, or retry later.';
  return problem('too-many-requests', detail, {
    'retry-after': String(seconds),
    'ratelimit-policy': `"${name}";q=${max};w=${PERIOD_SECONDS}`,
    ratelimit: `"${name}";r=0;t=${seconds}`,
  });
}
