/** The fields of entries as the forms of the page call them. */
import { useTranslate } from 'react-admin';
import { useLanguageName } from '../utils/language-name.ts';
import { parseField } from './entries.ts';

/** Fields whose name means something else than on most records. */
const OWN_LABELS: Readonly<Record<string, string>> = {
  'Attribute.kind': 'attributes.kind',
  'AttributeOption.value': 'field.name',
  'CategoryBanner.url': 'field.filename',
  'CategoryIcon.url': 'field.filename',
  'Key.expires_at': 'settings.key.expires',
  'Key.key': 'session.key',
  'Key.kind': 'settings.key.kind',
  'Key.link': 'staff.link',
  'Key.masks': 'settings.masks',
  'Key.networks': 'settings.networks',
  'Key.origins': 'settings.origins',
  'Key.scopes': 'settings.scopes',
  'MailTemplate.html': 'mails.html',
  'MailTemplate.subject': 'mails.subject',
  'MailTemplate.text': 'mails.text',
  'OrderInvoice.kind': 'orders.transaction.kind',
  'OrderItem.amount': 'field.quantity',
  'OrderReturnLine.amount': 'field.quantity',
  'OrderShipmentLine.amount': 'field.quantity',
  'ProductAttachment.url': 'field.attachment',
  'ProductImage.url': 'field.filename',
  'Role.masks': 'settings.masks',
  'Role.scopes': 'staff.scopes',
  'StoreInfo.address': 'settings.address',
  'StoreInfo.logo': 'settings.logo',
  'Surcharge.type': 'orders.surchargeType',
  'Surcharge.value': 'orders.surchargeValue',
  'TaxRate.date_range_begin': 'taxes.begin',
  'TaxRate.date_range_end': 'taxes.end',
  'TaxRate.tax': 'taxes.code',
  'TaxRate.value': 'taxes.rate',
  'Transaction.name': 'orders.transaction.method',
  'Transaction.type': 'orders.transaction.kind',
  'Transaction.value': 'orders.amount',
  'User.factors': 'session.twoStep',
  'User.identity': 'staff.identity',
  'User.language': 'staff.language',
  'User.link': 'staff.link',
  'User.link_kind': 'staff.linkKind',
  'User.passkeys': 'passkey.title',
  'User.recovery_codes': 'twoStep.codes',
  'User.role_ids': 'staff.tab.roles',
  'User.totp': 'session.twoStep',
  'WholesalePrice.type': 'discounts.field.type',
};

const ofDiscount = (field: string): string => `discounts.field.${field}`;

/** Where else the forms of a resource have their labels. */
const LABELS_OF: Readonly<Record<string, (field: string) => string>> = {
  Coupon: ofDiscount,
  SaleDiscount: ofDiscount,
  VolumeDiscount: ofDiscount,
  UsedCoupon: ofDiscount,
  ShippingMethod: (field) => `shipping.field.${field}`,
  ShippingRate: (field) => `shipping.rate.${field}`,
  TaxRate: (field) => `taxes.${field}`,
  TaxSettings: (field) => `taxSettings.${field}`,
};

/** The resources of parts, by their names in entries. */
const PARTS: Readonly<Record<string, string>> = {
  banner: 'CategoryBanner',
  featured: 'FeaturedProduct',
  icon: 'CategoryIcon',
  images: 'ProductImage',
  items: 'OrderItem',
  related_products: 'RelatedProduct',
  surcharges: 'Surcharge',
  tracking_numbers: 'OrderTrackingNumber',
  used_coupons: 'UsedCoupon',
};

/** Lines and products belong to several kinds of records. */
const PARTS_OF: Readonly<Record<string, string>> = {
  'Category.products': 'CategoryProduct',
  'OrderReturn.lines': 'OrderReturnLine',
  'OrderShipment.lines': 'OrderShipmentLine',
};

export function partResource(resource: string, name: string): string {
  return PARTS_OF[`${resource}.${name}`] ?? PARTS[name] ?? name;
}

interface FieldLabels {
  /** The label of a name in `changes`, with the part and the language. */
  label(resource: string, written: string): string;
  /** The label of a field, or of a member of a value. */
  field(resource: string, field: string): string;
}

export function useFieldLabels(): FieldLabels {
  const translate = useTranslate();
  const languageName = useLanguageName();

  function field(resource: string, name: string): string {
    const own = OWN_LABELS[`${resource}.${name}`];
    if (own !== undefined) return translate(own);
    const key = LABELS_OF[resource]?.(name);
    const ofResource = key === undefined ? '' : translate(key, { _: '' });
    return ofResource || translate(`field.${name}`, { _: plain(name) });
  }

  return {
    field,
    label(resource, written) {
      const { field: name, language, part } = parseField(written);
      const of = part ? partResource(resource, part.name) : resource;
      const label = language === undefined ? field(of, name) : `${field(of, name)} (${languageName(language)})`;
      if (!part) return label;
      const ofPart = `${translate(`resource.${of}`, { _: plain(of) })} ${part.id}`;
      return name === '' ? ofPart : `${ofPart}: ${label}`;
    },
  };
}

/** A name without underscores, for fields that have no message. */
export function plain(name: string): string {
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
