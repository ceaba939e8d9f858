/** The price of a product or variant for a buyer, without an order (pricing.md §5). */
import {
  DECIMAL_MAX,
  type Problem,
  problem,
  type Reads,
  type Value,
  type ViewContext,
} from '../../../engine/vocabulary.ts';
import {
  type Buyer,
  type Coupon,
  calculate,
  type Input,
  type Line,
  type PostalAddress,
  type Result,
  tiersOf,
} from '../../../pricing/index.ts';
import { amountOf, unitsOf } from '../../../pricing/money.ts';
import { defaultModifiers, type OptionOwner, USES_OF_OPTIONS } from '../orders/order-options.ts';
import {
  couponFacts,
  enabledMembership,
  readBuyer,
  readGoodsFacts,
  readStoreRules,
  USES_OF_CALCULATION,
} from './calculation-facts.ts';

export const USES_OF_PRODUCT_PRICE = {
  ...USES_OF_CALCULATION,
  ...USES_OF_OPTIONS,
  Variant: [...USES_OF_CALCULATION.Variant, 'attribute_checkbox_values', 'attribute_select_values'],
} as const;

type PriceReads = Reads<typeof USES_OF_PRODUCT_PRICE>;
type Parameters = ViewContext['parameters'];
type Price = Record<string, Value>;

/** Computes the price of a product with its default options. @param product its id */
export async function productPrice(product: Value, reads: PriceReads, context: ViewContext): Promise<Price | Problem> {
  const { products } = await readGoodsFacts(reads, [product], []);
  const facts = products.get(product);
  if (!facts) return deletedMeanwhile();
  return priceOfLine({ product: facts, variant: null }, undefined, reads, context);
}

/** Computes the price of a variant, with the defaults of its other options. @param id of the variant */
export async function variantPrice(id: Value, reads: PriceReads, context: ViewContext): Promise<Price | Problem> {
  const stored = await reads.read('Variant', id);
  if (!stored) return deletedMeanwhile();
  const { products, variants } = await readGoodsFacts(reads, [stored.product_id], [id]);
  const product = products.get(stored.product_id);
  const variant = variants.get(id);
  if (!product || !variant) return deletedMeanwhile();
  return priceOfLine({ product, variant }, stored, reads, context);
}

/** Returns the problem for a record that was deleted after the server had found it. */
function deletedMeanwhile(): Problem {
  return problem('not-found', 'Invalid identifier value or configuration.');
}

async function priceOfLine(
  { product, variant }: Pick<Line, 'product' | 'variant'>,
  storedVariant: OptionOwner['variant'],
  reads: PriceReads,
  context: ViewContext,
): Promise<Price | Problem> {
  const { parameters, environment, now } = context;
  if ('membership' in parameters && 'customer' in parameters)
    return problem('invalid-argument', '"membership" and "customer" cannot be combined. Omit one of them.');
  const coupons = await couponsOf(parameters, reads);
  if (!Array.isArray(coupons)) return coupons;
  const modifiers = await defaultModifiers({ product: product.id, variant: storedVariant }, context, reads);
  const { rules, zonesOf } = await readStoreRules(
    reads,
    context,
    environment.settings.currency!,
    [product.id],
    parameters.explain === true,
  );
  const input: Input = {
    lines: [
      {
        product,
        variant,
        amount: parameters.quantity as number,
        price: null,
        // Only charges depend on the weight.
        weight: 0,
        options: modifiers as unknown as Line['options'],
      },
    ],
    buyer: await buyerOf(parameters, reads),
    address: zonesOf(addressOf(parameters), null),
    time: (parameters.at as number | undefined) ?? now,
    coupons,
    shipping: [],
    rules,
    explain: parameters.explain === true,
  };
  const result = calculate(input);
  if (result.totals.sub_total > DECIMAL_MAX)
    return problem('invalid-argument', `The subtotal is larger than ${DECIMAL_MAX}. Send a smaller "quantity".`);
  return shownPrice(result, tiersOf(input));
}

async function buyerOf(parameters: Parameters, reads: PriceReads): Promise<Buyer> {
  const buyer = await readBuyer(reads, parameters.customer ?? null);
  const { membership } = parameters;
  return membership === undefined ? buyer : { ...buyer, membership: await enabledMembership(reads, membership) };
}

/** Without a country, the address is missing. */
function addressOf({ country, state_name, zipcode, city }: Parameters): PostalAddress | null {
  if (country === undefined) return null;
  const text = (value: Value | undefined): string | null => (typeof value === 'string' ? value : null);
  return {
    country_code: text(country),
    state_name: text(state_name),
    zipcode: text(zipcode),
    city: text(city),
  };
}

async function couponsOf({ coupon: code }: Parameters, reads: PriceReads): Promise<Coupon[] | Problem> {
  if (typeof code !== 'string') return [];
  const id = (await reads.named('Coupon', [code])).get(code);
  const stored = id === undefined ? undefined : await reads.read('Coupon', id);
  if (!stored)
    return problem('invalid-argument', `"coupon" is ${JSON.stringify(code)}, but there is no coupon with this code.`);
  return [couponFacts(stored, null)];
}

function shownPrice({ currency, lines, discounts, taxes, totals, explanation }: Result, tiers: unknown): Price {
  const { price, regular_price, amount, subtotal, wholesale_price_id, sale_discount_id } = lines[0]!;
  // There are no charges, so the total is the subtotal less discounts, with taxes.
  const allTaxes = unitsOf(totals.added_taxes) + unitsOf(totals.included_taxes);
  return {
    price,
    regular_price,
    quantity: amount,
    subtotal,
    discounts: discounts as unknown as Value,
    taxes: taxes as unknown as Value,
    net: amountOf(unitsOf(totals.total) - allTaxes),
    gross: totals.total,
    currency,
    wholesale_price_id,
    sale_discount_id,
    tiers: tiers as Value,
    explanation: explanation as unknown as Value,
  };
}
