/**
 * Moves stock for orders (orders.md §3): decides which pieces leave, which come back, and whether there are enough.
 * Works on products that the transaction holds, so no two orders can get the same piece.
 */
import type { Stored, UnitOfWork, Value } from '../../engine/vocabulary.ts';

export const USES_OF_STOCK = {
  Product: [
    'sku',
    'name',
    'amount',
    'inventory_traceable',
    'available_for_backorder',
    'backorder_limit',
    'price',
    'participate_sale',
    'discount_type',
    'sale_price_value',
  ],
} as const;

export type Product = Stored<(typeof USES_OF_STOCK.Product)[number]>;
type Unit = UnitOfWork<typeof USES_OF_STOCK>;
export type Products = ReadonlyMap<Value, Product>;

/** The pieces of one item; none where its product is gone or was not traceable. */
export interface Line {
  readonly product: Value;
  readonly pieces: number;
}

interface Shortage {
  /** Which line. */
  readonly index: number;
  /** Pieces that could still be taken. */
  readonly left: number;
}

export interface Movement {
  readonly amounts: ReadonlyMap<Value, number>;
  /** Pieces of each line that are owed. */
  readonly backordered: readonly number[];
  readonly shortages: readonly Shortage[];
}

export async function holdProducts(unit: Unit, ids: readonly Value[]): Promise<Products> {
  const products = await unit.hold('Product', [...new Set(ids)]);
  return new Map(products.map((product) => [product.id, product]));
}

/** Takes the pieces, line after line, down to zero or to the backorder limit. */
export function take(lines: readonly Line[], products: Products): Movement {
  const amounts = new Map<Value, number>();
  const shortages: Shortage[] = [];
  const backordered = lines.map(({ product: id, pieces }, index) => {
    const product = products.get(id);
    if (!product || pieces === 0) return 0;
    const before = amounts.get(id) ?? (product.amount as number);
    const least = product.available_for_backorder ? -(product.backorder_limit as number) : 0;
    const after = before - pieces;
    if (after < least) shortages.push({ index, left: Math.max(0, before - least) });
    amounts.set(id, after);
    return Math.min(pieces, Math.max(0, -after));
  });
  return { amounts, backordered, shortages };
}

/** Brings the pieces back. */
export function giveBack(lines: readonly Line[], products: Products): Movement {
  const amounts = new Map<Value, number>();
  for (const { product: id, pieces } of lines) {
    const product = products.get(id);
    if (product && pieces > 0) amounts.set(id, (amounts.get(id) ?? (product.amount as number)) + pieces);
  }
  return { amounts, backordered: lines.map(() => 0), shortages: [] };
}

export async function saveAmounts(unit: Unit, { amounts }: Pick<Movement, 'amounts'>): Promise<void> {
  await unit.updateAll('Product', new Map([...amounts].map(([id, amount]) => [id, { amount }])));
}

/** The history's data of a movement: each product with its amount before and after. */
export function told({ amounts }: Movement, products: Products): Value[] {
  return [...amounts].map(([id, amount]) => {
    const product = products.get(id)!;
    return { sku: product.sku, from: product.amount, to: amount };
  });
}
