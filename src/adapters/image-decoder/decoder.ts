/**
 * Decodes images in child processes: starts them on demand, limits their number, their time and the queue, and replaces
 * one that hangs or dies. The child decides what is a valid image (`decoder-process.ts`).
 */
import type { ChildProcess } from 'node:child_process';
import { extname } from 'node:path';
import { ImageDecoderUnavailable, Overloaded } from '../../engine/ports.ts';
import { kill, launch, nextReply, ready, Unable } from '../child.ts';
import { createSemaphore } from '../semaphore.ts';
import { hasProgram } from './installed.ts';

/** Request to the child process. */
export type Task = DecodingTask | ShrinkingTask;

export interface DecodingTask {
  readonly bytes: Uint8Array;
  /** 0: no limit. */
  readonly pixelsMax: number;
}

/** For an image that was decoded before. */
export interface ShrinkingTask {
  readonly bytes: Uint8Array;
  /** Maximum width of the thumbnail. */
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
      /** The bytes to store, if they differ from the input. */
      readonly cleaned?: Uint8Array;
    }
  | { readonly outcome: 'too many pixels'; readonly pixels: number }
  | { readonly outcome: 'damaged' | 'too slow' | 'died' };

interface Decoder {
  decode(bytes: Uint8Array): Promise<Decoding>;
  shrink(task: ShrinkingTask): Promise<Shrunk | Exclude<Decoding, { outcome: 'decoded' }>>;
  /** Rejects with `ImageDecoderUnavailable` if the decoder is not installed. Starts a child only to make sure. */
  check(): Promise<void>;
  /** Ends the children immediately; images in progress fail with `Overloaded`. */
  close(): Promise<void>;
}

/** Two, so that one slow image does not block all others; no more, because of memory. */
const CHILDREN_MAX = 2;

/** Each queued image is in memory. */
const WAITING_MAX = 16;
const WAITING_SECONDS_MAX = 30;

const DECODE_SECONDS_MAX = 20;

/** Idle time after which a child is ended to free its memory. */
const IDLE_SECONDS_MAX = 60;

/** JavaScript heap only; pixels are outside of it and bounded by the pixel limit. */
const HEAP_MEGABYTES_MAX = 128;

const MISSING =
  'The image decoder (sharp) is not installed, so uploads are rejected. Install it with npm install --include=optional.';

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
