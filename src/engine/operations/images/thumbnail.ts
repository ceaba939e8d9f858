/**
 * Thumbnails of images (catalog.md §2), created on first request and stored next to the image. No row names them; they
 * are removed together with their image.
 */
import { type ImageStore, imageOf } from '../../ports.ts';
import type { Service } from '../../unit/service.ts';

/** In pixels. Few, so that clients cannot fill the store with thumbnails. */
export const THUMBNAIL_WIDTHS: readonly number[] = [160, 320, 640, 1280];

interface Thumbnail {
  /** File name of the image. */
  readonly originalName: string;
  /** One of the widths. A narrower image is not enlarged. */
  readonly width: number;
  /** `webp`, `avif`, or that of the image. */
  readonly extension: string;
}

export function isImage(name: string): boolean {
  return imageOf(name) === name;
}

export function thumbnailName({ originalName, width, extension }: Thumbnail): string {
  return `${originalName}.${width}.${extension}`;
}

/** Thumbnails in progress by name, so that none is created twice at the same time. */
const IN_PROGRESS = new WeakMap<ImageStore, Map<string, Promise<Uint8Array | undefined>>>();

/**
 * Creates and stores a missing thumbnail. Concurrent requests for the same thumbnail share the work.
 * @returns its bytes; undefined if there is no such image
 * @throws {Overloaded} if the queue is full or decoding takes too long
 */
export function makeThumbnail(service: Service, wanted: Thumbnail): Promise<Uint8Array | undefined> {
  const { images } = service;
  const name = thumbnailName(wanted);
  const inProgress = IN_PROGRESS.get(images) ?? new Map<string, Promise<Uint8Array | undefined>>();
  IN_PROGRESS.set(images, inProgress);
  const current = inProgress.get(name);
  if (current) return current;
  const created = make(service, wanted, name).finally(() => inProgress.delete(name));
  inProgress.set(name, created);
  return created;
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
  // The image was removed concurrently, possibly before its thumbnails were listed.
  await images.remove(name);
  return undefined;
}
