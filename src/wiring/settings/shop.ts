/** What shoppers and search engines read: links to the shop, product feeds, the catalog for shoppers. */
import { PAGE_PATH } from '../../domain/rules/catalog/shop-address.ts';
import { FEED_NAMES } from '../../shop/feed-settings.ts';
import { setting } from './setting.ts';
import { identifier, isOn, list, oneOf, optional, pagePath, webAddress, whole } from './values.ts';

export const shopSettings = {
  shopUrl: setting(
    'SHOP_URL',
    '',
    'address of the shop that shoppers visit, for links to its pages; empty: no such links',
    optional(webAddress),
  ),
  shopProductPath: setting(
    'SHOP_PRODUCT_PATH',
    PAGE_PATH,
    'path of product pages in the shop; may contain {id} and {language}',
    pagePath,
  ),
  shopCategoryPath: setting('SHOP_CATEGORY_PATH', PAGE_PATH, 'path of category pages in the shop', pagePath),
  feeds: setting('FEEDS', '', 'comma-separated product feeds: google, facebook', (text) =>
    list(text).map(oneOf(...FEED_NAMES)),
  ),
  /** Identifiers of global attributes; 0 is none. */
  feedBrand: setting('FEED_BRAND', '', 'id of the global attribute with the brand', identifier),
  feedGtin: setting('FEED_GTIN', '', 'id of the global attribute with the GTIN', identifier),
  feedMpn: setting('FEED_MPN', '', 'id of the global attribute with the part number of the manufacturer', identifier),
  feedCategory: setting('FEED_CATEGORY', '', 'id of the global attribute with the Google product category', identifier),
  feedMinutes: setting(
    'FEED_MINUTES',
    '60',
    'maximum age of sitemap and feeds; 0: built for each request',
    whole(0, 525_600),
  ),
  feedBackorderDays: setting(
    'FEED_BACKORDER_DAYS',
    '14',
    'days until a backordered product is available',
    whole(0, 365),
  ),
  /** Whether there is a catalog for shoppers. */
  hasStorefront: setting('STOREFRONT', 'on', 'on, or off: no catalog for shoppers at /storefront', isOn),
  storefrontCacheSeconds: setting(
    'STOREFRONT_CACHE_SECONDS',
    '60',
    'seconds for which shared caches store the catalog for shoppers; 0: they validate each response',
    whole(0, 86_400),
  ),
  storefrontQuantityMax: setting(
    'STOREFRONT_QUANTITY_MAX',
    '0',
    'largest stock that shoppers see as a number; 0: none',
    whole(0),
  ),
  cartLineAmountMax: setting(
    'CART_LINE_AMOUNT_MAX',
    '1000',
    'maximum units of one line of a shopper’s cart',
    whole(1, 1_000_000),
  ),
  limitCarts: setting('LIMIT_CARTS', '60', 'maximum new carts per hour of one client address; 0: no limit', whole(0)),
  limitCouponsCart: setting(
    'LIMIT_COUPONS_CART',
    '10',
    'maximum unknown coupon codes per hour that are sent to one cart; 0: no limit',
    whole(0),
  ),
  limitCoupons: setting(
    'LIMIT_COUPONS',
    '30',
    'maximum unknown coupon codes per hour that one client address sends; 0: no limit',
    whole(0),
  ),
};
