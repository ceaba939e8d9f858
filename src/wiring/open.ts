/** Puts the parts together: the only place that knows which adapter serves which address. */
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openImageFolder } from '../adapters/images-disk/index.ts';
import { createPictures } from '../adapters/pictures/index.ts';
import { createSender } from '../adapters/web/sender.ts';
import { store } from '../domain/index.ts';
import {
  createModel,
  createService,
  type Database,
  difference,
  type ImageStore,
  type Migration,
  type Model,
  pendingMigrations,
  replay,
  type Sender,
  type Service,
  schemaOf,
  type Table,
  type World,
} from '../engine/index.ts';
import type { Measures } from '../measures/measures.ts';
import { timedDatabase, timedPictures } from '../measures/timed.ts';
import { IMPORTED_IMAGES } from '../store/imported-images.ts';
import { readSetting, settingsOf } from '../store/settings.ts';
import { type Config, checkFirstCurrency } from './config.ts';

/** Tables beside those of the resources. */
const OTHER_TABLES: readonly Table[] = [IMPORTED_IMAGES];

const MIGRATIONS_FOLDER = fileURLToPath(new URL('../domain/migrations/', import.meta.url));

export function storeModel(): Model {
  return createModel(store);
}

/** The steps that the declarations ask for and no migration takes yet. */
export function missingSteps(model: Model, migrations: readonly Migration[]) {
  return difference(replay(migrations), schemaOf(model, OTHER_TABLES));
}

/** In the order of their names. */
export function readMigrations(): Migration[] {
  const files = readdirSync(MIGRATIONS_FOLDER).filter((file) => file.endsWith('.json'));
  return files.sort().map((file) => ({
    name: file.slice(0, -'.json'.length),
    steps: JSON.parse(readFileSync(`${MIGRATIONS_FOLDER}${file}`, 'utf8')),
  }));
}

export const migrationPath = (name: string): string => `${MIGRATIONS_FOLDER}${name}.json`;

/** The file of an embedded database, or undefined for a server. */
export function sqliteFile({ databaseUrl }: Pick<Config, 'databaseUrl'>): string | undefined {
  return databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : undefined;
}

export function imagesFolder({ imagesUrl }: Pick<Config, 'imagesUrl'>): string {
  return imagesUrl.startsWith('file://') ? fileURLToPath(imagesUrl) : imagesUrl.slice('file:'.length);
}

export async function openDatabase(config: Pick<Config, 'databaseUrl'>): Promise<Database> {
  const file = sqliteFile(config);
  try {
    // The other one's driver is never loaded.
    if (file === undefined) {
      const { openPostgres } = await import('../adapters/postgres/database.ts');
      return await openPostgres(config.databaseUrl);
    }
    const { openSqlite } = await import('../adapters/sqlite/database.ts');
    return await openSqlite(file);
  } catch (error) {
    throw new Error(
      `The database of DATABASE_URL${file === undefined ? '' : `, ${file},`} cannot be opened: ${sentence(error)}`,
      {
        cause: error,
      },
    );
  }
}

/**
 * The database of a store that is there, with the names of its migrations. Changes nothing, not the schema either.
 * @param purpose ends the sentence "There is no store to …"
 * @throws {Error} for no store, and for one whose tables this program does not know
 */
export async function openExisting(
  config: Pick<Config, 'databaseUrl'>,
  purpose: string,
): Promise<{ database: Database; applied: readonly string[]; pending: readonly Migration[] }> {
  const file = sqliteFile(config);
  if (file !== undefined && !existsSync(file)) throw new Error(`There is no store to ${purpose}: there is no ${file}.`);
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

export async function openImages(config: Pick<Config, 'imagesUrl'>): Promise<ImageStore> {
  try {
    return await openImageFolder(imagesFolder(config));
  } catch (error) {
    throw new Error(`The folder of IMAGES_URL, ${imagesFolder(config)}, cannot be used: ${sentence(error)}`, {
      cause: error,
    });
  }
}

/** Sends what webhooks are told. */
export function openSender({ webhookAllowedNetworks }: Pick<Config, 'webhookAllowedNetworks'>): Sender {
  return createSender({ allow: webhookAllowedNetworks });
}

function sentence(error: unknown): string {
  return `${(error as Error).message.replace(/\.$/, '')}.`;
}

export interface OpenStore {
  readonly service: Service;
  /** Names of the migrations applied now. */
  readonly migrated: readonly string[];
  close(): Promise<void>;
}

/** The world as the settings have it; what is known only later is filled in then. */
interface StoreWorld extends World {
  baseUrl: string;
  readonly settings: Record<string, string>;
}

export function worldOf(config: Config): StoreWorld {
  return {
    baseUrl: config.baseUrl,
    timeZone: config.storeTimeZone,
    settings: {
      currency: config.storeCurrency,
      payment_status_moves: config.paymentStatusMoves,
      shipping_status_moves: config.shippingStatusMoves,
      seller: config.invoiceSeller.replaceAll('|', '\n'),
    },
  };
}

/**
 * Opens the store that the settings name, brought to the newest schema.
 * @param measures are told how long the work of database and pictures took
 */
export async function openStore(
  config: Config,
  world: StoreWorld = worldOf(config),
  measures?: Measures,
): Promise<OpenStore> {
  const model = storeModel();
  const migrations = readMigrations();
  const [missing] = missingSteps(model, migrations);
  if (missing)
    throw new Error(
      `The declarations ask for “${missing.step}”, which no migration takes: run “npm run renew -- NAME”.`,
    );
  const file = sqliteFile(config);
  if (file !== undefined && !existsSync(file)) checkFirstCurrency(config);
  const database = measured(await openDatabase(config), config, measures);
  try {
    const migrated = await database.migrate(migrations);
    const pictures = createPictures({
      bytesMax: config.imageBytesMax,
      pixelsMax: config.imagePixelsMax,
      downloadSecondsMax: config.downloadSecondsMax,
      allow: [...config.imageDownloadAllow],
    });
    const service = createService({
      model,
      world,
      database,
      images: await openImages(config),
      pictures: measures ? timedPictures(pictures, measures) : pictures,
      clock: { now: () => Math.floor(Date.now() / 1000), pause: (milliseconds) => sleep(milliseconds) },
      uuid: () => randomUUID(),
      draw: (bytes) => randomBytes(bytes).toString('base64'),
    });
    // The store keeps the currency of its first start.
    world.settings.currency = (await readSetting(settingsOf(service), 'currency')) ?? config.storeCurrency;
    const close = async (): Promise<void> => {
      await pictures.close();
      await database.close();
    };
    return { service, migrated, close };
  } catch (error) {
    await database.close();
    throw error;
  }
}

function measured(database: Database, config: Config, measures: Measures | undefined): Database {
  if (!measures) return database;
  const system = sqliteFile(config) === undefined ? 'postgresql' : 'sqlite';
  return timedDatabase(database, (operation, milliseconds, error) =>
    measures.databaseOperation(system, operation, error, milliseconds / 1000),
  );
}
