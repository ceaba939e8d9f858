/**
 * The parts of an animated PNG that libvips ignores (third edition, §11.3.6): the number of frames, and all frames
 * except the first.
 */
import { crc32 } from 'node:zlib';

interface Chunk {
  readonly kind: string;
  readonly data: Buffer;
}

/** Returns the number of frames in `acTL`, 1 without it. */
export function pngFrames(bytes: Uint8Array): number {
  for (const { kind, data } of chunksOf(bytes)) {
    if (kind === 'IDAT') break;
    if (kind === 'acTL' && data.length >= 4) return Math.max(1, data.readUInt32BE(0));
  }
  return 1;
}

/** Yields the frames after the first one as separate images, so that they can be decoded like it. */
export function* laterPngFrames(bytes: Uint8Array): Generator<Buffer> {
  const shared: Chunk[] = [];
  let header = Buffer.alloc(13);
  let control: Buffer | undefined;
  let parts: Buffer[] = [];
  for (const { kind, data } of chunksOf(bytes)) {
    if (kind === 'IHDR') header = Buffer.from(data);
    else if (kind === 'PLTE' || kind === 'tRNS') shared.push({ kind, data });
    else if (kind === 'fdAT') parts.push(data.subarray(4));
    else if (kind === 'fcTL' || kind === 'IEND') {
      if (control && parts.length > 0) yield frame(header, control, shared, parts);
      control = data;
      parts = [];
    }
  }
}

function frame(header: Buffer, control: Buffer, shared: Chunk[], parts: Buffer[]): Buffer {
  const own = Buffer.concat([control.subarray(4, 12), header.subarray(8)]);
  const isInside = [0, 4].every(
    (at) => control.readUInt32BE(12 + at) + own.readUInt32BE(at) <= header.readUInt32BE(at),
  );
  if (!isInside) throw new Error('A frame is outside of the image.');
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    ...[{ kind: 'IHDR', data: own }, ...shared].map(encodeChunk),
    ...parts.map((data) => encodeChunk({ kind: 'IDAT', data })),
    encodeChunk({ kind: 'IEND', data: Buffer.alloc(0) }),
  ]);
}

function* chunksOf(bytes: Uint8Array): Generator<Chunk> {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 8; at + 12 <= view.length; ) {
    const end = at + 12 + view.readUInt32BE(at);
    yield { kind: view.toString('latin1', at + 4, at + 8), data: view.subarray(at + 8, end - 4) };
    at = end;
  }
}

function encodeChunk({ kind, data }: Chunk): Buffer {
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
