/** How the page writes the values of fields: amounts of money, choices and links to records. */

const MONEY: ReadonlySet<string> = new Set([
  ...['price', 'market_price', 'cost_price', 'item_net_price', 'discounted_subtotal', 'sub_total', 'total'],
  ...['refunded_value', 'subtotal_range_begin', 'total_range_begin', 'total_range_end'],
  ...['Surcharge.value', 'Transaction.value', 'UsedCoupon.value'],
]);

/** A wholesale price can be a percentage. */
const NOT_MONEY: ReadonlySet<string> = new Set(['WholesalePrice.price']);

export function isMoney(resource: string, field: string): boolean {
  const own = `${resource}.${field}`;
  return !NOT_MONEY.has(own) && (MONEY.has(field) || MONEY.has(own));
}

/** Kinds of discounts and tax rates, as the API writes them. */
const SIGNS: Readonly<Record<string, string>> = { '%': 'percent', $: 'money', S: 'freeShipping' };

const discountType = (value: unknown): string => `discounts.type.${SIGNS[`${value}`]}`;

/** The messages that name the choices of a field. */
const CHOICES: Readonly<Record<string, (value: unknown) => string>> = {
  'Attribute.displayMode': (value) => `attributes.display.${value}`,
  'Attribute.kind': (value) => `attributes.kind.${value}`,
  'Coupon.type': discountType,
  'Order.stock_status': (value) => `orders.stockStatus.${value}`,
  'OrderInvoice.kind': (value) => `orders.document.${value}`,
  'OrderReturn.status': (value) => `orders.returnStatus.${value}`,
  'Product.discount_type': (value) => `products.discountType.${value}`,
  'ProductAttachment.access': (value) => `attachments.access.${value}`,
  'Profile.status': (value) => `customers.status.${value}`,
  'ProfileAddress.type': (value) => `customers.type.${value}`,
  'Review.status': (value) => `reviews.status.${value}`,
  'Surcharge.type': (value) => `orders.surcharge.${value}`,
  'TaxRate.base': (value) => `taxes.base.${value}`,
  'TaxRate.type': (value) => `taxes.type.${SIGNS[`${value}`]}`,
  'TaxSettings.address': (value) => `taxSettings.address.${value}`,
  'TaxSettings.outside_zone': (value) => `taxSettings.outside_zone.${value}`,
  'TaxSettings.prices_include_tax': (value) => `taxSettings.prices_include_tax.${value ? 'yes' : 'no'}`,
  'TaxSettings.rounding': (value) => `taxSettings.rounding.${value}`,
  'TaxSettings.rounding_target': (value) => `taxSettings.rounding_target.${value}`,
  'TaxSettings.shipping': (value) => `taxSettings.shipping.${value}`,
  'Transaction.status': (value) => `orders.transactionStatus.${value}`,
  'Transaction.type': (value) => `orders.transactionType.${value}`,
  'UsedCoupon.type': discountType,
  'User.link_kind': (value) => `staff.linkKind.${value}`,
  'User.status': (value) => `staff.status.${value}`,
  'Variant.sale_discount_type': (value) => `products.discountType.${value}`,
  'VolumeDiscount.type': discountType,
};

/** Returns the key of the message that names a choice; undefined for other fields. */
export const choiceKey = (resource: string, field: string, value: unknown): string | undefined =>
  CHOICES[`${resource}.${field}`]?.(value);

/** The collections of linked records, by the field. */
const LINKS: Readonly<Record<string, string>> = {
  attribute: 'attributes',
  categories: 'categories',
  coupon_id: 'coupons',
  customer_id: 'profiles',
  default_zone: 'zones',
  groupId: 'attribute_groups',
  membership: 'memberships',
  membership_id: 'memberships',
  memberships: 'memberships',
  order: 'orders',
  parent: 'categories',
  payment_status: 'payment_statuses',
  pending_membership_id: 'memberships',
  product: 'products',
  product_class: 'product_classes',
  product_classes: 'product_classes',
  product_id: 'products',
  products: 'products',
  profile: 'profiles',
  respondent: 'profiles',
  shipping_status: 'shipping_statuses',
  stickers: 'stickers',
  tags: 'tags',
  tax_class: 'tax_classes',
  vat_id_exempt_zone: 'zones',
  zone: 'zones',
  zones: 'zones',
};

export const linkedCollection = (field: string): string | undefined => LINKS[field];

/** Fields with HTML. Their words are shown, unless only the elements differ. */
export const HTML_FIELDS: ReadonlySet<string> = new Set(['description', 'brief_description', 'content']);
