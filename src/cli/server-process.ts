/** A process that serves requests: an open store, the HTTP server and the background jobs, from start to stop. */
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { FastifyBaseLogger, FastifyInstance, FastifyListenOptions } from 'fastify';
import type { Service } from '../engine/index.ts';
import type { RequestCounts } from '../http/admission/rate-limits.ts';
import { CacheValidator } from '../http/cache/cache-validator.ts';
import type { AdminOptions } from '../http/server/context.ts';
import { type Draining, drain } from '../http/server/drain.ts';
import { createServer } from '../http/server/server.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { ShopDocuments } from '../shop/shop-documents.ts';
import { FeedWatch } from '../store/feed-watch.ts';
import { startJobs } from '../store/jobs.ts';
import { Sessions } from '../store/sessions.ts';
import { countUnorderedChanges } from '../store/unordered-changes.ts';
import { startDeliveryLoop } from '../store/webhooks/delivery-loop.ts';
import { webhookLagSeconds } from '../store/webhooks/lag.ts';
import { erasuresFile, feedSettings, type OpenStore, openSender } from '../wiring/open.ts';
import { priceHistoryRetention } from '../wiring/price-history.ts';
import type { Config } from '../wiring/settings.ts';
import { version } from '../wiring/version.ts';
import { configuredKeys } from './configured-keys.ts';
import { listenError } from './listening.ts';
import { followsHost } from './own-address.ts';

interface Options {
  readonly metrics: Metrics | undefined;
  /** Whether no other process can serve the store. */
  readonly isOnlyProcess: boolean;
  /** As of `startJobs`. */
  readonly tidiesUp?: boolean;
  readonly counts?: RequestCounts;
  readonly logNames?: Readonly<Record<string, unknown>>;
  /** File descriptor of a listening socket that the process's parent owns. */
  readonly socket?: number | undefined;
}

export interface ServerProcess {
  readonly port: number;
  readonly log: FastifyBaseLogger;
  /** Resolves with a message when writes to the store are no longer safe. */
  readonly broken: Promise<Error>;
  /** Whether any API key is valid. */
  hasKeys(): Promise<boolean>;
  /** Resolves when the background work that requests have started is done. */
  settled(): Promise<void>;
  /** Finishes running requests and closes the store. */
  stop(draining?: Draining): Promise<void>;
}

/** @throws {Error} with a message that names the setting to change */
export async function startServerProcess(
  { service, close }: OpenStore,
  config: Config,
  options: Options,
): Promise<ServerProcess> {
  const { metrics, isOnlyProcess, tidiesUp, counts, logNames, socket } = options;
  const cacheValidator = new CacheValidator(service);
  const feedWatch = new FeedWatch(service);
  const keys = configuredKeys(config);
  const app = await createServer({
    ...{ service, cacheValidator, feedWatch, keys, metrics, counts, logNames, version },
    compatibility: config.compatibility,
    jsonBodyBytesMax: config.jsonBodyBytesMax,
    attachmentBodyBytesMax: config.attachmentBodyBytesMax,
    imageBytesMax: config.imageBytesMax,
    fileBytesMax: config.fileBytesMax,
    shopDocuments: new ShopDocuments(feedSettings(config)),
    erasuresFile: erasuresFile(config),
    imagesPublicUrl: config.imagesPublicUrl,
    responseCacheBytesMax: config.responseCacheBytesMax,
    limits: config,
    logLevel: config.logLevel,
    logRequests: config.logRequests,
    trustProxy: config.trustProxy,
    followsHost: followsHost(config),
    admin: adminOptions(service, config),
  });
  metrics?.showUnorderedChanges(() => countUnorderedChanges(service));
  metrics?.showWebhookLag(() => webhookLagSeconds(service));
  await listen(app, config, socket);
  service.database.warning.then((warning) => app.log.warn(warning));
  const jobs = startJobs(service, app.log, {
    changesKeepDays: config.changesKeepDays,
    formerValues: priceHistoryRetention(service),
    tidiesUp,
  });
  const stopDeliveryLoop = startDeliveryLoop(service, openSender(config), feedWatch, app.log, {
    waits: config.webhookRetrySeconds,
    isOnlyProcess,
  });
  return {
    port: (app.server.address() as AddressInfo).port,
    log: app.log,
    broken: Promise.race([service.database.broken, service.images.broken]).then(
      ({ message }) => new Error(`The server stops because the store can no longer be written safely: ${message}.`),
    ),
    hasKeys: async () => keys.length > 0 || (await cacheValidator.check()).keys.length > 0,
    settled: () => jobs.settled(),
    async stop(draining) {
      const delivered = stopDeliveryLoop();
      feedWatch.end();
      await drain(app.server, draining);
      await app.close();
      await delivered;
      await jobs.stop();
      await close();
    },
  };
}

/**
 * Listens without logging the address, which the start screen shows.
 * @throws {Error} that names the setting to change
 */
async function listen(app: FastifyInstance, { host, port }: Config, socket: number | undefined): Promise<void> {
  const { level } = app.log;
  app.log.level = level === 'silent' ? level : 'warn';
  try {
    await app.listen(socket === undefined ? { host, port } : ({ fd: socket } as FastifyListenOptions));
  } catch (error) {
    throw listenError(error, host, 'PORT', port);
  } finally {
    app.log.level = level;
  }
}

/** Built by `npm run admin:build`. */
const ADMIN_FOLDER = fileURLToPath(new URL('../../admin/dist/', import.meta.url));

function adminOptions(service: Service, { hasAdmin, adminPlainHttp, baseUrl }: Config): AdminOptions | undefined {
  if (!hasAdmin) return undefined;
  const origin = baseUrl === '' ? undefined : new URL(baseUrl).origin;
  return { sessions: new Sessions(service), folder: ADMIN_FOLDER, allowsPlainHttp: adminPlainHttp, origin };
}
