/** The store: every resource, in the order in which the specification and so the reference list them. */
import type { Resource } from '../engine/vocabulary.ts';
import { attribute } from './attribute.ts';
import { attributeGroup } from './attribute-group.ts';
import { attributeOption } from './attribute-option.ts';
import { attributeProperty } from './attribute-property.ts';
import { attributeValueCheckbox } from './attribute-value-checkbox.ts';
import { attributeValueHidden } from './attribute-value-hidden.ts';
import { attributeValueSelect } from './attribute-value-select.ts';
import { attributeValueText } from './attribute-value-text.ts';
import { category } from './category.ts';
import { categoryBanner } from './category-banner.ts';
import { categoryIcon } from './category-icon.ts';
import { categoryProduct } from './category-product.ts';
import { language } from './language.ts';
import { membership } from './membership.ts';
import { order } from './order.ts';
import { orderDetail } from './order-detail.ts';
import { orderHistoryEvents } from './order-history-events.ts';
import { invoiceSeries, orderInvoice } from './order-invoice.ts';
import { orderItem } from './order-item.ts';
import { orderReturn, orderReturnLine } from './order-return.ts';
import { orderShipment, orderShipmentLine } from './order-shipment.ts';
import { orderTrackingNumber } from './order-tracking-number.ts';
import { product } from './product.ts';
import { productClass } from './product-class.ts';
import { productImage } from './product-image.ts';
import { profile } from './profile.ts';
import { profileAddress } from './profile-address.ts';
import { paymentStatus, shippingStatus } from './status-tables.ts';
import { sticker } from './sticker.ts';
import { surcharge } from './surcharge.ts';
import { tag } from './tag.ts';
import { taxClass } from './tax-class.ts';
import { transaction } from './transaction.ts';
import { variant } from './variant.ts';
import { webhook } from './webhook.ts';
import { webhookDelivery } from './webhook-delivery.ts';

export const store: readonly Resource[] = [
  attributeGroup,
  attribute,
  attributeOption,
  attributeProperty,
  attributeValueCheckbox,
  attributeValueHidden,
  attributeValueSelect,
  attributeValueText,
  category,
  categoryBanner,
  categoryIcon,
  categoryProduct,
  productClass,
  product,
  productImage,
  variant,
  taxClass,
  order,
  orderDetail,
  orderHistoryEvents,
  orderItem,
  transaction,
  orderTrackingNumber,
  orderShipment,
  orderShipmentLine,
  orderReturn,
  orderReturnLine,
  orderInvoice,
  invoiceSeries,
  surcharge,
  profile,
  profileAddress,
  membership,
  tag,
  sticker,
  language,
  paymentStatus,
  shippingStatus,
  webhook,
  webhookDelivery,
];
