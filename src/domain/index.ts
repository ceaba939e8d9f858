/** All resources of the store, in the order of the specification, which is also that of the API reference. */
import type { Resource } from '../engine/vocabulary.ts';
import { cart } from './carts/cart.ts';
import { attribute } from './catalog/attribute.ts';
import { attributeGroup } from './catalog/attribute-group.ts';
import { attributeOption } from './catalog/attribute-option.ts';
import { attributeProperty } from './catalog/attribute-property.ts';
import { attributeValueCheckbox } from './catalog/attribute-value-checkbox.ts';
import { attributeValueHidden } from './catalog/attribute-value-hidden.ts';
import { attributeValueSelect } from './catalog/attribute-value-select.ts';
import { attributeValueText } from './catalog/attribute-value-text.ts';
import { category } from './catalog/category.ts';
import { categoryBanner } from './catalog/category-banner.ts';
import { categoryIcon } from './catalog/category-icon.ts';
import { categoryProduct } from './catalog/category-product.ts';
import { customProductTab } from './catalog/custom-product-tab.ts';
import { featuredProduct, frontPageProduct } from './catalog/featured-product.ts';
import { oldUrl } from './catalog/old-url.ts';
import { product } from './catalog/product.ts';
import { productAttachment } from './catalog/product-attachment.ts';
import { productClass } from './catalog/product-class.ts';
import { productImage } from './catalog/product-image.ts';
import { relatedProduct } from './catalog/related-product.ts';
import { review } from './catalog/review.ts';
import { sticker } from './catalog/sticker.ts';
import { tag } from './catalog/tag.ts';
import { taxClass } from './catalog/tax-class.ts';
import { variant } from './catalog/variant.ts';
import { membership } from './customers/membership.ts';
import { oneTimeToken } from './customers/one-time-token.ts';
import { profile } from './customers/profile.ts';
import { profileAddress } from './customers/profile-address.ts';
import { formerShopperToken, shopperSession } from './customers/shopper-session.ts';
import { order } from './orders/order.ts';
import { orderCalculation } from './orders/order-calculation.ts';
import { orderDetail } from './orders/order-detail.ts';
import { orderHistoryEvents } from './orders/order-history-events.ts';
import { invoiceSeries, orderInvoice } from './orders/order-invoice.ts';
import { orderItem } from './orders/order-item.ts';
import { orderReturn, orderReturnLine } from './orders/order-return.ts';
import { orderShipment, orderShipmentLine } from './orders/order-shipment.ts';
import { orderTrackingNumber } from './orders/order-tracking-number.ts';
import { paymentStatus, shippingStatus } from './orders/status-tables.ts';
import { surcharge } from './orders/surcharge.ts';
import { transaction } from './orders/transaction.ts';
import { usedCoupon } from './orders/used-coupon.ts';
import { coupon } from './pricing/coupon.ts';
import { productFormerValue, ruleFormerValue } from './pricing/former-values.ts';
import { saleDiscount } from './pricing/sale-discount.ts';
import { shippingMethod } from './pricing/shipping-method.ts';
import { shippingRate } from './pricing/shipping-rate.ts';
import { taxRate } from './pricing/tax-rate.ts';
import { taxSettings } from './pricing/tax-settings.ts';
import { volumeDiscount } from './pricing/volume-discount.ts';
import { wholesalePrice } from './pricing/wholesale-price.ts';
import { zone } from './pricing/zone.ts';
import { language } from './store/language.ts';
import { mail } from './store/mail.ts';
import { storeInfo } from './store/store-info.ts';
import { webhook } from './store/webhook.ts';
import { webhookDelivery } from './store/webhook-delivery.ts';

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
  featuredProduct,
  productClass,
  product,
  productImage,
  variant,
  review,
  relatedProduct,
  frontPageProduct,
  customProductTab,
  productAttachment,
  oldUrl,
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
  usedCoupon,
  orderCalculation,
  cart,
  profile,
  profileAddress,
  shopperSession,
  formerShopperToken,
  oneTimeToken,
  membership,
  wholesalePrice,
  saleDiscount,
  productFormerValue,
  ruleFormerValue,
  volumeDiscount,
  coupon,
  zone,
  taxSettings,
  taxRate,
  shippingMethod,
  shippingRate,
  tag,
  sticker,
  storeInfo,
  language,
  paymentStatus,
  shippingStatus,
  webhook,
  webhookDelivery,
  mail,
];
