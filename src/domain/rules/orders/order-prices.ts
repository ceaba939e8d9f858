/** The price and weight of one piece of a line: variant, sale and the options that were chosen, exactly (orders.md §9). */
import type { Value } from '../../../engine/vocabulary.ts';
import { percentOf, rounded, sum, unitsOf, withoutPercent } from './money.ts';
import type { Product, Variant } from './order-stock.ts';

/** How an option changes price and weight. */
export interface Modifiers {
  readonly price_modifier: number;
  readonly price_modifier_type: Value;
  readonly weight_modifier: number;
  readonly weight_modifier_type: Value;
}

/** The price that options are added to before a sale in percent, and that percentages are of. */
interface Own {
  readonly price: bigint;
  readonly weight: bigint;
}

/** The variant's own price and weight, else the product's, whatever the sale. */
export function ownOf(product: Product, variant: Variant | undefined): Own {
  const price = variant && variant.default_price !== true ? variant.price : product.price;
  const weight = variant && variant.default_weight !== true ? variant.weight : product.weight;
  return { price: unitsOf(price as number), weight: unitsOf(weight as number) };
}

/** Ten-thousandths that an option adds to the price, or takes away. */
export function priceEffect({ price_modifier, price_modifier_type }: Modifiers, own: Own): bigint {
  return effectOf(price_modifier, price_modifier_type, own.price);
}

function effectOf(modifier: number, type: Value, of: bigint): bigint {
  return type === 'percent' ? percentOf(of, modifier) : unitsOf(modifier);
}

/**
 * Ten-thousandths of the price of one piece: rounded once to the currency's decimals where an option or a percentage
 * changes it, else as somebody has set it.
 */
export function priceOf(product: Product, own: Own, options: readonly Modifiers[], decimals: number): bigint {
  const { participate_sale, discount_type, sale_price_value } = product;
  const isOwnPrice = participate_sale === true && discount_type === 'sale_price';
  const isPercent = participate_sale === true && discount_type !== 'sale_price';
  const base = isOwnPrice ? unitsOf(sale_price_value as number) : own.price;
  const whole = base + sum(options.map((option) => priceEffect(option, own)));
  if (isPercent) return withoutPercent(whole, sale_price_value as number, decimals);
  return options.some(({ price_modifier }) => price_modifier !== 0) ? rounded(whole, decimals) : whole;
}

/** Ten-thousandths of the weight of one piece, at least none. */
export function weightOf(own: Own, options: readonly Modifiers[]): bigint {
  const effects = options.map((option) => effectOf(option.weight_modifier, option.weight_modifier_type, own.weight));
  const whole = own.weight + sum(effects);
  return whole < 0n ? 0n : whole;
}
