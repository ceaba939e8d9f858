/**
 * Removes everything from an image that is not part of the picture: trailing bytes, EXIF, XMP, comments, thumbnails and
 * unknown chunks. Images are not re-encoded: pixel data, color profile, animation and orientation remain byte by byte. Pixel
 * data is not parsed; the decoder verifies it.
 */
import { cleanAvif } from './avif.ts';
import { cleanGif } from './gif.ts';
import { cleanJpeg } from './jpeg.ts';
import { cleanPng } from './png.ts';
import { cleanWebp } from './webp.ts';

const CLEANERS: Readonly<Record<string, (bytes: Buffer, orientation: number) => Buffer | undefined>> = {
  jpg: cleanJpeg,
  png: cleanPng,
  gif: cleanGif,
  webp: cleanWebp,
  avif: cleanAvif,
};

/**
 * Returns the cleaned file. A clean file is returned with the same bytes.
 * @param orientation EXIF orientation, 1 to 8; written as EXIF if the format has no other way to express it
 * @returns undefined if the structure of the file is incomplete
 */
export function clean(extension: string, bytes: Uint8Array, orientation: number): Uint8Array | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return CLEANERS[extension]?.(view, orientation);
  } catch (error) {
    if (error instanceof RangeError) return undefined; // A length in the file exceeds the file.
    throw error;
  }
}
