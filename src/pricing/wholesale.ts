/** Wholesale rows of a line, and the quantity that they are compared with (pricing.md §§1, 4). */
import type { Buyer, Line, WholesalePrice } from './input.ts';
import { matchesLink } from './matching.ts';
import type { Reason } from './result.ts';

/** The rows of a line. */
export interface WholesaleRows {
  readonly rows: readonly WholesalePrice[];
  /** What `quantity_range_begin` is compared with. */
  readonly quantity: number;
}

interface OwnedRows {
  /** Identifies the product or variant that owns the rows: the id of a product, or minus the id of a variant. Null without rows. */
  readonly owner: number | null;
  readonly rows: readonly WholesalePrice[];
}

const NO_ROWS: OwnedRows = { owner: null, rows: [] };

/**
 * Finds the rows of each line, and their quantity: the sum of `amount` of all lines whose rows have the same owner, lines with
 * a `price` included (pricing.md §4).
 */
export function wholesaleRowsOf(lines: readonly Line[]): WholesaleRows[] {
  const owned = lines.map(ownedRowsOf);
  const quantities = new Map<number | null, number>();
  owned.forEach(({ owner }, index) => {
    quantities.set(owner, (quantities.get(owner) ?? 0) + lines[index]!.amount);
  });
  return owned.map(({ owner, rows }) => ({ rows, quantity: quantities.get(owner)! }));
}

/** Returns the rows of the variant if it has any. Otherwise those of the product, unless the variant has its own price. */
function ownedRowsOf({ product, variant }: Line): OwnedRows {
  if (variant && variant.wholesale_prices.length > 0) return { owner: -variant.id, rows: variant.wholesale_prices };
  const isProducts = variant === null || variant.default_price;
  if (!isProducts || product.wholesale_prices.length === 0) return NO_ROWS;
  return { owner: product.id, rows: product.wholesale_prices };
}

/** @returns why a row is no candidate (pricing.md §1); null if it is one */
export function reasonAgainstRow(row: WholesalePrice, quantity: number, buyer: Buyer): Reason | null {
  if (!matchesLink(row.membership, buyer.membership)) return 'membership';
  return quantity >= row.quantity_range_begin ? null : 'quantity';
}

/** Orders rows as candidates: by quantity descending, with membership first, by id (pricing.md §4). */
export function compareRows(one: WholesalePrice, other: WholesalePrice): number {
  return (
    other.quantity_range_begin - one.quantity_range_begin ||
    Number(one.membership === null) - Number(other.membership === null) ||
    one.id - other.id
  );
}
