/** WebP (RFC 9649): chunks in a RIFF container; each frame of an animation contains its own chunks. */
import { exifOf, isTurned } from './exif.ts';
import { isProfile } from './profile.ts';

const PROFILE_FLAG = 0x20;
const EXIF_FLAG = 0x08;
const XMP_FLAG = 0x04;

interface Chunk {
  readonly kind: string;
  readonly data: Buffer;
}

export function cleanWebp(bytes: Buffer, orientation: number): Buffer | undefined {
  // Some writers count the padding of the last chunk, others do not.
  const end = Math.min(8 + bytes.readUInt32LE(4), bytes.length);
  const chunks = chunksOf(bytes.subarray(12, end));
  if (!chunks) return undefined;
  const [first, ...others] = chunks;
  if (first?.kind === 'VP8X' && first.data.length === 10) return cleanExtended(first.data, others, orientation);
  // The simple format contains only pixels.
  return first && SIMPLE.includes(first.kind) ? container([first]) : undefined;
}

const SIMPLE = ['VP8 ', 'VP8L'];
const PIXELS = ['VP8 ', 'VP8L', 'ALPH'];

function cleanExtended(header: Buffer, chunks: Chunk[], orientation: number): Buffer | undefined {
  const cleaned: Chunk[] = [];
  let flags = header[0]! & ~(PROFILE_FLAG | EXIF_FLAG | XMP_FLAG);
  const addOnce = (flag: number, chunk: Chunk): void => {
    if (flags & flag) return;
    flags |= flag;
    cleaned.push(chunk);
  };
  for (const { kind, data } of chunks) {
    if (kind === 'ICCP' && isProfile(data)) addOnce(PROFILE_FLAG, { kind, data });
    else if (kind === 'EXIF' && isTurned(orientation)) addOnce(EXIF_FLAG, { kind, data: exifOf(orientation) });
    else if (kind === 'ANMF') {
      const frame = cleanFrame(data);
      if (!frame) return undefined;
      cleaned.push({ kind, data: frame });
    } else if (kind === 'ANIM') cleaned.push({ kind, data: data.subarray(0, 6) });
    else if (PIXELS.includes(kind)) cleaned.push({ kind, data });
  }
  const extended = Buffer.from(header);
  extended[0] = flags;
  return container([{ kind: 'VP8X', data: extended }, ...cleaned]);
}

/** Sixteen bytes of position and duration, then the pixels. */
function cleanFrame(data: Buffer): Buffer | undefined {
  const chunks = chunksOf(data.subarray(16));
  if (data.length < 16 || !chunks) return undefined;
  const pixels = chunks.filter(({ kind }) => PIXELS.includes(kind));
  return Buffer.concat([data.subarray(0, 16), ...pixels.map(encodeChunk)]);
}

function chunksOf(bytes: Buffer): Chunk[] | undefined {
  const chunks: Chunk[] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32LE(at + 4);
    if (at + 8 + length > bytes.length) return undefined;
    chunks.push({
      kind: bytes.toString('latin1', at, at + 4),
      data: bytes.subarray(at + 8, at + 8 + length),
    });
    at += 8 + length + (length % 2);
  }
  return chunks;
}

function container(chunks: Chunk[]): Buffer {
  const body = Buffer.concat(chunks.map(encodeChunk));
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  head.writeUInt32LE(body.length + 4, 4);
  return Buffer.concat([head, body]);
}

function encodeChunk({ kind, data }: Chunk): Buffer {
  const head = Buffer.alloc(8);
  head.write(kind, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}
