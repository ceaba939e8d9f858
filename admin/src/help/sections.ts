/** The sections of docs/guides/admin.md that explain the screens, by the identifier of their heading. */

const SECTIONS: readonly (readonly [path: RegExp, section: string])[] = [
  [/^\/$/, 'home'],
  [/^\/products\/(create|\d+)/, 'one-product'],
  [/^\/products/, 'products'],
  [/^\/print/, 'one-order'],
  [/^\/orders\/create/, 'create-and-edit-orders'],
  [/^\/orders\/\d+/, 'one-order'],
  [/^\/orders/, 'orders'],
  [/^\/carts/, 'carts'],
  [/^\/(profiles|guests)/, 'customers'],
  [/^\/(sale_discounts|volume_discounts|coupons)/, 'discounts'],
  [/^\/categories/, 'categories'],
  [/^\/front-page/, 'featured-products'],
  [/^\/reviews/, 'reviews'],
  [/^\/taxes\/zones/, 'zones'],
  [/^\/taxes\/settings/, 'tax-settings'],
  [/^\/taxes\/tester/, 'price-tester'],
  [/^\/taxes/, 'taxes'],
  [/^\/shipping/, 'shipping'],
  [/^\/mails/, 'e-mails'],
  [/^\/transfer/, 'import-and-export'],
  [/^\/staff/, 'staff'],
  [/^\/activity/, 'activity'],
  [/^\/account/, 'my-account'],
  [/^\/settings\/webhooks/, 'webhooks'],
  [/^\/settings\/keys/, 'api-keys'],
  [/^\/settings\/store/, 'store-settings'],
  [/^\/settings\/attributes/, 'attributes'],
  [/^\/settings\/product_tabs/, 'product-tabs'],
  [/^\/settings/, 'settings'],
];

/** The tabs of a product that have a section of their own. */
const TABS = ['variants', 'prices', 'images', 'texts', 'attachments', 'related', 'history'];

export function helpSectionOf(path: string, query: URLSearchParams): string {
  const section = SECTIONS.find(([pattern]) => pattern.test(path))?.[1] ?? 'screens';
  const tab = query.get('tab') ?? '';
  return section === 'one-product' && TABS.includes(tab) ? tab : section;
}
