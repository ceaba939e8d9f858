/** A store on its way to being served: made ready before the first request, and told of once requests are answered. */
import type { Service } from '../engine/index.ts';
import { ADMIN_PATH } from '../http/admin/routes.ts';
import { readFeed } from '../store/feed.ts';
import { makeFirstKeys } from '../store/keys.ts';
import { type Config, namesKeys } from '../wiring/config.ts';
import { fillSettings } from '../wiring/first-start.ts';
import { claimImages } from '../wiring/image-owner.ts';
import { imagesLocation, sqliteFile, unwritable } from '../wiring/open.ts';
import { version } from '../wiring/version.ts';
import { firstKeysFile, writeFirstKeys } from './first-keys.ts';
import { callableAddress, followsHost } from './own-address.ts';
import { noticesAfter } from './post-migration-notices.ts';
import { type Output, printNotice, printStart } from './start.ts';

/** @returns what is to be told of the settings */
export async function makeReady(
  service: Service,
  config: Config,
  migrated: readonly string[],
  output: Output,
): Promise<string[]> {
  // Before all that may fail: a later start has nothing to migrate, and would not tell.
  for (const notice of await noticesAfter(migrated, service.database)) printNotice(output, notice);
  await proveImages(service, config);
  await claimImages(service, config);
  // Draws the epoch of a store that has none yet.
  await readFeed(service, 'now', { resources: undefined, limit: 1 });
  const imageDecoder = await service.imageDecoder.check().catch(({ message }: Error) => [message]);
  return [...(await fillSettings(service, config)), ...(imageDecoder ?? [])];
}

/** A disk that takes no file, or does not keep it, is told before the first client comes. */
async function proveImages(service: Service, config: Config): Promise<void> {
  try {
    await service.images.check();
  } catch (error) {
    throw unwritable(config, 'IMAGES_URL', error);
  }
}

interface Served {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly port: number;
  /** The address of `/metrics`, where there is one. */
  readonly metrics: string | undefined;
  /** As `makeReady` gave them. */
  readonly notes: readonly string[];
  readonly hasKeys: () => Promise<boolean>;
}

/** Once the store is being served: a start that fails must not use up the only showing of the first keys. */
export async function announceReady(service: Service, config: Config, output: Output, served: Served): Promise<void> {
  const { environment, port, metrics, notes, hasKeys } = served;
  const keysFile = output.isTTY ? undefined : firstKeysFile(config);
  const baseUrl = config.baseUrl || callableAddress(config.host, port);
  const admin = config.hasAdmin ? `${baseUrl}${ADMIN_PATH}` : undefined;
  const wanted = { areWanted: !namesKeys(environment), withToken: config.hasAdmin };
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
