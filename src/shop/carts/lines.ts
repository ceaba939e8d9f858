/** Changes of the lines of a cart (storefront.md §5). Equal lines are one line. */

import type { ResolvedLine } from '../../domain/rules/carts/cart-content.ts';
import { CART_LINES_MAX } from '../../domain/rules/carts/cart-fields.ts';
import type { Violations } from '../../engine/index.ts';
import type { CartValues, StoredLine } from '../../store/carts/stored-cart.ts';

type CartLines = Pick<CartValues, 'lines' | 'last_line'>;

/** What a request may violate. */
interface Limits {
  readonly lineAmountMax: number;
  readonly violations: Violations;
  /** Path of a line in the body. */
  readonly pathOf: (index: number) => string;
}

/** Identifies what a line sells. */
export function sameLine({ product_id, variant, options }: ResolvedLine): string {
  return JSON.stringify([product_id, variant, options]);
}

/** Adds lines. The amounts of equal ones add up. */
export function addLines(cart: CartLines, added: readonly ResolvedLine[], limits: Limits): CartLines {
  const lines = [...cart.lines];
  let { last_line } = cart;
  for (const [index, line] of added.entries()) {
    const path = limits.pathOf(index);
    const at = lines.findIndex((each) => sameLine(each) === sameLine(line));
    const amount = line.amount + (lines[at]?.amount ?? 0);
    checkAmount(amount, path, limits);
    if (at >= 0) lines[at] = { ...lines[at]!, amount };
    else lines.push(newLine(++last_line, { ...line, amount }));
    if (at < 0 && lines.length === CART_LINES_MAX + 1)
      limits.violations.add(
        path || 'product_id',
        'too_long',
        `A cart can have at most ${CART_LINES_MAX} lines. Remove one first.`,
      );
  }
  return { lines, last_line };
}

/** Replaces a line. If the result equals another line, both become one line with the lower id. */
export function replaceLine(cart: CartLines, id: number, line: ResolvedLine, limits: Limits): CartLines {
  const before = cart.lines.find((each) => each.id === id)!;
  const equal = cart.lines.find((each) => each.id !== id && sameLine(each) === sameLine(line));
  const amount = line.amount + (equal?.amount ?? 0);
  checkAmount(amount, '', limits);
  const left = equal && equal.id < id ? equal : before;
  const replaced = { ...left, ...line, id: left.id, amount };
  const removed = equal && (left === equal ? before : equal);
  const lines = cart.lines.filter((each) => each !== removed).map((each) => (each === left ? replaced : each));
  return { ...cart, lines };
}

export function removeLine(cart: CartLines, id: number): CartLines {
  return { ...cart, lines: cart.lines.filter((each) => each.id !== id) };
}

/** The calculation fills in price, SKU and name. */
export function newLine(id: number, line: ResolvedLine): StoredLine {
  return { id, ...line, price: null, sku: null, name: null };
}

function checkAmount(amount: number, path: string, { lineAmountMax, violations }: Limits): void {
  if (amount <= lineAmountMax) return;
  const detail = `A line can have at most ${lineAmountMax} units; this one would have ${amount}. Reduce the amount.`;
  violations.add(path === '' ? 'amount' : `${path}.amount`, 'range', detail);
}
