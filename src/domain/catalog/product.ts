/** Products: what the store sells (catalog.md §1). Output has the specification's fields in its order. */
import {
  action,
  choice,
  countOf,
  decimal,
  flag,
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
import { deriveAutomaticTexts, madeMarkup, PAGE_TEXT_FIELDS, textType } from '../rules/catalog/page-texts.ts';
import { dropValuesOfOldClass, USES_OF_OLD_CLASS } from '../rules/catalog/product-class-change.ts';
import { checkSale, SALE_FIELDS } from '../rules/catalog/sale.ts';
import { changeStock, checkAmount, STOCK_FIELDS } from '../rules/catalog/stock.ts';
import { checkClassLeft, USES_OF_VALUES_IN_USE } from '../rules/catalog/variants-in-use.ts';

export const product = resource({
  name: 'Product',
  group: 'Catalog',
  description: 'A product of the store: its texts, prices and stock, and its tags, class and pictures.',
  fields: {
    sku: text({
      required: true,
      notBlank: true,
      lengthMax: 32,
      unique: true,
      distinct: 'loosely',
      namespace: 'sku',
      searchable: true,
      example: 'TSHIRT-1',
    }),
    name: text({
      required: true,
      notBlank: true,
      lengthMax: 255,
      translated: true,
      searchable: true,
      example: 'T-shirt',
    }),
    description: text({ translated: true, searchable: true, description: 'Text or HTML, kept as written.' }),
    brief_description: text({ translated: true, searchable: true, description: 'Text or HTML, kept as written.' }),
    meta_tags: text({ translated: true, lengthMax: 255 }),
    meta_description: text({ translated: true }),
    meta_description_type: textType('meta_description'),
    meta_title: text({ translated: true, lengthMax: 255 }),
    og_meta_tags: text({
      translated: true,
      description: 'Markup. While it is empty, output shows markup made from the product.',
      complete: madeMarkup,
    }),
    og_meta_tags_type: textType('og_meta_tags'),
    clean_url: cleanUrl({ example: 't-shirt' }),
    price: decimal({ min: 0, example: 19.99 }),
    market_price: decimal({ min: 0 }),
    cost_price: decimal({ min: 0 }),
    sale_price_value: decimal({
      min: 0,
      description:
        'A price of at most `price`, or percent off: `discount_type` says which. A price of 0 gives the product away, and is always said.',
    }),
    participate_sale: flag(),
    discount_type: choice(['sale_price', 'sale_percent'], { default: 'sale_percent' }),
    apply_sale_to_wholesale: flag(),
    enabled: flag({ default: true }),
    weight: decimal({ min: 0 }),
    free_shipping: flag(),
    taxable: flag({ default: true }),
    inventory_traceable: flag({ default: true }),
    amount: integer({
      default: 1000,
      preservedOnReplace: true,
      description: 'Pieces in stock. Negative while pieces are owed to backorders.',
    }),
    available_for_backorder: flag({ default: true }),
    backorder_limit: integer({ min: 0 }),
    pin_codes_enabled: flag(),
    auto_pin_codes: flag(),
    facebook_marketing_enabled: flag({ default: true }),
    google_feed_enabled: flag({ default: true }),
    create_date: timestamp({ stamped: 'created' }),
    update_date: timestamp({ stamped: 'changed', description: 'Changes of its images and texts count too.' }),
    arrival_date: timestamp({
      nullable: true,
      preservedOnReplace: true,
      description: 'null means the moment of creation.',
    }),
    stickers: links({ to: 'Sticker', shown: 'ids' }),
    tags: links({ to: 'Tag', shown: 'records', made: true, description: 'A name that no tag has yet makes one.' }),
    memberships: links({ to: 'Membership', shown: 'records' }),
    product_class: link({ to: 'ProductClass', onDelete: 'set null' }),
    tax_class: link({ to: 'TaxClass', onDelete: 'set null' }),
    images: parts('ProductImage', { written: { countMin: 0, countMax: IMAGES_MAX } }),
    variants_count: countOf('Variant'),
    category: linkedBy('CategoryProduct', 'product_id', 'category'),
  },
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
    'create_date',
    'update_date',
    'arrival_date',
  ],
  orders: [
    'sku',
    'name',
    'price',
    'amount',
    { field: 'arrival_date', aliases: ['arrivalDate'] },
    'create_date',
    'update_date',
  ],
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
      own: [
        'name',
        'clean_url',
        'arrival_date',
        'create_date',
        'amount',
        'product_class',
        ...PAGE_TEXT_FIELDS,
        ...SALE_FIELDS,
      ],
      ...USES_OF_VALUES_IN_USE,
      ...USES_OF_OLD_CLASS,
      AttributeValueSelect: USES_OF_VALUES_IN_USE.AttributeValueSelect,
    },
    {
      async derive(draft, unit) {
        deriveAutomaticTexts(draft, ['meta_description', 'og_meta_tags']);
        if (draft.values.arrival_date === null) draft.values.arrival_date = draft.stored?.create_date ?? draft.now;
        await deriveCleanUrl(draft, unit, 'product');
      },
      mayConflict: true,
      async check(draft, unit) {
        checkAmount(draft);
        checkSale(draft);
        await checkClassLeft(draft, unit);
      },
      within: dropValuesOfOldClass,
    },
  ),
  actions: [
    action(
      { own: STOCK_FIELDS },
      {
        name: 'stock',
        method: 'POST',
        summary: 'Add to the stock of a product in one step',
        input: {
          delta: integer({
            required: true,
            transient: true,
            description: 'Pieces to add; negative takes away. Not 0.',
            example: -3,
          }),
        },
        bulk: { instead: ['amount'] },
        exampleShows: { amount: 997 },
        run: changeStock,
      },
    ),
  ],
});
