/** The lines of a cart as output shows them (storefront.md §5). */
import type { Value } from '../../../engine/vocabulary.ts';
import type { Result } from '../../../pricing/index.ts';
import { attributeNames } from '../orders/order-options.ts';
import { availableUnits } from '../orders/order-stock.ts';
import type {
  CalculatedLine,
  CalculatedOption,
  CartContext,
  CartLine,
  CartOption,
  CartProblem,
} from './cart-content.ts';
import type { FilledLines } from './cart-lines.ts';
import type { CartReads } from './cart-uses.ts';

interface Findings {
  readonly filled: FilledLines;
  /** Problems of lines that do not count, by index. */
  readonly excluded: ReadonlyMap<number, CartProblem>;
  /** The positions in the result of the other lines, by index. */
  readonly counted: ReadonlyMap<number, number>;
  readonly result: Result | undefined;
}

export async function shownLines(
  reads: CartReads,
  lines: readonly CartLine[],
  { filled: { items, goods }, excluded, counted, result }: Findings,
  context: CartContext,
): Promise<CalculatedLine[]> {
  const stored = lines.filter((_, index) => excluded.has(index)).flatMap(({ options }) => options);
  const names = await attributeNames(
    stored.map(({ attribute_id }) => attribute_id),
    context,
    reads,
  );
  return lines.map(({ id, product_id, variant, options, amount }, index) => {
    const product = goods.products.get(product_id);
    const item = items[index]!;
    const sold = result?.lines[counted.get(index) ?? -1];
    const isSellable = product && excluded.get(index)?.code !== 'variant-required';
    return {
      ...{ id, product_id, variant },
      sku: product ? ((item.sku ?? null) as string | null) : null,
      name: goods.names.get(product_id) ?? null,
      options: sold
        ? (item.options as readonly Value[]).map(soldOption)
        : options.map((option) => storedOption(option, names)),
      amount,
      price: sold?.price ?? null,
      discounted_subtotal: sold?.subtotal ?? 0,
      available: isSellable ? availableOf(product, goods.variants.get(variant), context) : 0,
    };
  });
}

function availableOf(
  product: Parameters<typeof availableUnits>[0],
  variant: Parameters<typeof availableUnits>[1],
  { lineAmountMax }: CartContext,
): number {
  return Math.min(availableUnits(product, variant) ?? lineAmountMax, lineAmountMax);
}

function soldOption(option: Value): CalculatedOption {
  const { attribute_id, name, value_id, value, price_effect } = option as unknown as CalculatedOption;
  return { attribute_id, name, value_id, value, price_effect };
}

/** An option of a line that does not count, without what the product no longer has. */
function storedOption(
  { attribute_id, value_id = undefined, text = '' }: CartOption,
  names: ReadonlyMap<Value, string>,
): CalculatedOption {
  return {
    attribute_id,
    name: names.get(attribute_id) ?? '',
    value_id: value_id ?? null,
    value: text,
    price_effect: 0,
  };
}
