/** A process that serves requests: an open store, the HTTP server and the background jobs, from start to stop. */
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { FastifyBaseLogger, FastifyInstance, FastifyListenOptions } from 'fastify';
import type { Service } from '../engine/index.ts';
import { OIDC_CALLBACK_PATH } from '../http/admin/oidc.ts';
import type { RequestCounts } from '../http/admission/rate-limits.ts';
import { CacheValidator } from '../http/cache/cache-validator.ts';
import type { AdminOptions, HttpOptions } from '../http/server/context.ts';
import { type Draining, drain } from '../http/server/drain.ts';
import { createServer } from '../http/server/server.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { ShopDocuments } from '../shop/shop-documents.ts';
import { FeedWatch } from '../store/feed-watch.ts';
import { startJobs } from '../store/jobs.ts';
import { startMailDelivery } from '../store/mails/delivery.ts';
import type { MailTransport } from '../store/mails/transport.ts';
import { Sessions } from '../store/sessions.ts';
import { readCursorKey } from '../store/settings.ts';
import { countUnorderedChanges } from '../store/unordered-changes.ts';
import { relyingParty } from '../store/users/webauthn.ts';
import { startDeliveryLoop } from '../store/webhooks/delivery-loop.ts';
import { webhookLagSeconds } from '../store/webhooks/lag.ts';
import { openMailTransport, storeName } from '../wiring/mail.ts';
import {
  erasuresFile,
  feedSettings,
  type OpenStore,
  openIdentityProvider,
  openSender,
  storefrontSettings,
} from '../wiring/open.ts';
import { priceHistoryRetention } from '../wiring/price-history.ts';
import type { Config } from '../wiring/settings/index.ts';
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
  /** Whether the output is a terminal, whose start screen must not have log lines in it. */
  readonly isTTY?: boolean | undefined;
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
  const { metrics, isOnlyProcess, tidiesUp, isTTY, counts, logNames, socket } = options;
  const cacheValidator = new CacheValidator(service);
  const feedWatch = new FeedWatch(service);
  const keys = configuredKeys(config);
  const admin = adminOptions(service, config);
  const mailTransport = openMailTransport(config);
  const cursorKey = await readCursorKey(service);
  const app = await createServer({
    ...{ service, cacheValidator, feedWatch, cursorKey, keys, metrics, counts, logNames, version },
    compatibility: config.compatibility,
    jsonBodyBytesMax: config.jsonBodyBytesMax,
    attachmentBodyBytesMax: config.attachmentBodyBytesMax,
    imageBytesMax: config.imageBytesMax,
    fileBytesMax: config.fileBytesMax,
    shopDocuments: new ShopDocuments(feedSettings(config)),
    storefront: storefrontSettings(config),
    erasuresFile: erasuresFile(config),
    imagesPublicUrl: config.imagesPublicUrl,
    responseCacheBytesMax: config.responseCacheBytesMax,
    limits: config,
    logLevel: config.logLevel,
    logRequests: config.logRequests,
    trustProxy: config.trustProxy,
    followsHost: followsHost(config),
    secondFactor: config.secondFactor,
    passkeys: admin?.oidc?.isOnly ? undefined : relyingParty(config.baseUrl),
    mail: mailTransport && mailOptions(config),
    admin,
  });
  if (admin && config.oidcIssuer !== '' && !admin.oidc)
    app.log.warn('OIDC_ISSUER has no effect, because openid-client is not installed. Install it with npm.');
  showLags(metrics, service, keys);
  await listen(app, config, socket);
  service.database.warning.then((warning) => app.log.warn(warning));
  const jobs = startJobs(service, app.log, {
    changesKeepDays: config.changesKeepDays,
    auditKeepDays: config.auditKeepDays,
    formerValues: priceHistoryRetention(service),
    tidiesUp,
    logsAuditHead: !isTTY,
  });
  const stopMailDelivery = startMails(service, config, mailTransport, { log: app.log, isOnlyProcess });
  const stopDeliveryLoop = startDeliveryLoop(service, openSender(config), feedWatch, app.log, {
    waits: config.webhookRetrySeconds,
    isOnlyProcess,
    keys,
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
      const delivered = Promise.all([stopDeliveryLoop(), stopMailDelivery()]);
      feedWatch.end();
      await drain(app.server, draining);
      await app.close();
      await delivered;
      await jobs.stop();
      await close();
    },
  };
}

function showLags(metrics: Metrics | undefined, service: Service, keys: ReturnType<typeof configuredKeys>): void {
  metrics?.showUnorderedChanges(() => countUnorderedChanges(service));
  metrics?.showWebhookLag(() => webhookLagSeconds(service, keys));
}

function mailOptions(config: Config): HttpOptions['mail'] {
  return { limits: { to: config.limitMailsTo, from: config.limitMails }, storeName: storeName(config) };
}

/** Starts the delivery of mails, if the store sends any. @returns function that stops it */
function startMails(
  service: Service,
  config: Config,
  transport: MailTransport | undefined,
  { log, isOnlyProcess }: { readonly log: FastifyBaseLogger; readonly isOnlyProcess: boolean },
): () => Promise<void> {
  if (!transport) return async () => {};
  const options = { isOnlyProcess, waits: config.mailRetrySeconds, storeName: storeName(config) };
  return startMailDelivery(service, transport, log, options);
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

function adminOptions(service: Service, config: Config): AdminOptions | undefined {
  const { hasAdmin, adminPlainHttp, baseUrl, oidcOnly } = config;
  if (!hasAdmin) return undefined;
  const origin = baseUrl === '' ? undefined : new URL(baseUrl).origin;
  const provider = openIdentityProvider(config, OIDC_CALLBACK_PATH);
  const oidc = provider && { provider, isOnly: oidcOnly };
  const page = { folder: ADMIN_FOLDER, allowsPlainHttp: adminPlainHttp, origin, storeName: config.storeName };
  return { sessions: new Sessions(service), ...page, oidc };
}
