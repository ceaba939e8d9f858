/** Steps 1 to 9 of the calculation, in the order of pricing.md §4. */

import { type Currency, currencyOf, toMinorUnits, wholeFraction } from './arithmetic.ts';
import { type Candidate, candidatesOf, lowestOf, reasonAgainstSale } from './candidates.ts';
import { type ConversionRates, conversionOf } from './conversion.ts';
import { type AppliedCoupons, applyCoupons } from './coupons.ts';
import { type AppliedDiscount, withoutShares } from './discounts.ts';
import type { Buyer, Charge, Input, Line, Rules, SaleDiscount, ShippingBasis, VolumeDiscount } from './input.ts';
import { isExempt } from './matching.ts';
import { unitsOf } from './money.ts';
import { chargesOf, type LineAmounts, shippingBasisOf } from './shipping.ts';
import { NO_RATES, type SelectedRates, selectRates, type TaxSituation } from './tax-rates.ts';
import { type AppliedTax, taxesOf } from './taxes.ts';
import { bestVolumeDiscount } from './volume-discount.ts';
import { wholesaleRowsOf } from './wholesale.ts';

/** Steps 1 to 5 of a line. */
export interface PricedLine {
  /** All candidates in the order of pricing.md §4; `[]` if the body has the price. */
  readonly candidates: readonly Candidate[];
  /** Undefined if the body has the price. */
  readonly winner: Candidate | undefined;
  /** Unit prices in ten-thousandths, after step 4. */
  readonly price: bigint;
  readonly regularPrice: bigint;
  /** In minor units. */
  readonly subtotal: bigint;
}

/** The results of all steps. Amounts are in minor units. */
export interface Steps {
  readonly currency: Currency;
  readonly lines: readonly PricedLine[];
  readonly volume: AppliedDiscount<VolumeDiscount> | undefined;
  readonly coupons: AppliedCoupons;
  readonly shippingBasis: ShippingBasis;
  readonly charges: readonly Charge[];
  readonly taxes: readonly AppliedTax[];
  /** The rates that a line or a charge pays; none for an exempt buyer. */
  readonly ratesOfLine: (line: Line) => SelectedRates;
  readonly ratesOfCharge: (charge: Charge) => SelectedRates;
  readonly situation: TaxSituation;
  readonly isExempt: boolean;
}

/** Runs steps 1 to 9 (pricing.md §4). */
export function stepsOf(input: Input): Steps {
  const { rules, buyer, time } = input;
  const settings = rules.tax_settings;
  const currency = currencyOf(rules.currency);
  const situation = { membership: buyer.membership, zones: input.address, time };
  const rates = conversionRatesOf(input);
  // Steps 1 to 5: unit prices and line subtotals.
  const lines = priceLines(input, rates, currency);
  const subtotals = lines.map(({ subtotal }) => subtotal);
  // Steps 6 and 7: discounts.
  const volume = bestVolumeDiscount(input, subtotals, currency);
  const coupons = applyCoupons(
    input,
    subtotals,
    volume ? withoutShares(subtotals, volume.shares) : subtotals,
    currency,
  );
  const amounts: LineAmounts = { subtotals, rests: coupons.rests };
  // Step 8: charges.
  const isFreeByCoupon = coupons.applied.some(({ discount }) => discount.type === 'S');
  const shippingBasis = shippingBasisOf(input, amounts, isFreeByCoupon, currency);
  const charges = chargesOf(input, shippingBasis);
  // Step 9: taxes.
  const isExemptBuyer = rates.isExempt;
  const ofCharges = selectRates(rules.tax_rates, situation, 'charge');
  const ratesOfLine = ({ product }: Line): SelectedRates =>
    isExemptBuyer || !product.taxable ? NO_RATES : rates.ofBuyer(product.tax_class);
  const ratesOfCharge = ({ tax_class }: Charge): SelectedRates => (isExemptBuyer ? NO_RATES : ofCharges(tax_class));
  const taxation = { lines: input.lines, amounts, charges, ratesOfLine, ratesOfCharge, settings, currency };
  const taxes = taxesOf(taxation);
  const applied = { lines, volume, coupons, shippingBasis, charges, taxes };
  return { currency, ...applied, ratesOfLine, ratesOfCharge, situation, isExempt: isExemptBuyer };
}

/** Finds the rates that determine the conversion of prices (pricing.md §4, step 4). */
export function conversionRatesOf({ rules, buyer, time, address }: Input): ConversionRates {
  const { tax_rates, tax_settings, missing_address } = rules;
  return {
    contained: selectRates(tax_rates, { membership: null, zones: missing_address, time }, 'line'),
    ofBuyer: selectRates(tax_rates, { membership: buyer.membership, zones: address, time }, 'line'),
    isExempt: isExempt(buyer, address, tax_settings),
  };
}

/** Returns the sale discounts that the buyer could get now, by id. */
export function openSaleDiscounts(
  { sale_discounts }: Pick<Rules, 'sale_discounts'>,
  buyer: Buyer,
  time: number,
): SaleDiscount[] {
  return sale_discounts
    .filter((discount) => reasonAgainstSale(discount, buyer, time) === null)
    .sort((one, other) => one.id - other.id);
}

function priceLines(input: Input, rates: ConversionRates, currency: Currency): PricedLine[] {
  const { lines, buyer, rules, time } = input;
  const wholesale = wholesaleRowsOf(lines);
  const saleDiscounts = openSaleDiscounts(rules, buyer, time);
  return lines.map((line, index) => {
    if (line.price !== null) return pricedByBody(line, line.price, currency);
    const candidates = candidatesOf(line, { buyer, wholesale: wholesale[index]!, saleDiscounts, currency });
    const winner = lowestOf(candidates);
    const converted = conversionOf(line, rates, rules.tax_settings, currency);
    const price = converted(atLeastZero(winner.price));
    const regularPrice = converted(atLeastZero(candidates[0]!.price));
    return { candidates, winner, price, regularPrice, subtotal: subtotalOf(line, price, currency) };
  });
}

/** A `price` in the body replaces steps 1 to 4, and `regular_price`. */
function pricedByBody(line: Line, bodyPrice: number, currency: Currency): PricedLine {
  const price = unitsOf(bodyPrice);
  return {
    candidates: [],
    winner: undefined,
    price,
    regularPrice: price,
    subtotal: subtotalOf(line, price, currency),
  };
}

/** Step 5: unit price × amount, rounded. */
function subtotalOf({ amount }: Line, price: bigint, currency: Currency): bigint {
  return toMinorUnits(wholeFraction(price * BigInt(amount)), currency);
}

export function atLeastZero(price: bigint): bigint {
  return price < 0n ? 0n : price;
}
