/**
 * Whose the image files are. A store removes files that its rows do not name, so two stores that share a folder, or a place
 * in a bucket, would remove each other's: it carries the id of the store that it belongs to, and another store does not
 * start on it.
 */
import { join } from 'node:path';
import { OWNER_FILE } from '../adapters/images-disk/index.ts';
import type { ImageStore, Service } from '../engine/index.ts';
import { IDENTITY_SETTING, readIdentity, readSetting, settingsOf } from '../store/settings.ts';
import type { Config } from './config.ts';
import { imagesFolder, theImages } from './open.ts';

/** A person writes this in the place of the id: whichever store comes next has the folder. */
const NOBODY = 'nobody';

/** Stands before the id of a store that a restore has not finished yet. */
const RESTORING = 'restoring ';

/**
 * Makes the folder this store's own, unless it is another's. A store from before there were ids takes the folder that it
 * has; a new one, which can have no pictures yet, takes none that holds some. Comes before `fillSettings`.
 * @throws {Error} one sentence with the way out
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
  if (owner !== id) throw new Error(refusal(owner, config));
}

/**
 * Before a restore: the folder is free, or what a restore that was cut off has left.
 * @throws {Error} one sentence with the way out
 */
export async function refuseImagesOfAnother(images: ImageStore, config: Config): Promise<string | undefined> {
  const before = await images.owner();
  if (before === undefined) await rejectImages(images, config);
  if (before !== undefined && before !== NOBODY && !before.startsWith(RESTORING))
    throw new Error(refusal(before, config));
  return before;
}

/**
 * Keeps the folder for a store in the making: should its restore be cut off, only a further one has it.
 * @returns what makes it the store's own; to be called when the store is there
 */
export async function claimForRestore(images: ImageStore, id: string, config: Config): Promise<() => Promise<unknown>> {
  const before = await refuseImagesOfAnother(images, config);
  const now = await images.claim(RESTORING + id, before);
  if (now !== RESTORING + id) throw new Error(refusal(now, config));
  return () => images.claim(id, now);
}

/**
 * Before pictures are copied: they stay their store's. The other place is free, or the same store's already.
 * @throws {Error} one sentence
 */
export async function claimForCopy(from: ImageStore, to: ImageStore, toConfig: Config): Promise<void> {
  const owner = (await from.owner()) ?? NOBODY;
  const before = await to.owner();
  const isFree = before === undefined || before === NOBODY;
  const now = isFree && before !== owner ? await to.claim(owner, before) : before;
  if (now !== owner)
    throw new Error(
      `${theImages(toConfig, 'TO')} belongs to another store than the pictures of FROM: name another place.`,
    );
}

/** One sentence where the folder is another store's. Changes nothing. */
export async function imagesFault(
  service: Pick<Service, 'database' | 'statements' | 'images'>,
  config: Config,
): Promise<string | undefined> {
  const id = await readSetting(settingsOf(service), IDENTITY_SETTING);
  const owner = await service.images.owner();
  return [undefined, NOBODY, id, RESTORING + id].includes(owner) ? undefined : refusal(owner, config);
}

/** Pictures of which nothing says whose they are. */
async function rejectImages(images: ImageStore, config: Config): Promise<void> {
  for await (const _ of images.list()) throw new Error(refusal(undefined, config));
}

function refusal(owner: string | undefined, config: Config): string {
  const folder = imagesFolder(config);
  const kind = folder === undefined ? 'place in a bucket' : 'folder';
  const handOver =
    folder === undefined
      ? `writing the text “${NOBODY}” into the object ${OWNER_FILE} there`
      : `“echo ${NOBODY} > '${join(folder, OWNER_FILE)}'”`;
  const why =
    owner === undefined
      ? 'holds pictures that this new store cannot have made'
      : owner.startsWith(RESTORING)
        ? 'holds a restore that was cut off, which can be run again'
        : 'belongs to another store';
  return (
    `${theImages(config)} ${why}: set IMAGES_URL to a ${kind} of this store’s own. ` +
    `If no other store uses it, ${handOver} hands it over to this one, which then ` +
    'removes the pictures that it does not name.'
  );
}
