/** What shoppers see of stocks (storefront.md §2). */
import type { ShownRecord } from '../../engine/index.ts';

/** The fields of a product that its availability depends on. */
export const STOCK_FIELDS: readonly string[] = [
  ...['inventory_traceable', 'amount', 'available_for_backorder', 'backorder_limit'],
];

/** Units in stock of a product or a variant. */
export type Stock = number;

/** Returns the stocks of the variants, or that of the product if it has none. */
export function stocksOf({ amount }: ShownRecord, variants: readonly ShownRecord[] = []): readonly Stock[] {
  if (variants.length === 0) return [amount as number];
  return variants.map((variant) => stockOf(variant, amount as number));
}

/** The variant's own stock, or the product's. */
function stockOf(variant: ShownRecord, ofProduct: number): Stock {
  return variant.default_amount === true ? ofProduct : (variant.amount as number);
}

/** @returns the best of the stocks */
export function availabilityOf(product: ShownRecord, stocks: readonly Stock[]): string {
  const best = Math.max(...stocks);
  if (product.inventory_traceable !== true || best >= 1) return 'in_stock';
  const isBackordered = product.available_for_backorder === true && best > -(product.backorder_limit as number);
  return isBackordered ? 'backorder' : 'out_of_stock';
}

/** @returns the largest stock if shoppers may see it, else null */
export function quantityOf(product: ShownRecord, stocks: readonly Stock[], quantityMax: number): number | null {
  const largest = Math.max(...stocks);
  return product.inventory_traceable === true && largest >= 1 && largest <= quantityMax ? largest : null;
}
