/** Creates small, distinct PNG files without a library. */
import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import type { Random } from './random.ts';

export interface ImageFile {
  readonly bytes: Buffer;
  readonly digest: string;
}

/** Creates a PNG of random pixels, which hardly compress: a side of 32 pixels gives about 3 KiB. */
export function randomImage(random: Random, side = random.pick([8, 32, 96])): ImageFile {
  const rows = Buffer.alloc(side * (1 + side * 3));
  for (let index = 0; index < rows.length; index += 1)
    rows[index] = index % (1 + side * 3) === 0 ? 0 : random.whole(0, 255);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const bytes = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return { bytes, digest: createHash('sha256').update(bytes).digest('hex') };
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
