/** Every setting, once: its name, its default, what it means and how it is read. Nothing else reads the environment. */
import { availableParallelism } from 'node:os';
import ipaddr from 'ipaddr.js';
import { readS3Address, S3_FORM } from '../adapters/images-s3/address.ts';
import { CURRENCIES } from '../domain/rules/orders/currencies.ts';
import { LANGUAGE_CODE } from '../domain/store/language.ts';
import { isTimeZone } from '../engine/index.ts';
import type { Limits } from '../http/admission/limits.ts';

export interface Config extends Limits {
  readonly host: string;
  readonly port: number;
  /** Empty: from host and port. */
  readonly baseUrl: string;
  readonly databaseUrl: string;
  readonly imagesUrl: string;
  /** Empty: from the store itself. */
  readonly imagesPublicUrl: string;
  readonly s3AccessKeyId: string;
  readonly s3SecretAccessKey: string;
  /** Processes that answer; with more than one another one stands before them. */
  readonly workers: number;
  readonly apiKeyReadWrite: string | undefined;
  readonly apiKeyReadOnly: string | undefined;
  readonly defaultLanguage: string;
  readonly languages: readonly string[];
  readonly storeTimeZone: string;
  readonly storeCurrency: string;
  readonly paymentStatusMoves: string;
  readonly shippingStatusMoves: string;
  /** `|` begins a new line. */
  readonly invoiceSeller: string;
  readonly weightUnit: 'kg' | 'lb' | 'oz' | 'g';
  readonly logLevel: string;
  /** A line for each request. */
  readonly logRequests: boolean;
  /** Of `/metrics`; undefined for none. */
  readonly metricsPort: number | undefined;
  /** Empty: beside the database file. */
  readonly firstKeysFile: string;
  /** The admin page is served, and its sessions count. */
  readonly hasAdmin: boolean;
  readonly adminPlainHttp: boolean;
  /** Empty: beside the database file. */
  readonly erasuresFile: string;
  readonly invoiceKeepYears: number;
  readonly compatibility: 'none' | '5.5';
  readonly trustProxy: readonly string[];
  readonly imageDownloadAllow: readonly string[];
  readonly jsonBodyBytesMax: number;
  readonly attachmentBodyBytesMax: number;
  readonly imageBytesMax: number;
  readonly imagePixelsMax: number;
  readonly downloadSecondsMax: number;
  readonly responseCacheBytesMax: number;
  readonly changesKeepDays: number;
  readonly webhookAllowedNetworks: readonly string[];
  readonly webhookRetrySeconds: readonly number[];
  readonly blockedLogSeconds: number;
  readonly blockedExitSeconds: number;
}

/** A setting that cannot be used; the message is one line. */
class WrongSetting extends Error {
  override readonly name = 'WrongSetting';
}

interface Setting<T> {
  readonly name: string;
  readonly default: string;
  readonly description: string;
  /** @throws {Error} whose message ends the sentence "NAME should be …" */
  readonly read: (text: string) => T;
}

/** More would only wait for each other, and for PostgreSQL's connections. */
const WORKERS_MAX = 64;

/** In the order in which `purveyor serve --help` lists them. */
export const settings: { readonly [K in keyof Config]: Setting<Config[K]> } = {
  host: setting('HOST', '127.0.0.1', 'address to listen on', filled),
  port: setting('PORT', '8080', 'port to listen on; 0 takes any free one', whole(0, 65535)),
  baseUrl: setting('BASE_URL', '', 'public address of the store, for links; from HOST and PORT when empty', (text) =>
    text === '' ? '' : webAddress(text),
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    'sqlite:./data/store.db',
    'sqlite:FILE or postgres://user:password@host/database',
    databaseAddress,
  ),
  imagesUrl: setting(
    'IMAGES_URL',
    'file:./data/images',
    `file:FOLDER where image files are kept, or ${S3_FORM}`,
    (text) => (isImagesAddress(text) ? text : wrong(IMAGES_FORM)),
  ),
  imagesPublicUrl: setting(
    'IMAGES_PUBLIC_URL',
    '',
    'public address of the S3 store’s folder of images: /images/… sends there; from the store itself when empty',
    (text) => (text === '' ? '' : webAddress(text)),
  ),
  s3AccessKeyId: setting('AWS_ACCESS_KEY_ID', '', 'name of the key for an S3 store in IMAGES_URL', (text) => text),
  s3SecretAccessKey: setting('AWS_SECRET_ACCESS_KEY', '', 'its secret', (text) => text),
  workers: setting('WORKERS', '1', 'processes that answer, behind one port; auto: one for each processor', (text) =>
    text === 'auto' ? availableParallelism() : whole(1, WORKERS_MAX, 'auto, or ')(text),
  ),
  apiKeyReadWrite: setting('API_KEY_READ_WRITE', '', 'a key that may read and write', key),
  apiKeyReadOnly: setting('API_KEY_READ_ONLY', '', 'a key that may only read', key),
  defaultLanguage: setting(
    'DEFAULT_LANGUAGE',
    'en',
    'language of a request that names none; on the first start only',
    language,
  ),
  languages: setting('LANGUAGES', '', 'comma list of further languages; on the first start only', (text) =>
    list(text).map(language),
  ),
  storeTimeZone: setting('STORE_TIME_ZONE', 'UTC', 'IANA time zone that dates are shown in', (text) =>
    isTimeZone(text) ? text : wrong('an IANA time zone such as Europe/Berlin'),
  ),
  storeCurrency: setting('STORE_CURRENCY', 'USD', 'active ISO 4217 code; on the first start only', (text) =>
    /^[A-Z]{3}$/.test(text) ? text : wrong('three capital letters such as EUR'),
  ),
  paymentStatusMoves: setting(
    'PAYMENT_STATUS_MOVES',
    '',
    'statuses that may follow another, e.g. Q>A,P,C; C> (nothing after C); empty: any may',
    statusMoves,
  ),
  shippingStatusMoves: setting('SHIPPING_STATUS_MOVES', '', 'the same for shipping statuses', statusMoves),
  invoiceSeller: setting(
    'INVOICE_SELLER',
    '',
    'name and address of the seller on invoices; | begins a new line',
    (text) => text,
  ),
  weightUnit: setting('WEIGHT_UNIT', 'kg', 'unit of weights: kg, lb, oz or g', oneOf('kg', 'lb', 'oz', 'g')),
  logLevel: setting(
    'LOG_LEVEL',
    'info',
    'fatal, error, warn, info, debug, trace or silent',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  ),
  logRequests: setting(
    'LOG_REQUESTS',
    '0',
    '1: a line of the log for each request',
    (text) => oneOf('0', '1')(text) === '1',
  ),
  metricsPort: setting(
    'METRICS_PORT',
    '',
    'port of /metrics, on HOST; 0 takes any free one; none when empty',
    (text) => (text === '' ? undefined : whole(0, 65535)(text)),
  ),
  firstKeysFile: setting(
    'FIRST_KEYS_FILE',
    '',
    'where the keys of the first start go when standard output is no terminal; beside the database when empty',
    (text) => text,
  ),
  hasAdmin: setting(
    'ADMIN',
    'on',
    'on, or off: no admin page at /admin, and none of its sessions counts',
    (text) => oneOf('on', 'off')(text) === 'on',
  ),
  adminPlainHttp: setting(
    'ADMIN_PLAIN_HTTP',
    '0',
    '1: the admin page may be used over plain HTTP from other machines; others on the way can read keys then',
    (text) => oneOf('0', '1')(text) === '1',
  ),
  erasuresFile: setting(
    'ERASURES_FILE',
    '',
    'where the ids of erased records are kept for restores; beside the database when empty',
    (text) => text,
  ),
  invoiceKeepYears: setting(
    'INVOICE_KEEP_YEARS',
    '10',
    'so long invoices stay as they are when a customer is erased; 0: not at all',
    whole(0, 100),
  ),
  compatibility: setting('COMPATIBILITY', 'none', 'none, or 5.5 for clients of that release', oneOf('none', '5.5')),
  trustProxy: setting('TRUST_PROXY', '', 'comma list of address ranges whose X-Forwarded-For counts', addressRanges),
  imageDownloadAllow: setting(
    'IMAGE_DOWNLOAD_ALLOW',
    '',
    'comma list of address ranges that image downloads may reach beside the public internet',
    addressRanges,
  ),
  jsonBodyBytesMax: setting('JSON_BODY_BYTES_MAX', '1048576', 'largest JSON body; 0 is no limit', whole(0)),
  attachmentBodyBytesMax: setting(
    'ATTACHMENT_BODY_BYTES_MAX',
    '33554432',
    'largest body with an image in it; 0 is no limit',
    whole(0),
  ),
  imageBytesMax: setting('IMAGE_BYTES_MAX', '20971520', 'largest image file; 0 is no limit', whole(0)),
  imagePixelsMax: setting(
    'IMAGE_PIXELS_MAX',
    '50000000',
    'most pixels of an image, all frames together; 0 is no limit',
    whole(0),
  ),
  responseCacheBytesMax: setting(
    'RESPONSE_CACHE_BYTES_MAX',
    '67108864',
    'memory for answers and records that are kept while they hold; 0 keeps none',
    whole(0),
  ),
  downloadSecondsMax: setting('DOWNLOAD_SECONDS_MAX', '10', 'longest download of an image', whole(1)),
  rateLimitPerMinute: setting('RATE_LIMIT_PER_MINUTE', '0', 'most requests of one key; 0 is no limit', whole(0)),
  failedKeysPerMinute: setting(
    'FAILED_KEYS_PER_MINUTE',
    '60',
    'most wrong keys from one address; 0 is no limit',
    whole(0),
  ),
  failedLoginsPerMinute: setting(
    'FAILED_LOGINS_PER_MINUTE',
    '10',
    'most wrong passwords from one address, and for one login; 0 is no limit',
    whole(0),
  ),
  addressBytesMax: setting('ADDRESS_BYTES_MAX', '8192', 'longest address of a request', whole(1024, 65_536)),
  headerBytesMax: setting('HEADER_BYTES_MAX', '8192', 'largest headers of a request together', whole(1024, 65_536)),
  headersMax: setting('HEADERS_MAX', '100', 'most headers of a request', whole(10, 1000)),
  headersSecondsMax: setting('HEADERS_SECONDS_MAX', '5', 'longest wait for the headers of a request', whole(1)),
  bodySecondsMax: setting('BODY_SECONDS_MAX', '10', 'longest wait for a JSON body', whole(1)),
  uploadSecondsMax: setting('UPLOAD_SECONDS_MAX', '30', 'longest wait for a body with a picture', whole(1)),
  requestSecondsMax: setting('REQUEST_SECONDS_MAX', '120', 'longest wait for a whole request, its turn too', whole(1)),
  keepAliveSecondsMax: setting('KEEP_ALIVE_SECONDS_MAX', '5', 'longest a connection stays open unused', whole(1)),
  stalledSecondsMax: setting('STALLED_SECONDS_MAX', '10', 'longest wait for a client that reads nothing', whole(1)),
  connectionsMax: setting('CONNECTIONS_MAX', '2000', 'most connections at once; 0 is no limit', whole(0)),
  requestsPerConnectionMax: setting(
    'REQUESTS_PER_CONNECTION_MAX',
    '10000',
    'after so many requests a connection is closed; 0 is no limit',
    whole(0),
  ),
  readsAtOnceMax: setting('READS_AT_ONCE_MAX', '16', 'most reads of one record at once; 0 is no limit', whole(0)),
  listsAtOnceMax: setting('LISTS_AT_ONCE_MAX', '4', 'most lists and counts at once; 0 is no limit', whole(0)),
  writesAtOnceMax: setting('WRITES_AT_ONCE_MAX', '8', 'most writes at once; 0 is no limit', whole(0)),
  uploadsAtOnceMax: setting('UPLOADS_AT_ONCE_MAX', '2', 'most bodies with a picture at once; 0 is no limit', whole(0)),
  waitMsMax: setting(
    'WAIT_MS_MAX',
    '250',
    'longest wait for the turn of a read, list or write; what would wait longer is refused; 0 is any',
    whole(0),
  ),
  requestsWaitingMax: setting(
    'REQUESTS_WAITING_MAX',
    '2000',
    'reads, lists and writes that wait, of each; more are refused',
    whole(0),
  ),
  uploadsWaitingMax: setting(
    'UPLOADS_WAITING_MAX',
    '32',
    'bodies with a picture that wait; more are refused',
    whole(0),
  ),
  feedReadersMax: setting('CHANGES_READERS_MAX', '100', 'most readers that wait for changes', whole(0, 10_000)),
  feedReadersPerKeyMax: setting(
    'CHANGES_READERS_PER_KEY_MAX',
    '20',
    'most readers of one key that wait for changes',
    whole(0, 10_000),
  ),
  changesKeepDays: setting(
    'CHANGES_KEEP_DAYS',
    '30',
    'so long the change feed tells deletions, and changes that newer ones replaced',
    whole(1, 36_500),
  ),
  webhookAllowedNetworks: setting(
    'WEBHOOK_ALLOWED_NETWORKS',
    '',
    'comma list of address ranges where webhooks may be sent beside the public internet',
    addressRanges,
  ),
  webhookRetrySeconds: setting(
    'WEBHOOK_RETRY_SECONDS',
    '5,300,1800,7200,18000,36000,50400,72000,86400',
    'waits before the next attempts of a webhook; when they are used up, it pauses',
    waits,
  ),
  bulksAtOnceMax: setting('BULKS_AT_ONCE_MAX', '4', 'most bulks at once; more are told to come again', whole(1)),
  bulkSecondsMax: setting('BULK_SECONDS_MAX', '21600', 'longest bulk, from its first line to its last', whole(1)),
  bulkStalledSecondsMax: setting(
    'BULK_STALLED_SECONDS_MAX',
    '60',
    'longest wait for a client of a bulk that neither sends nor reads',
    whole(1),
  ),
  bulkUnreadBytesMax: setting(
    'BULK_UNREAD_BYTES_MAX',
    '1073741824',
    'results of a bulk that wait on disk until its client reads them; with more, the answer is cut off',
    whole(0),
  ),
  exportsAtOnceMax: setting('EXPORTS_AT_ONCE_MAX', '2', 'most exports at once; more are told to come again', whole(1)),
  exportSecondsMax: setting('EXPORT_SECONDS_MAX', '900', 'longest export', whole(1)),
  exportStalledSecondsMax: setting(
    'EXPORT_STALLED_SECONDS_MAX',
    '30',
    'longest wait for a client of an export that reads nothing',
    whole(1),
  ),
  blockedLogSeconds: setting(
    'BLOCKED_LOG_SECONDS',
    '5',
    'after so long without a turn of the event loop, log where it stands; 0: never',
    whole(0),
  ),
  blockedExitSeconds: setting(
    'BLOCKED_EXIT_SECONDS',
    '30',
    'after so long without a turn of the event loop, end the process; 0: never',
    whole(0),
  ),
};

/** @throws {WrongSetting} before anything is made */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const entries = Object.entries(settings).map(([property, { name, default: fallback, read }]) => {
    const text = environment[name];
    try {
      return [property, (read as (text: string) => unknown)(text === undefined ? fallback : text.trim())];
    } catch (error) {
      throw new WrongSetting(`${name} should be ${(error as Error).message}; it is ${shown(name, text)}.`);
    }
  });
  const config = Object.fromEntries(entries) as Config;
  if (config.apiKeyReadWrite !== undefined && config.apiKeyReadWrite === config.apiKeyReadOnly)
    throw new WrongSetting('API_KEY_READ_WRITE and API_KEY_READ_ONLY should differ; they are the same key.');
  checkS3Key(config, settings.imagesUrl.name);
  if (!isS3(config) && config.imagesPublicUrl !== '')
    throw new WrongSetting(
      'IMAGES_PUBLIC_URL should be empty where IMAGES_URL names a folder; only an S3 store has one.',
    );
  return config;
}

/**
 * The settings with image files elsewhere.
 * @param name of the address, for who is told that it cannot be used
 * @throws {WrongSetting}
 */
export function imagesSettings(config: Config, name: string, address: string): Config {
  if (!isImagesAddress(address))
    throw new WrongSetting(`${name} should be ${IMAGES_FORM}; it is ${JSON.stringify(address)}.`);
  const changed = { ...config, imagesUrl: address };
  checkS3Key(changed, name);
  return changed;
}

function checkS3Key(config: Config, name: string): void {
  if (isS3(config) && (config.s3AccessKeyId === '' || config.s3SecretAccessKey === ''))
    throw new WrongSetting(`${name} names an S3 store: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to its key.`);
}

function isS3({ imagesUrl }: Pick<Config, 'imagesUrl'>): boolean {
  return imagesUrl.startsWith('s3:');
}

/** A store that has a currency keeps it, whatever the setting says: this is for new ones. @throws {WrongSetting} */
export function checkFirstCurrency({ storeCurrency }: Pick<Config, 'storeCurrency'>): void {
  if (!CURRENCIES.has(storeCurrency))
    throw new WrongSetting(
      `STORE_CURRENCY should be an active currency code of ISO 4217; it is ${JSON.stringify(storeCurrency)}.`,
    );
}

/** Whether the environment speaks of keys at all; an empty variable does. */
export function namesKeys(environment: Readonly<Record<string, string | undefined>>): boolean {
  return [settings.apiKeyReadWrite, settings.apiKeyReadOnly].some(({ name }) => environment[name] !== undefined);
}

/** The settings as lines for `--help`. */
export function describeSettings(): string {
  const all = Object.values(settings);
  const width = Math.max(...all.map(({ name }) => name.length));
  const lines = all.map(({ name, default: fallback, description }) => {
    const note = fallback === '' ? '' : ` (${fallback})`;
    return `  ${name.padEnd(width)}  ${description}${note}`;
  });
  return `Settings are environment variables:\n${lines.join('\n')}`;
}

function setting<T>(name: string, fallback: string, description: string, read: (text: string) => T): Setting<T> {
  return { name, default: fallback, description, read };
}

/** Keys are never shown. */
function shown(name: string, text: string | undefined): string {
  return /^(?:API_KEY|AWS)_/.test(name) ? 'not' : JSON.stringify(text ?? '');
}

function wrong(expected: string): never {
  throw new Error(expected);
}

function filled(text: string): string {
  return text === '' ? wrong('filled in') : text;
}

function whole(min: number, max = Number.MAX_SAFE_INTEGER, or = ''): (text: string) => number {
  return (text) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return number >= min && number <= max
      ? number
      : wrong(`${or}a whole number from ${min}${max === Number.MAX_SAFE_INTEGER ? '' : ` to ${max}`}`);
  };
}

function oneOf<const T extends string>(...values: readonly T[]): (text: string) => T {
  return (text) => values.find((value) => value === text) ?? wrong(`one of ${values.join(', ')}`);
}

function language(text: string): string {
  return LANGUAGE_CODE.test(text) ? text : wrong('a language code such as en, pt-BR or zh-Hant');
}

function list(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function addressRanges(text: string): string[] {
  const ranges = list(text);
  const isRange = (range: string): boolean => ipaddr.isValid(range) || ipaddr.isValidCIDR(range);
  return ranges.every(isRange) ? ranges : wrong('a comma list of addresses or ranges such as 10.0.0.0/8');
}

function waits(text: string): number[] {
  const all = list(text);
  const isWait = (wait: string): boolean => /^\d{1,5}$/.test(wait) && Number(wait) <= 86_400;
  return all.length > 0 && all.length <= 50 && all.every(isWait)
    ? all.map(Number)
    : wrong('a comma list of up to 50 whole numbers from 0 to 86400, such as 5,300,1800');
}

/** One row for a status, `Q>A,P`: the codes that may follow it, which may be none. */
function statusMoves(text: string): string {
  const rows = text.split(';').filter((row) => row.trim() !== '');
  const isRow = (row: string): boolean =>
    /^\s*[A-Za-z0-9]{1,4}\s*>\s*([A-Za-z0-9]{1,4}(\s*,\s*[A-Za-z0-9]{1,4})*)?\s*$/.test(row);
  return rows.every(isRow) ? text : wrong('rows like Q>A,P,C separated by semicolons');
}

/** No spaces or commas: two headers of one name are joined with them. */
function key(text: string): string | undefined {
  if (text === '') return undefined;
  return /^[!-+\--~]{8,200}$/.test(text) ? text : wrong('8 to 200 visible ASCII characters without a comma');
}

function webAddress(text: string): string {
  const isWeb = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
  return isWeb ? text.replace(/\/+$/, '') : wrong('an http or https address');
}

const IMAGES_FORM = `file:FOLDER or ${S3_FORM}`;

function isImagesAddress(text: string): boolean {
  return /^file:.+/.test(text) || readS3Address(text) !== undefined;
}

function databaseAddress(text: string): string {
  const isKnown = /^sqlite:.+/.test(text) || (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text));
  return isKnown ? text : wrong('sqlite:FILE or postgres://user:password@host/database');
}
