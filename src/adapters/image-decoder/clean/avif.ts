/**
 * AVIF (ISO/IEC 14496-12 and 23008-12): boxes that refer to positions in the file, so no byte may move. Metadata is
 * overwritten with zeros, and cut off if it is at the end. The pixel data of a sequence (`avis`) is left alone, because
 * its bytes are described by tables that are not parsed here.
 */
import { isProfile } from './profile.ts';

interface Box {
  readonly kind: string;
  readonly start: number;
  /** Start of the content. */
  readonly body: number;
  readonly end: number;
}

type Range = readonly [start: number, end: number];

const TOP = ['ftyp', 'meta', 'moov', 'mdat'];
const IN_META = ['hdlr', 'pitm', 'iloc', 'iinf', 'iprp', 'iref', 'idat', 'grpl', 'dinf'];
const ITEMS = ['av01', 'grid', 'iovl', 'iden', 'tmap'];
const PROPERTIES = [
  ...['av1C', 'ispe', 'pixi', 'colr', 'irot', 'imir', 'clap', 'pasp', 'auxC', 'a1lx', 'a1op', 'lsel'],
  ...['clli', 'mdcv', 'cclv', 'amve', 'rloc'],
];
const IN_MOVIE = ['moov', 'trak', 'mdia', 'minf', 'stbl'];
const PLAIN_NAME = /^[\w .-]*\0*$/;

export function cleanAvif(original: Buffer): Buffer | undefined {
  const bytes = Buffer.from(original);
  const top = boxes(bytes, 0, bytes.length);
  const has = (kind: string) => top.some((box) => box.kind === kind);
  if (!has('ftyp') || !has('meta')) return undefined;
  const [last] = top.filter(({ kind }) => TOP.includes(kind)).slice(-1);
  const end = last!.end;
  if (end > bytes.length) return undefined;

  const imageExtents: Range[] = [];
  for (const box of top) {
    if (box.start >= end) break;
    if (box.kind === 'meta') imageExtents.push(...cleanMeta(bytes, box));
    else if (box.kind === 'moov') cleanMovie(bytes, box);
    else if (!TOP.includes(box.kind)) blank(bytes, box);
  }
  if (!has('moov'))
    for (const box of top) if (box.kind === 'mdat') zeroAround(bytes, [box.body, box.end], imageExtents);
  return bytes.subarray(0, end);
}

/** Parses consecutive boxes up to the first invalid one. */
function boxes(bytes: Buffer, from: number, to: number): Box[] {
  const found: Box[] = [];
  for (let start = from; start + 8 <= to; ) {
    const kind = bytes.toString('latin1', start + 4, start + 8);
    let size = bytes.readUInt32BE(start);
    let body = start + 8;
    if (size === 1) {
      size = Number(bytes.readBigUInt64BE(body));
      body += 8;
    }
    const end = size === 0 ? to : start + size;
    if (end < body || (end > to && !TOP.includes(kind))) break;
    found.push({ kind, start, body, end });
    start = end;
  }
  return found;
}

/** Cleans the `meta` box. @returns the extents of image items */
function cleanMeta(bytes: Buffer, meta: Box): Range[] {
  const inside = boxes(bytes, meta.body + 4, meta.end);
  const box = (kind: string) => inside.find((each) => each.kind === kind);
  for (const each of inside) if (!IN_META.includes(each.kind)) blank(bytes, each);
  const [hdlr, iinf, iprp, iloc, idat] = ['hdlr', 'iinf', 'iprp', 'iloc', 'idat'].map(box);
  if (hdlr) zeroUnlessPlain(bytes, hdlr.body + 24, hdlr.end);
  const foreign = iinf ? cleanItems(bytes, iinf) : new Set<number>();
  if (iprp) cleanProperties(bytes, iprp);
  if (!iloc) return [];
  const itemExtents = extentsOf(bytes, iloc, idat);
  for (const { id, range } of itemExtents) if (foreign.has(id)) bytes.fill(0, ...range);
  const imageExtents = itemExtents.filter(({ id }) => !foreign.has(id)).map(({ range }) => range);
  if (idat) zeroAround(bytes, [idat.body, idat.end], imageExtents);
  return imageExtents;
}

/** Removes free-text names of items. @returns the ids of items that are no images */
function cleanItems(bytes: Buffer, iinf: Box): Set<number> {
  const foreign = new Set<number>();
  const count = bytes[iinf.body] === 0 ? 2 : 4;
  for (const item of boxes(bytes, iinf.body + 4 + count, iinf.end)) {
    const idBytes = bytes[item.body] === 3 ? 4 : 2;
    const type = item.body + 4 + idBytes + 2;
    const isImage = ITEMS.includes(bytes.toString('latin1', type, type + 4));
    if (isImage) zeroUnlessPlain(bytes, type + 4, item.end);
    else foreign.add(bytes.readUIntBE(item.body + 4, idBytes));
  }
  return foreign;
}

function cleanProperties(bytes: Buffer, iprp: Box): void {
  for (const container of boxes(bytes, iprp.body, iprp.end)) {
    if (container.kind !== 'ipco') continue;
    for (const property of boxes(bytes, container.body, container.end))
      if (!PROPERTIES.includes(property.kind) || isBadProfile(bytes, property)) blank(bytes, property);
  }
}

function isBadProfile(bytes: Buffer, { kind, body, end }: Box): boolean {
  if (kind !== 'colr' || !['prof', 'rICC'].includes(bytes.toString('latin1', body, body + 4))) return false;
  return !isProfile(bytes.subarray(body + 4, end));
}

/** Returns the positions of the items in the file (14496-12, §8.11.3). */
function extentsOf(bytes: Buffer, iloc: Box, idat: Box | undefined): { id: number; range: Range }[] {
  const version = bytes[iloc.body]!;
  let at = iloc.body + 4;
  const take = (size: number): number => {
    const value = size === 0 ? 0 : size === 8 ? Number(bytes.readBigUInt64BE(at)) : bytes.readUIntBE(at, size);
    at += size;
    return value;
  };
  const sizes = take(2);
  const [offsetSize, lengthSize, baseSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexSize = version === 0 ? 0 : sizes & 15;
  const count = take(version < 2 ? 2 : 4);
  const itemExtents: { id: number; range: Range }[] = [];
  for (let item = 0; item < count; item += 1) {
    const id = take(version < 2 ? 2 : 4);
    const isInIdat = version > 0 && (take(2) & 15) === 1;
    take(2);
    const base = take(baseSize) + (isInIdat ? (idat?.body ?? 0) : 0);
    for (let extents = take(2); extents > 0; extents -= 1) {
      take(indexSize);
      const start = base + take(offsetSize);
      const length = take(lengthSize);
      const end = length === 0 ? bytes.length : start + length;
      if (end > bytes.length) throw new RangeError('An item is beyond the end of the file.');
      itemExtents.push({ id, range: [start, end] });
    }
  }
  return itemExtents;
}

/** Removes texts of a movie and its tracks. */
function cleanMovie(bytes: Buffer, parent: Box): void {
  for (const box of boxes(bytes, parent.body, parent.end)) {
    if (IN_MOVIE.includes(box.kind)) cleanMovie(bytes, box);
    else if (['udta', 'meta', 'uuid', 'free', 'skip'].includes(box.kind)) blank(bytes, box);
    else if (box.kind === 'hdlr') zeroUnlessPlain(bytes, box.body + 24, box.end);
  }
}

/** Turns a box into a free-space box of the same length. */
function blank(bytes: Buffer, { start, body, end }: Box): void {
  bytes.write('free', start + 4, 'latin1');
  bytes.fill(0, body, end);
}

function zeroUnlessPlain(bytes: Buffer, start: number, end: number): void {
  if (!PLAIN_NAME.test(bytes.toString('latin1', start, end))) bytes.fill(0, start, end);
}

function zeroAround(bytes: Buffer, [start, end]: Range, kept: readonly Range[]): void {
  let at = start;
  for (const [from, to] of kept.toSorted((one, other) => one[0] - other[0])) {
    if (to <= start || from >= end) continue;
    if (from > at) bytes.fill(0, at, from);
    at = Math.max(at, to);
  }
  if (at < end) bytes.fill(0, at, end);
}
