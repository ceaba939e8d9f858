/** Exact price and weight of one unit of an order line, from variant, sale and chosen options (orders.md §9). */
import type { Value } from '../../../engine/vocabulary.ts';
import { percentOf, rounded, sum, unitsOf, withoutPercent } from '../../../pricing/money.ts';
import type { Product, Variant } from './order-stock.ts';

/** How an option changes price and weight. */
export interface Modifiers {
  readonly price_modifier: number;
  readonly price_modifier_type: Value;
  readonly weight_modifier: number;
  readonly weight_modifier_type: Value;
}

/** Price and weight before sale and options, in ten-thousandths. Modifiers in percent are percentages of these. */
interface BasePrice {
  readonly price: bigint;
  readonly weight: bigint;
}

/** Returns the variant's own price and weight, or the product's if the variant has none. */
export function basePriceOf(product: Product, variant: Variant | undefined): BasePrice {
  const price = variant && variant.default_price !== true ? variant.price : product.price;
  const weight = variant && variant.default_weight !== true ? variant.weight : product.weight;
  return { price: unitsOf(price as number), weight: unitsOf(weight as number) };
}

/** Computes what an option adds to the price, in ten-thousandths; can be negative. */
export function priceEffect({ price_modifier, price_modifier_type }: Modifiers, base: BasePrice): bigint {
  return effectOf(price_modifier, price_modifier_type, base.price);
}

function effectOf(modifier: number, type: Value, of: bigint): bigint {
  return type === 'percent' ? percentOf(of, modifier) : unitsOf(modifier);
}

/**
 * Computes the price of one unit in ten-thousandths. Rounds once, to `decimals`, and only if an option or a percentage
 * changes the price: a price that was set by hand is charged as it is.
 */
export function unitPriceOf(
  product: Product,
  base: BasePrice,
  options: readonly Modifiers[],
  decimals: number,
): bigint {
  const { participate_sale, discount_type, sale_price_value } = product;
  const isFixedPrice = participate_sale === true && discount_type === 'sale_price';
  const isPercent = participate_sale === true && discount_type !== 'sale_price';
  const start = isFixedPrice ? unitsOf(sale_price_value as number) : base.price;
  const whole = start + sum(options.map((option) => priceEffect(option, base)));
  if (isPercent) return withoutPercent(whole, sale_price_value as number, decimals);
  return options.some(({ price_modifier }) => price_modifier !== 0) ? rounded(whole, decimals) : whole;
}

/** Computes the weight of one unit in ten-thousandths; at least 0. */
export function unitWeightOf(base: BasePrice, options: readonly Modifiers[]): bigint {
  const effects = options.map((option) => effectOf(option.weight_modifier, option.weight_modifier_type, base.weight));
  const whole = base.weight + sum(effects);
  return whole < 0n ? 0n : whole;
}
