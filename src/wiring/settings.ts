/** All settings: their names, defaults and descriptions. */
import { availableParallelism } from 'node:os';
import { S3_FORM } from '../adapters/images-s3/address.ts';
import { PAGE_PATH } from '../domain/rules/catalog/shop-address.ts';
import { isTimeZone } from '../engine/index.ts';
import type { Limits } from '../http/admission/limits.ts';
import { FEED_NAMES, type FeedName } from '../shop/feed-settings.ts';
import {
  addressRanges,
  databaseAddress,
  fileTypes,
  hostName,
  IMAGES_FORM,
  identifier,
  invalid,
  isImagesAddress,
  issuer,
  key,
  language,
  list,
  oneOf,
  pagePath,
  schemaName,
  sender,
  smtpAddress,
  statusMoves,
  waits,
  webAddress,
  webhookSecret,
  whole,
} from './setting-values.ts';

export interface Config extends Limits {
  readonly host: string;
  readonly port: number;
  /** Empty: derived from host and port. */
  readonly baseUrl: string;
  readonly databaseUrl: string;
  /** Empty: the first schema of the `search_path`. */
  readonly databaseSchema: string;
  readonly imagesUrl: string;
  /** Empty: the server delivers images itself. */
  readonly imagesPublicUrl: string;
  readonly s3AccessKeyId: string;
  readonly s3SecretAccessKey: string;
  /** Number of server processes. With more than one, a primary process supervises them. */
  readonly workers: number;
  readonly apiKeyReadWrite: string | undefined;
  readonly apiKeyReadOnly: string | undefined;
  readonly defaultLanguage: string;
  readonly languages: readonly string[];
  readonly storeTimeZone: string;
  readonly storeCurrency: string;
  readonly paymentStatusMoves: string;
  readonly shippingStatusMoves: string;
  /** `|` starts a new line. */
  readonly invoiceSeller: string;
  readonly shopUrl: string;
  readonly shopProductPath: string;
  readonly shopCategoryPath: string;
  readonly feeds: readonly FeedName[];
  /** Identifiers of global attributes; 0 is none. */
  readonly feedBrand: number;
  readonly feedGtin: number;
  readonly feedMpn: number;
  readonly feedCategory: number;
  readonly feedMinutes: number;
  readonly feedBackorderDays: number;
  /** Whether there is a catalog for shoppers. */
  readonly hasStorefront: boolean;
  readonly storefrontCacheSeconds: number;
  readonly storefrontQuantityMax: number;
  readonly weightUnit: 'kg' | 'lb' | 'oz' | 'g';
  readonly dimensionUnit: 'cm' | 'mm' | 'm' | 'in';
  readonly logLevel: string;
  /** Writes a log line for each request. */
  readonly logRequests: boolean;
  /** Port of `/metrics`; undefined: no metrics. */
  readonly metricsPort: number | undefined;
  /** Empty: next to the database file. */
  readonly firstKeysFile: string;
  /** Whether the server delivers the admin page and accepts its sessions. */
  readonly hasAdmin: boolean;
  readonly adminPlainHttp: boolean;
  /** Whether users must have a second factor. */
  readonly secondFactor: 'optional' | 'required';
  /** Empty: no sign-in with OpenID Connect. */
  readonly oidcIssuer: string;
  readonly oidcClientId: string;
  readonly oidcClientSecret: string;
  /** Whether users can only sign in with OpenID Connect. */
  readonly oidcOnly: boolean;
  /** Empty: the store sends no mails. */
  readonly mailVia: '' | 'smtp' | 'webhook' | 'folder';
  readonly mailFrom: string;
  readonly smtpUrl: string;
  readonly mailWebhookUrl: string;
  readonly mailWebhookSecret: string;
  readonly mailFolder: string;
  readonly mailRetrySeconds: readonly number[];
  /** Mails in an hour to one address, and caused by one client address; 0: no limit. */
  readonly limitMailsTo: number;
  readonly limitMails: number;
  /** In an hour; 0: no limit. */
  readonly limitCarts: number;
  readonly limitCouponsCart: number;
  readonly limitCoupons: number;
  readonly cartLineAmountMax: number;
  /** Shown to shoppers and in mails. Empty: the host of the base URL. */
  readonly storeName: string;
  /** Empty: next to the database file. */
  readonly erasuresFile: string;
  readonly invoiceKeepYears: number;
  readonly priceHistoryDays: number;
  /** Whether each further fall of a reduced price begins a reduction, or only the first. */
  readonly priceReductionStart: 'each' | 'first';
  readonly compatibility: 'none' | '5.5';
  readonly trustProxy: readonly string[];
  readonly imageDownloadAllow: readonly string[];
  readonly jsonBodyBytesMax: number;
  readonly attachmentBodyBytesMax: number;
  readonly imageBytesMax: number;
  readonly imagePixelsMax: number;
  readonly fileBytesMax: number;
  /** Extensions of attachments. */
  readonly fileTypes: readonly string[];
  readonly downloadSecondsMax: number;
  readonly responseCacheBytesMax: number;
  readonly changesKeepDays: number;
  readonly auditKeepDays: number;
  readonly webhookAllowedNetworks: readonly string[];
  readonly webhookRetrySeconds: readonly number[];
  readonly blockedLogSeconds: number;
  readonly blockedExitSeconds: number;
}

interface Setting<T> {
  readonly name: string;
  readonly default: string;
  readonly description: string;
  /** The setting can also be the content of a file, which a setting with the suffix `_FILE` names. */
  readonly isSecret?: true;
  /** @throws {Error} whose message completes "NAME must be …" */
  readonly read: (text: string) => T;
}

/** The lowest price of 30 days needs a complete period before a reduction. */
const PRICE_HISTORY_DAYS_MIN = 31;

/** More workers would only compete for processors and PostgreSQL connections. */
const WORKERS_MAX = 64;

/** In the order of `purveyor serve --help`. */
export const settings: { readonly [K in keyof Config]: Setting<Config[K]> } = {
  host: setting('HOST', '127.0.0.1', 'address to listen on', hostName),
  port: setting('PORT', '8080', 'port to listen on; 0 chooses a free port', whole(0, 65535)),
  baseUrl: setting('BASE_URL', '', 'public address of the store, for links; empty: from HOST and PORT', (text) =>
    text === '' ? '' : webAddress(text),
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    'sqlite:./data/store.db',
    'sqlite:FILE or postgres://user:password@host/database',
    databaseAddress,
  ),
  databaseSchema: setting(
    'DATABASE_SCHEMA',
    '',
    'PostgreSQL schema of the store, so that several stores share a database; empty: the one of the connection',
    schemaName,
  ),
  imagesUrl: setting('IMAGES_URL', 'file:./data/images', `file:FOLDER for image files, or ${S3_FORM}`, (text) =>
    isImagesAddress(text) ? text : invalid(IMAGES_FORM),
  ),
  imagesPublicUrl: setting(
    'IMAGES_PUBLIC_URL',
    '',
    'public URL of the S3 store’s images; empty: the server delivers /images/… itself',
    (text) => (text === '' ? '' : webAddress(text)),
  ),
  s3AccessKeyId: setting('AWS_ACCESS_KEY_ID', '', 'access key id for an S3 store in IMAGES_URL', (text) => text),
  s3SecretAccessKey: setting('AWS_SECRET_ACCESS_KEY', '', 'secret access key for that S3 store', (text) => text),
  workers: setting('WORKERS', '1', 'worker processes behind one port; auto: one for each processor', (text) =>
    text === 'auto' ? availableParallelism() : whole(1, WORKERS_MAX, 'auto, or ')(text),
  ),
  apiKeyReadWrite: setting('API_KEY_READ_WRITE', '', 'API key with read and write access', key),
  apiKeyReadOnly: setting('API_KEY_READ_ONLY', '', 'API key with read-only access', key),
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
  paymentStatusMoves: setting(
    'PAYMENT_STATUS_MOVES',
    '',
    'allowed payment status transitions, e.g. Q>A,P,C; C> (none after C); empty: all',
    statusMoves,
  ),
  shippingStatusMoves: setting('SHIPPING_STATUS_MOVES', '', 'allowed shipping status transitions', statusMoves),
  invoiceSeller: setting(
    'INVOICE_SELLER',
    '',
    'name and address of the seller on invoices; | starts a new line',
    (text) => text,
  ),
  shopUrl: setting(
    'SHOP_URL',
    '',
    'address of the shop that shoppers visit, for links to its pages; empty: no such links',
    (text) => (text === '' ? '' : webAddress(text)),
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
  hasStorefront: setting(
    'STOREFRONT',
    'on',
    'on, or off: no catalog for shoppers at /storefront',
    (text) => oneOf('on', 'off')(text) === 'on',
  ),
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
  weightUnit: setting('WEIGHT_UNIT', 'kg', 'unit of all weights: kg, lb, oz or g', oneOf('kg', 'lb', 'oz', 'g')),
  dimensionUnit: setting(
    'DIMENSION_UNIT',
    'cm',
    'unit of the width, length and height of products: cm, mm, m or in',
    oneOf('cm', 'mm', 'm', 'in'),
  ),
  logLevel: setting(
    'LOG_LEVEL',
    'info',
    'fatal, error, warn, info, debug, trace or silent',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  ),
  logRequests: setting(
    'LOG_REQUESTS',
    '0',
    '1: write a log line for each request',
    (text) => oneOf('0', '1')(text) === '1',
  ),
  metricsPort: setting(
    'METRICS_PORT',
    '',
    'port of /metrics, on HOST; 0 chooses a free port; empty: no metrics',
    (text) => (text === '' ? undefined : whole(0, 65535)(text)),
  ),
  firstKeysFile: setting(
    'FIRST_KEYS_FILE',
    '',
    'file for the first API keys if standard output is not a terminal; empty: next to the database',
    (text) => text,
  ),
  hasAdmin: setting(
    'ADMIN',
    'on',
    'on, or off: no admin page at /admin, and its sessions are invalid',
    (text) => oneOf('on', 'off')(text) === 'on',
  ),
  adminPlainHttp: setting(
    'ADMIN_PLAIN_HTTP',
    '0',
    '1: allow the admin page over plain HTTP from other machines; others on the network path can then read keys',
    (text) => oneOf('0', '1')(text) === '1',
  ),
  secondFactor: setting(
    'SECOND_FACTOR',
    'optional',
    'optional, or required: users without two-step sign-in can only use their own account',
    oneOf('optional', 'required'),
  ),
  oidcIssuer: setting(
    'OIDC_ISSUER',
    '',
    'issuer of the OpenID Connect provider with which users sign in; empty: none',
    issuer,
  ),
  oidcClientId: setting('OIDC_CLIENT_ID', '', 'client id of the store at that provider', (text) => text),
  oidcClientSecret: setting('OIDC_CLIENT_SECRET', '', 'client secret of the store at that provider', (text) => text),
  oidcOnly: setting(
    'OIDC_ONLY',
    '0',
    '1: users sign in with OpenID Connect only; keys still work',
    (text) => oneOf('0', '1')(text) === '1',
  ),
  mailVia: setting(
    'MAIL_VIA',
    '',
    'how to send mails: smtp, webhook or folder; empty: the store sends none',
    oneOf('', 'smtp', 'webhook', 'folder'),
  ),
  mailFrom: setting('MAIL_FROM', '', 'sender of mails, such as Shop <shop@example.com>', sender),
  smtpUrl: secret('SMTP_URL', 'SMTP server, such as smtps://user:password@mail.example.com', smtpAddress),
  mailWebhookUrl: setting('MAIL_WEBHOOK_URL', '', 'address to which mails are posted', (text) =>
    text === '' ? '' : webAddress(text),
  ),
  mailWebhookSecret: secret('MAIL_WEBHOOK_SECRET', 'secret that signs these requests: whsec_…', webhookSecret),
  mailFolder: setting('MAIL_FOLDER', '', 'folder for mails, one .eml file each', (text) => text),
  mailRetrySeconds: setting(
    'MAIL_RETRY_SECONDS',
    '5,30,120,600,1800,3600,7200,14400',
    'delays before each retry of a mail; the last one is repeated until 72 hours have passed',
    waits,
  ),
  limitMailsTo: setting(
    'LIMIT_MAILS_TO',
    '5',
    'maximum mails per hour to one address that requests without a key cause; 0: no limit',
    whole(0),
  ),
  limitMails: setting(
    'LIMIT_MAILS',
    '20',
    'maximum mails per hour that one client address causes without a key; 0: no limit',
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
  storeName: setting(
    'STORE_NAME',
    '',
    'name of the store for shoppers and in mails; empty: the host of BASE_URL',
    (text) => text,
  ),
  erasuresFile: setting(
    'ERASURES_FILE',
    '',
    'file that records the ids of erased records for restores; empty: next to the database',
    (text) => text,
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
  trustProxy: setting(
    'TRUST_PROXY',
    '',
    'comma-separated address ranges of proxies whose X-Forwarded-For is trusted',
    addressRanges,
  ),
  imageDownloadAllow: setting(
    'IMAGE_DOWNLOAD_ALLOW',
    '',
    'comma-separated address ranges that image downloads may reach in addition to the public internet',
    addressRanges,
  ),
  jsonBodyBytesMax: setting('JSON_BODY_BYTES_MAX', '1048576', 'largest JSON body; 0: no limit', whole(0)),
  attachmentBodyBytesMax: setting(
    'ATTACHMENT_BODY_BYTES_MAX',
    '33554432',
    'largest body with an image or an attachment; 0: no limit',
    whole(0),
  ),
  imageBytesMax: setting('IMAGE_BYTES_MAX', '20971520', 'largest image file; 0: no limit', whole(0)),
  imagePixelsMax: setting(
    'IMAGE_PIXELS_MAX',
    '50000000',
    'maximum pixels of an image, all frames together; 0: no limit',
    whole(0),
  ),
  fileBytesMax: setting('FILE_BYTES_MAX', '52428800', 'largest attached file; 0: no limit', whole(0)),
  fileTypes: setting(
    'FILE_TYPES',
    'pdf txt csv zip epub docx xlsx pptx odt ods jpg png gif webp avif mp3 mp4',
    'accepted extensions of attached files; the content must have the type',
    fileTypes,
  ),
  responseCacheBytesMax: setting(
    'RESPONSE_CACHE_BYTES_MAX',
    '67108864',
    'memory for cached responses and records; 0 disables the cache',
    whole(0),
  ),
  responseBacklogBytesMax: setting(
    'RESPONSE_BACKLOG_BYTES_MAX',
    '268435456',
    'memory for responses that clients have not read yet; further responses are rejected; 0: no limit',
    whole(0),
  ),
  downloadSecondsMax: setting('DOWNLOAD_SECONDS_MAX', '10', 'maximum time for an image download', whole(1)),
  rateLimitPerMinute: setting(
    'RATE_LIMIT_PER_MINUTE',
    '0',
    'maximum requests per minute of one key; 0: no limit',
    whole(0),
  ),
  failedKeysPerMinute: setting(
    'FAILED_KEYS_PER_MINUTE',
    '60',
    'maximum invalid keys per minute from one address; 0: no limit',
    whole(0),
  ),
  failedLoginsPerMinute: setting(
    'FAILED_LOGINS_PER_MINUTE',
    '10',
    'maximum wrong passwords per minute from one address, and for one login; 0: no limit',
    whole(0),
  ),
  shopReadsPerMinute: setting(
    'LIMIT_READS',
    '600',
    'maximum reads of shoppers per minute from one address; 0: no limit',
    whole(0),
  ),
  shopWritesPerMinute: setting(
    'LIMIT_WRITES',
    '120',
    'maximum writes of shoppers per minute from one address; 0: no limit',
    whole(0),
  ),
  shopKeyPerMinute: setting(
    'LIMIT_KEY',
    '60000',
    'maximum requests per minute with one publishable key; 0: no limit',
    whole(0),
  ),
  addressBytesMax: setting('ADDRESS_BYTES_MAX', '16384', 'longest request URL', whole(1024, 65_536)),
  headerBytesMax: setting('HEADER_BYTES_MAX', '8192', 'total size of the headers of a request', whole(1024, 65_536)),
  headersMax: setting('HEADERS_MAX', '100', 'maximum number of headers of a request', whole(10, 1000)),
  headersSecondsMax: setting('HEADERS_SECONDS_MAX', '5', 'maximum time to receive the headers of a request', whole(1)),
  bodySecondsMax: setting('BODY_SECONDS_MAX', '10', 'maximum time to receive a JSON body', whole(1)),
  uploadSecondsMax: setting('UPLOAD_SECONDS_MAX', '30', 'maximum time to receive a body with an image', whole(1)),
  requestSecondsMax: setting(
    'REQUEST_SECONDS_MAX',
    '120',
    'maximum time to receive a whole request, including the wait for a slot',
    whole(1),
  ),
  keepAliveSecondsMax: setting('KEEP_ALIVE_SECONDS_MAX', '5', 'maximum time a connection stays open unused', whole(1)),
  stalledSecondsMax: setting(
    'STALLED_SECONDS_MAX',
    '10',
    'seconds without reading after which a client is disconnected',
    whole(1),
  ),
  connectionsMax: setting('CONNECTIONS_MAX', '2000', 'maximum open connections; 0: no limit', whole(0)),
  requestsPerConnectionMax: setting(
    'REQUESTS_PER_CONNECTION_MAX',
    '10000',
    'number of requests after which a connection is closed; 0: no limit',
    whole(0),
  ),
  readsAtOnceMax: setting('READS_AT_ONCE_MAX', '16', 'maximum concurrent reads of one record; 0: no limit', whole(0)),
  listsAtOnceMax: setting('LISTS_AT_ONCE_MAX', '4', 'maximum concurrent lists and counts; 0: no limit', whole(0)),
  writesAtOnceMax: setting('WRITES_AT_ONCE_MAX', '8', 'maximum concurrent writes; 0: no limit', whole(0)),
  uploadsAtOnceMax: setting('UPLOADS_AT_ONCE_MAX', '2', 'maximum concurrent uploads; 0: no limit', whole(0)),
  waitMsMax: setting(
    'WAIT_MS_MAX',
    '250',
    'maximum estimated wait for a slot; requests that would wait longer are rejected; 0: no limit',
    whole(0),
  ),
  requestsWaitingMax: setting(
    'REQUESTS_WAITING_MAX',
    '2000',
    'maximum queued requests of each kind: reads, lists, writes; further ones are rejected',
    whole(0),
  ),
  uploadsWaitingMax: setting(
    'UPLOADS_WAITING_MAX',
    '32',
    'maximum number of queued uploads; further ones are rejected',
    whole(0),
  ),
  feedReadersMax: setting('CHANGES_READERS_MAX', '100', 'maximum clients that wait for changes', whole(0, 10_000)),
  feedReadersPerKeyMax: setting(
    'CHANGES_READERS_PER_KEY_MAX',
    '20',
    'maximum clients of one key that wait for changes',
    whole(0, 10_000),
  ),
  changesKeepDays: setting(
    'CHANGES_KEEP_DAYS',
    '30',
    'days for which the change feed reports deletions, and changes that newer ones have replaced',
    whole(1, 36_500),
  ),
  auditKeepDays: setting(
    'AUDIT_KEEP_DAYS',
    '365',
    'days for which audit entries are stored; 0: forever',
    whole(0, 36_500),
  ),
  webhookAllowedNetworks: setting(
    'WEBHOOK_ALLOWED_NETWORKS',
    '',
    'comma-separated address ranges that webhooks may reach in addition to the public internet',
    addressRanges,
  ),
  webhookRetrySeconds: setting(
    'WEBHOOK_RETRY_SECONDS',
    '5,300,1800,7200,18000,36000,50400,72000,86400',
    'delays before each retry of a webhook delivery; after the last one, the webhook pauses',
    waits,
  ),
  bulksAtOnceMax: setting('BULKS_AT_ONCE_MAX', '4', 'maximum concurrent bulks; further ones are rejected', whole(1)),
  bulkSecondsMax: setting('BULK_SECONDS_MAX', '21600', 'maximum duration of a bulk', whole(1)),
  bulkStalledSecondsMax: setting(
    'BULK_STALLED_SECONDS_MAX',
    '60',
    'seconds without sending or reading after which the client of a bulk is disconnected',
    whole(1),
  ),
  bulkUnreadBytesMax: setting(
    'BULK_UNREAD_BYTES_MAX',
    '1073741824',
    'bulk results on disk that the client has not read yet; beyond that, the response is cut off',
    whole(0),
  ),
  exportsAtOnceMax: setting(
    'EXPORTS_AT_ONCE_MAX',
    '2',
    'maximum concurrent exports; further ones are rejected',
    whole(1),
  ),
  exportSecondsMax: setting('EXPORT_SECONDS_MAX', '900', 'maximum duration of an export', whole(1)),
  exportStalledSecondsMax: setting(
    'EXPORT_STALLED_SECONDS_MAX',
    '30',
    'seconds without reading after which the client of an export is disconnected',
    whole(1),
  ),
  blockedLogSeconds: setting(
    'BLOCKED_LOG_SECONDS',
    '5',
    'seconds of a blocked event loop after which the location is logged; 0: never',
    whole(0),
  ),
  blockedExitSeconds: setting(
    'BLOCKED_EXIT_SECONDS',
    '30',
    'seconds of a blocked event loop after which the process is ended; 0: never',
    whole(0),
  ),
};

/** A setting that is empty by default, and can be in a file. */
function secret(name: string, description: string, read: (text: string) => string): Setting<string> {
  return { ...setting(name, '', `${description}; ${name}_FILE names a file with it`, read), isSecret: true };
}

function setting<T>(name: string, fallback: string, description: string, read: (text: string) => T): Setting<T> {
  return { name, default: fallback, description, read };
}
