/** The only EXIF tag that is preserved: the orientation (CIPA DC-008, §4.6.4). */

/** Returns a TIFF block with this tag, 26 bytes. */
export function exifOf(orientation: number): Buffer {
  const block = Buffer.alloc(26);
  block.write('II*\0', 'latin1');
  block.writeUInt32LE(8, 4); // offset of the only directory
  block.writeUInt16LE(1, 8); // number of tags
  block.writeUInt16LE(0x0112, 10);
  block.writeUInt16LE(3, 12); // of 16 bits
  block.writeUInt32LE(1, 14);
  block.writeUInt16LE(orientation, 18);
  return block;
}

export function isTurned(orientation: number): boolean {
  return orientation > 1 && orientation <= 8;
}
