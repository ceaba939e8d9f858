/** GIF (GIF89a specification): frames, each led by its delay, and the loop; comments, texts and others' blocks go. */

const TRAILER = 0x3b;
const EXTENSION = 0x21;
const IMAGE = 0x2c;

const GRAPHIC_CONTROL = 0xf9;
const PLAIN_TEXT = 0x01;
const APPLICATION = 0xff;

export function cleanGif(bytes: Buffer): Buffer | undefined {
  let at = 13 + colourTableBytes(bytes[10]);
  if (at > bytes.length) return undefined;
  const parts: Buffer[] = [bytes.subarray(0, at)];
  let control: Buffer | undefined;
  let loops = false;
  for (;;) {
    const block = bytes[at];
    if (block === TRAILER) return Buffer.concat([...parts, Buffer.from([TRAILER])]);
    if (block === IMAGE) {
      const data = at + 11 + colourTableBytes(bytes[at + 9]);
      const end = runsEnd(bytes, data);
      if (end === undefined) return undefined;
      if (control) parts.push(control);
      control = undefined;
      parts.push(bytes.subarray(at, end));
      at = end;
    } else if (block === EXTENSION) {
      const end = runsEnd(bytes, at + 2);
      if (end === undefined) return undefined;
      const kind = bytes[at + 1];
      const loop = kind === APPLICATION && !loops ? loopOf(bytes.subarray(at, end)) : undefined;
      if (loop) {
        parts.push(loop);
        loops = true;
      } else if (kind === GRAPHIC_CONTROL && bytes[at + 2] === 4) {
        control = Buffer.concat([bytes.subarray(at, at + 7), Buffer.from([0])]);
      } else if (kind === PLAIN_TEXT) control = undefined; // It was the text's.
      at = end;
    } else return undefined;
  }
}

/** How often the animation is shown: the run of three bytes that begins with 1. */
function loopOf(block: Buffer): Buffer | undefined {
  if (!['NETSCAPE2.0', 'ANIMEXTS1.0'].includes(block.toString('latin1', 3, 14))) return undefined;
  for (let at = 14; block[at]; at += 1 + block[at]!) {
    if (block[at] === 3 && block[at + 1] === 1) {
      return Buffer.concat([block.subarray(0, 14), block.subarray(at, at + 4), Buffer.from([0])]);
    }
  }
  return undefined;
}

/** Data come in runs, each led by its length; the run of no length ends them. */
function runsEnd(bytes: Buffer, start: number): number | undefined {
  for (let at = start; ; at += 1 + bytes[at]!) {
    if (bytes[at] === undefined) return undefined;
    if (bytes[at] === 0) return at + 1;
  }
}

function colourTableBytes(flags = 0): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0;
}
