/** The input of a calculation after an edit of its order (pricing.md §5, *Edits*). */
import type { Charge, Coupon, Input, Line, ProductFacts } from './input.ts';

/** What an edit changes. */
interface Changes {
  /** The lines of the stored input, in their order. Each has the price and the amount after the edit. */
  readonly lines: readonly FixedPrice[];
  /** Further lines with a price and `listed_by`. */
  readonly added: readonly Line[];
  /** The new charges; undefined if they do not change. */
  readonly charges: readonly Charge[] | undefined;
}

interface FixedPrice {
  readonly price: number;
  readonly amount: number;
}

/**
 * Returns the input for an edited order: the stored discounts, tax rates and settings, with fixed prices. The conditions of
 * coupons hold for the stored buyer, time and uses. Only their bounds of the subtotal depend on the lines, so these are removed.
 */
export function editedInput(stored: Input, { lines, added, charges }: Changes): Input {
  return {
    ...stored,
    lines: [...stored.lines.map((line, index) => fixed({ ...line, ...lines[index]! })), ...added.map(fixed)],
    coupons: stored.coupons.map(unbounded),
    shipping: charges ?? stored.shipping,
    rules: { ...stored.rules, sale_discounts: [] },
  };
}

/** Removes facts of a line that only matter if the calculation finds its price. */
function fixed(line: Line): Line {
  const withoutRows = <F extends Pick<ProductFacts, 'wholesale_prices'>>(facts: F): F => ({
    ...facts,
    wholesale_prices: [],
  });
  return { ...line, product: withoutRows(line.product), variant: line.variant && withoutRows(line.variant) };
}

function unbounded(coupon: Coupon): Coupon {
  return { ...coupon, total_range_begin: 0, total_range_end: 0 };
}
