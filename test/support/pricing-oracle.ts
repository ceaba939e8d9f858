/**
 * A second price calculation, to compare `calculate` with. It follows pricing.md §§1–4 step by step, with exact
 * fractions, and shares no code with `src/pricing`. It is slow and has no shortcuts on purpose.
 */
import type {
  Charge,
  Coupon,
  DateRange,
  Explanation,
  Input,
  Line,
  LineResult,
  MatchedZone,
  ProductRestrictions,
  Reason,
  Rejection,
  Result,
  SaleDiscount,
  TaxRate,
  VolumeDiscount,
  WholesalePrice,
} from '../../src/pricing/index.ts';
import { Rational } from './rational.ts';

export interface OracleAnswer {
  readonly result: Omit<Result, 'explanation'>;
  readonly rejections: readonly Rejection[];
  /** The rules that won, as the explanation shows them. */
  readonly winners: readonly Winner[];
  /** The candidates of step 3 in the order of the contract, as the explanation shows them. */
  readonly candidates: readonly (Winner & Pick<Explanation, 'reason'>)[];
  /** What the discounts and taxes of the result were allocated by. */
  readonly allocations: readonly Allocation[];
  readonly isExempt: boolean;
}

export type Winner = Pick<Explanation, 'scope' | 'kind' | 'id' | 'value'>;

/** An amount that was divided among lines (and, for taxes, then charges) in proportion to weights. */
export interface Allocation {
  readonly of: 'discounts' | 'taxes';
  /** Position in the list of the result. */
  readonly index: number;
  readonly weights: readonly Rational[];
  /** The minor unit of the currency. */
  readonly unit: Rational;
}

/** Minor units of the currencies in tests (ISO 4217). */
const DECIMALS: Readonly<Record<string, number>> = { JPY: 0, EUR: 2, USD: 2, KWD: 3 };

interface Candidate {
  readonly kind: Winner['kind'];
  readonly row: WholesalePrice | null;
  readonly sale: SaleDiscount | null;
  readonly unrounded: Rational;
  /** After step 3. */
  readonly price: Rational;
}

interface PricedLine {
  readonly price: Rational;
  readonly regularPrice: Rational;
  /** Null if the body has a `price`. There are then no candidates. */
  readonly winner: Candidate | null;
  readonly candidates: readonly Candidate[];
  readonly subtotal: Rational;
}

interface Discount {
  readonly kind: 'volume_discount' | 'coupon';
  readonly id: number;
  readonly code: string | null;
  readonly value: Rational;
  readonly shares: readonly Rational[];
  /** The rests that it was allocated by; 0 for lines that it does not cover. */
  readonly weights: readonly Rational[];
}

interface Tax {
  readonly rate: TaxRate;
  readonly shares: readonly Rational[];
  readonly chargeShares: readonly Rational[];
  /** Null unless `rounding_target` is `total`. */
  readonly weights: readonly Rational[] | null;
}

/** A taxed part: a line, a charge, or the share of a charge that belongs to a line. */
interface Part {
  readonly line: number | null;
  readonly charge: number | null;
  readonly amount: Rational;
  readonly subtotal: Rational;
  readonly rest: Rational;
  readonly rates: readonly TaxRate[];
}

export function oracle(input: Input): OracleAnswer {
  const lines = input.lines.map((line) => pricedLine(input, line));
  const subtotals = lines.map(({ subtotal }) => subtotal);
  const volume = volumeDiscount(input, subtotals);
  const reasons = input.coupons.map((coupon) => couponReason(input, coupon, subtotals));
  const applied = input.coupons.filter((_, index) => reasons[index] === 'won').sort(byId);
  const discounts = couponDiscounts(input, subtotals, volume === null ? [] : [volume], applied);
  const rests = restsOf(subtotals, discounts);
  const charges = chargesOf(
    input,
    subtotals,
    rests,
    applied.some(({ type }) => type === 'S'),
  );
  const taxes = taxesOf(input, subtotals, rests, charges);
  return {
    result: {
      currency: input.rules.currency,
      lines: lines.map((line, index) => lineResult(line, input.lines[index]!)),
      discounts: discounts.map(({ kind, id, code, value, shares }) => ({
        ...{ kind, id, code },
        value: value.toNumber(),
        shares: numbers(shares),
      })),
      charges,
      taxes: taxes.map(({ rate, shares, chargeShares }) => ({
        ...{ id: rate.id, code: rate.tax, name: rate.name, include: input.rules.tax_settings.prices_include_tax },
        value: Rational.sum([...shares, ...chargeShares]).toNumber(),
        shares: numbers(shares),
        charge_shares: numbers(chargeShares),
      })),
      totals: totalsOf(input, subtotals, discounts, charges, taxes),
    },
    rejections: rejectionsOf(input, lines, reasons),
    winners: winnersOf(input, lines, discounts, taxes, charges),
    candidates: lines.flatMap(explainedCandidates),
    allocations: allocationsOf(input, discounts, taxes),
    isExempt: isExempt(input),
  };
}

// Rules that several steps use (pricing.md §§2, 4).

function decimalsOf({ rules }: Input): number {
  return DECIMALS[rules.currency]!;
}

function minorUnit(input: Input): Rational {
  return Rational.one.over(Rational.of(10 ** decimalsOf(input)));
}

function isActive({ date_range_begin, date_range_end }: DateRange, time: number): boolean {
  if (date_range_begin !== null && time < date_range_begin) return false;
  return date_range_end === null || time < date_range_end;
}

/** A restriction list: `[]` restricts nothing. One element is enough. */
function isInList(list: readonly number[], ids: readonly (number | null)[]): boolean {
  return list.length === 0 || list.some((id) => ids.includes(id));
}

function isListed(restrictions: ProductRestrictions, { product }: Line): boolean {
  if (restrictions.specific_products && !restrictions.products.includes(product.id)) return false;
  return (
    isInList(restrictions.product_classes, [product.product_class]) &&
    isInList(restrictions.categories, product.categories)
  );
}

function zoneIds(zones: readonly MatchedZone[]): number[] {
  return zones.map(({ id }) => id);
}

/** The part that remains after a percentage is taken off. */
function less(price: Rational, percentage: number): Rational {
  return price.times(Rational.one.minus(percent(percentage)));
}

function percent(value: number): Rational {
  return Rational.of(value).over(Rational.of(100));
}

function byId(one: { readonly id: number }, other: { readonly id: number }): number {
  return one.id - other.id;
}

/** `allocate(D, w)` (pricing.md §4). */
function allocate(total: Rational, weights: readonly Rational[], input: Input): Rational[] {
  const sum = Rational.sum(weights);
  if (sum.isZero) return weights.map((_, index) => (index === 0 ? total : Rational.zero));
  const unit = minorUnit(input);
  const parts = weights.map((weight, index) => {
    const exact = total.times(weight).over(sum);
    const floor = exact.round(decimalsOf(input), 'down');
    return { index, floor, fraction: exact.minus(floor) };
  });
  const shares = parts.map(({ floor }) => floor);
  let left = total.minus(Rational.sum(shares));
  const byFraction = [...parts].sort((one, other) => other.fraction.compare(one.fraction) || one.index - other.index);
  for (const { index } of byFraction) {
    if (left.isZero) break;
    shares[index] = shares[index]!.plus(unit);
    left = left.minus(unit);
  }
  return shares;
}

/** The rest of each line: its subtotal less the shares so far. */
function restsOf(subtotals: readonly Rational[], discounts: readonly Discount[]): Rational[] {
  return subtotals.map((subtotal, index) =>
    subtotal.minus(Rational.sum(discounts.map(({ shares }) => shares[index]!))),
  );
}

// Steps 1 to 5: unit prices and line subtotals.

function pricedLine(input: Input, line: Line): PricedLine {
  if (line.price !== null) {
    const price = Rational.of(line.price);
    return { price, regularPrice: price, winner: null, candidates: [], subtotal: lineSubtotal(input, line, price) };
  }
  const base = basePrice(line);
  const effects = optionEffects(line, base);
  const candidates = candidatesOf(input, line, base, effects);
  const winner = lowest(candidates);
  const price = converted(input, line, winner.price);
  const regularPrice = converted(input, line, candidates[0]!.price);
  return { price, regularPrice, winner, candidates, subtotal: lineSubtotal(input, line, price) };
}

/** Step 1. */
function basePrice({ product, variant }: Line): Rational {
  return Rational.of(variant !== null && !variant.default_price ? variant.price : product.price);
}

/** Step 2. */
function optionEffects({ options }: Line, base: Rational): Rational {
  return Rational.sum(
    options.map(({ price_modifier, price_modifier_type }) =>
      price_modifier_type === 'absolute' ? Rational.of(price_modifier) : base.times(percent(price_modifier)).round(4),
    ),
  );
}

/** Step 3: the candidates in the order of pricing.md §4. */
function candidatesOf(input: Input, line: Line, base: Rational, effects: Rational): Candidate[] {
  const hasModifier = line.options.some(({ price_modifier }) => price_modifier !== 0);
  const candidate = (
    kind: Candidate['kind'],
    unrounded: Rational,
    isInPercent: boolean,
    rules: { readonly row?: WholesalePrice; readonly sale?: SaleDiscount } = {},
  ): Candidate => ({
    kind,
    unrounded,
    price: hasModifier || isInPercent ? unrounded.round(decimalsOf(input)) : unrounded,
    row: rules.row ?? null,
    sale: rules.sale ?? null,
  });
  const full = base.plus(effects);
  const own = ownSale(line);
  const sales = own === null ? salesOf(input, line) : [];
  const rows = rowsThatApply(input, line).map((row) =>
    row.type === 'price'
      ? candidate('wholesale_price', Rational.of(row.price).plus(effects), false, { row })
      : candidate('wholesale_price', less(full, row.price), true, { row }),
  );
  const result = [candidate('regular', full, false)];
  if (own?.isInPercent === false) result.push(candidate('own_sale', Rational.of(own.value).plus(effects), false));
  if (own?.isInPercent === true) result.push(candidate('own_sale', less(full, own.value), true));
  for (const sale of sales) result.push(candidate('sale_discount', less(full, sale.value), true, { sale }));
  result.push(...rows);
  for (const { unrounded, row } of rows) {
    if (own?.isInPercent && line.product.apply_sale_to_wholesale)
      result.push(candidate('combination', less(unrounded, own.value), true, { row: row! }));
    for (const sale of sales)
      if (sale.apply_to_wholesale)
        result.push(candidate('combination', less(unrounded, sale.value), true, { row: row!, sale }));
  }
  return result;
}

/** The first of the lowest after rounding. */
function lowest(candidates: readonly Candidate[]): Candidate {
  return candidates.reduce((best, one) => (one.price.compare(best.price) < 0 ? one : best));
}

/** The own sale of the variant or product. Null if the product has none. */
function ownSale({ product, variant }: Line): { readonly isInPercent: boolean; readonly value: number } | null {
  if (!product.participate_sale) return null;
  return variant !== null && !variant.default_sale_price
    ? { isInPercent: variant.sale_discount_type === 'sale_percent', value: variant.sale_price_value }
    : { isInPercent: product.discount_type === 'sale_percent', value: product.sale_price_value };
}

function salesOf({ rules, buyer, time }: Input, line: Line): SaleDiscount[] {
  return rules.sale_discounts
    .filter(
      (sale) =>
        sale.enabled && isActive(sale, time) && isInList(sale.memberships, [buyer.membership]) && isListed(sale, line),
    )
    .sort(byId);
}

/** The rows of a line and their owner (pricing.md §4). */
function rowsOf({ product, variant }: Line): { readonly owner: string; readonly rows: readonly WholesalePrice[] } {
  if (variant !== null && variant.wholesale_prices.length > 0)
    return { owner: `variant ${variant.id}`, rows: variant.wholesale_prices };
  if (variant === null || variant.default_price)
    return { owner: `product ${product.id}`, rows: product.wholesale_prices };
  return { owner: 'none', rows: [] };
}

function rowsThatApply({ lines, buyer }: Input, line: Line): WholesalePrice[] {
  const { owner, rows } = rowsOf(line);
  const quantity = lines.reduce((sum, one) => (rowsOf(one).owner === owner ? sum + one.amount : sum), 0);
  const isWithoutMembership = ({ membership }: WholesalePrice): number => (membership === null ? 1 : 0);
  return rows
    .filter(({ membership }) => membership === null || membership === buyer.membership)
    .filter(({ quantity_range_begin }) => quantity >= quantity_range_begin)
    .sort(
      (one, other) =>
        other.quantity_range_begin - one.quantity_range_begin ||
        isWithoutMembership(one) - isWithoutMembership(other) ||
        byId(one, other),
    );
}

/** Step 4 (pricing.md §4, *Conversion*). */
function converted(input: Input, line: Line, price: Rational): Rational {
  const { tax_settings, missing_address } = input.rules;
  if (!tax_settings.prices_include_tax) return price;
  const exempt = isExempt(input);
  const ofBuyer = Rational.one.plus(sumOfRates(lineRates(input, line, input.address, input.buyer.membership)));
  if (tax_settings.outside_zone === 'gross')
    return exempt && ofBuyer.compare(Rational.one) !== 0 ? price.over(ofBuyer).round(decimalsOf(input)) : price;
  const contained = Rational.one.plus(sumOfRates(lineRates(input, line, missing_address, null)));
  const paid = exempt ? Rational.one : ofBuyer;
  return paid.compare(contained) === 0 ? price : price.times(paid).over(contained).round(decimalsOf(input));
}

/** Step 5. */
function lineSubtotal(input: Input, { amount }: Line, price: Rational): Rational {
  return price.times(Rational.of(amount)).round(decimalsOf(input));
}

// Steps 6 and 7: discounts.

/** Step 6: the largest amount after the cap; ties to the lower id; 0 is none. */
function volumeDiscount(input: Input, subtotals: readonly Rational[]): Discount | null {
  const sum = Rational.sum(subtotals);
  let best: { readonly discount: VolumeDiscount; readonly value: Rational } | null = null;
  for (const discount of [...input.rules.volume_discounts].sort(byId)) {
    const isApplicable =
      isActive(discount, input.time) &&
      (discount.membership === null || discount.membership === input.buyer.membership) &&
      isInList(discount.zones, zoneIds(input.address)) &&
      sum.compare(Rational.of(discount.subtotal_range_begin)) >= 0;
    if (!isApplicable) continue;
    const value = Rational.least(amountOff(input, discount, sum), sum);
    if (value.compare(best?.value ?? Rational.zero) > 0) best = { discount, value };
  }
  if (best === null) return null;
  return {
    ...{ kind: 'volume_discount', id: best.discount.id, code: null, value: best.value },
    shares: allocate(best.value, subtotals, input),
    weights: subtotals,
  };
}

/** @param sum what a percentage is of */
function amountOff(input: Input, { type, value }: VolumeDiscount | Coupon, sum: Rational): Rational {
  if (type === 'S') return Rational.zero;
  return type === '$' ? Rational.of(value) : sum.times(percent(value)).round(decimalsOf(input));
}

/** Why a coupon does not apply, or `won` (pricing.md §§2, 4). */
function couponReason(input: Input, coupon: Coupon, subtotals: readonly Rational[]): Reason {
  const matching = subtotals.filter((_, index) => isListed(coupon, input.lines[index]!));
  const sum = Rational.sum(matching);
  const { total_range_begin: begin, total_range_end: end, uses_limit, uses_limit_per_user, uses_by_user } = coupon;
  if (!coupon.enabled) return 'disabled';
  if (!isActive(coupon, input.time)) return 'dates';
  if (!isInList(coupon.memberships, [input.buyer.membership])) return 'membership';
  if (!isInList(coupon.zones, zoneIds(input.address))) return 'zone';
  if (matching.length === 0) return 'not_listed';
  if (sum.compare(Rational.of(begin)) < 0 || (end !== 0 && sum.compare(Rational.of(end)) > 0)) return 'subtotal';
  if (uses_limit !== 0 && coupon.uses >= uses_limit) return 'uses';
  if (uses_limit_per_user !== 0 && uses_by_user !== null && uses_by_user >= uses_limit_per_user) return 'uses';
  return coupon.single_use && input.coupons.length > 1 ? 'not_combinable' : 'won';
}

/** Step 7. @param discounts those before the coupons @param coupons those that apply, by id */
function couponDiscounts(
  input: Input,
  subtotals: readonly Rational[],
  discounts: readonly Discount[],
  coupons: readonly Coupon[],
): Discount[] {
  const result = [...discounts];
  for (const coupon of coupons) {
    const rests = restsOf(subtotals, result);
    const covered = input.lines.flatMap((line, index) => (isListed(coupon, line) ? [index] : []));
    const weights = covered.map((index) => rests[index]!);
    const off = amountOff(input, coupon, Rational.sum(covered.map((index) => subtotals[index]!)));
    const value = Rational.least(off, Rational.sum(weights));
    const parts = allocate(value, weights, input);
    const perLine = (amounts: readonly Rational[]): Rational[] =>
      subtotals.map((_, index) => amounts[covered.indexOf(index)] ?? Rational.zero);
    result.push({
      ...{ kind: 'coupon', id: coupon.id, code: coupon.code, value },
      shares: perLine(parts),
      weights: perLine(weights),
    });
  }
  return result;
}

/** Step 8. */
function chargesOf(
  { lines, shipping }: Input,
  subtotals: readonly Rational[],
  rests: readonly Rational[],
  isFree: boolean,
): readonly Charge[] {
  if (typeof shipping !== 'function') return shipping;
  const shipped = lines.flatMap(({ product }, index) => (product.free_shipping ? [] : [index]));
  const weights = shipped.map((index) => Rational.of(lines[index]!.weight).times(Rational.of(lines[index]!.amount)));
  return shipping({
    items: shipped.reduce((sum, index) => sum + lines[index]!.amount, 0),
    weight: Rational.sum(weights).toNumber(),
    total: Rational.sum(shipped.map((index) => subtotals[index]!)).toNumber(),
    discounted_total: Rational.sum(shipped.map((index) => rests[index]!)).toNumber(),
    free_by_coupon: isFree,
  });
}

// Step 9: taxes (pricing.md §4).

function isExempt({ buyer, address, rules }: Input): boolean {
  const zone = rules.tax_settings.vat_id_exempt_zone;
  return buyer.tax_exempt || (buyer.vat_id !== '' && zone !== null && zoneIds(address).includes(zone));
}

function sumOfRates(rates: readonly TaxRate[]): Rational {
  return Rational.sum(rates.filter(({ type }) => type === '%').map(({ value }) => percent(value)));
}

/** The rates that a line pays at an address, without exemption. */
function lineRates(
  input: Input,
  { product }: Line,
  zones: readonly MatchedZone[],
  membership: number | null,
): TaxRate[] {
  if (!product.taxable) return [];
  return selectedRates(input, (rate) => rate.base !== 'shipping', product.tax_class, zones, membership);
}

/** One rate for each code: the first that applies. */
function selectedRates(
  { rules, time }: Input,
  hasBase: (rate: TaxRate) => boolean,
  taxClass: number | null,
  zones: readonly MatchedZone[],
  membership: number | null,
): TaxRate[] {
  const specificity = ({ zone }: TaxRate): number => zones.find(({ id }) => id === zone)?.specificity ?? -1;
  const applicable = rules.tax_rates
    .filter((rate) => rate.enabled && isActive(rate, time) && hasBase(rate))
    .filter((rate) => rate.zone === null || zoneIds(zones).includes(rate.zone))
    .filter((rate) => rate.tax_class === null || rate.tax_class === taxClass)
    .filter((rate) => rate.membership === null || rate.membership === membership)
    .sort(
      (one, other) =>
        one.position - other.position ||
        Number(other.tax_class !== null) - Number(one.tax_class !== null) ||
        Number(other.membership !== null) - Number(one.membership !== null) ||
        specificity(other) - specificity(one) ||
        byId(one, other),
    );
  return applicable.filter((rate, index) => applicable.findIndex(({ tax }) => tax === rate.tax) === index);
}

/** The rates of a charge; with `proportional` those of its shares. */
function chargeRates(input: Input, { tax_class }: Charge): TaxRate[] {
  const { address, buyer, rules } = input;
  if (rules.tax_settings.shipping === 'rates')
    return selectedRates(input, ({ base }) => base === 'shipping', tax_class, address, buyer.membership);
  const ofLines = input.lines.flatMap((line) => lineRates(input, line, address, buyer.membership));
  return [...new Set(ofLines)].filter(({ type }) => type === '%');
}

function taxesOf(
  input: Input,
  subtotals: readonly Rational[],
  rests: readonly Rational[],
  charges: readonly Charge[],
): Tax[] {
  if (isExempt(input)) return [];
  const parts = taxedParts(input, subtotals, rests, charges);
  const rates = new Map(parts.flatMap((part) => part.rates.map((rate) => [rate.id, rate] as const)));
  return [...rates.values()].sort(byId).map((rate) => {
    const exact = parts.map((part) => (part.rates.includes(rate) ? exactTax(input, part, rate) : Rational.zero));
    const rounded = roundedTaxes(input, parts, rate, exact);
    const sumOf = (amounts: readonly Rational[], isOwner: (part: Part) => boolean): Rational =>
      Rational.sum(amounts.filter((_, index) => isOwner(parts[index]!)));
    const perLine = (amounts: readonly Rational[]): Rational[] =>
      subtotals.map((_, index) => sumOf(amounts, ({ line, charge }) => charge === null && line === index));
    const perCharge = (amounts: readonly Rational[]): Rational[] =>
      charges.map((_, index) => sumOf(amounts, ({ charge }) => charge === index));
    return {
      ...{ rate, shares: perLine(rounded), chargeShares: perCharge(rounded) },
      weights: input.rules.tax_settings.rounding_target === 'total' ? [...perLine(exact), ...perCharge(exact)] : null,
    };
  });
}

/** Lines, then charges or the shares of charges. */
function taxedParts(
  input: Input,
  subtotals: readonly Rational[],
  rests: readonly Rational[],
  charges: readonly Charge[],
): Part[] {
  const { address, buyer } = input;
  const lines = input.lines.map((line, index) => ({
    ...{ line: index, charge: null, amount: Rational.of(line.amount) },
    ...{ subtotal: subtotals[index]!, rest: rests[index]! },
    rates: lineRates(input, line, address, buyer.membership),
  }));
  const single = { amount: Rational.one };
  const ofCharges = charges.flatMap((one, charge): Part[] => {
    const amount = Rational.of(one.value);
    if (input.rules.tax_settings.shipping === 'rates')
      return [{ ...single, line: null, charge, subtotal: amount, rest: amount, rates: chargeRates(input, one) }];
    return allocate(amount, rests, input).map((share, line) => {
      const rates = lines[line]!.rates.filter(({ type }) => type === '%');
      return { ...single, line, charge, subtotal: share, rest: share, rates };
    });
  });
  return [...lines, ...ofCharges];
}

function baseOf({ rules }: Input, { subtotal, rest }: Part, { base }: TaxRate): Rational {
  return base === 'subtotal' && !rules.tax_settings.prices_include_tax ? subtotal : rest;
}

function exactTax(input: Input, part: Part, rate: TaxRate): Rational {
  if (rate.type === '$') return Rational.of(rate.value).times(part.amount);
  const tax = baseOf(input, part, rate).times(percent(rate.value));
  return input.rules.tax_settings.prices_include_tax ? tax.over(Rational.one.plus(sumOfRates(part.rates))) : tax;
}

function roundedTaxes(input: Input, parts: readonly Part[], rate: TaxRate, exact: readonly Rational[]): Rational[] {
  const { rounding, rounding_target, prices_include_tax } = input.rules.tax_settings;
  const decimals = decimalsOf(input);
  const rounded = {
    unit: () =>
      exact.map((tax, index) => tax.over(parts[index]!.amount).round(decimals, rounding).times(parts[index]!.amount)),
    line: () => exact.map((tax) => tax.round(decimals, rounding)),
    total: () => allocate(Rational.sum(exact).round(decimals, rounding), exact, input),
  }[rounding_target]();
  return prices_include_tax
    ? rounded.map((tax, index) => Rational.least(tax, baseOf(input, parts[index]!, rate)))
    : rounded;
}

/** Step 10. */
function totalsOf(
  input: Input,
  subtotals: readonly Rational[],
  discounts: readonly Discount[],
  charges: readonly Charge[],
  taxes: readonly Tax[],
): Result['totals'] {
  const subTotal = Rational.sum(subtotals);
  const discount = Rational.sum(discounts.map(({ value }) => value));
  const charge = Rational.sum(charges.map(({ value }) => Rational.of(value)));
  const tax = Rational.sum(taxes.flatMap(({ shares, chargeShares }) => [...shares, ...chargeShares]));
  const isIncluded = input.rules.tax_settings.prices_include_tax;
  const addedTax = isIncluded ? Rational.zero : tax;
  return {
    sub_total: subTotal.toNumber(),
    discounts: discount.toNumber(),
    charges: charge.toNumber(),
    added_taxes: addedTax.toNumber(),
    included_taxes: isIncluded ? tax.toNumber() : 0,
    total: subTotal.minus(discount).plus(charge).plus(addedTax).toNumber(),
  };
}

// The answer.

function numbers(amounts: readonly Rational[]): number[] {
  return amounts.map((amount) => amount.toNumber());
}

function lineResult({ price, regularPrice, winner, subtotal }: PricedLine, { amount }: Line): LineResult {
  return {
    price: price.toNumber(),
    regular_price: regularPrice.toNumber(),
    amount,
    subtotal: subtotal.toNumber(),
    wholesale_price_id: winner?.row?.id ?? null,
    sale_discount_id: winner?.sale?.id ?? null,
  };
}

function rejectionsOf(input: Input, lines: readonly PricedLine[], reasons: readonly Reason[]): Rejection[] {
  const ofLines = input.lines.flatMap(({ product }, index): Rejection[] => [
    ...(isInList(product.memberships, [input.buyer.membership])
      ? []
      : [{ path: `items[${index}]`, code: 'conflict', reason: 'membership' } as const]),
    ...(lines[index]!.winner?.price.isNegative
      ? [{ path: `items[${index}].options`, code: 'range', reason: 'negative_price' } as const]
      : []),
  ]);
  const ofCoupons = reasons.flatMap((reason, index): Rejection[] =>
    reason === 'won' ? [] : [{ path: `coupons[${index}]`, code: 'conflict', reason }],
  );
  return [...ofLines, ...ofCoupons];
}

function explainedPrice({ kind, row, sale, price }: Candidate, index: number): Winner {
  return { scope: `items[${index}]`, kind, id: row?.id ?? sale?.id ?? null, value: price.toNumber() };
}

function explainedCandidates({ winner, candidates }: PricedLine, index: number): OracleAnswer['candidates'] {
  return candidates.map((one) => {
    const loses = one.price.compare(winner!.price) === 0 ? 'tie' : 'higher_price';
    return { ...explainedPrice(one, index), reason: one === winner ? 'won' : loses };
  });
}

function winnersOf(
  input: Input,
  lines: readonly PricedLine[],
  discounts: readonly Discount[],
  taxes: readonly Tax[],
  charges: readonly Charge[],
): Winner[] {
  const { address, buyer } = input;
  const taxed = (scope: string, rates: readonly TaxRate[], shareOf: (tax: Tax) => Rational): Winner[] =>
    isExempt(input)
      ? []
      : rates.map(({ id }) => {
          const tax = taxes.find(({ rate }) => rate.id === id)!;
          return { scope, kind: 'tax_rate', id, value: shareOf(tax).toNumber() };
        });
  return [
    ...lines.flatMap(({ winner }, index) => (winner === null ? [] : [explainedPrice(winner, index)])),
    ...discounts.map(({ kind, id, value }): Winner => ({ scope: 'order', kind, id, value: value.toNumber() })),
    ...input.lines.flatMap((line, index) =>
      taxed(`items[${index}]`, lineRates(input, line, address, buyer.membership), ({ shares }) => shares[index]!),
    ),
    ...charges.flatMap((charge, index) => {
      const rates = chargeRates(input, charge);
      return taxed(`charges[${index}]`, rates, ({ chargeShares }) => chargeShares[index]!);
    }),
  ];
}

function allocationsOf(input: Input, discounts: readonly Discount[], taxes: readonly Tax[]): Allocation[] {
  const unit = minorUnit(input);
  return [
    ...discounts.map(({ weights }, index): Allocation => ({ of: 'discounts', index, weights, unit })),
    ...taxes.flatMap(({ weights }, index): Allocation[] => (weights ? [{ of: 'taxes', index, weights, unit }] : [])),
  ];
}
