/** Wholesale rows of a line, and the quantity that they are compared with (pricing §1). */
import type { Buyer, Line, WholesalePrice } from './input.ts';
import { matchesLink } from './matching.ts';
import type { Reason } from './result.ts';

interface OwnedRows {
  /** Identifies the product or variant that owns the rows. */
  readonly owner: string;
  readonly rows: readonly WholesalePrice[];
}

/**
 * Returns a line's rows: those of the variant if it has any; else those of the product if there is no variant or its price is
 * the product's; else none (pricing §1).
 */
export function wholesaleRowsOf({ product, variant }: Line): OwnedRows | undefined {
  if (variant && variant.wholesale_prices.length > 0)
    return { owner: `variant ${variant.id}`, rows: variant.wholesale_prices };
  const isProducts = variant === null || variant.default_price;
  if (!isProducts || product.wholesale_prices.length === 0) return undefined;
  return { owner: `product ${product.id}`, rows: product.wholesale_prices };
}

/** Adds up the `amount` of all lines by the owner of their rows, lines with a `price` included (pricing §1). */
export function quantitiesByOwner(lines: readonly Line[]): ReadonlyMap<string, number> {
  const quantities = new Map<string, number>();
  for (const line of lines) {
    const owner = wholesaleRowsOf(line)?.owner;
    if (owner !== undefined) quantities.set(owner, (quantities.get(owner) ?? 0) + line.amount);
  }
  return quantities;
}

/** @returns why a row is no candidate (pricing §1); null if it is one */
export function reasonAgainstRow(row: WholesalePrice, quantity: number, buyer: Buyer): Reason | null {
  if (!matchesLink(row.membership, buyer.membership)) return 'membership';
  return quantity >= row.quantity_range_begin ? null : 'quantity';
}

/** Orders rows as candidates: by quantity descending, with membership first, by id (pricing §4). */
export function compareRows(one: WholesalePrice, other: WholesalePrice): number {
  return (
    other.quantity_range_begin - one.quantity_range_begin ||
    Number(one.membership === null) - Number(other.membership === null) ||
    one.id - other.id
  );
}
