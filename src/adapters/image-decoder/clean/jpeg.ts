/** JPEG (ITU-T T.81, annex B): a sequence of segments; the data of a scan ends at the next marker. */
import { exifOf, isTurned } from './exif.ts';
import { isProfile } from './profile.ts';

const EOI = 0xd9;
const SOS = 0xda;

interface Segment {
  readonly marker: number;
  readonly payload: Buffer;
  /** Entropy-coded data after a start-of-scan segment. */
  readonly scan: Buffer;
}

const NOTHING = Buffer.alloc(0);

export function cleanJpeg(bytes: Buffer, orientation: number): Buffer | undefined {
  const segments = segmentsOf(bytes);
  if (!segments) return undefined;
  const keepsProfile = isProfile(profileOf(segments));
  const parts: Buffer[] = [Buffer.from([0xff, 0xd8])];
  let exif = isTurned(orientation) ? Buffer.concat([Buffer.from('Exif\0\0'), exifOf(orientation)]) : undefined;
  for (const { marker, payload, scan } of segments) {
    if (isTable(marker)) parts.push(segment(marker, payload), scan);
    else if (isJfif(marker, payload)) parts.push(segment(marker, withoutThumbnail(payload)));
    else if (isAdobe(marker, payload)) parts.push(segment(marker, payload.subarray(0, 12)));
    else if (isProfilePart(marker, payload) && keepsProfile) parts.push(segment(marker, payload));
    else if (marker === 0xe1 && begins(payload, 'Exif\0') && exif) {
      parts.push(segment(marker, exif));
      exif = undefined;
    }
  }
  parts.push(Buffer.from([0xff, EOI]));
  return Buffer.concat(parts);
}

/** Parses the segments up to the end marker, which is required. */
function segmentsOf(bytes: Buffer): Segment[] | undefined {
  const segments: Segment[] = [];
  let at = 2;
  for (;;) {
    if (bytes[at] !== 0xff) return undefined;
    while (bytes[at] === 0xff) at += 1; // Any number of fill bytes may precede a marker.
    const marker = bytes[at];
    at += 1;
    if (marker === EOI) return segments;
    if (marker === undefined || marker === 0 || marker === 0xd8) return undefined;
    if (standsAlone(marker)) continue;
    const end = at + bytes.readUInt16BE(at);
    if (end < at + 2 || end > bytes.length) return undefined;
    const payload = bytes.subarray(at + 2, end);
    at = marker === SOS ? scanEnd(bytes, end) : end;
    segments.push({ marker, payload, scan: marker === SOS ? bytes.subarray(end, at) : NOTHING });
  }
}

function standsAlone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
}

/** Returns the position of the next marker other than a restart. In the data, 0xff is followed by a zero. */
function scanEnd(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at !== -1; at = bytes.indexOf(0xff, at)) {
    const marker = at;
    while (bytes[at] === 0xff) at += 1;
    const kind = bytes[at] ?? EOI;
    if (kind !== 0 && !(kind >= 0xd0 && kind <= 0xd7)) return marker;
  }
  return bytes.length;
}

/** What the decoder needs: frames, scans, tables, intervals (0xc0 to 0xdf) except the reserved 0xc8. */
function isTable(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xdf && marker !== 0xc8;
}

function isJfif(marker: number, payload: Buffer): boolean {
  return marker === 0xe0 && begins(payload, 'JFIF\0') && payload.length >= 14;
}

/** The density is preserved. */
function withoutThumbnail(payload: Buffer): Buffer {
  const kept = Buffer.from(payload.subarray(0, 14));
  kept.fill(0, 12);
  return kept;
}

/** Contains the color transform. */
function isAdobe(marker: number, payload: Buffer): boolean {
  return marker === 0xee && begins(payload, 'Adobe') && payload.length >= 12;
}

/** ICC.1:2022, annex B.4: identifier, part number, number of parts, data. */
function isProfilePart(marker: number, payload: Buffer): boolean {
  return marker === 0xe2 && begins(payload, 'ICC_PROFILE\0') && payload.length > 14;
}

function profileOf(segments: Segment[]): Buffer {
  const parts = segments.filter(({ marker, payload }) => isProfilePart(marker, payload)).map(({ payload }) => payload);
  parts.sort((one, other) => one[12]! - other[12]!);
  return Buffer.concat(parts.map((payload) => payload.subarray(14)));
}

function begins(payload: Buffer, text: string): boolean {
  return payload.toString('latin1', 0, text.length) === text;
}

function segment(marker: number, payload: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(payload.length + 2, 2);
  return Buffer.concat([head, payload]);
}
