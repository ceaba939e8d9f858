/** Entry point of the price calculation (pricing.md §§3, 4 and 6). */
export { calculate, type Evaluation, evaluate } from './calculate.ts';
export { hasUsesLeft } from './coupons.ts';
export { type CreditedLine, creditedPart } from './credit.ts';
export { editedInput } from './edit.ts';
export * from './input.ts';
export { lowestPriceOf30Days, type PriceChange } from './price-history.ts';
export { relevantInput } from './relevant-input.ts';
export * from './result.ts';
export { type ShippingOffer, type ShippingRate, type ShippingTerms, shippingOffer } from './shipping-rates/cost.ts';
export { holesBetween } from './shipping-rates/coverage.ts';
export { type Bounds, MEASURES, overlap } from './shipping-rates/ranges.ts';
export {
  createPriceList,
  type ListedProduct,
  nextChange,
  type PreparedDiscount,
  prepareDiscount,
  type Tier,
  tiersOf,
  type UnitPrice,
  unitPriceOf,
} from './unit-price.ts';
export {
  addressForTaxes,
  type MatchedZone,
  matchedZones,
  type PostalAddress,
  type Zone,
  type ZoneElement,
} from './zones.ts';
