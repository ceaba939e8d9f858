/**
 * Ownership of image files. A store removes files that its rows do not name, so two stores that share a folder, or a
 * prefix in a bucket, would remove each other's files. Each image store therefore contains the id of the store that
 * owns it, and another store refuses to start on it.
 */
import { join } from 'node:path';
import { OWNER_FILE } from '../adapters/images-disk/index.ts';
import type { ImageStore, Service } from '../engine/index.ts';
import { IDENTITY_SETTING, readIdentity, readSetting, settingsOf } from '../store/settings.ts';
import { imagesFolder, theImages } from './open.ts';
import type { Config } from './settings/index.ts';

/** Written by an operator in place of the id: the next store to start becomes the owner. */
const NOBODY = 'nobody';

/** Prefix of the id of a store whose restore is not complete. */
const RESTORING = 'restoring ';

/**
 * Claims the image store unless it belongs to another store. A store older than ownership ids claims the one it has. A
 * new store cannot have images yet, so it claims only an empty one. Must be called before `fillSettings`.
 * @throws {Error} with a message for the operator
 */
export async function claimImages(service: Service, config: Config): Promise<void> {
  const { images } = service;
  const id = await readIdentity(service);
  const before = await images.owner();
  if (before === id) return;
  const isNew = (await readSetting(settingsOf(service), 'currency')) === undefined;
  if (before === undefined && isNew) await rejectImages(images, config);
  const isFree = before === undefined || before === NOBODY || before === RESTORING + id;
  const owner = isFree ? await images.claim(id, before) : before;
  if (owner !== id) throw ownershipError(owner, config);
}

/**
 * Checks before a restore that the image store is free or left by an interrupted restore.
 * @returns the current owner
 * @throws {Error} with a message for the operator
 */
export async function rejectForeignImages(images: ImageStore, config: Config): Promise<string | undefined> {
  const before = await images.owner();
  if (before === undefined) await rejectImages(images, config);
  if (before !== undefined && before !== NOBODY && !before.startsWith(RESTORING)) throw ownershipError(before, config);
  return before;
}

/**
 * Reserves the image store for a store that is being restored. After an interrupted restore, only another restore can
 * claim it.
 * @returns function that completes the claim; call it when the store is restored
 */
export async function claimForRestore(images: ImageStore, id: string, config: Config): Promise<() => Promise<unknown>> {
  const before = await rejectForeignImages(images, config);
  const now = await images.claim(RESTORING + id, before);
  if (now !== RESTORING + id) throw ownershipError(now, config);
  return () => images.claim(id, now);
}

/**
 * Claims the target of an image copy for the owner of the source. The target must be free or belong to the same store.
 * @throws {Error} with a message for the operator
 */
export async function claimForCopy(from: ImageStore, to: ImageStore, toConfig: Config): Promise<void> {
  const owner = (await from.owner()) ?? NOBODY;
  const before = await to.owner();
  const isFree = before === undefined || before === NOBODY;
  const now = isFree && before !== owner ? await to.claim(owner, before) : before;
  if (now !== owner)
    throw new Error(
      `${theImages(toConfig, 'TO')} belongs to another store than the images of FROM. Choose another target.`,
    );
}

/** Returns a message if the image store belongs to another store. Read-only. */
export async function imagesFault(
  service: Pick<Service, 'database' | 'statements' | 'images'>,
  config: Config,
): Promise<string | undefined> {
  const id = await readSetting(settingsOf(service), IDENTITY_SETTING);
  const owner = await service.images.owner();
  return [undefined, NOBODY, id, RESTORING + id].includes(owner) ? undefined : ownershipError(owner, config).message;
}

/** Rejects an image store that has images but no owner. */
async function rejectImages(images: ImageStore, config: Config): Promise<void> {
  for await (const _ of images.list()) throw ownershipError(undefined, config);
}

function ownershipError(owner: string | undefined, config: Config): Error {
  const folder = imagesFolder(config);
  const kind = folder === undefined ? 'prefix in a bucket' : 'folder';
  const handOver =
    folder === undefined
      ? `write the text “${NOBODY}” into the object ${OWNER_FILE} there`
      : `run “echo ${NOBODY} > '${join(folder, OWNER_FILE)}'”`;
  const why =
    owner === undefined
      ? 'contains images that this new store cannot have created'
      : owner.startsWith(RESTORING)
        ? 'contains an interrupted restore, which can be repeated'
        : 'belongs to another store';
  return new Error(
    `${theImages(config)} ${why}. Set IMAGES_URL to a ${kind} of this store’s own. ` +
      `If no other store uses it, ${handOver} to hand it over. This store then ` +
      'removes all images that its records do not use.',
  );
}
