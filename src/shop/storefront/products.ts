/** What shoppers see of products (storefront.md §2). Prices are those of the cheapest variant. */
import { type GuestPrice, guestPrices, RESOURCES_OF_GUEST_PRICES } from '../../domain/rules/pricing/guest-prices.ts';
import { priceFor } from '../../domain/rules/pricing/list-price.ts';
import type { ShownRecord, Value } from '../../engine/index.ts';
import { shownTexts } from '../feed-details.ts';
import { DESCRIBED_ATTRIBUTES, DESCRIBED_CHOICES, optionsOf, type ProductOptions } from './options.ts';
import { availabilityOf, quantityOf, STOCK_FIELDS, type Stock, stocksOf } from './stock.ts';
import {
  DESCRIBED,
  priceContext,
  recordsOf,
  type ShopReading,
  type ShopView,
  same,
  shopView,
  shownImage,
} from './view.ts';
import { VISIBLE, visibleCategories } from './visible.ts';

const IMAGE = ['id', 'alt', 'url', 'width', 'height'];

const KEYED_OPERATORS = [undefined, '', 'exists'];

interface Named {
  readonly id: Value;
  readonly name: string;
}

interface ProductFacts {
  /** That of the cheapest variant, by product. */
  readonly prices: ReadonlyMap<Value, GuestPrice>;
  readonly includesTax: boolean;
  readonly currency: string;
  readonly quantityMax: number;
  /** Those of the variants, or that of the product if it has none. */
  readonly stocks: (product: ShownRecord) => readonly Stock[];
  /** Variants by product. */
  readonly variants: ReadonlyMap<Value, readonly ShownRecord[]>;
  /** Identifiers of visible categories, by product. */
  readonly categories: ReadonlyMap<Value, readonly Value[]>;
  /** Enabled stickers. */
  readonly stickers: ReadonlyMap<Value, Named>;
  readonly options: (product: Value) => ProductOptions;
}

export const PRODUCTS: ShopView = shopView<ProductFacts>({
  resource: 'Product',
  path: '/products',
  about: 'All enabled products, except those for members only.',
  hasRecords: true,
  reads: [...RESOURCES_OF_GUEST_PRICES, 'Sticker'],
  conditions: VISIBLE,
  hasPrices: true,
  fields: {
    id: same('id', 'Id of the product.'),
    sku: same('sku'),
    name: same('name', 'Name of the product.'),
    brief_description: same('brief_description'),
    description: same('description'),
    meta_title: same('meta_title'),
    meta_description: same('meta_description'),
    meta_tags: same('meta_tags'),
    og_meta_tags: same('og_meta_tags', 'Open Graph markup of the product page.'),
    clean_url: same('clean_url', 'Last segment of the address of the product page.'),
    price: {
      from: [],
      needs: ['prices'],
      value: ({ id }, { prices }) => prices.get(id!)?.price,
      described: DESCRIBED.price,
    },
    list_price: {
      from: [],
      needs: ['prices'],
      value: ({ id }, { prices }) => prices.get(id!)?.regularPrice,
      described: DESCRIBED.list_price,
    },
    price_includes_tax: {
      from: [],
      needs: ['includesTax'],
      value: (_, { includesTax }) => includesTax,
      described: { schema: { type: 'boolean', description: 'Whether prices include taxes.' }, example: false },
    },
    tiers: {
      from: [],
      needs: ['prices'],
      value: ({ id }, { prices }) => prices.get(id!)?.tiers,
      described: DESCRIBED.tiers,
    },
    currency: {
      from: [],
      value: (_, { currency }) => currency,
      described: { schema: { type: 'string', description: 'ISO 4217 code of all prices.' }, example: 'USD' },
    },
    market_price: same('market_price'),
    weight: same('weight'),
    free_shipping: same('free_shipping'),
    arrival_date: same('arrival_date', 'Date from which the product is available.'),
    availability: {
      from: STOCK_FIELDS,
      needs: ['stocks'],
      value: (product, { stocks }) => availabilityOf(product, stocks(product)),
      described: DESCRIBED.availability,
    },
    quantity: {
      from: STOCK_FIELDS,
      needs: ['stocks'],
      value: (product, { stocks, quantityMax }) => quantityOf(product, stocks(product), quantityMax),
      described: DESCRIBED.quantity,
    },
    has_variants: {
      from: [],
      needs: ['variants'],
      value: ({ id }, { variants }) => variants.has(id!),
      described: {
        schema: { type: 'boolean', description: 'Whether the product has variants.' },
        example: true,
      },
    },
    tags: {
      from: ['tags'],
      value: ({ tags }) => (tags as ShownRecord[]).map(({ id, name }) => ({ id, name })),
      described: recordsOf('Tag', ['id', 'name'], 'Tags.'),
    },
    stickers: {
      from: ['stickers'],
      needs: ['stickers'],
      value: (product, { stickers }) => (product.stickers as Value[]).flatMap((id) => stickers.get(id) ?? []),
      described: recordsOf('Sticker', ['id', 'name'], 'Enabled stickers, such as “New”.'),
    },
    category_ids: {
      from: [],
      needs: ['categories'],
      value: ({ id }, { categories }) => categories.get(id!) ?? [],
      described: {
        schema: {
          type: 'array',
          description: 'Ids of the visible categories with this product.',
          items: { type: 'integer', format: 'int64' },
        },
        example: [1],
      },
    },
    images: {
      from: ['images'],
      value: ({ images }) => (images as Value[]).map((image) => shownImage(image, IMAGE)),
      described: recordsOf('ProductImage', IMAGE, 'Images in their order.'),
    },
    attributes: {
      from: [],
      needs: ['options'],
      value: ({ id }, { options }) => options(id!).attributes,
      described: DESCRIBED_ATTRIBUTES,
    },
    choices: {
      from: ['price'],
      needs: ['options', 'prices'],
      value: ({ id, price }, { options, prices, variants }) => {
        const cheapest = variants.get(id!)?.find((variant) => variant.id === prices.get(id!)?.variant);
        const own = cheapest && cheapest.default_price !== true ? cheapest.price : price;
        return options(id!).choices(own as number);
      },
      described: DESCRIBED_CHOICES,
    },
  },
  filters: {
    id: { as: 'id' },
    sku: { as: 'sku' },
    name: { as: 'name' },
    clean_url: { as: 'clean_url' },
    category_ids: { as: 'category', operators: [undefined, ''], idsOf: 'Category' },
    tags: { as: 'tags' },
    price: { as: priceFor.name, operators: ['gt', 'gte', 'lt', 'lte', 'between'] },
    arrival_date: { as: 'arrival_date' },
    attributes: { as: 'attributes', operators: KEYED_OPERATORS, isKeyed: true },
    variants: { as: 'variants', operators: KEYED_OPERATORS, isKeyed: true },
  },
  facets: ['category', 'tags', 'price', 'attributes', 'variants'],
  orders: { id: 'id', name: 'name', price: priceFor.name, arrival_date: 'arrival_date' },
  facts: productFacts,
});

type ReadFacts = ProductFacts & { readonly endsAt: number | undefined };

async function productFacts(
  reading: ShopReading,
  records: readonly ShownRecord[],
  needs: ReadonlySet<keyof ProductFacts>,
): Promise<ReadFacts> {
  const { reads, service, settings } = reading;
  const ids = records.map(({ id }) => id!);
  const needsVariants = (['variants', 'stocks', 'options'] as const).some((each) => needs.has(each));
  const rows = needsVariants && ids.length > 0 ? await reads.list('Variant', { product_id: ids }) : [];
  const variants = Map.groupBy(rows as ShownRecord[], ({ product_id }) => product_id!);
  const needsPrices = needs.has('prices') || needs.has('includesTax');
  const priced = needsPrices ? await pricesOf(reading, ids) : undefined;
  return {
    prices: new Map([...(priced?.byProduct ?? [])].map(([id, all]) => [id, cheapestOf(all)])),
    includesTax: priced?.includesTax ?? false,
    endsAt: priced?.endsAt,
    currency: service.environment.settings.currency ?? '',
    quantityMax: settings.quantityMax,
    variants,
    stocks: (product) => stocksOf(product, variants.get(product.id!)),
    categories: needs.has('categories') ? await categoriesOf(reading, ids) : new Map(),
    stickers: needs.has('stickers') ? await stickersOf(reading, records) : new Map(),
    options: needs.has('options') ? await optionsOf(reading, ids, variants) : () => NO_OPTIONS,
  };
}

const NO_OPTIONS: ProductOptions = { attributes: [], choices: () => [] };

function pricesOf(reading: ShopReading, ids: readonly Value[]) {
  return guestPrices(ids, reading.reads as unknown as Parameters<typeof guestPrices>[1], priceContext(reading));
}

/** The first one of the cheapest variants. */
function cheapestOf(prices: readonly GuestPrice[]): GuestPrice {
  return prices.reduce((cheapest, each) => (each.price < cheapest.price ? each : cheapest));
}

async function categoriesOf(
  reading: ShopReading,
  products: readonly Value[],
): Promise<ReadonlyMap<Value, readonly Value[]>> {
  const { reads } = reading;
  const links = products.length === 0 ? [] : await reads.list('CategoryProduct', { product_id: [...products] });
  const visible = await visibleCategories(
    reading,
    links.map(({ category }) => category!),
  );
  const shown = links.filter(({ category }) => visible.has(category!));
  const byProduct = Map.groupBy(shown, ({ product_id }) => product_id!);
  return new Map(
    [...byProduct].map(([id, all]) => [
      id,
      all.map(({ category }) => category as number).sort((one, two) => one - two),
    ]),
  );
}

async function stickersOf({ reads }: ShopReading, records: readonly ShownRecord[]): Promise<ReadonlyMap<Value, Named>> {
  const ids = [...new Set(records.flatMap(({ stickers }) => stickers as number[]))];
  const found = ids.length === 0 ? [] : await reads.list('Sticker', { id: ids, enabled: true }, { only: ['enabled'] });
  const enabled = found.map(({ id }) => id!);
  const names = await shownTexts(reads, 'Sticker', enabled, 'name');
  return new Map(enabled.map((id) => [id, { id, name: names.get(id) ?? '' }]));
}
