/** Prices of one product without an order: tiers, lists and the price history (pricing.md §§5, 6). */

import { currencyOf } from './arithmetic.ts';
import { candidatesOf, lowestOf } from './candidates.ts';
import { conversionOf } from './conversion.ts';
import type { Buyer, Input, Line, Rules } from './input.ts';
import { amountOf } from './money.ts';
import { atLeastZero, conversionRatesOf, openSaleDiscounts } from './steps.ts';
import { wholesaleRowsOf } from './wholesale.ts';

/** A unit price before conversion. Below 0 if the options take off more than the price. */
export interface UnitPrice {
  readonly price: number;
  /** The candidate *regular*. */
  readonly regular_price: number;
}

/** Finds the unit price of a line before conversion (pricing.md §4, steps 1 to 3). @param line its `price` has no effect */
export function unitPriceOf(
  line: Line,
  {
    buyer,
    time,
    rules,
  }: {
    readonly buyer: Buyer;
    readonly time: number;
    readonly rules: Pick<Rules, 'currency' | 'sale_discounts'>;
  },
): UnitPrice {
  const [wholesale] = wholesaleRowsOf([line]);
  const currency = currencyOf(rules.currency);
  const saleDiscounts = openSaleDiscounts(rules, buyer, time);
  const candidates = candidatesOf(line, { buyer, wholesale: wholesale!, saleDiscounts, currency });
  return { price: amountOf(lowestOf(candidates).price), regular_price: amountOf(candidates[0]!.price) };
}

/** A quantity from which a unit costs less. */
export interface Tier {
  readonly quantity: number;
  readonly price: number;
}

/**
 * Lists quantity 1, and each quantity at which the unit price after conversion falls (pricing.md §5). All candidates are computed
 * only once, because a row that is a candidate remains one at every larger quantity.
 *
 * @param input one line; its `price` has no effect
 */
export function tiersOf(input: Input): Tier[] {
  const { buyer, time, rules } = input;
  const line = input.lines[0]!;
  const { rows } = wholesaleRowsOf([line])[0]!;
  const currency = currencyOf(rules.currency);
  const saleDiscounts = openSaleDiscounts(rules, buyer, time);
  const wholesale = { rows, quantity: Number.POSITIVE_INFINITY };
  const begins = new Map(rows.map(({ id, quantity_range_begin }) => [id, quantity_range_begin]));
  const byQuantity = Map.groupBy(candidatesOf(line, { buyer, wholesale, saleDiscounts, currency }), ({ rowId }) =>
    rowId === null ? 1 : begins.get(rowId)!,
  );
  const converted = conversionOf(line, conversionRatesOf(input), rules.tax_settings, currency);
  const tiers: Tier[] = [];
  for (const [quantity, candidates] of [...byQuantity].sort(([one], [other]) => one - other)) {
    // The conversion never reverses the order of two prices.
    const price = amountOf(converted(atLeastZero(lowestOf(candidates).price)));
    const last = tiers.at(-1);
    if (!last || price < last.price) tiers.push({ quantity, price });
  }
  return tiers;
}
