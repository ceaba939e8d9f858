/** An image file is whole when its bytes are those that its name was made of. */
import type { ImageStore } from '../../engine/index.ts';
import { hashOf } from './durable-files.ts';
import { imageHash } from './manifest.ts';

/** The bytes, or why there are none, to follow a colon. */
export async function readWhole(
  images: ImageStore,
  name: string,
): Promise<{ bytes: Uint8Array; fault?: never } | { bytes?: never; fault: string }> {
  const bytes = await images.get(name);
  if (!bytes) return { fault: 'there is no such file' };
  return hashOf(bytes) === imageHash(name) ? { bytes } : { fault: 'its bytes are not those that were uploaded' };
}
