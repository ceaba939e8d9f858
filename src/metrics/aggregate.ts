/** Adds up the figures of several processes of one server. A counter never falls because a process has ended. */
import { AggregatorRegistry } from 'prom-client';
import type { ProcessFigures } from './metrics.ts';
import type { Figures } from './server.ts';

/** One that goes on counts; anything else is of the moment, and gone with its process. */
const LASTING = new Set(['counter', 'histogram']);

export class Sum implements Figures {
  readonly #read: () => Promise<ReadonlyMap<object, ProcessFigures>>;
  /** The last figures of each process that lives. */
  #last: ReadonlyMap<object, ProcessFigures> = new Map();
  /** One may end while others are still being asked: what it told meanwhile is in the past already. */
  readonly #gone = new WeakSet<object>();
  /** Of those that have ended, as they had counted when they were asked last. */
  #past: ProcessFigures = [];
  /** Settles when the last one that has ended is in the past. */
  #ending: Promise<void> = Promise.resolve();
  readonly contentType = AggregatorRegistry.PROMETHEUS_CONTENT_TYPE;

  /** @param read asks every process, known by an object of its own; one that does not answer is left out */
  constructor(read: () => Promise<ReadonlyMap<object, ProcessFigures>>) {
    this.#read = read;
  }

  async text(): Promise<string> {
    const told = await this.#read();
    // One that is busy just now counts with what it told before.
    const all = new Map([...this.#last, ...told].filter(([each]) => !this.#gone.has(each)));
    this.#last = all;
    await this.#ending;
    return added([this.#past, ...all.values()]).metrics();
  }

  /** The process has ended. @param figures its last ones, if it told any more */
  ended(process: object, figures?: ProcessFigures): Promise<void> {
    this.#gone.add(process);
    const last = figures ?? this.#last.get(process);
    this.#last = new Map([...this.#last].filter(([each]) => each !== process));
    const lasting = (last ?? []).filter(({ type }) => LASTING.has(String(type)));
    // One after the other: each adds to what the one before left.
    this.#ending = this.#ending.then(async () => {
      this.#past = await added([this.#past, lasting]).getMetricsAsJSON();
    });
    return this.#ending;
  }
}

function added(figures: readonly ProcessFigures[]) {
  return AggregatorRegistry.aggregate(figures.filter((each) => each.length > 0));
}
