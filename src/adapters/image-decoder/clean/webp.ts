/** WebP (RFC 9649): chunks in a RIFF container; a frame of an animation holds chunks of its own. */
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
  const kept: Chunk[] = [];
  const extended = chunks[0]?.kind === 'VP8X' && chunks[0].data.length === 10 ? Buffer.from(chunks[0].data) : undefined;
  if (!extended) {
    // The short form holds the pixels and nothing else.
    const [pixels] = chunks;
    if (pixels?.kind !== 'VP8 ' && pixels?.kind !== 'VP8L') return undefined;
    return container([pixels]);
  }
  let flags = extended[0]! & ~(PROFILE_FLAG | EXIF_FLAG | XMP_FLAG);
  for (const { kind, data } of chunks.slice(1)) {
    if (kind === 'ICCP') {
      if (!isProfile(data) || flags & PROFILE_FLAG) continue;
      flags |= PROFILE_FLAG;
      kept.push({ kind, data });
    } else if (kind === 'EXIF') {
      if (!isTurned(orientation) || flags & EXIF_FLAG) continue;
      flags |= EXIF_FLAG;
      kept.push({ kind, data: exifOf(orientation) });
    } else if (kind === 'ANMF') {
      const frame = cleanFrame(data);
      if (!frame) return undefined;
      kept.push({ kind, data: frame });
    } else if (kind === 'ANIM') kept.push({ kind, data: data.subarray(0, 6) });
    else if (kind === 'VP8 ' || kind === 'VP8L' || kind === 'ALPH') kept.push({ kind, data });
  }
  extended[0] = flags;
  return container([{ kind: 'VP8X', data: extended }, ...kept]);
}

/** Sixteen bytes of where and how long, then the pixels. */
function cleanFrame(data: Buffer): Buffer | undefined {
  const chunks = chunksOf(data.subarray(16));
  if (data.length < 16 || !chunks) return undefined;
  const kept = chunks.filter(({ kind }) => kind === 'VP8 ' || kind === 'VP8L' || kind === 'ALPH');
  return Buffer.concat([data.subarray(0, 16), ...kept.map(written)]);
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
  const body = Buffer.concat(chunks.map(written));
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  head.writeUInt32LE(body.length + 4, 4);
  return Buffer.concat([head, body]);
}

function written({ kind, data }: Chunk): Buffer {
  const head = Buffer.alloc(8);
  head.write(kind, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}
