/** Languages, units, orders, invoices and prices of the store. */
import { isTimeZone } from '../../engine/index.ts';
import { setting } from './setting.ts';
import { anyText, invalid, language, list, oneOf, statusMoves, whole } from './values.ts';

/** The lowest price of 30 days needs a complete period before a reduction. */
const PRICE_HISTORY_DAYS_MIN = 31;

export const storeSettings = {
  /** Shown to shoppers, in mails and on the sign-in page. Empty: the host of the base URL, except on that page. */
  storeName: setting(
    'STORE_NAME',
    '',
    'name of the store for shoppers, in mails and on the sign-in page; empty: the host of BASE_URL',
    anyText,
  ),
  defaultLanguage: setting(
    'DEFAULT_LANGUAGE',
    'en',
    'language of requests that name none; used on the first start only',
    language,
  ),
  languages: setting('LANGUAGES', '', 'comma-separated further languages; used on the first start only', (text) =>
    list(text).map(language),
  ),
  storeTimeZone: setting('STORE_TIME_ZONE', 'UTC', 'IANA time zone for reading and showing dates', (text) =>
    isTimeZone(text) ? text : invalid('an IANA time zone such as Europe/Berlin'),
  ),
  storeCurrency: setting('STORE_CURRENCY', 'USD', 'active ISO 4217 code; used on the first start only', (text) =>
    /^[A-Z]{3}$/.test(text) ? text : invalid('three capital letters such as EUR'),
  ),
  weightUnit: setting('WEIGHT_UNIT', 'kg', 'unit of all weights: kg, lb, oz or g', oneOf('kg', 'lb', 'oz', 'g')),
  dimensionUnit: setting(
    'DIMENSION_UNIT',
    'cm',
    'unit of the width, length and height of products: cm, mm, m or in',
    oneOf('cm', 'mm', 'm', 'in'),
  ),
  paymentStatusMoves: setting(
    'PAYMENT_STATUS_MOVES',
    '',
    'allowed payment status transitions, e.g. Q>A,P,C; C> (none after C); empty: all',
    statusMoves,
  ),
  shippingStatusMoves: setting('SHIPPING_STATUS_MOVES', '', 'allowed shipping status transitions', statusMoves),
  /** `|` starts a new line. */
  invoiceSeller: setting(
    'INVOICE_SELLER',
    '',
    'name and address of the seller on invoices; | starts a new line',
    anyText,
  ),
  invoiceKeepYears: setting(
    'INVOICE_KEEP_YEARS',
    '10',
    'years for which invoices of erased customers remain unchanged; 0: erased with the customer',
    whole(0, 100),
  ),
  priceHistoryDays: setting(
    'PRICE_HISTORY_DAYS',
    '400',
    'days for which changes of public prices are retained',
    whole(PRICE_HISTORY_DAYS_MIN, 36_500),
  ),
  /** Whether each further fall of a reduced price begins a reduction, or only the first. */
  priceReductionStart: setting(
    'PRICE_REDUCTION_START',
    'each',
    'each: a further fall of a reduced price begins a new reduction for lowest_price_30_days; first: it does not',
    oneOf('each', 'first'),
  ),
  compatibility: setting(
    'COMPATIBILITY',
    'none',
    'none, or 5.5 for clients of the older API (see the README)',
    oneOf('none', '5.5'),
  ),
};
