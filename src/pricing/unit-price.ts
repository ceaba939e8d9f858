/** Prices of one product without an order: tiers, lists and the price history (pricing.md §§5, 6). */

import { currencyOf } from './arithmetic.ts';
import { calculate } from './calculate.ts';
import { candidatesOf, lowestOf } from './candidates.ts';
import type { Buyer, Input, Line, Rules } from './input.ts';
import { amountOf } from './money.ts';
import { openSaleDiscounts } from './steps.ts';
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
  { buyer, time, rules }: { readonly buyer: Buyer; readonly time: number; readonly rules: Rules },
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

/** Lists quantity 1, and each quantity at which the unit price after conversion falls (pricing.md §5). @param input one line */
export function tiersOf(input: Input): Tier[] {
  const line = input.lines[0]!;
  const begins = wholesaleRowsOf([line])[0]!.rows.map(({ quantity_range_begin }) => quantity_range_begin);
  const quantities = [...new Set([1, ...begins])].sort((one, other) => one - other);
  const tiers: Tier[] = [];
  for (const quantity of quantities) {
    const lines = [{ ...line, amount: quantity }];
    const { price } = calculate({ ...input, lines, coupons: [], shipping: [], explain: false }).lines[0]!;
    const last = tiers.at(-1);
    if (!last || price < last.price) tiers.push({ quantity, price });
  }
  return tiers;
}
