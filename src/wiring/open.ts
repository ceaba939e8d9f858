/** Composition root: opens the adapters that the settings name and connects them to the engine. */
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createAttachmentReader } from '../adapters/attachments/index.ts';
import { createImageDecoder } from '../adapters/image-decoder/index.ts';
import { readS3Address, shownS3Address } from '../adapters/images-s3/address.ts';
import { createIdentityProvider } from '../adapters/oidc/provider.ts';
import { createRandomTokens } from '../adapters/secrets/random-tokens.ts';
import { createSecrets } from '../adapters/secrets/scrypt.ts';
import { sha256 } from '../adapters/secrets/sha256.ts';
import { createAddressPolicy } from '../adapters/web/public-address.ts';
import { createSender } from '../adapters/web/sender.ts';
import { store } from '../domain/index.ts';
import {
  createModel,
  createService,
  type Database,
  difference,
  type Environment,
  type ImageStore,
  type Migration,
  type Model,
  pendingMigrations,
  replay,
  type Secrets,
  type Sender,
  type Service,
  schemaOf,
  type Table,
} from '../engine/index.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { timedDatabase, timedImageDecoder, timedImages } from '../metrics/timed.ts';
import type { FeedSettings } from '../shop/feed-settings.ts';
import type { StorefrontSettings } from '../shop/storefront/view.ts';
import { repeatErasures } from '../store/erase-data-subject.ts';
import { IMPORTED_IMAGES } from '../store/imported-images.ts';
import { MAIL_TEMPLATES } from '../store/mails/templates/overrides.ts';
import { jobRequestOptions } from '../store/own-requests.ts';
import { SESSIONS } from '../store/sessions.ts';
import { readSetting, settingsOf } from '../store/settings.ts';
import { COUNTED } from '../store/shoppers/counted.ts';
import { SIGN_IN_TOKENS } from '../store/sign-in-tokens.ts';
import { STAFF_TABLES } from '../store/users/tables.ts';
import { checkFirstCurrency } from './config.ts';
import { isInstalled } from './installed.ts';
import type { Config } from './settings/index.ts';

/** Tables that belong to no resource. */
const OTHER_TABLES: readonly Table[] = [
  ...[IMPORTED_IMAGES, SESSIONS, SIGN_IN_TOKENS],
  ...STAFF_TABLES,
  ...[COUNTED, MAIL_TEMPLATES],
];

const MIGRATIONS_FOLDER = fileURLToPath(new URL('../domain/migrations/', import.meta.url));

export function storeModel(): Model {
  return createModel(store);
}

/** Returns the schema changes that the declarations need and no migration contains. */
export function missingSteps(model: Model, migrations: readonly Migration[]) {
  return difference(replay(migrations), schemaOf(model, OTHER_TABLES));
}

/** Returns all migrations, sorted by name. */
export function readMigrations(): Migration[] {
  const files = readdirSync(MIGRATIONS_FOLDER).filter((file) => file.endsWith('.json'));
  return files.sort().map((file) => ({
    name: file.slice(0, -'.json'.length),
    steps: JSON.parse(readFileSync(`${MIGRATIONS_FOLDER}${file}`, 'utf8')),
  }));
}

export const migrationPath = (name: string): string => `${MIGRATIONS_FOLDER}${name}.json`;

/** Returns the file of an SQLite database, or undefined for PostgreSQL. */
export function sqliteFile({ databaseUrl }: Pick<Config, 'databaseUrl'>): string | undefined {
  return databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : undefined;
}

/** Returns the location of the database for messages, without the password. */
export function databaseLocation(config: DatabaseConfig): string {
  const file = sqliteFile(config);
  if (file !== undefined) return resolve(file);
  const { host, pathname } = URL.parse(config.databaseUrl) ?? {};
  const schema = config.databaseSchema === '' ? '' : `, schema ${config.databaseSchema}`;
  return host === undefined ? 'the database of DATABASE_URL' : `the database ${host}${pathname}${schema}`;
}

/** Settings of the image store. */
type ImagesConfig = Pick<Config, 'imagesUrl' | 's3AccessKeyId' | 's3SecretAccessKey'>;

/** Returns the folder of image files, or undefined if they are on S3. */
export function imagesFolder({ imagesUrl }: Pick<Config, 'imagesUrl'>): string | undefined {
  if (!imagesUrl.startsWith('file:')) return undefined;
  return imagesUrl.startsWith('file://') ? fileURLToPath(imagesUrl) : imagesUrl.slice('file:'.length);
}

/** Returns the location of the images for messages. */
export function imagesLocation(config: Pick<Config, 'imagesUrl'>): string {
  return imagesFolder(config) ?? shownS3Address(readS3Address(config.imagesUrl)!);
}

/** Returns the subject of a sentence about the image store. @param name of the setting or argument with its address */
export function theImages(config: Pick<Config, 'imagesUrl'>, name = 'IMAGES_URL'): string {
  return `The ${imagesFolder(config) === undefined ? 'S3 store' : 'folder'} of ${name}, ${imagesLocation(config)},`;
}

type DatabaseConfig = Pick<Config, 'databaseUrl' | 'databaseSchema'>;

/** @param isWorker as of `openStore` */
export async function openDatabase(config: DatabaseConfig, isWorker = false): Promise<Database> {
  const file = sqliteFile(config);
  try {
    // Loads only the driver that is needed.
    if (file === undefined) {
      const { openPostgres } = await import('../adapters/postgres/database.ts');
      return await openPostgres(config.databaseUrl, config.databaseSchema);
    }
    const { openSqlite } = await import('../adapters/sqlite/database.ts');
    return await openSqlite(file, { isWorker });
  } catch (error) {
    throw new Error(
      `Cannot open the database${file === undefined ? '' : ` ${file}`} (DATABASE_URL): ${sentence(error)}`,
      {
        cause: error,
      },
    );
  }
}

/**
 * Opens the database of an existing store without changing anything, not even the schema.
 * @param purpose completes the message "There is no store to …"
 * @returns the database, with the names of its applied migrations and the pending ones
 * @throws {Error} if there is no store, or its schema is unknown to this program
 */
export async function openExisting(
  config: DatabaseConfig,
  purpose: string,
): Promise<{ database: Database; applied: readonly string[]; pending: readonly Migration[] }> {
  const file = sqliteFile(config);
  if (file !== undefined && !existsSync(file))
    throw new Error(`There is no store to ${purpose}: ${file} does not exist. Check DATABASE_URL.`);
  const database = await openDatabase(config);
  try {
    const applied = await database.applied();
    if (applied.length === 0)
      throw new Error(`There is no store to ${purpose}: the database of DATABASE_URL is empty.`);
    return { database, applied, pending: pendingMigrations(readMigrations(), applied) };
  } catch (error) {
    await database.close();
    throw error;
  }
}

export async function openImages(config: ImagesConfig): Promise<ImageStore> {
  const folder = imagesFolder(config);
  try {
    if (folder === undefined) {
      const { openS3Images } = await import('../adapters/images-s3/index.ts');
      const { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = config;
      return openS3Images(readS3Address(config.imagesUrl)!, { accessKeyId, secretAccessKey });
    }
    const { openImageFolder } = await import('../adapters/images-disk/index.ts');
    return await openImageFolder(folder);
  } catch (error) {
    throw new Error(`${theImages(config)} cannot be used: ${sentence(error)}`, { cause: error });
  }
}

/**
 * Returns the error for image files that cannot be written.
 * @param name of the setting or argument with their address
 */
export function unwritable(config: Pick<Config, 'imagesUrl'>, name: string, error: unknown): Error {
  // Errors of an S3 store already contain its address.
  const location = imagesFolder(config) === undefined ? `The images of ${name}` : theImages(config, name);
  return new Error(`${location} cannot be written safely: ${sentence(error)}`, { cause: error });
}

/** Next to the database file; with a database server next to the image folder; with both remote, in `data`. */
export function erasuresFile(config: Pick<Config, 'databaseUrl' | 'imagesUrl' | 'erasuresFile'>): string {
  if (config.erasuresFile !== '') return resolve(config.erasuresFile);
  return `${resolve(sqliteFile(config) ?? imagesFolder(config) ?? 'data/images')}.erasures.jsonl`;
}

/** Opens the HTTP client for webhook deliveries. */
export function openSender({ webhookAllowedNetworks }: Pick<Config, 'webhookAllowedNetworks'>): Sender {
  return createSender({ allow: webhookAllowedNetworks });
}

type OidcConfig = Pick<Config, 'oidcIssuer' | 'oidcClientId' | 'oidcClientSecret' | 'baseUrl'>;

/**
 * Returns the OpenID Connect provider of the settings; undefined if they name none, or the library is not installed.
 * @param callbackPath to which the provider returns browsers
 */
export function openIdentityProvider(
  { oidcIssuer, oidcClientId, oidcClientSecret, baseUrl }: OidcConfig,
  callbackPath: string,
): ReturnType<typeof createIdentityProvider> | undefined {
  if (oidcIssuer === '' || !isInstalled('openid-client')) return undefined;
  return createIdentityProvider({
    ...{ issuer: oidcIssuer, clientId: oidcClientId, clientSecret: oidcClientSecret },
    redirectUri: `${baseUrl}${callbackPath}`,
  });
}

function sentence(error: unknown): string {
  return `${(error as Error).message.replace(/\.$/, '')}.`;
}

export interface OpenStore {
  readonly service: Service;
  /** Names of the migrations that this call has applied. */
  readonly migrated: readonly string[];
  /** Whether the database was empty before. */
  readonly isNew: boolean;
  close(): Promise<void>;
}

/** The environment from the settings. `baseUrl` is set once the port is known, the currency once the store is open. */
interface StoreEnvironment extends Environment {
  baseUrl: string;
  readonly settings: Record<string, string>;
}

/** The port of HTTPS. Which ports are allowed is checked at each connection. */
const HTTPS_PORT = 443;

export function environmentOf(config: Config): StoreEnvironment {
  const isAllowed = createAddressPolicy(config.webhookAllowedNetworks);
  return {
    maySendTo: (address) => isAllowed(address, HTTPS_PORT),
    baseUrl: config.baseUrl,
    timeZone: config.storeTimeZone,
    settings: {
      currency: config.storeCurrency,
      weight_unit: config.weightUnit,
      dimension_unit: config.dimensionUnit,
      payment_status_moves: config.paymentStatusMoves,
      shipping_status_moves: config.shippingStatusMoves,
      seller: config.invoiceSeller.replaceAll('|', '\n'),
      invoice_keep_years: String(config.invoiceKeepYears),
      price_history_days: String(config.priceHistoryDays),
      price_reduction_start: config.priceReductionStart,
      shop_url: config.shopUrl,
      shop_product_path: config.shopProductPath,
      shop_category_path: config.shopCategoryPath,
    },
  };
}

export function feedSettings(config: Config): FeedSettings {
  const { feedBrand: brand, feedGtin: gtin, feedMpn: mpn, feedCategory: category } = config;
  return {
    feeds: [...new Set(config.feeds)],
    attributes: { brand, gtin, mpn, category },
    minutes: config.feedMinutes,
    backorderDays: config.feedBackorderDays,
  };
}

/** Returns the settings of the catalog for shoppers; undefined if the server has none. */
export function storefrontSettings(config: Config): StorefrontSettings | undefined {
  if (!config.hasStorefront) return undefined;
  const { storeName: name, storefrontCacheSeconds: cacheSeconds, storefrontQuantityMax: quantityMax } = config;
  const carts = {
    lineAmountMax: config.cartLineAmountMax,
    newMax: config.limitCarts,
    wrongCodesOfCart: config.limitCouponsCart,
    wrongCodes: config.limitCoupons,
  };
  return { name, cacheSeconds, quantityMax, carts };
}

interface StoreOptions {
  /** Default: from the settings. */
  readonly environment?: StoreEnvironment;
  /** Records the duration of database and image operations. */
  readonly metrics?: Metrics | undefined;
  /** The primary process has already opened the store and migrated it. */
  readonly isWorker?: boolean;
  /** Password hashing; default: with the usual cost. */
  readonly secrets?: Secrets | undefined;
}

/**
 * Opens the store of the settings and migrates it to the current schema. A worker does not migrate.
 * @throws {Error} with a message for the operator; for a worker also if the schema is not current
 */
export async function openStore(
  config: Config,
  { environment = environmentOf(config), metrics, isWorker = false, secrets = createSecrets() }: StoreOptions = {},
): Promise<OpenStore> {
  const model = storeModel();
  const migrations = readMigrations();
  const [missing] = missingSteps(model, migrations);
  if (missing)
    throw new Error(
      `The declarations need the step “${missing.step}”, which no migration contains. Run “npm run renew -- NAME”.`,
    );
  const file = sqliteFile(config);
  if (file !== undefined && !existsSync(file)) checkFirstCurrency(config);
  const database = measured(await openDatabase(config, isWorker), config, metrics);
  try {
    const migrated = isWorker ? await rejectPending(database, migrations) : await database.migrate(migrations);
    const imageDecoder = createImageDecoder({
      bytesMax: config.imageBytesMax,
      pixelsMax: config.imagePixelsMax,
      downloadSecondsMax: config.downloadSecondsMax,
      allow: [...config.imageDownloadAllow],
    });
    const attachments = createAttachmentReader({
      extensions: config.fileTypes,
      bytesMax: config.fileBytesMax,
      downloadSecondsMax: config.downloadSecondsMax,
      allow: [...config.imageDownloadAllow],
    });
    const images = await openImages(config);
    const service = createService({
      model,
      environment,
      database,
      images: metrics ? timedImages(images, metrics) : images,
      imageDecoder: metrics ? timedImageDecoder(imageDecoder, metrics) : imageDecoder,
      attachments,
      secrets,
      clock: { now: () => Math.floor(Date.now() / 1000), pause: (milliseconds) => sleep(milliseconds) },
      uuid: () => randomUUID(),
      randomToken: createRandomTokens(),
      sha256,
    });
    // The currency of the first start applies, whatever the setting is now.
    environment.settings.currency = (await readSetting(settingsOf(service), 'currency')) ?? config.storeCurrency;
    await repeatErasures(service, jobRequestOptions('restore'), erasuresFile(config));
    const close = async (): Promise<void> => {
      await Promise.all([imageDecoder.close(), attachments.close()]);
      await database.close();
    };
    return { service, migrated, isNew: migrated[0] === migrations[0]!.name, close };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** A worker from a newer program must not change the schema under workers of the older one that still run. */
async function rejectPending(database: Database, migrations: readonly Migration[]): Promise<[]> {
  const [pending] = pendingMigrations(migrations, await database.applied());
  if (pending)
    throw new Error(
      `The program on disk is newer than the running one and needs the migration ${pending.name}. Restart the server.`,
    );
  return [];
}

function measured(database: Database, config: Config, metrics: Metrics | undefined): Database {
  if (!metrics) return database;
  const system = sqliteFile(config) === undefined ? 'postgresql' : 'sqlite';
  return timedDatabase(database, (operation, milliseconds, error) =>
    metrics.databaseOperation(system, operation, error, milliseconds / 1000),
  );
}
