/**
 * Steps of a start: prepares the store before the first request, and prints the start screen once the server listens.
 */
import type { Service } from '../engine/index.ts';
import { ADMIN_PATH } from '../http/admin/routes.ts';
import { readFeed } from '../store/feed.ts';
import { makeFirstKeys } from '../store/keys.ts';
import { commandActor } from '../store/own-requests.ts';
import { namesKeys } from '../wiring/config.ts';
import { fillSettings } from '../wiring/first-start.ts';
import { claimImages } from '../wiring/image-owner.ts';
import { imagesLocation, sqliteFile, unwritable } from '../wiring/open.ts';
import type { Config } from '../wiring/settings/index.ts';
import { version } from '../wiring/version.ts';
import { firstKeysFile, writeFirstKeys } from './first-keys.ts';
import { callableAddress, followsHost } from './own-address.ts';
import { noticesAfter } from './post-migration-notices.ts';
import { type Output, printNotice, printStart } from './start.ts';

/** Prepares the store for serving. @returns notes about the settings for the operator */
export async function prepareStore(
  service: Service,
  config: Config,
  migrated: readonly string[],
  output: Output,
): Promise<string[]> {
  // First, before anything that may fail: a second start has no migration to apply and would not print these.
  for (const notice of await noticesAfter(migrated, service.database)) printNotice(output, notice);
  await checkImageStore(service, config);
  await claimImages(service, config);
  // Creates the epoch of a new store.
  await readFeed(service, 'now', { resources: undefined, limit: 1 });
  const imageDecoder = await service.imageDecoder.check().catch(({ message }: Error) => [message]);
  return [...(await fillSettings(service, config)), ...(imageDecoder ?? [])];
}

/** Reports a disk that rejects or loses files before the first client connects. */
async function checkImageStore(service: Service, config: Config): Promise<void> {
  try {
    await service.images.check();
  } catch (error) {
    throw unwritable(config, 'IMAGES_URL', error);
  }
}

interface StartedServer {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly port: number;
  /** Address of `/metrics`, if metrics are on. */
  readonly metrics: string | undefined;
  /** Result of `prepareStore`. */
  readonly notes: readonly string[];
  readonly hasKeys: () => Promise<boolean>;
}

/** Called once the server listens: a start that fails must not use up the first keys, which are shown only once. */
export async function announceReady(
  service: Service,
  config: Config,
  output: Output,
  server: StartedServer,
): Promise<void> {
  const { environment, port, metrics, notes, hasKeys } = server;
  const keysFile = output.isTTY ? undefined : firstKeysFile(config);
  const baseUrl = config.baseUrl || callableAddress(config.host, port);
  const admin = config.hasAdmin ? `${baseUrl}${ADMIN_PATH}` : undefined;
  const wanted = { areWanted: !namesKeys(environment), withToken: config.hasAdmin, by: commandActor('serve') };
  const made = await makeFirstKeys(service, wanted, (first) => {
    if (keysFile !== undefined) writeFirstKeys(keysFile, first, admin);
  });
  printStart(output, {
    ...{ version, baseUrl, admin, metrics },
    ...{ data: sqliteFile(config) ?? withoutPassword(config.databaseUrl), images: imagesLocation(config) },
    ...{ made, keysFile: made && keysFile, notes: [...notesOn(config, await hasKeys()), ...notes] },
  });
}

function notesOn(config: Config, hasKeys: boolean): string[] {
  const notes: string[] = [];
  if (followsHost(config))
    notes.push(
      'BASE_URL is not set, so addresses in responses use the host of each request (Host, or X-Forwarded-Host and\n' +
        '-Proto of a proxy in TRUST_PROXY). Set BASE_URL to the public address of the store.',
    );
  if (!hasKeys)
    notes.push('There is no API key, so every request is rejected. Create one with “npx purveyor keys create NAME”.');
  return notes;
}

/** Passwords may be before the host, or in the query. */
function withoutPassword(address: string): string {
  const url = new URL(address);
  url.password = '';
  url.search = '';
  return url.href;
}
