/**
 * Random inputs of the price calculation: all settings, currencies with 0, 2 and 3 decimals, 1 to 100 lines. They are valid by
 * the tables of pricing.md §§1–4, except that a unit price can fall below 0. `evaluate` then has a rejection with the
 * reason `negative_price`, and the result of such an input has no meaning.
 *
 * Ids, codes and percentages come from small sets, so that rules often meet the same line, and often tie.
 */
import fc, { type Arbitrary } from 'fast-check';
import type {
  Buyer,
  Charge,
  Coupon,
  Input,
  Line,
  MatchedZone,
  PriceModifier,
  ProductFacts,
  Rules,
  SaleDiscount,
  ShippingBasis,
  TaxRate,
  TaxSettings,
  VariantFacts,
  VolumeDiscount,
  WholesalePrice,
} from '../../src/pricing/index.ts';

/** Currencies by their number of decimals (orders.md §8). */
const DECIMALS = { JPY: 0, EUR: 2, KWD: 3 } as const;
export type CartCurrency = keyof typeof DECIMALS;

/** The time of all inputs. Date ranges begin and end before, at, and after it. */
const TIME = 1_800_000_000;

/** A product with its variants, as the lines of a cart name it. */
interface Sold {
  readonly product: ProductFacts;
  readonly variants: readonly VariantFacts[];
}

const membershipOrNone = fc.constantFrom(null, 1, 2, 3);
const memberships = restriction(3);
const taxClass = fc.constantFrom(null, 1, 2);

const dates = fc
  .constantFrom<readonly [number | null, number | null]>(
    [null, null],
    [null, null],
    [null, null],
    [TIME - 1, null],
    [TIME, TIME + 1],
    [TIME + 1, null],
    [null, TIME],
  )
  .map(([date_range_begin, date_range_end]) => ({ date_range_begin, date_range_end }));

/** A percentage from 0 to 100 with at most 4 decimals. */
const percentage = fc.oneof(
  fc.constantFrom(0, 5, 10, 12.5, 15, 33.3333, 50, 100),
  fc.integer({ min: 0, max: 1_000_000 }).map((units) => units / 10_000),
);

const rateInPercent = fc.oneof(
  fc.constantFrom(0, 5.5, 7, 8.25, 19, 20, 25, 1000),
  fc.integer({ min: 0, max: 10_000_000 }).map((units) => units / 10_000),
);

/** A random input in a random currency. */
export function cart(): Arbitrary<Input> {
  return fc.oneof(...(Object.keys(DECIMALS) as CartCurrency[]).map(cartIn));
}

/** A random input in a currency. */
export function cartIn(currency: CartCurrency): Arbitrary<Input> {
  const buyer: Arbitrary<Buyer> = fc.record({
    membership: membershipOrNone,
    tax_exempt: fc.constantFrom(false, false, false, false, true),
    vat_id: fc.constantFrom('', '', 'DE136695976'),
  });
  return fc.record({
    lines: linesIn(currency),
    buyer,
    address: matched(),
    time: fc.constant(TIME),
    coupons: fc.uniqueArray(couponIn(currency), { maxLength: 4, size: 'max', selector: ({ id }) => id }),
    shipping: fc.oneof(fc.array(chargeIn(currency), { maxLength: 3 }), shippingFunction(currency)),
    rules: fc.oneof(rulesIn(currency, false), rulesIn(currency, true)),
  });
}

/** Mostly few lines, sometimes up to 100. Lines of one product have the same facts. */
function linesIn(currency: CartCurrency): Arbitrary<Line[]> {
  const products = fc.array(soldIn(currency), { minLength: 1, maxLength: 5 }).map(withIds);
  const ofLine = fc.record({
    product: fc.nat(),
    variant: fc.nat(),
    amount: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 1, max: 5 }) },
      { weight: 2, arbitrary: fc.integer({ min: 1, max: 60 }) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 1_000_000 }) },
    ),
    price: fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: priceIn(currency) }),
    weight: fc.integer({ min: 0, max: 100_000 }).map((units) => units / 10_000),
    options: fc.array(modifierIn(currency), { maxLength: 3 }),
  });
  const several = fc.oneof(
    { weight: 12, arbitrary: fc.array(ofLine, { minLength: 1, maxLength: 6 }) },
    { weight: 3, arbitrary: fc.array(ofLine, { minLength: 1, maxLength: 20, size: 'max' }) },
    { weight: 1, arbitrary: fc.array(ofLine, { minLength: 1, maxLength: 100, size: 'max' }) },
  );
  return fc.tuple(products, several).map(([sold, lines]) =>
    lines.map((line) => {
      const { product, variants } = sold[line.product % sold.length]!;
      const variant = variants.length === 0 ? null : variants[line.variant % variants.length]!;
      return { ...line, product, variant };
    }),
  );
}

function soldIn(currency: CartCurrency): Arbitrary<Sold> {
  const product: Arbitrary<ProductFacts> = fc.record({
    id: fc.constant(0),
    price: priceIn(currency),
    participate_sale: fc.constantFrom(false, false, true),
    discount_type: fc.constantFrom('sale_price', 'sale_percent', 'sale_percent'),
    sale_price_value: percentage,
    apply_sale_to_wholesale: fc.boolean(),
    taxable: fc.constantFrom(true, true, true, false),
    free_shipping: fc.constantFrom(false, false, true),
    tax_class: taxClass,
    product_class: fc.constantFrom(null, 1, 2),
    memberships: fc.oneof({ weight: 6, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: memberships }),
    categories: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }),
    wholesale_prices: rowsIn(currency),
  });
  const variant: Arbitrary<VariantFacts> = fc.record({
    id: fc.constant(0),
    default_price: fc.boolean(),
    price: priceIn(currency),
    default_sale_price: fc.boolean(),
    sale_discount_type: fc.constantFrom('sale_price', 'sale_percent', 'sale_percent'),
    sale_price_value: percentage,
    wholesale_prices: rowsIn(currency),
  });
  return fc.record({
    product,
    variants: fc.oneof(
      { weight: 2, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(variant, { maxLength: 3 }) },
    ),
  });
}

/** Numbers products from 1, their variants from 10, and all rows from 100. */
function withIds(sold: readonly Sold[]): Sold[] {
  let rowId = 100;
  // Rows of higher quantities sometimes have lower ids.
  const numbered = (rows: readonly WholesalePrice[]): WholesalePrice[] => rows.map((row) => ({ ...row, id: rowId++ }));
  return sold.map(({ product, variants }, index) => ({
    product: { ...product, id: index + 1, wholesale_prices: numbered(product.wholesale_prices) },
    variants: variants.map((variant, position) => ({
      ...variant,
      id: (index + 1) * 10 + position,
      wholesale_prices: numbered(variant.wholesale_prices),
    })),
  }));
}

/** Rows that differ in membership or quantity (pricing.md §1). */
function rowsIn(currency: CartCurrency): Arbitrary<WholesalePrice[]> {
  const row = fc.oneof(
    fc.record({ type: fc.constant('price' as const), price: priceIn(currency) }),
    fc.record({ type: fc.constant('percent' as const), price: percentage }),
  );
  const rows = fc.uniqueArray(
    fc
      .tuple(row, membershipOrNone, fc.constantFrom(1, 2, 3, 10, 50))
      .map(([shared, membership, begin]): WholesalePrice => {
        const quantity_range_begin = membership === null ? Math.max(begin, 2) : begin;
        return { id: 0, ...shared, membership, quantity_range_begin };
      }),
    {
      maxLength: 4,
      selector: ({ membership, quantity_range_begin }) => `${membership} ${quantity_range_begin}`,
    },
  );
  return fc.oneof({ weight: 2, arbitrary: fc.constant<WholesalePrice[]>([]) }, { weight: 3, arbitrary: rows });
}

function modifierIn(currency: CartCurrency): Arbitrary<PriceModifier> {
  return fc.oneof(
    fc.record({
      price_modifier: fc.oneof(fc.constantFrom(0, 10, -10), fc.integer({ min: -250_000, max: 1_000_000 }).map(fourth)),
      price_modifier_type: fc.constant('percent' as const),
    }),
    fc.record({
      price_modifier: fc.oneof(fc.constant(0), minorUnits(currency, -300, 2000)),
      price_modifier_type: fc.constant('absolute' as const),
    }),
  );
}

/** Mostly in whole minor units, sometimes with 4 decimals; often small, or one of few, so that candidates tie. */
function priceIn(currency: CartCurrency): Arbitrary<number> {
  return fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(0, 1, 10, 100) },
    { weight: 4, arbitrary: minorUnits(currency, 0, 20_000) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 2_000_000 }).map(fourth) },
  );
}

function fourth(units: number): number {
  return units / 10_000;
}

function minorUnits(currency: CartCurrency, min: number, max: number): Arbitrary<number> {
  return fc.integer({ min, max }).map((units) => units / 10 ** DECIMALS[currency]);
}

/** A restriction list of ids from 1, often `[]`. */
function restriction(max: number): Arbitrary<number[]> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant<number[]>([]) },
    { weight: 1, arbitrary: fc.uniqueArray(fc.integer({ min: 1, max }), { minLength: 1, maxLength: max }) },
  );
}

/** Zones that match an address: some of four. */
function matched(): Arbitrary<MatchedZone[]> {
  return fc.uniqueArray(
    fc.record({ id: fc.integer({ min: 1, max: 4 }), specificity: fc.integer({ min: 0, max: 4 }) }),
    {
      maxLength: 4,
      selector: ({ id }) => id,
    },
  );
}

const productRestrictions = fc.record({
  specific_products: fc.constantFrom(false, false, true),
  products: fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { maxLength: 4 }),
  product_classes: restriction(2),
  categories: restriction(4),
});

function saleDiscounts(): Arbitrary<SaleDiscount[]> {
  const discount = fc.record({
    id: fc.integer({ min: 1, max: 9 }),
    enabled: fc.constantFrom(true, true, true, false),
    value: percentage,
    memberships,
    apply_to_wholesale: fc.boolean(),
  });
  const complete = fc.tuple(discount, dates, productRestrictions).map((parts) => Object.assign({}, ...parts));
  return fc.uniqueArray(complete as Arbitrary<SaleDiscount>, { maxLength: 4, selector: ({ id }) => id });
}

function volumeDiscounts(currency: CartCurrency): Arbitrary<VolumeDiscount[]> {
  const discount = fc.record({
    id: fc.integer({ min: 1, max: 9 }),
    subtotal_range_begin: fc.oneof(fc.constant(0), priceIn(currency)),
    membership: fc.oneof(fc.constant(null), membershipOrNone),
    zones: restriction(4),
  });
  const complete = fc
    .tuple(discount, amountOff(currency), dates)
    .map(([one, amount, range]): VolumeDiscount => ({ ...one, ...amount, ...range }));
  return fc.uniqueArray(complete, { maxLength: 3, selector: ({ id }) => id });
}

/** Type and value of a volume discount or coupon. */
function amountOff(currency: CartCurrency): Arbitrary<Pick<VolumeDiscount, 'type' | 'value'>> {
  return fc.oneof(
    fc.record({ type: fc.constant('%' as const), value: percentage }),
    fc.record({ type: fc.constant('$' as const), value: minorUnits(currency, 0, 5000) }),
  );
}

function couponIn(currency: CartCurrency): Arbitrary<Coupon> {
  const coupon = fc.record({
    id: fc.integer({ min: 1, max: 9 }),
    enabled: fc.constantFrom(true, true, true, true, true, false),
    memberships,
    zones: restriction(4),
    single_use: fc.constantFrom(false, false, false, true),
    total_range_begin: fc.oneof(fc.constant(0), fc.constant(0), priceIn(currency)),
    length: fc.oneof(fc.constant(null), fc.constant(null), minorUnits(currency, 0, 50_000)),
    uses_limit: fc.constantFrom(0, 0, 1, 5),
    uses_limit_per_user: fc.constantFrom(0, 0, 1, 2),
    uses: fc.constantFrom(0, 0, 1, 4, 5),
    uses_by_user: fc.constantFrom(null, 0, 0, 1, 2),
  });
  const value = fc.oneof(
    { weight: 5, arbitrary: amountOff(currency) },
    { weight: 1, arbitrary: fc.constant({ type: 'S' as const, value: 0 }) },
  );
  return fc.tuple(coupon, value, dates, productRestrictions).map(([{ length, ...one }, amount, range, products]) => ({
    ...one,
    ...amount,
    ...range,
    ...products,
    code: `CODE${one.id}`,
    // An end of 0 is none, so a range must not end there.
    total_range_end: length === null ? 0 : fourth(Math.round((one.total_range_begin + length) * 10_000)),
  }));
}

function chargeIn(currency: CartCurrency): Arbitrary<Charge> {
  return fc.record({
    type: fc.constantFrom('shipping', 'handling'),
    code: fc.constant('POST'),
    name: fc.constant('Post'),
    tax_class: taxClass,
    value: fc.oneof(fc.constant(0), minorUnits(currency, 0, 3000)),
  });
}

/** A function that uses every member of the basis. Its charge is in whole minor units. */
function shippingFunction(currency: CartCurrency): Arbitrary<(basis: ShippingBasis) => Charge[]> {
  const scale = 10 ** DECIMALS[currency];
  return fc
    .record({ charge: chargeIn(currency), perItem: fc.nat({ max: 50 }), percent: fc.nat({ max: 30 }) })
    .map(({ charge, perItem, percent }) => (basis: ShippingBasis) => {
      if (basis.free_by_coupon) return [];
      const units =
        perItem * basis.items + Math.round(basis.weight) + Math.round((basis.discounted_total * scale * percent) / 100);
      return basis.total === 0 ? [charge] : [charge, { ...charge, code: 'BY_BASIS', value: units / scale }];
    });
}

/** @param isIncluded whether prices include taxes; there are then no rates of the type `$` (pricing.md §3) */
function rulesIn(currency: CartCurrency, isIncluded: boolean): Arbitrary<Rules> {
  const settings: Arbitrary<TaxSettings> = fc.record({
    prices_include_tax: fc.constant(isIncluded),
    outside_zone: fc.constantFrom('net', 'gross'),
    shipping: fc.constantFrom('rates', 'proportional'),
    rounding: fc.constantFrom('half_up', 'half_even', 'half_down', 'down'),
    rounding_target: fc.constantFrom('unit', 'line', 'total'),
    vat_id_exempt_zone: fc.constantFrom(null, 1, 2),
  });
  return fc.record({
    currency: fc.constant(currency),
    sale_discounts: saleDiscounts(),
    volume_discounts: volumeDiscounts(currency),
    tax_rates: fc.uniqueArray(taxRateIn(currency, isIncluded), { maxLength: 8, size: 'max', selector: ({ id }) => id }),
    tax_settings: settings,
    missing_address: matched(),
  });
}

function taxRateIn(currency: CartCurrency, isIncluded: boolean): Arbitrary<TaxRate> {
  const inPercent = fc.record({ type: fc.constant('%' as const), value: rateInPercent });
  const fixed = fc.record({
    type: fc.constant('$' as const),
    value: fc.oneof(minorUnits(currency, 0, 300), fc.integer({ min: 0, max: 30_000 }).map(fourth)),
  });
  const rate = fc.record({
    id: fc.integer({ min: 1, max: 20 }),
    tax: fc.constantFrom('VAT', 'VAT', 'CITY', 'ECO'),
    enabled: fc.constantFrom(true, true, true, true, false),
    position: fc.constantFrom(0, 0, 0, 1, -1),
    zone: fc.constantFrom(null, null, 1, 2, 3, 4),
    tax_class: fc.constantFrom(null, null, 1, 2),
    membership: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: membershipOrNone }),
    base: fc.constantFrom('subtotal', 'discounted_subtotal', 'discounted_subtotal', 'shipping'),
  });
  return fc
    .tuple(
      rate,
      isIncluded ? inPercent : fc.oneof({ weight: 3, arbitrary: inPercent }, { weight: 1, arbitrary: fixed }),
      dates,
    )
    .map(([one, value, range]): TaxRate => ({ ...one, ...value, ...range, name: `Rate ${one.id}` }));
}
