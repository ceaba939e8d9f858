/** PNG (third edition, §5 and §11): a sequence of chunks, each with length, kind, data and checksum. */
import { crc32, deflateSync, inflateSync, type ZlibOptions } from 'node:zlib';
import { exifOf, isTurned } from './exif.ts';
import { isProfile, PROFILE_BYTES_MAX } from './profile.ts';

/** Chunks that are preserved, with their valid lengths. All others are removed. */
const LENGTHS: Readonly<Record<string, (length: number) => boolean>> = {
  IHDR: (length) => length === 13,
  PLTE: (length) => length <= 768 && length % 3 === 0,
  IDAT: () => true,
  tRNS: (length) => length <= 256,
  gAMA: (length) => length === 4,
  cHRM: (length) => length === 32,
  sRGB: (length) => length === 1,
  cICP: (length) => length === 4,
  mDCV: (length) => length === 24,
  cLLI: (length) => length === 8,
  sBIT: (length) => length <= 4,
  bKGD: (length) => length <= 6,
  pHYs: (length) => length === 9,
  acTL: (length) => length === 8,
  fcTL: (length) => length === 26,
  fdAT: (length) => length >= 4,
};

const REPEATED = ['IDAT', 'fcTL', 'fdAT'];

export function cleanPng(bytes: Buffer, orientation: number): Buffer | undefined {
  const parts: Buffer[] = [bytes.subarray(0, 8)];
  const seen = new Set<string>();
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) return undefined;
    const kind = bytes.toString('latin1', at + 4, at + 8);
    const data = bytes.subarray(at + 8, end - 4);
    if (bytes.readUInt32BE(end - 4) !== crc32(bytes.subarray(at + 4, end - 4))) return undefined;
    if (kind === 'IEND') return Buffer.concat([...parts, chunk('IEND', Buffer.alloc(0))]);
    if (isExpected(kind, seen)) {
      if (LENGTHS[kind]?.(data.length)) parts.push(bytes.subarray(at, end));
      else if (kind === 'iCCP') parts.push(...profileChunks(data));
      else if (kind === 'eXIf' && isTurned(orientation)) parts.push(chunk('eXIf', exifOf(orientation)));
    }
    seen.add(kind);
    at = end;
  }
  return undefined;
}

/** Whether a chunk is allowed here. Frames of a file that is not declared as animated are removed. */
function isExpected(kind: string, seen: ReadonlySet<string>): boolean {
  const isStray = (kind === 'fcTL' || kind === 'fdAT') && !seen.has('acTL');
  return !isStray && (REPEATED.includes(kind) || !seen.has(kind));
}

/** Name, zero byte, method (0), compressed profile. A harmless name is preserved. */
function profileChunks(data: Buffer): Buffer[] {
  const nameEnd = data.indexOf(0);
  const packed = data.subarray(nameEnd + 2);
  if (nameEnd < 1 || nameEnd > 79 || data[nameEnd + 1] !== 0) return [];
  try {
    // `info` (missing in @types/node) returns how much was read; anything after that is not part of the profile.
    const options = { maxOutputLength: PROFILE_BYTES_MAX + 1, info: true } as ZlibOptions;
    const { buffer, engine } = inflateSync(packed, options) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    if (!isProfile(buffer)) return [];
    const isPlain = /^[\w .,()-]+$/.test(data.toString('latin1', 0, nameEnd));
    if (isPlain && engine.bytesWritten === packed.length) return [chunk('iCCP', data)];
    return [chunk('iCCP', Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(buffer)]))];
  } catch {
    return [];
  }
}

function chunk(kind: string, data: Buffer): Buffer {
  const whole = Buffer.alloc(data.length + 12);
  whole.writeUInt32BE(data.length, 0);
  whole.write(kind, 4, 'latin1');
  data.copy(whole, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, data.length + 8)), data.length + 8);
  return whole;
}
