/**
 * The two questions about animations that libvips leaves open: whether a GIF is all there, and how many frames a PNG
 * claims. It reads the files' outlines only, no pixels.
 */

/**
 * Whether the blocks run up to the trailer. libvips quietly drops the frames that a cut-off animation has lost.
 * (GIF89a specification, appendix A.)
 */
export function gifIsWhole(bytes: Uint8Array): boolean {
  let at = 13 + colourTableBytes(bytes[10] ?? 0);
  for (;;) {
    const block = bytes[at];
    if (block === GIF_TRAILER) return true;
    if (block === GIF_EXTENSION) at += 2;
    else if (block === GIF_IMAGE) at += 11 + colourTableBytes(bytes[at + 9] ?? 0);
    else return false;
    // Data follow in runs, each led by its length; the run of no length ends them.
    for (let length = bytes[at]; length !== 0; length = bytes[at]) {
      if (length === undefined) return false;
      at += 1 + length;
    }
    at += 1;
  }
}

const GIF_TRAILER = 0x3b;
const GIF_EXTENSION = 0x21;
const GIF_IMAGE = 0x2c;

function colourTableBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0;
}

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
