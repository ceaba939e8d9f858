/** The bodies of requests about carts, in their stored form (storefront.md §5). */

import type { SentLine } from '../../domain/rules/carts/cart-content.ts';
import {
  CART_CHANGE,
  LINE_CHANGE,
  NEW_CART,
  NEW_COUPON,
  NEW_LINE,
  NEW_LINES,
} from '../../domain/rules/carts/cart-fields.ts';
import {
  isProblem,
  type JsonObject,
  type Problem,
  type RequestOptions,
  readInput,
  readingOf,
  type Service,
  Violations,
  validationFailed,
} from '../../engine/index.ts';
import type { CartValues } from '../../store/carts/stored-cart.ts';

/** What a request sets. Omitted members are unchanged, also in addresses. */
export type CartChange = Partial<Omit<CartValues, 'lines' | 'last_line' | 'coupons'>> & {
  readonly payment_method?: number | null;
};

export interface NewCart extends CartChange {
  readonly lines?: readonly SentLine[];
  readonly coupons?: readonly string[];
}

export interface LineChange {
  readonly amount?: number;
  readonly options?: SentLine['options'];
}

export function readCartChange(service: Service, options: RequestOptions, sent: JsonObject): CartChange | Problem {
  return readInput(service, options, CART_CHANGE, sent) as CartChange | Problem;
}

export function readNewCart(service: Service, options: RequestOptions, sent: JsonObject): NewCart | Problem {
  return readInput(service, options, NEW_CART, sent) as NewCart | Problem;
}

export function readLineChange(service: Service, options: RequestOptions, sent: JsonObject): LineChange | Problem {
  return readInput(service, options, LINE_CHANGE, sent) as LineChange | Problem;
}

/** @returns the code of the coupon */
export function readCoupon(service: Service, options: RequestOptions, sent: JsonObject): string | Problem {
  const read = readInput(service, options, NEW_COUPON, sent);
  return isProblem(read) ? read : (read.code as string);
}

/** Reads one line or several ones. */
export function readLines(
  service: Service,
  options: RequestOptions,
  sent: JsonObject | readonly unknown[],
): readonly SentLine[] | Problem {
  if (!Array.isArray(sent)) {
    const line = readInput(service, options, NEW_LINE, sent as JsonObject);
    return isProblem(line) ? line : [line as unknown as SentLine];
  }
  const violations = new Violations();
  const lines = NEW_LINES.read(sent, '', violations, readingOf(service, options));
  return violations.list.length > 0 ? validationFailed(violations.list) : (lines as unknown as readonly SentLine[]);
}
