/**
 * Has pictures decoded by child processes: starts them on demand, bounds their number, their time and what waits for
 * them, and replaces one that hangs or dies. The child decides what is a picture (`decoder-process.ts`).
 */
import type { ChildProcess } from 'node:child_process';
import { extname } from 'node:path';
import { ImageDecoderUnavailable, Overloaded } from '../../engine/ports.ts';
import { kill, launch, nextReply, ready, Unable } from '../child.ts';
import { createSemaphore } from '../semaphore.ts';
import { hasProgram } from './installed.ts';

/** The question to the child. */
export type Task = DecodingTask | ShrinkingTask;

export interface DecodingTask {
  readonly bytes: Uint8Array;
  /** 0 for no limit. */
  readonly pixelsMax: number;
}

/** Of a picture that was decoded before. */
export interface ShrinkingTask {
  readonly bytes: Uint8Array;
  /** Not wider than this. */
  readonly width: number;
  readonly extension: string;
}

export interface Shrunk {
  readonly outcome: 'shrunk';
  readonly bytes: Uint8Array;
}

export type Decoding =
  | {
      readonly outcome: 'decoded';
      readonly extension: string;
      readonly width: number;
      readonly height: number;
      /** The bytes to keep, where they differ from the sent ones. */
      readonly cleaned?: Uint8Array;
    }
  | { readonly outcome: 'too many pixels'; readonly pixels: number }
  | { readonly outcome: 'damaged' | 'too slow' | 'died' };

interface Decoder {
  decode(bytes: Uint8Array): Promise<Decoding>;
  shrink(task: ShrinkingTask): Promise<Shrunk | Exclude<Decoding, { outcome: 'decoded' }>>;
  /** Rejects with `ImageDecoderUnavailable` where the decoder is missing. Starts a child only where that seems so. */
  check(): Promise<void>;
  /** Ends the children at once; a picture still in work raises `Overloaded`. */
  close(): Promise<void>;
}

/** Two, so that one slow picture does not hold up all others; memory is why there are no more. */
const CHILDREN_MAX = 2;

/** Each waits with its bytes in memory. */
const WAITING_MAX = 16;
const WAITING_SECONDS_MAX = 30;

const DECODE_SECONDS_MAX = 20;

/** After this long without work a child is ended, which gives back what its memory has grown to. */
const IDLE_SECONDS_MAX = 60;

/** For JavaScript only; the pixels lie outside this and are bounded by the pixel limit. */
const HEAP_MEGABYTES_MAX = 128;

const MISSING =
  'The picture decoder (sharp) is missing, so no picture is taken in: install with optional packages (npm install --include=optional).';

export function createDecoder(options: { pixelsMax: number; secondsMax?: number }): Decoder {
  const secondsMax = options.secondsMax ?? DECODE_SECONDS_MAX;
  const withPermit = createSemaphore({
    count: CHILDREN_MAX,
    waitingMax: WAITING_MAX,
    waitingSecondsMax: WAITING_SECONDS_MAX,
    overloaded: 'Too many pictures are waiting to be decoded.',
  });
  const living = new Set<ChildProcess>();
  const idle = new Map<ChildProcess, NodeJS.Timeout>();
  let closed = false;
  let missing: 'no' | 'perhaps' | 'yes' = hasProgram() ? 'no' : 'perhaps';

  return {
    check: async () => {
      if (missing === 'yes' && !hasProgram()) throw new ImageDecoderUnavailable(MISSING);
      if (missing !== 'no') await withPermit(async () => rest(wake() ?? (await start())));
    },

    decode: (bytes) => ask({ bytes, pixelsMax: options.pixelsMax }),

    shrink: ask,

    async close() {
      closed = true;
      await Promise.all([...living].map(end));
    },
  };

  function ask<T extends object>(task: Task): Promise<T | { outcome: 'too slow' | 'died' }> {
    return withPermit(async () => {
      refuseWhenClosed();
      const child = wake() ?? (await start());
      child.send(task, () => {}); // A failure shows as its exit.
      const answer = await nextReply<T>(child, secondsMax);
      if (answer === 'too slow') child.kill('SIGKILL');
      if (typeof answer === 'object') {
        rest(child);
        return answer;
      }
      refuseWhenClosed();
      return { outcome: answer };
    });
  }

  function refuseWhenClosed(): void {
    if (closed) throw new Overloaded('The store is stopping.');
  }

  async function start(): Promise<ChildProcess> {
    try {
      const file = new URL(`./decoder-process${extname(import.meta.url)}`, import.meta.url);
      const child = launch(file, [], [`--max-old-space-size=${HEAP_MEGABYTES_MAX}`], (ended) => {
        living.delete(ended);
        forget(ended);
      });
      living.add(child);
      await ready(child);
      missing = 'no';
      return child;
    } catch (error) {
      refuseWhenClosed();
      if (error instanceof Unable) {
        missing = 'yes';
        throw new ImageDecoderUnavailable(MISSING, { cause: error });
      }
      throw new Overloaded(`The process that decodes pictures cannot be started: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }

  /** The one that rested last, so that those not needed reach their end. */
  function wake(): ChildProcess | undefined {
    const child = [...idle.keys()].at(-1);
    if (child === undefined) return undefined;
    forget(child);
    return child;
  }

  function rest(child: ChildProcess): void {
    if (!living.has(child)) return;
    idle.set(child, setTimeout(() => void end(child), IDLE_SECONDS_MAX * 1000).unref());
  }

  function forget(child: ChildProcess): void {
    clearTimeout(idle.get(child));
    idle.delete(child);
  }

  async function end(child: ChildProcess): Promise<void> {
    forget(child);
    await kill(child);
  }
}
