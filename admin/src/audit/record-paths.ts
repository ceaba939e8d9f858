/** The records that entries are about: their names and their screens. */

/** A collection whose records have a name. */
interface Named {
  /** The field with the name; undefined if the records have none. */
  readonly title?: string;
  /** Whether lists cannot be filtered by id. There are few such records, so the list is read instead. */
  readonly isWhole?: boolean;
  /** The screen of a record; undefined if there is none. */
  screen?(id: string): string;
}

/** By the first segment of the path. */
const COLLECTIONS: Readonly<Record<string, Named>> = {
  products: { title: 'name', screen: (id) => `/products/${id}` },
  orders: { title: 'order_number', screen: (id) => `/orders/${id}/show` },
  profiles: { title: 'login', screen: (id) => `/profiles/${id}` },
  categories: { title: 'name', screen: (id) => `/categories/${id}` },
  sale_discounts: { title: 'name', screen: (id) => `/sale_discounts/${id}` },
  volume_discounts: { screen: (id) => `/volume_discounts/${id}` },
  coupons: { title: 'code', screen: (id) => `/coupons/${id}` },
  tax_rates: { title: 'name', screen: (id) => `/taxes/rates?rate=${id}` },
  zones: { title: 'name', screen: () => '/taxes/zones' },
  tax_settings: { screen: () => '/taxes/settings' },
  shipping_methods: { title: 'name', screen: (id) => `/shipping/${id}` },
  mail_templates: { screen: () => '/mails/templates' },
  tax_classes: { title: 'name', screen: () => '/settings/tax_classes' },
  memberships: { title: 'name', screen: () => '/settings/memberships' },
  product_classes: { title: 'name', screen: () => '/settings/product_classes' },
  tags: { title: 'name', screen: () => '/settings/tags' },
  stickers: { title: 'name' },
  attributes: { title: 'name', screen: () => '/settings/attributes' },
  attribute_groups: { title: 'name', screen: () => '/settings/attributes' },
  custom_product_tabs: { title: 'name', screen: () => '/settings/product_tabs' },
  payment_statuses: { title: 'name', screen: () => '/settings/statuses' },
  shipping_statuses: { title: 'name', screen: () => '/settings/statuses' },
  languages: { screen: () => '/settings/languages' },
  webhooks: { title: 'url', screen: () => '/settings/webhooks' },
  store: { screen: () => '/settings/store' },
  front_page: { screen: () => '/front-page' },
  reviews: { title: 'reviewer_name', screen: () => '/reviews' },
  users: { title: 'name', isWhole: true, screen: (id) => `/staff/users/${id}` },
  roles: { title: 'name', isWhole: true, screen: () => '/staff/roles' },
  keys: { title: 'name', isWhole: true, screen: () => '/settings/keys' },
};

/** The tabs of a product that show records below it. */
const PRODUCT_TABS: Readonly<Record<string, string>> = {
  variants: 'variants',
  attachments: 'attachments',
  wholesale_prices: 'prices',
};

/** The record that has a screen, or the one that the record of the entry belongs to. */
export interface MainRecord {
  readonly collection: string;
  readonly id: string;
  /** Whether the entry is about a record below this one, for example a variant of a product. */
  readonly isOwner: boolean;
  readonly screen: string | undefined;
}

/** @param path such as `/api/products/1/variants/2` */
export function mainRecord(path: string): MainRecord {
  const [first = '', id = '', below] = path.replace(/^\/api\//, '').split('/');
  // The kinds of attributes have paths of their own.
  const collection = first.startsWith('attributes_') ? 'attributes' : first;
  const screen = COLLECTIONS[collection]?.screen?.(id);
  const tab = collection === 'products' && below !== undefined ? PRODUCT_TABS[below] : undefined;
  return { collection, id, isOwner: below !== undefined, screen: tab ? `${screen}?tab=${tab}` : screen };
}

/** Returns the field with the name of a collection's records. */
export const titleField = (collection: string): string | undefined => COLLECTIONS[collection]?.title;

/** Whether lists of a collection cannot be filtered by id. */
export const isReadWhole = (collection: string): boolean => COLLECTIONS[collection]?.isWhole === true;
