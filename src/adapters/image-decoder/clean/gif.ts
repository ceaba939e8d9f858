/** GIF (GIF89a specification): keeps frames with their delays, and the loop; removes comments, texts and other extensions. */

const TRAILER = 0x3b;
const EXTENSION = 0x21;
const IMAGE = 0x2c;

const GRAPHIC_CONTROL = 0xf9;
const PLAIN_TEXT = 0x01;
const APPLICATION = 0xff;

export function cleanGif(bytes: Buffer): Buffer | undefined {
  let at = 13 + colorTableBytes(bytes[10]);
  if (at > bytes.length) return undefined;
  const output: Output = { parts: [bytes.subarray(0, at)], control: undefined, hasLoop: false };
  for (;;) {
    const block = bytes[at];
    if (block === TRAILER) return Buffer.concat([...output.parts, Buffer.from([TRAILER])]);
    if (block !== IMAGE && block !== EXTENSION) return undefined;
    const data = block === IMAGE ? at + 11 + colorTableBytes(bytes[at + 9]) : at + 2;
    const end = runsEnd(bytes, data);
    if (end === undefined) return undefined;
    if (block === IMAGE) addFrame(output, bytes.subarray(at, end));
    else addExtension(output, bytes.subarray(at, end));
    at = end;
  }
}

interface Output {
  readonly parts: Buffer[];
  /** Graphic control extension of the next frame. */
  control: Buffer | undefined;
  hasLoop: boolean;
}

function addFrame(output: Output, frame: Buffer): void {
  if (output.control) output.parts.push(output.control);
  output.control = undefined;
  output.parts.push(frame);
}

function addExtension(output: Output, block: Buffer): void {
  const kind = block[1];
  const loop = kind === APPLICATION && !output.hasLoop ? loopOf(block) : undefined;
  if (loop) {
    output.parts.push(loop);
    output.hasLoop = true;
  } else if (kind === GRAPHIC_CONTROL && block[2] === 4) {
    output.control = Buffer.concat([block.subarray(0, 7), Buffer.from([0])]);
  } else if (kind === PLAIN_TEXT) output.control = undefined; // It belonged to the text.
}

/** Returns the loop count: the run of three bytes that starts with 1. */
function loopOf(block: Buffer): Buffer | undefined {
  if (!['NETSCAPE2.0', 'ANIMEXTS1.0'].includes(block.toString('latin1', 3, 14))) return undefined;
  for (let at = 14; block[at]; at += 1 + block[at]!) {
    if (block[at] === 3 && block[at + 1] === 1) {
      return Buffer.concat([block.subarray(0, 14), block.subarray(at, at + 4), Buffer.from([0])]);
    }
  }
  return undefined;
}

/** Data is a sequence of runs, each after its length; a run of length 0 ends it. */
function runsEnd(bytes: Buffer, start: number): number | undefined {
  for (let at = start; ; at += 1 + bytes[at]!) {
    if (bytes[at] === undefined) return undefined;
    if (bytes[at] === 0) return at + 1;
  }
}

function colorTableBytes(flags = 0): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0;
}
