/** Prices of one unit of products and their variants for shoppers (storefront.md §2). */
import type { Languages, Reads, Stored, Value } from '../../../engine/vocabulary.ts';
import {
  calculate,
  type Input,
  type Line,
  type PostalAddress,
  type Rules,
  type Tier,
  tiersOf,
} from '../../../pricing/index.ts';
import { defaultModifiersOfAll } from '../orders/order-options.ts';
import { GUEST, readGoodsFacts, readStoreRules } from './calculation-facts.ts';
import { USES_OF_PRODUCT_PRICE } from './product-price.ts';

/** The price of one unit with default options. */
export interface GuestPrice {
  /** Null: the product itself. */
  readonly variant: Value;
  readonly price: number;
  readonly regularPrice: number;
  readonly tiers: readonly Tier[];
}

interface GuestPrices {
  /** By product: that of each variant by id, or that of the product if it has no variants. */
  readonly byProduct: ReadonlyMap<Value, readonly GuestPrice[]>;
  readonly includesTax: boolean;
  /** Seconds since 1970: when a price may change although no record changes. Undefined if never. */
  readonly endsAt: number | undefined;
}

type VariantRow = Stored<(typeof USES_OF_PRODUCT_PRICE)['Variant'][number]>;

interface PriceContext extends Languages {
  /** ISO 4217 code of the store. */
  readonly currency: string;
  /** The shopper's address; null if it is not known. */
  readonly address: PostalAddress | null;
  /** The shopper's enabled membership. */
  readonly membership: number | null;
  /** Seconds since 1970. */
  readonly now: number;
  /** Lets other requests run. */
  readonly pause: () => Promise<void>;
}

/** The resources that the prices are made of. A guest has no profile and uses no coupon. */
export const RESOURCES_OF_GUEST_PRICES: readonly string[] = Object.keys(USES_OF_PRODUCT_PRICE).filter(
  (name) => name !== 'Profile' && name !== 'Coupon',
);

/** Lines that are computed before other requests run. */
const LINES_AT_ONCE = 200;

/**
 * Computes the prices of products. The number of SQL statements does not depend on how many there are.
 * @param only the variants to compute; undefined: all
 */
export async function guestPrices(
  products: readonly Value[],
  reads: Reads<typeof USES_OF_PRODUCT_PRICE>,
  context: PriceContext,
  only?: readonly Value[],
): Promise<GuestPrices> {
  const ids = [...products];
  const chosen = only ? { id: [...only] } : { product_id: ids };
  const isEmpty = (only ?? ids).length === 0;
  const variants: VariantRow[] = isEmpty ? [] : await reads.list('Variant', chosen);
  const facts = await readGoodsFacts(
    reads,
    ids,
    variants.map(({ id }) => id),
  );
  const variantsOf = Map.groupBy(variants, ({ product_id }) => product_id);
  const owners = ids.flatMap((product) =>
    (variantsOf.get(product) ?? [undefined]).map((variant) => ({ product, variant })),
  );
  const modifiers = await defaultModifiersOfAll(owners, context, reads);
  const { rules, zonesOf } = await readStoreRules(reads, context, context.currency, ids);
  const buyer = { ...GUEST, membership: context.membership };
  const priced = { buyer, address: zonesOf(context.address, context.address), time: context.now, rules };
  const prices: { readonly product: Value; readonly price: GuestPrice }[] = [];
  for (const [index, { product, variant }] of owners.entries()) {
    if (index > 0 && index % LINES_AT_ONCE === 0) await context.pause();
    const line = lineOf(facts, product, variant?.id ?? null, modifiers[index] as unknown as Line['options']);
    if (!line) continue;
    const price = priceOf(line, { ...priced, coupons: [], shipping: [], explain: false });
    prices.push({ product, price });
  }
  const byProduct = Map.groupBy(prices, ({ product }) => product);
  return {
    byProduct: new Map([...byProduct].map(([product, all]) => [product, all.map(({ price }) => price)])),
    includesTax: rules.tax_settings.prices_include_tax,
    endsAt: nextChange(rules, context.now),
  };
}

function lineOf(
  { products, variants }: Awaited<ReturnType<typeof readGoodsFacts>>,
  productId: Value,
  variantId: Value,
  options: Line['options'],
): Line | undefined {
  const product = products.get(productId);
  const variant = variantId === null ? null : variants.get(variantId);
  // Only charges depend on the weight.
  return product && variant !== undefined
    ? { product, variant, amount: 1, price: null, weight: 0, options }
    : undefined;
}

function priceOf(line: Line, others: Omit<Input, 'lines'>): GuestPrice {
  const input = { ...others, lines: [line] };
  const { price, regular_price } = calculate(input).lines[0]!;
  return { variant: line.variant?.id ?? null, price, regularPrice: regular_price, tiers: tiersOf(input) };
}

/** The first time after this one at which a sale or a tax rate begins or ends. */
function nextChange({ sale_discounts, tax_rates }: Rules, now: number): number | undefined {
  const times = [...sale_discounts, ...tax_rates]
    .flatMap(({ date_range_begin, date_range_end }) => [date_range_begin, date_range_end])
    .filter((at) => at !== null && at > now) as number[];
  return times.length === 0 ? undefined : Math.min(...times);
}
