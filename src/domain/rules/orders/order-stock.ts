/**
 * Moves stock for orders (orders.md §3): decides which pieces leave, which come back, and whether there are enough.
 * Works on products and variants that the transaction holds, so no two orders can get the same piece.
 */
import type { Stored, UnitOfWork, Value } from '../../../engine/vocabulary.ts';

export const USES_OF_STOCK = {
  Product: [
    'sku',
    'name',
    'amount',
    'inventory_traceable',
    'available_for_backorder',
    'backorder_limit',
    'price',
    'weight',
    'participate_sale',
    'discount_type',
    'sale_price_value',
  ],
  Variant: [
    'product_id',
    'sku',
    'price',
    'default_price',
    'amount',
    'default_amount',
    'weight',
    'default_weight',
    'attribute_checkbox_values',
    'attribute_select_values',
  ],
} as const;

export type Product = Stored<(typeof USES_OF_STOCK.Product)[number]>;
export type Variant = Stored<(typeof USES_OF_STOCK.Variant)[number]>;
type Unit = UnitOfWork<typeof USES_OF_STOCK>;

/** Everything that the lines of one order sell, held until the transaction ends. */
export interface Goods {
  readonly products: ReadonlyMap<Value, Product>;
  readonly variants: ReadonlyMap<Value, Variant>;
}

/** The pieces of one item; none where its product is gone or was not traceable. */
export interface Line {
  readonly product: Value;
  /** null where it has none, or none any more. */
  readonly variant: Value;
  /** The pieces were taken of a variant's own stock. */
  readonly isOfVariant: boolean;
  readonly units: number;
}

interface Shortage {
  /** Which line. */
  readonly index: number;
  /** Pieces that could still be taken. */
  readonly left: number;
}

/** A product or variant whose own stock moves. */
interface Change {
  readonly resource: 'Product' | 'Variant';
  readonly id: Value;
  readonly sku: Value;
  readonly from: number;
  to: number;
}

export interface Movement {
  readonly changes: readonly Change[];
  /** Pieces of each line that are owed. */
  readonly backordered: readonly number[];
  /** Of each line, whether its stock is a variant's own. */
  readonly ofVariant: readonly boolean[];
  readonly shortages: readonly Shortage[];
}

/** Products before variants, as every write of a variant holds them. */
export async function holdGoods(unit: Unit, products: readonly Value[], variants: readonly Value[]): Promise<Goods> {
  const byId = <T extends { readonly id: Value }>(records: readonly T[]) =>
    new Map(records.map((record) => [record.id, record]));
  return {
    products: byId(await unit.hold('Product', [...new Set(products)])),
    variants: byId(await unit.hold('Variant', [...new Set(variants)])),
  };
}

/** Movements that belong together share these: each goes on from where the one before left the stock. */
export type Changes = Map<string, Change>;

/**
 * Takes the pieces, line after line, down to zero or to the backorder limit.
 * @param changes of movements before this one; the result has theirs too
 */
export function take(lines: readonly Line[], goods: Goods, changes: Changes = new Map()): Movement {
  const shortages: Shortage[] = [];
  const ofVariant: boolean[] = [];
  const backordered = lines.map((line, index) => {
    const change = stockOf(line, goods, changes);
    ofVariant.push(change ? change.resource === 'Variant' : line.isOfVariant);
    if (!change || line.units === 0) return 0;
    const product = goods.products.get(line.product)!;
    const least = product.available_for_backorder ? -(product.backorder_limit as number) : 0;
    const before = change.to;
    change.to -= line.units;
    if (change.to < least) shortages.push({ index, left: Math.max(0, before - least) });
    return Math.min(line.units, Math.max(0, -change.to));
  });
  return { changes: moved(changes), backordered, ofVariant, shortages };
}

/** Brings the pieces back. @param changes as of `take` */
export function giveBack(lines: readonly Line[], goods: Goods, changes: Changes = new Map()): Movement {
  for (const line of lines) {
    const change = line.units > 0 ? stockOf(line, goods, changes) : undefined;
    if (change) change.to += line.units;
  }
  const ofVariant = lines.map((line) => line.isOfVariant);
  return { changes: moved(changes), backordered: lines.map(() => 0), ofVariant, shortages: [] };
}

/**
 * Where the pieces of a line are counted now: with its variant, or with its product. Those of a variant that is gone are
 * counted nowhere, if they were its own.
 */
function stockOf(line: Line, { products, variants }: Goods, changes: Changes): Change | undefined {
  const product = products.get(line.product);
  const variant = variants.get(line.variant);
  if (!product || (!variant && line.isOfVariant)) return undefined;
  const isOwn = variant !== undefined && variant.default_amount !== true;
  const resource = isOwn ? 'Variant' : 'Product';
  const { id, amount } = isOwn ? variant : product;
  const sku = isOwn ? (variant.sku ?? product.sku) : product.sku;
  const change = changes.get(`${resource} ${id}`) ?? {
    resource,
    id,
    sku,
    from: amount as number,
    to: amount as number,
  };
  changes.set(`${resource} ${id}`, change);
  return change;
}

function moved(changes: ReadonlyMap<string, Change>): Change[] {
  return [...changes.values()].filter(({ from, to }) => from !== to);
}

export async function saveAmounts(unit: Unit, { changes }: Pick<Movement, 'changes'>): Promise<void> {
  for (const resource of ['Product', 'Variant'] as const) {
    const own = changes.filter((change) => change.resource === resource);
    await unit.updateAll(resource, new Map(own.map(({ id, to }) => [id, { amount: to }])));
  }
}

/** The history's data of a movement: each product or variant with its amount before and after. */
export function told({ changes }: Movement): Value[] {
  return changes.map(({ sku, from, to }) => ({ sku, from, to }));
}
