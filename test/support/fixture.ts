/** Serves a test's own declarations with the store's engine and HTTP server, on a fresh database. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sha256 } from '../../src/adapters/secrets/sha256.ts';
import { language } from '../../src/domain/store/language.ts';
import { createModel } from '../../src/engine/model/create-model.ts';
import { difference, replay } from '../../src/engine/model/migrations.ts';
import { schemaOf } from '../../src/engine/model/tables.ts';
import { writeRecord } from '../../src/engine/operations/write-record.ts';
import type {
  AttachmentReader,
  Database,
  ImageDecoder,
  ImageStore,
  Migration,
  Secrets,
} from '../../src/engine/ports.ts';
import type { Resource } from '../../src/engine/resource.ts';
import { createService } from '../../src/engine/unit/service.ts';
import { CacheValidator } from '../../src/http/cache/cache-validator.ts';
import { createServer } from '../../src/http/server/server.ts';
import { ShopDocuments } from '../../src/shop/shop-documents.ts';
import { FeedWatch } from '../../src/store/feed-watch.ts';
import { digestOf } from '../../src/store/keys.ts';
import { ownRequestOptions, routeOf, targetAt } from '../../src/store/own-requests.ts';
import { readCursorKey } from '../../src/store/settings.ts';
import { readConfig } from '../../src/wiring/config.ts';

const KEY = 'fixture-key';

export interface Fixture {
  request(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; json: ReturnType<typeof JSON.parse>; headers: Headers }>;
  stop(): Promise<void>;
}

/** A single migration that creates the tables of these declarations. */
export function migrationOf(declarations: readonly Resource[]): Migration {
  const steps = difference(replay([]), schemaOf(createModel([language, ...declarations])));
  return { name: '0001-fixture', steps };
}

/**
 * Starts a server for these declarations and for `Language`.
 * @param database is closed by `stop`
 * @param migrations lead to the schema of these declarations; by default one migration creates it
 */
export async function serveDeclarations(
  declarations: readonly Resource[],
  database: Database,
  migrations: readonly Migration[] = [migrationOf(declarations)],
): Promise<Fixture> {
  const model = createModel([language, ...declarations]);
  await database.migrate(migrations);
  const environment = { baseUrl: '', timeZone: 'UTC', settings: {} };
  const service = createService({
    model,
    environment,
    database,
    // No fixture has images or secrets. Undefined makes an accidental use fail.
    images: undefined as unknown as ImageStore,
    imageDecoder: undefined as unknown as ImageDecoder,
    attachments: undefined as unknown as AttachmentReader,
    secrets: undefined as unknown as Secrets,
    clock: { now: () => Math.floor(Date.now() / 1000), pause: (milliseconds) => sleep(milliseconds) },
    uuid: () => randomUUID(),
    randomToken: (bytes) => randomBytes(bytes).toString('base64'),
    sha256,
  });
  const english = { code: 'en', name: 'English', is_default: true };
  await writeRecord(service, ownRequestOptions('en'), targetAt(routeOf(service, 'Language')), 'create', english);
  const app = await createServer({
    service,
    cacheValidator: new CacheValidator(service),
    feedWatch: new FeedWatch(service),
    cursorKey: await readCursorKey(service),
    keys: [{ name: 'fixture', kind: 'read-write', digest: digestOf(KEY) }],
    compatibility: 'none',
    jsonBodyBytesMax: 0,
    attachmentBodyBytesMax: 0,
    imageBytesMax: 0,
    fileBytesMax: 0,
    shopDocuments: new ShopDocuments({
      ...{ feeds: [], attributes: { brand: 0, gtin: 0, mpn: 0, category: 0 }, minutes: 60, backorderDays: 14 },
    }),
    erasuresFile: '',
    responseCacheBytesMax: 0,
    limits: readConfig({}),
    logLevel: 'silent',
    logRequests: false,
    trustProxy: [],
    followsHost: false,
    version: '0.0.0',
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  environment.baseUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  return {
    async request(method, path, body) {
      const response = await fetch(`${environment.baseUrl}${path}`, {
        method,
        headers: { 'x-auth-token': KEY, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, json: text === '' ? undefined : JSON.parse(text), headers: response.headers };
    },
    async stop() {
      await app.close();
      await database.close();
    },
  };
}
