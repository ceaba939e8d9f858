/**
 * Turns uploads, bytes or an address, into completely decoded images, or a message that says why not. Bytes are stored
 * as they came, except for embedded metadata (`clean/`). Only thumbnails are converted.
 */
import { type DecodedImage, type FileRejection, type ImageDecoder, Overloaded } from '../../engine/ports.ts';
import { createBoundedQueue } from '../bounded-queue.ts';
import type { Lookup } from '../web/bounded-lookup.ts';
import { createDownloads } from '../web/download.ts';
import { createDecoder, type Decoding } from './decoder.ts';
import { ACCEPTED, sniff } from './sniff.ts';

interface ImageDecoderOptions {
  /** 0: no limit. */
  readonly bytesMax: number;
  /** All frames of an animation together; 0: no limit. */
  readonly pixelsMax: number;
  readonly downloadSecondsMax: number;
  /** Ranges in CIDR notation that downloads may reach in addition to the public internet. */
  readonly allow: readonly string[];
  readonly lookup?: Lookup;
}

/** One at a time, so that the other decoder remains for uploads. Queued thumbnails hold no bytes in memory. */
const THUMBNAILS = {
  concurrencyMax: 1,
  waitingMax: 64,
  waitingSecondsMax: 10,
  overloaded: 'Too many thumbnails are queued.',
};

export function createImageDecoder({
  bytesMax,
  pixelsMax,
  downloadSecondsMax,
  allow,
  lookup,
}: ImageDecoderOptions): ImageDecoder {
  const decoder = createDecoder({ pixelsMax });
  const downloads = createDownloads({ bytesMax, secondsMax: downloadSecondsMax, allow, ...(lookup && { lookup }) });

  const runInThumbnailQueue = createBoundedQueue(THUMBNAILS);

  return {
    fromBytes,
    shrink: (read, to) =>
      runInThumbnailQueue(async () => {
        const bytes = await read();
        if (bytes === undefined) return undefined;
        const shrinking = await decoder.shrink({ bytes, ...to });
        if (shrinking.outcome === 'shrunk') return shrinking.bytes;
        throw new Overloaded(`A thumbnail could not be made: ${shrinking.outcome}.`);
      }),
    async fromAddress(address) {
      const result = await downloads.fetch(address);
      return result instanceof Uint8Array ? fromBytes(result) : result;
    },
    check: () => decoder.check(),
    async close() {
      await Promise.all([decoder.close(), downloads.close()]);
    },
  };

  async function fromBytes(bytes: Uint8Array): Promise<DecodedImage | FileRejection> {
    if (bytesMax > 0 && bytes.byteLength > bytesMax) {
      const message = `The file has ${grouped(bytes.byteLength)} bytes; at most ${grouped(bytesMax)} are accepted.`;
      return { refused: 'too_large', message };
    }
    const { found, accepted } = sniff(bytes);
    if (!accepted) return { refused: 'file', message: `This is ${found}; ${ACCEPTED}.` };

    const decoding = await decoder.decode(bytes);
    if (decoding.outcome !== 'decoded') return { refused: 'file', message: explain(decoding, found) };
    const { extension, width, height } = decoding;
    const stored = decoding.cleaned ?? bytes;
    return { name: `${await sha256(stored)}.${extension}`, bytes: stored, width, height };
  }

  function explain(decoding: Exclude<Decoding, { outcome: 'decoded' }>, found: string): string {
    switch (decoding.outcome) {
      case 'damaged':
        return `This is ${found}, but it is damaged or incomplete.`;
      case 'too many pixels':
        return `This is ${found} of ${grouped(decoding.pixels)} pixels; at most ${grouped(pixelsMax)} are accepted.`;
      case 'too slow':
        return `This is ${found}, but it took too long to decode.`;
      case 'died':
        return `This is ${found}, but it could not be decoded.`;
    }
  }
}

/** Uses a pool thread: hashing ten megabytes would block other requests. */
async function sha256(bytes: Uint8Array): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString('hex');
}

function grouped(count: number): string {
  return count.toLocaleString('en');
}
