/**
 * A picture without what is no picture: bytes behind its end, EXIF, XMP, comments, thumbnails, chunks of others.
 * Nothing is encoded anew: the pixels' own data, the colour profile, the animation and the way up stay, byte by byte.
 * Nothing looks inside the pixels' data; the decoder checks that they decode.
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
 * Undefined when the outline of the file is not whole. A clean file comes back with the same bytes.
 * @param orientation as EXIF counts them, 1 to 8; it is kept where the format knows no other way to say it
 */
export function clean(extension: string, bytes: Uint8Array, orientation: number): Uint8Array | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return CLEANERS[extension]?.(view, orientation);
  } catch (error) {
    if (error instanceof RangeError) return undefined; // A length inside the file points behind its end.
    throw error;
  }
}
