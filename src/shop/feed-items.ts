/** The items of a product feed: one for each product without variants, or for each variant (catalog.md §17). */
import { type PageRecord, shopAddress } from '../domain/rules/catalog/shop-address.ts';
import { basePriceOf, unitPriceOf, unitWeightOf } from '../domain/rules/orders/order-prices.ts';
import type { Product, Variant } from '../domain/rules/orders/order-stock.ts';
import { IMAGES_PATH, type ShownRecord, type Value } from '../engine/index.ts';
import { CURRENCIES } from '../pricing/currencies.ts';
import { rounded, unitsOf } from '../pricing/money.ts';
import type { ChoosableValue, FeedAttributes, ProductDetails } from './feed-details.ts';
import type { FeedSettings } from './feed-settings.ts';
import type { Source } from './listed.ts';
import { plainText, shortened, xmlText } from './xml.ts';

/** The fields of a product that its items need. */
export const PRODUCT_FIELDS: readonly string[] = (
  'id sku name description brief_description clean_url price sale_price_value participate_sale discount_type weight ' +
  'inventory_traceable amount available_for_backorder backorder_limit facebook_marketing_enabled google_feed_enabled ' +
  'arrival_date images width length height'
).split(' ');

const TITLE_LENGTH_MAX = 150;
const DESCRIPTION_LENGTH_MAX = 5000;
const MORE_IMAGES_MAX = 10;
const SECONDS_PER_DAY = 24 * 3600;

export interface ItemContext {
  readonly source: Source;
  readonly settings: FeedSettings;
  readonly attributes: FeedAttributes;
  /** Seconds since 1970. */
  readonly now: number;
}

/** Why a product has no item. */
export type Lack = 'price' | 'image';

/** @returns the XML of the items, or what the product lacks */
export function itemsOf(product: ShownRecord, details: ProductDetails, context: ItemContext): readonly string[] | Lack {
  const offered = details.variants.length > 0 ? details.variants : [undefined];
  const items = offered.map((variant) => itemOf(product, variant, details, context));
  const written = items.filter((item) => !LACKS.has(item));
  if (written.length > 0) return written;
  return items.includes('image') ? 'image' : 'price';
}

const LACKS: ReadonlySet<string> = new Set<Lack>(['price', 'image']);

type Elements = readonly (readonly [name: string, value: string | undefined])[];

/** @returns the XML of one item, or what it lacks */
function itemOf(
  product: ShownRecord,
  variant: ShownRecord | undefined,
  details: ProductDetails,
  context: ItemContext,
): string {
  const price = priceElements(product, variant, details, context);
  if (!price) return 'price';
  const images = imagesOf(product, variant, context);
  if (images.length === 0) return 'image';
  const [image, ...more] = images;
  const elements: Elements = [
    ['id', idOf(product, variant)],
    ['item_group_id', variant && (product.sku as string)],
    ['title', shortened((product.name as string).replace(/\s+/g, ' ').trim(), TITLE_LENGTH_MAX)],
    ['description', descriptionOf(product)],
    ['link', linkOf(product, variant, context)],
    ['image_link', image],
    ...more.slice(0, MORE_IMAGES_MAX).map((url) => ['additional_image_link', url] as const),
    ...price,
    ...availabilityElements(product, variant, context),
    ...attributeElements(variant, details, context),
    ['product_type', details.categoryPath?.join(' > ')],
    ['condition', 'new'],
    ...shippingElements(product, variant, details, context),
  ];
  return `<item>${elements.map(([name, value]) => element(name, value)).join('')}</item>\n`;
}

function element(name: string, value: string | undefined): string {
  return value === undefined || value === '' ? '' : `<g:${name}>${xmlText(value)}</g:${name}>`;
}

function idOf(product: ShownRecord, variant: ShownRecord | undefined): string {
  if (!variant) return product.sku as string;
  return (variant.sku as string | null) ?? `${product.id}-${variant.id}`;
}

function descriptionOf({ description, brief_description, name }: ShownRecord): string {
  for (const text of [description, brief_description, name]) {
    const plain = plainText(text as string, DESCRIPTION_LENGTH_MAX);
    if (plain !== '') return plain;
  }
  return '';
}

function linkOf(product: ShownRecord, variant: ShownRecord | undefined, { source }: ItemContext): string {
  const { settings } = source.service.environment;
  const address = shopAddress('product', product as unknown as PageRecord, source.requestOptions.language, settings);
  return variant ? `${address}?variant=${variant.id}` : address;
}

function imagesOf(product: ShownRecord, variant: ShownRecord | undefined, { source }: ItemContext): string[] {
  const own = variant?.image as { readonly url: string } | null | undefined;
  const ofProduct = (product.images as unknown as readonly { readonly url: string }[]).map(({ url }) => url);
  return own ? [`${source.service.environment.baseUrl}${IMAGES_PATH}/${own.url}`, ...ofProduct] : ofProduct;
}

/** The price before and after the sale, of one unit with default options. @returns undefined if it is not above 0 */
function priceElements(
  product: ShownRecord,
  variant: ShownRecord | undefined,
  details: ProductDetails,
  { source }: ItemContext,
): Elements | undefined {
  const { currency = '' } = source.service.environment.settings;
  const decimals = CURRENCIES.get(currency) ?? 2;
  const sold = product as Product;
  const base = basePriceOf(sold, variant as Variant | undefined);
  const options = defaultOptions(variant, details);
  const regular = rounded(unitPriceOf({ ...sold, participate_sale: false }, base, options, decimals), decimals);
  const price = rounded(unitPriceOf(sold, base, options, decimals), decimals);
  if (regular <= 0n || price <= 0n) return undefined;
  const shown = (units: bigint): string => `${decimalText(units, decimals)} ${currency}`;
  return [
    ['price', shown(regular)],
    ['sale_price', price < regular ? shown(price) : undefined],
  ];
}

/** @param units ten-thousandths, rounded to the decimals */
function decimalText(units: bigint, decimals: number): string {
  const text = String(units).padStart(5, '0');
  const [whole, fraction] = [text.slice(0, -4), text.slice(-4)];
  return decimals === 0 ? whole : `${whole}.${fraction.slice(0, decimals)}`;
}

/** The default values of attributes that do not determine the variant. */
function defaultOptions(variant: ShownRecord | undefined, { values }: ProductDetails): ChoosableValue[] {
  const ofVariant = new Set(variantValues(variant, values).map(({ attribute }) => attribute));
  return values.filter(({ isDefault, attribute }) => isDefault && !ofVariant.has(attribute));
}

function variantValues(variant: ShownRecord | undefined, values: readonly ChoosableValue[]): readonly ChoosableValue[] {
  if (!variant) return [];
  const { attribute_select_values: selects, attribute_checkbox_values: checkboxes } = variant;
  return values.filter(({ id, kind }) => ((kind === 'select' ? selects : checkboxes) as Value[]).includes(id));
}

function availabilityElements(
  product: ShownRecord,
  variant: ShownRecord | undefined,
  { settings, now }: ItemContext,
): Elements {
  const arrival = Date.parse(product.arrival_date as string) / 1000;
  if (arrival > now)
    return [
      ['availability', 'preorder'],
      ['availability_date', isoTime(arrival)],
    ];
  const amount = (variant && variant.default_amount !== true ? variant.amount : product.amount) as number;
  if (product.inventory_traceable !== true || amount > 0) return [['availability', 'in_stock']];
  const isAccepted = product.available_for_backorder === true && amount > -(product.backorder_limit as number);
  if (!isAccepted) return [['availability', 'out_of_stock']];
  const today = now - (now % SECONDS_PER_DAY);
  return [
    ['availability', 'backorder'],
    ['availability_date', isoTime(today + settings.backorderDays * SECONDS_PER_DAY)],
  ];
}

const isoTime = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 16)}+0000`;

function attributeElements(
  variant: ShownRecord | undefined,
  details: ProductDetails,
  { attributes }: ItemContext,
): Elements {
  const valueFor = (purpose: string): string | undefined => {
    const attribute = attributes.get(purpose);
    return attribute && attributeText(attribute.id, variant, details);
  };
  const [gtin, mpn] = [valueFor('gtin'), valueFor('mpn')];
  return [
    ['brand', valueFor('brand')],
    ['gtin', gtin],
    ['mpn', mpn],
    ['identifier_exists', gtin || mpn ? undefined : 'no'],
    ['google_product_category', valueFor('category')],
  ];
}

/** The value of the variant, the default value, or the first one. */
function attributeText(id: Value, variant: ShownRecord | undefined, details: ProductDetails): string | undefined {
  const own = details.values.filter(({ attribute }) => attribute === id);
  const byPosition = own.toSorted((one, other) => one.position - other.position);
  const [ofVariant] = variantValues(variant, own);
  return (ofVariant ?? own.find(({ isDefault }) => isDefault) ?? byPosition[0])?.text ?? details.texts.get(id);
}

/** Factors to centimeters for units that feeds do not know. */
const CENTIMETERS: Readonly<Record<string, number>> = { m: 100, mm: 0.1 };

function shippingElements(
  product: ShownRecord,
  variant: ShownRecord | undefined,
  details: ProductDetails,
  { source }: ItemContext,
): Elements {
  const { weight_unit = '', dimension_unit = '' } = source.service.environment.settings;
  const base = basePriceOf(product as Product, variant as Variant | undefined);
  const weight = unitWeightOf(base, defaultOptions(variant, details));
  const factor = CENTIMETERS[dimension_unit] ?? 1;
  const unit = dimension_unit in CENTIMETERS ? 'cm' : dimension_unit;
  const sizes = (['length', 'width', 'height'] as const).map((name) => {
    const size = Number(unitsOf((product[name] as number) * factor)) / 10_000;
    return [`shipping_${name}`, size > 0 ? `${size} ${unit}` : undefined] as const;
  });
  return [['shipping_weight', weight > 0n ? `${Number(weight) / 10_000} ${weight_unit}` : undefined], ...sizes];
}
