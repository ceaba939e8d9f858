/** The question about animations that libvips leaves open: how many frames a PNG claims. It reads no pixels. */

/** What `acTL` says, 1 without it; libvips sees the first frame only. (PNG, third edition, §11.3.6.1.) */
export function pngFrames(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 8; at + 12 <= bytes.byteLength; at += 12 + view.getUint32(at)) {
    const kind = view.getUint32(at + 4);
    if (kind === PNG_IDAT) break;
    if (kind === PNG_ACTL) return Math.max(1, view.getUint32(at + 8));
  }
  return 1;
}

const PNG_IDAT = 0x49444154;
const PNG_ACTL = 0x6163544c;
