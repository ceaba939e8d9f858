/** Changes of the lines of a cart (storefront.md §5). Equal lines are one line. */

import type { ResolvedLine } from '../../domain/rules/carts/cart-content.ts';
import { CART_LINES_MAX, CART_TEXTS_MAX } from '../../domain/rules/carts/cart-fields.ts';
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
function keyOf({ product_id, variant, options }: ResolvedLine): string {
  return JSON.stringify([product_id, variant, options]);
}

/** Adds lines. The amounts of equal ones add up. */
export function addLines(cart: CartLines, added: readonly ResolvedLine[], limits: Limits): CartLines {
  const { lines, last_line, placed } = combine(cart, added, (one, other) => one + other);
  for (const [index, { line, at }] of placed.entries()) {
    const path = limits.pathOf(index);
    checkAmount(line.amount, path, limits);
    if (at === CART_LINES_MAX)
      limits.violations.add(
        path || 'product_id',
        'too_long',
        `A cart can have at most ${CART_LINES_MAX} lines. Remove one first.`,
      );
  }
  if (added.length > 0) checkTexts(lines, limits.pathOf(added.length - 1), limits);
  return { lines, last_line };
}

/** Merges the lines of another cart. Equal lines have the larger amount. Others are added while there is room. */
export function mergeLines(cart: CartLines, added: readonly ResolvedLine[]): CartLines {
  const { lines, last_line } = combine(cart, added, Math.max);
  const kept = lines.slice(0, CART_LINES_MAX);
  while (textsIn(kept) > CART_TEXTS_MAX && kept.length > cart.lines.length) kept.pop();
  return { lines: kept, last_line };
}

interface Combined extends CartLines {
  /** For each added line, the line that it is now, and its position. */
  readonly placed: readonly { readonly line: StoredLine; readonly at: number }[];
}

function combine(
  cart: CartLines,
  added: readonly ResolvedLine[],
  amountOf: (one: number, other: number) => number,
): Combined {
  const lines = [...cart.lines];
  const positions = new Map(lines.map((line, at) => [keyOf(line), at]));
  let { last_line } = cart;
  const placed = added.map(({ product_id, variant, options, amount }) => {
    const own = { product_id, variant, options, amount };
    const at = positions.get(keyOf(own)) ?? lines.length;
    const equal = lines[at];
    const line = equal ? { ...equal, amount: amountOf(equal.amount, amount) } : newLine(++last_line, own);
    lines[at] = line;
    positions.set(keyOf(own), at);
    return { line, at };
  });
  return { lines, last_line, placed };
}

function textsIn(lines: readonly ResolvedLine[]): number {
  return lines.reduce((sum, { options }) => sum + options.reduce((all, { text = '' }) => all + text.length, 0), 0);
}

/** Each response has all texts of the cart. */
function checkTexts(lines: readonly ResolvedLine[], path: string, { violations }: Limits): void {
  if (textsIn(lines) <= CART_TEXTS_MAX) return;
  const detail = `The texts of all lines of a cart can have at most ${CART_TEXTS_MAX} characters. Shorten the texts.`;
  violations.add(path === '' ? 'options' : `${path}.options`, 'too_long', detail);
}

/** Replaces a line. If the result equals another line, both become one line with the lower id. */
export function replaceLine(cart: CartLines, id: number, line: ResolvedLine, limits: Limits): CartLines {
  const before = cart.lines.find((each) => each.id === id)!;
  const key = keyOf(line);
  const equal = cart.lines.find((each) => each.id !== id && keyOf(each) === key);
  const amount = line.amount + (equal?.amount ?? 0);
  checkAmount(amount, '', limits);
  const left = equal && equal.id < id ? equal : before;
  const replaced = { ...left, ...line, id: left.id, amount };
  const removed = equal && (left === equal ? before : equal);
  const lines = cart.lines.filter((each) => each !== removed).map((each) => (each === left ? replaced : each));
  checkTexts(lines, '', limits);
  return { ...cart, lines };
}

export function removeLine(cart: CartLines, id: number): CartLines {
  return { ...cart, lines: cart.lines.filter((each) => each.id !== id) };
}

/** The calculation fills in price, SKU and name. */
function newLine(id: number, line: ResolvedLine): StoredLine {
  return { id, ...line, price: null, sku: null, name: null };
}

function checkAmount(amount: number, path: string, { lineAmountMax, violations }: Limits): void {
  if (amount <= lineAmountMax) return;
  const detail = `A line can have at most ${lineAmountMax} units; this one would have ${amount}. Reduce the amount.`;
  violations.add(path === '' ? 'amount' : `${path}.amount`, 'range', detail);
}
