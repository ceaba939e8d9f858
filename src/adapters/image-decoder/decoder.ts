/**
 * Decodes images in child processes: starts them on demand, limits their number, their time and the queue, and replaces
 * one that hangs or dies. The child decides what is a valid image (`decoder-process.ts`).
 */
import type { ChildProcess } from 'node:child_process';
import { extname } from 'node:path';
import { ImageDecoderUnavailable, Overloaded } from '../../engine/ports.ts';
import { createBoundedQueue } from '../bounded-queue.ts';
import { kill, launch, nextReply, ready, Unable } from '../child.ts';
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

export function createDecoder({ pixelsMax, secondsMax }: { pixelsMax: number; secondsMax?: number }): Decoder {
  return new ChildDecoder(pixelsMax, secondsMax);
}

class ChildDecoder implements Decoder {
  readonly #pixelsMax: number;
  readonly #secondsMax: number;
  readonly #runInQueue = createBoundedQueue({
    concurrencyMax: CHILDREN_MAX,
    waitingMax: WAITING_MAX,
    waitingSecondsMax: WAITING_SECONDS_MAX,
    overloaded: 'Too many images are queued for decoding.',
  });
  readonly #living = new Set<ChildProcess>();
  readonly #idle = new Map<ChildProcess, NodeJS.Timeout>();
  #isClosed = false;
  #missing: 'no' | 'perhaps' | 'yes' = hasProgram() ? 'no' : 'perhaps';

  constructor(pixelsMax: number, secondsMax = DECODE_SECONDS_MAX) {
    this.#pixelsMax = pixelsMax;
    this.#secondsMax = secondsMax;
  }

  async check(): Promise<void> {
    if (this.#missing === 'yes' && !hasProgram()) throw new ImageDecoderUnavailable(MISSING);
    if (this.#missing !== 'no')
      await this.#runInQueue(async () => this.#rest(this.#takeIdle() ?? (await this.#start())));
  }

  decode(bytes: Uint8Array): Promise<Decoding> {
    return this.#run({ bytes, pixelsMax: this.#pixelsMax });
  }

  shrink(task: ShrinkingTask): Promise<Shrunk | Exclude<Decoding, { outcome: 'decoded' }>> {
    return this.#run(task);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#living].map((child) => this.#end(child)));
  }

  #run<T extends object>(task: Task): Promise<T | { outcome: 'too slow' | 'died' }> {
    return this.#runInQueue(async () => {
      this.#rejectWhenClosed();
      const child = this.#takeIdle() ?? (await this.#start());
      child.send(task, () => {}); // A failure shows as its exit.
      const reply = await nextReply<T>(child, this.#secondsMax);
      if (reply === 'too slow') child.kill('SIGKILL');
      if (typeof reply === 'object') {
        this.#rest(child);
        return reply;
      }
      this.#rejectWhenClosed();
      return { outcome: reply };
    });
  }

  #rejectWhenClosed(): void {
    if (this.#isClosed) throw new Overloaded('The store is stopping.');
  }

  async #start(): Promise<ChildProcess> {
    try {
      const file = new URL(`./decoder-process${extname(import.meta.url)}`, import.meta.url);
      const child = launch(file, [], [`--max-old-space-size=${HEAP_MEGABYTES_MAX}`], (ended) => {
        this.#living.delete(ended);
        this.#forget(ended);
      });
      this.#living.add(child);
      await ready(child);
      this.#missing = 'no';
      return child;
    } catch (error) {
      this.#rejectWhenClosed();
      if (error instanceof Unable) {
        this.#missing = 'yes';
        throw new ImageDecoderUnavailable(MISSING, { cause: error });
      }
      throw new Overloaded(`The image decoder process cannot be started: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }

  /** Returns the most recently used child, so that surplus children reach their idle limit. */
  #takeIdle(): ChildProcess | undefined {
    const child = [...this.#idle.keys()].at(-1);
    if (child === undefined) return undefined;
    this.#forget(child);
    return child;
  }

  #rest(child: ChildProcess): void {
    if (!this.#living.has(child)) return;
    this.#idle.set(child, setTimeout(() => void this.#end(child), IDLE_SECONDS_MAX * 1000).unref());
  }

  #forget(child: ChildProcess): void {
    clearTimeout(this.#idle.get(child));
    this.#idle.delete(child);
  }

  async #end(child: ChildProcess): Promise<void> {
    this.#forget(child);
    await kill(child);
  }
}
