/** Inputs of the price calculation for tests: each function fills in what a test does not name. */
import type {
  Charge,
  Coupon,
  Input,
  Line,
  ProductFacts,
  Rules,
  SaleDiscount,
  TaxRate,
  TaxSettings,
  VariantFacts,
  VolumeDiscount,
  WholesalePrice,
} from '../../src/pricing/index.ts';

const ALWAYS = { date_range_begin: null, date_range_end: null };
const ALL_PRODUCTS = { specific_products: false, products: [], product_classes: [], categories: [] };

export function productFacts(given: Partial<ProductFacts> = {}): ProductFacts {
  return {
    id: 1,
    price: 10,
    participate_sale: false,
    discount_type: 'sale_percent',
    sale_price_value: 0,
    apply_sale_to_wholesale: false,
    taxable: true,
    free_shipping: false,
    tax_class: null,
    product_class: null,
    memberships: [],
    categories: [],
    wholesale_prices: [],
    ...given,
  };
}

export function variantFacts(given: Partial<VariantFacts> = {}): VariantFacts {
  return {
    id: 1,
    default_price: true,
    price: 0,
    default_sale_price: true,
    sale_discount_type: 'sale_percent',
    sale_price_value: 0,
    wholesale_prices: [],
    ...given,
  };
}

/** @param product facts of the line's product */
export function orderLine(product: Partial<ProductFacts> = {}, given: Partial<Omit<Line, 'product'>> = {}): Line {
  return { product: productFacts(product), variant: null, amount: 1, price: null, weight: 0, options: [], ...given };
}

export function wholesalePrice(given: Partial<WholesalePrice>): WholesalePrice {
  return { id: 1, type: 'price', price: 0, quantity_range_begin: 2, membership: null, ...given };
}

export function saleDiscount(given: Partial<SaleDiscount>): SaleDiscount {
  return {
    ...ALWAYS,
    ...ALL_PRODUCTS,
    id: 1,
    enabled: true,
    value: 0,
    memberships: [],
    apply_to_wholesale: false,
    ...given,
  };
}

export function volumeDiscount(given: Partial<VolumeDiscount>): VolumeDiscount {
  return { ...ALWAYS, id: 1, type: '%', value: 0, subtotal_range_begin: 0, membership: null, zones: [], ...given };
}

export function coupon(given: Partial<Coupon>): Coupon {
  return {
    ...ALWAYS,
    ...ALL_PRODUCTS,
    id: 1,
    code: 'SPRING',
    enabled: true,
    type: '%',
    value: 0,
    memberships: [],
    zones: [],
    total_range_begin: 0,
    total_range_end: 0,
    uses_limit: 0,
    uses_limit_per_user: 0,
    single_use: false,
    uses: 0,
    uses_by_user: null,
    ...given,
  };
}

export function charge(given: Partial<Charge>): Charge {
  return { type: 'shipping', code: 'POST', name: 'Post', tax_class: null, value: 0, ...given };
}

export function taxRate(given: Partial<TaxRate>): TaxRate {
  return {
    ...ALWAYS,
    id: 1,
    tax: 'VAT',
    name: 'VAT',
    enabled: true,
    position: 0,
    zone: null,
    tax_class: null,
    membership: null,
    type: '%',
    value: 0,
    base: 'discounted_subtotal',
    ...given,
  };
}

/** Rules with the default settings (pricing.md §3), in USD. @param settings tax settings other than the defaults */
export function pricingRules(
  given: Partial<Omit<Rules, 'tax_settings'>> = {},
  settings: Partial<TaxSettings> = {},
): Rules {
  return {
    currency: 'USD',
    sale_discounts: [],
    volume_discounts: [],
    tax_rates: [],
    missing_address: [],
    ...given,
    tax_settings: {
      prices_include_tax: false,
      outside_zone: 'net',
      shipping: 'rates',
      rounding: 'half_up',
      rounding_target: 'line',
      vat_id_exempt_zone: null,
      ...settings,
    },
  };
}

/** A guest's input. */
export function pricingInput(lines: readonly Line[], given: Partial<Omit<Input, 'lines'>> = {}): Input {
  return {
    lines,
    buyer: { membership: null, tax_exempt: false, vat_id: '' },
    address: [],
    time: 1_800_000_000,
    coupons: [],
    shipping: [],
    rules: pricingRules(),
    ...given,
  };
}
