/** Products (catalog.md §1). Output has the fields of the specification, in its order. */
import {
  action,
  averageOf,
  choice,
  countOf,
  decimal,
  type Field,
  flag,
  inheritedTotalOf,
  integer,
  link,
  linkedBy,
  links,
  parts,
  resource,
  rules,
  text,
  timestamp,
} from '../../engine/vocabulary.ts';
import { cleanUrl, deriveCleanUrl } from '../rules/catalog/clean-url.ts';
import { IMAGES_MAX } from '../rules/catalog/image.ts';
import { recordOldUrl, USES_OF_OLD_URLS } from '../rules/catalog/old-urls.ts';
import { deriveAutomaticTexts, openGraphMarkup, PAGE_TEXT_FIELDS, textType } from '../rules/catalog/page-texts.ts';
import { dropValuesOfOldClass, USES_OF_OLD_CLASS } from '../rules/catalog/product-class-change.ts';
import { checkSale, SALE_FIELDS } from '../rules/catalog/sale.ts';
import { changeStock, checkAmount, STOCK_FIELDS } from '../rules/catalog/stock.ts';
import { checkClassLeft, USES_OF_VALUES_IN_USE } from '../rules/catalog/variants-in-use.ts';
import { FORMER_PRODUCT, recordedSince } from '../rules/pricing/former-values.ts';
import { priceFor } from '../rules/pricing/list-price.ts';
import { historyOfProduct, lowestPriceField, lowestPricesOfProducts } from '../rules/pricing/price-history.ts';
import { priceOfProduct } from '../rules/pricing/price-view.ts';
import { SHOP_URL } from '../rules/store/store-info.ts';

/** The reviews that shops show. */
const APPROVED = { status: 1 };

const dimension = (name: string): Field =>
  decimal({ min: 0, preservedOnReplace: true, description: `${name} of the box, in the store’s unit of dimensions.` });

export const product = resource({
  name: 'Product',
  group: 'Catalog',
  description: 'A product of the store, with its texts, prices, stock, tags, class and images.',
  fields: {
    sku: text({
      required: true,
      notBlank: true,
      lengthMax: 32,
      unique: true,
      distinct: 'loosely',
      namespace: 'sku',
      searchable: true,
      description: 'Stock keeping unit, unique among products and variants.',
      example: 'TSHIRT-1',
    }),
    name: text({
      synonyms: ['title'],
      required: true,
      notBlank: true,
      lengthMax: 255,
      translated: true,
      searchable: true,
      example: 'T-shirt',
    }),
    description: text({ translated: true, searchable: true, description: 'Text or HTML, stored as sent.' }),
    brief_description: text({
      synonyms: ['shortdescription', 'summary', 'excerpt'],
      translated: true,
      searchable: true,
      description: 'Short description; text or HTML, stored as sent.',
    }),
    meta_tags: text({
      synonyms: ['keywords', 'metakeywords'],
      translated: true,
      lengthMax: 255,
      description: 'Keywords of the product page.',
    }),
    meta_description: text({ translated: true, description: 'Meta description of the product page.' }),
    meta_description_type: textType('meta_description'),
    meta_title: text({ translated: true, lengthMax: 255, description: 'Title of the product page.' }),
    og_meta_tags: text({
      translated: true,
      description:
        'Open Graph markup of the product page. If it is empty, output shows markup generated from the product. It names a URL only if the store has a `shop_url`.',
      complete: openGraphMarkup('product'),
      completedFrom: ['name', 'clean_url', 'meta_description', 'brief_description', 'description', 'images'],
      completedWith: SHOP_URL,
    }),
    og_meta_tags_type: textType('og_meta_tags'),
    clean_url: cleanUrl({ example: 't-shirt' }),
    price: decimal({
      synonyms: ['regularprice', 'unitprice', 'baseprice'],
      min: 0,
      description: 'Regular price of one unit, in the store’s currency.',
      example: 19.99,
    }),
    market_price: decimal({
      synonyms: ['listprice', 'msrp', 'compareatprice'],
      min: 0,
      description: 'Price for comparison, such as the list price.',
    }),
    cost_price: decimal({
      synonyms: ['cost', 'purchaseprice'],
      min: 0,
      description: 'Cost of one unit for the store.',
    }),
    sale_price_value: decimal({
      synonyms: ['saleprice', 'specialprice'],
      min: 0,
      description:
        'Sale price or percentage off, depending on `discount_type`. A sale price must be at most `price`; a sale price of 0 must be sent explicitly.',
    }),
    participate_sale: flag({ description: 'Whether the sale applies.' }),
    discount_type: choice(['sale_price', 'sale_percent'], {
      default: 'sale_percent',
      description: '`sale_price`: `sale_price_value` is the price. `sale_percent`: it is the percentage off.',
    }),
    apply_sale_to_wholesale: flag({ description: 'Whether the sale also applies to wholesale prices.' }),
    enabled: flag({
      synonyms: ['active', 'published', 'visible'],
      default: true,
      description: 'Whether shops show the product.',
    }),
    weight: decimal({ min: 0, description: 'Weight of one unit, in the store’s unit of weight.' }),
    free_shipping: flag({ description: 'Whether shipping is free.' }),
    taxable: flag({ default: true, description: 'Whether the product is taxed.' }),
    inventory_traceable: flag({
      default: true,
      description: 'Whether the stock is tracked, so that orders change it.',
    }),
    amount: integer({
      synonyms: ['qty', 'quantity', 'stock', 'inventory', 'stockquantity', 'inventoryquantity'],
      default: 1000,
      preservedOnReplace: true,
      preservedOnRestore: true,
      description: 'Units in stock; negative if units are backordered.',
    }),
    available_for_backorder: flag({
      default: true,
      description: 'Whether orders can exceed the stock, by up to `backorder_limit` units.',
    }),
    backorder_limit: integer({ min: 0, description: 'Maximum number of backordered units.' }),
    pin_codes_enabled: flag(),
    auto_pin_codes: flag(),
    facebook_marketing_enabled: flag({ default: true }),
    google_feed_enabled: flag({ default: true }),
    create_date: timestamp({ synonyms: ['created', 'createdat', 'datecreated'], stamped: 'created' }),
    update_date: timestamp({
      synonyms: ['updated', 'updatedat', 'modified', 'datemodified'],
      stamped: 'changed',
      description: 'Time of the last change of the product, its images or texts.',
    }),
    arrival_date: timestamp({
      nullable: true,
      isFilled: true,
      preservedOnReplace: true,
      description: 'Date from which the product is available. In POST and PUT, null means now.',
    }),
    stickers: links({ to: 'Sticker', shown: 'ids', description: 'Ids of stickers.' }),
    tags: links({ to: 'Tag', shown: 'records', made: true, description: 'Unknown names create new tags.' }),
    memberships: links({ to: 'Membership', shown: 'records', description: 'Memberships that the product is for.' }),
    product_class: link({ to: 'ProductClass', onDelete: 'set null' }),
    tax_class: link({ to: 'TaxClass', onDelete: 'set null' }),
    images: parts('ProductImage', {
      synonyms: ['pictures', 'photos', 'gallery'],
      written: { countMin: 0, countMax: IMAGES_MAX },
    }),
    separate_box: flag({
      preservedOnReplace: true,
      description: 'Whether the product is shipped in a box of its own.',
    }),
    width: dimension('Width'),
    length: dimension('Length'),
    height: dimension('Height'),
    variants_count: countOf('Variant'),
    reviews_count: countOf('Review', { where: APPROVED, description: 'Number of approved reviews.' }),
    average_rating: averageOf('Review', 'rating', {
      where: APPROVED,
      description: 'Average rating of the approved reviews, with two decimals; null if there are none.',
    }),
    stock: inheritedTotalOf('Variant', 'amount', {
      description:
        'Units in stock of the product and all its variants: `amount`, or if variants have their own stock, the sum of these, plus `amount` if another variant uses it.',
    }),
    lowest_price_30_days: lowestPriceField('product'),
    category: linkedBy('CategoryProduct', 'product_id', 'category'),
    attributes: linkedBy('AttributeValueSelect', 'product', 'option', { keyed: { by: 'attribute' } }),
    variants: linkedBy('AttributeValueSelect', 'product', 'option', {
      keyed: { by: 'attribute', usedIn: { resource: 'Variant', links: 'attribute_select_values' } },
    }),
    recorded_since: recordedSince(),
  },
  evaluations: { lowest_price_30_days: lowestPricesOfProducts },
  formerValues: FORMER_PRODUCT,
  bulk: { by: 'sku' },
  routes: [{ path: '/products/{id}', operations: ['list', 'create', 'read', 'replace', 'patch', 'remove'] }],
  filters: [
    'sku',
    { field: 'name', partial: true },
    'clean_url',
    'price',
    'market_price',
    'cost_price',
    'weight',
    'amount',
    'enabled',
    'taxable',
    'free_shipping',
    'participate_sale',
    'discount_type',
    'product_class',
    'tax_class',
    'memberships',
    'tags',
    'stickers',
    'category',
    'attributes',
    'variants',
    'create_date',
    'update_date',
    'arrival_date',
    'separate_box',
    'width',
    'length',
    'height',
  ],
  facets: { path: 'search', by: ['category', 'tags', 'product_class', 'price', 'attributes', 'variants'] },
  orders: [
    'sku',
    'name',
    'price',
    'amount',
    { field: 'arrival_date', aliases: ['arrivalDate'] },
    'create_date',
    'update_date',
  ],
  lookup: { rank: 1, by: 'search', title: 'name' },
  search: {
    in: ['sku', 'name', 'brief_description', 'description', { parts: 'AttributeValueText', field: 'value' }],
    ranks: [
      { field: 'sku', has: 'equal' },
      { field: 'name', has: 'equal' },
      { field: 'name', has: 'begins' },
      { field: 'name', has: 'words' },
      { field: 'name', has: 'all' },
      { field: 'sku', has: 'all' },
      { field: 'brief_description', has: 'all' },
    ],
  },
  rules: rules(
    {
      own: ['name', 'clean_url', 'arrival_date', 'amount', 'product_class', ...PAGE_TEXT_FIELDS, ...SALE_FIELDS],
      ...USES_OF_VALUES_IN_USE,
      ...USES_OF_OLD_CLASS,
      ...USES_OF_OLD_URLS,
      AttributeValueSelect: USES_OF_VALUES_IN_USE.AttributeValueSelect,
    },
    {
      async derive(draft, unit) {
        deriveAutomaticTexts(draft, ['meta_description', 'og_meta_tags']);
        if (draft.values.arrival_date === null) draft.values.arrival_date = draft.now;
        await deriveCleanUrl(draft, unit, 'product');
      },
      mayConflict: true,
      async check(draft, unit) {
        checkAmount(draft);
        checkSale(draft);
        await checkClassLeft(draft, unit);
      },
      async within(draft, unit, id) {
        await dropValuesOfOldClass(draft, unit);
        await recordOldUrl(draft, unit, id, 'product');
      },
    },
  ),
  actions: [
    action(
      { own: STOCK_FIELDS },
      {
        name: 'stock',
        method: 'POST',
        summary: 'Add to or subtract from the stock of a product',
        input: {
          delta: integer({
            required: true,
            transient: true,
            description: 'Number of units to add; negative to subtract. Must not be 0.',
            example: -3,
          }),
        },
        bulk: { instead: ['amount'] },
        exampleShows: { amount: 997 },
        run: changeStock,
      },
    ),
  ],
  views: [priceOfProduct, historyOfProduct],
  listField: priceFor,
});
