/**
 * Stock movements of orders (orders.md §3): which units leave the stock, which come back, and whether there are enough.
 * The transaction holds row locks on the products and variants, so two orders cannot take the same unit.
 */
import type { Stored, UnitOfWork, Value } from '../../../engine/vocabulary.ts';

/** What determines how many units of an order are backordered. */
export const USES_OF_AVAILABILITY = {
  Product: ['amount', 'inventory_traceable', 'available_for_backorder', 'backorder_limit'],
  Variant: ['amount', 'default_amount'],
} as const;

export const USES_OF_STOCK = {
  Product: [
    ...USES_OF_AVAILABILITY.Product,
    'sku',
    'name',
    'price',
    'weight',
    'participate_sale',
    'discount_type',
    'sale_price_value',
  ],
  Variant: [
    ...USES_OF_AVAILABILITY.Variant,
    'product_id',
    'sku',
    'price',
    'default_price',
    'weight',
    'default_weight',
    'attribute_checkbox_values',
    'attribute_select_values',
  ],
} as const;

export type Product = Stored<(typeof USES_OF_STOCK.Product)[number]>;
export type Variant = Stored<(typeof USES_OF_STOCK.Variant)[number]>;
type Unit = UnitOfWork<typeof USES_OF_STOCK>;

/** The products and variants of an order's lines, locked until the transaction ends. */
export interface Goods {
  readonly products: ReadonlyMap<Value, Product>;
  readonly variants: ReadonlyMap<Value, Variant>;
}

/** The units of one item that move; 0 if its product was deleted or its stock is not tracked. */
export interface Line {
  readonly product: Value;
  /** null if the item has no variant or the variant was deleted. */
  readonly variant: Value;
  /** The units were taken from a variant's own stock. */
  readonly isOfVariant: boolean;
  readonly units: number;
}

interface Shortage {
  /** Index of the line. */
  readonly index: number;
  /** Units that were available. */
  readonly left: number;
}

/** The stock of one product or variant before and after a movement. */
interface Change {
  readonly resource: 'Product' | 'Variant';
  readonly id: Value;
  readonly sku: Value;
  readonly from: number;
  readonly to: number;
}

export interface Movement {
  readonly changes: readonly Change[];
  /** Backordered units of each line. */
  readonly backordered: readonly number[];
  /** For each line, whether its units come from a variant's own stock. */
  readonly ofVariant: readonly boolean[];
  readonly shortages: readonly Shortage[];
}

/** Locks products before variants, the order in which every write of a variant locks them. */
export async function holdGoods(unit: Unit, products: readonly Value[], variants: readonly Value[]): Promise<Goods> {
  const byId = <T extends { readonly id: Value }>(records: readonly T[]) =>
    new Map(records.map((record) => [record.id, record]));
  return {
    products: byId(await unit.hold('Product', [...new Set(products)])),
    variants: byId(await unit.hold('Variant', [...new Set(variants)])),
  };
}

/**
 * Takes the units of the lines out of the stock, in order, down to zero or to the backorder limit.
 *
 * @param earlier - movement of the same write that comes first; the result includes its changes
 */
export function take(lines: readonly Line[], goods: Goods, earlier?: Movement): Movement {
  const levels = levelsAfter(earlier);
  const shortages: Shortage[] = [];
  const ofVariant: boolean[] = [];
  const backordered = lines.map((line, index) => {
    const level = levelOf(line, goods, levels);
    ofVariant.push(level ? level.resource === 'Variant' : line.isOfVariant);
    if (!level || line.units === 0) return 0;
    const least = lowestLevel(goods.products.get(line.product)!);
    const before = level.to;
    level.to -= line.units;
    if (level.to < least) shortages.push({ index, left: Math.max(0, before - least) });
    return Math.min(line.units, Math.max(0, -level.to));
  });
  return { changes: changesIn(levels), backordered, ofVariant, shortages };
}

function hasOwnStock(variant: Variant | undefined): variant is Variant {
  return variant !== undefined && variant.default_amount !== true;
}

/** The lowest level of the stock that orders can cause; negative if units can be backordered. */
function lowestLevel({ available_for_backorder, backorder_limit }: Product): number {
  return available_for_backorder ? -(backorder_limit as number) : 0;
}

/** Returns how many units can be ordered; undefined if the stock is not tracked. */
export function availableUnits(product: Product, variant: Variant | undefined): number | undefined {
  if (product.inventory_traceable !== true) return undefined;
  const { amount } = hasOwnStock(variant) ? variant : product;
  return Math.max(0, (amount as number) - lowestLevel(product));
}

/** Returns the units of the lines to the stock. */
export function giveBack(lines: readonly Line[], goods: Goods): Movement {
  const levels: Levels = new Map();
  for (const line of lines) {
    const level = line.units > 0 ? levelOf(line, goods, levels) : undefined;
    if (level) level.to += line.units;
  }
  const ofVariant = lines.map((line) => line.isOfVariant);
  return { changes: changesIn(levels), backordered: lines.map(() => 0), ofVariant, shortages: [] };
}

/** Running stock levels while a movement is computed, by resource and identifier. */
type Levels = Map<string, Change & { to: number }>;

function levelsAfter(earlier: Movement | undefined): Levels {
  const changes = earlier?.changes ?? [];
  return new Map(changes.map((change) => [`${change.resource} ${change.id}`, { ...change }]));
}

/**
 * Finds the stock level that counts the units of a line: its variant's own, or its product's.
 *
 * @returns undefined if the product was deleted, or if the units belonged to a variant that was deleted
 */
function levelOf(line: Line, { products, variants }: Goods, levels: Levels): (Change & { to: number }) | undefined {
  const product = products.get(line.product);
  const variant = variants.get(line.variant);
  if (!product || (!variant && line.isOfVariant)) return undefined;
  const isOwn = hasOwnStock(variant);
  const resource = isOwn ? 'Variant' : 'Product';
  const { id, amount } = isOwn ? variant : product;
  const sku = isOwn ? (variant.sku ?? product.sku) : product.sku;
  const key = `${resource} ${id}`;
  const level = levels.get(key) ?? { resource, id, sku, from: amount as number, to: amount as number };
  levels.set(key, level);
  return level;
}

function changesIn(levels: Levels): Change[] {
  return [...levels.values()].filter(({ from, to }) => from !== to);
}

export async function saveAmounts(unit: Unit, { changes }: Pick<Movement, 'changes'>): Promise<void> {
  for (const resource of ['Product', 'Variant'] as const) {
    const own = changes.filter((change) => change.resource === resource);
    await unit.updateAll(resource, new Map(own.map(({ id, to }) => [id, { amount: to }])));
  }
}

/** Formats a count: `1 unit`, `2 units`. */
export function countOfUnits(count: Value): string {
  return count === 1 ? '1 unit' : `${count} units`;
}

/** The stock changes as the order history stores them: SKU, amount before, amount after. */
export function historyChanges({ changes }: Movement): Value[] {
  return changes.map(({ sku, from, to }) => ({ sku, from, to }));
}
