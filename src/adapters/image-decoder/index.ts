/**
 * Turns what a client sent, bytes or an address, into pictures that were decoded in full, or into a sentence that says
 * why not. The bytes are kept as they came, but for what is no picture (`clean/`); nothing is converted but thumbnails.
 */
import { type DecodedImage, type ImageDecoder, type ImageRejection, Overloaded } from '../../engine/ports.ts';
import { createSemaphore } from '../semaphore.ts';
import type { Lookup } from '../web/bounded-lookup.ts';
import { createDecoder, type Decoding } from './decoder.ts';
import { createDownloads } from './download.ts';
import { ACCEPTED, sniff } from './sniff.ts';

interface ImageDecoderOptions {
  /** 0 for no limit. */
  readonly bytesMax: number;
  /** All frames of an animation together; 0 for no limit. */
  readonly pixelsMax: number;
  readonly downloadSecondsMax: number;
  /** Ranges in CIDR notation that downloads may reach beside the public internet. */
  readonly allow: readonly string[];
  readonly lookup?: Lookup;
}

/** One at a time in all, so that it leaves the other decoder to uploads; each waits without its bytes. */
const THUMBNAILS = {
  count: 1,
  waitingMax: 64,
  waitingSecondsMax: 10,
  overloaded: 'Too many thumbnails are waiting to be made.',
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

  const withThumbnailPermit = createSemaphore(THUMBNAILS);

  return {
    fromBytes,
    shrink: (read, to) =>
      withThumbnailPermit(async () => {
        const bytes = await read();
        if (bytes === undefined) return undefined;
        const shrinking = await decoder.shrink({ bytes, ...to });
        if (shrinking.outcome === 'shrunk') return shrinking.bytes;
        throw new Overloaded(`A thumbnail could not be made: ${shrinking.outcome}.`);
      }),
    async fromAddress(address) {
      const outcome = await downloads.fetch(address);
      return outcome instanceof Uint8Array ? fromBytes(outcome) : outcome;
    },
    check: () => decoder.check(),
    async close() {
      await Promise.all([decoder.close(), downloads.close()]);
    },
  };

  async function fromBytes(bytes: Uint8Array): Promise<DecodedImage | ImageRejection> {
    if (bytesMax > 0 && bytes.byteLength > bytesMax) {
      const message = `The file has ${grouped(bytes.byteLength)} bytes; at most ${grouped(bytesMax)} are accepted.`;
      return { refused: 'too_large', message };
    }
    const { found, accepted } = sniff(bytes);
    if (!accepted) return { refused: 'file', message: `This is ${found}; ${ACCEPTED}.` };

    const decoding = await decoder.decode(bytes);
    if (decoding.outcome !== 'decoded') return { refused: 'file', message: explain(decoding, found) };
    const { extension, width, height } = decoding;
    const kept = decoding.cleaned ?? bytes;
    return { name: `${await sha256(kept)}.${extension}`, bytes: kept, width, height };
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

/** Hashed by a thread of its own: ten megabytes would keep other requests waiting. */
async function sha256(bytes: Uint8Array): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString('hex');
}

function grouped(count: number): string {
  return count.toLocaleString('en');
}
