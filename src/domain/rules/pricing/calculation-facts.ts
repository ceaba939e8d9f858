/** Reads what the price calculation needs: products, variants, the buyer and the rules (pricing.md §4). */

import type { Languages, Reads, Stored, Value } from '../../../engine/vocabulary.ts';
import type {
  Buyer,
  Coupon,
  Line,
  MatchedZone,
  ProductFacts,
  Rules,
  TaxRate,
  VariantFacts,
  WholesalePrice,
  Zone,
} from '../../../pricing/index.ts';
import { addressForTaxes, matchedZones, type PostalAddress } from '../../../pricing/index.ts';
import { textsIn } from '../orders/order-options.ts';
import { DATE_RANGE } from './value.ts';
import { ownerKey } from './wholesale-price.ts';

const RESTRICTIONS = ['specific_products', 'products', 'product_classes', 'categories', 'memberships'] as const;

const PRODUCT = [
  ...(['price', 'participate_sale', 'discount_type', 'sale_price_value', 'apply_sale_to_wholesale'] as const),
  ...(['taxable', 'free_shipping', 'tax_class', 'product_class', 'memberships'] as const),
] as const;
const VARIANT = [
  'product_id',
  'default_price',
  'price',
  'default_sale_price',
  'sale_discount_type',
  'sale_price_value',
] as const;
const COUPON = [
  ...(['code', 'enabled', 'type', 'value', ...DATE_RANGE, ...RESTRICTIONS, 'zones'] as const),
  ...(['total_range_begin', 'total_range_end', 'uses_limit', 'uses_limit_per_user', 'single_use', 'uses'] as const),
] as const;

export const USES_OF_CALCULATION = {
  Product: PRODUCT,
  Variant: VARIANT,
  WholesalePrice: ['owner_key', 'type', 'price', 'quantity_range_begin', 'membership'],
  CategoryProduct: ['category', 'product_id'],
  Category: ['parent'],
  SaleDiscount: ['enabled', 'value', ...DATE_RANGE, ...RESTRICTIONS, 'apply_to_wholesale'],
  VolumeDiscount: ['type', 'value', ...DATE_RANGE, 'subtotal_range_begin', 'membership', 'zones'],
  Coupon: COUPON,
  Zone: ['elements'],
  TaxSettings: [
    ...(['prices_include_tax', 'default_zone', 'outside_zone', 'address', 'shipping'] as const),
    ...(['rounding', 'rounding_target', 'vat_id_exempt_zone'] as const),
  ],
  TaxRate: [
    ...(['tax', 'name', 'enabled', 'position', ...DATE_RANGE] as const),
    ...(['zone', 'tax_class', 'membership', 'type', 'value', 'base'] as const),
  ],
  Membership: ['enabled'],
  Profile: ['membership_id', 'tax_exempt', 'vat_id'],
} as const;

/** The reads that the functions of this file need. */
type CalculationReads = Pick<Reads<typeof USES_OF_CALCULATION>, 'list' | 'read' | 'texts'>;

/** The facts of an order's products and variants, by id. */
interface GoodsFacts {
  readonly products: ReadonlyMap<Value, ProductFacts>;
  readonly variants: ReadonlyMap<Value, VariantFacts>;
}

/** Reads the facts of products and variants. The number of SQL statements does not depend on how many there are. */
export async function readGoodsFacts(
  reads: CalculationReads,
  products: readonly Value[],
  variants: readonly Value[],
): Promise<GoodsFacts> {
  const product_id = [...new Set(products)];
  const storedProducts = product_id.length === 0 ? [] : await reads.list('Product', { id: product_id });
  const storedVariants = variants.length === 0 ? [] : await reads.list('Variant', { id: [...new Set(variants)] });
  const owner_key = [
    ...storedProducts.map(({ id }) => ownerKey(id, null)),
    ...storedVariants.map((variant) => ownerKey(variant.product_id, variant.id)),
  ];
  const rows = owner_key.length === 0 ? [] : await reads.list('WholesalePrice', { owner_key });
  const rowsOf = Map.groupBy(rows, (row) => row.owner_key);
  const pricesOf = (product: Value, variant: Value): WholesalePrice[] =>
    (rowsOf.get(ownerKey(product, variant)) ?? []).map(wholesalePriceOf);
  const categories = await categoriesOf(reads, product_id);
  return {
    products: new Map(
      storedProducts.map((product) => [
        product.id,
        {
          ...(picked(product, PRODUCT) as unknown as ProductFacts),
          categories: categories.get(product.id) ?? [],
          wholesale_prices: pricesOf(product.id, null),
        },
      ]),
    ),
    variants: new Map(
      storedVariants.map((variant) => [
        variant.id,
        {
          ...(picked(variant, VARIANT) as unknown as VariantFacts),
          wholesale_prices: pricesOf(variant.product_id!, variant.id),
        },
      ]),
    ),
  };
}

function wholesalePriceOf(row: Stored<(typeof USES_OF_CALCULATION.WholesalePrice)[number]>): WholesalePrice {
  const { id, type, price, quantity_range_begin, membership } = row;
  return { id, type, price, quantity_range_begin, membership } as unknown as WholesalePrice;
}

/** Reads the ids of the products' categories and of all categories above them, by product. */
async function categoriesOf(reads: CalculationReads, products: readonly Value[]): Promise<Map<Value, number[]>> {
  const links = products.length === 0 ? [] : await reads.list('CategoryProduct', { product_id: [...products] });
  const parents = new Map<Value, Value>();
  for (let level = links.map(({ category }) => category); level.length > 0; ) {
    const found = await reads.list('Category', { id: [...new Set(level)] });
    for (const { id, parent } of found) parents.set(id, parent);
    level = found.flatMap(({ parent }) => (parent === null || parents.has(parent) ? [] : [parent]));
  }
  const withAncestors = (category: Value): Value[] => {
    const path: Value[] = [];
    for (let at: Value = category; at !== null && at !== undefined; at = parents.get(at) ?? null) path.push(at);
    return path;
  };
  const linked = Map.groupBy(links, ({ product_id }) => product_id);
  return new Map(
    [...linked].map(([product, own]) => [
      product,
      [...new Set(own.flatMap(({ category }) => withAncestors(category)))] as number[],
    ]),
  );
}

/** The rules of the store, and functions that find the zones of an address. */
export interface StoreRules {
  readonly rules: Rules;
  /** Zones of the address that determines taxes and discounts. */
  zonesOf(shipping: PostalAddress | null, billing: PostalAddress | null): MatchedZone[];
  /** Whether a zone depends on the address. */
  readonly hasRegions: boolean;
  /** Zones of any address. */
  zonesAt(address: PostalAddress | null): MatchedZone[];
}

/**
 * Reads the discounts, tax rates, tax settings and zones of the store.
 *
 * @param currency the store's
 * @param products ids of the products of the calculation. The lists of sale discounts have no other products
 * @param withDisabled also reads disabled rules, which only an explanation shows
 */
export async function readStoreRules(
  reads: CalculationReads,
  languages: Languages,
  currency: string,
  products: readonly Value[],
  withDisabled = false,
): Promise<StoreRules> {
  const zones = (await reads.list('Zone', {})) as unknown as Zone[];
  const [settings] = await reads.list('TaxSettings', {});
  const where = withDisabled ? {} : { enabled: true };
  const { default_zone, address } = settings!;
  const inZones = (postal: PostalAddress | null) => matchedZones(zones, postal, default_zone as number | null);
  return {
    rules: {
      currency,
      sale_discounts: rulesOf(
        'SaleDiscount',
        await reads.list('SaleDiscount', where, { among: { products: [...products] } }),
      ),
      volume_discounts: rulesOf('VolumeDiscount', await reads.list('VolumeDiscount', {})),
      tax_rates: await readTaxRates(reads, languages, where),
      tax_settings: picked(settings!, USES_OF_CALCULATION.TaxSettings) as unknown as Rules['tax_settings'],
      missing_address: inZones(null),
    },
    zonesOf: (shipping, billing) => inZones(addressForTaxes(address as 'shipping' | 'billing', shipping, billing)),
    zonesAt: inZones,
    hasRegions: zones.some(({ elements }) => elements.length > 0),
  };
}

async function readTaxRates(
  reads: CalculationReads,
  languages: Languages,
  where: { readonly enabled?: boolean },
): Promise<TaxRate[]> {
  const rates = await reads.list('TaxRate', where);
  const names = await textsIn(rates, 'name', languages, (ids) => reads.texts('TaxRate', ids, 'name'));
  return rulesOf<TaxRate>('TaxRate', rates).map((rate) => ({ ...rate, name: names.get(rate.id)! }));
}

/** The members of rules that the calculation uses. */
function rulesOf<T>(resource: 'SaleDiscount' | 'VolumeDiscount' | 'TaxRate', stored: readonly Stored[]): T[] {
  return stored.map((each) => picked(each, USES_OF_CALCULATION[resource]) as unknown as T);
}

/** A buyer without a profile and without a membership. */
export const GUEST: Buyer = { membership: null, tax_exempt: false, vat_id: '' };

/** Reads the buyer. @param profile id of the profile; null for a guest, undefined for an unknown one */
export async function readBuyer(reads: CalculationReads, profile: Value | undefined): Promise<Buyer> {
  const stored = profile === null || profile === undefined ? undefined : await reads.read('Profile', profile);
  if (!stored) return GUEST;
  return {
    membership: await enabledMembership(reads, stored.membership_id),
    tax_exempt: stored.tax_exempt as boolean,
    vat_id: stored.vat_id as string,
  };
}

/** Returns the id if the membership is enabled; null if it is disabled, deleted or null. */
export async function enabledMembership(reads: CalculationReads, id: Value): Promise<number | null> {
  const membership = id === null ? undefined : await reads.read('Membership', id);
  return membership?.enabled === true ? (id as number) : null;
}

/** Returns the facts of a coupon. @param usesByUser uses by this buyer; null if the buyer is not known */
export function couponFacts(stored: Stored<(typeof COUPON)[number]>, usesByUser: number | null): Coupon {
  return { ...(picked(stored, COUPON) as unknown as Coupon), uses_by_user: usesByUser };
}

/** Returns the id and these fields of a record. */
function picked(stored: Stored, names: readonly string[]): Record<string, Value> {
  return Object.fromEntries(['id', ...names].map((name) => [name, stored[name] ?? null]));
}

type Item = Record<string, Value>;
type PriceModifiers = { readonly price_modifier: number; readonly price_modifier_type: Value };

/**
 * Returns lines with the facts of their products as they are now.
 *
 * @param sent the items as the client sent them: a `price` there replaces the calculated one
 */
export async function linesOf(
  items: readonly Item[],
  sent: readonly Item[],
  { modifiers }: { readonly modifiers: ReadonlyMap<Item, readonly PriceModifiers[]> },
  reads: CalculationReads,
): Promise<Line[]> {
  const ids = (name: string): Value[] => items.flatMap((item) => item[name] ?? []);
  const facts = await readGoodsFacts(reads, ids('product_id'), ids('variant'));
  return items.map((item, index) => ({
    product: facts.products.get(item.product_id!)!,
    variant: facts.variants.get(item.variant!) ?? null,
    amount: item.amount as number,
    price: (sent[index]!.price ?? null) as number | null,
    weight: (item.weight ?? 0) as number,
    options: (modifiers.get(item) ?? []).map(({ price_modifier, price_modifier_type }) => ({
      price_modifier,
      price_modifier_type: price_modifier_type as 'percent' | 'absolute',
    })),
  }));
}
