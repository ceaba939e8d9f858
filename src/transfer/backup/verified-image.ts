/** Reads image files and verifies them: the name of an image file is the hash of its content. */
import { hashIn, type ImageStore } from '../../engine/index.ts';
import { hashOf } from './durable-files.ts';

/** @returns the bytes, or what is wrong, as a clause to follow a colon */
export async function readVerified(
  images: ImageStore,
  name: string,
): Promise<{ bytes: Uint8Array; fault?: never } | { bytes?: never; fault: string }> {
  const bytes = await images.get(name);
  if (!bytes) return { fault: 'there is no such file' };
  return hashOf(bytes) === hashIn(name) ? { bytes } : { fault: 'its content is not what was uploaded' };
}
