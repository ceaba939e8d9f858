/** Sends an image of the store again, for example as the image of another product. Identical files are stored once. */
import { toBase64 } from './base64.ts';

export type ImageSource = { readonly attachment: string; readonly filename: string } | { readonly externalUrl: string };

export async function sourceOfFile(file: Blob, filename: string): Promise<ImageSource> {
  return { attachment: await toBase64(file), filename };
}

/** Returns the path of an image, so that the page reads it from its own origin even if the store has several addresses. */
export const ownPath = (url: string): string => new URL(url, location.href).pathname;

/** Reads an image of the store. If another server has its files, the page may not read them, and the store downloads the image itself. */
export async function sourceOfUrl(url: string): Promise<ImageSource> {
  try {
    const response = await fetch(ownPath(url));
    if (!response.ok) throw new Error(`status ${response.status}`);
    const filename = decodeURIComponent(ownPath(url).split('/').at(-1)!);
    return await sourceOfFile(await response.blob(), filename);
  } catch {
    return { externalUrl: url };
  }
}
