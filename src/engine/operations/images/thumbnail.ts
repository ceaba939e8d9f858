/**
 * Thumbnails of pictures (catalog.md §2): made when one is first asked for, and kept beside the picture. No row names them;
 * they go with their picture.
 */
import { type ImageStore, imageOf } from '../../ports.ts';
import type { Service } from '../../unit/service.ts';

/** In pixels. Few, so that nobody fills the store with them. */
export const THUMBNAIL_WIDTHS: readonly number[] = [160, 320, 640, 1280];

interface Thumbnail {
  /** Of the picture's file. */
  readonly originalName: string;
  /** One of the widths; a narrower picture stays as wide as it is. */
  readonly width: number;
  /** `webp`, `avif`, or the picture's own. */
  readonly extension: string;
}

export function isImage(name: string): boolean {
  return imageOf(name) === name;
}

export function thumbnailName({ originalName, width, extension }: Thumbnail): string {
  return `${originalName}.${width}.${extension}`;
}

/** Those that are being made, so that nobody makes one twice. */
const MAKING = new WeakMap<ImageStore, Map<string, Promise<Uint8Array | undefined>>>();

/**
 * Makes a thumbnail that is not there, and keeps it. Many who ask for the same one wait for the same work.
 * @returns its bytes; undefined where there is no such picture
 * @throws {Overloaded} where too many wait, or the picture takes too long
 */
export function makeThumbnail(service: Service, wanted: Thumbnail): Promise<Uint8Array | undefined> {
  const { images } = service;
  const name = thumbnailName(wanted);
  const making = MAKING.get(images) ?? new Map<string, Promise<Uint8Array | undefined>>();
  MAKING.set(images, making);
  const begun = making.get(name);
  if (begun) return begun;
  const made = make(service, wanted, name).finally(() => making.delete(name));
  making.set(name, made);
  return made;
}

async function make(
  { images, imageDecoder }: Service,
  { originalName, width, extension }: Thumbnail,
  name: string,
): Promise<Uint8Array | undefined> {
  const bytes = await imageDecoder.shrink(() => images.get(originalName), { width, extension });
  if (bytes === undefined) return undefined;
  await images.put(name, bytes);
  if (await images.has(originalName)) return bytes;
  // It was removed meanwhile, maybe before its thumbnails were looked for.
  await images.remove(name);
  return undefined;
}
