/** Why a cart, or a part of it, cannot be ordered (storefront.md §5). */
import type { Languages, Value } from '../../../engine/vocabulary.ts';
import type { Rejection } from '../../../pricing/index.ts';
import { shortage } from '../orders/order.ts';
import { attributeNames } from '../orders/order-options.ts';
import { availableUnits, type Line, take } from '../orders/order-stock.ts';
import { COUPON_REASONS, SHIPPING_REASONS } from '../pricing/rejections.ts';
import type { CartLine, CartProblem } from './cart-content.ts';
import type { CartCoupon } from './cart-coupons.ts';
import type { FilledLines } from './cart-lines.ts';
import type { CartReads } from './cart-uses.ts';

export const NO_LINES: CartProblem = {
  path: 'lines',
  code: 'empty',
  message: 'The cart is empty. Add a line.',
  data: null,
};

/** The problem of a line whose options make its price negative. */
export function negativePrice(index: number): CartProblem {
  return {
    path: `lines[${index}].options`,
    code: 'option-invalid',
    message: 'With these options, the price is negative. Choose other options.',
    data: null,
  };
}

/** Finds lines that cannot be ordered as they are. @returns the problem of each, by index */
export async function lineProblems(
  reads: CartReads,
  lines: readonly CartLine[],
  { items, goods: { products, sold }, violations }: FilledLines,
  languages: Languages,
): Promise<Map<number, CartProblem>> {
  const first = new Map<number, InvalidLine>();
  for (const { propertyPath, message } of violations.list) {
    const [, position, member] = /^lines\[(\d+)\]\.?(.*)$/.exec(propertyPath)!;
    const index = Number(position);
    if (first.has(index)) continue;
    const choice = lines[index]!.options[Number(/^options\[(\d+)\]/.exec(member!)?.[1])];
    const [missing] = sold.get(items[index]!)?.missing ?? [];
    first.set(index, { member: member!, message, attribute: choice?.attribute_id ?? missing });
  }
  const names = await attributeNames(
    [...first.values()].flatMap(({ attribute }) => attribute ?? []),
    languages,
    reads,
  );
  return new Map(
    [...first].map(([index, line]) => {
      const path = `lines[${index}]`;
      if (!products.has(lines[index]!.product_id)) return [index, unavailable(path)];
      if (!line.member.startsWith('options')) return [index, variantRequired(path)];
      return [index, optionInvalid(path, line, names)];
    }),
  );
}

/** A line with its first violation. */
interface InvalidLine {
  /** `variant` or `options[0].value_id` */
  readonly member: string;
  readonly message: string;
  /** The attribute that needs another choice, if it is known. */
  readonly attribute: Value | undefined;
}

function optionInvalid(
  path: string,
  { message, attribute }: InvalidLine,
  names: ReadonlyMap<Value, string>,
): CartProblem {
  const name = names.get(attribute ?? null);
  return {
    path: `${path}.options`,
    code: 'option-invalid',
    message: name ? `The choice of ${JSON.stringify(name)} is no longer valid. ${message}` : message,
    data: attribute === undefined ? null : { attribute_id: attribute as number },
  };
}

export function unavailable(path: string): CartProblem {
  return { path, code: 'unavailable', message: 'This product is no longer available. Remove the line.', data: null };
}

export function variantRequired(path: string): CartProblem {
  return {
    path: `${path}.variant`,
    code: 'variant-required',
    message: 'The line has no available variant of the product. Remove the line, and add the product again.',
    data: null,
  };
}

/** Finds lines with more units than can be ordered. @param counted indexes of the lines that count */
export function stockProblems(
  lines: readonly CartLine[],
  { items, goods }: FilledLines,
  counted: ReadonlyMap<number, unknown>,
): [number, CartProblem][] {
  const taken = [...counted.keys()].map((index): Line & { readonly index: number } => {
    const { product_id: product, variant, amount } = lines[index]!;
    const isTracked = availableUnits(goods.products.get(product)!, undefined) !== undefined;
    return { index, product, variant, isOfVariant: false, units: isTracked ? amount : 0 };
  });
  return take(taken, goods).shortages.map(({ index: position, left }) => {
    const { index } = taken[position]!;
    const message = shortage(items[index]!, left);
    return [index, { path: `lines[${index}].amount`, code: 'insufficient-stock', message, data: { available: left } }];
  });
}

/** Finds coupons that do not apply. @param rejections of the coupons that exist and are enabled, in their order */
export function couponProblems(coupons: readonly CartCoupon[], rejections: readonly Rejection[]): CartProblem[] {
  const reasons = new Map(rejections.map(({ path, reason }) => [path, reason]));
  let position = 0;
  return coupons.flatMap(({ code, coupon }, index): CartProblem[] => {
    const reason = coupon ? reasons.get(`coupons[${position++}]`) : 'disabled';
    if (reason === undefined) return [];
    const message = `Coupon ${code} does not apply (${reason}): ${COUPON_REASONS[reason]}. Remove it.`;
    return [{ path: `coupons[${index}]`, code: 'coupon-invalid', message, data: { reason } }];
  });
}

export function shippingProblem(reason: keyof typeof SHIPPING_REASONS): CartProblem {
  return {
    path: 'shipping',
    code: 'shipping-unavailable',
    message: `The shipping method does not apply (${reason}): ${SHIPPING_REASONS[reason]}. Choose another one.`,
    data: { reason },
  };
}
