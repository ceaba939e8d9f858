/**
 * The process that decodes pictures, one at a time, apart from the store: a picture made to crash or to eat memory
 * takes this process with it and nothing else. It answers what it found, and the bytes without what is no picture where
 * those are others; or a picture of the store made smaller. Limits of time and number are its parent's.
 */
import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import type { Sharp } from 'sharp';
import { UNABLE } from '../child.ts';
import { clean } from './clean/index.ts';
import type { Decoding, DecodingTask, ShrinkingTask, Shrunk, Task } from './decoder.ts';
import { laterPngFrames, pngFrames } from './png-frames.ts';

/** Everything else libvips can read is closed: 283 bytes of SVG kept it busy for 40 seconds. */
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
  await new Promise((told) => process.send?.(UNABLE, told));
  throw error;
});
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: LOADERS });
sharp.cache(false);
sharp.concurrency(1);
yieldToTheStore();

process.on('message', async (task: Task) => process.send?.(await ('width' in task ? shrink(task) : decode(task))));
// Without its parent nobody ends a picture that takes too long; a plain exit would wait for the decoder's thread.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// A signal to the whole group (Ctrl-C, systemd) is for the parent, which finishes its requests and then ends this.
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

    // The store keeps the very bytes that are read and measured here.
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
 * Shrinking to one pixel reads every pixel of every frame and keeps next to none of them; of the ways to shrink, the
 * nearest-neighbour kernel would not notice damage near the end.
 */
async function readAllPixels(bytes: Uint8Array, extension: string): Promise<void> {
  const image = sharp(bytes, { limitInputPixels: false, pages: -1, sequentialRead: true, failOn: 'warning' })
    .resize({ width: 1, height: 1, fit: 'fill' })
    .raw();
  // A JPEG would be shrunk while it is decoded, which overlooks damage; in another colour space it is not.
  if (extension === 'jpg') image.pipelineColourspace('rgb16');
  await image.toBuffer();
}

async function readLaterFrames(bytes: Uint8Array, frames: number): Promise<void> {
  let count = 0;
  for (const frame of laterPngFrames(bytes)) {
    count += 1;
    if (count > frames) throw new Error('There are more frames than the file says.');
    await readAllPixels(frame, 'png');
  }
}

/** Little processor time for a picture that is seen small; a step down in quality shows less than one in size. */
const FORMATS: Readonly<Record<string, (image: Sharp) => Sharp>> = {
  jpg: (image) => image.jpeg({ quality: 82 }),
  png: (image) => image.png(),
  gif: (image) => image.gif({ effort: 1 }),
  webp: (image) => image.webp({ quality: 80 }),
  avif: (image) => image.avif({ quality: 55, effort: 2 }),
};

/** WebP has no pictures that are higher than 16,383 pixels. */
const HEIGHT_MAX = 16_000;

/** The picture was decoded in full before it was kept. */
async function shrink({ bytes, width, extension }: ShrinkingTask): Promise<Shrunk | Decoding> {
  try {
    const image = sharp(bytes, { limitInputPixels: false, sequentialRead: true }).autoOrient();
    const small = image.resize({ width, height: HEIGHT_MAX, fit: 'inside', withoutEnlargement: true });
    return { outcome: 'shrunk', bytes: await FORMATS[extension]!(small).toBuffer() };
  } catch {
    return { outcome: 'damaged' };
  }
}

/** Short of processor time or memory, the system should take it from here first. */
function yieldToTheStore(): void {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Only Linux has it, and a container may keep it read-only.
  }
}
