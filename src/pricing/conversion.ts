/** Step 4: conversion of prices that include taxes to the buyer's taxes (pricing.md §4, *Conversion*). */
import { type Currency, roundedPrice, WHOLE } from './arithmetic.ts';
import type { Line, TaxSettings } from './input.ts';
import type { RateSelection } from './tax-rates.ts';

/** The rates that a conversion compares. */
export interface ConversionRates {
  /** R0: rates for a missing address and no membership. Included prices contain them. */
  readonly contained: RateSelection;
  /** Rx: the buyer's rates, without exemption. */
  readonly ofBuyer: RateSelection;
  readonly isExempt: boolean;
}

/** Returns a function that converts the unit prices of a line. @param settings the tax settings of the store */
export function conversionOf(
  { product }: Line,
  { contained, ofBuyer, isExempt }: ConversionRates,
  settings: TaxSettings,
  currency: Currency,
): (price: bigint) => bigint {
  const unchanged = (price: bigint): bigint => price;
  if (!settings.prices_include_tax || !product.taxable) return unchanged;
  const buyersRate = ofBuyer(product.tax_class).total;
  const [from, to] =
    settings.outside_zone === 'net'
      ? [contained(product.tax_class).total, isExempt ? 0n : buyersRate]
      : [isExempt ? buyersRate : 0n, 0n];
  if (from === to) return unchanged;
  return (price) => roundedPrice({ numerator: price * (WHOLE + to), denominator: WHOLE + from }, currency);
}
