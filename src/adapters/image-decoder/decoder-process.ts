/**
 * Child process that decodes images, one at a time. An image built to crash or exhaust memory ends only this process.
 * It returns what it found, with the cleaned bytes if they differ from the input, or a thumbnail of a stored image. Its
 * parent limits time and concurrency.
 */
import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import type { Sharp } from 'sharp';
import { UNABLE } from '../child.ts';
import { clean } from './clean/index.ts';
import type { Decoding, DecodingTask, ShrinkingTask, Shrunk, Task } from './decoder.ts';
import { laterPngFrames, pngFrames } from './png-frames.ts';

/** All other loaders of libvips are blocked: 283 bytes of SVG kept it busy for 40 seconds. */
const LOADERS = [
  'VipsForeignLoadJpegBuffer',
  'VipsForeignLoadPngBuffer',
  'VipsForeignLoadNsgifBuffer',
  'VipsForeignLoadWebpBuffer',
  'VipsForeignLoadHeifBuffer',
];

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
};

const { default: sharp } = await import('sharp').catch(async (error) => {
  await new Promise((sent) => process.send?.(UNABLE, sent));
  throw error;
});
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: LOADERS });
sharp.cache(false);
sharp.concurrency(1);
yieldToTheStore();

process.on('message', async (task: Task) => process.send?.(await ('width' in task ? shrink(task) : decode(task))));
// Without its parent nothing would end a slow image; a plain exit would wait for the decoder's thread.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// Signals to the process group (Ctrl-C, systemd) are for the parent, which finishes its requests and then ends this
// process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
process.send?.('ready');

async function decode({ bytes, pixelsMax }: DecodingTask): Promise<Decoding> {
  try {
    const header = await sharp(bytes, { limitInputPixels: false }).metadata();
    const frames = header.format === 'png' ? pngFrames(bytes) : (header.pages ?? 1);
    const pixels = header.width * header.height * frames;
    if (pixelsMax > 0 && pixels > pixelsMax) return { outcome: 'too many pixels', pixels };

    const extension = EXTENSIONS[header.mediaType ?? ''];
    if (extension === undefined) return { outcome: 'damaged' };
    const cleaned = clean(extension, bytes, header.orientation ?? 1);
    if (cleaned === undefined) return { outcome: 'damaged' };

    // Verify and measure exactly the bytes that will be stored.
    await readAllPixels(cleaned, extension);
    if (extension === 'png') await readLaterFrames(cleaned, frames);
    if (Buffer.compare(cleaned, bytes) === 0) return { outcome: 'decoded', extension, ...header.autoOrient };
    const { autoOrient } = await sharp(cleaned, { limitInputPixels: false }).metadata();
    return { outcome: 'decoded', extension, ...autoOrient, cleaned };
  } catch {
    return { outcome: 'damaged' };
  }
}

/**
 * Resizing to one pixel reads every pixel of every frame in little memory. The nearest-neighbor kernel would not notice
 * damage near the end.
 */
async function readAllPixels(bytes: Uint8Array, extension: string): Promise<void> {
  const image = sharp(bytes, { limitInputPixels: false, pages: -1, sequentialRead: true, failOn: 'warning' })
    .resize({ width: 1, height: 1, fit: 'fill' })
    .raw();
  // JPEG shrink-on-load would overlook damage; it is not used in this color space.
  if (extension === 'jpg') image.pipelineColourspace('rgb16');
  await image.toBuffer();
}

async function readLaterFrames(bytes: Uint8Array, frames: number): Promise<void> {
  let count = 0;
  for (const frame of laterPngFrames(bytes)) {
    count += 1;
    if (count > frames) throw new Error('The file has more frames than it declares.');
    await readAllPixels(frame, 'png');
  }
}

/** Little processor time per thumbnail: a lower quality is less visible than a smaller size. */
const FORMATS: Readonly<Record<string, (image: Sharp) => Sharp>> = {
  jpg: (image) => image.jpeg({ quality: 82 }),
  png: (image) => image.png(),
  gif: (image) => image.gif({ effort: 1 }),
  webp: (image) => image.webp({ quality: 80 }),
  avif: (image) => image.avif({ quality: 55, effort: 2 }),
};

/** WebP images are at most 16,383 pixels high. */
const HEIGHT_MAX = 16_000;

/** The image was decoded completely before it was stored. */
async function shrink({ bytes, width, extension }: ShrinkingTask): Promise<Shrunk | Decoding> {
  try {
    const image = sharp(bytes, { limitInputPixels: false, sequentialRead: true }).autoOrient();
    const small = image.resize({ width, height: HEIGHT_MAX, fit: 'inside', withoutEnlargement: true });
    return { outcome: 'shrunk', bytes: await FORMATS[extension]!(small).toBuffer() };
  } catch {
    return { outcome: 'damaged' };
  }
}

/** If processor time or memory is short, the system should take it from this process first. */
function yieldToTheStore(): void {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Linux only, and possibly read-only in a container.
  }
}
