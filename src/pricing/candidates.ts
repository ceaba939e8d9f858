/** Steps 1 to 3: base price, options, and the lowest of all candidates for the unit price (pricing.md §4). */

import { type Currency, type Fraction, roundedPrice, wholeFraction, withoutPercentage } from './arithmetic.ts';
import type { Buyer, Line, ProductFacts, SaleDiscount, WholesalePrice } from './input.ts';
import { allowsMembership, isActive, matchesProduct } from './matching.ts';
import { percentOf, sum, unitsOf } from './money.ts';
import type { Explanation, Reason } from './result.ts';
import { compareRows, reasonAgainstRow, type WholesaleRows } from './wholesale.ts';

/** A possible unit price (pricing.md §4). */
export interface Candidate {
  readonly kind: Explanation['kind'];
  readonly rowId: number | null;
  readonly saleId: number | null;
  /** Unit price in ten-thousandths, rounded if a rule of orders.md §9 says so. */
  readonly price: bigint;
}

/** A unit price before rounding. */
interface ExactPrice {
  readonly exact: Fraction;
  /** Whether a percentage determines it, so that it is rounded. */
  readonly hasPercentage: boolean;
}

/** A sale in percent that combines with wholesale rows (pricing.md §4). */
interface CombinableSale {
  readonly percent: number;
  /** Null for the own sale. */
  readonly saleId: number | null;
}

/** What the candidates of a line depend on, besides the line. */
interface PriceContext {
  readonly buyer: Buyer;
  readonly wholesale: WholesaleRows;
  /** Sale discounts that the buyer could get now, by id. */
  readonly saleDiscounts: readonly SaleDiscount[];
  readonly currency: Currency;
}

/** Finds all candidates of a line, in the order of pricing.md §4. The first is the regular price. */
export function candidatesOf(line: Line, context: PriceContext): Candidate[] {
  const base = basePriceOf(line);
  const options = optionsEffectOf(line, base);
  const regular: ExactPrice = { exact: wholeFraction(base + options), hasPercentage: false };
  const ownSale = ownSaleOf(line);
  const sales = context.saleDiscounts.filter((discount) => reasonAgainstSaleOfLine(discount, line.product) === null);
  const rows = eligibleRowsOf(context).map((row) => ({ id: row.id, price: rowPriceOf(row, options, regular) }));
  const combinable = rows.length === 0 ? [] : combinableSalesOf(line, ownSale, sales);
  const isRounded = line.options.some(({ price_modifier }) => price_modifier !== 0);
  const candidates: Candidate[] = [];
  const add = (kind: Candidate['kind'], price: ExactPrice, rowId: number | null, saleId: number | null): void => {
    candidates.push({ kind, rowId, saleId, price: roundedUnitPrice(price, isRounded, context.currency) });
  };
  add('regular', regular, null, null);
  if (ownSale) add('own_sale', ownSalePriceOf(ownSale, options, regular), null, null);
  for (const sale of sales) add('sale_discount', reducedBy(regular, sale.value), null, sale.id);
  for (const row of rows) add('wholesale_price', row.price, row.id, null);
  for (const row of rows)
    for (const sale of combinable) add('combination', reducedBy(row.price, sale.percent), row.id, sale.saleId);
  return candidates;
}

/** The own sale if the product allows it, then the sale discounts, if they also apply to wholesale prices. */
function combinableSalesOf(
  { product }: Line,
  ownSale: OwnSale | undefined,
  sales: readonly SaleDiscount[],
): CombinableSale[] {
  const combinable: CombinableSale[] = sales
    .filter(({ apply_to_wholesale }) => apply_to_wholesale)
    .map(({ id, value }) => ({ percent: value, saleId: id }));
  if (ownSale?.type !== 'sale_percent' || !product.apply_sale_to_wholesale) return combinable;
  return [{ percent: ownSale.value, saleId: null }, ...combinable];
}

/** Returns the first of the lowest candidates, after rounding (pricing.md §4). */
export function lowestOf(candidates: readonly Candidate[]): Candidate {
  let lowest = candidates[0]!;
  for (const each of candidates) if (each.price < lowest.price) lowest = each;
  return lowest;
}

/** @returns why a buyer gets a sale discount on no product now (pricing.md §2); null if the buyer could get it */
export function reasonAgainstSale(discount: SaleDiscount, buyer: Buyer, time: number): Reason | null {
  if (!discount.enabled) return 'disabled';
  if (!isActive(discount, time)) return 'dates';
  return allowsMembership(discount.memberships, buyer) ? null : 'membership';
}

/** @returns why a sale discount is no candidate for a product (pricing.md §4); null if it is one */
export function reasonAgainstSaleOfLine(discount: SaleDiscount, product: ProductFacts): Reason | null {
  if (!matchesProduct(discount, product)) return 'not_listed';
  return product.participate_sale ? 'own_sale' : null;
}

/** Step 1: the variant's own price, else the product's. */
function basePriceOf({ product, variant }: Line): bigint {
  return unitsOf(variant && !variant.default_price ? variant.price : product.price);
}

/** Step 2: the effects of all options. Each percentage of the base price is rounded to 4 decimals (orders.md §9). */
function optionsEffectOf({ options }: Line, base: bigint): bigint {
  return sum(
    options.map(({ price_modifier, price_modifier_type }) =>
      price_modifier_type === 'percent' ? percentOf(base, price_modifier) : unitsOf(price_modifier),
    ),
  );
}

interface OwnSale {
  readonly type: ProductFacts['discount_type'];
  readonly value: number;
}

/** Returns the variant's own sale, else the product's (pricing.md §2). */
function ownSaleOf({ product, variant }: Line): OwnSale | undefined {
  if (!product.participate_sale) return undefined;
  if (variant && !variant.default_sale_price)
    return { type: variant.sale_discount_type, value: variant.sale_price_value };
  return { type: product.discount_type, value: product.sale_price_value };
}

function ownSalePriceOf({ type, value }: OwnSale, options: bigint, regular: ExactPrice): ExactPrice {
  if (type === 'sale_percent') return reducedBy(regular, value);
  return { exact: wholeFraction(unitsOf(value) + options), hasPercentage: false };
}

function rowPriceOf({ type, price }: WholesalePrice, options: bigint, regular: ExactPrice): ExactPrice {
  if (type === 'percent') return reducedBy(regular, price);
  return { exact: wholeFraction(unitsOf(price) + options), hasPercentage: false };
}

/** Subtracts a percentage, without rounding. A percentage of 0 counts as one (pricing.md §4). */
function reducedBy({ exact }: ExactPrice, percent: number): ExactPrice {
  return { exact: withoutPercentage(exact, percent), hasPercentage: true };
}

/** Rounds once if an option or a percentage changes the price (orders.md §9, step 4). */
function roundedUnitPrice({ exact, hasPercentage }: ExactPrice, isRounded: boolean, currency: Currency): bigint {
  // A price without a percentage is a whole number of ten-thousandths.
  return hasPercentage || isRounded ? roundedPrice(exact, currency) : exact.numerator;
}

function eligibleRowsOf({ buyer, wholesale: { rows, quantity } }: PriceContext): WholesalePrice[] {
  return rows.filter((row) => reasonAgainstRow(row, quantity, buyer) === null).sort(compareRows);
}
