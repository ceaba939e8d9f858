/** `purveyor serve`: opens the store, listens, prints one helpful screen; on SIGTERM finishes what runs and ends. */
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { lockStore } from '../adapters/sqlite/lock.ts';
import type { Service } from '../engine/index.ts';
import { ADMIN_PATH } from '../http/admin/routes.ts';
import type { AdminOptions } from '../http/context.ts';
import { drain } from '../http/drain.ts';
import { createServer } from '../http/server.ts';
import type { Measures } from '../measures/measures.ts';
import { type MetricsServer, serveMetrics } from '../measures/server.ts';
import { readFeed } from '../store/feed.ts';
import { FeedWatch } from '../store/feed-watch.ts';
import { Freshness } from '../store/freshness.ts';
import { startJobs } from '../store/jobs.ts';
import { makeFirstKeys } from '../store/keys.ts';
import { Sessions } from '../store/sessions.ts';
import { countUnorderedChanges } from '../store/unordered-changes.ts';
import { startDelivering } from '../store/webhooks/deliver.ts';
import { webhookLagSeconds } from '../store/webhooks/lag.ts';
import { type Config, namesKeys } from '../wiring/config.ts';
import { fillSettings } from '../wiring/first-start.ts';
import { claimImages } from '../wiring/image-owner.ts';
import { imagesPlace, openSender, openStore, sqliteFile, unwritable, worldOf } from '../wiring/open.ts';
import { version } from '../wiring/version.ts';
import { configuredKeys } from './configured-keys.ts';
import { firstKeysFile, writeFirstKeys } from './first-keys.ts';
import { addressOf, callableAddress } from './own-address.ts';
import { remarksAfter } from './remarks.ts';
import { type Output, tellRemark, tellStart } from './start.ts';
import { watchLoop } from './watchdog.ts';

/** Requests that still run after this long are cut off. */
const STOP_TIMEOUT_MS = 15_000;

export interface RunningServer {
  readonly address: string;
  /** Of `/metrics`, where there is one. */
  readonly metrics: string | undefined;
  /** Resolves when the store must not be written any more: it is read-only then, and whoever runs it ends it. */
  readonly broken: Promise<Error>;
  /** Resolves when what the requests so far left to be done beside them is done. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

export async function serve(
  config: Config,
  environment: Readonly<Record<string, string | undefined>>,
  output: Output,
): Promise<RunningServer> {
  const file = sqliteFile(config);
  const unlock = file === undefined ? () => {} : lockStore(file);
  const world = { ...worldOf(config), hasOtherAddresses: followsHost(config) };
  world.baseUrl ||= addressOf(config.host, config.port);
  const measures = config.metricsPort === undefined ? undefined : await takeMeasures();
  const { service, migrated, close } = await openStore(config, world, measures);
  const freshness = new Freshness(service);
  const feedWatch = new FeedWatch(service);
  const notes = await prepare(service, config, migrated, output).catch(async (error) => {
    await close();
    throw error;
  });
  const keys = configuredKeys(config);
  const app = await createServer({
    service,
    freshness,
    feedWatch,
    keys,
    compatibility: config.compatibility,
    jsonBodyBytesMax: config.jsonBodyBytesMax,
    attachmentBodyBytesMax: config.attachmentBodyBytesMax,
    imageBytesMax: config.imageBytesMax,
    imagesPublicUrl: config.imagesPublicUrl,
    responseCacheBytesMax: config.responseCacheBytesMax,
    limits: config,
    logLevel: config.logLevel,
    logRequests: config.logRequests,
    measures,
    trustProxy: config.trustProxy,
    followsHost: followsHost(config),
    admin: adminOptions(service, config),
    version,
  });
  measures?.showUnorderedChanges(() => countUnorderedChanges(service));
  measures?.showWebhookLag(() => webhookLagSeconds(service));
  const metrics = measures && (await listenForMetrics(measures, config));
  await listen(app, config);
  const { port } = app.server.address() as AddressInfo;
  const address = addressOf(config.host, port);
  if (config.baseUrl === '') world.baseUrl = address;
  const keysFile = output.isTTY ? undefined : firstKeysFile(config);
  const baseUrl = config.baseUrl || callableAddress(config.host, port);
  const admin = config.hasAdmin ? `${baseUrl}${ADMIN_PATH}` : undefined;
  // Once the store is being served: a start that fails must not use up the only showing of the keys.
  const wanted = { areWanted: !namesKeys(environment), withToken: config.hasAdmin };
  const made = await makeFirstKeys(service, wanted, (first) => {
    if (keysFile !== undefined) writeFirstKeys(keysFile, first, admin);
  });
  const hasKeys = keys.length > 0 || (await freshness.look()).keys.length > 0;
  const metricsAddress = metrics && `${callableAddress(config.host, metrics.port)}/metrics`;
  tellStart(output, {
    ...{ version, baseUrl, admin, metrics: metricsAddress },
    ...{ data: sqliteFile(config) ?? withoutPassword(config.databaseUrl), images: imagesPlace(config) },
    ...{ made, keysFile: made && keysFile, notes: [...notesOn(config, hasKeys), ...notes] },
  });
  service.database.warning.then((warning) => app.log.warn(warning));
  const jobs = startJobs(service, app.log, config);
  const stopDelivering = startDelivering(service, openSender(config), feedWatch, app.log, {
    waits: config.webhookRetrySeconds,
    isAlone: file !== undefined,
  });
  return {
    address,
    metrics: metricsAddress,
    broken: Promise.race([service.database.broken, service.images.broken]),
    settled: () => jobs.settled(),
    async stop() {
      const delivered = stopDelivering();
      feedWatch.end();
      await drain(app.server);
      await app.close();
      await delivered;
      await jobs.stop();
      await metrics?.stop();
      await close();
      unlock();
    },
  };
}

/** The page that `npm run admin:build` makes. */
const ADMIN_FOLDER = fileURLToPath(new URL('../../admin/dist/', import.meta.url));

function adminOptions(service: Service, { hasAdmin, adminPlainHttp }: Config): AdminOptions | undefined {
  if (!hasAdmin) return undefined;
  return { sessions: new Sessions(service), folder: ADMIN_FOLDER, allowsPlainHttp: adminPlainHttp };
}

/** @returns what is to be told of the settings */
async function prepare(
  service: Service,
  config: Config,
  migrated: readonly string[],
  output: Output,
): Promise<string[]> {
  // Before all that may fail: a later start has nothing to migrate, and would not tell.
  for (const remark of await remarksAfter(migrated, service.database)) tellRemark(output, remark);
  await proveImages(service, config);
  await claimImages(service, config);
  // Draws the epoch of a store that has none yet.
  await readFeed(service, 'now', { resources: undefined, limit: 1 });
  const pictures = await service.pictures.check().catch(({ message }: Error) => [message]);
  return [...(await fillSettings(service, config)), ...(pictures ?? [])];
}

/** A disk that takes no file, or does not keep it, is told before the first client comes. */
async function proveImages(service: Service, config: Config): Promise<void> {
  try {
    await service.images.check();
  } catch (error) {
    throw unwritable(config, 'IMAGES_URL', error);
  }
}

/** Listens; the start tells where, so the log need not. @throws {Error} that names the setting to change */
async function listen(app: FastifyInstance, { host, port }: Config): Promise<void> {
  const { level } = app.log;
  app.log.level = level === 'silent' ? level : 'warn';
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw refusalOf(error, host, 'PORT', port);
  } finally {
    app.log.level = level;
  }
}

/** Their library is a tenth of all that a start loads; it is loaded only where somebody looks. */
async function takeMeasures(): Promise<Measures> {
  const { Measures } = await import('../measures/measures.ts');
  return new Measures();
}

/** @throws {Error} that names the setting to change */
async function listenForMetrics(measures: Measures, { host, metricsPort }: Config): Promise<MetricsServer> {
  try {
    return await serveMetrics(measures, host, metricsPort!);
  } catch (error) {
    throw refusalOf(error, host, 'METRICS_PORT', metricsPort!);
  }
}

function refusalOf(error: unknown, host: string, setting: string, port: number): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return new Error(`Port ${port} is taken on ${host}: set ${setting} to another, or to 0 for any free one.`);
  if (code === 'EACCES')
    return new Error(`Port ${port} needs rights that this user does not have: set ${setting} to one from 1024.`);
  return new Error(`HOST ${host} is no address of this machine (${message}): set HOST to one, such as 127.0.0.1.`);
}

/**
 * Stops the server on SIGTERM and SIGINT, also while it starts, then exits 0; a second signal or a hang ends it at once.
 * A store that broke is stopped likewise, so that what runs is still answered, but exits 1: a supervisor starts it again.
 */
export async function runUntilDue(starting: Promise<RunningServer>, config: Config): Promise<void> {
  let isStopping = false;
  let code = 0;
  const stop = (): void => {
    isStopping = true;
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    const stopped = starting.then((server) => server.stop());
    stopped.then(
      () => process.exit(code),
      (error) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  const stopOrEnd = (): void => (isStopping ? process.exit(1) : stop());
  process.on('SIGTERM', stopOrEnd);
  process.on('SIGINT', stopOrEnd);
  const { broken } = await starting;
  watchLoop(config);
  broken.then(({ message }) => {
    console.error(`The store cannot be written safely any more, so the server ends: ${message}.`);
    code = 1;
    if (!isStopping) stop();
  });
}

/** Reached from elsewhere, the store is not told by which name: each answer names the host that it was asked by. */
function followsHost({ baseUrl, host }: Config): boolean {
  return baseUrl === '' && !/^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host);
}

function notesOn(config: Config, hasKeys: boolean): string[] {
  const notes: string[] = [];
  if (followsHost(config))
    notes.push(
      'BASE_URL is not set, so addresses in answers begin with the host that each request asks by (Host, or\n' +
        'X-Forwarded-Host and -Proto of a proxy in TRUST_PROXY). Set BASE_URL to the public address of the store.',
    );
  if (!hasKeys) notes.push('No API key is set up, so no request runs: make one with “npx purveyor keys create NAME”.');
  return notes;
}

function withoutPassword(address: string): string {
  const url = new URL(address);
  url.password = '';
  return url.href;
}
