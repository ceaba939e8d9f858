/** Creates small image files, each different from all others, and uploads and downloads them. */
import sharp from 'sharp';
import type { HttpResponse, RequestOptions } from './client.ts';
import type { Json, Store } from './store.ts';

let shade = 0;

/** An image of one color. */
export function testImage(width = 60, height = 40) {
  shade += 1;
  const background = { r: shade % 256, g: Math.floor(shade / 256) % 256, b: 99 };
  return sharp({ create: { width, height, channels: 3, background } });
}

export function png(width?: number, height?: number): Promise<Buffer> {
  return testImage(width, height).png().toBuffer();
}

/** An image that cannot be compressed: about three bytes per pixel. */
export function noise(width: number, height: number) {
  const pixels = Buffer.alloc(width * height * 3);
  for (let start = 0; start < pixels.length; start += RANDOM_BYTES_MAX)
    crypto.getRandomValues(pixels.subarray(start, start + RANDOM_BYTES_MAX));
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

export function noisePng(width: number, height: number): Promise<Buffer> {
  return noise(width, height).png().toBuffer();
}

/** The request body that uploads this file. */
export async function attached(bytes: Buffer | Promise<Buffer>, fields: Json = {}): Promise<Json> {
  return { attachment: (await bytes).toString('base64'), filename: 'image.png', ...fields };
}

/** Downloads an image file as a browser does, without a key, after released files are removed. */
export async function fileAt(
  store: Store,
  url: string,
  headers: RequestOptions['headers'] = {},
): Promise<HttpResponse> {
  await store.settled();
  return store.request('GET', new URL(url).pathname, { key: null, headers });
}

/** The most bytes that one call of `getRandomValues` fills. */
const RANDOM_BYTES_MAX = 65_536;
